"""What a turn of our own conversation costs beyond the model, and what it stores, as it grows.

Each turn is a question on a pull request with a review thread and a published review: briefed,
answered from a script, replied to and pruned, by `workers.turns.run_turn` as in a worker.
GitHub answers at once here, so all of it is ours. `bench_threads` measures the saver alone.
"""

from __future__ import annotations

import itertools
import random
import statistics
import string
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from langchain_core.messages import AIMessage
from redis import Redis

from deploy.sandbox.redis_server import EmbeddedRedis
from graph.context import ReviewThread, ThreadComment
from graph.findings import Finding
from graph.review_history import keep
from tests.bench.table import Row
from tests.graph.threads import Room, diff_adding
from tests.scripted_model import ScriptedModel
from workers.event import Event
from workers.metrics import Metrics
from workers.settings import Settings
from workers.turns import run_turn

LENGTHS = (20, 100, 300)
TIMED_TURNS = 9
TEXT_CHARACTERS = 1_000
THREAD = "pr:1:7"


@dataclass(frozen=True)
class Point:
    """Of a thread with so many messages: what a turn takes beyond the model, and all its bytes.

    `processor_ms` is this process' part of it, which a busy machine does not change. `first_ms` is
    a turn in a process that did not see the thread before.
    """

    turn_ms: float
    processor_ms: float
    first_ms: float
    stored_bytes: int


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as directory, EmbeddedRedis(Path(directory)) as server:
        points = _measure(server.url)
    rows = []
    for length in LENGTHS:
        point = points[length]
        name = f"conversation of {length} messages"
        rows += [
            Row(f"{name}: turn beyond the model", point.turn_ms, "ms", goal="< 40"),
            Row(f"{name}: processor time of a turn", point.processor_ms, "ms"),
            Row(f"{name}: first turn of a process", point.first_ms, "ms"),
            Row(f"{name}: stored per turn", point.stored_bytes / length * 2, "bytes"),
        ]
    growth = points[300].stored_bytes / points[100].stored_bytes
    rows.append(Row("conversation: bytes at 300 over bytes at 100", growth, "times", goal="~ 3"))
    return rows


def _measure(url: str) -> dict[int, Point]:
    points = {}
    with Redis.from_url(url) as redis:
        redis.flushall()
        room = _room(redis)
        for n in range(30):
            room.say(f"@precedent remember: module number_{n} is owned by team_{n}", thread="other")
        empty_bytes = redis.info("memory")["used_memory"]
        times: list[tuple[float, float]] = []
        first_ms: list[float] = []
        for turn in range(1, max(LENGTHS) // 2 + 1):
            is_first = any(length - 10 < turn * 2 <= length for length in LENGTHS)
            taken = _turn(_room(redis) if is_first and turn % 2 else room, turn)
            if is_first and turn % 2:
                first_ms.append(taken[0])
            else:
                times.append(taken)
            if turn * 2 in LENGTHS:
                last = times[-TIMED_TURNS:]
                points[turn * 2] = Point(
                    statistics.median(taken_ms for taken_ms, _ in last),
                    statistics.median(processor_ms for _, processor_ms in last),
                    statistics.median(first_ms[-2:]),
                    redis.info("memory")["used_memory"] - empty_bytes,
                )
    return points


def _turn(room: Room, number: int) -> tuple[float, float]:
    """Milliseconds, and those of this process' processor."""
    question = f"@precedent what about part {number} and {_words(number)}?"
    event = Event(id=f"event-{number}", kind="github.comment", subject=THREAD)
    context = room.context(
        question, event_id=event.id, comment_id=101, comment_kind="review_comment"
    )
    services: Any = SimpleNamespace(
        graph=room.graph,
        saver=room.saver,
        settings=Settings(redis_url="redis://unused"),
        metrics=Metrics(room.redis),
    )
    begin, worked = time.perf_counter(), time.process_time()
    run_turn(services, event, context, THREAD, "message", question)
    return (time.perf_counter() - begin) * 1_000, (time.process_time() - worked) * 1_000


def _room(redis: Redis) -> Room:
    numbers = itertools.count(10_000)
    answers = ScriptedModel(script=[lambda _: AIMessage(_words(next(numbers)))], repeat_last=True)
    room = Room(redis, answers)
    room.outside.diff_text = diff_adding("def load(path):", "    return open(path).read()")
    comments = (
        ThreadComment(100, 1, "precedent[bot]", True, True, "This file is never closed."),
        ThreadComment(101, 2, "ben", False, False, "@precedent why?"),
    )
    room.outside.review_threads = [ReviewThread("T1", "src/app.py", 2, False, False, comments)]
    finding = Finding("src/app.py", "bug", "high", "File is never closed", "It leaks.", None)
    entry = {"number": 7, "head_sha": "a" * 40, "at": 1.0, "findings": [finding.to_json()]}
    keep(room.store, 1, entry)
    return room


def _words(seed: int) -> str:
    """A text of 1 KB that compresses about as prose does; another for each seed."""
    return " ".join(random.Random(seed).choices(_vocabulary(), k=250))[:TEXT_CHARACTERS]


@cache
def _vocabulary() -> list[str]:
    source = random.Random(1)
    return [
        "".join(source.choices(string.ascii_lowercase, k=source.randint(2, 9)))
        for _ in range(1_000)
    ]
