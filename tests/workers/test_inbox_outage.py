"""Redis is away, hangs or refuses to write."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.exceptions import RedisError

from deploy.sandbox.redis_server import EmbeddedRedis, free_port
from tests.workers.inbox_events import comment
from workers.drain import Drain, Outcome
from workers.event import Event
from workers.heartbeat import Heartbeat
from workers.inbox import Inbox, InboxUnavailable, Lease, LeaseLost
from workers.redis_connection import connect_redis


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedRedis]:
    with EmbeddedRedis(tmp_path, fsync="always") as running:
        yield running


def test_a_refused_connection_is_told_within_three_seconds() -> None:
    inbox = Inbox(connect_redis(f"redis://127.0.0.1:{free_port()}/0"))
    started_s = time.monotonic()
    with pytest.raises(InboxUnavailable) as raised:
        inbox.accept(comment("c1"))
    assert time.monotonic() - started_s < 3
    assert raised.value.reason == "inbox_unavailable"


def test_a_silent_server_is_told_within_three_seconds() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        inbox = Inbox(connect_redis(f"redis://127.0.0.1:{silent.getsockname()[1]}/0"))
        started_s = time.monotonic()
        with pytest.raises(InboxUnavailable):
            inbox.accept(comment("c1"))
        assert time.monotonic() - started_s < 3


def test_an_event_that_was_not_stored_is_not_claimed_as_seen(server: EmbeddedRedis) -> None:
    inbox = Inbox(connect_redis(server.url))
    inbox.redis.config_set("maxmemory", "1")
    with pytest.raises(InboxUnavailable):
        inbox.accept(comment("c1"), also_seen=["m1"])
    inbox.redis.config_set("maxmemory", "0")
    assert inbox.accept(comment("c1"), also_seen=["m1"]) == "accepted"


def test_what_was_accepted_survives_a_crash_of_redis(server: EmbeddedRedis) -> None:
    inbox = Inbox(connect_redis(server.url))
    for number in range(20):
        inbox.accept(comment(f"c{number}"))
    server.kill()
    with pytest.raises(InboxUnavailable):
        inbox.accept(comment("lost"))
    server.start()
    assert inbox.accept(comment("c3")) == "duplicate"
    assert inbox.accept(comment("lost")) == "accepted"
    assert [e.id for e in inbox.list_events("pr:1:1")] == [*(f"c{n}" for n in range(20)), "lost"]


def test_check_and_ack_sit_out_a_restart_of_redis(server: EmbeddedRedis) -> None:
    inbox = Inbox(connect_redis(server.url), lease_s=8)
    heartbeat = Heartbeat(inbox)
    inbox.accept(comment("c1"))
    lease = inbox.claim("reviews")
    assert lease is not None
    server.kill()
    restart = threading.Timer(1.0, server.start)
    restart.start()
    with heartbeat.hold(lease):
        started_s = time.monotonic()
        lease.check()
        assert time.monotonic() - started_s > 0.5
        restart.join()
        server.kill()
        restart = threading.Timer(1.0, server.start)
        restart.start()
        inbox.ack(lease)
    restart.join()
    heartbeat.stop()
    assert inbox.list_events("pr:1:1") == []


def test_redis_going_away_in_the_middle_of_an_event_costs_no_attempt(
    server: EmbeddedRedis,
) -> None:
    """Each read of a handler that met a restart of Redis cost one of its event's five attempts:
    during a failover a busy pull request lost its events to "crashed"."""
    inbox = Inbox(connect_redis(server.url), lease_s=10)
    restarts: list[threading.Timer] = []

    def handle(event: Event, lease: Lease) -> Outcome:
        server.kill()
        restarts.append(threading.Timer(1.0, server.start))
        restarts[0].start()
        inbox.redis.get("anything")
        raise AssertionError("Redis is away")

    inbox.accept(comment("c1"))
    drain = Drain(inbox, handle, slots={})
    assert drain.run("reviews", max_events=1) == 1
    drain.heartbeat.stop()
    restarts[0].join()
    (waiting,) = inbox.list_events("pr:1:1")
    assert (waiting.attempts, waiting.is_running) == (0, False)


def test_an_outage_longer_than_the_lease_ends_it(server: EmbeddedRedis) -> None:
    inbox = Inbox(connect_redis(server.url), lease_s=1)
    inbox.accept(comment("c1"))
    lease = inbox.claim("reviews")
    assert lease is not None
    server.kill()
    with pytest.raises(LeaseLost):
        inbox.ack(lease)
    with pytest.raises(RedisError):
        inbox.claim("reviews")
