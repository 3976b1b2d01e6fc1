"""One review, whatever happens: judged by what went over the wire and by what GitHub holds."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import redis as redis_client

from graph.context import Annotation, CheckReport, Publication, Resolution, ReviewDraft
from graph.markers import finding_marks, has_mark, marks, review_mark
from tests.workers.github_stage import Stage, finding, open_stage
from workers.errors import Permanent, PrecedentError, RateLimited, Superseded, Transient
from workers.pacing import Pacing

REVIEWS = r"/pulls/\d+/reviews$"
SUBMIT = r"/reviews/\d+/events$"


class _Killed(BaseException):
    """As if the process had died here."""


@pytest.fixture
def stage(tmp_path: Path, redis: redis_client.Redis) -> Iterator[Stage]:
    with open_stage(tmp_path, redis) as opened:
        yield opened


def _publish_until_done(stage: Stage, draft: ReviewDraft, attempts: int = 6) -> Publication:
    """As the inbox does: again after a transient failure."""
    for _ in range(attempts):
        try:
            return stage.publisher().publish(draft)
        except Transient:
            continue
    raise AssertionError("it was never published")


def _assert_one_review(stage: Stage, draft: ReviewDraft) -> None:
    (review,) = stage.reviews()
    mark = review_mark(stage.repository_id, stage.number, draft.head_sha, draft.cause)
    assert has_mark(review["body"], mark)
    assert review["commit_id"] == draft.head_sha
    assert stage.reviews("PENDING") == []
    assert len(stage.review_comments()) == len(draft.comments)


def test_a_review_goes_out_in_one_request_with_all_its_comments(stage: Stage) -> None:
    draft = stage.draft(finding(10), finding(51, start_line=50), finding(10, side="LEFT"))
    publication = stage.publisher().publish(draft)
    created, submitted = stage.writes()
    assert created.path.endswith("/reviews")
    assert "event" not in created.body
    assert len(created.body["comments"]) == 3
    assert submitted.body == {"event": "COMMENT"}
    assert created.path.startswith(f"/repositories/{stage.repository_id}/")
    _assert_one_review(stage, draft)
    assert publication.review_id == stage.reviews()[0]["id"]
    assert len(publication.comment_ids) == 3
    assert publication.moved_to_body == 0
    assert not publication.already_published
    told = [finding_marks(c["body"])[0].fingerprint for c in stage.review_comments()]
    assert sorted(told) == ["f10", "f10", "f51"]


def test_a_second_time_writes_nothing(stage: Stage) -> None:
    draft = stage.draft(finding(10))
    first = stage.publisher().publish(draft)
    writes = len(stage.writes())
    again = stage.publisher().publish(draft)
    assert again == replace(first, already_published=True)
    stage.forget_effects()
    from_marks = stage.publisher().publish(draft)
    assert from_marks == again
    assert len(stage.writes()) == writes


def test_another_cause_on_the_same_head_is_another_review(stage: Stage) -> None:
    stage.publisher().publish(stage.draft(finding(10)))
    stage.publisher().publish(stage.draft(finding(51), cause="comment:7"))
    assert len(stage.reviews()) == 2


@pytest.mark.parametrize("path", [REVIEWS, SUBMIT])
@pytest.mark.parametrize(
    "fault", [{"phase": "after", "status": 502}, {"phase": "drop"}, {"phase": "truncate"}]
)
def test_an_answer_lost_after_the_write_makes_no_second_review(
    stage: Stage, path: str, fault: dict[str, object]
) -> None:
    draft = stage.draft(finding(10), finding(51))
    stage.github.faults.add("POST", path, **fault)
    stage.publisher().publish(draft)
    _assert_one_review(stage, draft)
    assert len(stage.calls_to("POST", REVIEWS)) == 1


@pytest.mark.parametrize("path", [REVIEWS, SUBMIT])
def test_a_time_out_is_looked_for_and_never_repeated_blindly(stage: Stage, path: str) -> None:
    draft = stage.draft(finding(10))
    stage.github.faults.add("POST", path, delay_s=1.4)
    with pytest.raises(Transient) as doubt:
        stage.publisher(timeout_s=1).publish(draft)
    assert doubt.value.reason in ("github_write_in_doubt", "review_in_doubt")
    time.sleep(0.6)  # the write lands only now
    _publish_until_done(stage, draft)
    _assert_one_review(stage, draft)
    assert len(stage.calls_to("POST", REVIEWS)) == 1


@pytest.mark.parametrize("path", [REVIEWS, SUBMIT])
def test_a_502_without_effect_is_made_up_for_later(stage: Stage, path: str) -> None:
    draft = stage.draft(finding(10))
    stage.github.faults.add("POST", path, status=502)
    with pytest.raises(Transient):
        stage.publisher().publish(draft)
    _publish_until_done(stage, draft)
    _assert_one_review(stage, draft)


def test_a_process_killed_at_any_write_leaves_one_review(stage: Stage) -> None:
    draft = stage.draft(finding(10), finding(51))
    for life in range(1, 12):
        calls = 0

        def still_ours(last: int = life) -> None:
            nonlocal calls
            calls += 1
            if calls >= last:
                raise _Killed

        stage.forget_effects() if life % 2 else None
        try:
            stage.publisher(still_ours).publish(draft)
            break
        except _Killed:
            continue
    _assert_one_review(stage, draft)
    assert life > 2


def test_a_process_killed_between_any_answer_and_its_record_repeats_nothing(
    stage: Stage,
) -> None:
    """Review, submission, note, resolution, check run and its second batch: each dies once."""
    lines = range(7, 14)
    base = stage.publisher().publish(stage.draft(*map(finding, lines), cause="base"))
    threads = {t.line: t for t in stage.reader().threads(stage.number)}
    deaths = 0
    for writes, (line, comment_id) in enumerate(zip(lines, base.comment_ids, strict=True), 1):
        cause = f"comment:{writes}"
        note = Resolution(threads[line].id, comment_id, f"Note of {cause}.")
        annotations = tuple(
            Annotation("src/app.py", n, n, "warning", "C7", f"{cause} {n}") for n in range(1, 61)
        )
        report = CheckReport("neutral", cause, "Summary.", annotations)
        draft = stage.draft(finding(51), cause=cause, resolutions=(note,), check=report)
        doomed = stage.publisher(client=stage.client_that_dies_after(writes, _Killed))
        try:
            doomed.publish(draft)
        except _Killed:
            deaths += 1
        assert len(_publish_until_done(stage, draft).comment_ids) == 1
        runs = [run for run in stage.github.check_runs.values() if run.title == cause]
        assert [len(run.annotations) for run in runs] == [60]
    assert deaths == 6
    bodies = [review["body"] for review in stage.reviews()]
    keys = [mark.render() for body in bodies for mark in marks(body)]
    assert len(keys) == len(set(keys)) == len(lines) + 1
    assert stage.reviews("PENDING") == []
    after = {t.line: t for t in stage.reader().threads(stage.number)}
    for writes, line in enumerate(lines, 1):
        notes = [c.body for c in after[line].comments if f"comment:{writes}." in c.body]
        assert len(notes) == 1
        assert after[line].is_resolved


@pytest.mark.parametrize("path", [REVIEWS, SUBMIT])
@pytest.mark.parametrize("lags", [1, 2])
def test_posted_and_not_recorded_with_a_list_that_lags(stage: Stage, path: str, lags: int) -> None:
    draft = stage.draft(finding(10))
    stage.github.faults.add("POST", path, phase="drop")
    stage.github.faults.add("GET", REVIEWS, phase="lag", times=lags)
    _publish_until_done(stage, draft)
    _assert_one_review(stage, draft)


def test_a_lagging_list_after_a_finished_review_is_caught_by_the_second_look(
    stage: Stage,
) -> None:
    draft = stage.draft(finding(10))
    stage.publisher().publish(draft)
    stage.forget_effects()
    stage.github.faults.add("GET", REVIEWS, phase="lag", times=1)
    again = stage.publisher().publish(draft)
    assert again.already_published
    _assert_one_review(stage, draft)
    assert len(stage.writes("DELETE")) == 1


@pytest.mark.parametrize("attempt", range(4))
def test_two_publishers_at_once_make_one_review(stage: Stage, attempt: int) -> None:
    draft = stage.draft(finding(10), finding(51))
    start = threading.Barrier(2)

    def run(_n: int) -> None:
        publisher = stage.publisher()
        start.wait()
        try:
            publisher.publish(draft)
        except Transient:
            _publish_until_done(stage, draft)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run, range(2)))
    _assert_one_review(stage, draft)
    assert len(stage.calls_to("POST", SUBMIT)) >= 1


def test_a_leftover_of_the_same_key_is_adopted(stage: Stage) -> None:
    draft = stage.draft(finding(10))
    calls = 0

    def die_before_submitting() -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise _Killed

    with pytest.raises(_Killed):
        stage.publisher(die_before_submitting).publish(draft)
    (pending,) = stage.reviews("PENDING")
    publication = stage.publisher().publish(draft)
    assert publication.review_id == pending["id"]
    _assert_one_review(stage, draft)
    assert len(stage.calls_to("POST", REVIEWS)) == 1


def test_a_leftover_of_another_key_is_deleted_first(stage: Stage) -> None:
    body = {"body": "an old one", "commit_id": stage.head_sha, "comments": []}
    stage.client().post(f"/pulls/{stage.number}/reviews", body)
    draft = stage.draft(finding(10))
    stage.publisher().publish(draft)
    _assert_one_review(stage, draft)


def test_what_cannot_be_placed_moves_to_the_body(stage: Stage) -> None:
    draft = stage.draft(
        finding(10),
        finding(30, "Outside every hunk."),
        finding(3, "Not in the diff.", path="README.md"),
    )
    publication = stage.publisher().publish(draft)
    (review,) = stage.reviews()
    assert publication.moved_to_body == 2
    assert len(publication.comment_ids) == 1
    assert "**`src/app.py`, line 30**\n\nOutside every hunk." in review["body"]
    assert "**`README.md`, line 3**\n\nNot in the diff." in review["body"]
    assert {m.fingerprint for m in finding_marks(review["body"])} == {"f30", "f3"}
    assert [len(c.body["comments"]) for c in stage.calls_to("POST", REVIEWS)] == [3, 1]


def test_when_all_look_right_and_github_still_refuses_only_the_body_goes(stage: Stage) -> None:
    refusal = {"message": "Unprocessable Entity", "errors": ["Line could not be resolved"]}
    stage.github.faults.add("POST", REVIEWS, status=422, body=refusal)
    publication = stage.publisher().publish(stage.draft(finding(10), finding(51)))
    (review,) = stage.reviews()
    assert publication.moved_to_body == 2
    assert "Finding at 10." in review["body"]
    assert "Finding at 51." in review["body"]
    assert stage.review_comments() == []


def test_the_last_step_is_a_comment_in_the_conversation(stage: Stage) -> None:
    refusal = {"message": "Validation Failed", "errors": ["no"]}
    stage.github.faults.add("POST", REVIEWS, status=422, body=refusal, times=None)
    draft = stage.draft(finding(10), finding(51))
    publication = stage.publisher().publish(draft)
    (said,) = stage.conversation()
    assert publication.review_id is None
    assert publication.moved_to_body == 2
    assert "Finding at 10." in said
    assert "Finding at 51." in said
    stage.forget_effects()
    stage.publisher().publish(draft)
    assert len(stage.calls_to("POST", REVIEWS)) >= 3


def test_a_head_that_moved_before_is_not_reviewed(stage: Stage) -> None:
    draft = stage.draft(finding(10))
    stage.github.push(stage.pull, {"src/app.py": "other\n"})
    with pytest.raises(Superseded):
        stage.publisher().publish(draft)
    assert stage.writes() == []


def test_a_head_that_moves_between_pending_and_submission_takes_the_review_back(
    stage: Stage,
) -> None:
    draft = stage.draft(finding(10))
    moved = False

    def push_before_the_second_look() -> None:
        nonlocal moved
        if stage.calls_to("POST", REVIEWS) and not moved:
            moved = True
            stage.github.push(stage.pull, {"src/app.py": "other\n"})

    stage.github.faults.add("GET", REVIEWS, times=None, run=push_before_the_second_look)
    with pytest.raises(Superseded):
        stage.publisher().publish(draft)
    assert stage.reviews() == []
    assert stage.reviews("PENDING") == []


def test_a_rename_between_event_and_post_changes_nothing(stage: Stage) -> None:
    draft = stage.draft(finding(10))
    publisher = stage.publisher()
    stage.github.rename(stage.repository, "renamed")
    publisher.publish(draft)
    _assert_one_review(stage, draft)


@pytest.mark.parametrize("status", [403, 429])
def test_a_limit_is_told_in_seconds_and_nobody_sleeps(stage: Stage, status: int) -> None:
    draft = stage.draft(finding(10))
    stage.github.faults.secondary_rate_limit("POST", REVIEWS, retry_after_s=77, status=status)
    began = time.monotonic()
    with pytest.raises(RateLimited) as limited:
        stage.publisher().publish(draft)
    assert limited.value.retry_after_s == 77
    assert time.monotonic() - began < 3
    assert len(stage.calls_to("POST", REVIEWS)) == 1
    stage.publisher().publish(draft)
    _assert_one_review(stage, draft)


def test_pacing_is_asked_before_anything_is_written(stage: Stage) -> None:
    pacing = Pacing(stage.redis, per_minute=1)
    pacing.take(stage.installation_id)
    with pytest.raises(RateLimited) as limited:
        stage.publisher(pacing=pacing).publish(stage.draft(finding(10)))
    assert 0 < limited.value.retry_after_s <= 60
    assert stage.writes() == []


def test_the_lease_is_checked_before_every_write(stage: Stage) -> None:
    checked_at: list[int] = []
    publisher = stage.publisher(lambda: checked_at.append(len(stage.writes())))
    draft = stage.draft(finding(10), finding(30), check=None)
    publisher.publish(draft)
    assert set(range(len(stage.writes()))) <= set(checked_at)


def test_many_comments_are_capped_and_none_is_lost(stage: Stage) -> None:
    comments = [finding(10, f"Finding number {n:03}.") for n in range(37)]
    publication = stage.publisher().publish(stage.draft(*comments))
    (review,) = stage.reviews()
    told = review["body"] + "".join(c["body"] for c in stage.review_comments())
    assert len(publication.comment_ids) == 30
    assert publication.moved_to_body == 7
    assert all(f"Finding number {n:03}." in told for n in range(37))


def test_what_no_body_can_hold_goes_on_in_comments_once(stage: Stage) -> None:
    far = [finding(30, f"Far {n} " + "z" * 30_000) for n in range(4)]
    draft = stage.draft(*far, body="Summary. " + "s" * 70_000)
    stage.publisher().publish(draft)
    stage.forget_effects("review:")
    stage.publisher().publish(draft)
    (review,) = stage.reviews()
    told = [review["body"], *stage.conversation()]
    assert all(len(text) <= 65_536 for text in told)
    assert all(sum(f"Far {n} z" in text for text in told) == 1 for n in range(4))


def test_a_mark_of_somebody_else_is_not_believed(stage: Stage) -> None:
    mark = review_mark(stage.repository_id, stage.number, stage.head_sha, "auto").render()
    stage.github.review(stage.pull, "ben", body=f"mine {mark}")
    draft = stage.draft(finding(10))
    assert not stage.publisher().publish(draft).already_published
    ours = [r for r in stage.reviews() if r["user"]["type"] == "Bot"]
    assert len(ours) == 1


def test_a_forged_key_in_our_own_text_marks_nothing(stage: Stage) -> None:
    forged = review_mark(stage.repository_id, stage.number, stage.head_sha, "comment:9")
    stage.publisher().publish(stage.draft(finding(10), body=f"quoting {forged.render()}"))
    other = stage.publisher().publish(stage.draft(finding(10), cause="comment:9"))
    assert not other.already_published
    assert len(stage.reviews()) == 2


def test_a_resolved_finding_gets_one_note_and_is_resolved(stage: Stage) -> None:
    first = stage.publisher().publish(stage.draft(finding(10), finding(51)))
    thread = next(t for t in stage.reader().threads(stage.number) if t.line == 10)
    resolution = Resolution(thread.id, first.comment_ids[0], "Fixed, thank you.")
    draft = stage.draft(body="", cause="auto:2", resolutions=(resolution,))
    for _ in range(2):
        assert stage.publisher().publish(draft).review_id is None
    stage.forget_effects()
    threads = {t.line: t for t in stage.reader().threads(stage.number)}
    assert threads[10].is_resolved
    assert not threads[51].is_resolved
    notes = [c for c in threads[10].comments if "Fixed, thank you." in c.body]
    assert len(notes) == 1
    assert notes[0].is_ours


def test_a_note_whose_answer_was_lost_is_not_repeated(stage: Stage) -> None:
    first = stage.publisher().publish(stage.draft(finding(10)))
    (thread,) = stage.reader().threads(stage.number)
    resolution = Resolution(thread.id, first.comment_ids[0], "Fixed.")
    draft = stage.draft(body="", resolutions=(resolution,))
    stage.github.faults.add("POST", r"/replies$", phase="drop")
    _publish_until_done(stage, draft)
    (thread,) = stage.reader().threads(stage.number)
    assert [c.body.split("\n")[0] for c in thread.comments] == ["Finding at 10.", "Fixed."]
    assert thread.is_resolved


def test_a_thread_that_is_gone_stops_nothing(stage: Stage) -> None:
    first = stage.publisher().publish(stage.draft(finding(10)))
    (thread,) = stage.reader().threads(stage.number)
    stage.client().delete(f"/pulls/comments/{first.comment_ids[0]}")
    resolution = Resolution(thread.id, first.comment_ids[0], "Fixed.")
    stage.publisher().publish(stage.draft(finding(51), cause="c2", resolutions=(resolution,)))
    assert len(stage.reviews()) == 2


def test_a_missing_permission_is_permanent_and_says_what_to_do(stage: Stage) -> None:
    body = {"message": "Resource not accessible by integration"}
    stage.github.faults.add("POST", REVIEWS, status=403, body=body)
    with pytest.raises(Permanent, match="permission") as refused:
        stage.publisher().publish(stage.draft(finding(10)))
    assert isinstance(refused.value, PrecedentError)
    assert refused.value.reason == "github_forbidden"
