"""URL-encoded forms, the only kind that Slack's SDK and a plain page send here."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import Request


async def form_fields(request: Request) -> dict[str, str]:
    """The fields of an application/x-www-form-urlencoded body; a repeated name keeps its last."""
    body = (await request.body()).decode("utf-8", "replace")
    return dict(parse_qsl(body, keep_blank_values=True))
