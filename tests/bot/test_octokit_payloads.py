"""GitHub's own 329 example payloads, and damaged copies of them, at the real web app.

Nothing may be answered with a 5xx, and nothing may become an event of another repository,
pull request or installation than its payload names.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from redis import Redis

from tests.bot.app import Web
from tests.octokit.fetch import examples
from workers.event import Event
from workers.inbox.inspection import every_event

DAMAGED_COPIES = 600
INSTALLATION_ID = 31
REVIEWED = {"opened", "reopened", "synchronize", "ready_for_review", "labeled", "unlabeled"}
REPOSITORY_LIFE = {
    "renamed", "transferred", "archived", "unarchived", "privatized", "publicized", "deleted",
}  # fmt: skip
INSTALLATION_LIFE = {"created", "deleted", "suspend", "unsuspend", "new_permissions_accepted"}


@dataclass(frozen=True)
class Example:
    event: str
    payload: dict[str, Any]


@pytest.fixture(scope="module")
def published() -> list[Example]:
    try:
        found = examples()
    except FileNotFoundError:
        pytest.skip("GitHub's payloads are not here: run `python -m tests.octokit.fetch` with npm")
    return [Example(e["name"], payload) for e in found for payload in e["examples"]]


@pytest.fixture
def web(redis_url: str) -> Web:
    return Web(redis_url)


def test_all_of_them_are_there(published: list[Example]) -> None:
    assert len(published) == 329
    assert len({example.event for example in published}) == 58


def test_as_published_each_is_accepted_or_ignored_for_a_reason(
    web: Web, published: list[Example]
) -> None:
    for example in published:
        answer = web.github(example.event, example.payload)
        assert answer.status_code in {200, 202}, (example.event, answer.text)
        body = answer.json()
        assert body.get("subject") if answer.status_code == 202 else body["reason"], body


def test_for_our_installation_each_gets_the_subject_that_its_payload_names(
    web: Web, redis: Redis, published: list[Example]
) -> None:
    accepted = 0
    for number, example in enumerate(published):
        payload = _for_us(example)
        answer = web.github(example.event, payload, delivery=f"d-{number}")
        expected = _subject(example.event, payload)
        assert answer.status_code == (202 if expected else 200), (example.event, answer.text)
        assert answer.json().get("subject") == expected, example.event
        accepted += expected is not None
    assert accepted > 35
    assert {e.installation_id for e in every_event(redis)} == {INSTALLATION_ID}


def test_words_that_mention_us_in_each_comment_are_heard_once(
    web: Web, redis: Redis, published: list[Example]
) -> None:
    """Of the examples with a person's words, those written anew by a person on a pull request."""
    keys = {
        "issue_comment": ("comment", "created"),
        "pull_request_review_comment": ("comment", "created"),
        "pull_request_review": ("review", "submitted"),
    }
    heard = 0
    for number, example in enumerate(e for e in published if e.event in keys):
        payload, (key, action) = _for_us(example), keys[example.event]
        payload[key]["body"] = f"@precedent why number {number}?"
        payload[key]["id"] = 9_000 + number
        if example.event == "issue_comment":
            payload["issue"]["pull_request"] = {"url": "https://api.github.com/x"}
        answer = web.github(example.event, payload)
        about = payload["issue" if example.event == "issue_comment" else "pull_request"]
        is_new = payload["action"] == action and payload[key]["user"]["type"] == "User"
        is_new = is_new and payload[key]["user"]["id"] == payload["sender"]["id"]
        assert answer.status_code == (202 if is_new else 200), answer.text
        if is_new:
            assert answer.json()["subject"] == f"pr:{payload['repository']['id']}:{about['number']}"
        heard += is_new
    assert heard >= 5
    assert sum(e.kind == "github.comment" for e in every_event(redis)) == heard


def test_damaged_copies_are_never_an_error_and_never_another_repository(
    web: Web, redis: Redis, published: list[Example]
) -> None:
    chance = random.Random(20_240_817)
    used = [e for e in published if _subject(e.event, _for_us(e)) or "comment" in e.event]
    sent: dict[str, dict[str, Any]] = {}
    for number in range(DAMAGED_COPIES):
        example = chance.choice(used if number % 3 else published)
        payload = _damaged(chance, _for_us(example))
        delivery = f"damaged-{number}"
        answer = web.github(example.event, payload, delivery=delivery)
        assert answer.status_code in {200, 202, 400}, (example.event, answer.text)
        if answer.status_code == 202:
            sent[f"gh:{delivery}"] = payload
    stored = [e for e in every_event(redis) if e.kind != "sign"]
    assert len(stored) > 100
    for event in stored:
        _names_what_the_payload_names(event, sent[event.id])


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"repository": {"id": ' + b"9" * 5_000 + b"}}",
        b'{"repository": {"id": NaN}, "installation": {"id": Infinity}}',
        b"\xff\xfe{}",
        b"null",
        b"",
        b'"text"',
    ],
    ids=["open", "nested", "digits", "nan", "utf16", "null", "empty", "text"],
)
def test_what_is_no_payload_is_refused(web: Web, body: bytes) -> None:
    for event in ("pull_request", "issue_comment", "installation"):
        assert web.github(event, None, body=body).status_code in {200, 400}


