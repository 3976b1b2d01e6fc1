"""`make demo`: the story once, without a browser, against real processes; 0 when it holds.

Teach in Slack, review, correct, review again, list, delete, review once more.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from deploy.sandbox.github.model import IssueComment, ReviewThread
from deploy.sandbox.redis_server import EmbeddedRedisUnavailable
from deploy.sandbox.slack import Channel
from deploy.sandbox.stack import Stack, StackDidNotStart

WAIT_S = 60.0
POLL_S = 0.1

Found = TypeVar("Found")


class StoryBroken(AssertionError):  # noqa: N818
    """A step did not do what the story says."""

    reason = "story_broken"


class Story:
    """The steps, each printed as it happens and checked against what reached the stand-ins."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.world = stack.world

    def tell(self) -> None:
        self._open()
        self._teach("the maximum line length is 88 characters")
        thread = self._review_finds_the_line()
        self._teach("the maximum line length is 100 characters")
        self._review_finds_nothing(thread)
        self._other_repository_sees_nothing()
        self._list_and_delete()
        self._review_applies_nothing()

    def _open(self) -> None:
        pull, path, line = self.world.api_pull, self.world.long_line_path, self.world.long_line
        print(f"* ben opened acme/api#{pull.number}; line {line} of {path} has 96 characters")
        self._wait("the first check run", lambda: self._check_runs(1))

    def _teach(self, rule: str) -> None:
        print(f'* ada in #api-reviews: "@precedent remember: {rule}"')
        channel = self.world.api_channel
        ada = self.world.people["ada"][1]
        said = self.stack.slack.say(channel, ada, f"@precedent remember: {rule}")
        # In her thread: what is posted of a review may come into the channel meanwhile.
        answers = self._wait("the answer", lambda: self._bot_says(channel, said.ts))
        _show(answers[0])
        _require(rule in answers[0], "the answer repeats the developer's words")

    def _review_finds_the_line(self) -> ReviewThread:
        self._ask_for_review()
        threads = self._wait("the review's comment", self._threads)
        _require(len(threads) == 1, "there is one comment")
        comment = next(iter(threads[0].comments.values()))
        place = (threads[0].anchor.path, threads[0].anchor.line)
        _require(
            place == (self.world.long_line_path, self.world.long_line),
            f"the comment stands on the long line, not on {place}",
        )
        for wanted in ("C1", "88 characters", "ada", "/archives/"):
            _require(wanted in comment.body, f"the comment cites {wanted!r}")
        print(f"* the review's comment at {place[0]}:{place[1]}")
        _show(comment.body.split("\n\n<!--")[0])
        return threads[0]

    def _review_finds_nothing(self, thread: ReviewThread) -> None:
        self._ask_for_review()
        self._wait("the old thread to be resolved", lambda: thread.resolved_by is not None)
        _require(len(self._threads()) == 1, "there is no new finding")
        note = list(thread.comments.values())[-1].body.split("\n\n<!--")[0]
        print("* the old thread is resolved with a note")
        _show(note)

    def _other_repository_sees_nothing(self) -> None:
        answer = self._command(self.world.web_channel, "list")
        _require("No conventions" in answer, "acme/web sees nothing of it")
        print("* acme/web knows nothing of it")

    def _list_and_delete(self) -> None:
        listed = self._command(self.world.api_channel, "list")
        print("* ada: /conventions list")
        _show(listed)
        _require("100 characters" in listed, "the stored rule is the corrected one")
        _require("88 characters" not in listed, "the old value is gone")
        _require(listed.count("*C") == 1, "there is one convention")
        deleted = self._command(self.world.api_channel, "delete C1")
        print("* ada: /conventions delete C1")
        _show(deleted)
        _require("Forgotten" in deleted, "it is deleted")

    def _review_applies_nothing(self) -> None:
        threads = len(self._threads())
        self._ask_for_review()
        _require(len(self._threads()) == threads, "a further review applies nothing")
        print("* a further review has nothing to say")

    # --- acting and looking ---

    def _ask_for_review(self) -> None:
        pull = self.world.api_pull
        replies = len(self._bot_replies())
        reviews = len(pull.reviews)
        print(f"* ben on acme/api#{pull.number}: @precedent review")
        self.stack.github.comment(pull, "ben", "@precedent review")
        self._wait(
            "the review",
            lambda: len(self._bot_replies()) > replies or len(pull.reviews) > reviews,
        )
        self._wait("the inbox to be empty", self._is_idle)

    def _command(self, channel: Channel, text: str) -> str:
        before = len(self.stack.slack.ephemerals(channel))
        self.stack.slack.command(channel, self.world.people["ada"][1], "/conventions", text)
        answers = self._wait(
            f"/conventions {text}", lambda: self.stack.slack.ephemerals(channel)[before:]
        )
        return str(answers[0]["text"])

    def _bot_says(self, channel: Channel, thread_ts: str) -> list[str]:
        messages = self.stack.slack.thread(channel, thread_ts)
        return [str(m["text"]) for m in messages if m.get("bot_id")]

    def _bot_replies(self) -> list[IssueComment]:
        bot = self.stack.github.bot
        return [c for c in list(self.world.api_pull.comments.values()) if c.user is bot]

    def _threads(self) -> list[ReviewThread]:
        return list(self.world.api_pull.threads.values())

    def _check_runs(self, least: int) -> bool:
        runs = list(self.stack.github.check_runs.values())
        done = [run for run in runs if run.status == "completed"]
        return len(done) >= least

    def _is_idle(self) -> bool:
        from workers.inbox import Inbox
        from workers.redis_connection import connect_redis

        status = Inbox(connect_redis(self.stack.redis_url)).status()
        # Background jobs for quiet pull requests wait for ten minutes; nobody waits for them.
        left = [n.waiting if n.lane == "reviews" else n.due for n in status.lanes]
        return sum(left) + sum(lane.running for lane in status.lanes) == 0

    def _wait(self, what: str, look: Callable[[], Found]) -> Found:
        deadline_s = time.monotonic() + WAIT_S
        while time.monotonic() < deadline_s:
            found = look()
            if found:
                return found
            time.sleep(POLL_S)
        raise StoryBroken(f"Waited {WAIT_S:.0f} s in vain for {what}.")


def main() -> int:
    """Tell the story; answers the exit code. REDIS_URL is used instead of an embedded Redis."""
    started_s = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="precedent-demo-") as directory:
        stack = Stack(Path(directory), redis_url=os.environ.get("REDIS_URL", ""))
        try:
            with stack:
                Story(stack).tell()
        except (StackDidNotStart, EmbeddedRedisUnavailable, StoryBroken) as error:
            print(f"The demo failed: {error}", file=sys.stderr)
            for name in ("web", "worker"):
                log = stack.directory / f"{name}.log"
                if log.exists():
                    print(f"--- {name}\n{log.read_text()[-4_000:]}", file=sys.stderr)
            return 1
    print(f"Done in {time.monotonic() - started_s:.1f} s.")
    return 0


def _show(text: str) -> None:
    for line in text.splitlines():
        print(f"    {line}")


def _require(holds: bool, claim: str) -> None:
    if not holds:
        raise StoryBroken(f"It does not hold that {claim}.")


if __name__ == "__main__":
    sys.exit(main())
