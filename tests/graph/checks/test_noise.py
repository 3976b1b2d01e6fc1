"""Incidents: a check that was right by its letter and wrong for the team that stated the rule."""

from __future__ import annotations

import pytest

from graph.checks.parser import describe_parsed, parse_check
from graph.checks.pull_request_text import PullRequestText
from graph.checks.report import CheckResult
from graph.checks.specs import MaxFunctionLines, TextFormat
from tests.graph.checks.changes import lines_found, run


def _found(rule: str, path: str, text: str) -> list[int | None]:
    parsed = parse_check(rule)
    assert parsed is not None
    return lines_found(parsed.check, path, text)


def _run(rule: str, new: dict[str, str], text: PullRequestText | None = None) -> CheckResult:
    parsed = parse_check(rule)
    assert parsed is not None
    return run(parsed.check, new, text=text)


@pytest.mark.parametrize(
    "rule",
    [
        "CSS classes in kebab-case", "No console.log in *.vue", "Vue functions in camelCase",
        "No eval in HTML files", "Functions must be at most 50 lines in *.lua",
    ],
)  # fmt: skip
def test_a_rule_for_files_whose_syntax_nobody_reads_is_not_said_to_be_checked(rule: str) -> None:
    """ "CSS classes in kebab-case" became a check of classes in *.css, which could never find
    anything, and the model was told that the rule was checked already.
    """
    assert parse_check(rule) is None


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("Use f-strings instead of format()", "the method is meant, the built-in was flagged"),
        ("Don't use `filter()`", "built-in of Python, method of Django's and of JavaScript's"),
        ("All scripts must start with `set -euo pipefail`", "asked of every new file"),
        ("No new runtime dependencies", "asked of development dependencies too"),
        ("Use one space", "was a rule against tabs"),
    ],
)
def test_a_check_that_means_something_else_than_the_words(rule: str, why: str) -> None:
    """Each of these became a check; a wrong check is worse than none."""
    assert parse_check(rule) is None, why


@pytest.mark.parametrize(
    ("rule", "path", "text", "expected"),
    [
        ("Don't call `save()`", "a.py", "user.save()\nsave()\nself.save_all()\n", [1, 2]),
        ("Don't use `assertEquals()`", "a.py", "self.assertEquals(1, 1)\n", [1]),
        ("No `forEach()`", "a.ts", "items.forEach(f)\n", [1]),
        ("No print", "a.py", "logger.print(1)\nprint(1)\n", [2]),
        ("Never call `fetch()`", "a.ts", "this.api.fetch()\nfetch('/x')\n", [2]),
        ("No console.log", "a.py", "console.log('[bold]rich')\n", []),
        ("No console.log", "a.ts", "console.log(1)\n", [1]),
    ],
)
def test_a_plain_name_is_a_method_too_unless_a_language_has_it(
    rule: str, path: str, text: str, expected: list[int]
) -> None:
    """ "Don't use assertEquals()" never found `self.assertEquals(…)`, though it said it would; and
    "no console.log" was told of the console of rich, in Python.
    """
    assert _found(rule, path, text) == expected


def test_a_file_of_ones_own_is_not_the_package_of_that_name() -> None:
    """A team wraps axios in `./axios` and forbids the package: its own wrapper was flagged.
    "Don't import from `dist/`" on the other hand missed every "../dist/x".
    """
    text = "import a from './axios'\nimport b from 'axios'\nimport c from '../lib/axios'\n"
    assert _found("Never import axios", "a.ts", text) == [2]
    text = "import a from '../dist/x'\nimport b from './dist'\nimport c from './distance'\n"
    assert _found("Don't import from `dist/`", "a.ts", text) == [1, 2]


@pytest.mark.parametrize(
    "name",
    [
        "README.md", "LICENSE", "Dockerfile", "Makefile", "CONTRIBUTING.md", "package-lock.json",
        "docker-compose.yml", "CMakeLists.txt", "Cargo.toml", "app/migrations/0001_initial.py",
        ".github/PULL_REQUEST_TEMPLATE.md", "pages/[id].tsx",
    ],
)  # fmt: skip
def test_names_that_others_prescribe_are_not_ours_to_judge(name: str) -> None:
    """ "File names in snake_case" complained of README.md, Dockerfile and Django's migrations."""
    assert _run("File names in snake_case", {name: "x\n"}).violations == ()
    assert len(_run("File names in snake_case", {"src/FooBar.py": "x\n"}).violations) == 1


