"""Knobs: make matching requests slow, limited, broken, or answered wrongly after the write."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Phase = Literal["before", "after", "drop", "truncate", "lag"]

PRIMARY_LIMIT = "API rate limit exceeded for installation ID 1."
SECONDARY_LIMIT = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
)


@dataclass
class Fault:
    """What happens to the next `times` requests that match (None: to all of them).

    `path` is a regular expression searched in the path, for example r"/pulls/\\d+/reviews$".
    `phase`:
      before    answer `status` and do nothing; with status 0 only the delay and `run` happen
      after     do it, then answer `status`
      drop      do it, then close the connection without an answer
      truncate  do it, then close the connection in the middle of the answer
      lag       leave the newest item out of a list
    `run` is called before the request is handled, for what happens meanwhile.
    """

    method: str
    path: str
    times: int | None = 1
    phase: Phase = "before"
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    delay_s: float = 0.0
    run: Callable[[], object] | None = None
    hits: int = 0

    def matches(self, method: str, path: str) -> bool:
        is_spent = self.times is not None and self.hits >= self.times
        is_method = self.method in ("*", method)
        return not is_spent and is_method and re.search(self.path, path) is not None


class Faults:
    """The faults in force, oldest first. One request meets the first of each phase."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._faults: list[Fault] = []

    def add(self, method: str, path: str, **how: Any) -> Fault:
        """Add a fault; the keywords are Fault's fields. Raises ValueError or TypeError."""
        fault = Fault(method.upper(), path, **how)
        if fault.phase not in ("before", "after", "drop", "truncate", "lag"):
            raise ValueError(f"phase {fault.phase!r} is unknown; see Fault.")
        re.compile(path)
        with self._lock:
            self._faults.append(fault)
        return fault

    def secondary_rate_limit(
        self,
        method: str,
        path: str,
        *,
        retry_after_s: int | None = 60,
        status: int = 403,
        times: int | None = 1,
    ) -> Fault:
        headers = {} if retry_after_s is None else {"Retry-After": str(retry_after_s)}
        body = {"message": SECONDARY_LIMIT, "documentation_url": "https://docs.github.com/rest"}
        return self.add(method, path, status=status, headers=headers, body=body, times=times)

    def primary_rate_limit(
        self, method: str, path: str, *, reset_at: float, status: int = 403, times: int | None = 1
    ) -> Fault:
        """`reset_at` is when the hour is over, in seconds since the epoch."""
        headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(reset_at))}
        body = {"message": PRIMARY_LIMIT, "documentation_url": "https://docs.github.com/rest"}
        return self.add(method, path, status=status, headers=headers, body=body, times=times)

    def clear(self) -> None:
        with self._lock:
            self._faults = []

    def take(self, method: str, path: str) -> dict[Phase, Fault]:
        """The faults that this request meets, counted as used."""
        met: dict[Phase, Fault] = {}
        with self._lock:
            for fault in self._faults:
                if fault.phase not in met and fault.matches(method, path):
                    fault.hits += 1
                    met[fault.phase] = fault
        return met
