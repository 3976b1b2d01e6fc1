"""The Celery application. Importing this builds nothing; `app` is built when it is first asked for.

`celery -A workers.app worker -P threads -c 20` runs it with the settings of its environment.
"""

from __future__ import annotations

import os
import ssl
import threading
from contextlib import ExitStack
from typing import Any

import structlog
from celery import Celery, signals
from kombu.entity import Queue

from workers.bell import QUEUE_PREFIX, TASK_OF_LANE, Bell
from workers.drain import MAX_EVENTS, Drain, Handler, slots_of
from workers.event import Lane
from workers.inbox import Inbox
from workers.logs import Redactor, setup_logs
from workers.metrics import SENT_EVERY_S, Metrics
from workers.redis_connection import celery_broker, connect_redis
from workers.settings import Settings, load_settings
from workers.sweeper import Sweeper

SHARED_MEMORY_POOLS = ("celery.concurrency.thread", "celery.concurrency.solo")
_lock = threading.Lock()

log = structlog.get_logger()


def __getattr__(name: str) -> Celery:
    if name not in {"app", "celery"}:
        raise AttributeError(name)
    with _lock:
        if "app" not in globals():
            globals()["app"] = globals()["celery"] = create_celery(load_settings("worker"))
    built: Celery = globals()["app"]
    return built


def create_inbox(settings: Settings) -> Inbox:
    """The inbox that `settings` names."""
    return Inbox(
        connect_redis(settings.redis_url),
        quiet_s=settings.review_quiet_s,
        max_wait_s=settings.review_max_wait_s,
    )


def create_celery(
    settings: Settings,
    *,
    handler: Handler | None = None,
    inbox: Inbox | None = None,
    send_counts_every_s: float = SENT_EVERY_S,
) -> Celery:
    """An application that rings and, when run as a worker, drains the inbox with `handler`.

    Without a handler a worker builds the one of `workers.handlers`. Connects to nothing yet.
    """
    celery = Celery("precedent", set_as_current=False)
    broker = celery_broker(settings.redis_url)
    celery.conf.update(
        broker_url=broker.url,
        broker_use_ssl={"ssl_cert_reqs": ssl.CERT_REQUIRED} if broker.use_ssl else None,
        broker_transport_options={**TRANSPORT_OPTIONS, **broker.transport_options},
        task_queues=[Queue(lane) for lane in TASK_OF_LANE],  # type: ignore[no-untyped-call]
        task_default_queue="reviews",
        **CELERY_OPTIONS,
    )
    worker = _Worker(celery, settings, handler, inbox, send_counts_every_s)
    for lane, name in TASK_OF_LANE.items():
        celery.task(name=name, ignore_result=True)(_drain_task(worker, lane))
    worker.connect()
    return celery


# The ring carries nothing, so it is acknowledged early: a late acknowledgement makes a worker with
# a running task exit when Redis restarts, and gains nothing.
CELERY_OPTIONS: dict[str, Any] = {
    "result_backend": None,
    "task_ignore_result": True,
    "task_acks_late": False,
    "task_reject_on_worker_lost": False,
    "task_create_missing_queues": False,
    "worker_prefetch_multiplier": 1,
    "worker_disable_prefetch": True,
    "task_publish_retry": False,
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    "worker_send_task_events": False,
    "worker_hijack_root_logger": False,
    "task_time_limit": None,
    "accept_content": ["json"],
}

# max_retries and the intervals are what bounds a ring while the broker is away; kombu would
# otherwise try for ever, in the web process.
TRANSPORT_OPTIONS: dict[str, Any] = {
    "global_keyprefix": QUEUE_PREFIX,
    "visibility_timeout": 3600,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "unacked_mutex_expire": 10,
    "socket_timeout": 30,
    "socket_connect_timeout": 1,
    "socket_keepalive": True,
    "health_check_interval": 10,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.1,
}


