"""Who may do what, and how an author relates to a repository."""

from __future__ import annotations

from deploy.sandbox.github.model import ROLES, Account, PullRequest, Repository, Role

LEGACY_PERMISSION: dict[Role, str] = {
    "none": "none", "read": "read", "triage": "read",
    "write": "write", "maintain": "write", "admin": "admin",
}  # fmt: skip
"""The old `permission` field knows neither triage nor maintain."""


def role_of(repository: Repository, account: Account) -> Role:
    """The strongest role that ownership, membership, collaboration or being public gives."""
    roles: list[Role] = ["read" if not repository.private else "none"]
    roles.append(repository.collaborators.get(account.id, "none"))
    if repository.owner is account:
        roles.append("admin")
    membership = repository.owner.members.get(account.id)
    if membership == "admin":
        roles.append("admin")
    elif membership == "member":
        roles.append(repository.owner.base_role)
    return max(roles, key=ROLES.index)


def permission_flags(role: Role) -> dict[str, bool]:
    """The five old flags; a stronger role has those of the weaker ones too."""
    names = ("pull", "triage", "push", "maintain", "admin")
    rank = ROLES.index(role)
    return {name: rank >= least for least, name in enumerate(names, start=1)}


def association(repository: Repository, account: Account) -> str:
    """`author_association` as an App sees it: a private membership does not show."""
    if repository.owner is account:
        return "OWNER"
    if account.id in repository.owner.public_members:
        return "MEMBER"
    if account.id in repository.collaborators and account.type == "User":
        return "COLLABORATOR"
    merged = (i for i in repository.issues.values() if isinstance(i, PullRequest) and i.merged_at)
    return "CONTRIBUTOR" if any(pull.user is account for pull in merged) else "NONE"
