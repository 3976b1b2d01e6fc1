"""Where names are used in one file: calls with their arguments, mentions, imports, definitions."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from ast_grep_py import SgNode

from graph.checks.languages import Language
from graph.checks.syntax import Syntax
from graph.code.arity import Arguments, arguments_of

Role = Literal["call", "mention", "import", "definition"]

_SCRIPT = ("identifier", "property_identifier", "type_identifier", "shorthand_property_identifier",
           "private_property_identifier")  # fmt: skip
_NAMES: dict[Language, tuple[str, ...]] = {
    "python": ("identifier",),
    "javascript": tuple(k for k in _SCRIPT if k != "type_identifier"),
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "go": ("identifier", "field_identifier", "type_identifier"),
    "java": ("identifier", "type_identifier"),
    "rust": ("identifier", "field_identifier", "type_identifier"),
    "ruby": ("identifier", "constant"),
    "c": ("identifier", "field_identifier", "type_identifier"),
    "cpp": ("identifier", "field_identifier", "type_identifier", "namespace_identifier"),
}
_QUALIFIED: dict[str, tuple[str, str]] = {
    "attribute": ("object", "attribute"),
    "member_expression": ("object", "property"),
    "nested_type_identifier": ("module", "name"),
    "selector_expression": ("operand", "field"),
    "qualified_type": ("package", "name"),
    "method_invocation": ("object", "name"),
    "field_access": ("object", "field"),
    "scoped_type_identifier": ("path", "name"),
    "scoped_identifier": ("path", "name"),
    "scope_resolution": ("scope", "name"),
    "field_expression": ("value", "field"),
    "call": ("receiver", "method"),
    "qualified_identifier": ("scope", "name"),
    "method_reference": ("object", "name"),
}
"""Node kind -> the fields of what stands before the name, and of the name."""

_DEFINING = frozenset(
    {"function_definition", "class_definition", "function_declaration", "class_declaration",
     "generator_function_declaration", "method_definition", "method_declaration", "type_spec",
     "interface_declaration", "enum_declaration", "record_declaration", "constructor_declaration",
     "function_item", "struct_item", "enum_item", "trait_item", "mod_item", "method", "class",
     "singleton_method", "module", "function_declarator", "struct_specifier", "class_specifier",
     "type_alias_declaration", "function_signature", "method_signature",
     "abstract_class_declaration", "function_signature_item", "method_spec", "method_elem",
     "preproc_def", "preproc_function_def", "interface_body", "const_spec",
     "var_spec", "const_item", "static_item", "type_item"}
)  # fmt: skip
_BINDING = frozenset(
    {"parameters", "default_parameter", "typed_parameter", "typed_default_parameter",
     "required_parameter", "optional_parameter", "formal_parameters", "formal_parameter",
     "parameter_declaration", "parameter", "keyword_argument", "lambda_parameters", "pair",
     "method_parameters", "keyword_parameter", "field_declaration", "property_signature",
     "spread_parameter", "labeled_statement", "for_in_clause", "public_field_definition",
     "init_declarator", "pointer_declarator", "block_parameters", "keyed_element"}
)  # fmt: skip
"""Where a name is bound or labelled by its field `name`, `left`, `pattern`, `key` or the like."""

_IMPORTING = frozenset(
    {"import_statement", "import_from_statement", "import_specifier", "export_specifier",
     "import_clause", "namespace_import", "aliased_import", "import_declaration", "import_spec",
     "use_declaration", "use_list", "use_as_clause", "scoped_use_list", "use_wildcard",
     "package_declaration", "package_clause", "preproc_include"}
)  # fmt: skip


@dataclass(frozen=True)
class Reference:
    """One use. `qualifier` is the text before the name ("m" of `m.f()`), "" when it stands alone.

    `arguments` only for calls; `offset` in characters of the text.
    """

    name: str
    line: int
    role: Role
    qualifier: str = ""
    arguments: Arguments | None = None
    offset: int = 0


def references_in(syntax: Syntax, names: Collection[str]) -> list[Reference]:
    """Every use of one of `names` in code: none in comments, none in string literals."""
    kinds = _NAMES.get(syntax.language)
    wanted = [name for name in names if name]
    if not kinds or not wanted:
        return []
    pattern = "^(?:" + "|".join(sorted(map(re.escape, wanted))) + ")$"
    nodes = syntax.root.find_all(any=[{"kind": kind} for kind in kinds], regex=pattern)
    found = [_reference(node, syntax) for node in nodes]
    return [reference for reference in found if reference is not None]


def _reference(node: SgNode, syntax: Syntax) -> Reference | None:
    offset = syntax.extent(node)[0]
    line, name = syntax.first_line(node), node.text()
    parent = node.parent()
    if parent is None:
        return None
    if _is_in_import(node):
        return Reference(name, line, "import", offset=offset)
    if parent.kind() in _DEFINING and _is_field(parent, ("name", "declarator"), node, syntax):
        return Reference(name, line, "definition", offset=offset)
    if _is_bound(parent, node, syntax):
        return None
    callee, qualifier = node, ""
    if parent.kind() in _QUALIFIED:
        before, own = _QUALIFIED[parent.kind()]
        if parent.kind() == "field_expression" and syntax.language in ("c", "cpp"):
            before = "argument"
        if _is_field(parent, (own,), node, syntax):
            scope = parent.field(before)
            qualifier, callee = (scope.text() if scope is not None else ""), parent
    if syntax.language == "cpp" and callee.kind() == "qualified_identifier":
        holder = callee.parent()
        if holder is not None and holder.kind() == "function_declarator":
            return Reference(name, line, "definition", qualifier, offset=offset)
    call = _call(callee, syntax)
    if call is None:
        return Reference(name, line, "mention", qualifier, offset=offset)
    return Reference(name, line, "call", qualifier, arguments_of(call, syntax.language), offset)


def _call(callee: SgNode, syntax: Syntax) -> SgNode | None:
    """The call whose function `callee` is."""
    kind = callee.kind()
    if kind == "method_invocation" or (kind == "call" and syntax.language == "ruby"):
        return callee
    parent = callee.parent()
    if parent is not None and parent.kind() in ("generic_function", "instantiation_expression"):
        callee, parent = parent, parent.parent()
    if parent is not None and parent.kind() == "generic_type":
        callee, parent = parent, parent.parent()
    if parent is None or parent.kind() not in (
        "call", "call_expression", "new_expression", "object_creation_expression"
    ):  # fmt: skip
        return None
    fields = ("function", "constructor", "type")
    return parent if _is_field(parent, fields, callee, syntax) else None


def _is_in_import(node: SgNode) -> bool:
    parent = node.parent()
    for _ in range(5):
        if parent is None:
            return False
        kind = parent.kind()
        if kind in _IMPORTING:
            return True
        if kind not in ("dotted_name", "scoped_identifier", "relative_import", "named_imports"):
            return False
        parent = parent.parent()
    return False


def _is_bound(parent: SgNode, node: SgNode, syntax: Syntax) -> bool:
    """Whether the name is a parameter, a keyword's name, a label or a key: not a use of it."""
    kind = parent.kind()
    if kind in ("parameters", "lambda_parameters", "method_parameters", "block_parameters"):
        return True
    if kind == "formal_parameters":
        return True
    fields = ("name", "left", "pattern", "key", "label")
    if kind in _BINDING and _is_field(parent, fields, node, syntax):
        return True
    if kind == "typed_parameter":
        return syntax.extent(parent)[0] == syntax.extent(node)[0]
    return kind == "variable_declarator" and _is_field(parent, ("name",), node, syntax)


def _is_field(parent: SgNode, names: tuple[str, ...], node: SgNode, syntax: Syntax) -> bool:
    extent = syntax.extent(node)
    return any(
        (held := parent.field(name)) is not None and syntax.extent(held) == extent for name in names
    )
