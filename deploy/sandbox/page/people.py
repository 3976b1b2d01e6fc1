"""The people one can act as: those with the same name on GitHub and in Slack."""

from __future__ import annotations

from typing import Any

from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.github.roles import role_of
from deploy.sandbox.slack import SandboxSlack, User


def people(github: SandboxGitHub, slack: SandboxSlack) -> list[dict[str, Any]]:
    """Name and role per repository, in the order in which they joined Slack."""
    found = []
    for user in _persons(slack):
        account = github.account(user.name)
        roles = {}
        if account is not None:
            roles = {r.full_name: role_of(r, account) for r in github.repositories.values()}
        found.append({"name": user.name, "id": user.id, "roles": roles})
    return found


def slack_user(slack: SandboxSlack, name: str) -> User:
    """The person of that name, or the first one. Raises LookupError when there is nobody."""
    persons = _persons(slack)
    if not persons:
        raise LookupError("Nobody is in Slack yet; add a person first.")
    return next((user for user in persons if user.name == name), persons[0])


def _persons(slack: SandboxSlack) -> list[User]:
    with slack.world.lock:
        return [user for user in slack.world.users.values() if not user.is_bot]
