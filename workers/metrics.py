"""Metrics of all processes in one place: counters in a Redis hash, gauges from the inbox.

A field of the hash is a sample's name as Prometheus writes it, `name{label="value"}`, so that the
inbox's scripts can count in the same transaction in which something happens.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, cast

from redis import Redis
from redis.exceptions import RedisError

from workers.inbox import InboxStatus
from workers.redis_connection import text_of

KEY = "precedent:metrics"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS_BUCKETS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900)
MAX_LABEL_CHARS = 100
SENT_EVERY_S = 0.5
"""Nobody waits for a count: Prometheus asks every 15 seconds or more."""

ADD_ALL = """
for i = 1, #ARGV, 2 do
    redis.call('HINCRBYFLOAT', KEYS[1], ARGV[i], ARGV[i + 1])
end
"""

Kind = Literal["counter", "gauge", "histogram"]


@dataclass(frozen=True)
class Metric:
    """A name that may be counted, with its labels."""

    name: str
    kind: Kind
    help: str
    labels: tuple[str, ...] = ()


METRICS = (
    Metric("precedent_inbox_accepted_total", "counter", "Events stored.", ("lane",)),
    Metric("precedent_inbox_duplicates_total", "counter", "Deliveries seen before.", ("lane",)),
    Metric("precedent_inbox_attempts_total", "counter", "Events claimed to be run.", ("lane",)),
    Metric("precedent_inbox_done_total", "counter", "Events done.", ("lane",)),
    Metric("precedent_inbox_failures_total", "counter", "Attempts that failed.", ("lane",)),
    Metric("precedent_inbox_deferred_total", "counter", "Events put off by a limit.", ("lane",)),
    Metric("precedent_inbox_released_total", "counter", "Events handed over.", ("lane",)),
    Metric("precedent_inbox_coalesced_total", "counter", "Pushes replaced unseen.", ("lane",)),
    Metric("precedent_inbox_superseded_total", "counter", "Runs stopped by a push.", ("lane",)),
    Metric("precedent_inbox_cancelled_total", "counter", "Events cancelled.", ("lane",)),
    Metric("precedent_inbox_lease_expiries_total", "counter", "Workers that went away.", ("lane",)),
    Metric("precedent_inbox_dead_letters_total", "counter", "Events that gave up.", ("lane",)),
    Metric("precedent_inbox_replayed_total", "counter", "Dead letters replayed.", ("lane",)),
    Metric("precedent_reconciled_total", "counter", "Found by the reconciler.", ("what",)),
    Metric("precedent_inbox_waiting", "gauge", "Subjects that wait.", ("lane",)),
    Metric("precedent_inbox_due", "gauge", "Subjects that could run now.", ("lane",)),
    Metric("precedent_inbox_running", "gauge", "Leases held.", ("lane",)),
    Metric("precedent_inbox_oldest_due_seconds", "gauge", "Age of the oldest due.", ("lane",)),
    Metric("precedent_inbox_dead_letters", "gauge", "Dead letters now."),
    Metric("precedent_event_seconds", "histogram", "Run time of an event.", ("kind", "outcome")),
    Metric("precedent_event_wait_seconds", "histogram", "Acceptance to start.", ("lane",)),
    Metric("precedent_review_seconds", "histogram", "Run time of a graph node.", ("node",)),
    Metric("precedent_model_tokens_total", "counter", "Model tokens.", ("model", "direction")),
    Metric("precedent_model_calls_total", "counter", "Model calls.", ("model", "outcome")),
    Metric("precedent_github_calls_total", "counter", "GitHub API calls.", ("method", "status")),
    Metric("precedent_limits_met_total", "counter", "Limits of GitHub or Slack met.", ("reason",)),
    Metric("precedent_slack_calls_total", "counter", "Slack API calls.", ("method", "status")),
    Metric("precedent_web_seconds", "histogram", "Time to answer.", ("route", "status")),
)
_BY_NAME = {metric.name: metric for metric in METRICS}


class Metrics:
    """Counts for all processes. Counting never fails: what Redis didn't take is sent next time.

    Each count is sent at once, except within `sending_every`.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._add_all = redis.register_script(ADD_ALL)
        self._lock = threading.Lock()
        self._unsent: dict[str, float] = {}
        self.is_batching = False

    def count(self, name: str, amount: float = 1, **labels: str | int) -> None:
        """Add to a counter. Raises KeyError for a name or ValueError for labels not declared."""
        self._add({sample(_declared(name, "counter", labels), labels): amount})

    def observe(self, name: str, seconds: float, **labels: str | int) -> None:
        """Add to a histogram. Raises KeyError or ValueError as `count` does.

        Each bucket is stored by itself; `render` adds them up as Prometheus wants them.
        """
        metric = _declared(name, "histogram", labels)
        amounts = {
            sample(metric, labels, suffix="_sum"): seconds,
            sample(metric, labels, suffix="_count"): 1.0,
        }
        bound = next((f"{bound:g}" for bound in SECONDS_BUCKETS if seconds <= bound), "+Inf")
        amounts[sample(metric, labels, suffix="_bucket", le=bound)] = 1.0
        self._add(amounts)

    @contextmanager
    def sending_every(self, seconds: float) -> Iterator[None]:
        """Count in memory only while this lasts; a thread sends, at the end for the last time."""
        ending = threading.Event()

        def send_until_the_end() -> None:
            while not ending.wait(seconds):
                self._send()

        sender = threading.Thread(target=send_until_the_end, name="metrics", daemon=True)
        self.is_batching = True
        sender.start()
        try:
            yield
        finally:
            self.is_batching = False
            ending.set()
            sender.join()
            self._send()

    def render(self, status: InboxStatus) -> str:
        """Everything in Prometheus' text format. Raises redis' errors."""
        self._send()
        stored = cast("dict[Any, Any]", self._redis.hgetall(KEY))
        values = {text_of(name): float(value) for name, value in stored.items()}
        return _exposition(values | _gauges(status))

    def _add(self, amounts: Mapping[str, float]) -> None:
        self._keep(amounts)
        if not self.is_batching:
            self._send()

    def _keep(self, amounts: Mapping[str, float]) -> None:
        with self._lock:
            for field, amount in amounts.items():
                self._unsent[field] = self._unsent.get(field, 0.0) + amount

    def _send(self) -> None:
        with self._lock:
            sending, self._unsent = self._unsent, {}
        if not sending:
            return
        try:
            self._add_all([KEY], [part for pair in sending.items() for part in pair])
        except RedisError:
            self._keep(sending)


