"""Which findings are told: one for each root cause, what matters most first, few at a time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from graph.context import ReviewContext
from graph.findings import SEVERITIES, Finding
from graph.settling import alike, words
from graph.state import ReviewState
from graph.turn import current, settings_of

_EMPTY_WORDS = words(
    "error exception fails failure raises wrong missing check bug issue value code"
)

SAME_CAUSE = 0.6
"""Share of common words from which two titles about one file tell the same thing."""


def rank(state: ReviewState, runtime: Runtime[ReviewContext]) -> dict[str, Any]:
    """Drop what was refuted, order the rest, cut at the repository's limit."""
    context = runtime.context
    context.still_ours()
    settings = settings_of(context, current(context))
    findings = [Finding.from_json(f) for f in state["findings"]]
    held = {v["fingerprint"]: v["holds"] for v in state["verdicts"]}
    standing, refuted = _verified(findings, held)
    ordered = sorted(standing, key=_order)
    told, cut = ordered[: settings.review_max_findings], ordered[settings.review_max_findings :]
    dropped = [{"reason": "refuted", "title": f.title} for f in refuted]
    dropped += [{"reason": "over_limit", "title": f.title} for f in cut]
    return {
        "findings": [f.to_json() for f in told],
        "counted": [*state["counted"], *(f.to_json() for f in ordered)],
        "dropped": dropped,
        "seconds": max(0.0, context.now() - state["started_at"]),
    }


def merged(findings: Sequence[Finding]) -> tuple[list[Finding], int]:
    """One finding for each root cause, naming the other places; and how many were merged away."""
    kept: list[Finding] = []
    for finding in sorted(findings, key=_order):
        at = next((n for n, other in enumerate(kept) if _has_same_cause(finding, other)), None)
        if at is None:
            kept.append(finding)
        else:
            kept[at] = _with_place(kept[at], finding)
    return kept, len(findings) - len(kept)


def in_order(findings: Sequence[Finding]) -> list[Finding]:
    """The most important first."""
    return sorted(findings, key=_order)


def _has_same_cause(one: Finding, other: Finding) -> bool:
    if one.fingerprint == other.fingerprint:
        return True
    if other.origin == "secret" and one.category == "security":
        return one.anchor is not None and one.anchor == other.anchor
    if one.origin != "model" or one.origin != other.origin:
        return False
    if one.convention_id or other.convention_id:
        return one.convention_id == other.convention_id
    if one.path != other.path:
        return False
    if one.anchor is not None and one.anchor == other.anchor:
        common = _told_words(one) & _told_words(other)
        return len(common) >= (1 if one.category == other.category else 2)
    return alike(words(one.title), words(other.title)) >= SAME_CAUSE


def _told_words(finding: Finding) -> frozenset[str]:
    """What a title says beyond the code that it is about: on one line all titles name that.

    "ZeroDivisionError" says zero, division and error.
    """
    title = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", finding.title)
    return words(title) - words(finding.quote) - _EMPTY_WORDS


def _with_place(kept: Finding, more: Finding) -> Finding:
    known = {kept.anchor, *kept.also_at}
    places = [a for a in (more.anchor, *more.also_at) if a is not None and a not in known]
    if kept.anchor is None and places:
        return replace(more, also_at=(*more.also_at, *kept.also_at))
    return replace(kept, also_at=(*kept.also_at, *places)) if places else kept


def _order(finding: Finding) -> tuple[Any, ...]:
    anchor = finding.anchor
    return (
        finding.origin != "secret",
        finding.convention_id is None,
        -SEVERITIES.index(finding.severity),
        finding.origin != "check",
        -finding.confidence,
        finding.path,
        anchor.line if anchor else 0,
    )


def _verified(
    findings: Sequence[Finding], held: Mapping[str, bool]
) -> tuple[list[Finding], list[Finding]]:
    """What code found, and what of a model's findings a second look confirmed; and the others."""
    standing = [f for f in findings if f.origin != "model" or held.get(f.fingerprint, False)]
    return standing, [f for f in findings if f not in standing]
