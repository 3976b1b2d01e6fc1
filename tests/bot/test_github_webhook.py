"""What `POST /github/webhook` answers, and what is in the inbox afterwards."""

from __future__ import annotations

import json
import logging
import time
from typing import Any
from urllib.parse import urlencode

import pytest
from redis import Redis

from deploy.sandbox.redis_server import EmbeddedRedis
from tests.bot.app import (
    Web,
    comment_payload,
    events_of,
    pull_request_payload,
    waiting,
)
from workers.inbox import Inbox


@pytest.fixture
def web(redis_url: str) -> Web:
    return Web(redis_url)


@pytest.fixture
def inbox(redis: Redis) -> Inbox:
    return Inbox(redis, quiet_s=0)


def test_a_pull_request_is_accepted_for_its_subject(web: Web, redis: Redis, inbox: Inbox) -> None:
    answer = web.github("pull_request", pull_request_payload(), delivery="d-1")
    assert (answer.status_code, answer.json()["subject"]) == (202, "pr:5001:7")
    (event,) = events_of(redis, "pr:5001:7")
    assert (event.id, event.kind, event.head_sha) == ("gh:d-1", "pull_request.push", "a" * 40)
    assert (event.installation_id, event.repository_id, event.number) == (31, 5001, 7)


def test_the_same_delivery_is_a_duplicate(web: Web, redis: Redis, inbox: Inbox) -> None:
    for expected in (202, 200, 200):
        answer = web.github("pull_request", pull_request_payload(), delivery="d-1")
        assert answer.status_code == expected
    assert answer.json()["reason"] == "duplicate"
    assert len(events_of(redis, "pr:5001:7")) == 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"x-hub-signature-256": "sha256=" + "0" * 64}, 401),
        ({"x-hub-signature-256": ""}, 401),
        ({"x-hub-signature-256": "", "x-hub-signature": "sha1=" + "0" * 40}, 401),
        ({"x-hub-signature-256": "sha256=nothex"}, 401),
        ({"x-hub-signature-256": "sha256=ab"}, 401),
        ({"x-github-event": ""}, 400),
        ({"x-github-delivery": ""}, 400),
    ],
)
def test_refusals_store_nothing_and_print_no_traceback(
    web: Web,
    inbox: Inbox,
    headers: dict[str, str],
    status: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = web.github("pull_request", pull_request_payload(), headers=headers)
    assert answer.status_code == status
    assert answer.json()["status"] == "refused"
    assert waiting(inbox) == 0
    printed = capsys.readouterr()
    assert "Traceback" not in printed.out + printed.err


def test_githubs_published_signature_vector() -> None:
    """The example of GitHub's own documentation on validating deliveries."""
    from bot.github_signature import is_signed

    signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert is_signed(b"Hello, World!", signature, ["It's a Secret to Everybody"])
    assert not is_signed(b"Hello, World?", signature, ["It's a Secret to Everybody"])


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b"\xff\xfe", b"null", b'"text"', b"", b"[" * 100_000]
)
def test_signed_nonsense_is_malformed(web: Web, inbox: Inbox, body: bytes) -> None:
    assert web.github("pull_request", None, body=body).status_code == 400
    assert waiting(inbox) == 0


def test_a_26_megabyte_body_is_too_large(web: Web, redis: Redis, inbox: Inbox) -> None:
    body = b'{"a":"' + b"x" * (26 * 1024 * 1024) + b'"}'
    assert web.github("pull_request", None, body=body).status_code == 413
    assert waiting(inbox) == 0


