"""Cut GitHub's OpenAPI description down to the operations that the stand-in serves.

    npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-23.0.2.tgz
    python -m deploy.sandbox.openapi.cut package/generated/api.github.com.json

writes github.json beside this file: bare schemas of requests and answers, without descriptions
and examples. The description is MIT-licensed; LICENSE.octokit-openapi beside it is its notice.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from deploy.sandbox.github.app import all_endpoints

TARGET = Path(__file__).parent / "github.json"
_WORDS = {
    "description", "example", "examples", "title", "externalDocs", "deprecated", "default",
    "x-github", "x-multi-segment", "readOnly", "summary",
}  # fmt: skip
_METHODS_WITH_BODY = ("post", "put", "patch")


def main(source: str) -> None:
    whole = json.loads(Path(source).read_text("utf-8"))
    used: set[str] = set()
    operations = {}
    for endpoint in all_endpoints():
        described = whole["paths"].get(endpoint.path, {}).get(endpoint.method.lower())
        if described is not None:
            operations[endpoint.operation] = _operation(whole, described, endpoint.method.lower())
    cut = {"version": whole["info"]["version"], "operations": operations}
    _collect(cut["operations"], whole, used)
    cut["schemas"] = {
        name: _bare(whole["components"]["schemas"][name]) for name in sorted(used)
    }
    TARGET.write_text(json.dumps(cut, sort_keys=True, separators=(",", ":")) + "\n", "utf-8")
    print(f"{len(operations)} operations, {len(used)} schemas, {TARGET.stat().st_size} bytes")


def _operation(whole: dict[str, Any], described: dict[str, Any], method: str) -> dict[str, Any]:
    operation: dict[str, Any] = {"query": {}, "answers": {}}
    for parameter in described.get("parameters", []):
        parameter = _deref(whole, parameter)
        if parameter["in"] == "query":
            operation["query"][parameter["name"]] = _bare(parameter["schema"])
    if method in _METHODS_WITH_BODY and "requestBody" in described:
        body = described["requestBody"]
        operation["body"] = _bare(body["content"]["application/json"]["schema"])
        operation["body_required"] = body.get("required", False)
    for status, answer in described["responses"].items():
        content = _deref(whole, answer).get("content", {}).get("application/json")
        if status.startswith("2") and content:
            operation["answers"][status] = _bare(content["schema"])
    return operation


def _deref(whole: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in value:
        found: Any = whole
        for part in value["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        value = found
    return value


def _bare(value: Any, *, is_names: bool = False) -> Any:
    """A schema without its words. Keys below "properties" are names, which are kept."""
    if isinstance(value, list):
        return [_bare(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return {"$ref": "#/schemas/" + value["$ref"].rsplit("/", 1)[-1]}
    bare = {
        key: _bare(inner, is_names=key == "properties" and not is_names)
        for key, inner in value.items()
        if is_names or key not in _WORDS
    }
    if not is_names and bare.pop("nullable", False):
        _allow_null(bare)
    return bare


def _allow_null(schema: dict[str, Any]) -> None:
    """OpenAPI 3.0 says nullable where JSON Schema names the type null."""
    if isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]
    if "enum" in schema and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]
    for union in ("oneOf", "anyOf"):
        if union in schema:
            schema[union] = [*schema[union], {"type": "null"}]
    if "allOf" in schema:
        inner = {"allOf": schema.pop("allOf")}
        schema["anyOf"] = [inner, {"type": "null"}]


def _collect(value: Any, whole: dict[str, Any], used: set[str]) -> None:
    if isinstance(value, list):
        for item in value:
            _collect(item, whole, used)
    elif isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            name = value["$ref"].rsplit("/", 1)[-1]
            if name not in used:
                used.add(name)
                _collect(_bare(whole["components"]["schemas"][name]), whole, used)
        for inner in value.values():
            _collect(inner, whole, used)


if __name__ == "__main__":
    main(sys.argv[1])
