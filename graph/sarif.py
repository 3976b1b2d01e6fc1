"""Violations as SARIF 2.1.0, which code hosts and editors read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from graph.checks.report import CheckResult, Skip, Violation
from graph.conventions import Convention

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_sarif(result: CheckResult, conventions: Sequence[Convention]) -> str:
    """One run, one rule per convention, one result per place, one notification per skip."""
    rules = [
        {
            "id": c.id,
            "shortDescription": {"text": " ".join(c.rule.split())},
            **({"helpUri": c.source.permalink} if c.source.permalink else {}),
        }
        for c in conventions
    ]
    driver = {"name": "Precedent", "rules": rules}
    invocation = {
        "executionSuccessful": True,
        "toolExecutionNotifications": [_notification(skip) for skip in result.skipped],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "results": [_result(v) for v in result.violations],
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=2)


def _result(violation: Violation) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": violation.convention_id,
        "level": "warning",
        "message": {"text": violation.message},
    }
    if violation.path:
        place: dict[str, Any] = {"artifactLocation": _artifact(violation.path)}
        if violation.line:
            first = violation.anchor.start_line if violation.anchor else None
            last = violation.anchor.line if violation.anchor else violation.line
            place["region"] = {"startLine": first or violation.line, "endLine": last}
        result["locations"] = [{"physicalLocation": place}]
    return result


def _notification(skip: Skip) -> dict[str, Any]:
    places = [{"physicalLocation": {"artifactLocation": _artifact(p)}} for p in skip.paths]
    return {
        "level": "note",
        "message": {"text": f"Not checked, {skip.convention_id}: {skip.sentence}"},
        "associatedRule": {"id": skip.convention_id},
        **({"locations": places} if places else {}),
    }


def _artifact(path: str) -> dict[str, str]:
    """A relative address: spaces and letters beyond ASCII are encoded, as the format asks."""
    return {"uri": quote(path), "uriBaseId": "%SRCROOT%"}
