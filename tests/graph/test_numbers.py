"""Numbers in digits and in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.numbers import number_in_words, read_number
from graph.words import tokens_of


@pytest.mark.parametrize("value", range(1, 1_000))
def test_words_and_back(value: int) -> None:
    words = number_in_words(value).replace("-", " ").split()
    assert read_number(words) == (value, len(words))


@given(st.integers(0, 999_999))
def test_large_numbers_and_back(value: int) -> None:
    [token] = tokens_of(number_in_words(value))
    assert (token.kind, token.value) == ("number", value)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("eighty-eight", [88]), ("a hundred lines", [100]), ("one hundred twenty", [120]),
        ("1,000 or 1_000", [1_000, 1_000]), ("80-char", [80]), ("８８", [88]),
        ("twenty and thirty", [20, 30]), ("a line", []), ("hundred", []), ("`88`", [88]),
        ("50/72", []), ("3.5", []), ("PEP8", []), ("two thousand and five", [2_005]),
    ],
)  # fmt: skip
def test_numbers_in_a_sentence(text: str, values: list[int]) -> None:
    assert [token.value for token in tokens_of(text) if token.kind == "number"] == values
