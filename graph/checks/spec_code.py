"""Checks by syntax: calls, imports, constructs, sizes, names, documentation, types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from graph.answers import joined
from graph.checks.languages import Language
from graph.checks.spec import Spec, counted, listed

Construct = Literal[
    "wildcard_import", "relative_import", "bare_except", "broad_except", "empty_catch",
    "debugger", "var_declaration", "any_type", "non_null_assertion", "default_export",
    "goto", "mutable_default", "global_statement", "lambda_assignment", "nested_ternary",
    "loose_equality", "unsafe_block", "assert_statement",
]  # fmt: skip

CONSTRUCT_WORDS: dict[Construct, tuple[str, str]] = {
    "wildcard_import": ("a wildcard import", "wildcard imports"),
    "relative_import": ("a relative import", "relative imports"),
    "bare_except": ("a bare `except:` clause", "bare `except:` clauses"),
    "broad_except": ("a handler of every exception", "handlers of every exception"),
    "empty_catch": ("an empty exception handler", "empty exception handlers"),
    "debugger": ("a debugger statement", "debugger statements"),
    "var_declaration": ("a `var` declaration", "`var` declarations"),
    "any_type": ("the type `any`", "uses of the type `any`"),
    "non_null_assertion": ("a non-null assertion", "non-null assertions"),
    "default_export": ("a default export", "default exports"),
    "goto": ("a `goto` statement", "`goto` statements"),
    "mutable_default": ("a mutable default argument", "mutable default arguments"),
    "global_statement": ("a `global` statement", "`global` statements"),
    "lambda_assignment": ("a lambda assigned to a name", "lambdas assigned to a name"),
    "nested_ternary": ("a nested conditional expression", "nested conditional expressions"),
    "loose_equality": ("a comparison by `==` or `!=`", "`==` and `!=` comparisons"),
    "unsafe_block": ("an `unsafe` block", "`unsafe` blocks"),
    "assert_statement": ("an `assert` statement", "`assert` statements"),
}
"""One of them, as the message about a line says it, and all of them, as the rule does."""

NamedThing = Literal[
    "file", "function", "method", "class", "interface", "constant", "variable", "parameter"
]
NameStyle = Literal["snake_case", "camelCase", "PascalCase", "kebab-case", "UPPER_CASE"]


@dataclass(frozen=True)
class ForbiddenCall(Spec):
    """Added calls of one of `names`; a word in a comment or a string is no call.

    A plain name is that function called without a receiver where a language has it ("print"),
    and with any receiver too where only the project can have it ("save"); a dotted one
    ("console.log", "os.system") is matched from the left as it is written in the code; one that
    begins with a dot (".unwrap") is a method of any receiver; "console.*" is any method of it.
    Macros count with their mark left out ("println" for `println!`).
    """

    kind: ClassVar[str] = "forbidden_call"
    names: tuple[str, ...]
    instead: str = ""
    languages: tuple[Language, ...] = ()

    def _problem(self) -> str:
        return "" if self.names and all(self.names) else "names must not be empty"

    def describe(self) -> str:
        return f"added calls of {listed(self.names)}{_in_languages(self.languages)}"


@dataclass(frozen=True)
class ForbiddenImport(Spec):
    """Added imports of one of `modules`, or of anything inside them.

    Separators are those of the language ("os.path", "lodash/fp", "std::io", "java.util").
    """

    kind: ClassVar[str] = "forbidden_import"
    modules: tuple[str, ...]
    instead: str = ""

    def _problem(self) -> str:
        return "" if self.modules and all(self.modules) else "modules must not be empty"

    def describe(self) -> str:
        return f"added imports of {listed(self.modules)}"


@dataclass(frozen=True)
class ForbiddenSyntax(Spec):
    """Added code with a construct that the language has; other languages are left alone.

    With `languages`, here and in the other checks that have it, only code in these is read.
    """

    kind: ClassVar[str] = "forbidden_syntax"
    construct: Construct
    instead: str = ""
    languages: tuple[Language, ...] = ()

    def describe(self) -> str:
        return f"added {CONSTRUCT_WORDS[self.construct][1]}{_in_languages(self.languages)}"


@dataclass(frozen=True)
class QuoteStyle(Spec):
    """Added string literals with the other quotes (Python, JavaScript, TypeScript, Ruby, PHP).

    A literal that contains the wanted quote, docstrings and f-strings' inner literals are left.
    """

    kind: ClassVar[str] = "quote_style"
    style: Literal["single", "double"]

    def describe(self) -> str:
        other = "double" if self.style == "single" else "single"
        return f"added strings in {other} quotes"


@dataclass(frozen=True)
class MaxFileLines(Spec):
    """Changed files with more than `limit` lines, when the change made them longer.

    A rule for every file is one for programs: documents and data count when it names them.
    """

    kind: ClassVar[str] = "max_file_lines"
    limit: int

    def _problem(self) -> str:
        return _positive(self.limit)

    def describe(self) -> str:
        return f"files that grow over {self.limit} lines"


@dataclass(frozen=True)
class MaxFunctionLines(Spec):
    """Functions over `limit` lines, from the line of the name to the last, that the change made
    longer.

    Decorators and comments in front do not count, blank lines and the docstring inside do.
    """

    kind: ClassVar[str] = "max_function_lines"
    limit: int

    def _problem(self) -> str:
        return _positive(self.limit)

    def describe(self) -> str:
        return f"functions that grow over {self.limit} lines"


@dataclass(frozen=True)
class MaxParameters(Spec):
    """Functions with more than `limit` parameters, when the signature was changed.

    A receiver (`self`, `cls`, `this`, `&self`) does not count.
    """

    kind: ClassVar[str] = "max_parameters"
    limit: int

    def _problem(self) -> str:
        return _positive(self.limit, least=0)

    def describe(self) -> str:
        return f"changed signatures with more than {counted(self.limit, 'parameter')}"


@dataclass(frozen=True)
class MaxNesting(Spec):
    """Added lines inside more than `limit` nested control blocks of one function.

    if, for, while, try, with, switch and match count; `else if` continues its `if`.
    """

    kind: ClassVar[str] = "max_nesting"
    limit: int

    def _problem(self) -> str:
        return _positive(self.limit)

    def describe(self) -> str:
        return f"added code nested deeper than {self.limit} levels"


@dataclass(frozen=True)
class Naming(Spec):
    """Names that the change introduces and that have another form, of `target` and `also`.

    Either `style` or `pattern` (RE2, matched on the whole name; for a file on its name without
    folders and, with `style`, without its endings).
    """

    kind: ClassVar[str] = "naming"
    target: NamedThing
    style: NameStyle | None = None
    pattern: str = ""
    also: tuple[NamedThing, ...] = ()

    def _problem(self) -> str:
        return "" if bool(self.style) != bool(self.pattern) else "give either style or pattern"

    def targets(self) -> tuple[NamedThing, ...]:
        return (self.target, *(thing for thing in self.also if thing != self.target))

    def describe(self) -> str:
        plurals = [{"class": "classes"}.get(thing, f"{thing}s") for thing in self.targets()]
        return f"new {joined(plurals)} not named in {self.style or f'the form `{self.pattern}`'}"


@dataclass(frozen=True)
class RequiredDocstring(Spec):
    """New functions or classes (or new files, for "module") without documentation.

    Python: a docstring; elsewhere a doc comment straight above. `public_only` leaves out private
    names, tests and, where the language has the word, what is not exported.
    """

    kind: ClassVar[str] = "required_docstring"
    target: Literal["function", "class", "module", "any"] = "any"
    public_only: bool = True
    languages: tuple[Language, ...] = ()

    def describe(self) -> str:
        noun = {"any": "functions and classes", "class": "classes"}.get(
            self.target, f"{self.target}s"
        )
        public = "public " if self.public_only else ""
        return f"new {public}{noun} without documentation{_in_languages(self.languages)}"


@dataclass(frozen=True)
class RequiredTypes(Spec):
    """New or changed signatures without type annotations (Python, TypeScript, PHP).

    What `__init__` returns is not asked for, nor the types of a function that is assigned to a
    variable or a field with a type of its own.
    """

    kind: ClassVar[str] = "required_types"
    target: Literal["all", "parameters", "return"] = "all"
    public_only: bool = False
    languages: tuple[Language, ...] = ()

    def describe(self) -> str:
        noun = {"all": "type annotations", "parameters": "parameter types"}.get(
            self.target, "a return type"
        )
        public = "public " if self.public_only else ""
        where = _in_languages(self.languages)
        return f"new or changed signatures of {public}functions without {noun}{where}"


_LANGUAGE_NAMES: dict[Language, str] = {
    "python": "Python", "javascript": "JavaScript", "typescript": "TypeScript",
    "tsx": "TypeScript", "go": "Go", "rust": "Rust", "java": "Java", "c": "C", "cpp": "C++",
    "csharp": "C#", "ruby": "Ruby", "php": "PHP", "kotlin": "Kotlin", "swift": "Swift",
    "bash": "shell scripts",
}  # fmt: skip


def _in_languages(languages: tuple[Language, ...]) -> str:
    names = list(dict.fromkeys(_LANGUAGE_NAMES[language] for language in languages))
    return f" in {joined(names)}" if names else ""


def _positive(limit: int, least: int = 1) -> str:
    return "" if least <= limit <= 1_000_000 else f"limit must be between {least} and 1000000"
