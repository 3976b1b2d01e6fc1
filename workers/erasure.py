"""A person's data, exported or erased: long-term memory, threads, identities, links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from redis import Redis

from graph import erasing
from graph.saver import ThreadSaver
from graph.store import ConventionStore
from workers.event import Event
from workers.identities import Identities
from workers.inbox import Inbox
from workers.inbox.inspection import every_event

ERASED = "(erased)"


@dataclass(frozen=True)
class Erased:
    """What was done. `skipped` threads and events are being worked on: erase again when done."""

    records: int
    threads: int
    identities: int
    events: int = 0
    skipped: tuple[str, ...] = ()


class PersonalData:
    """Everything Precedent holds of a person, found by their GitHub id."""

    def __init__(self, redis: Redis, graph: Any) -> None:
        self._redis = redis
        self._graph = graph
        self._store = ConventionStore(redis)
        self._saver = ThreadSaver(redis)
        self._identities = Identities(redis)
        self._inbox = Inbox(redis)

    def export(self, github_id: int) -> dict[str, Any]:
        """As JSON: identities, preferences, records that name them, messages, and what waits."""
        person = self._person(github_id)
        slack = [{"team": team, "user": user} for team, user in sorted(person.slack_people)]
        held = erasing.of_person(self._store, person)
        events = [
            {"id": event.id, "kind": event.kind, "text": event.text or ""}
            for event in every_event(self._redis)
            if _is_from(event, person)
        ]
        messages = self._messages(github_id)
        return {**held, "slack": slack, "messages": messages, "events": events}

    def erase(self, github_id: int) -> Erased:
        """Take the person out of everything. Repeating it is harmless.

        What the team agreed on stays, without the name; messages keep their place and lose their
        words, so that the answers around them still make sense. What they said and nobody has
        worked on is dropped, dead letters too.
        """
        person = self._person(github_id)
        events, running = self._erase_events(person)
        records = erasing.erase(self._store, person)
        threads, skipped = self._erase_in_threads(person)
        for team, user in person.slack_people:
            self._identities.unlink(team, user)
        for key in self._redis.scan_iter(match=f"precedent:permission:*:{github_id}", count=500):
            self._redis.delete(key)
        for key in self._redis.scan_iter(match=f"precedent:owner:*:{github_id}", count=500):
            self._redis.delete(key)
        skipped += running
        return Erased(records, threads, len(person.slack_people), events, tuple(skipped))

    def _person(self, github_id: int) -> erasing.Person:
        return erasing.Person(github_id, self._identities.slack_people(github_id))

    def _messages(self, github_id: int) -> list[dict[str, str]]:
        return [
            {"thread": thread, "text": str(message.text)}
            for thread in self._saver.threads()
            for message in self._values(thread).get("messages", [])
            if _is_by(message, github_id)
        ]

    def _erase_events(self, person: erasing.Person) -> tuple[int, list[str]]:
        """How many were dropped, and the subjects of those that run now, which end cancelled."""
        theirs = [event for event in every_event(self._redis) if _is_from(event, person)]
        dropped = sum(self._inbox.discard(event.id) for event in theirs)
        for key in self._redis.scan_iter(match="precedent:choice:*", count=500):
            content = self._redis.get(key)
            if content is not None and _is_from(Event.from_json(content), person):
                self._redis.delete(key)
        for team, user in person.slack_people:  # whose commands have a subject of their own
            for key in self._redis.scan_iter(
                match=f"precedent:inbox:subject:slack:{team}:*:{user}*", count=500
            ):
                subject = key.decode().removeprefix("precedent:inbox:subject:")
                if not self._redis.sismember("precedent:inbox:subjects", subject):
                    self._redis.delete(key)
        left = {event.id for event in every_event(self._redis)}
        running = [event.subject for event in theirs if event.id in left]
        return dropped - len(running), running

    def _erase_in_threads(self, person: erasing.Person) -> tuple[int, list[str]]:
        changed, skipped = 0, []
        for thread in self._saver.threads():
            config: Any = {"configurable": {"thread_id": thread}}
            if thread.startswith("learn:"):
                self._saver.delete_thread(thread)  # read anew from what is still there
                continue
            snapshot = self._graph.get_state(config)
            update = _without(snapshot.values, person)
            if not update:
                continue
            if snapshot.tasks:
                skipped.append(thread)
                continue
            self._graph.update_state(config, update, as_node="reply")
            self._saver.prune([thread], keep_last=1)
            changed += 1
        return changed, skipped

    def _values(self, thread: str) -> dict[str, Any]:
        config: Any = {"configurable": {"thread_id": thread}}
        found = self._saver.get_tuple(config)
        return dict(found.checkpoint["channel_values"]) if found else {}


def _is_from(event: Event, person: erasing.Person) -> bool:
    """Whether the person said or did it. A push of theirs, without words, is reviewed anyway."""
    is_theirs = event.actor_id == person.github_id or (
        event.slack is not None and (event.slack.team, event.slack.user) in person.slack_people
    )
    return is_theirs and not event.kind.startswith("pull_request.")


def _without(values: dict[str, Any], person: erasing.Person) -> dict[str, Any]:
    """What changes in a thread's state; empty when the person is not in it."""
    update: dict[str, Any] = {}
    theirs = [m for m in values.get("messages", []) if _is_by(m, person.github_id)]
    if theirs:
        # Code's answers repeat what was said; a model's are about the code, and stay.
        repeats = {str(m.id).replace("human:", "ai:", 1) for m in theirs}
        answers = [m for m in values["messages"] if m.id in repeats]
        update["messages"] = [
            *(HumanMessage(ERASED, id=m.id) for m in theirs),
            *(AIMessage(ERASED, id=m.id) for m in answers),
        ]
        if values.get("summary"):
            update["summary"] = {**values["summary"], "text": ERASED}
    kept = values.get("instructions") or []
    if (anonymous := erasing.without_person(kept, person)) != kept:
        update["instructions"] = anonymous
    turn = values.get("turn") or {}
    if f"human:{turn.get('event_id')}" in {m.id for m in theirs}:
        update |= {"turn": {**turn, "text": ""}, "answer": {}}
    return update


def _is_by(message: object, github_id: int) -> bool:
    return (
        isinstance(message, HumanMessage)
        and message.additional_kwargs.get("github_id") == github_id
    )
