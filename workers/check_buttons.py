"""What the buttons of a check run do: the pull request is reviewed again, once for each press."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import structlog

from graph.permissions import Refused, may
from workers.check_runs import CheckRuns
from workers.drain import Outcome
from workers.errors import Superseded, Transient
from workers.event import Event
from workers.inbox import Cancelled, Lease, LeaseLost, Stopping
from workers.pull_requests import review
from workers.runs import Run, open_repository, open_run
from workers.services import Services

log = structlog.get_logger()


def on_check_rerequested(services: Services, event: Event, lease: Lease) -> Outcome:
    """ "Re-run", "Re-run all checks" and "Review again", by somebody who may ask for a review.

    The run shows at once that it is in progress: GitHub resets only the suite around it, and a
    report that says the same as before would otherwise leave that open.
    """
    if event.number is None:
        return _one_by_one(services, event, lease)
    with open_run(services, event, lease, f"check:{event.id}") as run:
        context = run.context
        permission = services.permissions.permission(
            context.installation_id, context.repository_id, event.actor_login, event.actor_id or 0
        )
        if isinstance(may("review", permission), Refused):
            log.info("review.refused", reason="permission")
            return Outcome()
        head_sha = context.reader.pull_request(event.number).head_sha
        lease.check()
        # Closing a run is owed also when the lease says to stop.
        identity = services.tokens.identity()
        checks = CheckRuns(run.repository, identity, services.ledger, still_ours=lambda: None)
        # The button of an older head asks for a review as well; the report is the new head's.
        is_new = checks.restart(
            event.number,
            head_sha,
            asked_by=event.id,
            pressed_id=event.check_run_id or 0,
            is_of_head=event.head_sha == head_sha,
        )
        if not is_new:
            log.info("check.pressed_twice", check_run=event.check_run_id)
            return Outcome()
        with _ended(run, checks, head_sha, lease):
            review(services, event, context)
    return Outcome()


def _one_by_one(services: Services, event: Event, lease: Lease) -> Outcome:
    """An event for each pull request whose check run stands on the head."""
    assert event.repository_id is not None
    assert event.head_sha is not None
    with open_repository(services, event, lease) as (repository, _):
        checks = CheckRuns(repository, services.tokens.identity(), services.ledger, lease.check)
        made = checks.made_for(event.head_sha)
    follow_up = [
        replace(
            event,
            id=f"{event.id}:{number}",
            subject=f"pr:{event.repository_id}:{number}",
            number=number,
            check_run_id=run_id,
        )
        for number, run_id in sorted(made.items())
    ]
    return Outcome(follow_up=tuple(follow_up))


@contextmanager
def _ended(run: Run, checks: CheckRuns, head_sha: str, lease: Lease) -> Iterator[None]:
    """A run that was begun anew ends with a reason, whatever becomes of the review."""
    reason: str | None = "Nothing was reviewed; the log of the worker says why."
    try:
        yield
    except (Superseded, Cancelled) as error:
        reason = str(error)
        raise
    except (Transient, Stopping, LeaseLost):
        reason = reason if lease.is_last_attempt else None
        raise
    finally:
        if reason is not None:
            assert run.event.number is not None
            checks.end(run.event.number, head_sha, reason)
