"""What GitHub and Slack do to every integration sooner or later, one test each.

Everything enters as signed requests, goes through inbox and handlers, and is judged by what the
stand-ins received. The seeded world is shared: each test opens a pull request of its own.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deploy.sandbox.github import issues
from deploy.sandbox.github.model import CheckRun, IssueComment, PullRequest, Review, ReviewComment
from deploy.sandbox.redis_server import EmbeddedRedis
from deploy.sandbox.slack.sender import DEADLINE_S, Delivery, encode, post, sign
from graph.conventions import Convention, Source
from graph.exporting import as_json
from tests.workers.stage import SIGNING_SECRET, Stage, open_stage

RULE = "the maximum line length is 88 characters"
LONG_LINE = f'TEXT = "{"x" * 100}"\n'
REVIEWS = r"/pulls/\d+/reviews$"

branches = (f"branch-{n}" for n in itertools.count(1))


@contextmanager
def taught_stage(directory: Path, redis_url: str) -> Iterator[Stage]:
    """The seeded world after its first reviews, with a convention that LONG_LINE breaks."""
    with open_stage(directory, redis_url) as opened:
        opened.link()
        opened.identify()
        opened.slack.command("api-reviews", "ada", "/conventions", f"add {RULE}")
        opened.work()
        yield opened


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, redis_server: EmbeddedRedis) -> Iterator[Stage]:
    with taught_stage(tmp_path_factory.mktemp("conformance"), redis_server.url) as opened:
        yield opened


@pytest.fixture(autouse=True)
def nothing_is_left_over(stage: Stage) -> Iterator[None]:
    """No fault waits for the next test, and nothing that happened became a dead letter."""
    yield
    stage.github.faults.clear()
    assert stage.dead() == []


def opened(stage: Stage, *, changes: dict[str, Any] | None = None, **how: Any) -> PullRequest:
    """A pull request of ben's on acme/api that breaks the convention once; nothing is run yet."""
    branch = next(branches)
    made = changes or {f"{branch}.py": LONG_LINE}
    return stage.github.open_pull_request(
        stage.world.api, how.pop("author", "ben"), f"Change {branch}", "", branch, made, **how
    )


def reviews(stage: Stage, pull: PullRequest) -> list[Review]:
    """Our reviews that say something, oldest first; replies in threads are reviews to GitHub."""
    ours = (r for r in pull.reviews.values() if r.user is stage.github.bot)
    return [r for r in ours if r.state != "PENDING" and r.body]


def first_comments(pull: PullRequest) -> list[ReviewComment]:
    return [next(iter(thread.comments.values())) for thread in pull.threads.values()]


def findings(pull: PullRequest) -> list[str]:
    """What stands on lines of a pull request."""
    return [comment.body for comment in first_comments(pull)]


def checks(stage: Stage, head_sha: str) -> list[CheckRun]:
    return [run for run in stage.github.check_runs.values() if run.suite.head_sha == head_sha]


def answers(stage: Stage, pull: PullRequest) -> list[str]:
    """What we said in the conversation of a pull request."""
    comments = stage.github.issue_comments.values()
    return [c.body for c in comments if c.issue is pull and c.user is stage.github.bot]


def is_seen(comment: IssueComment) -> bool:
    return "eyes" in {reaction.content for reaction in comment.reactions.values()}


# --- GitHub: deliveries ---


def test_a_duplicate_guid_is_processed_once(stage: Stage) -> None:
    """1. The same X-GitHub-Delivery again, before and after it was worked off."""
    pull = opened(stage)
    stage.github.hooks.wait_idle()
    delivery = next(d for d in reversed(stage.github.hooks.deliveries) if d.action == "opened")
    stage.github.redeliver(delivery)
    stage.work()
    stage.github.redeliver(delivery)
    stage.work()
    assert [d.status_code for d in stage.github.hooks.deliveries if d.guid == delivery.guid] == [
        202, 200, 200,
    ]  # fmt: skip
    assert len(reviews(stage, pull)) == 1
    assert len(checks(stage, pull.head_sha)) == 1


def test_a_redelivery_after_a_failed_enqueue_is_processed(tmp_path: Path) -> None:
    """2. What could not be stored was not claimed as seen, so GitHub's redelivery repairs it."""
    with (
        EmbeddedRedis(tmp_path / "redis", fsync="always") as server,
        taught_stage(tmp_path, server.url) as stage,
    ):
        server.kill()
        pull = opened(stage)
        stage.github.hooks.wait_idle()
        failed = stage.github.hooks.deliveries[-1]
        assert (failed.action, failed.status_code) == ("opened", 503)
        server.start()
        stage.github.redeliver(failed)
        stage.work()
        assert len(reviews(stage, pull)) == 1
        assert stage.dead() == []


