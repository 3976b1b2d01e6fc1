"""One commit of one repository, read from GitHub: its tree, single blobs, or the whole archive."""

from __future__ import annotations

import base64
import binascii
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO

from graph.code.repository import MAX_SOURCE_BYTES
from graph.code.selection import Entry
from workers.errors import Permanent
from workers.github_client import RepositoryClient

MAX_SINGLE_BLOBS = 40
"""More changed files than this come with the archive: one answer instead of a request each."""

MAX_ARCHIVE_BYTES = 500_000_000
"""Compressed, on disk for the time of the build."""

SPOOLED_BYTES = 8_000_000


class GithubCommit:
    """A `CommitSource` over a repository client, which decides what can be read."""

    def __init__(
        self,
        repository: RepositoryClient,
        commit_sha: str,
        still_ours: Callable[[], None] = lambda: None,
    ) -> None:
        self._repository = repository
        self._commit_sha = commit_sha
        self._still_ours = still_ours

    @property
    def commit_sha(self) -> str:
        return self._commit_sha

    def entries(self) -> Sequence[Entry]:
        """From one tree; one that GitHub cuts is read folder by folder."""
        answer = self._repository.get(f"/git/trees/{self._commit_sha}", recursive=1)
        if answer.get("truncated"):
            return list(self._walk(self._commit_sha, ""))
        return [_entry(item, "") for item in answer["tree"] if item["type"] != "tree"]

    def contents(self, wanted: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
        shas = dict.fromkeys(wanted.values())
        if len(shas) > MAX_SINGLE_BLOBS:
            yield from self._from_archive(wanted)
            return
        for sha in shas:
            self._still_ours()
            blob = self._repository.get(f"/git/blobs/{sha}")
            try:
                yield sha, base64.b64decode(str(blob["content"]))
            except binascii.Error as error:
                raise Permanent(
                    "GitHub sent a blob that is not base64.", reason="github_bad_answer"
                ) from error

    def _walk(self, sha: str, prefix: str) -> Iterator[Entry]:
        self._still_ours()
        for item in self._repository.get(f"/git/trees/{sha}")["tree"]:
            if item["type"] == "tree":
                yield from self._walk(item["sha"], f"{prefix}{item['path']}/")
            else:
                yield _entry(item, prefix)

    def _from_archive(self, wanted: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
        """Only regular files that were asked for, one after another, never unpacked to a disk."""
        told: set[str] = set()
        with tempfile.SpooledTemporaryFile(max_size=SPOOLED_BYTES) as file:
            self._repository.download(f"/tarball/{self._commit_sha}", file, MAX_ARCHIVE_BYTES)  # type: ignore[arg-type]
            file.seek(0)
            try:
                with tarfile.open(fileobj=file, mode="r|gz") as archive:
                    yield from self._members(archive, wanted, told)
            except (tarfile.TarError, EOFError, OSError) as error:
                raise Permanent(
                    "GitHub sent an archive that can't be read.", reason="github_bad_answer"
                ) from error

    def _members(
        self, archive: tarfile.TarFile, wanted: Mapping[str, str], told: set[str]
    ) -> Iterator[tuple[str, bytes]]:
        for member in archive:
            path = member.name.partition("/")[2]  # the top folder carries owner, name and sha
            sha = wanted.get(path)
            if sha is None or sha in told or not member.isreg():
                continue
            if member.size > 2 * MAX_SOURCE_BYTES:
                continue
            content: IO[bytes] | None = archive.extractfile(member)
            if content is not None:
                told.add(sha)
                yield sha, content.read(2 * MAX_SOURCE_BYTES)


def _entry(item: Mapping[str, object], prefix: str) -> Entry:
    return Entry(
        path=f"{prefix}{item['path']}",
        sha=str(item["sha"]),
        size=int(str(item.get("size") or 0)),
        mode=str(item["mode"]),
    )
