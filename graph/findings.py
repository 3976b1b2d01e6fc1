"""A finding: what is wrong, where, why it matters, and how it is recognised again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from graph.anchors import Anchor

Severity = Literal["low", "medium", "high", "critical"]
Category = Literal[
    "bug", "security", "secret", "performance", "convention", "tests", "maintainability"
]
Origin = Literal["check", "model", "secret"]

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
CATEGORIES: tuple[Category, ...] = get_args(Category)

NEVER_IGNORED: frozenset[Category] = frozenset({"bug", "security", "secret"})
"""What neither an ignoring convention nor an instruction of the thread can hide."""


@dataclass(frozen=True)
class Finding:
    """One thing to say. `anchor` is None when it can't stand on a line of the diff.

    `title` is one sentence, `message` the concrete failure. `quote` is the code line it stands on.
    `also_at` names further places of the same cause. `suggestion` replaces exactly the anchored
    lines.
    """

    path: str
    category: Category
    severity: Severity
    title: str
    message: str
    anchor: Anchor | None
    quote: str = ""
    origin: Origin = "model"
    confidence: float = 1.0
    convention_id: str | None = None
    convention_version: int = 0
    suggestion: str | None = None
    also_at: tuple[Anchor, ...] = ()

    @property
    def fingerprint(self) -> str:
        """Recognises the finding on later heads: never a line number, so it survives pushes.

        A violation of a checked convention is one cause wherever it stands, so its key is the
        convention and its version: a corrected rule is a new one to be told.
        """
        if self.origin == "check" and self.convention_id:
            return _digest("check", self.convention_id, str(self.convention_version))
        words = sorted(set(re.findall(r"\w+", self.title.casefold())))
        code = re.sub(r"\s+", " ", self.quote).strip()
        return _digest(self.path, self.convention_id or self.category, code, " ".join(words))

    def to_json(self) -> dict[str, Any]:
        record = asdict(self)
        record["also_at"] = [asdict(anchor) for anchor in self.also_at]
        return record

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> Finding:
        values = dict(record)
        anchor = values.get("anchor")
        values["anchor"] = Anchor(**anchor) if anchor else None
        values["also_at"] = tuple(Anchor(**place) for place in values.get("also_at", ()))
        return Finding(**values)


def at_least(severity: Severity, floor: Severity) -> bool:
    return SEVERITIES.index(severity) >= SEVERITIES.index(floor)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]
