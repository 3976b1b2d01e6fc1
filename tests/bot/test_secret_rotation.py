"""Rotating the signing secrets as docs/security.md says: nothing sent meanwhile is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from redis import Redis

from tests.bot.app import Web, comment_payload, events_of, mention_payload

STEPS = [("old", 200, 401), ("new, old", 200, 200), ("new", 401, 200)]
"""The setting at each step, and what a request signed with the old and the new secret gets."""


def github(web: Web, secret: str) -> int:
    return web.github("ping", {"zen": "Speak like a human."}, secret=secret).status_code


def slack(web: Web, secret: str) -> int:
    challenge = {"type": "url_verification", "challenge": "c"}
    return web.slack(challenge, secret=secret).status_code


@pytest.mark.parametrize(
    ("setting", "post"), [("GITHUB_WEBHOOK_SECRET", github), ("SLACK_SIGNING_SECRET", slack)]
)
def test_old_and_new_are_accepted_until_the_old_one_is_taken_out(
    redis_url: str, setting: str, post: Callable[[Web, str], int]
) -> None:
    for value, old, new in STEPS:
        web = Web(redis_url, **{setting: value})
        assert (post(web, "old"), post(web, "new")) == (old, new), value
        assert post(web, "neither") == 401
        assert post(web, "new, old") == 401  # the setting itself is no secret


def test_what_is_sent_during_a_rotation_is_stored_whoever_signed_it(
    redis: Redis, redis_url: str
) -> None:
    """The delivery signed before the change on GitHub arrives after it, and is redelivered."""
    both = {"GITHUB_WEBHOOK_SECRET": "new,old", "SLACK_SIGNING_SECRET": "new,old"}
    web = Web(redis_url, **both)
    for number, secret in enumerate(("old", "new", "old")):
        text = comment_payload("@precedent list", comment={
            "id": 99 + number, "body": "@precedent list", "user": {"id": 3002, "type": "User"},
        })  # fmt: skip
        delivered = [
            web.github("issue_comment", text, secret=secret, delivery=f"d-{number}").status_code
            for _ in range(2)
        ]
        assert delivered == [202, 200]
        said = mention_payload("<@UBOT> list", ts=f"180000000{number}.000100")
        assert web.slack(said, secret=secret).status_code == 200
    assert [event.id for event in events_of(redis, "pr:5001:7")] == ["gh:d-0", "gh:d-1", "gh:d-2"]
    for number in range(3):
        assert len(events_of(redis, f"slack:T1:C1:180000000{number}.000100")) == 1
