"""Incidents: places that a check told, which by the people who stated the rule are right."""

from __future__ import annotations

import pytest

from graph.checks.parser import parse_check
from graph.checks.pull_request_text import PullRequestText
from graph.checks.report import Rule
from graph.checks.run import run_checks
from graph.checks.specs import MaxLineLength
from graph.scopes import parse_scope
from tests.graph.checks.changes import diff_of, lines_found, run


def _told(rule: str, path: str, text: str) -> list[int | None]:
    parsed = parse_check(rule)
    assert parsed is not None
    return lines_found(parsed.check, path, text)


def _files(rule: str, new: dict[str, str], old: dict[str, str] | None = None) -> list[str]:
    parsed = parse_check(rule)
    assert parsed is not None
    return sorted({violation.path for violation in run(parsed.check, new, old).violations})


def _is_told(rule: str, text: PullRequestText) -> bool:
    parsed = parse_check(rule)
    assert parsed is not None
    return bool(run(parsed.check, {"a.py": "x\n"}, text=text).violations)


@pytest.mark.parametrize(
    ("rule", "path", "text", "expected"),
    [
        ("Use camelCase for functions", "a.tsx",
         "export function App() { return <p/> }\nconst Card = () => <p/>\nfunction do_it() {}\n",
         [3]),
        ("Use camelCase for functions", "a.js", "function App() {}\n", [1]),
        ("Use camelCase for functions", "a.go",
         "package a\n\nfunc Exported() {}\nfunc do_it() {}\nfunc TestA_b(t *testing.T) {}\n", [4]),
        ("Use camelCase for variables", "a.ts",
         "const API_URL = f()\nlet a_b = 1\nlet Big = 1\n", [2, 3]),
        ("Use camelCase for variables", "a.tsx",
         "const Page = lazy(() => import('./page'))\nlet a_b = 1\n", [2]),
        ("Constants in UPPER_CASE", "a.py",
         "count = 0\nlimit = 1\n\ndef f():\n    global count\n    count += 1\n", [2]),
        ("Constants in UPPER_CASE", "docs/conf.py", 'project = "a"\nauthor = "b"\n', []),
        ("Constants in UPPER_CASE", "A.java",
         "class A {\n  static final long serialVersionUID = 1L;\n  static final int foo = 1;\n}\n",
         [3]),
        ("Constants in UPPER_CASE", "page.ts",
         "export const dynamic = 'error'\nexport const limit = 1\n", [2]),
        ("Constants in UPPER_CASE", "a.cpp",
         "const int top = 1;\nvoid f() {\n  const auto size = 1;\n  constexpr int k = 2;\n}\n",
         [1, 4]),
    ],
)  # fmt: skip
def test_a_name_that_a_language_or_a_tool_asks_for(
    rule: str, path: str, text: str, expected: list[int]
) -> None:
    """JSX takes a small first letter for HTML, Go exports by a capital, Sphinx reads `project`."""
    assert _told(rule, path, text) == expected


def test_file_names_that_tools_gave() -> None:
    new = {"db/20240131120000_add_users.sql": "x\n", ".github/ISSUE_TEMPLATE/bug_report.md": "x\n",
           "src/my_page.ts": "x\n"}  # fmt: skip
    assert _files("File names must be kebab-case", new) == ["src/my_page.ts"]


def test_one_rule_of_several_things_tells_each_name_once() -> None:
    text = "def doIt(oneTwo):\n    threeFour = 1\n\nclass A:\n    def goOn(self): ...\n"
    rule = "Use snake_case for functions, methods and variables"
    assert _told(rule, "a.py", text) == [1, 5, 2]
    files = {"src/aB.py": "def doIt(): ...\n"}
    assert _files("Use snake_case for file names and functions", files) == ["src/aB.py"]


