"""Webhook payloads: what GitHub puts around and into each event."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from deploy.sandbox.github import render, render_pulls
from deploy.sandbox.github.git import ZERO_SHA, Commit, GitRepository
from deploy.sandbox.github.model import (
    Account,
    Installation,
    PullRequest,
    Repository,
    ReviewThread,
)
from deploy.sandbox.github.render import Json
from deploy.sandbox.github.urls import node_id

if TYPE_CHECKING:
    from deploy.sandbox.github.world import World

ALWAYS_SENT = frozenset({"installation", "installation_repositories", "ping"})
"""Events an App gets without subscribing, also while it is suspended."""


MAX_PUSH_COMMITS = 2_048


def envelope(
    world: World,
    action: str | None,
    repository: Repository | None,
    sender: Account,
    body: Mapping[str, Any],
    installation: Installation,
) -> Json:
    """`body` between the action and the keys that every App event ends with."""
    payload: Json = {} if action is None else {"action": action}
    payload |= body
    if repository is not None and "repository" not in payload:
        payload["repository"] = render.repository(world.urls, repository)
        if repository.owner.type == "Organization":
            payload["organization"] = render.organization(world.urls, repository.owner)
    payload.setdefault("sender", render.account(world.urls, sender))
    if "installation" not in payload:
        name = f"023:IntegrationInstallation{installation.id}"
        identity = base64.b64encode(name.encode()).decode()
        payload["installation"] = {"id": installation.id, "node_id": identity}
    return payload


def pull_request(world: World, pull: PullRequest, **extra: object) -> Json:
    return {
        "number": pull.number,
        "pull_request": render_pulls.full_pull_request(world.urls, pull),
        **extra,
    }


def trimmed_pull_request(world: World, pull: PullRequest) -> Json:
    """The shorter form in review, comment and thread events."""
    return render_pulls.pull_request(world.urls, pull)


def thread(world: World, one: ReviewThread) -> Json:
    comments = [
        render_pulls.review_comment(world.urls, world.limits, comment)
        for comment in one.comments.values()
    ]
    return {"node_id": node_id("PRRT", one.id), "comments": comments}


def push(
    world: World,
    repository: Repository,
    sender: Account,
    ref: str,
    before: str,
    after: str,
    *,
    forced: bool = False,
) -> Json:
    """A push; its repository has times as integers and one owner key more, unlike elsewhere."""
    urls, git = world.urls, repository.git
    created, deleted = before == ZERO_SHA, after == ZERO_SHA
    commits: list[Commit] = []
    if not deleted:
        excluded = [f"^{before}"] if not created else [f"^{repository.default_branch}"]
        commits = git.log(after, *excluded, limit=MAX_PUSH_COMMITS)[::-1]
    rendered = [_push_commit(world, repository, commit) for commit in commits]
    repo = render.repository(urls, repository)
    repo |= {
        "created_at": int(repository.created_at), "pushed_at": int(repository.pushed_at),
        "url": repo["html_url"], "stargazers": 0, "master_branch": repository.default_branch,
        "owner": {"name": repository.owner.login, "email": None} | repo["owner"],
    }  # fmt: skip
    page = urls.web(f"/{repository.full_name}")
    payload: Json = {
        "ref": ref, "before": before, "after": after, "repository": repo,
        "pusher": {"name": sender.login, "email": world.identity(sender)[1]},
        "created": created, "deleted": deleted, "forced": forced, "base_ref": None,
        "compare": f"{page}/compare/{before[:12]}...{after[:12]}", "commits": rendered,
        "head_commit": None if deleted else _push_commit(world, repository, git.commit(after)),
    }  # fmt: skip
    if repository.owner.type == "Organization":
        payload["organization"] = render.organization(urls, repository.owner)
    return payload


def _push_commit(world: World, repository: Repository, commit: Commit) -> Json:
    person = {
        "name": commit.author_name, "email": commit.author_email, "username": commit.author_name,
        "date": commit.date,
    }  # fmt: skip
    changed = _changed_paths(repository.git, commit)
    return {
        "id": commit.sha, "tree_id": commit.tree, "distinct": True, "message": commit.message,
        "timestamp": commit.date, "author": person, "committer": person,
        "url": world.urls.web(f"/{repository.full_name}/commit/{commit.sha}"), **changed,
    }  # fmt: skip


def _changed_paths(git: GitRepository, commit: Commit) -> dict[str, list[str]]:
    paths: dict[str, list[str]] = {"added": [], "removed": [], "modified": []}
    if commit.parents:
        for file in git.changed_files(commit.parents[0], commit.sha):
            key = file.status if file.status in paths else "modified"
            paths[key].append(file.path)
    else:
        entries = git.tree(commit.sha, recursive=True)
        paths["added"] = [entry.path for entry in entries if entry.type == "blob"]
    return paths


def ping(world: World) -> Json:
    """An App's ping: no repository, no installation, a hook of type App."""
    app, hook_id = world.registration, world.registration.id + 500_000
    return {
        "zen": "Say it once.",
        "hook_id": hook_id,
        "hook": {
            "type": "App", "id": hook_id, "name": "web", "active": True, "events": app.events,
            "config": {
                "content_type": "json", "url": world.hooks.url or "", "insecure_ssl": "0",
                "secret": "********",
            },
            "updated_at": None, "created_at": None, "app_id": app.id,
            "deliveries_url": world.urls.api("/app/hook/deliveries"),
        },
    }  # fmt: skip
