"""Slack delivers in many odd ways; what people said is done and answered right, and once.

Signed requests, the inbox, the real handlers: each test looks at what went to Slack and at what is
in Redis afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deploy.sandbox.serving import AsgiServer
from graph.convention_book import ConventionBook, Lesson
from graph.conventions import Convention, Source
from graph.ledger import Scope
from tests.workers.stage import Stage, open_stage
from workers.inbox.inspection import every_event
from workers.repliers import MAX_RESPONSES

TEACH = "@precedent remember: the maximum line length is 88 characters"
RULE = "the maximum line length is 88 characters"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, redis_server: Any) -> Iterator[Stage]:
    with open_stage(Path(tmp_path_factory.mktemp("once")), redis_server.url) as stage:
        stage.redis.flushall()
        stage.identify()
        yield stage


@pytest.fixture
def stage(shared: Stage) -> Iterator[Stage]:
    """Each test begins without conventions, and ends without anything that waits or failed."""
    for key in shared.redis.scan_iter("precedent:store:*", count=1_000):
        shared.redis.delete(key)
    shared.link()
    yield shared
    assert shared.dead() == []
    assert [e for e in every_event(shared.redis) if e.slack is not None] == []


class Watch:
    """What the bot says in a channel and what it knows, from now on."""

    def __init__(self, stage: Stage, channel: str = "api-reviews") -> None:
        self.stage, self.channel = stage, channel
        self._before = len(stage.said_in(channel))
        self._signs = len(stage.slack.calls_of("reactions.add"))

    @property
    def said(self) -> list[str]:
        self.stage.work()
        return self.stage.said_in(self.channel)[self._before :]

    @property
    def signs(self) -> int:
        return len(self.stage.slack.calls_of("reactions.add")) - self._signs


def book(stage: Stage) -> ConventionBook:
    scope = Scope("repository", stage.world.api.id)
    return ConventionBook(stage.services.store, scope, stage.services.now)


def known(stage: Stage) -> list[Convention]:
    return book(stage).all()


def test_the_same_event_delivered_four_times(stage: Stage) -> None:
    watch = Watch(stage)
    delivery = stage.slack.say("api-reviews", "ada", TEACH)
    for _ in range(2):
        assert stage.slack.resend(delivery).status == 200
    assert len(watch.said) == 1
    assert stage.slack.resend(delivery).status == 200  # long after it was done
    assert len(watch.said) == 1
    assert (watch.signs, [c.version for c in known(stage)]) == (1, [1])


@pytest.mark.parametrize("first", ["app_mention", "message"])
def test_a_mention_that_arrives_as_two_events(stage: Stage, first: str) -> None:
    watch = Watch(stage)
    stage.slack.subscriptions.add("message.channels")
    try:
        if first == "message":
            team, where = stage.world.team.id, stage.world.api_channel
            ts = stage.slack.say(where, "ada", TEACH).ts
            original = stage.slack.deliveries[-2].payload["event"]
            twin = {**original, "type": "message", "channel_type": "channel"}
            assert stage.slack.emit(team, twin).status == 200
            assert ts == original["ts"]
        else:
            stage.slack.say("api-reviews", "ada", TEACH)
    finally:
        stage.slack.subscriptions.discard("message.channels")
    assert len(watch.said) == 1
    assert (watch.signs, len(known(stage))) == (1, 1)


def test_retries_after_a_500_that_hid_a_success(stage: Stage) -> None:
    """The event is stored, the answer is a 500, and Slack delivers it again."""
    app = stage.web.app
    failed: list[str] = []

    async def broken(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        if failed:
            await app(scope, receive, send)
            return
        failed.append(scope["path"])
        await app(scope, receive, _nowhere)
        await send({"type": "http.response.start", "status": 500, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    watch = Watch(stage)
    usual = stage.slack.events_url
    with AsgiServer(broken) as front:
        stage.slack.events_url = f"{front.url}/slack/events"
        try:
            delivery = stage.slack.say("api-reviews", "ada", TEACH)
        finally:
            stage.slack.events_url = usual
    assert [attempt.status for attempt in delivery.attempts] == [500, 200]
    assert len(watch.said) == 1
    assert (watch.signs, len(known(stage))) == (1, 1)


def test_edited_and_deleted_messages_change_nothing(stage: Stage) -> None:
    watch = Watch(stage)
    said = stage.slack.say("api-reviews", "ada", TEACH)
    assert len(watch.said) == 1
    stage.slack.edit("api-reviews", said.ts, "@precedent remember: never use print")
    stage.slack.delete("api-reviews", said.ts)
    plain = stage.slack.say("api-reviews", "ada", "Good morning")
    stage.slack.edit("api-reviews", plain.ts, "@precedent remember: never use eval")
    assert len(watch.said) == 1
    assert [c.rule for c in known(stage)] == [RULE]


def test_bots_are_not_obeyed_and_not_answered(stage: Stage) -> None:
    watch, posts = Watch(stage), len(stage.slack.calls_of("chat.postMessage"))
    stage.slack.say("api-reviews", "ada", TEACH, bot_id="B0OTHER")
    stage.slack.say("api-reviews", "ada", TEACH, subtype="bot_message", bot_id="B0OTHER")
    stage.slack.say("api-reviews", "ada", TEACH, bot_profile={"id": "B0OTHER"})
    stage.work()
    assert len(stage.slack.calls_of("chat.postMessage")) == posts
    assert (watch.signs, known(stage)) == (0, [])


def test_a_thread_broadcast_is_answered_in_its_thread_and_never_broadcast(stage: Stage) -> None:
    root = stage.slack.say("api-reviews", "ada", "What about line lengths?")
    watch = Watch(stage)
    stage.slack.say("api-reviews", "ada", TEACH, root.ts, subtype="thread_broadcast")
    assert len(watch.said) == 1
    (answer,) = [m for m in stage.slack.thread("api-reviews", root.ts) if m.get("bot_id")]
    assert answer["thread_ts"] == root.ts
    posted = stage.slack.calls_of("chat.postMessage")
    assert not any("reply_broadcast" in str(call) for call in posted)
    assert len(known(stage)) == 1


def test_direct_messages_answer_and_do_not_teach(stage: Stage) -> None:
    direct = stage.slack.say_to_bot("ada", "remember: never use print")
    stage.slack.resend(direct)
    stage.work()
    channel = direct.payload["event"]["channel"]
    (said,) = stage.said_in(channel)
    assert "don't teach" in said
    assert known(stage) == []


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        ("remember: “use f‑strings”", "use f‑strings"),
        ("remember: don’t log tokens", "don’t log tokens"),
        ("add “pin every dependency” —topic dependencies", "pin every dependency"),
        ("remember: use `Decimal` for money & never `float`",
         "use `Decimal` for money & never `float`"),
        ("remember: return List<int>, never tuples", "return List<int>, never tuples"),
    ],
)  # fmt: skip
def test_smart_quotes_entities_and_code_are_kept_as_the_person_saw_them(
    stage: Stage, typed: str, rule: str
) -> None:
    watch = Watch(stage)
    stage.slack.say("api-reviews", "ada", f"@precedent {typed}")
    (said,) = watch.said
    assert "Remembered" in said
    assert [c.rule for c in known(stage)] == [rule]
    assert "<int>" not in said  # Slack would read it as a link


@pytest.mark.parametrize(
    "text",
    [
        "@precedent ```remember: never use print```",
        "@precedent look:\n```\nremember: never use print\n```",
        "@precedent\n> remember: never use print",
    ],
)
def test_code_blocks_and_quotations_teach_nothing(stage: Stage, text: str) -> None:
    watch = Watch(stage)
    stage.slack.say("api-reviews", "ada", text)
    assert len(watch.said) == 1
    assert known(stage) == []


def test_a_text_of_4000_characters_is_heard_whole_and_answered_within_the_limits(
    stage: Stage,
) -> None:
    watch = Watch(stage)
    long = "remember: never use print in " + "modules/of/the/billing/service " * 150
    assert len(long) > 4_000
    stage.slack.say("api-reviews", "ada", f"@precedent {long}")
    (said,) = watch.said
    assert "2,000 are the most" in said
    assert known(stage) == []
    rule = "never use print in " + "x" * 1_900
    stage.slack.say("api-reviews", "ada", f"@precedent add: {rule}\n\n{'And so on. ' * 200}")
    assert all(len(part) < 4_000 for part in watch.said)
    assert len(watch.said) >= 2


def test_sixty_conventions_in_a_list(stage: Stage) -> None:
    """A command may be answered five times; the sixth part of a long list was a dead letter."""
    for number in range(60):
        rule = f"never call helper_{number:02d}_old in new code, " + "because it is slow, " * 20
        source = Source("slack", "ada", github_id=3_001)
        book(stage).teach(Lesson(rule.strip(" ,"), "api"), source, f"teach:{number}")
    watch = Watch(stage)
    stage.slack.say("api-reviews", "ben", "@precedent list")
    said = "\n".join(watch.said)
    assert [n for n in range(60) if f"helper_{n:02d}_old" not in said] == []
    assert all(len(part) < 4_000 for part in watch.said)

    before = len(stage.slack.response_urls.posted)
    stage.slack.command("api-reviews", "ben", "/conventions", "list")
    stage.work()
    posted = stage.slack.response_urls.posted[before:]
    assert 1 < len(posted) <= MAX_RESPONSES
    shown = "\n".join(b["text"]["text"] for p in posted for b in p["blocks"])
    assert [n for n in range(60) if f"helper_{n:02d}_old" not in shown] == []
    assert all(len(p["blocks"]) <= 50 for p in posted)


@pytest.mark.parametrize("command", ["review", "why", "why C1", "cancel", "pause", "resume"])
def test_a_command_of_pull_requests_says_where_it_works(stage: Stage, command: str) -> None:
    """Nobody is left without an answer: these were answered with nothing at all."""
    before = len(stage.told("ben"))
    stage.slack.command("api-reviews", "ben", "/conventions", command)
    stage.work()
    told = stage.told("ben")[before:]
    assert "about one pull request" in told or "There is no C1" in told


async def _nowhere(_message: Any) -> None:
    return None
