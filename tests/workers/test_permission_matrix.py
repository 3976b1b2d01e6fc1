"""Who may do what, through the real handlers: the design's table, cell by cell.

Each cell is a signed slash command, mention or comment, the inbox, a handler, the desk, and
GitHub's own answer about the person's role. What counts is what was done: a change in what we
keep, or the words that only the command itself says. A refusal changes nothing and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from deploy.sandbox.github.model import ROLES, IssueComment, Role
from graph.convention_book import Lesson
from graph.conventions import Source
from graph.desk import Desk, lesson_from
from graph.pausing import is_paused, pause
from tests.workers.stage import Stage, open_stage

# "y": everybody with this role; "o": for what they taught themselves; "-": nobody. A public
# repository gives every person on earth "read", so its column "none" is that of "read".
TABLE = """
                     none read triage write maintain admin
list                 -    y    y      y     y        y
show C1              -    y    y      y     y        y
history C1           -    y    y      y     y        y
export               -    y    y      y     y        y
help                 y    y    y      y     y        y
login                y    y    y      y     y        y
add                  -    -    -      y     y        y
remember             -    -    -      y     y        y
approve C3           -    -    -      y     y        y
dismiss C3           -    -    -      y     y        y
undo                 -    -    -      o     o        o
edit C1              -    -    -      o     y        y
forget C1            -    -    -      o     y        y
restore C2           -    -    -      o     y        y
import               -    -    -      -     y        y
link                 -    -    -      -     y        y
unlink               -    -    -      -     y        y
why                  -    y    y      y     y        y
ask                  -    y    y      y     y        y
review               -    -    -      y     y        y
cancel               -    -    -      y     y        y
pause                -    -    -      y     y        y
resume               -    -    -      y     y        y
"""
OF_THE_ORGANISATION = """
                     person owner
