# ruff: noqa: E501
"""What holds for any message: exact quotes, no rule out of quoted text, bounded time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.teaching import interpret

PIECES = st.sampled_from(
    [
        "remember", "that", "never", "always", "forget", "C3", "should be", "no,", "actually,", "88",
        "100", "\n", "\n\n", "- ", "> ", "```", "`code`", "~~", "<!--", "-->", "**", "the", "rule", ":",
        "from now on", "line length", ". ", ", and ", "use tabs", "?", "on this PR", "ignore", "记住：",
        "每行最多88个字符", "覚えてください", "recuerda que", "merk dir:", "“quoted”", "\u200b", "\u00a0",
        "@precedent", "<@U012ABCDEF>", "&gt;", "1)", "2)", "\x00", "İ", "ß", "😀",
    ]
)  # fmt: skip


def quotes(message: str) -> list[str]:
    said = interpret(message, handle="precedent")
    return [t.quote for t in said.teachings] + [s.quote for s in said.standing]


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES | st.text(max_size=8), max_size=40), st.sampled_from(["", " "]))
def test_every_quote_stands_in_the_message(pieces: list[str], space: str) -> None:
    message = space.join(pieces)
    for quote in quotes(message):
        assert quote in message
        assert quote.strip()


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES.filter(lambda p: "`" not in p and "<!--" not in p), max_size=15))
def test_text_inside_a_fence_never_teaches(pieces: list[str]) -> None:
    inside = " ".join(pieces)
    assert quotes(f"Look:\n```\n{inside}\n```\n") == []
    quoted = "\n".join("> " + line for line in inside.splitlines())
    assert quotes(f"Look:\n{quoted}\n") == []


@pytest.mark.parametrize(
    "piece",
    ["remember that we ", "a. ", "- use x\n", " ", "x", "`", "> a\n", "<!--", "```\n", "*a ", "<pre ",
     "rule: no ", "never use x and y\n", "行の長さは", "记住每行，", "&gt;", "~~a~~ ", "\r", "1) ", "from now on "],
)  # fmt: skip
def test_a_long_message_is_read_in_bounded_time(piece: str) -> None:
    message = (piece * 20_000)[:20_000]
    interpret(message, handle="precedent")
    started = time.process_time()
    interpret(message, handle="precedent")
    # A quadratic pattern takes seconds here; the margin is for a busy machine.
    assert time.process_time() - started < 0.5


def test_an_everyday_message_takes_a_few_milliseconds() -> None:
    message = "@precedent please remember that the maximum line length is 88 characters. Thanks!"
    interpret(message, handle="precedent")
    taken = []
    for _ in range(5):
        started = time.process_time()
        interpret(message, handle="precedent")
        taken.append(time.process_time() - started)
    assert min(taken) < 0.02


def test_the_numbers_of_a_correction_are_told_apart() -> None:
    (teaching,) = interpret("raise the line length from 88 to 100", handle="precedent").teachings
    assert (teaching.value, teaching.replaces) == ("100", "88")


def test_a_command_that_changes_a_rule_carries_the_rule() -> None:
    said = interpret('@precedent add "Never log tokens" --paths src/**', handle="@precedent")
    assert said.command is not None
    assert (said.kind, said.command.name) == ("command", "add")
    assert [(t.quote, t.paths) for t in said.teachings] == [("Never log tokens", ("src/**",))]


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("add never use print", "never use print"),
        ("add use logging, not print", "use logging, not print"),
        ("add the maximum line length is 100", "the maximum line length is 100"),
        ("add no print in src", "no print in src"),
        ("add a rule that says never use print", "never use print"),
        ("add a rule saying that we use tabs", "we use tabs"),
        ("add tests for the parser", None),
        ("add a changelog entry, we always have one", None),
        ("add use cases to the docs", None),
        ("add no-op handling here", None),
        ("add no more comments", None),
        ("who added a rule that says never use print?", None),
    ],
)
def test_add_before_a_rule_is_the_command(words: str, rule: str | None) -> None:
    """Help and every list name `add`, and "add never use print" in a mention saved nothing."""
    said = interpret(f"@precedent {words}", handle="precedent")
    assert [t.quote for t in said.teachings] == ([] if rule is None else [rule])


def test_forgetting_by_id_names_the_target() -> None:
    (teaching,) = interpret("@precedent forget c3 please", handle="precedent").teachings
    assert (teaching.kind, teaching.target_id, teaching.quote) == ("forget", "C3", "c3")


def test_a_rule_longer_than_what_is_matched_is_quoted_whole() -> None:
    rule = "services never call each other " + "and so on " * 100 + "the end"
    (teaching,) = interpret(f"remember: {rule}", handle="precedent").teachings
    assert teaching.quote == rule


@pytest.mark.parametrize("length", [57, 58, 59, 60, 400])
def test_a_long_rule_is_never_cut_where_a_word_ends(length: int) -> None:
    """A rule whose 300th character was a space was saved without all that followed."""
    rule = "word " * length + "end"
    (teaching,) = interpret(f"remember: {rule}", handle="precedent").teachings
    assert teaching.quote == rule


def test_a_word_that_looks_like_a_slip_is_no_slip() -> None:
    """ "every" was read as a slip of "never", so that descriptions became prohibitions."""
    for words in ("every test ran twice", "newer versions work", "Fever dreams, this code"):
        assert interpret(words, handle="precedent").teachings == ()


def test_an_answer_to_ones_own_question_argues_and_teaches_nothing() -> None:
    """What was meant against a finding became an active rule at once."""
    assert interpret("why? We never use print here.", handle="precedent").teachings == ()
    taught = interpret("why? Remember: we never use print here.", handle="precedent").teachings
    assert [t.quote for t in taught] == ["we never use print here"]


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("remember:", "unknown_command"),
        ("new rule:\n```\nuse tabs\n```", "unknown_command"),
        ("Two points:\n```\nx = 1\n```", "none"),
        ("remember: use tabs", "teach"),
        ("remember:\n- use tabs", "teach"),
        ("Remember this: what does the retry do?", "ask"),
    ],
)
def test_a_request_without_a_rule_is_told_from_other_beginnings(message: str, kind: str) -> None:
    assert interpret(message, handle="precedent").kind == kind


def test_our_own_name_is_no_part_of_the_rule() -> None:
    (teaching,) = interpret("remember: use tabs, @precedent!", handle="precedent").teachings
    assert teaching.quote == "use tabs"
