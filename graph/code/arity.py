"""How many arguments a definition takes and a call passes, as far as the text says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ast_grep_py import SgNode

from graph.checks.definitions import Definition
from graph.checks.languages import Language

NO_ARGUMENTS = frozenset({"comment", "line_comment", "block_comment"})
_SPREADS = frozenset(
    {"list_splat", "dictionary_splat", "spread_element", "variadic_argument", "splat_argument",
     "hash_splat_argument", "block_argument", "parameter_pack_expansion"}
)  # fmt: skip


@dataclass(frozen=True)
class Arity:
    """Parameters without the receiver. `most` is None when any further number is taken.

    `names` are those that a call may pass by position, in order; `keywords` those that it must or
    may pass by name only. `required` are the names (or positions, as text) without a default.
    """

    least: int
    most: int | None
    names: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    takes_any_keyword: bool = False

    @property
    def words(self) -> str:
        if self.most is None:
            return f"at least {self.least}"
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


@dataclass(frozen=True)
class Arguments:
    """What a call passes. `is_open`: it spreads something, so nobody can count."""

    positional: int
    keywords: tuple[str, ...] = ()
    is_open: bool = False

    @property
    def count(self) -> int:
        return self.positional + len(self.keywords)


def fits(arity: Arity, arguments: Arguments) -> bool | None:
    """Whether the call can be meant for such a definition; None when that can't be read."""
    if arguments.is_open:
        return None
    if arity.most is not None and arguments.positional > arity.most:
        return False
    if not arguments.keywords:
        by_name = set(arity.required) & set(arity.keywords)
        return arguments.positional >= arity.least and not by_name
    known = {*arity.names[arguments.positional :], *arity.keywords}
    if not arity.takes_any_keyword and not set(arguments.keywords) <= known:
        return False
    passed = {*arity.names[: arguments.positional], *arguments.keywords}
    return set(arity.required) <= passed


def arity_of(definition: Definition, language: Language) -> Arity | None:
    """None where the parameters can't be read: C's `f()`, a class."""
    if language == "python":
        return _python(definition)
    if language == "c" and _holder_text(definition).replace(" ", "") == "()":
        return None
    least = 0
    most: int | None = 0
    names: list[str] = []
    required: list[str] = []
    keywords: list[str] = []
    takes_any = False
    for parameter in definition.parameters:
        sort, name = _sort(parameter, language)
        if sort == "variadic":
            most = None
        elif sort == "any_keyword":
            takes_any = True
        elif sort in ("keyword", "required_keyword"):
            keywords.append(name)
            required += [name] if sort == "required_keyword" else []
        elif sort != "none":
            names.append(name)
            most = None if most is None else most + 1
            least += sort == "required"
            required += [name] if sort == "required" else []
    if language in ("c", "cpp") and "..." in _holder_text(definition):
        most = None
    return Arity(least, most, tuple(names), tuple(keywords), tuple(required), takes_any)


def arguments_of(call: SgNode, language: Language) -> Arguments | None:
    """What a call's argument list passes; None when it has none (`new Foo`, a macro)."""
    holder = call.field("arguments") or next(
        (c for c in call.children() if c.kind() in ("arguments", "argument_list")), None
    )
    if holder is None:
        return Arguments(0) if language == "ruby" else None
    if holder.kind() == "generator_expression":
        return Arguments(1)
    if holder.kind() not in ("arguments", "argument_list"):
        return None  # a template literal, a macro's tokens
    positional = 0
    keywords: list[str] = []
    is_open = False
    for child in holder.named_children():
        kind = child.kind()
        if kind in NO_ARGUMENTS:
            continue
        if kind in _SPREADS or child.text().startswith("..."):
            is_open = True
        elif kind == "keyword_argument":
            name = child.field("name")
            keywords.append(name.text() if name else "")
        elif kind == "pair":  # Ruby: keywords or a trailing hash, which only the callee decides
            is_open = True
        else:
            positional += 1
    return Arguments(positional, tuple(keywords), is_open)


def _python(definition: Definition) -> Arity | None:
    holder = definition.node.field("parameters")
    if holder is None:
        return None
    nodes = [n for n in holder.named_children() if n.kind() not in NO_ARGUMENTS]
    if definition.parameters != tuple(nodes) and _is_receiver(nodes, definition.parameters):
        nodes = nodes[1:]
    names: list[str] = []
    keywords: list[str] = []
    required: list[str] = []
    least, is_variadic, takes_any, by_name_only, optional = 0, False, False, False, 0
    for node in nodes:
        kind, text = node.kind(), node.text()
        if kind == "keyword_separator":
            by_name_only = True
        elif kind == "positional_separator":
            continue
        elif text.startswith("**"):
            takes_any = True
        elif text.startswith("*"):
            is_variadic = by_name_only = True
        else:
            name = _python_name(text)
            has_default = kind in ("default_parameter", "typed_default_parameter")
            (keywords if by_name_only else names).append(name)
            required += [] if has_default else [name]
            if not by_name_only:
                least += not has_default
                optional += has_default
    most = None if is_variadic else least + optional
    return Arity(least, most, tuple(names), tuple(keywords), tuple(required), takes_any)


def _is_receiver(nodes: Sequence[SgNode], parameters: Sequence[SgNode]) -> bool:
    if not nodes:
        return False
    return not parameters or parameters[0].text() != nodes[0].text()


def _python_name(text: str) -> str:
    return text.split(":")[0].split("=")[0].strip()


def _sort(parameter: SgNode, language: Language) -> tuple[str, str]:
    kind, text = parameter.kind(), parameter.text()
    name = _name(parameter)
    if language in ("javascript", "typescript", "tsx"):
        if text.startswith("...") or kind == "rest_pattern":
            return "variadic", name
        is_optional = kind in ("optional_parameter", "assignment_pattern")
        is_optional |= parameter.field("value") is not None
        return ("optional" if is_optional else "required"), name
    if language == "go":
        parent = parameter.parent()
        kinds = {kind, parent.kind() if parent else ""}
        return ("variadic" if "variadic_parameter_declaration" in kinds else "required"), text
    if language == "ruby":
        by_kind = {
            "optional_parameter": "optional", "splat_parameter": "variadic",
            "hash_splat_parameter": "any_keyword", "block_parameter": "none",
        }  # fmt: skip
        if kind == "keyword_parameter":
            has_default = parameter.field("value") is not None
            return ("keyword" if has_default else "required_keyword"), name
        return by_kind.get(kind, "required"), name
    if kind in ("spread_parameter", "variadic_parameter_declaration", "variadic_parameter"):
        return "variadic", name
    return ("optional" if kind == "optional_parameter_declaration" else "required"), name


def _name(parameter: SgNode) -> str:
    for field in ("pattern", "name", "declarator", "left"):
        node = parameter.field(field)
        if node is not None:
            return node.text().lstrip("*&")
    return parameter.text()


def _holder_text(definition: Definition) -> str:
    declarator = definition.node.field("declarator")
    while declarator is not None:
        holder = declarator.field("parameters")
        if holder is not None:
            return holder.text()
        declarator = declarator.field("declarator")
    return ""
