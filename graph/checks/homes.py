"""Where the syntax that a rule quotes is at home: `except Exception` is Python, `any` TypeScript.

A team with code in two languages says such a rule for the one that has the words; files of the
other one are none of its business, even where they have something like it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graph.checks.languages import Language, language_of
from graph.checks.spec_code import ForbiddenCall, ForbiddenSyntax, RequiredDocstring, RequiredTypes
from graph.checks.specs import Check

_PYTHON: tuple[Language, ...] = ("python",)
_TYPESCRIPT: tuple[Language, ...] = ("typescript", "tsx")
_SCRIPTS: tuple[Language, ...] = ("javascript", "typescript", "tsx")
_WITH_CATCH: tuple[Language, ...] = ("javascript", "typescript", "tsx", "java", "cpp", "csharp",
                                     "php", "kotlin", "swift")  # fmt: skip

_HOMES: dict[type[Check], tuple[tuple[str, tuple[Language, ...]], ...]] = {
    ForbiddenSyntax: (
        (r"\bexcepts?\b(?!\s+(?:in|for|under)\b)", _PYTHON),
        (r"\bcatch\b", _WITH_CATCH),
        (r"\bimport \*", _PYTHON),
    ),
    ForbiddenCall: ((r"\w!(?:\(|`|\s|$|[.,;])", ("rust",)),),
    RequiredDocstring: (
        (r"^(?!.*\bexported\b).*\bdoc ?strings?\b", _PYTHON),
        (r"\bjavadoc", ("java",)),
        (r"\bjsdoc", _SCRIPTS),
        (r"\bgodoc", ("go",)),
        (r"\brustdoc", ("rust",)),
        (r"\bkdoc", ("kotlin",)),
        (r"\bdoc ?blocks?\b", ("php", *_SCRIPTS)),
    ),
    RequiredTypes: ((r"\btype[- ]?hint|\btypehint", ("python", "php")),),
}
_OF_CONSTRUCTS: dict[str, tuple[Language, ...]] = {"any_type": _TYPESCRIPT}
"""In Go `any` is the plain name of the empty interface, and nobody forbids it by that name."""

_OF_CALLS: dict[str, tuple[Language, ...]] = {".unwrap": ("rust",)}
"""Redux's and Swift's own methods of that name do not panic."""


_BOUND = (ForbiddenCall, ForbiddenSyntax, RequiredDocstring, RequiredTypes)


def without_home(check: Check) -> Check:
    return replace(check, languages=()) if isinstance(check, _BOUND) else check


def at_home(check: Check, rule: str, paths: Sequence[str]) -> Check:
    """`check` bound to the languages whose syntax `rule` quotes, unless `paths` name languages."""
    if not isinstance(check, _BOUND):
        return check
    if check.languages or _name_languages(paths):
        return check
    languages = _of_names(check)
    if not languages:
        text = rule.lower().replace("-", " ")
        homes = _HOMES[type(check)]
        languages = next((home for words, home in homes if re.search(words, text)), ())
    return replace(check, languages=languages)


def _of_names(check: Check) -> tuple[Language, ...]:
    if isinstance(check, ForbiddenSyntax):
        return _OF_CONSTRUCTS.get(check.construct, ())
    if isinstance(check, ForbiddenCall) and len(check.names) == 1:
        return _OF_CALLS.get(check.names[0], ())
    return ()


def _name_languages(paths: Sequence[str]) -> bool:
    """Whether the scope is the endings of files that some grammar reads."""
    inside = [path for path in paths if not path.startswith("!")]
    return bool(inside) and all(
        re.fullmatch(r"(?:.*/)?\*\.\w+", path) and language_of(f"x.{path.rpartition('.')[2]}")
        for path in inside
    )
