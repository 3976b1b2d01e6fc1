"""Requests checked against GitHub's own description of its API."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs

CUT = Path(__file__).parent.parent / "openapi" / "github.json"

UNDOCUMENTED_KEYS: dict[str, frozenset[str]] = {
    # Asked for by clients and accepted by GitHub, though its description does not name them.
    "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews": frozenset({"subject_type"}),
}
"""Operation -> keys that its body may have anywhere although the description lacks them."""

ANSWERING = "POST /repos/{owner}/{repo}/pulls/{pull_number}/comments"
"""With `in_reply_to` it ignores all keys but the body, also those that are required otherwise."""


@functools.cache
def shared_contract() -> Contract:
    """One for the process: it never changes, and each of its validators takes a while to make."""
    return Contract()


class Contract:
    """The cut description; validators are made when an operation is first used."""

    def __init__(self, path: Path = CUT) -> None:
        self._cut: dict[str, Any] = json.loads(path.read_text("utf-8"))
        self._validator = functools.cache(self._make_validator)

    @property
    def operations(self) -> frozenset[str]:
        return frozenset(self._cut["operations"])

    def problems(
        self, operation: str, query: Mapping[str, str], body: Mapping[str, Any]
    ) -> list[tuple[str, str]]:
        """(where, what) for everything in a request that does not fit. Unknown operations fit."""
        described = self._cut["operations"].get(operation)
        if described is None:
            return []
        found = self._query_problems(described.get("query", {}), query)
        schema = described.get("body")
        if schema is None:
            if body:
                found.append(("body", "This operation takes no body."))
            return found
        if described.get("body_required") and not body:
            return [*found, ("body", "The body is missing.")]
        checked = dict(body)
        if operation == ANSWERING and "in_reply_to" in body:
            checked = {"commit_id": "", "path": "", **body}
        for error in self._validator(operation, "body").iter_errors(checked):
            where = "/".join(str(part) for part in error.instance_path) or "body"
            found.append((where, error.message))
        allowed = UNDOCUMENTED_KEYS.get(operation, frozenset())
        found += [
            (where, f"The key {where} is not documented.")
            for where in _unknown_keys(self._resolved(schema), body, "")
            if where.rsplit("/", 1)[-1] not in allowed
        ]
        return found

    def answer_problems(self, operation: str, status: int, body: Any) -> list[tuple[str, str]]:
        """(where, what) for an answer of ours that differs from the described one."""
        described = self._cut["operations"].get(operation, {}).get("answers", {})
        if str(status) not in described:
            return []
        validator = self._validator(operation, str(status))
        return [
            ("/".join(str(part) for part in error.instance_path), error.message)
            for error in validator.iter_errors(body)
        ]

    def _make_validator(self, operation: str, part: str) -> Any:
        described = self._cut["operations"][operation]
        schema = described["body"] if part == "body" else described["answers"][part]
        return jsonschema_rs.Draft202012Validator({**schema, "schemas": self._cut["schemas"]})

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        while "$ref" in schema:
            schema = self._cut["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
        return schema

    def _query_problems(
        self, described: Mapping[str, Any], query: Mapping[str, str]
    ) -> list[tuple[str, str]]:
        found = []
        for name, schema in described.items():
            if name not in query:
                continue
            value, kind = query[name], schema.get("type")
            if kind == "integer" and not value.lstrip("-").isdigit():
                found.append((name, f"{value!r} is not an integer."))
            if kind == "boolean" and value not in ("true", "false"):
                found.append((name, f"{value!r} is not a boolean."))
            if "enum" in schema and value not in schema["enum"]:
                found.append((name, f"{value!r} is not one of {schema['enum']}."))
        return found


def _unknown_keys(schema: Mapping[str, Any], value: Any, where: str) -> list[str]:
    """Paths of keys that a plain object schema does not name; unions are left alone."""
    if isinstance(value, list):
        items = schema.get("items", {})
        return [w for n, one in enumerate(value) for w in _unknown_keys(items, one, f"{where}/{n}")]
    properties = schema.get("properties")
    is_open = schema.get("additionalProperties") or any(
        union in schema for union in ("oneOf", "anyOf", "allOf")
    )
    if not isinstance(value, Mapping) or properties is None:
        return []
    found: list[str] = []
    for key, inner in value.items():
        place = f"{where}/{key}".lstrip("/")
        if key in properties:
            found += _unknown_keys(properties[key], inner, place)
        elif not is_open:
            found.append(place)
    return found
