"""A pull request of the GitHub stand-in as the page shows it: plain JSON, read under the lock."""

from __future__ import annotations

from typing import Any

from deploy.sandbox.github.anchors import current_place, patch_lines
from deploy.sandbox.github.git import ChangedFile
from deploy.sandbox.github.model import Account, PullRequest, Reaction, ReviewThread
from deploy.sandbox.github.pull_diff import files_of
from deploy.sandbox.github.world import World

JsonObject = dict[str, Any]


def key_of(pull: PullRequest) -> str:
    """How the page names a pull request, for example acme/api#1."""
    return f"{pull.repository.full_name}#{pull.number}"


def find_pull(world: World, key: str) -> PullRequest:
    """The pull request of that key. Raises LookupError."""
    full_name, _, number = key.rpartition("#")
    repository = world.repository(full_name)
    for pull in world.pulls_of(repository) if repository else ():
        if str(pull.number) == number:
            return pull
    raise LookupError(f"There is no pull request {key}.")


def pull_list(world: World) -> list[JsonObject]:
    """Every pull request, by repository and number."""
    pulls = [
        pull for repository in world.repositories.values() for pull in world.pulls_of(repository)
    ]
    return [{"key": key_of(pull), "title": pull.title, "state": _state(pull)} for pull in pulls]


def pull_view(world: World, pull: PullRequest) -> JsonObject:
    """Diff, threads at their lines, conversation and check runs."""
    threads = [_thread(world, thread) for thread in pull.threads.values() if _is_shown(thread)]
    files = [_file(file, threads) for file in files_of(pull)]
    placed = {thread["id"] for file in files for thread in file["threads"]}
    return {
        "key": key_of(pull),
        "number": pull.number,
        "title": pull.title,
        "body": pull.body or "",
        "author": _person(pull.user),
        "state": _state(pull),
        "head_ref": pull.head_ref,
        "base_ref": pull.base_ref,
        "head_sha": pull.head_sha,
        "files": files,
        "elsewhere": [thread for thread in threads if thread["id"] not in placed],
        "conversation": _conversation(pull),
        "checks": _checks(world, pull),
    }


def _state(pull: PullRequest) -> str:
    if pull.merged_at is not None:
        return "merged"
    return "draft" if pull.draft and pull.state == "open" else pull.state


def _person(account: Account) -> JsonObject:
    return {"login": account.login, "is_bot": account.type == "Bot"}


def _is_shown(thread: ReviewThread) -> bool:
    return any(comment.review.state != "PENDING" for comment in thread.comments.values())


def _file(file: ChangedFile, threads: list[JsonObject]) -> JsonObject:
    texts = (file.patch or "").split("\n")
    numbered = {line.position: line for line in patch_lines(file.patch)} if file.patch else {}
    rows: list[JsonObject] = []
    for position, text in enumerate(texts if file.patch else ()):
        line = numbered.get(position)
        if line is None:
            rows.append({"kind": "note" if text.startswith("\\") else "hunk", "text": text})
            continue
        kind = {"+": "added", "-": "removed"}.get(text[:1], "context")
        row = {"kind": kind, "old": line.old_line, "new": line.new_line, "text": text[1:]}
        rows.append(row | {"position": position})
    return {
        "path": file.path,
        "previous_path": file.previous_path,
        "status": file.status,
        "additions": file.additions,
        "deletions": file.deletions,
        "rows": rows,
        "threads": [t for t in threads if t["path"] == file.path and not t["is_outdated"]],
    }


def _thread(world: World, thread: ReviewThread) -> JsonObject:
    place = current_place(thread.pull, thread.anchor, world.limits)
    return {
        "id": thread.id,
        "path": thread.anchor.path,
        "position": None if thread.anchor.line is None else place.position,
        "line": place.line or thread.anchor.line,
        "is_outdated": place.is_outdated,
        "resolved_by": thread.resolved_by.login if thread.resolved_by else None,
        "comments": [
            {
                "id": comment.id,
                "author": _person(comment.user),
                "body": comment.body,
                "at": comment.created_at,
                "reactions": _reactions(comment.reactions),
                "minimized": comment.minimized_reason,
            }
            for comment in thread.comments.values()
            if comment.review.state != "PENDING"
        ],
    }


def _conversation(pull: PullRequest) -> list[JsonObject]:
    said: list[JsonObject] = [
        {
            "id": f"comment-{comment.id}",
            "kind": "comment",
            "author": _person(comment.user),
            "body": comment.body,
            "at": comment.created_at,
            "reactions": _reactions(comment.reactions),
            "minimized": comment.minimized_reason,
        }
        for comment in pull.comments.values()
    ]
    said += [
        {
            "id": f"review-{review.id}",
            "kind": review.state,
            "author": _person(review.user),
            "body": review.body,
            "at": review.submitted_at or review.updated_at,
            "reactions": [],
            "minimized": review.minimized_reason,
        }
        for review in pull.reviews.values()
        if review.state != "PENDING" and review.body
    ]
    return sorted(said, key=lambda entry: (entry["at"], entry["id"]))


def _checks(world: World, pull: PullRequest) -> list[JsonObject]:
    """The newest of each name, as GitHub shows them."""
    newest = {
        (run.suite.id, run.name): run
        for run in world.check_runs.values()
        if run.suite.repository is pull.repository and run.suite.head_sha == pull.head_sha
    }
    return [
        {
            "id": run.id,
            "name": run.name,
            "status": run.status,
            "conclusion": run.conclusion,
            "title": run.title,
            "summary": run.summary or "",
        }
        for run in newest.values()
    ]


def _reactions(reactions: dict[int, Reaction]) -> list[JsonObject]:
    counts: dict[str, int] = {}
    for reaction in reactions.values():
        counts[reaction.content] = counts.get(reaction.content, 0) + 1
    return [{"name": name, "count": count} for name, count in counts.items()]


def read_file(world: World, key: str, path: str) -> str:
    """A text file on the head of a pull request. Raises LookupError for anything else."""
    with world.lock:
        pull = find_pull(world, key)
        git = pull.repository.git
        entry = git.entry(pull.head_sha, path) if path else None
        if entry is None or entry.type != "blob":
            raise LookupError(f"There is no file {path} in {key}.")
        try:
            return git.blob(entry.sha).decode("utf-8")
        except UnicodeDecodeError as error:
            raise LookupError(f"{path} is not a text file.") from error
