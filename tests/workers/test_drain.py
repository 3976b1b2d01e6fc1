"""The loop that works the inbox off, in threads of this process."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable

import pytest
from redis import Redis
from redis import exceptions as redis_errors

from tests.workers.inbox_events import comment, job, push, sign
from workers.drain import Drain, Handler, Outcome, slots_of
from workers.errors import Permanent, PrecedentError, RateLimited, Superseded, Transient
from workers.event import Event
from workers.inbox import Inbox, InboxUnavailable, Lease
from workers.logs import Redactor


@pytest.fixture
def inbox(redis: Redis) -> Inbox:
    return Inbox(redis, quiet_s=0, lease_s=10, retry_after=lambda _: 0)


def drain_of(inbox: Inbox, handle: Handler, *, threads: int = 4) -> Drain:
    redactor = Redactor(["a-secret-of-ours"])
    return Drain(inbox, handle, slots=slots_of(threads, ("reviews",)), redactor=redactor)


def raising(error: Callable[[], Exception]) -> Handler:
    def handle(event: Event, lease: Lease) -> Outcome:
        raise error()

    return handle


def test_events_run_and_their_jobs_follow(inbox: Inbox) -> None:
    seen: list[str] = []

    def handle(event: Event, lease: Lease) -> Outcome:
        seen.append(event.id)
        return Outcome(follow_up=(job(f"job:{event.id}"),))

    for number in range(3):
        inbox.accept(comment(f"c{number}"))
    assert drain_of(inbox, handle).run("reviews") == 3
    assert seen == ["c0", "c1", "c2"]
    assert inbox.due_count("background") == 1
    assert [event.id for event in inbox.list_events("pr:1:1")] == ["job:c0", "job:c1", "job:c2"]


def test_one_ring_is_bounded(inbox: Inbox) -> None:
    for number in range(3):
        inbox.accept(comment(f"c{number}"))
    drain = drain_of(inbox, lambda event, lease: Outcome())
    assert drain.run("reviews", max_events=2) == 2


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (lambda: Permanent("Install the App again."), "permanent"),
        (lambda: Permanent("Nothing there.", reason="github_not_found"), "github_not_found"),
    ],
)
def test_permanent_errors_die_at_once(
    inbox: Inbox, error: Callable[[], Exception], reason: str
) -> None:
    inbox.accept(comment("c1"))
    drain_of(inbox, raising(error)).run("reviews")
    letter = inbox.dead_letters()[0]
    assert (letter.reason, letter.attempts) == (reason, 1)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (lambda: Transient("GitHub is away.", retry_after_s=0), "transient"),
        (lambda: PrecedentError("Odd."), "error"),
        (lambda: KeyError("a-secret-of-ours"), "crashed"),
    ],
)
def test_other_errors_die_after_five_attempts(
    inbox: Inbox, error: Callable[[], Exception], reason: str
) -> None:
    inbox.accept(comment("c1"))
    assert drain_of(inbox, raising(error)).run("reviews") == 5
    letter = inbox.dead_letters()[0]
    assert (letter.reason, letter.attempts) == (reason, 5)
    assert "Traceback" in letter.traceback
    assert "a-secret-of-ours" not in letter.traceback


def test_a_limit_charges_no_attempt(inbox: Inbox) -> None:
    inbox.accept(comment("c1"))
    drain = drain_of(inbox, raising(lambda: RateLimited("Wait.", retry_after_s=0)))
    assert drain.run("reviews", max_events=8) == 8
    assert [event.attempts for event in inbox.list_events("pr:1:1")] == [0]


@pytest.mark.parametrize(
    ("error", "attempts"),
    [
        (redis_errors.ConnectionError("away"), 0),
        (redis_errors.BusyLoadingError("Redis is loading the dataset in memory"), 0),
        (redis_errors.TimeoutError("slow"), 0),
        (redis_errors.ReadOnlyError("You can't write against a read only replica."), 0),
        (redis_errors.ResponseError("MISCONF Redis is configured to save RDB snapshots"), 0),
        (InboxUnavailable("Not stored."), 0),
        (redis_errors.ResponseError("WRONGTYPE Operation against a key"), 1),
        (redis_errors.DataError("a mistake of ours"), 1),
        (ConnectionError("not Redis"), 1),
    ],
    ids=str,
)
def test_an_outage_of_redis_charges_no_attempt(
    inbox: Inbox, error: Exception, attempts: int
) -> None:
    inbox.accept(comment("c1"))
    assert drain_of(inbox, raising(lambda: error)).run("reviews", max_events=1) == 1
    (waiting,) = inbox.list_events("pr:1:1")
    assert waiting.attempts == attempts
    assert (waiting.due_in_s > 5) is (attempts == 0)


def test_a_superseded_run_is_dropped(inbox: Inbox) -> None:
    inbox.accept(push("p1", "sha1"))
    heads: list[str | None] = []

    def handle(event: Event, lease: Lease) -> Outcome:
        if event.id == "p1":
            inbox.accept(push("p2", "sha2"))
        lease.check()
        heads.append(event.head_sha)
        return Outcome()

    assert drain_of(inbox, handle).run("reviews") == 2
    assert heads == ["sha2"]
    inbox.accept(comment("c1"))
    assert drain_of(inbox, raising(lambda: Superseded("Closed."))).run("reviews") == 1
    assert inbox.status().subjects == 0


def test_a_cancelled_run_is_dropped(inbox: Inbox) -> None:
    inbox.accept(push("p1", "sha1"))

    def handle(event: Event, lease: Lease) -> Outcome:
        inbox.cancel(event.subject)
        lease.check()
        return Outcome()

    assert drain_of(inbox, handle).run("reviews") == 1
    assert inbox.status().subjects == 0


def test_a_stopping_process_hands_its_event_over(inbox: Inbox, redis: Redis) -> None:
    inbox.accept(comment("c1"))

    def handle(event: Event, lease: Lease) -> Outcome:
        inbox.stopping.set()
        lease.check()
        return Outcome()

    assert drain_of(inbox, handle).run("reviews") == 1
    lease = Inbox(redis).claim("reviews")
    assert lease is not None
    assert lease.attempt == 1


def test_a_lost_lease_ends_quietly_and_the_event_stays(inbox: Inbox) -> None:
    inbox.accept(comment("c1"))

    def handle(event: Event, lease: Lease) -> Outcome:
        inbox.redis.zadd("precedent:inbox:leases", {event.subject: 0})
        inbox.claim("reviews", only_signs=True)
        lease.check()
        return Outcome()

    assert drain_of(inbox, handle).run("reviews", max_events=1) == 1
    assert [event.id for event in inbox.list_events("pr:1:1")] == ["c1"]


def test_threads_keep_order_and_never_share_a_subject(inbox: Inbox) -> None:
    """Twelve pull requests of three repositories, eight threads, some events failing once."""
    order: dict[str, list[str]] = defaultdict(list)
    inside: set[str] = set()
    failed: set[str] = set()
    guard = threading.Lock()

    def handle(event: Event, lease: Lease) -> Outcome:
        with guard:
            assert event.subject not in inside
            inside.add(event.subject)
        time.sleep(0.002)
        with guard:
            inside.discard(event.subject)
            if event.id.endswith("3") and event.id not in failed:
                failed.add(event.id)
                raise KeyError(event.id)
            order[event.subject].append(event.id)
        return Outcome()

    places = [(repo, number) for repo in (1, 2, 3) for number in range(4)]
    for step in range(6):
        for repo, number in places:
            inbox.accept(comment(f"{repo}:{number}:{step}", repo=repo, number=number))
    drain = drain_of(inbox, handle, threads=10)
    threads = [threading.Thread(target=drain.run, args=("reviews",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    drain.run("reviews", max_events=200)
    assert order == {f"pr:{r}:{n}": [f"{r}:{n}:{s}" for s in range(6)] for r, n in places}
    assert len(failed) == len(places)
    assert inbox.dead_letters() == []


def test_a_sign_runs_when_every_slot_is_taken_by_reviews(redis: Redis) -> None:
    inbox = Inbox(redis, quiet_s=0, lease_s=10, repository_cap=9)
    release, signed = threading.Event(), threading.Event()

    def handle(event: Event, lease: Lease) -> Outcome:
        if event.kind == "sign":
            signed.set()
        else:
            release.wait(10)
        return Outcome()

    drain = Drain(inbox, handle, slots=slots_of(3, ("reviews",)))
    for number in range(3):
        inbox.accept(comment(f"c{number}", number=number))
    threads = [threading.Thread(target=drain.run, args=("reviews",)) for _ in range(2)]
    for thread in threads:
        thread.start()
    while len(inbox.status().running) < 2:
        time.sleep(0.01)
    assert drain.run("reviews") == 0, "the third review waits for a slot"
    inbox.accept(comment("c9", number=9), follow=[sign("s1")])
    assert drain.run("reviews") == 1
    assert signed.is_set()
    release.set()
    for thread in threads:
        thread.join()


def test_slots_are_shared_out() -> None:
    assert slots_of(20, ("reviews", "background")) == {"reviews": 13, "background": 5}
    assert slots_of(20, ("reviews",)) == {"reviews": 18}
    assert slots_of(8, ("background",)) == {"background": 8}
    assert slots_of(1, ("reviews", "background")) == {"reviews": 1, "background": 1}
