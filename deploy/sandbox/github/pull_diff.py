"""What a pull request changes: three dots, from the merge base to the head."""

from __future__ import annotations

from dataclasses import replace

from deploy.sandbox.github.git import ChangedFile, Commit
from deploy.sandbox.github.model import Limits, PullRequest


def merge_base(pull: PullRequest, commit_sha: str | None = None) -> str:
    """The merge base of the pull request's base and a commit (the head when none is given)."""
    head = commit_sha or pull.head_sha
    return pull.repository.git.merge_base(pull.base_sha, head) or pull.base_sha


def files_of(pull: PullRequest, commit_sha: str | None = None) -> tuple[ChangedFile, ...]:
    """All changed files, with every patch that git gives."""
    head = commit_sha or pull.head_sha
    return pull.repository.git.changed_files(merge_base(pull, head), head)


def commits_of(pull: PullRequest) -> list[Commit]:
    """The commits that only the head has, oldest first."""
    commits = pull.repository.git.log(pull.head_sha, f"^{pull.base_sha}", limit=10_000)
    return commits[::-1]


def limited(files: tuple[ChangedFile, ...], limits: Limits) -> list[ChangedFile]:
    """The files as the API lists them: patches that are too large are left out."""
    shown, total_bytes = [], 0
    for file in files[: limits.files_listed]:
        size = len(file.patch.encode()) if file.patch else 0
        is_large = (
            file.additions + file.deletions > limits.file_patch_lines
            or size > limits.file_patch_bytes
            or total_bytes + size > limits.all_patches_bytes
        )
        shown.append(replace(file, patch=None) if is_large else file)
        total_bytes += 0 if is_large else size
    return shown
