"""Names that a change introduces: files, functions, classes, constants, variables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from ast_grep_py import SgNode

from graph.checks.changed_file import ChangedFile
from graph.checks.definitions import classes_of, functions_of, interfaces_of
from graph.checks.languages import Language
from graph.checks.patterns import PatternError, compiled
from graph.checks.report import Report
from graph.checks.spec_code import NamedThing, NameStyle, Naming
from graph.checks.syntax import Syntax

_STYLES: dict[NameStyle, re.Pattern[str]] = {
    "snake_case": re.compile(r"[^\W\d_A-Z][^\WA-Z]*"),
    "camelCase": re.compile(r"[^\W\d_A-Z][^\W_]*"),
    "PascalCase": re.compile(r"[A-Z][^\W_]*"),
    "kebab-case": re.compile(r"[^\W\d_A-Z][^\W_A-Z]*(?:-[^\W_A-Z]+)*"),
    "UPPER_CASE": re.compile(r"[A-Z][A-Z0-9_]*"),
}

_OF_SCRIPTS = frozenset(
    ("constructor", "dynamic", "dynamicParams", "revalidate", "fetchCache", "runtime",
     "preferredRegion", "maxDuration", "config", "metadata", "viewport")
)  # fmt: skip
"""Beside the language's own, the constants that Next.js reads from a page."""

_FIXED_NAMES: dict[Language, frozenset[str]] = {
    "typescript": _OF_SCRIPTS,
    "tsx": _OF_SCRIPTS,
    "javascript": _OF_SCRIPTS,
    "java": frozenset(("serialVersionUID", "serialPersistentFields", "log", "logger")),
    "python": frozenset(
        ("setUp", "tearDown", "setUpClass", "tearDownClass", "setUpModule", "tearDownModule",
         "asyncSetUp", "asyncTearDown", "setUpTestData", "runTest", "formatTime",
         "formatException", "handleError", "emptyNamespace", "maxDiff", "longMessage",
         "failureException", "app_name", "default_app_config", "pytest_plugins", "revision",
         "down_revision", "branch_labels", "depends_on")
    ),
}  # fmt: skip
"""Names that a language, its standard library or what loads the file prescribes."""

_SETTINGS_FILE = re.compile(r"(?:^|/)(?:[\w.-]*conf|celeryconfig)\.py$")
"""Sphinx's conf.py, gunicorn's, Celery's: the tool chooses the names in them."""

_VISITED = re.compile(r"(?:do_[A-Z]+$|(?:generic_)?(?:visit|leave|depart)_[A-Z])")
"""Methods that `http.server` and visitors of syntax trees find by the name of what they handle."""

_CLASS_LIKE: frozenset[Language] = frozenset(("java", "csharp", "cpp", "kotlin", "swift"))
"""Where a constructor has the name of its class."""

Name = tuple[str, int]


def check_naming(check: Naming, file: ChangedFile, report: Report) -> None:
    try:
        fits = _form(check)
    except PatternError as error:
        report.skip((error.reason, str(error)))
        return
    wanted = check.style or f"`{check.pattern}`"
    if "file" in check.targets():
        _check_file_name(check, file, fits, report)
    if check.targets() == ("file",):
        return
    syntax = report.syntax_of(file)
    if syntax is None:
        return
    told: set[Name] = set()
    for target in check.targets():
        is_setting = target in ("constant", "variable") and _SETTINGS_FILE.search(file.path)
        if target == "file" or is_setting:
            continue
        for name, line in syntax.once(_FINDERS[target]):
            if not file.is_added(line) or (name, line) in told or fits(name):
                continue
            if check.style and _may_differ(target, name, check.style, syntax):
                continue
            told.add((name, line))
            report.at_line(
                file,
                line,
                f"The {target} `{name}` is not in the form {wanted}.",
                measured=name,
                limit=check.style or check.pattern,
            )


def _may_differ(target: NamedThing, name: str, style: NameStyle, syntax: Syntax) -> bool:
    """A name whose first letter the language or a library decides.

    In Go a capital exports it, in JSX it makes a component, and `const API_URL` is a constant.
    """
    if style not in ("camelCase", "PascalCase"):
        return False
    is_pascal = _STYLES["PascalCase"].fullmatch(name) is not None
    if syntax.language == "go":
        is_camel = _STYLES["camelCase"].fullmatch(name) is not None
        return (
            is_pascal or is_camel or re.match(r"(?:Test|Benchmark|Example|Fuzz)", name) is not None
        )
    if syntax.language not in ("javascript", "typescript", "tsx"):
        return False
    if target == "variable" and _STYLES["UPPER_CASE"].fullmatch(name):
        return True
    return is_pascal and target in ("function", "variable") and syntax.once(_has_components)


def _has_components(syntax: Syntax) -> bool:
    if syntax.language == "javascript":
        return bool(syntax.find(("jsx_element", "jsx_self_closing_element")))
    return syntax.language == "tsx"


