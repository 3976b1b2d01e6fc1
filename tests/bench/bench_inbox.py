"""How fast an event is stored and the bell rung: the web's whole work besides HTTP.

Run alone: `python -m tests.bench.bench_inbox`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles

from deploy.sandbox.redis_server import EmbeddedRedis
from tests.bench.table import Row
from workers.app import create_celery
from workers.bell import Bell
from workers.drain import Drain, Outcome
from workers.event import Event
from workers.inbox import Inbox
from workers.logs import setup_logs
from workers.redis_connection import connect_redis
from workers.settings import Settings

EVENTS = 2_000
REPOSITORIES = 20
WORDS = "please look at the retry loop again " * 40
"""About 1.4 kB, a long comment."""


def run() -> list[Row]:
    """Against Redis with `appendfsync always`, as in production, and with `everysec`."""
    return [row for fsync in ("always", "everysec") for row in _rows(fsync)]


def _rows(fsync: str) -> list[Row]:
    directory = Path(tempfile.mkdtemp(prefix="precedent-bench-"))
    with EmbeddedRedis(directory, fsync=fsync) as server:
        inbox = Inbox(connect_redis(server.url), repository_cap=1_000)
        bell = Bell(create_celery(Settings(redis_url=server.url)), inbox.redis)
        accepting_s = _durations(lambda number: inbox.accept(_comment("a", number)))
        duplicate_s = _durations(lambda number: inbox.accept(_comment("a", number)))

        def accept_and_ring(number: int) -> None:
            inbox.accept(_comment("b", number))
            bell.ring("reviews")

        ringing_s = _durations(accept_and_ring)
        setup_logs("WARNING")
        drain = Drain(inbox, lambda _event, _lease: Outcome(), slots={"reviews": 1})
        started_s = time.monotonic()
        drained = drain.run("reviews", max_events=EVENTS)
        draining_s = time.monotonic() - started_s
        drain.heartbeat.stop()
    return [
        Row(f"accept, p50 ({fsync})", _percentile_ms(accepting_s, 50), "ms"),
        Row(f"accept, p99 ({fsync})", _percentile_ms(accepting_s, 99), "ms"),
        Row(f"duplicate, p50 ({fsync})", _percentile_ms(duplicate_s, 50), "ms"),
        Row(f"accept and ring ({fsync})", EVENTS / sum(ringing_s), "events/s", goal="> 800"),
        Row(f"claim, run and ack ({fsync})", drained / draining_s, "events/s"),
    ]


def _durations(act: Callable[[int], object]) -> list[float]:
    durations_s = []
    for number in range(EVENTS):
        started_s = time.perf_counter()
        act(number)
        durations_s.append(time.perf_counter() - started_s)
    return durations_s


def _percentile_ms(durations_s: list[float], percent: int) -> float:
    return quantiles(durations_s, n=100)[percent - 1] * 1000


def _comment(prefix: str, number: int) -> Event:
    repository_id = number % REPOSITORIES
    return Event(
        id=f"{prefix}:{number}",
        kind="github.comment",
        subject=f"pr:{repository_id}:{number // REPOSITORIES % 10}",
        repository_id=repository_id,
        installation_id=1,
        number=number // REPOSITORIES % 10,
        comment_id=number,
        text=WORDS,
    )


if __name__ == "__main__":
    for row in run():
        print(row)