def _for_us(example: Example) -> dict[str, Any]:
    payload = copy.deepcopy(example.payload)
    installation = payload.get("installation")
    payload["installation"] = {**(installation or {}), "id": INSTALLATION_ID}
    return payload


def _subject(event: str, payload: dict[str, Any]) -> str | None:
    """What the payload is about, said without the code under test."""
    action, repository = payload.get("action"), payload.get("repository") or {}
    if event == "pull_request":
        is_edit = action == "edited" and {"base", "title", "body"} & set(payload["changes"])
        if action in {*REVIEWED, "closed"} or is_edit:
            return f"pr:{repository['id']}:{payload['pull_request']['number']}"
    if event == "repository" and action in REPOSITORY_LIFE:
        return f"repo:{repository['id']}"
    if event == "installation" and action in INSTALLATION_LIFE:
        return f"inst:{INSTALLATION_ID}"
    if event == "installation_repositories":
        return f"inst:{INSTALLATION_ID}"
    if event == "push" and payload["ref"] == f"refs/heads/{repository['default_branch']}":
        return f"index:{repository['id']}"
    if event in {"check_run", "check_suite"} and action in {"rerequested", "requested_action"}:
        if payload["sender"]["type"] == "Bot":
            return None
        if event == "check_suite":
            return f"checks:{repository['id']}:{payload[event]['head_sha']}"
        if (
            payload.get("requested_action", {"identifier": "review_again"})["identifier"]
            != "review_again"
        ):
            return None
        pulls = payload[event]["pull_requests"]
        return f"pr:{repository['id']}:{pulls[0]['number']}" if pulls else None
    return None


def _damaged(chance: random.Random, payload: dict[str, Any]) -> dict[str, Any]:
    for _ in range(chance.randint(1, 4)):
        places = list(_places(payload))
        parent, key = chance.choice(places[:40] if chance.random() < 0.5 else places)
        if chance.random() < 0.35:
            parent.pop(key)
        else:
            parent[key] = _junk(chance)
    return payload


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every key of every object, those near the root first."""
    level = [value]
    while level:
        below: list[Any] = []
        for node in level:
            if isinstance(node, dict):
                yield from ((node, key) for key in list(node))
                below += node.values()
            elif isinstance(node, list):
                below += node
        level = below


def _junk(chance: random.Random) -> Any:
    nested: Any = "x"
    for _ in range(300):
        nested = {"repository": nested}
    return chance.choice(
        [
            None, True, False, 0, -1, 1.5, 2**53, 10**30, "", "7", "\x00", "\ud800", "x" * 200_000,
            "@precedent list\ud83d", "pr:1:2", [], {}, [None], [[]], {"id": "5001"}, {"id": True},
            {"id": -5}, {"id": 2**63}, {"id": None, "number": None}, nested, [1, 2, 3] * 1_000,
        ]
    )  # fmt: skip


def _names_what_the_payload_names(event: Event, payload: dict[str, Any]) -> None:
    repository = payload.get("repository")
    stated = repository.get("id") if isinstance(repository, dict) else None
    if event.repository_id is None:
        assert event.subject.startswith("inst:")
    else:
        assert event.repository_id == stated
        assert type(stated) is int
    installation = payload.get("installation")
    named_installation = installation.get("id") if isinstance(installation, dict) else None
    assert event.installation_id in (None, named_installation)
    kind, _, rest = event.subject.partition(":")
    named = {
        "pr": f"{event.repository_id}:{event.number}",
        "repo": f"{event.repository_id}",
        "index": f"{event.repository_id}",
        "inst": f"{event.installation_id}",
        "checks": f"{event.repository_id}:{event.head_sha}",
    }
    assert rest == named[kind]
    if event.number is not None:
        numbers = [
            holder.get("number")
            for holder in (payload.get("pull_request"), payload.get("issue"), *_pulls(payload))
            if isinstance(holder, dict)
        ]
        assert event.number in numbers


def _pulls(payload: dict[str, Any]) -> list[Any]:
    holders = [payload.get(key) for key in ("check_run", "check_suite")]
    lists = [h.get("pull_requests") for h in holders if isinstance(h, dict)]
    return [pull for pulls in lists if isinstance(pulls, list) for pull in pulls]
