"""Small changes for tests of checks: diffs made from texts, and the rules that run on them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from graph.checks.pull_request_text import PullRequestText
from graph.checks.report import CheckResult, Rule
from graph.checks.run import run_checks
from graph.checks.specs import Check
from graph.diff import Diff, parse_diff


def diff_of(old: Mapping[str, str], new: Mapping[str, str]) -> Diff:
    """The diff between two trees of texts, in git's form."""
    sections = []
    for path in sorted({*old, *new}):
        before, after = old.get(path), new.get(path)
        if before != after:
            sections.append(_section(path, before, after))
    return parse_diff("".join(sections))


def _section(path: str, before: str | None, after: str | None) -> str:
    head = f"diff --git a/{path} b/{path}\n"
    if before is None:
        head += "new file mode 100644\n"
    if after is None:
        head += "deleted file mode 100644\n"
    names = ("/dev/null" if before is None else "a/x", "/dev/null" if after is None else "b/x")
    lines = difflib.unified_diff(_lines(before or ""), _lines(after or ""), *names, lineterm="\n")
    body = "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    return head + body


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def run(
    check: Check,
    new: Mapping[str, str],
    old: Mapping[str, str] | None = None,
    text: PullRequestText | None = None,
) -> CheckResult:
    """What one check finds on the change from `old` (nothing) to `new`, readable at the head."""
    rule = Rule("C1", check, lambda path: True)
    files = {path: content.encode() for path, content in new.items()}
    return run_checks(diff_of(old or {}, new), [rule], files.get, text)


def lines_found(check: Check, path: str, new: str, old: str | None = None) -> list[int | None]:
    """The lines of the violations in one file."""
    before = {} if old is None else {path: old}
    result = run(check, {path: new}, before)
    assert result.skipped == ()
    return [violation.line for violation in result.violations]
