"""The inbox against a model in plain Python, under any sequence of operations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from redis import Redis

from deploy.sandbox.redis_server import EmbeddedRedis
from tests.workers.inbox_events import comment, job, push
from workers.errors import Superseded
from workers.event import Event, Lane
from workers.inbox import Cancelled, Inbox, Lease, LeaseLost

MAX_ATTEMPTS = 3
CAP = 2
PLACES = [(1, 1), (1, 2), (1, 3)]
ACTIONS = ("ack", "drop", "release", "defer", "fail", "give up")
LANES: tuple[Lane, ...] = ("reviews", "reviews", "background")
TRACKS = ("message", "push", "background")


@dataclass
class Subject:
    """What the inbox should hold for one subject."""

    fair: str
    tracks: dict[str, list[str]] = field(default_factory=lambda: {t: [] for t in TRACKS})
    head: str = ""
    running: str = ""
    is_cancelled: bool = False


class InboxMachine(RuleBasedStateMachine):
    redis: Redis

    def __init__(self) -> None:
        super().__init__()
        self.redis.flushall()
        self.inbox = Inbox(
            self.redis,
            quiet_s=0,
            lease_s=600,
            max_attempts=MAX_ATTEMPTS,
            repository_cap=CAP,
            retry_after=lambda _: 0,
        )
        self.subjects = {f"pr:{r}:{n}": Subject(f"repo:{r}") for r, n in PLACES}
        self.events: dict[str, Event] = {}
        self.order: dict[str, int] = {}
        self.head_order: dict[str, int] = {}
        self.attempts: dict[str, int] = {}
        self.dead: set[str] = set()
        self.ended: dict[str, str] = {}
        self.held: dict[str, Lease] = {}
        self.history: list[Lease] = []

    # What comes in

    @initialize()
    def fill(self) -> None:
        """Something to do from the start: two messages, two heads and a job for each subject."""
        for place in PLACES:
            for kind, sha in zip(("message", "push") * 2 + ("background",), "aabba", strict=True):
                self.take_in(place, kind, sha)

    @rule(place=st.sampled_from(PLACES), kind=st.sampled_from(TRACKS), sha=st.sampled_from("abc"))
    def accept(self, place: tuple[int, int], kind: str, sha: str) -> None:
        self.take_in(place, kind, sha)

    def take_in(self, place: tuple[int, int], kind: str, sha: str) -> None:
        name, (repo, number) = f"e{len(self.events)}", place
        event = {
            "message": comment(name, repo=repo, number=number),
            "push": push(name, sha, repo=repo, number=number),
            "background": job(name, repo=repo, number=number),
        }[kind]
        assert self.inbox.accept(event) == "accepted"
        self.events[name] = event
        self.attempts[name] = 0
        self.order[name] = len(self.order)
        subject = self.subjects[event.subject]
        subject.tracks[kind].append(name)
        if kind == "push" and subject.head != sha:
            subject.head = sha
            self.head_order[event.subject] = self.order[name]

    @rule(data=st.data())
    def deliver_again(self, data: st.DataObject) -> None:
        if self.events:
            event = self.events[data.draw(st.sampled_from(sorted(self.events)))]
            assert self.inbox.accept(event) == "duplicate"

    # What workers do

    @rule()
    def claim(self) -> None:
        for lane in LANES:
            self.claim_one(lane)

    def claim_one(self, lane: Lane) -> None:
        expected = self.claimable(lane)
        lease = self.inbox.claim(lane)
        self.learn_of_deaths()
        if lease is None:
            assert not expected, "something could have been claimed"
            return
        name, subject = lease.event.id, self.subjects[lease.subject]
        assert name in expected
        assert lease.event == self.events[name]
        self.attempts[name] += 1
        assert lease.attempt == self.attempts[name] <= MAX_ATTEMPTS
        assert all(lease.fence > other.fence for other in self.held.values())
        if lease.event.kind == "pull_request.push":
            for older in subject.tracks["push"][:-1]:
                self.ended[older] = "coalesced"
            subject.tracks["push"] = [name]
        subject.running, subject.is_cancelled = name, False
        self.held[lease.subject] = lease
        self.history.append(lease)

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def check(self, data: st.DataObject) -> None:
        lease = self.draw_held(data)
        if self.subjects[lease.subject].is_cancelled:
            with pytest.raises(Cancelled):
                lease.check()
        elif self.is_superseded(lease.event):
            with pytest.raises(Superseded):
                lease.check()
        else:
            lease.check()

    # One rule for each action, so that most steps settle something.

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def ack(self, data: st.DataObject) -> None:
        self.settle(data, "ack")

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def drop(self, data: st.DataObject) -> None:
        self.settle(data, "drop")

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        self.settle(data, "release")

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def defer(self, data: st.DataObject) -> None:
        self.settle(data, "defer")

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def fail(self, data: st.DataObject) -> None:
        self.settle(data, "fail")

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def give_up(self, data: st.DataObject) -> None:
        self.settle(data, "give up")

    def settle(self, data: st.DataObject, action: str) -> None:
        lease = self.draw_held(data)
        name = lease.event.id
        self.send(lease, action)
        self.end_run(lease.subject)
        if action in {"release", "defer"}:
            self.attempts[name] -= 1
        elif action in {"ack", "drop"}:
            self.remove(name, action)
        elif action == "give up" or self.attempts[name] >= MAX_ATTEMPTS:
            self.remove(name, "dead")
            self.dead.add(name)

    @precondition(lambda self: self.history)
    @rule(data=st.data(), action=st.sampled_from(ACTIONS))
    def settle_what_is_over(self, data: st.DataObject, action: str) -> None:
        """By a worker that was too late, or again as the first answer got lost."""
        lease = data.draw(st.sampled_from(self.history))
        if self.held.get(lease.subject) is lease:
            return
        if self.redis.exists(f"precedent:inbox:settled:{lease.token}"):
            self.send(lease, action)
        else:
            with pytest.raises(LeaseLost):
                self.send(lease, action)

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def crash(self, data: st.DataObject) -> None:
        """The worker is gone; its lease runs out, and the next claim by anyone finds that."""
        lease = self.draw_held(data)
        self.redis.zadd("precedent:inbox:leases", {lease.subject: 0})
        self.inbox.claim("reviews", only_signs=True)
        self.end_run(lease.subject)

    # What people do

    @precondition(lambda self: self.dead)
    @rule(data=st.data())
    def replay(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.dead)))
        assert self.inbox.replay(name)
        self.dead.discard(name)
        self.attempts[name] = 0
        kind = self.kind(name)
        waiting = self.subjects[self.events[name].subject].tracks[kind]
        waiting.append(name)
        waiting.sort(key=self.order.__getitem__)

    @rule(place=st.sampled_from(PLACES))
    def cancel(self, place: tuple[int, int]) -> None:
        name = f"pr:{place[0]}:{place[1]}"
        subject = self.subjects[name]
        dropped = [e for e in subject.tracks["push"] if e != subject.running]
        answer = self.inbox.cancel(name)
        for event in dropped:
            self.remove(event, "cancelled")
        subject.is_cancelled = bool(subject.running)
        assert answer == ("running" if subject.running else "waiting" if dropped else "nothing")

    # What always holds

    @invariant()
    def the_inbox_holds_what_the_model_holds(self) -> None:
        for name, subject in self.subjects.items():
            listed = self.inbox.list_events(name)
            assert [event.id for event in listed] == [e for t in TRACKS for e in subject.tracks[t]]
            assert {event.id: event.attempts for event in listed} == {
                event.id: self.attempts[event.id] for event in listed
            }
        assert {letter.id for letter in self.inbox.dead_letters(10_000)} == self.dead

    @invariant()
    def each_lease_is_known_and_within_the_cap(self) -> None:
        status = self.inbox.status()
        assert {r.subject for r in status.running} == set(self.held)
        assert all(each.running <= CAP for each in status.repositories)

    def teardown(self) -> None:
        """Everything accepted is done, dead, or was deliberately removed: nothing is lost."""
        for held in list(self.held.values()):
            self.inbox.release(held)
        for lane in ("reviews", "background"):
            while lease := self.inbox.claim(lane):
                self.ended[lease.event.id] = "done"
                self.inbox.ack(lease)
        died = {letter.id for letter in self.inbox.dead_letters(10_000)}
        coalesced = {e for e, event in self.events.items() if event.kind == "pull_request.push"}
        assert set(self.events) <= set(self.ended) | died | coalesced
        for name, subject in self.subjects.items():
            assert self.inbox.list_events(name) == []
            pushes = subject.tracks["push"]
            if pushes and not self.is_superseded(self.events[pushes[-1]]):
                assert pushes[-1] in self.ended.keys() | died

    # The model

    def kind(self, name: str) -> str:
        kinds = {"pull_request.push": "push", "learn": "background"}
        return kinds.get(self.events[name].kind, "message")

    def claimable(self, lane: Lane) -> set[str]:
        """The next event of each free subject; heads without attempts die on the way to it."""
        found = set()
        tracks = ("message", "push") if lane == "reviews" else ("background",)
        for subject in self.subjects.values():
            if subject.running or self.running(subject.fair, lane) >= CAP:
                continue
            queue = [event for track in tracks for event in self.live(subject, track)]
            found |= set([e for e in queue if self.attempts[e] < MAX_ATTEMPTS][:1])
        return found

    def live(self, subject: Subject, track: str) -> list[str]:
        """Of the pushes only the last one counts, unless a newer head is known."""
        events = subject.tracks[track]
        if track != "push" or not events:
            return events
        return [e for e in events[-1:] if not self.is_superseded(self.events[e])]

    def running(self, fair: str, lane: Lane) -> int:
        return sum(
            1
            for name, lease in self.held.items()
            if self.subjects[name].fair == fair and lease.event.lane == lane
        )

    def is_superseded(self, event: Event) -> bool:
        is_push = event.kind == "pull_request.push"
        return is_push and self.order[event.id] < self.head_order[event.subject]

    def draw_held(self, data: st.DataObject) -> Lease:
        return self.held[data.draw(st.sampled_from(sorted(self.held)))]

    def send(self, lease: Lease, action: str) -> None:
        match action:
            case "ack":
                self.inbox.ack(lease)
            case "drop":
                self.inbox.drop(lease, reason="superseded")
            case "release":
                self.inbox.release(lease)
            case "defer":
                self.inbox.defer(lease, 0)
            case _:
                self.inbox.fail(lease, "boom", "trace", permanent=action == "give up")

    def end_run(self, name: str) -> None:
        del self.held[name]
        self.subjects[name].running = ""
        self.subjects[name].is_cancelled = False

    def remove(self, name: str, why: str) -> None:
        self.subjects[self.events[name].subject].tracks[self.kind(name)].remove(name)
        self.ended[name] = why

    def learn_of_deaths(self) -> None:
        """A claim drops outdated pushes and buries heads that have used their attempts."""
        for letter in self.inbox.dead_letters(10_000):
            if letter.id not in self.dead:
                assert self.attempts[letter.id] >= MAX_ATTEMPTS
                subject = self.subjects[letter.event.subject]
                assert letter.id in self.live(subject, self.kind(letter.id))
                self.remove(letter.id, "dead")
                self.dead.add(letter.id)
        for name in self.subjects:
            self.drop_outdated(name)

    def drop_outdated(self, name: str) -> None:
        held = {event.id for event in self.inbox.list_events(name)}
        subject = self.subjects[name]
        for event in set(subject.tracks["push"]) - held:
            assert event != subject.tracks["push"][-1] or self.is_superseded(self.events[event])
        for event in set(subject.tracks["push"]) - held:
            self.remove(event, "coalesced")


@pytest.fixture
def machine_redis(tmp_path: Path) -> Iterator[Redis]:
    with EmbeddedRedis(tmp_path) as server:
        client = Redis.from_url(server.url)
        yield client
        client.close()


def test_the_inbox_does_what_the_model_does(machine_redis: Redis) -> None:
    class Machine(InboxMachine):
        redis = machine_redis

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=15,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
