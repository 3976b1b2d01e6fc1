"""Committable suggestions in an answer: only where GitHub would commit what was meant."""

from __future__ import annotations

import re

from graph.conversation_briefing import Place

_BLOCK = re.compile(
    r"^(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})[ \t]*suggestion\b[^\n]*\n"
    r"(?P<code>.*?)(?P<end>^ {0,3}(?P=fence)[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)


def settled(text: str, place: Place | None) -> str:
    """The answer with every suggestion that can't be committed as it is made plain code.

    One stays where the thread stands on lines of the new file that the diff shows: it replaces
    exactly these, so a second one, or one that changes nothing, is no suggestion.
    """
    is_free = place is not None and place.side == "RIGHT" and place.text is not None

    def settle(match: re.Match[str]) -> str:
        nonlocal is_free
        code = match["code"].removesuffix("\n")
        is_closed = bool(match["end"])
        if is_free and is_closed and place is not None and code != place.text:
            is_free = False
            return match[0]
        ending = match["end"] if is_closed else f"{match['fence']}"
        return f"{match['indent']}{match['fence']}\n{match['code']}{ending}"

    return _BLOCK.sub(settle, text)
