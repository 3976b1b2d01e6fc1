"""A model at a loopback address that speaks Gemini's wire format and writes down who asked what.

The text it answers with is the last `[pr-7 q3]` of the prompt, as `answer [pr-7 q3]`; a request
for structured output gets the emptiest value that fits its schema.
"""

from __future__ import annotations

import json
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

QUESTION = re.compile(r"\[pr-(\d+) q(\d+)\]")


@dataclass
class ModelCall:
    """One request. `pid` is the process that asked, 0 when it could not be found any more."""

    question: tuple[int, int] | None
    pid: int
    started_s: float
    ended_s: float = float("inf")
    prompt: str = field(default="", repr=False)


class LoopbackModel:
    """Serves until `stop`. `whose` finds the process behind a client's port."""

    def __init__(self, delay_s: float = 0.2, whose: Callable[[int], int] = lambda _port: 0) -> None:
        self.delay_s = delay_s
        self.whose = whose
        self.calls: list[ModelCall] = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.model = self
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def start(self) -> LoopbackModel:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, request: dict[str, Any], port: int) -> dict[str, Any]:
        prompt = "\n".join(_texts(request.get("contents", [])))
        found = QUESTION.findall(prompt)
        question = (int(found[-1][0]), int(found[-1][1])) if found else None
        call = ModelCall(question, self.whose(port), time.monotonic(), prompt=prompt)
        with self._lock:
            self.calls.append(call)
        time.sleep(self.delay_s)
        call.ended_s = time.monotonic()
        return _generated(_part(request, question))

    def calls_for(self, question: tuple[int, int]) -> int:
        with self._lock:
            return sum(call.question == question for call in self.calls)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: LoopbackModel

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Callers die in the middle of a request here; anything else is a fault of ours."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        answer = json.dumps(self.server.model.answer(json.loads(body), self.client_address[1]))
        try:
            self.send_response(200)
            self.send_header("Content-Type", "application/json; charset=UTF-8")
            self.send_header("Content-Length", str(len(answer.encode())))
            self.end_headers()
            self.wfile.write(answer.encode())
        except OSError:
            self.close_connection = True  # who asked is dead

    def log_message(self, *_: Any) -> None:
        """Nothing: the calls are kept."""


def _texts(contents: Iterable[dict[str, Any]]) -> Iterable[str]:
    """What people and results said; what the model said before is history."""
    for content in contents:
        if content.get("role") != "model":
            yield from (part["text"] for part in content.get("parts", []) if "text" in part)


def _part(request: dict[str, Any], question: tuple[int, int] | None) -> dict[str, Any]:
    config = request.get("generationConfig", {})
    schema = config.get("responseJsonSchema") or config.get("responseSchema")
    forced = request.get("toolConfig", {}).get("functionCallingConfig", {})
    if schema:
        return {"text": json.dumps(_emptiest(schema, schema))}
    if forced.get("mode") == "ANY":
        function = request["tools"][0]["functionDeclarations"][0]
        parameters = function.get("parametersJsonSchema") or function.get("parameters") or {}
        arguments = _emptiest(parameters, parameters)
        return {"functionCall": {"name": function["name"], "args": arguments}}
    return {"text": f"answer [pr-{question[0]} q{question[1]}]" if question else "Nothing to say."}


def _emptiest(schema: dict[str, Any], root: dict[str, Any]) -> Any:
    """The emptiest value of a JSON schema, or of Gemini's dialect of one."""
    if "$ref" in schema:
        definition: Any = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            definition = definition[step]
        return _emptiest(definition, root)
    if "enum" in schema:
        return schema["enum"][0]
    kind = str(schema.get("type", "object")).lower()
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: _emptiest(properties[name], root) for name in schema.get("required", [])}
    empty: dict[str, Any] = {"array": [], "string": "", "boolean": False}
    return empty.get(kind, 0)


def _generated(part: dict[str, Any]) -> dict[str, Any]:
    return {
        "candidates": [
            {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        ],
        "usageMetadata": {
            "promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110,
        },
        "modelVersion": "gemini-3.8-flash",
        "responseId": "loopback",
    }  # fmt: skip