def test_synchronize_out_of_order_reviews_the_last_head_only(stage: Stage) -> None:
    """3. Deliveries of three pushes arrive in reverse."""
    stage.github.hooks.hold()
    pull = opened(stage)
    heads = [stage.github.push(pull, {f"push_{n}.py": LONG_LINE}) for n in range(3)]
    stage.github.hooks.release(list(reversed(stage.github.hooks.waiting)))
    stage.work()
    assert [len(checks(stage, head)) for head in heads] == [0, 0, 1]
    assert [review.commit_id for review in reviews(stage, pull)] == [heads[-1]]


def test_a_force_push_during_a_review_publishes_nothing_of_the_old_head(stage: Stage) -> None:
    """4. The head is replaced while its files are read; the old commit is in the diff no more."""
    pull = opened(stage)
    old_head = pull.head_sha
    stage.github.faults.add(
        "GET",
        rf"/pulls/{pull.number}/files$",
        run=lambda: stage.github.push(pull, {"forced.py": LONG_LINE}, force=True),
    )
    stage.work()
    assert pull.head_sha != old_head
    (review,) = reviews(stage, pull)
    assert review.commit_id == pull.head_sha
    assert [thread.anchor.path for thread in pull.threads.values()] == ["forced.py"]
    assert {run.conclusion for run in checks(stage, pull.head_sha)} == {"neutral"}


# --- GitHub: writing ---


@pytest.mark.parametrize("path", [REVIEWS, r"/reviews/\d+/events$"], ids=["create", "submit"])
@pytest.mark.parametrize("phase", ["after", "drop"])
def test_a_502_after_the_write_landed_leaves_exactly_one_review(
    stage: Stage, path: str, phase: str
) -> None:
    """5. The answer is lost, the review is not."""
    pull = opened(stage)
    stage.github.faults.add("POST", path, phase=phase, status=502)
    stage.work()
    assert len(reviews(stage, pull)) == 1
    assert len(findings(pull)) == 1
    assert not [r for r in pull.reviews.values() if r.state == "PENDING"]


@pytest.mark.parametrize("refusals", [1, 2, None])
def test_the_422_ladder_loses_no_finding(stage: Stage, refusals: int | None) -> None:
    """6. GitHub refuses a review for one bad line and does not say which: validate, move, retry,
    body only, and at last a comment in the conversation."""
    pull = opened(stage)
    refusal = {"message": "Unprocessable Entity", "errors": ["Line could not be resolved"]}
    stage.github.faults.add("POST", REVIEWS, status=422, body=refusal, times=refusals)
    stage.work()
    told = [*findings(pull), *(r.body or "" for r in reviews(stage, pull)), *answers(stage, pull)]
    assert sum(RULE in text for text in told) == 1
    assert len(answers(stage, pull)) == (refusals != 1)


def test_a_rename_between_event_and_post_changes_nothing(stage: Stage) -> None:
    """7. A POST to the old name is answered with 307 and writes nothing; ids have no names."""
    pull = opened(stage)
    stage.github.faults.add(
        "GET",
        rf"/pulls/{pull.number}/files$",
        run=lambda: stage.github.rename("acme/api", "billing", "dana"),
    )
    stage.work()
    assert len(reviews(stage, pull)) == 1
    assert not [c for c in stage.github.calls if c.status in (301, 307)]
    stage.github.rename("acme/billing", "api", "dana")
    stage.work()


def test_a_suspended_installation_stops_work_and_goes_on_when_unsuspended(stage: Stage) -> None:
    """8. What waits while it is suspended ends quietly; the next push is reviewed."""
    pull = opened(stage)
    stage.github.suspend(stage.world.installation, "dana")
    stage.work()
    assert checks(stage, pull.head_sha) == []
    stage.github.unsuspend(stage.world.installation, "dana")
    stage.work()
    stage.github.push(pull, {"after.py": LONG_LINE})
    stage.work()
    assert len(reviews(stage, pull)) == 1


