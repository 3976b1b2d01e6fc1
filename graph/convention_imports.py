"""What an import changes: decided on one page of the ledger, written in one commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph.conventions import MAX_CONVENTIONS, SINGLE_VALUED, Convention, Source
from graph.ledger import Change, Page, slot_name
from graph.subjects import compare, conflicts

MAX_PROPOSALS = 50
"""Sentences of documents in one import: more are not read by the person who must approve them."""

MAX_KEPT_NUMBER = 99_999
"""Ids above it are not taken over: the counter goes on from the highest."""


@dataclass(frozen=True)
class Imported:
    """What an import did: the ids that are active now, the proposed ones, and what it left out.

    `renamed` maps an id of the file to the id it got, because its own was taken.
    """

    active: tuple[str, ...] = ()
    proposed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    known: int = 0
    left: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "active": list(self.active),
            "proposed": list(self.proposed),
            "renamed": [list(pair) for pair in self.renamed],
            "known": self.known,
            "left": self.left,
        }

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> Imported:
        return Imported(
            active=tuple(record["active"]),
            proposed=tuple(record["proposed"]),
            renamed=tuple((old, new) for old, new in record["renamed"]),
            known=record["known"],
            left=record["left"],
        )


def decide_import(
    page: Page,
    exported: Sequence[Convention],
    sentences: Sequence[Convention],
    by: Source,
    now: float,
) -> Change:
    """Exported conventions keep their ids; what can't, and every sentence, becomes a proposal.

    The caller has checked that the exported ones fit; of the sentences as many as fit are taken.
    """
    plan = _Plan(page, now)
    for convention in exported:
        plan.take_over(convention)
    for convention in exported:
        plan.propose_if_left(convention)
    room = min(MAX_PROPOSALS, MAX_CONVENTIONS - kept_count(page) - len(plan.puts))
    left = known = 0
    for convention in sentences:
        if plan.knows(convention):
            known += 1
        elif room > 0:
            plan.propose(convention)
            room -= 1
        else:
            left += 1
    outcome = Imported(
        active=tuple(c.id for c in plan.puts if c.status == "active"),
        proposed=tuple(c.id for c in plan.puts if c.status == "proposed"),
        renamed=tuple(plan.renamed),
        known=plan.known + known,
        left=left,
    )
    return Change("imported", by, tuple(plan.puts), plan.slots, answer=outcome.to_json())


def kept_count(page: Page) -> int:
    """How many conventions count against the limit."""
    return sum(1 for c in page.conventions.values() if c.status != "deleted")


class _Plan:
    """What is put where, while it is being decided."""

    def __init__(self, page: Page, now: float) -> None:
        self._page = page
        self._now = now
        self._there = list(page.conventions.values())
        self._kept = {_key(c) for c in self._there if c.status != "deleted"}
        self._active_before = [c for c in self._there if c.status == "active"]
        self._next_number = page.next_id
        self._taken: set[str] = set()
        self._later: set[int] = set()
        self.puts: list[Convention] = []
        self.slots: dict[str, str | None] = {}
        self.renamed: list[tuple[str, str]] = []
        self.known = 0

    def knows(self, new: Convention) -> bool:
        """Whether it is there already, was dismissed or deleted, or came earlier in this import."""
        return _among(new, self._there) or _among(new, self.puts)

    def take_over(self, new: Convention) -> None:
        """Put it under its own id, unless that was ever used here."""
        if self._is_there(new):
            self.known += 1
        elif self._is_free(new.id):
            self._put(self._as_active_as_can_be(new))
            self._next_number = max(self._next_number, int(new.id[1:]) + 1)
        else:
            self._later.add(id(new))

    def propose_if_left(self, new: Convention) -> None:
        if id(new) in self._later:
            self.renamed.append((new.id, self.propose(new)))

    def propose(self, new: Convention) -> str:
        """Put it as a proposal under a new id, and say which."""
        convention_id = f"{self._page.scope.prefix}{self._next_number}"
        self._next_number += 1
        self._put(replace(new, id=convention_id, status="proposed"))
        return convention_id

    def _is_there(self, new: Convention) -> bool:
        return _key(new) in self._kept

    def _is_free(self, convention_id: str) -> bool:
        number = int(convention_id[1:])
        is_ours = convention_id.startswith(self._page.scope.prefix)
        is_new = self._page.next_id <= number <= MAX_KEPT_NUMBER
        return is_ours and is_new and convention_id not in self._taken

    def _as_active_as_can_be(self, new: Convention) -> Convention:
        """A proposal where it contradicts what holds here, or where another id has its slot."""
        if new.status != "active":
            return new
        if conflicts(new.rule, new.topic, new.paths, self._active_before):
            return replace(new, status="proposed")
        if new.topic in SINGLE_VALUED and new.mode == "enforce":
            name = slot_name(new.topic, new.paths)
            if name in self._page.slots or name in self.slots:
                return replace(new, status="proposed")
            self.slots[name] = new.id
        return new

    def _put(self, new: Convention) -> None:
        self._taken.add(new.id)
        self.puts.append(replace(new, updated_at=self._now, created_at=new.created_at or self._now))


def _among(new: Convention, others: Iterable[Convention]) -> bool:
    return any(_is_same(other, new) for other in others)


def _is_same(old: Convention, new: Convention) -> bool:
    if _key(old) == _key(new):
        return True
    is_alike = (old.topic, old.mode, set(old.paths)) == (new.topic, new.mode, set(new.paths))
    return is_alike and compare(new.rule, old.rule) == "same"


def _key(convention: Convention) -> tuple[str, str, frozenset[str]]:
    return " ".join(convention.rule.split()), convention.mode, frozenset(convention.paths)
