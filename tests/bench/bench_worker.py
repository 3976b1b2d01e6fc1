"""Real processes: how fast a webhook is acknowledged, a review published, what waiting costs."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from tests.bench.delivering import encoded
from tests.bench.table import Row
from tests.chaos.stack import ChaosStack
from tests.chaos.world import PERSON, Pull, furnish

CLIENTS = (1, 8, 32)
DELIVERIES = 320
ROUNDS = 5
WAITING = 100
REVIEWS = 15
FILES = 5
GITHUB_DELAY_S = 0.2


def run() -> list[Row]:
    return [*_acknowledgement(), *_publication(), *_memory()]


def _acknowledgement() -> Iterator[Row]:
    """Comments on many pull requests, while GitHub is slow and workers are busy with them.

    The numbers of clients take turns; each figure is the median of its rounds.
    """
    rounds: dict[int, list[list[float]]] = {clients: [] for clients in CLIENTS}
    with _stack(repositories=20, pulls=20, threads=8, web_processes=2) as (stack, pulls):
        stack.github.faults.add("*", "", times=None, delay_s=GITHUB_DELAY_S)
        for _ in range(ROUNDS):
            for clients, found in rounds.items():
                found.append(sorted(_post_all(stack, pulls, clients)))
    for clients, found in rounds.items():
        name = f"webhook, {clients} clients"
        tails = [times_ms[len(times_ms) * 99 // 100] for times_ms in found]
        rates = [len(times_ms) * clients * 1_000 / sum(times_ms) for times_ms in found]
        goal = "< 50" if clients == 8 else ""
        yield Row(f"{name}, p50", statistics.median(map(statistics.median, found)), "ms")
        yield Row(f"{name}, p99", statistics.median(tails), "ms", goal=goal)
        yield Row(f"{name}, rate", statistics.median(rates), "1/s")


def _publication() -> Iterator[Row]:
    """From the signed delivery to the completed check run; the model is the loopback one."""
    with _stack(repositories=1, pulls=1, threads=4, model_delay_s=0.0) as (stack, pulls):
        pull = pulls[0].pull
        stack.github.hooks.url = f"{stack.web_url}/github/webhook"
        times_s = []
        for number in range(REVIEWS):
            changes = {f"src/part{n}.py": f"PART = {number}\n" for n in range(FILES)}
            head_sha = stack.github.push(pull, changes)
            began_s = time.monotonic()
            _until(lambda sha=head_sha: _is_reviewed(stack, sha))
            times_s.append(time.monotonic() - began_s)
        yield Row(
            f"webhook to published review, {FILES} files", statistics.median(times_s[3:]), "s",
            goal="< 1",
        )  # fmt: skip


def _memory() -> Iterator[Row]:
    """One worker process with so many events that wait for a model's answer."""
    options = {"threads": 170, "model_delay_s": 45.0}
    with _stack(repositories=25, pulls=WAITING, **options) as (stack, pulls):
        process = psutil.Process(stack.pids()[0])
        idle_mb = process.memory_info().rss / 1e6
        _post_all(stack, pulls, 8, count=WAITING)
        began_s = time.monotonic()
        _until(lambda: _asking(stack) >= WAITING or time.monotonic() - began_s > 40)
        held = _asking(stack)
        yield Row("worker at rest", idle_mb, "MB")
        yield Row(f"worker with {held} waiting", process.memory_info().rss / 1e6, "MB",
                  goal="< 250" if held == WAITING else "")  # fmt: skip


@contextmanager
def _stack(*, repositories: int, pulls: int, **how: Any) -> Iterator[tuple[ChaosStack, list[Pull]]]:
    """One worker; what the furnishing itself told is not delivered."""
    with tempfile.TemporaryDirectory() as directory:
        stack = ChaosStack(
            Path(directory), worker_count=1, lease_s=30.0, celery_app="workers.app", **how
        )
        stack.environment = {**stack.environment, "REVIEW_QUIET_S": "0"}
        try:
            stack.start()
            stack.github.hooks.url = None
            made = furnish(
                stack.github, stack.redis_url, pulls=pulls, repositories=repositories,
                questions=1, pushes=1, seed=1,
            )  # fmt: skip
            stack.wait_for_worker()
            yield stack, made
        finally:
            stack.stop()


def _post_all(
    stack: ChaosStack, pulls: list[Pull], clients: int, count: int = DELIVERIES
) -> list[float]:
    """Comments made in the stand-in, delivered by `clients` connections; milliseconds of each."""
    before = len(stack.github.hooks.deliveries)
    for number in range(count):
        pull = pulls[number % len(pulls)]
        words = f"@{stack.github.app_slug} what is the number of [pr-{pull.index} q{number}]?"
        stack.github.comment(pull.pull, PERSON, words)
    made = stack.github.hooks.deliveries[before:]
    waiting = [d for d in made if d.event == "issue_comment" and d.action == "created"][:count]
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.delivering", str(stack.web_port), str(clients)],
        input=encoded(waiting),
        capture_output=True,
        text=True,
        check=True,
    )
    times_ms: list[float] = json.loads(done.stdout)
    return times_ms


def _is_reviewed(stack: ChaosStack, head_sha: str) -> bool:
    runs = list(stack.github.check_runs.values())
    return any(run.suite.head_sha == head_sha and run.status == "completed" for run in runs)


def _asking(stack: ChaosStack) -> int:
    return sum(call.ended_s == float("inf") for call in list(stack.model.calls))


def _until(is_true: Callable[[], bool], within_s: float = 90.0) -> None:
    deadline_s = time.monotonic() + within_s
    while not is_true():
        if time.monotonic() > deadline_s:
            raise TimeoutError("It did not happen.")
        time.sleep(0.005)
