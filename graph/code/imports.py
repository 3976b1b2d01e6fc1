"""What a file imports and passes on: module, name and local name, as the code writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ast_grep_py import SgNode

from graph.checks.languages import Language
from graph.checks.syntax import Syntax

EVERYTHING = "*"
DEFAULT = "default"


@dataclass(frozen=True)
class Import:
    """One binding. `module` is as written ("a.b", "..a", "./x", "crate::a::b", "x.h"), "" for
    the file itself. `name` is what is taken from it: "" the module, "*" everything. `alias` is
    what it is called here. `is_passed_on`: others may import it from this file by its alias.
    """

    module: str
    name: str
    alias: str
    line: int
    is_passed_on: bool = False


def imports_of(syntax: Syntax) -> tuple[Import, ...]:
    """Every import of the file in the order of the text; none for a language we don't read."""
    read = _READERS.get(syntax.language)
    if read is None:
        return ()
    return tuple(sorted(read(syntax), key=lambda i: i.line))


def _python(syntax: Syntax) -> Iterator[Import]:
    for node in syntax.find(("import_statement", "import_from_statement")):
        line = syntax.first_line(node)
        text = " ".join(re.sub(r"#[^\n]*", "", node.text()).replace("\\\n", " ").split())
        if text.startswith("import "):
            for part in text.removeprefix("import ").split(","):
                module, _, alias = part.strip().partition(" as ")
                yield Import(module.strip(), "", (alias or module).strip(), line, True)
            continue
        match = re.match(r"from\s+(\.*\s*[\w.]*)\s+import\s+(.*)", text)
        if match is None:
            continue
        module = match[1].replace(" ", "")
        for part in match[2].strip("() ").split(","):
            name, _, alias = part.strip().partition(" as ")
            if name := name.strip():
                alias = EVERYTHING if name == EVERYTHING else (alias or name).strip()
                yield Import(module, name, alias, line, True)


_FROM = re.compile(r"""\bfrom\s*(['"])(?P<module>[^'"\n]+)\1""")
_CLAUSE = re.compile(r"\{([^{}]*)\}")
_NAMESPACE = re.compile(r"\*\s*as\s+([\w$]+)")
_REQUIRE = re.compile(
    r"""\b(?:const|let|var)\s+(?:(?P<alias>[\w$]+)|\{(?P<names>[^{}]*)\})\s*(?::[^=\n]+)?=\s*"""
    r"""(?:await\s+import|require)\(\s*(['"])(?P<module>[^'"\n]+)\3\s*\)(?:\.(?P<member>[\w$]+))?"""
)
_EXPORTS = re.compile(
    r"\bmodule\.exports\s*=\s*(?:\{(?P<names>[^{}]*)\}|(?P<name>[\w$]+)\s*;?\s*$)", re.MULTILINE
)
_EXPORTS_MEMBER = re.compile(
    r"\b(?:module\.)?exports\.(?P<alias>[\w$]+)\s*=\s*(?P<name>[\w$]+)\s*;?\s*$", re.MULTILINE
)


def _script(syntax: Syntax) -> Iterator[Import]:
    for node in syntax.find(("import_statement", "export_statement")):
        text, line = node.text(), syntax.first_line(node)
        found = _FROM.search(text)
        is_export = node.kind() == "export_statement"
        if is_export and found is None:
            yield from _own_exports(text, line)
            continue
        if found is None:
            continue
        module, clause = found["module"], text[: found.start()]
        yield from _clause(clause, module, line, is_export)
    text = syntax.root.text()
    if "require(" in text or "import(" in text or "exports" in text:
        yield from _common_js(text)


def _clause(clause: str, module: str, line: int, is_export: bool) -> Iterator[Import]:
    if names := _CLAUSE.search(clause):
        yield from _names(names[1], module, line, is_export)
    if namespace := _NAMESPACE.search(clause):
        yield Import(module, "", namespace[1], line, is_export)
    elif is_export and EVERYTHING in clause:
        yield Import(module, EVERYTHING, EVERYTHING, line, True)
    if not is_export:
        default = re.match(r"import\s+(?:type\s+)?([\w$]+)\s*(?:,|$)", clause.strip())
        if default:
            yield Import(module, DEFAULT, default[1], line)


def _names(text: str, module: str, line: int, is_passed_on: bool) -> Iterator[Import]:
    for part in text.split(","):
        match = re.match(r"\s*(?:type\s+)?([\w$]+)(?:\s*(?:\bas\b|:)\s*([\w$]+))?", part)
        if match:
            yield Import(module, match[1], match[2] or match[1], line, is_passed_on)


