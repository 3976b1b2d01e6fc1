"""Pacing: the windows hold over threads, and the wait that is told is the right one."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis as redis_client

from workers.errors import RateLimited
from workers.pacing import CONTENT_PER_HOUR, CONTENT_PER_MINUTE, Pacing

KEY = "precedent:pacing:7"


def test_the_eighty_first_of_a_minute_waits_for_the_first_to_pass(
    redis: redis_client.Redis,
) -> None:
    pacing = Pacing(redis)
    for _ in range(CONTENT_PER_MINUTE):
        pacing.take(7)
    began = time.monotonic()
    with pytest.raises(RateLimited) as limited:
        pacing.take(7)
    assert 50 < limited.value.retry_after_s <= 60
    assert time.monotonic() - began < 1
    assert limited.value.reason == "github_pacing"
    assert redis.zcard(KEY) == CONTENT_PER_MINUTE
    pacing.take(8)


def test_the_hour_is_counted_beside_the_minute(redis: redis_client.Redis) -> None:
    now_ms = int(time.time() * 1_000)
    # The first 10 were written 50 minutes ago, the rest half an hour ago.
    old = {f"a{n}": now_ms - 50 * 60_000 for n in range(10)}
    old |= {f"b{n}": now_ms - 30 * 60_000 for n in range(CONTENT_PER_HOUR - 10)}
    redis.zadd(KEY, old)
    pacing = Pacing(redis)
    with pytest.raises(RateLimited) as one:
        pacing.take(7)
    assert one.value.retry_after_s == pytest.approx(10 * 60, abs=5)
    with pytest.raises(RateLimited) as eleven:
        pacing.take(7, n=11)
    assert eleven.value.retry_after_s == pytest.approx(30 * 60, abs=5)


def test_there_is_room_again_when_the_window_has_passed(redis: redis_client.Redis) -> None:
    now_ms = int(time.time() * 1_000)
    redis.zadd(KEY, {f"a{n}": now_ms - 61_000 for n in range(CONTENT_PER_MINUTE)})
    redis.zadd(KEY, {"forgotten": now_ms - 3_601_000})
    Pacing(redis).take(7)
    assert redis.zcard(KEY) == CONTENT_PER_MINUTE + 1
    assert 0 < redis.pttl(KEY) <= 3_600_000


def test_threads_together_get_exactly_what_is_allowed(redis: redis_client.Redis) -> None:
    pacing = Pacing(redis, per_minute=25)

    def take(_n: int) -> bool:
        try:
            pacing.take(7)
        except RateLimited:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, range(100))) == 25


def test_more_than_a_window_can_ever_hold_is_a_mistake(redis: redis_client.Redis) -> None:
    with pytest.raises(ValueError, match="80"):
        Pacing(redis).take(7, n=81)
    with pytest.raises(ValueError, match="1 to"):
        Pacing(redis).take(7, n=0)
