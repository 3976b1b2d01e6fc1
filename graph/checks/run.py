"""Runs the checks of a repository's conventions on one diff."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graph.checks import lines, specs
from graph.checks.changed_file import ChangedFile, FileReader
from graph.checks.report import CheckResult, Report, Rule, Skip, Violation
from graph.diff import Diff

FileCheck = Callable[[Any, ChangedFile, Report], None]

_FILE_CHECKS: dict[type[specs.Check], FileCheck] = {
    specs.MaxLineLength: lines.check_max_line_length,
    specs.TrailingWhitespace: lines.check_trailing_whitespace,
    specs.Indentation: lines.check_indentation,
    specs.FinalNewline: lines.check_final_newline,
    specs.LineEndings: lines.check_line_endings,
    specs.ForbiddenText: lines.check_forbidden_text,
    specs.ForbiddenPattern: lines.check_forbidden_pattern,
    specs.TodoNeedsTicket: lines.check_todo_needs_ticket,
    specs.ForbiddenTodo: lines.check_forbidden_todo,
}


def run_checks(diff: Diff, rules: Sequence[Rule], files: FileReader) -> CheckResult:
    """What `rules` find on `diff`. The order is by rule, then by file and line.

    `files` reads the head; a check that needs a file's text and does not get it is a named skip.
    """
    changed = [ChangedFile(file, files) for file in diff.files if file.status != "removed"]
    violations: list[Violation] = []
    skipped: list[Skip] = []
    for rule in rules:
        report = Report(rule)
        check = _FILE_CHECKS[type(rule.check)]
        for file in changed:
            if rule.applies_to(file.path):
                check(rule.check, file, report)
        violations += report.violations
        skipped += report.skipped()
    return CheckResult(tuple(violations), tuple(skipped))
