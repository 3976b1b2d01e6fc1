"""The name that people mention is that of the App, whatever it is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.convention_book import ConventionBook
from graph.ledger import Scope
from tests.workers.stage import Stage, open_stage
from workers import housekeeping


def rules(stage: Stage) -> list[str]:
    scope = Scope("repository", stage.world.api.id)
    return [c.rule for c in ConventionBook(stage.services.store, scope, lambda: 2e9).active()]


def test_an_app_of_another_name_hears_its_own_and_no_other(tmp_path: Path, redis_url: str) -> None:
    """The name was never read from the API: an App not called precedent heard nobody.

    Slugs are unique on GitHub, so that was nearly every App.
    """
    with open_stage(tmp_path, redis_url, app_slug="acme-reviewer") as stage:
        stage.handle(housekeeping.housekeeping_event(""))
        pull = stage.world.api_pull
        stage.github.comment(pull, "ben", "@precedent remember: use unittest for tests")
        stage.github.comment(pull, "ben", "@acme-reviewer remember: use pytest for tests")
        stage.work()
        assert rules(stage) == ["use pytest for tests"]
        stage.github.comment(pull, "ben", "@acme-reviewer forget C1")
        stage.work()
        assert rules(stage) == []
        assert stage.dead() == []


def test_the_first_visible_sign_costs_one_call_beside_its_token(stage: Stage) -> None:
    """It read the whole repository first, on the way that has to be the shortest."""
    stage.work()
    stage.github.comment(stage.world.api_pull, "ben", "@precedent why?")
    stage.github.hooks.wait_idle()
    before = len(stage.github.calls)
    lease = stage.services.inbox.claim("reviews", only_signs=True)
    if lease is None:
        pytest.fail("The sign does not wait in the inbox.")
    stage.handle(lease.event)
    made = [(c.method, c.path) for c in stage.github.calls[before:]]
    reactions = [path for method, path in made if method == "POST" and "reactions" in path]
    assert len(reactions) == 1
    assert not [path for method, path in made if method == "GET" and "repositories" in path]