@pytest.mark.parametrize(
    ("rule", "path", "text", "expected"),
    [
        ("No tabs", "a.sh", "cat <<-END\n\ttext\n\tEND\n\tls\n", [4]),
        ("No tabs", "a.md", "```make\nall:\n\tls\n```\n\tx\n", [5]),
        ("Use tabs for indentation", "a.yaml", "a:\n  b: 1\n", []),
        ("Use tabs for indentation", "a.c", "/* one\n     two */\n  int x;\n", [3]),
        ("Never use `var`", "a.ts", "declare global {\n  var x: string\n}\nvar y = 1\n", [4]),
        ("No default exports", "vite.config.ts", "export default {}\n", []),
        ("No default exports", "app/shop/page.tsx", "export default function Page() {}\n", []),
        ("No default exports", "src/a.ts", "export default {}\n", [1]),
        ("No wildcard imports", "a.rs",
         "use super::*;\nuse rayon::prelude::*;\nuse crate::a::*;\n", [3]),
        ("Every function needs a doc comment", "a.rs", '#[doc = "x"]\nfn f() {}\nfn g() {}\n', [3]),
        ("All functions must have type annotations", "a.ts",
         "const a: A = { b(c) { return c } }\nfunction d(e) {}\n", [2]),
        ("Functions must be snake_case", "a.h",
         "class Foo {\n public:\n  Foo() {}\n};\nvoid doIt() {}\n", [5]),
        ("Interfaces must start with `I`", "a.ts",
         "declare global {\n  interface Window { a: 1 }\n}\ninterface Foo {}\n", [4]),
        ("All public functions must have docstrings", "a.py",
         "class _P:\n    def f(self): ...\n\ndef g(): ...\n", [4]),
        ("All public functions must have docstrings", "tests/conftest.py", "def db(): ...\n", []),
        ("All public classes must have docstrings", "a.py",
         "class A:\n    class Meta:\n        x = 1\n", [1]),
        ("Don't use the word \"master\"", "a.py", "# see https://a.b/blob/master/c\n# master\n",
         [2]),
        ("Don't use `# noqa`", "a.md", "Never write `# noqa`.\n", []),
        ("Don't use `# noqa`", "a.py", "x = 1  # noqa\n", [1]),
    ],
)  # fmt: skip
def test_code_that_only_looks_like_a_violation(
    rule: str, path: str, text: str, expected: list[int]
) -> None:
    assert _told(rule, path, text) == expected


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.yaml", 'url: http://a/TODO\nkey: 1 # TODO b\n', [2]),
        ("a.sql", "select '-- TODO a';\nselect 1; -- TODO b\n", [2]),
        ("a.html", "<h1># TODO</h1>\n<!-- TODO b -->\n", [2]),
    ],
)  # fmt: skip
def test_a_todo_is_in_a_comment(path: str, text: str, expected: list[int]) -> None:
    """ "//TODO" in an address and "-- TODO" in a string were taken for comments."""
    assert _told("No TODOs", path, text) == expected


@pytest.mark.parametrize("path", ["a.py", "a.sql"])
def test_a_todo_names_its_ticket_where_its_comment_ends(path: str) -> None:
    mark = "#" if path == "a.py" else "--"
    long = f"{mark} TODO: a long story\n{mark} that ends here, see #12\n"
    bare = f"{mark} TODO: a\nx\n{mark} about #12\n"
    rule = "TODOs must reference a ticket"
    assert _told(rule, path, long) == []
    assert _told(rule, path, bare) == [1]


def test_rusts_own_tests_are_tests() -> None:
    """ "Never use unwrap() outside tests" was told of every `#[cfg(test)]` module."""
    text = (
        "fn f() { a.unwrap(); }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
        "    #[test]\n    fn g() { b.unwrap(); }\n}\n"
    )
    rule = "Never use `unwrap()` outside tests"
    parsed = parse_check(rule)
    assert parsed is not None
    assert parse_scope(rule).paths == parsed.paths
    for applies, expected in ((lambda p: "tests/" not in p, [1]), (lambda p: True, [8, 1])):
        diff = diff_of({}, {"src/a.rs": text})
        files = {"src/a.rs": text.encode()}
        result = run_checks(diff, [Rule("C1", parsed.check, applies)], files.get)
        assert sorted(v.line or 0 for v in result.violations) == sorted(expected)


