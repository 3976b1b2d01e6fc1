"""The check run: created once, patched later, annotations in batches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import redis as redis_client

from graph.context import Annotation, CheckReport
from tests.workers.github_stage import Stage, finding, open_stage
from workers.errors import RateLimited, Superseded, Transient

CREATE = r"/check-runs$"
REPORT = CheckReport("neutral", "3 findings", "Read 5 files.")


@pytest.fixture
def stage(tmp_path: Path, redis: redis_client.Redis) -> Iterator[Stage]:
    with open_stage(tmp_path, redis) as opened:
        yield opened


def _report(stage: Stage, report: CheckReport) -> int:
    return stage.publisher().report(stage.number, stage.head_sha, report)


def _runs(stage: Stage) -> list[dict[str, Any]]:
    path = f"/commits/{stage.head_sha}/check-runs"
    return list(stage.client().pages(path, key="check_runs", filter="all"))


def _annotated(count: int, title: str = "many") -> CheckReport:
    annotations = tuple(
        Annotation("src/app.py", n + 1, n + 1, "warning", "C7", f"number {n}") for n in range(count)
    )
    return replace(REPORT, title=title, annotations=annotations)


def _messages(stage: Stage, run_id: int) -> list[str]:
    pages = stage.client().pages(f"/check-runs/{run_id}/annotations")
    return [annotation["message"] for annotation in pages]


def test_a_report_is_said_once(stage: Stage) -> None:
    first = _report(stage, REPORT)
    assert _report(stage, REPORT) == first
    (run,) = _runs(stage)
    assert (run["name"], run["conclusion"]) == ("Precedent", "neutral")
    assert run["output"]["title"] == "3 findings"
    assert run["head_sha"] == stage.head_sha
    assert len(stage.writes()) == 1


def test_another_report_patches_the_same_run(stage: Stage) -> None:
    first = _report(stage, REPORT)
    assert _report(stage, replace(REPORT, conclusion="success", title="Clean")) == first
    (run,) = _runs(stage)
    assert (run["conclusion"], run["output"]["title"]) == ("success", "Clean")


@pytest.mark.parametrize("count", [1, 50, 51, 120])
def test_annotations_go_out_in_batches_of_fifty(stage: Stage, count: int) -> None:
    run_id = _report(stage, _annotated(count))
    assert _messages(stage, run_id) == [f"number {n}" for n in range(count)]
    sizes = [len(call.body["output"]["annotations"]) for call in stage.writes()]
    assert sizes == [50] * (count // 50) + ([count % 50] if count % 50 else [])


@pytest.mark.parametrize("phase", ["drop", "after", "truncate"])
def test_a_lost_answer_makes_no_second_run(stage: Stage, phase: str) -> None:
    stage.github.faults.add("POST", CREATE, phase=phase, status=502)
    run_id = _report(stage, _annotated(60))
    assert [run["id"] for run in _runs(stage)] == [run_id]
    assert len(_messages(stage, run_id)) == 60


@pytest.mark.parametrize("phase", ["drop", "before"])
def test_a_batch_in_doubt_is_counted_before_it_is_sent_again(stage: Stage, phase: str) -> None:
    stage.github.faults.add("PATCH", r"/check-runs/\d+$", phase=phase, status=502)
    with pytest.raises(Transient):
        _report(stage, _annotated(120))
    run_id = _report(stage, _annotated(120))
    assert _messages(stage, run_id) == [f"number {n}" for n in range(120)]


def test_annotations_cannot_be_taken_back_so_another_report_gets_its_own_run(
    stage: Stage,
) -> None:
    first = _report(stage, _annotated(3))
    second = _report(stage, _annotated(1, title="fewer"))
    assert second != first
    assert _messages(stage, second) == ["number 0"]
    assert _report(stage, _annotated(1, title="fewer")) == second
    assert len(_runs(stage)) == 2


def test_a_long_summary_is_cut(stage: Stage) -> None:
    _report(stage, replace(REPORT, summary="ä" * 70_000, title="t" * 300))
    (run,) = _runs(stage)
    assert len(run["output"]["summary"]) <= 65_535
    assert len(run["output"]["title"]) == 255


def test_a_run_that_lost_its_lease_reports_nothing(stage: Stage) -> None:
    def stop() -> None:
        raise Superseded("lost")

    with pytest.raises(Superseded):
        stage.publisher(stop).report(stage.number, stage.head_sha, REPORT)
    assert stage.writes() == []


def test_a_limit_is_told_in_seconds(stage: Stage) -> None:
    stage.github.faults.secondary_rate_limit("POST", CREATE, retry_after_s=11)
    with pytest.raises(RateLimited) as limited:
        _report(stage, REPORT)
    assert limited.value.retry_after_s == 11
    assert _report(stage, REPORT)
    assert len(_runs(stage)) == 1


def test_a_draft_with_nothing_to_say_leaves_only_its_check(stage: Stage) -> None:
    publication = stage.publisher().publish(stage.draft(body="", check=REPORT))
    assert publication.review_id is None
    assert publication.check_run_id == _runs(stage)[0]["id"]
    assert stage.reviews() == []


def test_the_check_comes_after_the_review_and_a_failure_of_it_repeats_no_review(
    stage: Stage,
) -> None:
    stage.github.faults.add("POST", CREATE, status=502)
    draft = stage.draft(finding(10), check=REPORT)
    with pytest.raises(Transient):
        stage.publisher().publish(draft)
    assert len(stage.reviews()) == 1
    publication = stage.publisher().publish(draft)
    assert publication.already_published
    assert publication.check_run_id
    assert len(stage.reviews()) == 1
