"""Tokens and installations: auth.*, oauth.v2.access, apps.*, and the page where a person agrees."""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from deploy.sandbox.slack.api_call import ApiCall
from deploy.sandbox.slack.refusal import Refusal
from deploy.sandbox.slack.world import JsonObject, Team, Token, World

CODE_LIFE_S = 600
ROTATED_TOKEN_LIFE_S = 43_200  # twelve hours, as Slack's token rotation has it


@dataclass
class _Grant:
    team_id: str
    user_id: str
    scopes: tuple[str, ...]
    redirect_uri: str
    expires_at: float
    is_used: bool = False


@dataclass
class Installer:
    """Hands out codes and exchanges them for tokens. `rotates` turns token rotation on."""

    world: World
    client_id: str
    client_secret: str
    rotates: bool = False
    token_life_s: int = ROTATED_TOKEN_LIFE_S
    _grants: dict[str, _Grant] = field(default_factory=dict)
    _refresh_tokens: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def agree(self, team_id: str, user_id: str, scope: str, redirect_uri: str, state: str) -> str:
        """The address to which a person who agreed is sent, with a fresh code."""
        code = f"{secrets.randbelow(10**12)}.{secrets.token_hex(16)}"
        scopes = tuple(part for part in scope.replace(" ", ",").split(",") if part)
        with self._lock:
            self._grants[code] = _Grant(
                team_id, user_id, scopes, redirect_uri, time.time() + CODE_LIFE_S
            )
        return _with_query(redirect_uri, code=code, state=state)

    def decline(self, redirect_uri: str, state: str) -> str:
        """The address to which a person who did not agree is sent."""
        return _with_query(redirect_uri, error="access_denied", state=state)

    def exchange(self, arguments: JsonObject) -> JsonObject:
        """oauth.v2.access. Raises Slack's refusals."""
        if arguments.get("client_id") != self.client_id:
            raise Refusal("invalid_client_id")
        if not secrets.compare_digest(str(arguments.get("client_secret")), self.client_secret):
            raise Refusal("bad_client_secret")
        if arguments.get("grant_type") == "refresh_token":
            return self._refresh(str(arguments.get("refresh_token", "")))
        with self._lock:
            grant = self._grants.get(str(arguments.get("code", "")))
            if grant is None:
                raise Refusal("invalid_code")
            if grant.is_used:
                raise Refusal("code_already_used")
            if time.time() > grant.expires_at:
                raise Refusal("code_expired")
            if (arguments.get("redirect_uri") or grant.redirect_uri) != grant.redirect_uri:
                raise Refusal("bad_redirect_uri")
            grant.is_used = True
        team = self.world.teams[grant.team_id]
        answer = self._answer(team, self._new_token(team, grant.scopes))
        return answer | {"authed_user": {"id": grant.user_id}}

    def _refresh(self, refresh_token: str) -> JsonObject:
        with self._lock:
            old_value = self._refresh_tokens.pop(refresh_token, None)
        if old_value is None:
            raise Refusal("invalid_refresh_token")
        old = self.world.tokens[old_value]
        assert old.team_id is not None
        team = self.world.teams[old.team_id]
        return self._answer(team, self._new_token(team, old.scopes))

    def _new_token(self, team: Team, scopes: tuple[str, ...]) -> Token:
        prefix = "xoxe.xoxb" if self.rotates else "xoxb"
        token = Token(
            value=f"{prefix}-{secrets.randbelow(10**12)}-{secrets.token_hex(12)}",
            team_id=team.id,
            scopes=scopes,
            expires_at=time.time() + self.token_life_s if self.rotates else None,
        )
        with self.world.lock:
            self.world.tokens[token.value] = token
        return token

    def _answer(self, team: Team, token: Token) -> JsonObject:
        enterprise = None
        if team.enterprise_id:
            enterprise = {"id": team.enterprise_id, "name": team.enterprise_name}
        answer: JsonObject = {
            "app_id": self.world.app_id,
            "scope": ",".join(token.scopes),
            "token_type": "bot",
            "access_token": token.value,
            "bot_user_id": team.bot_user_id,
            "team": {"id": team.id, "name": team.name},
            "enterprise": enterprise,
            "is_enterprise_install": False,
        }
        if self.rotates:
            refresh_token = f"xoxe-1-{secrets.token_hex(24)}"
            with self._lock:
                self._refresh_tokens[refresh_token] = token.value
            answer |= {"refresh_token": refresh_token, "expires_in": self.token_life_s}
        return answer


def auth_test(call: ApiCall) -> JsonObject:
    """auth.test."""
    team = call.team
    answer: JsonObject = {
        "url": f"https://{team.domain}.slack.com/",
        "team": team.name,
        "user": "precedent",
        "team_id": team.id,
        "user_id": team.bot_user_id,
        "bot_id": team.bot_id,
        "is_enterprise_install": False,
    }
    return answer | ({"enterprise_id": team.enterprise_id} if team.enterprise_id else {})


def auth_revoke(call: ApiCall) -> JsonObject:
    """auth.revoke: the calling token stops working; with `test` it only looks as if."""
    if call.flag("test"):
        return {"revoked": False}
    call.token.is_revoked = True
    event = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [call.team.bot_user_id]}}
    call.emit(call.team.id, event)
    return {"revoked": True}


def apps_uninstall(call: ApiCall, installer: Installer) -> JsonObject:
    """apps.uninstall: every token of the workspace stops working."""
    if call.text("client_id") != installer.client_id:
        raise Refusal("invalid_client_id")
    if call.text("client_secret") != installer.client_secret:
        raise Refusal("bad_client_secret")
    revoke_all(call.world, call.team.id)
    call.emit(call.team.id, {"type": "app_uninstalled"})
    return {}


def revoke_all(world: World, team_id: str) -> None:
    """Every bot token of a workspace stops working."""
    with world.lock:
        for token in world.tokens.values():
            if token.team_id == team_id and token.kind == "bot":
                token.is_revoked = True


def _with_query(url: str, **parameters: str) -> str:
    parts = urlsplit(url)
    query = urlencode([*parse_qsl(parts.query), *((k, v) for k, v in parameters.items() if v)])
    return urlunsplit(parts._replace(query=query))
