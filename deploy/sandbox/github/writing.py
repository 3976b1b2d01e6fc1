"""Pushes, and what happens to pull requests and check runs from outside the API."""

from __future__ import annotations

from typing import Any

from deploy.sandbox.github import checks, payloads
from deploy.sandbox.github.git import ZERO_SHA, Changes
from deploy.sandbox.github.model import Account, CheckRun, Issue, PullRequest, Repository
from deploy.sandbox.github.pull_diff import merge_base
from deploy.sandbox.github.world import World


def push_branch(
    world: World,
    repository: Repository,
    author: Account,
    branch: str,
    changes: Changes,
    message: str,
    *,
    parent: str | None = None,
) -> str:
    """Commit and push; open pull requests with that head or base follow.

    A new branch starts at the default one. `parent` moves an existing branch there: a forced push.
    """  # fmt: skip
    git = repository.git
    before = git.branches().get(branch)
    start = parent or before or git.branches()[repository.default_branch]
    sha = git.commit_changes(
        branch, changes, parent=start, message=message, author=world.identity(author),
        when=world.clock(),
    )  # fmt: skip
    is_forced = before is not None and not git.contains(before, sha)
    _pushed(world, repository, author, branch, before or ZERO_SHA, sha, forced=is_forced)
    return sha


def _pushed(
    world: World,
    repository: Repository,
    author: Account,
    branch: str,
    before: str,
    after: str,
    *,
    forced: bool = False,
) -> None:
    repository.pushed_at = world.clock()
    ref = f"refs/heads/{branch}"
    body = payloads.push(world, repository, author, ref, before, after, forced=forced)
    world.emit("push", None, repository, author, body)
    for other in list(world.repositories.values()):
        for pull in world.pulls_of(other):
            if pull.state != "open":
                continue
            if pull.head_repository is repository and pull.head_ref == branch:
                _synchronize(world, pull, author, after)
            elif other is repository and pull.base_ref == branch:
                pull.base_sha = after  # fmt: skip


def _synchronize(world: World, pull: PullRequest, author: Account, head_sha: str) -> None:
    before = pull.head_sha
    pull.head_sha = head_sha
    _publish_head(world, pull)
    emit_pull(world, "synchronize", pull, author, before=before, after=head_sha)


def _publish_head(world: World, pull: PullRequest) -> None:
    """Make the head readable in the base repository as refs/pull/N/head."""
    repository, ref = pull.repository, f"refs/pull/{pull.number}/head"
    source = pull.head_repository
    if source is not None and source is not repository:
        repository.git.fetch(source.git, f"refs/heads/{pull.head_ref}", ref)
    else:
        repository.git.set_ref(ref, pull.head_sha)
    world.touch(pull)


def emit_pull(
    world: World, action: str, pull: PullRequest, sender: Account, **extra: object
) -> None:
    body = payloads.pull_request(world, pull, **extra)
    world.emit("pull_request", action, pull.repository, sender, body)


def open_pull_request(
    world: World,
    repository: Repository,
    author: Account,
    title: str,
    body: str | None,
    head: str,
    changes: Changes,
    *,
    base: str | None,
    draft: bool,
    fork: Repository | None,
) -> PullRequest:
    """Raises ValueError when the base is unknown or the head adds no commit."""
    source, base_ref = fork or repository, base or repository.default_branch
    base_sha = repository.git.branches().get(base_ref)
    if base_sha is None:
        raise ValueError(f"There is no branch {base_ref} in {repository.full_name}.")
    if changes or head not in source.git.branches():
        start = None if head in source.git.branches() or fork else base_sha
        push_branch(world, source, author, head, changes, title, parent=start)
    head_sha = source.git.branches()[head]
    now = world.clock()
    pull = PullRequest(
        id=world.new_id(), number=world.next_number(repository), repository=repository,
        user=author, title=title, body=body, created_at=now, updated_at=now,
        pull_id=world.new_id(), base_ref=base_ref, base_sha=base_sha, head_ref=head,
        head_sha=head_sha, head_repository=source, head_owner=source.owner, draft=draft,
    )  # fmt: skip
    _publish_head(world, pull)
    if repository.git.contains(head_sha, base_sha):
        raise ValueError(f"No commits between {base_ref} and {head}; give changes.")
    repository.issues[pull.number] = pull
    emit_pull(world, "opened", pull, author)
    return pull


