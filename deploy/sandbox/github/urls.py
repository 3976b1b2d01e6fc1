"""The addresses in answers: always those the client used, so that it can follow them."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import UTC, datetime

API = "/api/v3"


@dataclass(frozen=True)
class Urls:
    """`base` is scheme, host and port of the API; `pages` the same for pages people look at."""

    base: str
    pages: str

    def api(self, path: str) -> str:
        return f"{self.base}{API}{path}"

    def web(self, path: str) -> str:
        return f"{self.pages}{path}"


def iso(time_s: float) -> str:
    return datetime.fromtimestamp(time_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def iso_or_none(time_s: float | None) -> str | None:
    return None if time_s is None else iso(time_s)


def node_id(prefix: str, number: int) -> str:
    """A global id in GitHub's newer form: a type prefix and an opaque rest."""
    packed = base64.urlsafe_b64encode(number.to_bytes(8, "big")).decode().rstrip("=")
    return f"{prefix}_kwDO{packed}"


def split_node_id(value: str) -> tuple[str, int] | None:
    """The inverse of `node_id`; None for anything else."""
    prefix, mark, packed = value.partition("_kwDO")
    if not mark or not packed:
        return None
    try:
        raw = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    except ValueError:
        return None
    return (prefix, int.from_bytes(raw, "big")) if len(raw) == 8 else None
