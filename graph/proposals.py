"""What a model proposes becomes a finding, or is dropped with a reason: pure code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from graph import loosely
from graph.conventions import Convention
from graph.diff import Diff
from graph.findings import Category, Finding, Severity, at_least
from graph.placing import file_named, place
from graph.prompts import prompt
from graph.suggesting import suggestion_for
from graph.untrusted import as_prose, echoes

MIN_CONFIDENCE = 0.3
MAX_TITLE_CHARACTERS = 160
MAX_MESSAGE_CHARACTERS = 600

MAX_PROPOSALS = 60
"""Of one call. A model that lists more has lost the thread."""


class Proposal(BaseModel):
    """One item of a model's answer, as it must be."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=False)

    path: str
    line: int | None = None
    quote: str = ""
    category: Category
    severity: Severity
    confidence: float = 1.0
    title: str
    failure: str = ""
    convention: str | None = None
    suggestion: str | None = None

    @field_validator("category", mode="before")
    @classmethod
    def _category(cls, value: object) -> object:
        return loosely.category(value)

    @field_validator("severity", mode="before")
    @classmethod
    def _severity(cls, value: object) -> object:
        return loosely.severity(value)

    @field_validator("confidence", mode="before")
    @classmethod
    def _share(cls, value: object) -> object:
        return loosely.share(value)

    @field_validator("line", mode="before")
    @classmethod
    def _number(cls, value: object) -> object:
        return loosely.line_number(value)

    @field_validator("quote", "failure", "suggestion", mode="before")
    @classmethod
    def _text(cls, value: object) -> object:
        return loosely.text(value)

    @field_validator("convention", mode="before")
    @classmethod
    def _id(cls, value: object) -> object:
        return loosely.convention_id(value)


@dataclass(frozen=True)
class Ground:
    """What proposals are judged against. `url` is the repository's own address."""

    diff: Diff
    conventions: Mapping[str, Convention]
    severity_floor: Severity
    url: str


class Dropped(Exception):  # noqa: N818 - what becomes of the proposal
    """The proposal says nothing that may be said. `reason` is counted in the check run."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def finding_from(item: Mapping[str, Any], ground: Ground) -> Finding:
    """`item` has the model's words under "said", and under "given" and "only" convention ids that
    it was shown and that it was confined to. Raises Dropped.
    """
    try:
        said = Proposal.model_validate(item["said"])
    except ValidationError as error:
        raise Dropped("malformed") from error
    file = file_named(ground.diff, said.path)
    if file is None:
        raise Dropped("unknown_path")
    convention = _cited(said, item, ground, file.path)
    _refuse_unworthy(said, convention, ground)
    where = place(file, said.line, said.quote)
    title = as_prose(said.title, MAX_TITLE_CHARACTERS, ground.url)
    if not title.strip():
        raise Dropped("malformed")
    return Finding(
        path=file.path,
        category="convention" if convention else said.category,
        severity=said.severity,
        title=title,
        message=as_prose(said.failure, MAX_MESSAGE_CHARACTERS, ground.url),
        anchor=where.anchor,
        quote=where.quote,
        origin="model",
        confidence=min(1.0, max(0.0, said.confidence)),
        convention_id=convention.id if convention else None,
        convention_version=convention.version if convention else 0,
        suggestion=suggestion_for(file, where.anchor, said.suggestion or ""),
    )


def _cited(said: Proposal, item: Mapping[str, Any], ground: Ground, path: str) -> Convention | None:
    """The convention that is cited. Raises Dropped for one not given, or that can't be broken."""
    name = said.convention or ""
    if not name:
        if said.category == "convention":
            raise Dropped("no_convention")
        if item["only"]:
            raise Dropped("outside_scope")
        return None
    convention = ground.conventions.get(name)
    if name not in item["given"] or convention is None:
        raise Dropped("unknown_convention")
    if convention.mode != "enforce" or not convention.applies_to(path):
        raise Dropped("unknown_convention")
    if convention.check is not None:
        raise Dropped("checked_by_code")
    if item["only"] and name not in item["only"]:
        raise Dropped("outside_scope")
    return convention


def _refuse_unworthy(said: Proposal, convention: Convention | None, ground: Ground) -> None:
    if said.confidence < MIN_CONFIDENCE:
        raise Dropped("low_confidence")
    if convention is None and not at_least(said.severity, ground.severity_floor):
        raise Dropped("below_severity_floor")
    words = f"{said.title}\n{said.failure}\n{said.suggestion or ''}"
    if echoes(words, _own_prompts()):
        raise Dropped("repeats_prompt")


def _own_prompts() -> Sequence[str]:
    return (prompt("review"), prompt("refute"))
