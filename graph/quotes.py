"""What of a message the person really said, and exact quotes cut from it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

REMOVED = "\x00"
"""Stands for each character that was not spoken; no quote ever reaches across one."""

_HIDDEN = re.compile(
    r"""<!--.*?(?:-->|\Z)
      | <(?P<tag>pre|blockquote)\b[^>]{0,200}>.*?(?:</(?P=tag)\s*>|\Z)
      | ~~(?=\S)[^~\n]+~~""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_FENCE = re.compile(
    r"[ \t]{0,12}(?:(?:[-*+]|\d{1,3}[.)])[ \t]{1,4})?(?P<fence>`{3,}"
    r"|~{3,})(?P<info>.*)"
)
_CLOSED_INLINE_FENCE = re.compile(r"```.*?```", re.DOTALL)
_QUOTED_LINE = re.compile(r"[ \t]*(?:>|&gt;|＞)")
_QUOTED_REST = re.compile(r"[ \t]*(?:>>>|(?:&gt;){3})")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])\s")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*\S")
_MAX_HEADER_CHARACTERS = 250
_REPLY_HEADER = re.compile(
    r"""(?:
        on\ .{4,150}\ wrote\s?:
      | am\ .{4,150}\ schrieb\ .{1,80}:
      | le\ .{4,150}\ a\ écrit\s?:
      | el\ .{4,150}\ escribió\s?:
      | em\ .{4,150}\ escreveu\s?:
      | .{4,100}(?:写道|さんは書きました)\s?[::]
      | -{2,}\ ?(?:original\ message|forwarded\ message|ursprüngliche\ nachricht|mensaje\ original
              |mensagem\ original|原始邮件)\ ?-{2,}
      )""",
    re.IGNORECASE | re.VERBOSE,
)
_OUTLOOK_HEADER = re.compile(r"\s*from:\s.+", re.IGNORECASE)
_OUTLOOK_NEXT = re.compile(r"\s*(?:sent|date|to):\s.+", re.IGNORECASE)

