"""Logs: one JSON line an event, ids bound to it, and never a secret or a person's words.

`log = structlog.get_logger()`, then `log.info("review.published", repo=7, number=3)`. Ids that
hold for a whole event are bound with `structlog.contextvars.bound_contextvars`.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from collections.abc import MutableMapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

import structlog

HIDDEN = "***"

PRIVATE_FIELDS = frozenset(
    {
        "answer", "authorization", "body", "content", "cookie", "diff", "headers", "message",
        "messages", "password", "patch", "private_key", "prompt", "quote", "rule", "secret",
        "text", "token", "words",
    }
)  # fmt: skip
"""Fields of our own events that must not carry what people or models wrote."""

MIN_SECRET_CHARS = 8
"""Shorter known secrets would blank out ordinary words."""

MAX_FRAMES = 12

CHATTY = (
    "httpx", "httpx2", "httpcore", "httpcore2", "urllib3", "github", "slack_sdk", "slack_bolt",
    "redis", "asyncio", "google_genai.models",
    "celery.utils.functional", "celery.worker.strategy", "celery.app.trace",
)  # fmt: skip
"""Libraries that log every call with its address, or every ring, below WARNING."""

_TOKEN_SHAPES = re.compile(
    r"gh[opsur]_[A-Za-z0-9_.-]{16,}|github_pat_\w{20,}"
    r"|xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{8,}|xapp-[A-Za-z0-9-]{8,}"
    r"|AIza[\w-]{30,}|sk-[\w-]{20,}"
    r"|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|(?<=://)[^/\s@]*:[^/\s@]+(?=@)"
    r"|(?<=[Bb]earer )[\w.~+/=-]{8,}",
    re.DOTALL,
)


class Redactor:
    """Takes known secrets, and whatever looks like one, out of texts and log events."""

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        known = {line for secret in secrets for line in (secret, secret.replace("\n", "\\n"))}
        self._known = sorted(
            (s for s in known if len(s) >= MIN_SECRET_CHARS), key=len, reverse=True
        )

    def text(self, text: str) -> str:
        for secret in self._known:
            text = text.replace(secret, HIDDEN)
        return _TOKEN_SHAPES.sub(HIDDEN, text)

    def value(self, value: Any) -> Any:
        """The same value with every text in it redacted."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {
                name: HIDDEN if name in PRIVATE_FIELDS else self.value(each)
                for name, each in value.items()
            }
        if isinstance(value, list | tuple | set | frozenset):
            return [self.value(each) for each in value]
        if value is None or isinstance(value, bool | int | float):
            return value
        return self.text(str(value))

    def __call__(
        self, _logger: Any, _method: str, event: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        """A structlog processor."""
        # "event" is the name of what happened; other libraries' sentences stand there too.
        return {
            name: HIDDEN if name in PRIVATE_FIELDS else self.value(value)
            for name, value in event.items()
        }


def setup_logs(
    level: str = "INFO", *, secrets: Sequence[str] = (), stream: TextIO | None = None
) -> None:
    """Send every log of this process, also of libraries, to `stream` (stderr) as JSON lines."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        name_exception,
    ]
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                Redactor(secrets),
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for chatty in CHATTY:
        logging.getLogger(chatty).setLevel(max(logging.WARNING, root.level))
    # It warns of `additionalProperties` in each tool of each call, which our own parsing checks.
    logging.getLogger("langchain_google_genai._function_utils").setLevel(logging.ERROR)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def name_exception(
    _logger: Any, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Replace `exc_info` by the exception's type and where it came from.

    Its message may quote what a person or a model wrote; dead letters keep the whole traceback.
    """
    error = event.pop("exc_info", None)
    if error is True or isinstance(error, tuple):
        error = (error if isinstance(error, tuple) else sys.exc_info())[1]
    if isinstance(error, BaseException):
        event["error"] = type(error).__name__
        event["where"] = frames_of(error.__traceback__)
    return event


def frames_of(trace: TracebackType | None) -> list[str]:
    """The innermost frames as "file.py:12 function"."""
    frames = traceback.extract_tb(trace)[-MAX_FRAMES:]
    return [f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in frames]
