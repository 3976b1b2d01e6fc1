"""Mentions close together, through signed requests, inbox and two workers: in order, none lost."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.gemini_endpoint import API_KEY, GeminiCall, GeminiEndpoint, Reply, text
from tests.workers.stage import Stage, open_stage
from workers.drain import Drain
from workers.handlers import handler_of
from workers.services import build_services

NUMBERED = re.compile(r"question number (\d)")


def answer(call: GeminiCall) -> Reply:
    return text(f"This answers number {NUMBERED.findall(call.text)[-1]}.")


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[GeminiEndpoint]:
    with GeminiEndpoint(answer) as opened:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", opened.url)
        yield opened


@pytest.fixture
def stage(tmp_path: Path, redis_url: str, endpoint: GeminiEndpoint) -> Iterator[Stage]:
    model = {"GOOGLE_API_KEY": API_KEY, "REVIEW_MODEL": "gemini-3.8-flash"}
    with open_stage(tmp_path, redis_url, **model) as opened:
        yield opened


def work_with_two_workers(stage: Stage) -> None:
    """Each with services of its own, as two processes have, until nothing is due."""
    stage.github.hooks.wait_idle()
    errors: list[BaseException] = []

    def worker() -> None:
        services = build_services(stage.settings)
        try:
            drain = Drain(services.inbox, handler_of(services), slots={})
            while any(lane.due or lane.running for lane in services.inbox.status().lanes):
                if not drain.run("reviews"):
                    time.sleep(0.01)
        except BaseException as error:
            errors.append(error)
        finally:
            services.redis.close()

    workers = [threading.Thread(target=worker) for _ in range(2)]
    for one in workers:
        one.start()
    for one in workers:
        one.join(60)
    stage.work()
    assert errors == []
    assert stage.dead() == []


def messages_of(stage: Stage, thread: str) -> list[str]:
    return [
        str(NUMBERED.findall(m.text)[0] if m.type == "human" else m.text)
        for m in stage.services.saver.latest(thread, "messages")
    ]


def assert_in_order(endpoint: GeminiEndpoint, messages: list[str]) -> None:
    assert messages == ["1", "This answers number 1.", "2", "This answers number 2."]
    assert [NUMBERED.findall(call.text)[-1] for call in endpoint.calls] == ["1", "2"]
    history = json.dumps(endpoint.calls[1].body["contents"][:-1])
    assert "question number 1" in history
    assert "This answers number 1." in history


@pytest.mark.parametrize("place", ["conversation", "review thread", "two places"])
def test_two_mentions_within_a_second_are_answered_in_order(
    stage: Stage, endpoint: GeminiEndpoint, place: str
) -> None:
    pull, world = stage.world.api_pull, stage.world
    root: Any = None
    if place != "conversation":
        root = stage.github.review_comment(
            pull, "ada", world.long_line_path, world.long_line, "Hm, long."
        )
    for number, person in ((1, "ben"), (2, "ada")):
        said = f"@precedent question number {number}: why is it like that?"
        if root is None or (place == "two places" and number == 2):
            stage.github.comment(pull, person, said)
        else:
            stage.github.reply(root, person, said)
    work_with_two_workers(stage)
    assert_in_order(endpoint, messages_of(stage, f"pr:{world.api.id}:{pull.number}"))
    comments: list[Any] = [*stage.github.comments_of(pull), *pull.comments.values()]
    comments.sort(key=lambda comment: comment.id)
    ours = [c.body for c in comments if "This answers" in c.body]
    assert [re.findall(r"This answers number \d", body) for body in ours] == [
        ["This answers number 1"],
        ["This answers number 2"],
    ]


def test_two_mentions_in_a_slack_thread_are_answered_in_order(
    stage: Stage, endpoint: GeminiEndpoint
) -> None:
    stage.link()
    stage.identify()
    stage.slack.say("api-reviews", "ada", "Let us talk about the late fees.")
    root = stage.slack.messages("api-reviews")[-1]
    for number, person in ((1, "ben"), (2, "ada")):
        said = f"@precedent question number {number}: why is it like that?"
        stage.slack.say("api-reviews", person, said, thread_ts=root["ts"])
    work_with_two_workers(stage)
    (thread,) = [t for t in stage.services.saver.threads() if t.startswith("slack:")]
    assert_in_order(endpoint, messages_of(stage, thread))
    told = [m for m in stage.slack.messages("api-reviews") if m.get("bot_id")]
    assert [m["text"] for m in told] == ["This answers number 1.", "This answers number 2."]
    assert {m["thread_ts"] for m in told} == {root["ts"]}
