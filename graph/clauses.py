"""A spoken message as clauses: sentences and list items, with the way back to its characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice

from graph.quotes import REMOVED

MAX_CLAUSES = 40
"""What is read of one message. Somebody who says more at once is pasting a document."""

MAX_HEAD_CHARACTERS = 300
"""How much of a clause is matched; what a longer one wants is said at its beginning."""

_LIST_ITEM = re.compile(
    r"\s*(?:[-*+•–—]|\(?\d{1,2}[.)、]|[（(]?[a-h][.)）]|[①-⑨])\s+|\s*(?:\d[.、]|[①-⑨])(?=\S)"
)
_INLINE_CODE = re.compile(r"`[^`\n]{1,200}`")
_SENTENCE_END = re.compile(
    r"(?:(?<=[.!?…])[\"')\]*_]*\s+(?=\S)|(?<=[。！？；])[」』”）]?(?=[^」』”）]))"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|resp|approx|cf|bzw|z\.\s?b|u\.a|d\.h|ca|p\.\s?ej|ej|max|min|no|nr"
    r"|ex)\.)$",
    re.IGNORECASE,
)
_ENUMERATION = re.compile(r"(?:^|[\s:,;])\(?(?P<number>[1-9])[.)]\s+")
_ENDS_SENTENCE = re.compile(r"[.!?:;。！？：；…][\"')\]*_]*\s*$")
_EMPHASIS = re.compile(
    r"(?<![\w*/.])(?P<mark>\*{1,3}|_{1,2})(?=[^\s*_/.])[^*_\n]*[^\s*_](?P=mark)(?![\w*/.])"
)
_WRAP_CHARACTERS = 45
"""A shorter line that ends without a full stop was ended on purpose, not wrapped."""

_STRAIGHT = {
    **dict.fromkeys("‘’‛′´ʼ", "'"),
    **dict.fromkeys("“”„‟", '"'),
    "\u00a0": " ",
    "＠": "@",
    "\u202f": " ",
    "\u3000": " ",
}
_DROPPED = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f")


@dataclass(frozen=True)
class Clause:
    """A stretch of the message. `text` is it as it is matched: white space single, marks straight.

    `offsets` has the message's index of each character of `text`. `is_item` says that a list mark
    stood before it, `opens_paragraph` that a blank line did. A long clause has only its head in
    `text`; `end` is the index of the message behind its last character.
    """

    message: str
    text: str
    offsets: tuple[int, ...]
    is_item: bool = False
    opens_paragraph: bool = False
    end: int = 0

    def cut(self, start: int, end: int) -> str:
        """The person's own characters for a stretch of `text`; emphasis stays in pairs."""
        if start >= end:
            return ""
        first, last = self.offsets[start], self.offsets[end - 1] + 1
        is_head = len(self.text) >= MAX_HEAD_CHARACTERS - 1
        if is_head and not any(c.isalnum() for c in self.text[end:]):
            last = max(last, self.end)
        quote = self.message[first:last]
        for mark in ("**", "*", "__"):
            if quote.count(mark) % 2 and self.message.startswith(mark, last):
                return self.message[first : last + len(mark)]
        return quote


def clauses_of(message: str, spoken_text: str, start: int = 0) -> list[Clause]:
    """The clauses of the spoken text (as long as the message) from `start` on."""
    found: list[Clause] = []
    for first, last, is_item, opens in _blocks(spoken_text, start):
        for at, end, is_numbered in _sentences(spoken_text, first, last):
            text, offsets = _squeezed(message, at, end)
            if any(c.isalnum() for c in text):
                behind = at + len(message[at:end].rstrip())
                found.append(Clause(message, text, offsets, is_item or is_numbered, opens, behind))
                opens = False
            if len(found) >= MAX_CLAUSES:
                return found
    return found


def _blocks(text: str, start: int) -> Iterator[tuple[int, int, bool, bool]]:
    """Lines, list items and wrapped paragraphs: (start, end, is an item, follows a blank line)."""
    block: tuple[int, int, bool, bool] | None = None
    before = ""
    was_blank = False
    for line in re.finditer(r"[^\n\r\x00]+|\x00[\x00\r\n]*|\r?\n", text[start:]):
        first, last = start + line.start(), start + line.end()
        words = line.group()
        if not words.strip(" \t\r\n" + REMOVED):
            is_gap = bool(block is None or REMOVED in words or text[first - 1 : first] in "\r\n")
            if is_gap and block:
                yield block
                block = None
            was_blank = was_blank or is_gap
            continue
        item = _LIST_ITEM.match(words)
        if block and not item and _continues(before, words, block[2]):
            block = (block[0], last, block[2], block[3])
            before = words
            continue
        if block:
            yield block
        block = (first + (item.end() if item else 0), last, bool(item), was_blank)
        was_blank, before = False, words
    if block:
        yield block


