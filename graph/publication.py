"""The last nodes of a review: publish once, and record what was done."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

import structlog
from langgraph.runtime import Runtime

from graph import rendering, review_history
from graph.answers import Answer
from graph.check_report import check_report, lost_findings
from graph.checking import as_store
from graph.context import Resolution, ReviewContext, ReviewDraft
from graph.findings import Finding
from graph.recalling import active_conventions, books
from graph.repository_settings import RepositorySettings, SettingsFileError
from graph.spending import set_spent, tokens_of
from graph.state import ReviewState
from graph.turn import current, settings_of

MAX_TOLD = 200
"""Findings that the thread remembers; a pull request with more has outgrown reviews."""

log = structlog.get_logger()


def publish(state: ReviewState, runtime: Runtime[ReviewContext], *, model: str) -> dict[str, Any]:
    """Publish the review and its check run; in shadow mode neither. `model` is its name or "none".

    What is published depends on the state and the conventions alone, so a repetition after a crash
    says the same.
    """
    context = runtime.context
    context.still_ours()
    pull_request = current(context)
    conventions = {c.id: c for c in active_conventions(as_store(runtime.store), context)}
    findings = [Finding.from_json(f) for f in state["findings"]]
    settings = _settings(context)
    draft = ReviewDraft(
        number=pull_request.number,
        head_sha=state["head_sha"],
        cause=context.cause,
        body=rendering.summary(
            [f for f in findings if f.anchor], [f for f in findings if not f.anchor], conventions
        ),
        comments=tuple(rendering.comment(f, conventions) for f in findings if f.anchor),
        resolutions=tuple(Resolution(**r) for r in state["resolutions"]),
        check=check_report(state, settings, conventions, model=model),
    )
    _log(state, context, model, is_shadow=settings.shadow)
    if settings.shadow:
        return {"published": {"shadow": True}}
    publication = context.publisher.publish(draft)
    _tell_the_asker(context, state, len(findings))
    return {"published": asdict(publication)}


def record(state: ReviewState, runtime: Runtime[ReviewContext]) -> dict[str, Any]:
    """Keep one entry per pull request and head, so a retry overwrites; count hits and tokens.

    In the thread: what was read, by which conventions, and what was told.
    """
    context = runtime.context
    store = as_store(runtime.store)
    if state["skip"]:
        return {}
    findings = [Finding.from_json(f) for f in state["findings"]]
    entry = {
        "number": context.number,
        "head_sha": state["head_sha"],
        "at": context.now(),
        "cause": context.cause,
        "findings": state["findings"],
        "recalled": sorted(set(state["recalled"])),
    }
    review_history.keep(store, context.repository_id, entry)
    run = f"{context.number}@{state['head_sha']}"
    for book, prefix in zip(books(store, context), "CO", strict=True):
        book.used([f.convention_id for f in findings if (f.convention_id or "")[:1] == prefix], run)  # type: ignore[misc]
    if state["usage"]:
        set_spent(store, context, sum(tokens_of(state["usage"])))
    return _remembered(state)


def _remembered(state: ReviewState) -> dict[str, Any]:
    """The thread's channels: a later push asks only for what these do not cover."""
    update: dict[str, Any] = {}
    if not state["published"].get("shadow"):
        update["told"] = [*state.get("told", []), *state["findings"]][-MAX_TOLD:]
    reading = state["reading"]
    if reading.get("no_model"):
        return update
    wanted = reading["keys"]
    read = {*state.get("read_hunks", []), *_read_now(state)}
    update["read_hunks"] = [key for key in wanted if key in read]
    if not state["failures"]:
        update["last_conventions"] = reading["conventions"]
    if read.issuperset(wanted):
        update["last_reviewed_sha"] = state["head_sha"]
    return update


def _read_now(state: ReviewState) -> Collection[str]:
    """Hunks that were read completely: by every part that shows some of them, and verified."""
    answered = set(state["answered"])
    unverified = {v["unverified"] for v in state["verdicts"] if "unverified" in v}
    read: set[str] = set()
    unread: set[str] = set()
    for unit in state["units"]:
        is_read = unit["number"] in answered and not unverified & set(unit["paths"])
        (read if is_read else unread).update(unit["keys"] if not unit["only"] else ())
    return read - unread


def _log(state: ReviewState, context: ReviewContext, model: str, *, is_shadow: bool) -> None:
    tokens_into, tokens_out = tokens_of(state["usage"])
    log.info(
        "review.finished",
        number=context.number,
        head_sha=state["head_sha"],
        cause=context.cause,
        findings=len(state["findings"]),
        dropped=len(state["dropped"]),
        unread=len(state["unread"]),
        failures=len(state["failures"]),
        conventions=sorted(set(state["recalled"])),
        input_tokens=tokens_into,
        output_tokens=tokens_out,
        model=model,
        is_shadow=is_shadow,
    )


def _settings(context: ReviewContext) -> RepositorySettings:
    try:
        return settings_of(context, current(context))
    except SettingsFileError:
        return RepositorySettings()


def _tell_the_asker(context: ReviewContext, state: ReviewState, count: int) -> None:
    """Somebody who asked for a review hears of it, also when there is nothing to comment."""
    if context.replier is None or count:
        return
    sha = state["head_sha"][:7]
    text = state["skip"] or f"Reviewed {sha}: nothing new to say."
    missing = next(iter(state["failures"]), "") or lost_findings(state["dropped"])
    if missing and not state["skip"]:
        text = f"Reviewed {sha}, but not completely: {missing}."
    context.replier.reply(Answer(text), f"review:{context.event_id}")
