"""Which GitHub person a Slack person is: linked by themselves through OAuth, never guessed."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from redis import Redis

from workers.redis_connection import text_of


@dataclass(frozen=True)
class Identity:
    """A GitHub person by numeric id. `login` is a hint for look-ups and for display."""

    github_id: int
    login: str


class Identities:
    """(team, user) to GitHub id, and back, so that a person can be listed and erased."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def link(self, team: str, user: str, identity: Identity) -> None:
        before = self.of(team, user)
        pipe = self._redis.pipeline(transaction=True)
        if before is not None and before.github_id != identity.github_id:
            pipe.srem(_github_key(before.github_id), f"{team}:{user}")
        pipe.set(_person_key(team, user), json.dumps(asdict(identity)))
        pipe.sadd(_github_key(identity.github_id), f"{team}:{user}")
        pipe.execute()

    def of(self, team: str, user: str) -> Identity | None:
        """None: this person has not linked a GitHub account."""
        record = self._redis.get(_person_key(team, user))
        return Identity(**json.loads(record)) if record else None

    def unlink(self, team: str, user: str) -> bool:
        """Whether there was a link."""
        known = self.of(team, user)
        if known is None:
            return False
        pipe = self._redis.pipeline(transaction=True)
        pipe.delete(_person_key(team, user))
        pipe.srem(_github_key(known.github_id), f"{team}:{user}")
        pipe.execute()
        return True

    def forget_team(self, team: str) -> None:
        """Every link of a workspace."""
        prefix = _person_key(team, "")
        for key in list(self._redis.scan_iter(match=f"{prefix}*", count=500)):
            self.unlink(team, key.decode().removeprefix(prefix))

    def slack_people(self, github_id: int) -> list[tuple[str, str]]:
        """The (team, user) pairs linked to a GitHub person."""
        members = self._redis.smembers(_github_key(github_id))
        pairs = sorted(text_of(member) for member in members)
        return [(team, user) for team, _, user in (pair.partition(":") for pair in pairs)]


def _person_key(team: str, user: str) -> str:
    return f"precedent:identity:{team}:{user}"


def _github_key(github_id: int) -> str:
    return f"precedent:identities_of:{github_id}"
