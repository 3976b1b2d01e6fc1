"""Reviews on the GitHub stand-in: the real graph, reader and publisher, a scripted model."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis as redis_client
from langchain_core.messages import BaseMessage

from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.github.model import CheckRun, PullRequest, Repository, ReviewComment
from graph.context import Permission, ReviewContext, Speaker
from graph.conventions import Source
from graph.review import build_graph
from graph.saver import ThreadSaver
from graph.spending import Limits
from graph.state import Turn
from graph.store import ConventionStore
from tests.scripted_model import ScriptedModel
from tests.workers.github_stage import Stage
from workers.runs import RunReader

CLEAN: dict[str, list[Any]] = {"findings": []}


def proposal(path: str, line: int, quote: str, title: str, **more: Any) -> dict[str, Any]:
    """One finding as a model writes it."""
    return {
        "path": path, "line": line, "quote": quote, "category": "bug", "severity": "high",
        "confidence": 0.9, "title": title, "failure": "It fails.", **more,
    }  # fmt: skip


def report(*findings: Mapping[str, Any]) -> str:
    return json.dumps({"findings": list(findings)})


class Reviewer:
    """A model for tests: answers a unit by what it was shown, and confirms what is asked again.

    `finds` is a list of proposals, told when their path is in the prompt, or a function of the
    prompt. `confirms` decides about a claim by its words.
    """

    def __init__(
        self,
        finds: Sequence[Mapping[str, Any]] | Callable[[str], str] = (),
        confirms: Callable[[str], bool] = lambda claim: True,
    ) -> None:
        self.finds = finds
        self.confirms = confirms
        self.units: list[str] = []
        self.refutes: list[str] = []
        self.systems: list[str] = []
        self.model = ScriptedModel(script=[self._answer], repeat_last=True)

    def _answer(self, messages: list[BaseMessage]) -> Any:
        from langchain_core.messages import AIMessage

        system, content = str(messages[0].text), str(messages[-1].text)
        self.systems.append(system)
        usage = {"input_tokens": len(system + content) // 4, "output_tokens": 50,
                 "total_tokens": len(system + content) // 4 + 50}  # fmt: skip
        text = self._verdicts(content) if "kind=claims" in content else self._report(content)
        return AIMessage(text, usage_metadata=usage)

    def _report(self, content: str) -> str:
        self.units.append(content)
        if callable(self.finds):
            return self.finds(content)
        return report(*(f for f in self.finds if f"## {f['path']}" in content))

    def _verdicts(self, content: str) -> str:
        self.refutes.append(content)
        claims, code = content.split("kind=code", 1)
        lines = [line.split(" ", 1)[-1].lstrip("+ .") for line in code.split("\n")]
        quote = next(line for line in lines[2:] if len(line.strip()) > 3 and "@@" not in line)
        listed = [line for line in claims.split("\n") if line[:1].isdigit()]
        return json.dumps(
            {
                "verdicts": [
                    {"claim": n, "holds": self.confirms(line), "quote": quote}
                    for n, line in enumerate(listed, start=1)
                ]
            }
        )


@dataclass
class ReviewStage(Stage):
    """A pull request, and the graph that reviews it."""

    reviewer: Reviewer = field(default_factory=Reviewer)
    limits: Limits = field(default_factory=Limits)
    has_model: bool = True
    now: float = 1_800_000_000.0

    def __post_init__(self) -> None:
        self.store = ConventionStore(self.redis)
        self.saver = ThreadSaver(self.redis)
        self._events = itertools.count(1)

    @property
    def thread(self) -> str:
        return f"pr:{self.repository_id}:{self.number}"

    def graph(self) -> Any:
        model = self.reviewer.model if self.has_model else None
        return build_graph(self.store, model, checkpointer=self.saver, limits=self.limits)

    def context(self, cause: str, event_id: str, **more: Any) -> ReviewContext:
        known: dict[str, Any] = {
            "installation_id": self.installation_id,
            "account_id": self.repository.owner.id,
            "repository_id": self.repository_id,
            "repository_name": self.repository.full_name,
            "number": self.number,
            "event_id": event_id,
            "cause": cause,
            "reader": RunReader(self.client(), self.tokens().identity()),
            "publisher": self.publisher(),
            "still_ours": lambda: None,
            "now": lambda: self.now,
        }
        return ReviewContext(**known | more)

    def review(self, cause: str = "auto", event_id: str = "", **more: Any) -> dict[str, Any]:
        """One review of the head as it is now; the state at its end."""
        event_id = event_id or f"event-{next(self._events)}"
        cause = f"comment:{event_id}" if cause == "asked" else cause
        turn = Turn(event_id=event_id, kind="review", cause=cause, text="")
        config = {"configurable": {"thread_id": self.thread}, "max_concurrency": 4}
        context = self.context(cause, event_id, **more)
        state: dict[str, Any] = self.graph().invoke(
            {"turn": turn}, config, context=context, durability="sync"
        )
        return state

    def say(self, text: str, permission: Permission = "write") -> str:
        """A person's message on the pull request; the answer."""
        event_id = f"event-{next(self._events)}"
        source = Source("github", "ben", f"https://github.test/c/{event_id}", 11)
        context = self.context(
            f"comment:{event_id}", event_id, speaker=Speaker(source, permission, text)
        )
        turn = Turn(event_id=event_id, kind="message", cause=context.cause, text=text)
        config = {"configurable": {"thread_id": self.thread}}
        state = self.graph().invoke({"turn": turn}, config, context=context, durability="sync")
        return str(state["answer"]["text"])

    def push(self, changes: Mapping[str, Any], *, force: bool = False) -> None:
        self.github.push(self.pull, dict(changes), force=force)

    def comments(self) -> list[dict[str, Any]]:
        """Our comments on lines, replies apart."""
        bot = self.github.bot.login
        return [
            c
            for c in self.review_comments()
            if c["user"]["login"] == bot and not c.get("in_reply_to_id")
        ]

    def check(self) -> dict[str, Any]:
        """The newest check run of the head."""
        path = f"/commits/{self.pull.head_sha}/check-runs"
        runs = list(self.client().pages(path, key="check_runs", filter="all"))
        return dict(max(runs, key=lambda run: run["id"]))

    def refusals(self) -> list[int]:
        """Statuses of 400 and more that GitHub answered our writes with."""
        return [call.status for call in self.writes() if (call.status or 0) >= 400]

    def open_threads(self) -> list[str]:
        """The first lines of our threads that are not resolved."""
        threads = self.reader().threads(self.number)
        return sorted(
            t.comments[0].body.split("\n")[0]
            for t in threads
            if t.comments and t.comments[0].is_ours and not t.is_resolved
        )


