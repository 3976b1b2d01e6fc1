"""Words, chunks, postings and the merging of rankings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graph.checks.syntax import parse
from graph.code.chunks import MAX_CHUNK_LINES, chunks_of
from graph.code.embeddings import (
    from_bytes,
    installed_embedder,
    nearest,
    similarities,
    to_bytes,
)
from graph.code.lexical import (
    PostingsWriter,
    bm25,
    counted,
    fused,
    query_terms,
    specific_term,
    terms_of,
    unpacked,
)
from graph.code.outline import outline_of
from graph.code.repository import facts_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("parseHTTPResponse", {"pars", "http", "respons", "parsehttpresponse"}),
        ("max_line_length", {"max", "line", "length", "max_line_length"}),
        ("MAX_RETRIES", {"max", "retri", "max_retries"}),
        ("größe", {"größ"}),
        ("日本語", {"日本語"}),
        ("x = 1", set()),
        ("retry retries retrying", {"retri"}),
    ],
)
def test_identifiers_are_split_and_kept_whole(text: str, words: set[str]) -> None:
    assert words <= set(terms_of(text))


def test_words_of_questions_that_say_nothing_are_left_out() -> None:
    assert query_terms("where is the password prompt implemented") == ["password", "prompt"]


@given(st.text(max_size=300))
@example("º0")  # a name whose first letter is not ASCII was cut in two
@example("A\u03000")  # so was one whose accent is a mark of its own
@example("x\u20d2y")  # a mark that no letter absorbs
def test_any_text_has_terms_and_a_name_is_found_by_its_own(text: str) -> None:
    terms = terms_of(text)
    assert all(term and len(term) <= 48 for term in terms)
    for word in text.split():
        if word.isidentifier() and (term := specific_term(word)):
            assert term in terms_of(word)


@given(st.lists(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 400), max_size=6),
                max_size=12))  # fmt: skip
def test_postings_survive_packing(counts: list[dict[str, int]]) -> None:
    writer = PostingsWriter()
    for count in counts:
        writer.add(count)
    found: dict[str, dict[int, int]] = {}
    for term, record in writer.records():
        numbers, times = unpacked(record)
        found[term] = dict(zip(numbers.tolist(), times.tolist(), strict=True))
    expected: dict[str, dict[int, int]] = {}
    for number, count in enumerate(counts):
        for term, times_in in count.items():
            expected.setdefault(term, {})[number] = min(255, times_in)
    assert found == expected


def test_a_rarer_word_and_a_shorter_chunk_win() -> None:
    texts = ["price total price tax", "total total rate", "tax " * 30 + "price"]
    writer = PostingsWriter()
    for text in texts:
        writer.add(counted(text))
    lengths = np.asarray(writer.lengths, dtype=np.float32)
    postings = {term: unpacked(record) for term, record in writer.records()}
    asked = {t: postings[t] for t in query_terms("price")}
    assert [n for n, _ in bm25(asked, lengths, 5)] == [0, 2]
    assert bm25({}, lengths, 5) == []
    assert bm25(asked, lengths[:0], 5) == []


@given(st.lists(st.lists(st.integers(0, 20), unique=True, max_size=10), min_size=1, max_size=3))
def test_fusion_holds_everything_once_and_one_ranking_stays_as_it_is(
    rankings: list[list[int]],
) -> None:
    merged = fused(rankings, [1.0] * len(rankings))
    assert sorted(n for n, _ in merged) == sorted({n for ranking in rankings for n in ranking})
    assert [s for _, s in merged] == sorted((s for _, s in merged), reverse=True)
    assert [n for n, _ in fused([rankings[0]], [0.5])] == rankings[0]


@given(st.text(alphabet="ab\n {}():def class", max_size=2_000))
def test_chunks_cover_every_line_once(text: str) -> None:
    chunks = chunks_of(text, facts_of("a.py", text).symbols)
    covered = [line for c in chunks for line in range(c.first_line, c.last_line + 1)]
    lines = text.count("\n") + (not text.endswith("\n"))
    assert covered == (list(range(1, lines + 1)) if text.strip() else [])
    assert all(c.last_line - c.first_line < MAX_CHUNK_LINES for c in chunks)


def test_chunks_begin_where_functions_begin() -> None:
    body = "".join(f"    x = {n}\n" for n in range(20))
    text = f"import os\n\n\ndef one():\n{body}\n\ndef two():\n{body}"
    chunks = chunks_of(text, outline_of(parse(text, "python")))
    one, two = chunks[-2:]
    assert (one.symbol, two.symbol) == ("one", "two")
    assert two.first_line <= text[: text.index("def two")].count("\n") + 1 == 27
    assert one.last_line == 24


def test_a_long_function_is_cut_and_keeps_its_name() -> None:
    text = "def long():\n" + "    x = 1\n" * 200
    chunks = chunks_of(text, outline_of(parse(text, "python")))
    assert [c.symbol for c in chunks] == ["long"] * 3


def test_vectors_keep_their_order_in_a_byte_a_dimension() -> None:
    draw = np.random.default_rng(1)
    vectors = draw.normal(size=(5_000, 64)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    scores = similarities(from_bytes(to_bytes(vectors), 64), vectors[1_234])
    assert int(scores.argmax()) == 1_234
    assert scores[1_234] == pytest.approx(1.0, abs=0.02)
    wide = np.hstack([vectors, vectors, vectors, vectors]) / 2
    assert nearest(from_bytes(to_bytes(wide), 256), wide[1_234], 3)[0] == 1_234
    assert nearest(from_bytes(to_bytes(wide[:100]), 256), wide[12], 3)[0] == 12


def test_static_embeddings_load_without_a_network() -> None:
    embedder = installed_embedder()
    if embedder is None:
        pytest.skip("the package of the embeddings is not installed")
    near, far, odd = embedder.embed(
        ["retry the request after a failure", "try the call again when it fails", "draw a circle"]
    )
    assert float(near @ far) > float(near @ odd)
    split, joined = embedder.embed(["def parse_http_response(self):", "parseHttpResponse def self"])
    assert float(split @ joined) == pytest.approx(1.0, abs=1e-5)  # the same words, in other marks
    assert embedder.embed([]).shape == (0, 256)
    assert np.isfinite(embedder.embed(["", "\0", "日本語"])).all()