def push_pull(
    world: World, pull: PullRequest, author: Account, changes: Changes, message: str, *, force: bool
) -> str:
    if pull.head_repository is None:
        raise ValueError("The head repository was deleted; nothing can be pushed to it.")
    parent = merge_base(pull) if force else None
    return push_branch(
        world, pull.head_repository, author, pull.head_ref, changes, message, parent=parent
    )


def close_pull(world: World, pull: PullRequest, sender: Account) -> None:
    pull.state, pull.closed_at = "closed", world.touch(pull)
    emit_pull(world, "closed", pull, sender)


def reopen_pull(world: World, pull: PullRequest, sender: Account) -> None:
    """Both ends are read again: GitHub does not follow pushes to a closed pull request."""
    pull.state, pull.closed_at = "open", None
    pull.base_sha = pull.repository.git.branches()[pull.base_ref]
    if pull.head_repository is not None:
        pull.head_sha = pull.head_repository.git.branches()[pull.head_ref]
    _publish_head(world, pull)
    emit_pull(world, "reopened", pull, sender)


def merge_pull(world: World, pull: PullRequest, sender: Account) -> str:
    git = pull.repository.git
    tree = git.merge(pull.base_sha, pull.head_sha)
    if tree is None or pull.state != "open":
        raise ValueError(f"Pull request {pull.number} cannot be merged.")
    message = f"Merge pull request #{pull.number} from {pull.head_ref}\n\n{pull.title}"
    before, now = pull.base_sha, world.touch(pull)
    parents = [before, pull.head_sha]
    sha = git.commit_tree(tree, parents, message, world.identity(sender), now)
    git.set_ref(f"refs/heads/{pull.base_ref}", sha)
    pull.state, pull.closed_at, pull.merged_at = "closed", now, now
    pull.merged_by, pull.merge_commit_sha = sender, sha
    emit_pull(world, "closed", pull, sender)
    _pushed(world, pull.repository, sender, pull.base_ref, before, sha)
    return sha


def set_draft(world: World, pull: PullRequest, sender: Account, *, draft: bool) -> None:
    pull.draft = draft
    world.touch(pull)
    emit_pull(world, "converted_to_draft" if draft else "ready_for_review", pull, sender)


def edit_pull(
    world: World,
    pull: PullRequest,
    sender: Account,
    *,
    title: str | None,
    body: str | None,
    base: str | None,
) -> None:
    """Change what is given. Raises ValueError for an unknown base branch."""
    changes: dict[str, Any] = {}
    if title is not None:
        changes["title"] = {"from": pull.title}
        pull.title = title
    if body is not None:
        changes["body"] = {"from": pull.body}
        pull.body = body
    if base is not None:
        sha = pull.repository.git.branches().get(base)
        if sha is None:
            raise ValueError(f"There is no branch {base} in {pull.repository.full_name}.")
        changes["base"] = {"ref": {"from": pull.base_ref}, "sha": {"from": pull.base_sha}}
        pull.base_ref, pull.base_sha = base, sha
    world.touch(pull)
    emit_pull(world, "edited", pull, sender, changes=changes)


def open_issue(
    world: World, repository: Repository, author: Account, title: str, body: str | None
) -> Issue:
    now, number = world.clock(), world.next_number(repository)
    issue = Issue(world.new_id(), number, repository, author, title, body, now, now)
    repository.issues[number] = issue
    return issue


def rerequest(world: World, run: CheckRun, sender: Account) -> None:
    checks.emit(world, "rerequested", run, sender)


def request_action(world: World, run: CheckRun, sender: Account, identifier: str) -> None:
    """Raises ValueError when the run has no such button."""
    if identifier not in {action["identifier"] for action in run.actions}:
        raise ValueError(f"The check run {run.name} has no action {identifier}.")
    checks.emit(world, "requested_action", run, sender, {"identifier": identifier})


def rerequest_suite(world: World, pull: PullRequest, sender: Account) -> None:
    suite = checks.suite_for(world, pull.repository, pull.head_sha)
    checks.emit_suite(world, "rerequested", suite, sender)
