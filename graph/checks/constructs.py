"""Forbidden constructs, by syntax, in the languages that have them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ast_grep_py import SgNode

from graph.checks.calls import calls_of
from graph.checks.changed_file import ChangedFile
from graph.checks.imports import imports_of
from graph.checks.languages import Language
from graph.checks.report import Report
from graph.checks.spec_code import CONSTRUCT_WORDS, Construct, ForbiddenSyntax
from graph.checks.syntax import Syntax


@dataclass(frozen=True)
class _Form:
    """Nodes of `kinds` in `languages` for which `holds` is true."""

    languages: frozenset[Language]
    kinds: tuple[str, ...]
    holds: Callable[[SgNode], bool]


def check_forbidden_syntax(check: ForbiddenSyntax, file: ChangedFile, report: Report) -> None:
    if file.language is None or not exists_in(check.construct, file.language):
        return
    syntax = report.syntax_of(file)
    if syntax is None:
        return
    word = CONSTRUCT_WORDS[check.construct][0]
    instead = f"use {check.instead}" if check.instead else "the rule allows none"
    if check.construct == "default_export" and _is_asked_for_default(file.path):
        return
    for line in sorted(set(_lines(check.construct, syntax))):
        if file.is_added(line):
            report.at_line(file, line, f"This line has {word}; {instead}.", limit=0)


_WITH_DEFAULT_EXPORT = re.compile(
    r"\.(?:config|stories|story|d)\.[cm]?[jt]sx?$"
    r"|(?:^|/)(?:page|layout|template|loading|error|not-found|global-error|default|sitemap|robots"
    r"|manifest)\.[jt]sx?$"
    r"|(?:^|/)pages/"
)


def _is_asked_for_default(path: str) -> bool:
    """Files whose default export a tool loads: configurations, stories, a router's pages."""
    return _WITH_DEFAULT_EXPORT.search(path) is not None


def exists_in(construct: Construct, language: Language) -> bool:
    if construct in ("wildcard_import", "relative_import"):
        return True
    if construct == "debugger" and language in _DEBUGGER_CALLS:
        return True
    return any(language in form.languages for form in _FORMS.get(construct, ()))


def _lines(construct: Construct, syntax: Syntax) -> list[int]:
    if construct == "wildcard_import":
        return [found.line for found in syntax.once(imports_of) if found.is_wildcard]
    if construct == "relative_import":
        return [found.line for found in syntax.once(imports_of) if found.is_relative]
    lines = [
        syntax.first_line(node)
        for form in _FORMS.get(construct, ())
        if syntax.language in form.languages
        for node in syntax.find(form.kinds)
        if form.holds(node)
    ]
    if construct == "debugger":
        names = _DEBUGGER_CALLS.get(syntax.language, frozenset())
        lines += [call.line for call in syntax.once(calls_of) if call.path in names]
    return lines


_DEBUGGER_CALLS: dict[Language, frozenset[str]] = {
    "python": frozenset(("breakpoint", "pdb.set_trace", "ipdb.set_trace", "pudb.set_trace")),
    "ruby": frozenset(("binding.pry", "binding.irb", "byebug", "debugger")),
    "php": frozenset(("xdebug_break", "dd", "dump")),
    "csharp": frozenset(("Debugger.Break", "System.Diagnostics.Debugger.Break")),
    "go": frozenset(("runtime.Breakpoint",)),
}


def _always(_: SgNode) -> bool:
    return True


def _header(node: SgNode) -> str:
    """A handler's text up to its body."""
    return re.split(r"\{|:\s*(?:#[^\n]*)?\n|:\s*$", node.text(), maxsplit=1)[0]


def _is_bare_except(node: SgNode) -> bool:
    if node.kind() == "rescue":
        return not any(child.kind() == "exceptions" for child in node.children())
    return re.match(r"(?:except\s*:|catch\s*(?:\{|\(\s*\.\.\.\s*\)))", node.text()) is not None


_BROAD = re.compile(
    r"(?<![\w.])\\?(?:System\.|java\.lang\.)?(?:BaseException|Exception|Throwable)(?!\w)"
)


def _is_broad_except(node: SgNode) -> bool:
    if node.kind() != "rescue" and _is_bare_except(node):
        return True
    return _BROAD.search(_header(node)) is not None


