"""Where a comment may stand: against an own reading of GitHub's rules on what git prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.anchors import (
    Anchor,
    anchor_for_line,
    anchor_for_range,
    is_valid,
)
from graph.checks.report import Rule
from graph.checks.run import run_checks
from graph.checks.specs import FinalNewline, ForbiddenPattern, MaxFileLines, TrailingWhitespace
from graph.diff import file_from_patch, parse_diff
from tests.graph.test_diff import git

Place = tuple[str, int, int]
"""Side, line and hunk."""


def githubs_places(patch: bytes) -> set[Place]:
    """The lines of one file's patch that take a comment, read as plainly as can be.

    RIGHT are added and context lines by new number, LEFT removed ones by old number; a hunk's
    lengths say where it ends.
    """
    places: set[Place] = set()
    lines = iter(patch.split(b"\n"))
    hunk = 0
    for line in lines:
        head = re.match(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", line)
        if not head:
            continue
        hunk += 1
        old, new = int(head[1]), int(head[3])
        old_left = 1 if head[2] is None else int(head[2])
        new_left = 1 if head[4] is None else int(head[4])
        while old_left or new_left:
            mark = next(lines)[:1]
            if mark == b"-":
                places.add(("LEFT", old, hunk))
            if mark in (b"+", b" "):
                places.add(("RIGHT", new, hunk))
            old, old_left = (old + 1, old_left - 1) if mark in (b"-", b" ") else (old, old_left)
            new, new_left = (new + 1, new_left - 1) if mark in (b"+", b" ") else (new, new_left)
    return places


def refused(places: set[Place], anchor: Anchor) -> bool:
    """Whether GitHub would answer 422 for the comment."""
    hunks = {hunk for side, line, hunk in places if (side, line) == (anchor.side, anchor.line)}
    if anchor.start_line is None:
        return not hunks
    starts = {
        hunk for side, line, hunk in places if (side, line) == (anchor.side, anchor.start_line)
    }
    return anchor.start_line >= anchor.line or not hunks & starts


def sections(output: bytes) -> Iterator[bytes]:
    """The output of one `git diff`, file by file; no line of a hunk begins with "diff"."""
    return (part for part in re.split(rb"(?m)^(?=diff --git )", output) if part)


LINES = (
    "", "a", "b", "c ", "-- c", "++ d", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "\\ No newline",
    "diff --git a/x b/x", "\x0c", "x\x0cy", "\u2028", "é", "漢字", "\r", "tail\r", "\t",
)  # fmt: skip
NAMES = (
    "a", "b c", "d/e", "é", "tab\tx", 'q"uote', "back\\slash", "new\nline", "-- c", "b/b b/b", " x",
)  # fmt: skip


def random_tree(random: Random) -> dict[str, str]:
    names = random.sample(NAMES, random.randint(0, 5))
    return {name: random_text(random) for name in names}


def random_text(random: Random) -> str:
    if random.random() < 0.1:
        return "\0\1"
    lines = random.choices(LINES, k=random.randint(0, 12))
    return "\n".join(lines) + random.choice(["", "\n"])


CASES_PER_PROCESS = 100
"""Each case is a pair of folders below one tree, so that one git process prints many."""


@pytest.mark.slow
@pytest.mark.timeout(300)
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    random=st.randoms(use_true_random=True),
    context=st.sampled_from(["-U0", "-U1", "-U3", "-U8"]),
)
def test_git_diffs_of_random_trees(
    tmp_path_factory: pytest.TempPathFactory, random: Random, context: str
) -> None:
    """2,000 pairs of trees: git's words and ours name the same places, and none is refused."""
    cases = [(random_tree(random), random_tree(random)) for _ in range(CASES_PER_PROCESS)]
    folder = tmp_path_factory.mktemp("trees")
    for number, (old, new) in enumerate(cases):
        write(folder / "old" / str(number), old)
        write(folder / "new" / str(number), new)
    output = diff_of_folders(folder, context)
    diff = parse_diff(output)
    assert diff.incomplete == ""
    patches = list(sections(output))
    assert len(patches) == len(diff.files)
    heads = {f"{number}/{path}": text.encode() for number, (_, new) in enumerate(cases)
             for path, text in new.items()}  # fmt: skip
    for file, patch in zip(diff.files, patches, strict=True):
        assert file.left_out in ("", "binary")
        places = githubs_places(patch)
        for line in file.lines():
            if line.new_line is not None:
                anchor = anchor_for_line(file, line.new_line)
                assert anchor is not None
                assert not refused(places, anchor)
            elif line.old_line is not None:
                anchor = Anchor(file.path, line.old_line, "LEFT")
                assert is_valid(diff, anchor)
                assert not refused(places, anchor)
        assert len(places) == sum(1 for _ in file.lines())
        for line in file.added():
            head = heads[file.path].decode().split("\n")
            assert line.new_line is not None
            assert head[line.new_line - 1] == line.text
    by_path = {file.path: githubs_places(patch)
               for file, patch in zip(diff.files, patches, strict=True)}  # fmt: skip
    checks = (TrailingWhitespace(), FinalNewline(), ForbiddenPattern("."), MaxFileLines(2))
    rules = [Rule(f"C{n}", check, lambda path: True) for n, check in enumerate(checks)]
    for violation in run_checks(diff, rules, heads.get).violations:
        if violation.anchor is not None:
            assert is_valid(diff, violation.anchor)
            assert not refused(by_path[violation.path], violation.anchor)


def write(folder: Path, tree: Mapping[str, str]) -> None:
    folder.mkdir(parents=True)
    for path, text in tree.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())


def diff_of_folders(folder: Path, context: str) -> bytes:
    """What git prints between two commits that hold the old and the new folders."""
    git(folder, "init", "-q", "--bare", "store")
    trees = []
    for side in ("old", "new"):
        work = [f"--git-dir={folder / 'store'}", f"--work-tree={folder / side}"]
        git(folder, *work, "add", "-A", "--force", str(folder / side))
        trees.append(git(folder, *work, "write-tree").decode().strip())
    return git(folder / "store", "diff", "-M", context, *trees)


ONE = file_from_patch("a", None, "modified", "@@ -1,3 +1,3 @@\n x\n-y\n+z\n w\n@@ -9 +9 @@\n-p\n+q")


@pytest.mark.parametrize(
    ("start", "end", "anchor"),
    [
        (1, 3, Anchor("a", 3, start_line=1)),
        (2, 2, Anchor("a", 2)),
        (3, 9, None),
        (3, 1, None),
        (4, 4, None),
        (0, 1, None),
    ],
)
def test_a_range_lies_in_one_hunk(start: int, end: int, anchor: Anchor | None) -> None:
    assert anchor_for_range(ONE, start, end) == anchor


def test_context_is_no_place_on_the_left() -> None:
    diff = parse_diff("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n")
    assert is_valid(diff, Anchor("a", 2, "LEFT"))
    assert not is_valid(diff, Anchor("a", 1, "LEFT"))
    assert not is_valid(diff, Anchor("b", 1))
    assert not is_valid(diff, Anchor("a", 3))
