"""Slack workspaces (or whole organisations) that installed the app, their tokens sealed in Redis.

An installation is found by (enterprise id, team id): an installation of the workspace itself
first, then one of its whole organisation, which has no team id. With `SLACK_BOT_TOKEN` there is
one workspace; a worker learns from Slack which one, and what our user in it is called.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import structlog
from redis import Redis
from redis.exceptions import LockError

from workers.errors import Permanent, Transient
from workers.secrets_box import SecretsBox

RENEW_BEFORE_S = 1_800.0
"""A rotating token lives twelve hours; it is renewed while half an hour is left."""

LOCK_S = 30
HERE_KEY = "precedent:slack_here"

log = structlog.get_logger()


class NotInstalled(Permanent):
    """The app is in no such workspace, or was removed from it."""

    reason = "slack_not_installed"


@dataclass(frozen=True)
class SlackInstallation:
    """One installation. `team_id` is "" for one of a whole organisation."""

    enterprise_id: str
    team_id: str
    bot_user_id: str
    bot_id: str = ""
    app_id: str = ""
    name: str = ""
    installed_by: str = ""
    installed_at: float = 0.0

    @property
    def is_enterprise_install(self) -> bool:
        return not self.team_id


@dataclass(frozen=True)
class SlackToken:
    """`expires_at` is 0 for a token that lives until it is revoked."""

    access: str
    refresh: str = ""
    expires_at: float = 0.0


Refresh = Callable[[str], SlackToken]
"""Exchange a refresh token at Slack for a new pair."""


class SlackInstallations:
    """The installation store; the web reads it, workers write it."""

    def __init__(self, redis: Redis, box: SecretsBox, now: Callable[[], float] = time.time) -> None:
        self._redis = redis
        self._box = box
        self._now = now

    def save(self, installation: SlackInstallation, token: SlackToken) -> None:
        """Install, or install again: the new token replaces the old one."""
        record = {**asdict(installation), "token": self._sealed(token)}
        pipe = self._redis.pipeline(transaction=True)
        pipe.set(_key(installation.enterprise_id, installation.team_id), json.dumps(record))
        if installation.team_id:
            pipe.set(_team_key(installation.team_id), installation.enterprise_id)
        pipe.execute()

    def find(self, enterprise_id: str | None, team_id: str | None) -> SlackInstallation | None:
        record = self._record(enterprise_id or "", team_id or "")
        return _installation(record) if record else None

    def of_team(self, team_id: str) -> SlackInstallation | None:
        """By the workspace alone; its organisation was learnt from earlier events."""
        return self.find(self.enterprise_of(team_id), team_id)

    def learn_enterprise(self, team_id: str, enterprise_id: str) -> None:
        """An event said which organisation the workspace belongs to."""
        if enterprise_id and self.enterprise_of(team_id) != enterprise_id:
            self._redis.set(_team_key(team_id), enterprise_id)

    def enterprise_of(self, team_id: str) -> str:
        found = self._redis.get(_team_key(team_id))
        return found.decode() if isinstance(found, bytes) else str(found or "")

    def token(self, team_id: str, refresh: Refresh) -> str:
        """The workspace's token, renewed when it is about to expire, by one process at a time.

        Raises NotInstalled, SecretUnreadable, Transient, and what `refresh` raises.
        """
        enterprise_id = self.enterprise_of(team_id)
        token = self._token(enterprise_id, team_id)
        if not self._is_ending(token):
            return token.access
        lock = self._redis.lock(f"precedent:slack_refresh:{team_id}", timeout=LOCK_S,
                                blocking_timeout=LOCK_S, sleep=0.05)  # fmt: skip
        try:
            with lock:
                token = self._token(enterprise_id, team_id)
                if self._is_ending(token):
                    token = refresh(token.refresh)
                    self._replace_token(enterprise_id, team_id, token)
                    log.info("slack.token_renewed", team=team_id)
                return token.access
        except LockError as error:
            raise Transient(
                "Another process is still renewing the Slack token.", reason="slack_token_busy"
            ) from error

    def stored_token(self, enterprise_id: str, team_id: str) -> str:
        """The token as it is, for the web process, which never waits for a renewal.

        Raises NotInstalled or SecretUnreadable.
        """
        return self._token(enterprise_id, team_id).access

    def every(self) -> list[SlackInstallation]:
        keys = self._redis.scan_iter(match=_key("*", "*"), count=500)
        records = [self._redis.get(key) for key in keys]
        return [_installation(json.loads(record)) for record in records if record]

    def forget(self, team_id: str, enterprise_id: str = "") -> bool:
        """The token is worthless: remove the workspace's installation. Whether there was one.

        Without a team id: the installation of the whole organisation.
        """
        enterprise_id = enterprise_id or (self.enterprise_of(team_id) if team_id else "")
        removed = self._redis.delete(_key(enterprise_id, team_id))
        if team_id:
            self._redis.delete(_team_key(team_id))
        return bool(removed)

    def reseal(self) -> int:
        """Seal every token with the current SECRET_KEY; answers how many were not."""
        count = 0
        for installation in self.every():
            key = _key(installation.enterprise_id, installation.team_id)
            record = json.loads(self._redis.get(key) or b"{}")
            if record and not self._box.is_current(record["token"]):
                record["token"] = self._box.reseal(record["token"])
                count += bool(self._redis.set(key, json.dumps(record), xx=True))
        return count

    # --- one workspace, with SLACK_BOT_TOKEN ---

    def learn_here(self, installation: SlackInstallation) -> None:
        """What auth.test said of the one token; it names no secret."""
        self._redis.set(HERE_KEY, json.dumps(asdict(installation)))

    def here(self) -> SlackInstallation | None:
        record = self._redis.get(HERE_KEY)
        return _installation(json.loads(record)) if record else None

    # --- how ---

    def _record(self, enterprise_id: str, team_id: str) -> dict[str, Any] | None:
        keys = [_key(enterprise_id, team_id)]
        if enterprise_id:
            # Of the organisation as a whole; or from before the workspace joined it.
            keys += [_key(enterprise_id, ""), _key("", team_id)]
        found = next((r for r in self._redis.mget(keys) if r), None)
        return dict(json.loads(found)) if found else None

    def _token(self, enterprise_id: str, team_id: str) -> SlackToken:
        record = self._record(enterprise_id, team_id)
        if record is None:
            raise NotInstalled(
                "The Slack app is not installed in this workspace: install it from "
                "PUBLIC_URL/slack/install."
            )
        return SlackToken(**json.loads(self._box.open(record["token"])))

    def _replace_token(self, enterprise_id: str, team_id: str, token: SlackToken) -> None:
        record = self._record(enterprise_id, team_id)
        if record is not None:
            self.save(_installation(record), token)

    def _is_ending(self, token: SlackToken) -> bool:
        return bool(token.refresh) and token.expires_at - self._now() < RENEW_BEFORE_S

    def _sealed(self, token: SlackToken) -> str:
        return self._box.seal(json.dumps(asdict(token)))


def installation_from(
    answer: Mapping[str, Any], now: float
) -> tuple[SlackInstallation, SlackToken]:
    """What oauth.v2.access answered. Raises Permanent when it is no bot's installation."""
    team, enterprise = answer.get("team") or {}, answer.get("enterprise") or {}
    is_whole = bool(answer.get("is_enterprise_install"))
    if answer.get("token_type") != "bot" or not (team.get("id") or is_whole):
        raise Permanent(
            "Slack's answer names no bot token: check the scopes in the app's settings.",
            reason="slack_no_bot_token",
        )
    installation = SlackInstallation(
        enterprise_id=str(enterprise.get("id") or ""),
        team_id="" if is_whole else str(team["id"]),
        bot_user_id=str(answer.get("bot_user_id", "")),
        app_id=str(answer.get("app_id", "")),
        name=str((enterprise if is_whole else team).get("name") or ""),
        installed_by=str((answer.get("authed_user") or {}).get("id", "")),
        installed_at=now,
    )
    return installation, token_from(answer, now)


def token_from(answer: Mapping[str, Any], now: float) -> SlackToken:
    """The pair of tokens; the second one only where rotation is switched on."""
    refresh = str(answer.get("refresh_token") or "")
    lives_s = float(answer.get("expires_in") or 0)
    return SlackToken(str(answer["access_token"]), refresh, now + lives_s if refresh else 0.0)


def _installation(record: Mapping[str, Any]) -> SlackInstallation:
    return SlackInstallation(**{k: v for k, v in record.items() if k != "token"})


def _key(enterprise_id: str, team_id: str) -> str:
    return f"precedent:slack_installation:{enterprise_id or '-'}:{team_id or '-'}"


def _team_key(team_id: str) -> str:
    return f"precedent:slack_team:{team_id}"
