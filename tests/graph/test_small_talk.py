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


def test_a_question_about_a_topic_is_answered_with_what_is_known_of_it(redis: Redis) -> None:
    """ "What is our line length?" was answered with why questions can't be, beside the rule."""
    room = Room(redis)
    room.say("@precedent remember: the maximum line length is 88 characters")
    room.say("@precedent remember: never log access tokens")
    for words in ("what is our line length?", "do we have a rule about line length",
                  "which maximum line length holds here?"):  # fmt: skip
        said = room.say(f"@precedent {words}")
        assert "what I know about line length:" in said, words
        assert "“the maximum line length is 88 characters”" in said
        assert "tokens" not in said
    assert "see `help`" in room.say("@precedent how do we name branches?")
    assert "see `help`" in room.say("@precedent which of these files is the worst?")
    room.say("@precedent forget C1")
    assert "see `help`" in room.say("@precedent what is our line length?")


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
    started = time.process_time()
    small_talk((piece * 20_000)[:20_000] + "x")
    assert time.process_time() - started < 0.5
