"""The functions and classes of a file: names, parameters, extent, visibility."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ast_grep_py import SgNode

from graph.checks.languages import Language
from graph.checks.syntax import Syntax

_SCRIPT: frozenset[Language] = frozenset(("javascript", "typescript", "tsx"))

_PARAMETER_LISTS = frozenset(
    ("parameters", "formal_parameters", "parameter_list", "method_parameters",
     "function_value_parameters")
)  # fmt: skip
_NO_PARAMETERS = frozenset(
    ("self_parameter", "keyword_separator", "positional_separator", "comment", "line_comment",
     "block_comment", "multiline_comment", "parameter_modifiers", "modifier", "attribute",
     "attribute_item", "attribute_list", "array_type", "predefined_type", "receiver_parameter")
)  # fmt: skip
"""Children of a parameter list that are none themselves. C#'s grammar leaves the type of a
`params` array beside its name instead of around it."""

_RECEIVERS = re.compile(r"(?:self|cls|this)\b")


@dataclass(frozen=True)
class Definition:
    """One function, method or class that has a name.

    `name_line` is where the name stands, `signature_end` the line of its last parameter,
    `last_line` where the definition ends; `extent` is in characters of the text. `parameters`
    are a function's, without the receiver.
    """

    name: str
    node: SgNode
    name_line: int
    last_line: int
    extent: tuple[int, int]
    is_method: bool = False
    parameters: tuple[SgNode, ...] = field(default=())
    signature_end: int = 0


def functions_of(syntax: Syntax) -> list[Definition]:
    """Every function with a name and a body, methods included, in the order of the text."""
    grammar = syntax.grammar
    found = []
    for node in syntax.find((*grammar.functions, *grammar.methods)):
        name = _function_name(node, syntax.language)
        if name is None:
            continue
        is_method = node.kind() in grammar.methods or _is_in_class(node, grammar.classes)
        parameters = tuple(_parameters(node, is_method, syntax.language))
        text = name.text().strip("#").removeprefix("`").removesuffix("`")
        found.append(
            replace(
                _definition(text, name, node, syntax),
                is_method=is_method,
                parameters=parameters,
                signature_end=max(map(syntax.last_line, (name, *parameters))),
            )
        )
    return found


def classes_of(syntax: Syntax) -> list[Definition]:
    """Every class, struct or other type with a name and a body; interfaces are apart."""
    grammar = syntax.grammar
    return [
        definition
        for node in syntax.find(grammar.classes)
        if not _is_interface(node, syntax.language) and (definition := _type(node, syntax))
    ]


def interfaces_of(syntax: Syntax) -> list[Definition]:
    grammar = syntax.grammar
    kinds = grammar.interfaces
    if syntax.language in ("go", "kotlin"):  # one kind of node for types of every sort
        kinds = grammar.classes
    return [
        definition
        for node in syntax.find(kinds)
        if (node.kind() in grammar.interfaces or _is_interface(node, syntax.language))
        and (definition := _type(node, syntax))
    ]


def _is_interface(node: SgNode, language: Language) -> bool:
    if language == "go":
        kind = node.field("type")
        return kind is not None and kind.kind() == "interface_type"
    if language == "kotlin":
        return any(child.kind() in ("interface", "fun") for child in node.children())
    return False


def _type(node: SgNode, syntax: Syntax) -> Definition | None:
    name = node.field("name") or next(
        (c for c in node.children() if c.kind() in ("type_identifier", "simple_identifier")), None
    )
    has_body = not node.kind().endswith("_specifier") or node.field("body") is not None
    if name is None or not has_body:
        return None
    text = re.split(r"::", name.text())[-1]
    return _definition(text, name, node, syntax)


def _definition(text: str, name: SgNode, node: SgNode, syntax: Syntax) -> Definition:
    return Definition(
        text, node, syntax.first_line(name), syntax.last_line(node), syntax.extent(node)
    )


def _function_name(node: SgNode, language: Language) -> SgNode | None:
    if language in ("c", "cpp"):
        return _declared_name(node)
    name = node.field("name")
    if name is not None:
        return name
    if language in _SCRIPT:
        return _name_of_value(node)
    return next((c for c in node.children() if c.kind() == "simple_identifier"), None)


def _declared_name(node: SgNode) -> SgNode | None:
    """The name inside C's declarators: `int *f(void)` declares a pointer of a function of f."""
    declarator = node.field("declarator")
    while declarator is not None and declarator.field("declarator") is not None:
        declarator = declarator.field("declarator")
    while declarator is not None and declarator.kind() == "qualified_identifier":
        declarator = declarator.field("name")
    names = ("identifier", "field_identifier")
    return declarator if declarator is not None and declarator.kind() in names else None


