"""get, put and recall of conventions as the store grows, beside langgraph's RedisStore.

Every size has a Redis of its own, at rest before anything is timed: what is measured is a store of
that size, not the disk still writing what filled it. The sizes take turns, so that whatever else
the machine does falls on all of them alike.

RedisStore's get answers None on some servers for namespaces of two labels (its search of a quoted
phrase finds nothing there); its time is given as it is.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from langgraph.store.base import BaseStore, PutOp
from langgraph.store.redis import RedisStore
from redis import Redis

from deploy.sandbox.redis_server import EmbeddedRedis
from graph.store import ConventionStore, Write
from tests.bench.table import Latency, Row, latency

SIZES = (100, 10_000, 100_000)
PER_REPOSITORY = 50
ROUNDS = 5
CALLS = 1_000
PEER = "langgraph RedisStore"
GOALS = {"get": "< 0.2", "put": "< 0.3", "recall(50)": "< 1.5"}

Calls = dict[str, Callable[[], object]]


def run() -> list[Row]:
    with ExitStack() as stack:
        ours = {size: stack.enter_context(_ours(size)) for size in SIZES}
        mine = _in_turns(ours)
    with ExitStack() as stack:
        peers = {size: stack.enter_context(_peer(size)) for size in SIZES}
        theirs = _in_turns(peers)
    return [
        Row(
            name=f"store {name}, {size:,} items, {part}",
            value=getattr(mine[size, name], f"{part}_ms"),
            unit="ms",
            peer=PEER,
            peer_value=getattr(theirs[size, name], f"{part}_ms"),
            goal=goal if part == "p50" else "",
        )
        for size in SIZES
        for name, goal in GOALS.items()
        for part in ("p50", "p99")
    ]


def _in_turns(calls_of: dict[int, Calls]) -> dict[tuple[int, str], Latency]:
    """Each call of each size in each round; the medians over the rounds."""
    found: dict[tuple[int, str], list[Latency]] = {}
    for _ in range(ROUNDS):
        for size, calls in calls_of.items():
            for name, call in calls.items():
                found.setdefault((size, name), []).append(latency(call, runs=1, calls=CALLS))
    return {
        key: Latency(
            statistics.median(one.p50_ms for one in rounds),
            statistics.median(one.p99_ms for one in rounds),
        )
        for key, rounds in found.items()
    }


@contextmanager
def _ours(size: int) -> Iterator[Calls]:
    with _server() as redis:
        store = ConventionStore(redis)
        places = _places(size)
        for at in range(0, size, 1_000):
            store.commit([Write(*place) for place in places[at : at + 1_000]])
        _rest(redis)
        yield _calls(store, size, store.recall)


@contextmanager
def _peer(size: int) -> Iterator[Calls]:
    with _server() as redis:
        store = RedisStore(redis)
        store.setup()
        places = _places(size)
        for at in range(0, size, PER_REPOSITORY):
            store.batch([PutOp(*place) for place in places[at : at + PER_REPOSITORY]])
        _rest(redis)
        yield _calls(store, size, lambda ns: store.search(ns, limit=PER_REPOSITORY))


@contextmanager
def _server() -> Iterator[Redis]:
    with (
        tempfile.TemporaryDirectory() as directory,
        EmbeddedRedis(Path(directory)) as server,
        Redis.from_url(server.url) as redis,
    ):
        yield redis


def _rest(redis: Redis) -> None:
    """Wait until all that was loaded is on the disk and nothing runs in the background."""
    redis.waitaof(1, 0, 60_000)
    while redis.info("persistence")["aof_rewrite_in_progress"]:
        time.sleep(0.1)


def _calls(store: BaseStore, size: int, recall: Callable[[tuple[str, str]], object]) -> Calls:
    namespace = _namespace(size // PER_REPOSITORY // 2)
    return {
        "get": lambda: store.get(namespace, "C7"),
        "put": lambda: store.put(namespace, "C7", _value(7)),
        "recall(50)": lambda: recall(namespace),
    }


def _value(n: int) -> dict[str, Any]:
    return {"id": f"C{n}", "topic": "other", "rule": f"rule {n} ".ljust(160, "x"), "version": 1}


def _namespace(repository: int) -> tuple[str, str]:
    return ("conventions", str(repository))


def _places(size: int) -> list[tuple[tuple[str, str], str, dict[str, Any]]]:
    return [
        (_namespace(n // PER_REPOSITORY), f"C{n % PER_REPOSITORY}", _value(n)) for n in range(size)
    ]
