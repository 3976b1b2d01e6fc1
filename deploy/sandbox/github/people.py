"""The routes about people: users, memberships and collaborators."""

from __future__ import annotations

from typing import Any

from deploy.sandbox.github import render
from deploy.sandbox.github.answers import Answer, RefusedError, not_found
from deploy.sandbox.github.context import Context, Endpoint
from deploy.sandbox.github.model import Account, Role
from deploy.sandbox.github.roles import LEGACY_PERMISSION, permission_flags, role_of


def get_authenticated(context: Context) -> Answer:
    if context.actor.user is None:
        raise RefusedError(403, "Resource not accessible by integration")
    return Answer(render.private_account(context.urls, context.actor.user))


def get_by_login(context: Context) -> Answer:
    account = context.world.account(context.path["username"])
    if account is None:
        raise not_found()
    return Answer(render.public_account(context.urls, account))


def get_by_id(context: Context) -> Answer:
    account = context.world.accounts.get(int(context.path["account_id"]))
    if account is None:
        raise not_found()
    return Answer(render.public_account(context.urls, account))


def get_membership(context: Context) -> Answer:
    organization = context.world.account(context.path["org"])
    account = context.world.account(context.path["username"])
    if organization is None or organization.type != "Organization" or account is None:
        raise not_found()
    installation = context.actor.installation
    if installation is not None and installation.account is not organization:
        raise RefusedError(403, "Resource not accessible by integration")
    role = organization.members.get(account.id)
    if role is None:
        raise not_found()
    urls = context.urls
    return Answer(
        {
            "url": urls.api(f"/orgs/{organization.login}/memberships/{account.login}"),
            "state": "active",
            "role": role,
            "organization_url": urls.api(f"/orgs/{organization.login}"),
            "organization": render.organization(urls, organization),
            "user": render.account(urls, account),
            "direct_membership": True,
            "enterprise_teams_providing_indirect_membership": [],
        }
    )


def get_permission(context: Context) -> Answer:
    account = context.world.account(context.path["username"])
    if account is None:
        raise RefusedError(404, f"{context.path['username']} is not a user")
    role = role_of(context.repository, account)
    return Answer(
        {
            "permission": LEGACY_PERMISSION[role],
            "role_name": role if role != "none" else "",
            "user": _with_role(context, account, role),
        }
    )


def check_collaborator(context: Context) -> Answer:
    account = context.world.account(context.path["username"])
    if account is None or account not in _collaborators(context):
        raise not_found()
    return Answer(status=204)


def list_collaborators(context: Context) -> Answer:
    people = _collaborators(context)
    return context.paged(
        [_with_role(context, a, role_of(context.repository, a)) for a in people], hide_newest=False
    )


def _collaborators(context: Context) -> list[Account]:
    repository = context.repository
    ids = set(repository.collaborators) | set(repository.owner.members)
    if repository.owner.type == "User":
        ids.add(repository.owner.id)
    return [context.world.accounts[account_id] for account_id in sorted(ids)]


def _with_role(context: Context, account: Account, role: Role) -> dict[str, Any]:
    """A collaborator: the account with its five old permission flags and its role."""
    return render.account(context.urls, account) | {
        "permissions": permission_flags(role),
        "role_name": role,
    }


ENDPOINTS = [
    Endpoint("GET", "/user", get_authenticated),
    Endpoint("GET", "/user/{account_id}", get_by_id),
    Endpoint("GET", "/users/{username}", get_by_login),
    Endpoint("GET", "/orgs/{org}/memberships/{username}", get_membership, ("members:read",)),
    Endpoint(
        "GET", "/repos/{owner}/{repo}/collaborators/{username}/permission", get_permission,
        ("metadata:read",),
    ),
    Endpoint(
        "GET", "/repos/{owner}/{repo}/collaborators/{username}", check_collaborator,
        ("metadata:read",),
    ),
    Endpoint("GET", "/repos/{owner}/{repo}/collaborators", list_collaborators, ("metadata:read",)),
]  # fmt: skip
