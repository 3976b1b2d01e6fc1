"""The shape of a language's table of phrases, and all tables joined into one matcher."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Patterns = tuple[str, ...]


@dataclass(frozen=True)
class Phrases:
    """Regular expressions, matched without regard to case at the beginning of a clause.

    "Cut" means that the match is left out of the rule, "kept" that it is the rule's own first
    words. `anywhere` fields are searched, `after` fields match up to the clause's end.
    """

    openers: Patterns = ()  # cut: greetings, "please", "also"
    chatter: Patterns = ()  # the whole clause says nothing to remember
    refusals: Patterns = ()  # "don't remember this"
    lookalikes: Patterns = ()  # begins like teaching, is none: "remember when ..."
    teach: Patterns = ()  # cut
    teach_weak: Patterns = ()  # cut, if the rest reads like a rule
    teach_headings: Patterns = ()  # a line of its own, whose list items are the rules
    teach_kept: Patterns = ()  # kept: "always ...", "never ..."
    norms: Patterns = ()  # kept, unless of one place or moment: "nobody may ...", "we forbid ..."
    teach_after: Patterns = ()  # cut from the end: "... from now on"
    courtesies: Patterns = ()  # cut from the end: ", please", "thanks"
    correct_openers: Patterns = ()  # cut: "actually,", "no,"
    correct: Patterns = ()  # kept
    correct_words: Patterns = ()  # anywhere: after an opener they make a correction
    forget: Patterns = ()  # cut; what is left describes the rule
    forget_about: Patterns = ()  # begins a withdrawal that may name a bare topic
    forget_kept: Patterns = ()  # kept: "we no longer limit ..."
    forget_nouns: Patterns = ()  # anywhere: what can be withdrawn: "rule", "limit"
    ignore: Patterns = ()  # kept
    context: Patterns = ()  # cut, if the rest is about the team or the project
    context_subjects: Patterns = ()  # begins what is left after `context`
    once: Patterns = ()  # anywhere: "on this pull request"
    once_orders: Patterns = ()  # anywhere, with `once`: what steers a review
    instruction_withdrawals: Patterns = ()  # kept
    instruction_lists: Patterns = ()  # kept
    preferences: Patterns = ()  # the whole clause
    questions: Patterns = ()  # begins a question, with or without a question mark
    polite: Patterns = ()  # cut: "could you", so that a question mark does not make a question
    reported: Patterns = ()  # begins what somebody else said
    hedges: Patterns = ()  # begins a thought, which is no rule
    doubts: Patterns = ()  # anywhere in a message: said in jest, or to hear opinions
    rule_like: Patterns = ()  # anywhere: reads like a rule
    asides: Patterns = ()  # begins a sentence that gives a reason or speaks of oneself
    joints: Patterns = ()  # anywhere: between two rules of one sentence


_EASTERN = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_AT_END = frozenset({"teach_after", "courtesies"})


class Matcher:
    """One field of all languages, compiled once for each group of scripts.

    A clause without an ideograph or kana is never matched against Chinese and Japanese, one with
    them never against the other languages but English: it halves the time.
    """

    def __init__(self, western: re.Pattern[str], eastern: re.Pattern[str]) -> None:
        self._western, self._eastern = western, eastern

    def _for(self, text: str) -> re.Pattern[str]:
        return self._western if text.isascii() or not _EASTERN.search(text) else self._eastern

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self._for(text).match(text, start, end)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self._for(text).search(text, start, end)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self._for(text).fullmatch(text)

    def finditer(
        self, text: str, start: int = 0, end: int = sys.maxsize
    ) -> Iterator[re.Match[str]]:
        return self._for(text).finditer(text, start, end)

    def sub(self, replacement: str, text: str) -> str:
        return self._for(text).sub(replacement, text)


class Matchers:
    """`Phrases` of all languages together: one `Matcher` per field, under its name.

    A field is compiled when it is first used, because all of them take about a second and the web
    process, which imports the tables, matches nothing.
    """

    def __init__(self, western: Iterable[Phrases], eastern: Iterable[Phrases]) -> None:
        self._western, self._eastern = tuple(western), tuple(eastern)

    def __getattr__(self, name: str) -> Matcher:
        if name not in Phrases.__dataclass_fields__:
            raise AttributeError(name)
        matcher = Matcher(_union(self._western, name), _union(self._eastern, name))
        setattr(self, name, matcher)
        return matcher


def _union(languages: Iterable[Phrases], name: str) -> re.Pattern[str]:
    patterns = [p for phrases in languages for p in getattr(phrases, name)]
    union = "|".join(f"(?:{p})" for p in patterns)
    end = r"[\s.!。！,，]*$" if name in _AT_END else ""
    return re.compile(f"(?:{union}){end}", re.IGNORECASE)
