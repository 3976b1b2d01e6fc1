"""Marks: what we write is read back, and nobody else can write one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.markers import (
    FindingMark,
    defuse,
    finding_mark,
    finding_marks,
    has_mark,
    marks,
    reply_mark,
    review_mark,
    without_keys,
)

texts = st.text(max_size=200)
pieces = st.sampled_from(
    ["<!--", " ", "precedent:", "review", "finding f=1", " -->", "<", "!", "PRECEDENT:", "\n", "--"]
)


@given(texts, texts, st.integers(1, 99))
def test_a_finding_mark_survives_any_text_around_it(before: str, cause: str, version: int) -> None:
    body = f"{defuse(before)}\n{finding_mark('ab12', 'C7', version)}\n{defuse(cause)}"
    assert finding_marks(body) == (FindingMark("ab12", "C7", version),)


@given(st.text(min_size=1, max_size=60))
def test_a_cause_of_any_text_is_read_back(cause: str) -> None:
    mark = review_mark(5, 12, "a" * 40, cause)
    assert marks(f"text {mark.render()} text") == (mark,)
    assert mark.render().count("-->") == 1


@given(st.lists(pieces | st.text(max_size=3), max_size=30).map("".join))
def test_defused_text_holds_no_mark(text: str) -> None:
    assert marks(defuse(text)) == ()
    assert finding_marks(f"{defuse(text)}{finding_mark('f1')}") == (FindingMark("f1"),)


def test_a_forged_mark_becomes_visible_and_is_not_read() -> None:
    forged = f"hello {review_mark(5, 12, 'b' * 40, 'auto').render()}"
    assert has_mark(forged, review_mark(5, 12, "b" * 40, "auto"))
    assert defuse(forged).startswith("hello &lt;!-- precedent:review")


def test_other_html_comments_and_code_stay_as_they_are() -> None:
    text = "<!-- TODO --> a < b <b>precedent</b>"
    assert defuse(text) == text


def test_only_the_publisher_sets_keys_but_findings_stay() -> None:
    body = f"{reply_mark('k').render()} {finding_mark('f1', 'C2', 3)}"
    assert marks(without_keys(body)) == marks(finding_mark("f1", "C2", 3))


@pytest.mark.parametrize(
    "body",
    [
        "<!-- precedent:finding -->",
        "<!-- precedent:finding c=C7 v=1 -->",
        "<!-- precedent:finding f=1 c=C7 v=x -->",
        "<!--precedent:finding f=1-->",
        "<!-- precedent:finding f=1 > -->",
    ],
)
def test_what_is_no_finding_is_not_taken_for_one(body: str) -> None:
    assert finding_marks(body) == ()


def test_reply_marks_do_not_show_their_key() -> None:
    assert "octocat" not in reply_mark("octocat").render()
    assert reply_mark("a") != reply_mark("b")
