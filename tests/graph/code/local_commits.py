"""Commits for tests: a dictionary of files as the source of an index."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graph.code.selection import Entry


def blob_sha(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@dataclass
class LocalCommit:
    """A commit whose files are at hand; `asked` are the paths whose content was fetched."""

    files: Mapping[str, bytes | str]
    commit_sha: str = "c" * 40
    modes: Mapping[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def content(self, path: str) -> bytes:
        content = self.files[path]
        return content.encode() if isinstance(content, str) else content

    def entries(self) -> Sequence[Entry]:
        return [
            Entry(path, blob_sha(content), len(content), self.modes.get(path, "100644"))
            for path in self.files
            for content in [self.content(path)]
        ]

    def contents(self, wanted: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
        told = set()
        for path, sha in wanted.items():
            if sha not in told:
                told.add(sha)
                self.asked.append(path)
                yield sha, self.content(path)
