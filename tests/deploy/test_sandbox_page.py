"""The sandbox page's own routes and the seeded world, over real HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from deploy.sandbox import seed_files
from deploy.sandbox.app import create_sandbox_app, set_base_url
from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.github.roles import role_of
from deploy.sandbox.seed import World, seed
from deploy.sandbox.serving import AsgiServer
from deploy.sandbox.slack import SandboxSlack


class Scene:
    """A seeded sandbox and a browser's view of its routes."""

    def __init__(self, directory: Path) -> None:
        self.github = SandboxGitHub(directory, webhook_secret="webhook")
        self.slack = SandboxSlack("signing", "xoxb-first")
        self.server = AsgiServer(create_sandbox_app(self.github, self.slack))
        set_base_url(self.github, self.slack, self.server.url)
        self.world: World = seed(self.github, self.slack)
        self.client = httpx.Client(base_url=self.server.url)

    def state(self, **asked: str) -> dict[str, Any]:
        answer = self.client.get("/_sandbox/ui/state", params={"person": "ada", **asked})
        assert answer.status_code == 200
        return dict(answer.json())

    def act(self, name: str, **wish: Any) -> httpx.Response:
        return self.client.post(f"/_sandbox/ui/{name}", json={"person": "ada", **wish})


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    made = Scene(tmp_path)
    with made.server:
        yield made
        made.client.close()
    made.slack.stop()
    made.github.close()


def test_the_seeded_people_have_the_roles_they_are_said_to_have(scene: Scene) -> None:
    roles = {p["name"]: p["roles"] for p in scene.state()["people"]}
    assert roles == {
        "ada": {"acme/api": "maintain", "acme/web": "maintain"},
        "ben": {"acme/api": "write", "acme/web": "write"},
        "cleo": {"acme/api": "read", "acme/web": "read"},
        "dana": {"acme/api": "admin", "acme/web": "admin"},
        "eve": {"acme/api": "none", "acme/web": "none"},
    }
    github_id, slack_id = scene.world.people["ben"]
    assert role_of(scene.world.web, scene.github.accounts[github_id]) == "write"
    assert scene.slack.world.users[slack_id].name == "ben"


def test_exactly_one_added_line_is_longer_than_88(scene: Scene) -> None:
    added = [
        (file["path"], row["new"], len(row["text"]))
        for key in ("acme/api#1", "acme/web#1")
        for file in scene.state(pull=key)["pull"]["files"]
        for row in file["rows"]
        if row["kind"] == "added" and len(row["text"]) > 88
    ]
    line = scene.world.long_line
    assert added == [(scene.world.long_line_path, line, seed_files.LONG_LINE_LENGTH)]


def test_the_page_and_its_files_are_served_with_a_strict_policy(scene: Scene) -> None:
    page = scene.client.get("/")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    for name in ("app.js", "page.css", "dom.js", "markup.js", "blocks.js", "chat.js", "pull.js"):
        answer = scene.client.get(f"/_sandbox/page/{name}")
        assert answer.status_code == 200
        assert "innerHTML" not in answer.text
    assert scene.client.get("/_sandbox/page/routes.py").status_code == 404


def test_an_unchanged_state_is_not_sent_again(scene: Scene) -> None:
    first = scene.client.get("/_sandbox/ui/state", params={"person": "ada"})
    tag = {"If-None-Match": first.headers["etag"]}
    assert scene.client.get("/_sandbox/ui/state?person=ada", headers=tag).status_code == 304
    scene.slack.say("#api-reviews", "ben", "news")
    assert scene.client.get("/_sandbox/ui/state?person=ada", headers=tag).status_code == 200


def test_a_thread_stands_at_its_line_until_that_line_changes(scene: Scene) -> None:
    world = scene.world
    scene.github.review_comment(
        world.api_pull, scene.github.bot, world.long_line_path, world.long_line, "Too long."
    )
    file = scene.state()["pull"]["files"][0]
    position = file["threads"][0]["position"]
    row = next(row for row in file["rows"] if row.get("position") == position)
    assert row["new"] == world.long_line
    content = scene.client.get(
        "/_sandbox/ui/file", params={"pull": "acme/api#1", "path": world.long_line_path}
    ).json()["content"]
    changed = content.replace("return rounded(min(", "return rounded(  min(")
    wish = {"pull": "acme/api#1", "path": world.long_line_path, "content": changed}
    pushed = scene.act("push", **wish)
    pull = scene.state()["pull"]
    assert pull["head_sha"] == pushed.json()["sha"]
    assert pull["files"][0]["threads"] == []
    assert [thread["is_outdated"] for thread in pull["elsewhere"]] == [True]


