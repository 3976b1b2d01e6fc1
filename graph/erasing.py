"""A person in the long-term memory: what it holds of them, and taking them out of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from graph import preferences
from graph.state import Instruction
from graph.store import CasConflict, ConventionStore, Versioned, Write

FORMER = "a former member"
"""Stands where a name was: what the team agreed on stays, who said it first is gone."""

_MAX_TRIES = 50
_ROOTS = (
    "conventions", "convention_audit", "convention_done", "convention_questions", "learning",
    "learning_slack",
)  # fmt: skip


class Person:
    """A GitHub person by numeric id, with the Slack people that are them."""

    def __init__(self, github_id: int, slack_people: Iterable[tuple[str, str]] = ()) -> None:
        self.github_id = github_id
        self.slack_people = frozenset(slack_people)

    def is_source(self, value: Any) -> bool:
        """Whether a record is a `Source` that names this person."""
        if not isinstance(value, dict) or not {"place", "name", "github_id"} <= value.keys():
            return False
        slack = (value.get("slack_team"), value.get("slack_user"))
        return value["github_id"] == self.github_id or slack in self.slack_people

    def is_in(self, value: Any) -> bool:
        if self.is_source(value):
            return True
        parts = value.values() if isinstance(value, dict) else value
        return isinstance(value, dict | list) and any(map(self.is_in, parts))


def of_person(store: ConventionStore, person: Person) -> dict[str, Any]:
    """Everything the long-term memory holds of a person, as JSON, by namespace and key."""
    held = {
        "/".join(item.namespace) + ":" + item.key: item.value
        for item in _items(store)
        if person.is_in(item.value)
    }
    stated = [vars(p).copy() for p in preferences.of_person(store, person.github_id)]
    return {"github_id": person.github_id, "preferences": stated, "memory": held}


def erase(store: ConventionStore, person: Person) -> int:
    """Take a person out: preferences, words that wait, and the name behind each convention.

    Answers how many records were changed. Their revisions go too. Repeating it changes nothing.
    Raises redis' errors.
    """
    changed = preferences.forget(store, person.github_id)
    for item in _items(store):
        if not person.is_in(item.value) and not _held_before(store, item, person):
            continue
        _rewrite(store, item, partial(_without, person=person, root=item.namespace[0]))
        changed += 1
    return changed


def without_person(kept: list[Instruction], person: Person) -> list[Instruction]:
    """Standing instructions with the person's name taken out."""
    return [
        Instruction(**{**i, "by": FORMER, "by_id": None}) if i["by_id"] == person.github_id else i
        for i in kept
    ]


def _items(store: ConventionStore) -> Iterable[Versioned]:
    for root in _ROOTS:
        for namespace in store.list_namespaces(prefix=(root,), limit=1_000_000):
            yield from store.recall(namespace)


def _held_before(store: ConventionStore, item: Versioned, person: Person) -> bool:
    return any(person.is_in(r.value) for r in store.history(item.namespace, item.key))


def _without(value: Any, person: Person, root: str) -> Any:
    """The record without the person; None when nothing of it is left."""
    if root == "learning_slack" and person.is_in(value):
        return None
    if root == "learning":
        return {
            name: [p for p in part if not person.is_in(p)] if isinstance(part, list) else part
            for name, part in value.items()
        }
    return _anonymous(value, person)


def _anonymous(value: Any, person: Person) -> Any:
    if person.is_source(value):
        gone = {"name": FORMER, "permalink": "", "github_id": None}
        return {**value, **gone, "slack_team": None, "slack_user": None, "thread": ""}
    if isinstance(value, dict):
        return {name: _anonymous(part, person) for name, part in value.items()}
    if isinstance(value, list):
        return [_anonymous(part, person) for part in value]
    return value


def _rewrite(store: ConventionStore, item: Versioned, change: Callable[[Any], Any]) -> None:
    """Change one record whatever happens beside it, and forget its revisions.

    A convention is changed together with its ledger's record, so that a correction which was
    decided on the old state is decided again and can't bring the name back.
    """
    for attempt in range(_MAX_TRIES):
        ledger = ("convention_ledger", *item.namespace[1:])
        control, current = store.read([(ledger, "record"), (item.namespace, item.key)])
        if current is None:
            break
        ttl_s = None
        if current.expires_us is not None:
            ttl_s = max(1.0, current.expires_us / 1e6 - time.time())
        value = change(current.value)
        writes = [Write(item.namespace, item.key, value, current.version, ttl_s)]
        if control is not None:
            writes.append(Write(ledger, "record", control.value, control.version))
        try:
            store.commit(writes)
        except CasConflict:
            time.sleep(0.002 * min(attempt + 1, 10))
            continue
        break
    store.erase_history(item.namespace, item.key)
