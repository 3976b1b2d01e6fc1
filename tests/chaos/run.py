"""One fault-injection run from the first event to the verdict."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from redis import Redis

from tests.chaos import oracle
from tests.chaos.courier import Courier
from tests.chaos.havoc import Havoc, Plan
from tests.chaos.oracle import Verdict
from tests.chaos.stack import ChaosStack
from tests.chaos.world import Pull, act, furnish
from workers.inbox import Inbox

SETTLED_FOR_S = 3.0
"""With nothing waiting and nothing running for so long, nothing more will be posted."""


@dataclass(frozen=True)
class Parameters:
    """The size of a run. `limit_s` ends one that does not complete."""

    pulls: int = 200
    repositories: int = 20
    questions: int = 6
    pushes: int = 4
    workers: int = 4
    threads: int = 4
    lease_s: float = 5.0
    post_kill_chance: float = 0.01
    again_chance: float = 0.05
    model_delay_s: float = 0.2
    actors: int = 4
    limit_s: float = 1800.0
    seed: int = 1
    mutant: str = ""
    plan: Plan = field(default_factory=Plan)


@dataclass(frozen=True)
class Report:
    """What was done to the system, and what the oracle says."""

    verdict: Verdict
    events: int
    seconds: float
    is_complete: bool
    havoc: Counter[str]
    dead_letters: list[str]

    def table(self) -> str:
        rows: list[tuple[str, object]] = [
            ("events", self.events),
            ("seconds", round(self.seconds, 1)),
            ("answers", self.verdict.answers),
            ("reviews", self.verdict.reviews),
            *sorted(self.havoc.items()),
            ("dead letters", len(self.dead_letters)),
            ("runs at once, within a second of a pause", self.verdict.overlaps_after_a_pause),
            *((name, len(found)) for name, found in self.verdict.faults.items()),
        ]
        lines = [f"{name:<44}{value:>8}" for name, value in rows]
        for name, found in self.verdict.faults.items():
            lines += [f"  {name}: {example}" for example in found[:10]]
        return "\n".join(lines + [f"  dead letter: {letter}" for letter in self.dead_letters[:10]])


def run(
    parameters: Parameters, directory: Path, *, enough: Callable[[Verdict], bool] | None = None
) -> Report:
    """Start everything, let it happen, wait until it has settled, judge, stop everything.

    A run ends earlier with the first verdict that is `enough`.
    """
    stack = ChaosStack(
        directory,
        worker_count=parameters.workers,
        threads=parameters.threads,
        lease_s=parameters.lease_s,
        mutant=parameters.mutant,
        model_delay_s=parameters.model_delay_s,
        seed=parameters.seed,
    )
    try:
        stack.start()
        courier = Courier(
            stack.github.hooks, again_chance=parameters.again_chance, seed=parameters.seed
        ).start()
        pulls = furnish(
            stack.github,
            stack.redis_url,
            pulls=parameters.pulls,
            repositories=parameters.repositories,
            questions=parameters.questions,
            pushes=parameters.pushes,
            seed=parameters.seed,
        )
        stack.wait_for_worker()
        havoc = Havoc(stack, parameters.plan, parameters.seed)
        return _run(parameters, stack, courier, pulls, havoc, enough)
    finally:
        stack.stop()


def _run(
    parameters: Parameters,
    stack: ChaosStack,
    courier: Courier,
    pulls: list[Pull],
    havoc: Havoc,
    enough: Callable[[Verdict], bool] | None,
) -> Report:
    def judge() -> Verdict:
        return oracle.judge(stack.github, pulls, stack.model.calls, havoc.pauses)

    def is_over() -> bool:
        return enough is not None and enough(judge())

    started_s = time.monotonic()
    events = sum(len(pull.script) + 1 for pull in pulls)
    stack.post_kill_chance = parameters.post_kill_chance
    havoc.start()
    try:
        actors = [
            threading.Thread(target=_act, args=(stack, pulls[n :: parameters.actors], n))
            for n in range(parameters.actors)
        ]
        for actor in actors:
            actor.start()
        for actor in actors:
            actor.join()
        deadline_s = started_s + parameters.limit_s
        is_complete = _wait(stack, courier, pulls, deadline_s, is_over)
        havoc.stop()
        stack.post_kill_chance = 0.0
        if not is_over():
            _settle(stack, deadline_s + 60)
        seconds = time.monotonic() - started_s
    finally:
        havoc.end()
        courier.stop()
    verdict = judge()
    counts = Counter(havoc.counts)
    counts["workers killed between posted and recorded"] = stack.post_kills
    counts["deliveries sent twice"] = sum(
        count for what, count in courier.outcomes.items() if what.startswith("again")
    )
    counts["deliveries refused, then sent again"] = courier.outcomes["refused"]
    letters = _inbox(stack).dead_letters()
    dead = [f"{letter.event.kind} {letter.event.subject} {letter.reason}" for letter in letters]
    return Report(verdict, events, seconds, is_complete, counts, dead)


def _act(stack: ChaosStack, mine: list[Pull], seed: int) -> None:
    """Everything that people do on some of the pull requests, in the order of each."""
    chooser = random.Random(seed)
    while left := [pull for pull in mine if pull.script]:
        act(stack.github, chooser.choice(left))


def _wait(
    stack: ChaosStack,
    courier: Courier,
    pulls: list[Pull],
    deadline_s: float,
    is_over: Callable[[], bool],
) -> bool:
    while time.monotonic() < deadline_s and not is_over():
        if not courier.waiting and oracle.is_complete(stack.github, pulls):
            return True
        time.sleep(0.5)
    return False


def _settle(stack: ChaosStack, deadline_s: float) -> None:
    inbox = _inbox(stack)
    idle_since_s = time.monotonic()
    while time.monotonic() < min(deadline_s, idle_since_s + SETTLED_FOR_S):
        status = inbox.status()
        left = [n.waiting if n.lane == "reviews" else n.due for n in status.lanes]
        if any(left) or any(lane.running for lane in status.lanes):
            idle_since_s = time.monotonic()
        time.sleep(0.2)


def _inbox(stack: ChaosStack) -> Inbox:
    return Inbox(Redis.from_url(stack.redis_url))
