"""One repository's (or organisation's) conventions as a ledger: every change in one atomic commit.

A ledger record holds the id counter, the slots of single-valued topics and the number of the last
audit entry. Each change compares and sets that record, so changes to one ledger happen one after
the other whichever process makes them, and a change that failed left nothing behind.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from graph.conventions import Convention, Source, id_order
from graph.store import CasConflict, ConventionStore, Write

DONE_TTL_S = 30 * 86_400.0
"""How long a change is remembered by its key, so that a repeated event changes nothing twice."""

MAX_TRIES = 200
"""Compare-and-set attempts; with pauses of a few milliseconds, many writers all get through."""

ScopeKind = Literal["repository", "organisation"]


@dataclass(frozen=True)
class Scope:
    """Whose conventions: a repository's (ids C1, C2 ...) or an organisation's (O1, O2 ...)."""

    kind: ScopeKind
    id: int

    @property
    def prefix(self) -> str:
        return "C" if self.kind == "repository" else "O"

    def namespace(self, root: str) -> tuple[str, ...]:
        labels = (str(self.id),) if self.kind == "repository" else ("org", str(self.id))
        return (root, *labels)


class LedgerBusy(RuntimeError):  # noqa: N818
    """Too many writers at once; the event is tried again later."""

    reason = "ledger_busy"


@dataclass(frozen=True)
class Entry:
    """One line of the audit log: who changed what, when, from where."""

    number: int
    at: float
    what: str
    convention_id: str
    by: Source
    before: Convention | None
    after: Convention | None

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "at": self.at,
            "what": self.what,
            "convention_id": self.convention_id,
            "by": vars(self.by).copy(),
            "before": self.before.to_json() if self.before else None,
            "after": self.after.to_json() if self.after else None,
        }

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> Entry:
        before, after = record["before"], record["after"]
        return Entry(
            number=record["number"],
            at=record["at"],
            what=record["what"],
            convention_id=record["convention_id"],
            by=Source(**record["by"]),
            before=Convention.from_json(before) if before else None,
            after=Convention.from_json(after) if after else None,
        )


@dataclass(frozen=True)
class Page:
    """The ledger at one moment: what a change is decided on."""

    scope: Scope
    conventions: Mapping[str, Convention]
    slots: Mapping[str, str]
    next_id: int = 1
    next_entry: int = 1
    owner_id: int | None = None
    is_frozen: bool = False

    def new_id(self) -> str:
        return f"{self.scope.prefix}{self.next_id}"

    def in_order(self) -> list[Convention]:
        return sorted(self.conventions.values(), key=lambda c: id_order(c.id))


@dataclass(frozen=True)
class Change:
    """What to write: conventions, the slots they take or free, one audit line, and the answer.

    `slots` maps a slot's name to the id that holds it now, or to None where it is free.
    """

    what: str
    by: Source
    puts: tuple[Convention, ...] = ()
    slots: Mapping[str, str | None] = field(default_factory=dict)
    extra: tuple[Write, ...] = ()
    answer: Mapping[str, Any] = field(default_factory=dict)
    freeze: bool | None = None
    owner_id: int | None = None


class Ledger:
    """Reads and changes one scope's conventions in a store."""

    def __init__(self, store: ConventionStore, scope: Scope, now: Callable[[], float]) -> None:
        self._store = store
        self.scope = scope
        self._now = now
        self.items = scope.namespace("conventions")
        self._control = scope.namespace("convention_ledger")
        self._entries = scope.namespace("convention_audit")
        self._done = scope.namespace("convention_done")

    def page(self) -> Page:
        return self._read()[0]

    def entries(self, convention_id: str | None = None) -> list[Entry]:
        """The audit log, oldest first; of one convention when an id is given."""
        log = [Entry.from_json(item.value) for item in self._store.recall(self._entries)]
        log.sort(key=lambda entry: entry.number)
        return [e for e in log if convention_id in (None, e.convention_id)]

    def change(self, key: str, decide: Callable[[Page], Change]) -> Mapping[str, Any]:
        """Make one change exactly once per `key`, and answer what `decide` answered for it.

        `decide` is called on a fresh page, again when another writer was faster; what it raises
        is raised here and nothing is written.
        """
        for attempt in range(MAX_TRIES):
            done = self._store.read([(self._done, key)])[0]
            if done is not None:
                return done.value
            page, version = self._read()
            change = decide(page)
            try:
                self._store.commit(self._writes(key, page, version, change))
            except CasConflict:
                time.sleep(random.uniform(0, 0.002 * min(attempt + 1, 10)))  # noqa: S311
                continue
            self._store.erase_history(self._done, key)  # it would outlive the record's 30 days
            return change.answer
        raise LedgerBusy("Too many changes at once; this one will be tried again.")

    def _read(self) -> tuple[Page, int]:
        # The record is read before the items: a writer in between changes the record's version,
        # and the commit then fails rather than being decided on a mixture.
        record = self._store.read([(self._control, "record")])[0]
        values = record.value if record else {}
        found = (Convention.from_json(item.value) for item in self._store.recall(self.items))
        page = Page(
            scope=self.scope,
            conventions={c.id: c for c in found},
            slots=values.get("slots", {}),
            next_id=values.get("next_id", 1),
            next_entry=values.get("next_entry", 1),
            owner_id=values.get("owner_id"),
            is_frozen=values.get("is_frozen", False),
        )
        return page, record.version if record else 0

    def _writes(self, key: str, page: Page, version: int, change: Change) -> list[Write]:
        slots = {**page.slots, **change.slots}
        entries = [
            Entry(
                number=page.next_entry + n,
                at=self._now(),
                what=change.what,
                convention_id=after.id,
                by=change.by,
                before=page.conventions.get(after.id),
                after=after,
            )
            for n, after in enumerate(change.puts)
        ]
        created = [int(c.id[1:]) for c in change.puts if c.id not in page.conventions]
        record = {
            "slots": {name: holder for name, holder in slots.items() if holder is not None},
            "next_id": max([page.next_id, *(number + 1 for number in created)]),
            "next_entry": page.next_entry + len(entries),
            "owner_id": change.owner_id if change.owner_id is not None else page.owner_id,
            "is_frozen": page.is_frozen if change.freeze is None else change.freeze,
        }
        author = actor_key(change.by)
        writes = [Write(self._control, "record", record, expected=version)]
        writes += [Write(self.items, c.id, c.to_json(), author=author) for c in change.puts]
        writes += [Write(self._entries, f"{e.number:09d}", e.to_json()) for e in entries]
        writes += change.extra
        answer = dict(change.answer)
        return [*writes, Write(self._done, key, answer, expected=0, ttl_s=DONE_TTL_S)]

    def erase_text(self, before: float) -> int:
        """Remove for good what was deleted before `before`, its history and its audit texts.

        Returns how many conventions went. The ids stay used.
        """
        page = self.page()
        gone = [
            c for c in page.conventions.values() if c.status == "deleted" and c.updated_at < before
        ]
        for convention in gone:
            writes = [Write(self.items, convention.id, None)]
            for entry in self.entries(convention.id):
                bare = replace(entry, before=None, after=None)
                writes.append(Write(self._entries, f"{entry.number:09d}", bare.to_json()))
            told = [i.key for i in self._store.recall(self._done) if _names(i.value, convention)]
            writes += [Write(self._done, key, None) for key in told]
            self._store.commit(writes)
            self._store.erase_history(self.items, convention.id)
            for write in writes[1:]:
                self._store.erase_history(write.namespace, write.key)
        return len(gone)


def _names(answer: Any, convention: Convention) -> bool:
    """Whether a change's answer speaks of a convention, in whatever part of it."""
    if isinstance(answer, Mapping):
        return any(_names(part, convention) for part in answer.values())
    if isinstance(answer, list):
        return any(_names(part, convention) for part in answer)
    return isinstance(answer, str) and answer == convention.id


def every_scope(store: ConventionStore) -> list[Scope]:
    """Every repository and organisation of which the store holds conventions."""
    namespaces = store.list_namespaces(prefix=("convention_ledger",), limit=1_000_000)
    return [
        Scope("organisation" if len(labels) == 2 else "repository", int(labels[-1]))
        for _, *labels in namespaces
    ]


def actor_key(source: Source) -> str:
    """Who this is, by identity and never by name: "github:1", "slack:T1:U1" or "cli:ada"."""
    if source.github_id is not None:
        return f"github:{source.github_id}"
    if source.slack_team and source.slack_user:
        return f"slack:{source.slack_team}:{source.slack_user}"
    return f"{source.place}:{source.name}"


def slot_name(topic: str, paths: tuple[str, ...]) -> str:
    """The slot of a single-valued topic for one set of paths."""
    return "|".join([topic, *sorted(paths)])
