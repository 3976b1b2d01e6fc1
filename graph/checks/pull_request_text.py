"""Checks on what a person wrote about the change: title, branch, commits, description."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graph.checks.patterns import Pattern, PatternError, compiled
from graph.checks.report import Report
from graph.checks.spec import listed
from graph.checks.spec_change import (
    CONVENTIONAL_TYPES,
    RequiredDescription,
    RequiredSection,
    RequiredTicket,
    TextFormat,
    TextPlace,
)

MAX_TEXT_CHARACTERS = 200_000
"""GitHub's own limits are lower (65,536 for a description); more is cut before it is searched."""


@dataclass(frozen=True)
class PullRequestText:
    """None is what the caller does not know, such as the title of a local diff."""

    title: str | None = None
    description: str | None = None
    branch: str | None = None
    commits: tuple[str, ...] | None = None


_NOUNS: dict[TextPlace, str] = {
    "title": "title",
    "branch": "branch name",
    "commit": "commit message",
    "description": "description",
}
_GIT_WROTE = re.compile(
    r"Merge (?:branch|pull request|remote-tracking|tag|commit|\S+ into)\b"
    r"|(?:fixup|squash|amend)! |Revert \"|Initial commit$|Apply suggestions? from code review"
    r"|(?:[\w-]+(?:\([^)]*\))?!?: )?(?i:bump) (?:the )?\S+ (?:group|from \S+ to)\b"
    r"|(?:[\w-]+(?:\([^)]*\))?!?: )?(?i:update) dependency \S+ to\b"
)
"""Messages that git, GitHub or a bot of dependencies wrote, in forms that nobody here chose."""

_BOTS_BRANCH = re.compile(
    r"(?:dependabot|renovate|snyk|gh-readonly-queue|changeset-release|allcontributors|imgbot)/"
    r"|(?:revert|pre-commit-ci|release-please|snyk)-"
)


def check_text_format(check: TextFormat, text: PullRequestText, report: Report) -> None:
    try:
        pattern = compiled(check.pattern, multi_line=True) if check.pattern else None
    except PatternError as error:
        report.skip((error.reason, str(error)))
        return
    texts = _texts(text, check.place)
    if texts is None:
        report.skip(_unknown(check.place))
        return
    for entry in texts:
        if (_BOTS_BRANCH if check.place == "branch" else _GIT_WROTE).match(entry):
            continue
        first = entry.partition("\n")[0].rstrip("\r")
        problem = _problem(check, pattern, entry, first)
        if problem:
            noun, (sentence, measured, limit) = _NOUNS[check.place], problem
            message = f"The {noun} `{_shown(first)}` {sentence}."
            report.at_file("", message, measured=measured, limit=limit)


def _problem(
    check: TextFormat, pattern: Pattern | None, text: str, first: str
) -> tuple[str, int | str, int | str] | None:
    """What is wrong with one text: the sentence's end, the measured value, the limit."""
    if check.style == "conventional" and not _is_conventional(first, check.types):
        kinds = ", ".join(check.types or CONVENTIONAL_TYPES)
        form = f"type(scope): words, with one of {kinds}"
        return f"is not in the form {form}", _shown(first), "conventional"
    if check.max_length is not None and len(first) > check.max_length:
        sentence = f"has {len(first)} characters; the limit is {check.max_length}"
        return sentence, len(first), check.max_length
    if pattern is not None and pattern.search(text) == check.forbidden:
        what = check.what or f"`{check.pattern}`"
        verb = "has" if check.forbidden else "does not have"
        return f"{verb} {what}", _shown(first), check.pattern
    return None


def _is_conventional(first: str, types: tuple[str, ...]) -> bool:
    words = "|".join(re.escape(kind) for kind in types or CONVENTIONAL_TYPES)
    return re.match(rf"(?:{words})(?:\([^()\s][^()]*\))?!?: \S", first) is not None


def _shown(text: str) -> str:
    text = text.replace("`", "'")
    return text if len(text) <= 80 else f"{text[:77]}..."


_BRANCH_TICKET = re.compile(r"(?:^|[/_#-])(?:[A-Za-z][A-Za-z0-9]*[-_])?[0-9]+(?=[-_/]|$)")
"""Branches are named in small letters: "abc-123-title", "12-title", "fix/gh_12"."""