def _continues(before: str, line: str, is_item: bool) -> bool:
    """Whether a line goes on with the sentence of the one before it."""
    last_line = before.rstrip()
    if _ENDS_SENTENCE.search(last_line):
        return False
    if is_item:
        return line[0] in " \t"
    first = line.lstrip()[:1]
    return last_line.endswith(",") or (first.islower() and len(last_line) >= _WRAP_CHARACTERS)


def _sentences(text: str, first: int, last: int) -> Iterator[tuple[int, int, bool]]:
    block = _INLINE_CODE.sub(lambda m: "x" * len(m.group()), text[first:last])
    for start, end, is_numbered in _enumerated(block):
        at = start
        for boundary in _SENTENCE_END.finditer(block, start, end):
            if _ABBREVIATION.search(block[max(at, boundary.start() - 12) : boundary.start()]):
                continue
            yield first + at, first + boundary.start(), is_numbered
            at = boundary.end()
        yield first + at, first + end, is_numbered


def _enumerated(block: str) -> Iterator[tuple[int, int, bool]]:
    """Parts of "rules: 1) one thing 2) another", or the whole block."""
    marks = list(_ENUMERATION.finditer(block))
    if [m["number"] for m in marks[:2]] != ["1", "2"]:
        yield 0, len(block), False
        return
    yield 0, marks[0].start("number") - (block[marks[0].start("number") - 1 :][:1] == "("), False
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        yield mark.end(), following.start() if following else len(block), True


def _squeezed(message: str, first: int, last: int) -> tuple[str, tuple[int, ...]]:
    raw = message[first : min(last, first + 4 * MAX_HEAD_CHARACTERS)]
    dropped: set[int] = set()
    for match in _EMPHASIS.finditer(raw):
        width = len(match["mark"])
        dropped.update(range(match.start(), match.start() + width))
        dropped.update(range(match.end() - width, match.end()))
    characters: list[str] = []
    offsets: list[int] = []
    for index, character in enumerate(raw):
        if len(characters) == MAX_HEAD_CHARACTERS:
            break
        if index in dropped or character in _DROPPED:
            continue
        same = _STRAIGHT.get(character, character)
        same = " " if same.isspace() else same
        if same == " " and (not characters or characters[-1] == " "):
            continue
        characters.append(same)
        offsets.append(first + index)
    while characters and characters[-1] == " ":
        characters.pop()
        offsets.pop()
    return "".join(characters), tuple(offsets)


_LEADING_WORDS = (
    "remember",
    "please",
    "always",
    "never",
    "convention",
    "decided",
    "agreed",
    "forward",
)
_REAL_WORDS = frozenset(
    [
        *("every", "newer", "fever", "lever", "sever", "pleased", "decide", "decides", "agree"),
        *("agrees", "greed", "conventional", "conventionally", "remembers", "remembered"),
        *("forwarded", "forwarding"),
    ]
)
"""Like one of those, and meant as they stand."""

_HEAD_WORDS = 5


def announced(clause: Clause) -> Clause:
    """The clause after "Correction." as if both were one sentence."""
    lead = "correction: "
    offsets = (clause.offsets[0],) * len(lead) + clause.offsets
    return replace(clause, text=lead + clause.text, offsets=offsets)


def without_slips(clause: Clause) -> Clause | None:
    """The clause with typing slips in its lead-in put right, or None when there are none.

    Every new letter points at a letter of the word as it was typed, so quotes stay exact.
    """
    text, offsets = clause.text, clause.offsets
    for word in reversed(list(islice(re.finditer(r"[A-Za-z]{5,}", text), _HEAD_WORDS))):
        typed = word.group().lower()
        meant = get_close_matches(typed, _LEADING_WORDS, 1, 0.8)
        if (
            not meant
            or typed in _REAL_WORDS
            or meant[0] == typed
            or typed.removesuffix("s") == meant[0]
        ):
            continue
        first, last = word.span()
        spread = tuple(offsets[min(first + i, last - 1)] for i in range(len(meant[0])))
        text = text[:first] + meant[0] + text[last:]
        offsets = offsets[:first] + spread + offsets[last:]
    return None if text == clause.text else replace(clause, text=text, offsets=offsets)
