"""The route node: whether the parts of a review need a look at the rest of the code, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import structlog
from langgraph.runtime import Runtime

from graph import blobs
from graph.checking import as_store
from graph.checks.languages import language_of
from graph.code.briefing import Brief, ChangedFile, brief_of
from graph.code.changes import old_text
from graph.code.index import CodeIndex, IndexGone
from graph.code.outline import CODE_LANGUAGES
from graph.code.repository import Overlay
from graph.context import PullRequest, ReviewContext
from graph.diff import Diff, FileDiff
from graph.looking_up import reserve_for
from graph.planning import clean_text
from graph.planning_units import MAX_ENCLOSED_FILES, in_order
from graph.spending import Limits
from graph.state import ReviewState, Route, Unit
from graph.store import ConventionStore
from graph.turn import current

CONTEXT_SHARE = 0.2
"""Of a part's tokens. More of the repository makes reviews worse, not better."""

log = structlog.get_logger()


def route(state: ReviewState, runtime: Runtime[ReviewContext], *, limits: Limits) -> dict[str, Any]:
    """Decide, and fetch what is wanted: a brief for each part, as a blob by reference."""
    context = runtime.context
    context.still_ours()
    pull_request = current(context)
    diff = context.reader.diff(pull_request)
    reason = _reason_against(state, context, diff, limits)
    decided = Route(wanted=not reason, reason=reason, commit="", base="", briefs={}, lookups=[])
    update: dict[str, Any] = {"route": decided}
    if not reason and context.code is not None:
        try:
            update |= _briefed(state, context, context.code, diff, as_store(runtime.store), limits)
        except IndexGone:
            update["route"] = Route(**{**decided, "wanted": False, "reason": "the index is gone"})
    log.info(
        "review.route", repo=context.repository_id, number=context.number,
        wanted=update["route"]["wanted"], why=update["route"]["reason"],
        lookups=update["route"]["lookups"],
        index_sha=update["route"]["commit"], base_sha=pull_request.base_sha,
    )  # fmt: skip
    return update


def stale_sentence(decided: Route) -> str:
    """That the code looked at is of another commit than the base, with both, or ""."""
    if not decided.get("commit") or decided["commit"] == decided["base"]:
        return ""
    return (
        f"Other code was looked up as it was at {decided['commit'][:12]}; the base of this pull "
        f"request is at {decided['base'][:12]}."
    )


def _reason_against(state: ReviewState, context: ReviewContext, diff: Diff, limits: Limits) -> str:
    if limits.code_context == "never":
        return "switched off"
    if not state["units"]:
        return "nothing is read by a model"
    if context.code is None:
        return "the repository has no index yet"
    if not any(language_of(file.path) in CODE_LANGUAGES for file in diff.files):
        return "nothing here is code whose symbols are read"
    return ""


def _briefed(
    state: ReviewState, context: ReviewContext, index: CodeIndex, diff: Diff,
    store: ConventionStore, limits: Limits,
) -> dict[str, Any]:  # fmt: skip
    pull_request = current(context)
    changed = _changed_files(context, pull_request, diff)
    texts = {path: file.after for path, file in changed.items()}
    texts |= {
        f.diff.old_path: None for f in changed.values()
        if f.diff.status == "renamed" and f.diff.old_path not in texts
    }  # fmt: skip
    code = Overlay(index, [path for path, _, _ in index.files], texts)
    budget = int(limits.max_unit_tokens * CONTEXT_SHARE)
    briefs: dict[str, str] = {}
    retrieved: list[dict[str, Any]] = []
    why: list[str] = []
    may_search: list[int] = []
    for unit in state["units"]:
        context.still_ours()
        files = [changed[path] for path in unit["paths"] if path in changed]
        brief = brief_of(code, files, set(texts), budget)
        if brief.text:
            digest = blobs.put(store, context.repository_id, brief.text)
            briefs[str(unit["number"])] = digest
            retrieved += _references(brief, index, unit, digest)
            why.append(f"part {unit['number']}: {brief.why}")
        elif brief.unresolved:
            why.append(f"part {unit['number']}: it may search, symbols did not lead to all uses")
        if brief.text or brief.unresolved:
            may_search.append(unit["number"])
    decided = Route(
        wanted=bool(may_search),
        reason="; ".join(why) or "it changes and uses nothing that other files use or define",
        commit=index.commit_sha,
        base=pull_request.base_sha,
        briefs=briefs,
        lookups=_lookups(state, context, store, may_search, limits),
    )
    return {"route": decided, "retrieved": retrieved}


def _lookups(
    state: ReviewState, context: ReviewContext, store: ConventionStore, wanted: list[int],
    limits: Limits,
) -> list[int]:  # fmt: skip
    """The parts that may look up more: what is near them matters, and their calls are paid for."""
    if limits.code_context == "brief":
        return []
    return reserve_for(context, store, state["units"], wanted, limits)


def _references(brief: Brief, index: CodeIndex, unit: Unit, digest: str) -> list[dict[str, Any]]:
    """What the model is shown, by reference: path, lines, the content's sha and the commit."""
    return [
        {
            "unit": unit["number"], "path": s.path, "lines": [s.first_line, s.last_line],
            "sha": index.blob_sha(s.path), "commit": index.commit_sha, "blob": digest,
        }
        for s in brief.shown
    ]  # fmt: skip


def _changed_files(
    context: ReviewContext, pull_request: PullRequest, diff: Diff
) -> dict[str, ChangedFile]:
    """The changed code before and after, by path; files that can't be put together are left out."""
    code = [f for f in in_order(diff.files) if language_of(f.path) in CODE_LANGUAGES and f.hunks]
    found: dict[str, ChangedFile] = {}
    for file in code[:MAX_ENCLOSED_FILES]:
        after = _after(context, pull_request, file)
        if after is None and file.status != "removed":
            continue
        before = old_text(file, after or "")
        if before is not None:
            cleaned = None if file.status == "removed" else clean_text(after or "")
            found[file.path] = ChangedFile(file, clean_text(before), cleaned)
    return found


def _after(context: ReviewContext, pull_request: PullRequest, file: FileDiff) -> str | None:
    if file.status == "removed":
        return None
    if file.status == "added":
        return "\n".join(line.text for line in file.added()) + "\n"
    content = context.reader.read_file(file.path, pull_request.head_sha)
    return None if content is None else content.decode("utf-8", "replace")


def context_text(store: ConventionStore, context: ReviewContext, briefs: Sequence[str]) -> str:
    """The texts of briefs, or "" once they have expired."""
    found = blobs.get(store, context.repository_id, briefs)
    return "\n\n".join(found[digest] for digest in briefs if digest in found)
