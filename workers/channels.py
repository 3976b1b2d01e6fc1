"""Which repositories a Slack channel speaks for: made by someone with proven permission."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace

from redis import Redis

from workers.redis_connection import text_of

THREAD_TTL_S = 90 * 86_400
"""As long as the messages of a thread are kept."""


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
        pairs = sorted(text_of(member) for member in members)
        return [(team, channel) for team, _, channel in (pair.partition(":") for pair in pairs)]

    def refresh(self, repository_id: int, installation_id: int, account_id: int, name: str) -> None:
        """After a rename, a transfer or a new installation: the links say what holds now."""
        for team, channel in self.of_repository(repository_id):
            for link in self.of_channel(team, channel):
                if link.repository_id == repository_id:
                    ids = {"installation_id": installation_id, "account_id": account_id}
                    self.link(team, channel, replace(link, name=name, **ids))

    def move(self, team: str, old_channel: str, new_channel: str) -> None:
        """Slack gave the channel another id."""
        for link in self.of_channel(team, old_channel):
            self.link(team, new_channel, link)
            self.unlink(team, old_channel, link.repository_id)

    def choose(self, team: str, channel: str, thread_ts: str, repository_id: int) -> None:
        """Which of a channel's repositories a thread is about, until the thread is forgotten."""
        key = _thread_key(team, channel, thread_ts)
        self._redis.set(key, str(repository_id), ex=THREAD_TTL_S)

    def chosen(self, team: str, channel: str, thread_ts: str) -> int | None:
        """What was chosen for the thread. It counts only while the channel is linked to it."""
        found = self._redis.get(_thread_key(team, channel, thread_ts))
        return int(found) if found else None

    def forget_choices(self, repository_id: int) -> None:
        wanted = str(repository_id).encode()
        for key in self._redis.scan_iter(match=_thread_key("*", "*", "*"), count=500):
            if self._redis.get(key) == wanted:
                self._redis.delete(key)

    def forget_team(self, team: str) -> None:
        """Every link and choice of a workspace."""
        prefix = _channel_key(team, "")
        for key in list(self._redis.scan_iter(match=f"{prefix}*", count=500)):
            channel = key.decode().removeprefix(prefix)
            for link in self.of_channel(team, channel):
                self.unlink(team, channel, link.repository_id)
        for key in list(self._redis.scan_iter(match=_thread_key(team, "*", "*"), count=500)):
            self._redis.delete(key)

    def forget_repository(self, repository_id: int) -> None:
        """When the app loses a repository, no channel speaks for it any more."""
        for team, channel in self.of_repository(repository_id):
            self.unlink(team, channel, repository_id)


def _channel_key(team: str, channel: str) -> str:
    return f"precedent:channel:{team}:{channel}"


def _thread_key(team: str, channel: str, thread_ts: str) -> str:
    return f"precedent:thread_repository:{team}:{channel}:{thread_ts}"


def _repository_key(repository_id: int) -> str:
    return f"precedent:channels_of:{repository_id}"
