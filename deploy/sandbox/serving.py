"""Serve any ASGI app on a free loopback port from a thread of this process."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from deploy.sandbox.redis_server import free_port

Message = MutableMapping[str, Any]
AsgiApp = Callable[
    [Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]],
    Awaitable[None],
]

TRANSPORT_EXTENSION = "precedent.transport"
"""The scope's extension whose "transport" is the connection, for answers that must never arrive."""

START_TIMEOUT_S = 10.0
STOP_TIMEOUT_S = 10.0
TICK_S = 0.02


class ServerStartError(RuntimeError):
    """uvicorn ended or hung before it listened. The message says where to look."""

    reason = "server_did_not_start"


class AsgiServer:
    """One uvicorn in a daemon thread on 127.0.0.1.

    The URL is known from the beginning, so that an app can be told its own address before it
    serves. `port` 0 takes a free one. After `stop` the same object can be started again and
    listens on the same port.
    """

    def __init__(self, app: AsgiApp, port: int = 0) -> None:
        self.app = app
        self.port = port or free_port()
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """Scheme, host and port, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> AsgiServer:
        """Listen and serve; returns once connections are accepted. Raises ServerStartError."""
        if self._thread is not None:
            return self
        config = uvicorn.Config(
            self.app,
            host="127.0.0.1",
            port=self.port,
            http=_OpenProtocol,
            log_config=None,
            access_log=False,
            lifespan="auto",
            timeout_graceful_shutdown=2,
        )
        started = threading.Event()
        self._server = _AnnouncingServer(config, started)
        listener = _listen(self.port)
        self._thread = threading.Thread(
            target=_run, args=(self._server, listener, started), name=f"asgi-{self.port}"
        )
        self._thread.daemon = True
        self._thread.start()
        if not started.wait(START_TIMEOUT_S) or not self._server.started:
            self.stop()
            raise ServerStartError(
                f"The app did not start on port {self.port}; its start-up raised or took more "
                f"than {START_TIMEOUT_S:.0f} s."
            )
        return self

    def stop(self) -> None:
        """Stop listening and wait for the thread; does nothing when it is not running."""
        if self._server is None or self._thread is None:
            return
        self._server.should_exit = True
        self._thread.join(STOP_TIMEOUT_S)
        self._server = self._thread = None

    def __enter__(self) -> AsgiServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class _OpenProtocol(HttpToolsProtocol):
    """Shows the app its connection, so that a stand-in can break it."""

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {TRANSPORT_EXTENSION: {"transport": self.transport}}


class _AnnouncingServer(uvicorn.Server):
    """Sets an event once it listens, instead of being asked in a loop."""

    def __init__(self, config: uvicorn.Config, announced: threading.Event) -> None:
        super().__init__(config)
        self._announced = announced

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._announced.set()

    async def main_loop(self) -> None:
        """As uvicorn's, which looks ten times a second whether it shall end: every test waits."""
        while not await self.on_tick(0):
            await asyncio.sleep(TICK_S)


def _listen(port: int) -> socket.socket:
    # asyncio turns Nagle's algorithm off only for sockets that name their protocol; with it on,
    # every answer in two parts waits 40 ms for the client's delayed acknowledgement.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except PermissionError as error:
        listener.close()
        raise ServerStartError(f"Port {port} needs rights: choose one from 1024 on.") from error
    except OSError as error:
        listener.close()
        raise ServerStartError(f"Port {port} is taken: choose another with --port.") from error
    except OverflowError as error:
        listener.close()
        raise ServerStartError(f"There is no port {port}: choose one up to 65535.") from error
    return listener


def _run(server: uvicorn.Server, listener: socket.socket, started: threading.Event) -> None:
    try:
        asyncio.run(server.serve(sockets=[listener]))
    finally:
        listener.close()
        started.set()
