"""Log lines: JSON, ids, and nothing that must not be there."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from workers.logs import Redactor, setup_logs

SECRET = "a-known-secret\nof two lines"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    stream = io.StringIO()
    setup_logs("INFO", secrets=[SECRET, "short"], stream=stream)
    yield stream
    root.handlers[:], level = before
    root.setLevel(level)
    structlog.reset_defaults()


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_an_event_is_one_line_with_its_bound_ids(stream: io.StringIO) -> None:
    log = structlog.get_logger()
    with structlog.contextvars.bound_contextvars(event_id="gh:1", repo=7):
        log.info("review.published", findings=3)
    log.debug("not.shown")
    (line,) = lines(stream)
    assert line.pop("time").endswith("Z")
    assert line == {
        "event": "review.published", "level": "info", "event_id": "gh:1", "repo": 7, "findings": 3,
    }  # fmt: skip


def test_words_and_diffs_are_hidden_whoever_logs_them(stream: io.StringIO) -> None:
    structlog.get_logger().info("x", text="my words", nested={"diff": "+1", "n": 1}, body=b"raw")
    (line,) = lines(stream)
    assert (line["text"], line["nested"], line["body"]) == ("***", {"diff": "***", "n": 1}, "***")


@pytest.mark.parametrize(
    "secret",
    [
        SECRET,
        SECRET.replace("\n", "\\n"),
        "ghs_" + "a1B2" * 9,
        "github_pat_" + "a1B2_" * 9,
        "xoxb-123456789012-abcdef",
        "xoxe.xoxp-1-Mi0yLTEyMzQ1Njc4",
        "xapp-1-A0123-456-abcdef",
        "AIza" + "a1B2" * 9,
        "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxMiJ9.c2lnbmF0dXJl",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_secrets_are_taken_out_of_our_and_other_peoples_lines(
    stream: io.StringIO, secret: str
) -> None:
    structlog.get_logger().info("call.failed", url=f"https://h/?t={secret}&x=1", parts=[secret])
    logging.getLogger("celery.worker").warning("sent %s away", secret)
    text = stream.getvalue()
    assert json.dumps(secret, ensure_ascii=False)[1:-1] not in text
    first, second = lines(stream)
    assert first["url"] == "https://h/?t=***&x=1"
    assert second["event"] == "sent *** away"
    assert second["logger"] == "celery.worker"


def test_passwords_in_addresses_and_bearer_tokens_are_taken_out() -> None:
    text = Redactor().text("redis://:p%40ss@h:1/0 Bearer abcdefgh123 https://h/a:b@c")
    assert text == "redis://***@h:1/0 Bearer *** https://h/a:b@c"


def test_short_words_are_not_taken_for_secrets() -> None:
    assert Redactor(["short"]).text("a short text") == "a short text"


def test_an_exception_is_named_without_its_message(stream: io.StringIO) -> None:
    def inner() -> None:
        raise ValueError("a person's words")

    for report in (structlog.get_logger().exception, logging.getLogger("x").exception):
        try:
            inner()
        except ValueError:
            report("event.failed")
    assert "a person's words" not in stream.getvalue()
    for line in lines(stream):
        assert line["error"] == "ValueError"
        assert line["where"][-1].startswith("test_logs.py:")
        assert line["where"][-1].endswith("inner")


def test_libraries_that_log_every_call_are_quiet(stream: io.StringIO) -> None:
    logging.getLogger("httpx").info("HTTP Request: GET https://h/?token=1")
    assert lines(stream) == []
