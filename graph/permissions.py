"""Who may do what: the table, as one pure function.

`permission` is what GitHub says of the person now. Asking GitHub is not done here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from graph.context import Permission

Action = Literal[
    "list", "show", "history", "export", "why", "help", "login", "ask",
    "add", "remember", "approve", "dismiss", "undo", "review", "cancel", "pause", "resume",
    "forget", "edit", "restore",
    "link", "unlink", "import", "settings", "confirm", "logout",
    "org_add", "org_approve", "org_forget",
]  # fmt: skip

ACTIONS: tuple[Action, ...] = get_args(Action)

WITHOUT_IDENTITY: frozenset[Action] = frozenset({"list", "show", "help", "login", "logout"})
"""What works in Slack before a person has linked their GitHub identity."""

PERMISSIONS: tuple[Permission, ...] = get_args(Permission)
"""From the least to the most."""

_READERS: frozenset[Action] = frozenset({"list", "show", "history", "export", "why", "ask"})
_WRITERS: frozenset[Action] = frozenset(
    {"add", "remember", "approve", "dismiss", "review", "cancel", "pause", "resume"}
)
_OWN: frozenset[Action] = frozenset({"forget", "edit", "restore", "undo"})
_MAINTAINERS: frozenset[Action] = frozenset({"link", "unlink", "import", "settings", "confirm"})
_ORGANISATION: frozenset[Action] = frozenset({"org_add", "org_approve", "org_forget"})


@dataclass(frozen=True)
class Allowed:
    """Yes."""


@dataclass(frozen=True)
class Refused:
    """No, and the sentence that says what is missing."""

    sentence: str
    reason: str = "not_allowed"


def may(
    action: Action,
    permission: Permission,
    *,
    owns: bool = False,
    is_public: bool = False,
    is_org_owner: bool = False,
    is_operator: bool = False,
) -> Allowed | Refused:
    """Whether a person with `permission` on the repository may do `action`.

    `owns`: the convention was taught by this person (for undo: the change was made by them). Owning
    counts only while the person can still write. `is_operator` is the command line.
    """
    if is_operator or action in {"help", "login", "logout"}:
        return Allowed()
    if action in _ORGANISATION:
        return Allowed() if is_org_owner else _refused("Rules of the organisation need an owner.")
    if not at_least(permission, "read"):
        return _refused("You have no access to this repository.", permission)
    if action in _READERS:
        return _may_read(action, permission, is_public=is_public)
    if at_least(permission, "maintain"):
        return Allowed()
    if action in _MAINTAINERS:
        return _refused(f'"{action}" needs the maintain or admin role.', permission)
    if not at_least(permission, "write"):
        return _refused(f'"{action}" needs write permission.', permission)
    if action in _OWN and not owns:
        return _refused(
            f'"{action}" needs the maintain or admin role, unless it is your own.', permission
        )
    assert action in _OWN | _WRITERS
    return Allowed()


def at_least(permission: Permission, wanted: Permission) -> bool:
    return PERMISSIONS.index(permission) >= PERMISSIONS.index(wanted)


def needs_identity(action: Action) -> bool:
    """Whether a person in Slack must have linked their GitHub identity first."""
    return action not in WITHOUT_IDENTITY


def _may_read(action: Action, permission: Permission, *, is_public: bool) -> Allowed | Refused:
    if action == "ask" and is_public and not at_least(permission, "write"):
        # A question costs a model call, and anybody on the internet reads a public repository.
        return _refused("Questions on a public repository need write permission.", permission)
    return Allowed()


def _refused(sentence: str, permission: Permission | None = None) -> Refused:
    if permission is None:
        return Refused(f"{sentence} Ask one to do it.")
    yours = "" if permission == "none" else f' Yours is "{permission}".'
    return Refused(f"{sentence}{yours} Ask a maintainer for access or to do it for you.")
