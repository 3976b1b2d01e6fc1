"""Which handler works off which kind of event. The only composition of a worker process."""

from __future__ import annotations

from collections.abc import Callable

from workers import learning, pull_requests, slack_messages
from workers.drain import Handler, Outcome
from workers.errors import Permanent
from workers.event import Event, EventKind
from workers.inbox import Lease
from workers.services import Services, build_services
from workers.settings import Settings

ServiceHandler = Callable[[Services, Event, Lease], Outcome]

HANDLERS: dict[EventKind, ServiceHandler] = {
    "pull_request.push": pull_requests.on_push,
    "pull_request.closed": pull_requests.on_closed,
    "check.rerequested": pull_requests.on_check_rerequested,
    "github.comment": pull_requests.on_comment,
    "sign": pull_requests.on_sign,
    "slack.mention": slack_messages.on_mention,
    "slack.command": slack_messages.on_command,
    "slack.action": slack_messages.on_action,
    "learn": learning.on_learn,
}


def build_handler(settings: Settings) -> Handler:
    """The handler of a worker process. Raises ModelUnavailable, and redis' errors."""
    return handler_of(build_services(settings))


def handler_of(services: Services) -> Handler:
    """The handler over services that are built already."""

    def handle(event: Event, lease: Lease) -> Outcome:
        handler = HANDLERS.get(event.kind)
        if handler is None:
            raise Permanent(
                f"Nothing handles events of the kind {event.kind!r}.", reason="kind_not_handled"
            )
        return handler(services, event, lease)

    return handle
