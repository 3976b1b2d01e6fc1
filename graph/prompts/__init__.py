"""The system texts of the review's model calls, one file each."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


@cache
def prompt(name: str) -> str:
    """The text of `name`.md, without its final line feed."""
    return (_HERE / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")