def test_no_bot_is_ever_obeyed_or_answered(stage: Stage) -> None:
    """9. Two bots that answer each other never end: others' bots, our own words with a mention
    in them, and what an App writes in a person's name."""
    pull = opened(stage)
    stage.work()
    stage.github.add_user("renovate[bot]", type="Bot")
    mention = "@precedent remember: never use print"
    by_bot = stage.github.comment(pull, "renovate[bot]", mention)
    by_us = stage.github.comment(pull, stage.github.bot, mention)
    ada = stage.github.existing("ada")
    by_app = issues.create_comment(stage.github, pull, ada, mention, via_app=True)
    stage.github.review(pull, "renovate[bot]", body=mention)
    stage.github.reply(first_comments(pull)[0], "renovate[bot]", mention)
    stage.work()
    assert answers(stage, pull) == [by_us.body]
    assert not any(map(is_seen, (by_bot, by_us, by_app)))
    stage.slack.command("api-reviews", "ada", "/conventions", "list")
    stage.work()
    assert "never use print" not in stage.told("ada")


def test_a_commander_is_judged_by_permission_and_not_by_association(stage: Stage) -> None:
    """10. A member whose membership is private looks like a stranger in `author_association`."""
    stage.github.add_user("fay")
    stage.github.add_user("gus")
    organisation = stage.github.add_organization(
        "inner", owners=["dana"], members=["fay"], public_members=["gus"], base_role="write"
    )
    repository = stage.github.add_repository("inner", "core", {"a.py": "x = 1\n"})
    stage.github.set_role(repository, "gus", "read")
    stage.github.install("inner", [repository], sender="dana")
    pull = stage.github.open_pull_request(repository, "fay", "T", "", "b", {"a.py": "x = 2\n"})
    stage.github.comment(pull, "fay", "@precedent remember: never use eval in production")
    stage.work()
    sent = [d for d in stage.github.hooks.deliveries if d.event == "issue_comment"]
    (asked,) = [d for d in sent if d.payload["sender"]["login"] == "fay"]
    assert asked.payload["comment"]["author_association"] == "NONE"
    assert "Remembered" in answers(stage, pull)[-1]
    organisation.base_role = "read"
    stage.github.comment(pull, "gus", "@precedent forget C1")
    stage.work()
    assert "needs" in answers(stage, pull)[-1]


def test_a_pull_request_whose_fork_was_deleted_is_reviewed(stage: Stage) -> None:
    """11. `head.repo` is null then; the head is still in the base repository."""
    stage.github.set_role(stage.world.api, "eve", "read")
    fork = stage.github.add_fork(stage.world.api, "eve")
    stage.github.hooks.hold()
    pull = opened(stage, author="eve", fork=fork)
    stage.github.delete_repository(fork, "eve")
    stage.github.edit_pull_request(pull, "eve", title="Change it all")
    stage.github.hooks.release([d for d in stage.github.hooks.waiting if d.action == "edited"])
    stage.work()
    edited = next(d for d in reversed(stage.github.hooks.deliveries) if d.action == "edited")
    assert edited.payload["pull_request"]["head"]["repo"] is None
    assert len(reviews(stage, pull)) == 1


def test_a_pull_request_of_301_files_is_read_to_its_end(stage: Stage) -> None:
    """12. Above 300 files GitHub has no diff of a pull request, only the paged list of files."""
    files = {f"wide/f{n:03}.py": f"n = {n}\n" for n in range(300)} | {"wide/z.py": LONG_LINE}
    pull = opened(stage, changes=files)
    stage.work()
    (review,) = reviews(stage, pull)
    assert [thread.anchor.path for thread in pull.threads.values()] == ["wide/z.py"]
    assert len(review.body) < 65_536


def test_what_is_longer_than_a_body_is_said_within_the_limit(stage: Stage) -> None:
    """13. Bodies have 65,536 characters; a longer one is refused, and then nothing is said."""
    source = Source("github", "ada", github_id=stage.world.people["ada"][0])
    reason = "because it was decided so, " * 60
    rules = [
        Convention(f"C{n}", "api", f"Never call helper_{n}_old, {reason}", source)
        for n in range(1, 61)
    ]
    assert sum(len(c.rule) for c in rules) > 65_536
    stage.github.commit("acme/web", "ada", {"rules.json": as_json(rules)})
    pull = stage.world.web_pull
    for command in ("import rules.json", "list", "export json"):
        stage.github.comment(pull, "ada", f"@precedent {command}")
    stage.work()
    imported, listed, exported = answers(stage, pull)
    assert "Active now: C1 to C60 (60)" in imported
    assert re.search(r"… and \d+ more", listed)
    assert "too many for one message" in exported
    assert all(len(text) <= 65_536 for text in (imported, listed, exported))
    assert not [c for c in stage.github.calls if c.status == 422 and "/comments" in c.path]


# --- Slack ---


def said_by_us(stage: Stage) -> int:
    return len(stage.said_in("api-reviews"))


