"""The check run "Precedent": one per pull request and head, created once and patched later."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from graph.context import Annotation, CheckReport, StillOurs
from workers.effects import EffectLedger
from workers.github_client import RepositoryClient
from workers.github_limits import DoubtfulWrite
from workers.github_tokens import AppIdentity
from workers.review_text import cut

NAME = "Precedent"

MAX_ANNOTATIONS_PER_REQUEST = 50
MAX_SUMMARY_CHARACTERS = 65_535
MAX_TITLE_CHARACTERS = 255
MAX_MESSAGE_CHARACTERS = 16_000
"""GitHub's documented limits; a message may have 64 KB, of up to four bytes a character."""

REVIEW_AGAIN = {
    "label": "Review again",
    "description": "Look at the whole change once more.",
    "identifier": "review_again",
}
"""A button beside GitHub's own "Re-run". Limits: 20, 40 and 20 characters."""


@dataclass(frozen=True)
class _Run:
    """A check run as we last knew it: how many annotations went out, of which report."""

    id: int
    sent: int
    digest: str
    generation: int = 1


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
        key = f"check:{self._repository.repository_id}:{number}:{head_sha}"
        digest = _digest(report)
        effect = self._ledger.read(key)
        run = _Run(**effect.outcome) if effect and effect.outcome else None
        if run and run.digest == digest:
            if run.sent >= len(report.annotations):
                return run.id
            run = _Run(run.id, self._annotations_of(run.id), digest, run.generation)
        elif run and run.sent == 0:
            run = self._send(key, _Run(run.id, 0, digest, run.generation), report)
        else:
            generation = run.generation + 1 if run else 1
            run = self._create(key, head_sha, report, generation, may_exist=effect is not None)
        while run.sent < len(report.annotations):
            run = self._send(key, run, report)
        return run.id

    def _create(
        self, key: str, head_sha: str, report: CheckReport, generation: int, *, may_exist: bool
    ) -> _Run:
        external_id = f"{key}:{generation}"
        found = self._find(head_sha, external_id) if may_exist else None
        if found is None:
            self._still_ours()
            self._ledger.intend(key)
            body = _payload(report, report.annotations[:MAX_ANNOTATIONS_PER_REQUEST])
            body |= {"name": NAME, "head_sha": head_sha, "external_id": external_id}
            try:
                found = self._repository.post("/check-runs", body)
            except DoubtfulWrite:
                found = self._find(head_sha, external_id)
                if found is None:
                    raise
        sent = int((found.get("output") or {}).get("annotations_count") or 0)
        run = _Run(int(found["id"]), sent, _digest(report), generation)
        self._ledger.done(key, asdict(run))
        return run

    def _send(self, key: str, run: _Run, report: CheckReport) -> _Run:
        """Patch the run with the next batch of annotations."""
        batch = report.annotations[run.sent : run.sent + MAX_ANNOTATIONS_PER_REQUEST]
        self._still_ours()
        self._repository.patch(f"/check-runs/{run.id}", _payload(report, batch))
        run = _Run(run.id, run.sent + len(batch), run.digest, run.generation)
        self._ledger.done(key, asdict(run))
        return run

    def _annotations_of(self, run_id: int) -> int:
        """How many annotations arrived; the answer to the last patch may have been lost."""
        found = self._repository.get(f"/check-runs/{run_id}")
        return int((found.get("output") or {}).get("annotations_count") or 0)

    def _find(self, head_sha: str, external_id: str) -> Mapping[str, Any] | None:
        runs = self._repository.pages(
            f"/commits/{head_sha}/check-runs",
            key="check_runs",
            check_name=NAME,
            filter="all",
            app_id=self._identity.app_id,
        )
        ours = (run for run in runs if run.get("external_id") == external_id)
        return next(ours, None)


def _payload(report: CheckReport, batch: tuple[Annotation, ...]) -> dict[str, Any]:
    return {
        "status": "completed",
        "conclusion": report.conclusion,
        "actions": [REVIEW_AGAIN],
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
