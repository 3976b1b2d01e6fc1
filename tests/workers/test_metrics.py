"""Counters of all processes, as Prometheus reads them."""

from __future__ import annotations

import pytest
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from deploy.sandbox.redis_server import EmbeddedRedis
from tests.workers.inbox_events import comment, job
from workers.inbox import Inbox
from workers.metrics import KEY, Metrics
from workers.redis_connection import connect_redis


def samples(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_counts_of_every_process_add_up(redis: Redis) -> None:
    one, two = Metrics(redis), Metrics(redis)
    one.count("precedent_github_calls_total", method="GET", status=200)
    two.count("precedent_github_calls_total", 2, method="GET", status=200)
    two.count("precedent_model_tokens_total", 1500, model='odd "name"\\', direction="in")
    found = samples(one.render(Inbox(redis).status()))
    assert found["precedent_github_calls_total", (("method", "GET"), ("status", "200"))] == 3
    model = (("direction", "in"), ("model", 'odd "name"\\'))
    assert found["precedent_model_tokens_total", model] == 1500


def test_a_histogram_is_cumulative_and_in_order(redis: Redis) -> None:
    metrics = Metrics(redis)
    for seconds in (0.2, 0.2, 7.0, 5000.0):
        metrics.observe("precedent_review_seconds", seconds, node="plan")
    text = metrics.render(Inbox(redis).status())
    found = samples(text)

    def bucket(le: str) -> float:
        return found["precedent_review_seconds_bucket", (("le", le), ("node", "plan"))]

    assert [bucket(le) for le in ("0.1", "0.25", "5", "10", "900", "+Inf")] == [
        0, 2, 2, 3, 3, 4,
    ]  # fmt: skip
    assert found["precedent_review_seconds_count", (("node", "plan"),)] == 4
    assert found["precedent_review_seconds_sum", (("node", "plan"),)] == pytest.approx(5007.4)
    bounds = [line.split('le="')[1].split('"')[0] for line in text.splitlines() if "le=" in line]
    assert bounds == sorted(bounds, key=lambda le: float(le.replace("+Inf", "inf")))


def test_the_inbox_counts_itself(redis: Redis) -> None:
    inbox = Inbox(redis)
    inbox.accept(comment("c1"))
    inbox.accept(comment("c1"))
    inbox.accept(comment("c2", number=2))
    inbox.accept(job("j1"))
    lease = inbox.claim("reviews")
    assert lease is not None
    inbox.fail(lease, "boom", "", permanent=True)
    found = samples(Metrics(redis).render(inbox.status()))
    reviews, background = (("lane", "reviews"),), (("lane", "background"),)
    expected = {
        "accepted_total": 2, "duplicates_total": 1, "attempts_total": 1, "failures_total": 1,
        "dead_letters_total": 1, "waiting": 1, "due": 1, "running": 0,
    }  # fmt: skip
    assert {name: found[f"precedent_inbox_{name}", reviews] for name in expected} == expected
    assert found["precedent_inbox_accepted_total", background] == 1
    assert found["precedent_inbox_dead_letters", ()] == 1
    assert found["precedent_inbox_oldest_due_seconds", reviews] >= 0


def test_a_name_or_label_that_was_not_declared_is_refused(redis: Redis) -> None:
    metrics = Metrics(redis)
    with pytest.raises(KeyError):
        metrics.count("precedent_typo_total")
    with pytest.raises(ValueError):
        metrics.count("precedent_reconciled_total", where="here")
    with pytest.raises(ValueError):
        metrics.observe("precedent_reconciled_total", 1.0, what="review")


def test_counting_survives_an_outage(redis: Redis, redis_server: EmbeddedRedis) -> None:
    metrics = Metrics(connect_redis(redis_server.url))
    redis_server.kill()
    metrics.count("precedent_reconciled_total", what="review")
    redis_server.start()
    metrics.count("precedent_reconciled_total", what="reply")
    found = samples(metrics.render(Inbox(redis).status()))
    assert found["precedent_reconciled_total", (("what", "review"),)] == 1
    assert found["precedent_reconciled_total", (("what", "reply"),)] == 1


def test_a_busy_process_sends_what_it_counted_together(redis: Redis) -> None:
    metrics, other = Metrics(redis), Metrics(redis)
    with metrics.sending_every(3600.0):
        for _ in range(3):
            metrics.count("precedent_reconciled_total", what="review")
        assert not redis.exists(KEY)
        assert "precedent_reconciled_total{" in metrics.render(Inbox(redis).status())
        metrics.count("precedent_reconciled_total", what="review")
    found = samples(other.render(Inbox(redis).status()))
    assert found["precedent_reconciled_total", (("what", "review"),)] == 4
