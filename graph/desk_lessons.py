"""A person's words as a lesson: topic, check, paths, expiry, and whom the rule is for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from graph.checks.parser import parse_check
from graph.commands import Command
from graph.convention_book import BookError, Lesson
from graph.conventions import SINGLE_VALUED, Convention
from graph.scopes import parse_scope
from graph.taught import Teaching
from graph.topics import topic_of

_ORGANISATION = (
    r"(?:(?:(?:for|in|across|throughout) (?:the |our )?(?:whole |entire )?"
    r"(?:organi[sz]ation|org|company)|for all (?:of )?(?:our )?(?:repositories|repos)"
    r"|(?:organi[sz]ation|org|company)[- ]wide(?: (?:rule|convention))?)\s*[:,—–-])"
)
_LEAD = re.compile(rf"\s*{_ORGANISATION}\s*", re.IGNORECASE)
_LEAD_BEFORE = re.compile(rf"{_ORGANISATION}\W*$", re.IGNORECASE)
_CONCERNS = re.compile(rf"{_ORGANISATION}|--org|\bO\d|\b(?:undo|keep|both)\b", re.IGNORECASE)
"""Also what names no id: an undo, and "keep both" after a question, may be about either book."""


_PLACE = r"\b(?:in|for|on|at|across|inside|within) (?:the )?(?:repo(?:sitory)? )?"


def concerns_organisation(text: str) -> bool:
    """Whether it may matter that the speaker owns the organisation; asking costs a call."""
    return _CONCERNS.search(text) is not None


def without_organisation(quote: str, message: str = "") -> tuple[str, bool]:
    """The rule without "for the whole organisation:", and whether that was said.

    It may stand before the quote in the message, on the same line.
    """
    lead = _LEAD.match(quote)
    if lead:
        return quote[lead.end() :], True
    at = message.find(quote)
    before = message[:at].rpartition("\n")[2] if at > 0 else ""
    return quote, _LEAD_BEFORE.search(before) is not None


def lesson_from(quote: str, teaching: Teaching | None = None) -> Lesson:
    """A lesson from a person's words: topic, check and paths as far as code is certain of them."""
    parsed = parse_check(quote)
    topic = teaching.topic if teaching else topic_of(quote)[0]
    mode = teaching.mode if teaching else "enforce"
    if mode != "enforce":
        parsed = None
    paths = parsed.paths if parsed else parse_scope(quote).paths
    return Lesson(
        rule=quote,
        topic=topic,
        mode=mode,
        paths=(teaching.paths if teaching else ()) or paths,
        check=parsed.check.to_json() if parsed else None,
        replaces=teaching.target_id if teaching and teaching.kind == "correct" else None,
    )


def said_of(lesson: Lesson, repository_name: str) -> Lesson:
    """The lesson as one of this repository, whose own name is no path in it.

    Raises BookError where the words name another repository of the same owner: as a folder it would
    be looked for in vain, and the rule would never act.
    """
    owner = re.escape(repository_name.partition("/")[0])
    named = re.search(rf"{_PLACE}`?({owner}/[\w.-]*\w)`?(?![\w/*-])", lesson.rule, re.IGNORECASE)
    if named is None or lesson.paths not in ((), (named[1],)):
        return lesson
    if named[1].casefold() == repository_name.casefold():
        return replace(lesson, paths=())
    raise BookError(
        "another_repository",
        f"This is {repository_name}, and {named[1]} is another repository: say it on one of its "
        f"pull requests, or in Slack with `repo:{named[1]}`. If you mean a folder of this one, "
        f"write `{named[1]}/`.",
    )


def with_flags(lesson: Lesson, command: Command, now: float) -> Lesson:
    """The lesson with what the command's flags say. Raises BookError on a day that is over."""
    is_enforced = (command.mode or lesson.mode) == "enforce"
    return replace(
        lesson,
        topic=command.topic or lesson.topic,
        mode=command.mode or lesson.mode,
        paths=command.paths or lesson.paths,
        check=lesson.check if is_enforced else None,
        expires_at=_end_of(command.until, now) if command.until else lesson.expires_at,
    )


def edited(command: Command, old: Convention, now: float) -> Lesson:
    """What `edit` makes of a convention: new words, new flags, or both."""
    as_it_is = Lesson(
        old.rule, old.topic, old.mode, old.paths, old.check, expires_at=old.expires_at
    )
    if not command.text:
        return with_flags(as_it_is, command, now)
    new = lesson_from(command.text)
    kept = replace(as_it_is, rule=new.rule, check=new.check, paths=new.paths or old.paths)
    return with_flags(kept, command, now)


def with_carried_check(lesson: Lesson, teaching: Teaching, active: Sequence[Convention]) -> Lesson:
    """ "No, it's 100 now": the corrected rule's own check with the number that was said.

    Only where the old check has one number, and that number is the one being replaced.
    """
    if teaching.kind != "correct" or teaching.value is None or lesson.check is not None:
        return lesson
    is_single = lesson.replaces is None and lesson.topic in SINGLE_VALUED
    old = next(
        (c for c in active if c.id == lesson.replaces or (is_single and c.topic == lesson.topic)),
        None,
    )
    if old is None or old.check is None:
        return lesson
    numbers = [k for k, v in old.check.items() if isinstance(v, int) and not isinstance(v, bool)]
    if len(numbers) != 1 or teaching.replaces not in (None, str(old.check[numbers[0]])):
        return lesson
    return replace(
        lesson,
        check={**old.check, numbers[0]: int(teaching.value)},
        paths=lesson.paths or old.paths,
        replaces=old.id,
    )


def _end_of(day: str, now: float) -> float | None:
    """The moment after the last second of a day, in UTC; None for "never"."""
    if day == "never":
        return None
    after = date.fromisoformat(day) + timedelta(days=1)
    end = datetime(after.year, after.month, after.day, tzinfo=UTC).timestamp()
    if end <= now:
        raise BookError("in_the_past", f"{day} is over; write a day to come, --until 2027-01-31.")
    return end