def _is_empty_handler(node: SgNode) -> bool:
    if node.kind() == "except_clause":
        block = next((c for c in node.children() if c.kind() == "block"), None)
        return block is None or (
            all(child.text() in ("pass", "...") for child in block.named_children())
            and not any(c.kind() == "comment" for c in node.children())
        )
    if node.kind() == "rescue":
        parts = ("exceptions", "exception_variable")
        return all(child.kind() in parts for child in node.named_children())
    return re.search(r"\{\s*\}\s*$", node.text()) is not None


def _has_mutable_default(node: SgNode) -> bool:
    value = node.field("value")
    if value is None:
        return False
    literals = ("list", "dictionary", "set", "list_comprehension", "dictionary_comprehension")
    return value.kind() in literals or value.text() in ("list()", "dict()", "set()")


def _assigns_lambda(node: SgNode) -> bool:
    left, right = node.field("left"), node.field("right")
    named = left is not None and left.kind() == "identifier"
    return named and right is not None and right.kind() == "lambda"


def _is_nested_ternary(node: SgNode) -> bool:
    parent = node.parent()
    while parent is not None and parent.kind() == "parenthesized_expression":
        parent = parent.parent()
    return parent is not None and parent.kind() == node.kind()


def _is_loose_comparison(node: SgNode) -> bool:
    operator = node.field("operator")
    return operator is not None and operator.text() in ("==", "!=")


def _is_text(*texts: str) -> Callable[[SgNode], bool]:
    return lambda node: node.text() in texts


def _declares_var(node: SgNode) -> bool:
    """`declare global { var x: T }` has no other way to say it, and declares nothing that runs."""
    around = node.parent()
    while around is not None and around.kind() == "statement_block":
        around = around.parent()
    ambient = around is not None and around.kind() == "ambient_declaration"
    return node.text().startswith("var") and not ambient


def _starts_with(*words: str) -> Callable[[SgNode], bool]:
    return lambda node: node.text().startswith(words)


def _form(languages: str, kinds: str, holds: Callable[[SgNode], bool] = _always) -> _Form:
    return _Form(frozenset(languages.split()), tuple(kinds.split()), holds)  # type: ignore[arg-type]


_SCRIPT = "javascript typescript tsx"
_FORMS: dict[Construct, tuple[_Form, ...]] = {
    "bare_except": (
        _form("python", "except_clause", _is_bare_except),
        _form("ruby", "rescue", _is_bare_except),
        _form("cpp csharp", "catch_clause", _is_bare_except),
    ),
    "broad_except": (
        _form("python", "except_clause", _is_broad_except),
        _form("ruby", "rescue", _is_broad_except),
        _form("cpp csharp java php", "catch_clause", _is_broad_except),
        _form("kotlin", "catch_block", _is_broad_except),
    ),
    "empty_catch": (
        _form("python", "except_clause", _is_empty_handler),
        _form("ruby", "rescue", _is_empty_handler),
        _form(f"cpp csharp java php {_SCRIPT}", "catch_clause", _is_empty_handler),
        _form("kotlin swift", "catch_block", _is_empty_handler),
    ),
    "debugger": (_form(_SCRIPT, "debugger_statement"),),
    "var_declaration": (_form(_SCRIPT, "variable_declaration", _declares_var),),
    "any_type": (
        _form("typescript tsx", "predefined_type", _is_text("any")),
        _form("go", "type_identifier", _is_text("any")),
    ),
    "non_null_assertion": (
        _form("typescript tsx", "non_null_expression"),
        _form("kotlin", "postfix_expression", lambda node: node.text().endswith("!!")),
        _form("swift", "postfix_expression", lambda node: node.text().endswith("!")),
    ),
    "default_export": (_form(_SCRIPT, "export_statement", _starts_with("export default")),),
    "goto": (_form("c cpp csharp php go", "goto_statement"),),
    "mutable_default": (
        _form("python", "default_parameter typed_default_parameter", _has_mutable_default),
    ),
    "global_statement": (_form("python", "global_statement"),),
    "lambda_assignment": (_form("python", "assignment", _assigns_lambda),),
    "nested_ternary": (
        _form(
            f"{_SCRIPT} java",
            "ternary_expression",
            _is_nested_ternary,
        ),
        _form("python c cpp csharp php", "conditional_expression", _is_nested_ternary),
    ),
    "loose_equality": (_form(f"{_SCRIPT} php", "binary_expression", _is_loose_comparison),),
    "unsafe_block": (
        _form("rust", "unsafe_block"),
        _form("csharp", "unsafe_statement"),
    ),
    "assert_statement": (_form("python java", "assert_statement"),),
}
