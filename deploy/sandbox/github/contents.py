"""What is in the repository: trees, blobs, files, branches, commits, archives."""

from __future__ import annotations

import base64
from urllib.parse import quote

from deploy.sandbox.github import pulls
from deploy.sandbox.github.answers import Answer, RefusedError, not_found
from deploy.sandbox.github.context import Context, Endpoint
from deploy.sandbox.github.git import GitError, TreeEntry
from deploy.sandbox.github.render import Json
from deploy.sandbox.github.urls import node_id

RAW_MEDIA_TYPE = "application/vnd.github.raw; charset=utf-8"


def get_contents(context: Context) -> Answer:
    """A file (base64 up to 1 MB, `encoding` "none" above), a directory's list, a link, a submodule.

    The raw media type gives the bytes up to 100 MB.
    """
    path = context.path.get("path", "").strip("/")
    ref = context.query.get("ref") or context.repository.default_branch
    git = context.repository.git
    sha = git.resolve(ref)
    if sha is None:
        raise RefusedError(404, f"No commit found for the ref {ref}")
    if not path:
        return _directory(context, "", git.tree(sha, recursive=False), ref)
    entry = git.entry(sha, path)
    if entry is None:
        raise not_found()
    if entry.type == "tree":
        children = git.tree(f"{sha}:{path}", recursive=False)
        return _directory(context, path + "/", children, ref)
    if entry.type == "commit":
        return Answer(_reference(context, entry, path, ref) | {"submodule_git_url": None})
    data, limits = git.blob(entry.sha), context.world.limits
    if len(data) > limits.contents_raw_bytes:
        error = {"resource": "Blob", "field": "data", "code": "too_large"}
        raise RefusedError(403, "This API returns blobs up to 100 MB in size.", [error])
    if context.accepts("raw"):
        return Answer(data, media_type=RAW_MEDIA_TYPE)
    is_small = len(data) <= limits.contents_bytes
    body = _reference(context, entry, path, ref) | {
        "content": _wrapped(data) if is_small else "",
        "encoding": "base64" if is_small else "none",
    }
    if entry.content_type == "symlink":
        body["target"] = data.decode("utf-8", "replace")
    return Answer(body)


def _directory(context: Context, prefix: str, entries: list[TreeEntry], ref: str) -> Answer:
    return Answer([_reference(context, e, prefix + e.path, ref) for e in entries])


def _reference(context: Context, entry: TreeEntry, path: str, ref: str) -> Json:
    name = f"/repos/{context.repository.full_name}"
    own = context.urls.api(f"{name}/contents/{quote(path)}?ref={quote(ref)}")
    kind = "trees" if entry.type == "tree" else "blobs"
    git_url = context.urls.api(f"{name}/git/{kind}/{entry.sha}")
    page = context.urls.web(f"/{context.repository.full_name}/blob/{ref}/{path}")
    raw = context.urls.web(f"/{context.repository.full_name}/raw/{ref}/{path}")
    return {
        "name": path.rsplit("/", 1)[-1], "path": path, "sha": entry.sha, "size": entry.size or 0,
        "url": own, "html_url": page, "git_url": git_url,
        "download_url": raw if entry.type == "blob" else None, "type": entry.content_type,
        "_links": {"self": own, "git": git_url, "html": page},
    }  # fmt: skip


def get_tree(context: Context) -> Answer:
    """`recursive` with any value lists everything; `truncated` says when it did not fit."""
    git, wanted = context.repository.git, context.path["tree_sha"]
    sha = git.resolve(wanted) or (wanted if git.object_type(wanted) == "tree" else None)
    if sha is None:
        raise not_found()
    tree_sha = git.commit(sha).tree if git.object_type(sha) == "commit" else sha
    entries = git.tree(tree_sha, recursive="recursive" in context.query)
    limit = context.world.limits.tree_entries
    name = f"/repos/{context.repository.full_name}/git"
    listed: list[Json] = []
    for entry in entries[:limit]:
        kind = "trees" if entry.type == "tree" else "blobs"
        item: Json = {
            "path": entry.path, "mode": entry.mode, "type": entry.type, "sha": entry.sha,
        }  # fmt: skip
        if entry.type != "commit":
            item["url"] = context.urls.api(f"{name}/{kind}/{entry.sha}")
        if entry.size is not None:
            item["size"] = entry.size
        listed.append(item)
    url = context.urls.api(f"{name}/trees/{tree_sha}")
    truncated = len(entries) > limit
    return Answer({"sha": tree_sha, "url": url, "tree": listed, "truncated": truncated})


def get_blob(context: Context) -> Answer:
    sha = context.path["file_sha"]
    try:
        data = context.repository.git.blob(sha)
    except GitError as error:
        raise not_found() from error
    if len(data) > context.world.limits.blob_bytes:
        raise RefusedError(403, "This API returns blobs up to 100 MB in size.")
    if context.accepts("raw"):
        return Answer(data, media_type=RAW_MEDIA_TYPE)
    url = context.urls.api(f"/repos/{context.repository.full_name}/git/blobs/{sha}")
    return Answer(
        {
            "sha": sha, "node_id": node_id("B", int(sha[:14], 16)), "size": len(data),
            "url": url, "content": _wrapped(data), "encoding": "base64",
        }
    )  # fmt: skip


