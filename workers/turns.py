"""One event through the graph: started, or continued where a crash left it, exactly once."""

from __future__ import annotations

from typing import Literal

import structlog

from graph.context import ReviewContext
from graph.models import model_name
from graph.state import Turn
from graph.structured import ModelBusy
from workers.errors import Transient
from workers.event import Event
from workers.metering import RunMeter
from workers.services import Services

KEPT_CHECKPOINTS = 2
"""The newest, and the one before it for an operator who looks at what happened."""

RECURSION_LIMIT = 60
"""Steps of one turn: eight tool rounds and a review's nodes fit many times."""

CONCURRENT_MODEL_CALLS = 4
"""Of one review. Providers limit calls by the minute, and other reviews run beside it."""

MODEL_RETRY_S = 60.0
"""An overloaded model needs about this long; what it answered before is kept."""

log = structlog.get_logger()


def run_turn(
    services: Services,
    event: Event,
    context: ReviewContext,
    thread_id: str,
    kind: Literal["review", "message"],
    text: str = "",
) -> None:
    """Run the graph for `event` on its thread.

    The same event with nodes left continues from its checkpoint, so no answered model call is paid
    for twice; one that was finished before its event was settled does nothing.
    """
    config = {
        "configurable": {"thread_id": thread_id},
        "recursion_limit": RECURSION_LIMIT,
        "max_concurrency": CONCURRENT_MODEL_CALLS,
        "callbacks": [RunMeter(services.metrics, _model(services))],
    }
    known = (services.saver.latest(thread_id, "turn") or {}).get("event_id")
    # Not `next`, which leaves out a node whose result is saved and not yet part of a checkpoint.
    if known == event.id and not services.graph.get_state(config).tasks:  # type: ignore[arg-type]
        log.info("turn.finished_before", thread=thread_id)
        return
    turn = Turn(event_id=event.id, kind=kind, cause=context.cause, text=text)
    start = None if known == event.id else {"turn": turn}
    try:
        services.graph.invoke(start, config, context=context, durability="sync")  # type: ignore[call-overload]
    except ModelBusy as error:
        raise Transient(str(error), retry_after_s=MODEL_RETRY_S, reason=error.reason) from error
    services.saver.prune([thread_id], keep_last=KEPT_CHECKPOINTS)


def _model(services: Services) -> str:
    settings = services.settings
    return model_name(settings.review_model, settings.google_api_key.reveal())


def drop_instructions(services: Services, thread_id: str) -> None:
    """Nothing stands any more in a thread; one that does not exist stays so."""
    config = {"configurable": {"thread_id": thread_id}}
    snapshot = services.graph.get_state(config)  # type: ignore[arg-type]
    if snapshot.values.get("instructions"):
        services.graph.update_state(config, {"instructions": []}, as_node="reply")  # type: ignore[arg-type]


def pull_request_of(services: Services, thread_id: str) -> int | None:
    """The pull request that a Slack thread is about, as an earlier message of it named it."""
    about = services.saver.latest(thread_id, "about")
    return about if isinstance(about, int) else None


def pull_request_thread(repository_id: int, number: int) -> str:
    return f"pr:{repository_id}:{number}"


def slack_thread(team: str, channel: str, thread_ts: str, repository_id: int) -> str:
    return f"slack:{team}:{channel}:{thread_ts}:{repository_id}"
