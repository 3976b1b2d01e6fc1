"""Where our App is installed and which repositories it holds there, by numeric id, in Redis.

Events tell of changes and the API is the truth (`workers.installations` reconciles both). What the
App has lost is marked and kept until its data is purged, so that a return within the grace finds
everything, and a repository that comes back under another owner is recognised as transferred.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from redis import Redis

GRACE_S = 30 * 86_400.0
"""What was lost by mistake, and is installed again within this time, has lost nothing."""

PURGES_KEY = "precedent:purges"

Doomed = Literal["repository", "account", "installation", "team"]


@dataclass(frozen=True)
class Installation:
    """One installation of the App. `account` is for display; times are seconds since the epoch."""

    id: int
    account_id: int
    account: str
    active_since: float
    is_suspended: bool = False
    removed_at: float | None = None


@dataclass(frozen=True)
class KnownRepository:
    """One repository. `name` is "owner/name" for display; `lost_at`: the App has it no longer."""

    id: int
    installation_id: int
    account_id: int
    name: str
    is_private: bool
    is_archived: bool
    active_since: float
    lost_at: float | None = None


class InstallationRegistry:
    """Plain state; nothing here calls an API."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def installation(self, installation_id: int) -> Installation | None:
        record = self._redis.get(_installation_key(installation_id))
        return Installation(**json.loads(record)) if record else None

    def repository(self, repository_id: int) -> KnownRepository | None:
        record = self._redis.get(_repository_key(repository_id))
        return KnownRepository(**json.loads(record)) if record else None

    def repositories_of(self, installation_id: int) -> list[KnownRepository]:
        """What the installation holds now, by name."""
        ids = [int(m) for m in self._redis.smembers(_members_key(installation_id))]
        found = [r for r in map(self.repository, ids) if r is not None]
        return sorted(found, key=lambda r: r.name.casefold())

    def installations(self) -> list[Installation]:
        """Every installation, the removed ones that wait for their purge too."""
        keys = self._redis.scan_iter(match=_installation_key("*"), count=500)
        records = [self._redis.get(key) for key in keys]
        return sorted((Installation(**json.loads(r)) for r in records if r), key=lambda i: i.id)

    def put_installation(self, installation: Installation) -> None:
        """Keep it; one that is there again is not purged any more."""
        pipe = self._redis.pipeline(transaction=True)
        pipe.set(_installation_key(installation.id), json.dumps(asdict(installation)))
        if installation.removed_at is None:
            doomed = (f"installation:{installation.id}", f"account:{installation.account_id}")
            pipe.zrem(PURGES_KEY, *doomed)
        pipe.execute()

    def put_repository(self, repository: KnownRepository) -> KnownRepository | None:
        """Keep what the API said of a repository that the App holds; answers what was known."""
        before = self.repository(repository.id)
        if before is not None and before.lost_at is None:
            repository = replace(repository, active_since=before.active_since)
        pipe = self._redis.pipeline(transaction=True)
        if before is not None and before.installation_id != repository.installation_id:
            pipe.srem(_members_key(before.installation_id), before.id)
        pipe.set(_repository_key(repository.id), json.dumps(asdict(repository)))
        pipe.sadd(_members_key(repository.installation_id), repository.id)
        pipe.zrem(PURGES_KEY, f"repository:{repository.id}")
        pipe.execute()
        return before

    def lose_repository(self, repository_id: int, now: float) -> None:
        """The App has it no longer; its data is due for the purge when the grace is over."""
        known = self.repository(repository_id)
        pipe = self._redis.pipeline(transaction=True)
        if known is not None:
            lost = replace(known, lost_at=known.lost_at or now)
            pipe.set(_repository_key(repository_id), json.dumps(asdict(lost)))
            pipe.srem(_members_key(known.installation_id), repository_id)
        pipe.zadd(PURGES_KEY, {f"repository:{repository_id}": now + GRACE_S}, nx=True)
        pipe.execute()

    def lose_installation(self, installation: Installation, now: float) -> None:
        """It is removed, and every repository with it."""
        for repository in self.repositories_of(installation.id):
            self.lose_repository(repository.id, now)
        gone = replace(installation, removed_at=installation.removed_at or now)
        self.put_installation(gone)
        for doomed in (f"installation:{gone.id}", f"account:{gone.account_id}"):
            self._redis.zadd(PURGES_KEY, {doomed: now + GRACE_S}, nx=True)

    def doom(self, kind: Doomed, name: str, now: float) -> None:
        """Purge it when the grace is over, unless it comes back."""
        self._redis.zadd(PURGES_KEY, {f"{kind}:{name}": now + GRACE_S}, nx=True)

    def pardon(self, kind: Doomed, name: str) -> None:
        self._redis.zrem(PURGES_KEY, f"{kind}:{name}")

    def due_purges(self, now: float) -> list[tuple[Doomed, str]]:
        found: Any = self._redis.zrangebyscore(PURGES_KEY, "-inf", now)
        pairs = (m.decode().partition(":") for m in found)
        return [(kind, name) for kind, _, name in pairs]

    def erase_repository(self, repository_id: int) -> None:
        """Forget that it was ever known."""
        known = self.repository(repository_id)
        if known is not None:
            self._redis.srem(_members_key(known.installation_id), repository_id)
        self._redis.delete(_repository_key(repository_id))
        self.pardon("repository", str(repository_id))

    def erase_installation(self, installation_id: int) -> None:
        self._redis.delete(_installation_key(installation_id), _members_key(installation_id))
        self.pardon("installation", str(installation_id))

    def has_account(self, account_id: int) -> bool:
        """Whether an installation on this account is there."""
        every = self.installations()
        return any(i.account_id == account_id and i.removed_at is None for i in every)

    def why_not(self, installation_id: int | None, repository_id: int | None) -> str:
        """The reason not to work for these ids; "" to go on. What is not known is not refused."""
        installation = self.installation(installation_id) if installation_id else None
        if installation is not None and installation.removed_at is not None:
            return "installation_removed"
        if installation is not None and installation.is_suspended:
            return "installation_suspended"
        repository = self.repository(repository_id) if repository_id else None
        if repository is None or repository.installation_id != installation_id:
            return ""
        if repository.lost_at is not None:
            return "repository_not_installed"
        return "repository_archived" if repository.is_archived else ""


def _installation_key(installation_id: int | str) -> str:
    return f"precedent:installation:{installation_id}"


def _repository_key(repository_id: int) -> str:
    return f"precedent:repository:{repository_id}"


def _members_key(installation_id: int) -> str:
    return f"precedent:repositories_of:{installation_id}"