@contextmanager
def open_review(
    directory: Path,
    redis: redis_client.Redis,
    *,
    before: Mapping[str, Any] | None = None,
    changes: Mapping[str, Any],
    reviewer: Reviewer | None = None,
    public: bool = False,
    author: str = "ben",
    title: str = "Change things",
    body: str = "",
    has_model: bool = True,
    **stage: Any,
) -> Iterator[ReviewStage]:
    """A repository with the files `before` and a pull request that makes `changes`."""
    github = SandboxGitHub(directory, webhook_secret="s")
    with github.serve():
        for login in ("ada", "ben", "eve"):
            github.add_user(login)
        github.add_organization("acme", owners=["ada"], members=["ben"])
        repository: Repository = github.add_repository(
            "acme", "app", dict(before or {"README.md": "# App\n"}),
            collaborators={"ben": "write"}, private=not public,
        )  # fmt: skip
        installation = github.install("acme")
        fork = github.add_fork(repository, author) if author == "eve" else None
        pull: PullRequest = github.open_pull_request(
            repository, author, title, body, changes=dict(changes), fork=fork
        )
        opened = ReviewStage(
            github, redis, repository, installation, pull,
            reviewer=reviewer or Reviewer(), has_model=has_model, **stage,
        )  # fmt: skip
        yield opened
        for client in opened.opened:
            client.client.close()
    github.close()
    assert github.record.contract_errors == []


__all__ = ["CLEAN", "CheckRun", "ReviewComment", "ReviewStage", "Reviewer", "open_review",
           "proposal", "report"]  # fmt: skip