def test_a_draft_review_is_not_shown(scene: Scene) -> None:
    comment = {"path": scene.world.long_line_path, "line": scene.world.long_line, "body": "x"}
    scene.github.review(
        scene.world.api_pull, scene.github.bot, body="draft", event=None, comments=[comment]
    )
    pull = scene.state()["pull"]
    assert (pull["files"][0]["threads"], pull["conversation"]) == ([], [])


def test_comments_replies_and_resolving(scene: Scene) -> None:
    world = scene.world
    made = scene.github.review_comment(
        world.api_pull, scene.github.bot, world.long_line_path, world.long_line, "Too long."
    )
    there = {"pull": "acme/api#1", "thread_id": made.thread.id}
    assert scene.act("comment", pull="acme/api#1", body="@precedent review").status_code == 200
    assert scene.act("comment", **there, body="why?").status_code == 200
    assert scene.act("resolve", **there, resolved=True).status_code == 200
    pull = scene.state()["pull"]
    thread = pull["files"][0]["threads"][0]
    assert [c["body"] for c in thread["comments"]] == ["Too long.", "why?"]
    assert thread["resolved_by"] == "ada"
    assert [c["body"] for c in pull["conversation"]] == ["@precedent review"]
    scene.act("resolve", **there, resolved=False)
    assert scene.state()["pull"]["files"][0]["threads"][0]["resolved_by"] is None


def test_another_app_s_command_is_refused_as_slack_refuses_it(scene: Scene) -> None:
    """`/nothing` was delivered like `/conventions`, and answered with the list."""
    sent = len(scene.slack.deliveries)
    answer = scene.act("say", channel=scene.world.api_channel.id, text="/nothing")
    assert answer.status_code == 400
    assert answer.json()["error"] == "/nothing is no command of this workspace; /conventions is."
    assert len(scene.slack.deliveries) == sent


def test_a_slash_makes_a_command_and_ephemeral_answers_are_personal(scene: Scene) -> None:
    channel = scene.world.api_channel.id
    scene.act("say", channel=channel, text="hello")
    scene.act("say", channel=channel, text="/conventions list all")
    assert [m["text"] for m in scene.slack.messages(channel)] == ["hello"]
    payload = scene.slack.deliveries[-1].payload
    assert (payload["command"], payload["text"]) == ("/conventions", "list all")
    scene.slack.response_urls.answer(
        scene.world.team, channel, scene.world.people["ada"][1], {"text": "only ada"}
    )
    mine = scene.state(channel=channel)["channel"]["messages"]
    others = scene.state(person="ben", channel=channel)["channel"]["messages"]
    assert ([m["text"] for m in mine], [m["text"] for m in others]) == (
        ["hello", "only ada"],
        ["hello"],
    )


@pytest.mark.parametrize(
    ("name", "wish"),
    [
        ("say", {"channel": "C0NONE", "text": "x"}),
        ("say", {"channel": "C0000API", "text": "  "}),
        ("say", {"channel": "C0000API"}),
        ("comment", {"pull": "acme/api#9", "body": "x"}),
        ("comment", {"pull": "acme/api#1", "body": ""}),
        ("comment", {"pull": "nonsense", "body": "x"}),
        ("resolve", {"pull": "acme/api#1", "thread_id": 1, "resolved": True}),
        ("submit_view", {"view_id": "V1", "values": {}}),
    ],
)
def test_what_cannot_be_done_is_said(scene: Scene, name: str, wish: dict[str, Any]) -> None:
    answer = scene.act(name, **wish)
    assert answer.status_code == 400
    assert answer.json()["error"]


@pytest.mark.parametrize(
    ("person", "may_comment", "may_push"),
    [("ben", True, True), ("cleo", True, False), ("eve", False, False), ("nobody", False, False)],
)
def test_github_lets_people_do_what_their_role_allows(
    scene: Scene, person: str, may_comment: bool, may_push: bool
) -> None:
    there = {"person": person, "pull": "acme/api#1"}
    commented = scene.act("comment", **there, body="x").status_code
    pushed = scene.act("push", **there, path="README.md", content="x\n").status_code
    assert (commented == 200, pushed == 200) == (may_comment, may_push)


def test_a_foreign_page_cannot_act(scene: Scene) -> None:
    body = '{"person": "ada", "channel": "C0000API", "text": "x"}'
    answer = scene.client.post(
        "/_sandbox/ui/say", content=body, headers={"Content-Type": "text/plain"}
    )
    assert answer.status_code == 415
    assert scene.slack.messages("C0000API") == []


def test_both_stand_ins_answer_behind_the_page(scene: Scene) -> None:
    answer = scene.client.get(
        "/api/v3/app", headers={"Authorization": f"Bearer {scene.github.app_jwt()}"}
    )
    assert answer.json()["slug"] == "precedent"
    token = {"Authorization": "Bearer xoxb-first"}
    assert scene.client.post("/slack/api/auth.test", headers=token).json()["team"] == "Acme"
