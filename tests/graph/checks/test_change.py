"""Checks on the change as a whole: companions, paths, manifests, size, headers, texts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from graph.checks.pull_request_text import PullRequestText
from graph.checks.specs import (
    Check,
    Dependency,
    ForbiddenPath,
    MaxDiffFiles,
    MaxDiffLines,
    RequiredCompanion,
    RequiredDescription,
    RequiredHeader,
    RequiredPattern,
    RequiredSection,
    RequiredTicket,
    TextFormat,
)
from tests.graph.checks.changes import run

TESTS = RequiredCompanion(("src/**",), ("tests/**",), "a test")
OWN_TEST = RequiredCompanion(("src/**/*.py", "!__init__.py"), ("tests/**/test_{stem}.py",))
MIGRATION = RequiredPattern(r"^def downgrade\(", "down step")


@pytest.mark.parametrize(
    ("check", "new", "old", "expected"),
    [
        (TESTS, {"src/a.py": "1\n"}, {}, ["src/a.py"]),
        (TESTS, {"src/a.py": "1\n", "src/b.py": "1\n"}, {}, ["src/a.py"]),
        (TESTS, {"src/a.py": "1\n", "tests/b.py": "1\n"}, {}, []),
        (TESTS, {"docs/a.md": "1\n"}, {}, []),
        (TESTS, {}, {"src/a.py": "1\n"}, []),
        (TESTS, {"src/a.py": "1\n"}, {"tests/b.py": "1\n"}, ["src/a.py"]),
        (OWN_TEST, {"src/a.py": "1\n", "src/b.py": "1\n", "tests/x/test_a.py": ""}, {},
         ["src/b.py"]),
        (OWN_TEST, {"src/__init__.py": "1\n"}, {}, []),
        (RequiredCompanion(("*.py",), ("CHANGELOG*",), only_new=True), {"a.py": "2\n"},
         {"a.py": "1\n"}, []),
        (ForbiddenPath((".env", "*.pem")), {".env": "x\n", "a/b.pem": "x\n", "env": "x\n"}, {},
         [".env", "a/b.pem"]),
        (ForbiddenPath(("migrations/**",), "modified"), {"migrations/1": "2\n"},
         {"migrations/1": "1\n"}, ["migrations/1"]),
        (ForbiddenPath(("migrations/**",), "modified"), {"migrations/2": "2\n"}, {}, []),
        (ForbiddenPath(("LICENSE",), "removed"), {}, {"LICENSE": "1\n"}, ["LICENSE"]),
        (MaxDiffLines(3), {"a": "1\n2\n3\n4\n"}, {}, [""]),
        (MaxDiffLines(4), {"a": "1\n2\n3\n4\n"}, {}, []),
        (MaxDiffLines(3), {"a": "3\n4\n"}, {"a": "1\n2\n"}, [""]),
        (MaxDiffLines(3, added_only=True), {"a": "3\n4\n"}, {"a": "1\n2\n"}, []),
        (MaxDiffFiles(1), {"a": "1\n", "b": "1\n"}, {}, [""]),
        (RequiredHeader("Copyright {year} Example"), {
            "a.py": "# Copyright 2024 Example\n", "b.py": "#!/bin/sh\n#\n# Copyright 2020-2024\n"
            "#   Example\n", "c.py": "x = 1\n", "d.py": ""}, {}, ["c.py"]),
        (RequiredHeader("SPDX-License-Identifier: MIT"), {
            "a.c": "/* SPDX-License-Identifier: MIT */\n", "b.c": "/* MIT */\n"}, {}, ["b.c"]),
        (MIGRATION, {"a.py": "def upgrade():\n 1\ndef downgrade():\n 1\n", "b.py": "x\n"}, {},
         ["b.py"]),
    ],
)  # fmt: skip
def test_change(
    check: Check, new: Mapping[str, str], old: Mapping[str, str], expected: list[str]
) -> None:
    result = run(check, new, old)
    assert [violation.path for violation in result.violations] == expected
    assert result.skipped == ()


MANIFESTS = [
    ("requirements.txt", "a==1.0\n# b\nc>=2\nd[x]==1.*\ne @ https://x.org/e.whl\n-r x.txt\nf\n",
     {"a": True, "c": False, "d": False, "e": True, "f": False}),
    ("requirements/dev.txt", "a==1.0 ; python_version > '3' \n", {"a": True}),
    ("pyproject.toml",
     ('[project]\nname = "x"\nkeywords = ["web"]\ndependencies = [\n  "a>=1",\n  "b==2.0",\n]\n'
     '[project.optional-dependencies]\nx = ["c", "d~=1"]\n[tool.poetry.dependencies]\n'
     'python = "^3"\ne = "^1"\nf = {version = "1.2.3", extras = ["x"]}\n[tool.x]\ne = 1\n'),
     {"a": False, "b": True, "c": False, "d": False, "e": False, "f": True}),
    ("package.json",
     ('{\n"name": "x", "version": "1.0.0",\n"dependencies": {\n"a": "^1.0.0",\n"b": "1.2.3"\n},\n'
     '"devDependencies": {"c": "~1", "d": "workspace:*"},\n"scripts": {"a": "run"}\n}\n'),
     {"a": False, "b": True, "c": False, "d": True}),
    ("Cargo.toml",
     ('[package]\nname = "x"\nversion = "1"\n[dependencies]\na = "1"\nb = { version = "=1.2.3" }\n'
     'c = { path = "../c" }\n[dev-dependencies.d]\nversion = "2"\n'),
     {"a": False, "b": True, "c": True, "d": False}),
    ("go.mod", ("module x\n\ngo 1.22\n\nrequire a.com/b v1.2.3\nrequire (\n\tc.com/d v0.1.0\n"
     "\te.com/f v1.0.0 // indirect\n)\n"), {"a.com/b": True, "c.com/d": True}),
    ("Gemfile", "gem 'a', '~> 1.0'\ngem \"b\", \"1.2.3\"\n# gem 'c'\ngem 'd', path: '../d'\n",
     {"a": False, "b": True, "d": True}),
    ("pom.xml", ("<project>\n<groupId>x</groupId>\n<dependency>\n<groupId>g</groupId>\n"
     "<artifactId>a</artifactId>\n<version>[1,2)</version>\n</dependency>\n<dependency>"
     "<groupId>g</groupId><artifactId>b</artifactId><version>1.0</version></dependency>\n"),
     {"g:a": False, "g:b": True}),
    ("build.gradle.kts", ('implementation("g:a:1.+")\ntestImplementation("g:b:1.0")\n'
     '// implementation("g:c:1")\nprintln("g:d:1")\n'), {"g:a": False, "g:b": True}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "pinned"), MANIFESTS)
def test_dependencies(path: str, text: str, pinned: dict[str, bool]) -> None:
    new = run(Dependency(no_new=True), {path: text}).violations
    assert [message.message.split("`")[1] for message in new] == list(pinned)
    loose = run(Dependency(pinned=True), {path: text}).violations
    wanted = [name for name, is_pinned in pinned.items() if not is_pinned]
    assert [message.message.split("`")[1] for message in loose] == wanted


def test_a_changed_version_is_no_new_dependency() -> None:
    old, new = {"requirements.txt": "a==1\nb==1\n"}, {"requirements.txt": "a==2\nb==1\nab==1\n"}
    found = run(Dependency(no_new=True), new, old).violations
    assert [(violation.line, violation.measured) for violation in found] == [(3, "==1")]


def test_allowed_and_denied_dependencies() -> None:
    text = {"requirements.txt": "Foo_Bar\nbaz\n"}
    assert [v.line for v in run(Dependency(allow=("foo-bar",)), text).violations] == [2]
    assert [v.line for v in run(Dependency(deny=("foo.bar",)), text).violations] == [1]
    go = {"go.mod": "module x\nrequire a.com/b/c v1.0.0\n"}
    assert [v.line for v in run(Dependency(deny=("a.com/b",)), go).violations] == [2]


def test_a_broken_manifest_is_a_named_skip() -> None:
    for path in ("package.json", "pyproject.toml", "Cargo.toml"):
        result = run(Dependency(no_new=True), {path: "{[" * 5_000})
        assert [skip.reason for skip in result.skipped] == ["unparsable_manifest"]


TITLE = TextFormat("title", style="conventional")


@pytest.mark.parametrize(
    ("check", "text", "found"),
    [
        (TITLE, PullRequestText(title="feat(api): add x"), 0),
        (TITLE, PullRequestText(title="fix!: y"), 0),
        (TITLE, PullRequestText(title="Add x"), 1),
        (TITLE, PullRequestText(title="feature: x"), 1),
        (TextFormat("title", style="conventional", types=("feature",)),
         PullRequestText(title="feature: x"), 0),
        (TextFormat("title", max_length=10), PullRequestText(title="x" * 11), 1),
        (TextFormat("title", pattern=r"^[A-Z]"), PullRequestText(title="lower"), 1),
        (TextFormat("title", pattern=r"\.$", forbidden=True), PullRequestText(title="End."), 1),
        (TextFormat("branch", pattern=r"^(feature|fix)/"), PullRequestText(branch="x/y"), 1),
        (TextFormat("commit", max_length=5), PullRequestText(
            commits=("12345\n\nlong body", "123456", "Merge branch 'x'")), 1),
        (TextFormat("commit", pattern="^Signed-off-by: "),
         PullRequestText(commits=("a\n\nSigned-off-by: B <b@c>", "b")), 1),
        (RequiredTicket(), PullRequestText(title="x", description="fixes #12"), 0),
        (RequiredTicket(), PullRequestText(title="AB-12 x", description=""), 0),
        (RequiredTicket(), PullRequestText(title="x", description="<!-- #12 -->"), 1),
        (RequiredTicket(("branch",)), PullRequestText(branch="AB-1-x"), 0),
        (RequiredSection(("Testing",)), PullRequestText(description="## Testing\nDone.\n"), 0),
        (RequiredSection(("Testing",)), PullRequestText(description="**testing:**\r\nYes\r\n"), 0),
        (RequiredSection(("Testing",)), PullRequestText(description="Testing\n---\nDone.\n"), 0),
        (RequiredSection(("Testing",)),
         PullRequestText(description="## Testing\n<!-- say how -->\n## Notes\nx"), 1),
        (RequiredSection(("Testing",)),
         PullRequestText(description="# Testing\n## By hand\nDone.\n"), 0),
        (RequiredSection(("A", "B")), PullRequestText(description="# A\nx\n"), 1),
        (RequiredDescription(), PullRequestText(description=" <!-- x -->\n"), 1),
        (RequiredDescription(20), PullRequestText(description="too short"), 1),
        (RequiredDescription(), PullRequestText(description="x"), 0),
    ],
)  # fmt: skip
def test_text(check: Check, text: PullRequestText, found: int) -> None:
    result = run(check, {"a.txt": "x\n"}, text=text)
    assert len(result.violations) == found
    assert all(violation.path == "" for violation in result.violations)
    assert result.skipped == ()


@pytest.mark.parametrize(
    "check",
    [TITLE, TextFormat("commit", max_length=5), RequiredTicket(), RequiredSection(("A",)),
     RequiredDescription()],
)  # fmt: skip
def test_an_unknown_text_is_a_named_skip(check: Check) -> None:
    result = run(check, {"a.txt": "x\n"})
    assert result.violations == ()
    assert [skip.reason.partition("_")[0] for skip in result.skipped] == ["unknown"]


def test_a_hostile_description_takes_no_time() -> None:
    text = PullRequestText(description=("# " + " " * 60_000 + "x\n<!--") * 3, title="#" * 60_000)
    run(RequiredSection(("A",)), {"a": "x\n"}, text=text)
    run(RequiredDescription(), {"a": "x\n"}, text=text)
    run(TITLE, {"a": "x\n"}, text=text)
