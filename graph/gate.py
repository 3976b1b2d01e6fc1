"""The gate: what of the candidates may be told, is new here, and which earlier ones are gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from langgraph.runtime import Runtime

from graph import settling
from graph.checking import as_store
from graph.context import ReviewContext
from graph.diff import Diff
from graph.findings import Finding
from graph.ignoring import heard, ignored_globs
from graph.placing import stands_at
from graph.planning import clean, clean_text
from graph.proposals import Dropped, Ground, finding_from
from graph.ranking import in_order, merged
from graph.recalling import active_conventions
from graph.settling import Told
from graph.spending import Limits
from graph.state import ReviewState
from graph.turn import current, settings_of
from graph.untrusted import as_prose

Drop = dict[str, str]

MAX_CHECK_TITLE = 500


def gate(state: ReviewState, runtime: Runtime[ReviewContext], *, limits: Limits) -> dict[str, Any]:
    """Judge what was found by code, and find the threads to resolve. No model is asked here."""
    context = runtime.context
    context.still_ours()
    assert context.number is not None
    pull_request = current(context)
    diff = clean(context.reader.diff(pull_request)).diff
    conventions = {c.id: c for c in active_conventions(as_store(runtime.store), context)}
    floor = settings_of(context, pull_request).review_severity_floor
    ground = Ground(diff, conventions, floor, _repository_url(pull_request.html_url))
    found, dropped = _found(state, ground)
    threads = context.reader.threads(context.number)
    voices = settling.Voices(pull_request, context.reader.permission)
    said = settling.told(threads, voices)
    earlier = _earlier(state)
    new, old = settling.unsaid(found, said, threads, set(earlier), voices)
    new, cut = _affordable(new, limits)
    gone = _gone(said, earlier, context, diff)
    # A model that repeats a finding whose line is gone has not found it on this head.
    here = [f for f in found if f.origin != "model" or f.anchor is not None]
    resolved = settling.resolutions(said, here, conventions, gone)
    still_counts = {"already_said", "dismissed_by_author"}
    counted = [f for f, reason in old if reason in still_counts and f.origin != "model"]
    counted += _still_open(said, earlier, {r.thread_id for r in resolved}, diff)
    return {
        "findings": [f.to_json() for f in new],
        "counted": [f.to_json() for f in counted],
        "dropped": [
            *dropped,
            *({"reason": reason, "title": f.title} for f, reason in old),
            *({"reason": "over_limit", "title": f.title} for f in cut),
        ],
        "resolutions": [asdict(r) for r in resolved],
    }


def _found(state: ReviewState, ground: Ground) -> tuple[list[Finding], list[Drop]]:
    """Everything found on this head that may be told, one for each cause."""
    found = [_harmless(Finding.from_json(f), ground.url) for f in state["candidates"]]
    dropped: list[Drop] = []
    for item in state["proposals"]:
        try:
            found.append(finding_from(item, ground))
        except Dropped as drop:
            dropped.append({"reason": drop.reason, "title": ""})
    ignoring = [c for c in ground.conventions.values() if c.mode == "ignore"]
    places = ignored_globs(state.get("instructions", []))
    wanted: list[Finding] = []
    for finding in found:
        kept = heard(finding, ground.conventions, ignoring, places)
        if kept is None:
            dropped.append({"reason": "ignored", "title": finding.title})
        else:
            wanted.append(kept)
    one_each, repeated = merged(wanted)
    dropped += [{"reason": "same_cause", "title": ""}] * repeated
    return one_each, dropped


def _harmless(finding: Finding, url: str) -> Finding:
    """A check's words may quote the code: no mention, link or HTML of others goes out with them."""
    return replace(finding, title=as_prose(finding.title, MAX_CHECK_TITLE, url))


def _affordable(findings: Sequence[Finding], limits: Limits) -> tuple[list[Finding], list[Finding]]:
    """Only so many get a second look; what code found needs none."""
    sure = [f for f in findings if f.origin != "model"]
    claims = in_order([f for f in findings if f.origin == "model"])
    return [*sure, *claims[: limits.max_refuted]], claims[limits.max_refuted :]


def _earlier(state: ReviewState) -> dict[str, Finding]:
    """What we told on this pull request, by fingerprint, as the thread remembers it."""
    findings = (Finding.from_json(f) for f in state.get("told", []))
    return {f.fingerprint: f for f in findings}


def _gone(
    said: Sequence[Told], earlier: Mapping[str, Finding], context: ReviewContext, diff: Diff
) -> set[str]:
    """The threads about code that is no longer there."""
    head_sha = current(context).head_sha
    gone = set()
    for one in said:
        finding = earlier.get(one.mark.fingerprint)
        if one.thread.is_resolved or finding is None or not finding.quote:
            continue
        if finding.anchor is not None and finding.anchor.side == "LEFT":
            lines = _removed_lines(diff, finding.path)
        else:
            content = context.reader.read_file(finding.path, head_sha)
            lines = clean_text((content or b"").decode("utf-8", "replace")).split("\n")
        there = {" ".join(line.split()) for line in lines}
        quoted = [" ".join(line.split()) for line in finding.quote.split("\n")]
        if not all(line in there for line in quoted if line):
            gone.add(one.thread.id)
    return gone


def _removed_lines(diff: Diff, path: str) -> list[str]:
    file = diff.file(path)
    return [line.text for line in file.lines() if line.kind == "removed"] if file else []


def _still_open(
    said: Sequence[Told], earlier: Mapping[str, Finding], resolved: set[str], diff: Diff
) -> list[Finding]:
    """A model's earlier findings that stand unanswered: nothing is green while they do.

    Nor while only an author without write permission has closed them, and the code is as it was.
    """
    found = []
    for one in said:
        finding = earlier.get(one.mark.fingerprint)
        is_closed = one.dismissal == "by_writer" or one.was_resolved_by_us
        if finding is None or finding.origin != "model" or is_closed or one.thread.id in resolved:
            continue
        file = diff.file(finding.path)
        anchor = stands_at(file, finding.quote) if file else None
        if anchor is not None or not one.thread.is_resolved:
            found.append(replace(finding, anchor=anchor, also_at=()))
    return found


def _repository_url(html_url: str) -> str:
    """The repository's own address, out of that of its pull request."""
    return html_url.rpartition("/pull/")[0]
