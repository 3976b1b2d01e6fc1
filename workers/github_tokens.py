"""Tokens of the GitHub App: short-lived, for one repository each, shared by all processes.

A token is kept sealed in Redis. Whoever finds none takes a lock, so that any number of threads and
processes mint one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import redis
import structlog
from github import Auth
from redis.exceptions import LockError

from workers.errors import Permanent, Transient
from workers.github_client import (
    PUBLIC_API_URL,
    TIMEOUT_S,
    Credentials,
    GithubClient,
    RepositoryClient,
)
from workers.github_limits import InstallationSuspended, NotFound, Rejected
from workers.secrets_box import SecretsBox, SecretUnreadable

ISSUED_BEFORE_S = 60
"""The JWT is dated back a minute, as GitHub advises, for clocks that run ahead."""

JWT_LIFETIME_S = 480
"""exp counts from now; with the minute before it stays within 9 of the 10 minutes allowed."""

RENEW_BEFORE_S = 300.0
"""A token is not handed out with less than this left: the run that gets it must be able to end."""

IDENTITY_CACHE_S = 3_600
"""How long the App's slug is kept. A renamed App is noticed within the hour."""

LOCK_S = TIMEOUT_S + 10
"""A process that dies while it mints keeps the others waiting no longer than this."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class AppIdentity:
    """Who we are on GitHub. `login` is the account our comments carry."""

    app_id: int
    slug: str

    @property
    def login(self) -> str:
        return f"{self.slug}[bot]"

    def wrote(self, user: object) -> bool:
        """Whether a REST user object is ours. Nobody can register a login with brackets."""
        if not isinstance(user, dict):
            return False
        return bool(user.get("login") == self.login and user.get("type") == "Bot")


class GithubTokens:
    """Mints and keeps installation tokens. `private_key` is the PEM text."""

    def __init__(
        self,
        store: redis.Redis,
        box: SecretsBox,
        *,
        app_id: int | str,
        private_key: str,
        api_url: str = PUBLIC_API_URL,
        timeout_s: int = TIMEOUT_S,
        now: Callable[[], float] = time.time,
        on_call: Callable[[str, int], None] | None = None,
    ) -> None:
        self._store = store
        self._box = box
        self._app_id = app_id
        self._private_key = private_key
        self._api_url = api_url
        self._timeout_s = timeout_s
        self._now = now
        self._on_call = on_call

    def __repr__(self) -> str:
        return f"GithubTokens(app_id={self._app_id})"

    def token(self, installation_id: int, repository_id: int | None) -> str:
        """A token with at least five minutes left; None: for the whole installation.

        Raises InstallationSuspended, Permanent (`repository_not_installed`) or Transient.
        """
        key = _key(installation_id, repository_id)
        cached = self._cached(key)
        if cached:
            return cached
        lock = self._store.lock(f"{key}:lock", timeout=LOCK_S, blocking_timeout=LOCK_S, sleep=0.05)
        try:
            with lock:
                return self._cached(key) or self._mint(key, installation_id, repository_id)
        except LockError as error:
            raise Transient(
                "Another process is still asking GitHub for a token.", reason="token_lock_busy"
            ) from error

    def drop(self, installation_id: int, repository_id: int | None, token: str) -> None:
        """Forget `token` because GitHub refused it; one that was renewed meanwhile stays."""
        key = _key(installation_id, repository_id)
        if self._cached(key) == token:
            self._store.delete(key)

    def forget_installation(self, installation_id: int) -> None:
        """Forget every token of an installation that was suspended or removed."""
        for key in self._store.scan_iter(match=f"precedent:token:{installation_id}:*", count=500):
            self._store.delete(key)

    def client(self, installation_id: int, repository_id: int | None = None) -> GithubClient:
        """A client for one event run; close it afterwards."""
        return self._client(
            Credentials(
                auth=lambda: Auth.Token(self.token(installation_id, repository_id)),
                refused=lambda auth: self.drop(installation_id, repository_id, auth.token),
            )
        )

    def repository(self, installation_id: int, repository_id: int) -> RepositoryClient:
        """A client bound to one repository and restricted to it by its token."""
        return RepositoryClient(self.client(installation_id, repository_id), repository_id)

    def app_client(self) -> GithubClient:
        """A client that speaks as the App itself, for its deliveries and installations."""
        return self._client(Credentials(auth=self._app_auth, refused=lambda _auth: None))

    def identity(self) -> AppIdentity:
        """The App's id and slug, from the API."""
        key = f"precedent:app:{self._app_id}"
        cached = self._store.get(key)
        if not cached:
            with self.app_client() as client:
                app = client.get("/app")
            cached = json.dumps({"app_id": app["id"], "slug": app["slug"]}).encode()
            self._store.set(key, cached, ex=IDENTITY_CACHE_S)
        return AppIdentity(**json.loads(cached))

    def _cached(self, key: str) -> str:
        sealed = self._store.get(key)
        if not sealed:
            return ""
        try:
            record = json.loads(self._box.open(sealed))
        except SecretUnreadable:
            return ""  # sealed before SECRET_KEY was replaced: a new one costs one request
        return str(record["token"]) if record["expires_at"] - self._now() > RENEW_BEFORE_S else ""

    def _mint(self, key: str, installation_id: int, repository_id: int | None) -> str:
        wanted = {} if repository_id is None else {"repository_ids": [repository_id]}
        with self.app_client() as client:
            try:
                path = f"/app/installations/{installation_id}/access_tokens"
                answer = client.post(path, wanted, has_id=False)
            except NotFound as error:
                raise InstallationSuspended(
                    "The App is not installed there any more: install it again."
                ) from error
            except Rejected as error:
                raise Permanent(
                    "The App's installation does not include this repository: add it under "
                    "Repository access.",
                    reason="repository_not_installed",
                ) from error
        token, expires_at = str(answer["token"]), _seconds(answer["expires_at"])
        lifetime_s = int(expires_at - self._now() - RENEW_BEFORE_S)
        if lifetime_s > 0:
            sealed = self._box.seal(json.dumps({"token": token, "expires_at": expires_at}))
            self._store.set(key, sealed, ex=lifetime_s)
        log.info("github.token_minted", installation=installation_id, repository=repository_id)
        return token

    def _client(self, credentials: Credentials) -> GithubClient:
        return GithubClient(
            credentials,
            api_url=self._api_url,
            timeout_s=self._timeout_s,
            now=self._now,
            on_call=self._on_call,
        )

    def _app_auth(self) -> Auth.AppAuth:
        return Auth.AppAuth(
            self._app_id,
            self._private_key,
            jwt_expiry=JWT_LIFETIME_S,
            jwt_issued_at=-ISSUED_BEFORE_S,
        )


def _key(installation_id: int, repository_id: int | None) -> str:
    return f"precedent:token:{installation_id}:{repository_id or 'all'}"


def _seconds(iso: str) -> float:
    return datetime.fromisoformat(iso.replace("Z", "+00:00")).timestamp()
