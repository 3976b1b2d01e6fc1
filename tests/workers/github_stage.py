"""A repository with one open pull request in the GitHub stand-in, and our clients for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis as redis_client

from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.github.model import Installation, Limits, PullRequest, Repository
from deploy.sandbox.github.record import Call
from graph.anchors import Anchor
from graph.context import InlineComment, ReviewDraft
from graph.markers import finding_mark
from workers.effects import EffectLedger
from workers.github_client import RepositoryClient
from workers.github_reader import GithubReader
from workers.github_tokens import GithubTokens
from workers.pacing import Pacing
from workers.publishing import GithubPublisher
from workers.replies import Replies
from workers.secrets_box import SecretsBox

BEFORE = "".join(f"line {n}\n" for n in range(1, 61))
AFTER = BEFORE.replace("line 10\n", "line ten\n").replace("line 50\n", "line fifty\nline new\n")


@dataclass
class Stage:
    """What a test needs of the outside, and ours beside it."""

    github: SandboxGitHub
    redis: redis_client.Redis
    repository: Repository
    installation: Installation
    pull: PullRequest
    opened: list[RepositoryClient] = field(default_factory=list)

    @property
    def repository_id(self) -> int:
        return self.repository.id

    @property
    def installation_id(self) -> int:
        return self.installation.id

    @property
    def number(self) -> int:
        return self.pull.number

    @property
    def head_sha(self) -> str:
        return self.pull.head_sha

    def tokens(self, timeout_s: int = 20, **settings: Any) -> GithubTokens:
        return GithubTokens(
            self.redis,
            SecretsBox(["a-key-of-this-test"], "github-token"),
            app_id=self.github.registration.id,
            private_key=self.github.registration.private_key_pem,
            api_url=self.github.api_url,
            timeout_s=timeout_s,
            **settings,
        )

    def client(self, timeout_s: int = 20) -> RepositoryClient:
        client = self.tokens(timeout_s).repository(self.installation_id, self.repository_id)
        self.opened.append(client)
        return client

    def client_that_dies_after(self, writes: int, death: type[BaseException]) -> RepositoryClient:
        """As a process that is killed between the answer to a write and the record of it."""
        self.tokens().token(self.installation_id, self.repository_id)
        left = writes

        def on_call(verb: str, _status: int) -> None:
            nonlocal left
            left -= verb != "GET"
            if left == 0 and verb != "GET":
                raise death

        tokens = self.tokens(on_call=on_call)
        client = tokens.repository(self.installation_id, self.repository_id)
        self.opened.append(client)
        return client

    def reader(self) -> GithubReader:
        return GithubReader(self.client(), self.tokens().identity())

    def publisher(
        self,
        still_ours: Callable[[], None] = lambda: None,
        *,
        timeout_s: int = 20,
        pacing: Pacing | None = None,
        client: RepositoryClient | None = None,
    ) -> GithubPublisher:
        client = client or self.client(timeout_s)
        pacing = pacing or Pacing(self.redis)
        return GithubPublisher(
            client,
            self.tokens().identity(),
            EffectLedger(self.redis),
            pacing,
            self.replies(still_ours, client=client, pacing=pacing),
            still_ours,
        )

    def replies(
        self,
        still_ours: Callable[[], None] = lambda: None,
        *,
        client: RepositoryClient | None = None,
        pacing: Pacing | None = None,
    ) -> Replies:
        return Replies(
            client or self.client(),
            self.tokens().identity(),
            EffectLedger(self.redis),
            pacing or Pacing(self.redis),
            installation_id=self.installation_id,
            still_ours=still_ours,
        )

    def draft(self, *comments: InlineComment, body: str = "Two things.", **how: Any) -> ReviewDraft:
        how = {"head_sha": self.head_sha, "cause": "auto", **how}
        return ReviewDraft(self.number, body=body, comments=comments, **how)

    def writes(self, path: str = "") -> list[Call]:
        """Calls that change something, the minting of tokens apart."""
        calls = self.calls_to("*", path)
        return [c for c in calls if c.method != "GET" and not _is_read(c)]

    def calls_to(self, method: str, path: str = "") -> list[Call]:
        return self.github.record.calls_to(method, path)

    def forget_effects(self, kind: str = "") -> None:
        """As after a loss of our records: only what GitHub holds is left."""
        for name in self.redis.scan_iter(f"precedent:fx:{kind}*"):
            self.redis.delete(name)

    def reviews(self, state: str = "COMMENTED") -> list[dict[str, Any]]:
        """Reviews with a body; replies are reviews without one to GitHub."""
        listed = self.client().pages(f"/pulls/{self.number}/reviews")
        return [r for r in listed if r["state"] == state and r["body"]]

    def conversation(self) -> list[str]:
        return [c["body"] for c in self.client().pages(f"/issues/{self.number}/comments")]

    def review_comments(self) -> list[dict[str, Any]]:
        return list(self.client().pages(f"/pulls/{self.number}/comments"))


def finding(line: int, text: str = "", path: str = "src/app.py", **anchor: Any) -> InlineComment:
    text = text or f"Finding at {line}."
    return InlineComment(Anchor(path, line, **anchor), f"{text}\n\n{finding_mark(f'f{line}')}")


def _is_read(call: Call) -> bool:
    if "access_tokens" in call.path:
        return True
    return "graphql" in call.path and not str((call.body or {}).get("query")).startswith("mutation")


@contextmanager
def open_stage(directory: Path, redis: redis_client.Redis, **limits: int) -> Iterator[Stage]:
    """Serve the stand-in; at the end nothing we sent may contradict GitHub's description."""
    github = SandboxGitHub(directory, webhook_secret="s", limits=Limits(**limits))
    with github.serve():
        stage = _furnished(github, redis)
        yield stage
        for client in stage.opened:
            client.client.close()
    github.close()
    assert github.record.contract_errors == []


def _furnished(github: SandboxGitHub, redis: redis_client.Redis) -> Stage:
    for login in ("ada", "ben"):
        github.add_user(login)
    github.add_organization("acme", owners=["ada"], members=["ben"])
    files = {"src/app.py": BEFORE, "README.md": "# App\n"}
    repository = github.add_repository("acme", "app", files, collaborators={"ben": "write"})
    installation = github.install("acme")
    pull = github.open_pull_request(
        repository, "ben", "Change lines", "Why not?", changes={"src/app.py": AFTER}
    )
    return Stage(github, redis, repository, installation, pull)
