"""What the checks say: violations with their places, and what was skipped and why."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from graph.anchors import Anchor, anchor_for_line, anchor_for_range
from graph.checks.changed_file import ChangedFile
from graph.checks.specs import Check
from graph.checks.syntax import Syntax

_UNSEEN = re.compile("[\ufeff\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
"""Marks of byte order, form feeds and the like: nobody sees whether they survive a suggestion."""


@dataclass(frozen=True)
class Violation:
    """One place that breaks one convention.

    `path` is "" for the pull request itself; `anchor` is None for that and for a whole file.
    `line` is a new-file number. `suggestion` is the text that replaces the lines of the anchor,
    without a line feed at its end; applied, it removes this violation and changes nothing else.
    """

    convention_id: str
    kind: str
    path: str
    message: str
    anchor: Anchor | None = None
    line: int | None = None
    measured: int | str | None = None
    limit: int | str | None = None
    suggestion: str | None = None


@dataclass(frozen=True)
class Skip:
    """Why a convention was not decided: on `paths`, or at all when there are none."""

    convention_id: str
    reason: str
    sentence: str
    paths: tuple[str, ...] = ()


@dataclass(frozen=True)
class CheckResult:
    violations: tuple[Violation, ...]
    skipped: tuple[Skip, ...]


@dataclass(frozen=True)
class Rule:
    """A check bound to the convention it comes from and to the paths on which that holds."""

    convention_id: str
    check: Check
    applies_to: Callable[[str], bool]


@dataclass
class Report:
    """Collects what one rule finds."""

    rule: Rule
    violations: list[Violation] = field(default_factory=list)
    skips: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def at_line(
        self,
        file: ChangedFile,
        line: int,
        message: str,
        *,
        measured: int | str | None = None,
        limit: int | str | None = None,
        suggestion: str | None = None,
        last_line: int | None = None,
    ) -> None:
        """A violation at a new-file line, or with `last_line` from it to there.

        It stands at the first line when the range does not lie in one hunk.
        """
        anchor = anchor_for_range(file.diff, line, last_line) if last_line else None
        anchor = anchor or anchor_for_line(file.diff, line)
        if suggestion is not None and _UNSEEN.search(suggestion):
            suggestion = None
        self.violations.append(
            Violation(
                self.rule.convention_id,
                self.rule.check.kind,
                file.path,
                message,
                anchor,
                line,
                measured,
                limit,
                suggestion if anchor else None,
            )
        )

    def at_file(
        self,
        path: str,
        message: str,
        *,
        measured: int | str | None = None,
        limit: int | str | None = None,
    ) -> None:
        """A violation of a whole file, or with "" of the pull request."""
        rule = self.rule
        self.violations.append(
            Violation(
                rule.convention_id, rule.check.kind, path, message, measured=measured, limit=limit
            )
        )

    def skip(self, why: tuple[str, str], path: str = "") -> None:
        """Not decided on `path` (or, without one, at all): a reason slug and a sentence."""
        paths = self.skips.setdefault(why, [])
        if path:
            paths.append(path)

    def is_of_code(self, file: ChangedFile) -> bool:
        """Whether the rule is about code in general: it would hold for a program beside `file`."""
        folder, slash, _ = file.path.rpartition("/")
        return self.rule.applies_to(f"{folder}{slash}code.py") or self.rule.applies_to(
            f"{folder}{slash}code.ts"
        )

    def syntax_of(self, file: ChangedFile) -> Syntax | None:
        """The syntax of a file with additions in a known language, else None and perhaps a skip."""
        if file.language is None or not file.added:
            return None
        if file.syntax is None and file.unparsable:
            self.skip(file.unparsable, file.path)
        return file.syntax

    def skipped(self) -> list[Skip]:
        return [
            Skip(self.rule.convention_id, reason, sentence, tuple(paths))
            for (reason, sentence), paths in self.skips.items()
        ]
