"""Where an answer of ours stands, so that a later event can add to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class PostedAnswer:
    """`kind` says which fields count.

    "github": `number`, `comment_id`, `comment_kind`. "slack": `channel`, `thread_ts`, and `ts` of
    the last of `messages`. "response": `response_url`, for the person alone, half an hour long.
    `key` is the key with which it was said.
    """

    kind: Literal["github", "slack", "response"]
    key: str
    number: int = 0
    comment_id: int = 0
    comment_kind: str = ""
    channel: str = ""
    thread_ts: str = ""
    ts: str = ""
    messages: int = 1
    response_url: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> PostedAnswer:
        return PostedAnswer(**record)
