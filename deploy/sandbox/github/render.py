"""Accounts, repositories, issues, comments and installations in GitHub's JSON."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

from deploy.sandbox.github.model import (
    Account,
    App,
    Installation,
    Issue,
    IssueComment,
    PullRequest,
    Reaction,
    Repository,
)
from deploy.sandbox.github.roles import association
from deploy.sandbox.github.urls import Urls, iso, iso_or_none, node_id

Json = dict[str, Any]

REACTIONS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket")

_NODE_PREFIX = {"User": "U", "Bot": "BOT", "Organization": "O"}

_REPOSITORY_LINKS = {
    "archive": "/{archive_format}{/ref}", "assignees": "/assignees{/user}",
    "blobs": "/git/blobs{/sha}", "branches": "/branches{/branch}",
    "collaborators": "/collaborators{/collaborator}", "comments": "/comments{/number}",
    "commits": "/commits{/sha}", "compare": "/compare/{base}...{head}",
    "contents": "/contents/{+path}", "contributors": "/contributors",
    "deployments": "/deployments", "downloads": "/downloads", "events": "/events",
    "forks": "/forks", "git_commits": "/git/commits{/sha}", "git_refs": "/git/refs{/sha}",
    "git_tags": "/git/tags{/sha}", "hooks": "/hooks",
    "issue_comment": "/issues/comments{/number}", "issue_events": "/issues/events{/number}",
    "issues": "/issues{/number}", "keys": "/keys{/key_id}", "labels": "/labels{/name}",
    "languages": "/languages", "merges": "/merges", "milestones": "/milestones{/number}",
    "notifications": "/notifications{?since,all,participating}", "pulls": "/pulls{/number}",
    "releases": "/releases{/id}", "stargazers": "/stargazers", "statuses": "/statuses/{sha}",
    "subscribers": "/subscribers", "subscription": "/subscription", "tags": "/tags",
    "teams": "/teams", "trees": "/git/trees{/sha}",
}  # fmt: skip

_ACCOUNT_LINKS = {
    "events": "/events{/privacy}", "followers": "/followers",
    "following": "/following{/other_user}", "gists": "/gists{/gist_id}",
    "organizations": "/orgs", "received_events": "/received_events", "repos": "/repos",
    "starred": "/starred{/owner}{/repo}", "subscriptions": "/subscriptions",
}  # fmt: skip


def account(urls: Urls, who: Account) -> Json:
    own = urls.api(f"/users/{who.login}")
    page = f"/apps/{who.login.removesuffix('[bot]')}" if who.type == "Bot" else f"/{who.login}"
    return {
        "login": who.login,
        "id": who.id,
        "node_id": node_id(_NODE_PREFIX[who.type], who.id),
        "avatar_url": urls.web(f"/avatars/u/{who.id}?v=4"),
        "gravatar_id": "",
        "url": own,
        "html_url": urls.web(page),
        **{f"{name}_url": own + path for name, path in _ACCOUNT_LINKS.items()},
        "type": who.type,
        "user_view_type": "public",
        "site_admin": False,
    }


def public_account(urls: Urls, who: Account) -> Json:
    return account(urls, who) | {
        "name": who.login, "company": None, "blog": "", "location": None, "email": None,
        "hireable": None, "bio": None, "twitter_username": None, "public_repos": 0,
        "public_gists": 0, "followers": 0, "following": 0, "created_at": iso(who.created_at),
        "updated_at": iso(who.created_at),
    }  # fmt: skip


def private_account(urls: Urls, who: Account) -> Json:
    return public_account(urls, who) | {
        "collaborators": 0, "disk_usage": 0, "owned_private_repos": 0, "private_gists": 0,
        "total_private_repos": 0, "two_factor_authentication": True,
    }  # fmt: skip


def organization(urls: Urls, who: Account) -> Json:
    own = urls.api(f"/orgs/{who.login}")
    return {
        "login": who.login, "id": who.id, "node_id": node_id("O", who.id), "url": own,
        "repos_url": f"{own}/repos", "events_url": f"{own}/events", "hooks_url": f"{own}/hooks",
        "issues_url": f"{own}/issues", "members_url": f"{own}/members{{/member}}",
        "public_members_url": f"{own}/public_members{{/member}}",
        "avatar_url": urls.web(f"/avatars/u/{who.id}?v=4"), "description": "",
    }  # fmt: skip


def repository(urls: Urls, repo: Repository) -> Json:
    own = urls.api(f"/repos/{repo.full_name}")
    page = urls.web(f"/{repo.full_name}")
    open_issues = sum(issue.state == "open" for issue in repo.issues.values())
    return {
        "id": repo.id, "node_id": node_id("R", repo.id), "name": repo.name,
        "full_name": repo.full_name, "private": repo.private, "owner": account(urls, repo.owner),
        "html_url": page, "description": None, "fork": repo.parent is not None, "url": own,
        **{f"{name}_url": own + path for name, path in _REPOSITORY_LINKS.items()},
        "created_at": iso(repo.created_at), "updated_at": iso(repo.pushed_at),
        "pushed_at": iso(repo.pushed_at), "git_url": page.replace("http", "git", 1) + ".git",
        "ssh_url": f"git@localhost:{repo.full_name}.git", "clone_url": f"{page}.git",
        "svn_url": page, "homepage": None, "size": 1, "stargazers_count": 0,
        "watchers_count": 0, "language": None, "has_issues": True, "has_projects": False,
        "has_downloads": True, "has_wiki": False, "has_pages": False, "has_discussions": False,
        "forks_count": 0, "mirror_url": None, "archived": repo.archived, "disabled": False,
        "open_issues_count": open_issues, "license": None, "allow_forking": True,
        "is_template": False, "web_commit_signoff_required": False, "topics": [],
        "custom_properties": {}, "visibility": "private" if repo.private else "public", "forks": 0,
        "open_issues": open_issues, "watchers": 0, "default_branch": repo.default_branch,
    }  # fmt: skip


def full_repository(urls: Urls, repo: Repository, permissions: Json) -> Json:
    body = repository(urls, repo) | {
        "permissions": permissions, "network_count": 0, "subscribers_count": 0,
        "allow_squash_merge": True, "allow_merge_commit": True, "allow_rebase_merge": True,
        "delete_branch_on_merge": False,
    }  # fmt: skip
    if repo.parent is not None:
        body["parent"] = body["source"] = repository(urls, repo.parent)
    return body


def repository_reference(repo: Repository) -> Json:
    """The five keys that installation events carry."""
    return {
        "id": repo.id, "node_id": node_id("R", repo.id), "name": repo.name,
        "full_name": repo.full_name, "private": repo.private,
    }  # fmt: skip


def app(urls: Urls, the_app: App) -> Json:
    return {
        "id": the_app.id, "client_id": the_app.client_id, "slug": the_app.slug,
        "node_id": node_id("A", the_app.id), "owner": account(urls, the_app.owner),
        "name": the_app.slug.title(), "description": "", "external_url": urls.web("/"),
        "html_url": urls.web(f"/apps/{the_app.slug}"), "created_at": iso(the_app.created_at),
        "updated_at": iso(the_app.created_at), "permissions": the_app.permissions,
        "events": the_app.events,
    }  # fmt: skip


def installation(urls: Urls, the_app: App, one: Installation) -> Json:
    return {
        "id": one.id, "client_id": the_app.client_id, "account": account(urls, one.account),
        "repository_selection": "all" if one.repository_ids is None else "selected",
        "access_tokens_url": urls.api(f"/app/installations/{one.id}/access_tokens"),
        "repositories_url": urls.api("/installation/repositories"),
        "html_url": urls.web(f"/settings/installations/{one.id}"), "app_id": the_app.id,
        "app_slug": the_app.slug, "target_id": one.account.id, "target_type": one.account.type,
        "permissions": one.permissions, "events": one.events, "created_at": iso(one.created_at),
        "updated_at": iso(one.updated_at), "single_file_name": None,
        "has_multiple_single_files": False, "single_file_paths": [],
        "suspended_by": account(urls, one.suspended_by) if one.suspended_by else None,
        "suspended_at": iso_or_none(one.suspended_at),
    }  # fmt: skip


def label(urls: Urls, repo: Repository, name: str) -> Json:
    """Labels are made when first used; id and colour follow from the name."""
    number = zlib.crc32(f"{repo.id}:{name.casefold()}".encode())
    return {
        "id": number, "node_id": node_id("LA", number),
        "url": urls.api(f"/repos/{repo.full_name}/labels/{name}"), "name": name,
        "color": f"{number & 0xFFFFFF:06x}", "default": False, "description": None,
    }  # fmt: skip


def issue(urls: Urls, one: Issue) -> Json:
    repo = one.repository
    own = urls.api(f"/repos/{repo.full_name}/issues/{one.number}")
    body = {
        "url": own, "repository_url": urls.api(f"/repos/{repo.full_name}"),
        "labels_url": f"{own}/labels{{/name}}", "comments_url": f"{own}/comments",
        "events_url": f"{own}/events",
        "html_url": issue_page(urls, one), "id": one.id,
        "node_id": _issue_node(one),
        "number": one.number, "title": one.title, "user": account(urls, one.user),
        "labels": [label(urls, repo, name) for name in one.labels], "state": one.state,
        "locked": False, "assignee": None, "assignees": [], "milestone": None,
        "comments": len(one.comments), "created_at": iso(one.created_at),
        "updated_at": iso(one.updated_at), "closed_at": iso_or_none(one.closed_at),
        "author_association": association(repo, one.user), "active_lock_reason": None,
        "body": one.body, "reactions": reaction_totals(f"{own}/reactions", one.reactions.values()),
        "timeline_url": f"{own}/timeline", "performed_via_github_app": None,
        "state_reason": None,
    }  # fmt: skip
    if isinstance(one, PullRequest):
        body["draft"] = one.draft
        body["pull_request"] = {
            "url": urls.api(f"/repos/{repo.full_name}/pulls/{one.number}"),
            "html_url": issue_page(urls, one), "diff_url": issue_page(urls, one) + ".diff",
            "patch_url": issue_page(urls, one) + ".patch",
            "merged_at": iso_or_none(one.merged_at),
        }  # fmt: skip
    return body


def _issue_node(one: Issue) -> str:
    return node_id("PR", one.pull_id) if isinstance(one, PullRequest) else node_id("I", one.id)


def issue_page(urls: Urls, one: Issue) -> str:
    kind = "pull" if isinstance(one, PullRequest) else "issues"
    return urls.web(f"/{one.repository.full_name}/{kind}/{one.number}")


def issue_comment(urls: Urls, the_app: App, one: IssueComment) -> Json:
    repo = one.issue.repository
    own = urls.api(f"/repos/{repo.full_name}/issues/comments/{one.id}")
    return {
        "url": own, "html_url": f"{issue_page(urls, one.issue)}#issuecomment-{one.id}",
        "issue_url": urls.api(f"/repos/{repo.full_name}/issues/{one.issue.number}"),
        "id": one.id, "node_id": node_id("IC", one.id), "user": account(urls, one.user),
        "created_at": iso(one.created_at), "updated_at": iso(one.updated_at),
        "author_association": association(repo, one.user), "body": one.body,
        "reactions": reaction_totals(f"{own}/reactions", one.reactions.values()),
        "performed_via_github_app": app(urls, the_app) if one.via_app else None,
    }  # fmt: skip


def reaction(urls: Urls, one: Reaction) -> Json:
    return {
        "id": one.id, "node_id": node_id("REA", one.id), "user": account(urls, one.user),
        "content": one.content, "created_at": iso(one.created_at),
    }  # fmt: skip


def reaction_totals(url: str, reactions: Iterable[Reaction]) -> Json:
    given = [r.content for r in reactions]
    counts = {content: given.count(content) for content in REACTIONS}
    return {"url": url, "total_count": len(given), **counts}
