"""Workers killed with SIGKILL in the middle of a turn, over HTTP to GitHub and to the model."""

from __future__ import annotations

import itertools
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graph.convention_book import ConventionBook
from graph.ledger import Scope
from tests.gemini_endpoint import (
    API_KEY,
    GeminiCall,
    GeminiEndpoint,
    Reply,
    as_json,
    text,
    tool_calls,
)
from tests.workers.mortal_worker import LEASE_S, MODEL, Death, killed
from tests.workers.stage import Stage, open_stage

SAID = "@precedent I think every client gets a timeout, no?"
RULE = "every client gets a timeout"


def answer(call: GeminiCall) -> Reply:
    """In a conversation a proposal and then a sentence; in a review a finding, confirmed."""
    if "kind=claims" in call.text:
        return as_json({"verdicts": [{"claim": 1, "holds": True, "quote": _line_of(call)}]})
    if call.schema is not None:
        path, line = _added(call)
        return as_json(
            {
                "findings": [
                    {
                        "path": path,
                        "line": None,
                        "quote": line,
                        "category": "bug",
                        "severity": "high",
                        "confidence": 0.9,
                        "title": "It breaks",
                        "failure": "It fails.",
                    }
                ]
            }
        )
    parts = call.body["contents"][-1]["parts"]
    if any("functionResponse" in part for part in parts):
        return text("I proposed it.")
    return tool_calls(("remember_convention", {"topic": "api", "quote": RULE}))


def _added(call: GeminiCall) -> tuple[str, str]:
    """A path of the diff that is shown, and an added line of it."""
    path = ""
    for line in call.text.split("\n"):
        if line.startswith("## "):
            path = line.removeprefix("## ").split(" ")[0]
        number, _, rest = line.strip().partition(" ")
        if path and number.isdigit() and rest.startswith("+") and len(rest) > 12:
            return path, rest[1:].strip()
    raise AssertionError(call.text)


def _line_of(call: GeminiCall) -> str:
    code = call.text.split("kind=code", 1)[1].split("\n")[2:]
    lines = (line.split(" ", 1)[-1].lstrip("+ .") for line in code)
    return next(line for line in lines if len(line.strip()) > 3 and "@@" not in line)


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[GeminiEndpoint]:
    with GeminiEndpoint(answer) as opened:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", opened.url)
        yield opened


@pytest.fixture
def stage(tmp_path: Path, redis_url: str, endpoint: GeminiEndpoint) -> Iterator[Stage]:
    model = {"GOOGLE_API_KEY": API_KEY, "REVIEW_MODEL": MODEL}
    with open_stage(tmp_path, redis_url, **model) as opened:
        yield opened


def die_and_recover(stage: Stage, endpoint: GeminiEndpoint, death: Death) -> tuple[bool, int]:
    """A worker dies, another goes on. Whether it died, and how often it had called the model."""
    stage.github.hooks.wait_idle()
    is_dead = killed(stage.settings, endpoint.url, death)
    called = len(endpoint.calls)
    deadline = time.monotonic() + 20
    while any(lane.due or lane.running for lane in stage.services.inbox.status().lanes):
        assert time.monotonic() < deadline
        stage.work()
        time.sleep(LEASE_S / 20)
    assert stage.dead() == []
    return is_dead, called


def repeated(calls: list[GeminiCall]) -> int:
    """How many calls were made again with the same words."""
    counts = Counter(json.dumps(call.body, sort_keys=True) for call in calls)
    return sum(count - 1 for count in counts.values())


def assert_answered_once(stage: Stage, asked_id: int) -> None:
    comments = stage.world.api_pull.comments.values()
    answers = [c.body for c in comments if c.id > asked_id and "I proposed it." in c.body]
    assert len(answers) == 1
    scope = Scope("repository", stage.world.api.id)
    book = ConventionBook(stage.services.store, scope, stage.services.now)
    assert [(c.id, c.rule, c.status) for c in book.all()] == [("C1", RULE, "proposed")]
    assert len(book.history()) == 1
    thread = f"pr:{stage.world.api.id}:{stage.world.api_pull.number}"
    kinds = [m.type for m in stage.services.saver.latest(thread, "messages")]
    assert kinds == ["human", "ai", "tool", "ai"]


def test_a_conversation_killed_after_any_node_is_answered_once(
    stage: Stage, endpoint: GeminiEndpoint
) -> None:
    """begin, hear, summarise, agent, tools, agent, reply: done, and not yet known to be done.

    tests/workers/test_turns.py kills within one process, at every single write.
    """
    for node in itertools.count(1):
        stage.redis.flushall()
        endpoint.calls.clear()
        asked = stage.github.comment(stage.world.api_pull, "ben", SAID)
        is_dead, _ = die_and_recover(stage, endpoint, Death(before_result=node))
        assert_answered_once(stage, asked.id)
        # Paid again only if the kill came before the answer was stored.
        assert repeated(endpoint.calls) <= 1, f"node {node}"
        if not is_dead:
            break
    assert node > 7


def test_an_answer_that_was_stored_is_not_paid_for_again(
    stage: Stage, endpoint: GeminiEndpoint
) -> None:
    endpoint.calls.clear()
    asked = stage.github.comment(stage.world.api_pull, "ben", SAID)
    assert die_and_recover(stage, endpoint, Death(after_node="agent")) == (True, 1)
    assert_answered_once(stage, asked.id)
    assert len(endpoint.calls) == 2
    assert repeated(endpoint.calls) == 0


@pytest.mark.parametrize("node", ["review_unit", "refute"])
def test_a_review_does_not_pay_again_for_what_was_stored(
    stage: Stage, endpoint: GeminiEndpoint, node: str
) -> None:
    endpoint.calls.clear()
    pull: Any = stage.world.api_pull
    stage.github.push(pull, {"src/late.py": "def late(days):\n    return 1 / (days - days)\n"})
    is_dead, called = die_and_recover(stage, endpoint, Death(after_node=node))
    assert is_dead
    assert called == {"review_unit": 1, "refute": 2}[node]
    assert len(endpoint.calls) == 2
    assert repeated(endpoint.calls) == 0
    ours = [r for r in pull.reviews.values() if r.user.type == "Bot"]
    assert len(ours) == 1
