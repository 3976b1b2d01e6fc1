"""`POST /slack/events`: events, commands and interactivity, through Bolt, in the thread pool.

Bolt acknowledges an event before its listener has run unless told otherwise, and then a listener
that fails loses the event. Here the listener stores first, and what can't be stored is a 503,
which Slack delivers again.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs

import structlog
from redis.exceptions import RedisError
from slack_bolt import Ack, App, BoltContext, BoltRequest, BoltResponse
from slack_bolt.adapter.starlette.handler import to_bolt_request, to_starlette_response
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bot import slack_events
from bot.acceptance import Acceptance
from bot.decision import Decision, Ignore
from bot.github import BodyTooLarge, read_body
from bot.slack_signature import is_signed
from bot.slack_views import open_loading
from workers.inbox import InboxUnavailable
from workers.settings import SLACK_API_URL

MAX_BODY_BYTES = 4 * 1024 * 1024
"""Far above anything that Slack sends."""

LISTENER_THREADS = 32

log = structlog.get_logger()

Authorize = Callable[..., Any]
"""From (enterprise id, team id) to an AuthorizeResult or None, from Redis, without a call."""


class SlackRoute:
    """The route. `secrets` are the signing secrets, several while rotating."""

    def __init__(
        self,
        secrets: tuple[str, ...],
        acceptance: Acceptance,
        authorize: Authorize,
        api_url: str = SLACK_API_URL,
    ) -> None:
        self._secrets = secrets
        self.app = create_bolt(acceptance, authorize, api_url)

    async def respond(self, request: Request) -> Response:
        try:
            body = await read_body(request, MAX_BODY_BYTES)
        except BodyTooLarge:
            return _refuse(413, "too_large")
        headers = request.headers
        stamp = headers.get("x-slack-request-timestamp")
        if not is_signed(body, stamp, headers.get("x-slack-signature"), self._secrets, time.time()):
            return _refuse(401, "bad_signature")
        if not _is_well_formed(headers.get("content-type", ""), body):
            return _refuse(400, "malformed")
        answer = await run_in_threadpool(self.app.dispatch, to_bolt_request(request, body))
        return to_starlette_response(answer)


def create_bolt(acceptance: Acceptance, authorize: Authorize, api_url: str = SLACK_API_URL) -> App:
    """The Bolt application: its listeners decide and accept, and at most open a loading view."""

    app = App(
        process_before_response=True,
        request_verification_enabled=False,  # done before, see bot.slack_signature
        ignoring_self_events_enabled=True,
        authorize=authorize,
        listener_executor=ThreadPoolExecutor(LISTENER_THREADS, "slack"),
    )

    def accept(decision: Decision, source: str) -> None:
        if isinstance(decision, Ignore):
            log.info("slack.ignored", reason=decision.reason, source=source)
            return
        outcome = acceptance.accept(decision)
        if outcome == "accepted":
            acceptance.ring(decision)
        log.info("slack.accepted", outcome=outcome, subject=decision.event.subject, source=source)

    @app.command(re.compile(".*"))
    def on_command(ack: Ack, body: dict[str, Any], context: BoltContext) -> None:
        view_id, view_hash = open_loading(context.bot_token or "", api_url, body)
        accept(slack_events.decide_command(body, view_id, view_hash), "command")
        ack()

    @app.action(re.compile(".*"))
    def on_action(ack: Ack, body: dict[str, Any], context: BoltContext) -> None:
        view_id, view_hash = open_loading(context.bot_token or "", api_url, body)
        accept(slack_events.decide_interaction(body, view_id, view_hash), "action")
        ack()

    @app.view(re.compile(".*"))
    def on_view(ack: Ack, body: dict[str, Any]) -> None:
        accept(slack_events.decide_interaction(body), "view")
        ack()

    # Last, and for every type: Bolt answers 404 to an event without a listener, and Slack may
    # then switch the subscription off.
    @app.event(re.compile(".*"))
    def on_event(body: dict[str, Any]) -> None:
        accept(slack_events.decide_event(body), "event")

    @app.error
    def on_error(error: Exception, request: BoltRequest) -> BoltResponse:
        if isinstance(error, InboxUnavailable | RedisError):
            log.error("slack.not_stored")
            return BoltResponse(status=503, body="")
        log.error("slack.failed", exc_info=error, mode=request.mode)
        return BoltResponse(status=500, body="")

    return app


def _is_well_formed(content_type: str, body: bytes) -> bool:
    """Whether Bolt will be able to read it: JSON, or a form whose payload is JSON."""
    try:
        if not content_type.startswith("application/x-www-form-urlencoded"):
            return isinstance(json.loads(body), dict)
        fields = parse_qs(body.decode(), max_num_fields=100)
        payload = fields.get("payload")
        return payload is None or isinstance(json.loads(payload[0]), dict)
    except (ValueError, RecursionError):
        return False


def _refuse(status_code: int, reason: str) -> JSONResponse:
    return JSONResponse({"status": "refused", "reason": reason}, status_code=status_code)
