"""What background learning remembers of a repository: what it read, heard, and proposed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graph.learning_guards import Point, Remark
from graph.store import ConventionStore, Write

WEEK_S = 7 * 86_400.0
MAX_PROPOSALS_A_WEEK = 3
"""More would be noise that people learn to ignore."""

HEARD_TTL_S = 180 * 86_400.0
"""So long a point said once waits to be said again in another pull request."""

MAX_POINTS = 300
MAX_READ_IDS = 2_000
MAX_DIGESTS = 5_000
SLACK_TTL_S = 30 * 86_400.0
MAX_SLACK_MESSAGES = 200


@dataclass(frozen=True)
class Memory:
    """`points` were heard without evidence, `waiting` with it but beyond the week's number.

    `announced` are (seconds since the epoch, convention id); `digests` all ever proposed.
    """

    read_ids: tuple[str, ...] = ()
    points: tuple[Point, ...] = ()
    waiting: tuple[Point, ...] = ()
    announced: tuple[tuple[float, str], ...] = ()
    digests: tuple[str, ...] = field(default=())

    def room(self, now: float, besides: Sequence[str] = ()) -> int:
        """How many may be proposed now. `besides` are ids that this very run has announced."""
        recent = {i for at, i in self.announced if at > now - WEEK_S} - set(besides)
        return max(0, MAX_PROPOSALS_A_WEEK - len(recent))


def recall(store: ConventionStore, repository_id: int) -> Memory:
    item = store.read([(_namespace(repository_id), "memory")])[0]
    if item is None:
        return Memory()
    value = item.value
    return Memory(
        read_ids=tuple(value["read_ids"]),
        points=tuple(Point.from_json(p) for p in value["points"]),
        waiting=tuple(Point.from_json(p) for p in value["waiting"]),
        announced=tuple((float(at), str(i)) for at, i in value["announced"]),
        digests=tuple(value["digests"]),
    )


def keep(store: ConventionStore, repository_id: int, memory: Memory, now: float) -> None:
    """Write it within its limits, the oldest left out. Without a history: it holds people's words.

    Learning runs one at a time per repository, so nothing is compared.
    """
    points = [p for p in memory.points if p.source.said_at > now - HEARD_TTL_S]
    value = {
        "read_ids": list(memory.read_ids[-MAX_READ_IDS:]),
        "points": [p.to_json() for p in points[-MAX_POINTS:]],
        "waiting": [p.to_json() for p in memory.waiting[-MAX_POINTS:]],
        "announced": [list(a) for a in memory.announced if a[0] > now - WEEK_S],
        "digests": list(memory.digests[-MAX_DIGESTS:]),
    }
    namespace = _namespace(repository_id)
    store.commit([Write(namespace, "memory", value)])
    store.erase_history(namespace, "memory")


def note_slack_message(store: ConventionStore, repository_id: int, remark: Remark) -> None:
    """Keep what was said to us in a channel until the next run of learning reads it."""
    namespace = _slack_namespace(repository_id)
    if len(store.recall(namespace)) >= MAX_SLACK_MESSAGES:
        return
    store.commit([Write(namespace, remark.id, remark.to_json(), ttl_s=SLACK_TTL_S)])
    store.erase_history(namespace, remark.id)


def slack_messages(store: ConventionStore, repository_id: int) -> list[Remark]:
    return [Remark.from_json(i.value) for i in store.recall(_slack_namespace(repository_id))]


def forget_slack_messages(store: ConventionStore, repository_id: int, ids: Iterable[str]) -> None:
    namespace = _slack_namespace(repository_id)
    writes = [Write(namespace, i, None) for i in ids if i.startswith("slack:")]
    store.commit(writes)
    for write in writes:
        store.erase_history(namespace, write.key)


def _namespace(repository_id: int) -> tuple[str, ...]:
    return ("learning", str(repository_id))


def _slack_namespace(repository_id: int) -> tuple[str, ...]:
    return ("learning_slack", str(repository_id))