def _form(check: Naming) -> Callable[[str], bool]:
    if check.style is None:
        return compiled(check.pattern).fullmatch
    style = _STYLES[check.style]
    # Marks of privacy or of an unused value are no part of the style.
    return lambda name: (
        style.fullmatch(name.strip("_$?!=#@") or "a") is not None
        or (name.startswith("__") and name.endswith("__"))
    )


def _check_file_name(
    check: Naming, file: ChangedFile, fits: Callable[[str], bool], report: Report
) -> None:
    if file.diff.status not in ("added", "renamed", "copied"):
        return
    name = PurePosixPath(file.path).name
    # "user.service.spec.ts" is named by its first part; a dot file's name is not ours to choose.
    stem = name.partition(".")[0] if check.style else name
    if check.style and (_is_prescribed(stem) or _is_numbered_migration(stem)):
        return
    if any(folder.startswith(".") for folder in PurePosixPath(file.path).parts[:-1]):
        return  # ".github/", ".vscode/": a tool's folder
    if check.style in ("snake_case", "kebab-case"):
        stem = stem.lstrip("0123456789-_")  # "0001_initial.py", "2024-01-31-news.md"
    if check.style:
        stem = stem.strip("[]()+")  # a router's "[id].tsx"
    if stem and not fits(stem):
        wanted = check.style or check.pattern
        message = f"The file name `{name}` is not in the form {wanted}."
        report.at_file(file.path, message, measured=name, limit=wanted)


_PRESCRIBED_STEMS = frozenset(
    ("Dockerfile", "Containerfile", "Makefile", "GNUmakefile", "Gemfile", "Rakefile", "Procfile",
     "Jenkinsfile", "Vagrantfile", "Brewfile", "Podfile", "Pipfile", "Cartfile", "Fastfile",
     "Justfile", "Caddyfile", "Tiltfile", "Earthfile", "CMakeLists", "Cargo", "Package",
     "AndroidManifest", "Info", "package-lock", "npm-shrinkwrap", "pnpm-lock", "pnpm-workspace",
     "docker-compose", "index", "main", "mod", "lib", "build", "setup", "conftest")
)  # fmt: skip


def _is_numbered_migration(stem: str) -> bool:
    """ "20240131120000_add_users": a tool wrote the number, and the words in its own form."""
    return re.match(r"\d{4,}_", stem) is not None


def _is_prescribed(stem: str) -> bool:
    """A name that a tool looks for, or one like README, LICENSE and PULL_REQUEST_TEMPLATE."""
    is_document = stem.isupper() and len(stem) > 2 and stem.isascii()
    return stem in _PRESCRIBED_STEMS or is_document


def _functions(syntax: Syntax) -> list[Name]:
    """Functions and methods, without those whose name the language chooses."""
    fixed = _FIXED_NAMES.get(syntax.language, frozenset())
    found = syntax.once(functions_of)
    if syntax.language in _CLASS_LIKE:
        found = [f for f in found if "constructor" not in f.node.kind()]
        types = {definition.name for definition in syntax.once(classes_of)}
        found = [f for f in found if f.name not in types]
    found = [f for f in found if f.name not in fixed]
    if syntax.language == "python":
        found = [f for f in found if not _VISITED.match(f.name)]
    return [(f.name, f.name_line) for f in found]


def _methods(syntax: Syntax) -> list[Name]:
    methods = {(f.name, f.name_line) for f in syntax.once(functions_of) if f.is_method}
    return [name for name in _functions(syntax) if name in methods]


def _classes(syntax: Syntax) -> list[Name]:
    return [(c.name, c.name_line) for c in syntax.once(classes_of)]


def _interfaces(syntax: Syntax) -> list[Name]:
    return [
        (i.name, i.name_line)
        for i in syntax.once(interfaces_of)
        if not any(around.kind() == "ambient_declaration" for around in i.node.ancestors())
    ]  # `declare global { interface Window { … } }` adds to what has its name


def _parameters(syntax: Syntax) -> list[Name]:
    found = []
    for function in syntax.once(functions_of):
        for parameter in function.parameters:
            name = _first_identifier(parameter)
            if name is not None:
                found.append((name.text().lstrip("$"), syntax.first_line(name)))
    return found


def _first_identifier(node: SgNode) -> SgNode | None:
    """A parameter's name; in languages that put the type first, the name is a field."""
    name = node.field("name") or node.field("pattern") or node.field("declarator")
    while name is not None and name.field("declarator") is not None:
        name = name.field("declarator")
    if name is None:
        name = node
    if name.kind() in ("identifier", "simple_identifier", "variable_name"):
        return name
    kinds = ("identifier", "simple_identifier")
    return next((c for c in name.children() if c.kind() in kinds), None)


_CONSTANT_KINDS: dict[Language, tuple[str, ...]] = {
    "go": ("const_spec",),
    "rust": ("const_item", "static_item"),
    "php": ("const_element",),
    "ruby": (),
}
_DECLARATIONS: dict[Language, tuple[str, ...]] = {
    "python": ("assignment",),
    "javascript": ("variable_declarator",),
    "typescript": ("variable_declarator",),
    "tsx": ("variable_declarator",),
    "go": ("var_spec", "short_var_declaration"),
    "rust": ("let_declaration",),
    "java": ("variable_declarator",),
    "c": ("init_declarator",),
    "cpp": ("init_declarator",),
    "csharp": ("variable_declarator",),
    "ruby": ("assignment",),
    "php": ("assignment_expression",),
    "kotlin": ("variable_declaration",),
    "swift": ("property_declaration",),
    "bash": ("variable_assignment",),
}


