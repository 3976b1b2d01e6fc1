"""A served GitHub stand-in with one organisation, three people and one pull request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import github as pygithub
import pytest
import requests
from github.PullRequest import PullRequest as ApiPull
from github.Repository import Repository as ApiRepository

from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.github.git import FileContent
from deploy.sandbox.github.model import Account, Installation, PullRequest, Repository

START: dict[str, bytes | str | FileContent | None] = {
    "src/app.py": "".join(f"line {n}\n" for n in range(1, 41)),
    "logo.png": b"\x89PNG\x00\x01",
    "gone.txt": "first\nsecond\n",
    ".gitattributes": "*.lock linguist-generated\n",
}
CHANGE: dict[str, bytes | str | FileContent | None] = {
    "src/app.py": "".join(
        {5: "five\n", 6: "", 30: "line 30\nthirty and a half\n"}.get(n, f"line {n}\n")
        for n in range(1, 41)
    ),
    "logo.png": b"\x89PNG\x00\x02",
    "gone.txt": None,
    "new.py": "-- not a header\nx = 1",
}


@dataclass
class Acme:
    """The world of most tests; `call` sends a request as the installation."""

    github: SandboxGitHub
    repository: Repository
    installation: Installation
    pull: PullRequest
    maria: Account
    tom: Account
    eve: Account

    def token(self, **narrowed: Any) -> str:
        answer = requests.post(
            f"{self.github.api_url}/app/installations/{self.installation.id}/access_tokens",
            json=narrowed, headers={"Authorization": f"Bearer {self.github.app_jwt()}"}, timeout=10,
        )  # fmt: skip
        assert answer.status_code == 201, answer.text
        return str(answer.json()["token"])

    def call(
        self, method: str, path: str, *, token: str | None = None, **how: Any
    ) -> requests.Response:
        headers = {"Authorization": f"token {token or self.token()}", **how.pop("headers", {})}
        how.setdefault("allow_redirects", False)
        url = f"{self.github.base_url}{path}" if path.startswith("/api/") else ""
        return requests.request(
            method, url or f"{self.github.api_url}{path}", headers=headers, timeout=10, **how
        )

    def graphql(self, query: str, *, token: str | None = None, **variables: Any) -> Any:
        body = {"query": query, "variables": variables}
        return self.call("POST", "/api/graphql", token=token, json=body).json()

    @property
    def pull_path(self) -> str:
        return f"/repositories/{self.repository.id}/pulls/{self.pull.number}"


@pytest.fixture
def github(tmp_path: Path) -> Iterator[SandboxGitHub]:
    """An empty stand-in, served, without a webhook address."""
    world = SandboxGitHub(tmp_path / "github", webhook_secret="a secret of the hook")
    with world.serve():
        yield world
    world.close()


@pytest.fixture
def acme(github: SandboxGitHub) -> Acme:
    maria, tom, eve = (github.add_user(name) for name in ("maria", "tom", "eve"))
    github.add_organization("acme", owners=[maria], members=[tom], base_role="read")
    repository = github.add_repository("acme", "api", START, collaborators={"tom": "write"})
    installation = github.install("acme", [repository], sender=maria)
    pull = github.open_pull_request(repository, tom, "Change", "Because.", "feature", CHANGE)
    github.record.clear()
    return Acme(github, repository, installation, pull, maria, tom, eve)


@pytest.fixture
def client(acme: Acme) -> Iterator[Callable[..., pygithub.Github]]:
    """Makes PyGithub clients that write without pauses and never retry."""
    made: list[pygithub.Github] = []

    def make(token: str | None = None) -> pygithub.Github:
        made.append(
            pygithub.Github(
                auth=pygithub.Auth.Token(token or acme.token()), base_url=acme.github.api_url,
                retry=None, seconds_between_requests=None, seconds_between_writes=None, lazy=True,
            )
        )  # fmt: skip
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def repo(acme: Acme, client: Callable[..., pygithub.Github]) -> ApiRepository:
    """The repository by its numeric id, without a request."""
    return client().get_repo(acme.repository.id)


@pytest.fixture
def pull(acme: Acme, repo: ApiRepository) -> ApiPull:
    return repo.get_pull(acme.pull.number)
