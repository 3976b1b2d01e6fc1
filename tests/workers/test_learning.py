"""Learning and conversations through the signed routes, with both stand-ins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import structlog

from graph.convention_book import ConventionBook
from graph.conventions import Convention
from graph.ledger import Scope
from tests.workers.stage import Stage, open_stage
from workers.channels import ChannelLink
from workers.event import Event
from workers.learning import QUIET_S, job
from workers.slack_pull_requests import linked_pull_request, named_number, web_host


def rules(stage: Stage, status: str = "proposed") -> list[Convention]:
    book = ConventionBook(
        stage.services.store, Scope("repository", stage.world.api.id), stage.services.now
    )
    return [c for c in book.all() if c.status == status]


def discuss(stage: Stage, text: str, person: str = "ada", *, is_followed: bool = True) -> None:
    """A review comment on the long line, and a push that changes the code it stands on."""
    world = stage.world
    stage.github.review_comment(world.api_pull, person, world.long_line_path, world.long_line, text)
    if is_followed:
        stage.github.push(world.api_pull, {world.long_line_path: "# All new.\n"})


def close(stage: Stage) -> None:
    stage.github.close_pull_request(stage.world.api_pull)
    stage.work()


def test_a_closed_pull_request_is_learned_from_in_the_linked_channel(stage: Stage) -> None:
    stage.link()
    discuss(stage, "We always wrap long lines. Can you wrap it?")
    close(stage)
    (rule,) = rules(stage)
    assert rule.rule == "We always wrap long lines"
    assert rule.source.name == "ada"
    assert rule.source.permalink.startswith(host_of(stage))
    assert rule.evidence == ("the code was changed after it was said",)
    (told,) = stage.said_in("api-reviews")
    assert "We always wrap long lines" in told
    assert stage.dead() == []
    assert [t for t in stage.services.saver.threads() if t.startswith("learn:")] == []


def test_a_click_on_approve_makes_it_hold(stage: Stage) -> None:
    stage.link()
    stage.identify()
    discuss(stage, "We always wrap long lines.")
    close(stage)
    message = next(m for m in stage.slack.messages("api-reviews") if m.get("bot_id"))
    stage.slack.click(message, "convention.approve#0", "ben")
    stage.work()
    assert [c.rule for c in rules(stage, "active")] == ["We always wrap long lines"]


def test_without_a_channel_the_closed_pull_request_gets_one_comment(stage: Stage) -> None:
    discuss(stage, "We always wrap long lines.")
    stage.work()
    event = learn_event(stage)
    stage.handle(event)
    assert rules(stage) == []  # still open: nowhere to say it
    close(stage)
    stage.handle(event)
    comments = stage.world.api_pull.comments.values()
    ours = [c.body for c in comments if "We always wrap" in c.body]
    assert len(ours) == 1
    assert "`approve C1`" in ours[0]


def test_people_without_write_teach_nothing_in_the_background(stage: Stage) -> None:
    stage.link()
    discuss(stage, "We always wrap long lines.", "cleo")
    close(stage)
    assert rules(stage) == []
    assert stage.said_in("api-reviews") == []


def test_a_repository_can_switch_it_off(stage: Stage) -> None:
    stage.link()
    stage.github.commit(
        stage.world.api, "ada", {".precedent.toml": "[learning]\nenabled = false\n"}
    )
    discuss(stage, "We always wrap long lines.")
    close(stage)
    assert rules(stage) == []


def test_when_the_day_s_tokens_are_used_up_the_job_comes_back_the_next_day(
    tmp_path: Path, redis_url: str
) -> None:
    """With a model, learning went on asking it whatever the repository had allowed for the day."""
    model = {"REVIEW_MODEL": "", "GOOGLE_API_KEY": "a-key-that-nobody-calls"}
    with open_stage(tmp_path, redis_url, **model) as stage:
        at_22_30 = 1_800_000_000.0 // 86_400 * 86_400 + 22.5 * 3_600
        stage.services = replace(stage.services, now=lambda: at_22_30)
        stage.link()
        settings = {".precedent.toml": "[review]\ndaily_tokens = 0\n"}
        stage.github.commit(stage.world.api, "ada", settings)
        discuss(stage, "We always wrap long lines.")
        with structlog.testing.capture_logs() as logs:
            outcome = stage.handle(learn_event(stage))
        assert [job.id for job in outcome.follow_up] == [learn_event(stage).id]
        assert outcome.follow_up_due_s == 1.5 * 3_600
        reasons = [entry["reason"] for entry in logs if entry["event"] == "learning.waits"]
        assert reasons == ["the repository's tokens for today are used up (`review.daily_tokens`)"]
        assert rules(stage) == []
        assert [t for t in stage.services.saver.threads() if t.startswith("learn:")] == []


def test_words_in_slack_about_a_pull_request_count_too(stage: Stage) -> None:
    """Said once to us in the channel and once on a pull request: the same point twice.

    Neither is an order to remember it, so nothing was saved when it was said.
    """
    stage.link()
    stage.identify()
    stage.slack.say("api-reviews", "ben", "@precedent why? We generally prefer short functions.")
    stage.work()
    discuss(stage, "We generally prefer short functions.", is_followed=False)
    close(stage)
    (rule,) = rules(stage)
    assert rule.evidence[0].startswith("said in ")


def test_what_stands_above_a_review_counts_too(stage: Stage) -> None:
    """Bodies of reviews were never read; a pending one is nobody's business yet."""
    stage.link()
    pull = stage.world.api_pull
    stage.github.review(pull, "ada", body="Looks good. We never use print here.")
    stage.github.review(pull, "cleo", body="We always use tabs here.")
    stage.github.review(pull, "ada", event="APPROVE")
    discuss(stage, "We never use print here.", is_followed=False)
    other = stage.github.open_pull_request(
        stage.world.api, "ben", "More", "", "more", {"more.py": "x = 1\n"}
    )
    stage.github.review(other, "ada", body="We never use print here.")
    close(stage)
    assert rules(stage) == []  # said twice, in one pull request
    stage.github.close_pull_request(other)
    stage.work()
    (rule,) = rules(stage)
    assert rule.rule == "We never use print here"
    assert "pullrequestreview" in rule.source.permalink
    assert rule.evidence[0].startswith(f"said in #{number_of(stage)} too")
    assert stage.dead() == []


