"""The buttons of a check run, from the signed delivery to the run that GitHub shows."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from deploy.sandbox.github.model import CheckRun, PullRequest
from deploy.sandbox.redis_server import EmbeddedRedis
from tests.workers.stage import Stage, open_stage
from workers.check_marks import external_id, number_in

LONG_LINE = f'TEXT = "{"x" * 100}"\n'
branches = (f"button-{n}" for n in itertools.count(1))


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, redis_server: EmbeddedRedis) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("buttons"), redis_server.url) as opened:
        opened.redis.flushall()
        opened.link()
        opened.identify()
        opened.slack.command("api-reviews", "ada", "/conventions", "add line length is 88")
        opened.work()
        yield opened


@pytest.fixture(autouse=True)
def nothing_is_left_over(stage: Stage) -> Iterator[None]:
    yield
    stage.github.faults.clear()
    assert stage.dead() == []


@pytest.fixture
def pull(stage: Stage) -> PullRequest:
    """Reviewed, with one finding."""
    return reviewed(stage)


def reviewed(stage: Stage, text: str = LONG_LINE, **how: Any) -> PullRequest:
    branch = next(branches)
    author = how.pop("author", "ben")
    opened = stage.github.open_pull_request(
        stage.world.api, author, "Change", "", branch, {f"{branch}.py": text}, **how
    )
    stage.work()
    assert len(runs(stage, opened)) == 1
    return opened


def runs(stage: Stage, pull: PullRequest, head_sha: str = "") -> list[CheckRun]:
    """Oldest first."""
    wanted = head_sha or pull.head_sha
    every = stage.github.check_runs.values()
    return sorted((r for r in every if r.suite.head_sha == wanted), key=lambda run: run.id)


def rerun(stage: Stage, pull: PullRequest, who: str) -> None:
    stage.github.rerequest_check_run(runs(stage, pull)[-1], who)


def rerun_all(stage: Stage, pull: PullRequest, who: str) -> None:
    stage.github.rerequest_check_suite(pull, who)


def review_again(stage: Stage, pull: PullRequest, who: str) -> None:
    stage.github.request_action(runs(stage, pull)[-1], who, "review_again")


Press = Callable[[Stage, PullRequest, str], None]
PRESSES = pytest.mark.parametrize("press", [rerun, rerun_all, review_again])


def said(pull: PullRequest) -> int:
    return len([r for r in pull.reviews.values() if r.state != "PENDING"])


@PRESSES
@pytest.mark.parametrize("text", [LONG_LINE, "x = 1\n"], ids=["finding", "clean"])
def test_a_press_shows_at_once_and_ends_with_a_new_report(
    stage: Stage, press: Press, text: str
) -> None:
    """A report that said the same as before was not sent again, so GitHub, which had reset the
    suite when the button was pressed, showed it as queued for ever."""
    pull = reviewed(stage, text)
    seen: list[tuple[str, str | None]] = []

    def look() -> None:
        newest = runs(stage, pull)[-1]
        seen.append((newest.status, newest.conclusion))

    stage.github.faults.add("GET", rf"/pulls/{pull.number}/files$", run=look)
    reviews = said(pull)
    press(stage, pull, "ben")
    stage.work()
    assert seen == [("in_progress", None)]
    first, second = runs(stage, pull)
    assert (second.status, second.conclusion) == ("completed", first.conclusion)
    assert (second.title, second.annotations) == (first.title, first.annotations)
    assert said(pull) == reviews  # nothing new was found, so nothing is said twice


def test_what_is_taught_since_is_found_by_a_press(stage: Stage) -> None:
    pull = reviewed(stage, "print(1)\n")
    stage.slack.command("api-reviews", "ada", "/conventions", "add never use print")
    stage.work()
    rerun(stage, pull, "ben")
    stage.work()
    (thread,) = pull.threads.values()
    assert "never use print" in next(iter(thread.comments.values())).body


def test_a_button_pressed_twice_is_one_review(stage: Stage, pull: PullRequest) -> None:
    run = runs(stage, pull)[-1]
    stage.github.hooks.hold()
    for _ in range(2):
        stage.github.rerequest_check_run(run, "ben")
    stage.github.request_action(run, "ada", "review_again")
    stage.github.hooks.release()
    stage.work()
    assert len(runs(stage, pull)) == 2
    rerun(stage, pull, "ben")
    stage.work()
    assert len(runs(stage, pull)) == 3


@PRESSES
def test_a_pull_request_from_a_fork_has_working_buttons_too(stage: Stage, press: Press) -> None:
    """GitHub leaves forks out of a run's list of pull requests, so the press was ignored."""
    stage.github.set_role(stage.world.api, "eve", "read")
    fork = stage.github.add_fork(stage.world.api, "eve", f"fork-{press.__name__}")
    pull = reviewed(stage, author="eve", fork=fork)
    press(stage, pull, "ben")
    stage.work()
    assert [run.status for run in runs(stage, pull)] == ["completed"] * 2
    sent = [d.payload for d in stage.github.hooks.deliveries if d.event.startswith("check_")][-3:]
    named = [p.get("check_run", p.get("check_suite"))["pull_requests"] for p in sent]
    assert [] in named


