"""`/slack/install` and `/slack/oauth_redirect`: a workspace installs the Slack app (OAuth v2)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.oauth_return import OauthFlow, answered
from workers.event import Event
from workers.secrets_box import SecretsBox
from workers.settings import Settings

CALLBACK = "/slack/oauth_redirect"
AGAIN = "Open /slack/install here to start again."
BOT_SCOPES = (
    "app_mentions:read", "chat:write", "commands", "im:history", "im:read", "im:write",
    "channels:read", "groups:read", "users:read", "reactions:write",
)  # fmt: skip
"""What the manifest asks for; nothing here reads messages that do not mention us."""


class SlackInstall:
    """The routes. `box` seals the code for the worker that exchanges it."""

    def __init__(self, settings: Settings, flow: OauthFlow, box: SecretsBox) -> None:
        assert settings.slack is not None
        self._slack = settings.slack
        self._public_url = settings.public_url
        self._flow = flow
        self._box = box

    def routes(self) -> list[Route]:
        return [
            Route("/slack/install", self.install, methods=["GET"]),
            Route(CALLBACK, self.come_back, methods=["GET"]),
        ]

    async def install(self, _request: Request) -> Response:
        return await answered(self._flow.leave, {}, self._address)

    async def come_back(self, request: Request) -> Response:
        done = (
            "Precedent is being installed",
            "You can close this page. In a channel, write /conventions link owner/repository.",
        )
        return await answered(self._flow.come_back, request, self._event, done, AGAIN)

    def _address(self, state: str) -> str:
        query = {
            "client_id": self._slack.client_id,
            "scope": ",".join(BOT_SCOPES),
            "redirect_uri": self._public_url + CALLBACK,
            "state": state,
        }
        return f"{self._slack.api_url.removesuffix('/api')}/oauth/v2/authorize?{urlencode(query)}"

    def _event(self, code: str, _about: Mapping[str, Any]) -> Event:
        name = hashlib.sha256(code.encode()).hexdigest()[:32]
        return Event(
            id=f"slack.oauth:{name}",
            kind="slack.oauth",
            subject=f"slack.oauth:{name}",
            arguments=(self._box.seal(code), self._public_url + CALLBACK),
        )
