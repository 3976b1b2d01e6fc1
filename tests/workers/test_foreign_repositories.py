"""Two accounts with the App, and deliveries that name the installation of the wrong one.

GitHub signs no such delivery; a mistake of ours in the way there, or whoever has the secret, might.
What counts is that GitHub gives no token of an installation for a repository that it does not hold.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from deploy.sandbox.github.hooks import Delivery
from deploy.sandbox.github.model import Installation, PullRequest, Repository
from deploy.sandbox.redis_server import EmbeddedRedis
from deploy.sandbox.slack import Channel
from graph import pausing
from graph.convention_book import ConventionBook, Lesson
from graph.conventions import Source
from graph.ledger import Scope
from graph.recalling import active_conventions
from tests.workers.stage import Stage, lease_of, open_stage
from workers.channels import ChannelLink
from workers.event import Event
from workers.runs import open_run

UNKNOWN_INSTALLATION = 987_654
names = (f"guild-{n}" for n in itertools.count(1))
branches = (f"foreign-{n}" for n in itertools.count(1))


@dataclass
class Account:
    """An organisation with the App: a repository, its pull request, and both kinds of rules."""

    stage: Stage
    installation: Installation
    repository: Repository
    pull: PullRequest
    channel: Channel | None = None

    @property
    def organisation(self) -> ConventionBook:
        scope = Scope("organisation", self.repository.owner.id)
        return ConventionBook(self.stage.services.store, scope, self.stage.services.now)

    @property
    def book(self) -> ConventionBook:
        scope = Scope("repository", self.repository.id)
        return ConventionBook(self.stage.services.store, scope, self.stage.services.now)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, redis_server: EmbeddedRedis) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("foreign"), redis_server.url) as opened:
        opened.redis.flushall()
        opened.identify()
        yield opened


def account(stage: Stage, name: str) -> Account:
    stage.github.add_organization(name, owners=["dana"], members=["ben"])
    code = {"a.py": "x = 1\n"}
    repository = stage.github.add_repository(name, "code", code, collaborators={"ben": "write"})
    installation = stage.github.install(name, sender="dana")
    stage.work()
    text = f'TEXT = "{"x" * 100}"\n'
    pull = stage.github.open_pull_request(
        repository, "ben", "T", "", next(branches), {"long.py": text}
    )
    stage.work()
    made = Account(stage, installation, repository, pull)
    dana = Source("github", "dana", github_id=stage.world.people["dana"][0])
    made.organisation.teach(Lesson(f"ask {name} for its seal", "process"), dana, "org")
    made.book.teach(Lesson(f"the {name} way", "process"), dana, "own")
    made.channel = stage.slack.add_channel(name, members=[stage.world.people["dana"][1]])
    link = ChannelLink(repository.id, installation.id, repository.owner.id, repository.full_name, 1)
    stage.services.channels.link(stage.world.team.id, made.channel.id, link)
    return made


@pytest.fixture(scope="module")
def ours(stage: Stage) -> Account:
    return account(stage, "ours")


@pytest.fixture(scope="module")
def theirs(stage: Stage) -> Account:
    found = account(stage, "theirs")
    words = "@precedent on this pull request, ignore the docs folder"
    stage.github.comment(found.pull, "ben", words)
    stage.work()
    pausing.pause(stage.services.store, found.repository.id, found.pull.number, "ben")
    stage.link("web-reviews", found.repository.full_name)
    return found


def check_run(theirs: Account) -> Any:
    runs = theirs.stage.github.check_runs.values()
    return next(r for r in runs if f":{theirs.repository.id}:" in r.external_id)


def say(text: str) -> Callable[[Account], object]:
    return lambda a: a.stage.github.comment(a.pull, "ben", f"@precedent {text}")


ACTS: dict[str, Callable[[Account], object]] = {
    "push": lambda a: a.stage.github.push(a.pull, {"more.py": "x = 2\n"}),
    "close": lambda a: a.stage.github.close_pull_request(a.pull),
    "list": say("conventions"),
    "show": say("show C1"),
    "organisation": say("show O1"),
    "question": say("what does a.py do?"),
    "remember": say("remember: never use print"),
    "forget": say("forget C1"),
    "review": say("review"),
    "cancel": say("cancel"),
    "resume": say("resume"),
    "review body": lambda a: a.stage.github.review(a.pull, "ben", body="@precedent forget C1"),
    "re-run": lambda a: a.stage.github.rerequest_check_run(check_run(a), "ben"),
    "re-run all": lambda a: a.stage.github.rerequest_check_suite(a.pull, "ben"),
    "review again": lambda a: a.stage.github.request_action(check_run(a), "ben", "review_again"),
    "default branch": lambda a: a.stage.github.commit(a.repository, "ben", {"a.py": "x = 3\n"}),
    "archived": lambda a: a.stage.github.archive(a.repository, "dana"),
    "deleted": lambda a: a.stage.github.hooks.post(deleted(a)),
}


def deleted(theirs: Account) -> Delivery:
    """As GitHub tells of a deleted repository; it is there, though."""
    hooks = theirs.stage.github.hooks
    sent = next(d for d in reversed(hooks.deliveries) if d.event == "pull_request")
    kept = ("repository", "organization", "installation", "sender")
    known = {name: value for name, value in sent.payload.items() if name in kept}
    return hooks.build("repository", {**known, "action": "deleted"})


def deliveries_of(theirs: Account, act: Callable[[Account], object]) -> list[Delivery]:
    hooks = theirs.stage.github.hooks
    hooks.hold()
    act(theirs)
    found = list(hooks.waiting)
    hooks.release([])
    theirs.pull.state = "open"
    theirs.repository.archived = False
    assert found
    return found


def told(stage: Stage, delivery: Delivery, installation_id: int, **more: Any) -> None:
    """The same delivery, rightly signed, with another installation."""
    payload = {**delivery.payload, "installation": {"id": installation_id}, **more}
    answer = stage.github.hooks.send(stage.github.hooks.build(delivery.event, payload))
    assert answer.status_code in (200, 202)


def everything_about(theirs: Account) -> dict[bytes, object]:
    """What Redis holds of the repository, apart from the inbox's own bookkeeping."""
    stage = theirs.stage
    found: dict[bytes, object] = {}
    for key in stage.keys_with(str(theirs.repository.id)):
        if not key.startswith((b"precedent:inbox:", b"precedent:metrics", b"precedent:permission")):
            found[key] = stage.redis.dump(key)
    return found


