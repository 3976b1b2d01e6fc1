"""Rings again for what is due: lost rings, ended waits, leases of workers that went away."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import structlog
from redis.exceptions import RedisError

from workers.bell import Bell, queue_key
from workers.event import Lane
from workers.inbox import Inbox

PERIOD_S = 1.0
TICK_KEY = "precedent:inbox:tick"
TICK_MS = 900
"""Shorter than the period, so that of many processes about one a second sweeps."""

MAX_RINGS = 50

log = structlog.get_logger()


class Sweeper:
    """A thread per worker process; one of them at a time does the work."""

    def __init__(self, inbox: Inbox, bell: Bell, lanes: Sequence[Lane]) -> None:
        self._inbox = inbox
        self._bell = bell
        self._lanes = lanes
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sweeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def sweep(self) -> int:
        """Ring once for each due event that no ring waits for; answers how many rings.

        Does nothing when another process swept a moment ago. Raises redis' errors.
        """
        redis = self._inbox.redis
        if not redis.set(TICK_KEY, "1", nx=True, px=TICK_MS):
            return 0
        rings = 0
        for lane in self._lanes:
            missing = self._inbox.due_count(lane) - int(redis.llen(queue_key(lane)))
            rings += sum(self._bell.ring(lane) for _ in range(min(MAX_RINGS, missing)))
        return rings

    def _run(self) -> None:
        while not self._stop.wait(PERIOD_S):
            try:
                self.sweep()
            except RedisError as error:
                log.warning("sweeper.failed", error=type(error).__name__)