list                 y      y
show O1              y      y
history O1           y      y
add --org            -      y
remember --org       -      y
approve O3           -      y
dismiss O3           -      y
edit O1              -      y
forget O1            -      y
restore O2           -      y
undo --org           -      y
import --org         -      y
"""
RULE = "the maximum line length is 88 characters"
WITHOUT_A_LINKED_ACCOUNT = {"list", "show C1", "help", "login"}

IN_SLACK = [
    "list", "show C1", "history C1", "export", "help", "login", "add", "remember", "approve C3",
    "dismiss C3", "undo", "edit C1", "forget C1", "restore C2", "import", "link",
    "unlink", "ask",
]  # fmt: skip
ON_GITHUB = [
    "list", "show C1", "history C1", "export", "help", "add", "remember", "approve C3",
    "dismiss C3", "undo", "edit C1", "forget C1", "restore C2", "import", "why", "ask",
    "review", "cancel", "pause", "resume",
]  # fmt: skip
WORDS = {
    "add": 'add "pin every dependency exactly"',
    "remember": "remember: pin every dependency exactly",
    "edit C1": 'edit C1 "the maximum line length is 90 characters"',
    "import": "import AGENTS.md",
    "link": "link acme/api",
    "unlink": "unlink acme/api",
    "why": "why C1",
    "ask": "what does this service do?",
    "add --org": 'add --org "pin every dependency exactly"',
    "remember --org": "remember for the whole organisation: pin every dependency exactly",
    "edit O1": 'edit O1 "never use print or pprint"',
    "import --org": "import AGENTS.md --org",
    "undo --org": "undo",
}
SPOKEN = {"remember", "ask", "remember --org"}
SAYS = {
    "list": RULE,
    "show C1": RULE,
    "show O1": "never use print",
    "history C1": "History of",
    "history O1": "History of",
    "export": RULE,
    "help": "Teach me",
    "login": "Link your GitHub account",
    "why": RULE,
    "ask": "No model is configured here",
    "cancel": "Cancelled",
    "review": "Reviewed",
}
"""What the answer of a command that changes nothing has to hold; all others change something."""


def cells(table: str, row: str) -> dict[str, str]:
    head, *lines = table.strip("\n").splitlines()
    for line in lines:
        name, marks = line[:21].strip(), line[21:].split()
        if name == row:
            return dict(zip(head.split(), marks, strict=True))
    raise KeyError(row)


def cells_of(table: str) -> list[str]:
    return [line[:21].strip() for line in table.strip("\n").splitlines()[1:]]


def _source(stage: Stage, name: str) -> Source:
    return Source("slack", name, github_id=stage.world.people[name][0])


def _teach(desk: Desk, by: Source) -> None:
    assert desk.organisation is not None
    first = {"O": Lesson("never use print in production", "logging"), "C": lesson_from(RULE)}
    for book, letter in ((desk.organisation, "O"), (desk.book, "C")):
        book.teach(first[letter], by, f"{letter}1")
        book.teach(Lesson("keep modules small", "other"), by, f"{letter}2")
        proposal = Lesson("name modules for their topic", "naming", is_proposal=True)
        book.teach(proposal, by, f"{letter}3")
        book.forget(f"{letter}2", by, f"{letter}2 is gone")


@dataclass
class Matrix:
    """One stage for all cells. `eve` is the person whose role is tried; `ada` maintains."""

    stage: Stage
    answer: str = ""
    dumps: dict[str, dict[bytes, bytes]] = field(default_factory=dict)

    @property
    def desk(self) -> Desk:
        services, world = self.stage.services, self.stage.world
        return Desk(services.store, world.api.id, "acme/api", services.now, world.api.owner.id)

    def begin(self, row: str, *, owner: str = "ada") -> None:
        """C1 and O1 hold, C2 and O2 are deleted, C3 and O3 proposed; all taught by `owner`."""
        services, world, redis = self.stage.services, self.stage.world, self.stage.redis
        pipe = redis.pipeline(transaction=False)
        for key in redis.scan_iter("precedent:store:*", count=1_000):
            pipe.delete(key)
        for key, dumped in self._taught_by(owner).items():
            pipe.restore(key, 0, dumped, replace=True)
        pipe.execute()
        for name in ("eve", "ben"):
            services.permissions.forget(world.api.id, world.people[name][0])
        redis.delete(f"precedent:pacing:{world.installation.id}")  # all in one minute, here
        self.stage.link()
        if row == "link":
            services.channels.unlink(world.team.id, world.api_channel.id, world.api.id)
        if row == "undo --org":
            assert self.desk.organisation is not None
            self.desk.organisation.forget("O1", _source(self.stage, owner), "newest")
        if row == "resume":
            pause(services.store, world.api.id, world.api_pull.number, "ada")

    def _taught_by(self, owner: str) -> dict[bytes, bytes]:
        """The store's keys as teaching leaves them: made once, for teaching takes its time."""
        if owner not in self.dumps:
            redis = self.stage.redis
            for key in redis.scan_iter("precedent:store:*", count=1_000):
                redis.delete(key)
            _teach(self.desk, _source(self.stage, owner))
            self.stage.github.comment(self.stage.world.api_pull, "ada", "@precedent review")
            self.stage.work()
            keys = list(redis.scan_iter("precedent:store:*", count=1_000))
            self.dumps[owner] = {key: redis.dump(key) or b"" for key in keys}
        return self.dumps[owner]

    def kept(self) -> dict[str, Any]:
        """Everything that a command of the table may change."""
        services, world = self.stage.services, self.stage.world
        desk = self.desk
        assert desk.organisation is not None
        return {
            "repository": [c.to_json() for c in desk.book.all()],
            "organisation": [c.to_json() for c in desk.organisation.all()],
            "links": services.channels.of_channel(world.team.id, world.api_channel.id),
            "paused": is_paused(services.store, world.api.id, world.api_pull.number),
        }

    def in_slack(self, name: str, row: str) -> Callable[[], str]:
        def ask() -> str:
            words = WORDS.get(row, row)
            before = len(self.stage.told(name)), len(self.stage.said_in("api-reviews"))
            if row in SPOKEN:
                sent = self.stage.slack.say("api-reviews", name, f"@precedent {words}")
            else:
                sent = self.stage.slack.command("api-reviews", name, "/conventions", words)
            assert sent.status == 200
            self.stage.work()
            said = self.stage.said_in("api-reviews")[before[1] :]
            return "\n".join([self.stage.told(name)[before[0] :], *said])

        return ask

    def on_github(self, name: str, row: str) -> Callable[[], str]:
        def ask() -> str:
            pull = self.stage.world.api_pull
            asked: IssueComment = self.stage.github.comment(
                pull, name, f"@precedent {WORDS.get(row, row)}"
            )
            self.stage.work()
            after = [c for n, c in pull.comments.items() if n > asked.id]
            return "\n".join(c.body for c in after if c.user.type == "Bot")

        return ask

    def was_done(self, row: str, ask: Callable[[], str]) -> bool:
        """Whether the command was carried out; if not, that nothing changed and why was said."""
        before = self.kept()
        self.answer = answer = ask()
        changed = self.kept() != before
        assert answer.strip(), f"{row}: nobody is left without an answer."
        done = SAYS[row] in answer if row in SAYS else changed
        assert changed == (done and row not in SAYS), (row, answer)
        assert done or not any(words in answer for words in (RULE, "never use print"))
        return done


