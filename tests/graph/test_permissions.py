"""The table of who may do what, cell by cell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.commands import COMMANDS
from graph.context import Permission
from graph.permissions import (
    ACTIONS,
    PERMISSIONS,
    Action,
    Allowed,
    Refused,
    may,
    needs_identity,
)

READ: set[Action] = {"list", "show", "history", "why", "ask", "export"}
WRITE: set[Action] = {
    "add", "remember", "approve", "dismiss", "review", "cancel", "pause", "resume",
}  # fmt: skip
OWN: set[Action] = {"forget", "edit", "restore", "undo"}
MAINTAIN: set[Action] = {"link", "unlink", "import", "settings", "confirm"}
ORGANISATION: set[Action] = {"org_add", "org_approve", "org_forget"}
ANYBODY: set[Action] = {"help", "login", "logout"}


def test_every_action_has_its_row() -> None:
    assert set(ACTIONS) == READ | WRITE | OWN | MAINTAIN | ORGANISATION | ANYBODY


def test_every_command_people_can_write_is_an_action() -> None:
    assert set(COMMANDS) <= set(ACTIONS)


@pytest.mark.parametrize("permission", PERMISSIONS)
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("owns", [False, True])
def test_the_table_on_a_private_repository(
    action: Action, permission: Permission, owns: bool
) -> None:
    rank = PERMISSIONS.index(permission)
    least = "none" if action in ANYBODY else "read"
    if action in WRITE or (action in OWN and owns):
        least = "write"
    elif action in OWN or action in MAINTAIN:
        least = "maintain"
    expected = action not in ORGANISATION and rank >= PERMISSIONS.index(least)
    assert isinstance(may(action, permission, owns=owns), Allowed) is expected


def test_asking_on_a_public_repository_costs_write() -> None:
    assert isinstance(may("ask", "triage", is_public=True), Refused)
    assert isinstance(may("ask", "write", is_public=True), Allowed)
    assert isinstance(may("list", "read", is_public=True), Allowed)


def test_without_access_the_answer_does_not_say_that_yours_is_none() -> None:
    refused = may("list", "none")
    assert isinstance(refused, Refused)
    assert refused.sentence == (
        "You have no access to this repository. Ask a maintainer for access or to do it for you."
    )


def test_who_lost_write_has_lost_their_own_conventions_too() -> None:
    refused = may("edit", "read", owns=True)
    assert isinstance(refused, Refused)
    assert "write" in refused.sentence
    assert '"read"' in refused.sentence


@pytest.mark.parametrize("action", sorted(ORGANISATION))
def test_rules_of_an_organisation_need_an_owner_whatever_the_repository_says(
    action: Action,
) -> None:
    assert isinstance(may(action, "admin"), Refused)
    assert isinstance(may(action, "none", is_org_owner=True), Allowed)


@given(st.sampled_from(ACTIONS), st.sampled_from(PERMISSIONS), st.booleans(), st.booleans())
def test_more_permission_never_allows_less(
    action: Action, permission: Permission, owns: bool, is_public: bool
) -> None:
    if isinstance(may(action, permission, owns=owns, is_public=is_public), Allowed):
        more = PERMISSIONS[PERMISSIONS.index(permission) :]
        assert all(
            isinstance(may(action, p, owns=owns, is_public=is_public), Allowed) for p in more
        )
    assert isinstance(may(action, permission, is_operator=True), Allowed)


def test_what_works_in_slack_without_a_linked_identity() -> None:
    assert {a for a in ACTIONS if not needs_identity(a)} == {
        "list", "show", "help", "login", "logout",
    }  # fmt: skip
