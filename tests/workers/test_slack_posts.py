"""The one message about a pull request: when it comes, that it is one, what its thread says."""

from __future__ import annotations

import pytest

from tests.workers.stage import Stage
from workers.event import Event
from workers.slack_posts import announce


def review(stage: Stage) -> None:
    pull = stage.world.api_pull
    stage.services.inbox.accept(
        Event(
            id=f"gh:push:{pull.head_sha}:{stage.services.now()}",
            kind="pull_request.push",
            subject=f"pr:{stage.world.api.id}:{pull.number}",
            installation_id=stage.world.installation.id,
            account_id=stage.world.api.owner.id,
            repository_id=stage.world.api.id,
            number=pull.number,
            head_sha=pull.head_sha,
        )
    )
    stage.work()


def teach(stage: Stage) -> None:
    stage.slack.command("api-reviews", "ada", "/conventions", "add line length is 88 characters")
    stage.work()


@pytest.fixture
def stage(stage: Stage) -> Stage:
    stage.link()
    stage.identify()
    return stage


def roots(stage: Stage) -> list[str]:
    messages = stage.slack.messages("api-reviews")
    return [m["text"] for m in messages if m.get("bot_id") and not m.get("thread_ts")]


def replies(stage: Stage) -> list[str]:
    messages = stage.slack.messages("api-reviews")
    return [m["text"] for m in messages if m.get("bot_id") and m.get("thread_ts")]


def test_findings_make_one_message_updated_in_place_with_details_in_its_thread(
    stage: Stage,
) -> None:
    teach(stage)
    review(stage)
    name = f"acme/api#{stage.world.api_pull.number}"
    assert len(roots(stage)) == 1
    assert name in roots(stage)[0]
    assert "1 finding" in roots(stage)[0]
    assert len(replies(stage)) == 1
    assert stage.world.long_line_path in replies(stage)[0]
    first = roots(stage)[0]

    stage.github.push(stage.world.api_pull, {"extra.py": "LONG = '" + "x" * 100 + "'\n"})
    stage.work()
    assert len(roots(stage)) == 1
    assert roots(stage)[0] != first
    stage.github.close_pull_request(stage.world.api_pull)
    stage.work()
    assert len(roots(stage)) == 1
    assert "closed" in roots(stage)[0]
    posted = [call.arguments for call in stage.slack.calls_of("chat.postMessage")]
    assert not any(arguments.get("reply_broadcast") for arguments in posted)
    assert not any("<@" in arguments["text"] or "<!" in arguments["text"] for arguments in posted)
    assert stage.dead() == []


def test_by_default_a_review_without_findings_is_not_worth_a_message(stage: Stage) -> None:
    review(stage)
    assert roots(stage) == []


@pytest.mark.parametrize(("wanted", "count"), [("all", 1), ("off", 0)])
def test_the_repository_says_when(stage: Stage, wanted: str, count: int) -> None:
    stage.github.commit("acme/api", "ada", {".precedent.toml": f'[slack]\nposts = "{wanted}"\n'})
    if wanted == "off":
        teach(stage)
    review(stage)
    assert len(roots(stage)) == count


def test_another_job_for_the_same_review_changes_nothing(stage: Stage) -> None:
    teach(stage)
    review(stage)
    stage.services.inbox.accept(
        Event(
            id="another-job",
            kind="slack.post",
            subject="post:again",
            lane="background",
            installation_id=stage.world.installation.id,
            repository_id=stage.world.api.id,
            number=stage.world.api_pull.number,
        )
    )
    stage.work()
    assert len(roots(stage)) == 1
    assert len(replies(stage)) == 1


def test_a_channel_that_we_may_not_write_to_silences_no_review(stage: Stage) -> None:
    teach(stage)
    stage.link("web-reviews", "acme/api")
    stage.slack.break_next("chat.postMessage", error="is_archived", times=1)
    review(stage)
    said = roots(stage) + replies(stage)
    said += [m["text"] for m in stage.slack.messages("web-reviews")]
    assert ["1 finding" in text for text in said] == [True, False]
    assert stage.dead() == []


def test_where_no_channel_is_linked_no_job_is_made(stage: Stage) -> None:
    event = Event(id="e", kind="pull_request.push", subject="pr:5002:1", repository_id=5_002)
    announce(stage.services, event)
    assert stage.services.inbox.list_events("post:5002:None") == []