def test_a_methods_name_that_a_library_prescribes() -> None:
    text = "class V(A):\n  def visit_Name(self): 1\n  def do_GET(self): 1\n  def goOn(self): 1\n"
    assert _found("Use snake_case for function names", "a.py", text) == [4]
    text = 'revision = "1"\nAppName = "x"\n'
    assert _found("Constants in UPPER_CASE", "migrations/a.py", text) == [2]


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("a/migrations/0002_x.py", "class Migration(migrations.Migration): 1\n", 0),
        ("a/migrations/0003_x.py",
         "class Migration(migrations.Migration):\n  operations = [RunPython(f)]\n", 1),
        ("a/migrations/__init__.py", "# package\n", 0),
        ("db/migrate/1_x.rb", "class X < M\n  def change\n    add_column :a, :b\n  end\nend\n", 0),
        ("db/migrate/2_x.rb", "class X < M\n  def up\n    execute 'x'\n  end\nend\n", 1),
        ("migrations/lock.toml", 'provider = "x"\n', 0),
        ("migrations/1_x.sql", "create table x ();\n", 1),
        ("migrations/1_x.up.sql", "create table x ();\n", 1),
        ("migrations/1_x.down.sql", "drop table x;\n", 0),
    ],
)  # fmt: skip
def test_a_migration_that_its_tool_can_undo_needs_no_down_step(
    path: str, text: str, found: int
) -> None:
    """ "Migrations must be reversible" was told of every migration of Django and of Rails, and of
    both halves of golang-migrate's pairs.
    """
    assert len(_run("Migrations must be reversible", {path: text}).violations) == found


def test_both_halves_of_a_migration_are_there() -> None:
    pair = {"migrations/1_x.up.sql": "create table x ();\n", "migrations/1_x.down.sql": "drop x;\n"}
    assert _run("Migrations must be reversible", pair).violations == ()


def test_a_header_is_asked_of_source_files_only() -> None:
    """A licence header was asked of package.json, which can't hold one, and of README.md."""
    rule = "Every source file must start with `# SPDX-License-Identifier: MIT`"
    files = {"package.json": "{}\n", "README.md": "# x\n", "a.csv": "a\n", "b.ts": "let a = 1;\n"}
    assert [v.path for v in _run(rule, files).violations] == ["b.ts"]


def test_a_function_that_takes_its_types_from_a_variable_has_types() -> None:
    """ "All functions must have type annotations" asked `const f: Handler = (a) => …` for more, and
    every `__init__` for `-> None`, which type checkers let people leave out.
    """
    rule = "All functions must have type annotations"
    assert _found(rule, "a.ts", "const f: Handler = (a, b) => 1\nconst g = (a) => 1\n") == [2]
    text = "class A:\n    def __init__(self, x: int):\n        self.x = x\n    def g(self): 1\n"
    assert _found(rule, "a.py", text) == [4]


def test_a_docstring_that_stands_at_another_definition() -> None:
    """ "Every function must have a docstring" asked each overload for a copy of it, and stubs."""
    text = (
        "@overload\ndef f(a: int) -> int: ...\n@typing.overload\ndef f(a: str) -> str: ...\n"
        "class A:\n    @size.setter\n    def size(self, n): 1\n    @cache\n    def g(self): 1\n"
    )
    rule = "Every function must have a docstring"
    assert _found(rule, "a.py", text) == [9]
    assert _found(rule, "a.pyi", "def f() -> int: ...\n") == []


def test_a_function_is_too_long_only_when_it_grew() -> None:
    """Whoever fixed one line of an old function of 200 lines was told to make it shorter."""
    lines = ["def f():", *(f"    a{n} = {n}" for n in range(30)), ""]
    old = "\n".join(lines)
    check = MaxFunctionLines(20)
    assert lines_found(check, "a.py", old.replace("a5 = 5", "a5 = 6"), old) == []
    assert lines_found(check, "a.py", old.replace("def f():", "def f(a):"), old) == []
    assert lines_found(check, "a.py", old.replace("a5 = 5", "a5 = 6\n    b = 7"), old) != []
    assert lines_found(check, "a.py", old) == [1]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.md", "# TODO list\n- [ ] TODO: write\n<!-- TODO x -->\n", [2, 3]),
        ("a.yml", "key: TODO\nother: 1  # TODO x\n", [2]),
        ("a.html", "<h1>TODO app</h1>\n", []),
        ("notes.txt", "TODO: write this\n", [1]),
    ],
)
def test_prose_about_todos_is_no_todo(path: str, text: str, expected: list[int]) -> None:
    """ "No TODOs" was told of the title of a tutorial that builds a TODO app."""
    assert _found("No TODOs", path, text) == expected


@pytest.mark.parametrize(
    ("rule", "path", "text"),
    [
        ("No trailing whitespace", "fix.patch", " \n-a\n+b \n"),
        ("No trailing whitespace", "a.tsv", "a\tb\t\n"),
        ("No tabs", "a.tsv", "\tb\n"),
        ("No tabs", ".gitmodules", "\tpath = x\n"),
    ],
)
def test_white_space_that_is_content(path: str, rule: str, text: str) -> None:
    """A suggestion without the blank at the end of a context line breaks the patch it stands in."""
    assert _found(rule, path, text) == []


