"""The state of one thread: small JSON data and messages, no clients, no diffs.

Channels of the thread live as long as the pull request; channels of the turn are reset by the
first node for every new event.
"""

from __future__ import annotations

import operator
from typing import Annotated, Any, Literal, TypedDict

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from langgraph.types import Overwrite


class Turn(TypedDict):
    """What one event asks of the thread."""

    event_id: str
    kind: Literal["review", "message"]
    cause: str
    text: str


class Instruction(TypedDict):
    """A standing instruction of one pull request, in the person's own words."""

    id: str
    words: str
    by: str
    by_id: int | None
    said_at: float


class Summary(TypedDict):
    """What a long thread was about, up to the message with the id `upto`."""

    text: str
    upto: str


class Unit(TypedDict):
    """One part of a diff for one model call: paths, the blob that holds its text, its size.

    `keys` are the hunks it shows; `only` names the conventions it is read for, empty means all.
    """

    number: int
    paths: list[str]
    blob: str
    tokens: int
    keys: list[str]
    only: list[str]


class Reading(TypedDict, total=False):
    """What the plan decided. `keys` are all hunks that someone should read on this head.

    `no_model` says why no model read anything, `hidden` what was stripped from the text.
    """

    keys: list[str]
    conventions: list[str]
    no_model: str
    hidden: list[str]
    is_partial: bool
    nothing_to_read: bool


class Route(TypedDict, total=False):
    """Whether other code was wanted for the review, and why; `briefs` by a unit's number.

    `lookups` are the units that may look up more by themselves. `commit` is what the index was
    built from, `base` the base of the pull request.
    """

    wanted: bool
    reason: str
    commit: str
    base: str
    briefs: dict[str, str]
    lookups: list[int]


class UnitTask(TypedDict):
    """What one `review_unit` is sent. `said` are titles of findings that were told before.

    `brief` is the blob of what was looked up in the rest of the repository, or "". `looked_up` is
    what the unit has looked up by itself, `calls_left` how much more it may.
    """

    unit: Unit
    instructions: list[Instruction]
    said: list[str]
    brief: str
    looked_up: list[dict[str, Any]]
    calls_left: int


class RefuteTask(TypedDict):
    """What one `refute` is sent: findings about one file."""

    claims: list[dict[str, Any]]
    instructions: list[Instruction]


class ReviewState(TypedDict, total=False):
    # the thread
    messages: Annotated[list[AnyMessage], add_messages]
    instructions: list[Instruction]
    summary: Summary | None
    about: int | None
    last_reviewed_sha: str
    last_conventions: list[str]
    read_hunks: list[str]
    told: list[dict[str, Any]]
    # the turn
    turn: Turn
    head_sha: str
    base_sha: str
    skip: str
    started_at: float
    seconds: float
    settings: dict[str, Any]
    recalled: Annotated[list[str], operator.add]
    retrieved: Annotated[list[dict[str, Any]], operator.add]
    briefing: str
    unread: Annotated[list[dict[str, str]], operator.add]
    reading: Reading
    units: list[Unit]
    route: Route
    asked: Annotated[list[dict[str, Any]], operator.add]
    looked_up: Annotated[list[dict[str, Any]], operator.add]
    looking: dict[str, int]
    answered: Annotated[list[int], operator.add]
    proposals: Annotated[list[dict[str, Any]], operator.add]
    verdicts: Annotated[list[dict[str, Any]], operator.add]
    candidates: Annotated[list[dict[str, Any]], operator.add]
    dropped: Annotated[list[dict[str, str]], operator.add]
    failures: Annotated[list[str], operator.add]
    findings: list[dict[str, Any]]
    counted: list[dict[str, Any]]
    resolutions: list[dict[str, Any]]
    usage: Annotated[list[dict[str, Any]], operator.add]
    published: dict[str, Any]
    answer: dict[str, Any]


def fresh_turn(turn: Turn) -> dict[str, Any]:
    """The update that begins a turn: every channel of the turn emptied, the thread's kept."""
    return {
        "turn": turn,
        "head_sha": "",
        "base_sha": "",
        "skip": "",
        "started_at": 0.0,
        "seconds": 0.0,
        "settings": {},
        "recalled": Overwrite([]),
        "retrieved": Overwrite([]),
        "briefing": "",
        "unread": Overwrite([]),
        "reading": {},
        "units": [],
        "route": {},
        "asked": Overwrite([]),
        "looked_up": Overwrite([]),
        "looking": {},
        "answered": Overwrite([]),
        "proposals": Overwrite([]),
        "verdicts": Overwrite([]),
        "candidates": Overwrite([]),
        "dropped": Overwrite([]),
        "failures": Overwrite([]),
        "findings": [],
        "counted": [],
        "resolutions": [],
        "usage": Overwrite([]),
        "published": {},
        "answer": {},
    }
