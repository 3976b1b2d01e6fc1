"""Forbidden calls, by syntax: a word in a comment or a string is no call."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ast_grep_py import SgNode

from graph.checks.changed_file import ChangedFile
from graph.checks.languages import Language
from graph.checks.report import Report
from graph.checks.spec_code import ForbiddenCall
from graph.checks.syntax import Syntax

_SEPARATORS = re.compile(r"\s*(?:\?\.|!!\.|!\.|->|::|\.)[\s\\]*")
_PLAIN_PATH = re.compile(r"[\w$@\\:]+(?:\.[\w$@]+)*")
_TYPE_ARGUMENTS = re.compile(r"(?:::)?<[^<>()]*>$")

_PHP_WORDS = {"echo_statement": "echo", "print_intrinsic": "print", "exit_statement": "exit"}

_MAX_CALLEE_CHARACTERS = 300

LANGUAGE_FUNCTIONS = frozenset(
    ("print", "println", "eprintln", "eprint", "printf", "eval", "exec", "dbg", "panic", "todo",
     "unimplemented", "unreachable", "assert", "alert", "confirm", "prompt", "fetch", "require",
     "setTimeout", "setInterval", "setImmediate", "parseInt", "parseFloat", "isNaN", "isFinite",
     "escape", "unescape", "input", "open", "any", "all", "sum", "min", "max", "len", "list",
     "dict", "set", "tuple", "str", "int", "float", "bool", "sorted", "reversed", "enumerate",
     "zip", "range", "hash", "id", "type", "isinstance", "hasattr", "getattr", "setattr",
     "delattr", "globals", "locals", "vars", "dir", "super", "breakpoint", "exit", "quit",
     "compile", "__import__", "callable", "iter", "next", "repr", "malloc", "calloc", "realloc",
     "free", "alloca", "memcpy", "strcpy", "strncpy", "strcat", "strncat", "strtok", "sprintf",
     "vsprintf", "scanf", "gets", "system", "atoi", "var_dump", "print_r", "die", "dd", "dump",
     "extract", "puts", "pp", "NSLog", "make", "append", "copy", "cap", "close", "delete", "new",
     "recover")
)  # fmt: skip
"""Functions of a language or its platform, which a plain name means; a method may share it."""

_OF_SCRIPTS = ("console.", "document.", "window.")
"""Objects of JavaScript; in Python `console` is a terminal's."""

_BARE_PARENTS = frozenset(
    ("program", "body_statement", "then", "else", "do", "block_body", "begin", "ensure", "rescue")
)
"""In Ruby a lone identifier in one of these is a call without arguments, or a variable's value
that nobody uses, so a call."""


@dataclass(frozen=True)
class Call:
    """`path` is the callee as written with "." between its parts.

    It begins with "." when the receiver is no plain path, for instance the result of a call.
    `line` is where the last part of the name stands.
    """

    path: str
    line: int

    @property
    def method(self) -> str:
        """The last part, when there is a receiver."""
        return self.path.rpartition(".")[2] if "." in self.path else ""


def check_forbidden_call(check: ForbiddenCall, file: ChangedFile, report: Report) -> None:
    if file.language is None:
        return
    names = [_normal(name) for name in check.names]
    words = [re.split(r"[.\\*]", name.rstrip(".*"))[-1] for name in names]
    # Most files have none of the words: then there is nothing to parse.
    if not any(word in line.text for line in file.added for word in words):
        return
    syntax = report.syntax_of(file)
    if syntax is None:
        return
    told: set[tuple[int, str]] = set()
    for call in syntax.once(calls_of):
        if not file.is_added(call.line):
            continue
        name = next((name for name in names if _is_call_of(call, name, syntax.language)), None)
        if name is None or (call.line, name) in told:
            continue
        told.add((call.line, name))
        instead = f"use {check.instead}" if check.instead else "the rule allows none"
        report.at_line(
            file,
            call.line,
            f"This line calls `{call.path.lstrip('.')}`; {instead}.",
            measured=call.path.lstrip("."),
            limit=0,
        )


