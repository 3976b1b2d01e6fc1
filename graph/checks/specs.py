"""Every kind of check and its JSON form: `{"kind": "max_line_length", "limit": 88}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graph.checks.spec import CheckError, Spec
from graph.checks.spec_change import (
    Dependency,
    ForbiddenPath,
    MaxDiffFiles,
    MaxDiffLines,
    RequiredCompanion,
    RequiredDescription,
    RequiredHeader,
    RequiredPattern,
    RequiredSection,
    RequiredTicket,
    TextFormat,
)
from graph.checks.spec_code import (
    ForbiddenCall,
    ForbiddenImport,
    ForbiddenSyntax,
    MaxFileLines,
    MaxFunctionLines,
    MaxNesting,
    MaxParameters,
    Naming,
    QuoteStyle,
    RequiredDocstring,
    RequiredTypes,
)
from graph.checks.spec_lines import (
    FinalNewline,
    ForbiddenPattern,
    ForbiddenText,
    ForbiddenTodo,
    Indentation,
    LineEndings,
    MaxLineLength,
    TodoNeedsTicket,
    TrailingWhitespace,
)

Check = Spec
"""Any of the kinds below."""

CHECKS: tuple[type[Spec], ...] = (
    MaxLineLength, TrailingWhitespace, Indentation, FinalNewline, LineEndings, ForbiddenText,
    ForbiddenPattern, TodoNeedsTicket, ForbiddenTodo, ForbiddenCall, ForbiddenImport,
    ForbiddenSyntax, QuoteStyle, MaxFileLines, MaxFunctionLines, MaxParameters, MaxNesting,
    Naming, RequiredDocstring, RequiredTypes, RequiredCompanion, RequiredPattern, RequiredHeader,
    ForbiddenPath, Dependency, MaxDiffLines, MaxDiffFiles, TextFormat, RequiredTicket,
    RequiredSection, RequiredDescription,
)  # fmt: skip

_BY_KIND: dict[str, type[Spec]] = {check.kind: check for check in CHECKS}

__all__ = [
    "CHECKS",
    "Check",
    "CheckError",
    "Dependency",
    "FinalNewline",
    "ForbiddenCall",
    "ForbiddenImport",
    "ForbiddenPath",
    "ForbiddenPattern",
    "ForbiddenSyntax",
    "ForbiddenText",
    "ForbiddenTodo",
    "Indentation",
    "LineEndings",
    "MaxDiffFiles",
    "MaxDiffLines",
    "MaxFileLines",
    "MaxFunctionLines",
    "MaxLineLength",
    "MaxNesting",
    "MaxParameters",
    "Naming",
    "QuoteStyle",
    "RequiredCompanion",
    "RequiredDescription",
    "RequiredDocstring",
    "RequiredHeader",
    "RequiredPattern",
    "RequiredSection",
    "RequiredTicket",
    "RequiredTypes",
    "TextFormat",
    "TodoNeedsTicket",
    "TrailingWhitespace",
    "check_from_json",
    "check_to_json",
]


def check_from_json(record: Mapping[str, Any]) -> Check:
    """The check that a convention's `check` holds. Raises `CheckError`, which says what is wrong.

    Nothing is coerced: "88" is no limit, and an unknown parameter is an error.
    """
    if not isinstance(record, Mapping):
        raise CheckError("a check is an object with a kind")
    kind = record.get("kind")
    check = _BY_KIND.get(kind) if isinstance(kind, str) else None
    if check is None:
        raise CheckError(f"there is no check kind {kind!r:.80}; use one of {sorted(_BY_KIND)}")
    return check.from_json(record)


def check_to_json(check: Check) -> dict[str, Any]:
    """The inverse of `check_from_json`; parameters at their default are left out."""
    return check.to_json()
