"""Whole stories, from what people write to what reaches GitHub: the demo, and two teams."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from deploy.sandbox.demo import Story
from deploy.sandbox.github.model import PullRequest, Repository, ReviewComment
from deploy.sandbox.stack import Stack, StackDidNotStart
from tests.workers.stage import Stage, open_stage

WIDE = "total = " + "1" * 72  # 80 columns


def test_the_demo(tmp_path: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Teach in Slack, review, correct, review again, list, delete: with real processes.

    Behind a company's proxy nothing answered, as the processes sought each other through it.
    """
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "")
    with Stack(tmp_path, redis_url=redis_url) as stack:
        Story(stack).tell()


@pytest.fixture
def stage(tmp_path: Path, redis_url: str) -> Iterator[Stage]:
    with open_stage(tmp_path, redis_url) as opened:
        opened.link()
        opened.link("web-reviews", "acme/web")
        opened.identify()
        yield opened


class Team:
    """One repository and its channel, as its people see them."""

    def __init__(self, stage: Stage, repository: Repository, channel: str) -> None:
        self.stage = stage
        self.repository = repository
        self.channel = channel

    def teach(self, words: str) -> str:
        """Said by ada in the channel; what the bot answered there."""
        ada = self.stage.world.people["ada"][1]
        channel = next(
            c for c in self.stage.slack.world.channels.values() if c.name == self.channel
        )
        before = len(self.stage.said_in(self.channel))
        self.stage.slack.say(channel, ada, f"@precedent {words}")
        self.stage.work()
        return "\n".join(self.stage.said_in(self.channel)[before:])

    def open(self, branch: str, **files: str) -> PullRequest:
        """A pull request of ben's; "a__b" names the file a/b.py."""
        changes = {f"{name.replace('__', '/')}.py": text for name, text in files.items()}
        pull = self.stage.github.open_pull_request(
            self.repository, "ben", f"Add {branch}", "", branch, dict(changes)
        )
        self.stage.work()
        return pull


def comments(pull: PullRequest) -> list[ReviewComment]:
    return [next(iter(thread.comments.values())) for thread in pull.threads.values()]


def cited(pull: PullRequest) -> set[tuple[str, str]]:
    """(convention, path) of every comment that stands on the pull request."""
    found = set()
    for thread in pull.threads.values():
        body = next(iter(thread.comments.values())).body
        found |= {(cid, thread.anchor.path) for cid in re.findall(r"\bC\d+\b", body)}
    return found


def said_on(pull: PullRequest) -> str:
    """Everything in reviews and comments."""
    bodies = [c.body for c in comments(pull)]
    bodies += [r.body or "" for r in pull.reviews.values()]
    return "\n".join(bodies)


def test_two_teams_with_different_rules(stage: Stage) -> None:
    api = Team(stage, stage.world.api, "api-reviews")
    web = Team(stage, stage.world.web, "web-reviews")
    assert "*C1*" in api.teach("remember: the maximum line length is 72 characters")
    assert "*C2*" in api.teach("remember: in tests the maximum line length is 100 characters")
    assert "*C3*" in api.teach("remember: never call print()")
    assert "*C4*" in api.teach("remember: every change in billing/ needs a test")
    assert "*C1*" in web.teach("remember: the maximum line length is 100 characters")

    # The same lines: paths and repositories decide.
    pull = api.open(
        "wide", billing__report=f"{WIDE}\nprint(total)\n", tests__test_report=f"{WIDE}\n"
    )
    assert cited(pull) == {("C1", "billing/report.py"), ("C3", "billing/report.py")}
    assert cited(web.open("wide", billing__report=f"{WIDE}\nprint(total)\n")) == set()

    # Without a test the companion rule speaks, on the file or in the review itself.
    bare = api.open("bare", billing__bare="a = 1\n")
    assert "C4" in said_on(bare)
    assert "C4" not in said_on(pull)

    # Told to ignore a kind of finding in a place, the bot is silent there and only there.
    assert "*C5*" in api.teach("remember: ignore line length in billing/generated/")
    ignored = api.open(
        "generated",
        billing__generated__x=f"{WIDE}\n",
        billing__y=f"{WIDE}\n",
        tests__test_y="a = 1\n",
    )
    assert cited(ignored) == {("C1", "billing/y.py")}


def test_a_suggestion_is_accepted(stage: Stage) -> None:
    api = Team(stage, stage.world.api, "api-reviews")
    assert "*C1*" in api.teach("remember: no trailing whitespace")
    pull = api.open("spaces", billing__spaces="first = 1\nsecond = 2   \nthird = 3\n")
    (comment,) = comments(pull)
    suggestion = re.search(r"```suggestion\n(.*?)\n```", comment.body, re.DOTALL)
    assert suggestion is not None
    assert suggestion[1] == "second = 2"
    fixed = f"first = 1\n{suggestion[1]}\nthird = 3\n"
    stage.github.push(pull, {"billing/spaces.py": fixed})
    stage.work()
    (thread,) = pull.threads.values()
    assert thread.resolved_by is not None
    assert stage.dead() == []


def test_the_sandbox_never_writes_to_a_teams_redis(
    tmp_path: Path, redis_url: str, redis: Redis
) -> None:
    """A shell in which a team's REDIS_URL was exported ran the sandbox on the team's data."""
    redis.set("precedent:app_profile", "theirs")
    with (
        pytest.raises(StackDidNotStart, match="not the sandbox's"),
        Stack(tmp_path, redis_url=redis_url),
    ):
        pass
    assert redis.keys("*") == [b"precedent:app_profile"]
