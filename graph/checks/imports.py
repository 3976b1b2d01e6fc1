"""Forbidden imports, by syntax, with the separators of each language."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from ast_grep_py import SgNode

from graph.checks.changed_file import ChangedFile
from graph.checks.report import Report
from graph.checks.spec_code import ForbiddenImport
from graph.checks.syntax import Syntax

_QUOTES = "\"'`<>"
_SCRIPT_CALLS = {"require", "import", "require.resolve"}
_RUBY_CALLS = {"require", "require_relative", "load", "autoload"}
_DOTTED = {"python", "java", "kotlin", "csharp", "swift"}
_SCRIPTS = {"javascript", "typescript", "tsx"}
_SHELL_COMMANDS = {"source", "."}


LineOf = Callable[[SgNode], int]


@dataclass(frozen=True)
class Import:
    """One imported module, as the language writes it.

    `line` is where the module or the name is written, `statement` where its statement begins.
    """

    module: str
    line: int
    is_wildcard: bool = False
    is_relative: bool = False
    statement: int = 0


def check_forbidden_import(check: ForbiddenImport, file: ChangedFile, report: Report) -> None:
    if file.language is None:
        return
    words = [re.split(r"[^\w-]+", module.strip("./:\\"))[-1] for module in check.modules]
    if not any(word in line.text for line in file.added for word in words):
        return
    syntax = report.syntax_of(file)
    if syntax is None:
        return
    told: set[tuple[int, str]] = set()  # a statement of many lines and names is told once
    dotted = file.language in _DOTTED
    for found in syntax.once(imports_of):
        own = found.is_relative and file.language in _SCRIPTS
        module = re.sub(r"^(?:\.\.?/)+", "", found.module) if own else found.module
        banned = next(
            (
                m
                for m in check.modules
                if _is_inside(module, m, dotted) and not (own and _names_package(m))
            ),
            None,
        )
        if banned is None or not file.is_added(found.line) or (found.statement, banned) in told:
            continue
        told.add((found.statement, banned))
        instead = f"use {check.instead}" if check.instead else f"the rule allows no `{banned}`"
        report.at_line(
            file,
            found.line,
            f"This line imports `{found.module}`; {instead}.",
            measured=found.module,
            limit=0,
        )


def _is_inside(module: str, banned: str, dotted: bool) -> bool:
    """Whether `module` is `banned` or a part of it. Where not `dotted`, "a.b" is one name."""
    module, banned = _parts(module, dotted), _parts(banned, dotted)
    return module == banned or module.startswith(f"{banned}/")


def _names_package(banned: str) -> bool:
    """ "axios" and "@scope/name" are packages, which "./axios" is not; "dist/" is a folder."""
    return banned.startswith("@") or "/" not in banned.removeprefix("./")


def _parts(module: str, dotted: bool) -> str:
    module = module.strip().lstrip("\\").removeprefix("./").rstrip("/")
    return re.sub(r"::|\\|\.(?=\w)" if dotted else r"::|\\", "/", module)


def imports_of(syntax: Syntax) -> list[Import]:
    """Every import of a file. `from a import b` is an import of "a.b" as well as of "a"."""
    found: list[Import] = []
    reader = _READERS.get(syntax.language, _named)
    for node in syntax.find(syntax.grammar.imports):
        statement = syntax.first_line(node)
        found += [replace(i, statement=statement) for i in reader(node, syntax.first_line)]
    return found


def _python(node: SgNode, line_of: LineOf) -> list[Import]:
    names = node.field_children("name")
    if node.kind() == "import_statement":
        return [Import(_python_name(name), line_of(name)) for name in names]
    module = node.field("module_name")
    base = module.text() if module else ""
    relative = base.startswith(".")
    line = line_of(node)
    if any(child.kind() == "wildcard_import" for child in node.children()):
        return [Import(base, line, is_wildcard=True, is_relative=relative)]
    first = Import(base, line, is_relative=relative)
    joint = "" if base.endswith(".") else "."
    return [first, *(Import(f"{base}{joint}{_python_name(n)}", line_of(n)) for n in names)]


def _python_name(node: SgNode) -> str:
    name = node.field("name") if node.kind() == "aliased_import" else node
    return name.text() if name else node.text()


def _script(node: SgNode, line_of: LineOf) -> list[Import]:
    source = node.field("source")
    if node.kind() == "call_expression":
        callee, arguments = node.field("function"), node.field("arguments")
        if callee is None or arguments is None or callee.text() not in _SCRIPT_CALLS:
            return []
        source = next((c for c in arguments.named_children() if c.kind() == "string"), None)
    if source is None:
        return []
    module = source.text().strip(_QUOTES)
    return [Import(module, line_of(source), is_relative=module.startswith("."))]


def _go(node: SgNode, line_of: LineOf) -> list[Import]:
    path, name = node.field("path"), node.field("name")
    is_dot = name is not None and name.text() == "."
    return [Import(path.text().strip(_QUOTES), line_of(node), is_dot)] if path else []


def _rust(node: SgNode, line_of: LineOf) -> list[Import]:
    argument = node.field("argument") or node.field("name")
    if argument is None:
        return []
    text = re.sub(r"\s+", " ", argument.text())
    return [
        Import(path, line_of(node), _is_glob(path), path.startswith(("self", "super")))
        for path in _use_tree(re.sub(r" ?(::|[{},]) ?", r"\1", text))
    ]


def _is_glob(path: str) -> bool:
    """A prelude is made for a glob, and `use super::*` is how a module of tests begins."""
    return path.endswith("*") and not path.endswith(("prelude::*", "super::*"))


def _use_tree(text: str) -> list[str]:
    """`a::{b, c::{d, e as f}}` as its paths."""
    head, brace, rest = text.partition("{")
    if not brace:
        return [text.partition(" as ")[0]]
    paths: list[str] = []
    depth, part = 0, ""
    for character in rest.removesuffix("}") + ",":
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            paths += [head + path for path in _use_tree(part)] if part else []
            part = ""
        else:
            part += character
    return [path.removesuffix("::self") for path in paths]


def _ruby(node: SgNode, line_of: LineOf) -> list[Import]:
    method, arguments = node.field("method"), node.field("arguments")
    if method is None or arguments is None or method.text() not in _RUBY_CALLS:
        return []
    texts = [c.text().strip(_QUOTES) for c in arguments.named_children() if c.kind() == "string"]
    relative = method.text() == "require_relative"
    return [Import(text, line_of(node), is_relative=relative) for text in texts]


def _bash(node: SgNode, line_of: LineOf) -> list[Import]:
    name = node.field("name")
    arguments = node.field_children("argument")
    if name is None or name.text() not in _SHELL_COMMANDS or not arguments:
        return []
    return [Import(arguments[0].text().strip(_QUOTES), line_of(node))]


def _c(node: SgNode, line_of: LineOf) -> list[Import]:
    path = node.field("path")
    return [Import(path.text().strip(_QUOTES), line_of(node))] if path else []


def _php(node: SgNode, line_of: LineOf) -> list[Import]:
    name = re.sub(r"^(?:function|const)\s+", "", node.text()).partition(" as ")[0]
    group = node.parent()
    if group is not None and group.kind() == "namespace_use_group":
        statement = group.parent()
        head = statement.text().partition("{")[0] if statement else ""
        prefix = re.sub(r"^use\s+(?:(?:function|const)\s+)?", "", head).strip()
        name = f"{prefix}{name}"
    return [Import(name, line_of(node))]


_KEYWORDS = re.compile(
    r"(?:global\s+)?(?:import|using)\s+"
    r"(?:(?:static|class|struct|enum|protocol|func|var|let|typealias|unsafe)\s+)*(?:\w+\s*=\s*)?"
)


def _named(node: SgNode, line_of: LineOf) -> list[Import]:
    """Java, Kotlin, C# and Swift: keywords, a dotted name, perhaps a star or another name."""
    text = _KEYWORDS.sub("", node.text().strip(), count=1).rstrip("; \t\r\n")
    name = re.split(r"\s+as\s+", text)[0].strip()
    is_wildcard = name.endswith(".*")
    return [Import(name.removesuffix(".*"), line_of(node), is_wildcard)]


_READERS = {
    "python": _python,
    "javascript": _script,
    "typescript": _script,
    "tsx": _script,
    "go": _go,
    "rust": _rust,
    "ruby": _ruby,
    "bash": _bash,
    "c": _c,
    "cpp": _c,
    "php": _php,
}
