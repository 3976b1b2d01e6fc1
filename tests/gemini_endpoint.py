"""A loopback endpoint that speaks the wire format of Gemini's API, and says what a test wrote down.

`GeminiEndpoint` serves `/v1beta/models/<name>:generateContent` and `:streamGenerateContent`; point
GOOGLE_GEMINI_BASE_URL at its `url`. A script holds one answer for each call, or one function that
is called with each request: text, `tool_calls(...)`, `refused()`, `error(429)`.
`:batchEmbedContents` is answered with vectors in which texts of the same words are near.
"""

from __future__ import annotations

import json
import re
import threading
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from deploy.sandbox.serving import AsgiServer

API_KEY = "a-key-of-this-test"
CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class GeminiCall:
    """One request as it came in: the model's name and the JSON body."""

    model: str
    body: Mapping[str, Any]

    @property
    def system(self) -> str:
        """The text of the system instruction."""
        return _text((self.body.get("systemInstruction") or {}).get("parts", []))

    @property
    def text(self) -> str:
        """The text of the last content."""
        return _text(self.body["contents"][-1].get("parts", []))

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The schema that the output is to follow, when one was asked for."""
        config = self.body.get("generationConfig") or {}
        return config.get("responseJsonSchema") or config.get("responseSchema")

    @property
    def tools(self) -> list[str]:
        """The names of the functions that the model may call."""
        return [
            declaration["name"]
            for tool in self.body.get("tools") or []
            for declaration in tool.get("functionDeclarations") or []
        ]


@dataclass(frozen=True)
class Reply:
    """What the endpoint answers: parts of a candidate, or an error status."""

    parts: tuple[Mapping[str, Any], ...] = ()
    finish_reason: str = "STOP"
    status: int = 200
    message: str = ""


def text(words: str) -> Reply:
    return Reply(({"text": words},))


def as_json(value: object) -> Reply:
    """A JSON value as text, as for a request with a schema."""
    return text(json.dumps(value))


def tool_calls(*calls: tuple[str, Mapping[str, Any]]) -> Reply:
    """Calls of functions: pairs of a name and arguments."""
    return Reply(
        tuple({"functionCall": {"name": name, "args": dict(args)}} for name, args in calls)
    )


def refused() -> Reply:
    """A candidate without content, withheld for safety."""
    return Reply((), finish_reason="SAFETY")


def error(status: int, message: str = "Something went wrong.") -> Reply:
    return Reply(status=status, message=message)


Script = Sequence[Reply | str] | Callable[[GeminiCall], Reply | str]

_STATUS_NAMES = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED",
                 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL",
                 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED"}  # fmt: skip


@dataclass
class GeminiEndpoint:
    """Use it as a context manager. `calls` holds every request, in order.

    A call past the end of a script is answered with 500 and counted in `unexpected`. `embedded`
    are the texts for which vectors were asked; another `embedding_status` than 200 refuses them.
    """

    script: Script
    calls: list[GeminiCall] = field(default_factory=list)
    unexpected: int = 0
    embedded: list[str] = field(default_factory=list)
    embedding_status: int = 200
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __post_init__(self) -> None:
        path = "/{version}/models/{call}"
        self._server = AsgiServer(Starlette(routes=[Route(path, self._answer, methods=["POST"])]))

    @property
    def url(self) -> str:
        return self._server.url

    def __enter__(self) -> GeminiEndpoint:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()

    async def _answer(self, request: Request) -> Response:
        model, _, verb = request.path_params["call"].partition(":")
        if request.headers.get("x-goog-api-key") != API_KEY:
            return _error(401, "API key not valid. Please pass a valid API key.")
        if verb == "batchEmbedContents":
            return self._vectors(await request.json())
        if verb not in ("generateContent", "streamGenerateContent"):
            return _error(404, f"{verb} is not found.")
        call = GeminiCall(model, await request.json())
        reply = self._next(call)
        if reply.status != 200:
            return _error(reply.status, reply.message)
        answer = _response(call, reply)
        if verb == "streamGenerateContent":
            chunk = f"data: {json.dumps(answer)}\r\n\r\n"
            return StreamingResponse(iter([chunk]), media_type="text/event-stream")
        return JSONResponse(answer)

    def _vectors(self, body: Mapping[str, Any]) -> Response:
        if self.embedding_status != 200:
            return _error(self.embedding_status, "No vectors now.")
        texts = [_text(one["content"]["parts"]) for one in body["requests"]]
        self.embedded += texts
        dimensions = body["requests"][0].get("outputDimensionality", 3_072)
        return JSONResponse({"embeddings": [{"values": _bag(text, dimensions)} for text in texts]})

    def _next(self, call: GeminiCall) -> Reply:
        with self._lock:
            number = len(self.calls)
            self.calls.append(call)
            if callable(self.script):
                reply = self.script(call)
            elif number < len(self.script):
                reply = self.script[number]
            else:
                self.unexpected += 1
                reply = error(500, f"Call {number + 1} was not expected.")
        return text(reply) if isinstance(reply, str) else reply


def _response(call: GeminiCall, reply: Reply) -> dict[str, Any]:
    asked = len(json.dumps(call.body)) // CHARACTERS_PER_TOKEN
    said = len(json.dumps(reply.parts)) // CHARACTERS_PER_TOKEN
    candidate: dict[str, Any] = {"finishReason": reply.finish_reason, "index": 0}
    if reply.parts:
        candidate["content"] = {"role": "model", "parts": [dict(part) for part in reply.parts]}
    return {
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": asked,
            "candidatesTokenCount": said,
            "totalTokenCount": asked + said,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": asked}],
        },
        "modelVersion": call.model,
        "responseId": f"response-{asked}-{said}",
    }


def _bag(text: str, dimensions: int) -> list[float]:
    values = [0.0] * dimensions
    for word in re.findall(r"[a-z]+", text.lower()):
        values[zlib.crc32(word.encode()) % dimensions] += 1.0
    return values


def _error(status: int, message: str) -> Response:
    name = _STATUS_NAMES.get(status, "UNKNOWN")
    return JSONResponse({"error": {"code": status, "message": message, "status": name}}, status)


def _text(parts: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(str(part["text"]) for part in parts if "text" in part)
