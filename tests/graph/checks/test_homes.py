"""A rule whose words are of one language says nothing about files of another."""

from __future__ import annotations

import pytest

from graph.checks.parser import describe_parsed, parse_check
from graph.checks.parser_proposals import ProposalError, validate_proposal
from graph.checks.specs import check_from_json, check_to_json
from tests.graph.checks.changes import run


def _paths_found(rule: str, files: dict[str, str]) -> list[str]:
    parsed = parse_check(rule)
    assert parsed is not None
    return [violation.path for violation in run(parsed.check, files).violations]


@pytest.mark.parametrize(
    ("rule", "mine", "other"),
    [
        ("Don't `except Exception`",
         ("a.py", "try:\n  f()\nexcept Exception:\n  g()\n"),
         ("A.java", "class A { void f() { try { g(); } catch (Exception e) { h(); } } }\n")),
        ("Avoid bare except clauses",
         ("a.py", "try:\n  f()\nexcept:\n  g()\n"), ("a.rb", "begin\n  f\nrescue\n  g\nend\n")),
        ("No empty catch blocks",
         ("a.ts", "try { f() } catch (e) {}\n"), ("a.py", "try:\n  f()\nexcept A:\n  pass\n")),
        ("Don't use `import *`",
         ("a.py", "from a import *\n"), ("A.java", "import a.b.*;\nclass A {}\n")),
        ("Never use `any`",
         ("a.ts", "let a: any = 1\n"), ("a.go", "package a\n\nvar b any\n")),
        ("Don't use println!",
         ("a.rs", 'fn f() { println!("a"); }\n'), ("a.kt", 'fun f() { println("a") }\n')),
        ("Never use `unwrap()`",
         ("a.rs", "fn f() { a.unwrap(); }\n"), ("a.ts", "await dispatch(f()).unwrap()\n")),
        ("Every function needs a docstring",
         ("a.py", "def f():\n  g()\n"), ("a.ts", "export function f() { g() }\n")),
        ("Public classes must have Javadoc",
         ("A.java", "public class A {}\n"), ("a.py", "class A: ...\n")),
        ("All functions must have type hints",
         ("a.py", "def f(a): ...\n"), ("a.ts", "function f(a) { return a }\n")),
    ],
)  # fmt: skip
def test_a_rule_is_of_the_language_whose_syntax_it_quotes(
    rule: str, mine: tuple[str, str], other: tuple[str, str]
) -> None:
    """ "Don't `except Exception`", said in a team with Python and Java, was told of `catch`."""
    assert _paths_found(rule, dict([mine, other])) == [mine[0]]


def test_words_that_several_languages_share_are_of_all_of_them() -> None:
    files = {"a.py": "print(1)\n", "a.swift": "print(1)\n"}
    assert _paths_found("No print", files) == ["a.py", "a.swift"]
    files = {"a.py": "from a import *\n", "A.java": "import a.b.*;\n"}
    assert _paths_found("No wildcard imports", files) == ["A.java", "a.py"]
    parsed = parse_check("Exported functions must have docstrings")
    assert parsed is not None
    assert "languages" not in check_to_json(parsed.check)


def test_a_language_that_is_named_comes_before_the_one_that_the_words_suggest() -> None:
    parsed = parse_check("No `any` in Go files")
    assert parsed is not None
    assert parsed.paths == ("*.go",)
    assert run(parsed.check, {"a.go": "package a\n\nvar b any\n"}).violations


def test_the_answer_names_the_language_and_the_place() -> None:
    parsed = parse_check("Avoid bare except clauses in src/")
    assert parsed is not None
    assert describe_parsed(parsed) == (
        "I'll flag added bare `except:` clauses in Python under src/."
    )


def test_what_a_model_proposes_is_bound_by_the_same_words() -> None:
    quote = "please stop writing `except Exception`, it hid two bugs"
    proposal = {"kind": "forbidden_syntax", "construct": "broad_except"}
    bound = {**proposal, "languages": ["python"]}
    assert validate_proposal(proposal, quote) == check_from_json(bound)
    assert validate_proposal(bound, quote) == check_from_json(bound)
    with pytest.raises(ProposalError):
        validate_proposal({**proposal, "languages": ["java"]}, quote)
