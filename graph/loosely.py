"""What models write in the place of a number, an id or one of a few words, read as it was meant.

A finding is not thrown away because its confidence is "high" or its line "12-14". What cannot be
meant in one way only is returned as it is, and the schema refuses it.
"""

from __future__ import annotations

import re

from graph.findings import CATEGORIES

_SEVERITIES = {
    "blocker": "critical", "severe": "critical", "p0": "critical", "fatal": "critical",
    "major": "high", "error": "high", "important": "high", "p1": "high",
    "moderate": "medium", "warning": "medium", "normal": "medium", "p2": "medium", "": "medium",
    "minor": "low", "info": "low", "trivial": "low", "nit": "low", "style": "low", "p3": "low",
}  # fmt: skip
_CONFIDENCES = {
    "certain": 1.0, "very high": 0.95, "high": 0.9, "medium": 0.6, "moderate": 0.6, "low": 0.2,
    "very low": 0.1, "": 1.0,
}  # fmt: skip
_CATEGORY_WORDS = {
    "performance": "performance", "security": "security", "vulnerab": "security", "test": "tests",
    "convention": "convention", "maintain": "maintainability", "readab": "maintainability",
    "style": "maintainability", "bug": "bug", "logic": "bug", "correct": "bug", "error": "bug",
    "crash": "bug",
}  # fmt: skip
_NO_CONVENTION = ("", "none", "null", "n/a", "-", "no")
_ID = re.compile(r"\b[CO]\d+\b", re.IGNORECASE)


def severity(value: object) -> object:
    """ "Major" and "P1" are high; nothing at all is medium."""
    word = _word(value)
    return _SEVERITIES.get(word, word) if isinstance(word, str) else value


def category(value: object) -> object:
    """ "logic error" is a bug, "performance issue" is performance."""
    word = _word(value)
    if not isinstance(word, str) or word in CATEGORIES:
        return word
    return next((name for part, name in _CATEGORY_WORDS.items() if part in word), word)


def share(value: object) -> object:
    """A confidence from 0 to 1: also "high", "85%", "9/10", 8 of ten and 85 of a hundred."""
    word = _word(value)
    if isinstance(word, str):
        if word in _CONFIDENCES:
            return _CONFIDENCES[word]
        part = re.fullmatch(r"(\d+(?:\.\d+)?) */ *(\d+)", word)
        if part and int(part[2]):
            return float(part[1]) / int(part[2])
        percent = re.fullmatch(r"(\d+(?:\.\d+)?) *%", word)
        if percent:
            return float(percent[1]) / 100
        value = float(word) if re.fullmatch(r"\d+(?:\.\d+)?", word) else word
    if isinstance(value, int | float) and 1 < value <= 100:
        return value / 10 if value <= 10 else value / 100
    return value


def line_number(value: object) -> object:
    """The first line of "12-14", "L12" and [12, 14]."""
    if isinstance(value, list) and value:
        value = value[0]
    found = re.match(r"\s*L?(?:ines? )?(\d{1,9})\b", value) if isinstance(value, str) else None
    if isinstance(value, str):
        return int(found[1]) if found else None
    return value


def text(value: object) -> object:
    """A text that may be missing, or come as its lines."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "\n".join(value)
    return "" if value is None else value


def convention_id(value: object) -> object:
    """The id in "C7", "[c7@3]" and "C7: no print"; None for "none" and for words without an id."""
    if isinstance(value, list):
        value = value[0] if value else None
    if not isinstance(value, str):
        return value or None
    found = _ID.search(value)
    if found:
        return found[0].upper()
    return None if value.strip().casefold() in _NO_CONVENTION or " " in value.strip() else value


def _word(value: object) -> object:
    if value is None:
        return ""
    return value.strip().casefold() if isinstance(value, str) else value
