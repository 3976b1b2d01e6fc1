"""Socket Mode: the same deliveries as over HTTP, pushed through a WebSocket the app opened."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import json
import secrets
import threading
from dataclasses import dataclass, field

from starlette.websockets import WebSocket, WebSocketDisconnect

from deploy.sandbox.slack.world import JsonObject


@dataclass
class _Connection:
    websocket: WebSocket
    loop: asyncio.AbstractEventLoop


@dataclass
class SocketMode:
    """Connections of the app. Each ticket from apps.connections.open is good for one."""

    app_id: str
    deadline_s: float = 3.0
    _tickets: set[str] = field(default_factory=set)
    _connections: list[_Connection] = field(default_factory=list)
    _waiting: dict[str, concurrent.futures.Future[JsonObject]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_connected(self) -> bool:
        return bool(self._connections)

    def url(self, base_url: str) -> str:
        """A fresh WebSocket address under the stand-in's own URL."""
        ticket = secrets.token_urlsafe(24)
        with self._lock:
            self._tickets.add(ticket)
        root = base_url.rstrip("/").replace("http", "ws", 1)
        return f"{root}/slack/link/?ticket={ticket}&app_id={self.app_id}"

    async def serve(self, websocket: WebSocket) -> None:
        """The route of the WebSocket: hello, then acknowledgements until it closes."""
        ticket = websocket.query_params.get("ticket", "")
        with self._lock:
            known = ticket in self._tickets
            self._tickets.discard(ticket)
        if not known:
            await websocket.close(code=1008)
            return
        await websocket.accept()
        connection = _Connection(websocket, asyncio.get_running_loop())
        with self._lock:
            self._connections.append(connection)
        try:
            await websocket.send_text(json.dumps(self._hello()))
            while True:
                self._acknowledge(await websocket.receive_text())
        except WebSocketDisconnect:
            pass
        finally:
            with self._lock:
                self._connections.remove(connection)

    def send(self, envelope_type: str, payload: JsonObject, retry: int) -> JsonObject | None:
        """Deliver one envelope from any thread but the server's and wait for its answer."""
        with self._lock:
            if not self._connections:
                return None
            connection = self._connections[-1]
        envelope_id = secrets.token_hex(16)
        envelope: JsonObject = {
            "envelope_id": envelope_id,
            "type": envelope_type,
            "payload": payload,
            "accepts_response_payload": envelope_type != "events_api",
        }
        if envelope_type == "events_api":
            envelope |= {"retry_attempt": retry, "retry_reason": "timeout" if retry else ""}
        answered: concurrent.futures.Future[JsonObject] = concurrent.futures.Future()
        with self._lock:
            self._waiting[envelope_id] = answered
        sending = asyncio.run_coroutine_threadsafe(
            connection.websocket.send_text(json.dumps(envelope)), connection.loop
        )
        try:
            sending.result(self.deadline_s)
            return answered.result(self.deadline_s)
        except (TimeoutError, RuntimeError, WebSocketDisconnect):
            return None
        finally:
            with self._lock:
                self._waiting.pop(envelope_id, None)

    def _acknowledge(self, text: str) -> None:
        with contextlib.suppress(ValueError):
            message = json.loads(text)
            with self._lock:
                waiting = self._waiting.get(str(message.get("envelope_id")))
            if waiting is not None and not waiting.done():
                waiting.set_result(message.get("payload") or {})

    def _hello(self) -> JsonObject:
        return {
            "type": "hello",
            "num_connections": len(self._connections),
            "debug_info": {"host": "sandbox", "approximate_connection_time": 18_060},
            "connection_info": {"app_id": self.app_id},
        }
