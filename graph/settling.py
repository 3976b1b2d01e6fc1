"""What was said before on this pull request: nothing is told twice, what is gone is resolved."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from graph.context import Permission, PullRequest, Resolution, ReviewThread, ThreadComment
from graph.conventions import Convention
from graph.findings import Finding
from graph.markers import FindingMark, Mark, finding_marks, has_mark
from graph.permissions import at_least

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


Dismissal = Literal["", "by_author", "by_writer"]


@dataclass(frozen=True)
class Voices:
    """Whose words settle something on one pull request: who may write, and its author.

    `permission` asks GitHub what a person may do now; it is asked once for each person, and only
    of those whose words would settle something.
    """

    pull_request: PullRequest
    permission: Callable[[str, int], Permission]
    _writers: dict[int, bool] = field(default_factory=dict)

    def dismissal(self, comment: ThreadComment) -> Dismissal:
        """Whether a comment says "won't fix" or the like, and whether its author may say so."""
        if comment.is_ours or comment.is_bot or not _DISMISSAL.search(comment.body):
            return ""
        if self._may_write(comment.author_login, comment.author_id):
            return "by_writer"
        return "by_author" if comment.author_id == self.pull_request.author_id else ""

    def closing(self, thread: ReviewThread) -> Dismissal:
        """What a person's "resolve" means. GitHub lets only writers and the author click it."""
        author = self.pull_request
        if thread.resolved_by_id != author.author_id:
            return "by_writer"
        is_writer = self._may_write(author.author_login, author.author_id)
        return "by_writer" if is_writer else "by_author"

    def tells(self, comment: ThreadComment) -> bool:
        """Whether what this comment says need not be said again.

        On a public repository everybody on the internet can write a comment; it silences nothing.
        """
        if comment.is_bot or not self.pull_request.is_public_repository:
            return True
        return self._may_write(comment.author_login, comment.author_id)

    def _may_write(self, login: str, user_id: int) -> bool:
        if user_id not in self._writers:
            self._writers[user_id] = at_least(self.permission(login, user_id), "write")
        return self._writers[user_id]


@dataclass(frozen=True)
class Told:
    """A finding that a comment of ours tells, and what became of it.

    `dismissal` says who said no, or resolved the thread: an author without write permission stops
    its being said again, but not its being counted.
    """

    thread: ReviewThread
    mark: FindingMark
    dismissal: Dismissal = ""

    @property
    def person_replied(self) -> bool:
        return any(not c.is_ours and not c.is_bot for c in self.thread.comments)

    @property
    def was_resolved_by_us(self) -> bool:
        """Whether our own note says why it was resolved; a person's click leaves no note."""
        return _resolved_by_us(self.thread)


def told(threads: Sequence[ReviewThread], voices: Voices) -> list[Told]:
    """Our own findings among the threads. A mark counts only in a comment by our own app."""
    return [
        Told(thread, mark, _dismissal(thread, voices))
        for thread in threads
        if thread.comments and thread.comments[0].is_ours
        for mark in finding_marks(thread.comments[0].body)
    ]


def _dismissal(thread: ReviewThread, voices: Voices) -> Dismissal:
    said = [voices.dismissal(comment) for comment in thread.comments]
    if thread.is_resolved and not _resolved_by_us(thread):
        said.append(voices.closing(thread))
    return max(said, key=("", "by_author", "by_writer").index)


def _resolved_by_us(thread: ReviewThread) -> bool:
    return thread.is_resolved and any(
        c.is_ours and has_mark(c.body, RESOLVED) for c in thread.comments
    )


def unsaid(
    findings: Sequence[Finding],
    said: Sequence[Told],
    threads: Sequence[ReviewThread],
    told_in_bodies: Collection[str],
    voices: Voices,
) -> tuple[list[Finding], list[tuple[Finding, str]]]:
    """The findings that are new, and the others, each with why it is not said again.

    The reasons are "dismissed", "dismissed_by_author" (without write permission: it still counts)
    and "already_said". `told_in_bodies` are fingerprints that we know to have told and that need no
    thread. What other people, and other bots, wrote on the lines counts as said.
    """
    new: list[Finding] = []
    old: list[tuple[Finding, str]] = []
    for finding in findings:
        reason = _reason(finding, said, threads, told_in_bodies, voices)
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
    voices: Voices,
) -> str:
    same = [t for t in said if t.mark.fingerprint == finding.fingerprint]
    if reason := _dismissed(same):
        return reason
    if any(not t.thread.is_resolved for t in same):
        return "already_said"
    if not same and finding.fingerprint in told_in_bodies:
        return "already_said"
    if finding.origin != "model":
        return ""
    near = [t for t in threads if _says(t, finding, voices)]
    ours = [t for t in said if t.thread in near]
    if reason := _dismissed(ours):
        return reason
    resolved_by_us = [t.thread for t in ours if t.was_resolved_by_us]
    return "already_said" if any(t not in resolved_by_us for t in near) else ""


def _dismissed(said: Sequence[Told]) -> str:
    by = {one.dismissal for one in said}
    if "by_writer" in by:
        return "dismissed"
    return "dismissed_by_author" if "by_author" in by else ""


def _says(thread: ReviewThread, finding: Finding, voices: Voices) -> bool:
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
    if root.is_ours:
        return _share_said(finding, root.body) >= wanted
    return any(
        _share_said(finding, c.body) >= wanted and voices.tells(c)
        for c in thread.comments
        if not c.is_ours
    )


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
