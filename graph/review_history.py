"""The last reviews of a repository: what was said on which head, for "what did you say?"."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from graph.findings import Finding
from graph.store import CasConflict, ConventionStore, Write

KEPT_PER_PULL_REQUEST = 5
KEPT_PER_REPOSITORY = 200
_MAX_TRIES = 50


class HistoryBusy(RuntimeError):  # noqa: N818
    """Too many reviews were recorded at once; the event is tried again."""

    reason = "review_history_busy"


def keep(store: ConventionStore, repository_id: int, entry: Mapping[str, Any]) -> None:
    """Record a review: one entry per pull request and head, so that a retry overwrites.

    `entry` has at least `number`, `head_sha` and `at` (seconds since the epoch). The oldest beyond
    the limits go, their text too.
    """
    key = f"{entry['number']}@{entry['head_sha']}"
    namespace, index = _namespace(repository_id), _index(repository_id)
    for attempt in range(_MAX_TRIES):
        record = store.read([(index, "order")])[0]
        order = [str(k) for k in record.value["keys"]] if record else []
        order = [*(k for k in order if k != key), key]
        gone = _beyond_limits(order)
        kept = [k for k in order if k not in gone]
        version = record.version if record else 0
        writes = [
            Write(namespace, key, entry),
            Write(index, "order", {"keys": kept}, expected=version),
            *(Write(namespace, k, None) for k in sorted(gone)),
        ]
        try:
            store.commit(writes)
        except CasConflict:
            time.sleep(0.002 * min(attempt + 1, 10))
            continue
        for old in gone:
            store.erase_history(namespace, old)
        store.erase_history(index, "order")
        return
    raise HistoryBusy("Many reviews ended at once; this one will be recorded again.")


def of_pull_request(
    store: ConventionStore, repository_id: int, number: int
) -> list[dict[str, Any]]:
    """The kept reviews of one pull request, newest first."""
    record = store.read([(_index(repository_id), "order")])[0]
    order = record.value["keys"] if record else []
    keys = [k for k in order if str(k).partition("@")[0] == str(number)]
    items = store.read([(_namespace(repository_id), str(k)) for k in keys])
    return [dict(item.value) for item in reversed(items) if item is not None]


def described(entry: Mapping[str, Any]) -> str:
    """What a review said, as lines: each finding with its place, convention and severity."""
    findings = [Finding.from_json(f) for f in entry["findings"]]
    head = f"Review of {str(entry['head_sha'])[:7]}: "
    if not findings:
        return head + "no findings."
    lines = [f"{number}. {_line(f)}" for number, f in enumerate(findings, 1)]
    return head + f"{len(findings)} findings.\n" + "\n".join(lines)


def last_said(reviews: Sequence[Mapping[str, Any]]) -> str:
    """What the newest review said, and back to the last one that found something.

    A later review repeats nothing, so what it did not find may still stand.
    """
    shown: list[str] = []
    for entry in reviews:
        shown.append(described(entry))
        if entry["findings"]:
            break
    return "\n\n".join(shown)


def _line(finding: Finding) -> str:
    anchor = finding.anchor
    place = f"{finding.path}:{anchor.line}" if anchor else finding.path or "the pull request"
    cites = f", {finding.convention_id}" if finding.convention_id else ""
    also = f" (also at {len(finding.also_at)} other places)" if finding.also_at else ""
    text = " ".join(f"{finding.title} {finding.message}".split())
    return f"{place} [{finding.severity} {finding.category}{cites}] {text}{also}"


def _beyond_limits(order: Sequence[str]) -> set[str]:
    """The keys to drop from `order`, oldest first, by pull request and then over all."""
    by_number: dict[str, list[str]] = {}
    for key in order:
        by_number.setdefault(key.partition("@")[0], []).append(key)
    gone = {key for keys in by_number.values() for key in keys[:-KEPT_PER_PULL_REQUEST]}
    left = [key for key in order if key not in gone]
    return gone | set(left[: max(0, len(left) - KEPT_PER_REPOSITORY)])


def _namespace(repository_id: int) -> tuple[str, ...]:
    return ("reviews", str(repository_id))


def _index(repository_id: int) -> tuple[str, ...]:
    return ("review_index", str(repository_id))
