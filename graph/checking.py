"""The check node: conventions that code can decide, run on the whole diff, told once each."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore

from graph.checks.pull_request_text import PullRequestText
from graph.checks.report import CheckResult, Violation
from graph.checks.rules import rules_from
from graph.checks.run import run_checks
from graph.context import PullRequest, ReviewContext
from graph.conventions import Convention
from graph.diff import Diff
from graph.findings import Finding
from graph.generated import policy_of
from graph.recalling import active_conventions
from graph.redaction import without_secrets
from graph.state import ReviewState
from graph.store import ConventionStore
from graph.turn import current, settings_of

MAX_LISTED_SKIPS = 20
"""Named skips in one check run; past this they are counted."""


def check(state: ReviewState, runtime: Runtime[ReviewContext]) -> dict[str, Any]:
    """Run every active convention that has a check; findings are grouped by convention."""
    context = runtime.context
    context.still_ours()
    pull_request = current(context)
    conventions = active_conventions(as_store(runtime.store), context)
    diff = context.reader.diff(pull_request)
    result = violations_of(
        conventions, diff, lambda path: context.reader.read_file(path, pull_request.head_sha),
        text_of(pull_request),
    )  # fmt: skip
    checked = [c for c in conventions if c.check is not None]
    policy = policy_of(
        lambda path: context.reader.read_file(path, pull_request.default_branch),
        settings_of(context, pull_request), diff,
    )  # fmt: skip
    told = written_by_people(result.violations, conventions, policy)
    return {
        "recalled": [c.reference for c in checked],
        "candidates": [without_secrets(f).to_json() for f in grouped(told, conventions)],
        "unread": [
            {"path": path, "reason": f"{skip.convention_id}: {skip.sentence}"}
            for skip in result.skipped
            for path in skip.paths or ("",)
        ][:MAX_LISTED_SKIPS],
    }


def violations_of(
    conventions: Sequence[Convention],
    diff: Diff,
    read: Callable[[str], bytes | None],
    text: PullRequestText,
) -> CheckResult:
    """Run the checks of `conventions` where each one holds: narrowest paths win."""
    rules, unreadable = rules_from(conventions)
    result = run_checks(diff, rules, read, text)
    return CheckResult(result.violations, (*unreadable, *result.skipped))


def written_by_people(
    violations: Sequence[Violation], conventions: Sequence[Convention], policy: Collection[str]
) -> list[Violation]:
    """Without generated, vendored and locked files, unless a convention names where it holds."""
    everywhere = {c.id for c in conventions if not any(map(_names_place, c.paths))}
    return [v for v in violations if v.path not in policy or v.convention_id not in everywhere]


def _names_place(path: str) -> bool:
    """Whether a glob of a scope names a folder or a file: "*.py" and "!tests/" do not."""
    return not path.startswith("!") and re.fullmatch(r"(?:\*\*/)?\*\.\w+", path) is None


def grouped(violations: Sequence[Violation], conventions: Sequence[Convention]) -> list[Finding]:
    """One finding per convention, at its first place, naming the others."""
    by_id = {c.id: c for c in conventions}
    groups: dict[str, list[Violation]] = {}
    for violation in violations:
        groups.setdefault(violation.convention_id, []).append(violation)
    return [_finding(group, by_id[convention_id]) for convention_id, group in groups.items()]


def text_of(pull_request: PullRequest) -> PullRequestText:
    return PullRequestText(
        title=pull_request.title,
        description=pull_request.body,
        branch=pull_request.head_ref,
        commits=pull_request.commit_messages,
    )


def as_store(store: BaseStore | None) -> ConventionStore:
    """The graph's store. Raises TypeError when the graph was compiled with another one."""
    if not isinstance(store, ConventionStore):
        raise TypeError("The review graph needs a graph.store.ConventionStore as its store.")
    return store


def _finding(group: Sequence[Violation], convention: Convention) -> Finding:
    # A place on a line comes first: a comment can stand there.
    ordered = sorted(group, key=lambda v: v.anchor is None)
    first = ordered[0]
    return Finding(
        path=first.path,
        category="convention",
        severity="medium",
        title=first.message,
        message="",
        anchor=first.anchor,
        origin="check",
        convention_id=convention.id,
        convention_version=convention.version,
        suggestion=first.suggestion,
        also_at=tuple(v.anchor for v in ordered[1:] if v.anchor is not None),
    )