@pytest.fixture(scope="module")
def matrix(
    tmp_path_factory: pytest.TempPathFactory, redis_server: Any
) -> Iterator[Matrix]:  # the cells share one stage: each begins with what it needs
    with open_stage(tmp_path_factory.mktemp("matrix"), redis_server.url) as stage:
        stage.redis.flushall()
        stage.github.commit(
            stage.world.api, "ada", {"AGENTS.md": "- Always write a docstring for functions\n"}
        )
        stage.identify("ada", "eve", "dana")
        stage.work()
        yield Matrix(stage)
        assert stage.dead() == []


PRIVATE, PUBLIC = False, True
PLACES = [(PRIVATE, role) for role in ROLES] + [
    (PUBLIC, role) for role in ("none", "triage", "write")
]
"""Being public changes what reading people may, and nothing above them."""


@pytest.mark.parametrize("way", ["in_slack", "on_github"])
@pytest.mark.parametrize(("is_public", "role"), PLACES)
def test_a_person_may_what_their_role_allows(
    matrix: Matrix, role: Role, is_public: bool, way: str
) -> None:
    matrix.stage.github.set_private("acme/api", not is_public)
    matrix.stage.github.set_role("acme/api", "eve", role)
    for row in IN_SLACK if way == "in_slack" else ON_GITHUB:
        for owns in (False, True):
            if _takes_part(row, owns=owns):
                matrix.begin(row, owner="eve" if owns else "ada")
                done = matrix.was_done(row, getattr(matrix, way)("eve", row))
                expected = _expected(row, role, owns=owns, is_public=is_public)
                assert done == expected, (row, owns, matrix.answer)


@pytest.mark.parametrize("role", ["none", "admin"])
def test_without_a_linked_account_a_person_in_slack_only_reads(matrix: Matrix, role: Role) -> None:
    """ben sits in the channel; what GitHub would allow him does not count until he links it."""
    matrix.stage.github.set_role("acme/api", "ben", role)
    for row in [*IN_SLACK, *cells_of(OF_THE_ORGANISATION)]:
        matrix.begin(row, owner="ben")
        expected = row in WITHOUT_A_LINKED_ACCOUNT or row == "show O1"
        assert matrix.was_done(row, matrix.in_slack("ben", row)) == expected, row


def test_a_person_from_outside_may_do_nothing_in_slack(matrix: Matrix) -> None:
    """Not even one who has linked the account of a maintainer."""
    stage = matrix.stage
    guest = stage.slack.add_user("guest", external=True)
    stage.redis.delete(
        f"precedent:slack_channel:{stage.world.team.id}:{stage.world.api_channel.id}"
    )
    stage.world.api_channel.is_ext_shared = True
    stage.world.api_channel.members.append(guest.id)
    stage.world.people["guest"] = (stage.world.people["ada"][0], guest.id)
    stage.identify("guest")
    try:
        for row in [*IN_SLACK, *cells_of(OF_THE_ORGANISATION)]:
            matrix.begin(row)
            assert not matrix.was_done(row, matrix.in_slack("guest", row)), row
    finally:
        stage.redis.delete(
            f"precedent:slack_channel:{stage.world.team.id}:{stage.world.api_channel.id}"
        )
        stage.world.api_channel.is_ext_shared = False
        stage.world.api_channel.members.remove(guest.id)


@pytest.mark.parametrize("way", ["in_slack", "on_github"])
@pytest.mark.parametrize("who", ["person", "owner"])
def test_rules_of_the_organisation_are_its_owners(matrix: Matrix, who: str, way: str) -> None:
    """ada maintains the repository, and has taught all these rules; dana owns the organisation."""
    matrix.stage.github.set_private("acme/api", True)
    for row in cells_of(OF_THE_ORGANISATION):
        matrix.begin(row, owner="ada" if who == "person" else "dana")
        name = "ada" if who == "person" else "dana"
        done = matrix.was_done(row, getattr(matrix, way)(name, row))
        expected = cells(OF_THE_ORGANISATION, row)[who] == "y"
        assert done == expected, (row, matrix.answer)


def _expected(row: str, role: str, *, owns: bool, is_public: bool) -> bool:
    if is_public and role == "none":
        role = "read"
    if is_public and row == "ask" and role in ("read", "triage"):
        return False  # a question costs a model call, and anybody reads a public repository
    mark = cells(TABLE, row)[role]
    return mark == "y" or (mark == "o" and owns)


def _takes_part(row: str, *, owns: bool) -> bool:
    """Whose it is makes a difference only in some rows; one's own change only can be undone."""
    marks = set(cells(TABLE, row).values())
    return "o" in marks if owns else row != "undo"
