"""Workspaces that install the Slack app, renew their tokens, and leave."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
import redis as redis_client

from tests.workers.stage import SECRET_KEY, Stage, open_stage
from workers.installation_registry import GRACE_S
from workers.purging import purge_due
from workers.secrets_box import SecretsBox
from workers.slack_installations import (
    NotInstalled,
    SlackInstallation,
    SlackInstallations,
    SlackToken,
)


@pytest.fixture
def stage(tmp_path: Path, redis_url: str) -> Iterator[Stage]:
    """Without SLACK_BOT_TOKEN: every workspace installs the app itself."""
    many = {
        "SLACK_BOT_TOKEN": "",
        "SLACK_CLIENT_ID": "1000.2000",
        "SLACK_CLIENT_SECRET": "sandbox-client-secret",
    }
    with open_stage(tmp_path, redis_url, **many) as opened:
        opened.slack.agrees_by_itself = True
        yield opened


def install(stage: Stage, team: str = "", browser: httpx.Client | None = None) -> httpx.Response:
    """A person opens /slack/install, agrees at Slack, and comes back."""
    browser = browser or httpx.Client()
    with browser:
        away = browser.get(f"{stage.web.url}/slack/install")
        assert away.status_code == 303
        address = away.headers["location"] + (f"&team={team}" if team else "")
        back = browser.get(address).headers["location"]
        return browser.get(back)


def test_a_workspace_installs_and_is_spoken_to_with_its_own_token(stage: Stage) -> None:
    beta = stage.slack.add_team("Beta", enterprise_id="E0GRID")
    rob = stage.slack.add_user("rob", team=beta)
    channel = stage.slack.add_channel("beta-reviews", members=[rob], team=beta)
    done = install(stage, beta.id)
    assert done.status_code == 200
    assert "installed" in done.text
    assert not stage.slack.calls_of("oauth.v2.access"), "the web called Slack itself"
    stage.work()
    found = stage.services.slack_installations.of_team(beta.id)
    assert found is not None
    assert (found.enterprise_id, found.name) == ("E0GRID", "Beta")

    stage.slack.command(channel, rob, "/conventions", "list")
    stage.slack.say(channel, rob, "@precedent hello", raw=False)
    stage.work()
    assert "not linked" in "\n".join(m["text"] for m in stage.slack.ephemerals(channel))
    used = {c.team_id for c in stage.slack.calls if c.method.startswith(("chat.", "conv"))}
    assert used <= {beta.id}
    assert not stage.slack.calls_of("auth.test")
    assert stage.keys_with("xoxb") == []


def test_a_workspace_that_did_not_install_reaches_no_listener(stage: Stage) -> None:
    delivery = stage.slack.command("api-reviews", "ada", "/conventions", "list")
    assert delivery.status == 200
    stage.work()
    assert not stage.slack.calls_of("chat.postEphemeral")
    assert stage.dead() == []


def test_a_way_back_without_the_browser_that_left_installs_nothing(stage: Stage) -> None:
    with httpx.Client() as browser, httpx.Client() as other:
        away = browser.get(f"{stage.web.url}/slack/install").headers["location"]
        back = browser.get(away).headers["location"]
        assert other.get(back).status_code == 400
        state = parse_qs(urlsplit(away).query)["state"][0]
        declined = f"{stage.web.url}/slack/oauth_redirect?error=access_denied&state={state}"
        assert "Nothing was changed" in browser.get(declined).text
    stage.work()
    assert stage.services.slack_installations.every() == []


def test_a_rotating_token_is_renewed_once_by_many_at_the_same_time(stage: Stage) -> None:
    stage.slack.installer.rotates = True
    stage.slack.installer.token_life_s = 60
    install(stage)
    stage.work()
    exchanged = len(stage.slack.calls_of("oauth.v2.access"))
    stage.slack.installer.token_life_s = 43_200
    team, tokens = stage.world.team.id, []

    def take() -> None:
        access = stage.services.slack_access()
        tokens.append(stage.services.slack_installations.token(team, access.refresh))

    threads = [threading.Thread(target=take) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tokens) == 6
    assert len(set(tokens)) == 1
    assert len(stage.slack.calls_of("oauth.v2.access")) == exchanged + 1
    stage.services.slack(team).permalink(stage.world.api_channel.id, _said(stage))


def test_an_uninstall_removes_the_token_at_once_and_the_rest_after_the_grace(stage: Stage) -> None:
    install(stage)
    stage.work()
    stage.link()
    stage.identify()
    stage.slack.say("api-reviews", "ada", "@precedent list")
    stage.work()
    assert stage.said_in("api-reviews")
    team = stage.world.team.id
    stage.slack.uninstall(team)
    stage.work()
    assert stage.services.slack_installations.every() == []
    assert stage.services.channels.of_channel(team, stage.world.api_channel.id)
    with pytest.raises(NotInstalled):
        stage.services.slack(team)

    now = stage.services.now
    future = replace(stage.services, now=lambda: now() + GRACE_S + 60)
    purge_due(future)
    # What a repository was told stays with the repository, with who said it and where.
    kept = stage.keys_with(team, stage.world.people["ada"][1])
    assert [key for key in kept if not key.startswith(b"precedent:store:")] == []
    assert stage.dead() == []


def test_what_is_installed_again_keeps_its_links(stage: Stage) -> None:
    install(stage)
    stage.work()
    stage.link()
    stage.slack.uninstall()
    stage.work()
    install(stage)
    stage.work()
    now = stage.services.now
    purge_due(replace(stage.services, now=lambda: now() + GRACE_S + 60))
    assert stage.services.channels.of_channel(stage.world.team.id, stage.world.api_channel.id)


def test_a_channel_with_a_new_id_keeps_its_link(stage: Stage) -> None:
    install(stage)
    stage.work()
    stage.link()
    stage.slack.change_channel_id("api-reviews")
    stage.work()
    links = stage.services.channels.of_channel(stage.world.team.id, stage.world.api_channel.id)
    assert stage.world.api_channel.id != "C0000API"
    assert [link.name for link in links] == ["acme/api"]


def test_an_installation_of_a_whole_organisation_serves_its_workspaces(
    redis: redis_client.Redis,
) -> None:
    store = SlackInstallations(redis, SecretsBox([SECRET_KEY], "slack tokens"))
    store.save(SlackInstallation("E1", "", "UORG"), SlackToken("xoxb-org"))
    store.save(SlackInstallation("E1", "T1", "UTEAM"), SlackToken("xoxb-team"))
    store.save(SlackInstallation("", "T9", "UALONE"), SlackToken("xoxb-alone"))
    assert _bot(store, "E1", "T1") == "UTEAM"
    assert _bot(store, "E1", "T2") == "UORG"
    assert _bot(store, None, "T9") == "UALONE"
    assert _bot(store, "E1", "T9") == "UORG"
    assert store.find("", "T2") is None
    store.learn_enterprise("T2", "E1")
    assert store.token("T2", _no_refresh) == "xoxb-org"
    assert store.forget("T1") is True
    assert _bot(store, "E1", "T1") == "UORG"


def test_the_key_rotates_without_an_installation_lost(redis: redis_client.Redis) -> None:
    before = SlackInstallations(redis, SecretsBox(["a" * 40], "slack tokens"))
    before.save(
        SlackInstallation("", "T1", "U1"), SlackToken("xoxb-1", "xoxe-1", time.time() + 1e6)
    )
    during = SlackInstallations(redis, SecretsBox(["b" * 40, "a" * 40], "slack tokens"))
    assert during.token("T1", _no_refresh) == "xoxb-1"
    assert during.reseal() == 1
    assert during.reseal() == 0
    after = SlackInstallations(redis, SecretsBox(["b" * 40], "slack tokens"))
    assert after.token("T1", _no_refresh) == "xoxb-1"


def _bot(store: SlackInstallations, enterprise: str | None, team: str) -> str:
    found = store.find(enterprise, team)
    assert found is not None
    return found.bot_user_id


def _no_refresh(_token: str) -> SlackToken:
    raise AssertionError("There was nothing to renew.")


def _said(stage: Stage) -> str:
    return stage.slack.say("api-reviews", "ada", "nothing for the bot").ts
