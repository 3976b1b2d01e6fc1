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

NEAR_LINES = 5
SAME_WORDS = 0.6
SAME_WORDS_AT_THE_LINE = 0.4
"""Shares of a finding's words that an earlier comment must have to have said it: one at the very
line needs fewer, for people write it in fewer words."""

_DISMISSAL = re.compile(
    r"\b(won'?t fix|wontfix|not a (?:bug|problem|issue)|false positive|by design|"
    r"intentional(?:ly)?|works as intended|ignore this|dismiss(?:ed)?|leave it)\b",
    re.IGNORECASE,
)
_STOP_WORDS = frozenset(
    {"the", "a", "an", "is", "are", "was", "be", "this", "that", "it", "its", "to", "of", "in",
     "on", "for", "and", "or", "not", "with", "when", "if", "will", "can", "may", "here", "as",
     "by", "at", "from", "has", "have", "which", "you", "we", "should", "would", "but", "so",
     "does", "do", "no", "any", "then", "than", "there"}
)  # fmt: skip


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
    findings: Sequence[Finding],
    said: Sequence[Told],
    threads: Sequence[ReviewThread] = (),
    told_in_bodies: Collection[str] = (),
) -> tuple[list[Finding], list[tuple[Finding, str]]]:
    """The findings that are new, and the others, each with "dismissed" or "already_said".

    `told_in_bodies` are fingerprints that we know to have told and that need no thread. What other
    people, and other bots, wrote on the lines counts as said.
    """
    new: list[Finding] = []
    old: list[tuple[Finding, str]] = []
    for finding in findings:
        reason = _reason(finding, said, threads, told_in_bodies)
        if reason:
            old.append((finding, reason))
        else:
            new.append(finding)
    return new, old


def _reason(
    finding: Finding,
    said: Sequence[Told],
    threads: Sequence[ReviewThread],
    told_in_bodies: Collection[str],
) -> str:
    same = [t for t in said if t.mark.fingerprint == finding.fingerprint]
    if any(t.is_dismissed for t in same):
        return "dismissed"
    if any(not t.thread.is_resolved for t in same):
        return "already_said"
    if not same and finding.fingerprint in told_in_bodies:
        return "already_said"
    if finding.origin != "model":
        return ""
    near = [t for t in threads if _says(t, finding)]
    ours = [t for t in said if t.thread in near]
    if any(t.is_dismissed for t in ours):
        return "dismissed"
    resolved_by_us = [t.thread for t in ours if t.was_resolved_by_us]
    return "already_said" if any(t not in resolved_by_us for t in near) else ""


def _says(thread: ReviewThread, finding: Finding) -> bool:
    """Whether a comment in `thread` says about what `finding` does, near its place."""
    if thread.path != finding.path or not thread.comments:
        return False
    line = thread.line if thread.line is not None else thread.original_line
    distance = 0
    if finding.anchor is not None and line is not None:
        distance = abs(finding.anchor.line - line)
    if distance > NEAR_LINES:
        return False
    root = thread.comments[0]
    wanted = SAME_WORDS if distance or root.is_ours else SAME_WORDS_AT_THE_LINE
    texts = [c.body for c in thread.comments if not c.is_ours] or [root.body]
    if root.is_ours:
        texts = [root.body]
    return any(_share_said(finding, text) >= wanted for text in texts)


def _share_said(finding: Finding, text: str) -> float:
    said = words(text)
    title = words(finding.title)
    everything = title | words(finding.message)
    return max(overlap(title, said), overlap(everything, said))


def words(text: str) -> frozenset[str]:
    """The words that carry the meaning, by their stems' first letters."""
    text = re.sub(r"<!--.*?-->", " ", text, flags=re.DOTALL)
    found = re.findall(r"\w+", text.casefold())
    return frozenset(w[:6] for w in found if w not in _STOP_WORDS and len(w) > 1)


def overlap(part: Collection[str], whole: Collection[str]) -> float:
    """The share of `part` that stands in `whole`; 0 when there is nothing to compare."""
    return len(set(part) & set(whole)) / len(part) if part else 0.0


def alike(one: Collection[str], other: Collection[str]) -> float:
    """The share of words that two texts have in common, of all that they have."""
    union = set(one) | set(other)
    return len(set(one) & set(other)) / len(union) if union else 0.0


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
