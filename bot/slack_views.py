"""The loading view: a trigger lives three seconds, so the web opens it and a worker fills it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import structlog
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

TIMEOUT_S = 2
"""A second less than Slack waits for the answer to the click itself."""

OPENS_A_FORM = frozenset({"convention.add", "convention.edit"})

_WITHOUT_WORDS = re.compile(
    r"\s*(?:repo:\s?\S+\s+)?(?:(?:conventions?\s+)?(?:add|remember|edit\s+#?[co]-?\d{1,9}))\s*",
    re.IGNORECASE,
)
_EDIT = re.compile(r"\s*(?:repo:\s?\S+\s+)?edit\s+#?[co]-?\d{1,9}\b", re.IGNORECASE)

LOADING: dict[str, Any] = {
    "type": "modal",
    "title": {"type": "plain_text", "text": "Precedent"},
    "close": {"type": "plain_text", "text": "Close"},
    "blocks": [
        {
            "type": "section",
            "text": {
                "type": "plain_text",
                "text": "One moment … If nothing comes, close this and click again.",
            },
        }
    ],
}

log = structlog.get_logger()


def open_loading(token: str, api_url: str, body: Mapping[str, Any]) -> tuple[str, str]:
    """The id and hash of a loading view for who clicked or commanded; empty when there is none.

    Nothing is raised: without a view the worker says in words how to do it.
    """
    if not _opens_a_form(body):
        return "", ""
    try:
        client = WebClient(token, f"{api_url}/", timeout=TIMEOUT_S, retry_handlers=[])
        asked = {"trigger_id": str(body.get("trigger_id", "")), "view": LOADING}
        view = client.api_call("views.open", json=asked)["view"]
        return str(view["id"]), str(view["hash"])
    except (SlackApiError, OSError, KeyError, TypeError) as error:
        log.warning("slack.view_not_opened", error=type(error).__name__)
        return "", ""


def _opens_a_form(body: Mapping[str, Any]) -> bool:
    """A button for it; a command without the words; an edit whose words were not for everybody."""
    if isinstance(text := body.get("text"), str) and "command" in body:
        is_private = body.get("channel_name") in {"privategroup", "directmessage"}
        return bool(_WITHOUT_WORDS.fullmatch(text) or (is_private and _EDIT.match(text)))
    actions = body.get("actions")
    first = actions[0] if isinstance(actions, list) and actions else None
    action = first.get("action_id") if isinstance(first, Mapping) else None
    return isinstance(action, str) and action.partition("#")[0] in OPENS_A_FORM
