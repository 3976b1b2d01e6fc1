"""What a team said, as a record: the convention, where it came from, and where it applies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, get_args

import pathspec

Topic = Literal[
    "line_length", "formatting", "naming", "imports", "typing", "documentation", "tests",
    "logging", "errors", "security", "dependencies", "api", "database", "performance",
    "process", "other",
]  # fmt: skip
Mode = Literal["enforce", "ignore", "context"]
Status = Literal["active", "proposed", "deleted"]
Place = Literal["github", "slack", "cli", "file"]

TOPICS: tuple[Topic, ...] = get_args(Topic)
MODES: tuple[Mode, ...] = get_args(Mode)

SINGLE_VALUED: frozenset[Topic] = frozenset({"line_length"})
"""Topics with one slot per set of paths: a second value is a correction, never a second rule."""

MAX_RULE_CHARACTERS = 2_000
"""A rule is a sentence or two; more is a document, which belongs in the repository."""

MAX_CONVENTIONS = 1_000
"""Per repository. Beyond this a list is not read by anybody, and the prompt holds far fewer."""


@dataclass(frozen=True)
class Source:
    """Who said it, and where. `name` is for display; the ids are the identity.

    `is_private`: said in a private channel, and its author has not agreed yet to its being shown.
    """

    place: Place
    name: str
    permalink: str = ""
    github_id: int | None = None
    slack_team: str | None = None
    slack_user: str | None = None
    thread: str = ""
    said_at: float = 0.0
    is_private: bool = False


@dataclass(frozen=True)
class Convention:
    """One rule in a developer's own words. Times are seconds since the epoch.

    `paths` are gitignore-style globs; one that begins with "!" takes files out again, and empty
    means everywhere. `check` is the JSON form of a check that code can run (see `graph.checks`).
    `version` counts the corrections of this id and starts at 1.
    """

    id: str
    topic: Topic
    rule: str
    source: Source
    mode: Mode = "enforce"
    paths: tuple[str, ...] = ()
    status: Status = "active"
    check: Mapping[str, Any] | None = None
    version: int = 1
    created_at: float = 0.0
    updated_at: float = 0.0
    expires_at: float | None = None
    last_used_at: float | None = None
    hits: int = 0
    evidence: tuple[str, ...] = field(default=())

    @property
    def reference(self) -> str:
        """Id and version, as runs record what they used: "C7@3"."""
        return f"{self.id}@{self.version}"

    def is_active(self, now: float) -> bool:
        return self.status == "active" and (self.expires_at is None or self.expires_at > now)

    def applies_to(self, path: str) -> bool:
        """Whether `path` (with "/" separators, from the repository's root) is in scope."""
        return not self.paths or _matches(self.paths, path)

    def to_json(self) -> dict[str, Any]:
        record = asdict(self)
        record["paths"], record["evidence"] = list(self.paths), list(self.evidence)
        return record

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> Convention:
        """The inverse of `to_json`. Raises KeyError or TypeError on a record of another shape."""
        values = dict(record)
        values["source"] = Source(**values["source"])
        values["paths"] = tuple(values.get("paths", ()))
        values["evidence"] = tuple(values.get("evidence", ()))
        return Convention(**values)

    def corrected(self, rule: str, source: Source, now: float, **changes: Any) -> Convention:
        """The next version: same id and creation time, new words and speaker."""
        return replace(
            self, rule=rule, source=source, version=self.version + 1, updated_at=now, **changes
        )


def _matches(paths: Iterable[str], path: str) -> bool:
    wanted = [glob for glob in paths if not glob.startswith("!")]
    unwanted = [glob[1:] for glob in paths if glob.startswith("!")]
    if unwanted and _spec(tuple(unwanted)).match_file(path):
        return False
    return not wanted or _spec(tuple(wanted)).match_file(path)


@lru_cache(maxsize=4_096)
def _spec(globs: tuple[str, ...]) -> pathspec.GitIgnoreSpec:
    return pathspec.GitIgnoreSpec.from_lines(globs)


def specificity(paths: Sequence[str], path: str) -> tuple[int, int]:
    """How narrowly `paths` name `path`: (literal segments, literal characters) of the best glob.

    An empty `paths` is everywhere and is the least specific of all.
    """
    best = (-1, -1)
    for glob in paths:
        if not glob.startswith("!") and _matches([glob], path):
            literal = [s for s in glob.strip("/").split("/") if not set(s) & set("*?[")]
            characters = sum(1 for c in glob if c not in "*?[]!")
            best = max(best, (len(literal), characters))
    return best


def effective(conventions: Iterable[Convention], path: str) -> list[Convention]:
    """The conventions that hold for `path`, single-valued topics reduced to the one that wins.

    Narrowest paths win, then the repository over the organisation (ids that begin with O), then
    the newest. Order of the answer is by id, repository first.
    """
    holding = [c for c in conventions if c.applies_to(path)]
    winners: dict[Topic, Convention] = {}
    for convention in holding:
        if convention.topic in SINGLE_VALUED and convention.mode == "enforce":
            current = winners.get(convention.topic)
            if current is None or _rank(convention, path) > _rank(current, path):
                winners[convention.topic] = convention
    kept = [
        c
        for c in holding
        if c.topic not in winners or c.mode != "enforce" or winners[c.topic].id == c.id
    ]
    return sorted(kept, key=lambda c: id_order(c.id))


def _rank(convention: Convention, path: str) -> tuple[tuple[int, int], bool, float]:
    return (
        specificity(convention.paths, path),
        convention.id.startswith("C"),
        convention.updated_at,
    )


def id_order(convention_id: str) -> tuple[str, int]:
    """Sort key of ids: C2 before C10, repository before organisation."""
    return convention_id[:1], int(convention_id[1:] or 0)
