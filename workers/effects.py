"""What has been done to the outside: an intent before, the outcome after.

An effect with an intent and no outcome is in doubt: it may have happened. Whoever repeats it looks
for its mark first. What remains: a process that is paused between its look and its post for
longer than its lease may post once more. Reviews do not have this gap (see `workers.publishing`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import redis

EFFECT_TTL_S = 90 * 24 * 3_600
"""As long as the threads of a pull request are kept: a late redelivery must find what was done."""


@dataclass(frozen=True)
class Effect:
    """The record of one effect. `outcome` is None while it is in doubt.

    `intended_at` is when the first attempt began, in seconds since the epoch.
    """

    intended_at: float
    outcome: Mapping[str, Any] | None = field(default=None)


class EffectLedger:
    """Effect records in Redis, by key."""

    def __init__(self, store: redis.Redis, now: Callable[[], float] = time.time) -> None:
        self._store = store
        self._now = now

    def read(self, key: str) -> Effect | None:
        """The record, or None when this effect was never begun."""
        data = self._store.get(_name(key))
        if data is None:
            return None
        record = json.loads(data)
        return Effect(record["at"], record.get("outcome"))

    def intend(self, key: str) -> Effect:
        """Record that the effect is about to happen. An intent or outcome that is there stays."""
        record = json.dumps({"at": self._now()})
        self._store.set(_name(key), record, ex=EFFECT_TTL_S, nx=True)
        return self.read(key) or Effect(self._now())

    def done(self, key: str, outcome: Mapping[str, Any]) -> None:
        """Record what came of it."""
        before = self.read(key)
        at = before.intended_at if before else self._now()
        record = json.dumps({"at": at, "outcome": dict(outcome)})
        self._store.set(_name(key), record, ex=EFFECT_TTL_S)

    def forget(self, key: str) -> None:
        """Take back an intent whose effect surely did not happen."""
        self._store.delete(_name(key))


def _name(key: str) -> str:
    return f"precedent:fx:{key}"