def test_lines_that_nobody_can_break() -> None:
    long = "x" * 100
    check = MaxLineLength(88)
    table = f"| {long} |\n[a link](https://a.b/{long})\n{'word ' * 20}\n"
    assert lines_found(check, "a.md", table) == [3]
    data = dict.fromkeys(("a.json", "a.csv", "a.ipynb", "a.po", "a.svg"), f'"{long}"\n')
    assert run(check, data).violations == ()
    rule = Rule("C1", check, lambda path: path.endswith(".json"))  # a rule for JSON says so
    result = run_checks(diff_of({}, data), [rule], lambda path: data[path].encode())
    assert [violation.path for violation in result.violations] == ["a.json"]


def test_a_changelog_is_longer_than_any_file_of_code() -> None:
    new = dict.fromkeys(("CHANGELOG.md", "data.json", "a.py", "a.scss"), "x\n" * 9)
    assert _files("Files must be at most 5 lines", new) == ["a.py", "a.scss"]


def test_a_companion_asks_for_no_companion() -> None:
    """A pull request that wrote a changelog entry, and nothing else, was told to write one."""
    rule = "Every pull request must update the changelog"
    for name in ("CHANGELOG.md", "packages/a/ChangeLog", ".changeset/a.md", "docs/release-notes.md",
                 "doc/source/whatsnew/v2.rst", "history.rst"):  # fmt: skip
        assert _files(rule, {name: "x\n"}) == []
        assert _files(rule, {name: "x\n", "a.py": "x\n"}) == []
    assert _files(rule, {"a.py": "x\n"}) == ["a.py"]


def test_what_nobody_writes_a_test_for() -> None:
    rule = "Every code change must come with tests"
    for name in ("setup.py", ".eslintrc.cjs", "vite.config.ts", "docs/conf.py", "a.stories.tsx"):
        assert _files(rule, {name: "x\n"}) == []
    assert _files(rule, {"a.py": "# new\nx = 1\n"}, {"a.py": "# old\nx = 1\n"}) == []
    assert _files(rule, {"a.py": "# new\nx = 2\n"}, {"a.py": "# old\nx = 1\n"}) == ["a.py"]
    for name in ("app/tests.py", "cypress/e2e/a.cy.ts", "e2e/a.ts"):
        assert _files(rule, {"a.py": "x\n", name: "x\n"}) == []


@pytest.mark.parametrize(
    ("rule", "fine", "wrong"),
    [
        ("Branch names must contain a ticket number", {"branch": "fix/abc-123-login"},
         {"branch": "fix/login"}),
        ("Branch names must start with a ticket number", {"branch": "12-login"},
         {"branch": "login"}),
        ("Branch names must start with `feature/`", {"branch": "dependabot/npm/a-2"},
         {"branch": "login"}),
        ("Commit messages must follow Conventional Commits",
         {"commits": ("Bump a from 1.0 to 2.0", "Apply suggestions from code review")},
         {"commits": ("Bump the price",)}),
        ("PR titles must not end with a period", {"title": "Wait for it..."}, {"title": "Wait."}),
        ("PR descriptions must have a \"Test plan\" section",
         {"description": "**Test plan:** ran it"}, {"description": "**Test plan:**\n"}),
    ],
)  # fmt: skip
def test_texts_as_people_and_bots_write_them(
    rule: str, fine: dict[str, str], wrong: dict[str, str]
) -> None:
    assert not _is_told(rule, PullRequestText(**fine))  # type: ignore[arg-type]
    assert _is_told(rule, PullRequestText(**wrong))  # type: ignore[arg-type]


def test_a_peer_is_a_range() -> None:
    text = '{\n"peerDependencies": {\n"react": "^18"\n},\n"dependencies": {\n"a": "^1"\n}\n}\n'
    assert _told("Pin all dependencies", "package.json", text) == [6]
