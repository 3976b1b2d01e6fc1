"""Reading diffs: what git can print, what GitHub sends, and what neither should have sent."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.diff import Diff, FileDiff, file_from_patch, parse_diff

GIT = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "core.quotepath=off"]
GIT += ["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"]


def git(folder: Path, *words: str) -> bytes:
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    answer = subprocess.run(
        [*GIT, "-C", str(folder), *words], check=True, capture_output=True, env=environment
    )
    return answer.stdout


def by_path(diff: Diff) -> dict[str, FileDiff]:
    return {file.path: file for file in diff.files}


@pytest.fixture(scope="module")
def every_kind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with staged changes of every kind that a diff can show."""
    folder = tmp_path_factory.mktemp("every_kind")
    git(folder, "init", "-q")
    old = {
        "a b.txt": b"x\n-- c\n++ d\n",
        "tab\there": b"x\n",
        'q"\\x\n.txt': b"1\n",
        "bin": b"\0\1",
        "mode.sh": b"x\n",
        "mode and text.sh": b"x\n",
        "deleted": b"x\ny",
        "crlf": b"a\r\nb\r\n",
        "form feed": b"a\x0cb\nc\n",
        "b/x b/x": b"1\n",
        "gone empty": b"",
        "old/é.txt": b"1\n2\n3\n" * 10,
        "copied": b"4\n5\n6\n" * 10,
        "latin": b"\xe9\n",
    }
    for path, data in old.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    (folder / "link").symlink_to("x")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "1")
    new = {
        "a b.txt": b"x\n++ e\n",
        "tab\there": b"y\n",
        'q"\\x\n.txt': b"2\n",
        "bin": b"\0\2",
        "mode and text.sh": b"y\n",
        "crlf": b"a\nb\r\n",
        "form feed": "a\u2028b\nc\x0c\n".encode(),
        "b/x b/x": b"2\n",
        "copied": b"4\n5\n6\n" * 10 + b"7\n",
        "copy of it": b"4\n5\n6\n" * 10,
        "latin": b"\xe8\n",
        "new empty": b"",
    }
    for path, data in new.items():
        (folder / path).write_bytes(data)
    (folder / "deleted").unlink()
    (folder / "gone empty").unlink()
    (folder / "link").unlink()
    (folder / "link").symlink_to("y")
    for path in ("mode.sh", "mode and text.sh"):
        (folder / path).chmod(0o755)
    git(folder, "mv", "old/é.txt", "old/è.txt")
    git(folder, "add", "-A")
    sha = git(folder, "rev-parse", "HEAD").decode().strip()
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{sha},sub module")
    return folder


@pytest.mark.parametrize("options", [[], ["--no-prefix"], ["-U0"], ["--binary"], ["--full-index"]])
def test_every_kind_of_change_is_told_apart(every_kind: Path, options: list[str]) -> None:
    diff = parse_diff(git(every_kind, "diff", "--cached", "-M", "-C", *options))
    assert diff.incomplete == ""
    seen = {file.path: (file.status, file.left_out, bool(file.hunks)) for file in diff.files}
    renames = {"new empty": seen.pop("new empty"), "gone": seen.pop("gone empty", None)}
    assert renames["new empty"][0] in ("added", "renamed", "copied")
    assert seen == {
        "a b.txt": ("modified", "", True),
        "tab\there": ("modified", "", True),
        'q"\\x\n.txt': ("modified", "", True),
        "bin": ("modified", "binary", False),
        "mode.sh": ("mode", "mode_only", False),
        "mode and text.sh": ("modified", "", True),
        "deleted": ("removed", "", True),
        "crlf": ("modified", "", True),
        "form feed": ("modified", "", True),
        "b/x b/x": ("modified", "", True),
        "copied": ("modified", "", True),
        "copy of it": ("copied", "", False),
        "latin": ("modified", "", True),
        "link": ("modified", "", True),
        "old/è.txt": ("renamed", "", False),
        "sub module": ("submodule", "submodule", False),
    }
    files = by_path(diff)
    assert files["old/è.txt"].old_path == "old/é.txt"
    assert files["copy of it"].old_path == "copied"
    assert files["link"].new_mode == "120000"
    assert files["mode.sh"].new_mode == "100755"


def test_lines_keep_what_splitlines_would_break(every_kind: Path) -> None:
    files = by_path(parse_diff(git(every_kind, "diff", "--cached")))
    texts = {path: [line.text for line in file.lines()] for path, file in files.items()}
    assert texts["a b.txt"] == ["x", "-- c", "++ d", "++ e"]
    assert texts["form feed"] == ["a\x0cb", "c", "a\u2028b", "c\x0c"]
    assert texts["crlf"] == ["a\r", "a", "b\r"]
    assert texts["latin"] == ["\ufffd", "\ufffd"]
    assert [line.ends_without_newline for line in files["deleted"].lines()] == [False, True]
    removed = [line.old_line for line in files["a b.txt"].lines() if line.kind == "removed"]
    assert removed == [2, 3]


