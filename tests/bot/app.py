"""The web process in a test: the real app over ASGI, a real Redis, signed requests."""

from __future__ import annotations

import hmac
import json
import time
import uuid
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

import httpx
from redis import Redis
from starlette.testclient import TestClient

from bot.app import create_app
from workers.event import Event
from workers.inbox import Inbox
from workers.inbox.inspection import every_event
from workers.settings import Settings

GITHUB_SECRET = "a-webhook-secret"
SLACK_SECRET = "a-signing-secret"


def environment(redis_url: str, **more: str) -> dict[str, str]:
    return {
        "REDIS_URL": redis_url,
        "PUBLIC_URL": "http://127.0.0.1:8000",
        "SECRET_KEY": "k" * 40,
        "GITHUB_WEBHOOK_SECRET": GITHUB_SECRET,
        "GITHUB_CLIENT_ID": "Iv1.x",
        "GITHUB_CLIENT_SECRET": "y",
        "SLACK_SIGNING_SECRET": SLACK_SECRET,
        "SLACK_BOT_TOKEN": "xoxb-1",
        "LOG_LEVEL": "DEBUG",
        **more,
    }


def settings(redis_url: str, **more: str) -> Settings:
    return Settings.from_env(environment(redis_url, **more), role="web")


class Web:
    """Posts signed requests at the app."""

    def __init__(self, redis_url: str, **more: str) -> None:
        self.app = create_app(settings(redis_url, **more))
        self.client = TestClient(self.app, raise_server_exceptions=False)

    def github(
        self,
        event: str,
        payload: Any,
        *,
        delivery: str = "",
        secret: str = GITHUB_SECRET,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        body = json.dumps(payload).encode() if body is None else body
        signature = "sha256=" + hmac.new(secret.encode(), body, sha256).hexdigest()
        sent = {
            "content-type": "application/json",
            "x-github-event": event,
            "x-github-delivery": delivery or str(uuid.uuid4()),
            "x-hub-signature-256": signature,
            **(headers or {}),
        }
        kept = {k: v for k, v in sent.items() if v != ""}
        return self.client.post("/github/webhook", content=body, headers=kept)

    def slack(
        self,
        payload: dict[str, Any],
        *,
        as_form: bool = False,
        secret: str = SLACK_SECRET,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        if body is None:
            body = urlencode(payload).encode() if as_form else json.dumps(payload).encode()
        stamp = str(int(time.time()))
        base = b"v0:" + stamp.encode() + b":" + body
        kind = "application/x-www-form-urlencoded" if as_form else "application/json"
        sent = {
            "content-type": kind,
            "x-slack-request-timestamp": stamp,
            "x-slack-signature": "v0=" + hmac.new(secret.encode(), base, sha256).hexdigest(),
            **(headers or {}),
        }
        return self.client.post("/slack/events", content=body, headers=sent)


def events_of(redis: Redis, subject: str) -> list[Event]:
    """What is stored for a subject, oldest first."""
    return [event for event in every_event(redis) if event.subject == subject]


def waiting(inbox: Inbox) -> int:
    """Events that wait, over all lanes."""
    return sum(lane.waiting for lane in inbox.status().lanes)


def pull_request_payload(**more: Any) -> dict[str, Any]:
    return {
        "action": "opened",
        "pull_request": {"number": 7, "head": {"sha": "a" * 40}, "draft": False},
        "repository": {"id": 5001, "owner": {"id": 4001}, "default_branch": "main"},
        "installation": {"id": 31},
        "sender": {"id": 3002, "login": "ben", "type": "User"},
        **more,
    }


def comment_payload(text: str, **more: Any) -> dict[str, Any]:
    return {
        "action": "created",
        "issue": {"number": 7, "pull_request": {"url": "x"}},
        "comment": {"id": 99, "body": text, "user": {"id": 3002, "type": "User"}},
        "repository": {"id": 5001, "owner": {"id": 4001}},
        "installation": {"id": 31},
        "sender": {"id": 3002, "login": "ben", "type": "User"},
        **more,
    }


def mention_payload(text: str, **more: Any) -> dict[str, Any]:
    event = {
        "type": "app_mention",
        "user": "U1",
        "text": text,
        "ts": "1800000000.000100",
        "channel": "C1",
        "team": "T1",
        **more,
    }
    return {
        "type": "event_callback",
        "team_id": "T1",
        "api_app_id": "A1",
        "event_id": f"Ev{uuid.uuid4().hex[:8]}",
        "event": event,
        "authorizations": [{"team_id": "T1", "user_id": "UBOT", "is_bot": True}],
    }
