"""Erasing for good: what was lost longer ago than the grace leaves nothing behind in Redis."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from graph.code.code_store import CodeStore
from workers.services import Services

BATCH = 500

log = structlog.get_logger()


def purge_due(services: Services) -> int:
    """Erase everything whose grace is over; answers how many things that were."""
    due = services.installations.due_purges(services.now())
    for kind, name in due:
        _ERASERS[kind](services, name)
        log.info("purged", what=kind, id=name)
    return len(due)


def erase_repository(services: Services, name: str) -> None:
    """Conventions and their history, reviews, threads, links, effects, events: all of it."""
    repository_id = int(name)
    services.store.forget(lambda labels: labels[0] != "users" and labels[1:] == (name,))
    for thread in services.saver.threads():
        if _is_thread_of(thread, name):
            services.saver.delete_thread(thread)
    services.channels.forget_repository(repository_id)
    services.inbox.purge_repository(repository_id)
    _delete(services, f"precedent:fx:*:{name}:*", lambda key: _is_effect_of(key, name))
    _delete(services, f"precedent:permission:{name}:*")
    _delete(services, f"precedent:token:*:{name}*", lambda key: key.split(":")[3] == name)
    _delete(services, f"precedent:inbox:seen:*:{name}:*")
    for kind in ("pr", "cancel", "checks", "repo", "index", "post", "learn", "backtest"):
        _delete(services, f"precedent:inbox:subject:{kind}:{name}*", lambda k: name in k.split(":"))
    _delete(services, f"precedent:inbox:subject:sign:*:{name}:*")
    _delete(services, f"precedent:inbox:served:*:repo:{name}")
    _delete(services, f"precedent:slack_post:{name}:*")
    services.channels.forget_choices(repository_id)
    CodeStore(services.redis, repository_id).forget()
    services.installations.erase_repository(repository_id)


def erase_account(services: Services, name: str) -> None:
    """The organisation's own conventions, unless the App is installed there again."""
    if services.installations.has_account(int(name)):
        services.installations.pardon("account", name)
        return
    services.store.forget(lambda labels: labels[1:] == ("org", name))
    _delete(services, f"precedent:owner:{name}:*")
    services.installations.pardon("account", name)


def erase_installation(services: Services, name: str) -> None:
    services.tokens.forget_installation(int(name))
    services.inbox.purge_installation(int(name))
    _delete(services, f"precedent:pacing:{name}")
    _delete(services, f"precedent:inbox:subject:inst:{name}")
    _delete(services, f"precedent:inbox:served:*:inst:{name}")
    services.installations.erase_installation(int(name))


def erase_team(services: Services, name: str) -> None:
    """A Slack workspace: links, identities, threads, effects, events; its tokens went at once."""
    services.slack_installations.forget(name)
    services.channels.forget_team(name)
    services.identities.forget_team(name)
    for thread in services.saver.threads():
        if thread.startswith(f"slack:{name}:"):
            services.saver.delete_thread(thread)
    services.inbox.purge_team(name)
    for pattern in (
        f"precedent:fx:slack:{name}:*",
        f"precedent:slack_home:{name}:*",
        f"precedent:slack_channel:{name}:*",
        f"precedent:choice:{name}:*",
        f"precedent:inbox:seen:slack:*{name}:*",
        f"precedent:inbox:subject:slack:{name}:*",
        f"precedent:inbox:subject:slack:team:{name}",
        f"precedent:inbox:served:*:team:{name}",
        f"precedent:inbox:subject:sign:slack:message:{name}:*",
    ):
        _delete(services, pattern)
    services.installations.pardon("team", name)


_ERASERS: dict[str, Callable[[Services, str], None]] = {
    "repository": erase_repository,
    "account": erase_account,
    "installation": erase_installation,
    "team": erase_team,
}


def _is_thread_of(thread: str, name: str) -> bool:
    parts = thread.split(":")
    return parts[-1 if parts[0] == "slack" else 1 :][:1] == [name]


def _is_effect_of(key: str, name: str) -> bool:
    """Every effect names its repository second; a message in Slack says ":pr:<id>:" in its key."""
    parts = key.split(":")
    return (parts[2] != "slack" and parts[3] == name) or f":pr:{name}:" in key


def _delete(
    services: Services, pattern: str, is_meant: Callable[[str], bool] = lambda _key: True
) -> None:
    for key in services.redis.scan_iter(match=pattern, count=BATCH):
        if is_meant(key.decode(errors="replace")):
            services.redis.delete(key)
