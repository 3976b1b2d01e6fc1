"""Carries webhooks to the web process, in order for each pull request, until each is accepted.

GitHub itself never tries again; here the courier stands for whoever asks for a redelivery, so that
what the web process refused while it or Redis was away does not count as lost.
"""

from __future__ import annotations

import queue
import random
import threading
import time
from collections import Counter

from deploy.sandbox.github.hooks import Delivery, Hooks

RETRY_S = 0.5


class Courier:
    """`take` replaces the stand-in's own sender; `again_chance` of the accepted is sent twice."""

    def __init__(self, hooks: Hooks, *, carriers: int = 8, again_chance: float, seed: int) -> None:
        self._hooks = hooks
        self._again_chance = again_chance
        self._random = random.Random(seed)
        self._queues: list[queue.Queue[Delivery]] = [queue.Queue() for _ in range(carriers)]
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self.outcomes: Counter[str] = Counter()
        self._threads = [
            threading.Thread(target=self._carry, args=(each,), daemon=True) for each in self._queues
        ]

    def start(self) -> Courier:
        self._hooks.post = self.take  # type: ignore[method-assign]
        for thread in self._threads:
            thread.start()
        return self

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def take(self, delivery: Delivery) -> None:
        repository = (delivery.payload.get("repository") or {}).get("id", 0)
        self._queues[hash((repository, _number(delivery))) % len(self._queues)].put(delivery)

    @property
    def waiting(self) -> int:
        return sum(each.unfinished_tasks for each in self._queues)

    def _carry(self, mine: queue.Queue[Delivery]) -> None:
        while not self._stop.is_set():
            try:
                delivery = mine.get(timeout=0.1)
            except queue.Empty:
                continue
            self._deliver(delivery, "accepted")
            if self._random.random() < self._again_chance:
                self._deliver(self._hooks.redelivered(delivery), "again")
            mine.task_done()

    def _deliver(self, delivery: Delivery, what: str) -> None:
        while not self._stop.is_set():
            sent = self._hooks.send(delivery)
            outcome = f"{what}:{sent.status_code}" if sent.status_code < 300 else "refused"
            with self._lock:
                self.outcomes[outcome] += 1
            if sent.status_code < 300:
                return
            time.sleep(RETRY_S)


def _number(delivery: Delivery) -> int:
    payload = delivery.payload
    about = payload.get("pull_request") or payload.get("issue") or {}
    return int(about.get("number") or 0)
