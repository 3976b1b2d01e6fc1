"""GraphQL connections: slices with cursors, and GraphQL's way to refuse."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

MAX_CONNECTION = 100
Json = dict[str, Any]


class GraphRefusedError(Exception):
    """An error with GitHub's `type`."""

    reason = "graphql_refused"

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def connection(name: str, items: list[Any], render_one: Callable[[Any], Json], page: Json) -> Json:
    """A slice by first/after or last/before; one of first and last is required, 1 to 100."""
    first, last = page.get("first"), page.get("last")
    size = first if first is not None else last
    if size is None:
        message = f"You must provide a `first` or `last` value to properly paginate the `{name}`."
        raise GraphRefusedError("MISSING_PAGINATION_BOUNDARIES", message)
    if not 1 <= size <= MAX_CONNECTION:
        message = f"Requesting {size} records on the connection exceeds the `first` limit of 100."
        raise GraphRefusedError("EXCESSIVE_PAGINATION", message)
    start = _offset(page["after"]) if page.get("after") else 0
    end = _offset(page["before"]) - 1 if page.get("before") else len(items)
    if first is not None:
        end = min(end, start + first)
    else:
        start = max(start, end - size)
    edges = [
        {"cursor": _cursor(number + 1), "node": render_one(items[number])}
        for number in range(start, max(start, min(end, len(items))))
    ]
    return {
        "nodes": [edge["node"] for edge in edges], "edges": edges, "totalCount": len(items),
        "pageInfo": {
            "hasNextPage": end < len(items), "hasPreviousPage": start > 0,
            "startCursor": edges[0]["cursor"] if edges else None,
            "endCursor": edges[-1]["cursor"] if edges else None,
        },
    }  # fmt: skip


def _cursor(number: int) -> str:
    return base64.b64encode(f"cursor:v2:{number}".encode()).decode()


def _offset(cursor: str) -> int:
    try:
        return int(base64.b64decode(cursor).decode().rsplit(":", 1)[1])
    except (ValueError, IndexError) as error:
        raise GraphRefusedError("INVALID_CURSOR_ARGUMENTS", f"`{cursor}` is no cursor.") from error
