"""What an operator sees of the inbox. Read-only; `dataclasses.asdict` gives JSON-able records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from redis import Redis

from workers.event import Event, Lane
from workers.inbox.placement import QUEUES_OF_LANE, Queue
from workers.redis_connection import text_of

P = "precedent:inbox:"
TRACKS = ("sign", "message", "push", "background")
QUEUES: tuple[Queue, ...] = ("express", "reviews", "background")


@dataclass(frozen=True)
class LaneStatus:
    """One lane. `waiting` subjects of which `due` could run now, caps aside."""

    lane: Lane
    waiting: int
    due: int
    running: int
    oldest_due_age_s: float


@dataclass(frozen=True)
class RepositoryStatus:
    """One fairness key ("repo:7", "inst:9", "team:T1") in one queue."""

    fairness_key: str
    queue: str
    waiting: int
    due: int
    running: int
    oldest_due_age_s: float


@dataclass(frozen=True)
class RunningEvent:
    """One lease."""

    subject: str
    event_id: str
    fence: int
    expires_in_s: float
    is_cancelled: bool


@dataclass(frozen=True)
class InboxStatus:
    """Everything at once. `waiting` counts subjects, `events` what they hold."""

    lanes: tuple[LaneStatus, ...]
    repositories: tuple[RepositoryStatus, ...]
    running: tuple[RunningEvent, ...]
    subjects: int
    dead_letters: int


@dataclass(frozen=True)
class WaitingEvent:
    """An event of a subject. `due_in_s` is 0 when it only waits for its turn."""

    id: str
    kind: str
    lane: Lane
    attempts: int
    age_s: float
    due_in_s: float
    is_running: bool
    last_reason: str


@dataclass(frozen=True)
class DeadLetter:
    """An event that gave up. The traceback is code and ids; the event may hold a person's words."""

    event: Event
    reason: str
    traceback: str
    attempts: int
    accepted_at_s: float
    died_at_s: float

    @property
    def id(self) -> str:
        return self.event.id


def status(redis: Redis) -> InboxStatus:
    """A snapshot; not one transaction, as it is for people."""
    now_ms = _now_ms(redis)
    repositories = tuple(
        _repository(redis, queue, fair, now_ms)
        for queue in QUEUES
        for fair in sorted(_texts(redis.zrange(f"{P}turn:{queue}", 0, -1)) | _busy(redis, queue))
    )
    return InboxStatus(
        lanes=tuple(_lane(lane, repositories) for lane in QUEUES_OF_LANE),
        repositories=repositories,
        running=tuple(_running(redis, now_ms)),
        subjects=redis.scard(f"{P}subjects"),
        dead_letters=redis.hlen(f"{P}dead"),
    )


def dead_letters(redis: Redis, limit: int) -> list[DeadLetter]:
    """The newest `limit`, newest first."""
    ids = cast("list[Any]", redis.zrevrange(f"{P}dead_at", 0, limit - 1))
    records = cast("list[Any]", redis.hmget(f"{P}dead", ids)) if ids else []
    return [_dead_letter(json.loads(record)) for record in records if record is not None]


def list_events(redis: Redis, subject: str) -> list[WaitingEvent]:
    """In the order in which they would run."""
    now_ms = _now_ms(redis)
    holds = _hash(redis, f"{P}subject:{subject}")
    running = _hash(redis, f"{P}lease:{subject}").get("event")
    found = []
    for event_id, record in _events_of(redis, subject):
        event = Event.from_json(record["body"])
        natural = "push_due" if record["track"] == "push" else "due"
        due_ms = max(
            int(holds.get("push_due", 0)) if natural == "push_due" else int(record["due"]),
            int(holds.get(f"hold_{record['track']}", 0)),
        )
        found.append(
            WaitingEvent(
                id=event_id,
                kind=event.kind,
                lane=event.lane,
                attempts=int(record["attempts"]),
                age_s=(now_ms - int(record["accepted"])) / 1000,
                due_in_s=max(0.0, (due_ms - now_ms) / 1000),
                is_running=event_id == running,
                last_reason=record.get("reason", ""),
            )
        )
    return found


