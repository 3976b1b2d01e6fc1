"""Import and the organisation's rules where people write: pull requests, channels, commands."""

from __future__ import annotations

import pytest

from deploy.sandbox.github.model import PullRequest
from tests.workers.stage import Stage

AGENTS = "# Agents\n\n- Always write a docstring for public functions\n\n```\nnever this\n```\n"


@pytest.fixture
def pull(stage: Stage) -> PullRequest:
    stage.link()
    stage.identify()
    merged = stage.github.open_pull_request(
        stage.world.api, "ada", "Add AGENTS.md", "", "agents", {"AGENTS.md": AGENTS}
    )
    stage.github.merge_pull_request(merged, "ada")
    stage.work()
    return stage.world.api_pull


def answer_on(stage: Stage, pull: PullRequest, person: str, words: str) -> str:
    before = set(pull.comments)
    stage.github.comment(pull, person, f"@precedent {words}")
    stage.work()
    bot = stage.github.bot
    return "\n".join(c.body for n, c in pull.comments.items() if n not in before and c.user is bot)


def test_import_reads_the_default_branch(stage: Stage, pull: PullRequest) -> None:
    assert "maintain or admin role" in answer_on(stage, pull, "ben", "import AGENTS.md")
    answer = answer_on(stage, pull, "ada", "import")
    assert "**C1** “Always write a docstring for public functions”" in answer
    shown = answer_on(stage, pull, "ada", "show C1")
    sha = stage.world.api.git.branches()[stage.world.api.default_branch]
    assert f"/acme/api/blob/{sha}/AGENTS.md#L3" in shown
    assert "never this" not in answer
    assert stage.dead() == []


def test_import_by_a_slash_command(stage: Stage, pull: PullRequest) -> None:
    stage.slack.command("api-reviews", "ada", "/conventions", "import AGENTS.md")
    stage.work()
    assert "Always write a docstring" in stage.told("ada")
    stage.slack.command("api-reviews", "ada", "/conventions", "import ../../web/contents/README.md")
    stage.work()
    assert "There is no ../../web" in stage.told("ada")
    assert pull.number
    assert stage.dead() == []


def test_owners_teach_the_organisation(stage: Stage, pull: PullRequest) -> None:
    words = "for the whole organisation: the maximum line length is 60 characters"
    assert "owner" in answer_on(stage, pull, "ada", f"remember {words}")
    stage.slack.command("api-reviews", "dana", "/conventions", f"add {words}")
    stage.work()
    assert "*O1*" in stage.told("dana")
    web_pull = stage.world.web_pull
    assert "**O1**" in answer_on(stage, web_pull, "ada", "list")
    assert "owner" in answer_on(stage, web_pull, "ada", "forget O1")
    assert "Forgotten **O1**" in answer_on(stage, web_pull, "dana", "forget O1")
    assert stage.dead() == []
