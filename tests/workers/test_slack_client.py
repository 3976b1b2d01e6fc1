"""What the speaker sends to Slack, judged by what the stand-in's channel holds afterwards."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis as redis_client

from deploy.sandbox.serving import AsgiServer
from deploy.sandbox.slack import SandboxSlack
from deploy.sandbox.slack.world import DEFAULT_SCOPES, Token
from workers.effects import EffectLedger
from workers.errors import Permanent, RateLimited, Superseded, Transient
from workers.slack_client import SlackMessage, SlackSpeaker, open_slack
from workers.slack_errors import SlackInDoubt, SlackRefused

CHANNEL = "C0API"
POST = "chat.postMessage"
TOKEN = "xoxb-with-history"
TOKEN_WITHOUT_HISTORY = "xoxb-plain"


@pytest.fixture
def slack() -> Iterator[SandboxSlack]:
    stand_in = SandboxSlack("signing", TOKEN_WITHOUT_HISTORY)
    stand_in.add_team("Acme", team_id="T0ACME")
    scopes = (*DEFAULT_SCOPES, "channels:history", "groups:history")
    stand_in.world.tokens[TOKEN] = Token(TOKEN, "T0ACME", scopes=scopes)
    stand_in.add_channel(
        "reviews", members=[stand_in.add_user("ada", user_id="U0ADA")], channel_id=CHANNEL
    )
    with AsgiServer(stand_in.app) as server:
        stand_in.base_url = server.url
        yield stand_in
    stand_in.stop()
    assert stand_in.contract_errors == []


@pytest.fixture
def ledger(redis: redis_client.Redis) -> EffectLedger:
    return EffectLedger(redis)


@pytest.fixture
def speaker(slack: SandboxSlack, ledger: EffectLedger) -> SlackSpeaker:
    client = open_slack(TOKEN, f"{slack.base_url}/slack/api/", timeout_s=1)
    return SlackSpeaker(client, ledger, team="T0ACME")


def _texts(slack: SandboxSlack) -> list[str]:
    return [message["text"] for message in slack.messages(CHANNEL)]


def test_a_key_is_said_once(slack: SandboxSlack, speaker: SlackSpeaker) -> None:
    first = speaker.post(CHANNEL, "hello", key="e1")
    assert speaker.post(CHANNEL, "hello", key="e1") == first
    speaker.post(CHANNEL, "hello", key="e2")
    assert _texts(slack) == ["hello", "hello"]
    assert len(slack.calls_of(POST)) == 2
    assert slack.calls_of("conversations.history") == []


def test_metadata_does_not_tell_what_the_key_stands_for(
    slack: SandboxSlack, speaker: SlackSpeaker
) -> None:
    speaker.post(CHANNEL, "hello", key="answer-to-ada")
    metadata = slack.messages(CHANNEL)[0]["metadata"]
    assert metadata["event_type"] == "precedent_message"
    assert "ada" not in str(metadata)


@pytest.mark.parametrize("fault", [{"status": 502, "error": "x"}, {"drop_connection": True}])
@pytest.mark.parametrize("in_thread", [False, True])
def test_an_answer_lost_after_the_post_is_found_at_once(
    slack: SandboxSlack, speaker: SlackSpeaker, fault: dict[str, object], in_thread: bool
) -> None:
    root = speaker.post(CHANNEL, "root", key="root") if in_thread else SlackMessage("", "")
    slack.break_next(POST, apply=True, **fault)
    message = speaker.post(CHANNEL, "hello", key="e1", thread_ts=root.ts)
    assert message.ts == slack.messages(CHANNEL)[-1]["ts"]
    assert _texts(slack).count("hello") == 1
    assert len(slack.calls_of("conversations.replies" if in_thread else "conversations.history"))


def test_a_time_out_after_the_post_is_found_at_once(
    slack: SandboxSlack, speaker: SlackSpeaker
) -> None:
    slack.break_next(POST, delay_s=1.3, apply=True)
    with pytest.raises(SlackInDoubt):
        # The post is applied only after we have stopped waiting and looking.
        speaker.post(CHANNEL, "hello", key="e1")
    deadline = time.monotonic() + 5
    while not _texts(slack) and time.monotonic() < deadline:
        time.sleep(0.02)
    speaker.post(CHANNEL, "hello", key="e1")
    assert _texts(slack) == ["hello"]


def test_what_surely_failed_is_posted_by_the_next_attempt(
    slack: SandboxSlack, speaker: SlackSpeaker
) -> None:
    slack.break_next(POST, drop_connection=True)
    with pytest.raises(SlackInDoubt) as doubt:
        speaker.post(CHANNEL, "hello", key="e1")
    assert isinstance(doubt.value, Transient)
    speaker.post(CHANNEL, "hello", key="e1")
    assert _texts(slack) == ["hello"]


def test_a_process_killed_between_post_and_record_leaves_one_message(
    slack: SandboxSlack, speaker: SlackSpeaker, redis: redis_client.Redis
) -> None:
    speaker.post(CHANNEL, "hello", key="e1")
    (name,) = redis.scan_iter("precedent:fx:*")
    redis.set(name, b'{"at": %f}' % time.time())
    speaker.post(CHANNEL, "hello", key="e1")
    assert _texts(slack) == ["hello"]


def test_the_search_reads_every_page(slack: SandboxSlack, speaker: SlackSpeaker) -> None:
    slack.break_next(POST, apply=True, drop_connection=True)
    slack.break_next("conversations.history", drop_connection=True)
    with pytest.raises(SlackInDoubt):
        speaker.post(CHANNEL, "hello", key="e1")
    for n in range(450):
        noise = {"type": "message", "user": "U0ADA", "text": f"noise {n}"}
        slack.world.put_message(CHANNEL, {**noise, "ts": slack.world.next_ts()})
    speaker.post(CHANNEL, "hello", key="e1")
    assert _texts(slack).count("hello") == 1
    assert len(slack.calls_of("conversations.history")) >= 4


def test_a_limit_is_told_in_seconds_and_not_slept_on(
    slack: SandboxSlack, speaker: SlackSpeaker
) -> None:
    slack.break_next(POST, status=429, error="ratelimited", retry_after_s=37)
    began = time.monotonic()
    with pytest.raises(RateLimited) as limited:
        speaker.post(CHANNEL, "hello", key="e1")
    assert limited.value.retry_after_s == 37
    assert time.monotonic() - began < 1
    speaker.post(CHANNEL, "hello", key="e1")
    assert _texts(slack) == ["hello"]
    assert slack.calls_of("conversations.history") == []


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ("channel_not_found", "/invite"),
        ("not_in_channel", "/invite"),
        ("is_archived", "unarchive"),
        ("invalid_auth", "install"),
        ("token_revoked", "install"),
        ("missing_scope", "manifest"),
        ("never_heard_of", "never_heard_of"),
    ],
)
def test_refusals_are_permanent_with_a_sentence(
    slack: SandboxSlack, speaker: SlackSpeaker, code: str, advice: str
) -> None:
    slack.break_next(POST, error=code)
    with pytest.raises(SlackRefused, match=advice) as refused:
        speaker.post(CHANNEL, "hello", key="e1")
    assert isinstance(refused.value, Permanent)
    assert refused.value.reason == f"slack_{code}"


@pytest.mark.parametrize("code", ["internal_error", "fatal_error", "service_unavailable"])
def test_slacks_own_troubles_are_doubts(
    slack: SandboxSlack, speaker: SlackSpeaker, code: str
) -> None:
    slack.break_next(POST, error=code, apply=True)
    speaker.post(CHANNEL, "hello", key="e1")
    assert _texts(slack) == ["hello"]


def test_without_the_right_to_look_the_answer_is_said_again_rather_than_lost(
    slack: SandboxSlack, ledger: EffectLedger
) -> None:
    client = open_slack(TOKEN_WITHOUT_HISTORY, f"{slack.base_url}/slack/api/", timeout_s=1)
    speaker = SlackSpeaker(client, ledger, team="T0ACME")
    slack.break_next(POST, apply=True, drop_connection=True)
    with pytest.raises(SlackInDoubt):
        speaker.post(CHANNEL, "hello", key="e1")
    speaker.post(CHANNEL, "hello", key="e1")
    assert _texts(slack) == ["hello", "hello"]


def test_a_run_that_lost_its_lease_says_nothing(slack: SandboxSlack, ledger: EffectLedger) -> None:
    def stop() -> None:
        raise Superseded("lost")

    client = open_slack(TOKEN, f"{slack.base_url}/slack/api/")
    speaker = SlackSpeaker(client, ledger, team="T0ACME", still_ours=stop)
    for act in (
        lambda: speaker.post(CHANNEL, "hello", key="e1"),
        lambda: speaker.update(CHANNEL, "1.2", "x"),
        lambda: speaker.react(CHANNEL, "1.2"),
    ):
        with pytest.raises(Superseded):
            act()
    assert slack.calls == []


def test_a_message_is_changed_and_its_blocks_go(slack: SandboxSlack, speaker: SlackSpeaker) -> None:
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": "*working*"}}]
    message = speaker.post(CHANNEL, "working", key="e1", blocks=blocks)
    assert slack.messages(CHANNEL)[0]["blocks"]
    speaker.update(CHANNEL, message.ts, "done")
    (shown,) = slack.messages(CHANNEL)
    assert shown["text"] == "done"
    assert not shown.get("blocks")


def test_reactions_may_be_repeated(slack: SandboxSlack, speaker: SlackSpeaker) -> None:
    message = speaker.post(CHANNEL, "hello", key="e1")
    speaker.react(CHANNEL, message.ts)
    speaker.react(CHANNEL, message.ts)
    assert slack.messages(CHANNEL)[0]["reactions"][0]["count"] == 1


def test_a_word_for_one_person_only(slack: SandboxSlack, speaker: SlackSpeaker) -> None:
    speaker.post_for_one(CHANNEL, "U0ADA", "psst", key="e1")
    speaker.post_for_one(CHANNEL, "U0ADA", "psst", key="e1")
    assert [e["text"] for e in slack.ephemerals(CHANNEL)] == ["psst"]
    assert slack.messages(CHANNEL) == []


def test_a_response_url_is_answered_once_and_known_to_expire(
    slack: SandboxSlack, speaker: SlackSpeaker
) -> None:
    team = slack.world.teams["T0ACME"]
    url = slack.response_urls.issue(slack.base_url, team, CHANNEL, "U0ADA", None)
    speaker.respond(url, "listed", key="e1")
    speaker.respond(url, "listed", key="e1")
    assert [e["text"] for e in slack.ephemerals(CHANNEL)] == ["listed"]
    for n in range(4):
        speaker.respond(url, "more", key=f"m{n}", in_channel=True)
    with pytest.raises(SlackRefused) as gone:
        speaker.respond(url, "too late", key="e9")
    assert gone.value.reason == "slack_response_url_gone"
    assert _texts(slack) == ["more"] * 4


def test_a_permalink_leads_to_the_message(slack: SandboxSlack, speaker: SlackSpeaker) -> None:
    message = speaker.post(CHANNEL, "hello", key="e1")
    assert speaker.permalink(CHANNEL, message.ts) == slack.permalink(CHANNEL, message.ts)


def test_one_key_in_two_workspaces_is_two_messages(
    slack: SandboxSlack, speaker: SlackSpeaker, ledger: EffectLedger
) -> None:
    other_client = open_slack(TOKEN, f"{slack.base_url}/slack/api/")
    speaker.post(CHANNEL, "one", key="e1")
    SlackSpeaker(other_client, ledger, team="T0OTHER").post(CHANNEL, "two", key="e1")
    assert _texts(slack) == ["one", "two"]


def test_many_keys_at_once_are_all_said_once(slack: SandboxSlack, speaker: SlackSpeaker) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: speaker.post(CHANNEL, f"m{n}", key=f"k{n}"), range(12)))
    assert sorted(_texts(slack)) == sorted(f"m{n}" for n in range(12))