def _own_exports(text: str, line: int) -> Iterator[Import]:
    default = re.match(
        r"export\s+default\s+(?:async\s+)?(?:abstract\s+)?"
        r"(?:(?:function\b\s*\*?|class\b)\s*)?([A-Za-z_$][\w$]*)",
        text,
    )
    if default and default[1] not in ("function", "class", "async"):
        yield Import("", default[1], DEFAULT, line, True)
    elif re.match(r"export\s*(?:type\s*)?\{", text) and (names := _CLAUSE.search(text)):
        yield from _names(names[1], "", line, True)


def _common_js(text: str) -> Iterator[Import]:
    for match in _REQUIRE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match["names"] is not None:
            yield from _names(match["names"], match["module"], line, False)
        else:
            yield Import(match["module"], match["member"] or "", match["alias"], line)
    for match in _EXPORTS.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match["name"]:
            yield Import("", match["name"], DEFAULT, line, True)
            continue
        for found in _names(match["names"], "", line, True):  # `g: h` passes h on as g
            yield Import("", found.alias, found.name, line, True)
    for match in _EXPORTS_MEMBER.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Import("", match["name"], match["alias"], line, True)


def _go(syntax: Syntax) -> Iterator[Import]:
    for node in syntax.find(("import_spec",)):
        path, name = node.field("path"), node.field("name")
        if path is None:
            continue
        module = path.text().strip('"`')
        parts = [p for p in module.split("/") if not re.fullmatch(r"v\d+", p)]
        alias = name.text() if name is not None else (parts[-1] if parts else module)
        alias = {".": EVERYTHING, "_": ""}.get(alias, alias)
        taken = EVERYTHING if alias == EVERYTHING else ""
        yield Import(module, taken, alias, syntax.first_line(node))


def _java(syntax: Syntax) -> Iterator[Import]:
    for node in syntax.find(("import_declaration",)):
        match = re.match(r"import\s+(static\s+)?([\w.]+?)(\.\*)?\s*;", node.text())
        if match is None:
            continue
        line, path = syntax.first_line(node), match[2]
        if match[3]:
            yield Import(path, EVERYTHING, EVERYTHING, line)
        elif match[1]:
            module, _, name = path.rpartition(".")
            yield Import(module, name, name, line)
        else:
            name = path.rpartition(".")[2]
            yield Import(path, name, name, line)


def _rust(syntax: Syntax) -> Iterator[Import]:
    for node in syntax.find(("use_declaration",)):
        match = re.match(r"(pub(?:\([^)]*\))?\s+)?use\s+(.*?);?\s*$", node.text(), re.DOTALL)
        if match:
            tree = re.sub(r"//[^\n]*|\s*\n\s*", " ", match[2]).strip()
            yield from _use(tree, "", syntax.first_line(node), bool(match[1]), 0)
    for node in syntax.find(("mod_item",)):
        name = node.field("name")
        if name is not None and node.field("body") is None:
            yield Import(f"self::{name.text()}", "", name.text(), syntax.first_line(node), True)


def _use(tree: str, prefix: str, line: int, is_public: bool, depth: int) -> Iterator[Import]:
    tree = tree.strip()
    if depth > 8 or not tree:
        return
    if tree.endswith("}"):
        head, _, inner = tree[:-1].partition("{")
        for part in _split(inner):
            yield from _use(part, prefix + head.replace(" ", ""), line, is_public, depth + 1)
        return
    path, _, alias = tree.partition(" as ")
    path = prefix + path.strip().replace(" ", "")
    module, _, name = path.rpartition("::")
    if name == "self":
        module, _, name = module.rpartition("::")
    bound = EVERYTHING if name == EVERYTHING else (alias.strip() or name)
    yield Import(module, name, bound, line, is_public)


def _split(text: str) -> list[str]:
    """At the commas outside braces."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def _ruby(syntax: Syntax) -> Iterator[Import]:
    for node in syntax.find(("call",)):
        match = re.match(r"""(require|require_relative)\b[\s(]*(['"])([^'"\n]+)\2""", node.text())
        if match:
            relative = match[1] == "require_relative"
            module = f"./{match[3]}" if relative else match[3]
            # What one file requires, every file that requires it sees.
            yield Import(module, EVERYTHING, EVERYTHING, syntax.first_line(node), True)


def _c(syntax: Syntax) -> Iterator[Import]:
    for node in syntax.find(("preproc_include",)):
        path: SgNode | None = node.field("path")
        if path is not None:
            module = path.text().strip('"<>')
            yield Import(module, EVERYTHING, EVERYTHING, syntax.first_line(node), True)


_READERS: dict[Language, Callable[[Syntax], Iterator[Import]]] = {
    "python": _python, "javascript": _script, "typescript": _script, "tsx": _script, "go": _go,
    "java": _java, "rust": _rust, "ruby": _ruby, "c": _c, "cpp": _c,
}  # fmt: skip
