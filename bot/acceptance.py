"""From a decision to the inbox, and one ring for each lane that got something."""

from __future__ import annotations

from typing import Literal

from bot.decision import Accept
from workers.bell import Bell
from workers.inbox import Inbox


class Acceptance:
    """Stores first, rings afterwards: a ring that fails loses nothing, a sweeper rings again."""

    def __init__(self, inbox: Inbox, bell: Bell) -> None:
        self._inbox = inbox
        self._bell = bell

    def accept(self, decision: Accept) -> Literal["accepted", "duplicate"]:
        """Raises InboxUnavailable when nothing was stored and nothing is claimed as seen."""
        outcome = self._inbox.accept(
            decision.event, also_seen=decision.also_seen, follow=decision.follow
        )
        if outcome == "accepted":
            for lane in {event.lane for event in (decision.event, *decision.follow)}:
                self._bell.ring(lane)
        return outcome
