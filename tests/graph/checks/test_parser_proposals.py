"""What a model proposes may not say more than the person said."""

from __future__ import annotations

from typing import Any

import pytest

from graph.checks.parser import ProposalError, parse_check, validate_proposal
from graph.checks.parser_proposals import literal_parts
from graph.checks.spec import CheckError
from graph.checks.specs import check_to_json
from tests.graph.checks.parser_table import CHECKABLE


@pytest.mark.parametrize(
    ("check", "quote"),
    [
        ({"kind": "max_line_length", "limit": 88}, "lines go up to eighty-eight columns, roughly"),
        ({"kind": "max_line_length", "limit": 99}, "stay under 100 columns"),
        ({"kind": "forbidden_call", "names": ["print"]}, "print() has no place here"),
        ({"kind": "forbidden_call", "names": [".unwrap"], "languages": ["rust"]},
         "an `unwrap` has burnt us twice"),
        ({"kind": "forbidden_text", "texts": ["FIXME now"]}, 'drop every "FIXME  now"'),
        ({"kind": "forbidden_import", "modules": ["lodash"]}, "we are done with lodash"),
        ({"kind": "forbidden_pattern", "pattern": r"\bfoo_\w+\("}, "foo_something() is out"),
        ({"kind": "forbidden_path", "globs": ["vendor/"]}, "hands off vendor/"),
        ({"kind": "forbidden_path", "globs": ["migrations/"]}, "leave the migrations alone"),
        ({"kind": "indentation", "style": "spaces"}, "tabs drive us mad"),
        ({"kind": "naming", "target": "function", "style": "snake_case"},
         "snake case for our functions, say I"),
        ({"kind": "text_format", "place": "title", "max_length": 60}, "titles: sixty characters"),
        ({"kind": "trailing_whitespace"}, "anything"),
    ],
)  # fmt: skip
def test_a_proposal_whose_literals_stand_in_the_quote(check: dict[str, Any], quote: str) -> None:
    assert check_to_json(validate_proposal(check, quote)) == check


@pytest.mark.parametrize(
    ("check", "quote", "missing"),
    [
        ({"kind": "max_line_length", "limit": 100}, "keep lines short", "100"),
        ({"kind": "max_line_length", "limit": 88}, "lines of 880 columns", "88"),
        ({"kind": "max_line_length", "limit": 99}, "at most 100 columns", "99"),
        ({"kind": "forbidden_call", "names": ["eval"]}, "the evaluation must be safe", "eval"),
        ({"kind": "forbidden_call", "names": ["print", "exec"]}, "no print here", "exec"),
        ({"kind": "forbidden_call", "names": ["print"], "instead": "logging"}, "no print",
         "logging"),
        ({"kind": "forbidden_pattern", "pattern": r"foo|bar\d"}, "no foo", "bar"),
        ({"kind": "forbidden_pattern", "pattern": "[xyz]oo"}, "no oo", "x"),
        ({"kind": "forbidden_path", "globs": ["src/secret/*.key"]}, "no keys", "src/secret"),
        ({"kind": "indentation", "style": "tabs"}, "indent properly", "tabs"),
        ({"kind": "forbidden_syntax", "construct": "goto"}, "keep jumps out", "goto"),
        ({"kind": "required_section", "headings": ["Risks"]}, "describe the testing", "Risks"),
    ],
)  # fmt: skip
def test_a_proposal_that_adds_to_the_words(check: dict[str, Any], quote: str, missing: str) -> None:
    with pytest.raises(ProposalError, match=missing) as caught:
        validate_proposal(check, quote)
    assert caught.value.reason == "literal_not_in_quote"


@pytest.mark.parametrize("check", [{}, {"kind": "nonsense"}, {"kind": "max_line_length"},
                                   {"kind": "max_line_length", "limit": "88"}])  # fmt: skip
def test_an_invalid_proposal_is_refused_as_such(check: dict[str, Any]) -> None:
    with pytest.raises(CheckError):
        validate_proposal(check, "the limit is 88 columns")


_SELF_CONTAINED = [
    row for row in CHECKABLE
    if not {"pattern", "when", "needs", "what"} & set(row[1])
]  # fmt: skip


@pytest.mark.parametrize("rule", [row[0] for row in _SELF_CONTAINED if row[0].isascii()])
def test_what_the_parser_reads_is_a_valid_proposal_for_the_same_words(rule: str) -> None:
    parsed = parse_check(rule)
    assert parsed is not None
    if "CamelCase" not in rule:  # "CamelCase" means PascalCase for types, and never says so
        assert validate_proposal(check_to_json(parsed.check), rule) == parsed.check


def test_literal_parts_of_patterns() -> None:
    assert list(literal_parts(r"^(?:feat|fix)\([a-z]+\): .{3,50}$")) == ["feat", "fix", "3", "50"]
    assert list(literal_parts(r"\bWIP\b|[A-Z0-9]+-\d+")) == ["WIP"]
    assert list(literal_parts(r"\p{Lu}x\.y")) == ["x", "y"]
