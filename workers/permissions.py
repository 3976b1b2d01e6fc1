"""Asks GitHub what a person may do in a repository now. The table is `graph.permissions`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import quote

import redis
import structlog

from graph.context import Permission
from graph.permissions import PERMISSIONS
from workers.github_client import GithubClient, RepositoryClient
from workers.github_limits import Forbidden, NotFound
from workers.github_tokens import GithubTokens

CACHE_S = 60
"""The longest that a permission which was taken away may still count."""

log = structlog.get_logger(__name__)


class PermissionReader:
    """The live permission of a person, by their numeric id, kept for a minute at most."""

    def __init__(self, tokens: GithubTokens, store: redis.Redis) -> None:
        self._tokens = tokens
        self._store = store

    def permission(
        self, installation_id: int, repository_id: int, login: str, user_id: int
    ) -> Permission:
        """What `user_id` may do. `login` is only a hint: it is looked up again when it is stale.

        Raises Transient or Permanent; never guesses.
        """
        key = f"precedent:permission:{repository_id}:{user_id}"
        cached = self._store.get(key)
        if cached:
            return _known(cached if isinstance(cached, str) else cached.decode())
        repository = self._tokens.repository(installation_id, repository_id)
        with repository.client:
            permission = ask_permission(repository, login, user_id)
        self._store.set(key, permission, ex=CACHE_S)
        return permission

    def is_org_owner(self, installation_id: int, account_id: int, login: str, user_id: int) -> bool:
        """Whether the person owns the account of the installation: themselves, or as an owner.

        Without the App's permission to read members nobody counts as an owner.
        """
        if account_id == user_id:
            return True
        key = f"precedent:owner:{account_id}:{user_id}"
        cached = self._store.get(key)
        if cached:
            return cached in (b"yes", "yes")
        with self._tokens.client(installation_id) as client:
            owns = _owns(client, account_id, login, user_id)
        self._store.set(key, "yes" if owns else "no", ex=CACHE_S)
        return owns

    def forget(self, repository_id: int, user_id: int) -> None:
        """Ask again next time, after an event that says a role has changed."""
        self._store.delete(f"precedent:permission:{repository_id}:{user_id}")


def ask_permission(repository: RepositoryClient, login: str, user_id: int) -> Permission:
    """Ask GitHub now. Raises Transient or Permanent."""
    answer = _collaborator(repository, login)
    if answer is not None and _is_about(answer, user_id):
        return _role(answer)
    # The login was renamed, or belongs to somebody else by now.
    current = _login_of(repository.client, user_id)
    if current and current.casefold() != login.casefold():
        answer = _collaborator(repository, current)
        if answer is not None and _is_about(answer, user_id):
            return _role(answer)
    return "none"


def _collaborator(repository: RepositoryClient, login: str) -> Mapping[str, Any] | None:
    if not login:
        return None
    try:
        return cast(
            "Mapping[str, Any]", repository.get(f"/collaborators/{quote(login)}/permission")
        )
    except NotFound:
        return None


def _login_of(client: GithubClient, user_id: int) -> str:
    try:
        return str(client.get(f"/user/{user_id}").get("login", ""))
    except NotFound:
        return ""


def _is_about(answer: Mapping[str, Any], user_id: int) -> bool:
    return bool((answer.get("user") or {}).get("id") == user_id)


def _role(answer: Mapping[str, Any]) -> Permission:
    """`role_name` knows maintain and triage; a custom role is judged by its base permission."""
    role = str(answer.get("role_name") or "")
    return _known(role if role in PERMISSIONS else str(answer.get("permission") or "none"))


def _known(role: str) -> Permission:
    return next((known for known in PERMISSIONS if known == role), "none")


def _owns(client: GithubClient, account_id: int, login: str, user_id: int) -> bool:
    try:
        organisation = _login_of(client, account_id)
        membership = client.get(f"/orgs/{quote(organisation)}/memberships/{quote(login)}")
    except NotFound:
        return False
    except Forbidden:
        log.warning("github.members_unreadable", account=account_id)
        return False
    return bool(
        (membership.get("user") or {}).get("id") == user_id
        and membership.get("role") == "admin"
        and membership.get("state") == "active"
    )
