"""Rings that nobody waits for: how many there are, and that none is lost at the end."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from redis import Redis

from deploy.sandbox.redis_server import EmbeddedRedis
from tests.workers import celery_worker
from workers.bell import ENOUGH_WAITING, Bell, queue_key
from workers.event import Lane


def rings(redis: Redis, lane: Lane) -> int:
    return int(redis.llen(queue_key(lane)))


def test_what_was_asked_for_is_rung_when_the_process_ends(redis: Redis, redis_url: str) -> None:
    bell = Bell(celery_worker.build(redis_url), redis)
    with bell.ringing():
        for _ in range(3):
            bell.ring_soon("reviews")
        bell.ring_soon("background")
    assert (rings(redis, "reviews"), rings(redis, "background")) == (3, 1)
    assert "bell" not in {thread.name for thread in threading.enumerate()}
    bell.ring_soon("background")
    assert rings(redis, "background") == 2


def test_no_more_rings_wait_than_wake_a_pool(redis: Redis, redis_url: str) -> None:
    bell = Bell(celery_worker.build(redis_url), redis)
    with bell.ringing():
        for _ in range(3 * ENOUGH_WAITING):
            bell.ring_soon("reviews")
    assert rings(redis, "reviews") == ENOUGH_WAITING
    assert bell.ring("reviews")
    assert rings(redis, "reviews") == ENOUGH_WAITING


def test_the_bell_rings_on_after_the_broker_was_away(tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path) as server:
        redis = Redis.from_url(server.url)
        bell = Bell(celery_worker.build(server.url), redis)
        with bell.ringing():
            server.stop()
            bell.ring_soon("reviews")
            time.sleep(0.2)
            server.start()
            bell.ring_soon("reviews")
        assert rings(redis, "reviews") >= 1
        redis.close()
