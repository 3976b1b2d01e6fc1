"""A turn that dies at any write of its thread goes on where it was, and pays no answer twice."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any, cast

import pytest
from redis import Redis

from graph.context import ReviewContext
from graph.saver import ThreadSaver
from tests.graph.threads import Room, diff_adding
from tests.scripted_model import ScriptedModel
from workers.event import Event
from workers.metrics import Metrics
from workers.services import Services
from workers.settings import Settings
from workers.turns import run_turn

THREAD = "pr:1:7"


class Killed(BaseException):
    """As SIGKILL: nothing of ours catches it."""


class DyingSaver(ThreadSaver):
    """Dies before or after its n-th write."""

    def __init__(self, redis: Redis, at: int, *, is_written: bool) -> None:
        super().__init__(redis)
        self.left = at
        self.is_written = is_written

    def put(self, *arguments: Any, **more: Any) -> Any:
        return self._dying(lambda: super(DyingSaver, self).put(*arguments, **more))

    def put_writes(self, *arguments: Any, **more: Any) -> None:
        self._dying(lambda: super(DyingSaver, self).put_writes(*arguments, **more))

    def _dying(self, write: Any) -> Any:
        self.left -= 1
        if self.left == 0 and not self.is_written:
            raise Killed
        answer = write()
        if self.left == 0:
            raise Killed
        return answer


def turn(room: Room, event_id: str, text: str, kind: Any = "message") -> None:
    context: ReviewContext = room.context(text, event_id=event_id, cause="comment:1")
    services = cast(
        "Services",
        SimpleNamespace(
            graph=room.graph,
            saver=room.saver,
            settings=Settings(redis_url="redis://unused"),
            metrics=Metrics(room.redis),
        ),
    )
    event = Event(id=event_id, kind="github.comment", subject=THREAD)
    run_turn(services, event, context, THREAD, kind, text)


def survivor(redis: Redis, dying: Room, model: ScriptedModel) -> Room:
    room = Room(redis, model)
    room.outside = dying.outside
    return room


@pytest.mark.parametrize("is_written", [True, False])
def test_a_question_is_answered_wherever_the_worker_died(redis: Redis, is_written: bool) -> None:
    """A worker was killed between saving what a node had done and the checkpoint that takes it in.

    langgraph's `next` is empty at that moment, so the turn counted as finished and the question
    was never answered.
    """
    deaths = 0
    for at in range(1, 16):
        redis.flushall()
        model = ScriptedModel(script=["Forty-two."], repeat_last=True)
        room = Room(redis, model, checkpointer=DyingSaver(redis, 10_000, is_written=True))
        turn(room, "event-0", "What is the number?")
        room.outside.answers.clear()
        model.prompts.clear()
        dying = Room(redis, model, checkpointer=DyingSaver(redis, at, is_written=is_written))
        try:
            turn(dying, "event-1", "What is the number now?")
        except Killed:
            deaths += 1
        asked = len(model.prompts)
        is_kept = "ai" in _kinds_after_the_question(redis, dying)
        turn(survivor(redis, dying, model), "event-1", "What is the number now?")
        answers = [a.text for a in (*dying.outside.answers,)]
        assert answers[-1:] == ["Forty-two."], f"write {at}"
        if is_kept:
            assert len(model.prompts) == asked, f"write {at}: an answered call was paid again"
    assert deaths >= 6


def _kinds_after_the_question(redis: Redis, room: Room) -> list[str]:
    """The kinds of messages that were saved after the question of event-1."""
    config: Any = {"configurable": {"thread_id": THREAD}}
    saved = Room(redis, ScriptedModel()).graph.get_state(config)
    messages = list(saved.values.get("messages", []))
    for task in saved.tasks:
        messages += (task.result or {}).get("messages", []) if task.result else []
    ids = [message.id for message in messages]
    if "human:event-1" not in ids:
        return []
    return [message.type for message in messages[ids.index("human:event-1") + 1 :]]


@pytest.mark.parametrize("is_written", [True, False])
def test_a_review_is_published_wherever_the_worker_died(redis: Redis, is_written: bool) -> None:
    for at in range(1, 20, 3):
        redis.flushall()
        dying = Room(redis, None, checkpointer=DyingSaver(redis, at, is_written=is_written))
        dying.outside.diff_text = diff_adding("x = 1")
        with contextlib.suppress(Killed):
            turn(dying, "event-1", "", kind="review")
        room = Room(redis, None)
        room.outside = dying.outside
        turn(room, "event-1", "", kind="review")
        assert dying.outside.drafts, f"write {at}"
        assert {draft.head_sha for draft in dying.outside.drafts} == {"a" * 40}
