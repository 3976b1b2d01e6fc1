"""What `precedent review` prints: text for people, JSON and SARIF for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from graph.answers import plural
from graph.checks.report import CheckResult, Violation
from graph.conventions import Convention
from graph.sarif import as_sarif


def rendered(result: CheckResult, conventions: Sequence[Convention], groups: int, form: str) -> str:
    """By file and line, whatever order the conventions have; `groups`: how many found something."""
    result = replace(result, violations=tuple(sorted(result.violations, key=_place)))
    needs_a_model = [c.id for c in conventions if c.check is None and c.mode == "enforce"]
    if form == "sarif":
        return as_sarif(result, conventions)
    if form == "json":
        return json.dumps(
            {
                "findings": [_record(v) for v in result.violations],
                "skipped": [
                    {"convention": s.convention_id, "reason": s.reason, "sentence": s.sentence,
                     "paths": list(s.paths)}
                    for s in result.skipped
                ],
                "needs_a_model": needs_a_model,
            },
            ensure_ascii=False,
            indent=2,
        )  # fmt: skip
    lines = [f"{_where(v)}: {v.convention_id}: {v.message}" for v in result.violations]
    lines += [
        f"{', '.join(s.paths) or 'everywhere'}: not checked, {s.convention_id}: {s.sentence}"
        for s in result.skipped
    ]
    if needs_a_model:
        count = plural(len(needs_a_model), "convention needs", "conventions need")
        lines.append(f"{count} a model, and no model looked at the diff.")
    places, rules = plural(len(result.violations), "place"), plural(groups, "convention")
    lines.append(f"{places} against {rules}." if result.violations else "Nothing found.")
    return "\n".join(lines)


def _record(violation: Violation) -> dict[str, Any]:
    return {
        "convention": violation.convention_id,
        "kind": violation.kind,
        "path": violation.path,
        "line": violation.line,
        "message": violation.message,
        "measured": violation.measured,
        "limit": violation.limit,
        "suggestion": violation.suggestion,
    }


def _place(violation: Violation) -> tuple[str, int, str]:
    return violation.path or "", violation.line or 0, violation.convention_id


def _where(violation: Violation) -> str:
    if not violation.path:
        return "the whole change"
    return f"{violation.path}:{violation.line}" if violation.line else violation.path
