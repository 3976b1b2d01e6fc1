"""How the Web API says no."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Refusal(Exception):  # noqa: N818 - an answer of the API, not a fault of the program
    """An answer with `ok: false`. `reason` is Slack's error code.

    `retry_after_s` belongs to status 429 only; `extra` joins the body.
    """

    def __init__(
        self,
        reason: str,
        *,
        messages: Iterable[str] = (),
        status: int = 200,
        retry_after_s: int = 1,
        **extra: Any,
    ) -> None:
        super().__init__(f"The call was refused with {reason}.")
        self.reason = reason
        self.status = status
        self.retry_after_s = retry_after_s
        self.extra = extra
        self.messages = list(messages)

    def answer(self) -> dict[str, Any]:
        """The JSON body."""
        body: dict[str, Any] = {"ok": False, "error": self.reason, **self.extra}
        if self.messages:
            body["response_metadata"] = {"messages": self.messages}
        return body
