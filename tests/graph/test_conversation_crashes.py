"""A process killed at every step of a conversation turn; another one finishes it once."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from redis import Redis

from graph.answers import Answer
from graph.convention_book import ConventionBook
from graph.ledger import Scope
from graph.saver import ThreadSaver
from graph.state import Turn
from graph.store import ConventionStore
from tests.graph.threads import Room
from tests.scripted_model import ScriptedModel, calls
from workers.effects import EffectLedger

SAID = "@precedent I think every client gets a timeout, no?"
CONFIG: Any = {"configurable": {"thread_id": "pr:1:7"}}


class DeadlySaver(ThreadSaver):
    """Kills its process with SIGKILL right before or right after its write number `step`."""

    def __init__(self, redis: Redis, step: int, *, after: bool) -> None:
        super().__init__(redis)
        self._left, self._after = step, after

    def put(self, *arguments: Any, **more: Any) -> Any:
        return self._deadly(lambda: super(DeadlySaver, self).put(*arguments, **more))

    def put_writes(self, *arguments: Any, **more: Any) -> None:
        self._deadly(lambda: super(DeadlySaver, self).put_writes(*arguments, **more))

    def _deadly(self, write: Callable[[], Any]) -> Any:
        self._left -= 1
        is_last = self._left == 0
        if is_last and not self._after:
            os.kill(os.getpid(), signal.SIGKILL)
        answer = write()
        if is_last:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer


class OncePerKey:
    """A place that takes an answer once per key, as the effect ledger lets our repliers do."""

    def __init__(self, redis: Redis) -> None:
        self._redis, self._ledger = redis, EffectLedger(redis)

    def reply(self, answer: Answer, key: str) -> None:
        known = self._ledger.read(f"reply:1:7:{key}")
        if known is None or not known.outcome:
            self._ledger.intend(f"reply:1:7:{key}")
            self._redis.rpush("test:answers", answer.text)
            self._ledger.done(f"reply:1:7:{key}", {"id": 1})


def run(url: str, step: int = 0, *, after: bool = False) -> None:
    """One worker process handles the event: continues it, or begins it."""
    redis = Redis.from_url(url)

    def reply(prompt: list[BaseMessage]) -> AIMessage:
        redis.incr("test:model_calls")
        if isinstance(prompt[-1], ToolMessage):
            return AIMessage("I proposed it.")
        return calls("remember_convention", topic="api", quote="every client gets a timeout")

    saver = DeadlySaver(redis, step, after=after) if step else ThreadSaver(redis)
    room = Room(redis, ScriptedModel(script=[reply], repeat_last=True), checkpointer=saver)
    context = room.context(SAID, event_id="gh:1")
    context = type(context)(**{**vars(context), "replier": OncePerKey(redis)})
    snapshot = room.graph.get_state(CONFIG)
    known = (snapshot.values.get("turn") or {}).get("event_id")
    if known == "gh:1" and not snapshot.tasks:
        return
    turn = Turn(event_id="gh:1", kind="message", cause="auto", text=SAID)
    start: Any = None if known == "gh:1" else {"turn": turn}
    room.graph.invoke(start, CONFIG, context=context, durability="sync")


def killed(url: str, step: int, *, after: bool) -> bool:
    """Run it in a process of its own; whether that was killed."""
    process = multiprocessing.get_context("fork").Process(
        target=run, args=(url, step), kwargs={"after": after}
    )
    process.start()
    process.join(60)
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode == -signal.SIGKILL


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_turn_killed_anywhere_is_finished_once(
    redis: Redis, redis_url: str, *, after: bool
) -> None:
    """begin, hear, summarise, agent, tools, agent, reply: each with its writes and checkpoint."""
    step, kills, stride = 1, 0, 3 if after else 1
    while True:
        redis.flushall()
        if not killed(redis_url, step, after=after):
            break
        step, kills = step + stride, kills + 1
        run(redis_url)
        run(redis_url)  # delivered once more: nothing happens
        assert redis.lrange("test:answers", 0, -1) == [b"I proposed it."]
        book = ConventionBook(ConventionStore(redis), Scope("repository", 1), lambda: 2e9)
        assert [(c.id, c.rule, c.status) for c in book.all()] == [
            ("C1", "every client gets a timeout", "proposed")
        ]
        assert len(book.history()) == 1
        # An answered call is paid again only if the kill came before its answer was stored.
        assert int(redis.get("test:model_calls") or 0) <= 3
        room = Room(redis)
        messages = room.graph.get_state(CONFIG).values["messages"]
        assert [m.type for m in messages] == ["human", "ai", "tool", "ai"]
    assert kills >= 14 // stride
