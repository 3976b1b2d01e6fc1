"""What a change does to a file's definitions: renamed, removed, other parameters or results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from graph.code.arity import Arity
from graph.code.outline import Symbol
from graph.code.repository import facts_of
from graph.diff import FileDiff

ChangeKind = Literal["renamed", "removed", "unexported", "parameters", "returns", "body"]

ORDER: tuple[ChangeKind, ...] = (
    "removed", "renamed", "unexported", "parameters", "returns", "body",
)  # fmt: skip
"""What breaks callers for certain comes first."""


@dataclass(frozen=True)
class SymbolChange:
    """`old` as it was and stands at `path`; `new` as it is now, None when it is gone.

    `arities` are what the name takes now, one for each overload.
    """

    kind: ChangeKind
    path: str
    old: Symbol
    new: Symbol | None
    arities: tuple[Arity, ...] = ()


def old_text(file: FileDiff, new_text: str) -> str | None:
    """The file before the change, by taking the hunks back; None when they don't belong to it."""
    if file.status == "added":
        return ""
    lines = new_text.split("\n") if file.status != "removed" else []
    for hunk in reversed(file.hunks):
        new = [line.text for line in hunk.lines if line.kind != "removed"]
        old = [line.text for line in hunk.lines if line.kind != "added"]
        start = max(hunk.new_start - 1, 0) if new else hunk.new_start
        if [t.rstrip("\r") for t in lines[start : start + len(new)]] != [
            t.rstrip("\r") for t in new
        ]:
            return None
        lines[start : start + len(new)] = old
    return "\n".join(lines)


def changes_of(
    path: str, before: str, after: str | None, changed: frozenset[int] = frozenset()
) -> list[SymbolChange]:
    """Changes of the definitions at `path`; `after` is None when the file is gone.

    `changed` are the new-file numbers of added lines: they tell whose body changed.
    """
    old = _functions(facts_of(path, before).symbols)
    new = _functions(facts_of(path, after).symbols) if after is not None else []
    by_name: dict[tuple[str, str], list[Symbol]] = {}
    for symbol in new:
        by_name.setdefault((symbol.owner, symbol.name), []).append(symbol)
    old_names = {(s.owner, s.name) for s in old}
    added = [s for s in new if (s.owner, s.name) not in old_names]
    found: list[SymbolChange] = []
    told: set[tuple[str, str]] = set()
    for symbol in old:
        key = (symbol.owner, symbol.name)
        if key in told:
            continue
        told.add(key)
        now = by_name.get(key, [])
        if not now:
            renamed = _renamed(symbol, before, added, after or "")
            kind: ChangeKind = "renamed" if renamed else "removed"
            found.append(SymbolChange(kind, path, symbol, renamed, _arities([renamed])))
            continue
        kinds = _kinds([s for s in old if (s.owner, s.name) == key], now, changed)
        found += [SymbolChange(kind, path, symbol, now[0], _arities(now)) for kind in kinds]
    return sorted(found, key=lambda c: ORDER.index(c.kind))


def _functions(symbols: Sequence[Symbol]) -> list[Symbol]:
    return [s for s in symbols if not (s.owner and s.name == s.owner and s.kind == "class")]


def _arities(symbols: Sequence[Symbol | None]) -> tuple[Arity, ...]:
    return tuple(s.arity for s in symbols if s is not None and s.arity is not None)


def _kinds(
    old: Sequence[Symbol], new: Sequence[Symbol], changed: frozenset[int]
) -> list[ChangeKind]:
    kinds: list[ChangeKind] = []
    if old[0].is_public and not any(s.is_public for s in new):
        kinds.append("unexported")
    if old[0].kind in ("class", "interface", "constant"):
        return kinds
    if sorted(map(_parameters, old)) != sorted(map(_parameters, new)):
        kinds.append("parameters")
    elif sorted(s.returns for s in old) != sorted(s.returns for s in new):
        kinds.append("returns")
    elif not kinds and any(s.first_line <= line <= s.last_line for s in new for line in changed):
        kinds.append("body")
    return kinds


def _parameters(symbol: Symbol) -> str:
    """What a caller has to pass, without the written types."""
    arity = symbol.arity
    if arity is None:
        return symbol.signature
    return repr((arity.least, arity.most, arity.names, arity.keywords, arity.required))


def _renamed(old: Symbol, before: str, added: Sequence[Symbol], after: str) -> Symbol | None:
    """The new definition that says the same under another name."""
    body = _body(old, before)
    alike = [s for s in added if (s.kind, s.owner) == (old.kind, old.owner)]
    same = [s for s in alike if _body(s, after) == body]
    if same:
        return same[0]
    near = [
        s
        for s in alike
        if _parameters(s) == _parameters(old) and _overlap(body, _body(s, after)) > 0.6
    ]
    return near[0] if len(near) == 1 else None


def _body(symbol: Symbol, text: str) -> str:
    lines = text.split("\n")[symbol.first_line - 1 : symbol.last_line]
    return re.sub(rf"\b{re.escape(symbol.name)}\b", "‹name›", "\n".join(lines))


def _overlap(one: str, other: str) -> float:
    words, others = set(re.findall(r"\w+", one)), set(re.findall(r"\w+", other))
    return len(words & others) / max(1, len(words | others))
