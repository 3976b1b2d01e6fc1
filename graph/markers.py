"""Our own hidden marks in what we publish, and how they are kept from being forged.

A mark is an HTML comment that GitHub does not show: `<!-- precedent:finding f=1a2b c=C7 v=3 -->`.
Whoever reads marks passes only comments written by our own app; text that is not ours is defused
before it goes into a comment of ours.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

_MARK = re.compile(r"<!-- precedent:(?P<kind>[a-z]+)(?P<pairs>(?: [a-z]+=[^\s<>=]+)*) -->")
_KEY_MARK = re.compile(r"<(?=!-- precedent:(?:review|reply)\b)")
_LOOKS_LIKE_A_MARK = re.compile(r"<(?=!-{0,2}[^a-z0-9]*precedent)", re.IGNORECASE)


@dataclass(frozen=True)
class Mark:
    """One hidden mark: its kind and its values, as text."""

    kind: str
    values: Mapping[str, str] = field(default_factory=dict)

    def render(self) -> str:
        pairs = "".join(
            f" {name}={quote(value, safe=':@/')}" for name, value in self.values.items()
        )
        return f"<!-- precedent:{self.kind}{pairs} -->"


@dataclass(frozen=True)
class FindingMark:
    """Which finding a comment tells. `convention_id` is "" for one that cites no convention."""

    fingerprint: str
    convention_id: str = ""
    version: int = 0


def marks(body: str) -> tuple[Mark, ...]:
    """Every mark in the body of a comment that our own app wrote."""
    found = []
    for match in _MARK.finditer(body):
        pairs = (pair.split("=", 1) for pair in match["pairs"].split())
        found.append(Mark(match["kind"], {name: unquote(value) for name, value in pairs}))
    return tuple(found)


def review_mark(repository_id: int, number: int, head_sha: str, cause: str) -> Mark:
    """The publication key, as it stands in the body of a review."""
    values = {"repo": str(repository_id), "pr": str(number), "sha": head_sha, "cause": cause}
    return Mark("review", values)


def finding_mark(fingerprint: str, convention_id: str = "", version: int = 0) -> str:
    """The mark to append to a review comment, ready to print."""
    values = {"f": fingerprint}
    if convention_id:
        values |= {"c": convention_id, "v": str(version)}
    return Mark("finding", values).render()


def finding_marks(body: str) -> tuple[FindingMark, ...]:
    """The findings that a comment of ours tells."""
    found = []
    for mark in marks(body):
        version = mark.values.get("v", "0")
        if mark.kind == "finding" and mark.values.get("f") and version.isdecimal():
            convention_id = mark.values.get("c", "")
            found.append(FindingMark(mark.values["f"], convention_id, int(version)))
    return tuple(found)


def reply_mark(key: str) -> Mark:
    """The mark of a reply, by the key of the effect; hashed, for keys hold names and places."""
    return Mark("reply", {"k": hashlib.sha256(key.encode()).hexdigest()[:32]})


def has_mark(body: str, mark: Mark) -> bool:
    return mark in marks(body)


def defuse(text: str) -> str:
    """`text` (not ours) with everything that could be read as a mark of ours made visible."""
    return _LOOKS_LIKE_A_MARK.sub("&lt;", text)


def without_keys(text: str) -> str:
    """`text` of ours without marks of a review or reply, which only the publisher may set.

    Marks of findings stay.
    """
    return _KEY_MARK.sub("&lt;", text)
