"""Answers on GitHub: each once, in its place, and findable after a lost answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis as redis_client

from graph.markers import marks
from tests.workers.github_stage import Stage, finding, open_stage
from workers.errors import Permanent, RateLimited, Superseded, Transient
from workers.github_limits import NotFound
from workers.replies import ReplyPlace

COMMENTS = r"/issues/\d+/comments$"
THREAD = r"/replies$"


@pytest.fixture
def stage(tmp_path: Path, redis: redis_client.Redis) -> Iterator[Stage]:
    with open_stage(tmp_path, redis) as opened:
        yield opened


def _thread_place(stage: Stage) -> ReplyPlace:
    asked = stage.github.review_comment(stage.pull, "ben", "src/app.py", 10, "why?")
    return ReplyPlace(stage.number, "review_comment", asked.id)


def _visible(text: str) -> str:
    return text.split("\n")[0]


def test_an_answer_is_given_once_per_key(stage: Stage) -> None:
    place = ReplyPlace(stage.number)
    first = stage.replies().reply(place, "hello", "k1")
    assert stage.replies().reply(place, "hello", "k1") == first
    stage.replies().reply(place, "hello", "k2")
    assert [_visible(text) for text in stage.conversation()] == ["hello", "hello"]
    assert first.html_url
    assert first.kind == "issue"


@pytest.mark.parametrize("threaded", [False, True])
@pytest.mark.parametrize("phase", ["drop", "after", "truncate"])
def test_a_lost_answer_is_found_and_not_repeated(stage: Stage, phase: str, threaded: bool) -> None:
    place = _thread_place(stage) if threaded else ReplyPlace(stage.number)
    stage.github.faults.add("POST", THREAD if threaded else COMMENTS, phase=phase, status=502)
    reply = stage.replies().reply(place, "hello", "k1")
    assert stage.replies().reply(place, "hello", "k1") == reply
    said = stage.review_comments() if threaded else [{"body": b} for b in stage.conversation()]
    assert sum(comment["body"].startswith("hello") for comment in said) == 1


def test_posted_not_recorded_and_a_list_that_lags_once(stage: Stage) -> None:
    stage.github.faults.add("POST", COMMENTS, phase="drop")
    stage.github.faults.add("GET", COMMENTS, phase="lag")
    with pytest.raises(Transient):
        stage.replies().reply(ReplyPlace(stage.number), "hello", "k1")
    stage.replies().reply(ReplyPlace(stage.number), "hello", "k1")
    assert len(stage.conversation()) == 1


def test_what_was_surely_not_said_costs_no_search(stage: Stage) -> None:
    stage.github.faults.secondary_rate_limit("POST", COMMENTS, retry_after_s=5)
    with pytest.raises(RateLimited):
        stage.replies().reply(ReplyPlace(stage.number), "hello", "k1")
    stage.replies().reply(ReplyPlace(stage.number), "hello", "k1")
    assert stage.calls_to("GET", COMMENTS) == []
    assert len(stage.conversation()) == 1


def test_a_person_copying_our_mark_does_not_silence_us(stage: Stage) -> None:
    place = ReplyPlace(stage.number)
    stage.replies().reply(place, "hello", "k1")
    (body,) = stage.conversation()
    (name,) = stage.redis.scan_iter("precedent:fx:reply:*")
    record = json.loads(stage.redis.get(name) or b"")
    stage.redis.set(name, json.dumps({"at": record["at"]}))
    for comment in stage.client().pages(f"/issues/{stage.number}/comments"):
        stage.client().delete(f"/issues/comments/{comment['id']}")
    stage.github.comment(stage.pull, "ben", body)
    stage.replies().reply(place, "hello", "k1")
    assert len(stage.conversation()) == 2


def test_a_reply_to_a_reply_goes_to_the_first_comment(stage: Stage) -> None:
    root = stage.github.review_comment(stage.pull, "ben", "src/app.py", 10, "why?")
    second = stage.github.reply(root, "ada", "@precedent say")
    place = ReplyPlace(stage.number, "review_comment", second.id)
    reply = stage.replies().reply(place, "because", "k1")
    assert reply.kind == "review_comment"
    (thread,) = stage.reader().threads(stage.number)
    assert [_visible(c.body) for c in thread.comments] == ["why?", "@precedent say", "because"]


def test_a_forgotten_pending_review_does_not_stop_an_answer(stage: Stage) -> None:
    place = _thread_place(stage)
    body = {"body": "left behind", "commit_id": stage.head_sha, "comments": []}
    stage.client().post(f"/pulls/{stage.number}/reviews", body)
    stage.replies().reply(place, "because", "k1")
    assert stage.reviews("PENDING") == []
    assert len(stage.review_comments()) == 2


def test_an_answer_to_a_comment_that_is_gone_says_so(stage: Stage) -> None:
    place = ReplyPlace(stage.number, "review_comment", 999_999)
    with pytest.raises(NotFound):
        stage.replies().reply(place, "because", "k1")
    assert stage.writes() == []


def test_an_answer_can_be_changed_and_keeps_its_mark(stage: Stage) -> None:
    place = _thread_place(stage)
    reply = stage.replies().reply(place, "working", "k1")
    before = marks(stage.review_comments()[-1]["body"])
    stage.replies().edit(stage.number, reply, "done", "k1")
    after = stage.review_comments()[-1]["body"]
    assert _visible(after) == "done"
    assert marks(after) == before != ()


def test_a_long_answer_is_cut_and_keeps_its_mark(stage: Stage) -> None:
    stage.replies().reply(ReplyPlace(stage.number), "ä" * 70_000, "k1")
    (body,) = stage.conversation()
    assert len(body) <= 65_536
    assert len(marks(body)) == 1


def test_eyes_are_shown_once_on_every_kind_of_place(stage: Stage) -> None:
    asked = stage.github.comment(stage.pull, "ben", "@precedent why?")
    threaded = _thread_place(stage)
    places = [
        ReplyPlace(stage.number),
        ReplyPlace(stage.number, "issue", asked.id),
        threaded,
        ReplyPlace(stage.number, "review", 12),
    ]
    for place in places:
        for _ in range(2):
            stage.replies().react(place)
    assert [r.content for r in asked.reactions.values()] == ["eyes"]
    assert [r.content for r in stage.pull.reactions.values()] == ["eyes"]
    (comment,) = stage.github.review_comments.values()
    assert [r.content for r in comment.reactions.values()] == ["eyes"]


def test_without_the_lease_nothing_is_said(stage: Stage) -> None:
    reply = stage.replies().reply(ReplyPlace(stage.number), "hello", "k1")
    writes = len(stage.writes())

    def stop() -> None:
        raise Superseded("lost")

    replies = stage.replies(stop)
    with pytest.raises(Superseded):
        replies.reply(ReplyPlace(stage.number), "hello", "k2")
    with pytest.raises(Superseded):
        replies.react(ReplyPlace(stage.number))
    with pytest.raises(Superseded):
        replies.edit(stage.number, reply, "x", "k1")
    assert len(stage.writes()) == writes


def test_a_locked_conversation_is_named(stage: Stage) -> None:
    body = {"message": "Unable to create comment because issue is locked."}
    stage.github.faults.add("POST", COMMENTS, status=403, body=body)
    with pytest.raises(Permanent) as refused:
        stage.replies().reply(ReplyPlace(stage.number), "hello", "k1")
    assert refused.value.reason == "conversation_locked"


def test_a_reply_does_not_disturb_the_review_and_its_findings(stage: Stage) -> None:
    first = stage.publisher().publish(stage.draft(finding(10)))
    place = ReplyPlace(stage.number, "review_comment", first.comment_ids[0])
    stage.replies().reply(place, "Because of C7.", "k1")
    again = stage.publisher().publish(stage.draft(finding(10)))
    assert again.already_published
    assert again.comment_ids == first.comment_ids
