"""Each event in the life of an installation and a repository: what Redis knows, whether we work.

Everything arrives as signed deliveries, those of before an event also after it, as on GitHub.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from deploy.sandbox.github import repository_acts
from deploy.sandbox.github.hooks import Delivery
from deploy.sandbox.github.model import Installation, PullRequest, Repository
from deploy.sandbox.redis_server import EmbeddedRedis
from tests.workers.stage import Stage, open_stage
from workers.installation_registry import Installation as KnownInstallation
from workers.installation_registry import KnownRepository

numbers = itertools.count(1)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, redis_server: EmbeddedRedis) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("life"), redis_server.url) as opened:
        opened.redis.flushall()
        yield opened


@dataclass
class Life:
    """One organisation with the App and a repository, and an open pull request in it."""

    stage: Stage
    installation: Installation
    repository: Repository
    pull: PullRequest

    def known(self) -> KnownRepository:
        found = self.stage.services.installations.repository(self.repository.id)
        assert found is not None
        return found

    def installed(self) -> KnownInstallation:
        found = self.stage.services.installations.installation(self.installation.id)
        assert found is not None
        return found

    def why_not(self) -> str:
        registry = self.stage.services.installations
        return registry.why_not(self.known().installation_id, self.repository.id)

    def tokens(self) -> int:
        pattern = f"precedent:token:{self.installation.id}:*"
        return len(list(self.stage.redis.scan_iter(pattern)))

    def pushed(self) -> Delivery:
        """A push to the pull request, whose delivery is held back."""
        hooks = self.stage.github.hooks
        hooks.hold()
        changes = {f"file_{next(numbers)}.py": "x = 1\n"}
        self.stage.github.push(self.pull, changes)
        held = [d for d in hooks.waiting if d.event == "pull_request"]
        hooks.release([])
        return held[-1]

    def works_on(self, delivery: Delivery) -> bool:
        """Whether a delivery that arrives now makes us write anything."""
        before, dead = len(self.writes()), len(self.stage.dead())
        self.stage.github.hooks.post(delivery)
        self.stage.work()
        assert len(self.stage.dead()) == dead
        return len(self.writes()) > before

    def works(self) -> bool:
        return self.works_on(self.pushed())

    def writes(self) -> list[str]:
        calls = self.stage.github.calls
        return [c.path for c in calls if c.method != "GET" and "access_tokens" not in c.path]


@pytest.fixture
def life(stage: Stage) -> Life:
    github, name = stage.github, f"org-{next(numbers)}"
    github.add_organization(name, owners=["dana"], members=["ben"])
    repository = github.add_repository(
        name, "code", {"a.py": "x = 1\n"}, collaborators={"ben": "write"}
    )
    installation = github.install(name, [repository], sender="dana")
    stage.work()
    pull = github.open_pull_request(repository, "ben", "T", "", "b", {"a.py": "x = 2\n"})
    stage.work()
    stage.link("api-reviews", repository.full_name)
    return Life(stage, installation, repository, pull)


def linked(life: Life) -> list[str]:
    places = life.stage.services.channels.of_repository(life.repository.id)
    return [
        link.name
        for place in places
        for link in life.stage.services.channels.of_channel(*place)
        if link.repository_id == life.repository.id
    ]


def test_created_knows_everything_and_begins(life: Life) -> None:
    assert life.known().installation_id == life.installation.id
    assert life.known().account_id == life.repository.owner.id
    assert life.installed().removed_at is None
    assert life.works()


def test_deleted_stops_at_once_and_drops_the_tokens(life: Life) -> None:
    late = life.pushed()
    assert life.tokens()
    life.stage.github.uninstall(life.installation, "dana")
    life.stage.work()
    assert life.installed().removed_at is not None
    assert life.known().lost_at is not None
    assert (life.tokens(), linked(life)) == (0, [])
    assert not life.works_on(late)


def test_suspend_stops_and_unsuspend_goes_on(life: Life) -> None:
    late = life.pushed()
    life.stage.github.suspend(life.installation, "dana")
    life.stage.work()
    assert (life.installed().is_suspended, life.tokens()) == (True, 0)
    assert not life.works_on(late)
    assert linked(life) == [life.repository.full_name]
    life.stage.github.unsuspend(life.installation, "dana")
    life.stage.work()
    assert not life.installed().is_suspended
    assert life.works()


def test_new_permissions_hold_from_the_next_event_on(life: Life) -> None:
    """A token carries the permissions of the moment it was minted, and lived for an hour more."""
    del life.installation.permissions["checks"]
    life.stage.services.tokens.forget_installation(life.installation.id)
    life.stage.github.hooks.post(life.pushed())
    life.stage.work()
    (letter,) = life.stage.dead()
    assert letter.reason == "github_forbidden"
    life.stage.services.inbox.discard(letter.id)
    assert life.tokens()
    life.installation.permissions["checks"] = "write"
    dana = life.stage.github.existing("dana")
    repository_acts.emit_installation(
        life.stage.github, "new_permissions_accepted", life.installation, dana
    )
    life.stage.work()
    assert life.works()


def test_removed_stops_and_added_goes_on(life: Life) -> None:
    late = life.pushed()
    github = life.stage.github
    github.change_installation(life.installation, "dana", remove=[life.repository])
    life.stage.work()
    assert life.why_not() == "repository_not_installed"
    assert linked(life) == []
    assert not life.works_on(late)
    github.change_installation(life.installation, "dana", add=[life.repository])
    life.stage.work()
    assert life.why_not() == ""
    assert life.works()


def test_renamed_goes_on_under_the_new_name(life: Life) -> None:
    late = life.pushed()
    life.stage.github.rename(life.repository, "renamed", "dana")
    life.stage.work()
    assert life.known().name == life.repository.full_name
    assert linked(life) == [life.repository.full_name]
    assert life.works_on(late)


def test_transferred_away_stops_and_unlinks(life: Life) -> None:
    late = life.pushed()
    life.stage.github.add_organization(f"{life.repository.owner.login}-new", owners=["dana"])
    life.stage.github.transfer(life.repository, f"{life.installation.account.login}-new", "dana")
    life.stage.work()
    assert life.known().lost_at is not None
    assert linked(life) == []
    assert not life.works_on(late)


def test_archived_stops_and_unarchived_goes_on(life: Life) -> None:
    late = life.pushed()
    life.stage.github.archive(life.repository, "dana")
    life.stage.work()
    assert life.why_not() == "repository_archived"
    assert not life.works_on(late)
    life.repository.archived = False
    hooks = life.stage.github.hooks
    archived = next(d for d in reversed(hooks.deliveries) if d.action == "archived")
    hooks.post(hooks.build("repository", {**archived.payload, "action": "unarchived"}))
    life.stage.work()
    assert life.why_not() == ""
    assert life.works()


@pytest.mark.parametrize("private", [True, False], ids=["privatized", "publicized"])
def test_privatized_and_publicized_are_known_and_go_on(life: Life, private: bool) -> None:
    life.stage.github.set_private(life.repository, not private, "dana")
    life.stage.github.set_private(life.repository, private, "dana")
    life.stage.work()
    assert life.known().is_private is private
    assert life.works()


def test_a_deleted_repository_stops_and_unlinks(life: Life) -> None:
    late = life.pushed()
    life.stage.github.delete_repository(life.repository, "dana")
    life.stage.work()
    assert life.known().lost_at is not None
    assert linked(life) == []
    assert not life.works_on(late)


ENDS: dict[str, Callable[[Life], object]] = {
    "uninstalled": lambda life: life.stage.github.uninstall(life.installation, "dana"),
    "suspended": lambda life: life.stage.github.suspend(life.installation, "dana"),
    "removed": lambda life: life.stage.github.change_installation(
        life.installation, "dana", remove=[life.repository]
    ),
    "deleted": lambda life: life.stage.github.delete_repository(life.repository, "dana"),
}


@pytest.mark.parametrize("end", ENDS)
def test_an_end_that_nobody_told_us_of_stops_work_quietly_too(life: Life, end: str) -> None:
    """Its delivery is late or lost: what GitHub refuses us is no dead letter then."""
    late = life.pushed()
    life.stage.github.hooks.hold()
    ENDS[end](life)
    life.stage.github.hooks.release([])
    life.stage.services.tokens.forget_installation(life.installation.id)
    assert not life.works_on(late)
