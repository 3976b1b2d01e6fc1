"""Running Lua scripts on one Redis, whatever its client decodes and whatever it has forgotten."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import NoPermissionError, NoScriptError


class ClusterRefused(RuntimeError):  # noqa: N818
    """Our scripts touch several keys at once, which a Redis Cluster can't do."""

    reason = "redis_cluster_unsupported"

    def __init__(self) -> None:
        super().__init__(
            "Redis Cluster is not supported: one script touches several keys. "
            "Set REDIS_URL to a single Redis or to a master behind Sentinel."
        )


class Scripts:
    """The scripts of one directory: `shared.lua` and, behind it, the file of each name.

    Raises ClusterRefused, here or on the first command, on a Redis Cluster.
    """

    def __init__(self, redis: object, directory: Path) -> None:
        if not isinstance(redis, Redis):
            if "Cluster" in type(redis).__name__:
                raise ClusterRefused
            raise TypeError(f"This needs a redis.Redis, not a {type(redis).__name__}.")
        self._redis: Redis = redis
        self._directory = directory
        self._is_checked = False

    def run(self, name: str, *arguments: bytes) -> Any:
        """Run a script by its digest, and by its text when Redis has forgotten it."""
        text, digest = _script(self._directory, name)
        try:
            return self.execute("EVALSHA", digest, 0, *arguments)
        except NoScriptError:
            return self.execute("EVAL", text, 0, *arguments)

    def execute(self, *command: Any) -> Any:
        """One command. Answers stay bytes: what we store may be more than UTF-8 can decode."""
        if not self._is_checked:
            self._refuse_cluster()
        execute: Callable[..., Any] = self._redis.execute_command
        return execute(*command, NEVER_DECODE=True)

    def _refuse_cluster(self) -> None:
        try:
            information = self._redis.info("cluster")
        except NoPermissionError:
            information = {}  # a locked-down user; a cluster would answer the script with an error
        if information.get("cluster_enabled"):
            raise ClusterRefused
        self._is_checked = True


@cache
def _script(directory: Path, name: str) -> tuple[bytes, str]:
    """A script's text, behind what all of them share, and its SHA-1 by which Redis knows it."""
    text = b"".join((directory / f"{part}.lua").read_bytes() for part in ("shared", name))
    return text, hashlib.sha1(text, usedforsecurity=False).hexdigest()
