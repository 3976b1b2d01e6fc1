"""Would a search by the added lines find what a review should see of other files? Measured.

`python -m tests.data.retrieval.search_against_symbols [FOLDER]` takes every file of Python that
changed between two releases of eight packages (`python -m tests.real_diffs.fetch` brings them) as
one part of a review, and compares the files that symbols lead to (callers of what changed,
definitions of what is used) with the first three that the search finds for the added lines.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from graph.code.briefing import ChangedFile, brief_of
from graph.code.embeddings import installed_embedder
from graph.code.evaluating import LocalIndex
from graph.code.repository import MemoryCode, Overlay
from graph.code.search import search
from graph.diff import FileDiff, parse_diff
from tests.real_diffs.fetch import CACHE, RELEASES, folder_of

HITS = 3
BUDGET_TOKENS = 2_400
NOT_SOURCE = ("tests/", "test/", "docs/", "examples/", "demos/")


@dataclass(frozen=True)
class Compared:
    """One changed file: what symbols lead to, what the search found, and whether names are open."""

    exact: frozenset[str]
    found: tuple[str, ...]
    share: float
    is_unresolved: bool


def compared(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Compared]:
    embedder = installed_embedder()
    code = MemoryCode(old)
    index = LocalIndex({path: text.encode() for path, text in old.items()}, embedder)
    for path in sorted(set(old) & set(new)):
        file = _diff(path, old[path], new[path])
        added = " ".join(line.text for line in file.added()) if file else ""
        if file is None or not added.strip():
            continue
        overlay = Overlay(code, list(old), {path: new[path]})
        changed = ChangedFile(file, old[path], new[path])
        brief = brief_of(overlay, [changed], {path}, BUDGET_TOKENS)
        found = [hit.path for hit in search(index, added, 20, embedder) if hit.path != path]
        exact = frozenset(shown.path for shown in brief.shown) - {path}
        share = len(exact) / max(1, len(old) - 1)
        yield Compared(exact, tuple(found[:HITS]), share, bool(brief.unresolved))


def main(cache: Path) -> int:
    every: list[Compared] = []
    for name, before, after in RELEASES:
        old, new = (_texts(folder_of(cache, name, version)) for version in (before, after))
        if not old or not new:
            print(f"{name} is not there: python -m tests.real_diffs.fetch", file=sys.stderr)
            return 1
        every += compared(old, new)
    led = [one for one in every if one.exact]
    rest = [one for one in every if not one.exact]
    hits = [path in one.exact for one in led for path in one.found]
    print(f"changed files: {len(every)}")
    print(f"symbols lead to other files: {len(led)}")
    print(f"  of the first {HITS} hits in them: {sum(hits) / len(hits):.2f}")
    print(f"  of files drawn at random in them: {sum(o.share for o in led) / len(led):.2f}")
    print(f"symbols lead nowhere: {len(rest)}")
    print(f"  in these names stand elsewhere unresolved: {sum(o.is_unresolved for o in rest)}")
    return 0


def _texts(root: Path) -> dict[str, str]:
    texts = {}
    for file in root.rglob("*.py"):
        path = file.relative_to(root).as_posix()
        if not any(path.startswith(part) or f"/{part}" in path for part in NOT_SOURCE):
            texts[path] = file.read_text(encoding="utf-8", errors="replace")
    return texts


def _diff(path: str, old: str, new: str) -> FileDiff | None:
    names = f"a/{path}", f"b/{path}"
    lines = difflib.unified_diff(old.split("\n"), new.split("\n"), *names, lineterm="")
    text = "\n".join(lines)
    if not text:
        return None
    return parse_diff(f"diff --git {names[0]} {names[1]}\n{text}\n").files[0]


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else CACHE))
