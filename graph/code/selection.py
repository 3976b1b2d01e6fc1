"""Which files of a commit are worth an index, and why the others are left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from graph.checks.languages import language_of
from graph.code.repository import MAX_SOURCE_BYTES
from graph.generated import Attributes, name_reason
from graph.planning_units import priority

MAX_FILES = 20_000
MAX_TOTAL_BYTES = 200_000_000
"""Beyond these an index takes longer than a day's pushes; what is named first stays out last."""

EXAMPLES = 5
"""Paths that are named for each reason; the count tells the rest."""

_TEXT_SUFFIXES = frozenset(
    {".md", ".rst", ".toml", ".yaml", ".yml", ".proto", ".graphql", ".sql", ".html", ".vue",
     ".svelte", ".scss", ".css", ".tf", ".gradle", ".ini", ".cfg"}
)  # fmt: skip
_TEXT_NAMES = frozenset({"Dockerfile", "Makefile", "Procfile", "Jenkinsfile"})
_SECRET_NAMES = frozenset(
    {"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials", ".netrc", ".npmrc", ".pypirc",
     "secrets.yml", "secrets.yaml", "secrets.toml", "secrets.ini", "credentials.toml"}
)  # fmt: skip
_SECRET_SUFFIXES = frozenset({".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".env"})

REGULAR_MODES = frozenset({"100644", "100755", "100664"})


@dataclass(frozen=True)
class Entry:
    """One path of a commit's tree. `sha` names its content; `mode` is git's."""

    path: str
    sha: str
    size: int
    mode: str = "100644"


@dataclass
class LeftOut:
    """What the index does not hold: by reason the number of files, and some of their paths."""

    reasons: dict[str, list[object]] = field(default_factory=dict)

    def add(self, path: str, reason: str) -> None:
        entry = self.reasons.setdefault(reason, [0, []])
        count, examples = entry
        assert isinstance(count, int)
        assert isinstance(examples, list)
        entry[0] = count + 1
        if count < EXAMPLES:
            examples.append(path)

    def sentences(self) -> list[str]:
        """One for each reason, most files first."""
        ordered = sorted(self.reasons.items(), key=lambda item: -int(str(item[1][0])))
        return [f"{entry[0]} files: {reason}" for reason, entry in ordered]


def selected(
    entries: Iterable[Entry], attributes: Attributes, left_out: LeftOut
) -> dict[str, Entry]:
    """The files to index by path, source first; the reasons for the others go to `left_out`."""
    chosen: list[Entry] = []
    for entry in entries:
        reason = _reason(entry, attributes)
        if reason:
            left_out.add(entry.path, reason)
        else:
            chosen.append(entry)
    chosen.sort(key=lambda e: (priority(e.path), e.path))
    kept: dict[str, Entry] = {}
    total = 0
    for entry in chosen:
        if len(kept) >= MAX_FILES:
            left_out.add(entry.path, f"over the limit of {MAX_FILES:,} files")
        elif total + entry.size > MAX_TOTAL_BYTES:
            left_out.add(entry.path, f"over the limit of {MAX_TOTAL_BYTES // 1_000_000} MB")
        else:
            kept[entry.path] = entry
            total += entry.size
    return kept


def _reason(entry: Entry, attributes: Attributes) -> str:
    path = PurePosixPath(entry.path)
    if entry.mode not in REGULAR_MODES:
        return "no regular file"
    name = path.name
    if name in _SECRET_NAMES or path.suffix in _SECRET_SUFFIXES or name.startswith(".env"):
        return "made to hold secrets"
    if language_of(entry.path) is None and (
        path.suffix.lower() not in _TEXT_SUFFIXES and name not in _TEXT_NAMES
    ):
        return "of a kind that is not indexed"
    if entry.size > MAX_SOURCE_BYTES:
        return f"larger than {MAX_SOURCE_BYTES // 1_000} kB"
    return name_reason(entry.path, attributes)
