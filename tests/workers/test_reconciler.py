"""What the reconciler finds again: deliveries nobody took, heads nobody told us of."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from deploy.sandbox.redis_server import free_port
from tests.workers.stage import Stage
from workers import reconciler
from workers.event import Event
from workers.installations import reconcile_all
from workers.services import Services

LATER_S = reconciler.GRACE_S + 10


@pytest.fixture
def later(stage: Stage) -> Stage:
    """The stage with everything done, our registry filled, and our clock past the grace."""
    time.sleep(1.1)  # what the seed pushed is older than the activation, in whole seconds
    reconcile_all(stage.services)
    stage.work()
    stage.github.hooks.deliveries.clear()
    clock = stage.services.now
    stage.services = replace(stage.services, now=lambda: clock() + LATER_S)
    return stage


def cycle(stage: Stage) -> None:
    outcome = stage.handle(reconciler.reconcile_event())
    assert [e.id for e in outcome.follow_up] == ["job:reconcile"]
    assert outcome.follow_up_due_s == 300


def waiting(services: Services, subject: str) -> list[str]:
    return [event.id for event in services.inbox.list_events(subject)]


def unheard(stage: Stage) -> str:
    """A push whose delivery fails because our web is away; answers its guid."""
    url, stage.github.hooks.url = stage.github.hooks.url, f"http://127.0.0.1:{free_port()}/"
    stage.github.push(stage.world.api_pull, {"src/late.py": "print('late')\n"})
    stage.github.hooks.wait_idle()
    stage.github.hooks.url = url
    return [d.guid for d in stage.github.hooks.deliveries if d.event == "pull_request"][-1]


def test_a_failed_delivery_is_asked_for_again_once_under_its_own_guid(later: Stage) -> None:
    guid = unheard(later)
    cycle(later)
    later.github.hooks.wait_idle()
    again = [d for d in later.github.hooks.deliveries if d.guid == guid]
    assert [(d.redelivery, d.status_code) for d in again] == [(False, 502), (True, 202)]
    subject = f"pr:{later.world.api.id}:{later.world.api_pull.number}"
    assert f"gh:{guid}" in waiting(later.services, subject)
    cycle(later)
    later.github.hooks.wait_idle()
    assert len([d for d in later.github.hooks.deliveries if d.guid == guid]) == 2


def test_a_delivery_that_fails_again_is_asked_for_again(later: Stage) -> None:
    guid = unheard(later)
    url, later.github.hooks.url = later.github.hooks.url, f"http://127.0.0.1:{free_port()}/"
    cycle(later)
    later.github.hooks.wait_idle()
    later.github.hooks.url = url
    cycle(later)
    later.github.hooks.wait_idle()
    statuses = [d.status_code for d in later.github.hooks.deliveries if d.guid == guid]
    assert statuses == [502, 502, 202]


def test_what_we_refused_as_malformed_is_not_asked_for(later: Stage) -> None:
    delivery = later.github.hooks.build("pull_request", {"action": "opened"})
    broken = replace(delivery, headers={**delivery.headers, "X-GitHub-Delivery": "x" * 101})
    assert later.github.hooks.send(broken).status_code == 400
    assert reconciler.redeliver_failed(later.services, lease(later)) == 0


def test_failed_deliveries_of_many_pages_are_all_asked_for(
    later: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, later.github.hooks.url = later.github.hooks.url, f"http://127.0.0.1:{free_port()}/"
    for _ in range(103):
        later.github.ping()
    later.github.hooks.wait_idle()
    later.github.hooks.url = url
    monkeypatch.setattr(reconciler, "MAX_REDELIVERIES", 1_000)
    assert reconciler.redeliver_failed(later.services, lease(later)) == 103


def test_a_head_that_nobody_told_us_of_is_enqueued_once(later: Stage) -> None:
    unheard(later)
    pull = later.world.api_pull
    expected = f"job:reconcile:{later.world.api.id}:{pull.number}:{pull.head_sha}"
    subject = f"pr:{later.world.api.id}:{pull.number}"
    assert reconciler.enqueue_unreviewed(later.services, lease(later)) == 1
    assert waiting(later.services, subject) == [expected]
    assert reconciler.enqueue_unreviewed(later.services, lease(later)) == 0
    assert waiting(later.services, subject) == [expected]


def test_what_was_reviewed_or_is_too_fresh_or_older_than_the_activation_stays(
    later: Stage,
) -> None:
    assert reconciler.enqueue_unreviewed(later.services, lease(later)) == 0, "all are reviewed"
    unheard(later)
    fresh = replace(later.services, now=lambda: later.services.now() - LATER_S)
    assert reconciler.enqueue_unreviewed(fresh, lease(later)) == 0
    for repository in (later.world.api, later.world.web):
        known = later.services.installations.repository(repository.id)
        assert known is not None
        later.services.installations.lose_repository(known.id, 0.0)
        later.services.installations.put_repository(
            replace(known, lost_at=None, active_since=later.services.now() + 60)
        )
    assert reconciler.enqueue_unreviewed(later.services, lease(later)) == 0


def test_a_suspended_installation_costs_no_call(later: Stage) -> None:
    unheard(later)
    later.github.suspend(later.world.installation, "dana")
    later.github.hooks.wait_idle()
    later.work()
    later.github.record.clear()
    assert reconciler.enqueue_unreviewed(later.services, lease(later)) == 0
    assert later.github.calls == []


def test_a_rate_limit_ends_the_cycle_and_the_chain_goes_on(later: Stage) -> None:
    unheard(later)
    later.github.faults.secondary_rate_limit("GET", r"/pulls$", times=None)
    cycle(later)
    assert len(later.github.record.calls_to("GET", r"/pulls$")) == 1


def test_one_chain_however_many_workers_start(later: Stage) -> None:
    for _ in range(3):
        reconciler.begin(later.services.inbox, lambda: 1_000_000.0)
    assert waiting(later.services, "reconcile") == ["job:reconcile:start:3333"]


def lease(stage: Stage):  # type: ignore[no-untyped-def]
    from tests.workers.stage import lease_of

    return lease_of(Event(id="job:reconcile", kind="reconcile", subject="reconcile"))
