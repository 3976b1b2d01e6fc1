"""Between real releases, the checks name the same added lines as ruff and pycodestyle."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from graph.checks.report import Rule
from graph.checks.run import run_checks
from graph.checks.specs import (
    Check,
    FinalNewline,
    ForbiddenCall,
    ForbiddenImport,
    Indentation,
    MaxLineLength,
    TrailingWhitespace,
)
from graph.diff import Diff, parse_diff
from tests.graph.test_diff import git
from tests.real_diffs.fetch import CACHE, RELEASES, folder_of

LIMIT = 88
BANNED = ("typing", "os.path", "warnings", "collections.abc", "io", "urllib")
Places = set[tuple[str, int]]


@dataclass(frozen=True)
class Release:
    """The change from one release to the next: its Python files and their diff."""

    name: str
    folder: Path
    diff: Diff

    @cached_property
    def added(self) -> Places:
        return {(file.path, line) for file in self.diff.files for line in file.added_lines}

    def text(self, path: str) -> str:
        return (self.folder / path).read_bytes().decode("utf-8", "replace")

    def line(self, place: tuple[str, int]) -> str:
        return self.text(place[0]).split("\n")[place[1] - 1].rstrip("\r")

    def found(self, check: Check) -> Places:
        rule = Rule("C1", check, lambda path: path.endswith(".py"))
        result = run_checks(self.diff, [rule], lambda path: (self.folder / path).read_bytes())
        assert result.skipped == ()
        return {(v.path, v.line or 0) for v in result.violations}

    def ruff(self, *codes: str) -> Places:
        command = [sys.executable, "-m", "ruff", "check", "--isolated", "--preview", "--no-cache"]
        command += [
            "--ignore-noqa",
            "--exit-zero",
            "--output-format=json",
            f"--select={','.join(codes)}",
        ]
        command += [f"--line-length={LIMIT}", "--target-version=py38"]
        table = ", ".join(f'"{name}" = {{msg = "x"}}' for name in BANNED)
        command += ["--config", f"lint.flake8-tidy-imports.banned-api = {{{table}}}"]
        answer = subprocess.run([*command, "."], capture_output=True, check=True, cwd=self.folder)
        places = set()
        for finding in json.loads(answer.stdout):
            if finding["code"] in codes:
                path = Path(finding["filename"]).relative_to(self.folder.resolve())
                places.add((path.as_posix(), finding["location"]["row"]))
        return places & self.added

    def pycodestyle(self, codes: str) -> Places:
        command = [sys.executable, "-m", "pycodestyle", f"--select={codes}"]
        command += [f"--max-line-length={LIMIT}", "--exclude=.git", "."]
        answer = subprocess.run(
            command, capture_output=True, check=False, cwd=self.folder, text=True
        )
        assert answer.stderr == ""
        found = re.findall(r"^\./(.+?):(\d+):", answer.stdout, re.MULTILINE)
        return {(path, int(line)) for path, line in found} & self.added


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> list[Release]:
    known = [
        (name, folder_of(CACHE, name, old), folder_of(CACHE, name, new))
        for name, old, new in RELEASES
        if folder_of(CACHE, name, old).is_dir() and folder_of(CACHE, name, new).is_dir()
    ]
    if len(known) < 5:
        pytest.skip("no real releases here: run `python -m tests.real_diffs.fetch` first")
    return [
        Release(name, new, diff_between(tmp_path_factory.mktemp(name), old, new))
        for name, old, new in known
    ]


def diff_between(folder: Path, old: Path, new: Path) -> Diff:
    git(folder, "init", "-q", "--bare", "store")
    trees = []
    for side in (old, new):
        where = [f"--git-dir={folder / 'store'}", f"--work-tree={side}"]
        git(folder, *where, "add", "-A", "--force", str(side))
        trees.append(git(folder, *where, "write-tree").decode().strip())
    diff = parse_diff(git(folder / "store", "diff", *trees))
    return Diff(tuple(file for file in diff.files if file.path.endswith(".py")), diff.incomplete)


def test_there_are_enough_real_diffs(releases: list[Release]) -> None:
    assert sum(len(release.diff.files) for release in releases) >= 30
    assert sum(len(release.added) for release in releases) >= 2_000
    assert all(not release.diff.incomplete for release in releases)


def test_line_length_is_ruffs_but_for_its_named_exemptions(releases: list[Release]) -> None:
    """Ruff lets pass what no line break shortens; our rule says "over 88" and means it."""
    total = 0
    for release in releases:
        ours, theirs = release.found(MaxLineLength(LIMIT)), release.ruff("E501")
        total += len(theirs)
        assert theirs - ours == set()
        extra = [release.line(place) for place in ours - theirs]
        assert [line for line in extra if not is_exempt_in_ruff(line)] == []
    assert total >= 10


PRAGMA = re.compile(r"\s*#\s*(?:type:|noqa|pyright:|pylint:|pragma|flake8:|isort:|ruff:|nosec).*")


def is_exempt_in_ruff(line: str) -> bool:
    """Without a pragma at its end it fits, is one word, or ends in a URL that begins in time."""
    line = PRAGMA.sub("", line)
    words = line.split()
    if columns(line) <= LIMIT or len(words) <= 1 or (len(words) == 2 and words[0] == "#"):
        return True
    return "://" in words[-1] and columns(line) - columns(words[-1]) <= LIMIT


def columns(text: str) -> int:
    wide = sum(1 for character in text if unicodedata.east_asian_width(character) in "WF")
    return len(text.expandtabs(4)) + wide


def test_trailing_white_space(releases: list[Release]) -> None:
    for release in releases:
        ours = release.found(TrailingWhitespace())
        assert ours == release.ruff("W291", "W293")
        assert ours == release.pycodestyle("W291,W293")


def test_tabs(releases: list[Release]) -> None:
    for release in releases:
        assert release.found(Indentation("spaces")) == release.ruff("W191")


def test_final_newline(releases: list[Release]) -> None:
    for release in releases:
        assert release.found(FinalNewline()) == release.ruff("W292")


def test_print_calls(releases: list[Release]) -> None:
    total = 0
    for release in releases:
        theirs = release.ruff("T201")
        total += len(theirs)
        assert release.found(ForbiddenCall(("print",))) == theirs
    assert total >= 3


def test_banned_imports(releases: list[Release]) -> None:
    """Compared by statement. Ruff tells of uses of a banned name too, which are left out here;
    and a name added to an import that was there is new to us, but not on a line that ruff names.
    """
    total = 0
    for release in releases:
        statements = imports_of(release)
        ours = {statements[place] for place in release.found(ForbiddenImport(BANNED))}
        named = {place for place in release.ruff("TID251") if place in statements}
        theirs = {statements[place] for place in named}
        total += len(theirs)
        assert theirs - ours == set()
        assert (ours - theirs) & release.added == set()
    assert total >= 10


def imports_of(release: Release) -> dict[tuple[str, int], tuple[str, int]]:
    """The first line of the import statement by each of its lines."""
    return {
        (file.path, line): (file.path, start)
        for file in release.diff.files
        if file.status != "removed"
        for line, start in import_lines(release.text(file.path))
    }


def import_lines(text: str) -> Iterator[tuple[int, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                yield line, node.lineno
