"""Checks on which files a change touches: companions, forbidden paths, the size of it all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from pathspec import GitIgnoreSpec

from graph.checks.report import Report
from graph.checks.spec import listed
from graph.checks.spec_change import ForbiddenPath, MaxDiffFiles, MaxDiffLines, RequiredCompanion
from graph.diff import Diff, FileDiff
from graph.generated import LOCK_FILES


def check_required_companion(check: RequiredCompanion, diff: Diff, report: Report) -> None:
    asking = _matching(check.when, [f for f in diff.files if report.rule.applies_to(f.path)])
    if "{stem}" not in "".join(check.needs):  # what is a companion itself asks for none
        companions = set(_paths_matching(check.needs, [f.path for f in asking]))
        asking = [f for f in asking if f.path not in companions]
    asking = [f for f in asking if _asks(check, f)]
    present = [f.path for f in diff.files if f.status != "removed"]
    if check.what == "a test" and any(_has_own_test(file) for file in diff.files):
        return
    for file in asking:
        needs = [_for_file(glob, file.path) for glob in check.needs]
        if _paths_matching(needs, [path for path in present if path != file.path]):
            continue
        what = check.what or f"a change in {listed(needs)}"
        verb = "is new" if file.status == "added" else "changes"
        report.at_file(file.path, f"This file {verb} without {what}.", measured=0, limit=1)
        if not any("{stem}" in glob for glob in check.needs):
            return  # one missing companion of the whole change is said once


def _has_own_test(file: FileDiff) -> bool:
    """Rust's unit tests stand in the file that they test."""
    return file.path.endswith(".rs") and any(
        re.match(r"\s*#\[(?:\w+::)?test\b", line.text) for line in file.added()
    )


def _asks(check: RequiredCompanion, file: FileDiff) -> bool:
    if file.status in ("removed", "mode"):
        return False
    if check.what == "a test" and file.hunks and _is_only_comment(file):
        return False
    is_pure_move = file.status == "renamed" and not file.hunks
    return file.status in ("added", "copied") if check.only_new else not is_pure_move


_COMMENT = re.compile(r"\s*(?:$|//|/\*|\*(?:\s|/|$)|--\s)")
_HASH_COMMENT = re.compile(r"\s*(?:$|#(?!\s*(?:include|define|if|else|endif|pragma|undef)\b))")


def _is_only_comment(file: FileDiff) -> bool:
    """Whether the change touches comments and blank lines alone."""
    changed = [line.text for line in file.lines() if line.kind != "context"]
    return all(_COMMENT.match(text) or _HASH_COMMENT.match(text) for text in changed)


def _for_file(glob: str, path: str) -> str:
    stem = re.sub(r"([*?\[\]!\\])", r"\\\1", PurePosixPath(path).stem)
    return glob.replace("{stem}", stem)


def _matching(globs: Sequence[str], files: Sequence[FileDiff]) -> list[FileDiff]:
    paths = set(_paths_matching(globs, [file.path for file in files]))
    return [file for file in files if file.path in paths]


def _paths_matching(globs: Sequence[str], paths: Sequence[str]) -> list[str]:
    wanted = GitIgnoreSpec.from_lines([glob for glob in globs if not glob.startswith("!")])
    unwanted = GitIgnoreSpec.from_lines([glob[1:] for glob in globs if glob.startswith("!")])
    return [p for p in paths if wanted.match_file(p) and not unwanted.match_file(p)]


def check_forbidden_path(check: ForbiddenPath, diff: Diff, report: Report) -> None:
    for file in _matching(check.globs, diff.files):
        change = _change(file)
        if report.rule.applies_to(file.path) and check.change in ("any", change):
            verb = {"added": "adds", "removed": "removes"}.get(change, "changes")
            message = f"The change {verb} this file; the rule allows none in {listed(check.globs)}."
            report.at_file(file.path, message, measured=change, limit=0)


def _change(file: FileDiff) -> str:
    """A file that comes to a path is added there, wherever it was before."""
    if file.status in ("added", "renamed", "copied"):
        return "added"
    return "removed" if file.status == "removed" else "modified"


def check_max_diff_lines(check: MaxDiffLines, diff: Diff, report: Report) -> None:
    files = [
        file
        for file in diff.files
        if report.rule.applies_to(file.path) and PurePosixPath(file.path).name not in LOCK_FILES
    ]
    count = sum(file.added_count for file in files)
    if not check.added_only:
        count += sum(file.removed_count for file in files)
    if count > check.limit:
        word = "adds" if check.added_only else "changes"
        where = _where(len(files), diff)
        message = f"The pull request {word} {count} lines{where}; the limit is {check.limit}."
        report.at_file("", message, measured=count, limit=check.limit)
    elif diff.incomplete or any(file.left_out == "too_large" for file in files):
        report.skip(("incomplete_diff", "some files came without their lines, so the size is open"))


def _where(counted: int, diff: Diff) -> str:
    """What GitHub's own number at the top of the page does not show."""
    return "" if counted == len(diff.files) else " in the files that the rule counts"


def check_max_diff_files(check: MaxDiffFiles, diff: Diff, report: Report) -> None:
    count = sum(1 for file in diff.files if report.rule.applies_to(file.path))
    if count > check.limit:
        where = _where(count, diff)
        message = f"The pull request changes {count} files{where}; the limit is {check.limit}."
        report.at_file("", message, measured=count, limit=check.limit)
