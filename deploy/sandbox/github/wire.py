"""Answers as bytes: entity tags, and answers that break off on purpose."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from deploy.sandbox.github.answers import Answer
from deploy.sandbox.serving import TRANSPORT_EXTENSION


class WireResponse:
    """An ASGI answer with an ETag for reads; a matching If-None-Match gives 304."""

    def __init__(
        self, answer: Answer, headers: dict[str, str], method: str, asked: Mapping[str, str]
    ) -> None:
        self.status = answer.status
        self.body = _encoded(answer)
        self.headers = headers
        if answer.body is not None:
            self.headers["Content-Type"] = answer.media_type
        if method == "GET" and answer.status == 200:
            tag = f'W/"{hashlib.sha256(self.body).hexdigest()}"'
            self.headers["ETag"] = tag
            if asked.get("if-none-match") == tag:
                self.status, self.body = 304, b""
        if self.status not in (204, 304):
            self.headers["Content-Length"] = str(len(self.body))

    async def __call__(self, _scope: Any, _receive: Any, send: Any) -> None:
        await send(self.start())
        await send({"type": "http.response.body", "body": self.body})

    def start(self) -> dict[str, Any]:
        raw = [(k.lower().encode(), v.encode("utf-8")) for k, v in self.headers.items()]
        return {"type": "http.response.start", "status": self.status, "headers": raw}


class CutResponse:
    """An answer that breaks off: `keep` is the part of the body that still gets through."""

    def __init__(self, response: WireResponse, request: Request, keep: float) -> None:
        self.response = response
        extension = (request.scope.get("extensions") or {}).get(TRANSPORT_EXTENSION, {})
        self.transport = extension.get("transport")
        self.keep = keep

    async def __call__(self, _scope: Any, receive: Any, send: Any) -> None:
        if self.keep or self.transport is None:
            part = self.response.body[: int(len(self.response.body) * self.keep)]
            await send(self.response.start())
            await send({"type": "http.response.body", "body": part, "more_body": True})
        if self.transport is not None:
            self.transport.close()
            await receive()


def _encoded(answer: Answer) -> bytes:
    if answer.body is None:
        return b""
    if isinstance(answer.body, bytes):
        return answer.body
    return json.dumps(answer.body, ensure_ascii=False, separators=(",", ":")).encode()
