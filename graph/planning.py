"""The plan node: what a model will read of this head, in which parts, and what nobody reads."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from langgraph.runtime import Runtime

from graph.checking import as_store
from graph.context import PullRequest, ReviewContext
from graph.conventions import Convention
from graph.diff import Diff
from graph.findings import Finding
from graph.generated import marker_reason, named, policy_of, unreadable
from graph.incremental import hunk_keys, keys_behind, read_part, unread_part
from graph.permissions import at_least
from graph.planning_units import (
    MAX_ENCLOSED_FILES,
    Part,
    Piece,
    in_order,
    packed,
    pieces_of,
    surroundings_of,
)
from graph.recalling import active_conventions
from graph.redaction import redacted, redacted_diff
from graph.repository_settings import RepositorySettings
from graph.spending import Budget, Limits, left_today, set_spent
from graph.state import Reading, ReviewState, Unit
from graph.store import ConventionStore, Write
from graph.turn import current, settings_of
from graph.untrusted import stripped, stripped_diff

BLOB_TTL_S = 86_400.0
"""A run that is continued later than a day after its crash is a new review."""

CALL_OVERHEAD_TOKENS = 3_000
"""Of one call beside its part of the diff: instructions, conventions, answer, second look."""


@dataclass(frozen=True)
class CleanDiff:
    """A diff as a model may see it: no secrets, nothing that people can't see."""

    diff: Diff
    secrets: tuple[Finding, ...]
    hidden: Mapping[str, tuple[str, ...]]


def clean(diff: Diff) -> CleanDiff:
    """Cover secrets and strip hidden text.

    Secrets are looked for before and after: hidden text may hold one, or break one apart.
    """
    covered, secrets = redacted_diff(diff)
    visible, hidden = stripped_diff(covered)
    final, more = redacted_diff(visible)
    return CleanDiff(final, (*secrets, *more), hidden)


def clean_text(text: str) -> str:
    """A file of the head, the same way."""
    return redacted(stripped(redacted(text), is_markdown=False).text)


def plan(
    state: ReviewState, runtime: Runtime[ReviewContext], *, has_model: bool, limits: Limits
) -> dict[str, Any]:
    """Decide what is read; store each part's text as a blob, for the state holds no diffs."""
    context = runtime.context
    context.still_ours()
    pull_request = current(context)
    settings = settings_of(context, pull_request)
    whole = clean(context.reader.diff(pull_request))
    policy = policy_of(
        lambda path: context.reader.read_file(path, pull_request.default_branch),
        settings, whole.diff,
    )  # fmt: skip
    planner = _Planner(state, context, as_store(runtime.store), pull_request, limits)
    update = {
        "candidates": [finding.to_json() for finding in _one_each(whole.secrets)],
        "unread": list(named(policy, "policy")),
        "reading": Reading(
            hidden=[f"`{path}`: {', '.join(what)}" for path, what in whole.hidden.items()],
            no_model="" if has_model else "no model is configured",
            nothing_to_read=bool(whole.diff.files) and len(policy) == len(whole.diff.files),
            keys=[],
            conventions=[],
        ),
    }
    if has_model:
        planner.plan_reading(whole.diff, policy, settings, update)
    return update


