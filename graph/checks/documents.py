"""What must be written with code: documentation, type annotations, a header, the right quotes."""

from __future__ import annotations

import re

from ast_grep_py import SgNode
from pathspec import GitIgnoreSpec

from graph.answers import joined
from graph.checks.changed_file import ChangedFile
from graph.checks.definitions import Definition, classes_of, functions_of, interfaces_of, is_public
from graph.checks.languages import Language
from graph.checks.migrations import asks_for_down_step
from graph.checks.patterns import PatternError, compiled
from graph.checks.report import Report
from graph.checks.spec_change import DOWN_STEP, RequiredHeader, RequiredPattern
from graph.checks.spec_code import RequiredDocstring, RequiredTypes
from graph.checks.syntax import Syntax
from graph.places import TEST_GLOBS

_WRAPPERS = frozenset(
    ("export_statement", "decorated_definition", "template_declaration", "type_declaration",
     "lexical_declaration", "variable_declarator")
)  # fmt: skip
_BETWEEN = frozenset(("attribute_item", "attribute", "decorator", "annotation", "modifiers"))
_TEST_NAME = re.compile(r"(?:test|Test|should)(?:[_A-Z]|$)")


def check_required_docstring(check: RequiredDocstring, file: ChangedFile, report: Report) -> None:
    if file.path.endswith(".pyi"):  # a stub has none: the code that it describes does
        return
    syntax = report.syntax_of(file)
    if syntax is None or syntax.language == "bash":
        return
    if check.target == "module":
        _check_module(file, syntax, report)
        return
    if check.public_only and _is_test(file, report):
        return
    inner = _inner_functions(syntax)
    for noun, definition in _documentable(check, syntax):
        if check.public_only and (
            definition.extent[0] in inner
            or _TEST_NAME.match(definition.name)
            or not is_public(definition, syntax)
        ):
            continue
        if file.is_added(definition.name_line) and not _is_documented(definition, syntax):
            report.at_line(
                file,
                definition.name_line,
                f"The {noun} `{definition.name}` has no documentation; the rule asks for one.",
                measured=0,
                limit=1,
            )


_TESTS = GitIgnoreSpec.from_lines(TEST_GLOBS)


def _is_test(file: ChangedFile, report: Report) -> bool:
    """Whether it is a file of tests, which are nobody's public interface, in a rule for all."""
    return _TESTS.match_file(file.path) and report.rule.applies_to("code.py")


def _documentable(check: RequiredDocstring, syntax: Syntax) -> list[tuple[str, Definition]]:
    found: list[tuple[str, Definition]] = []
    if check.target in ("class", "any"):
        types = [*syntax.once(classes_of), *syntax.once(interfaces_of)]
        found += [("class", d) for d in types if not _is_inner_settings(d)]
    if check.target in ("function", "any"):
        found += [("function", d) for d in syntax.once(functions_of) if not _is_dunder(d.name)]
    return found


def _is_inner_settings(definition: Definition) -> bool:
    """Django's `class Meta` and pydantic's `class Config` inside of the class that they set up."""
    names = ("Meta", "Config")
    return definition.name in names and any(
        around.kind() == "class_definition" for around in definition.node.ancestors()
    )


def _is_dunder(name: str) -> bool:
    """`__init__` and its like are documented by their class and by the language."""
    return name.startswith("__") and name.endswith("__")


def _inner_functions(syntax: Syntax) -> set[int]:
    """Where functions begin that stand inside another function."""
    inner: set[int] = set()
    end = -1
    for function in syntax.once(functions_of):
        if function.extent[0] < end:
            inner.add(function.extent[0])
        else:
            end = function.extent[1]
    return inner


def _is_documented(definition: Definition, syntax: Syntax) -> bool:
    if syntax.language == "python":
        return _is_told_elsewhere(definition) or _has_docstring(definition.node.field("body"))
    node = definition.node
    parent = node.parent()
    while parent is not None and parent.kind() in _WRAPPERS:
        node, parent = parent, parent.parent()
    before = node.prev()
    while before is not None and before.kind() in _BETWEEN:
        if before.text().startswith("#[doc"):
            return True
        node, before = before, before.prev()
    if before is None or before.kind() not in syntax.grammar.comments:
        return False
    gap = syntax.first_line(node) - syntax.last_line(before)
    return gap <= 1 and _is_doc_comment(before.text(), syntax.language)


def _is_told_elsewhere(definition: Definition) -> bool:
    """An overload, an override and a property's setter: another definition has their docstring."""
    holder = definition.node.parent()
    if holder is None or holder.kind() != "decorated_definition":
        return False
    names = [child.text() for child in holder.children() if child.kind() == "decorator"]
    return any(
        re.fullmatch(r"@(?:\w+\.)*(?:overload|override|setter|deleter)", name) for name in names
    )


