"""What a handler gives back, and GitHub's ways to refuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

DOCUMENTATION = "https://docs.github.com/rest"


@dataclass(frozen=True)
class Answer:
    """`body` is JSON data, or bytes with their own `media_type`; None is an empty body."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    media_type: str = "application/json; charset=utf-8"


class RefusedError(Exception):
    """An answer in GitHub's error form."""

    reason = "github_refused"

    def __init__(
        self,
        status: int,
        message: str,
        errors: Sequence[Any] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{status} {message}")
        self.status = status
        self.message = message
        self.errors = list(errors)
        self.headers = dict(headers or {})

    def answer(self) -> Answer:
        body: dict[str, Any] = {"message": self.message}
        if self.errors:
            body["errors"] = self.errors
        body |= {"documentation_url": DOCUMENTATION, "status": str(self.status)}
        return Answer(body, self.status, self.headers)


def not_found() -> RefusedError:
    return RefusedError(404, "Not Found")


def not_accessible() -> RefusedError:
    return RefusedError(403, "Resource not accessible by integration")


def invalid(resource: str, field_name: str, message: str, code: str = "custom") -> RefusedError:
    """422 with one error object."""
    error = {"resource": resource, "code": code, "field": field_name, "message": message}
    return RefusedError(422, "Validation Failed", [error])


def unprocessable(*messages: str) -> RefusedError:
    """422 in the short form that the review endpoints use."""
    return RefusedError(422, "Unprocessable Entity", list(messages))


def checked_body(text: object, resource: str, limit: int, *, required: bool = True) -> str:
    """A comment's text within GitHub's limit of code points. Raises RefusedError(422)."""
    body = text if isinstance(text, str) else ""
    if required and not body.strip():
        raise invalid(resource, "body", "body can't be blank", "missing_field")
    if len(body) > limit:
        raise invalid(resource, "body", f"body is too long (maximum is {limit} characters)")
    return body
