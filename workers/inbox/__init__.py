"""The durable inbox of events."""

from workers.inbox.inspection import (
    DeadLetter,
    InboxStatus,
    LaneStatus,
    RepositoryStatus,
    RunningEvent,
    WaitingEvent,
)
from workers.inbox.lease import (
    Cancelled,
    DeadlineExceeded,
    Lease,
    LeaseLost,
    Stopping,
)
from workers.inbox.queue import Inbox, InboxUnavailable

__all__ = [
    "Cancelled",
    "DeadLetter",
    "DeadlineExceeded",
    "Inbox",
    "InboxStatus",
    "InboxUnavailable",
    "LaneStatus",
    "Lease",
    "LeaseLost",
    "RepositoryStatus",
    "RunningEvent",
    "Stopping",
    "WaitingEvent",
]
