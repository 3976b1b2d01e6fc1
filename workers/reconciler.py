"""Every five minutes: what GitHub could not deliver, and what was pushed and never reviewed.

GitHub tries a delivery once. A delivery that failed is asked for again under its own GUID, so the
inbox knows it if it came through after all. A head that nobody told us of, or whose event was
lost, is found by looking at the open pull requests. One process at a time does this: it is an
event of its own subject, and stores its successor when it is done.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

import structlog

from workers.check_marks import NAME as CHECK_RUN
from workers.drain import Outcome
from workers.errors import PrecedentError, RateLimited
from workers.event import Event
from workers.github_client import RepositoryClient
from workers.inbox import Inbox, InboxUnavailable, Lease
from workers.installation_registry import KnownRepository
from workers.services import Services

PERIOD_S = 300.0
SUBJECT = "reconcile"

REDELIVERABLE_S = 3 * 86_400.0
"""GitHub keeps deliveries for three days and redelivers nothing older."""

MAX_ATTEMPTS = 20
"""Of one delivery. Past this it is not an outage: somebody has to look."""

MAX_REDELIVERIES = 100
MAX_REPOSITORIES = 50
"""Of one cycle, the longest unseen first: about 600 calls an hour of the 5,000 that are allowed."""

GRACE_S = 120.0
"""A pull request that changed so recently may have its delivery still on the way."""

HOPELESS = frozenset({400, 413})
"""Answers of ours that the same bytes would get again."""

SEEN_KEY = "precedent:reconciler:repositories"

log = structlog.get_logger()


def reconcile_event(name: str = "") -> Event:
    return Event(id=f"job:reconcile{name}", kind="reconcile", subject=SUBJECT, lane="background")


def begin(inbox: Inbox, now: Callable[[], float] = time.time) -> None:
    """Start the chain, at most once a period; its later links share one id, so chains merge."""
    try:
        inbox.accept(reconcile_event(f":start:{int(now() // PERIOD_S)}"))
    except InboxUnavailable:
        log.warning("reconciler.not_started")


def on_reconcile(services: Services, event: Event, lease: Lease) -> Outcome:  # noqa: ARG001
    """Both parts, each by itself; what fails is logged and tried again in the next cycle."""
    for part in (redeliver_failed, enqueue_unreviewed):
        lease.check()
        try:
            part(services, lease)
        except PrecedentError as error:
            lease.check()  # a lease that ended, or a shutdown, is no failure of the part
            log.warning("reconciler.failed", part=part.__name__, reason=error.reason)
    return Outcome(follow_up=(reconcile_event(),), follow_up_due_s=PERIOD_S)


def redeliver_failed(services: Services, lease: Lease) -> int:
    """Ask for each failed delivery again, once for each attempt that failed; answers how many."""
    asked = 0
    with services.tokens.app_client() as client:
        listed = client.linked("/app/hook/deliveries", status="failure", per_page=100)
        failed = list(_recent(listed, services.now() - REDELIVERABLE_S))
        attempts = Counter(delivery["guid"] for delivery in failed)
        newest = {delivery["guid"]: delivery for delivery in reversed(failed)}
        for delivery in list(newest.values())[:MAX_REDELIVERIES]:
            if delivery["status_code"] in HOPELESS or attempts[delivery["guid"]] > MAX_ATTEMPTS:
                continue
            key = f"precedent:redelivered:{delivery['id']}"
            if not services.redis.set(key, "1", nx=True, ex=int(REDELIVERABLE_S)):
                continue
            lease.check()
            client.post(f"/app/hook/deliveries/{delivery['id']}/attempts", {}, has_id=False)
            asked += 1
    if asked:
        services.metrics.count("precedent_reconciled_total", asked, what="delivery")
        log.info("reconciler.redelivered", deliveries=asked)
    return asked


def enqueue_unreviewed(services: Services, lease: Lease) -> int:
    """Find open pull requests without a finished review of their head; answers how many."""
    found = 0
    for repository in _longest_unseen(services):
        lease.check()
        try:
            found += _enqueue_of(services, repository, lease)
        except RateLimited:
            raise
        except PrecedentError as error:
            lease.check()
            log.info("reconciler.skipped", repo=repository.id, reason=error.reason)
        services.redis.zadd(SEEN_KEY, {str(repository.id): services.now()})
    if found:
        services.metrics.count("precedent_reconciled_total", found, what="pull_request")
    return found


def _enqueue_of(services: Services, repository: KnownRepository, lease: Lease) -> int:
    found = 0
    client = services.tokens.repository(repository.installation_id, repository.id)
    with client.client:
        for pull in _changed_since(client, repository.active_since):
            lease.check()
            if _is_unreviewed(services, client, repository, pull):
                services.inbox.accept(_push(repository, pull))
                log.info("reconciler.enqueued", repo=repository.id, number=pull["number"])
                found += 1
    return found


def _changed_since(client: RepositoryClient, since: float) -> Iterator[Mapping[str, Any]]:
    """Open pull requests, the last changed first, until they are older than the activation."""
    for pull in client.pages("/pulls", state="open", sort="updated", direction="desc"):
        if _seconds(pull["updated_at"]) < int(since):  # GitHub's times are whole seconds
            return
        yield pull


def _is_unreviewed(
    services: Services, client: RepositoryClient, repository: KnownRepository,
    pull: Mapping[str, Any],
) -> bool:  # fmt: skip
    """From what costs nothing to what costs a call."""
    head_sha, number = str(pull["head"]["sha"]), int(pull["number"])
    if services.now() - _seconds(pull["updated_at"]) < GRACE_S:
        return False
    place = (("reviews", str(repository.id)), f"{number}@{head_sha}")
    if services.store.read([place])[0] is not None:
        return False
    if services.inbox.list_events(f"pr:{repository.id}:{number}"):
        return False
    runs = client.get(
        f"/commits/{head_sha}/check-runs", check_name=CHECK_RUN,
        app_id=services.tokens.identity().app_id,
    )["check_runs"]  # fmt: skip
    if any(run["status"] == "completed" for run in runs):
        return False
    commit = client.get(f"/commits/{head_sha}")["commit"]
    return _seconds(commit["committer"]["date"]) >= int(repository.active_since)


def _push(repository: KnownRepository, pull: Mapping[str, Any]) -> Event:
    """Its id is made of what it is about, so that one head is enqueued once a week at most."""
    number, head_sha = int(pull["number"]), str(pull["head"]["sha"])
    return Event(
        id=f"job:reconcile:{repository.id}:{number}:{head_sha}",
        kind="pull_request.push",
        subject=f"pr:{repository.id}:{number}",
        action="reconcile",
        installation_id=repository.installation_id,
        account_id=repository.account_id,
        repository_id=repository.id,
        number=number,
        head_sha=head_sha,
    )


def _longest_unseen(services: Services) -> list[KnownRepository]:
    """The repositories that work is done for, those not looked at for longest first."""
    registry = services.installations
    held = [
        repository
        for installation in registry.installations()
        for repository in registry.repositories_of(installation.id)
        if not registry.why_not(installation.id, repository.id)
    ]
    pairs: Any = services.redis.zrange(SEEN_KEY, 0, -1, withscores=True)
    seen = {int(name): at for name, at in pairs}
    return sorted(held, key=lambda repository: seen.get(repository.id, 0.0))[:MAX_REPOSITORIES]


def _recent(deliveries: Iterator[Mapping[str, Any]], since: float) -> Iterator[Mapping[str, Any]]:
    """The list is newest first. A server that does not know the filter lists successes too."""
    for delivery in deliveries:
        if _seconds(delivery["delivered_at"]) < since:
            return
        if not 200 <= int(delivery["status_code"]) < 400:
            yield delivery


def _seconds(iso: str) -> float:
    return datetime.fromisoformat(iso.replace("Z", "+00:00")).timestamp()
