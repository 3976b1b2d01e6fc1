"""Is a Web API call one that Slack's own OpenAPI description allows?"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

# Documented by Slack after the description was frozen at version 1.7.0; in the form of the cut.
_ADDED_METHODS: dict[str, Any] = {
    "apps.connections.open": {"required": [], "parameters": {}},
}
_ADDED_PARAMETERS: dict[str, dict[str, str]] = {
    "chat.postMessage": {"metadata": "string", "markdown_text": "string"},
    "chat.postEphemeral": {"markdown_text": "string"},
    "chat.update": {
        "metadata": "string",
        "markdown_text": "string",
        "reply_broadcast": "boolean",
        "file_ids": "string",
    },
    "conversations.open": {"prevent_creation": "boolean"},
    "conversations.history": {"include_all_metadata": "boolean"},
    "conversations.replies": {"include_all_metadata": "boolean"},
    "oauth.v2.access": {"grant_type": "string", "refresh_token": "string"},
    "views.open": {"interactivity_pointer": "string"},
    "views.push": {"interactivity_pointer": "string"},
    "users.conversations": {"team_id": "string"},
    "team.info": {"domain": "string"},
    "auth.test": {},
}
# The description calls them required, Slack's current reference does not.
_NOW_OPTIONAL = {
    "oauth.v2.access": {"code"},  # absent when a refresh token is exchanged
    "views.open": {"trigger_id"},  # an interactivity pointer does as well
    "views.push": {"trigger_id"},
}
_FORMS = {
    "boolean": re.compile(r"true|false|0|1"),
    "integer": re.compile(r"-?\d+"),
    "number": re.compile(r"-?\d+(\.\d+)?"),
    "string": re.compile(r".*", re.DOTALL),
}


def misfits(method: str, arguments: Mapping[str, Any]) -> list[str]:
    """What is wrong with this call, one sentence each; empty when it fits.

    Arguments are compared in the form in which the description has them: as form fields, so a
    structure counts as its JSON text. Unknown names are misfits, which Slack itself forgives.
    """
    operation = _operations().get(method)
    if operation is None:
        return [f"{method} is not in the description; add it to the cut"]
    found = [
        f"{method}: {name} is required"
        for name in operation["required"]
        if arguments.get(name) in (None, "")
    ]
    for name, value in arguments.items():
        expected = operation["parameters"].get(name)
        if expected is None:
            found.append(f"{method}: {name} is no parameter of this method")
        elif not _FORMS[expected].fullmatch(_as_form_field(value)):
            found.append(f"{method}: {name} must be {expected}, not {type(value).__name__}")
    return found


def required(method: str) -> tuple[str, ...]:
    """Names that a call must carry, so that the stand-in can refuse as Slack does."""
    operation = _operations().get(method)
    return tuple(operation["required"]) if operation else ()


def _as_form_field(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@cache
def _operations() -> dict[str, Any]:
    text = files("deploy.sandbox.slack").joinpath("web_api.json").read_text(encoding="utf-8")
    operations: dict[str, Any] = json.loads(text) | _ADDED_METHODS
    for method, parameters in _ADDED_PARAMETERS.items():
        operations[method]["parameters"] |= parameters
    for method, names in _NOW_OPTIONAL.items():
        operations[method]["required"] = [
            name for name in operations[method]["required"] if name not in names
        ]
    return operations
