"""The grammar of commands: what is one, what is nearly one, and what is plain language."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.commands import Command, NotACommand, UnknownCommand, ids_in, parse_command


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("list", Command("list")),
        ("conventions", Command("list")),
        ("list the rules please", Command("list")),
        ("what are our conventions?", Command("list")),
        ("list naming", Command("list", topic="naming")),
        ("show c7", Command("show", ("C7",))),
        ("show #C7", Command("show", ("C7",))),
        ("Forget C7, C8 and O3", Command("forget", ("C7", "C8", "O3"))),
        ("delete C7", Command("forget", ("C7",))),
        ("restore C007", Command("restore", ("C7",))),
        ("undo that", Command("undo")),
        ("approve C9", Command("approve", ("C9",))),
        ("dismiss C9", Command("dismiss", ("C9",))),
        ("history C7", Command("history", ("C7",))),
        ("export", Command("export", argument="markdown")),
        ("export json", Command("export", argument="json")),
        ("import docs/rules.md", Command("import", argument="docs/rules.md")),
        ("import", Command("import")),
        ("review", Command("review")),
        ("review this PR again please", Command("review")),
        ("review\n\nI pushed the fixes.", Command("review")),
        ("why C3?", Command("why", ("C3",))),
        ("why?", Command("why")),
        ("cancel", Command("cancel")),
        ("pause", Command("pause")),
        ("resume reviews", Command("resume")),
        ("help", Command("help")),
        ("link acme/api", Command("link", argument="acme/api")),
        ("link <https://github.com/acme/api|acme/api>", Command("link", argument="acme/api")),
        ("unlink", Command("unlink")),
        ("login", Command("login")),
        ("repo:acme/api list", Command("list", repository="acme/api")),
        ("remember: Max is 88", Command("add", text="Max is 88")),
        (
            "add “Never log tokens” --paths src/** tests/** --topic logging",
            Command("add", text="Never log tokens", paths=("src/**", "tests/**"), topic="logging"),
        ),
        (
            "add don't use --force —mode ignore",
            Command("add", text="don't use --force", mode="ignore"),
        ),
        ("edit C7 to: at most 100", Command("edit", ("C7",), "at most 100")),
        ("edit C7 --paths src/**", Command("edit", ("C7",), paths=("src/**",))),
    ],
)  # fmt: skip
def test_a_command_is_read(text: str, expected: Command) -> None:
    assert parse_command(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "list comprehensions are better here", "show me the diff", "help me understand this",
        "why did you flag this?", "review the auth code carefully", "update the docs",
        "remove unused imports", "import this", "pause between retries should be 5 s",
        "cancel the timer when the component unmounts", "x" * 20_000,
    ],
)  # fmt: skip
def test_plain_language_is_no_command(text: str) -> None:
    assert parse_command(text) == NotACommand()


@pytest.mark.parametrize(
    ("text", "suggestion", "words"),
    [
        ("lits", "list", 'Did you mean "list"?'),
        ("forgt C7", "forget", 'Did you mean "forget C7"?'),
        ("delete 88 rule", "forget", 'Say which one: "delete C7"'),
        ("forget 7", "forget", 'Did you mean "forget C7"?'),
        ("show", "show", "show C7"),
        ("edit the naming rule", "edit", "edit C7"),
        ("add", "add", "Write the rule after it"),
        ("link somewhere", "link", "link owner/name"),
        ("export yaml", "export", "export json"),
        ('add "x" --topic colours', None, "The topics are line_length"),
    ],
)
def test_a_slip_is_suggested_and_not_executed(
    text: str, suggestion: str | None, words: str
) -> None:
    parsed = parse_command(text)
    assert isinstance(parsed, UnknownCommand)
    assert parsed.suggestion == suggestion
    assert words in parsed.help


def test_ids_are_found_in_words_and_not_inside_others() -> None:
    assert ids_in("C3, c12 and #O4 but not src/C5.py, ABC6 or C7x; C3") == ("C3", "C12", "O4")
    assert ids_in("C3を削除") == ("C3",)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_parses_to_something(text: str) -> None:
    parsed = parse_command(text)
    if isinstance(parsed, UnknownCommand):
        assert parsed.help
