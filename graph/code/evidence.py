"""What a file's text says about a variable: of which class it is, or that it hides an import."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from graph.checks.definitions import Definition, functions_of
from graph.checks.syntax import Syntax
from graph.code.references import Reference

MAX_VARIABLE_CHARACTERS = 80

_LAST_NAME = re.compile(r"([A-Za-z_$@][\w$]*)$")


def is_shadowed(reference: Reference, syntax: Syntax) -> bool:
    """Whether a parameter or a local variable of a function around the use has the same name."""
    name = re.escape(reference.name)
    parameter = re.compile(rf"^[\s*&.]*(?:mut\s+)?{name}\b|[\s*&]{name}$")
    for definition in _around(reference.offset, syntax):
        if any(parameter.search(_head(p.text(), syntax)) for p in definition.parameters):
            return True
        if _is_assigned(reference.name, definition.node.text(), syntax):
            return True
    return False


def is_instance(
    reference: Reference, syntax: Syntax, classes: Collection[str], makers: Sequence[str]
) -> bool:
    """Whether what stands before the method's name is of one of `classes`, as the text says.

    `makers` are functions that return such an object, as the file calls them (`price.New`).
    """
    qualifier = " ".join(reference.qualifier.split())
    for name in classes:
        made = rf"(?:new |&|\()*(?:[\w$]+(?:\.|::))*{re.escape(name)}(?:$|(?:::|\.)new\b|[(<{{])"
        if re.match(made, qualifier):
            return True
    for maker in makers:
        if re.match(rf"{re.escape(maker)}\(", qualifier):
            return True
    last = _LAST_NAME.search(qualifier)
    if last is None or len(last[1]) > MAX_VARIABLE_CHARACTERS:
        return False
    is_plain = last[1] == qualifier
    for definition in _around(reference.offset, syntax):
        text = definition.node.text()
        if _speaks_of(last[1], text, classes, makers):
            return True
        if is_plain and _is_assigned(last[1], text, syntax):
            return False
    return _speaks_of(last[1], syntax.root.text(), classes, makers)


def _around(offset: int, syntax: Syntax) -> list[Definition]:
    """The functions around a place, innermost first."""
    functions = syntax.once(_functions)
    found = [d for d in functions if d.extent[0] <= offset < d.extent[1]]
    return sorted(found, key=lambda d: -d.extent[0])


def _functions(syntax: Syntax) -> list[Definition]:
    return functions_of(syntax)


def _head(parameter: str, syntax: Syntax) -> str:
    """The part of a parameter in which its name stands."""
    if syntax.language in ("java", "c", "cpp"):
        return parameter.split("=")[0].strip()
    return re.split(r"[:=\s?]", parameter.strip())[0]


def _is_assigned(name: str, text: str, syntax: Syntax) -> bool:
    name = re.escape(name)
    patterns = {
        "python": rf"^\s+{name}\s*(?::[^=\n]+)?=(?!=)|\bfor\s+{name}\s+in\b|\bas\s+{name}\b",
        "ruby": rf"^\s+{name}\s*=(?![=~])",
        "go": rf"\b{name}\b[\w,\s]*:=|\bvar\s+{name}\b",
        "rust": rf"\blet\s+(?:mut\s+)?{name}\b",
        "java": rf"\b[\w<>\[\],]+\s+{name}\s*[=;:]",
        "c": rf"\b\w+[\s*]+{name}\s*(?:=(?!=)|;)",
        "cpp": rf"\b(?!return\b)\w+[\s*&]+{name}\s*(?:=(?!=)|;)",
    }
    script = rf"\b(?:const|let|var)\s+(?:\{{[^}}]*\b{name}\b|{name}\b)"
    return re.search(patterns.get(syntax.language, script), text, re.MULTILINE) is not None


def _speaks_of(variable: str, text: str, classes: Collection[str], makers: Sequence[str]) -> bool:
    v = rf"(?<![\w$]){re.escape(variable)}(?![\w$])"
    path = r"(?:[\w$]+(?:\.|::|->))*"
    made = rf"{v}[^=\n;]{{0,60}}:?=\s*(?:await\s+)?"
    for name in map(re.escape, classes):
        patterns = (
            rf"{v}[!?]?\s*:\s*[^=,;)\n]{{0,60}}\b{name}\b",  # x: C
            rf"\b{name}\b(?:<[^>\n]*>)?[\s*&]+(?:const\s+)?{v}",  # C x
            rf"{v}\s+[*&\[\]]*{path}{name}\b",  # x *C
            rf"{made}(?:new\s+|&|\*)*{path}{name}(?:<[^>\n]*>)?\s*(?:[({{]|::\w+|\.(?:new\b|\w+\())",
        )
        if any(re.search(pattern, text) for pattern in patterns):
            return True
    return any(re.search(rf"{made}{re.escape(maker)}\s*[(<]", text) for maker in makers)
