"""Who asks and pushes what: repositories, pull requests, and the events of each in their order."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field

from redis import Redis

from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.github.model import PullRequest, Repository
from graph.commands import Command, parse_command
from graph.conventions import Source
from graph.desk import Desk, Visitor
from graph.store import ConventionStore

PATH = "src/app.py"
PERSON = "ben"


@dataclass
class Pull:
    """One pull request. `script` holds "q" and "p" in the order in which they happen."""

    index: int
    pull: PullRequest
    script: list[str]
    pushes: int = 1
    questions: int = 0
    heads: list[str] = field(default_factory=list)

    @property
    def place(self) -> tuple[int, int]:
        return self.pull.repository.id, self.pull.number


def furnish(
    github: SandboxGitHub, redis_url: str, *, pulls: int, repositories: int, questions: int,
    pushes: int, seed: int,
) -> list[Pull]:  # fmt: skip
    """One organisation and installation for each repository; the first push opens each pull."""
    shuffler = random.Random(seed)
    github.add_user(PERSON)
    github.add_user("ada")
    places = [_repository(github, redis_url, number, pushes) for number in range(repositories)]
    made = []
    for index in range(pulls):
        script = ["q"] * questions + ["p"] * (pushes - 1)
        shuffler.shuffle(script)
        pull = github.open_pull_request(
            places[index % repositories], PERSON, f"Change [pr-{index}]", None,
            f"feature-{index}", {PATH: _content(index, 1)},
        )  # fmt: skip
        made.append(Pull(index, pull, script, heads=[pull.head_sha]))
    return made


def act(github: SandboxGitHub, pull: Pull) -> None:
    """The next event of one pull request."""
    if pull.script.pop(0) == "q":
        pull.questions += 1
        words = f"@{github.app_slug} what is the number of [pr-{pull.index} q{pull.questions}]?"
        github.comment(pull.pull, PERSON, words)
        return
    pull.pushes += 1
    pull.heads.append(github.push(pull.pull, {PATH: _content(pull.index, pull.pushes)}))


def _repository(github: SandboxGitHub, redis_url: str, number: int, pushes: int) -> Repository:
    owner = f"org{number}"
    github.add_organization(owner, owners=["ada"], members=[PERSON])
    repository = github.add_repository(
        owner, "app", {PATH: "VALUE = 0\n"}, collaborators={PERSON: "write", "ada": "maintain"}
    )
    github.install(owner)
    _teach(redis_url, repository.id, [f"never call `forbidden_{n + 1}()`" for n in range(pushes)])
    return repository


def _content(index: int, push: int) -> str:
    """Every push breaks another convention, so each reviewed head has something to say."""
    return f"VALUE = {index}\n\n\ndef change_{push}():\n    return forbidden_{push}(VALUE)\n"


def _teach(redis_url: str, repository_id: int, rules: list[str]) -> None:
    source = Source(place="cli", name="operator", thread="cli", said_at=time.time())
    visitor = Visitor(source=source, permission="admin", is_operator=True, is_org_owner=True)
    with Redis.from_url(redis_url) as redis:
        desk = Desk(ConventionStore(redis), repository_id, str(repository_id), time.time)
        for number, rule in enumerate(rules):
            command = parse_command(f"add {rule}")
            assert isinstance(command, Command)
            answer = desk.serve(command, visitor, f"chaos:{number}")
            assert not answer.is_refusal, answer.text
        assert all(convention.check for convention in desk.book.active())
