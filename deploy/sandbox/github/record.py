"""What went over the wire: one record per request."""

from __future__ import annotations

import re
import threading
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Call:
    """One request and its answer. `path` lacks the API prefix; `operation` is OpenAPI's name.

    `status` is 0 while the request is in work and when its connection was dropped; `fault` names
    the phases of the faults it met. `body` is the JSON body (None when there was none).
    """

    number: int
    method: str
    path: str
    query: dict[str, str]
    body: Any
    time: float
    request_id: str
    operation: str = ""
    actor: dict[str, Any] = field(default_factory=dict)
    status: int = 0
    fault: str = ""
    duration_s: float = 0.0


@dataclass(frozen=True)
class ContractError:
    """A request that does not fit GitHub's description."""

    operation: str
    where: str
    message: str
    request_id: str


class Record:
    """The calls in order of arrival, and what was wrong with some of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: list[Call] = []
        self.contract_errors: list[ContractError] = []

    def begin(
        self, method: str, path: str, query: dict[str, str], body: Any, time: float, request_id: str
    ) -> Call:
        with self._lock:
            number = self._calls[-1].number + 1 if self._calls else 1
            call = Call(number, method, path, query, body, time, request_id)
            self._calls.append(call)
            return call

    @property
    def calls(self) -> list[Call]:
        with self._lock:
            return list(self._calls)

    def calls_to(self, method: str, path: str = "") -> list[Call]:
        """Calls of a method ("*" for any) whose path or operation matches a regular expression."""
        wanted = re.compile(path)
        return [
            call
            for call in self.calls
            if method in ("*", call.method)
            and (wanted.search(call.path) or wanted.search(call.operation))
        ]

    def refuse(self, operation: str, where: str, message: str, request_id: str) -> None:
        with self._lock:
            self.contract_errors.append(ContractError(operation, where, message, request_id))

    def clear(self) -> None:
        with self._lock:
            self._calls = []
            self.contract_errors = []

    def to_json(self) -> list[dict[str, Any]]:
        return [asdict(call) for call in self.calls]
