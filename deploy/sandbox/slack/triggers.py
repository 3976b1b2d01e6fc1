"""Trigger ids: the few seconds in which an app may open a view for a person."""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass

TRIGGER_LIFE_S = 3.0  # Slack's documentation of interactivity


@dataclass
class _Trigger:
    user_id: str
    team_id: str
    expires_at: float
    is_used: bool = False
    view_id: str | None = None


class Triggers:
    """Issues trigger ids and exchanges each at most once, before it expires."""

    def __init__(self, life_s: float = TRIGGER_LIFE_S) -> None:
        self.life_s = life_s
        self._triggers: dict[str, _Trigger] = {}
        self._lock = threading.Lock()

    def issue(self, team_id: str, user_id: str, view_id: str | None = None) -> str:
        """A fresh trigger id; `view_id` is the modal in which the person acted."""
        trigger_id = (
            f"{int(time.time() * 1000)}.{secrets.randbelow(10**12)}.{secrets.token_hex(16)}"
        )
        with self._lock:
            self._triggers[trigger_id] = _Trigger(
                user_id, team_id, time.monotonic() + self.life_s, view_id=view_id
            )
        return trigger_id

    def exchange(self, team_id: str, trigger_id: str) -> tuple[str, str | None] | str:
        """(user id, view id) for a good trigger, else Slack's error code."""
        with self._lock:
            trigger = self._triggers.get(trigger_id)
            if trigger is None or trigger.team_id != team_id:
                return "invalid_trigger_id"
            if trigger.is_used:
                return "exchanged_trigger_id"
            if time.monotonic() > trigger.expires_at:
                return "expired_trigger_id"
            trigger.is_used = True
            return trigger.user_id, trigger.view_id