def retried(stage: Stage, delivery: Delivery, number: int) -> int:
    """Slack's retry of an event: the same body, newly signed, with its number. The status."""
    kind, body = encode("event", delivery.payload)
    headers = {"Content-Type": kind, **sign(SIGNING_SECRET, body)}
    headers |= {"X-Slack-Retry-Num": str(number), "X-Slack-Retry-Reason": "http_timeout"}
    url = stage.slack.events_url
    assert url is not None
    return post(url, body, headers, number=number, deadline_s=DEADLINE_S).status or 0


def test_slacks_three_retries_of_one_event_are_answered_once(stage: Stage) -> None:
    """14. An answer that comes a moment too late makes Slack deliver three times more."""
    before = said_by_us(stage)
    delivery = stage.slack.say("api-reviews", "ada", "@precedent list errors")
    assert [retried(stage, delivery, number) for number in (1, 2)] == [200, 200]
    stage.work()
    assert retried(stage, delivery, 3) == 200
    stage.work()
    assert said_by_us(stage) == before + 1


@pytest.mark.parametrize("first", ["app_mention", "message"])
def test_one_mention_that_arrives_as_two_events_is_answered_once(stage: Stage, first: str) -> None:
    """15. app_mention and message carry event ids of their own, and either may be the first."""
    before = said_by_us(stage)
    subscriptions = set(stage.slack.subscriptions)
    stage.slack.subscriptions.add("message.channels")
    events_url, stage.slack.events_url = stage.slack.events_url, None
    delivery = stage.slack.say("api-reviews", "ada", "@precedent list errors")
    stage.slack.events_url = events_url
    stage.slack.subscriptions.clear()
    stage.slack.subscriptions.update(subscriptions)
    both = sorted((delivery, *delivery.also), key=lambda d: d.payload["event"]["type"] != first)
    assert len({d.event_id for d in both}) == 2
    assert [retried(stage, each, 0) for each in both] == [200, 200]
    stage.work()
    assert said_by_us(stage) == before + 1


def test_while_the_broker_is_down_slack_gets_503_and_its_retry_succeeds(tmp_path: Path) -> None:
    """16. A 200 for what was not stored would lose it: Slack repeats only what failed."""
    with (
        EmbeddedRedis(tmp_path / "redis", fsync="always") as server,
        taught_stage(tmp_path, server.url) as stage,
    ):
        stage.slack.sender.retry_delays_s = ()
        server.kill()
        delivery = stage.slack.say("api-reviews", "ada", "@precedent list")
        assert delivery.status == 503
        assert delivery.attempts[-1].elapsed_s < 3
        server.start()
        assert retried(stage, delivery, 1) == 200
        stage.work()
        assert said_by_us(stage) == 1


def test_auth_test_is_never_called_for_an_event(stage: Stage) -> None:
    """17. With an installation store Bolt asks Slack for each event, adding its latency, and
    swallows the event with a 200 when Slack limits the calls."""
    calls, known = len(stage.slack.calls), len(stage.slack.calls_of("auth.test"))
    stage.slack.say("api-reviews", "ada", "@precedent list errors")
    stage.slack.say_to_bot("ben", "list errors")
    stage.slack.command("api-reviews", "ben", "/conventions", "list errors")
    assert len(stage.slack.calls) == calls  # the web process asked nothing at all
    stage.work()
    assert len(stage.slack.calls) > calls
    assert len(stage.slack.calls_of("auth.test")) == known


def test_a_person_from_outside_the_workspace_is_refused(stage: Stage) -> None:
    """18. In a Slack Connect channel people of another company read along: they may do nothing,
    and are told so where only they see it."""
    guest = stage.slack.add_user("guest", external=True)
    ada = stage.world.people["ada"][1]
    shared = stage.slack.add_channel("with-partners", shared=True, members=[ada, guest])
    stage.link("with-partners")
    acts: list[Callable[[], object]] = [
        lambda: stage.slack.say(shared, guest, "@precedent remember: never use print"),
        lambda: stage.slack.say(shared, guest, "@precedent list"),
        lambda: stage.slack.command(shared, guest, "/conventions", "forget C1"),
    ]
    for act in acts:
        act()
        stage.work()
    told = [m for m in stage.slack.ephemerals(shared) if m["recipient"] == guest.id]
    assert len(told) == len(acts)
    assert all("outside this workspace" in m["text"] for m in told)
    assert stage.said_in("with-partners") == []
    stage.slack.command("api-reviews", "ada", "/conventions", "show C1")
    stage.work()
    assert RULE in stage.told("ada")