def test_what_git_and_github_wrote_is_not_a_persons_wording() -> None:
    """GitHub's own button for reverting made a title that no team's format allows."""
    text = PullRequestText(
        title='Revert "feat: add totals"',
        commits=('Revert "feat: add totals"', "Merge main into topic", "amend! feat: x"),
    )
    for place in ("title", "commit"):
        check = TextFormat.from_json({"place": place, "style": "conventional"})
        assert run(check, {"a": "b\n"}, text=text).violations == ()


def test_every_commit_is_every_commit() -> None:
    """One commit with a ticket was enough for a pull request of ten."""
    text = PullRequestText(commits=("Fix a, see #12", "Fix b", "Merge branch 'main' into x"))
    violations = _run("Every commit must reference an issue", {"a": "b\n"}, text).violations
    assert [v.message for v in violations] == [
        "The commit message `Fix b` names no ticket; the rule asks for one."
    ]


def test_tests_that_stand_beside_the_code_are_tests() -> None:
    rust = "fn f() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {}\n}\n"
    assert _run("Code changes need tests", {"src/lib.rs": rust}).violations == ()
    assert len(_run("Code changes need tests", {"src/lib.rs": "fn f() {}\n"}).violations) == 1


def test_a_size_that_is_not_the_one_on_the_page_says_so() -> None:
    """A dependency's update was "900 lines; the limit is 9", and with tests left out the number
    differed from the one GitHub shows, without a word.
    """
    parsed = parse_check("Keep PRs under 10 lines")
    assert parsed is not None
    whole = run(parsed.check, {"a.py": "x\n" * 20})
    assert whole.violations[0].message == "The pull request changes 20 lines; the limit is 9."
    bumped = run(parsed.check, {"a.py": "x\n" * 5, "web/yarn.lock": "x\n" * 900})
    assert bumped.violations == ()
    both = run(parsed.check, {"a.py": "x\n" * 12, "web/yarn.lock": "x\n" * 900})
    assert [v.message for v in both.violations] == [
        "The pull request changes 12 lines in the files that the rule counts; the limit is 9."
    ]


@pytest.mark.parametrize(
    ("rule", "path", "text", "message"),
    [
        ("No `any`", "a.ts", "let a: any\n", "This line has the type `any`; the rule allows none."),
        ("No wildcard imports", "a.py", "from a import *\n",
         "This line has a wildcard import; the rule allows none."),
        ("Migrations must be reversible", "migrations/a.sql", "create x;\n",
         "The file has no down step; the rule asks for one."),
        ("No TODOs", "a.py", "# TODO x\n", "This line has a `TODO`; the rule allows none."),
        ("All functions must have type hints", "a.py", "def f(a, b): 1\n",
         "`f` has no type for `a`, `b` and the value it returns; the rule asks for it."),
    ],
)  # fmt: skip
def test_a_message_is_a_sentence(rule: str, path: str, text: str, message: str) -> None:
    """ "This line is one of the the type `any`; the rule allows no the type `any`." """
    assert [v.message for v in _run(rule, {path: text}).violations] == [message]


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("Code changes need tests", "I'll flag changes of code without a test."),
        ("Every PR needs a changelog entry", "I'll flag pull requests without a changelog entry."),
        ("Every commit must reference an issue", "I'll flag commit messages without a ticket."),
        ("Functions must be at most 50 lines", "I'll flag functions that grow over 50 lines."),
        ("Functions take at most 1 parameter",
         "I'll flag changed signatures with more than 1 parameter."),
        ("Limit PRs to 1 file", "I'll flag pull requests that change more than 1 file."),
        ("All functions must have type annotations",
         "I'll flag new or changed signatures of functions without type annotations."),
        ("All functions must have type hints",
         ("I'll flag new or changed signatures of functions without type annotations in Python "
          "and PHP.")),
    ],
)  # fmt: skip
def test_the_answer_to_teaching_is_short_and_true(rule: str, sentence: str) -> None:
    """The first listed forty globs of file endings, the second spoke of "changes in `*`"."""
    parsed = parse_check(rule)
    assert parsed is not None
    assert describe_parsed(parsed) == sentence


@pytest.mark.parametrize(
    ("rule", "path", "text", "suggestions"),
    [
        ("No trailing whitespace", "a.yml", "x: |\n  a  \n", [None]),
        ("No trailing whitespace", "a.csv", "a,b \n", [None]),
        ("No trailing whitespace", "a.md", "one   \ntwo \n", [None, "two"]),
        ("Use single quotes", "a.py", '\ufeffx = "a"\n', [None]),
        ("Use single quotes", "a.py", 'x = "a"\x0c\n', [None]),
        ("Use single quotes", "a.py", 'x = "a"\n', ["x = 'a'"]),
    ],
)
def test_a_suggestion_changes_nothing_that_nobody_sees(
    rule: str, path: str, text: str, suggestions: list[str | None]
) -> None:
    """Applied, one shortened a text in YAML, one took a line break out of a document, and one
    depended on a byte order mark surviving a comment.
    """
    assert [v.suggestion for v in _run(rule, {path: text}).violations] == suggestions
