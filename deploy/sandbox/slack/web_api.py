"""The Web API over HTTP: tokens, arguments, contract, faults and limits around each method."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from deploy.sandbox.serving import TRANSPORT_EXTENSION
from deploy.sandbox.slack import contract, installing, methods_chat, methods_views
from deploy.sandbox.slack import methods_workspace as workspace
from deploy.sandbox.slack.api_call import ApiCall, CallRecord
from deploy.sandbox.slack.faults import Fault, Faults
from deploy.sandbox.slack.forms import form_fields
from deploy.sandbox.slack.installing import Installer
from deploy.sandbox.slack.refusal import Refusal
from deploy.sandbox.slack.triggers import Triggers
from deploy.sandbox.slack.views import Views
from deploy.sandbox.slack.world import JsonObject, Token, World

Handler = Callable[[ApiCall], JsonObject]

METHODS: dict[str, Handler] = {
    "auth.revoke": installing.auth_revoke,
    "auth.test": installing.auth_test,
    "bots.info": workspace.bots_info,
    "chat.delete": methods_chat.delete,
    "chat.getPermalink": methods_chat.get_permalink,
    "chat.postEphemeral": methods_chat.post_ephemeral,
    "chat.postMessage": methods_chat.post_message,
    "chat.update": methods_chat.update,
    "conversations.history": workspace.conversations_history,
    "conversations.info": workspace.conversations_info,
    "conversations.members": workspace.conversations_members,
    "conversations.open": workspace.conversations_open,
    "conversations.replies": workspace.conversations_replies,
    "reactions.add": methods_chat.add_reaction,
    "reactions.remove": methods_chat.remove_reaction,
    "team.info": workspace.team_info,
    "users.conversations": workspace.users_conversations,
    "users.info": workspace.users_info,
    "views.open": methods_views.open_view,
    "views.publish": methods_views.publish_view,
    "views.push": methods_views.push_view,
    "views.update": methods_views.update_view,
}
_WITH_APP_TOKEN = {"apps.connections.open"}
_WITHOUT_TOKEN = {"oauth.v2.access"}
_POSTING = {"chat.postMessage", "chat.postEphemeral", "chat.update"}


@dataclass(frozen=True)
class _Incoming:
    """A call as it came; `problem` is the error code of a malformed one."""

    method: str
    token: str
    arguments: JsonObject
    content_type: str
    base_url: str
    problem: str | None


@dataclass(frozen=True)
class Outcome:
    """What goes back: status, body, headers, or nothing when the connection is dropped."""

    status: int = 200
    answer: JsonObject = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    is_dropped: bool = False


@dataclass
class WebApi:
    """Answers calls and records them.

    `messages_per_s` limits posts per channel, as Slack does at about one a second; None is no
    limit. `contract_errors` collects what Slack's own description would not allow.
    """

    world: World
    views: Views
    triggers: Triggers
    installer: Installer
    emit: Callable[[str, JsonObject], object]
    socket_url: Callable[[str], str]
    faults: Faults = field(default_factory=Faults)
    messages_per_s: float | None = None
    calls: list[CallRecord] = field(default_factory=list)
    contract_errors: list[str] = field(default_factory=list)
    _last_post: dict[str, float] = field(default_factory=dict)

    async def handle(self, request: Request) -> Response:
        """One call: the route of `/slack/api/{method}`."""
        call = await _read(request)
        fault = self.faults.take(call.method)
        if fault is not None and fault.delay_s:
            await asyncio.sleep(fault.delay_s)
        outcome = Outcome()
        if fault is None or fault.is_only_slow or fault.apply:
            outcome = self._answer(call)
        if fault is not None and not fault.is_only_slow:
            outcome = _struck(fault)
        self._record(call, outcome)
        if outcome.is_dropped:
            return _Dropped()
        return JSONResponse(outcome.answer, status_code=outcome.status, headers=outcome.headers)

    def _answer(self, call: _Incoming) -> Outcome:
        if call.problem:
            return Outcome(answer={"ok": False, "error": call.problem})
        self.contract_errors.extend(contract.misfits(call.method, call.arguments))
        try:
            with self.world.lock:
                answer = {"ok": True, **self._dispatch(call)}
        except Refusal as refusal:
            waits = {"Retry-After": str(refusal.retry_after_s)} if refusal.status == 429 else {}
            return Outcome(refusal.status, refusal.answer(), waits)
        if call.content_type == "application/json":
            warning = "missing_charset"
            metadata = answer.get("response_metadata", {})
            answer |= {
                "warning": warning,
                "response_metadata": {**metadata, "warnings": [warning]},
            }
        token = self.world.tokens.get(call.token)
        return Outcome(200, answer, {"X-OAuth-Scopes": ",".join(token.scopes)} if token else {})

    def _dispatch(self, call: _Incoming) -> JsonObject:
        method, arguments = call.method, call.arguments
        if method in _WITHOUT_TOKEN:
            return self.installer.exchange(arguments)
        if method not in METHODS and method not in {*_WITH_APP_TOKEN, "apps.uninstall"}:
            raise Refusal("unknown_method", req_method=method)
        token = self._token(call.token)
        if (token.kind == "app") != (method in _WITH_APP_TOKEN):
            raise Refusal("not_allowed_token_type")
        if method == "apps.connections.open":
            return {"url": self.socket_url(call.base_url)}
        self._need_arguments(method, arguments)
        accepted = ApiCall(
            method=method,
            arguments=arguments,
            world=self.world,
            views=self.views,
            triggers=self.triggers,
            token=token,
            workspace=self.world.teams.get(token.team_id or ""),
            emit=self.emit,
        )
        if method == "apps.uninstall":
            return installing.apps_uninstall(accepted, self.installer)
        if method in _POSTING:
            self._check_rate(accepted.text("channel"))
        return METHODS[method](accepted)

    def _token(self, value: str) -> Token:
        if not value:
            raise Refusal("not_authed")
        token = self.world.tokens.get(value)
        if token is None:
            raise Refusal("invalid_auth")
        if token.is_revoked:
            raise Refusal("token_revoked")
        if token.expires_at is not None and time.time() > token.expires_at:
            raise Refusal("token_expired")
        return token

    def _need_arguments(self, method: str, arguments: JsonObject) -> None:
        missing = [n for n in contract.required(method) if arguments.get(n) in (None, "")]
        if missing:
            raise Refusal(
                "invalid_arguments",
                messages=[f"[ERROR] missing required field: {name}" for name in missing],
            )

    def _check_rate(self, channel_id: str) -> None:
        if self.messages_per_s is None:
            return
        now = time.monotonic()
        earliest = self._last_post.get(channel_id, 0.0) + 1 / self.messages_per_s
        if now < earliest:
            raise Refusal(
                "ratelimited", status=429, retry_after_s=max(1, math.ceil(earliest - now))
            )
        self._last_post[channel_id] = now

    def _record(self, call: _Incoming, outcome: Outcome) -> None:
        token = self.world.tokens.get(call.token)
        hidden = {"client_secret", "code", "refresh_token"} & call.arguments.keys()
        self.calls.append(
            CallRecord(
                method=call.method,
                arguments=call.arguments | dict.fromkeys(hidden, "***"),
                team_id=token.team_id if token else None,
                token_kind=token.kind if token else None,
                content_type=call.content_type,
                at=time.time(),
                status=outcome.status,
                answer=outcome.answer,
                connection_dropped=outcome.is_dropped,
            )
        )


class _Dropped(Response):
    """Ends the connection without an answer, as a broken network does."""

    async def __call__(self, scope: Any, _receive: Any, _send: Any) -> None:
        extension = (scope.get("extensions") or {}).get(TRANSPORT_EXTENSION)
        if extension is None:
            raise RuntimeError("Connections can only be dropped when AsgiServer serves the app.")
        extension["transport"].abort()


def _struck(fault: Fault) -> Outcome:
    status = fault.status or 200
    headers = {"Retry-After": str(fault.retry_after_s)} if status == 429 else {}
    error = fault.error or ("ratelimited" if status == 429 else "internal_error")
    return Outcome(status, {"ok": False, "error": error}, headers, fault.drop_connection)


async def _read(request: Request) -> _Incoming:
    arguments: JsonObject = dict(request.query_params)
    problem = None
    content_type = request.headers.get("content-type", "")
    if request.method == "POST":
        kind = content_type.partition(";")[0].strip()
        if kind == "application/json":
            body, problem = _json_object(await request.body())
            arguments |= body
        elif kind == "application/x-www-form-urlencoded":
            arguments |= await form_fields(request)
        elif await request.body():
            problem = "invalid_post_type"
    scheme, _, credential = request.headers.get("authorization", "").partition(" ")
    token = str(arguments.pop("token", "") or "")
    if scheme.lower() == "bearer":
        token = credential.strip()
    elif scheme.lower() == "basic":
        arguments |= _client_credentials(credential)
    return _Incoming(
        method=request.path_params["method"],
        token=token,
        arguments=arguments,
        content_type=content_type,
        base_url=str(request.base_url),
        problem=problem,
    )


def _json_object(body: bytes) -> tuple[JsonObject, str | None]:
    try:
        parsed = json.loads(body or b"{}")
    except ValueError:
        return {}, "invalid_json"
    return (parsed, None) if isinstance(parsed, dict) else ({}, "json_not_object")


def _client_credentials(credential: str) -> JsonObject:
    try:
        client_id, _, secret = base64.b64decode(credential, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return {}
    return {"client_id": client_id, "client_secret": secret}
