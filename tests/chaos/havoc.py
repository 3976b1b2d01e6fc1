"""Kills and stops processes while the events run, and starts again what died."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections import Counter
from dataclasses import dataclass

from tests.chaos.stack import ChaosStack


@dataclass(frozen=True)
class Pause:
    """A process was stopped for a while."""

    pid: int
    began_s: float
    ended_s: float


@dataclass(frozen=True)
class Plan:
    """Seconds between two blows at workers; the share of them that are pauses; how often else.

    After `blows` there are no more: on a slow machine a worker that takes longer to start than the
    next blow takes to come would never work. None goes on until the events are done.
    """

    every_s: float = 6.0
    pause_share: float = 0.3
    pause_s: float = 8.0
    redis_kills: int = 2
    redis_down_s: float = 1.5
    web_kills: int = 1
    first_s: float = 3.0
    blows: int | None = None


class Havoc:
    """A thread that strikes, and a supervisor. `stop` leaves everything running."""

    def __init__(self, stack: ChaosStack, plan: Plan, seed: int) -> None:
        self._stack = stack
        self._plan = plan
        self._random = random.Random(seed)
        self._stop = threading.Event()
        self.counts: Counter[str] = Counter()
        self.pauses: list[Pause] = []
        self._threads = [
            threading.Thread(target=run, daemon=True) for run in (self._strike, self._supervise)
        ]

    def start(self) -> Havoc:
        for thread in self._threads:
            thread.start()
        return self

    def stop(self) -> None:
        """No more blows; the supervisor goes on until `end`."""
        self._stop.set()
        self._threads[0].join()

    def end(self) -> None:
        self.stop()
        self._stack.is_ending = True
        self._threads[1].join()

    def _strike(self) -> None:
        others = ["redis"] * self._plan.redis_kills + ["web"] * self._plan.web_kills
        self._random.shuffle(others)
        pause_s = self._plan.first_s
        blows = 0
        while blows != self._plan.blows and not self._stop.wait(pause_s):
            pause_s = self._plan.every_s * self._random.uniform(0.7, 1.3)
            blows += 1
            if others and blows % 2 == 0:
                self._hit_other(others.pop())
            else:
                self._hit_worker()

    def _hit_worker(self) -> None:
        name = self._random.choice(self._stack.worker_names)
        if self._random.random() < self._plan.pause_share:
            self._pause(name)
        elif self._stack.end(name, signal.SIGKILL):
            self.counts["workers killed"] += 1

    def _hit_other(self, what: str) -> None:
        self.counts[f"{what} killed"] += 1
        if what == "web":
            self._stack.end("web", signal.SIGKILL)
            return
        self._stack.redis_server.kill()
        time.sleep(self._plan.redis_down_s)
        self._stack.redis_server.start()

    def _pause(self, name: str) -> None:
        began_s = time.monotonic()
        pid = self._stack.end(name, signal.SIGSTOP)
        if not pid:
            return
        self.counts["workers paused"] += 1
        self._stop.wait(self._plan.pause_s)
        self._stack.end(name, signal.SIGCONT)
        self.pauses.append(Pause(pid, began_s, time.monotonic()))

    def _supervise(self) -> None:
        while not self._stack.is_ending:
            for name in self._stack.revive():
                self.counts["web started again" if name == "web" else "workers started again"] += 1
            time.sleep(0.3)
