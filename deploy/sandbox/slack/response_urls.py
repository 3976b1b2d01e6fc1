"""Response URLs: the addresses by which an app answers a command or a click later."""

from __future__ import annotations

import json
import secrets
import threading
import time
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from deploy.sandbox.slack.block_limits import MAX_POSTED_TEXT
from deploy.sandbox.slack.methods_chat import checked_content
from deploy.sandbox.slack.refusal import Refusal
from deploy.sandbox.slack.world import JsonObject, Team, World

MOST_USES = 5
LIFE_S = 30 * 60


@dataclass
class _ResponseUrl:
    team_id: str
    channel_id: str
    user_id: str
    message_ts: str | None
    expires_at: float
    uses: int = 0


@dataclass
class ResponseUrls:
    """Issues response URLs and applies what is posted to them: five times in half an hour."""

    world: World
    life_s: float = LIFE_S
    posted: list[JsonObject] = field(default_factory=list)
    _urls: dict[str, _ResponseUrl] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def issue(
        self, base_url: str, team: Team, channel_id: str, user_id: str, message_ts: str | None
    ) -> str:
        """A fresh URL; `message_ts` is the message that `replace_original` would replace."""
        name = f"{team.id}/{secrets.randbelow(10**12)}/{secrets.token_urlsafe(16)}"
        with self._lock:
            self._urls[name] = _ResponseUrl(
                team.id, channel_id, user_id, message_ts, time.monotonic() + self.life_s
            )
        return f"{base_url.rstrip('/')}/slack/actions/{name}"

    async def handle(self, request: Request) -> Response:
        """The route: applies one posted answer."""
        name = request.path_params["name"]
        try:
            body = json.loads(await request.body())
        except ValueError:
            return PlainTextResponse("invalid_payload", status_code=400)
        if not isinstance(body, dict):
            return PlainTextResponse("invalid_payload", status_code=400)
        with self._lock:
            url = self._urls.get(name)
            if url is None:
                return PlainTextResponse("no_service", status_code=404)
            if time.monotonic() > url.expires_at:
                return JSONResponse({"ok": False, "error": "expired_url"}, status_code=404)
            if url.uses >= MOST_USES:
                return JSONResponse({"ok": False, "error": "used_url"}, status_code=404)
            url.uses += 1
        self.posted.append({"channel": url.channel_id, "user": url.user_id, **body})
        try:
            self._apply(url, body)
        except Refusal as refusal:
            return JSONResponse(refusal.answer(), status_code=400)
        return PlainTextResponse("ok")

    def answer(self, team: Team, channel_id: str, user_id: str, body: JsonObject) -> None:
        """Show what an app put into its immediate answer to a command. Raises Refusal."""
        self._apply(_ResponseUrl(team.id, channel_id, user_id, None, 0.0), body)

    def _apply(self, url: _ResponseUrl, body: JsonObject) -> None:
        original = url.message_ts
        if body.get("delete_original") in (True, "true") and original:
            self.world.drop_message(url.channel_id, original)
            return
        content = checked_content(
            str(body.get("text") or ""),
            body.get("blocks"),
            body.get("attachments"),
            "",
            MAX_POSTED_TEXT,
        )
        if body.get("replace_original") in (True, "true") and original:
            self.world.change_message(url.channel_id, original, {"blocks": None, **content})
            return
        message = self._message(url, body) | content
        if body.get("response_type") == "in_channel":
            self.world.put_message(url.channel_id, message)
        else:
            self.world.put_ephemeral(url.channel_id, url.user_id, message)

    def _message(self, url: _ResponseUrl, body: JsonObject) -> JsonObject:
        team = self.world.teams[url.team_id]
        message: JsonObject = {
            "type": "message",
            "subtype": "bot_message",
            "user": team.bot_user_id,
            "bot_id": team.bot_id,
            "app_id": self.world.app_id,
            "team": team.id,
            "ts": self.world.next_ts(),
        }
        if body.get("thread_ts"):
            message["thread_ts"] = str(body["thread_ts"])
        return message
