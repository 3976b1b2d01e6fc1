"""The version of what is stored in Redis: checked at start, migrated forwards, never guessed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import structlog
from redis import Redis

from workers.errors import PrecedentError

KEY = "precedent:schema"
VERSION = 1

LOCK_S = 600
"""The longest that one migration may take while other processes wait for it."""

Migrations = Mapping[int, Callable[[Redis], None]]
MIGRATIONS: Migrations = {}
"""From a version to the next one. Each must be safe to run again after a crash in the middle."""

log = structlog.get_logger()


class SchemaUnusable(PrecedentError):  # noqa: N818 - says what is wrong
    """The data is of a version that this program can't use; the message says what to do."""

    reason = "schema_unusable"


def stored_version(redis: Redis) -> int | None:
    """The version of the data; None in an empty Redis. Raises SchemaUnusable."""
    found = redis.get(KEY)
    if found is None:
        return None
    text = found if isinstance(found, str) else found.decode(errors="replace")
    if not text.isdecimal():
        raise SchemaUnusable(
            f"{KEY} in Redis holds no version: this is not Precedent's data, or it is damaged. "
            "Restore a backup, or point REDIS_URL elsewhere."
        )
    return int(text)


def ensure_schema(
    redis: Redis, *, version: int = VERSION, migrations: Migrations = MIGRATIONS
) -> int:
    """Bring the data to `version`, one process at a time. Returns the version it had.

    Raises SchemaUnusable for newer data and where a step is missing; nothing is changed then.
    """
    found = stored_version(redis)
    if found == version:
        return found
    with redis.lock(f"{KEY}:lock", timeout=LOCK_S):
        found = stored_version(redis)
        if found is None:
            redis.set(KEY, version)
            return version
        refuse_unusable(found, version=version, migrations=migrations)
        for step in range(found, version):
            log.info("schema.migrating", step=step)
            migrations[step](redis)
            redis.set(KEY, step + 1)
    return found


def why_not_ready(
    redis: Redis, *, version: int = VERSION, migrations: Migrations = MIGRATIONS
) -> str:
    """Why this program can't work with the data yet, and what to do; "" when it can.

    An empty Redis is ready: the first worker writes the version. Raises redis' errors.
    """
    try:
        found = stored_version(redis)
        if found is not None:
            refuse_unusable(found, version=version, migrations=migrations)
    except SchemaUnusable as error:
        return str(error)
    if found is not None and found < version:
        return (
            f"The data in Redis is of version {found}, and this program knows version {version}: "
            "make a backup and start a worker of this program, which migrates it."
        )
    return ""


def refuse_unusable(
    found: int, *, version: int = VERSION, migrations: Migrations = MIGRATIONS
) -> None:
    """Raises SchemaUnusable when data of version `found` can't be brought to `version`."""
    if found > version:
        raise SchemaUnusable(
            f"The data in Redis is of version {found}, and this program knows version {version}: "
            "start the newer program, or restore the backup made before the upgrade."
        )
    if any(step not in migrations for step in range(found, version)):
        raise SchemaUnusable(
            f"The data in Redis is of version {found}, too old for this program (version "
            f"{version}): upgrade through the releases between them, one after another."
        )