_SAME = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′´`ʼ", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
_NEGATION_BEFORE = re.compile(
    r"(?:\b(?:not|never|no|don't|dont|doesn't|won't|mustn't|shouldn't|can't|cannot|without|avoid"
    r"|nicht|nie|niemals|kein|keine|keinen|nunca|jamás|não|nao|jamais|ne|sem|sin|sans|ohne)"
    r"(?:\s+(?:ever|to|be))?\s+|(?:不要|不得|不能|不可|不许|不再|禁止|别|勿|不|没)\s*)$",
    re.IGNORECASE,
)
_NEGATION_AFTER = re.compile(r"[ぁ-ん]{0,2}(?:ない|ません|ず[にがはと]?|禁止)")


@dataclass(frozen=True)
class Spoken:
    """The spoken part of a message. `text` has the message's length: index i is index i there.

    Characters of code blocks, quoted text and hidden text are `REMOVED`; line ends are kept.
    """

    message: str
    text: str

    def cut(self, start: int, end: int) -> str:
        """The person's own characters between two indices."""
        return self.message[start:end]


def spoken(message: str) -> Spoken:
    """Take away what the person did not say: code blocks, quotes, hidden and struck-out text.

    Inline code stays, because rules name things: "use `pathlib`".
    """
    text = _HIDDEN.sub(_blank, message)
    lines = text.splitlines(keepends=True)
    kept = list(_spoken_lines(lines))
    return Spoken(message, _CLOSED_INLINE_FENCE.sub(_blank, "".join(kept)))


def _blank(match: re.Match[str]) -> str:
    return _removed(match.group())


def _removed(text: str) -> str:
    """The same number of characters, nothing but line ends left."""
    return "".join(c if c in "\r\n" else REMOVED for c in text)


def _spoken_lines(lines: list[str]) -> Iterator[str]:
    fence = ""
    rest_is_quoted = False
    is_after_blank, is_in_list = False, False
    for number, line in enumerate(lines):
        if line.isspace():
            is_after_blank = True
            yield line
            continue
        opening = _FENCE.match(line)
        if rest_is_quoted:
            yield _removed(line)
        elif fence:
            yield _removed(line)
            if opening and _closes(opening, fence):
                fence = ""
        elif opening and _opens(opening):
            fence = opening["fence"]
            yield _removed(line)
        elif _QUOTED_REST.match(line) or _starts_old_mail(lines, number):
            # Slack's ">>>" and a mail program's header make a quote of everything that follows.
            rest_is_quoted = True
            yield _removed(line)
        elif _QUOTED_LINE.match(line) or _is_reply_header(line):
            yield _removed(line)
        elif _INDENTED.match(line) and is_after_blank and not is_in_list:
            yield _removed(line)
            continue
        else:
            yield line
        is_after_blank = False
        if not line[0].isspace():
            is_in_list = False
        is_in_list = is_in_list or bool(_LIST_ITEM.match(line))


def _opens(opening: re.Match[str]) -> bool:
    """A fence, and not inline code or a word between backticks on one line."""
    return "`" not in opening["info"] if opening["fence"][0] == "`" else True


def _closes(closing: re.Match[str], fence: str) -> bool:
    mark = closing["fence"]
    return mark[0] == fence[0] and len(mark) >= len(fence) and not closing["info"].strip()


def _is_reply_header(line: str) -> bool:
    line = line.strip()
    return len(line) <= _MAX_HEADER_CHARACTERS and bool(_REPLY_HEADER.fullmatch(line))


def _starts_old_mail(lines: list[str], number: int) -> bool:
    if _OUTLOOK_HEADER.match(lines[number]) and number + 1 < len(lines):
        return bool(_OUTLOOK_NEXT.match(lines[number + 1]))
    if not _is_reply_header(lines[number]):
        return False
    following = next((line for line in lines[number + 1 :] if line.strip()), "")
    return not _QUOTED_LINE.match(following)


def find_quote(quote: str, message: str) -> str | None:
    """The person's own characters that `quote` repeats, or None when they did not say it.

    White space, quotation marks, dashes and case may differ; everything else must be the same. A
    quote that cuts a word or a number in two, or leaves out the negation right before it, is no
    quote: it would say something else.
    """
    wanted, _ = _normalised(quote)
    wanted = wanted.strip(" ")
    if not any(c.isalnum() for c in wanted):
        return None
    said = spoken(message)
    text, offsets = _normalised(said.text)
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if _is_whole(text, at, end):
            return said.cut(offsets[at], offsets[end - 1] + 1)
        at = text.find(wanted, at + 1)
    return None


def _is_whole(text: str, start: int, end: int) -> bool:
    if start and _joins(text[start - 1], text[start]):
        return False
    if end < len(text) and _joins(text[end - 1], text[end]):
        return False
    if text[end - 1].isdigit() and re.match(r"[.,]\d", text[end : end + 2]):
        return False
    if _NEGATION_BEFORE.search(text[max(0, start - 24) : start]):
        return False
    return not (text[end - 1] > "\u3040" and _NEGATION_AFTER.match(text, end))


def _joins(left: str, right: str) -> bool:
    """Whether two neighbours belong to one word or number. Ideographs stand alone."""
    return _is_word(left) and _is_word(right)


def _is_word(character: str) -> bool:
    return character == "_" or (character.isalnum() and character < "\u2e80")


def _normalised(text: str) -> tuple[str, list[int]]:
    """The text as it is compared, and for each of its characters the index in `text`."""
    characters: list[str] = []
    offsets: list[int] = []
    for index, character in enumerate(text):
        for same in " " if character.isspace() else _compared(character):
            if same in " -" and characters and characters[-1] == same:
                continue
            characters.append(same)
            offsets.append(index)
    return "".join(characters), offsets


@lru_cache(maxsize=4_096)
def _compared(character: str) -> str:
    if unicodedata.category(character) == "Cf":
        return ""
    same = character.translate(_SAME)
    if same == character and not same.isascii():
        same = unicodedata.normalize("NFKC", same).translate(_SAME)
    return same.casefold()
