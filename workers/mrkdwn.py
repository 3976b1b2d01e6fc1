"""The Markdown of our answers as Slack's mrkdwn, with everything that could act escaped."""

from __future__ import annotations

import re

from workers.slack_text import escape

_LINK = re.compile(r"\[([^\]\n]+)\]\((https?://[^\s()<>|]+)\)")
_BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_CODE_OR_COMMENT = re.compile(r"<!--.*?-->|(`{3,}).*?\1|`[^`\n]+`", re.DOTALL)


def to_mrkdwn(text: str) -> str:
    """Bold, links, lists and code in Slack's spelling.

    `&`, `<` and `>` are escaped everywhere, so no mention, channel or link can be smuggled in by
    what a person or a model wrote; a quotation's ">" at the start of a line stays one.
    """
    parts: list[str] = []
    at = 0
    for found in _CODE_OR_COMMENT.finditer(text):
        parts.append(_prose(text, at, found.start()))
        # A comment in a code block is shown there, and so has to stay.
        parts.append("" if found[0].startswith("<!--") else escape(found[0]))
        at = found.end()
    return "".join([*parts, _prose(text, at, len(text))])


def _prose(text: str, start: int, end: int) -> str:
    """What stands between pieces of code; only a line that begins here has a mark of its own."""
    first, *others = text[start:end].split("\n")
    is_middle = start > 0 and text[start - 1] != "\n"
    return "\n".join([_inline(first) if is_middle else _line(first), *map(_line, others)])


def _line(line: str) -> str:
    quote = ""
    while line.startswith(">"):
        quote, line = "> ", line[1:].removeprefix(" ")
    line = re.sub(r"^(\s*)- ", r"\1• ", line)
    line = re.sub(r"^#{1,6} +(.+)$", r"**\1**", line)
    return quote + _inline(line)


def _inline(line: str) -> str:
    pieces = _LINK.split(line)
    out = []
    for at in range(0, len(pieces), 3):
        out.append(_BOLD.sub(r"*\1*", escape(pieces[at])))
        if at + 2 < len(pieces):
            out.append(f"<{pieces[at + 2].replace('&', '&amp;')}|{escape(pieces[at + 1])}>")
    return "".join(out)
