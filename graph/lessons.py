"""What is about to be taught, what had to be asked, and what came of it, as records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from graph.conventions import Convention, Mode, Source, Topic

What = Literal[
    "taught", "replaced", "proposed", "unchanged", "question", "forgotten", "restored", "approved",
    "dismissed", "edited", "undone",
]  # fmt: skip


class BookError(ValueError):
    """Something can't be done; the message says why and what to do instead."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


@dataclass(frozen=True)
class Lesson:
    """A rule about to be taught. `rule` holds the person's own words.

    `replaces` names the id that a correction is meant for; `keep_both` says that the person was
    asked about the conflict and wants both.
    """

    rule: str
    topic: Topic
    mode: Mode = "enforce"
    paths: tuple[str, ...] = ()
    check: Mapping[str, Any] | None = None
    is_proposal: bool = False
    replaces: str | None = None
    keep_both: bool = False
    evidence: tuple[str, ...] = ()
    expires_at: float | None = None


@dataclass(frozen=True)
class Question:
    """ "Replace C3 or keep both?", as it is stored until it is answered or expires."""

    id: str
    asker: str
    thread: str
    lesson: Lesson
    by: Source
    conflicting: tuple[str, ...]
    asked_at: float

    def to_json(self) -> dict[str, Any]:
        record = asdict(self)
        record["conflicting"] = list(self.conflicting)
        record["lesson"]["paths"] = list(self.lesson.paths)
        record["lesson"]["evidence"] = list(self.lesson.evidence)
        return record

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> Question:
        lesson = dict(record["lesson"])
        lesson["paths"], lesson["evidence"] = tuple(lesson["paths"]), tuple(lesson["evidence"])
        return Question(
            id=record["id"],
            asker=record["asker"],
            thread=record["thread"],
            lesson=Lesson(**lesson),
            by=Source(**record["by"]),
            conflicting=tuple(record["conflicting"]),
            asked_at=record["asked_at"],
        )


@dataclass(frozen=True)
class Outcome:
    """What a change did. `previous` is the convention as it was before, where there was one."""

    what: What
    convention: Convention | None
    previous: Convention | None = None
    question: Question | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "convention": self.convention.to_json() if self.convention else None,
            "previous": self.previous.to_json() if self.previous else None,
            "question": self.question.to_json() if self.question else None,
        }

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> Outcome:
        convention, previous = record["convention"], record["previous"]
        question = record["question"]
        return Outcome(
            what=record["what"],
            convention=Convention.from_json(convention) if convention else None,
            previous=Convention.from_json(previous) if previous else None,
            question=Question.from_json(question) if question else None,
        )