def _name_of_value(node: SgNode) -> SgNode | None:
    """What a function expression is assigned to, when that is a plain name."""
    parent = node.parent()
    if parent is None:
        return None
    kinds = ("variable_declarator", "public_field_definition", "field_definition")
    if parent.kind() in kinds:
        name = parent.field("name") or parent.field("property")
        plain = ("identifier", "property_identifier", "private_property_identifier")
        return name if name is not None and name.kind() in plain else None
    return None


def _is_in_class(node: SgNode, classes: tuple[str, ...]) -> bool:
    """Whether the nearest definition around `node` is a class, an impl or a trait."""
    holders = {*classes, "impl_item", "trait_item", "class_body", "interface_body"}
    between = {
        "block", "decorated_definition", "body_statement", "declaration_list",
        "field_declaration_list", "template_declaration", "enum_class_body", "access_specifier",
    }  # fmt: skip
    parent = node.parent()
    while parent is not None and parent.kind() in between:
        parent = parent.parent()
    return parent is not None and parent.kind() in holders


def _parameters(node: SgNode, is_method: bool, language: Language) -> list[SgNode]:
    holder = node.field("parameters") or node.field("parameter")
    if holder is None and language in ("c", "cpp"):
        declarator = node.field("declarator")
        while declarator is not None and declarator.field("parameters") is None:
            declarator = declarator.field("declarator")
        holder = declarator.field("parameters") if declarator else None
    if language == "swift":
        return [child for child in node.children() if child.kind() == "parameter"]
    if holder is None:
        holder = next((c for c in node.children() if c.kind() in _PARAMETER_LISTS), None)
    if holder is None:
        return []
    if holder.kind() not in _PARAMETER_LISTS:  # `x => x`
        return [holder]
    found = [c for c in holder.named_children() if c.kind() not in _NO_PARAMETERS]
    if language in ("c", "cpp"):
        found = [c for c in found if c.text() not in ("void", "...")]
    if language == "kotlin":
        found = [c for c in found if c.kind() == "parameter"]
    if language == "go":
        found = [name for parameter in found for name in _go_names(parameter)]
    if found and _RECEIVERS.match(found[0].text()) and (is_method or language in _SCRIPT):
        found = found[1:]
    return found


def _go_names(parameter: SgNode) -> list[SgNode]:
    """`a, b int` is one node and two parameters."""
    names = [child for child in parameter.children() if child.kind() == "identifier"]
    return names or [parameter]


_TEST_ATTRIBUTE = re.compile(r"#\[(?:cfg\(test\)|(?:\w+::)*test\b|rstest\b)")


def lines_of_tests(syntax: Syntax) -> frozenset[int]:
    """The lines of a Rust file's own tests: `#[cfg(test)]` modules and `#[test]` functions."""
    lines: set[int] = set()
    for attribute in syntax.find(("attribute_item",)):
        if not _TEST_ATTRIBUTE.match(attribute.text()):
            continue
        item = attribute.next()
        while item is not None and item.kind() in ("attribute_item", "line_comment"):
            item = item.next()
        if item is not None:
            lines.update(range(syntax.first_line(item), syntax.last_line(item) + 1))
    return frozenset(lines)


def is_public(definition: Definition, syntax: Syntax) -> bool:
    """Whether other files may use it, as far as the language says so in the definition."""
    name, language = definition.name, syntax.language
    head = definition.node.text()[:200].partition("{")[0]
    if language == "python":
        is_special = name.startswith("__") and name.endswith("__")
        return (not name.startswith("_") or is_special) and not _is_in_private_class(definition)
    if language == "go":
        return name[:1].isupper()
    if language in ("rust", "java", "csharp"):
        return re.search(r"\b(?:pub|public)\b", head) is not None
    if language in ("kotlin", "swift", "php", "cpp"):
        return re.search(r"\b(?:private|fileprivate|internal|protected|static)\b", head) is None
    if language in _SCRIPT:
        return _is_exported(definition, syntax)
    if language == "c":
        return re.search(r"\bstatic\b", head) is None
    return not name.startswith("_")


def _is_in_private_class(definition: Definition) -> bool:
    around = definition.node.parent()
    while around is not None:
        name = around.field("name") if around.kind() == "class_definition" else None
        if name is not None and name.text().startswith("_"):
            return True
        around = around.parent()
    return False


def _is_exported(definition: Definition, syntax: Syntax) -> bool:
    head = definition.node.text()[:60]
    if definition.name.startswith(("_", "#")) or re.match(r"(?:private|protected)\b", head):
        return False
    start = definition.extent[0]
    return any(begin <= start < end for begin, end in syntax.once(_exports))


def _exports(syntax: Syntax) -> list[tuple[int, int]]:
    return [syntax.extent(node) for node in syntax.find(("export_statement",))]
