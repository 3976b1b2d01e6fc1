"""Which repositories a Slack channel speaks for: made by someone with proven permission."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from redis import Redis


@dataclass(frozen=True)
class ChannelLink:
    """A channel's link to one repository, and who made it. `name` is for display."""

    repository_id: int
    installation_id: int
    account_id: int
    name: str
    linked_by: int


class ChannelLinks:
    """One hash per channel, and one set per repository for the way back."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def link(self, team: str, channel: str, link: ChannelLink) -> None:
        pipe = self._redis.pipeline(transaction=True)
        pipe.hset(_channel_key(team, channel), str(link.repository_id), json.dumps(asdict(link)))
        pipe.sadd(_repository_key(link.repository_id), f"{team}:{channel}")
        pipe.execute()

    def unlink(self, team: str, channel: str, repository_id: int) -> bool:
        """Whether there was such a link."""
        pipe = self._redis.pipeline(transaction=True)
        pipe.hdel(_channel_key(team, channel), str(repository_id))
        pipe.srem(_repository_key(repository_id), f"{team}:{channel}")
        return bool(pipe.execute()[0])

    def of_channel(self, team: str, channel: str) -> list[ChannelLink]:
        """The repositories of a channel, by name."""
        found = self._redis.hvals(_channel_key(team, channel))
        links = [ChannelLink(**json.loads(record)) for record in found]
        return sorted(links, key=lambda link: link.name.casefold())

    def of_repository(self, repository_id: int) -> list[tuple[str, str]]:
        """The (team, channel) pairs that a repository is linked to."""
        members = self._redis.smembers(_repository_key(repository_id))
        pairs = sorted(m.decode() if isinstance(m, bytes) else str(m) for m in members)
        return [(team, channel) for team, _, channel in (pair.partition(":") for pair in pairs)]

    def forget_repository(self, repository_id: int) -> None:
        """When the app loses a repository, no channel speaks for it any more."""
        for team, channel in self.of_repository(repository_id):
            self.unlink(team, channel, repository_id)


def _channel_key(team: str, channel: str) -> str:
    return f"precedent:channel:{team}:{channel}"


def _repository_key(repository_id: int) -> str:
    return f"precedent:channels_of:{repository_id}"