@dataclass(frozen=True)
class _Planner:
    state: ReviewState
    context: ReviewContext
    store: ConventionStore
    pull_request: PullRequest
    limits: Limits

    def plan_reading(
        self,
        whole: Diff,
        policy: dict[str, str],
        settings: RepositorySettings,
        update: dict[str, Any],
    ) -> None:
        reading: Reading = update["reading"]
        budget = left_today(self.store, self.context, settings.review_daily_tokens, self.limits)
        reading["no_model"] = self._reason_without_model(budget)
        readable = replace(whole, files=tuple(f for f in whole.files if f.path not in policy))
        broken = unreadable(readable)
        if whole.incomplete:
            broken[""] = whole.incomplete
        update["unread"] += named(broken, "incomplete")
        if reading["no_model"]:
            return
        conventions = active_conventions(self.store, self.context)
        reading["conventions"] = [c.reference for c in conventions]
        texts = self._head_texts(readable)
        by_marker = {
            path: reason for path, text in texts.items() if (reason := marker_reason(text))
        }
        update["unread"] += named(by_marker, "policy")
        readable = replace(
            readable, files=tuple(f for f in readable.files if f.path not in by_marker)
        )
        reading["keys"] = list(hunk_keys(readable))
        parts = self._parts(readable, conventions, texts, update, reading)
        self._reserve(parts, budget, update)

    def _reason_without_model(self, budget: Budget) -> str:
        """Why no model may be asked, or "". Somebody with write who asks lifts the first."""
        pull_request, context = self.pull_request, self.context
        if context.cause == "auto" and pull_request.is_public_repository:
            permission = context.reader.permission(
                pull_request.author_login, pull_request.author_id
            )
            if not pull_request.author_is_bot and not at_least(permission, "write"):
                return (
                    "the author has no write permission in this public repository; someone who "
                    f"has it may comment `@{context.handle} review`"
                )
        return budget.reason if budget.left_tokens <= 0 else ""

    def _head_texts(self, diff: Diff) -> dict[str, str]:
        """Files at the head whose functions are worth showing: changed, in parts, not too many."""
        wanted = [f for f in in_order(diff.files) if f.status in ("modified", "renamed")]
        texts = {}
        for file in [f for f in wanted if f.hunks][:MAX_ENCLOSED_FILES]:
            content = self.context.reader.read_file(file.path, self.pull_request.head_sha)
            if content is not None:
                texts[file.path] = clean_text(content.decode("utf-8", "replace"))
        return texts

    def _parts(
        self,
        readable: Diff,
        conventions: Sequence[Convention],
        texts: Mapping[str, str],
        update: dict[str, Any],
        reading: Reading,
    ) -> list[tuple[Part, list[str]]]:
        """What to read, each part with the conventions that it is read for alone, if any."""
        read: Collection[str] = () if self.context.cause != "auto" else set(self._read())
        since = self._since() if read else None
        new = unread_part(readable, read, since)
        reading["is_partial"] = bool(read)
        parts: list[tuple[Part, list[str]]] = [
            (p, []) for p in self._packed(new, readable, texts, update)
        ]
        fresh = self._fresh(conventions) if read else []
        old = read_part(readable, read) if fresh else Diff(())
        concerned = replace(
            old, files=tuple(f for f in old.files if any(c.applies_to(f.path) for c in fresh))
        )
        ids = [c.id for c in fresh]
        return [*parts, *((p, ids) for p in self._packed(concerned, readable, texts, update))]

    def _read(self) -> list[str]:
        return self.state.get("read_hunks", [])

    def _since(self) -> Diff | None:
        last = self.state.get("last_reviewed_sha", "")
        if not last:
            return None
        since = self.context.reader.compare(last, self.pull_request.head_sha)
        return None if since is None else clean(since).diff

    def _fresh(self, conventions: Sequence[Convention]) -> list[Convention]:
        """Taught or changed since the last review, and for a model to judge."""
        known = set(self.state.get("last_conventions", []))
        return [
            c
            for c in conventions
            if c.reference not in known and c.mode == "enforce" and c.check is None
        ]

    def _packed(
        self, diff: Diff, whole: Diff, texts: Mapping[str, str], update: dict[str, Any]
    ) -> list[Part]:
        pieces: list[Piece] = []
        for file in in_order(f for f in diff.files if f.hunks):
            around = surroundings_of(file, texts[file.path]) if file.path in texts else {}
            keys_of = partial(keys_behind, whole.file(file.path) or file)
            found, left_out = pieces_of(file, keys_of, self.limits.max_unit_tokens, around)
            pieces += found
            if left_out:
                reason = "too long: only its first part was read"
                update["unread"] += named({file.path: reason}, "incomplete")
        return packed(pieces, self.limits.max_unit_tokens)

    def _reserve(
        self, parts: Sequence[tuple[Part, list[str]]], budget: Budget, update: dict[str, Any]
    ) -> None:
        """Take as many parts as the run and the day allow, name the rest, store the texts."""
        kept, tokens = 0, 0
        why = f"over the ceiling of {self.limits.max_units} parts a review"
        for part, _ in parts[: self.limits.max_units]:
            cost = part.tokens + CALL_OVERHEAD_TOKENS
            if tokens + cost > budget.left_tokens:
                why = budget.reason
                break
            kept, tokens = kept + 1, tokens + cost
        seen = {path for part, _ in parts[:kept] for path in part.paths}
        left = dict.fromkeys(path for part, _ in parts[kept:] for path in part.paths)
        reasons = {path: f"read in part, {why}" if path in seen else why for path in left}
        update["unread"] += named(reasons, "incomplete")
        update["units"] = self._stored(parts[:kept])
        if kept:
            set_spent(self.store, self.context, tokens)

    def _stored(self, parts: Iterable[tuple[Part, list[str]]]) -> list[Unit]:
        units: list[Unit] = []
        writes: dict[str, Write] = {}
        for number, (part, only) in enumerate(parts, start=1):
            key = hashlib.sha256(part.text.encode("utf-8", "replace")).hexdigest()
            namespace = ("blobs", str(self.context.repository_id))
            text = part.text.encode("utf-8", "replace").decode()
            writes[key] = Write(namespace, key, {"text": text}, ttl_s=BLOB_TTL_S)
            units.append(Unit(number=number, paths=part.paths, blob=key, tokens=part.tokens,
                              keys=part.keys, only=only))  # fmt: skip
        self.store.commit(list(writes.values()))
        return units


def _one_each(secrets: Iterable[Finding]) -> list[Finding]:
    """One finding for a line, however many patterns it fits."""
    return list({(s.path, s.anchor): s for s in secrets}.values())
