"""Sizes by syntax: files, functions, parameters, nesting."""

from __future__ import annotations

from ast_grep_py import SgNode

from graph.checks.changed_file import ChangedFile
from graph.checks.definitions import functions_of
from graph.checks.report import Report
from graph.checks.spec import counted
from graph.checks.spec_code import MaxFileLines, MaxFunctionLines, MaxNesting, MaxParameters
from graph.checks.syntax import Syntax


def check_max_file_lines(check: MaxFileLines, file: ChangedFile, report: Report) -> None:
    grew = file.diff.added_count - file.diff.removed_count
    if not file.diff.hunks or grew <= 0:
        return
    if not file.is_source and report.is_of_code(file):
        return  # a changelog and a table of data grow for ever
    if file.text is None:
        if file.unreadable:
            report.skip(file.unreadable, file.path)
        return
    count = len(file.text_lines)
    if count > check.limit:
        message = (
            f"The file has {count} lines, {grew} more than before; the limit is {check.limit}."
        )
        report.at_file(file.path, message, measured=count, limit=check.limit)


def check_max_function_lines(check: MaxFunctionLines, file: ChangedFile, report: Report) -> None:
    syntax = report.syntax_of(file)
    for function in syntax.once(functions_of) if syntax else ():
        count = function.last_line - function.name_line + 1
        if count > check.limit and file.growth(function.name_line, function.last_line) > 0:
            report.at_line(
                file,
                _place(file, function.name_line, function.last_line),
                f"`{function.name}` has {count} lines; the limit is {check.limit}.",
                measured=count,
                limit=check.limit,
            )


def _place(file: ChangedFile, first: int, last: int) -> int:
    """The first line of the span when it is in the diff, else the first added one inside."""
    if first in file.diff.new_text_lines:
        return first
    return min(line for line in file.diff.added_lines if first <= line <= last)


def check_max_parameters(check: MaxParameters, file: ChangedFile, report: Report) -> None:
    syntax = report.syntax_of(file)
    for function in syntax.once(functions_of) if syntax else ():
        count = len(function.parameters)
        first, last = function.name_line, function.signature_end
        if count > check.limit and file.touches(first, last):
            report.at_line(
                file,
                _place(file, first, last),
                f"`{function.name}` has {counted(count, 'parameter')}; the limit is {check.limit}.",
                measured=count,
                limit=check.limit,
            )


def check_max_nesting(check: MaxNesting, file: ChangedFile, report: Report) -> None:
    syntax = report.syntax_of(file)
    for line, depth in syntax.once(_block_depths) if syntax else ():
        if depth > check.limit and file.is_added(line):
            report.at_line(
                file,
                line,
                f"This block is nested {depth} levels deep; the limit is {check.limit}.",
                measured=depth,
                limit=check.limit,
            )


def _block_depths(syntax: Syntax) -> list[tuple[int, int]]:
    """The line of every control block and how many of them are around it in its function.

    One pass over the blocks in the order of the text with the stack of those still open: asking
    each node for its parents would take quadratic time in long files.
    """
    grammar = syntax.grammar
    functions = (*grammar.functions, *grammar.methods)
    open_ends: list[tuple[int, bool]] = []
    depths = []
    for node in syntax.find((*grammar.blocks, *functions)):
        start, end = syntax.extent(node)
        while open_ends and open_ends[-1][0] <= start:
            open_ends.pop()
        is_function = node.kind() in functions
        if is_function or not _continues(node):
            open_ends.append((end, is_function))
            if not is_function:
                depths.append((syntax.first_line(node), _depth(open_ends)))
    return depths


def _depth(open_ends: list[tuple[int, bool]]) -> int:
    depth = 0
    for _, is_function in reversed(open_ends):
        if is_function:
            break
        depth += 1
    return depth


def _continues(node: SgNode) -> bool:
    """Whether an `if` is the "else if" of another one."""
    if not node.kind().startswith("if"):
        return False
    before = node.prev()
    if before is not None and before.text() == "else":
        return True
    parent = node.parent()
    return parent is not None and parent.kind() in ("else_clause", "else")
