"""What was said before on this pull request: nothing is told twice, what is gone is resolved."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from graph.context import Resolution, ReviewThread
from graph.conventions import Convention
from graph.findings import Finding
from graph.markers import FindingMark, Mark, finding_marks, has_mark

RESOLVED = Mark("resolved")
"""On the note with which we resolve a thread: a person's click leaves none."""

_DISMISSAL = re.compile(
    r"\b(won'?t fix|wontfix|not a (?:bug|problem|issue)|false positive|by design|"
    r"intentional(?:ly)?|works as intended|ignore this|dismiss(?:ed)?|leave it)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Told:
    """A finding that a comment of ours tells, and what became of it."""

    thread: ReviewThread
    mark: FindingMark

    @property
    def person_replied(self) -> bool:
        return any(not c.is_ours and not c.is_bot for c in self.thread.comments)

    @property
    def is_dismissed(self) -> bool:
        """A person said no, or resolved the thread themselves."""
        said_no = any(
            not c.is_ours and not c.is_bot and _DISMISSAL.search(c.body)
            for c in self.thread.comments
        )
        return said_no or (self.thread.is_resolved and not self.was_resolved_by_us)

    @property
    def was_resolved_by_us(self) -> bool:
        """Whether our own note says why it was resolved; a person's click leaves no note."""
        return self.thread.is_resolved and any(
            c.is_ours and has_mark(c.body, RESOLVED) for c in self.thread.comments
        )


def told(threads: Sequence[ReviewThread]) -> list[Told]:
    """Our own findings among the threads. A mark counts only in a comment by our own app."""
    return [
        Told(thread, mark)
        for thread in threads
        if thread.comments and thread.comments[0].is_ours
        for mark in finding_marks(thread.comments[0].body)
    ]


def unsaid(
    findings: Sequence[Finding], said: Sequence[Told]
) -> tuple[list[Finding], list[dict[str, str]]]:
    """The findings that are new, and the others with the reason why they are not told again."""
    is_open = {t.mark.fingerprint for t in said if not t.thread.is_resolved}
    dismissed = {t.mark.fingerprint for t in said if t.is_dismissed}
    new: list[Finding] = []
    dropped: list[dict[str, str]] = []
    for finding in findings:
        if finding.fingerprint in dismissed:
            dropped.append({"reason": "dismissed", "title": finding.title})
        elif finding.fingerprint in is_open:
            dropped.append({"reason": "already_said", "title": finding.title})
        else:
            new.append(finding)
    return new, dropped


def resolutions(
    said: Sequence[Told],
    findings: Sequence[Finding],
    conventions: Mapping[str, Convention],
    gone: Collection[str],
) -> list[Resolution]:
    """Our open threads whose cause is gone, with the note that says why.

    `findings` is everything found on this head. `gone` holds the thread ids of findings by a model
    whose code is no longer there. A thread in which a person spoke is theirs to close.
    """
    current = {f.fingerprint for f in findings}
    answer = []
    for one in said:
        if one.thread.is_resolved or one.person_replied or one.mark.fingerprint in current:
            continue
        note = _note(one, conventions, gone)
        if note:
            root = one.thread.comments[0]
            answer.append(Resolution(one.thread.id, root.id, f"{note}\n\n{RESOLVED.render()}"))
    return answer


def _note(one: Told, conventions: Mapping[str, Convention], gone: Collection[str]) -> str:
    mark = one.mark
    if mark.convention_id:
        convention = conventions.get(mark.convention_id)
        if convention is None:
            return f"Resolved: {mark.convention_id} no longer holds."
        if convention.version != mark.version:
            rule = " ".join(convention.rule.split())
            return f"Resolved: {convention.id} was changed to “{rule}”."
        if mark.fingerprint == _check_fingerprint(convention):
            return "Resolved: the lines are fixed."
    return "Resolved: the code it was about is gone." if one.thread.id in gone else ""


def _check_fingerprint(convention: Convention) -> str:
    return Finding(
        path="",
        category="convention",
        severity="medium",
        title="",
        message="",
        anchor=None,
        origin="check",
        convention_id=convention.id,
        convention_version=convention.version,
    ).fingerprint