def get_reference(context: Context) -> Answer:
    ref = context.path["ref"]
    sha = context.repository.git.resolve(f"refs/{ref}")
    if sha is None:
        raise not_found()
    name = f"/repos/{context.repository.full_name}/git"
    target = {"type": "commit", "sha": sha, "url": context.urls.api(f"{name}/commits/{sha}")}
    return Answer(
        {
            "ref": f"refs/{ref}", "node_id": node_id("REF", int(sha[:14], 16)),
            "url": context.urls.api(f"{name}/refs/{ref}"), "object": target,
        }
    )  # fmt: skip


def list_branches(context: Context) -> Answer:
    branches = context.repository.git.branches()
    name = f"/repos/{context.repository.full_name}/commits"
    return context.paged(
        [
            {
                "name": branch, "protected": False,
                "commit": {"sha": sha, "url": context.urls.api(f"{name}/{sha}")},
            }
            for branch, sha in branches.items()
        ],
        hide_newest=False,
    )  # fmt: skip


def get_branch(context: Context) -> Answer:
    branch, repository = context.path["branch"], context.repository
    sha = repository.git.branches().get(branch)
    if sha is None:
        raise RefusedError(404, "Branch not found")
    own = context.urls.api(f"/repos/{repository.full_name}/branches/{branch}")
    page = context.urls.web(f"/{repository.full_name}/tree/{branch}")
    commit = pulls.commit_json(context.urls, repository, repository.git.commit(sha))
    return Answer(
        {
            "name": branch, "commit": commit, "_links": {"self": own, "html": page},
            "protected": False, "protection": {"enabled": False},
            "protection_url": f"{own}/protection",
        }
    )  # fmt: skip


def list_commits(context: Context) -> Answer:
    repository = context.repository
    start = context.query.get("sha") or repository.default_branch
    sha = repository.git.resolve(start)
    if sha is None:
        raise RefusedError(404, f"No commit found for SHA: {start}")
    commits = repository.git.log(sha, limit=10_000)
    return context.paged(
        commits,
        render=lambda c: pulls.commit_json(context.urls, repository, c),
        hide_newest=False,
    )


def get_commit(context: Context) -> Answer:
    """A commit; the `sha` media type gives only its name."""
    repository, ref = context.repository, context.path["ref"]
    sha = repository.git.resolve(ref)
    if sha is None:
        raise RefusedError(422, f"No commit found for SHA: {ref}")
    if context.accepts("sha"):
        return Answer(sha.encode(), media_type="application/vnd.github.sha; charset=utf-8")
    return Answer(pulls.commit_json(context.urls, repository, repository.git.commit(sha)))


def get_tarball(context: Context) -> Answer:
    """A redirect to the archive, which needs the same token."""
    repository = context.repository
    ref = context.path.get("ref") or repository.default_branch
    sha = repository.git.resolve(ref)
    if sha is None:
        raise not_found()
    address = context.urls.api(f"/repos/{repository.full_name}/legacy.tar.gz/{sha}")
    return Answer(status=302, headers={"Location": address})


def get_archive(context: Context) -> Answer:
    """The archive itself; its top directory carries owner, name and short sha, as GitHub's."""
    repository, sha = context.repository, context.path["ref"]
    prefix = f"{repository.owner.login}-{repository.name}-{sha[:7]}"
    data = repository.git.archive(sha, f"{prefix}/")
    headers = {"Content-Disposition": f"attachment; filename={prefix}.tar.gz"}
    return Answer(data, headers=headers, media_type="application/x-gzip")


def _wrapped(data: bytes) -> str:
    """Base64 with a line feed after every 60 characters, as GitHub sends it."""
    text = base64.b64encode(data).decode()
    return "".join(text[i : i + 60] + "\n" for i in range(0, len(text), 60))


_REPO = "/repos/{owner}/{repo}"
_READ = ("contents:read",)
ENDPOINTS = [
    Endpoint("GET", _REPO + "/contents", get_contents, _READ),
    Endpoint("GET", _REPO + "/contents/{path}", get_contents, _READ),
    Endpoint("GET", _REPO + "/git/trees/{tree_sha}", get_tree, _READ),
    Endpoint("GET", _REPO + "/git/blobs/{file_sha}", get_blob, _READ),
    Endpoint("GET", _REPO + "/git/ref/{ref}", get_reference, _READ),
    Endpoint("GET", _REPO + "/branches", list_branches, _READ),
    Endpoint("GET", _REPO + "/branches/{branch}", get_branch, _READ),
    Endpoint("GET", _REPO + "/commits", list_commits, _READ),
    Endpoint("GET", _REPO + "/commits/{ref}", get_commit, _READ),
    Endpoint("GET", _REPO + "/tarball", get_tarball, _READ),
    Endpoint("GET", _REPO + "/tarball/{ref}", get_tarball, _READ),
    Endpoint("GET", _REPO + "/legacy.tar.gz/{ref}", get_archive, _READ),
]
