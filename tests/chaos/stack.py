"""Everything as real processes, several workers of them, each of which may die at any moment."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

from deploy.sandbox.redis_server import EmbeddedRedis, free_port
from deploy.sandbox.stack import Stack
from tests.chaos.model_endpoint import LoopbackModel
from tests.chaos.peers import finder

ROOT = Path(__file__).parents[2]
STATEMENTS = ("/comments", "/replies", "/reviews", "/events", "/check-runs")
"""Ends of the paths of writes that people see."""

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]


class ChaosStack(Stack):
    """A stack with `worker_count` workers, Redis with `appendfsync always`, and a loopback model.

    GitHub kills the worker that a write came from with the chance `post_kill_chance`, after the
    write was applied and before it is answered: exactly between "posted" and "recorded".
    """

    def __init__(
        self,
        directory: Path,
        *,
        worker_count: int = 4,
        threads: int = 4,
        lease_s: float = 5.0,
        mutant: str = "",
        post_kill_chance: float = 0.0,
        model_delay_s: float = 0.2,
        seed: int = 1,
        celery_app: str = "tests.chaos.worker",
        web_processes: int = 1,
    ) -> None:
        self.model = LoopbackModel(model_delay_s, finder(self.pids)).start()
        super().__init__(
            directory,
            environment={
                "PYTHONPATH": str(ROOT),
                "CHAOS_LEASE_S": str(lease_s),
                "CHAOS_MUTANT": mutant,
                "REVIEW_MODEL": "gemini-3.8-flash",
                "GOOGLE_API_KEY": "loopback-key",
                "GOOGLE_GEMINI_BASE_URL": self.model.url,
                "REVIEW_QUIET_S": "0.5",
                "REVIEW_MAX_WAIT_S": "3",
            },
        )
        self.worker_names = [f"worker{number}" for number in range(worker_count)]
        self.post_kill_chance = post_kill_chance
        self.post_kills = 0
        self.is_ending = False
        self._threads = threads
        self._celery_app = celery_app
        self._web_processes = web_processes
        self._random = random.Random(seed)
        self._supervising = threading.Lock()
        self.web_port = free_port()

    def start(self) -> ChaosStack:
        """Without the seeded world: `tests.chaos.world` fills the stand-in."""
        self.directory.mkdir(parents=True, exist_ok=True)
        self._redis = EmbeddedRedis(self.directory / "redis", fsync="always").start()
        self.redis_url = self._redis.url
        self.web_url = f"http://127.0.0.1:{self.web_port}"
        self._start_sandbox()
        self._hear_writes()
        self.start_web(self.web_port, self._web_processes)
        for name in self.worker_names:
            self.spawn_worker(name)
        return self

    def stop(self) -> None:
        self.is_ending = True
        for name in self.worker_names:
            self.end(name, signal.SIGKILL)
        super().stop()
        self.model.stop()

    @property
    def redis_server(self) -> EmbeddedRedis:
        assert self._redis is not None
        return self._redis

    def pids(self) -> list[int]:
        """Of the workers that run or are stopped."""
        workers = [self._processes.get(name) for name in self.worker_names]
        return [worker.pid for worker in workers if worker is not None]

    def spawn_worker(self, name: str) -> None:
        """Start a worker without waiting for it."""
        options = ["-P", "threads", "-c", str(self._threads), "-Q", "reviews,background"]
        options += ["-n", f"{name}-{os.getpid()}@%h", "--without-gossip", "--without-mingle"]
        self._spawn(name, ["celery", "-A", self._celery_app, "worker", *options])

    def wait_for_worker(self, name: str = "worker0") -> None:
        self._wait_for(name, lambda: b"worker.ready" in self.log(name))

    def revive(self) -> list[str]:
        """What a supervisor does: start again what ended. Answers the names."""
        revived = []
        with self._supervising:
            if self.is_ending:
                return []
            for name in [*self.worker_names, "web"]:
                process = self._processes.get(name)
                if process is None or process.poll() is None:
                    continue
                revived.append(name)
                if name == "web":
                    self.start_web(self.web_port, self._web_processes)
                else:
                    self.spawn_worker(name)
        return revived

    def end(self, name: str, how: signal.Signals) -> int:
        """Signal one process; answers its pid, 0 when it does not run."""
        process = self._processes.get(name)
        if process is None or process.poll() is not None:
            return 0
        process.send_signal(how)
        if how in (signal.SIGKILL, signal.SIGTERM):
            process.wait(60)
        return process.pid

    def _hear_writes(self) -> None:
        """Put the assassin between GitHub and whoever wrote."""
        inner = self.sandbox.app
        whose = finder(self.pids)

        async def app(scope: Message, receive: Any, send: Send) -> None:
            async def answer(message: Message) -> None:
                if self._strikes(scope, message):
                    self._kill_writer(whose(scope["client"][1]))
                await send(message)

            await inner(scope, receive, answer)

        self.sandbox.stop()
        self.sandbox.app = app
        self.sandbox.start()

    def _strikes(self, scope: Message, message: Message) -> bool:
        if scope["type"] != "http" or message["type"] != "http.response.start":
            return False
        is_statement = scope["method"] in ("POST", "PATCH") and scope["path"].endswith(STATEMENTS)
        is_said = is_statement and message["status"] < 300
        return is_said and self._random.random() < self.post_kill_chance

    def _kill_writer(self, pid: int) -> None:
        if pid:
            os.kill(pid, signal.SIGKILL)
            self.post_kills += 1


def ended(process: subprocess.Popen[bytes]) -> bool:
    return process.poll() is not None
