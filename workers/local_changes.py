"""The changes of a local git repository, whatever its own settings say about diffs."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from graph.checks.pull_request_text import PullRequestText
from graph.diff import Diff, parse_diff
from workers.cli import UsageError

# A person's git settings may change prefixes, call other programs or paint the text.
_GIT = ("git", "-c", "core.quotepath=off", "-c", "diff.mnemonicPrefix=false")
_DIFF = (
    "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "--find-renames",
    "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/", "-U3",
)  # fmt: skip


class LocalChanges:
    """What `git diff` shows for a range. Raises UsageError when git can't read it.

    An empty range is the working tree against the last commit, with untracked files; `is_staged`
    is the index against it.
    """

    def __init__(self, directory: Path, wanted: str, *, is_staged: bool = False) -> None:
        if wanted.startswith("-"):
            raise UsageError(f"{wanted!r} is no range; write for example main...HEAD.")
        if wanted and is_staged:
            raise UsageError("Write a range or --staged, not both.")
        self._directory = directory
        self._wanted = wanted
        self._is_staged = is_staged

    def diff(self) -> Diff:
        if self._is_staged:
            return parse_diff(self._git(*_DIFF, "--cached", self._last_commit, "--"))
        if self._wanted:
            return parse_diff(self._git(*_DIFF, self._wanted, "--"))
        return self._diff_with_untracked()

    def read(self, path: str) -> bytes | None:
        """A file as it is on the new side."""
        if self._is_staged:
            return self._blob(f":{path}")
        head = self._new_side
        if head is not None:
            return self._blob(f"{head}:{path}")
        file = self._root / path
        return file.read_bytes() if file.is_file() and not file.is_symlink() else None

    def text(self) -> PullRequestText:
        """The branch, and the commit messages of a range; title and description are not known."""
        branch = self._git("rev-parse", "--abbrev-ref", "HEAD", may_fail=True).decode().strip()
        commits = None
        if ".." in self._wanted:
            old, _, new = self._wanted.replace("...", "..").partition("..")
            log = self._git("log", "--format=%B%x00", f"{old or 'HEAD'}..{new or 'HEAD'}", "--")
            texts = log.decode(errors="replace").split("\0")
            commits = tuple(text.strip() for text in texts if text.strip())
        return PullRequestText(branch=branch if branch != "HEAD" else None, commits=commits)

    def _diff_with_untracked(self) -> Diff:
        """In a copy of the index every new file is noted, so that git shows it as added."""
        with tempfile.TemporaryDirectory(prefix="precedent-") as scratch:
            copy = Path(scratch) / "index"
            index = self._directory / os.fsdecode(
                self._git("rev-parse", "--git-path", "index").rstrip(b"\n")
            )
            if index.exists():
                shutil.copyfile(index, copy)
            environment = {"GIT_INDEX_FILE": str(copy)}
            self._git("add", "--intent-to-add", "--", f"{self._root}", environment=environment)
            return parse_diff(self._git(*_DIFF, self._last_commit, "--", environment=environment))

    @cached_property
    def _root(self) -> Path:
        return Path(os.fsdecode(self._git("rev-parse", "--show-toplevel").rstrip(b"\n")))

    @cached_property
    def _last_commit(self) -> str:
        """HEAD, or the empty tree in a repository without commits."""
        known = self._git("rev-parse", "--verify", "--quiet", "HEAD", may_fail=True).strip()
        if known:
            return "HEAD"
        return self._git("hash-object", "-t", "tree", os.devnull).decode().strip()

    @property
    def _new_side(self) -> str | None:
        """The revision that holds the new side; None for the working tree."""
        if ".." in self._wanted:
            return self._wanted.rsplit("..", 1)[1].lstrip(".") or "HEAD"
        return None

    def _blob(self, name: str) -> bytes | None:
        done = self._run("cat-file", "blob", name)
        return done.stdout if done.returncode == 0 else None

    def _git(
        self,
        *arguments: str,
        may_fail: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> bytes:
        done = self._run(*arguments, environment=environment)
        if done.returncode and not may_fail:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            about = repr(self._wanted) if self._wanted else str(self._directory.resolve())
            raise UsageError(f"git can't read {about}: {said[0] if said else 'it says nothing'}")
        return done.stdout

    def _run(
        self, *arguments: str, environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                [*_GIT, *arguments],
                cwd=self._directory,
                capture_output=True,
                check=False,
                env={**os.environ, **(environment or {})},  # noqa: TID251  no setting is read
            )
        except FileNotFoundError as error:
            missing = "git" if self._directory.is_dir() else str(self._directory)
            raise UsageError(f"There is no {missing} here.") from error
        except NotADirectoryError as error:
            raise UsageError(f"{self._directory} is no directory.") from error
