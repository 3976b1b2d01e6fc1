"""What is said back to a person: Markdown, and buttons where the place can show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Button:
    """`action` says what a click does ("convention.forget"), `value` carries ids only."""

    action: str
    label: str
    value: str
    is_dangerous: bool = False


@dataclass(frozen=True)
class Answer:
    """`text` is Markdown, shown as it is on GitHub and converted for Slack.

    `is_refusal`: nothing was done.
    """

    text: str
    buttons: tuple[Button, ...] = ()
    is_refusal: bool = False


def plural(count: int, one: str, many: str | None = None) -> str:
    """ "1 finding", "2 findings"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def joined(words: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