class _Worker:
    """What a worker process holds: built where it runs, after a fork, and not before."""

    def __init__(
        self,
        celery: Celery,
        settings: Settings,
        handler: Handler | None,
        inbox: Inbox | None,
        send_counts_every_s: float,
    ) -> None:
        self.bell = Bell(celery)
        self._celery = celery
        self._settings = settings
        self._handler = handler
        self._inbox = inbox
        self._send_counts_every_s = send_counts_every_s
        self._lanes: tuple[Lane, ...] = ("reviews", "background")
        self._concurrency = 1
        self._drain: Drain | None = None
        self._drain_pid = 0
        self._sweeper: Sweeper | None = None
        self._counting = ExitStack()
        self._building = threading.Lock()

    def connect(self) -> None:
        """Listen to what Celery's worker goes through; other programs never send these."""
        signals.setup_logging.connect(self._set_up_logs, weak=False)
        signals.celeryd_after_setup.connect(self._set_up, weak=False)
        signals.worker_ready.connect(self._start_sweeper, weak=False)
        signals.worker_shutting_down.connect(self._hand_over, weak=False)
        signals.worker_shutdown.connect(self._send_counts, weak=False)
        signals.worker_process_shutdown.connect(self._send_counts, weak=False)

    def drain(self) -> Drain:
        """The drain of this process. Raises SettingsError and what the handler's parts raise."""
        with self._building:
            if self._drain is None or self._drain_pid != os.getpid():
                inbox = self._inbox or create_inbox(self._settings)
                metrics = Metrics(inbox.redis)
                self._drain = Drain(
                    inbox,
                    self._handler or self._build_handler(metrics),
                    slots=slots_of(self._concurrency, self._lanes),
                    metrics=metrics,
                    redactor=Redactor(self._settings.secrets),
                )
                self._drain_pid = os.getpid()
                self._counting.enter_context(metrics.sending_every(self._send_counts_every_s))
            return self._drain

    def _build_handler(self, metrics: Metrics) -> Handler:
        from workers.handlers import build_handler

        handler: Handler = build_handler(self._settings, metrics)
        return handler

    def _set_up_logs(self, **_: object) -> None:
        setup_logs(self._settings.log_level, secrets=self._settings.secrets)

    def _set_up(self, *, instance: Any, **_: object) -> None:
        if instance.app is not self._celery:
            return
        consumed = set(self._celery.amqp.queues.consume_from)
        self._lanes = tuple(lane for lane in TASK_OF_LANE if lane in consumed)
        is_shared = instance.pool_cls.__module__ in SHARED_MEMORY_POOLS
        self._concurrency = instance.concurrency if is_shared else 1
        if is_shared:
            self._build_or_exit()

    def _build_or_exit(self) -> None:
        """Build what events need before the first one comes.

        Celery swallows what its signals raise, and a worker without a handler would go on for
        ever, failing each event.
        """
        try:
            self.drain()
        except Exception as error:  # the boundary of the process's start
            log.exception("worker.not_built", reason=str(getattr(error, "reason", "crashed")))
            raise SystemExit(1) from error

    def _start_sweeper(self, *, sender: Any, **_: object) -> None:
        if sender.app is self._celery:
            inbox = self._inbox or create_inbox(self._settings)
            self._sweeper = Sweeper(inbox, self.bell, self._lanes)
            self._sweeper.start()
            log.info("worker.ready", lanes=list(self._lanes), threads=self._concurrency)

    def _hand_over(self, **_: object) -> None:
        if self._drain is not None:
            self._drain.inbox.stopping.set()

    def _send_counts(self, **_: object) -> None:
        """What was counted is sent when the pool has ended; what is counted later, at once."""
        self._counting.close()


def _drain_task(worker: _Worker, lane: Lane) -> Any:
    def drain_lane() -> None:
        if worker.drain().run(lane) == MAX_EVENTS:
            worker.bell.ring(lane)

    return drain_lane
