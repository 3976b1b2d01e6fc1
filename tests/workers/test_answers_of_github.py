"""GitHub answers badly to each call of a review and of a command, one call after the other."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from deploy.sandbox.github.model import PullRequest
from deploy.sandbox.redis_server import EmbeddedRedis
from tests.workers.stage import Stage, lease_of, open_stage
from workers.errors import Permanent, PrecedentError, Transient
from workers.event import Event
from workers.github_limits import NotFound
from workers.handlers import handler_of

LONG_LINE = f'TEXT = "{"x" * 100}"\n'
numbers = itertools.count(1)

FAULTS: dict[str, dict[str, Any]] = {
    "not found": {"status": 404, "body": {"message": "Not Found"}},
    "blocked": {"status": 451, "body": {"message": "Repository access blocked"}},
    "cut": {"phase": "truncate", "times": 3},
}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, redis_server: EmbeddedRedis) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("answers"), redis_server.url) as opened:
        opened.redis.flushall()
        opened.identify()
        opened.link()
        opened.slack.command("api-reviews", "ada", "/conventions", "add line length is 88")
        opened.work()
        yield opened


def opened_pull(stage: Stage) -> PullRequest:
    branch = f"answers-{next(numbers)}"
    stage.services.permissions.forget(stage.world.api.id, stage.world.people["ben"][0])
    stage.github.hooks.hold()
    pull = stage.github.open_pull_request(
        stage.world.api, "ben", "T", "", branch, {f"{branch}.py": LONG_LINE}
    )
    stage.github.hooks.release([])
    return pull


def push(stage: Stage, pull: PullRequest) -> Event:
    return Event(
        id=f"answers:{next(numbers)}", kind="pull_request.push", action="opened",
        subject=f"pr:{stage.world.api.id}:{pull.number}", number=pull.number,
        head_sha=pull.head_sha, installation_id=stage.world.installation.id,
        account_id=stage.world.api.owner.id, repository_id=stage.world.api.id,
        actor_id=stage.world.people["ben"][0], actor_login="ben",
    )  # fmt: skip


def command(stage: Stage, pull: PullRequest) -> Event:
    stage.github.hooks.hold()
    comment = stage.github.comment(pull, "ben", "@precedent conventions")
    stage.github.hooks.release([])
    said: dict[str, Any] = {"kind": "github.comment", "text": "@precedent conventions"}
    return replace(
        push(stage, pull), **said, comment_id=comment.id, comment_kind="issue", action="created"
    )


def outcome_of(stage: Stage, pull: PullRequest) -> dict[str, Any]:
    """What people see of us on the pull request."""
    reviews = [r for r in pull.reviews.values() if r.user.login.endswith("[bot]")]
    runs = [r for r in stage.github.check_runs.values() if r.suite.head_sha == pull.head_sha]
    return {
        "comments": [c.user.login for c in pull.comments.values()],
        "reviews": sorted(r.state for r in reviews if r.body),
        "checks": sorted((r.status, r.conclusion) for r in runs),
    }


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("event_of", [push, command])
def test_a_bad_answer_to_any_call_is_named_and_made_good_once(
    stage: Stage, event_of: Callable[[Stage, PullRequest], Event], fault: str
) -> None:
    pull = opened_pull(stage)
    stage.services.tokens.token(stage.world.installation.id, stage.world.api.id)
    before = len(stage.github.calls)
    stage.handle(event_of(stage, pull))
    wanted = outcome_of(stage, pull)
    calls = dict.fromkeys((c.method, pattern_of(c.path)) for c in stage.github.calls[before:])
    assert len(calls) >= 4
    for method, path in calls:
        pull = opened_pull(stage)
        event = event_of(stage, pull)
        struck = stage.github.faults.add(method, path, **FAULTS[fault])
        failure: PrecedentError | None = None
        try:
            stage.handle(event)
        except (Transient, Permanent) as error:
            failure = error
        stage.github.faults.clear()
        assert struck.hits, path
        assert failure is None or len(str(failure)) > 20
        if fault == "not found":
            assert isinstance(failure, Transient | None), path
        stage.handle(event)
        assert outcome_of(stage, pull) == wanted, (method, path, failure)


def pattern_of(path: str) -> str:
    """The path of a call, for whatever pull request and head."""
    path = re.sub(r"[0-9a-f]{40}", "[0-9a-f]{40}", path)
    return re.sub(r"(?<=/)[0-9]+(?=/|$)", "[0-9]+", path) + "$"


def test_what_github_does_not_find_at_first_is_looked_for_again(stage: Stage) -> None:
    """A delivery may be here before GitHub's replicas know what it tells of: the first 404 made a
    dead letter, and the person who had asked was not answered."""
    pull = opened_pull(stage)
    event = command(stage, pull)
    stage.github.faults.add("GET", rf"/pulls/{pull.number}$", times=None, **FAULTS["not found"])
    handle = handler_of(stage.services)
    for attempt, kind in ((1, Transient), (2, Transient), (3, NotFound)):
        with pytest.raises(kind):
            handle(event, replace(lease_of(event), attempt=attempt))
    stage.github.faults.clear()
    stage.handle(event)
    assert len(pull.comments) == 2
