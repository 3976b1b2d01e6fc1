"""Repositories and pull requests: metadata, files, commits, the diff, comparisons."""

from __future__ import annotations

from deploy.sandbox.github import render, render_pulls
from deploy.sandbox.github.answers import Answer, RefusedError, not_found
from deploy.sandbox.github.context import Context, Endpoint
from deploy.sandbox.github.git import ChangedFile, Commit
from deploy.sandbox.github.model import PullRequest, Repository
from deploy.sandbox.github.pull_diff import commits_of, files_of, limited, merge_base
from deploy.sandbox.github.render import Json
from deploy.sandbox.github.roles import permission_flags, role_of
from deploy.sandbox.github.urls import Urls, node_id

DIFF_MEDIA_TYPE = "application/vnd.github.diff; charset=utf-8"


def get_repository(context: Context) -> Answer:
    user = context.actor.user
    role = role_of(context.repository, user) if user is not None else "read"
    permissions = permission_flags(role)
    return Answer(render.full_repository(context.urls, context.repository, permissions))


def list_pulls(context: Context) -> Answer:
    """Newest first, as GitHub's default; filters by state, base and head."""
    query = context.query
    state = query.get("state", "open")
    pulls = [p for p in context.world.pulls_of(context.repository) if state in ("all", p.state)]
    if "base" in query:
        pulls = [p for p in pulls if p.base_ref == query["base"]]
    if "head" in query:
        pulls = [p for p in pulls if _head_label(p) == query["head"]]
    key = {"updated": "updated_at"}.get(query.get("sort", "created"), "number")
    ascending = query.get("direction", "desc") == "asc"
    pulls.sort(key=lambda pull: (getattr(pull, key), pull.number), reverse=not ascending)
    return context.paged(pulls, render=lambda p: render_pulls.pull_request(context.urls, p))


def _head_label(pull: PullRequest) -> str:
    return f"{pull.head_owner.login if pull.head_owner else ''}:{pull.head_ref}"


def get_pull(context: Context) -> Answer:
    pull = context.pull()
    if context.accepts("diff", "patch"):
        return _diff_answer(context, merge_base(pull), pull.head_sha, pull.repository)
    is_mergeable: bool | None = None
    if pull.state == "open":
        is_mergeable = pull.repository.git.merge(pull.base_sha, pull.head_sha) is not None
    return Answer(render_pulls.full_pull_request(context.urls, pull, is_mergeable=is_mergeable))


def list_files(context: Context) -> Answer:
    pull = context.pull()
    files = limited(files_of(pull), context.world.limits)
    return context.paged(
        files, render=lambda f: _file(context.urls, pull.repository, pull.head_sha, f)
    )


def list_pull_commits(context: Context) -> Answer:
    pull = context.pull()
    commits = commits_of(pull)[: context.world.limits.pull_commits]
    return context.paged(commits, render=lambda c: commit_json(context.urls, pull.repository, c))


def compare(context: Context) -> Answer:
    """Three dots between two revisions of this repository."""
    base_name, mark, head_name = context.path["basehead"].partition("...")
    repository = context.repository
    base = _revision(context, base_name) if mark else None
    head = _revision(context, head_name) if mark else None
    if base is None or head is None:
        raise not_found()
    git = repository.git
    common = git.merge_base(base, head)
    if common is None:
        raise RefusedError(404, f"No common ancestor between {base_name} and {head_name}.")
    if context.accepts("diff", "patch"):
        return _diff_answer(context, common, head, repository)
    ahead, behind = git.count(head, f"^{base}"), git.count(base, f"^{head}")
    status = "identical" if base == head else "diverged"
    if status == "diverged" and not (ahead and behind):
        status = "ahead" if ahead else "behind"
    urls, page = context.urls, context.urls.web(f"/{repository.full_name}/compare")
    number, size = context.page()
    commits = git.log(head, f"^{base}", limit=10_000)[::-1]
    shown = commits[(number - 1) * size : number * size] if "page" in context.query else commits
    files = limited(git.changed_files(common, head), context.world.limits)
    files = files[: context.world.limits.compare_files] if number == 1 else []
    return Answer(
        {
            "url": urls.api(f"/repos/{repository.full_name}/compare/{base_name}...{head_name}"),
            "html_url": f"{page}/{base_name}...{head_name}",
            "permalink_url": f"{page}/{base[:12]}...{head[:12]}",
            "diff_url": f"{page}/{base_name}...{head_name}.diff",
            "patch_url": f"{page}/{base_name}...{head_name}.patch",
            "base_commit": commit_json(urls, repository, git.commit(base)),
            "merge_base_commit": commit_json(urls, repository, git.commit(common)),
            "status": status, "ahead_by": ahead, "behind_by": behind,
            "total_commits": len(commits),
            "commits": [commit_json(urls, repository, c) for c in shown[:250]],
            "files": [_file(urls, repository, head, f) for f in files],
        }
    )  # fmt: skip


