"""Attempts, dead letters, lost and shared leases, and what an operator can do."""

from __future__ import annotations

import json
import time
from dataclasses import asdict

import pytest
from redis import Redis

from tests.workers.inbox_events import comment, job, mention, push
from workers.heartbeat import Heartbeat
from workers.inbox import DeadlineExceeded, Inbox, Lease, LeaseLost, Stopping
from workers.inbox.queue import MAX_TRACEBACK_CHARS, backoff_s


@pytest.fixture
def inbox(redis: Redis) -> Inbox:
    return Inbox(redis, quiet_s=0, lease_s=10, max_attempts=5, retry_after=lambda _: 0)


def claimed(inbox: Inbox) -> Lease:
    lease = inbox.claim("reviews")
    assert lease is not None
    return lease


def expire(inbox: Inbox, lease: Lease) -> None:
    """What time does to the lease of a worker that went away."""
    inbox.redis.zadd("precedent:inbox:leases", {lease.subject: 0})


def test_a_poison_event_dies_after_five_attempts_and_the_next_one_runs(inbox: Inbox) -> None:
    inbox.accept(comment("poison"))
    inbox.accept(comment("next"))
    for attempt in range(1, 6):
        lease = claimed(inbox)
        assert (lease.event.id, lease.attempt) == ("poison", attempt)
        assert lease.is_last_attempt == (attempt == 5)
        settled = inbox.fail(lease, "diff_too_large", "Traceback: line 1")
    assert settled == "dead"
    assert claimed(inbox).event.id == "next"
    letter = inbox.dead_letters()[0]
    assert (letter.id, letter.reason, letter.attempts) == ("poison", "diff_too_large", 5)
    assert letter.traceback == "Traceback: line 1"
    assert letter.event == comment("poison")
    json.dumps(asdict(letter))


def test_a_permanent_failure_dies_at_once(inbox: Inbox) -> None:
    inbox.accept(comment("c1"))
    assert inbox.fail(claimed(inbox), "forbidden", "", permanent=True) == "dead"
    assert inbox.dead_letters()[0].attempts == 1


def test_an_event_that_kills_its_worker_dies_too(inbox: Inbox) -> None:
    inbox.accept(comment("killer"))
    inbox.accept(comment("next"))
    for _ in range(5):
        lease = claimed(inbox)
        assert lease.event.id == "killer"
        expire(inbox, lease)
    assert claimed(inbox).event.id == "next"
    letter = inbox.dead_letters()[0]
    assert (letter.id, letter.reason, letter.attempts) == ("killer", "worker_lost", 5)


def test_the_last_traceback_survives_a_crash_on_the_last_attempt(redis: Redis) -> None:
    inbox = Inbox(redis, max_attempts=2, retry_after=lambda _: 0)
    inbox.accept(comment("c1"))
    inbox.fail(claimed(inbox), "boom", "Traceback: boom")
    expire(inbox, claimed(inbox))
    assert inbox.claim("reviews") is None
    assert inbox.dead_letters()[0].traceback == "Traceback: boom"


def test_a_huge_traceback_keeps_its_end(inbox: Inbox) -> None:
    inbox.accept(comment("c1"))
    inbox.fail(claimed(inbox), "boom", "x" * 100_000 + "the end", permanent=True)
    kept = inbox.dead_letters()[0].traceback
    assert len(kept) == MAX_TRACEBACK_CHARS
    assert kept.endswith("the end")


def test_a_replayed_event_has_new_attempts_and_its_old_place(inbox: Inbox) -> None:
    for name in ("c1", "c2", "c3"):
        inbox.accept(comment(name))
    inbox.fail(claimed(inbox), "boom", "", permanent=True)
    assert inbox.replay("c1")
    assert not inbox.replay("c1")
    assert inbox.dead_letters() == []
    lease = claimed(inbox)
    assert (lease.event.id, lease.attempt) == ("c1", 1)


def test_a_replayed_push_older_than_the_newest_head_goes_away(inbox: Inbox) -> None:
    inbox.accept(push("p1", "sha1"))
    inbox.fail(claimed(inbox), "boom", "", permanent=True)
    inbox.accept(push("p2", "sha2"))
    inbox.ack(claimed(inbox))
    assert inbox.replay("p1")
    assert inbox.claim("reviews") is None
    assert inbox.status().subjects == 0


