"""What a file defines: functions, methods, types and constants with lines, signature and arity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ast_grep_py import SgNode

from graph.checks.definitions import (
    Definition,
    classes_of,
    functions_of,
    interfaces_of,
    is_public,
)
from graph.checks.languages import Language
from graph.checks.syntax import Syntax
from graph.code.arity import Arity, arity_of

SymbolKind = Literal["function", "method", "class", "interface", "constant"]

CODE_LANGUAGES: frozenset[Language] = frozenset(
    ("python", "javascript", "typescript", "tsx", "go", "java", "rust", "ruby", "c", "cpp")
)
"""Whose symbols, imports and references are read."""

MAX_SIGNATURE_CHARACTERS = 300

_CONSTANTS: dict[str, re.Pattern[str]] = {
    "python": re.compile(r"^([A-Za-z_]\w*)[ \t]*(?::[^=\n]+)?=(?!=)", re.MULTILINE),
    "script": re.compile(
        r"^(?:export[ \t]+)?(?:declare[ \t]+)?(?:const|let|var|type)[ \t]+([A-Za-z_$][\w$]*)"
        r"(?![^\n]*(?:=>|\bfunction\b))",
        re.MULTILINE,
    ),
    "go": re.compile(r"^(?:var|const)[ \t]+([A-Za-z_]\w*)", re.MULTILINE),
    "rust": re.compile(
        r"^(?:pub(?:\([^)]*\))?[ \t]+)?(?:const|static|type)[ \t]+(?:mut[ \t]+)?([A-Za-z_]\w*)",
        re.MULTILINE,
    ),
    "ruby": re.compile(r"^[ \t]*([A-Z][A-Z0-9_]+)[ \t]*=(?!=)", re.MULTILINE),
    "c": re.compile(r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)", re.MULTILINE),
    "java": re.compile(
        r"^[ \t]+(?:(?:public|protected|private)[ \t]+)?static[ \t]+final[ \t]+[\w<>\[\], ]+?"
        r"[ \t]([A-Z][A-Z0-9_]*)[ \t]*=",
        re.MULTILINE,
    ),
}
_CONSTANTS_OF: dict[Language, str] = {
    "python": "python", "javascript": "script", "typescript": "script", "tsx": "script",
    "go": "go", "rust": "rust", "ruby": "ruby", "c": "c", "cpp": "c", "java": "java",
}  # fmt: skip


@dataclass(frozen=True)
class Symbol:
    """One definition. `owner` is the class or type that a method belongs to.

    `last_line` is inclusive. `returns` is the written type, "" where none is written.
    """

    name: str
    kind: SymbolKind
    first_line: int
    last_line: int
    signature: str
    owner: str = ""
    returns: str = ""
    is_public: bool = True
    arity: Arity | None = None

    @property
    def full_name(self) -> str:
        return f"{self.owner}.{self.name}" if self.owner else self.name

    def to_record(self) -> list[Any]:
        arity = self.arity
        packed = None if arity is None else [
            arity.least, arity.most, arity.names, arity.keywords, arity.required,
            arity.takes_any_keyword,
        ]  # fmt: skip
        return [
            self.name, self.kind, self.first_line, self.last_line, self.signature, self.owner,
            self.returns, self.is_public, packed,
        ]  # fmt: skip

    @staticmethod
    def from_record(record: Sequence[Any]) -> Symbol:
        packed = record[8]
        arity = None
        if packed is not None:
            least, most, names, keywords, required, takes_any = packed
            arity = Arity(least, most, tuple(names), tuple(keywords), tuple(required), takes_any)
        name, kind, first_line, last_line, signature, owner, returns, is_public = record[:8]
        return Symbol(
            name, kind, first_line, last_line, signature, owner, returns, is_public, arity
        )


def outline_of(syntax: Syntax) -> tuple[Symbol, ...]:
    """Every definition of the file in the order of the text."""
    types = [*classes_of(syntax), *interfaces_of(syntax)]
    owners = _owners(types, syntax)
    symbols = [_function(d, owners, syntax) for d in functions_of(syntax)]
    symbols += [_type(d, "class", syntax) for d in classes_of(syntax)]
    symbols += [_type(d, "interface", syntax) for d in interfaces_of(syntax)]
    symbols += _constants(syntax, {s.name for s in symbols})
    return tuple(sorted(symbols, key=lambda s: (s.first_line, -s.last_line, s.name)))


def enclosing(symbols: Sequence[Symbol], line: int) -> Symbol | None:
    """The innermost definition around a line."""
    around = [s for s in symbols if s.first_line <= line <= s.last_line and s.kind != "constant"]
    return max(around, key=lambda s: (s.first_line, -s.last_line), default=None)


def _function(definition: Definition, owners: list[tuple[int, int, str]], syntax: Syntax) -> Symbol:
    node, language = definition.node, syntax.language
    owner = _owner(definition, owners, language) if definition.is_method else ""
    if language in ("c", "cpp"):
        owner = owner or _scope(node)
    is_method = bool(owner) or definition.is_method
    return Symbol(
        name=definition.name,
        kind="method" if is_method else "function",
        first_line=_first_line(node, syntax),
        last_line=definition.last_line,
        signature=_signature(definition, syntax),
        owner=owner,
        returns=_returns(node, language),
        is_public=is_public(definition, syntax),
        arity=arity_of(definition, language),
    )


def _type(definition: Definition, kind: Literal["class", "interface"], syntax: Syntax) -> Symbol:
    return Symbol(
        name=definition.name,
        kind=kind,
        first_line=_first_line(definition.node, syntax),
        last_line=definition.last_line,
        signature=_signature(definition, syntax),
        is_public=is_public(definition, syntax),
    )


def _constants(syntax: Syntax, known: set[str]) -> Iterator[Symbol]:
    text = syntax.root.text()
    inside = syntax.open_string_lines
    for match in _CONSTANTS[_CONSTANTS_OF[syntax.language]].finditer(text):
        line = text.count("\n", 0, match.start(1)) + 1
        if match[1] in known or line in inside or line - 1 in inside:
            continue
        known.add(match[1])
        end = text.find("\n", match.start())
        head = text[match.start() : end if end >= 0 else len(text)].strip()
        is_exported = not match[1].startswith("_")
        if _CONSTANTS_OF[syntax.language] == "script":
            is_exported = head.startswith("export")
        yield Symbol(match[1], "constant", line, line, _one_line(head), is_public=is_exported)


def _owners(types: Sequence[Definition], syntax: Syntax) -> list[tuple[int, int, str]]:
    found = [(*d.extent, d.name) for d in types]
    if syntax.language == "rust":
        for node in syntax.find(("impl_item", "trait_item")):
            name = node.field("type") or node.field("name")
            if name is not None:
                found.append((*syntax.extent(node), re.split(r"[<\s]", name.text())[0]))
    return found


def _owner(definition: Definition, owners: list[tuple[int, int, str]], language: Language) -> str:
    if language == "go":
        receiver = definition.node.field("receiver")
        match = (
            re.search(r"([A-Za-z_]\w*)(?:\[[^\]]*\])?\s*\)$", receiver.text()) if receiver else None
        )
        return match[1] if match else ""
    start = definition.extent[0]
    around = [o for o in owners if o[0] < start < o[1]]
    return max(around)[2] if around else ""


def _scope(node: SgNode) -> str:
    """`A` of C++'s `int A::f() {}`."""
    declarator = node.field("declarator")
    while declarator is not None:
        if declarator.kind() == "qualified_identifier":
            scope = declarator.field("scope")
            return scope.text() if scope else ""
        declarator = declarator.field("declarator")
    return ""


def _first_line(node: SgNode, syntax: Syntax) -> int:
    parent = node.parent()
    if parent is not None and parent.kind() == "decorated_definition":
        return syntax.first_line(parent)
    return syntax.first_line(node)


def _signature(definition: Definition, syntax: Syntax) -> str:
    node = definition.node
    body = node.field("body")
    start, end = definition.extent
    if body is not None:
        end = syntax.extent(body)[0]
    head = node.text()[: end - start]
    if body is None:
        head = head.split("{")[0]
    if definition.name not in head:  # a function expression: its name is to the left
        head = f"{definition.name} = {head}"
    return _one_line(head)


def _one_line(text: str) -> str:
    line = " ".join(text.split()).rstrip("{:;= ").removesuffix("=>").rstrip()
    return (
        line
        if len(line) <= MAX_SIGNATURE_CHARACTERS
        else line[: MAX_SIGNATURE_CHARACTERS - 1] + "…"
    )


def _returns(node: SgNode, language: Language) -> str:
    name = {"go": "result", "java": "type", "c": "type", "cpp": "type"}.get(language, "return_type")
    written = node.field(name)
    return " ".join(written.text().lstrip(":").split()) if written is not None else ""