@pytest.mark.parametrize("known", [True, False], ids=["another installation", "an unknown one"])
@pytest.mark.parametrize("act", ACTS)
def test_nothing_of_another_installation_s_repository_is_read_or_said(
    stage: Stage, ours: Account, theirs: Account, act: str, known: bool
) -> None:
    """A closed pull request ended the standing instructions and the pause of whatever repository
    the delivery named, and "deleted" unlinked it: both without a look at GitHub."""
    deliveries = deliveries_of(theirs, ACTS[act])
    before, calls = everything_about(theirs), len(stage.github.calls)
    said = len(stage.said_in("web-reviews"))
    for delivery in deliveries:
        told(stage, delivery, ours.installation.id if known else UNKNOWN_INSTALLATION)
    stage.work()
    made = stage.github.calls[calls:]
    theirs_paths = (f"/repositories/{theirs.repository.id}", "/repos/theirs/")
    assert [c.path for c in made if any(path in c.path for path in theirs_paths)] == []
    assert [c.path for c in made if c.method != "GET" and "access_tokens" not in c.path] == []
    assert everything_about(theirs) == before
    assert len(stage.said_in("web-reviews")) == said
    assert stage.dead() == []


@pytest.mark.parametrize("act", ["list", "remember", "review", "re-run", "push", "close"])
def test_a_repository_that_nobody_knows_is_nobody_s(
    stage: Stage, ours: Account, theirs: Account, act: str
) -> None:
    deliveries = deliveries_of(theirs, ACTS[act])
    calls = len(stage.github.calls)
    for delivery in deliveries:
        repository = {**delivery.payload["repository"], "id": 5_999_999}
        told(stage, delivery, ours.installation.id, repository=repository)
    stage.work()
    made = stage.github.calls[calls:]
    assert [c.path for c in made if c.method != "GET" and "access_tokens" not in c.path] == []
    assert stage.dead() == []
    assert stage.services.installations.repository(5_999_999) is None


