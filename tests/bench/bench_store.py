"""get, put and recall of conventions as the store grows, beside langgraph's RedisStore.

RedisStore's get answers None on some servers for namespaces of two labels (its search of a quoted
phrase finds nothing there); its time is given as it is.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
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
PEER = "langgraph RedisStore"
GOALS = {"get": "< 0.2", "put": "< 0.3", "recall(50)": "< 1.5"}


def run() -> list[Row]:
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as directory, EmbeddedRedis(Path(directory)) as server:
        for size in SIZES:
            ours = _measure_ours(server.url, size)
            peers = _measure_peer(server.url, size)
            for name, goal in GOALS.items():
                for part in ("p50", "p99"):
                    rows.append(
                        Row(
                            name=f"store {name}, {size:,} items, {part}",
                            value=getattr(ours[name], f"{part}_ms"),
                            unit="ms",
                            peer=PEER,
                            peer_value=getattr(peers[name], f"{part}_ms"),
                            goal=goal if part == "p50" else "",
                        )
                    )
    return rows


def _value(n: int) -> dict[str, Any]:
    return {"id": f"C{n}", "topic": "other", "rule": f"rule {n} ".ljust(160, "x"), "version": 1}


def _namespace(repository: int) -> tuple[str, str]:
    return ("conventions", str(repository))


def _places(size: int) -> list[tuple[tuple[str, str], str, dict[str, Any]]]:
    return [
        (_namespace(n // PER_REPOSITORY), f"C{n % PER_REPOSITORY}", _value(n)) for n in range(size)
    ]


def _measure_ours(url: str, size: int) -> dict[str, Latency]:
    with Redis.from_url(url) as redis:
        redis.flushall()
        store = ConventionStore(redis)
        places = _places(size)
        for at in range(0, size, 1_000):
            store.commit([Write(*place) for place in places[at : at + 1_000]])
        return _measure(store, size, store.recall)


def _measure_peer(url: str, size: int) -> dict[str, Latency]:
    with Redis.from_url(url) as redis:
        redis.flushall()
        store = RedisStore(redis)
        store.setup()
        places = _places(size)
        for at in range(0, size, PER_REPOSITORY):
            store.batch([PutOp(*place) for place in places[at : at + PER_REPOSITORY]])
        return _measure(store, size, lambda ns: store.search(ns, limit=PER_REPOSITORY))


def _measure(
    store: BaseStore, size: int, recall: Callable[[tuple[str, str]], object]
) -> dict[str, Latency]:
    namespace = _namespace(size // PER_REPOSITORY // 2)
    return {
        "get": latency(lambda: store.get(namespace, "C7")),
        "put": latency(lambda: store.put(namespace, "C7", _value(7))),
        "recall(50)": latency(lambda: recall(namespace), calls=100),
    }
