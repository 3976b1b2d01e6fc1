"""Who calls a definition, resolved through imports; a use that can't be resolved is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from graph.checks.syntax import Syntax
from graph.code.arity import Arguments, Arity, fits
from graph.code.bindings import Bindings, Known
from graph.code.evidence import is_instance, is_shadowed
from graph.code.modules import language_family
from graph.code.outline import Symbol, enclosing
from graph.code.references import Reference, references_in
from graph.code.repository import Code, names, syntax_of

MAX_CALLERS = 200
"""Of one definition. Past this the number says it all."""

_SELF = re.compile(r"(?:self|this|cls|Self|super\(\)|super|@self)")


@dataclass(frozen=True)
class Caller:
    """One use of a definition. `within` is the function it stands in, "" at the top of a file.

    `fits`: whether the call passes what the definition takes; None where that can't be read.
    """

    path: str
    line: int
    text: str
    within: str
    role: Literal["call", "mention", "import"]
    arguments: Arguments | None = None
    fits: bool | None = None


def callers_of(
    code: Code, path: str, symbol: Symbol, arities: Sequence[Arity] = ()
) -> tuple[Caller, ...]:
    """Every use of `symbol` of `path` outside its own lines, sorted by path and line.

    `arities` are what it takes now, one for each overload; a call fits when it fits one of them.
    """
    search = _Search(code, path, symbol, tuple(arities))
    found: dict[tuple[str, int, str], Caller] = {}
    for caller in search.run():
        found.setdefault((caller.path, caller.line, caller.role), caller)
        if len(found) >= MAX_CALLERS:
            break
    return tuple(sorted(found.values(), key=lambda c: (c.path, c.line)))


class _Search:
    def __init__(self, code: Code, path: str, symbol: Symbol, arities: tuple[Arity, ...]) -> None:
        self.code, self.path, self.symbol, self.arities = code, path, symbol, arities
        self.is_method = symbol.kind == "method" and bool(symbol.owner)
        self.base = symbol.owner if self.is_method else symbol.name
        is_static = symbol.signature.startswith("static ")
        language = language_family(path)
        self.bindings = Bindings(
            code, path, self.base, is_private=language == "c" and is_static and not self.is_method
        )
        self.makers: tuple[str, ...] = ()
        if self.is_method:
            pattern = re.compile(rf"\b{re.escape(self.base)}\b")
            self.makers = tuple(
                s.name for s in code.facts(path).symbols
                if s.kind == "function" and pattern.search(s.returns)
            )  # fmt: skip

    def run(self) -> Iterator[Caller]:
        files = dict(self.bindings.files)
        for path in self._unimported():
            files.setdefault(path, Known())
        for path, known in files.items():
            yield from self._in_file(path, known)

    def _unimported(self) -> Sequence[str]:
        """Files that may use it without an import: Rust's full paths, Ruby's constants."""
        family = language_family(self.path)
        if family == "rust" and not self.is_method:
            return self.code.files_naming(self.symbol.name)
        if family == "ruby" and len(self.code.defining(self.base)) == 1 and self.is_method:
            found = self.code.files_naming(self.base)
            for path in found:
                self.bindings.files.setdefault(path, Known()).names.add(self.base)
            return found
        return ()

    def _in_file(self, path: str, known: Known) -> Iterator[Caller]:
        text = self.code.text(path)
        if text is None or language_family(path) != language_family(self.path):
            return
        wanted = {self.symbol.name} if self.is_method else {self.symbol.name, *known.names}
        wanted |= {n for behind in known.behind.values() for n in behind} - {"default"}
        if not any(names(text, name) for name in wanted):
            return
        syntax = syntax_of(path, text)
        if syntax is None:
            return
        lines = text.split("\n")
        symbols = self.code.facts(path).symbols
        for reference in references_in(syntax, wanted):
            role = reference.role
            if role == "definition" or self._is_own(path, reference):
                continue
            if role == "import":
                is_meant = not self.is_method and reference.name in known.explicit
                is_meant |= self._is_imported_name(path, reference, known)
            elif self.is_method:
                is_meant = self._is_method_use(path, reference, known, syntax, symbols)
            else:
                is_meant = self._is_plain_use(path, reference, known, syntax, symbols)
            if is_meant:
                yield self._caller(path, reference, lines, symbols)

    def _is_own(self, path: str, reference: Reference) -> bool:
        """Inside the definition itself: recursion is the author's own."""
        if path != self.path or reference.role == "import":
            return False
        return any(
            s.first_line <= reference.line <= s.last_line
            for s in self.code.facts(path).symbols
            if s.name == self.symbol.name and s.owner == self.symbol.owner
        )

    def _is_imported_name(self, path: str, reference: Reference, known: Known) -> bool:
        """`f` of `import {f as g}`: the name that the import takes, not the one it binds."""
        if self.is_method or reference.name != self.symbol.name:
            return False
        return any(
            i.name == reference.name and i.alias in known.explicit
            for i in self.code.facts(path).imports
            if i.line <= reference.line <= i.line + 60
        )

    def _is_plain_use(
        self, path: str, reference: Reference, known: Known, syntax: Syntax,
        symbols: Sequence[Symbol],
    ) -> bool:  # fmt: skip
        qualifier = reference.qualifier
        if qualifier:
            if reference.name in known.behind.get(qualifier, ()):
                return True
            return self._is_full_path(path, qualifier, reference.name)
        if reference.name not in known.names:
            return False
        is_redefined = path != self.path and reference.name not in known.explicit
        if is_redefined and any(s.name == reference.name and not s.owner for s in symbols):
            return False
        return not is_shadowed(reference, syntax)

    def _is_full_path(self, path: str, qualifier: str, name: str) -> bool:
        if language_family(path) != "rust" or name != self.symbol.name:
            return False
        return self.path in self.code.modules.files_of(qualifier, path)

    def _is_method_use(
        self, path: str, reference: Reference, known: Known, syntax: Syntax,
        symbols: Sequence[Symbol],
    ) -> bool:  # fmt: skip
        qualifier = reference.qualifier
        classes = known.names | {n for names in known.behind.values() for n in names}
        classes -= {"default"}
        language = syntax.language
        if not qualifier:
            may_omit = language in ("java", "cpp", "ruby")
            return may_omit and self._is_inside(path, reference.line, classes, symbols)
        if _SELF.fullmatch(qualifier):
            return self._is_inside(path, reference.line, classes, symbols)
        return is_instance(reference, syntax, classes, self._makers_in(path, known))

    def _makers_in(self, path: str, known: Known) -> list[str]:
        """How the file calls the functions that return an object of the class."""
        code = self.code
        is_near = path == self.path or path in code.modules.neighbours(self.path)
        found = list(self.makers) if is_near else []
        for one in code.facts(path).imports:
            if one.name in self.makers and self.path in code.modules.files_of(one.module, path):
                found.append(one.alias)
        joint = "::" if language_family(path) == "rust" else "."
        return [*found, *(f"{a}{joint}{m}" for a in known.behind for m in self.makers)]

    def _is_inside(
        self, path: str, line: int, classes: set[str], symbols: Sequence[Symbol]
    ) -> bool:
        """Whether a line stands in the class, or in one that extends it and has no such method."""
        around = enclosing(symbols, line)
        owner = around.owner if around is not None else ""
        if around is not None and around.kind in ("class", "interface"):
            owner = around.name
        if not owner:
            return False
        if path == self.path and owner == self.symbol.owner:
            return True
        if any(s.owner == owner and s.name == self.symbol.name for s in symbols):
            return False
        heads = [s.signature for s in symbols if s.name == owner and s.kind == "class"]
        return any(
            re.search(rf"(?:[(:,<]|\bextends\b|\bpublic\b).*\b{re.escape(c)}\b", head)
            for head in heads
            for c in classes - {owner}
        )

    def _caller(
        self, path: str, reference: Reference, lines: Sequence[str], symbols: Sequence[Symbol]
    ) -> Caller:
        around = enclosing(symbols, reference.line)
        role = reference.role
        assert role != "definition"
        return Caller(
            path=path,
            line=reference.line,
            text=lines[reference.line - 1].strip()[:200],
            within=around.full_name if around else "",
            role=role,
            arguments=reference.arguments,
            fits=self._fits(reference),
        )

    def _fits(self, reference: Reference) -> bool | None:
        arguments = reference.arguments
        if arguments is None or not self.arities:
            return None
        answers = [fits(arity, arguments) for arity in self._as_called(reference)]
        return None if None in answers else any(answers)

    def _as_called(self, reference: Reference) -> Iterator[Arity]:
        """`C.method(c, 1)` passes the receiver too."""
        for arity in self.arities:
            yield arity
            is_through_type = self.is_method and reference.qualifier in (
                self.base, "Self", *self.bindings.files.get(self.path, Known()).names
            )  # fmt: skip
            has_receiver = re.search(r"\(\s*&?(?:mut\s+)?(?:self|cls)\b", self.symbol.signature)
            if is_through_type and has_receiver:
                most = None if arity.most is None else arity.most + 1
                names = ("self", *arity.names)
                required = ("self", *arity.required)
                yield Arity(arity.least + 1, most, names, arity.keywords, required,
                            arity.takes_any_keyword)  # fmt: skip