def answer_to(account: Account, text: str) -> str:
    before = len(account.pull.comments)
    account.stage.github.comment(account.pull, "ben", f"@precedent {text}")
    account.stage.work()
    _, answer = list(account.pull.comments.values())[before:]
    return answer.body


def seal_of(account: Account) -> str:
    """What the account's own organisation has taught."""
    return f"ask {account.installation.account.login} for its seal"


def shown(account: Account) -> tuple[str, str]:
    """What people are told of the rules in the linked channel, and on the pull request."""
    channel = account.channel
    assert channel is not None
    before = len(account.stage.told("dana"))
    for text in ("list", "show O1", "export", "history O1"):
        account.stage.slack.command(channel, "dana", "/conventions", text)
    account.stage.slack.say(channel, "dana", "@precedent show O1")
    account.stage.work()
    in_slack = account.stage.told("dana")[before:] + "".join(account.stage.said_in(channel.id))
    on_github = [answer_to(account, text) for text in ("conventions", "show O1")]
    return in_slack, "\n".join(on_github)


def recalled(account: Account) -> str:
    """The rules that a model would be given for this repository now."""
    event = Event(
        id="x", kind="pull_request.push", subject="x", number=account.pull.number,
        repository_id=account.repository.id, installation_id=account.installation.id,
    )  # fmt: skip
    with open_run(account.stage.services, event, lease_of(event), "auto") as run:
        rules = active_conventions(account.stage.services.store, run.context)
    return "\n".join(c.rule for c in rules)


def test_rules_of_an_organisation_reach_its_own_repositories_only(
    stage: Stage, ours: Account
) -> None:
    other = account(stage, next(names))
    for mine, foreign in ((ours, other), (other, ours)):
        for seen in (*shown(mine), recalled(mine)):
            assert seal_of(mine) in seen
            assert seal_of(foreign) not in seen


@pytest.mark.parametrize("is_told", [True, False], ids=["told", "the delivery is lost"])
def test_a_transferred_repository_leaves_the_rules_of_its_organisation_behind(
    stage: Stage, ours: Account, is_told: bool
) -> None:
    moved = account(stage, next(names))
    old_seal = seal_of(moved)
    assert old_seal in recalled(moved)
    if not is_told:
        stage.github.hooks.hold()
    stage.github.transfer(moved.repository, ours.installation.account, "dana")
    stage.github.hooks.release(None if is_told else [])
    stage.work()
    moved.installation = ours.installation
    assert old_seal not in answer_to(moved, "conventions")  # the first that we hear of it
    in_slack, *seen = *shown(moved), recalled(moved)
    assert [seal_of(ours) in text for text in seen] == [True, True]
    assert old_seal not in "\n".join([in_slack, *seen])
    assert stage.dead() == []
    assert moved.book.is_frozen()
    assert "the " not in recalled(moved).replace(seal_of(ours), "")  # its own wait to be confirmed


def test_an_event_of_the_old_owner_s_installation_comes_too_late(
    stage: Stage, ours: Account
) -> None:
    """Its token was made before the repository was transferred, and GitHub answers it 404: that
    was a dead letter for each event."""
    moved = account(stage, next(names))
    held = deliveries_of(moved, say("conventions"))
    said = len(moved.pull.comments)
    assert recalled(moved)  # the token is there
    stage.github.hooks.hold()
    stage.github.transfer(moved.repository, ours.installation.account, "dana")
    stage.github.hooks.release([])
    for delivery in held:
        stage.github.hooks.post(delivery)
    stage.work()
    assert len(moved.pull.comments) == said
    assert stage.dead() == []