def _revision(context: Context, name: str) -> str | None:
    """`name` may be "owner:branch" of the same network."""
    owner, mark, branch = name.partition(":")
    if not mark:
        return context.repository.git.resolve(name)
    for other in context.world.repositories.values():
        if other.owner.login.casefold() != owner.casefold():
            continue
        if context.repository in (other, other.parent):
            sha = other.git.resolve(branch)
            if sha is not None and other is not context.repository:
                context.repository.git.fetch(other.git, sha, f"refs/compare/{sha}")
            return sha
    return None


def _diff_answer(context: Context, base: str, head: str, repository: Repository) -> Answer:
    limits = context.world.limits
    files = repository.git.changed_files(base, head)
    if len(files) > limits.diff_files:
        raise _too_large(f"the maximum number of files ({limits.diff_files})")
    if sum(f.additions + f.deletions for f in files) > limits.diff_lines:
        raise _too_large(f"the maximum number of lines ({limits.diff_lines})")
    return Answer(repository.git.diff_text(base, head), media_type=DIFF_MEDIA_TYPE)


def _too_large(what: str) -> RefusedError:
    message = f"Sorry, the diff exceeded {what}. Consider using 'List pull requests files' API."
    error = {"resource": "PullRequest", "field": "diff", "code": "too_large"}
    return RefusedError(406, message, [error])


def _file(urls: Urls, repository: Repository, sha: str, file: ChangedFile) -> Json:
    page = urls.web(f"/{repository.full_name}")
    body: Json = {
        "sha": file.sha, "filename": file.path, "status": file.status,
        "additions": file.additions, "deletions": file.deletions,
        "changes": file.additions + file.deletions,
        "blob_url": f"{page}/blob/{sha}/{file.path}", "raw_url": f"{page}/raw/{sha}/{file.path}",
        "contents_url": urls.api(f"/repos/{repository.full_name}/contents/{file.path}?ref={sha}"),
    }  # fmt: skip
    if file.patch is not None:
        body["patch"] = file.patch
    if file.previous_path is not None:
        body["previous_filename"] = file.previous_path
    return body


def commit_json(urls: Urls, repository: Repository, commit: Commit) -> Json:
    own = urls.api(f"/repos/{repository.full_name}/commits/{commit.sha}")
    git = urls.api(f"/repos/{repository.full_name}/git")
    page = urls.web(f"/{repository.full_name}/commit")
    person = {"name": commit.author_name, "email": commit.author_email, "date": commit.date}
    return {
        "url": own, "sha": commit.sha, "node_id": node_id("C", int(commit.sha[:14], 16)),
        "html_url": f"{page}/{commit.sha}", "comments_url": f"{own}/comments",
        "commit": {
            "url": f"{git}/commits/{commit.sha}", "author": person, "committer": person,
            "message": commit.message, "comment_count": 0,
            "tree": {"sha": commit.tree, "url": f"{git}/trees/{commit.tree}"},
            "verification": {
                "verified": False, "reason": "unsigned", "signature": None, "payload": None,
                "verified_at": None,
            },
        },
        "author": None, "committer": None,
        "parents": [
            {
                "sha": parent, "html_url": f"{page}/{parent}",
                "url": urls.api(f"/repos/{repository.full_name}/commits/{parent}"),
            }
            for parent in commit.parents
        ],
    }  # fmt: skip


_READ = ("pull_requests:read",)
_PULLS = "/repos/{owner}/{repo}/pulls"
ENDPOINTS = [
    Endpoint("GET", "/repos/{owner}/{repo}", get_repository, ("metadata:read",)),
    Endpoint("GET", _PULLS, list_pulls, _READ),
    Endpoint("GET", _PULLS + "/{pull_number}", get_pull, _READ),
    Endpoint("GET", _PULLS + "/{pull_number}/files", list_files, _READ),
    Endpoint("GET", _PULLS + "/{pull_number}/commits", list_pull_commits, _READ),
    Endpoint("GET", "/repos/{owner}/{repo}/compare/{basehead}", compare, ("contents:read",)),
]
