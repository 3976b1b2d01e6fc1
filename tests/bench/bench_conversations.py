"""What a turn of our own conversation costs beyond the model, and what it stores, as it grows.

Each turn is a question on a pull request with a review thread and a published review: briefed,
answered from a script, and replied to. `bench_threads` measures the saver alone beside its peer.
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

from langchain_core.messages import AIMessage
from redis import Redis

from deploy.sandbox.redis_server import EmbeddedRedis
from graph.context import ReviewThread, ThreadComment
from graph.findings import Finding
from graph.review_history import keep
from graph.saver import ThreadSaver
from tests.bench.table import Row
from tests.graph.threads import Room, diff_adding
from tests.scripted_model import ScriptedModel
from workers.turns import KEPT_CHECKPOINTS

LENGTHS = (20, 100, 300)
TIMED_TURNS = 9
TEXT_CHARACTERS = 1_000
THREAD = "pr:1:7"


@dataclass(frozen=True)
class Point:
    """Of a thread with so many messages: what a turn takes beyond the model, and all its bytes.

    `processor_ms` is this process' part of it, which a busy machine does not change.
    """

    turn_ms: float
    processor_ms: float
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
            Row(f"{name}: stored per turn", point.stored_bytes / length * 2, "bytes"),
        ]
    growth = points[300].stored_bytes / points[100].stored_bytes
    rows.append(Row("conversation: bytes at 300 over bytes at 100", growth, "times", goal="~ 3"))
    return rows


def _measure(url: str) -> dict[int, Point]:
    points = {}
    with Redis.from_url(url) as redis:
        redis.flushall()
        room, saver = _room(redis), ThreadSaver(redis)
        empty_bytes = redis.info("memory")["used_memory"]
        times_ms: list[float] = []
        processor_ms: list[float] = []
        for turn in range(1, max(LENGTHS) // 2 + 1):
            question = f"@precedent what about part {turn} and {_words(turn)}?"
            begin, worked = time.perf_counter(), time.process_time()
            room.say(question, comment_id=101, comment_kind="review_comment")
            times_ms.append((time.perf_counter() - begin) * 1_000)
            processor_ms.append((time.process_time() - worked) * 1_000)
            saver.prune([THREAD], keep_last=KEPT_CHECKPOINTS)
            if turn * 2 in LENGTHS:
                stored_bytes = redis.info("memory")["used_memory"] - empty_bytes
                points[turn * 2] = Point(
                    statistics.median(times_ms[-TIMED_TURNS:]),
                    statistics.median(processor_ms[-TIMED_TURNS:]),
                    stored_bytes,
                )
    return points


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
    for n in range(30):
        room.say(f"@precedent remember: module number_{n} is owned by team_{n}", thread="pr:1:1")
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
