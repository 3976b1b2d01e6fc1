"""The life of an installation and of its repositories, told by signed deliveries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graph.convention_book import ConventionBook
from graph.ledger import Scope
from tests.workers.stage import Stage, open_stage
from workers.event import Event
from workers.housekeeping import on_housekeeping
from workers.installation_registry import GRACE_S
from workers.installations import reconcile_all
from workers.purging import purge_due


@pytest.fixture
def stage(tmp_path: Path, redis_url: str) -> Iterator[Stage]:
    """Known to us from the beginning, as after the delivery `installation.created`."""
    with open_stage(tmp_path, redis_url) as opened:
        reconcile_all(opened.services)
        opened.link()
        opened.link("web-reviews", "acme/web")
        opened.identify()
        yield opened


def later(stage: Stage, seconds: float) -> Stage:
    """The same at another time."""
    now = stage.services.now
    return replace(stage, services=replace(stage.services, now=lambda: now() + seconds))


def teach(stage: Stage, rule: str = "line length is 88 characters") -> None:
    stage.slack.command("api-reviews", "ada", "/conventions", f"add {rule}")
    stage.work()


def book(stage: Stage) -> ConventionBook:
    scope = Scope("repository", stage.world.api.id)
    return ConventionBook(stage.services.store, scope, stage.services.now)


def test_a_new_installation_is_known_and_nobody_is_greeted(stage: Stage) -> None:
    other = stage.github.add_organization("beta", owners=["dana"])
    repository = stage.github.add_repository("beta", "tool", {"a.py": "x = 1\n"})
    installation = stage.github.install("beta", [repository], sender="dana")
    stage.work()
    known = stage.services.installations.repository(repository.id)
    assert known is not None
    assert (known.installation_id, known.account_id) == (installation.id, other.id)
    assert known.name == "beta/tool"
    writes = [c for c in stage.github.calls if c.method != "GET" and "access_tokens" not in c.path]
    assert writes == []
    assert stage.dead() == []


def test_a_suspended_installation_ends_its_events_with_a_reason_and_no_dead_letter(
    stage: Stage,
) -> None:
    stage.github.suspend(stage.world.installation, "dana")
    stage.work()
    stage.handle(push_to(stage))
    assert stage.dead() == []
    assert not [c for c in stage.github.calls if c.method == "POST" and "/reviews" in c.path]
    stage.slack.command("api-reviews", "ada", "/conventions", "list")
    stage.work()
    assert "suspended" in stage.told("ada")
    assert stage.keys_with(f"precedent:token:{stage.world.installation.id}") == []

    stage.github.unsuspend(stage.world.installation, "dana")
    stage.work()
    stage.handle(push_to(stage))
    assert [c for c in stage.github.calls if c.method == "POST" and "/check-runs" in c.path]


def test_a_suspension_that_nobody_told_us_of_is_no_dead_letter_either(stage: Stage) -> None:
    stage.github.hooks.hold()
    stage.github.suspend(stage.world.installation, "dana")
    stage.services.tokens.forget_installation(stage.world.installation.id)
    stage.services.inbox.accept(push_to(stage))
    stage.work()
    assert stage.dead() == []
    stage.slack.command("api-reviews", "ada", "/conventions", "history C1")
    stage.work()
    assert "suspended" in stage.told("ada")


def test_a_repository_that_is_taken_away_loses_its_channels_and_comes_back_whole(
    stage: Stage,
) -> None:
    teach(stage)
    stage.github.change_installation(stage.world.installation, "dana", remove=["acme/api"])
    stage.work()
    assert stage.services.channels.of_repository(stage.world.api.id) == []
    stage.slack.command("api-reviews", "ada", "/conventions", "list")
    stage.work()
    assert "not linked" in stage.told("ada")
    reason = stage.services.installations.why_not(stage.world.installation.id, stage.world.api.id)
    assert reason == "repository_not_installed"

    stage.github.change_installation(stage.world.installation, "dana", add=["acme/api"])
    stage.work()
    assert purge_due(later(stage, GRACE_S + 60).services) == 0
    assert [c.rule for c in book(stage).active()] == ["line length is 88 characters"]


def test_a_transfer_freezes_until_a_maintainer_under_the_new_owner_confirms(stage: Stage) -> None:
    teach(stage)
    stage.github.add_organization("beta", owners=["dana"], id=4_777)
    moved = stage.github.install("beta", None, sender="dana")
    stage.github.transfer("acme/api", "beta", "dana")
    stage.work()
    reconcile_all(stage.services)
    known = stage.services.installations.repository(stage.world.api.id)
    assert known is not None
    assert (known.installation_id, known.account_id) == (moved.id, 4_777)
    assert book(stage).is_frozen()
    assert book(stage).active() == []

    stage.slack.command("api-reviews", "ada", "/conventions", "link beta/api")
    stage.work()
    stage.slack.command("api-reviews", "ben", "/conventions", "add never use print")
    stage.slack.command("api-reviews", "ben", "/conventions", "confirm")
    stage.work()
    assert "frozen" in stage.told("ben")
    assert "maintain" in stage.told("ben")
    stage.slack.command("api-reviews", "ada", "/conventions", "confirm")
    stage.work()
    assert "Confirmed. 1 convention" in stage.told("ada")
    assert not book(stage).is_frozen()
    assert [c.id for c in book(stage).active()] == ["C1"]


def test_after_an_uninstall_and_the_grace_redis_knows_nothing_of_it(stage: Stage) -> None:
    teach(stage)
    teach(stage, "never use print in src/")
    stage.slack.command("api-reviews", "ada", "/conventions", "forget C2")
    stage.services.inbox.accept(push_to(stage))
    stage.github.comment(stage.world.api_pull, "ben", "@precedent remember: tests need a docstring")
    stage.work()
    ids = [str(stage.world.api.id), str(stage.world.installation.id), "4001"]
    assert stage.keys_with(*ids)

    stage.github.uninstall(stage.world.installation, "dana")
    stage.work()
    assert list(stage.redis.scan_iter("precedent:token:*")) == []
    assert [c.id for c in book(stage).all()] != []
    assert stage.services.channels.of_repository(stage.world.api.id) == []

    future = later(stage, GRACE_S + 3_600)
    on_housekeeping(future.services, housekeeping(), lease=NoLease())  # type: ignore[arg-type]
    assert stage.keys_with(*ids) == []


def test_what_is_installed_again_within_the_grace_is_kept(stage: Stage) -> None:
    teach(stage)
    stage.github.uninstall(stage.world.installation, "dana")
    stage.work()
    stage.github.install("acme", ["acme/api"], sender="dana")
    stage.work()
    purge_due(later(stage, GRACE_S + 3_600).services)
    assert [c.id for c in book(stage).active()] == ["C1"]


def push_to(stage: Stage) -> Event:
    pull = stage.world.api_pull
    return Event(
        id=f"gh:push-of-this-test:{stage.services.now()}",
        kind="pull_request.push",
        action="synchronize",
        subject=f"pr:{stage.world.api.id}:{pull.number}",
        installation_id=stage.world.installation.id,
        account_id=stage.world.api.owner.id,
        repository_id=stage.world.api.id,
        number=pull.number,
        head_sha=pull.head_sha,
        actor_login="ben",
    )


def housekeeping() -> Event:
    return Event("job:h", "housekeeping", "housekeeping", "background")


class NoLease:
    def check(self) -> None:
        """Nobody contests it."""
