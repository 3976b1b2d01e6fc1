"""The check run "Precedent": one per pull request and head, created once and patched later."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from graph.context import Annotation, CheckReport, StillOurs
from workers.check_marks import NAME, REVIEW_AGAIN, external_id, number_in
from workers.effects import Effect, EffectLedger
from workers.github_client import RepositoryClient
from workers.github_limits import DoubtfulWrite
from workers.github_tokens import AppIdentity
from workers.review_text import cut

MAX_ANNOTATIONS_PER_REQUEST = 50
MAX_SUMMARY_CHARACTERS = 65_535
MAX_TITLE_CHARACTERS = 255
MAX_MESSAGE_CHARACTERS = 16_000
"""GitHub's documented limits; a message may have 64 KB, of up to four bytes a character."""

BUTTON = {
    "label": "Review again",
    "description": "Look at the whole change once more.",
    "identifier": REVIEW_AGAIN,
}
"""A button beside GitHub's own "Re-run". Limits: 20, 40 and 20 characters."""


@dataclass(frozen=True)
class _Run:
    """A check run as we last knew it: how many annotations went out, of which report.

    `digest` is "" while nothing is reported yet; `asked_by` is the event that began the run anew,
    and `pressed` the run whose button that was: of this head, or of an older one.
    """

    id: int
    sent: int
    digest: str
    generation: int = 1
    asked_by: str = ""
    pressed: int = 0


