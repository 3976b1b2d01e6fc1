"""Socket Mode: the same requests as over HTTP, fetched through a WebSocket that we open.

For places that Slack can't reach. Each web process holds one connection (Slack allows ten and
spreads what it sends over them); what could not be stored is not acknowledged and comes again.
"""

from __future__ import annotations

import threading

import structlog
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

RETRY_S = 10.0
TIMEOUT_S = 15

log = structlog.get_logger()


class SlackSocket:
    """Connects in the background, as often as it takes; slack_sdk reconnects by itself later."""

    def __init__(self, bolt: App, app_token: str, api_url: str) -> None:
        client = WebClient(base_url=f"{api_url}/", timeout=TIMEOUT_S)
        self._handler = SocketModeHandler(bolt, app_token, web_client=client)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._connect, name="slack-socket", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(TIMEOUT_S)
        self._handler.close()  # type: ignore[no-untyped-call]

    def _connect(self) -> None:
        while not self._stopping.is_set():
            try:
                self._handler.connect()  # type: ignore[no-untyped-call]
            except (SlackApiError, OSError) as error:
                log.warning("socket.not_connected", error=type(error).__name__)
                self._stopping.wait(RETRY_S)
            else:
                log.info("socket.connected")
                return
