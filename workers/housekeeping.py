"""The hourly job: what is due to be erased, checked, renewed or sealed again."""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog

from graph.convention_book import RESTORE_WITHIN_S
from graph.ledger import Ledger, every_scope
from workers import reconciler
from workers.drain import Outcome
from workers.errors import PrecedentError
from workers.event import Event
from workers.inbox import Inbox, InboxUnavailable, Lease
from workers.installations import reconcile_all
from workers.purging import purge_due
from workers.services import Services

PERIOD_S = 3_600.0
SUBJECT = "housekeeping"

log = structlog.get_logger()


def housekeeping_event(name: str) -> Event:
    return Event(id=f"job:housekeeping{name}", kind="housekeeping", subject=SUBJECT,
                 lane="background")  # fmt: skip


def begin(inbox: Inbox, now: Callable[[], float] = time.time) -> None:
    """Start the chain, at most once an hour however many workers start.

    Its later links share one id, so two chains become one.
    """
    try:
        inbox.accept(housekeeping_event(f":start:{int(now() // PERIOD_S)}"))
    except InboxUnavailable:
        log.warning("housekeeping.not_started")


def on_housekeeping(services: Services, event: Event, lease: Lease) -> Outcome:  # noqa: ARG001
    """Each part by itself: one that fails is logged and tried again in an hour."""
    for name, part in PARTS.items():
        lease.check()
        try:
            part(services)
        except PrecedentError as error:
            log.warning("housekeeping.failed", part=name, reason=error.reason)
    return Outcome(follow_up=(housekeeping_event(""),), follow_up_due_s=PERIOD_S)


def learn_name(services: Services) -> None:
    """The web process calls no API, and learns from us by which name people mention the App."""
    services.handle()


def learn_workspace(services: Services) -> None:
    """In single-token mode the web process learns from us which user mentions mean."""
    slack = services.settings.slack
    if slack is not None and slack.bot_token:
        services.slack_access().learn_here()


def renew_slack_tokens(services: Services) -> None:
    """Tokens that rotate are renewed also where nobody speaks, before their last hour is over."""
    slack = services.settings.slack
    if slack is None or slack.bot_token:
        return
    for installation in services.slack_installations.every():
        if installation.team_id:
            try:
                services.slack_installations.token(
                    installation.team_id, services.slack_access().refresh
                )
            except PrecedentError as error:
                log.warning("slack.not_renewed", team=installation.team_id, reason=error.reason)


def seal_again(services: Services) -> None:
    """After SECRET_KEY was rotated: once this has run, the earlier key can be taken out."""
    count = services.slack_installations.reseal()
    if count:
        log.info("secrets.sealed_again", count=count)


def erase_deleted_words(services: Services) -> None:
    """Conventions deleted longer ago than they can be restored lose their text for good.

    Of every repository and organisation in the store, also those that are registered no more.
    """
    before = services.now() - RESTORE_WITHIN_S
    for scope in every_scope(services.store):
        Ledger(services.store, scope, services.now).erase_text(before)


def sweep_store(services: Services) -> None:
    services.store.sweep()


PARTS: dict[str, Callable[[Services], None]] = {
    "name": learn_name,
    "workspace": learn_workspace,
    "installations": reconcile_all,
    "slack_tokens": renew_slack_tokens,
    "seals": seal_again,
    "purge": lambda services: (purge_due(services), None)[1],
    "deleted_words": erase_deleted_words,
    "store": sweep_store,
    # Should its chain ever have broken, it begins again within the hour.
    "reconciler": lambda services: reconciler.begin(services.inbox, services.now),
}
