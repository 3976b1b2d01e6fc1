"""What is said in passing gets one sentence that fits, where no model answers."""

from __future__ import annotations

import time

import pytest
from redis import Redis

from graph.answers import Answer
from graph.small_talk import ALL_RIGHT, HERE, NOBODY_ASKED, WELCOME, small_talk
from tests.graph.threads import Room


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("@precedent thanks!", WELCOME),
        ("@precedent ty, that was a good catch", WELCOME),
        ("@precedent 辛苦了", WELCOME),
        ("@precedent muchas gracias 🙏", WELCOME),
        ("@precedent", HERE),
        ("@precedent ping", HERE),
        ("hi @precedent", HERE),
        ("@precedent ok", ALL_RIGHT),
        ("@precedent 👍", ALL_RIGHT),
        ("@precedent keep both", NOBODY_ASKED),
        ("@precedent replace C3", NOBODY_ASKED),
    ],
)
def test_a_courtesy_is_not_told_that_there_is_no_model(
    redis: Redis, said: str, answer: Answer
) -> None:
    """ "Thanks!" was answered with why questions can't be, and so was a bare mention."""
    assert Room(redis).say(said) == answer.text


def test_a_second_answer_to_one_question_hears_that_it_was_answered(redis: Redis) -> None:
    """The second "keep both" was taken for a question to a model."""
    room = Room(redis)
    room.say("@precedent remember: use single quotes")
    assert "keep both" in room.say("@precedent remember: use double quotes")
    assert "C2" in room.say("@precedent keep both")
    assert room.say("@precedent keep both") == NOBODY_ASKED.text


@pytest.mark.parametrize(
    "said",
    ["thanks! why is this wrong?", "ok, but use the logger", "no tests here", "can you fix it?"],
)
def test_whoever_wants_more_is_not_put_off(said: str) -> None:
    assert small_talk(said) is None


@pytest.mark.parametrize("piece", ["thanks ", "that is really so very ", "!", ":a", " "])
def test_a_long_message_is_read_in_bounded_time(piece: str) -> None:
    started = time.perf_counter()
    small_talk((piece * 20_000)[:20_000] + "x")
    assert time.perf_counter() - started < 0.5
