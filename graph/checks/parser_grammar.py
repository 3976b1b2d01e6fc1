"""How a sentence is read: phrases become letters, and a rule's form is a pattern of letters.

A reading accounts for every token of the sentence. A token that no phrase of the lexicon covers
ends the reading, so a rule with a clause that nobody understood never becomes a check. That is
why the lists of harmless words are short, and why "about", "ideally" or "at least" need no list
of their own: no lexicon knows them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graph.checks.specs import Check
from graph.words import Token

NUMBER = "N"
CODE = "C"
"""Code in backquotes, a quoted word, a dotted or underscored name, or a path."""

BREAK = "."
"""A full stop or semicolon between two clauses."""

COMMA = ","

_CODE_KINDS = frozenset({"code", "quoted", "name", "path"})
_IGNORED_MARKS = frozenset("()[]:—–-!\"'*•…")
_FIRST_CJK = "\u3040"
_MAX_PHRASE_WORDS = 16


@dataclass(frozen=True)
class Reading:
    """One letter a phrase, and the tokens that each letter stands for.

    `groups` are the named parts of the form that the letters match.
    """

    letters: str
    pieces: tuple[tuple[Token, ...], ...]
    groups: Mapping[str, str | None] = field(default_factory=dict)

    def has(self, group: str) -> bool:
        """Whether the named part of the form that matched is there."""
        return bool(self.groups.get(group))

    def number(self) -> int:
        """The value of the first number. Patterns that ask for it have exactly one."""
        return self.pieces[self.letters.index(NUMBER)][0].value

    def texts(self, letter: str) -> tuple[str, ...]:
        """What stands for each occurrence of `letter`, as it was written."""
        return tuple(
            " ".join(token.text for token in piece)
            for piece, found in zip(self.pieces, self.letters, strict=True)
            if found == letter
        )

    def keys(self, letter: str) -> tuple[str, ...]:
        return tuple(text.lower() for text in self.texts(letter))


Builder = Callable[[Reading], Check | None]


class Lexicon:
    """Phrases and the letter each stands for; the letter "" is for words that change nothing.

    Phrases are separated by "|". A word with a backquote in front is one in code or in quotes
    ("`print"; "~" is a space inside it). Later tables win.
    """

    def __init__(self, *tables: Mapping[str, str]) -> None:
        self._by_first: dict[str, dict[tuple[str, ...], str]] = {}
        words_of_all: set[str] = set()
        for table in tables:
            for letter, phrases in table.items():
                for phrase in phrases.split("|"):
                    words = _phrase_words(phrase)
                    self._by_first.setdefault(words[0], {})[words] = letter
                    words_of_all.update(words)
        self.vocabulary = frozenset(words_of_all)

    def read(self, tokens: Sequence[Token]) -> Reading | None:
        """The reading of all tokens, or None as soon as one is not understood."""
        letters: list[str] = []
        pieces: list[tuple[Token, ...]] = []
        at = 0
        while at < len(tokens):
            phrase = self._longest(tokens, at) or self._single(tokens[at])
            if phrase is None:
                return None
            letter, used = phrase
            if letter:
                letters.append(letter)
                pieces.append(tuple(tokens[at : at + used]))
            at += used
        return Reading("".join(letters), tuple(pieces))

    def _longest(self, tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
        known = self._by_first.get(_key(tokens[at]))
        if known is None:
            return None
        keys = tuple(_key(token) for token in tokens[at : at + _MAX_PHRASE_WORDS])
        for length in range(len(keys), 0, -1):
            letter = known.get(keys[:length])
            if letter is not None:
                return letter, length
        return None

    @staticmethod
    def _single(token: Token) -> tuple[str, int] | None:
        if token.kind == "number":
            return NUMBER, 1
        if token.kind in _CODE_KINDS:
            return CODE, 1
        if token.kind != "mark":
            return None
        if token.key in {".", ";", "。"}:
            return BREAK, 1
        if token.key in {",", "、"}:
            return COMMA, 1
        return ("", 1) if token.key in _IGNORED_MARKS else None


@dataclass(frozen=True)
class Grammar:
    """The forms in which people state one kind of rule.

    Patterns are matched on the letters without the last full stop; `commas` keeps the commas in
    (for lists), otherwise they are dropped before the match.
    """

    lexicon: Lexicon
    forms: tuple[tuple[re.Pattern[str], Builder], ...]
    commas: bool = False

    def parse(self, tokens: Sequence[Token]) -> Iterator[Check]:
        reading = self.lexicon.read(tokens)
        if reading is None:
            return
        reading = _trimmed(reading, keep_commas=self.commas)
        for pattern, build in self.forms:
            match = pattern.fullmatch(reading.letters)
            check = build(replace(reading, groups=match.groupdict())) if match else None
            if check is not None:
                yield check


def _phrase_words(phrase: str) -> tuple[str, ...]:
    """Words as tokens have them; in Chinese and Japanese each character is one."""
    if phrase[-1] >= _FIRST_CJK:
        return tuple(phrase.replace(" ", ""))
    return tuple(word.replace("~", " ") for word in phrase.split())


def _key(token: Token) -> str:
    return f"`{token.key}" if token.kind in {"code", "quoted"} else token.key


def with_code(phrases: str) -> str:
    """The same phrases, those of one word also in backquotes or quotes."""
    return "|".join(
        phrase if " " in phrase or phrase.startswith("`") else f"{phrase}|`{phrase}"
        for phrase in phrases.split("|")
    )


def form(pattern: str, build: Builder) -> tuple[re.Pattern[str], Builder]:
    """A form; white space in `pattern` only separates."""
    return re.compile(pattern.replace(" ", "")), build


def _trimmed(reading: Reading, *, keep_commas: bool) -> Reading:
    pairs = list(zip(reading.letters, reading.pieces, strict=True))
    if not keep_commas:
        pairs = [pair for pair in pairs if pair[0] != COMMA]
    while pairs and pairs[-1][0] in {BREAK, COMMA}:
        pairs.pop()
    while pairs and pairs[0][0] in {BREAK, COMMA}:
        pairs.pop(0)
    return Reading("".join(letter for letter, _ in pairs), tuple(piece for _, piece in pairs))
