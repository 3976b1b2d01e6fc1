"""What a conversation turn costs beyond the model, and what a thread weighs, as it grows.

One turn is a question and an answer of 1 KB each through a graph of two nodes; nothing is pruned.
"""

from __future__ import annotations

import random
import statistics
import string
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.redis import RedisSaver
from langgraph.graph import START, MessagesState, StateGraph
from redis import Redis

from deploy.sandbox.redis_server import EmbeddedRedis
from graph.saver import ThreadSaver
from tests.bench.table import Row

LENGTHS = (20, 100, 300)
PEER = "langgraph RedisSaver"
TIMED_TURNS = 9


@dataclass(frozen=True)
class Point:
    """Of a thread with so many messages: its bytes, and what a turn takes beyond the nodes."""

    stored_bytes: int
    turn_ms: float


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as directory, EmbeddedRedis(Path(directory)) as server:
        ours = _measure(server.url, ThreadSaver)
        peers = _measure(server.url, _library_saver)
    rows = []
    for length in LENGTHS:
        own, peer = ours[length], peers[length]
        goal = "< 5" if length == 300 else ""
        rows += [
            Row(f"thread of {length} messages", own.stored_bytes / 1e6, "MB", PEER,
                peer.stored_bytes / 1e6, goal),
            Row(f"thread of {length} messages, per turn", own.stored_bytes / length * 2, "bytes",
                PEER, peer.stored_bytes / length * 2),
            Row(f"turn at {length} messages, beyond the model", own.turn_ms, "ms", PEER,
                peer.turn_ms, "< 40"),
        ]  # fmt: skip
    return rows


def _library_saver(redis: Redis) -> RedisSaver:
    saver = RedisSaver(redis_client=redis)
    saver.setup()
    return saver


def _measure(url: str, build: Callable[[Redis], BaseCheckpointSaver[Any]]) -> dict[int, Point]:
    """One thread grown to each length in turn; bytes by how much more memory Redis uses."""
    texts = _Texts()
    points = {}
    with Redis.from_url(url) as redis:
        redis.flushall()
        app = _graph(build(redis), texts)
        empty_bytes = redis.info("memory")["used_memory"]
        config: Any = {"configurable": {"thread_id": "pr:1:2"}}
        times_ms: list[float] = []
        for turn in range(1, max(LENGTHS) // 2 + 1):
            question = {"messages": [HumanMessage(texts.next())]}
            begin = time.perf_counter()
            app.invoke(question, config, durability="sync")
            times_ms.append((time.perf_counter() - begin) * 1_000)
            if turn * 2 in LENGTHS:
                stored_bytes = redis.info("memory")["used_memory"] - empty_bytes
                points[turn * 2] = Point(stored_bytes, statistics.median(times_ms[-TIMED_TURNS:]))
    return points


def _graph(saver: BaseCheckpointSaver[Any], texts: _Texts) -> Any:
    graph = StateGraph(MessagesState)
    graph.add_node("agent", lambda _: {"messages": [AIMessage(texts.next())]})
    graph.add_node("reply", lambda _: {})
    graph.add_edge(START, "agent")
    graph.add_edge("agent", "reply")
    return graph.compile(checkpointer=saver)


class _Texts:
    """Texts of 1 KB that compress about as prose does."""

    def __init__(self) -> None:
        self._random = random.Random(1)
        self._words = [
            "".join(self._random.choices(string.ascii_lowercase, k=self._random.randint(2, 9)))
            for _ in range(3_000)
        ]

    def next(self) -> str:
        return " ".join(self._random.choices(self._words, k=200))[:1_000]
