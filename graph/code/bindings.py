"""Under which names other files know a definition: through imports, aliases and re-exports."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from graph.checks.languages import language_of
from graph.code.imports import DEFAULT, EVERYTHING, Import
from graph.code.repository import Code

MAX_FILES = 2_000
"""Looked at for one definition; a name that more files import is everybody's business."""


@dataclass
class Known:
    """How one file calls the definition: by plain names, and by names behind a module's alias.

    `explicit` are the plain names that an import spells out.
    """

    names: set[str] = field(default_factory=set)
    explicit: set[str] = field(default_factory=set)
    behind: dict[str, set[str]] = field(default_factory=dict)


class Bindings:
    """Where the definition `name` of `path` is known. `files` are in the order they were found."""

    def __init__(self, code: Code, path: str, name: str, *, is_private: bool = False) -> None:
        self._code = code
        self._offers: dict[str, set[str]] = {path: {name}}
        self.files: dict[str, Known] = {path: Known({name})}
        self.is_cut = False
        if not is_private:
            self._declare_in_headers(path, name)
            self._spread(path)
            self._add_neighbours(path, name)

    def _spread(self, start: str) -> None:
        queue = deque([start, *(p for p in self._offers if p != start)])
        while queue:
            path = queue.popleft()
            if self._pass_on(path, self._code.facts(path).imports):
                queue.append(path)
            for importer in self._code.importers(path):
                if len(self.files) >= MAX_FILES:
                    self.is_cut = True
                    return
                before = len(self._offers.get(importer, ()))
                self._read(importer)
                if len(self._offers.get(importer, ())) > before:
                    queue.append(importer)

    def _pass_on(self, path: str, imports: tuple[Import, ...]) -> bool:
        """Add what the file offers of its own under further names; whether there was any."""
        offered = self._offers.setdefault(path, set())
        local = offered | self.files.get(path, Known()).names
        new = {i.alias for i in imports if not i.module and i.name in local} - offered
        offered |= new
        return bool(new)

    def _read(self, importer: str) -> None:
        known = self.files.get(importer, Known())
        for one in self._code.facts(importer).imports:
            if one.module:
                self._bind(one, importer, known)
        if known.names or known.behind:
            self.files[importer] = known
            self._pass_on(importer, self._code.facts(importer).imports)

    def _bind(self, one: Import, importer: str, known: Known) -> None:
        modules = self._code.modules
        for path in modules.files_of(one.module, importer):
            offered = self._offers.get(path, set())
            if not offered or path == importer:
                continue
            passed: set[str] = set()
            if one.name == EVERYTHING:
                passed = offered - {DEFAULT}
                known.names |= passed
            elif not one.name:
                known.behind.setdefault(one.alias, set()).update(offered)
                passed = {one.alias} if DEFAULT in offered else set()
                known.names |= passed
            elif one.name in offered:
                passed = {one.alias}
                known.names |= passed
                known.explicit |= passed
            if one.is_passed_on and passed:
                self._offers.setdefault(importer, set()).update(passed)
        if one.name and one.name != EVERYTHING:
            for path in modules.part_of(one.module, one.name, importer):
                if self._offers.get(path):
                    known.behind.setdefault(one.alias, set()).update(self._offers[path])

    def _declare_in_headers(self, path: str, name: str) -> None:
        """C's functions are known by the header that declares them."""
        if language_of(path) not in ("c", "cpp"):
            return
        for one in self._code.facts(path).imports:
            for header in self._code.modules.files_of(one.module, path):
                if header in self._code.files_naming(name):
                    self._offers[header] = {name}
                    self.files.setdefault(header, Known({name}))

    def _add_neighbours(self, path: str, name: str) -> None:
        for neighbour in self._code.modules.neighbours(path):
            self.files.setdefault(neighbour, Known()).names.add(name)