def test_a_large_body_without_its_length_is_too_large(web: Web) -> None:
    def chunks() -> Any:
        for _ in range(26):
            yield b"x" * 1024 * 1024

    headers = {"x-hub-signature-256": "sha256=" + "0" * 64}
    answer = web.client.post("/github/webhook", content=chunks(), headers=headers)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("event", "payload", "reason"),
    [
        ("ping", {"zen": "x"}, "ping"),
        ("star", {"action": "created"}, "event_not_used"),
        ("pull_request", pull_request_payload(action="assigned"), "action_not_used"),
        ("pull_request", pull_request_payload(installation=None), "incomplete_payload"),
        ("pull_request", pull_request_payload(repository=None), "incomplete_payload"),
        ("pull_request", pull_request_payload(pull_request=[]), "incomplete_payload"),
        ("issue_comment", comment_payload("hello"), "no_mention"),
        ("issue_comment", comment_payload("mail me@precedent.test"), "no_mention"),
        ("issue_comment", comment_payload("@precedented"), "no_mention"),
        ("issue_comment", comment_payload("Try `@precedent list` once"), "no_mention"),
        (
            "issue_comment",
            comment_payload("@precedent x", issue={"number": 1}),
            "not_a_pull_request",
        ),
        ("issue_comment", comment_payload("@precedent x", action="edited"), "action_not_used"),
        (
            "issue_comment",
            comment_payload("@precedent x", sender={"id": 1, "login": "p[bot]", "type": "Bot"}),
            "sender_is_a_bot",
        ),
    ],
)
def test_what_is_ignored_says_why(
    web: Web, inbox: Inbox, event: str, payload: dict[str, Any], reason: str
) -> None:
    answer = web.github(event, payload)
    assert (answer.status_code, answer.json()) == (200, {"status": "ignored", "reason": reason})
    assert waiting(inbox) == 0


def test_a_mention_brings_its_words_and_a_sign_of_its_own(
    web: Web, redis: Redis, inbox: Inbox
) -> None:
    answer = web.github("issue_comment", comment_payload("@precedent why?"), delivery="d-2")
    assert answer.status_code == 202
    (comment,) = events_of(redis, "pr:5001:7")
    assert (comment.text, comment.actor_id, comment.comment_id) == ("@precedent why?", 3002, 99)
    (sign,) = events_of(redis, "sign:gh:issue:5001:99")
    assert (sign.kind, sign.text) == ("sign", None)


def test_a_form_encoded_delivery_is_read(web: Web) -> None:
    body = urlencode({"payload": json.dumps(pull_request_payload())}).encode()
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert web.github("pull_request", None, body=body, headers=headers).status_code == 202


def test_the_payloads_other_fields_never_choose_the_repository(
    web: Web, redis: Redis, inbox: Inbox
) -> None:
    """Only repository.id of the signed delivery counts, whatever else names a repository."""
    payload = pull_request_payload()
    payload["pull_request"]["base"] = {"repo": {"id": 6666}}
    payload["organization"] = {"id": 6666}
    web.github("pull_request", payload)
    (event,) = events_of(redis, "pr:5001:7")
    assert event.repository_id == 5001


def test_redis_down_is_503_within_three_seconds_and_the_redelivery_is_processed_once(
    tmp_path: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with EmbeddedRedis(tmp_path, fsync="always") as server:
        web = Web(server.url)
        assert web.github("pull_request", pull_request_payload(), delivery="d-0").status_code == 202
        server.kill()
        started_s = time.monotonic()
        with caplog.at_level(logging.CRITICAL):
            answer = web.github("pull_request", pull_request_payload(), delivery="d-1")
        assert answer.status_code == 503
        assert time.monotonic() - started_s < 3.0
        server.start()
        statuses = [
            web.github("pull_request", pull_request_payload(), delivery="d-1").status_code
            for _ in range(3)
        ]
        assert statuses == [202, 200, 200]
        ids = [event.id for event in events_of(Redis.from_url(server.url), "pr:5001:7")]
        assert ids.count("gh:d-1") == 1


@pytest.mark.parametrize("words", ["@precedent cancel", " @Precedent: stop. "])
def test_a_cancel_does_not_wait_behind_the_review_that_it_cancels(
    web: Web, redis: Redis, words: str
) -> None:
    """A comment queued behind the running review, so "cancel" was read when it had ended."""
    web.github("pull_request", pull_request_payload())
    web.github("issue_comment", comment_payload(words))
    (cancel,) = events_of(redis, "cancel:5001:7")
    assert (cancel.kind, cancel.number, cancel.text) == ("github.comment", 7, words)
    web.github("issue_comment", comment_payload("@precedent cancel what?", comment={
        "id": 100, "body": "@precedent why cancel it?", "user": {"id": 3002, "type": "User"},
    }))  # fmt: skip
    kinds = {event.kind for event in events_of(redis, "pr:5001:7")}
    assert kinds == {"pull_request.push", "github.comment"}
