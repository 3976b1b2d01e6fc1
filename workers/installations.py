"""The life of installations and repositories: what GitHub tells, checked against what it is.

Deliveries come late and out of order, so an event only says where to look: the API says what the
installation holds now, and what is missing there is lost. Nobody is greeted with a comment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import structlog

from graph.convention_book import ConventionBook
from graph.conventions import Source
from graph.ledger import Scope
from workers.drain import Outcome
from workers.event import Event
from workers.github_limits import InstallationSuspended, NotFound
from workers.inbox import Lease
from workers.installation_registry import Installation, KnownRepository
from workers.services import Services

log = structlog.get_logger()


def on_installation(services: Services, event: Event, lease: Lease) -> Outcome:
    """Created, deleted, suspended, unsuspended, permissions accepted, repositories changed."""
    assert event.installation_id is not None
    lease.check()
    if event.action == "deleted" and "repositories" not in event.arguments:
        _remove(services, event.installation_id, event.account_id)
    else:
        # A token keeps the permissions and repositories of the moment at which it was minted.
        services.tokens.forget_installation(event.installation_id)
        reconcile(services, event.installation_id)
    return Outcome()


def on_repository(services: Services, event: Event, lease: Lease) -> Outcome:
    """Renamed, transferred, archived, made private or public, deleted."""
    assert event.repository_id is not None
    lease.check()
    known = services.installations.repository(event.repository_id)
    installation_id = event.installation_id or (known.installation_id if known else None)
    if event.action == "transferred" and known is not None:
        # Before anything else: the new owner's conventions are not the old owner's. The delivery
        # names one of the two, so the registry is asked whose the repository was.
        _freeze(services, known.id, known.account_id, event.account_id)
    is_theirs = known is not None and known.installation_id == installation_id
    if event.action == "deleted" and (known is None or is_theirs):
        _lose(services, event.repository_id)
    elif installation_id is not None:
        reconcile(services, installation_id)
    return Outcome()


def reconcile(services: Services, installation_id: int) -> None:
    """Make the registry say what the API says of one installation.

    Raises Transient when GitHub does not answer; nothing is lost for that.
    """
    with services.tokens.app_client() as client:
        try:
            about = client.get(f"/app/installations/{installation_id}")
        except NotFound:
            _remove(services, installation_id, None)
            return
    before = services.installations.installation(installation_id)
    is_suspended = bool(about.get("suspended_at"))
    installation = Installation(
        id=installation_id,
        account_id=int(about["account"]["id"]),
        account=str(about["account"]["login"]),
        active_since=before.active_since if before else services.now(),
        is_suspended=is_suspended,
    )
    services.installations.put_installation(installation)
    if is_suspended:
        services.tokens.forget_installation(installation_id)
        log.info("installation.suspended", installation=installation_id)
        return
    _reconcile_repositories(services, installation_id)


def reconcile_all(services: Services) -> None:
    """Every installation of the App, and those that the App has lost without our hearing of it."""
    with services.tokens.app_client() as client:
        there = [int(one["id"]) for one in client.pages("/app/installations")]
    known = [i.id for i in services.installations.installations() if i.removed_at is None]
    for installation_id in sorted({*there, *known}):
        reconcile(services, installation_id)


def note_repository(
    services: Services, installation_id: int, about: Mapping[str, Any]
) -> KnownRepository:
    """Keep what the API says of a repository that the installation holds.

    Another owner than before freezes its conventions; a new name reaches the channels' links.
    """
    now = services.now()
    repository = KnownRepository(
        id=int(about["id"]),
        installation_id=installation_id,
        account_id=int(about["owner"]["id"]),
        name=str(about["full_name"]),
        is_private=bool(about["private"]),
        is_archived=bool(about.get("archived")),
        active_since=now,
    )
    before = services.installations.repository(repository.id)
    if before is not None and replace(repository, active_since=before.active_since) == before:
        return before
    if before is not None:
        _freeze(services, repository.id, before.account_id, repository.account_id)
    services.installations.put_repository(repository)
    services.channels.refresh(
        repository.id, installation_id, repository.account_id, repository.name
    )
    return repository


def _reconcile_repositories(services: Services, installation_id: int) -> None:
    with services.tokens.client(installation_id) as client:
        try:
            listed = list(client.pages("/installation/repositories", key="repositories"))
        except InstallationSuspended:
            return  # suspended since; its own event says so
    held = {note_repository(services, installation_id, about).id for about in listed}
    for repository in services.installations.repositories_of(installation_id):
        if repository.id not in held:
            _lose(services, repository.id)
    log.info("installation.reconciled", installation=installation_id, repositories=len(held))


def _remove(services: Services, installation_id: int, account_id: int | None) -> None:
    """The installation is gone: no token of it stays, its data waits for the purge."""
    services.tokens.forget_installation(installation_id)
    known = services.installations.installation(installation_id) or Installation(
        installation_id, account_id or 0, "", services.now()
    )
    for repository in services.installations.repositories_of(installation_id):
        services.channels.forget_repository(repository.id)
    services.installations.lose_installation(known, services.now())
    log.info("installation.removed", installation=installation_id)


def _lose(services: Services, repository_id: int) -> None:
    services.channels.forget_repository(repository_id)
    services.installations.lose_repository(repository_id, services.now())
    log.info("repository.lost", repo=repository_id)


def _freeze(services: Services, repository_id: int, before_id: int, owner_id: int | None) -> None:
    if owner_id is None or before_id == owner_id:
        return
    book = ConventionBook(services.store, Scope("repository", repository_id), services.now)
    if book.is_frozen():
        return
    by = Source(place="github", name="transfer", said_at=services.now())
    book.freeze(by, f"transfer:{before_id}:{owner_id}:{services.now():.0f}")
    log.info("repository.transferred", repo=repository_id)