def _constants(syntax: Syntax) -> list[Name]:
    """What the language calls a constant: `const`, `static final`, `const val`; in Python and
    JavaScript a literal bound once to a name at the top of the file."""
    nodes = syntax.find(_CONSTANT_KINDS.get(syntax.language, ()))
    names = [node.field("name") or node.child(0) for node in nodes]
    found = [(name.text(), syntax.first_line(name)) for name in names if name is not None]
    for node in syntax.find(_DECLARATIONS[syntax.language]):
        if _is_constant(node, syntax):
            found += _declared(node, syntax)
    fixed = _FIXED_NAMES.get(syntax.language, frozenset())
    return [(name, line) for name, line in found if name not in fixed]


def _variables(syntax: Syntax) -> list[Name]:
    found: list[Name] = []
    for node in syntax.find(_DECLARATIONS[syntax.language]):
        if not _is_constant(node, syntax) and not _is_function_value(node):
            found += _declared(node, syntax)
    if syntax.language in ("python", "ruby"):  # a capital letter begins a constant or an alias
        found = [name for name in found if not name[0][:1].isupper()]
    return found


_SEVERAL = frozenset(
    ("pattern_list", "tuple_pattern", "expression_list", "left_assignment_list", "pattern",
     "variable_declaration")
)  # fmt: skip


def _declared(node: SgNode, syntax: Syntax) -> Iterator[Name]:
    """The plain names that a declaration binds."""
    target = next(
        (t for f in ("name", "left", "pattern", "declarator") if (t := node.field(f))), None
    )
    if target is None:
        target = node
    while target.field("declarator") is not None:
        target = target.field("declarator") or target
    plain = ("identifier", "simple_identifier", "variable_name", "constant")
    if target.kind() in plain:
        parts = [target]
    else:  # `self.x = 1` and `a[0] = 1` bind no name
        parts = target.children() if target.kind() in _SEVERAL else []
    for part in parts:
        if part.kind() in plain:
            yield part.text().lstrip("$"), syntax.first_line(part)
        if part.text() in ("=", ":", "in"):
            return


def _is_function_value(node: SgNode) -> bool:
    value = node.field("value") or node.field("right")
    kinds = ("arrow_function", "function_expression", "class", "lambda")
    return value is not None and value.kind() in kinds


_LITERALS = frozenset(
    ("string", "integer", "float", "number", "true", "false", "template_string", "none", "null",
     "concatenated_string", "unary_operator", "unary_expression", "regex")
)  # fmt: skip


def _rebound(syntax: Syntax) -> frozenset[str]:
    """Names at the top of a Python module whose value changes later."""
    bound = Counter(
        left.text()
        for node in syntax.find(("assignment", "augmented_assignment"))
        if (left := node.field("left")) is not None
    )
    changed = {name for name, times in bound.items() if times > 1}
    for node in syntax.find(("global_statement",)):
        changed |= {child.text() for child in node.named_children()}
    return frozenset(changed)


def _is_constant(node: SgNode, syntax: Syntax) -> bool:
    language = syntax.language
    statement = node.parent()
    holder = statement.parent() if statement is not None else None
    if statement is None or holder is None:
        return False
    head = statement.text()[:120].partition("=")[0]
    if language == "python":
        value = node.field("right")
        at_top = statement.kind() == "expression_statement" and holder.kind() == "module"
        dunder = node.text().startswith("__")
        is_literal = value is not None and value.kind() in _LITERALS
        left = node.field("left")
        is_once = left is not None and left.text() not in syntax.once(_rebound)
        return at_top and not dunder and is_literal and is_once
    if language in ("javascript", "typescript", "tsx"):
        value = node.field("value")
        at_top = holder.kind() in ("program", "export_statement")
        is_literal = value is not None and value.kind() in _LITERALS
        return head.startswith("const") and at_top and is_literal
    if language == "java":
        return {"static", "final"} <= set(re.findall(r"\w+", head))
    if language == "csharp":
        return re.search(r"\bconst\b", holder.text()[:120].partition("=")[0]) is not None
    if language in ("c", "cpp"):
        is_local = holder.kind() in ("compound_statement", "case_statement")
        lasting = r"\bconstexpr\b" if is_local else r"\bconst(?:expr)?\b"
        return "*" not in head and re.search(lasting, head) is not None
    if language == "ruby":
        left = node.field("left")
        return left is not None and left.kind() == "constant"
    if language == "kotlin":
        return re.match(r"(?:\w+\s+)*const\s+val\b", head) is not None
    return False


_FINDERS: dict[NamedThing, Callable[[Syntax], list[Name]]] = {
    "function": _functions,
    "method": _methods,
    "class": _classes,
    "interface": _interfaces,
    "constant": _constants,
    "variable": _variables,
    "parameter": _parameters,
}
