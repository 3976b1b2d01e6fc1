"""What a part of a review is told of the rest of the repository: uses of what it changes first,
then definitions of what its new lines use. Exact, cited by path and line, and little."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from graph.code.callers import Caller, callers_of
from graph.code.changes import SymbolChange, changes_of
from graph.code.imports import EVERYTHING
from graph.code.outline import Symbol
from graph.code.repository import Code
from graph.diff import FileDiff
from graph.planning_units import tokens_in

MAX_CHANGES = 12
MAX_USES = 20
MAX_USES_OF_BODY = 5
"""A changed body concerns callers less than a changed signature."""

MAX_UNRESOLVED = 4
"""Each is looked for in the texts of all files that hold its name."""

MAX_DEFINITIONS = 16
MAX_DEFINITION_LINES = 14
MAX_MEMBERS = 12

_WHAT = {
    "removed": "was removed",
    "renamed": "was renamed",
    "unexported": "is no longer exported",
    "parameters": "takes other parameters",
    "returns": "returns another type",
    "body": "behaves differently",
}


@dataclass(frozen=True)
class Shown:
    """Lines of one file that a brief shows."""

    path: str
    first_line: int
    last_line: int


@dataclass(frozen=True)
class Brief:
    """The text for one part, where it comes from, and why there is any, in a few words.

    `unresolved` are changed definitions whose names stand in other files in a way that symbols
    don't explain: a search may lead further there, and only there.
    """

    text: str = ""
    shown: tuple[Shown, ...] = ()
    why: str = ""
    left_out: int = 0
    unresolved: tuple[str, ...] = ()


@dataclass(frozen=True)
class ChangedFile:
    """One changed file with its whole text before and after; `after` is None when it is gone."""

    diff: FileDiff
    before: str
    after: str | None


def brief_of(
    code: Code, files: Sequence[ChangedFile], changed_paths: Collection[str], budget_tokens: int
) -> Brief:
    """The brief for a part that shows `files`; `code` is the repository with the change in it.

    `changed_paths` are all files of the pull request: what they use already is known to fit.
    """
    unresolved: list[str] = []
    pieces = [*_uses(code, files, changed_paths, unresolved), *_definitions(code, files)]
    kept: list[str] = []
    shown: list[Shown] = []
    used = left_out = uses = 0
    for text, places, is_use in pieces:
        size = tokens_in(text)
        if used + size > budget_tokens:
            left_out += 1
            continue
        used += size
        kept.append(text)
        shown += places
        uses += is_use
    if left_out:
        kept.append(f"({left_out} more did not fit here.)")
    count = len(kept) - uses - bool(left_out)
    why = [f"{uses} changed definitions"] if uses else []
    why += [f"{count} definitions used"] if count else []
    seen = tuple(dict.fromkeys(shown))
    return Brief("\n\n".join(kept), seen, ", ".join(why), left_out, tuple(unresolved))


Piece = tuple[str, list[Shown], bool]


def _uses(
    code: Code, files: Sequence[ChangedFile], changed_paths: Collection[str],
    unresolved: list[str],
) -> Iterator[Piece]:  # fmt: skip
    found: list[SymbolChange] = []
    for file in files:
        path = file.diff.old_path if file.diff.status == "renamed" else file.diff.path
        after = None if path != file.diff.path else file.after
        if path == file.diff.path or file.after is None:
            found += changes_of(path, file.before, after, file.diff.added_lines)
    for change in found[:MAX_CHANGES]:
        uses = callers_of(code, change.path, change.old, change.arities)
        told = [u for u in uses if _concerns(u, change, changed_paths)]
        if not uses and len(unresolved) < MAX_UNRESOLVED and _is_named_elsewhere(code, change):
            unresolved.append(change.old.full_name)
        if told or change.kind in ("removed", "renamed", "parameters"):
            yield _change_text(change, told), [Shown(u.path, u.line, u.line) for u in told], True


def _is_named_elsewhere(code: Code, change: SymbolChange) -> bool:
    name = change.old.name
    return not name.startswith("__") and any(p != change.path for p in code.files_naming(name))


def _concerns(use: Caller, change: SymbolChange, changed_paths: Collection[str]) -> bool:
    """What the same pull request changes and what fits now needs no word."""
    if use.path not in changed_paths:
        return use.role != "import" or change.kind in ("removed", "renamed", "unexported")
    return use.fits is False or change.kind in ("removed", "renamed", "unexported")


def _change_text(change: SymbolChange, uses: Sequence[Caller]) -> str:
    name = change.old.full_name
    head = f"`{name}` of {change.path} {_WHAT[change.kind]}"
    if change.kind == "renamed" and change.new is not None:
        head += f" to `{change.new.name}`"
    if change.new is not None and change.kind in ("parameters", "returns"):
        head += f": it was `{change.old.signature}` and is `{change.new.signature}`"
    broken = [u for u in uses if u.fits is False]
    if broken and change.arities:
        takes = " or ".join(dict.fromkeys(a.words for a in change.arities))
        head += f". It takes {takes} arguments now; these {len(broken)} calls don't fit"
    if not uses:
        return f"{head}. No use of it could be resolved in the rest of the repository."
    limit = MAX_USES_OF_BODY if change.kind == "body" else MAX_USES
    ordered = sorted(uses, key=lambda u: (u.fits is not False, u.path, u.line))
    lines = [_use_text(use) for use in ordered[:limit]]
    if len(ordered) > limit:
        lines.append(f"- and {len(ordered) - limit} more")
    return "\n".join([f"{head}. Used at:", *lines])


def _use_text(use: Caller) -> str:
    within = f" in {use.within}" if use.within else ""
    passes = ""
    if use.arguments is not None and use.fits is False:
        passes = f" (passes {use.arguments.count}, does not fit)"
    return f"- {use.path}:{use.line}{within}{passes}: {use.text}"


def _definitions(code: Code, files: Sequence[ChangedFile]) -> Iterator[Piece]:
    own = {file.diff.path for file in files}
    told: set[tuple[str, str]] = set()
    for file in files:
        if file.after is None:
            continue
        added = "\n".join(line.text for line in file.diff.added())
        for path, symbol in _used(code, file.diff.path, added):
            key = (path, symbol.full_name)
            if key in told or path in own or len(told) >= MAX_DEFINITIONS:
                continue
            told.add(key)
            text, last_line = _definition_text(code, path, symbol)
            yield text, [Shown(path, symbol.first_line, last_line)], False


def _used(code: Code, path: str, added: str) -> Iterator[tuple[str, Symbol]]:
    """What the new lines name and other files define: through imports, or in the same package."""
    words = set(re.findall(r"[A-Za-z_$][\w$]*", added))
    for one in code.facts(path).imports:
        if not one.module:
            continue
        wanted = words if one.name == EVERYTHING else {one.name} if one.alias in words else set()
        targets = code.modules.files_of(one.module, path)
        if not one.name:
            wanted = set(re.findall(rf"\b{re.escape(one.alias)}(?:\.|::)(\w+)", added))
        elif one.name != EVERYTHING and one.alias in words:
            targets += code.modules.part_of(one.module, one.name, path)
            wanted = wanted | set(re.findall(rf"\b{re.escape(one.alias)}(?:\.|::)(\w+)", added))
        for target in targets:
            yield from _symbols(code, target, wanted)
    for neighbour in code.modules.neighbours(path)[:40]:
        yield from _symbols(code, neighbour, words)


def _symbols(code: Code, path: str, wanted: Collection[str]) -> Iterator[tuple[str, Symbol]]:
    if wanted:
        for symbol in code.facts(path).symbols:
            if symbol.name in wanted and not symbol.owner:
                yield path, symbol


def _definition_text(code: Code, path: str, symbol: Symbol) -> tuple[str, int]:
    where = f"{path}:{symbol.first_line}"
    if symbol.kind in ("class", "interface"):
        members = [
            f"  {s.first_line}: {s.signature}" for s in code.facts(path).symbols
            if s.owner == symbol.name and s.is_public
        ]  # fmt: skip
        text = "\n".join([f"{where} {symbol.signature}", *members[:MAX_MEMBERS]])
        return text, symbol.last_line
    last_line = min(symbol.last_line, symbol.first_line + MAX_DEFINITION_LINES - 1)
    lines = (code.text(path) or "").split("\n")[symbol.first_line - 1 : last_line]
    more = ["…"] if last_line < symbol.last_line else []
    return "\n".join([f"{where} defines", *lines, *more]), last_line
