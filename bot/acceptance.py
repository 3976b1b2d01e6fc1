"""From a decision to the inbox, and one ring for each lane that got something."""

from __future__ import annotations

from typing import Literal

from bot.decision import Accept
from workers.bell import Bell
from workers.inbox import Inbox


class Acceptance:
    """Store with `accept`, then `ring`: a ring that fails or is never made loses nothing, because a
    sweeper rings again."""

    def __init__(self, inbox: Inbox, bell: Bell) -> None:
        self._inbox = inbox
        self._bell = bell

    def accept(self, decision: Accept) -> Literal["accepted", "duplicate"]:
        """Raises InboxUnavailable when nothing was stored and nothing is claimed as seen."""
        return self._inbox.accept(
            decision.event, also_seen=decision.also_seen, follow=decision.follow
        )

    def ring(self, decision: Accept) -> None:
        """Wake the workers for what was accepted."""
        for lane in {event.lane for event in (decision.event, *decision.follow)}:
            self._bell.ring_soon(lane)
