"""Real worker processes: rings, kills, deployments."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from redis import Redis

from deploy.sandbox.redis_server import EmbeddedRedis
from tests.workers import celery_worker
from tests.workers.inbox_events import comment, push, sign
from workers.bell import Bell, queue_key
from workers.inbox import Inbox
from workers.metrics import KEY as METRICS_KEY
from workers.redis_connection import connect_redis, text_of

StartWorker = Callable[..., "subprocess.Popen[bytes]"]
Lines = Callable[[str], list[tuple[str, int, int]]]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedRedis]:
    with EmbeddedRedis(tmp_path / "redis") as running:
        yield running


@pytest.fixture
def start_worker(server: EmbeddedRedis, tmp_path: Path) -> Iterator[StartWorker]:
    """Starts a worker each time; all are killed at the end."""
    started: list[subprocess.Popen[bytes]] = []

    def start(pool: str = "threads") -> subprocess.Popen[bytes]:
        command = [
            sys.executable, "-m", "celery", "-A", "tests.workers.celery_worker", "worker",
            "-P", pool, "-c", "4", "-n", f"w{len(started)}@%h",
            "--without-gossip", "--without-mingle",
        ]  # fmt: skip
        environment = {**os.environ, "TEST_REDIS_URL": server.url}
        with (tmp_path / f"worker{len(started)}.log").open("wb") as log:
            worker = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        started.append(worker)
        return worker

    yield start
    for worker in started:
        if worker.poll() is None:
            worker.kill()
        worker.wait()


@pytest.fixture
def inbox(server: EmbeddedRedis) -> Inbox:
    return celery_worker.inbox(server.url)


@pytest.fixture
def lines(server: EmbeddedRedis) -> Iterator[Lines]:
    """What the workers wrote: event id, process id, attempt."""
    client: Redis = connect_redis(server.url, decode_responses=True)

    def read(name: str) -> list[tuple[str, int, int]]:
        found = [str(line).split() for line in client.lrange(f"test:{name}", 0, -1)]
        return [(event, int(pid), int(attempt)) for event, pid, attempt in found]

    yield read
    client.close()


def wait_until(is_true: Callable[[], object], *, within_s: float = 30.0) -> float:
    started_s = time.monotonic()
    while not is_true():
        assert time.monotonic() - started_s < within_s, "it did not happen"
        time.sleep(0.02)
    return time.monotonic() - started_s


def test_a_ring_wakes_a_worker_and_a_lost_ring_is_repeated(
    server: EmbeddedRedis, inbox: Inbox, start_worker: StartWorker, lines: Lines
) -> None:
    start_worker()
    bell = Bell(celery_worker.build(server.url))
    inbox.accept(comment("c1"))
    assert bell.ring("reviews")
    wait_until(lambda: lines("done"))
    inbox.accept(replace(comment("c2"), lane="background"))
    wait_until(lambda: len(lines("done")) == 2, within_s=5)
    for number in range(5):
        inbox.accept(push(f"p{number}", f"sha{number}"))
    assert wait_until(lambda: len(lines("done")) == 3, within_s=5) > 0.1
    assert [event for event, _, _ in lines("done")] == ["c1", "c2", "p4"]


def test_kill_9_costs_a_lease_and_one_attempt(
    inbox: Inbox, start_worker: StartWorker, lines: Lines
) -> None:
    first = start_worker()
    inbox.accept(replace(comment("c1"), arguments=("wait",)))
    inbox.accept(comment("c2"))
    wait_until(lambda: lines("started"))
    first.send_signal(signal.SIGKILL)
    first.wait()
    inbox.redis.set("test:go", 1)
    second = start_worker()
    wait_until(lambda: len(lines("done")) == 2)
    assert lines("done") == [("c1", second.pid, 2), ("c2", second.pid, 1)]
    assert [event for event, _, _ in lines("started")] == ["c1", "c1", "c2"]


def test_sigterm_hands_over_within_seconds_free_of_charge(
    inbox: Inbox, start_worker: StartWorker, lines: Lines
) -> None:
    first = start_worker()
    inbox.accept(replace(comment("c1"), arguments=("wait",)))
    wait_until(lambda: lines("started"))
    second = start_worker()
    first.send_signal(signal.SIGTERM)
    assert first.wait(timeout=20) == 0, "it must not wait for the event to end"
    wait_until(lambda: len(lines("started")) == 2)
    inbox.redis.set("test:go", 1)
    wait_until(lambda: lines("done"))
    assert lines("done") == [("c1", second.pid, 1)]


@pytest.mark.parametrize("pool", ["threads", "prefork"])
def test_sigterm_loses_no_count(
    inbox: Inbox, start_worker: StartWorker, lines: Lines, pool: str
) -> None:
    """A worker keeps its counts for half a second and sends them together: the last ones, of the
    event that it handed over among them, must not end with the process."""
    worker = start_worker(pool)
    for number in range(3):
        inbox.accept(comment(f"c{number}", number=number + 1))
    wait_until(lambda: len(lines("done")) == 3)
    last = comment("last", number=9)
    inbox.accept(replace(last, arguments=("wait",)) if pool == "threads" else last)
    wait_until(lambda: len(lines("started")) == 4)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=20) == 0
    stored = inbox.redis.hgetall(METRICS_KEY)
    counted = {text_of(field): float(n) for field, n in stored.items()}
    name = 'precedent_event_seconds_count{kind="github.comment",outcome="%s"}'
    ended = [int(counted.get(name % outcome, 0)) for outcome in ("done", "released")]
    assert ended == ([3, 1] if pool == "threads" else [4, 0])
    assert counted['precedent_event_wait_seconds_count{lane="reviews"}'] == 4


def test_a_restart_of_redis_stops_neither_worker_nor_event(
    server: EmbeddedRedis, inbox: Inbox, start_worker: StartWorker, lines: Lines
) -> None:
    worker = start_worker()
    inbox.accept(comment("c0"))
    wait_until(lambda: lines("done"))
    inbox.accept(replace(comment("c1"), arguments=("wait",)))
    wait_until(lambda: len(lines("started")) == 2)
    server.kill()
    time.sleep(0.5)
    server.start()
    inbox.redis.set("test:go", 1)
    wait_until(lambda: len(lines("done")) == 2)
    assert lines("done")[1] == ("c1", worker.pid, 1)
    inbox.accept(comment("c2"))
    wait_until(lambda: len(lines("done")) == 3)
    assert worker.poll() is None


def test_a_sign_appears_within_seconds_while_its_pull_request_is_reviewed(
    inbox: Inbox, start_worker: StartWorker, lines: Lines
) -> None:
    start_worker()
    inbox.accept(replace(push("p1", "sha1"), arguments=("wait",)))
    wait_until(lambda: lines("started"))
    inbox.accept(comment("c1"), follow=[sign("s1")])
    wait_until(lambda: [e for e, _, _ in lines("done")] == ["s1"], within_s=5)
    assert [e for e, _, _ in lines("started")] == ["p1", "s1"]


def test_a_ring_without_a_broker_neither_raises_nor_blocks(server: EmbeddedRedis) -> None:
    bell = Bell(celery_worker.build(server.url))
    assert bell.ring("reviews")
    server.stop()
    started_s = time.monotonic()
    assert not bell.ring("reviews")
    assert time.monotonic() - started_s < 3
    server.start()
    assert bell.ring("reviews")
    client = Redis.from_url(server.url)
    assert client.llen(queue_key("reviews")) >= 1
    strays = [key for key in client.scan_iter() if not key.startswith(b"precedent:")]
    assert strays == []
    client.close()


def test_importing_the_application_builds_nothing() -> None:
    code = (
        "import sys, workers.app as a; "
        "assert 'app' not in vars(a); "
        "assert not {'langgraph', 'langchain', 'langchain_core'} & set(sys.modules); "
        "print('clean')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "clean"
