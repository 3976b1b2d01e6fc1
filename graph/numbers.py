"""Numbers as people write them in a sentence: digits, or English words from zero to 999,999."""

from __future__ import annotations

from collections.abc import Sequence

_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_BELOW_TWENTY = {word: value for value, word in enumerate(_UNITS)}
_ROUND = {word: 10 * value for value, word in enumerate(_TENS, start=2)} | {"fourty": 40}

NUMBER_WORDS: frozenset[str] = (
    frozenset(_BELOW_TWENTY)
    | frozenset(_ROUND)
    | {
        "hundred",
        "thousand",
    }
)
"""Every word that can stand in a number, without "a" and "and"."""


def read_number(words: Sequence[str]) -> tuple[int, int] | None:
    """The number that `words` (lower case, hyphens split) begin with, and how many words it takes.

    "one hundred and twenty" is (120, 4), "a hundred characters" is (100, 2); None when no number
    begins here.
    """
    thousands = _read_below_thousand(words)
    if thousands is None:
        return None
    value, used = thousands
    if used >= len(words) or words[used] != "thousand":
        return thousands
    used += 1
    rest = _read_below_thousand(words[used + 1 :] if _is_and(words, used) else words[used:])
    if rest is None or words[used] == "a":
        return value * 1_000, used
    return value * 1_000 + rest[0], used + rest[1] + _is_and(words, used)


def _read_below_thousand(words: Sequence[str]) -> tuple[int, int] | None:
    if len(words) > 1 and words[0] == "a" and words[1] in {"hundred", "thousand"}:
        value, used = 1, 1
    else:
        small = _read_below_hundred(words)
        if small is None:
            return None
        value, used = small
    if used >= len(words) or words[used] != "hundred" or value == 0:
        return value, used
    value, used = value * 100, used + 1
    joint = int(_is_and(words, used))
    rest = _read_below_hundred(words[used + joint :])
    return (
        (value, used) if rest is None or rest[0] == 0 else (value + rest[0], used + joint + rest[1])
    )


def _read_below_hundred(words: Sequence[str]) -> tuple[int, int] | None:
    if not words:
        return None
    if words[0] in _BELOW_TWENTY:
        return _BELOW_TWENTY[words[0]], 1
    if words[0] not in _ROUND:
        return None
    value = _ROUND[words[0]]
    if len(words) > 1 and 0 < _BELOW_TWENTY.get(words[1], 0) < 10:
        return value + _BELOW_TWENTY[words[1]], 2
    return value, 1


def _is_and(words: Sequence[str], at: int) -> bool:
    return at + 1 < len(words) and words[at] == "and"


def number_in_words(value: int) -> str:
    """English words of `value`, 0 to 999,999: 88 is "eighty-eight"."""
    if value < 20:
        return _UNITS[value]
    if value < 100:
        tens, unit = divmod(value, 10)
        return _TENS[tens - 2] + (f"-{_UNITS[unit]}" if unit else "")
    base, name = (1_000, "thousand") if value >= 1_000 else (100, "hundred")
    head, rest = divmod(value, base)
    tail = f" and {number_in_words(rest)}" if 0 < rest < 100 else ""
    tail = f" {number_in_words(rest)}" if rest >= 100 else tail
    return f"{number_in_words(head)} {name}{tail}"