def _normal(name: str) -> str:
    """A name as a person writes it, "std::process::exit()" or "println!", with dots only."""
    name = name.strip().removesuffix("()").removesuffix("!")
    return _SEPARATORS.sub(".", name)


def _is_call_of(call: Call, name: str, language: Language) -> bool:
    if name.startswith(_OF_SCRIPTS) and language not in ("javascript", "typescript", "tsx"):
        return False
    if name.startswith("."):
        return call.method == name[1:]
    if "." not in name and name not in LANGUAGE_FUNCTIONS and call.method == name:
        return True
    if name.endswith(".*"):
        return call.path.startswith(name[:-1])
    return call.path == name


def calls_of(syntax: Syntax) -> list[Call]:
    """Every call of a file."""
    nodes = syntax.find(syntax.grammar.calls)
    calls = [call for node in nodes if (call := _call(node, syntax))]
    if syntax.language == "ruby":
        calls += _bare_calls(syntax)
    if syntax.language == "rust":
        calls += _calls_in_macros(syntax)
    return calls


def _call(node: SgNode, syntax: Syntax) -> Call | None:
    kind = node.kind()
    if kind in _PHP_WORDS:
        return Call(_PHP_WORDS[kind], syntax.first_line(node))
    name = _callee(node, kind)
    if name is None:
        return None
    receiver = node.field("receiver") or node.field("object") or node.field("scope")
    text = _short_text(name, syntax)
    if receiver is not None:
        text = f"{_short_text(receiver, syntax)}.{text}"
    path = _path(text)
    return Call(path, syntax.last_line(name)) if path else None


def _short_text(node: SgNode, syntax: Syntax) -> str:
    """The text; of a long chain its last part only, for each of its calls holds all before it."""
    start, end = syntax.extent(node)
    if end - start <= _MAX_CALLEE_CHARACTERS:
        return node.text()
    parts = node.children()
    last = parts[-1].text() if parts else ""
    return f"().{last.lstrip('.')}" if len(last) <= _MAX_CALLEE_CHARACTERS else "()"


def _callee(node: SgNode, kind: str) -> SgNode | None:
    for field in ("function", "macro", "constructor", "type", "method", "name"):
        found = node.field(field)
        if found is not None:
            return found
    # These grammars give the parts of a call no names: what is called comes first, behind "new".
    if kind == "call_expression":
        return node.child(0)
    if kind == "object_creation_expression":
        return next((c for c in node.named_children() if "arguments" not in c.kind()), None)
    return None


def _path(text: str) -> str:
    """The callee with dots only; its last part behind "." when the receiver is an expression."""
    text = _SEPARATORS.sub(".", _TYPE_ARGUMENTS.sub("", text.strip()))
    text = text.removeprefix("\\")
    if _PLAIN_PATH.fullmatch(text):
        return text
    tail = text.rpartition(".")[2]
    return f".{tail}" if re.fullmatch(r"[\w$]+", tail) and "." in text else ""


def _bare_calls(syntax: Syntax) -> list[Call]:
    return [
        Call(node.text(), syntax.first_line(node))
        for node in syntax.find(("identifier",))
        if (parent := node.parent()) is not None and parent.kind() in _BARE_PARENTS
    ]


def _calls_in_macros(syntax: Syntax) -> list[Call]:
    """Calls among a macro's arguments, which the grammar leaves as a flat row of tokens."""
    calls = []
    for tree in syntax.find(("token_tree",)):
        row = tree.children()
        for before, here, after in zip([None, *row], row, row[1:], strict=False):
            if here.kind() != "identifier" or after.kind() != "token_tree":
                continue
            if not after.text().startswith("("):
                continue
            is_method = before is not None and before.text() == "."
            path = f".{here.text()}" if is_method else here.text()
            calls.append(Call(path, syntax.first_line(here)))
    return calls
