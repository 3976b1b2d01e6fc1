"""`POST /github/webhook`: verify, parse, decide, accept into the inbox, ring."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

import structlog
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse

from bot import github_check, github_comment, github_installation, github_pull_request
from bot.acceptance import Acceptance
from bot.decision import Decision, Ignore
from bot.github_payload import Payload
from bot.github_signature import is_signed
from workers.inbox import InboxUnavailable

MAX_BODY_BYTES = 25 * 1024 * 1024
"""GitHub sends no payload above 25 MB."""

log = structlog.get_logger()


class BodyTooLarge(ValueError):  # noqa: N818
    """The body passes the limit; it was not read to its end."""

    reason = "too_large"


class GithubRoute:
    """The route. `handle` answers the name that people mention, which a worker has learnt."""

    def __init__(
        self, secrets: tuple[str, ...], acceptance: Acceptance, handle: Callable[[], str]
    ) -> None:
        self._secrets = secrets
        self._acceptance = acceptance
        self._handle = handle

    async def respond(self, request: Request) -> JSONResponse:
        try:
            body = await read_body(request, MAX_BODY_BYTES)
        except BodyTooLarge:
            return _answer(413, "too_large")
        if not is_signed(body, request.headers.get("x-hub-signature-256"), self._secrets):
            return _answer(401, "bad_signature")
        payload = _parse(request.headers, body)
        if payload is None:
            return _answer(400, "malformed")
        return await run_in_threadpool(self._decide_and_accept, payload)

    def _decide_and_accept(self, payload: Payload) -> JSONResponse:
        decision = self._decide(payload)
        bound = {"delivery": payload.delivery, "github_event": payload.event}
        if isinstance(decision, Ignore):
            log.info("webhook.ignored", reason=decision.reason, action=payload.action[:50], **bound)
            return _answer(200, decision.reason, status="ignored")
        try:
            outcome = self._acceptance.accept(decision)
        except InboxUnavailable:
            log.warning("webhook.not_stored", **bound)
            return _answer(503, "not_stored")
        log.info("webhook.accepted", outcome=outcome, subject=decision.event.subject, **bound)
        if outcome == "duplicate":
            return _answer(200, "duplicate", status="duplicate")
        self._acceptance.ring(decision)
        return JSONResponse(
            {"status": "accepted", "subject": decision.event.subject}, status_code=202
        )

    def _decide(self, payload: Payload) -> Decision:
        if payload.event in _WITH_HANDLE:
            return _WITH_HANDLE[payload.event](payload, self._handle())
        decide = _DECISIONS.get(payload.event)
        return decide(payload) if decide else Ignore("event_not_used")


async def read_body(request: Request, limit_bytes: int) -> bytes:
    """The raw body. Raises BodyTooLarge as soon as it passes the limit."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > limit_bytes:
        raise BodyTooLarge
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > limit_bytes:
            raise BodyTooLarge
        chunks.append(chunk)
    return b"".join(chunks)


def _parse(headers: Mapping[str, str], body: bytes) -> Payload | None:
    event, delivery = headers.get("x-github-event"), headers.get("x-github-delivery")
    if not event or not delivery or len(delivery) > 100:
        return None
    try:
        if headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            fields: Any = parse_qs(body.decode(), strict_parsing=True, max_num_fields=10)
            document = json.loads(fields["payload"][0])
        else:
            document = json.loads(body)
    except (ValueError, KeyError, RecursionError):
        return None
    return Payload(event, delivery, document) if isinstance(document, dict) else None


def _answer(status_code: int, reason: str, status: str = "refused") -> JSONResponse:
    return JSONResponse({"status": status, "reason": reason}, status_code=status_code)


def _ping(payload: Payload) -> Decision:  # noqa: ARG001
    return Ignore("ping")


_DECISIONS: dict[str, Callable[[Payload], Decision]] = {
    "ping": _ping,
    "pull_request": github_pull_request.decide,
    "installation": github_installation.decide_installation,
    "installation_repositories": github_installation.decide_installation_repositories,
    "repository": github_installation.decide_repository,
    "check_run": github_check.decide_check_run,
    "check_suite": github_check.decide_check_suite,
    "push": github_installation.decide_push,
}
_WITH_HANDLE: dict[str, Callable[[Payload, str], Decision]] = {
    "issue_comment": github_comment.decide_issue_comment,
    "pull_request_review_comment": github_comment.decide_review_comment,
    "pull_request_review": github_comment.decide_review,
}
