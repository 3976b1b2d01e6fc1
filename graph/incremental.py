"""What of a diff is new since the last review: pushes, rebases, merges of the base."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import replace

from graph.diff import Diff, FileDiff, Hunk


def hunk_key(path: str, hunk: Hunk) -> str:
    """The same for the same change of the same file, wherever a rebase has moved it."""
    digest = hashlib.sha256(path.encode("utf-8", "replace"))
    for line in hunk.lines:
        if line.kind != "context":
            digest.update(f"\x1f{line.kind[0]}{line.text}".encode("utf-8", "replace"))
    return digest.hexdigest()[:16]


def hunk_keys(diff: Diff) -> dict[str, None]:
    """The keys of all hunks, in order and without repetition."""
    return {hunk_key(file.path, hunk): None for file in diff.files for hunk in file.hunks}


def unread_part(whole: Diff, read: Collection[str], since: Diff | None) -> Diff:
    """The hunks of `whole` that nobody has read, narrowed to what `since` shows of them.

    `read` holds the keys of hunks that were read. `since` is the diff from a head that was read
    completely to this one, or None when there is none, as after a force push.
    """
    files = []
    for file in whole.files:
        new = tuple(h for h in file.hunks if hunk_key(file.path, h) not in read)
        if new and since is not None and not since.incomplete:
            new = _narrowed(file, new, since.file(file.path))
        if new:
            files.append(replace(file, hunks=new))
    return replace(whole, files=tuple(files))


def read_part(whole: Diff, read: Collection[str]) -> Diff:
    """The other hunks: what was read before."""
    files = []
    for file in whole.files:
        hunks = tuple(h for h in file.hunks if hunk_key(file.path, h) in read)
        if hunks:
            files.append(replace(file, hunks=hunks))
    return replace(whole, files=tuple(files))


def keys_behind(whole: FileDiff, shown: Hunk) -> list[str]:
    """The keys of the whole diff's hunks that `shown`, a hunk or a part of one, belongs to."""
    return [hunk_key(whole.path, hunk) for hunk in whole.hunks if _overlap(hunk, shown)]


def _narrowed(file: FileDiff, new: tuple[Hunk, ...], since: FileDiff | None) -> tuple[Hunk, ...]:
    """The hunks of `since` that lie in `new`; all of `new` when a part of it stays unexplained."""
    if since is None or since.left_out:
        return new
    shown: list[Hunk] = []
    for hunk in new:
        inside = [h for h in since.hunks if _overlap(h, hunk) and _is_of(h, file)]
        if not inside:
            shown.append(hunk)
        shown += [h for h in inside if h not in shown]
    return tuple(shown)


def _is_of(hunk: Hunk, file: FileDiff) -> bool:
    """Whether the pull request itself made this change, and not a merge of its base."""
    added = [line.new_line for line in hunk.lines if line.kind == "added"]
    return not added or any(number in file.added_lines for number in added)


def _overlap(one: Hunk, other: Hunk) -> bool:
    first, second = _extent(one), _extent(other)
    return first.start < second.stop and second.start < first.stop


def _extent(hunk: Hunk) -> range:
    lines = hunk.new_lines
    return range(lines.start, max(lines.stop, lines.start + 1))