def test_a_push_is_followed_by_learning_ten_minutes_later(stage: Stage) -> None:
    stage.github.push(stage.world.api_pull, {"x.py": "x = 1\n"})
    stage.work()
    (job,) = stage.services.inbox.list_events(f"learn:{stage.world.api.id}")
    assert job.id == f"learn:{stage.world.api.id}:{number_of(stage)}"
    assert 0 < job.due_in_s <= QUIET_S


def test_a_slack_thread_speaks_of_the_pull_request_that_was_linked(stage: Stage) -> None:
    stage.link()
    stage.identify()
    stage.slack.command("api-reviews", "ada", "/conventions", "add line length is 88 characters")
    stage.work()
    stage.github.push(stage.world.api_pull, {"x.py": "x = 1\n"})
    stage.work()
    url = f"{host_of(stage)}/acme/api/pull/{number_of(stage)}"
    stage.slack.say("api-reviews", "ben", f"@precedent on this pull request, ignore tests {url}")
    stage.work()
    assert "For this conversation only" in stage.said_in("api-reviews")[-1]
    root = next(m for m in stage.slack.messages("api-reviews") if "ignore tests" in m["text"])
    stage.slack.say(
        "api-reviews", "ben", "@precedent what did you say last time?", thread_ts=root["ts"]
    )
    stage.work()
    assert "Review of" in stage.said_in("api-reviews")[-1]
    assert "convention, C1]" in stage.said_in("api-reviews")[-1]
    stage.slack.say("api-reviews", "ben", "@precedent what did you say last time? #999")
    stage.work()
    assert "no pull request #999" in stage.said_in("api-reviews")[-1]


def test_instructions_die_with_the_pull_request(stage: Stage) -> None:
    issue = stage.world.api_pull
    stage.github.comment(issue, "ben", "@precedent on this pull request, ignore the tests")
    stage.work()
    thread = f"pr:{stage.world.api.id}:{number_of(stage)}"
    config: Any = {"configurable": {"thread_id": thread}}
    assert stage.services.graph.get_state(config).values["instructions"]
    close(stage)
    assert stage.services.graph.get_state(config).values["instructions"] == []
    assert stage.dead() == []


def test_why_in_a_review_thread_is_answered_there(stage: Stage) -> None:
    stage.link()
    stage.identify()
    stage.slack.command("api-reviews", "ada", "/conventions", "add line length is 88 characters")
    stage.work()
    stage.github.push(stage.world.api_pull, {"x.py": "x = 1\n"})
    stage.work()
    ours = next(c for c in stage.github.comments_of(stage.world.api_pull) if "C1" in c.body)
    stage.github.reply(ours, "ben", "@precedent why?")
    stage.work()
    said = [c.body for c in stage.github.comments_of(stage.world.api_pull)]
    assert "line length is 88 characters" in said[-1]
    assert len(said) == 3
    stage.github.reply(ours, "ben", "I see.")
    stage.work()
    assert len(stage.github.comments_of(stage.world.api_pull)) == 4  # no answer without a mention


def learn_event(stage: Stage) -> Event:
    world = stage.world
    return job(
        Event(
            id="x", kind="pull_request.closed", subject="x", number=number_of(stage),
            repository_id=world.api.id, installation_id=world.installation.id,
        )
    )  # fmt: skip


def host_of(stage: Stage) -> str:
    return f"http://{web_host(stage.github.api_url)}"


def number_of(stage: Stage) -> int:
    return stage.world.api_pull.number


LINKS = [ChannelLink(1, 1, 1, "acme/api", 1), ChannelLink(2, 1, 1, "acme/web", 1)]


def test_only_links_to_the_channels_repositories_count() -> None:
    def number(text: str) -> int | None:
        found = linked_pull_request(text, LINKS, "github.com")
        return found[1] if found else None

    assert number("see https://github.com/acme/api/pull/12/files#r1") == 12
    assert linked_pull_request("https://github.com/Acme/Web/pull/3", LINKS, "github.com") == (
        LINKS[1], 3,
    )  # fmt: skip
    assert number("https://github.com/acme/other/pull/12") is None
    assert number("https://github.com.evil.test/acme/api/pull/12") is None
    assert number("https://evil.test/github.com/acme/api/pull/12") is None
    assert number("https://github.com/acme/api/issues/12") is None
    assert web_host("https://api.github.com") == "github.com"
    assert web_host("https://ghe.acme.test/api/v3") == "ghe.acme.test"


def test_a_number_alone_names_a_pull_request() -> None:
    assert named_number("what about #12?") == 12
    assert named_number("#12 and #13") is None
    assert named_number("colour #123abc, &#39;, a#12") is None
