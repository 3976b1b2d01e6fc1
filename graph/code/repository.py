"""A repository's code at one commit as the searches see it, and a pull request laid over it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from graph.checks.languages import language_of
from graph.checks.syntax import Syntax, parse
from graph.code.imports import EVERYTHING, Import, imports_of
from graph.code.modules import Modules
from graph.code.outline import CODE_LANGUAGES, Symbol, outline_of

MAX_SOURCE_BYTES = 400_000
"""Of one file. What people write is smaller; a parser's time grows with it."""


@dataclass(frozen=True)
class FileFacts:
    """What was read from one file's text."""

    symbols: tuple[Symbol, ...] = ()
    imports: tuple[Import, ...] = ()


class Code(Protocol):
    """The code of one repository at one commit. Nothing outside it can be reached."""

    @property
    def modules(self) -> Modules: ...

    def facts(self, path: str) -> FileFacts: ...

    def text(self, path: str) -> str | None: ...

    def importers(self, path: str) -> Sequence[str]:
        """The files that import `path`, one hop."""
        ...

    def files_naming(self, name: str) -> Sequence[str]:
        """The files in whose text the identifier stands, in order."""
        ...

    def defining(self, name: str) -> Sequence[tuple[str, Symbol]]:
        """Every definition of a name, with its path."""
        ...


def facts_of(path: str, text: str) -> FileFacts:
    """Symbols and imports of a file; empty for a language that isn't read, or too long a text."""
    language = language_of(path)
    if language not in CODE_LANGUAGES or language is None or len(text) > MAX_SOURCE_BYTES:
        return FileFacts()
    syntax = parse(text, language)
    return FileFacts(outline_of(syntax), imports_of(syntax))


def import_graph(modules: Modules, imports: Mapping[str, Iterable[Import]]) -> dict[str, list[str]]:
    """Path -> the paths that import it, sorted."""
    found: dict[str, set[str]] = {}
    for importer, listed in imports.items():
        for target in imported_files(modules, importer, listed):
            found.setdefault(target, set()).add(importer)
    return {path: sorted(importers) for path, importers in sorted(found.items())}


def imported_files(modules: Modules, importer: str, imports: Iterable[Import]) -> set[str]:
    """What one file imports, of what lies in the repository."""
    found: set[str] = set()
    for one in imports:
        found.update(modules.files_of(one.module, importer))
        if one.name and one.name != EVERYTHING:
            found.update(modules.part_of(one.module, one.name, importer))
    found.discard(importer)
    return found


class MemoryCode:
    """A repository whose texts are all at hand: for a local folder, and for tests."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = dict(texts)
        self._facts: dict[str, FileFacts] = {}
        self.modules = Modules(self._texts)

    def facts(self, path: str) -> FileFacts:
        if path not in self._facts:
            text = self._texts.get(path)
            self._facts[path] = FileFacts() if text is None else facts_of(path, text)
        return self._facts[path]

    def text(self, path: str) -> str | None:
        return self._texts.get(path)

    def importers(self, path: str) -> Sequence[str]:
        return self._importers.get(path, ())

    def files_naming(self, name: str) -> Sequence[str]:
        return [path for path, text in sorted(self._texts.items()) if names(text, name)]

    def defining(self, name: str) -> Sequence[tuple[str, Symbol]]:
        return [
            (path, s) for path in sorted(self._texts) for s in self.facts(path).symbols
            if s.name == name
        ]  # fmt: skip

    @cached_property
    def _importers(self) -> dict[str, list[str]]:
        return import_graph(self.modules, {p: self.facts(p).imports for p in self._texts})


class Overlay:
    """A commit's code with some files as they are elsewhere; None is a file that is gone."""

    def __init__(
        self, base: Code, paths: Collection[str], changed: Mapping[str, str | None]
    ) -> None:
        self._base = base
        self._changed = dict(changed)
        self._new = MemoryCode({p: t for p, t in changed.items() if t is not None})
        there = [p for p in paths if p not in self._changed]
        self.modules = Modules([*there, *(p for p, t in changed.items() if t is not None)])

    def facts(self, path: str) -> FileFacts:
        return self._side(path).facts(path)

    def text(self, path: str) -> str | None:
        return self._side(path).text(path)

    def importers(self, path: str) -> Sequence[str]:
        kept = [p for p in self._base.importers(path) if p not in self._changed]
        return sorted({*kept, *(p for p, found in self._imported.items() if path in found)})

    def files_naming(self, name: str) -> Sequence[str]:
        kept = [p for p in self._base.files_naming(name) if p not in self._changed]
        return sorted({*kept, *self._new.files_naming(name)})

    def defining(self, name: str) -> Sequence[tuple[str, Symbol]]:
        kept = [(p, s) for p, s in self._base.defining(name) if p not in self._changed]
        return [*kept, *self._new.defining(name)]

    @cached_property
    def _imported(self) -> dict[str, set[str]]:
        """What each changed file imports. A file that is gone is still asked for by its name."""
        gone = Modules([p for p, text in self._changed.items() if text is None])
        found = {}
        for path in self._changed:
            imports = self._new.facts(path).imports
            there = imported_files(self.modules, path, imports)
            found[path] = there | imported_files(gone, path, imports)
        return found

    def _side(self, path: str) -> Code:
        return self._new if path in self._changed else self._base


def names(text: str, name: str) -> bool:
    """Whether the identifier stands in the text, whole."""
    return re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text) is not None


def syntax_of(path: str, text: str) -> Syntax | None:
    language = language_of(path)
    if language is None or language not in CODE_LANGUAGES or len(text) > MAX_SOURCE_BYTES:
        return None
    return parse(text, language)
