"""Regular expressions that people wrote, run by RE2: time linear in the text, memory bounded."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2

MAX_PATTERN_CHARACTERS = 500
"""Longer ones are generated lists, which belong in a linter, and cost memory in each worker."""

MAX_PROGRAM_BYTES = 1 << 20
"""Of one compiled pattern. Nested repetitions such as (a{1000}){1000} do not fit, by intent."""


class PatternError(ValueError):
    """A pattern that cannot be run. The message says why, for the person who taught it."""

    reason = "unusable_pattern"


class Pattern:
    """One compiled pattern. Lone surrogates in a text match nothing."""

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled

    def search(self, text: str) -> bool:
        return self._compiled.search(_encodable(text)) is not None

    def fullmatch(self, text: str) -> bool:
        return self._compiled.fullmatch(_encodable(text)) is not None


@lru_cache(maxsize=512)
def compiled(pattern: str, *, case_sensitive: bool = True, multi_line: bool = False) -> Pattern:
    """The pattern ready to run. Raises `PatternError`.

    With `multi_line` "^" and "$" match at every line.
    """
    if len(pattern) > MAX_PATTERN_CHARACTERS:
        raise PatternError(
            f"the pattern has {len(pattern)} characters, at most {MAX_PATTERN_CHARACTERS} are run"
        )
    options = re2.Options()
    options.log_errors = False
    options.max_mem = MAX_PROGRAM_BYTES
    options.case_sensitive = case_sensitive
    try:
        return Pattern(re2.compile(f"(?m:{pattern})" if multi_line else pattern, options))
    except re2.error as error:
        words = error.args[0] if error.args else "syntax error"
        words = words.decode("utf-8", "replace") if isinstance(words, bytes) else str(words)
        raise PatternError(f"RE2 cannot run `{pattern:.60}`: {words}") from None
    except UnicodeEncodeError:
        raise PatternError("the pattern holds characters that are no text") from None


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
