"""What happens to repositories and installations as a whole, with its events."""

from __future__ import annotations

from typing import Any

from deploy.sandbox.github import render
from deploy.sandbox.github.model import Account, Installation, Repository
from deploy.sandbox.github.world import World


def fork(world: World, parent: Repository, owner: Account, name: str | None) -> Repository:
    """A copy under another owner; pull requests from it reach the parent."""
    number, now = world.new_id(), world.clock()
    git = parent.git.clone_to(world.directory / f"{number}.git")
    copy = Repository(
        number, name or parent.name, owner, git, now, parent.private,
        default_branch=parent.default_branch, parent=parent, pushed_at=now,
    )  # fmt: skip
    world.repositories[number] = copy
    return copy


def rename(world: World, repository: Repository, name: str, sender: Account) -> None:
    """The old name redirects from now on."""
    before = repository.name
    world.redirects[repository.full_name.casefold()] = repository.id
    repository.name = name
    world.redirects.pop(repository.full_name.casefold(), None)
    _emit(world, "renamed", repository, sender, {"repository": {"name": {"from": before}}})


def transfer(world: World, repository: Repository, target: Account, sender: Account) -> None:
    """To another owner: the id stays, the installation of the old owner loses it."""
    before = repository.owner
    old_installation = world.installation_of(repository)
    world.redirects[repository.full_name.casefold()] = repository.id
    repository.owner = target
    world.redirects.pop(repository.full_name.casefold(), None)
    kind = "organization" if before.type == "Organization" else "user"
    former = (
        render.organization(world.urls, before)
        if kind == "organization"
        else render.account(world.urls, before)
    )
    changes = {"owner": {"from": {kind: former}}}
    _emit(world, "transferred", repository, sender, changes, old_installation)
    if old_installation is not None and old_installation.repository_ids is not None:
        old_installation.repository_ids.discard(repository.id)


def archive(world: World, repository: Repository, sender: Account) -> None:
    repository.archived = True
    _emit(world, "archived", repository, sender)


def set_private(world: World, repository: Repository, private: bool, sender: Account) -> None:
    repository.private = private
    _emit(world, "privatized" if private else "publicized", repository, sender)


def delete(world: World, repository: Repository, sender: Account) -> None:
    """Its data goes; forks stay and pull requests from it have a head without a repository."""
    _emit(world, "deleted", repository, sender)
    del world.repositories[repository.id]
    for installation in world.installations.values():
        if installation.repository_ids is not None:
            installation.repository_ids.discard(repository.id)
    for other in world.repositories.values():
        for pull in world.pulls_of(other):
            if pull.head_repository is repository:
                pull.head_repository = None


def _emit(
    world: World,
    action: str,
    repository: Repository,
    sender: Account,
    changes: dict[str, Any] | None = None,
    installation: Installation | None = None,
) -> None:
    body = {} if changes is None else {"changes": changes}
    target = installation or world.installation_of(repository)
    world.emit("repository", action, repository, sender, body, target)  # fmt: skip


def install(
    world: World,
    account: Account,
    repository_ids: set[int] | None,
    permissions: dict[str, str] | None,
    events: list[str] | None,
    sender: Account,
) -> Installation:
    now = world.clock()
    one = Installation(
        world.new_id(), account, repository_ids,
        dict(permissions or world.registration.permissions),
        list(events or world.registration.events), now, now,
    )  # fmt: skip
    world.installations[one.id] = one
    emit_installation(world, "created", one, sender, with_repositories=True)
    return one


def set_suspended(world: World, one: Installation, sender: Account, *, suspended: bool) -> None:
    one.suspended_at = world.clock() if suspended else None
    one.suspended_by = sender if suspended else None
    emit_installation(world, "suspend" if suspended else "unsuspend", one, sender)


def uninstall(world: World, one: Installation, sender: Account) -> None:
    emit_installation(world, "deleted", one, sender, with_repositories=True)
    del world.installations[one.id]


def change_installation(
    world: World,
    one: Installation,
    sender: Account,
    add: list[Repository],
    remove: list[Repository],
) -> None:
    """Raises ValueError for an installation on all repositories."""
    if one.repository_ids is None:
        raise ValueError("This installation holds all repositories; nothing can be selected.")
    one.repository_ids |= {r.id for r in add}
    one.repository_ids -= {r.id for r in remove}
    one.updated_at = world.clock()
    for action, changed in (("added", add), ("removed", remove)):
        if not changed:
            continue
        body: dict[str, Any] = {
            "installation": render.installation(world.urls, world.registration, one),
            "repository_selection": "selected", "requester": None,
            "repositories_added": [],
            "repositories_removed": [],
        }  # fmt: skip
        body[f"repositories_{action}"] = [render.repository_reference(r) for r in changed]
        world.emit("installation_repositories", action, None, sender, body, one)


def emit_installation(
    world: World,
    action: str,
    one: Installation,
    sender: Account,
    *,
    with_repositories: bool = False,
) -> None:
    body: dict[str, Any] = {
        "installation": render.installation(world.urls, world.registration, one)
    }
    if with_repositories:
        held = [r for r in world.repositories.values() if one.holds(r)]
        body["repositories"] = [render.repository_reference(r) for r in held]
    if action == "created":
        body["requester"] = None
    world.emit("installation", action, None, sender, body, one)  # fmt: skip
