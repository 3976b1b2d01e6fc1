"""The last nodes of a review: publish once, and record what was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import structlog
from langgraph.runtime import Runtime

from graph import rendering, review_history
from graph.answers import Answer, plural
from graph.checking import as_store
from graph.context import CheckReport, Conclusion, Resolution, ReviewContext, ReviewDraft
from graph.conventions import Convention
from graph.findings import Finding
from graph.recalling import active_conventions, books
from graph.repository_settings import RepositorySettings, SettingsFileError
from graph.state import ReviewState
from graph.turn import current, settings_of

log = structlog.get_logger()


def publish(
    state: ReviewState, runtime: Runtime[ReviewContext], *, has_model: bool
) -> dict[str, Any]:
    """Publish the review and its check run; in shadow mode neither."""
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
        check=check_report(state, settings, conventions, has_model=has_model),
    )
    if settings.shadow:
        log.info("review.shadow", number=draft.number, head_sha=draft.head_sha)
        return {"published": {"shadow": True}}
    publication = context.publisher.publish(draft)
    _tell_the_asker(context, state, len(findings))
    return {"published": asdict(publication)}


def record(state: ReviewState, runtime: Runtime[ReviewContext]) -> dict[str, Any]:
    """Keep one entry per pull request and head, so a retry overwrites; count the hits."""
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
    return {
        "last_reviewed_sha": state["head_sha"],
        "last_conventions": sorted(set(state["recalled"])),
    }


def check_report(
    state: ReviewState,
    settings: RepositorySettings,
    conventions: Mapping[str, Convention],
    *,
    has_model: bool,
) -> CheckReport:
    """What the check run says. Green only for a head that was looked at and had nothing."""
    if state["skip"]:
        return CheckReport("neutral", state["skip"][:255], state["skip"])
    everything = [Finding.from_json(f) for f in state["candidates"]]
    notes = [_scope_of_review(conventions, has_model=has_model), *state["failures"]]
    title = plural(len(everything), "finding") if everything else "No findings"
    conclusion: Conclusion = "success"
    if not conventions and not has_model:
        title, conclusion = (
            "Nothing to check: no conventions yet and no model configured",
            "neutral",
        )
    elif state["failures"]:
        title, conclusion = f"Incomplete: {state['failures'][0]}"[:255], "neutral"
    elif everything:
        fails = any({f.severity, f.convention_id} & set(settings.check_fail_on) for f in everything)
        conclusion = "failure" if fails else "neutral"
    return rendering.report(everything, conclusion, title, notes, state["unread"])


def _scope_of_review(conventions: Mapping[str, Convention], *, has_model: bool) -> str:
    checked = sorted((c.id for c in conventions.values() if c.check), key=lambda i: int(i[1:]))
    by_code = f"Checked by code: {', '.join(checked) or 'no conventions'}."
    return by_code if has_model else f"{by_code} Checks only: no model is configured."


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
    context.replier.reply(Answer(text), f"review:{context.event_id}")
