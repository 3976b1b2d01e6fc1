"""A bare git repository on disk, driven through the git command line."""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

FileStatus = Literal["added", "modified", "removed", "renamed", "changed"]
ZERO_SHA = "0" * 40

_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    "TZ": "UTC",
}
_STATUSES: dict[str, FileStatus] = {
    "A": "added", "M": "modified", "D": "removed", "R": "renamed", "T": "changed",
}  # fmt: skip
_TYPES = {"100644": "file", "100755": "file", "120000": "symlink", "160000": "submodule"}


class GitError(RuntimeError):
    """git refused. The message is git's own."""

    reason = "git_refused"


@dataclass(frozen=True)
class FileContent:
    """What a change puts at a path; mode 160000 takes the submodule's commit as `data`."""

    data: bytes
    mode: Literal["100644", "100755", "120000", "160000"] = "100644"


Changes = Mapping[str, bytes | str | FileContent | None]
"""Path -> new content; None removes the file."""


@dataclass(frozen=True)
class Commit:
    """`date` is ISO 8601 in UTC."""

    sha: str
    tree: str
    parents: tuple[str, ...]
    author_name: str
    author_email: str
    date: str
    message: str


@dataclass(frozen=True)
class TreeEntry:
    mode: str
    type: str
    sha: str
    size: int | None
    path: str

    @property
    def content_type(self) -> str:
        return "dir" if self.type == "tree" else _TYPES.get(self.mode, "file")


@dataclass(frozen=True)
class ChangedFile:
    """One file of a diff. `patch` begins at the first hunk; None when git sees no text in it."""

    path: str
    previous_path: str | None
    status: FileStatus
    sha: str
    additions: int
    deletions: int
    patch: str | None


