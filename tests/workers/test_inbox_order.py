"""What waits, what overtakes what, and what is merged."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import pytest
from redis import Redis

from tests.workers.inbox_events import comment, job, mention, push, sign
from workers.errors import Superseded
from workers.event import Event, Lane
from workers.inbox import Cancelled, Inbox, Lease

QUIET_S = 0.25


@pytest.fixture
def inbox(redis: Redis) -> Inbox:
    return Inbox(redis, quiet_s=QUIET_S, max_wait_s=0.8, lease_s=10, retry_after=lambda _: 0.15)


def claimed(inbox: Inbox, lane: Lane = "reviews") -> Lease:
    lease = inbox.claim(lane)
    assert lease is not None
    return lease


def run_all(inbox: Inbox, lane: Lane = "reviews") -> list[str]:
    """Ids of what is due now, in the order in which it was served."""
    ids = []
    while lease := inbox.claim(lane):
        ids.append(lease.event.id)
        inbox.ack(lease)
    return ids


def wait_for(inbox: Inbox, lane: Lane = "reviews", *, within_s: float = 3.0) -> Lease:
    deadline_s = time.monotonic() + within_s
    while time.monotonic() < deadline_s:
        if lease := inbox.claim(lane):
            return lease
        time.sleep(0.01)
    raise AssertionError("nothing became due")


def test_the_event_comes_back_whole(inbox: Inbox) -> None:
    event = mention("slack:T1:E1")
    assert inbox.accept(event) == "accepted"
    lease = claimed(inbox)
    assert lease.event == event
    assert (lease.attempt, lease.is_last_attempt) == (1, False)
    lease.check()


def test_a_delivery_is_accepted_once_under_any_of_its_ids(inbox: Inbox) -> None:
    assert inbox.accept(mention("e1"), also_seen=["slack:msg:T1:C1:1.1"]) == "accepted"
    assert inbox.accept(mention("e1")) == "duplicate"
    assert inbox.accept(mention("e2"), also_seen=["slack:msg:T1:C1:1.1"]) == "duplicate"
    assert run_all(inbox) == ["e1"]
    assert inbox.accept(mention("e1")) == "duplicate", "also after it was done"


def test_a_subject_runs_one_event_at_a_time_and_in_order(inbox: Inbox) -> None:
    for number in range(5):
        inbox.accept(comment(f"c{number}"))
    first = claimed(inbox)
    assert inbox.claim("reviews") is None
    inbox.ack(first)
    assert first.event.id == "c0"
    assert run_all(inbox) == ["c1", "c2", "c3", "c4"]


def test_lanes_share_the_one_place_of_a_subject(inbox: Inbox) -> None:
    inbox.accept(job("j1"))
    inbox.accept(comment("c1"))
    running = claimed(inbox, "background")
    assert inbox.claim("reviews") is None
    inbox.ack(running)
    assert run_all(inbox) == ["c1"]


def test_ten_pushes_become_one_review_of_the_last_head(inbox: Inbox) -> None:
    for number in range(10):
        inbox.accept(push(f"p{number}", f"sha{number}"))
        time.sleep(0.02)
    assert inbox.claim("reviews") is None, "the quiet period has not passed"
    lease = wait_for(inbox)
    lease.check()
    assert lease.event.head_sha == "sha9"
    inbox.ack(lease)
    assert inbox.list_events("pr:1:1") == []


def test_pushes_do_not_put_a_review_off_for_ever(inbox: Inbox) -> None:
    started_s = time.monotonic()
    lease = None
    number = 0
    while lease is None and time.monotonic() < started_s + 5:
        inbox.accept(push(f"p{number}", f"sha{number}"))
        number += 1
        time.sleep(0.05)
        lease = inbox.claim("reviews")
    assert lease is not None
    assert 0.7 < time.monotonic() - started_s < 1.5


def test_a_comment_overtakes_a_waiting_push_and_leaves_its_quiet_period_alone(
    inbox: Inbox,
) -> None:
    accepted_s = time.monotonic()
    inbox.accept(push("p1", "sha1"))
    inbox.accept(comment("c1"))
    lease = claimed(inbox)
    assert lease.event.id == "c1"
    inbox.ack(lease)
    assert inbox.claim("reviews") is None
    assert wait_for(inbox).event.id == "p1"
    assert time.monotonic() - accepted_s >= QUIET_S


def test_a_comment_does_not_overtake_what_runs(inbox: Inbox) -> None:
    inbox.accept(push("p1", "sha1"))
    running = wait_for(inbox)
    inbox.accept(comment("c1"))
    assert inbox.claim("reviews") is None
    running.check()
    inbox.ack(running)
    assert run_all(inbox) == ["c1"]


def test_push_comment_push_ends(inbox: Inbox) -> None:
    """A superseded push used to be put back before the comment, and was claimed for ever."""
    inbox.accept(push("p1", "sha1"))
    running = wait_for(inbox)
    inbox.accept(comment("c1"))
    inbox.accept(push("p2", "sha2"))
    with pytest.raises(Superseded):
        running.check()
    inbox.drop(running, reason="superseded")
    assert run_all(inbox) == ["c1"]
    last = wait_for(inbox)
    assert last.event.id == "p2"
    inbox.ack(last)
    assert inbox.status().subjects == 0


def test_the_same_head_again_does_not_stop_its_review(inbox: Inbox) -> None:
    inbox.accept(push("p1", "sha1"))
    running = wait_for(inbox)
    inbox.accept(push("p2", "sha1"))
    running.check()
    inbox.ack(running)
    assert wait_for(inbox).event.id == "p2"


def test_a_new_event_does_not_shorten_the_backoff_of_a_failing_one(inbox: Inbox) -> None:
    inbox.accept(comment("c1"))
    inbox.fail(claimed(inbox), "boom", "")
    inbox.accept(comment("c2"))
    assert inbox.claim("reviews") is None
    assert wait_for(inbox).event.id == "c1"


def test_a_comment_runs_while_a_push_backs_off(inbox: Inbox) -> None:
    inbox.accept(push("p1", "sha1"))
    inbox.fail(wait_for(inbox), "boom", "")
    inbox.accept(comment("c1"))
    assert claimed(inbox).event.id == "c1"


def test_a_new_push_keeps_the_backoff_of_the_failing_one_it_replaces(redis: Redis) -> None:
    inbox = Inbox(redis, quiet_s=0, lease_s=10, retry_after=lambda _: 0.4)
    inbox.accept(push("p1", "sha1"))
    inbox.fail(claimed(inbox), "boom", "")
    failed_s = time.monotonic()
    inbox.accept(push("p2", "sha2"))
    lease = wait_for(inbox)
    assert lease.event.id == "p2"
    assert lease.attempt == 1
    assert time.monotonic() - failed_s >= 0.38


def test_a_sign_is_served_while_its_pull_request_is_reviewed_and_the_repository_is_full(
    redis: Redis,
) -> None:
    inbox = Inbox(redis, quiet_s=0, lease_s=10, repository_cap=1)
    inbox.accept(push("p1", "sha1"))
    claimed(inbox)
    inbox.accept(comment("c1"), follow=[sign("s1")])
    assert claimed(inbox).event.id == "s1"
    assert inbox.claim("reviews") is None


def test_only_signs_can_be_asked_for(inbox: Inbox) -> None:
    inbox.accept(comment("c1"), follow=[sign("s1")])
    lease = inbox.claim("reviews", only_signs=True)
    assert lease is not None
    assert lease.event.kind == "sign"
    assert inbox.claim("reviews", only_signs=True) is None


def test_what_follows_is_accepted_with_the_event_or_not_at_all(inbox: Inbox) -> None:
    inbox.accept(comment("c1"), follow=[sign("s1")])
    inbox.accept(comment("c1"), follow=[sign("s2")])
    assert sorted(run_all(inbox)) == ["c1", "s1"]


def test_turns_go_round_the_repositories(redis: Redis) -> None:
    inbox = Inbox(redis, lease_s=10, repository_cap=2)
    for number in range(6):
        inbox.accept(comment(f"noisy{number}", repo=1, number=number))
    for repo in (2, 3):
        inbox.accept(comment(f"quiet{repo}", repo=repo))
    served = []
    for _ in range(8):
        lease = claimed(inbox)
        served.append(lease.event.id)
        time.sleep(0.002)  # turns are told apart by the millisecond
        inbox.ack(lease)
    assert set(served[:3]) == {"noisy0", "quiet2", "quiet3"}
    inbox.accept(comment("quiet again", repo=2))
    inbox.accept(comment("noisy again", repo=1))
    assert claimed(inbox).event.id == "quiet again", "repository 1 was served last"


def test_a_repository_cannot_take_more_than_its_cap(redis: Redis) -> None:
    inbox = Inbox(redis, lease_s=10, repository_cap=2)
    for number in range(4):
        inbox.accept(comment(f"n{number}", repo=1, number=number))
    inbox.accept(mention("m1"))
    held = [claimed(inbox) for _ in range(3)]
    assert sorted(lease.event.id for lease in held) == ["m1", "n0", "n1"]
    assert inbox.claim("reviews") is None
    assert inbox.due_count("reviews") == 0
    inbox.ack(held[0])
    inbox.ack(held[1])
    inbox.ack(held[2])
    assert inbox.due_count("reviews") == 2


def test_the_oldest_subject_of_a_repository_is_served_first(inbox: Inbox) -> None:
    for number in (7, 3, 9):
        inbox.accept(comment(f"c{number}", number=number))
        time.sleep(0.003)
    assert run_all(inbox) == ["c7", "c3", "c9"]


def test_a_follow_up_job_waits_until_it_is_due_and_does_not_block_what_is(inbox: Inbox) -> None:
    inbox.accept(comment("c1"))
    inbox.ack(claimed(inbox), [job("job:learn:1")], follow_up_due_s=0.2)
    inbox.accept(job("j2"))
    assert run_all(inbox, "background") == ["j2"]
    assert wait_for(inbox, "background").event.id == "job:learn:1"


def test_a_follow_up_job_with_the_same_id_is_put_off_not_doubled(inbox: Inbox) -> None:
    started_s = time.monotonic()
    for number in range(3):
        inbox.accept(comment(f"c{number}"))
        inbox.ack(claimed(inbox), [job("job:learn:1")], follow_up_due_s=0.2)
        time.sleep(0.1)
    assert wait_for(inbox, "background").event.id == "job:learn:1"
    assert time.monotonic() - started_s >= 0.38
    assert len(inbox.list_events("pr:1:1")) == 1


def test_a_follow_up_job_is_not_put_off_for_ever(inbox: Inbox) -> None:
    started_s = time.monotonic()
    number = 0
    while inbox.claim("background") is None:
        inbox.accept(comment(f"c{number}"))
        inbox.ack(claimed(inbox), [job("job:learn:1")], follow_up_due_s=0.1)
        number += 1
        assert time.monotonic() - started_s < 3, "the job never ran"
        time.sleep(0.02)
    assert time.monotonic() - started_s >= 0.45


def test_a_job_asked_for_while_it_runs_runs_once_more(inbox: Inbox) -> None:
    base = job("job:index:1", number=7)
    inbox.accept(comment("c0"))
    inbox.ack(claimed(inbox), [base])
    running = claimed(inbox, "background")
    inbox.accept(comment("c1"))
    again = Event.from_json(
        json.dumps({**json.loads(base.to_json()), "arguments": ["newest"]}).encode()
    )
    inbox.ack(claimed(inbox), [again])
    inbox.ack(running)
    lease = wait_for(inbox, "background")
    assert (lease.event.id, lease.event.arguments, lease.attempt) == ("job:index:1", ("newest",), 1)
    inbox.ack(lease)
    assert inbox.claim("background") is None


def test_twenty_pushes_to_the_default_branch_become_one_run_of_the_index(inbox: Inbox) -> None:
    def index(name: str, repo: int = 1) -> Event:
        return replace(job(name, repo=repo), kind="index", subject=f"index:{repo}")

    for n in range(10):
        inbox.accept(index(f"one{n}"))
        inbox.accept(index(f"two{n}", repo=2))
        inbox.accept(job(f"learn{n}", repo=3))
    running = {lease.subject: lease for _ in range(3) if (lease := inbox.claim("background"))}
    assert running["index:1"].event.id == "one9"
    for n in range(10, 20):  # while it runs: one run more, which sees them all
        inbox.accept(index(f"one{n}"))
    running["index:1"].check()
    for lease in running.values():
        inbox.ack(lease)
    assert sorted(run_all(inbox, "background")) == [*(f"learn{n}" for n in range(1, 10)), "one19"]


def test_a_job_that_takes_the_place_of_a_failing_one_keeps_its_backoff(inbox: Inbox) -> None:
    def index(name: str) -> Event:
        return replace(job(name), kind="index", subject="index:1")

    inbox.accept(index("first"))
    inbox.fail(claimed(inbox, "background"), "boom", "trace")
    inbox.accept(index("second"))
    assert inbox.claim("background") is None
    lease = wait_for(inbox, "background")
    assert (lease.event.id, lease.attempt) == ("second", 1)
    inbox.ack(lease)
    assert inbox.claim("background") is None


def test_a_follow_up_may_go_to_the_subject_that_is_being_left(inbox: Inbox) -> None:
    inbox.accept(comment("c1"))
    inbox.ack(claimed(inbox), [comment("c2")])
    assert run_all(inbox) == ["c2"]


def test_cancel_stops_the_running_review_and_drops_the_waiting_push(inbox: Inbox) -> None:
    assert inbox.cancel("pr:1:1") == "nothing"
    inbox.accept(push("p1", "sha1"))
    assert inbox.cancel("pr:1:1") == "waiting"
    assert inbox.list_events("pr:1:1") == []
    inbox.accept(push("p2", "sha2"))
    running = wait_for(inbox)
    assert inbox.cancel("pr:1:1") == "running"
    with pytest.raises(Cancelled):
        running.check()
    inbox.drop(running, reason="cancelled")
    inbox.accept(push("p3", "sha3"))
    wait_for(inbox).check()


def test_the_comment_that_cancels_does_not_stop_itself(inbox: Inbox) -> None:
    inbox.accept(push("p1", "sha1"))
    inbox.accept(comment("c1"))
    running = claimed(inbox)
    assert inbox.cancel("pr:1:1", asked_by="c1") == "waiting"
    running.check()


def test_another_event_can_be_made_to_wait_for_quiet(inbox: Inbox) -> None:
    inbox.accept(comment("c1"), quiet=True)
    assert inbox.claim("reviews") is None
    assert wait_for(inbox).event.id == "c1"
