"""Which handler works off which kind of event. The only composition of a worker process."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from workers import (
    backtests,
    check_buttons,
    github_login,
    housekeeping,
    indexing,
    installations,
    learning,
    pull_requests,
    reconciler,
    slack_home,
    slack_interactions,
    slack_lifecycle,
    slack_messages,
    slack_posts,
)
from workers.drain import Handler, Outcome
from workers.errors import Permanent, Transient
from workers.event import Event, EventKind
from workers.github_limits import UNAVAILABLE_S, NotFound
from workers.inbox import Lease
from workers.meant_repository import OUT_OF_REACH
from workers.metrics import Metrics
from workers.services import Services, build_services
from workers.settings import Settings

ServiceHandler = Callable[[Services, Event, Lease], Outcome]

HANDLERS: dict[EventKind, ServiceHandler] = {
    "pull_request.push": pull_requests.on_push,
    "pull_request.closed": pull_requests.on_closed,
    "check.rerequested": check_buttons.on_check_rerequested,
    "github.comment": pull_requests.on_comment,
    "sign": pull_requests.on_sign,
    "slack.mention": slack_messages.on_mention,
    "slack.command": slack_interactions.on_command,
    "slack.action": slack_interactions.on_action,
    "slack.home": slack_home.on_home,
    "learn": learning.on_learn,
    "index": indexing.on_index,
    "backtest": backtests.on_backtest,
    "slack.lifecycle": slack_lifecycle.on_lifecycle,
    "slack.oauth": slack_lifecycle.on_oauth,
    "slack.post": slack_posts.on_post,
    "github.oauth": github_login.on_oauth,
    "installation": installations.on_installation,
    "repository": installations.on_repository,
    "housekeeping": housekeeping.on_housekeeping,
    "reconcile": reconciler.on_reconcile,
}


ALWAYS_RUN: frozenset[EventKind] = frozenset(
    {"installation", "repository", "housekeeping", "reconcile"}
)

LAGGING_ATTEMPTS = 2
"""GitHub announces what its own replicas answer 404 for, for some seconds; later it is gone."""

log = structlog.get_logger()


def build_handler(settings: Settings, metrics: Metrics) -> Handler:
    """The handler of a worker process. Raises ModelUnavailable, and redis' errors."""
    services = build_services(settings, metrics=metrics)
    housekeeping.begin(services.inbox)
    reconciler.begin(services.inbox)
    return handler_of(services)


def handler_of(services: Services) -> Handler:
    """The handler over services that are built already."""

    def handle(event: Event, lease: Lease) -> Outcome:
        handler = HANDLERS.get(event.kind)
        if handler is None:
            raise Permanent(
                f"Nothing handles events of the kind {event.kind!r}.", reason="kind_not_handled"
            )
        reason = _why_not(services, event)
        if reason:
            return _ended(reason)
        try:
            return handler(services, event, lease)
        except NotFound as error:
            if lease.attempt > LAGGING_ATTEMPTS:
                raise
            raise Transient(str(error), retry_after_s=UNAVAILABLE_S, reason=error.reason) from error
        except Permanent as error:
            if error.reason not in OUT_OF_REACH:
                raise
            # Suspended or removed while the event waited: nobody can be told, nothing is to do.
            return _ended(error.reason)

    return handle


def _why_not(services: Services, event: Event) -> str:
    """Why nothing is done for an event of an installation or repository that we have lost."""
    if event.kind in ALWAYS_RUN:
        return ""
    return services.installations.why_not(event.installation_id, event.repository_id)


def _ended(reason: str) -> Outcome:
    """Quietly: a suspended installation is no dead letter for each of its events."""
    log.info("event.not_run", reason=reason)
    return Outcome()