class GitRepository:
    """Objects never change, so everything that is asked by full sha is cached."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        if not (directory / "HEAD").exists():
            directory.mkdir(parents=True, exist_ok=True)
            self._run("init", "--quiet", "--bare", "--initial-branch=main")
        self.diff_text = functools.lru_cache(maxsize=256)(self._diff_text)
        self.changed_files = functools.lru_cache(maxsize=256)(self._changed_files)
        self.merge_base = functools.lru_cache(maxsize=1024)(self._merge_base)
        self.commit = functools.lru_cache(maxsize=4096)(self._commit)
        self.mapped_lines = functools.lru_cache(maxsize=1024)(self._line_shifts)

    def commit_changes(
        self,
        branch: str,
        changes: Changes,
        *,
        parent: str | None,
        message: str,
        author: tuple[str, str],
        when: float,
        merge_parent: str | None = None,
    ) -> str:
        """Commit `changes` on top of `parent`, move `branch` there and return the new sha.

        The branch moves also when it is no descendant, as a forced push does.
        """  # fmt: skip
        name, email = author
        stamp = f"{_identity(name)} <{_identity(email)}> {int(when)} +0000"
        lines = [f"commit refs/heads/{branch}", "mark :1", f"author {stamp}", f"committer {stamp}"]
        parts = ["\n".join(lines).encode() + b"\n", _data(message.encode())]
        if parent:
            parts.append(f"from {parent}\n".encode())
        if merge_parent:
            parts.append(f"merge {merge_parent}\n".encode())
        parts += [_change(path, content) for path, content in changes.items()]
        stream = b"".join(parts) + b"\nget-mark :1\n"
        done = self._run("fast-import", "--quiet", "--force", "--cat-blob-fd=1", stdin=stream)
        return done.decode().strip()

    def merge(self, base: str, head: str) -> str | None:
        """The tree of a merge of `head` into `base`; None on a conflict."""
        command = ["merge-tree", "--write-tree", base, head]
        done = self._start(command)
        return done.stdout.decode().split("\n")[0].strip() if done.returncode == 0 else None

    def commit_tree(
        self, tree: str, parents: Sequence[str], message: str, author: tuple[str, str], when: float
    ) -> str:
        """Commit a tree that is already stored; no ref moves."""
        arguments = ["commit-tree", tree, "-m", message]
        for parent in parents:
            arguments += ["-p", parent]
        identity = {
            "GIT_AUTHOR_NAME": author[0], "GIT_AUTHOR_EMAIL": author[1],
            "GIT_COMMITTER_NAME": author[0], "GIT_COMMITTER_EMAIL": author[1],
            "GIT_AUTHOR_DATE": f"@{int(when)} +0000", "GIT_COMMITTER_DATE": f"@{int(when)} +0000",
        }  # fmt: skip
        return self._run(*arguments, extra=identity).decode().strip()

    def set_ref(self, ref: str, sha: str) -> None:
        """`ref` in full, for example "refs/pull/7/head"."""
        self._run("update-ref", ref, sha)

    def delete_ref(self, ref: str) -> None:
        self._run("update-ref", "-d", ref)

    def fetch(self, other: GitRepository, source: str, target: str) -> None:
        """Bring the ref or sha `source` of another repository here as `target`."""
        self._run("fetch", "--quiet", "--no-tags", str(other.directory), f"+{source}:{target}")

    def clone_to(self, directory: Path) -> GitRepository:
        self._run("clone", "--quiet", "--bare", str(self.directory), str(directory))
        return GitRepository(directory)

    def resolve(self, revision: str) -> str | None:
        """The commit sha of a branch, tag, full ref or sha; None when there is none."""
        if not revision or revision.startswith("-") or ".." in revision or ":" in revision:
            return None
        for candidate in (f"refs/heads/{revision}", f"refs/tags/{revision}", revision):
            done = self._start(["rev-parse", "--verify", "--quiet", f"{candidate}^{{commit}}"])
            if done.returncode == 0:
                return done.stdout.decode().strip()
        return None

    def branches(self) -> dict[str, str]:
        """Branch name -> sha, by name."""
        out = self._run("for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads")
        pairs = (line.rsplit(" ", 1) for line in out.decode().splitlines())
        return dict(pairs)

    def log(self, *revisions: str, limit: int = 250) -> list[Commit]:
        """Commits reachable from `revisions` ("^sha" excludes), newest first."""
        out = self._run("rev-list", f"--max-count={limit}", *revisions)
        return [self.commit(sha) for sha in out.decode().split()]

    def count(self, *revisions: str) -> int:
        return int(self._run("rev-list", "--count", *revisions))

    def tree(self, revision: str, *, recursive: bool) -> list[TreeEntry]:
        """Entries of a commit's or tree's root. Raises GitError when there is none."""
        arguments = ["ls-tree", "-z", "-l", "--full-tree"]
        arguments += ["-r", "-t"] if recursive else []
        return _tree_entries(self._run(*arguments, revision))

    def entry(self, sha: str, path: str) -> TreeEntry | None:
        """The file, link, submodule or directory at `path` of a commit."""
        entries = _tree_entries(
            self._run("--literal-pathspecs", "ls-tree", "-z", "-l", "--full-tree", sha, path)
        )
        return entries[0] if entries else None

    def object_type(self, sha: str) -> str | None:
        done = self._start(["cat-file", "-t", sha])
        return done.stdout.decode().strip() if done.returncode == 0 else None

    def blob(self, sha: str) -> bytes:
        """Raises GitError when there is no such blob."""
        return self._run("cat-file", "blob", sha)

    def archive(self, sha: str, prefix: str) -> bytes:
        """A gzipped tar of a commit's files below `prefix`."""
        return self._run("archive", "--format=tar.gz", f"--prefix={prefix}", sha)

    def contains(self, ancestor: str, descendant: str) -> bool:
        done = self._start(["merge-base", "--is-ancestor", ancestor, descendant])
        return done.returncode == 0

    def _merge_base(self, base: str, head: str) -> str | None:
        done = self._start(["merge-base", base, head])
        return done.stdout.decode().strip() if done.returncode == 0 else None

    def _commit(self, sha: str) -> Commit:
        out = self._run("show", "-s", "--format=%T%x00%P%x00%an%x00%ae%x00%at%x00%B", sha).decode()
        tree, parents, name, email, at, message = out.split("\0", 5)
        date = datetime.fromtimestamp(int(at), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return Commit(sha, tree, tuple(parents.split()), name, email, date, message.rstrip("\n"))

    def _diff_text(self, base: str, head: str) -> bytes:
        return self._run("diff", *_DIFF_OPTIONS, "--full-index", base, head)

    def _changed_files(self, base: str, head: str) -> tuple[ChangedFile, ...]:
        """Every changed file between two commits, with its text patch."""
        raw = self._run("diff", *_DIFF_OPTIONS, "--raw", "--no-abbrev", "-z", base, head)
        sections = iter(_sections(self.diff_text(base, head)))
        fields = iter(raw.decode("utf-8", "replace").split("\0"))
        files = []
        for meta in fields:
            if not meta:
                break
            _, _, _, new_sha, status = meta.split(" ")
            old_path = next(fields)
            path = next(fields) if status[0] in "RC" else old_path
            # A changed type (file to link) is two sections: a deletion and an addition.
            parts = [next(sections) for _ in range(2 if status == "T" else 1)]
            sha = new_sha if set(new_sha) != {"0"} else meta.split(" ")[2]
            files.append(_changed_file(path, old_path, status, sha, parts))
        return tuple(files)

    def _line_shifts(self, old: str, new: str, path: str) -> tuple[tuple[int, int, int, int], ...]:
        """The hunks without context (old start, old count, new start, new count) of one file."""
        out = self._run(
            "--literal-pathspecs", "diff", "--no-color", "--no-ext-diff", "-U0", old, new,
            "--", path,
        )  # fmt: skip
        lines = out.decode("utf-8", "replace").split("\n")
        return tuple(hunk_numbers(line) for line in lines if line.startswith("@@ "))

    def _run(
        self, *arguments: str, stdin: bytes = b"", extra: Mapping[str, str] | None = None
    ) -> bytes:
        done = self._start(list(arguments), stdin, extra)
        if done.returncode != 0:
            raise GitError(done.stderr.decode("utf-8", "replace").strip())
        return done.stdout

    def _start(
        self, arguments: list[str], stdin: bytes = b"", extra: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        environment = {"PATH": os.environ.get("PATH", os.defpath), **_ENVIRONMENT, **(extra or {})}
        return subprocess.run(
            ["git", "-c", "core.quotePath=false", *arguments],
            cwd=self.directory, input=stdin, capture_output=True, env=environment, check=False,
        )  # fmt: skip


_DIFF_OPTIONS = ("--no-color", "--no-ext-diff", "--no-textconv", "-M")


def hunk_numbers(header: str) -> tuple[int, int, int, int]:
    """(old start, old count, new start, new count) of "@@ -1,2 +3 @@"; a missing count is 1."""
    old, new = header.split(" ", 3)[1:3]
    old_start, _, old_count = old[1:].partition(",")
    new_start, _, new_count = new[1:].partition(",")
    return int(old_start), int(old_count or 1), int(new_start), int(new_count or 1)


def _sections(diff: bytes) -> list[str]:
    """One text per file. Lines inside a hunk begin with a marker, so the header is unambiguous."""
    sections: list[list[str]] = []
    for line in diff.decode("utf-8", "replace").split("\n"):
        if line.startswith("diff --git "):
            sections.append([])
        if sections:
            sections[-1].append(line)
    return ["\n".join(lines) for lines in sections]


def _changed_file(
    path: str, old_path: str, status: str, sha: str, sections: list[str]
) -> ChangedFile:
    patches = [s[s.index("\n@@ ") + 1 :].rstrip("\n") for s in sections if "\n@@ " in s]
    marks = [line[:1] for patch in patches for line in patch.split("\n")]
    return ChangedFile(
        path=path,
        previous_path=old_path if old_path != path else None,
        status=_STATUSES[status[0]],
        sha=sha,
        additions=marks.count("+"),
        deletions=marks.count("-"),
        patch="\n".join(patches) if patches else None,
    )


def _tree_entries(out: bytes) -> list[TreeEntry]:
    entries = []
    for record in out.decode("utf-8", "replace").split("\0")[:-1]:
        meta, path = record.split("\t", 1)
        mode, kind, sha, size = meta.split()
        entries.append(TreeEntry(mode, kind, sha, None if size == "-" else int(size), path))
    return entries


def _change(path: str, content: bytes | str | FileContent | None) -> bytes:
    quoted = '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if content is None:
        return f"D {quoted}\n".encode()
    if isinstance(content, str):
        content = content.encode()
    if isinstance(content, bytes):
        content = FileContent(content)
    if content.mode == "160000":
        return f"M 160000 {content.data.decode()} {quoted}\n".encode()
    return f"M {content.mode} inline {quoted}\n".encode() + _data(content.data)


def _data(data: bytes) -> bytes:
    return f"data {len(data)}\n".encode() + data + b"\n"


def _identity(text: str) -> str:
    return "".join(c for c in text if c not in "<>\n")
