"""`/healthz`, `/readyz` and `/metrics`."""

from __future__ import annotations

import hmac

from redis import Redis
from redis.exceptions import RedisError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from workers.inbox import Inbox
from workers.metrics import CONTENT_TYPE, Metrics
from workers.schema import why_not_ready


async def healthz(_request: Request) -> Response:
    """The process is up."""
    return JSONResponse({"status": "ok"})


class Readiness:
    """`/readyz`: Redis answers, and its data is of our version. It is the broker as well."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def respond(self, _request: Request) -> Response:
        try:
            reason = await run_in_threadpool(why_not_ready, self._redis)
        except RedisError:
            return JSONResponse({"status": "not_ready", "redis": "unreachable"}, status_code=503)
        if reason:
            answer = {"status": "not_ready", "redis": "ok", "schema": reason}
            return JSONResponse(answer, status_code=503)
        return JSONResponse({"status": "ready", "redis": "ok", "broker": "ok"})


class MetricsRoute:
    """`/metrics` for Prometheus, with a bearer token when one is set."""

    def __init__(self, inbox: Inbox, metrics: Metrics, token: str) -> None:
        self._inbox = inbox
        self._metrics = metrics
        self._token = token

    async def respond(self, request: Request) -> Response:
        given = request.headers.get("authorization", "").removeprefix("Bearer ").encode()
        if self._token and not hmac.compare_digest(given, self._token.encode()):
            return PlainTextResponse("A bearer token is needed.\n", status_code=401)
        try:
            text = await run_in_threadpool(self._render)
        except RedisError:
            return PlainTextResponse("Redis does not answer.\n", status_code=503)
        return Response(text, media_type=CONTENT_TYPE)

    def _render(self) -> str:
        return self._metrics.render(self._inbox.status())
