"""The parts of a webhook's payload that a decision needs, read without trusting its shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.encodable import encodable


@dataclass(frozen=True)
class Payload:
    """A payload of one delivery. Every reader answers None for what is missing or of another type.

    GitHub's own examples don't all fit its published schema, and new keys and actions appear any
    time, so nothing is refused for its shape: what a decision lacks is a reason to ignore.
    """

    event: str
    delivery: str
    body: dict[str, Any]

    @property
    def action(self) -> str:
        return self.text("action") or ""

    @property
    def installation_id(self) -> int | None:
        return self.number("installation", "id")

    @property
    def account_id(self) -> int | None:
        return self.number("repository", "owner", "id") or self.number(
            "installation", "account", "id"
        )

    @property
    def repository_id(self) -> int | None:
        return self.number("repository", "id")

    @property
    def sender_is_bot(self) -> bool:
        return self.text("sender", "type") == "Bot" or (
            self.text("sender", "login") or ""
        ).endswith("[bot]")

    def get(self, *path: str | int) -> Any:
        """What stands at the path; a number is the place in a list."""
        value: Any = self.body
        for name in path:
            if isinstance(value, dict):
                value = value.get(name)
            elif isinstance(value, list) and isinstance(name, int) and name < len(value):
                value = value[name]
            else:
                return None
        return value

    def text(self, *path: str | int) -> str | None:
        value = self.get(*path)
        return encodable(value) if isinstance(value, str) else None

    def sha(self, *path: str | int) -> str | None:
        """A commit's id; it becomes part of subjects and of addresses."""
        value = self.text(*path)
        is_sha = value is not None and 0 < len(value) <= 64 and value.isascii() and value.isalnum()
        return value if is_sha else None

    def number(self, *path: str | int) -> int | None:
        """A positive whole number below 2**53, as ids and counts are."""
        value = self.get(*path)
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return value if is_number and 0 < value < 2**53 else None

    def identity(self) -> dict[str, Any]:
        """The ids that every event of a repository carries."""
        return {
            "id": f"gh:{self.delivery}",
            "action": self.action[:100],
            "installation_id": self.installation_id,
            "account_id": self.account_id,
            "repository_id": self.repository_id,
            "actor_id": self.number("sender", "id"),
            "actor_login": (self.text("sender", "login") or "")[:100],
        }
