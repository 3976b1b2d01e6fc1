"""A check that a model proposes holds only what the person's words hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from graph.checks.homes import at_home, without_home
from graph.checks.phrases_change import PLACE_PHRASES
from graph.checks.phrases_forbidden import CONSTRUCT_PHRASES
from graph.checks.phrases_naming import STYLE_PHRASES, TARGET_PHRASES
from graph.checks.spec import CheckError
from graph.checks.specs import Check, check_from_json, check_to_json
from graph.places import place_at
from graph.words import folded, tokens_of

_EXCLUSIVE = re.compile(r"\b(?:under|below|less than|fewer than|shorter than|smaller than)\b|<")
_GLOB_PARAMETERS = frozenset({"when", "needs", "globs"})
_PATTERN_PARAMETERS = frozenset({"pattern", "ticket_pattern"})
_LINE_ENDS = "lf|unix|crlf|windows|dos|linux"
_INDENTS = "space|tab|espacio|tabulador|espaço|tabulações|leerzeichen|tabulator|espace|空格|制表符"
_CHOICES: dict[str, str] = {
    "lf": _LINE_ENDS,
    "crlf": _LINE_ENDS,
    "spaces": _INDENTS,
    "tabs": _INDENTS,
    "single": "single|double|'",
    "double": 'double|single|"',
    "conventional": "conventional",
    "modified": "modify|edit|change|modified|edited",
    "added": "add|commit|new|create|check in",
    "removed": "remove|delete|removed|deleted",
    "parameters": "parameter|argument",
    "return": "return",
    "module": "module|file",
    "any": "class|function",
    **{str(choice): words for choice, words in CONSTRUCT_PHRASES.items()},
    **{str(choice): words for choice, words in STYLE_PHRASES.items()},
    **PLACE_PHRASES,
    **{str(choice): words for choice, words in TARGET_PHRASES.items()},
}
"""Words of which one must stand in the quote for a value that is a choice of ours.

"Tabs" is also said by "no spaces", so the pairs name each other.
"""

_PATTERN_PART = re.compile(
    r"\\[pP]\{[^}]*\}|\\[dDwWsSbBAzZ]|\\(?P<escaped>.)|\((?:\?(?:P?<\w+>|[a-z]*:|[a-z]+\)))?"
    r"|\[\^?(?P<set>\]?(?:\\.|[^\]\\])*)\]|\{(?P<count>\d+(?:,\d*)?)\}|[)|^$.*+?]|(?P<plain>.)",
    re.DOTALL,
)


class ProposalError(ValueError):
    """The proposed check says something that the quote does not say."""

    reason: ClassVar[str] = "literal_not_in_quote"


def validate_proposal(check_json: Mapping[str, Any], quote: str) -> Check:
    """The proposed check, when every literal in it stands in `quote`.

    Numbers may stand there in words, and a limit may be one less than a number behind "under".
    Names, texts, globs and the literal parts of patterns must stand as they are (a glob also as
    the place that people call by it: "in tests", "Python"). Raises `CheckError` for an invalid
    check and `ProposalError`, which names the literal, for one that adds to the words.
    """
    check = check_from_json(check_json)
    said = _Quote(quote)
    plain = without_home(check)
    bound = at_home(plain, quote, ())
    if check == bound:
        check = plain
    for name, value in check_to_json(check).items():
        if name == "kind" or isinstance(value, bool):
            continue
        for item in value if isinstance(value, list) else [value]:
            missing = said.missing(name, item)
            if missing:
                message = f"{name}: {missing!r:.80} does not stand in the quoted words"
                raise ProposalError(message)
    return bound if check == plain else check


class _Quote:
    """The person's words, and what can be said to stand in them."""

    def __init__(self, quote: str) -> None:
        plain = folded(quote)
        tokens = tokens_of(plain)
        self._text = _spaced(plain)
        self._numbers = {token.value for token in tokens if token.kind == "number"}
        self._exclusive = bool(_EXCLUSIVE.search(self._text))
        places = (place_at(tokens, at) for at in range(len(tokens)))
        self._globs = {glob for place in places if place is not None for glob in place[0]}

    def missing(self, name: str, value: object) -> str:
        """The first literal of a parameter that does not stand in the quote, or ""."""
        if isinstance(value, int):
            said = value in self._numbers or (self._exclusive and value + 1 in self._numbers)
            return "" if said else str(value)
        text = str(value)
        if name in _GLOB_PARAMETERS:
            return self._missing_glob(text)
        if name in _PATTERN_PARAMETERS:
            return next(
                (part for part in literal_parts(text) if _spaced(part) not in self._text), ""
            )
        if text in _CHOICES and name not in {"names", "modules", "texts"}:
            phrases = _CHOICES[text].replace("`", "").replace("~", " ").split("|")
            return "" if any(self._has(phrase) for phrase in phrases) else text
        return "" if self._has(text.removeprefix(".").removesuffix(".*")) else text

    def _missing_glob(self, glob: str) -> str:
        bare = glob.removeprefix("!")
        if bare in self._globs:
            return ""
        parts = [part for part in re.split(r"[*?]+|\{stem\}", bare) if part.strip("/.")]
        return next((part for part in parts if not self._has(part)), "")

    def _has(self, literal: str) -> bool:
        """Whether `literal` stands in the quote and no longer word or number contains it."""
        wanted = re.escape(_spaced(literal))
        before = r"(?<!\w)" if literal[:1].isalnum() else ""
        after = r"(?:s|es)?(?!\w)" if literal[-1:].isalnum() else ""
        return re.search(before + wanted + after, self._text) is not None


def literal_parts(pattern: str) -> Iterator[str]:
    """What a regular expression says literally: runs of letters and digits, and counts.

    Ranges in a set ("A-Z") and classes are no literals; marks between words are left out.
    """
    run = ""
    for match in _PATTERN_PART.finditer(pattern):
        character = match["plain"] or match["escaped"] or ""
        if character and (character.isalnum() or character in "_-/ "):
            run += character
            continue
        yield from _words(run)
        run = ""
        if match["count"]:
            yield from re.findall(r"\d+", match["count"])
        if match["set"]:
            singles = re.sub(r"\\.|[A-Za-z0-9]-[A-Za-z0-9]", "", match["set"])
            yield from (single for single in singles if single.isalnum())
    yield from _words(run)


def _words(run: str) -> Iterator[str]:
    if any(character.isalnum() for character in run):
        yield run.strip("-_/ ") or run


def _spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("-", " ").replace("’", "'")).lower()


__all__ = ["CheckError", "ProposalError", "literal_parts", "validate_proposal"]
