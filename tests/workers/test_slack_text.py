"""Slack's text, in and out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.slack_text import defuse, escape, split_text, to_plain, unescape


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("<@U1> remember: use tabs", "remember: use tabs"),
        ("<@U1>, remember", "remember"),
        ("hey <@U2|ada> look", "hey @ada look"),
        ("ask <@U2>", "ask @U2"),
        ("in <#C1|general>", "in #general"),
        ("<!here> hello", "@here hello"),
        ("<!subteam^S1|@core>", "@core"),
        ("see <https://x.org/a?b=1&amp;c=2|the docs>", "see the docs (https://x.org/a?b=1&c=2)"),
        ("<https://x.org>", "https://x.org"),
        ("use <http://acme.io|acme.io>", "use acme.io"),
        ("<mailto:a@b.org|a@b.org>", "a@b.org"),
        ("List&lt;int&gt; &amp; more", "List<int> & more"),
        ("&lt;@U1&gt; is text", "<@U1> is text"),
        ("&amp;lt;", "&lt;"),
        ("a\u00a0b\u200bc", "a bc"),
        ("“don’t”", "“don’t”"),
        ("&gt; quoted\nown", "> quoted\nown"),
        ("1 &lt; 2 <unclosed", "1 < 2 <unclosed"),
    ],
)
def test_slack_text_becomes_the_words_a_person_saw(raw: str, plain: str) -> None:
    assert to_plain(raw, "U1") == plain


def test_words_of_others_notify_nobody() -> None:
    text = defuse("<!channel> @here <@U9> a@b.org #general")
    assert "<" not in text
    assert "@here" not in text
    assert "a@b.org" in text


@given(st.text(max_size=200))
def test_escaping_is_undone_by_reading(text: str) -> None:
    assert unescape(escape(text)) == text
    assert not set("<>") & set(escape(text))


def test_text_is_cut_at_paragraphs_and_fences_are_reopened() -> None:
    text = "first paragraph\n\n```\n" + "line of code\n" * 30 + "```\n\nlast"
    parts = split_text(text, 120)
    assert all(len(part) <= 120 for part in parts)
    assert all(part.count("```") % 2 == 0 for part in parts)
    assert sum(part.count("line of code") for part in parts) == 30
    assert parts[0].startswith("first paragraph")
    assert parts[-1].endswith("last")


def test_an_entity_is_never_cut_in_two() -> None:
    for part in split_text("&amp;" * 50, 23):
        assert part == "&amp;" * (len(part) // 5)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab \n`&;", max_size=400), st.integers(20, 90))
def test_no_part_is_too_long_and_no_letter_is_lost(text: str, limit: int) -> None:
    parts = split_text(text, limit)
    assert all(0 < len(part) <= limit for part in parts)
    for letter in "ab":
        assert sum(part.count(letter) for part in parts) == text.count(letter)
