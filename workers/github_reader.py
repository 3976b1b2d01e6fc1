"""Reads one repository for one run: the pull request, its diff, its files and what was said."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from graph.context import Permission, PullRequest, ReviewThread, ThreadComment
from graph.diff import Diff, FileDiff, file_from_patch
from workers.errors import Permanent
from workers.github_client import RepositoryClient
from workers.github_limits import UNAVAILABLE_S, GithubUnavailable, NotFound, RepositoryMoved
from workers.github_threads import read_threads
from workers.github_tokens import AppIdentity
from workers.permissions import ask_permission

MAX_PULL_REQUEST_FILES = 3_000
"""GitHub's list of files ends here."""

MAX_COMPARE_FILES = 300
"""GitHub's comparison carries no more files, on its first page only."""

FILE_CACHE_BYTES = 2_000_000
"""Per run. Many reviews wait for a model in one process, so what they hold must stay small."""

_SHA = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")


class GithubReader:
    """A `RepositoryReader` over one repository, by its numeric id. One per run."""

    def __init__(self, repository: RepositoryClient, identity: AppIdentity) -> None:
        self._repository = repository
        self._identity = identity
        self._diffs: dict[tuple[int, str, str], Diff] = {}
        self._files: dict[tuple[str, str], bytes | None] = {}
        self._file_bytes = 0
        self._commit_messages: dict[tuple[int, str], tuple[str, ...]] = {}
        self._changed_files: dict[int, int] = {}

    def pull_request(self, number: int) -> PullRequest:
        pull = self._pull(number)
        self._changed_files[number] = int(pull.get("changed_files") or 0)
        return _pull_request(pull, self._messages(number, str(pull["head"]["sha"])))

    def head_sha(self, number: int) -> str:
        return str(self._pull(number)["head"]["sha"])

    def diff(self, pull_request: PullRequest) -> Diff:
        key = (pull_request.number, pull_request.base_sha, pull_request.head_sha)
        if key not in self._diffs:
            diff = pull_request_diff(self._repository, pull_request.number)
            if not diff.files and self._changed_files.get(pull_request.number):
                # Read as it is, the pull request would be found to be clean.
                raise GithubUnavailable(
                    "GitHub lists no file of a pull request that changes some; it is tried again "
                    "later.",
                    retry_after_s=UNAVAILABLE_S,
                )
            self._diffs[key] = diff
        return self._diffs[key]

    def compare(self, base_sha: str, head_sha: str) -> Diff | None:
        try:
            # Files come whole with the first page of commits, however small that page is.
            answer = self._repository.get(f"/compare/{base_sha}...{head_sha}", per_page=1, page=1)
        except NotFound:
            return None
        if answer["status"] not in ("ahead", "identical"):
            return None
        files = tuple(_file(record) for record in answer.get("files", ()))
        return Diff(files, _incomplete(len(files), MAX_COMPARE_FILES))

    def read_file(self, path: str, ref: str) -> bytes | None:
        """A link that leads to a file of the same repository is read as that file, as GitHub does.

        Links elsewhere, submodules and folders are None. Content at a sha is kept for the run.
        """
        key = (path, ref)
        if key in self._files:
            return self._files[key]
        content = self._read_file(path, ref)
        size = len(content or b"")
        if _SHA.fullmatch(ref) and self._file_bytes + size <= FILE_CACHE_BYTES:
            self._files[key] = content
            self._file_bytes += size
        return content

    def permission(self, login: str, user_id: int) -> Permission:
        return ask_permission(self._repository, login, user_id)

    def threads(self, number: int) -> tuple[ReviewThread, ...]:
        node_id = str(self._pull(number)["node_id"])
        return read_threads(self._repository.client, node_id, self._identity)

    def conversation(self, number: int) -> tuple[ThreadComment, ...]:
        comments = self._repository.pages(f"/issues/{number}/comments")
        return tuple(issue_comment(comment, self._identity) for comment in comments)

    def _pull(self, number: int) -> Mapping[str, Any]:
        pull: Mapping[str, Any] = self._repository.get(f"/pulls/{number}")
        if pull["base"]["repo"]["id"] != self._repository.repository_id:
            raise RepositoryMoved("GitHub answered with a pull request of another repository.")
        return pull

    def _messages(self, number: int, head_sha: str) -> tuple[str, ...]:
        key = (number, head_sha)
        if key not in self._commit_messages:
            commits = self._repository.pages(f"/pulls/{number}/commits")
            messages = tuple(str(commit["commit"]["message"]) for commit in commits)
            self._commit_messages[key] = messages
        return self._commit_messages[key]

    def _read_file(self, path: str, ref: str) -> bytes | None:
        try:
            answer = self._repository.get(f"/contents/{quote(path)}", ref=ref)
            if not isinstance(answer, dict) or answer.get("type") != "file":
                return None
            if answer.get("encoding") != "base64":  # above 1 MB GitHub sends no content here
                answer = self._repository.get(f"/git/blobs/{answer['sha']}")
        except NotFound:
            return None
        try:
            return base64.b64decode(str(answer["content"]))
        except binascii.Error as error:
            raise Permanent(
                "GitHub sent a file that is not base64.", reason="github_bad_answer"
            ) from error


