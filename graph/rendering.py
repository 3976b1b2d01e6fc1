"""Findings as GitHub shows them: the comment, the review's body, the check run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph.anchors import Anchor
from graph.answers import plural
from graph.context import Annotation, CheckReport, Conclusion, InlineComment
from graph.conventions import Convention
from graph.findings import SEVERITIES, Finding
from graph.markers import defuse, finding_mark
from graph.wording import quoted, said_by

MAX_NAMED_PLACES = 20
MAX_ANNOTATIONS = 200
"""More freeze the page of a pull request (reported at 270); the rest are counted."""

MAX_LISTED_FILES = 100


def comment(finding: Finding, conventions: Mapping[str, Convention]) -> InlineComment:
    """The inline comment of a finding that has an anchor."""
    assert finding.anchor is not None
    mark = finding_mark(
        finding.fingerprint, finding.convention_id or "", finding.convention_version
    )
    return InlineComment(finding.anchor, f"{body(finding, conventions)}\n\n{mark}")


def body(finding: Finding, conventions: Mapping[str, Convention]) -> str:
    """What a finding says, without its mark: title, failure, the convention's words, places."""
    parts = [f"**{defuse(finding.title)}**"]
    if finding.message:
        parts.append(defuse(finding.message))
    convention = conventions.get(finding.convention_id or "")
    if convention is not None:
        parts.append(
            f"{quoted(defuse(convention.rule))}\n>\n> {convention.id}, {said_by(convention.source)}"
        )
    if finding.suggestion is not None:
        fence = _fence(finding.suggestion)
        parts.append(f"{fence}suggestion\n{finding.suggestion}\n{fence}")
    if finding.also_at:
        parts.append("Also at " + _places(finding.also_at) + ".")
    return "\n\n".join(parts)


def summary(
    placed: Sequence[Finding], unplaced: Sequence[Finding], conventions: Mapping[str, Convention]
) -> str:
    """The review's body; "" when there is nothing to say."""
    if not placed and not unplaced:
        return ""
    lines = [f"{plural(len(placed) + len(unplaced), 'finding')}."]
    if unplaced:
        lines += ["", "**Without an exact line**"]
        for finding in unplaced:
            where = f"`{finding.path}`: " if finding.path else ""
            mark = finding_mark(
                finding.fingerprint, finding.convention_id or "", finding.convention_version
            )
            lines += ["", f"{where}{body(finding, conventions)}", mark]
    return "\n".join(lines)


def report(
    findings: Sequence[Finding],
    conclusion: Conclusion,
    title: str,
    notes: Sequence[str],
    unread: Sequence[Mapping[str, str]],
) -> CheckReport:
    """The check run: counts, what was not read and why, and an annotation for each place."""
    lines = [*notes]
    if findings:
        counts = [
            f"{sum(1 for f in findings if f.severity == severity)} {severity}"
            for severity in reversed(SEVERITIES)
            if any(f.severity == severity for f in findings)
        ]
        lines += ["", "Findings: " + ", ".join(counts)]
    if unread:
        lines += ["", "**Not read**", ""]
        lines += [f"- {_unread(item)}" for item in unread[:MAX_LISTED_FILES]]
        if len(unread) > MAX_LISTED_FILES:
            lines.append(f"- and {len(unread) - MAX_LISTED_FILES} more")
    annotations = [a for f in findings for a in _annotations(f)]
    if len(annotations) > MAX_ANNOTATIONS:
        lines += ["", f"{len(annotations) - MAX_ANNOTATIONS} further places are not annotated."]
    return CheckReport(conclusion, title, "\n".join(lines), tuple(annotations[:MAX_ANNOTATIONS]))


def _annotations(finding: Finding) -> list[Annotation]:
    level = "failure" if finding.severity in ("high", "critical") else "warning"
    title = finding.convention_id or finding.category
    return [
        Annotation(a.path, a.start_line or a.line, a.line, level, title, finding.title)  # type: ignore[arg-type]
        for a in ((finding.anchor, *finding.also_at) if finding.anchor else finding.also_at)
        if a.side == "RIGHT"
    ]


def _unread(item: Mapping[str, str]) -> str:
    where = f"`{item['path']}`: " if item.get("path") else ""
    return f"{where}{item['reason']}"


def _places(anchors: Sequence[Anchor]) -> str:
    named = [f"`{a.path}:{a.line}`" for a in anchors[:MAX_NAMED_PLACES]]
    more = len(anchors) - len(named)
    return ", ".join(named) + (f" and {plural(more, 'more place')}" if more > 0 else "")


def _fence(text: str) -> str:
    longest = max((len(run) for run in _runs(text)), default=0)
    return "`" * max(3, longest + 1)


def _runs(text: str) -> list[str]:
    return [run for run in "".join(c if c == "`" else " " for c in text).split() if run]
