"""Findings as GitHub shows them: the comment, the review's body, the check run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from graph.anchors import Anchor
from graph.answers import plural
from graph.context import Annotation, CheckReport, Conclusion, InlineComment
from graph.conventions import Convention
from graph.findings import SEVERITIES, Finding
from graph.markers import defuse, finding_mark
from graph.untrusted import one_line
from graph.wording import quoted, said_by

MAX_PLACES_IN_A_SENTENCE = 3
MAX_NAMED_PLACES = 20
MAX_ANNOTATIONS = 200
"""More freeze the page of a pull request (reported at 270); the rest are counted."""

MAX_LISTED_CHARACTERS = 45_000
"""Of the list of unread files; a check run's summary holds 65,535."""


def comment(finding: Finding, conventions: Mapping[str, Convention]) -> InlineComment:
    """The inline comment of a finding that has an anchor."""
    assert finding.anchor is not None
    mark = finding_mark(
        finding.fingerprint, finding.convention_id or "", finding.convention_version
    )
    return InlineComment(finding.anchor, f"{body(finding, conventions)}\n\n{mark}")


def body(finding: Finding, conventions: Mapping[str, Convention]) -> str:
    """What a finding says, without its mark: title, failure, the convention's words, places."""
    calm = calmed if finding.origin == "model" else str
    parts = [f"**{defuse(calm(finding.title))}**"]
    if message := calm(finding.message):
        parts.append(defuse(message))
    convention = conventions.get(finding.convention_id or "")
    if convention is not None:
        parts.append(
            f"{quoted(defuse(convention.rule))}\n>\n> {convention.id}, {said_by(convention.source)}"
        )
    if finding.suggestion is not None:
        fence = _fence(finding.suggestion)
        parts.append(f"{fence}suggestion\n{finding.suggestion}\n{fence}")
    if finding.also_at:
        parts.append(_also(finding.also_at))
    return "\n\n".join(parts)


_PICTOGRAPHS = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55\ufe0f]+\\s*")
_PRAISE = re.compile(
    r"^(?:overall,? )?(?:great|good|nice|excellent|solid|awesome)\s+(?:work|job|change|refactoring|"
    r"catch|start|pr|pull request|improvement)\b[^.!?]*[.!]\s*(?:(?:however|but|that said),?\s*)?",
    re.IGNORECASE,
)
_ALARM = re.compile(r"^(?:critical|urgent|warning|important|bug|issue|nit(?:pick)?)\s*[:!]\s*",
                    re.IGNORECASE)  # fmt: skip


def calmed(text: str) -> str:
    """A model's words without pictures, praise and alarm; as they were if nothing is left.

    The severity stands in the check run; a comment says what is wrong, once.
    """
    calm = _PICTOGRAPHS.sub("", text).strip()
    calm = _ALARM.sub("", _PRAISE.sub("", calm))
    calm = re.sub(r"!{2,}", ".", calm)
    return calm[:1].upper() + calm[1:] if calm and calm != text else calm or text


def summary(
    placed: Sequence[Finding], unplaced: Sequence[Finding], conventions: Mapping[str, Convention]
) -> str:
    """The review's body; "" when there is nothing to say."""
    if not placed and not unplaced:
        return ""
    lines = [f"{plural(len(placed) + len(unplaced), 'finding')}."]
    groups = {
        "On the pull request": [f for f in unplaced if not f.path],
        "Without an exact line": [f for f in unplaced if f.path],
    }
    for heading, findings in groups.items():
        lines += ["", f"**{heading}**"] if findings else []
        for finding in findings:
            where = f"{_place(finding.path)}: " if finding.path else ""
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
        lines += ["", "**Not read**", "", *_listed(unread)]
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


def _listed(unread: Sequence[Mapping[str, str]]) -> list[str]:
    """Every file that was not read, by reason; counted past what a summary can hold."""
    by_reason: dict[str, list[str]] = {}
    for item in unread:
        by_reason.setdefault(item["reason"], []).append(item.get("path", ""))
    lines: list[str] = []
    room = MAX_LISTED_CHARACTERS
    for reason, paths in by_reason.items():
        named = [_place(defuse(path)) for path in paths if path]
        kept: list[str] = []
        for name in named:
            room -= len(name) + 2
            if room < 0:
                break
            kept.append(name)
        more = len(named) - len(kept)
        where = ", ".join(kept) + (f" and {plural(more, 'more file')}" if more else "")
        lines.append(f"- {defuse(reason)}" + (f": {where}" if where else ""))
    return lines


def code_span(text: str) -> str:
    """`text` as inline code, whatever backticks it holds; line ends become spaces."""
    text = re.sub(r"\s", " ", text)
    if "`" not in text:
        return f"`{text}`"
    fence = "`" * (_longest_run(text) + 1)
    return f"{fence} {text} {fence}"


def _place(text: str) -> str:
    """A path, and perhaps a line of it, as one line of inline code."""
    return code_span(one_line(text, 400))


def _also(anchors: Sequence[Anchor]) -> str:
    """The other places: a few in a sentence, more of them folded away and by file."""
    if len(anchors) <= MAX_PLACES_IN_A_SENTENCE:
        return f"Also at {', '.join(_place(f'{a.path}:{a.line}') for a in anchors)}."
    runs = {path: _runs_of(numbers) for path, numbers in _numbers_by_path(anchors).items()}
    longest = max(map(len, runs.values()))
    # A few of each file: a file that is not named looks as if it were clean.
    in_turn = [(path, n) for n in range(longest) for path in runs if n < len(runs[path])]
    kept = dict.fromkeys(runs, 0)
    for path, n in in_turn[:MAX_NAMED_PLACES]:
        kept[path] = n + 1
    listed: list[str] = []
    named = 0
    for path, count in kept.items():
        words = [f"{a}–{b}" if a != b else str(a) for a, b in runs[path][:count]]
        listed += [f"- {_place(path)}: {', '.join(words)}"] if words else []
        named += sum(b - a + 1 for a, b in runs[path][:count])
    more = len(set(anchors)) - named
    if more > 0:
        listed.append(f"- {plural(more, 'more place')}, in the check's annotations")
    head = f"<summary>The same at {plural(len(anchors), 'other place')}</summary>"
    return "\n".join(["<details>", head, "", *listed, "</details>"])


def _numbers_by_path(anchors: Sequence[Anchor]) -> dict[str, list[int]]:
    numbers: dict[str, list[int]] = {}
    for anchor in anchors:
        numbers.setdefault(anchor.path, []).append(anchor.line)
    return numbers


def _runs_of(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Numbers as runs of neighbours: 3, 4, 5 and 9 are 3 to 5 and 9."""
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _fence(text: str) -> str:
    return "`" * max(3, _longest_run(text) + 1)


def _longest_run(text: str) -> int:
    """Of backticks, one behind the other."""
    return max(map(len, re.findall("`+", text)), default=0)
