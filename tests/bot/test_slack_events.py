"""What `POST /slack/events` answers, and what is in the inbox afterwards."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from redis import Redis

from deploy.sandbox.redis_server import EmbeddedRedis
from tests.bot.app import Web, events_of, mention_payload, waiting
from workers.inbox import Inbox


@pytest.fixture
def web(redis_url: str) -> Web:
    return Web(redis_url)


@pytest.fixture
def inbox(redis: Redis) -> Inbox:
    return Inbox(redis, quiet_s=0)


SUBJECT = "slack:T1:C1:1800000000.000100"


def test_a_mention_is_stored_with_a_sign(web: Web, redis: Redis, inbox: Inbox) -> None:
    assert web.slack(mention_payload("<@UBOT> remember: no eval")).status_code == 200
    (event,) = events_of(redis, SUBJECT)
    assert event.text == "<@UBOT> remember: no eval"
    assert event.repository_id is None  # the channel's link decides, in a worker
    assert len(events_of(redis, "sign:slack:message:T1:C1:1800000000.000100")) == 1


def test_retries_and_the_second_event_of_one_mention_are_stored_once(
    web: Web, redis: Redis, inbox: Inbox
) -> None:
    payload = mention_payload("<@UBOT> hi")
    for number in range(4):
        headers = {"x-slack-retry-num": str(number)}
        assert web.slack(payload, headers=headers).status_code == 200
    other_id = mention_payload("<@UBOT> hi")
    assert web.slack(other_id).status_code == 200
    assert len(events_of(redis, SUBJECT)) == 1


@pytest.mark.parametrize(
    "more",
    [
        {"bot_id": "B1"},
        {"subtype": "message_changed"},
        {"subtype": "message_deleted"},
        {"type": "message", "channel_type": "channel"},
        {"user": None},
        {"ts": 12},
        {"type": "reaction_added"},
    ],
)
def test_what_is_not_a_persons_new_words_is_ignored(
    web: Web, inbox: Inbox, more: dict[str, Any]
) -> None:
    assert web.slack(mention_payload("<@UBOT> hi", **more)).status_code == 200
    assert waiting(inbox) == 0


def test_a_direct_message_and_an_external_person_are_marked(
    web: Web, redis: Redis, inbox: Inbox
) -> None:
    web.slack(mention_payload("hi", type="message", channel_type="im"))
    (event,) = events_of(redis, SUBJECT)
    assert event.slack is not None
    assert event.slack.is_direct
    web.slack(mention_payload("<@UBOT> hi", user_team="T9", ts="1800000001.000100"))
    (event,) = events_of(redis, "slack:T1:C1:1800000001.000100")
    assert event.slack is not None
    assert event.slack.is_external


def test_a_command_is_stored_once(web: Web, redis: Redis, inbox: Inbox) -> None:
    form = {
        "command": "/conventions", "text": "list", "team_id": "T1", "channel_id": "C1",
        "user_id": "U1", "trigger_id": "1.2.3", "response_url": "https://hooks.test/1",
        "channel_name": "privategroup",
    }  # fmt: skip
    for _ in range(2):
        assert web.slack(form, as_form=True).status_code == 200
    (event,) = events_of(redis, "slack:T1:C1:U1")
    assert event.slack is not None
    assert (event.text, event.slack.response_url) == ("list", "https://hooks.test/1")
    assert event.slack.is_private


def test_a_button_is_stored_with_its_value(web: Web, redis: Redis, inbox: Inbox) -> None:
    payload = {
        "type": "block_actions", "team": {"id": "T1"}, "user": {"id": "U1", "team_id": "T1"},
        "channel": {"id": "C1"}, "trigger_id": "4.5.6", "response_url": "https://hooks.test/2",
        "container": {"type": "message", "message_ts": "1800000000.000100", "channel_id": "C1"},
        "message": {"ts": "1800000000.000100"},
        "actions": [{"type": "button", "action_id": "convention.approve#0", "value": "C9",
                     "block_id": "b"}],
    }  # fmt: skip
    form = {"payload": json.dumps(payload)}
    assert web.slack(form, as_form=True).status_code == 200
    (event,) = events_of(redis, SUBJECT)
    assert (event.kind, event.action, event.arguments) == (
        "slack.action",
        "convention.approve#0",
        ("C9",),
    )


def test_the_url_verification_is_answered(web: Web) -> None:
    answer = web.slack({"type": "url_verification", "challenge": "abc", "token": "x"})
    assert answer.status_code == 200
    assert "abc" in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"x-slack-signature": "v0=" + "0" * 64},
        {"x-slack-signature": ""},
        {"x-slack-signature": "v0=\u00e9".encode("latin-1").decode("latin-1")},
        {"x-slack-request-timestamp": "soon"},
        {"x-slack-request-timestamp": str(int(time.time()) - 600)},
        {"x-slack-request-timestamp": ""},
    ],
)
def test_a_bad_signature_is_401(web: Web, inbox: Inbox, headers: dict[str, str]) -> None:
    raw = {k: v.encode("latin-1") for k, v in headers.items()}
    assert web.slack(mention_payload("hi"), headers=raw).status_code == 401  # type: ignore[arg-type]
    assert waiting(inbox) == 0


@pytest.mark.parametrize("body", [b"{", b"[]", b"null"])
def test_signed_nonsense_is_400(web: Web, body: bytes) -> None:
    assert web.slack({}, body=body).status_code == 400


def test_what_cannot_be_stored_is_503_and_then_accepted(tmp_path: Any) -> None:
    with EmbeddedRedis(tmp_path, fsync="always") as server:
        web = Web(server.url)
        payload = mention_payload("<@UBOT> hi")
        server.kill()
        started_s = time.monotonic()
        assert web.slack(payload).status_code == 503
        assert time.monotonic() - started_s < 3.0
        server.start()
        assert web.slack(payload).status_code == 200
        assert len(events_of(Redis.from_url(server.url), SUBJECT)) == 1


def test_half_a_character_is_stored_as_a_replacement(web: Web, redis: Redis) -> None:
    """JSON can carry half a surrogate pair, which Redis' own JSON reader refuses."""
    answer = web.slack(mention_payload("<@UBOT> remember \ud83d"))
    assert answer.status_code == 200
    (event,) = events_of(redis, "slack:T1:C1:1800000000.000100")
    assert event.text == "<@UBOT> remember \ufffd"