def test_the_replayed_newest_push_runs(inbox: Inbox) -> None:
    inbox.accept(push("p1", "sha1"))
    inbox.fail(claimed(inbox), "boom", "", permanent=True)
    inbox.replay("p1")
    lease = claimed(inbox)
    lease.check()
    assert lease.event.id == "p1"


def test_an_expired_lease_goes_to_another_worker_and_the_first_one_may_not_settle(
    redis: Redis,
) -> None:
    inbox = Inbox(redis, lease_s=0.2)
    inbox.accept(comment("c1"))
    first = claimed(inbox)
    assert inbox.claim("reviews") is None
    time.sleep(0.25)
    second = claimed(inbox)
    assert (second.event.id, second.attempt) == ("c1", 2)
    assert second.fence > first.fence
    with pytest.raises(LeaseLost):
        first.check()
    with pytest.raises(LeaseLost):
        inbox.ack(first)
    second.check()
    inbox.ack(second)


def test_a_process_that_was_paused_knows_by_its_own_clock(redis: Redis) -> None:
    """Nobody has taken the event over yet, but somebody may at any moment."""
    inbox = Inbox(redis, lease_s=0.2)
    inbox.accept(comment("c1"))
    lease = claimed(inbox)
    time.sleep(0.17)
    with pytest.raises(LeaseLost):
        lease.check()


def test_the_heartbeat_keeps_every_lease_and_forgets_none(redis: Redis) -> None:
    inbox = Inbox(redis, lease_s=0.6)
    heartbeat = Heartbeat(inbox)
    for number in range(3):
        inbox.accept(comment(f"c{number}", number=number))
    leases = [claimed(inbox) for _ in range(3)]
    with heartbeat.hold(leases[0]), heartbeat.hold(leases[1]):
        with heartbeat.hold(leases[2]):
            time.sleep(1.2)
            for lease in leases:
                lease.check()
            inbox.ack(leases[2])
        inbox.accept(comment("newer", number=2))
        newer = claimed(inbox)
        with heartbeat.hold(newer):
            time.sleep(1.0)
            newer.check()
            leases[0].check()
    heartbeat.stop()


def test_the_heartbeat_tells_a_lease_that_was_taken_away(redis: Redis) -> None:
    inbox = Inbox(redis, lease_s=10)
    inbox.accept(comment("c1"))
    lease = claimed(inbox)
    expire(inbox, lease)
    claimed(inbox)
    inbox.renew([lease])
    assert not lease.is_valid


def test_a_release_gives_exactly_one_attempt_back(inbox: Inbox) -> None:
    """A deployment must not reset the count of a poison event."""
    inbox.accept(comment("c1"))
    for _ in range(2):
        inbox.fail(claimed(inbox), "boom", "")
    for _ in range(4):
        lease = claimed(inbox)
        assert lease.attempt == 3
        inbox.release(lease)


def test_a_stopping_process_claims_nothing_and_hands_over(inbox: Inbox, redis: Redis) -> None:
    inbox.accept(comment("c1"))
    lease = claimed(inbox)
    inbox.stopping.set()
    with pytest.raises(Stopping):
        lease.check()
    inbox.release(lease)
    assert inbox.claim("reviews") is None
    other = Inbox(redis).claim("reviews")
    assert other is not None
    assert other.attempt == 1


def test_an_event_has_a_deadline(inbox: Inbox) -> None:
    inbox.accept(comment("c1"))
    lease = claimed(inbox)
    lease.deadline_s = 0.01
    time.sleep(0.02)
    with pytest.raises(DeadlineExceeded):
        lease.check()


def test_a_deferral_waits_without_charging_but_not_for_days(inbox: Inbox, redis: Redis) -> None:
    inbox.accept(comment("c1"))
    for _ in range(8):
        inbox.defer(claimed(inbox), 0)
    lease = claimed(inbox)
    assert lease.attempt == 1
    inbox.defer(lease, 0.1)
    assert inbox.claim("reviews") is None
    time.sleep(0.12)
    two_days_ago_ms = int((time.time() - 2 * 24 * 3600) * 1000)
    redis.hset("precedent:inbox:event:c1", "deferred_since", two_days_ago_ms)
    inbox.defer(claimed(inbox), 0)
    assert inbox.claim("reviews") is None
    assert inbox.dead_letters()[0].reason == "deferred_too_long"