def sample(
    metric: Metric, labels: Mapping[str, str | int], *, suffix: str = "", le: str = ""
) -> str:
    """The name of one sample as Prometheus writes it."""
    pairs = [f'{name}="{_escape(str(labels[name]))}"' for name in metric.labels]
    if le:
        pairs.append(f'le="{le}"')
    return metric.name + suffix + ("{" + ",".join(pairs) + "}" if pairs else "")


def _declared(name: str, kind: Kind, labels: Mapping[str, str | int]) -> Metric:
    metric = _BY_NAME[name]
    if metric.kind != kind or set(labels) != set(metric.labels):
        raise ValueError(f"{name} is a {metric.kind} with the labels {metric.labels}")
    return metric


def _escape(value: str) -> str:
    value = value[:MAX_LABEL_CHARS]
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _gauges(status: InboxStatus) -> dict[str, float]:
    gauges = {"precedent_inbox_dead_letters": float(status.dead_letters)}
    for lane in status.lanes:
        for name, value in (
            ("waiting", lane.waiting),
            ("due", lane.due),
            ("running", lane.running),
            ("oldest_due_seconds", lane.oldest_due_age_s),
        ):
            metric = _BY_NAME[f"precedent_inbox_{name}"]
            gauges[sample(metric, {"lane": lane.lane})] = float(value)
    return gauges


def _exposition(values: Mapping[str, float]) -> str:
    lines: list[str] = []
    for metric in METRICS:
        lines += [f"# HELP {metric.name} {metric.help}", f"# TYPE {metric.name} {metric.kind}"]
        lines += _samples(metric, values)
    return "\n".join(lines) + "\n"


def _samples(metric: Metric, values: Mapping[str, float]) -> Iterable[str]:
    if metric.kind == "histogram":
        yield from _buckets(metric, values)
    suffixes = ("_sum", "_count") if metric.kind == "histogram" else ("",)
    for suffix in suffixes:
        for field in _fields(metric.name + suffix, values):
            yield f"{field} {values[field]:.10g}"


def _buckets(metric: Metric, values: Mapping[str, float]) -> Iterable[str]:
    """Every bucket of every series, each with all that is below it."""
    bounds = [*(f"{bound:g}" for bound in SECONDS_BUCKETS), "+Inf"]
    for field in _fields(metric.name + "_count", values):
        labels = field.removeprefix(metric.name + "_count").strip("{}")
        total = 0.0
        for bound in bounds:
            bucket = f'{metric.name}_bucket{{{labels},le="{bound}"}}'
            total += values.get(bucket, 0.0)
            yield f"{bucket} {total:.10g}"


def _fields(name: str, values: Mapping[str, float]) -> list[str]:
    return sorted(field for field in values if field == name or field.startswith(name + "{"))
