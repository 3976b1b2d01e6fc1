"""Tokens of a rule as a person wrote it: words, numbers, code, paths and punctuation.

Linear in the length of the text: one scan, and every quantifier in it is bounded or possessive by
its character class.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from graph.numbers import NUMBER_WORDS, read_number

TokenKind = Literal["word", "number", "decimal", "code", "quoted", "name", "path", "mark"]


MAX_PATH_CHARACTERS = 200
"""A longer run of characters with a slash in it is no path that a person would name in a rule."""


@dataclass(frozen=True)
class Token:
    """`text` is the content without quotes, `start` and `end` are offsets into the text given.

    `key` is what lexicons compare: lower case, straight apostrophes. `glued` says that no white
    space stands before the token. `value` is set for numbers.
    """

    kind: TokenKind
    text: str
    start: int
    end: int
    glued: bool = False
    value: int = 0

    @cached_property
    def key(self) -> str:
        return self.text.lower().replace("’", "'").replace("‘", "'")


_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af々〆"
_LETTER = rf"[^\W\d_{_CJK}]"
_CHUNK = re.compile(
    r"""
    (?P<code>``[^`\n]{1,200}``|`[^`\n]{1,200}`)
  | (?P<quoted>"[^"\n]{1,120}"|“[^”\n]{1,120}”|«[^»\n]{1,120}»|「[^」\n]{1,120}」
      |(?<![\w)])['‘][^'’\n]{1,80}['’](?!\w))
  | (?P<chunk>[^\s`"“«「]+)
  | (?P<mark>\S)
    """,
    re.VERBOSE,
)
_PATH = re.compile(r"(?:\*\.\w|[\w.*@-]*[/*])[\w.*@/{},+-]*|\.\w[\w.-]*")
_PART = re.compile(
    rf"""
    (?P<decimal>\d+(?:[.\-–/]\d+)+)
  | (?P<number>\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+(?:_\d+)*)
  | (?P<name>[A-Za-z_$][0-9A-Za-z_$]*(?:(?:\.|::|->)[A-Za-z_$][0-9A-Za-z_$]*)*!?\(\)
      |[A-Za-z_$][0-9A-Za-z_$]*(?:(?:\.|::|->)[A-Za-z_$][0-9A-Za-z_$]*)+
      |[A-Za-z]+[0-9][0-9A-Za-z_]*|[A-Za-z]+_[0-9A-Za-z_]*|_[0-9A-Za-z_]+
      |[a-z]+[A-Z][0-9A-Za-z_]*)
  | (?P<word>{_LETTER}+(?:['’]{_LETTER}+)?|[{_CJK}])
  | (?P<mark><=|>=|==|!=|->|.)
    """,
    re.VERBOSE,
)
_TRIM = {"code": "`", "quoted": "\"“”«»「」'‘’"}
_KINDS: dict[str, TokenKind] = {kind: kind for kind in get_args(TokenKind)}
_ABBREVIATIONS = {"e.g", "i.e", "a.k.a", "and/or", "either/or", "w/o", "w/", "n/a"}


def tokens_of(text: str) -> list[Token]:
    """The tokens of `text`, numbers in words already read as one number token."""
    plain: list[Token] = []
    for match in _CHUNK.finditer(text):
        start, end = match.span()
        if match.lastgroup == "chunk":
            plain.extend(_parts(text, start, end))
        else:
            plain.append(_token(match.lastgroup or "mark", text, start, end))
    return _with_number_words(plain)


def _parts(text: str, start: int, end: int) -> Iterator[Token]:
    """The tokens of one run without white space: a path, or words and marks without emphasis."""
    while start < end and text[start] in "([":
        yield _token("mark", text, start, start + 1)
        start += 1
    inner = text[start:end].rstrip(".,;:!?)]")
    if len(inner) <= MAX_PATH_CHARACTERS and _is_path(inner):
        yield _token("path", text, start, start + len(inner))
        start += len(inner)
    emphasis = "*" if any(map(str.isalnum, inner)) else ""
    for match in _PART.finditer(text, start, end):
        if match.group() == emphasis:
            continue
        yield _token(match.lastgroup or "mark", text, *match.span())


def _is_path(chunk: str) -> bool:
    """Whether a bare chunk is a path or a glob: "src/", "*.py", "tests/unit", ".github"."""
    if not _PATH.fullmatch(chunk) or not any(map(str.isalpha, chunk)):
        return False
    if chunk.lower() in _ABBREVIATIONS:
        return False
    if "*" in chunk and not set(chunk) & set("./"):
        return False
    return not chunk.startswith("**") or chunk.startswith("**/")


def folded(text: str) -> str:
    """`text` with compatibility forms (full-width digits and letters) made plain."""
    return unicodedata.normalize("NFKC", text)


def _token(group: str, text: str, start: int, end: int) -> Token:
    raw = text[start:end]
    glued = start > 0 and not text[start - 1].isspace()
    if group == "number":
        return Token("number", raw, start, end, glued, int(re.sub(r"\D", "", raw)[:9]))
    if group == "name" and raw.lower() in _ABBREVIATIONS:
        group = "word"
    content = raw.strip(_TRIM[group]).strip() if group in _TRIM else raw
    if group in _TRIM and content.isdecimal():
        return Token("number", content, start, end, glued, int(content[:9]))
    return Token(_KINDS[group], content, start, end, glued)


def _with_number_words(tokens: list[Token]) -> list[Token]:
    joined: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "word" and (token.key in NUMBER_WORDS or token.key == "a"):
            number = _spelled(tokens, at)
            if number is not None:
                joined.append(number[0])
                at = number[1]
                continue
        joined.append(token)
        at += 1
    return joined


def _spelled(tokens: list[Token], at: int) -> tuple[Token, int] | None:
    """The number whose words begin at `at`, and the index behind it; hyphens may join the words."""
    places: list[int] = []
    for index in range(at, min(at + 14, len(tokens))):
        if tokens[index].kind == "word":
            places.append(index)
        elif not (tokens[index].key == "-" and tokens[index].glued):
            break
    read = read_number([tokens[place].key for place in places])
    if read is None:
        return None
    value, used = read
    last = places[used - 1]
    first = tokens[at]
    text = " ".join(tokens[place].text for place in places[:used])
    return Token("number", text, first.start, tokens[last].end, first.glued, value), last + 1
