"""Files of a repository's default branch, for `import`: which version was read, and its link."""

from __future__ import annotations

from functools import cached_property
from typing import Any
from urllib.parse import quote

from graph.importing import Document, Documents
from workers.github_client import RepositoryClient
from workers.github_reader import GithubReader
from workers.github_tokens import AppIdentity
from workers.services import Services


class DefaultBranch:
    """The `Documents` of one repository, at the commit that was the newest when it was first asked.

    Asks GitHub for nothing until a document is wanted.
    """

    def __init__(self, repository: RepositoryClient, identity: AppIdentity) -> None:
        self._repository = repository
        self._reader = GithubReader(repository, identity)

    def __call__(self, path: str) -> Document | None:
        if not is_inside(path):
            return None
        content = self._reader.read_file(path, self._sha)
        if content is None or b"\0" in content:
            return None
        url = f"{self._about['html_url']}/blob/{self._sha}/{quote(path)}"
        return Document(path, content.decode("utf-8-sig", errors="replace"), self._sha, url)

    @cached_property
    def _about(self) -> dict[str, Any]:
        return self._repository.about()

    @cached_property
    def _sha(self) -> str:
        branch = str(self._about["default_branch"])
        commits = self._repository.get("/commits", sha=branch, per_page=1)
        return str(commits[0]["sha"])


def linked_documents(services: Services, installation_id: int, repository_id: int) -> Documents:
    """The `Documents` of a repository with a client of their own, opened for each document."""

    def read(path: str) -> Document | None:
        repository = services.tokens.repository(installation_id, repository_id)
        with repository.client:
            return DefaultBranch(repository, services.tokens.identity())(path)

    return read


def is_inside(path: str) -> bool:
    """Whether a path stays in the repository: an address would resolve "..", and lead elsewhere."""
    parts = path.split("/")
    return all(part not in {"", ".", ".."} for part in parts) and "\\" not in path