def test_a_type_change_is_spoken_of_as_what_is_there_now(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a").write_text("text\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "1")
    (tmp_path / "a").unlink()
    (tmp_path / "a").symlink_to("b")
    git(tmp_path, "add", "-A")
    file = parse_diff(git(tmp_path, "diff", "--cached")).file("a")
    assert file is not None
    assert (file.status, file.new_mode) == ("added", "120000")


def test_a_merge_commit_is_named_as_unparsable() -> None:
    text = "diff --cc a.txt\nindex 1,2..3\n--- a/a.txt\n+++ b/a.txt\n@@@ -1 -1 +1 @@@\n- x\n"
    (file,) = parse_diff(text).files
    assert (file.path, file.left_out, file.hunks) == ("a.txt", "unparsable", ())


def test_a_plain_diff_of_another_tool() -> None:
    text = "--- old/x.c\t2020-01-01\n+++ new/x.c\t2020-01-02\n@@ -1 +1 @@\n-a\n+b\n"
    (file,) = parse_diff(text).files
    assert [(line.kind, line.text) for line in file.lines()] == [("removed", "a"), ("added", "b")]
    (file,) = parse_diff("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n").files
    assert (file.path, file.status) == ("x", "added")


def test_a_cut_section_does_not_spoil_the_others() -> None:
    good = "diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n"
    cut = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n-x\n"
    digits = "diff --git a/c b/c\n--- a/c\n+++ b/c\n@@ -" + "9" * 5_000 + " +1 @@\n-x\n+y\n"
    files = by_path(parse_diff(cut + good + digits))
    assert {path: file.left_out for path, file in files.items()} == {
        "a": "unparsable",
        "b": "",
        "c": "unparsable",
    }
    assert parse_diff("").files == ()
    assert parse_diff("no diff at all\n").incomplete
    assert parse_diff("diff --git nothing\n").incomplete


PIECES = """\
diff --git a/x b/x|--- a/x|+++ b/x|@@ -1 +1 @@|@@ -1,2 +3,4 @@ f|-a|+a| a||rename from x|
rename to y|Binary files a/x and b/x differ|new file mode 160000|old mode 1|
index 1..2 100644|GIT binary patch|Submodule x 1234567..1234567:|
diff --cc x|\u2028|\r|\ud800|\\ No newline at end of file"""
PIECES_OF_DIFFS = [piece.strip("\n") for piece in PIECES.split("|")]


@given(st.lists(st.sampled_from(PIECES_OF_DIFFS) | st.text(max_size=10), max_size=20))
def test_no_text_makes_the_parser_raise(lines: list[str]) -> None:
    diff = parse_diff("\n".join(lines))
    assert all(file.path for file in diff.files)
    file = file_from_patch("x", None, "modified", "\n".join(lines))
    assert file.path == "x"


@pytest.mark.parametrize(
    ("status", "patch", "counts", "expected"),
    [
        ("added", "@@ -0,0 +1 @@\n+a", (1, 0), ("added", "")),
        ("removed", "@@ -1 +0,0 @@\n-a", (0, 1), ("removed", "")),
        ("renamed", None, (0, 0), ("renamed", "")),
        ("renamed", "@@ -1 +1 @@\n-a\n+b", (1, 1), ("renamed", "")),
        ("changed", None, (0, 0), ("mode", "mode_only")),
        ("changed", "@@ -1 +1 @@\n-a\n+b", (1, 1), ("modified", "")),
        ("modified", None, (900, 2), ("modified", "too_large")),
        ("modified", None, (0, 0), ("modified", "binary")),
        ("modified", "", (0, 0), ("modified", "binary")),
        ("modified", "@@ -1,9 +1 @@\n-a", (0, 1), ("modified", "unparsable")),
        ("from the future", "@@ -1 +1 @@\n-a\n+b", (1, 1), ("modified", "")),
        ("modified", f"@@ -1 +1 @@\n-Subproject commit {'a' * 40}\n+Subproject commit {'b' * 40}",
         (1, 1), ("submodule", "submodule")),
    ],
)  # fmt: skip
def test_one_file_of_githubs_list(
    status: str, patch: str | None, counts: tuple[int, int], expected: tuple[str, str]
) -> None:
    added, removed = counts
    file = file_from_patch("new", "old", status, patch, additions=added, deletions=removed)
    assert (file.status, file.left_out, file.path, file.old_path) == (*expected, "new", "old")
    if file.hunks:
        assert (file.added_count, file.removed_count) == counts


def test_an_empty_file_of_githubs_list_is_no_binary() -> None:
    blob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert file_from_patch("a", None, "added", None, blob_sha=blob).left_out == ""


def test_githubs_patch_has_no_line_feed_at_its_end() -> None:
    patch = "@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file"
    file = file_from_patch("a", None, "modified", patch)
    assert [(line.text, line.ends_without_newline) for line in file.lines()] == [
        ("a", True),
        ("a", False),
        ("b", True),
    ]
