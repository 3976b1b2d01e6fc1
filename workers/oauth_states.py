"""OAuth's `state`: a secret for one use, bound to the browser that set out with it.

Whoever sends somebody else the second half of their own login would link that person's account to
themselves. So the state counts only together with a cookie that was set when the flow began.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from redis import Redis

STATE_TTL_S = 600
"""GitHub's and Slack's codes live ten minutes; a person needs less."""


@dataclass(frozen=True)
class Started:
    """`state` goes into the address, `cookie` into the browser."""

    state: str
    cookie: str


class OauthStates:
    """States in Redis. `flow` keeps those of GitHub and of Slack apart."""

    def __init__(self, redis: Redis, flow: str) -> None:
        self._redis = redis
        self._flow = flow

    def begin(self, about: Mapping[str, Any]) -> Started:
        """A fresh state that stands for `about` (JSON)."""
        started = Started(secrets.token_urlsafe(32), secrets.token_urlsafe(32))
        record = {"about": dict(about), "cookie": _digest(started.cookie)}
        self._redis.set(self._key(started.state), json.dumps(record), ex=STATE_TTL_S)
        return started

    def read(self, state: str, cookie: str) -> dict[str, Any] | None:
        """What the state stands for; None when it is unknown, used, old or another browser's."""
        stored = self._redis.get(self._key(state)) if len(state) <= 100 else None
        if stored is None:
            return None
        record = json.loads(stored)
        if not hmac.compare_digest(record["cookie"], _digest(cookie)):
            return None
        return dict(record["about"])

    def end(self, state: str) -> None:
        """It was used."""
        self._redis.delete(self._key(state))

    def _key(self, state: str) -> str:
        return f"precedent:oauth:{self._flow}:{_digest(state)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