def every_event(redis: Redis) -> Iterator[Event]:
    """All events, waiting, running and dead."""
    for subject in _texts(redis.smembers(f"{P}subjects")):
        for _, record in _events_of(redis, subject):
            yield Event.from_json(record["body"])
    for record in cast("list[Any]", redis.hvals(f"{P}dead")):
        yield Event.from_json(json.loads(record)["body"])


def _events_of(redis: Redis, subject: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    keys = [f"{P}track:{track}:{subject}" for track in TRACKS]
    keys += [f"{P}delayed:{queue}:{subject}" for queue in QUEUES]
    for key in keys:
        for raw_id in cast("list[Any]", redis.zrange(key, 0, -1)):
            event_id = text_of(raw_id)
            record = _hash(redis, f"{P}event:{event_id}")
            if record:
                yield event_id, record


def _repository(redis: Redis, queue: Queue, fair: str, now_ms: int) -> RepositoryStatus:
    ready = f"{P}ready:{queue}:{fair}"
    oldest = cast("list[Any]", redis.zrange(ready, 0, 0, withscores=True))
    return RepositoryStatus(
        fairness_key=fair,
        queue=queue,
        waiting=redis.zcard(ready),
        due=redis.zcount(ready, "-inf", now_ms),
        running=redis.scard(f"{P}running:{queue}:{fair}"),
        oldest_due_age_s=max(0.0, (now_ms - oldest[0][1]) / 1000) if oldest else 0.0,
    )


def _lane(lane: Lane, repositories: tuple[RepositoryStatus, ...]) -> LaneStatus:
    mine = [each for each in repositories if each.queue in QUEUES_OF_LANE[lane]]
    return LaneStatus(
        lane=lane,
        waiting=sum(each.waiting for each in mine),
        due=sum(each.due for each in mine),
        running=sum(each.running for each in mine),
        oldest_due_age_s=max((each.oldest_due_age_s for each in mine), default=0.0),
    )


def _running(redis: Redis, now_ms: int) -> Iterator[RunningEvent]:
    leases = cast("list[Any]", redis.zrange(f"{P}leases", 0, -1, withscores=True))
    for raw_subject, expiry_ms in leases:
        subject = text_of(raw_subject)
        lease = _hash(redis, f"{P}lease:{subject}")
        if lease:
            yield RunningEvent(
                subject=subject,
                event_id=lease["event"],
                fence=int(lease["fence"]),
                expires_in_s=(expiry_ms - now_ms) / 1000,
                is_cancelled="cancelled" in lease,
            )


def _busy(redis: Redis, queue: Queue) -> set[str]:
    """Fairness keys that hold a lease but have nothing else waiting."""
    found = set()
    for raw_subject in cast("list[Any]", redis.zrange(f"{P}leases", 0, -1)):
        lease = _hash(redis, f"{P}lease:{text_of(raw_subject)}")
        if lease.get("queue") == queue:
            found.add(lease["fair"])
    return found


def _dead_letter(record: Mapping[str, Any]) -> DeadLetter:
    return DeadLetter(
        event=Event.from_json(record["body"]),
        reason=record["reason"],
        traceback=record["traceback"],
        attempts=record["attempts"],
        accepted_at_s=record["accepted_ms"] / 1000,
        died_at_s=record["died_ms"] / 1000,
    )


def _now_ms(redis: Redis) -> int:
    seconds, micros = redis.time()
    return seconds * 1000 + micros // 1000


def _hash(redis: Redis, key: str) -> dict[str, str]:
    record = cast("dict[Any, Any]", redis.hgetall(key))
    return {text_of(name): text_of(value) for name, value in record.items()}


def _texts(values: Any) -> set[str]:
    return {text_of(value) for value in values}
