"""Limits of a body: nothing too long, no fence left open, no finding lost."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from graph.anchors import Anchor
from graph.context import InlineComment
from graph.rendering import code_span
from workers.review_text import CUT_NOTE, compose, cut

lines = st.sampled_from(["```", "````python", "~~~", "word " * 10, "", "  ```", "x" * 300, "`a`"])
texts = st.lists(lines, max_size=40).map("\n".join)


def _open_fence(text: str) -> str:
    """An own reading of CommonMark's fences."""
    fence = ""
    for line in text.split("\n"):
        bare = line.strip()
        if not fence and (bare.startswith(("```", "~~~"))):
            fence = bare[: len(bare) - len(bare.lstrip(bare[0]))]
        elif fence and bare and not bare.strip(fence[0]) and len(bare) >= len(fence):
            fence = ""
    return fence


@given(texts, st.integers(100, 600))
def test_a_cut_text_fits_and_closes_its_fence(text: str, limit: int) -> None:
    shown = cut(text, limit)
    assert len(shown) <= limit
    if len(text) <= limit:
        assert shown == text
    else:
        assert shown.endswith(CUT_NOTE)
        assert _open_fence(shown.removesuffix(CUT_NOTE)) == ""


def test_code_points_are_counted_not_bytes() -> None:
    assert cut("\N{PILE OF POO}" * 200, 200) == "\N{PILE OF POO}" * 200
    assert len(cut("\N{PILE OF POO}" * 201, 200)) == 200


@settings(max_examples=60)
@given(st.integers(0, 12), st.integers(1, 900), st.integers(0, 3_000))
def test_no_moved_comment_is_lost(count: int, size: int, summary_size: int) -> None:
    comments = [
        InlineComment(Anchor(f"src/f{n}.py", n + 1), f"finding-{n:02} " + "y" * size)
        for n in range(count)
    ]
    body, more = compose("s" * summary_size, comments, limit=1_500)
    bodies = [body, *more]
    assert all(len(text) <= 1_500 for text in bodies)
    told = "\n".join(bodies)
    for n in range(count):
        assert f"finding-{n:02} " in told
        assert f"**`src/f{n}.py`, line {n + 1}**" in told


def test_the_summary_gives_way_to_findings_first() -> None:
    comment = InlineComment(Anchor("a.py", 3, start_line=1), "f" * 800)
    body, more = compose("line\n" * 100, [comment], limit=1_200)
    assert "f" * 800 in "\n".join([body, *more])


def test_a_path_with_backticks_cannot_break_out_of_its_code() -> None:
    """A review's list of places had a second version, whose fence was as long as the path's own."""
    assert code_span("a`b.py") == "`` a`b.py ``"
    assert code_span("a`b``c\n.py") == "``` a`b``c .py ```"
