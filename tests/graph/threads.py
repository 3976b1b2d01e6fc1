"""Turns of the graph for tests: a recording outside, real Redis, a scripted model."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from redis import Redis

from graph.answers import Answer
from graph.context import (
    CheckReport,
    Permission,
    Publication,
    PullRequest,
    ReviewContext,
    ReviewDraft,
    ReviewThread,
    Speaker,
    ThreadComment,
)
from graph.conventions import Source
from graph.diff import Diff, parse_diff
from graph.review import build_graph
from graph.saver import ThreadSaver
from graph.state import Turn
from graph.store import ConventionStore

LONG = "x = " + "1" * 92


def diff_adding(*lines: str, path: str = "src/app.py") -> str:
    """A git diff that adds lines at the top of a file."""
    body = "".join(f"+{line}\n" for line in lines)
    return (
        f"diff --git a/{path} b/{path}\nindex 1111111..2222222 100644\n--- a/{path}\n+++ b/{path}\n"
        f"@@ -1,1 +1,{len(lines) + 1} @@\n{body} pass\n"
    )


@dataclass
class Outside:
    """GitHub as one repository's reader and publisher see it; everything said is recorded."""

    diff_text: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    review_threads: list[ReviewThread] = field(default_factory=list)
    drafts: list[ReviewDraft] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    head: str = "a" * 40
    pull: dict[str, Any] = field(default_factory=dict)
    permission_of_author: Permission = "write"

    def pull_request(self, number: int) -> PullRequest:
        known = PullRequest(
            repository_id=1, repository_name="acme/api", number=number, title="Add a thing",
            body="", author_id=9, author_login="ben", author_is_bot=False, is_draft=False,
            is_open=True, is_public_repository=False, labels=(), base_ref="main",
            base_sha="b" * 40, head_ref="thing", head_sha=self.head, default_branch="main",
            html_url=f"https://github.test/acme/api/pull/{number}",
        )  # fmt: skip
        return replace(known, **self.pull)

    def diff(self, pull_request: PullRequest) -> Diff:
        return parse_diff(self.diff_text)

    def permission(self, login: str, user_id: int) -> Permission:
        return self.permission_of_author

    def compare(self, base_sha: str, head_sha: str) -> Diff | None:
        return None

    def read_file(self, path: str, ref: str) -> bytes | None:
        return self.files.get(path)

    def threads(self, number: int) -> tuple[ReviewThread, ...]:
        return tuple(self.review_threads)

    def conversation(self, number: int) -> tuple[ThreadComment, ...]:
        return ()

    def head_sha(self, number: int) -> str:
        return self.head

    def publish(self, draft: ReviewDraft) -> Publication:
        self.drafts.append(draft)
        return Publication(review_id=len(self.drafts) if draft.body else None)

    def report(self, number: int, head_sha: str, report: CheckReport) -> int:
        return 1

    def reply(self, answer: Answer, key: str) -> None:
        self.answers.append(answer)


class Room:
    """A graph over one Redis, with turns on named threads by named people."""

    def __init__(
        self,
        redis: Redis,
        model: Any = None,
        *,
        checkpointer: BaseCheckpointSaver[str] | None = None,
        now: Callable[[], float] = lambda: 1_800_000_000.0,
    ) -> None:
        self.redis = redis
        self.store = ConventionStore(redis)
        self.saver = checkpointer or ThreadSaver(redis)
        self.graph = build_graph(self.store, model, checkpointer=self.saver)
        self.outside = Outside()
        self.now = now
        self._numbers = itertools.count(1)

    def context(
        self,
        text: str = "",
        *,
        repository_id: int = 1,
        number: int | None = 7,
        permission: Permission = "write",
        person: int = 11,
        cause: str = "auto",
        event_id: str = "",
        **more: Any,
    ) -> ReviewContext:
        source = Source("github", f"person{person}", "https://github.test/c/1", person)
        return ReviewContext(
            installation_id=1,
            account_id=100,
            repository_id=repository_id,
            repository_name=f"acme/repo{repository_id}",
            number=number,
            event_id=event_id,
            cause=cause,
            reader=self.outside,
            publisher=self.outside,
            still_ours=lambda: None,
            now=self.now,
            speaker=Speaker(source, permission, text) if text else None,
            replier=self.outside,
            **more,
        )

    def say(self, text: str, *, thread: str = "pr:1:7", **who: Any) -> str:
        """One message turn; the answer's text."""
        return self._turn("message", text, thread, who)["answer"]["text"]

    def review(self, *, thread: str = "pr:1:7", **who: Any) -> ReviewDraft:
        """One review turn; what was published."""
        self._turn("review", "", thread, who)
        return self.outside.drafts[-1]

    def _turn(self, kind: str, text: str, thread: str, who: dict[str, Any]) -> dict[str, Any]:
        event_id = who.pop("event_id", "") or f"event-{next(self._numbers)}"
        context = self.context(text, event_id=event_id, **who)
        turn = Turn(event_id=event_id, kind=kind, cause=context.cause, text=text)  # type: ignore[typeddict-item]
        config = {"configurable": {"thread_id": thread}}
        return self.graph.invoke({"turn": turn}, config, context=context, durability="sync")  # type: ignore[call-overload,no-any-return]
