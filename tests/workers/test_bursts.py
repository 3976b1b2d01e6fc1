"""Bursts, poison and noise, from the signed delivery to what GitHub received."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from redis import Redis

from tests.workers.inbox_events import comment
from tests.workers.stage import Stage, open_stage
from workers.drain import Drain, Outcome, slots_of
from workers.event import Event
from workers.inbox import Inbox, Lease


@pytest.fixture
def quick(tmp_path: Path, redis_url: str) -> Iterator[Stage]:
    """A stage whose pushes wait for half a second of quiet, at most five."""
    with open_stage(tmp_path, redis_url, REVIEW_QUIET_S="0.5", REVIEW_MAX_WAIT_S="5") as stage:
        yield stage


def reported(stage: Stage) -> list[str]:
    """The heads on which a check run of ours was completed, in order."""
    runs = sorted(stage.github.check_runs.values(), key=lambda run: run.id)
    return [run.suite.head_sha for run in runs if run.status == "completed"]


def test_ten_pushes_in_a_row_are_one_review_of_the_last_head(quick: Stage) -> None:
    pull = quick.world.api_pull
    heads = [quick.github.push(pull, {"src/burst.py": f"N = {n}\n"}) for n in range(10)]
    quick.github.hooks.wait_idle()
    quick.work()
    assert reported(quick) == [], "the pull request is not quiet yet"
    time.sleep(0.6)
    quick.work()
    assert reported(quick) == [heads[-1]]


def test_a_push_in_mid_review_replaces_the_review_that_runs(quick: Stage) -> None:
    pull = quick.world.api_pull
    old = quick.github.push(pull, {"src/burst.py": "N = 1\n"})
    quick.github.hooks.wait_idle()
    time.sleep(0.6)
    heads: list[str] = []

    def push_meanwhile() -> None:
        heads.append(quick.github.push(pull, {"src/burst.py": "N = 2\n"}))
        quick.github.hooks.wait_idle()

    quick.github.faults.add("GET", rf"/pulls/{pull.number}/files$", run=push_meanwhile)
    quick.work()
    assert len(heads) == 1, "the push happened in the middle"
    time.sleep(0.6)
    quick.work()
    assert reported(quick) == heads
    assert old not in reported(quick)
    assert quick.dead() == []


def test_a_poison_event_dies_after_five_attempts_and_its_neighbour_goes_on(redis: Redis) -> None:
    inbox = Inbox(redis, quiet_s=0, lease_s=10, retry_after=lambda _: 0)
    ran: list[str] = []
    is_mended = False

    def handle(event: Event, lease: Lease) -> Outcome:
        ran.append(event.id)
        if event.id == "poison" and not is_mended:
            raise ZeroDivisionError
        return Outcome()

    inbox.accept(comment("poison"))
    inbox.accept(comment("next"))
    drain = Drain(inbox, handle, slots=slots_of(4, ("reviews",)))
    drain.run("reviews")
    assert ran == ["poison"] * 5 + ["next"]
    (letter,) = inbox.dead_letters()
    assert (letter.id, letter.reason, letter.attempts) == ("poison", "crashed", 5)
    assert "ZeroDivisionError" in letter.traceback
    is_mended = True
    assert inbox.replay("poison")
    drain.run("reviews")
    assert ran[-1] == "poison"
    assert inbox.dead_letters() == []


def test_a_noisy_repository_delays_another_by_less_than_one_review(redis: Redis) -> None:
    review_s = 0.05
    inbox = Inbox(redis, quiet_s=0)
    for number in range(500):
        inbox.accept(comment(f"noise{number}", number=number))
    ended: list[str] = []

    def handle(event: Event, lease: Lease) -> Outcome:
        time.sleep(review_s)
        ended.append(event.id)
        return Outcome()

    drain = Drain(inbox, handle, slots={"reviews": 1})
    drain.run("reviews", max_events=3)
    quiet = replace(comment("quiet", number=1), repository_id=2, subject="pr:2:1")
    inbox.accept(quiet)
    drain.run("reviews", max_events=2)
    assert "quiet" in ended[3:5], "at most one review of the noisy repository came before"
