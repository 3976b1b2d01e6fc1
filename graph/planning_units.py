"""A diff cut into parts for one model call each: pure, in order of what matters most."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from graph.checks.definitions import functions_of
from graph.checks.languages import language_of
from graph.checks.syntax import parse
from graph.diff import DiffLine, FileDiff, Hunk
from graph.numbered_diff import heading, hunk_text

CHARACTERS_PER_TOKEN = 3.2
"""Bytes of UTF-8, on the high side for code, so that nothing has to be downloaded to count."""

MAX_FILE_UNITS = 3
"""A file longer than three whole calls is data; what is further down is named."""

LEAD_LINES = 20
TAIL_LINES = 8
"""Unchanged lines of the enclosing function that are shown around a hunk."""

MAX_ENCLOSED_FILES = 30
"""Files read at the head for their functions: each is a request."""

MAX_SOURCE_BYTES = 400_000

_TESTS = re.compile(
    r"(?:^|/)(?:tests?|__tests__|spec|testdata|fixtures)/|(?:^|/)test_|"
    r"[._-](?:test|spec)s?\.[^/]+$|(?:Test|Tests|Spec)\.\w+$"
)
_DOCS = frozenset({".md", ".mdx", ".rst", ".txt", ".adoc"})
_CONFIG = frozenset(
    {".json", ".toml", ".yaml", ".yml", ".ini", ".cfg", ".conf", ".xml", ".properties", ".env",
     ".lock", ".csv", ".svg", ".html", ".css", ".scss", ".less"}
)  # fmt: skip


@dataclass(frozen=True)
class Piece:
    """The part of a file that goes into one call. `keys` are the hunks that it shows a part of."""

    path: str
    text: str
    tokens: int
    keys: tuple[str, ...]


@dataclass(frozen=True)
class Surroundings:
    """Unchanged lines before and after a hunk, with their numbers."""

    lead: tuple[tuple[int, str], ...] = ()
    tail: tuple[tuple[int, str], ...] = ()


NOTHING_AROUND = Surroundings()


@dataclass(frozen=True)
class Part:
    """What one call reads: some pieces of files."""

    pieces: tuple[Piece, ...]

    @property
    def paths(self) -> list[str]:
        return list(dict.fromkeys(piece.path for piece in self.pieces))

    @property
    def keys(self) -> list[str]:
        return list(dict.fromkeys(key for piece in self.pieces for key in piece.keys))

    @property
    def tokens(self) -> int:
        return sum(piece.tokens for piece in self.pieces)

    @property
    def text(self) -> str:
        return "\n".join(piece.text for piece in self.pieces)


def tokens_in(text: str) -> int:
    """About how many tokens `text` costs."""
    return int(len(text.encode("utf-8", "replace")) / CHARACTERS_PER_TOKEN) + 1


def priority(path: str) -> int:
    """0 source, 1 tests, 2 configuration, 3 documents: what is read first when not all fits."""
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in _DOCS:
        return 3
    if _TESTS.search(path):
        return 1
    return 2 if suffix in _CONFIG or not suffix else 0


def in_order(files: Iterable[FileDiff]) -> list[FileDiff]:
    """Source before tests before configuration before documents, neighbours together."""
    return sorted(
        files, key=lambda f: (priority(f.path), str(PurePosixPath(f.path).parent), f.path)
    )


def packed(pieces: Sequence[Piece], budget_tokens: int) -> list[Part]:
    """Pieces, in the order given, in parts of at most `budget_tokens` each.

    A part ends early at a change of directory when it is mostly full, so neighbours stay together.
    """
    parts: list[list[Piece]] = []
    used = 0
    for piece in pieces:
        is_full = used + piece.tokens > budget_tokens
        if parts and used > budget_tokens * 0.75:
            is_full |= _top(parts[-1][-1].path) != _top(piece.path)
        if not parts or is_full:
            parts.append([])
            used = 0
        parts[-1].append(piece)
        used += piece.tokens
    return [Part(tuple(pieces)) for pieces in parts]


def pieces_of(
    file: FileDiff,
    keys_of: Callable[[Hunk], Sequence[str]],
    budget_tokens: int,
    surroundings: Mapping[int, Surroundings],
) -> tuple[list[Piece], int]:
    """A file's change in pieces that each fit into one call, and how many hunks did not fit."""
    head = heading(file)
    room = max(500, budget_tokens - tokens_in(head))
    pieces: list[Piece] = []
    texts: list[str] = []
    keys: list[str] = []
    used = left_out = 0

    def close() -> None:
        nonlocal used
        if texts:
            text = "\n".join([head, *texts])
            pieces.append(Piece(file.path, text, tokens_in(text), tuple(dict.fromkeys(keys))))
            texts.clear()
            keys.clear()
            used = 0

    for whole in file.hunks:
        around = surroundings.get(whole.new_start, NOTHING_AROUND)
        stretches = _cut(whole, room)
        for hunk in stretches:
            text = (
                hunk_text(hunk, around.lead, around.tail)
                if len(stretches) == 1
                else hunk_text(hunk)
            )
            size = tokens_in(text)
            if used + size > room:
                close()
            if len(pieces) >= MAX_FILE_UNITS:
                left_out += 1
                break
            texts.append(text)
            keys.extend(keys_of(whole))
            used += size
    close()
    return pieces, left_out


def surroundings_of(file: FileDiff, head_text: str) -> dict[int, Surroundings]:
    """By a hunk's first line, the unchanged lines of its function that are near."""
    language = language_of(file.path)
    if language is None or file.status == "added" or len(head_text) > MAX_SOURCE_BYTES:
        return {}
    lines = [line.rstrip("\r") for line in head_text.split("\n")]
    shown = file.new_text_lines
    if any(n > len(lines) or lines[n - 1] != text.rstrip("\r") for n, text in shown.items()):
        return {}  # the text of another commit
    syntax = parse(head_text, language)
    functions = [(syntax.first_line(d.node), d.last_line) for d in functions_of(syntax)]
    found = {}
    for hunk in file.hunks:
        lead, tail = _near(hunk, functions)
        found[hunk.new_start] = Surroundings(
            tuple((n, lines[n - 1]) for n in lead if n not in shown),
            tuple((n, lines[n - 1]) for n in tail if n not in shown),
        )
    return found


def _near(hunk: Hunk, functions: Sequence[tuple[int, int]]) -> tuple[Iterable[int], Iterable[int]]:
    first = next((line.new_line for line in hunk.lines if line.kind == "added"), hunk.new_start)
    around = [(start, end) for start, end in functions if start <= (first or 0) <= end]
    if not around:
        return (), ()
    start, end = max(around)  # the innermost one starts last
    lead = range(start, hunk.new_lines.start)
    tail = range(hunk.new_lines.stop, end + 1)
    return (
        lead if len(lead) <= LEAD_LINES else lead[:1],
        tail if len(tail) <= TAIL_LINES else (),
    )


def _cut(hunk: Hunk, room_tokens: int) -> list[Hunk]:
    """A hunk that is too long for one call, in stretches of lines."""
    if tokens_in(hunk_text(hunk)) <= room_tokens:
        return [hunk]
    stretches: list[list[DiffLine]] = [[]]
    used = 0
    for line in hunk.lines:
        size = tokens_in(line.text) + 3
        if used + size > room_tokens * 0.9 and stretches[-1]:
            stretches.append([])
            used = 0
        stretches[-1].append(line)
        used += size
    return [replace(hunk, lines=tuple(lines)) for lines in stretches]


def _top(path: str) -> str:
    return "/".join(path.split("/")[:-1][:2])