@PRESSES
def test_who_may_not_ask_for_a_review_presses_in_vain(
    stage: Stage, pull: PullRequest, press: Press
) -> None:
    press(stage, pull, "cleo")
    stage.work()
    assert len(runs(stage, pull)) == 1


def test_the_button_of_an_older_head_reviews_the_head_of_now(
    stage: Stage, pull: PullRequest
) -> None:
    old = runs(stage, pull)[-1]
    stage.github.push(pull, {"more.py": "x = 1\n"})
    stage.work()
    stage.github.rerequest_check_run(old, "ben")
    stage.work()
    assert len(runs(stage, pull)) == 2
    assert len(runs(stage, pull, old.suite.head_sha)) == 1


@pytest.mark.parametrize("is_reviewed", [True, False], ids=["reviewed", "not yet"])
def test_the_button_of_an_older_head_pressed_twice_is_one_review(
    stage: Stage, pull: PullRequest, is_reviewed: bool
) -> None:
    """Each press on the run of an older head began the newest head's run anew: two clicks made
    two reviews, and while that head had no run yet it was the push that made the second."""
    old = runs(stage, pull)[-1]
    stage.github.hooks.hold()
    stage.github.push(pull, {"more.py": "x = 1\n"})
    if is_reviewed:
        stage.github.hooks.release()
        stage.work()
        stage.github.hooks.hold()
    before = len(runs(stage, pull))
    for who in ("ben", "ada"):
        stage.github.rerequest_check_run(old, who)
    stage.github.request_action(old, "ben", "review_again")
    stage.github.hooks.release()
    stage.work()
    assert len(runs(stage, pull)) == before + 1
    assert {run.status for run in runs(stage, pull)} == {"completed"}
    # A press of the run that this made is another wish, and so is the old one on a later head.
    rerun(stage, pull, "ben")
    stage.work()
    assert len(runs(stage, pull)) == before + 2
    stage.github.push(pull, {"more.py": "x = 2\n"})
    stage.work()
    stage.github.rerequest_check_run(old, "ben")
    stage.work()
    assert len(runs(stage, pull)) == 2


def test_a_run_whose_head_is_replaced_meanwhile_ends_with_the_reason(
    stage: Stage, pull: PullRequest
) -> None:
    old_head = pull.head_sha
    stage.slack.command("api-reviews", "ada", "/conventions", "add never use xylophone")
    stage.work()
    stage.github.faults.add(
        "GET",
        rf"/pulls/{pull.number}/files$",
        run=lambda: stage.github.push(pull, {"late.py": "xylophone()\n"}),
    )
    rerun(stage, pull, "ben")
    stage.work()
    assert {run.status for run in runs(stage, pull, old_head)} == {"completed"}
    assert {run.status for run in runs(stage, pull)} == {"completed"}


def test_a_cancelled_run_says_so(stage: Stage, pull: PullRequest) -> None:
    def cancel() -> None:
        stage.services.inbox.cancel(f"pr:{stage.world.api.id}:{pull.number}", asked_by="a-test")

    stage.github.faults.add("GET", rf"/pulls/{pull.number}/files$", run=cancel)
    rerun(stage, pull, "ben")
    stage.work()
    newest = runs(stage, pull)[-1]
    assert (newest.status, newest.conclusion) == ("completed", "neutral")
    assert "cancelled" in (newest.title or "")


def test_a_lost_answer_begins_no_second_run(stage: Stage, pull: PullRequest) -> None:
    stage.github.faults.add("POST", r"/check-runs$", phase="drop")
    rerun(stage, pull, "ben")
    stage.work()
    assert [run.status for run in runs(stage, pull)] == ["completed", "completed"]


def test_buttons_that_are_not_ours_do_nothing(stage: Stage, pull: PullRequest) -> None:
    rerun(stage, pull, "ben")
    stage.work()
    hooks = stage.github.hooks
    pressed = next(d for d in reversed(hooks.deliveries) if d.action == "rerequested")
    other = {"action": "requested_action", "requested_action": {"identifier": "deploy"}}
    answer = hooks.send(hooks.build("check_run", {**pressed.payload, **other}))
    assert (answer.status_code, "button_not_ours" in answer.response_body) == (200, True)
    bot = {"sender": {**pressed.payload["sender"], "login": "x[bot]", "type": "Bot"}}
    answer = hooks.send(hooks.build("check_run", {**pressed.payload, **bot}))
    assert (answer.status_code, "sender_is_a_bot" in answer.response_body) == (200, True)


SHA = "a" * 40


def test_the_external_id_is_read_back_and_nothing_else_is() -> None:
    assert number_in(external_id(7, 12, SHA, 3), 7, SHA) == 12
    for text in (
        "", "check", external_id(8, 12, SHA, 1), external_id(7, 0, SHA, 1),
        external_id(7, 12, "b" * 40, 1), external_id(7, 12, SHA, 1) + "\n",
        external_id(7, 12, SHA, 1).replace("12", "\u0661\u0662"),
    ):  # fmt: skip
        assert number_in(text, 7, SHA) is None, text
