"""The first visible sign, with real processes, real deliveries and a slow model."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tests.chaos.stack import ChaosStack
from tests.chaos.world import PERSON, furnish

MODEL_DELAY_S = 12.0
SIGN_WITHIN_S = 5.0


def test_a_mention_is_seen_within_five_seconds_while_its_pull_request_is_reviewed(
    tmp_path: Path,
) -> None:
    """One worker, whose review of the same pull request waits for the model all the while."""
    stack = ChaosStack(tmp_path, worker_count=1, threads=4, model_delay_s=MODEL_DELAY_S)
    try:
        stack.start()
        stack.wait_for_worker()
        stack.github.hooks.url = f"{stack.web_url}/github/webhook"
        (pull,) = furnish(
            stack.github, stack.redis_url, pulls=1, repositories=1, questions=1, pushes=1, seed=1
        )
        until(lambda: bool(stack.model.calls), within_s=30.0)
        comment = stack.github.comment(
            pull.pull, PERSON, f"@{stack.github.app_slug} what is the number of [pr-0 q1]?"
        )
        asked_s = time.monotonic()
        until(lambda: bool(comment.reactions), within_s=SIGN_WITHIN_S)
        assert time.monotonic() - asked_s < SIGN_WITHIN_S
        assert [reaction.content for reaction in comment.reactions.values()] == ["eyes"]
        (review,) = stack.model.calls
        assert review.ended_s == float("inf"), "the review waits for the model still"
    finally:
        stack.stop()


def until(is_true: Callable[[], bool], within_s: float) -> None:
    deadline_s = time.monotonic() + within_s
    while not is_true():
        assert time.monotonic() < deadline_s, f"It did not happen within {within_s:g} seconds."
        time.sleep(0.02)
