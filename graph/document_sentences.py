"""The sentences of a Markdown document that state a rule, with their lines; never its code."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from graph.checks.parser import parse_check

MAX_SENTENCE_CHARACTERS = 400
MIN_SENTENCE_WORDS = 3

_ITEM = re.compile(r"\s{0,6}(?:[-*+•]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(?P<text>\S.*)")
_FENCE = re.compile(r"\s*(?:[-*+]\s+|\d+[.)]\s+)?(?P<fence>`{3,}|~{3,})(?P<info>.*)")
_NOT_PROSE = re.compile(r"(?: {4}|\t)|\s*(?:[#>|<]|={3,}|-{3,}\s*$|\*{3,}\s*$|\[[^\]]+\]:\s)")
_RULE_WORDS = re.compile(
    r"\b(?:must|should|shall|always|never|do not|don't|don’t|avoid|prefer|use|keep|require[sd]?"
    r"|ensure|no|only|may not|cannot|can't|is forbidden|not allowed|make sure)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])[)\"'”*]*\s+(?=[A-Z`*\"“])")


@dataclass(frozen=True)
class Sentence:
    """A sentence of a document that reads like a rule, with its line number (from 1)."""

    text: str
    line: int


@dataclass
class _Block:
    """A paragraph or list item; wrapped lines belong together."""

    text: str = ""
    starts: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def add(self, text: str, number: int) -> None:
        self.text += " " if self.text else ""
        self.starts.append(len(self.text))
        self.numbers.append(number)
        self.text += text.strip()

    def line_at(self, position: int) -> int:
        return self.numbers[bisect_right(self.starts, position) - 1]


def rule_sentences(document: str) -> list[Sentence]:
    """The sentences of list items and paragraphs that state a rule."""
    return [
        sentence
        for block in _blocks(document)
        for sentence in _sentences(block)
        if _states_a_rule(sentence.text)
    ]


def _states_a_rule(text: str) -> bool:
    if len(text) > MAX_SENTENCE_CHARACTERS or text.endswith(("?", ":")):
        return False
    if len(text.split()) < MIN_SENTENCE_WORDS:
        return False
    return _RULE_WORDS.search(text) is not None or parse_check(text) is not None


def _sentences(block: _Block) -> Iterator[Sentence]:
    start = 0
    for end in [*(m.end() for m in _SENTENCE_END.finditer(block.text)), len(block.text)]:
        raw = block.text[start:end]
        text = raw.strip().replace("**", "").replace("__", "").rstrip(".").strip()
        if text:
            yield Sentence(text, block.line_at(start))
        start = end


def _blocks(document: str) -> Iterator[_Block]:
    block = _Block()
    for number, line in _prose_lines(document):
        item = _ITEM.fullmatch(line)
        if item or not line.strip():
            if block.text:
                yield block
            block = _Block()
        if line.strip():
            block.add(item["text"] if item else line, number)
    if block.text:
        yield block


def _prose_lines(document: str) -> Iterator[tuple[int, str]]:
    """Lines of prose with their numbers; everything else as an empty line, which ends a block."""
    fence = ""
    in_comment = False
    in_front_matter = document.startswith("---\n")
    for number, line in enumerate(document.replace("\r\n", "\n").split("\n"), start=1):
        if in_front_matter:
            in_front_matter = number == 1 or line.strip() not in {"---", "..."}
            continue
        if in_comment:
            in_comment = "-->" not in line
            continue
        found = _FENCE.fullmatch(line)
        if fence:
            # Only the same character, as often or more, ends a fence.
            if found and found["fence"].startswith(fence) and not found["info"].strip():
                fence = ""
            yield number, ""
        elif found:
            fence = found["fence"]
            yield number, ""
        elif "<!--" in line:
            in_comment = "-->" not in line.split("<!--", 1)[1]
            yield number, ""
        else:
            yield number, "" if _NOT_PROSE.match(line) else line
