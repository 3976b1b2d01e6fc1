"""Where on a pull request people are heard: comments, comments on lines, bodies of reviews."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from deploy.sandbox.github.model import IssueComment, PullRequest, Review, ReviewComment
from deploy.sandbox.redis_server import EmbeddedRedis
from tests.workers.stage import Stage, open_stage
from workers.inbox import Lease

Said = IssueComment | ReviewComment | Review
branches = (f"talk-{n}" for n in itertools.count())
rules = (f"never call old_{chr(97 + n)}" for n in itertools.count())


@pytest.fixture(scope="module")
def shared(
    tmp_path_factory: pytest.TempPathFactory, redis_server: EmbeddedRedis
) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("hearing"), redis_server.url) as opened:
        opened.redis.flushall()
        opened.work()
        yield opened


@dataclass
class Talk:
    """One pull request and a way to speak there."""

    stage: Stage
    pull: PullRequest
    say: Callable[[str, str], Said]

    def hears(self, who: str, text: str) -> str:
        """What we answer to these words; "" when we don't."""
        before = set(self.answers())
        self.say(who, text)
        self.stage.work()
        return "\n".join(set(self.answers()) - before)

    def answers(self) -> list[str]:
        bot = self.stage.github.bot
        comments: list[Any] = [*self.pull.comments.values(), *self.lines()]
        return [c.body for c in comments if c.user is bot]

    def lines(self) -> list[ReviewComment]:
        return [c for thread in self.pull.threads.values() for c in thread.comments.values()]

    def knows(self) -> str:
        """Every rule, as ben sees it."""
        self.stage.github.comment(self.pull, "ben", "@precedent list")
        self.stage.work()
        return (
            self.answers()[-1] if not self.lines() else list(self.pull.comments.values())[-1].body
        )


def comment(stage: Stage, pull: PullRequest, who: str, text: str) -> Said:
    return stage.github.comment(pull, who, text)


def on_a_line(stage: Stage, pull: PullRequest, who: str, text: str) -> Said:
    return stage.github.review_comment(pull, who, "talk.py", 1, text)


def review(stage: Stage, pull: PullRequest, who: str, text: str) -> Said:
    return stage.github.review(pull, who, body=text)


@pytest.fixture(params=[comment, on_a_line, review])
def talk(request: pytest.FixtureRequest, shared: Stage) -> Iterator[Talk]:
    pull = shared.github.open_pull_request(
        shared.world.web, "ada", "Talk", "", next(branches), {"talk.py": "x = 1\n"}
    )
    shared.work()
    yield Talk(shared, pull, lambda who, text: request.param(shared, pull, who, text))
    shared.github.close_pull_request(pull)
    shared.work()
    assert shared.dead() == []


def test_a_command_is_obeyed_and_answered_where_it_was_said(talk: Talk) -> None:
    rule = next(rules)
    assert f"> {rule}" in talk.hears("ben", f"@precedent remember: {rule}")
    threads = [[c.user.login for c in t.comments.values()] for t in talk.pull.threads.values()]
    assert threads in ([], [["ben", "precedent[bot]"]])
    assert rule in talk.knows()


@pytest.mark.parametrize(
    "text",
    [
        "> @precedent remember: {rule}",
        "> @precedent remember: {rule}\n\nI'd rather not.",
        "```\n@precedent remember: {rule}\n```",
        "    @precedent remember: {rule}",
        "It failed:\n\n    @precedent remember: {rule}",
        "~~~ text\n@precedent remember: {rule}\n~~~",
        "Try `@precedent remember: {rule}` one day",
        "<!-- @precedent remember: {rule} -->",
    ],
    ids=["quote", "answer", "fence", "indented", "below", "tildes", "code", "hidden"],
)
def test_quotations_and_code_are_not_spoken_to_us(talk: Talk, text: str) -> None:
    """Whoever quoted a command in an answer to a colleague got eyes, and an answer, from us."""
    words = text.format(rule=next(rules))
    assert talk.hears("ben", words) == ""
    assert [list(c.reactions.values()) for c in talk.lines()] in ([], [[]])
    assert list(talk.pull.reactions.values()) == []
    known = talk.stage.github.hooks.deliveries[-1]
    assert "no_mention" in known.response_body


@pytest.mark.parametrize(
    "text",
    ["Somebody should write @precedent remember: {rule}", "@ben, @precedent remember: {rule}?"],
)
def test_a_command_that_is_not_the_first_word_is_not_obeyed(talk: Talk, text: str) -> None:
    rule = next(rules)
    talk.hears("ben", text.format(rule=rule))
    assert f"“{rule}”" not in talk.knows()


def test_a_comment_that_is_edited_into_a_command_does_nothing(talk: Talk) -> None:
    rule = next(rules)
    said = talk.say("ben", "Thanks.")
    talk.stage.work()
    words = f"@precedent remember: {rule}"
    if isinstance(said, Review):
        hooks = talk.stage.github.hooks
        sent = next(d for d in reversed(hooks.deliveries) if d.event == "pull_request_review")
        edited = {"action": "edited", "review": {**sent.payload["review"], "body": words}}
        assert hooks.send(hooks.build(sent.event, {**sent.payload, **edited})).status_code == 200
    else:
        talk.stage.github.edit_comment(said, "ben", words)
    talk.stage.work()
    assert rule not in talk.knows()


def test_a_command_that_is_corrected_later_is_not_obeyed_twice(talk: Talk) -> None:
    rule = next(rules)
    said = talk.say("ben", f"@precedent remember: {rule}")
    talk.stage.work()
    answers = len(talk.answers())
    if not isinstance(said, Review):
        talk.stage.github.edit_comment(said, "ben", f"@precedent remember: {rule} here")
    talk.stage.work()
    assert len(talk.answers()) == answers


def test_an_unknown_command_gets_a_short_help(talk: Talk) -> None:
    slip = talk.hears("ben", "@precedent forgte C1")
    assert "Did you mean" in slip
    unknown = talk.hears("ben", "@precedent frobnicate")
    assert "help" in unknown
    assert len(unknown) < 600
    assert "forget C7" in talk.hears("cleo", "@precedent help")


def test_the_eyes_come_at_once_while_a_review_of_the_pull_request_runs(talk: Talk) -> None:
    """The answer waits for the review; the reaction says meanwhile that we have heard."""
    stage = talk.stage
    stage.github.push(talk.pull, {"more.py": "x = 2\n"})
    stage.github.hooks.wait_idle()
    lease: Lease | None = stage.services.inbox.claim("reviews")
    assert lease is not None
    assert lease.event.number == talk.pull.number
    said = talk.say("ben", "@precedent list")
    stage.work()
    seen = talk.pull if isinstance(said, Review) else said  # REST has no reactions on reviews
    assert [r.content for r in seen.reactions.values()] == ["eyes"]
    assert talk.answers() == []
    stage.services.inbox.release(lease)
    stage.work()
    assert len(talk.answers()) == 1
