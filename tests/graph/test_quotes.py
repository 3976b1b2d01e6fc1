"""What counts as spoken, and quotes that must be the person's own characters."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.quotes import REMOVED, find_quote, spoken


@pytest.mark.parametrize(
    "message",
    [
        "before\n```\nsecret\n```\nafter",
        "before\n~~~~\nsecret\n~~~\nsecret\n~~~~\nafter",
        "before\n```py\nsecret",
        "before ```secret``` after",
        "before\n> secret\nafter",
        "before\n&gt; secret\nafter",
        "before\n>>> secret\nsecret",
        "before <!-- secret --> after",
        "before <!-- secret",
        "before\n\n    secret\n\nafter",
        "before <blockquote>secret</blockquote> after",
        "before ~~secret~~ after",
        "before\n\nOn Mon, 3 Feb 2025 at 10:00, Ada <ada@example.org> wrote:\n> secret\n",
        "before\n\nAm 3. Februar schrieb Ada Lovelace:\nsecret",
        "before\n\n-----Original Message-----\nsecret",
        "before\n\nFrom: Ada\nSent: Monday\nsecret",
    ],
)
def test_what_was_not_said_is_taken_away(message: str) -> None:
    said = spoken(message)
    assert "secret" not in said.text
    assert "before" in said.text
    assert find_quote("secret", message) is None


def test_inline_code_and_list_continuations_are_spoken() -> None:
    message = "- use `pathlib`\n\n    not os.path\n"
    assert find_quote("use `pathlib`", message) == "use `pathlib`"
    assert find_quote("not os.path", message) == "not os.path"


@pytest.mark.parametrize(
    ("quote", "message", "expected"),
    [
        ("the max is 88", "The  MAX is\n88", "The  MAX is\n88"),
        ('don\'t use "x"', "please don’t use “x”!", "don’t use “x”"),
        ("a -- b", "so a — b", "a — b"),
        ("ｕｓｅ tabs", "Use tabs", "Use tabs"),
        ("use\u200b tabs", "use tabs", "use tabs"),
        ("straße", "Die STRASSE", "STRASSE"),
        ("the limit is 8", "the limit is 88", None),
        ("limit is 1", "limit is 1.5", None),
        ("use tab", "use tabs", None),
        ("use tabs", "never use tabs", None),
        ("use tabs", "do not use tabs. Later: use tabs", "use tabs"),
        ("使用制表符", "不要使用制表符", None),
        ("タブを使わ", "タブを使わない", None),
        ("use tabs only", "use tabs\n> and spaces\nonly", None),
        ("", "anything", None),
        ("...", "anything ...", None),
    ],
)
def test_a_quote_is_cut_from_the_message_or_refused(
    quote: str, message: str, expected: str | None
) -> None:
    assert find_quote(quote, message) == expected


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab `>~<!-\n\t'’“”—ßİ 不\u200b"), max_size=60), st.data())
def test_the_spoken_text_keeps_every_index(message: str, data: st.DataObject) -> None:
    said = spoken(message)
    assert len(said.text) == len(message)
    assert all(s in (m, REMOVED) for s, m in zip(said.text, message, strict=True))
    start = data.draw(st.integers(0, len(message)))
    end = data.draw(st.integers(start, len(message)))
    found = find_quote(message[start:end], message)
    assert found is None or found in message
