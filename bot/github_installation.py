"""The life of an installation and of a repository, and what its checks and pushes ask for."""

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


def decide_check_run(payload: Payload) -> Decision:
    return _decide_check(payload, "check_run")


def decide_check_suite(payload: Payload) -> Decision:
    return _decide_check(payload, "check_suite")


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


def _decide_check(payload: Payload, key: str) -> Decision:
    if payload.action not in {"rerequested", "requested_action"}:
        return Ignore("action_not_used")
    if payload.sender_is_bot:
        return Ignore("sender_is_a_bot")
    pulls = payload.get(key, "pull_requests")
    first = pulls[0] if isinstance(pulls, list) and pulls and isinstance(pulls[0], dict) else {}
    number = first.get("number")
    head_sha = payload.text(key, "head_sha")
    run_id = payload.number(key, "id")
    if None in (payload.repository_id, payload.installation_id, run_id) or head_sha is None:
        return Ignore("incomplete_payload")
    if not isinstance(number, int) or isinstance(number, bool) or number <= 0:
        return Ignore("no_pull_request")
    check = Event(
        kind="check.rerequested",
        subject=f"pr:{payload.repository_id}:{number}",
        number=number,
        head_sha=head_sha,
        check_run_id=run_id,
        arguments=tuple(filter(None, (payload.text("requested_action", "identifier"),))),
        **payload.identity(),
    )
    return Accept(check)


def _of_installation(payload: Payload, arguments: tuple[str, ...] = ()) -> Event:
    return Event(
        kind="installation",
        subject=f"inst:{payload.installation_id}",
        lane="background",
        arguments=arguments,
        **payload.identity(),
    )