class CheckRuns:
    """Reports on heads of one repository."""

    def __init__(
        self,
        repository: RepositoryClient,
        identity: AppIdentity,
        ledger: EffectLedger,
        still_ours: StillOurs,
    ) -> None:
        self._repository = repository
        self._identity = identity
        self._ledger = ledger
        self._still_ours = still_ours

    def report(self, number: int, head_sha: str, report: CheckReport) -> int:
        """Say `report` on `head_sha`; returns the check run's id. Repeating it changes nothing.

        GitHub only ever adds annotations, so another report after one with annotations gets a
        run of its own; GitHub shows the newest of a name.
        """
        key = self._key(number, head_sha)
        digest = _digest(report)
        effect = self._ledger.read(key)
        run = _known(effect)
        if run and run.digest == digest:
            if run.sent >= len(report.annotations):
                return run.id
            run = replace(run, sent=self._annotations_of(run.id))
        elif run and run.sent == 0:
            run = self._send(key, replace(run, digest=digest), report)
        else:
            generation = run.generation + 1 if run else 1
            content = _payload(report, report.annotations[:MAX_ANNOTATIONS_PER_REQUEST])
            made = _Run(0, 0, digest, generation)
            run = self._create(number, head_sha, content, made, may_exist=effect is not None)
        while run.sent < len(report.annotations):
            run = self._send(key, run, report)
        return run.id

    def restart(
        self, number: int, head_sha: str, *, asked_by: str, pressed_id: int, is_of_head: bool
    ) -> bool:
        """Begin a run anew, in progress until it is reported; False when that was done already.

        `pressed_id` is the run whose button was pressed, and `is_of_head` whether it is a run of
        this head. One of this head whose place another run took was pressed twice: the run in its
        place was begun by the same wish. So was one of an older head when the newest run here was
        begun by it. Repeating it with the same `asked_by` is no matter.
        """
        effect = self._ledger.read(self._key(number, head_sha))
        run = _known(effect)
        if run is not None and run.asked_by:
            if run.asked_by == asked_by:
                return True
            if run.pressed == pressed_id or (is_of_head and run.id != pressed_id):
                return False
        # Of a run we know nothing of, the first generation may be there all the same.
        generation = run.generation + 1 if run else 1
        made = _Run(0, 0, "", generation, asked_by, pressed_id)
        self._create(number, head_sha, {"status": "in_progress"}, made, may_exist=True)
        return True

    def end(self, number: int, head_sha: str, reason: str) -> None:
        """Close a run that was begun anew and about which nothing was reported."""
        run = _known(self._ledger.read(self._key(number, head_sha)))
        if run is not None and not run.digest:
            self.report(number, head_sha, CheckReport("neutral", reason, reason))

    def made_for(self, head_sha: str) -> dict[int, int]:
        """For each pull request the newest run of ours on this head."""
        newest: dict[int, int] = {}
        for run in self._runs_of(head_sha):
            known = str(run.get("external_id") or "")
            number = number_in(known, self._repository.repository_id, head_sha)
            if number is not None:
                newest[number] = max(int(run["id"]), newest.get(number, 0))
        return newest

    def _key(self, number: int, head_sha: str) -> str:
        return f"check:{self._repository.repository_id}:{number}:{head_sha}"

    def _create(
        self, number: int, head_sha: str, content: dict[str, Any], made: _Run, *, may_exist: bool
    ) -> _Run:
        """Make a run with `content`, or find the one that was made; `made` lacks what only GitHub
        knows."""
        key = self._key(number, head_sha)
        known = external_id(self._repository.repository_id, number, head_sha, made.generation)
        found = self._find(head_sha, known) if may_exist else None
        if found is None:
            self._still_ours()
            self._ledger.intend(key)
            body = content | {"name": NAME, "head_sha": head_sha, "external_id": known}
            try:
                found = self._repository.post("/check-runs", body)
            except DoubtfulWrite:
                found = self._find(head_sha, known)
                if found is None:
                    raise
        sent = int((found.get("output") or {}).get("annotations_count") or 0)
        run = replace(made, id=int(found["id"]), sent=sent)
        self._ledger.done(key, asdict(run))
        return run

    def _send(self, key: str, run: _Run, report: CheckReport) -> _Run:
        """Patch the run with the next batch of annotations."""
        batch = report.annotations[run.sent : run.sent + MAX_ANNOTATIONS_PER_REQUEST]
        self._still_ours()
        self._repository.patch(f"/check-runs/{run.id}", _payload(report, batch))
        run = replace(run, sent=run.sent + len(batch))
        self._ledger.done(key, asdict(run))
        return run

    def _annotations_of(self, run_id: int) -> int:
        """How many annotations arrived; the answer to the last patch may have been lost."""
        found = self._repository.get(f"/check-runs/{run_id}")
        return int((found.get("output") or {}).get("annotations_count") or 0)

    def _find(self, head_sha: str, known: str) -> Mapping[str, Any] | None:
        ours = (run for run in self._runs_of(head_sha) if run.get("external_id") == known)
        return next(ours, None)

    def _runs_of(self, head_sha: str) -> Iterator[Mapping[str, Any]]:
        return self._repository.pages(
            f"/commits/{head_sha}/check-runs",
            key="check_runs",
            check_name=NAME,
            filter="all",
            app_id=self._identity.app_id,
        )


def _known(effect: Effect | None) -> _Run | None:
    return _Run(**effect.outcome) if effect and effect.outcome else None


def _payload(report: CheckReport, batch: tuple[Annotation, ...]) -> dict[str, Any]:
    return {
        "status": "completed",
        "conclusion": report.conclusion,
        "actions": [BUTTON],
        "output": {
            "title": report.title[:MAX_TITLE_CHARACTERS],
            "summary": cut(report.summary or report.title, MAX_SUMMARY_CHARACTERS),
            "annotations": [_annotation(annotation) for annotation in batch],
        },
    }


def _annotation(annotation: Annotation) -> dict[str, Any]:
    return {
        "path": annotation.path,
        "start_line": annotation.start_line,
        "end_line": annotation.end_line,
        "annotation_level": annotation.level,
        "title": annotation.title[:MAX_TITLE_CHARACTERS],
        "message": annotation.message[:MAX_MESSAGE_CHARACTERS],
    }


def _digest(report: CheckReport) -> str:
    text = json.dumps(asdict(report), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
