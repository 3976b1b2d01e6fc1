"""Counts requests and how long they took, by route."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import Any

from starlette.concurrency import run_in_threadpool

from workers.metrics import Metrics

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

COUNTED = ("/github/webhook", "/slack/events", "/slack/install", "/slack/oauth_redirect",
           "/github/oauth/callback")  # fmt: skip
"""Probes and scrapes would only count themselves."""


class Metering:
    """Middleware. The count is sent after the answer, so nobody waits for it."""

    def __init__(self, app: App, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] not in COUNTED:
            await self._app(scope, receive, send)
            return
        began_s = time.monotonic()
        status = 500
        seconds = 0.0

        async def answer(message: Message) -> None:
            nonlocal status, seconds
            if message["type"] == "http.response.start":
                status, seconds = message["status"], time.monotonic() - began_s
            await send(message)

        try:
            await self._app(scope, receive, answer)
        finally:
            count = partial(
                self._metrics.observe,
                "precedent_web_seconds",
                seconds,
                route=scope["path"],
                status=status,
            )
            if self._metrics.is_batching:
                count()
            else:
                await run_in_threadpool(count)
