"""The bell: tells the pool that something may be due. A lost or doubled ring does not matter."""

from __future__ import annotations

from celery import Celery
from kombu.exceptions import OperationalError
from redis import Redis
from redis.exceptions import RedisError

from workers.event import Lane

TASK_OF_LANE: dict[Lane, str] = {
    "reviews": "precedent.drain_reviews",
    "background": "precedent.drain_background",
}
QUEUE_PREFIX = "precedent:celery:"
ENOUGH_WAITING = 20
"""Rings that wait already wake every thread of a pool; a further one wakes nobody sooner, and costs
Celery a millisecond of processor time, which is what bounds how fast events are accepted."""

EXPIRES_S = 120
"""A ring that nobody heard for so long has been repeated by a sweeper many times."""


def queue_key(lane: Lane) -> str:
    """The Redis list in which Celery keeps the rings of `lane`."""
    return QUEUE_PREFIX + lane


class Bell:
    """Rings Celery. Never raises for a broker that is away: a sweeper rings again.

    With `redis`, the broker's own Redis, it looks first whether enough rings wait.
    """

    def __init__(self, celery: Celery, redis: Redis | None = None) -> None:
        self._celery = celery
        self._redis = redis

    def ring(self, lane: Lane) -> bool:
        """Whether a ring waits now."""
        try:
            if self._redis is not None and _length(self._redis, lane) >= ENOUGH_WAITING:
                return True
            self._celery.send_task(TASK_OF_LANE[lane], queue=lane, expires=EXPIRES_S, retry=False)
        except (OperationalError, RedisError, OSError):
            return False
        return True


def _length(redis: Redis, lane: Lane) -> int:
    return int(redis.llen(queue_key(lane)))
