"""Bad days on demand: slow, limited, failing or cut answers of the Web API."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field


@dataclass
class Fault:
    """What happens to the next `times` calls of `method` (`*` matches every method).

    `delay_s` comes first. Then one of: `status` with `error` in the body (429 carries
    `retry_after_s`), `error` alone as an ordinary refusal with status 200, or
    `drop_connection`. With `apply` the call takes effect before the failure, as when an answer is
    lost on its way. `skip` lets that many matching calls pass first.
    """

    method: str
    times: int = 1
    skip: int = 0
    delay_s: float = 0.0
    status: int | None = None
    error: str | None = None
    retry_after_s: int = 1
    apply: bool = False
    drop_connection: bool = False

    @property
    def is_only_slow(self) -> bool:
        return self.status is None and self.error is None and not self.drop_connection


@dataclass
class Faults:
    """The faults still to come, in the order in which they were added."""

    _waiting: list[Fault] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def add(self, fault: Fault) -> Fault:
        with self._lock:
            self._waiting.append(fault)
        return fault

    def clear(self) -> None:
        with self._lock:
            self._waiting.clear()

    def take(self, method: str) -> Fault | None:
        """The fault that strikes this call, counted down; None for a good day."""
        with self._lock:
            for fault in self._waiting:
                if fault.method not in ("*", method):
                    continue
                if fault.skip > 0:
                    fault.skip -= 1
                    continue
                fault.times -= 1
                if fault.times <= 0:
                    self._waiting.remove(fault)
                return fault
            return None