def _is_doc_comment(text: str, language: Language) -> bool:
    if language in ("go", "ruby", "c", "cpp", "javascript", "typescript", "tsx"):
        return True
    return text.startswith(("/**", "///", "//!"))


def _has_docstring(body: SgNode | None) -> bool:
    first = next(
        (child for child in (body.named_children() if body else ()) if child.kind() != "comment"),
        None,
    )
    if first is None or first.kind() != "expression_statement":
        return False
    value = first.child(0)
    return value is not None and value.kind() in ("string", "concatenated_string")


def _check_module(file: ChangedFile, syntax: Syntax, report: Report) -> None:
    if file.diff.status != "added" or not (file.text or "").strip():
        return
    if syntax.language == "python":
        documented = _has_docstring(syntax.root)
    else:
        first = next(iter(syntax.root.named_children()), None)
        documented = first is not None and first.kind() in syntax.grammar.comments
    if not documented:
        report.at_file(
            file.path, "The file has no documentation at its top; the rule asks for one.", limit=1
        )


_TYPED: frozenset[Language] = frozenset(("python", "typescript", "tsx", "php"))
"""Where annotations are a choice; elsewhere the compiler asks for them or there are none."""


def check_required_types(check: RequiredTypes, file: ChangedFile, report: Report) -> None:
    if file.language not in _TYPED:
        return
    syntax = report.syntax_of(file)
    for function in syntax.once(functions_of) if syntax else ():
        first, last = function.name_line, function.signature_end
        if syntax is None or not file.touches(first, last):
            continue
        if check.public_only and not is_public(function, syntax):
            continue
        missing = _missing_types(check, function)
        if missing:
            line = next(line for line in range(first, last + 1) if file.is_added(line))
            report.at_line(
                file,
                line,
                f"`{function.name}` has no type for {joined(missing)}; the rule asks for it.",
                measured=len(missing),
                limit=0,
            )


def _missing_types(check: RequiredTypes, function: Definition) -> list[str]:
    missing: list[str] = []
    holder = function.node.parent()
    if holder is not None and holder.field("value") is not None and holder.field("type"):
        return missing  # `const f: Handler = (a, b) => …` takes every type from the variable
    if holder is not None and holder.kind() == "object":
        return missing  # what the object is given to says the types of its methods
    if check.target in ("all", "parameters"):
        untyped = [p for p in function.parameters if not _is_typed(p)]
        missing += [f"`{p.text().partition('=')[0].strip()}`" for p in untyped]
    no_return = function.name in ("__init__", "constructor", "__construct", "__destruct")
    is_setter = function.node.text().startswith("set ")
    asks_return = check.target in ("all", "return") and not no_return and not is_setter
    if asks_return and function.node.field("return_type") is None:
        missing.append("the value it returns")
    return missing


def _is_typed(parameter: SgNode) -> bool:
    return parameter.field("type") is not None or parameter.kind() == "typed_parameter"


def check_required_header(check: RequiredHeader, file: ChangedFile, report: Report) -> None:
    if file.diff.status != "added" or file.diff.left_out or not file.is_source:
        return
    if file.text is None:
        if file.unreadable:
            report.skip(file.unreadable, file.path)
        return
    head = _plain("\n".join(file.text_lines[: check.within_lines])[:100_000])
    words = [re.escape(_plain(part)) for part in check.text.split("{year}")]
    if file.text.strip() and not re.search(r"\s?\d{4}(?:\s?[-,]\s?\d{4})*\s?".join(words), head):
        report.at_file(
            file.path,
            f"The first {check.within_lines} lines have no header "
            f"`{check.text.strip().splitlines()[0]}`; the rule asks for it.",
            limit=check.text,
        )


def _plain(text: str) -> str:
    """Without comment marks at the ends of lines, and with one space for any white space."""
    lines = (line.strip().lstrip("#/*;%<!- \t").rstrip("*/>- \t") for line in text.split("\n"))
    return " ".join(" ".join(lines).split())


def check_required_pattern(check: RequiredPattern, file: ChangedFile, report: Report) -> None:
    if file.diff.left_out or (check.new_files_only and file.diff.status != "added"):
        return
    try:
        pattern = compiled(check.pattern, multi_line=True)
    except PatternError as error:
        report.skip((error.reason, str(error)))
        return
    if file.text is None:
        if file.unreadable:
            report.skip(file.unreadable, file.path)
        return
    if not file.text.strip() or (check.pattern == DOWN_STEP and not asks_for_down_step(file)):
        return
    if not pattern.search(file.text):
        what = check.what.removeprefix("a ") or f"match of `{check.pattern}`"
        report.at_file(file.path, f"The file has no {what}; the rule asks for one.", limit=1)
