"""Who may do what, through the real handlers: the table of the design, cell by cell.

Each cell is a signed slash command or comment, the inbox, a handler, the desk, and GitHub's own
answer about the person's role.
"""

from __future__ import annotations

import pytest

from graph.convention_book import Lesson
from graph.conventions import Source
from graph.desk import Desk
from tests.workers.stage import Stage

ROLES = ("none", "read", "triage", "write", "maintain", "admin")
READ, WRITE, OWN, MAINTAIN = "read", "write", "own", "maintain"
COMMANDS = {
    "list": READ,
    "show C1": READ,
    "history C1": READ,
    "export": READ,
    'add "pin every dependency"': WRITE,
    "approve C3": WRITE,
    "dismiss C3": WRITE,
    'edit C1 "never use eval or exec"': OWN,
    "forget C1": OWN,
    "import AGENTS.md": MAINTAIN,
}
BEFORE_LOGIN = {"list", "show C1"}
REFUSALS = ("needs ", "no access", "I don't know who you are", "can't use me here")


def _is_allowed(role: str, need: str, *, owns: bool) -> bool:
    rank = ROLES.index(role)
    if need == READ:
        return rank >= ROLES.index("read")
    if need == WRITE:
        return rank >= ROLES.index("write")
    if need == OWN:
        return rank >= ROLES.index("maintain") or (owns and rank >= ROLES.index("write"))
    return rank >= ROLES.index("maintain")


def _teach(stage: Stage, owner: str) -> None:
    """C1 by `owner`, C2 deleted, C3 proposed."""
    github_id, slack_id = stage.world.people[owner]
    source = Source("slack", owner, github_id=github_id, slack_team=stage.world.team.id,
                    slack_user=slack_id)  # fmt: skip
    book = Desk(stage.services.store, stage.world.api.id, "acme/api", stage.services.now).book
    book.teach(Lesson("never use eval in production", "security"), source, "c1")
    book.teach(Lesson("log with structlog", "logging"), source, "c2")
    book.teach(Lesson("name modules for their topic", "naming", is_proposal=True), source, "c3")
    book.forget("C2", source, "c2-gone")


def _fresh(stage: Stage, owner: str) -> None:
    stage.redis.flushall()
    stage.link()
    _teach(stage, owner)


def _asks(stage: Stage, name: str, command: str) -> str:
    before = len(stage.told(name))
    assert stage.slack.command("api-reviews", name, "/conventions", command).status == 200
    stage.work()
    return stage.told(name)[before:]


def _is_refused(answer: str) -> bool:
    assert answer.strip()
    return any(words in answer for words in REFUSALS)


@pytest.mark.parametrize("owns", [True, False], ids=["own", "others"])
@pytest.mark.parametrize("role", ROLES)
def test_a_linked_person_may_what_their_role_allows(stage: Stage, role: str, owns: bool) -> None:
    stage.github.set_role("acme/api", "eve", role)
    for command, need in COMMANDS.items():
        if owns and need != OWN:
            continue  # whose it is makes no difference there
        _fresh(stage, "eve" if owns else "ada")
        stage.identify("eve")
        refused = _is_refused(_asks(stage, "eve", command))
        assert refused != _is_allowed(role, need, owns=owns), (role, command)
    assert stage.dead() == []


@pytest.mark.parametrize("role", ["read", "admin"])
def test_a_person_without_a_linked_account_only_reads(stage: Stage, role: str) -> None:
    stage.github.set_role("acme/api", "eve", role)
    _fresh(stage, "ada")
    for command in COMMANDS:
        refused = _is_refused(_asks(stage, "eve", command))
        assert refused == (command not in BEFORE_LOGIN), command


def test_a_person_from_outside_may_nothing(stage: Stage) -> None:
    _fresh(stage, "ada")
    guest = stage.slack.add_user("guest", external=True)
    stage.world.api_channel.is_ext_shared = True
    stage.world.api_channel.members.append(guest.id)
    stage.world.people["guest"] = (3_001, guest.id)
    stage.identify("guest")  # linked to the account of a maintainer, and still from outside
    for command in COMMANDS:
        assert _is_refused(_asks(stage, "guest", command)), command
    book = Desk(stage.services.store, stage.world.api.id, "acme/api", stage.services.now).book
    assert [c.status for c in book.all()] == ["active", "deleted", "proposed"]


@pytest.mark.parametrize("is_private", [True, False], ids=["private", "public"])
@pytest.mark.parametrize("role", ROLES)
def test_on_github_reviews_need_write_and_questions_cost_it_in_public(
    stage: Stage, role: str, is_private: bool
) -> None:
    stage.github.set_private("acme/api", is_private)
    stage.github.set_role("acme/api", "eve", role)
    stage.work()
    everybody = "none" if is_private else "read"  # a public repository is read by everybody
    rank = max(ROLES.index(role), ROLES.index(everybody))
    for command, least in {
        "pause": "write", "resume": "write", "cancel": "write", "list": "read",
        "what is this for?": "read" if is_private else "write",
    }.items():  # fmt: skip
        if rank == 0:
            continue  # they don't even see it, so GitHub lets them write nothing
        count = len(stage.github.issue_comments)
        stage.github.comment(stage.world.api_pull, "eve", f"@precedent {command}")
        stage.work()
        said = [c.body for c in list(stage.github.issue_comments.values())[count:]]
        answer = "\n".join(said[1:])
        refused = "need" in answer or "no access" in answer
        assert refused != (rank >= ROLES.index(least)), (role, command, answer)
