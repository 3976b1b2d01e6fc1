"""Where a rule holds: which words are cut out of it, and which globs they stand for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.conventions import Convention, Source
from graph.places import DOC_GLOBS, MIGRATION_GLOBS, TEST_GLOBS
from graph.scopes import Scope, parse_scope

_NOT_TESTS = tuple(f"!{glob}" for glob in TEST_GLOBS)


@pytest.mark.parametrize(
    ("text", "paths", "rest"),
    [
        ("In tests, don't sleep", TEST_GLOBS, "don't sleep"),
        ("Don't sleep in the test suite", TEST_GLOBS, "Don't sleep"),
        ("No magic numbers except in tests", _NOT_TESTS, "No magic numbers"),
        ("No magic numbers outside of migrations", tuple(f"!{g}" for g in MIGRATION_GLOBS),
         "No magic numbers"),
        ("Handle errors under src/", ("src/",), "Handle errors"),
        ("Only under `src/api/`: validate input", ("src/api/",), "validate input"),
        ("Validate input in the api folder", ("api/",), "Validate input"),
        ("Validate input in `api/` and `rpc/`", ("api/", "rpc/"), "Validate input"),
        ("No globals in Python", ("*.py", "*.pyi"), "No globals"),
        ("Python functions need a docstring", ("*.py", "*.pyi"), "functions need a docstring"),
        ("[Go] wrap errors", ("*.go",), "wrap errors"),
        ("TypeScript: no enums", ("*.ts", "*.tsx", "*.mts", "*.cts"), "no enums"),
        ("No enums (TypeScript only)", ("*.ts", "*.tsx", "*.mts", "*.cts"), "No enums"),
        ("No enums in *.ts files", ("*.ts",), "No enums"),
        ("In C# code, seal classes", ("*.cs",), "seal classes"),
        ("For SQL, spell keywords in capitals", ("*.sql",), "spell keywords in capitals"),
        ("Be brief (tests are exempt)", _NOT_TESTS, "Be brief"),
        ("No abbreviations, not in scripts", ("!scripts/",), "No abbreviations"),
        ("Be brief in Python under src/", ("**/src/**/*.py", "**/src/**/*.pyi"), "Be brief"),
        ("Be brief in lib/ except in docs", ("lib/", *(f"!{g}" for g in DOC_GLOBS)), "Be brief"),
        ("Except in setup.py, be brief", ("!setup.py",), "be brief"),
    ],
)  # fmt: skip
def test_scope_words_become_globs(text: str, paths: tuple[str, ...], rest: str) -> None:
    assert parse_scope(text) == Scope(paths, rest)


@pytest.mark.parametrize(
    "text",
    [
        "Be brief in core", "Everything is typed", "New tests go in tests/",
        "Write a test for every migration", "Put helpers in `lib/`", "Log in with a token",
        "Go for it in go", "Opt-in tests are slow", "Results must be in order",
        "Don't use C++ exceptions", "Add an entry in CHANGELOG.md", "in tests",
        "Be brief in a/ for b/ in c/", "Use the right words in `this` place", "",
        "Keep it in the same folder", "and/or", "Never in a million years",
    ],
)  # fmt: skip
def test_words_whose_files_are_not_certain_stay(text: str) -> None:
    assert parse_scope(text) == Scope((), text)


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("No sleeps in tests",
         ["tests/a.py", "pkg/tests/x/b.py", "test_a.py", "a_test.go", "src/a.spec.ts",
          "src/__tests__/a.js", "spec/a_spec.rb", "src/test/java/ATest.java"],
         ["src/a.py", "contest.py", "src/latest/a.ts", "attest_x.py"]),
        ("No sleeps except in tests", ["src/a.py"], ["tests/a.py", "pkg/test_a.py"]),
        ("No raw SQL outside migrations", ["app/views.py"],
         ["app/migrations/0001_initial.py", "db/migrate/1_a.rb"]),
        ("No sleeps in Python under src/", ["src/a.py", "src/x/a.py", "pkg/src/a.py"],
         ["a.py", "src/a.js"]),
        ("No sleeps in src/ except in `src/gen/`", ["src/a.py"], ["src/gen/a.py", "lib/a.py"]),
    ],
)  # fmt: skip
def test_the_globs_match_the_layouts_they_stand_for(
    text: str, inside: list[str], outside: list[str]
) -> None:
    paths = parse_scope(text).paths
    rule = Convention("C1", "other", text, Source("cli", "Ada"), paths=paths)
    assert [path for path in inside if not rule.applies_to(path)] == []
    assert [path for path in outside if rule.applies_to(path)] == []


@given(st.text(max_size=300))
def test_any_text_has_a_scope_and_loses_no_word_without_one(text: str) -> None:
    scope = parse_scope(text)
    assert scope.paths or scope.rest == text


def test_long_text_is_left_alone() -> None:
    text = "be brief in tests, " * 1_000
    assert parse_scope(text) == Scope((), text)
