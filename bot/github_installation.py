"""The life of an installation and of a repository, and what its pushes ask for."""

from __future__ import annotations

from bot.decision import Accept, Decision, Ignore
from bot.github_payload import Payload
from workers.event import Event

REPOSITORY_ACTIONS = frozenset(
    {"renamed", "transferred", "archived", "unarchived", "privatized", "publicized", "deleted"}
)
INSTALLATION_ACTIONS = frozenset(
    {"created", "deleted", "suspend", "unsuspend", "new_permissions_accepted"}
)


def decide_installation(payload: Payload) -> Decision:
    if payload.installation_id is None:
        return Ignore("incomplete_payload")
    if payload.action not in INSTALLATION_ACTIONS:
        return Ignore("action_not_used")
    return Accept(_of_installation(payload))


def decide_installation_repositories(payload: Payload) -> Decision:
    if payload.installation_id is None:
        return Ignore("incomplete_payload")
    if payload.action not in {"added", "removed"}:
        return Ignore("action_not_used")
    return Accept(_of_installation(payload, ("repositories",)))


def decide_repository(payload: Payload) -> Decision:
    if payload.repository_id is None:
        return Ignore("incomplete_payload")
    if payload.action not in REPOSITORY_ACTIONS:
        return Ignore("action_not_used")
    repository = Event(
        kind="repository",
        subject=f"repo:{payload.repository_id}",
        lane="background",
        **payload.identity(),
    )
    return Accept(repository)


def decide_push(payload: Payload) -> Decision:
    """A push to the default branch renews the index; pushes to pull requests come on their own."""
    branch = payload.text("repository", "default_branch")
    if payload.repository_id is None or payload.installation_id is None:
        return Ignore("incomplete_payload")
    if branch is None or payload.text("ref") != f"refs/heads/{branch}":
        return Ignore("not_the_default_branch")
    index = Event(
        kind="index",
        subject=f"index:{payload.repository_id}",
        lane="background",
        **payload.identity(),
    )
    return Accept(index)


def _of_installation(payload: Payload, arguments: tuple[str, ...] = ()) -> Event:
    return Event(
        kind="installation",
        subject=f"inst:{payload.installation_id}",
        lane="background",
        arguments=arguments,
        **payload.identity(),
    )