def pull_request_diff(repository: RepositoryClient, number: int) -> Diff:
    """The diff of a pull request as it is now, from the list of its files."""
    files = tuple(_file(record) for record in repository.pages(f"/pulls/{number}/files"))
    return Diff(files, _incomplete(len(files), MAX_PULL_REQUEST_FILES))


def issue_comment(comment: Mapping[str, Any], identity: AppIdentity) -> ThreadComment:
    """A comment of the REST API, of an issue or of a review."""
    user = comment.get("user") or {}
    return ThreadComment(
        id=int(comment["id"]),
        author_id=int(user.get("id", 0)),
        author_login=str(user.get("login", "ghost")),
        is_ours=identity.wrote(user),
        is_bot=user.get("type") == "Bot",
        body=comment.get("body") or "",
        html_url=str(comment.get("html_url", "")),
        created_at=str(comment.get("created_at", "")),
    )


def _pull_request(pull: Mapping[str, Any], commit_messages: tuple[str, ...]) -> PullRequest:
    author = pull.get("user") or {}  # null once the account is gone
    base, head = pull["base"], pull["head"]
    return PullRequest(
        repository_id=int(base["repo"]["id"]),
        repository_name=str(base["repo"]["full_name"]),
        number=int(pull["number"]),
        title=pull.get("title") or "",
        body=pull.get("body") or "",
        author_id=int(author.get("id", 0)),
        author_login=str(author.get("login", "ghost")),
        author_is_bot=author.get("type") == "Bot",
        is_draft=bool(pull.get("draft")),
        is_open=pull.get("state") == "open",
        is_public_repository=_is_public(base["repo"]),
        labels=tuple(str(label["name"]) for label in pull.get("labels", ())),
        base_ref=str(base["ref"]),
        base_sha=str(base["sha"]),
        head_ref=str(head["ref"]),
        head_sha=str(head["sha"]),
        default_branch=str(base["repo"]["default_branch"]),
        html_url=str(pull.get("html_url", "")),
        commit_messages=commit_messages,
    )


def _is_public(repository: Mapping[str, Any]) -> bool:
    visibility = repository.get("visibility")
    return visibility == "public" if visibility else not repository.get("private", True)


def _file(record: Mapping[str, Any]) -> FileDiff:
    return file_from_patch(
        str(record["filename"]),
        record.get("previous_filename"),
        str(record.get("status", "modified")),
        record.get("patch"),
        additions=int(record.get("additions", 0)),
        deletions=int(record.get("deletions", 0)),
        blob_sha=record.get("sha") or "",
    )


def _incomplete(files: int, most: int) -> str:
    if files < most:
        return ""
    return f"GitHub lists no more than {most:,} changed files; the rest was not read."
