"""A worker process that kills itself with SIGKILL at a chosen write of the thread it works on."""

from __future__ import annotations

import multiprocessing
import os
import signal
from dataclasses import dataclass, replace
from typing import Any

from redis import Redis

from graph.models import build_model
from graph.review import build_graph
from graph.saver import ThreadSaver
from workers.drain import Drain
from workers.handlers import handler_of
from workers.inbox import Inbox
from workers.services import build_services
from workers.settings import Settings

LEASE_S = 0.5
MODEL = "gemini-3.8-flash"


@dataclass(frozen=True)
class Death:
    """Right before the n-th node of a turn has its result saved, or right after a named one."""

    before_result: int = 0
    after_node: str = ""


NODES = {
    "agent": frozenset({"messages", "recalled", "usage"}),
    "review_unit": frozenset({"answered", "proposals"}),
    "refute": frozenset({"verdicts"}),
}
"""The channels by which a node's result is recognised."""


class MortalSaver(ThreadSaver):
    def __init__(self, redis: Redis, death: Death) -> None:
        super().__init__(redis)
        self._death = death
        self._results = 0

    def put_writes(self, config: Any, writes: Any, task_id: str, task_path: str = "") -> None:
        self._results += 1
        if self._results == self._death.before_result:
            os.kill(os.getpid(), signal.SIGKILL)
        super().put_writes(config, writes, task_id, task_path)
        channels = {channel for channel, _ in writes}
        is_begin = "turn" in channels  # which empties the channels of all the others
        if not is_begin and NODES.get(self._death.after_node, {""}) <= channels:
            os.kill(os.getpid(), signal.SIGKILL)


def run(settings: Settings, model_url: str, death: Death) -> None:
    """Work off what is due, with services of its own, as a process of the pool does."""
    os.environ["GOOGLE_GEMINI_BASE_URL"] = model_url
    services = build_services(settings)
    saver = MortalSaver(services.redis, death)
    model = build_model(MODEL, google_api_key=settings.google_api_key.reveal())
    graph = build_graph(services.store, model, checkpointer=saver)
    inbox = Inbox(services.redis, quiet_s=0, max_wait_s=0, lease_s=LEASE_S)
    services = replace(services, saver=saver, graph=graph, inbox=inbox)
    drain = Drain(inbox, handler_of(services), slots={})
    while drain.run("reviews"):
        pass


def killed(settings: Settings, model_url: str, death: Death) -> bool:
    """`run` in a process of its own, forked from one without threads; whether that was killed."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload([__name__])
    process = processes.Process(target=run, args=(settings, model_url, death))
    process.start()
    process.join(60)
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode == -signal.SIGKILL