def test_a_settlement_sent_twice_counts_once(inbox: Inbox) -> None:
    """The first answer may have been lost on its way."""
    inbox.accept(comment("c1"))
    lease = claimed(inbox)
    inbox.ack(lease, [comment("c2")])
    inbox.ack(lease, [comment("c2")])
    inbox.ack(claimed(inbox))
    assert inbox.claim("reviews") is None


def test_backoff_grows_to_ten_minutes() -> None:
    assert [backoff_s(n) for n in (1, 2, 3, 4)] == [10, 20, 40, 80]
    assert backoff_s(50) == 600


def test_a_failure_waits_for_the_longer_of_backoff_and_what_the_remote_asked(redis: Redis) -> None:
    inbox = Inbox(redis, lease_s=10)
    inbox.accept(comment("c1"))
    inbox.fail(claimed(inbox), "boom", "", 3.0)
    assert 9 < inbox.list_events("pr:1:1")[0].due_in_s <= 10
    inbox.accept(comment("d1", number=2))
    inbox.fail(claimed(inbox), "boom", "", 100.0)
    assert 99 < inbox.list_events("pr:1:2")[0].due_in_s <= 100


def test_the_status_names_what_waits_runs_and_died(inbox: Inbox) -> None:
    inbox.accept(comment("c1", repo=7))
    inbox.accept(comment("c2", repo=7, number=2))
    inbox.accept(mention("m1"))
    inbox.accept(job("j1", repo=8))
    inbox.fail(claimed(inbox), "boom", "", permanent=True)
    running = claimed(inbox)
    status = inbox.status()
    lanes = {lane.lane: lane for lane in status.lanes}
    assert (lanes["reviews"].waiting, lanes["reviews"].due, lanes["reviews"].running) == (1, 1, 1)
    assert lanes["background"].waiting == 1
    assert status.dead_letters == 1
    assert [(r.subject, r.event_id) for r in status.running] == [
        (running.subject, running.event.id)
    ]
    assert {r.fairness_key for r in status.repositories} <= {"repo:7", "repo:8", "team:T1"}
    json.dumps(asdict(status))


def test_a_subject_lists_its_events_in_the_order_of_their_turn(inbox: Inbox) -> None:
    inbox.accept(push("p1", "sha1"))
    inbox.accept(job("j1"))
    inbox.accept(comment("c1"))
    inbox.accept(comment("c2"))
    claimed(inbox)
    listed = inbox.list_events("pr:1:1")
    assert [(e.id, e.is_running, e.attempts) for e in listed] == [
        ("c1", True, 1), ("c2", False, 0), ("p1", False, 0), ("j1", False, 0),
    ]  # fmt: skip
    assert inbox.list_events("pr:9:9") == []


def test_discard_takes_an_event_wherever_it_is(inbox: Inbox) -> None:
    for name in ("dead", "running", "waiting"):
        inbox.accept(comment(name))
    inbox.fail(claimed(inbox), "boom", "", permanent=True)
    running = claimed(inbox)
    assert [inbox.discard(name) for name in ("dead", "running", "waiting", "none")] == [
        True, True, True, False,
    ]  # fmt: skip
    assert inbox.dead_letters() == []
    with pytest.raises(Exception, match="cancelled"):
        running.check()
    inbox.drop(running, reason="cancelled")
    assert inbox.claim("reviews") is None


def test_purge_takes_everything_of_a_repository_and_nothing_else(inbox: Inbox) -> None:
    inbox.accept(comment("dead", repo=1))
    inbox.fail(claimed(inbox), "boom", "", permanent=True)
    inbox.accept(comment("a", repo=1))
    inbox.accept(push("b", "sha", repo=1, number=2))
    inbox.accept(job("c", repo=1, number=3))
    inbox.accept(comment("other", repo=2))
    assert inbox.purge_repository(1) == 4
    assert inbox.claim("background") is None
    assert claimed(inbox).event.id == "other"
    assert inbox.claim("reviews") is None
    assert inbox.purge_installation(92) == 1


def test_nothing_is_left_behind_when_all_is_done(inbox: Inbox, redis: Redis) -> None:
    for number in range(3):
        inbox.accept(comment(f"c{number}", number=number))
        inbox.accept(push(f"p{number}", "sha", number=number))
    while lease := inbox.claim("reviews"):
        inbox.ack(lease)
    keys = {key.decode() for key in redis.scan_iter()}
    lasting = {key for key in keys if redis.ttl(key) == -1}
    assert lasting == {"precedent:inbox:seq", "precedent:inbox:fence", "precedent:metrics"}