def check_required_ticket(check: RequiredTicket, text: PullRequestText, report: Report) -> None:
    try:
        pattern = compiled(check.pattern)
    except PatternError as error:
        report.skip((error.reason, str(error)))
        return
    for place in check.places:
        texts = _texts(text, place)
        if texts is None:
            report.skip(_unknown(place))
            return
        if check.places == ("commit",):
            _check_each_commit(texts, pattern, report)
            return
        if any(pattern.search(_visible(entry)) for entry in texts):
            return
        if place == "branch" and any(_BRANCH_TICKET.search(entry) for entry in texts):
            return
    if "branch" in check.places and _BOTS_BRANCH.match(text.branch or ""):
        return
    where = " or ".join(_NOUNS[place] for place in check.places)
    report.at_file(
        "", f"No ticket stands in the {where}; the rule asks for one.", measured=0, limit=1
    )


def _check_each_commit(commits: tuple[str, ...], pattern: Pattern, report: Report) -> None:
    """ "Every commit must name its issue": one that does is no excuse for the others."""
    for entry in commits:
        if not pattern.search(entry) and not _GIT_WROTE.match(entry):
            first = entry.partition("\n")[0].rstrip("\r")
            message = (
                f"The commit message `{_shown(first)}` names no ticket; the rule asks for one."
            )
            report.at_file("", message, measured=0, limit=1)


def check_required_section(check: RequiredSection, text: PullRequestText, report: Report) -> None:
    if text.description is None:
        report.skip(_unknown("description"))
        return
    filled = _sections(_visible(text.description))
    missing = [heading for heading in check.headings if _heading(heading) not in filled]
    if missing:
        sections = f"section{'s' * (len(missing) > 1)} {listed(missing, 'and')}"
        report.at_file(
            "",
            f"The description has no filled {sections}; the rule asks for it.",
            measured=len(check.headings) - len(missing),
            limit=len(check.headings),
        )


def _sections(text: str) -> set[str]:
    """The headings, plain, behind which something stands before the next of the same depth."""
    lines = [line.rstrip() for line in text.split("\n")]
    found: set[str] = set()
    open_headings: list[tuple[int, str]] = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        mark = re.match(r" {0,3}(#{1,6})[ \t]+(\S.*)", line)
        bold = re.fullmatch(r"(?:\*\*|__)([^*_]+)(?:\*\*|__):?", line)
        underlined = re.fullmatch(r"=+|-+", following)
        if mark or bold or (underlined and line):
            depth = len(mark[1]) if mark else 7 if bold else 2
            open_headings = [entry for entry in open_headings if entry[0] < depth]
            title = mark[2] if mark else bold[1] if bold else line
            open_headings.append((depth, _heading(title)))
        elif line.strip(" \t=-*_>"):
            found |= {title for _, title in open_headings}
            label = _LABEL.match(line)
            found |= {_heading(label[1])} if label else set()
    return found


_LABEL = re.compile(r"\s*(?:[-*+] )?(?:\*\*|__)?([^*_:]{2,80}?)(?:\*\*|__)?:(?:\*\*|__)?[ \t]+\S")
"""A section of one line: "**Test plan:** ran the suite"."""


def _heading(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).strip().casefold()


def check_required_description(
    check: RequiredDescription, text: PullRequestText, report: Report
) -> None:
    if text.description is None:
        report.skip(_unknown("description"))
        return
    count = len("".join(_visible(text.description).split()))
    if count < check.min_characters:
        message = f"The description has {count} characters; the least is {check.min_characters}."
        report.at_file("", message, measured=count, limit=check.min_characters)


def _visible(text: str) -> str:
    """Without HTML comments, in which templates give their advice."""
    return re.sub(r"<!--.*?(?:-->|\Z)", "", text, flags=re.DOTALL)


def _texts(text: PullRequestText, place: TextPlace) -> tuple[str, ...] | None:
    if place == "commit":
        return text.commits
    known = {"title": text.title, "branch": text.branch, "description": text.description}[place]
    return None if known is None else (known[:MAX_TEXT_CHARACTERS],)


def _unknown(place: TextPlace) -> tuple[str, str]:
    return (f"unknown_{place}", f"there is no {_NOUNS[place]} to look at")
