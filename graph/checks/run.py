"""Runs the checks of a repository's conventions on one diff."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graph.checks import (
    calls,
    companions,
    constructs,
    dependencies,
    documents,
    imports,
    lines,
    naming,
    pull_request_text,
    sizes,
    specs,
    string_quotes,
)
from graph.checks.changed_file import ChangedFile, FileReader
from graph.checks.definitions import lines_of_tests
from graph.checks.pull_request_text import PullRequestText
from graph.checks.report import CheckResult, Report, Rule, Skip, Violation
from graph.diff import Diff

FileCheck = Callable[[Any, ChangedFile, Report], None]
ChangeCheck = Callable[[Any, Diff, Report], None]
TextCheck = Callable[[Any, PullRequestText, Report], None]

FILE_CHECKS: dict[type[specs.Check], FileCheck] = {
    specs.MaxLineLength: lines.check_max_line_length,
    specs.TrailingWhitespace: lines.check_trailing_whitespace,
    specs.Indentation: lines.check_indentation,
    specs.FinalNewline: lines.check_final_newline,
    specs.LineEndings: lines.check_line_endings,
    specs.ForbiddenText: lines.check_forbidden_text,
    specs.ForbiddenPattern: lines.check_forbidden_pattern,
    specs.TodoNeedsTicket: lines.check_todo_needs_ticket,
    specs.ForbiddenTodo: lines.check_forbidden_todo,
    specs.ForbiddenCall: calls.check_forbidden_call,
    specs.ForbiddenImport: imports.check_forbidden_import,
    specs.ForbiddenSyntax: constructs.check_forbidden_syntax,
    specs.QuoteStyle: string_quotes.check_quote_style,
    specs.MaxFileLines: sizes.check_max_file_lines,
    specs.MaxFunctionLines: sizes.check_max_function_lines,
    specs.MaxParameters: sizes.check_max_parameters,
    specs.MaxNesting: sizes.check_max_nesting,
    specs.Naming: naming.check_naming,
    specs.RequiredDocstring: documents.check_required_docstring,
    specs.RequiredTypes: documents.check_required_types,
    specs.RequiredHeader: documents.check_required_header,
    specs.RequiredPattern: documents.check_required_pattern,
    specs.Dependency: dependencies.check_dependency,
}
CHANGE_CHECKS: dict[type[specs.Check], ChangeCheck] = {
    specs.RequiredCompanion: companions.check_required_companion,
    specs.ForbiddenPath: companions.check_forbidden_path,
    specs.MaxDiffLines: companions.check_max_diff_lines,
    specs.MaxDiffFiles: companions.check_max_diff_files,
}
TEXT_CHECKS: dict[type[specs.Check], TextCheck] = {
    specs.TextFormat: pull_request_text.check_text_format,
    specs.RequiredTicket: pull_request_text.check_required_ticket,
    specs.RequiredSection: pull_request_text.check_required_section,
    specs.RequiredDescription: pull_request_text.check_required_description,
}


def run_checks(
    diff: Diff,
    rules: Sequence[Rule],
    files: FileReader,
    pull_request: PullRequestText | None = None,
) -> CheckResult:
    """What `rules` find on `diff`. The order is by rule, then by file and line.

    `files` reads the head; a check that needs a file's text and does not get it is a named skip,
    and so is one that needs a text which `pull_request` does not have. Files without lines in
    the diff (binary, too large, unparsable) are skipped by name for the checks of their lines.
    """
    changed = [ChangedFile(file, files) for file in diff.files if file.status != "removed"]
    text = pull_request or PullRequestText()
    violations: list[Violation] = []
    skipped: list[Skip] = []
    for rule in rules:
        report = Report(rule)
        _run_rule(rule, diff, changed, text, report)
        violations += report.violations
        skipped += report.skipped()
    return CheckResult(tuple(violations), tuple(skipped))


def _run_rule(
    rule: Rule,
    diff: Diff,
    changed: Sequence[ChangedFile],
    text: PullRequestText,
    report: Report,
) -> None:
    kind = type(rule.check)
    if kind in CHANGE_CHECKS:
        CHANGE_CHECKS[kind](rule.check, diff, report)
        return
    if kind in TEXT_CHECKS:
        # A rule about the title that is bound to paths asks when one of them is touched.
        if not diff.files or any(rule.applies_to(file.path) for file in diff.files):
            TEXT_CHECKS[kind](rule.check, text, report)
        return
    languages = getattr(rule.check, "languages", ())
    for file in changed:
        if not rule.applies_to(file.path) or (languages and file.language not in languages):
            continue
        sentence = _LEFT_OUT.get(file.diff.left_out)
        if sentence and rule.check.kind != "naming":
            report.skip((file.diff.left_out, sentence), file.path)
        else:
            already = len(report.violations)
            FILE_CHECKS[kind](rule.check, file, report)
            if file.language == "rust" and len(report.violations) > already:
                report.violations[already:] = _outside_tests(
                    report.violations[already:], rule, file
                )


def _outside_tests(found: list[Violation], rule: Rule, file: ChangedFile) -> list[Violation]:
    """Without Rust's tests inside the file, where the rule leaves tests out."""
    folder, slash, name = file.path.rpartition("/")
    if rule.applies_to(f"{folder}{slash}tests/{name}") or file.syntax is None:
        return found
    tests = file.syntax.once(lines_of_tests)
    return [violation for violation in found if violation.line not in tests]


_LEFT_OUT = {
    "too_large": "the file's changes are too large to be sent",
    "unparsable": "the file's part of the diff could not be read",
}
"""Binary files, submodules and changes of mode have no lines, so nothing is missed there."""
