"""What our App is called, as a worker read it from the API, for processes that call no API."""

from __future__ import annotations

import time

from redis import Redis
from redis.exceptions import RedisError

from workers.redis_connection import text_of

KEY = "precedent:app_profile"
DEFAULT_HANDLE = "precedent"
CACHED_S = 10.0


class AppProfile:
    """The App's slug, which is the name that people mention. Thread-safe enough: last read wins."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._handle = DEFAULT_HANDLE
        self._read_at_s = float("-inf")

    def handle(self) -> str:
        """The default until a worker has learnt it; the last known while Redis is away."""
        now_s = time.monotonic()
        if now_s - self._read_at_s < CACHED_S:
            return self._handle
        try:
            stored = self._redis.hget(KEY, "slug")
        except RedisError:
            return self._handle
        self._read_at_s = now_s
        if stored:
            self._handle = text_of(stored)
        return self._handle

    def learn(self, slug: str) -> None:
        """Keep what the API said."""
        self._redis.hset(KEY, mapping={"slug": slug})
