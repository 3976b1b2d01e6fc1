"""One request as a handler sees it, and the table of endpoints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from deploy.sandbox.github.answers import Answer, RefusedError, not_found
from deploy.sandbox.github.model import (
    Account,
    Installation,
    Issue,
    PullRequest,
    Repository,
    Token,
)
from deploy.sandbox.github.urls import Urls

if TYPE_CHECKING:
    from deploy.sandbox.github.world import World

MAX_PER_PAGE = 100


@dataclass(frozen=True)
class Actor:
    """Who calls: the App itself (JWT), one of its installations, or a person (OAuth)."""

    is_app: bool = False
    installation: Installation | None = None
    user: Account | None = None
    token: Token | None = None

    def describe(self) -> dict[str, Any]:
        if self.installation is not None:
            return {"kind": "installation", "id": self.installation.id}
        if self.user is not None:
            return {"kind": "user", "id": self.user.id, "login": self.user.login}
        return {"kind": "app" if self.is_app else "anonymous"}


@dataclass
class Context:
    """`path` holds the path's parameters as text, `body` the JSON object (empty when none)."""

    world: World
    urls: Urls
    actor: Actor
    endpoint: Endpoint
    request_path: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: dict[str, Any]
    found_repository: Repository | None = None
    hides_newest: bool = False

    @property
    def repository(self) -> Repository:
        if self.found_repository is None:
            raise not_found()
        return self.found_repository

    @property
    def author(self) -> Account:
        """The account that a write is made by."""
        return self.actor.user or self.world.registration.bot

    def pull(self) -> PullRequest:
        issue = self.repository.issues.get(int(self.path["pull_number"]))
        if not isinstance(issue, PullRequest):
            raise not_found()
        return issue

    def issue(self) -> Issue:
        issue = self.repository.issues.get(int(self.path["issue_number"]))
        if issue is None:
            raise not_found()
        return issue

    def accepts(self, *media_types: str) -> bool:
        """Whether the Accept header asks for one of GitHub's media types, such as "diff"."""
        wanted = self.headers.get("accept", "")
        return any(f".{t}" in wanted or f"+{t}" in wanted for t in media_types)

    def page(self) -> tuple[int, int]:
        """(page from 1, items a page), clamped as GitHub does."""
        try:
            page = int(self.query.get("page", "1"))
            size = int(self.query.get("per_page", "30"))
        except ValueError as error:
            raise RefusedError(422, "Invalid page or per_page") from error
        return max(page, 1), min(max(size, 1), MAX_PER_PAGE)

    def paged(
        self,
        items: Sequence[Any],
        *,
        render: Callable[[Any], Any] | None = None,
        key: str | None = None,
        hide_newest: bool = True,
    ) -> Answer:
        """One page of `items` with its Link header; `key` wraps them with a total_count.

        `render` runs for the page only. A lagging list leaves out the item with the highest id.
        """
        if hide_newest and self.hides_newest and items:
            newest = max(items, key=_id)
            items = [item for item in items if item is not newest]
        page, size = self.page()
        shown: list[Any] = list(items[(page - 1) * size : page * size])
        if render is not None:
            shown = [render(item) for item in shown]
        body: Any = shown if key is None else {"total_count": len(items), key: shown}
        return Answer(body, headers=self._links(page, -(-len(items) // size)))

    def _links(self, page: int, last: int) -> dict[str, str]:
        pages: dict[str, int] = {}
        if page > 1:
            pages |= {"prev": min(page - 1, last), "first": 1}
        if page < last:
            pages |= {"next": page + 1, "last": last}
        links = [
            f"<{self.urls.base}{self.request_path}?{urlencode({**self.query, 'page': number})}>; "
            f'rel="{relation}"'
            for relation, number in pages.items()
            if number > 0
        ]
        return {"Link": ", ".join(links)} if links else {}


Handler = Callable[[Context], Answer]


@dataclass(frozen=True)
class Endpoint:
    """`path` in OpenAPI's form. `needs` lists alternatives, such as "pull_requests:write".

    `auth` "app" asks for the App's JWT, "token" for any token, "none" for nothing.
    """

    method: str
    path: str
    handler: Handler
    needs: tuple[str, ...] = ()
    auth: str = "token"

    @property
    def operation(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def is_of_repository(self) -> bool:
        return self.path.startswith("/repos/{owner}/{repo}")


def _id(item: Any) -> int:
    value = item.get("id", 0) if isinstance(item, Mapping) else getattr(item, "id", 0)
    return value if isinstance(value, int) else 0
