"""`/conventions login`: from the command over the browser and GitHub to a linked identity."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.workers.stage import SECRET_KEY, Stage
from workers.github_addresses import access_token_url, authorize_url, install_url
from workers.login_links import LoginLinks, LoginRequest


def ask(stage: Stage, name: str = "ben") -> str:
    """The link that the command answers with."""
    stage.slack.command("api-reviews", name, "/conventions", "login")
    stage.work()
    found = re.findall(r"<(http[^|>]+)\|Link your GitHub account>", stage.told(name))
    return str(found[-1]).replace("&amp;", "&")


def click(browser: httpx.Client, link: str) -> httpx.Response:
    """Read the page and press its button: the redirect to GitHub."""
    shown = browser.get(link)
    assert shown.status_code == 200, shown.text
    token = parse_qs(urlsplit(link).query)["token"][0]
    return browser.post(link.partition("?")[0], data={"token": token})


def authorize(stage: Stage, browser: httpx.Client, away: httpx.Response, login: str) -> str:
    """GitHub's consent page as somebody; the address that it sends the browser back to."""
    address = away.headers["location"] + f"&login={login}"
    assert address.startswith(f"{stage.github.base_url}/login/oauth/authorize?")
    return str(browser.get(address).headers["location"])


def github_id_of(stage: Stage, name: str) -> int | None:
    found = stage.services.identities.of(stage.world.team.id, stage.world.people[name][1])
    return found.github_id if found else None


def test_the_whole_way_links_the_numeric_id_and_tells_the_person(stage: Stage) -> None:
    stage.link()
    link = ask(stage)
    with httpx.Client() as browser:
        page = browser.get(link)
        assert "Ben in Acme" in page.text
        assert page.headers["referrer-policy"] == "no-referrer"
        back = authorize(stage, browser, click(browser, link), "ben")
        done = browser.get(back)
    assert done.status_code == 200
    assert "close this page" in done.text
    assert github_id_of(stage, "ben") is None, "the web called GitHub itself"
    stage.work()
    assert github_id_of(stage, "ben") == stage.world.people["ben"][0]
    assert "You are *ben* on GitHub" in stage.told("ben")
    assert stage.keys_with("ghu_") == []
    stage.slack.command("api-reviews", "ben", "/conventions", "add never use print")
    stage.work()
    assert "Remembered as *C1*" in stage.told("ben")

    stage.slack.command("api-reviews", "ben", "/conventions", "unlink me")
    stage.slack.command("api-reviews", "ben", "/conventions", "forget C1")
    stage.work()
    assert github_id_of(stage, "ben") is None
    assert "login" in stage.told("ben").splitlines()[-1]


def test_a_name_that_is_the_same_proves_nothing(stage: Stage) -> None:
    """The Slack person "ada" signs in to GitHub as ben: then ben is who she is."""
    link = ask(stage, "ada")
    with httpx.Client() as browser:
        browser.get(authorize(stage, browser, click(browser, link), "ben"))
    stage.work()
    assert github_id_of(stage, "ada") == stage.world.people["ben"][0]


def test_a_link_works_once_and_a_preview_does_not_use_it_up(stage: Stage) -> None:
    link = ask(stage)
    with httpx.Client() as browser:
        assert browser.get(link).status_code == 200
        assert browser.get(link).status_code == 200
        assert click(browser, link).status_code == 303
        assert browser.get(link).status_code == 400
        token = parse_qs(urlsplit(link).query)["token"][0]
        assert browser.post(link.partition("?")[0], data={"token": token}).status_code == 400


def test_a_second_browser_cannot_finish_what_the_first_began(stage: Stage) -> None:
    """An attacker who sends the way back to a victim would get the victim's account."""
    link = ask(stage)
    with httpx.Client() as attacker, httpx.Client() as victim:
        away = click(attacker, link)
        back = authorize(stage, victim, away, "ada")
        assert victim.get(back).status_code == 400
    stage.work()
    assert github_id_of(stage, "ben") is None


def test_a_way_back_counts_once_and_a_refusal_links_nobody(stage: Stage) -> None:
    link = ask(stage)
    with httpx.Client() as browser:
        back = authorize(stage, browser, click(browser, link), "ben")
        cookies = dict(browser.cookies)
        assert browser.get(back).status_code == 200
        assert httpx.get(back, cookies=cookies).status_code == 400
    stage.work()
    link = ask(stage, "ada")
    with httpx.Client() as browser:
        away = click(browser, link)
        state = parse_qs(urlsplit(away.headers["location"]).query)["state"][0]
        callback = f"{stage.web.url}/github/oauth/callback?error=access_denied&state={state}"
        assert "Nothing was changed" in browser.get(callback).text
    stage.work()
    assert github_id_of(stage, "ada") is None


def test_a_code_that_github_does_not_take_is_told_and_dies_quietly(stage: Stage) -> None:
    link = ask(stage)
    with httpx.Client() as browser:
        back = authorize(stage, browser, click(browser, link), "ben")
        browser.get(re.sub(r"code=\w+", "code=wrong", back))
    stage.work()
    assert github_id_of(stage, "ben") is None
    assert "login` again" in stage.told("ben")
    assert stage.dead() == []


def test_linking_anew_replaces_the_old_account(stage: Stage) -> None:
    stage.identify("ben")
    link = ask(stage)
    with httpx.Client() as browser:
        browser.get(authorize(stage, browser, click(browser, link), "cleo"))
    stage.work()
    assert github_id_of(stage, "ben") == stage.world.people["cleo"][0]
    assert stage.services.identities.slack_people(stage.world.people["ben"][0]) == []


def test_links_are_signed_and_survive_the_rotation_of_the_key(stage: Stage) -> None:
    request = LoginRequest("T1", "U1", "Ada <script>", "Acme", "")
    old = LoginLinks(stage.redis, [SECRET_KEY], stage.web.url)
    rotated = LoginLinks(stage.redis, ["b" * 40, SECRET_KEY], stage.web.url)
    other = LoginLinks(stage.redis, ["c" * 40], stage.web.url)
    link = old.make(request)
    token = parse_qs(urlsplit(link).query)["token"][0]
    assert rotated.read(token) == request
    assert other.read(token) is None
    assert "<script>" not in httpx.get(link).text
    for damaged in ("", ".", "é.é", token[:-1], "x" + token, "a" * 10_000):
        assert old.read(damaged) is None
    assert rotated.use(token) == request
    assert rotated.use(token) is None


@pytest.mark.parametrize(
    ("api_url", "root", "apps"),
    [
        ("https://api.github.com", "https://github.com", "apps"),
        ("https://git.acme.io/api/v3", "https://git.acme.io", "github-apps"),
        ("https://git.acme.io:8443/api/v3/", "https://git.acme.io:8443", "github-apps"),
        ("https://api.acme.ghe.com", "https://acme.ghe.com", "apps"),
        ("http://127.0.0.1:9/api/v3", "http://127.0.0.1:9", "github-apps"),
    ],
)
def test_addresses_for_browsers_follow_from_the_api(api_url: str, root: str, apps: str) -> None:
    assert authorize_url(api_url) == f"{root}/login/oauth/authorize"
    assert access_token_url(api_url) == f"{root}/login/oauth/access_token"
    assert install_url(api_url, "precedent") == f"{root}/{apps}/precedent/installations/new"
