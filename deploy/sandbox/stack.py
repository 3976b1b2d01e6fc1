"""All of Precedent beside its stand-ins: Redis, sandbox, web and worker, as real processes."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import httpx
import redis

from deploy.sandbox.app import create_sandbox_app, set_base_url
from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.redis_server import EmbeddedRedis, free_port
from deploy.sandbox.seed import World, seed
from deploy.sandbox.serving import AsgiServer
from deploy.sandbox.slack import SandboxSlack
from workers.channels import ChannelLink, ChannelLinks
from workers.identities import Identities, Identity

START_TIMEOUT_S = 120.0
"""A busy machine imports slowly."""
STOP_TIMEOUT_S = 15.0


OURS = "precedent:sandbox"
"""A Redis with this key was filled by a sandbox: a team's own is never written to by one."""


class StackDidNotStart(RuntimeError):  # noqa: N818
    """A process ended or did not answer in time, or Redis is a team's; the message says more."""

    reason = "stack_did_not_start"


@dataclass(frozen=True)
class Keys:
    """Fresh secrets of one sandbox."""

    secret_key: str = field(default_factory=lambda: secrets.token_urlsafe(48), repr=False)
    webhook_secret: str = field(default_factory=lambda: secrets.token_hex(20), repr=False)
    slack_signing_secret: str = field(default_factory=lambda: secrets.token_hex(16), repr=False)
    slack_bot_token: str = field(
        default_factory=lambda: f"xoxb-{secrets.token_hex(12)}", repr=False
    )


@dataclass
class Stack:
    """Start with `start`, stop with `stop`; or use it as a context manager.

    `sandbox_port` 0 takes a free one. `redis_url` names a Redis to use instead of an embedded
    one. `environment` adds to the settings of the two processes.
    """

    directory: Path
    sandbox_port: int = 0
    redis_url: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    github: SandboxGitHub = field(init=False)
    slack: SandboxSlack = field(init=False)
    world: World = field(init=False)
    sandbox: AsgiServer = field(init=False)
    web_url: str = field(init=False, default="")

    def __post_init__(self) -> None:
        self._keys = Keys()
        self._redis: EmbeddedRedis | None = None
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._logs: list[IO[bytes]] = []

    def start(self) -> Stack:
        """Everything, in order, until it answers. Raises StackDidNotStart."""
        self.directory.mkdir(parents=True, exist_ok=True)
        _reach_loopback_directly()
        self._start_redis()
        web_port = free_port()
        self.web_url = f"http://127.0.0.1:{web_port}"
        self._start_sandbox()
        self.start_web(web_port)
        self.start_worker()
        self.world = seed(self.github, self.slack)
        self._link()
        return self

    def stop(self) -> None:
        """Stop what was started, in the reverse order; does nothing the second time."""
        for name in ("worker", "web"):
            self.stop_process(name)
        if hasattr(self, "sandbox"):
            self.github.close()
            self.slack.stop()
            self.sandbox.stop()
        if self._redis is not None:
            self._redis.stop()
            self._redis = None
        for log in self._logs:
            log.close()
        self._logs.clear()

    def __enter__(self) -> Stack:
        try:
            return self.start()
        except BaseException:
            self.stop()
            raise

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start_web(self, port: int, processes: int = 1) -> None:
        command = ["uvicorn", "bot.app:create_app", "--factory", "--port", str(port)]
        options = ["--workers", str(processes), "--no-access-log", "--log-level", "warning"]
        self._spawn("web", [*command, *options])
        self._wait_for("web", lambda: httpx.get(f"{self.web_url}/readyz").status_code == 200)

    def start_worker(self, name: str = "worker", concurrency: int = 8) -> None:
        command = ["celery", "-A", "workers.app", "worker", "-P", "threads", "-c", str(concurrency)]
        options = ["-Q", "reviews,background", "-n", f"{name}{os.getpid()}@%h", "-l", "warning"]
        self._spawn(name, [*command, *options, "--without-gossip", "--without-mingle"])
        self._wait_for(name, lambda: b"worker.ready" in self.log(name))

    def stop_process(self, name: str) -> None:
        """SIGTERM, and SIGKILL when it does not end in time."""
        process = self._processes.pop(name, None)
        if process is None:
            return
        process.terminate()
        try:
            process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def process(self, name: str) -> subprocess.Popen[bytes]:
        """A process that was started, to be killed by a test."""
        return self._processes[name]

    def log(self, name: str) -> bytes:
        """What a process printed so far."""
        return (self.directory / f"{name}.log").read_bytes()

    def settings(self) -> dict[str, str]:
        """The environment of the web and the worker, the stand-ins' keys included."""
        return {
            "REDIS_URL": self.redis_url,
            "PUBLIC_URL": self.web_url,
            "SECRET_KEY": self._keys.secret_key,
            "GITHUB_API_URL": f"{self.sandbox.url}/api/v3",
            "GITHUB_APP_ID": str(self.github.app_id),
            "GITHUB_APP_PRIVATE_KEY": self.github.private_key_pem,
            "GITHUB_WEBHOOK_SECRET": self._keys.webhook_secret,
            "GITHUB_CLIENT_ID": self.github.client_id,
            "GITHUB_CLIENT_SECRET": self.github.client_secret,
            "SLACK_API_URL": f"{self.sandbox.url}/slack/api",
            "SLACK_SIGNING_SECRET": self._keys.slack_signing_secret,
            "SLACK_BOT_TOKEN": self._keys.slack_bot_token,
            "REVIEW_QUIET_S": "1",
            "REVIEW_MAX_WAIT_S": "5",
            "REVIEW_MODEL": "none",
            **self.environment,
        }

    def _start_redis(self) -> None:
        if not self.redis_url:
            self._redis = EmbeddedRedis(self.directory / "redis").start()
            self.redis_url = self._redis.url
        with redis.Redis.from_url(self.redis_url) as client:
            if client.dbsize() and not client.exists(OURS):
                raise StackDidNotStart(
                    "The Redis of REDIS_URL holds data that is not the sandbox's. Unset REDIS_URL, "
                    "or name an empty database of it, for example redis://127.0.0.1:6379/9."
                )
            client.set(OURS, "1")

    def _start_sandbox(self) -> None:
        self.github = SandboxGitHub(
            self.directory / "github",
            webhook_secret=self._keys.webhook_secret,
            webhook_url=f"{self.web_url}/github/webhook",
        )
        self.slack = SandboxSlack(
            signing_secret=self._keys.slack_signing_secret,
            bot_token=self._keys.slack_bot_token,
            events_url=f"{self.web_url}/slack/events",
        )
        self.sandbox = AsgiServer(create_sandbox_app(self.github, self.slack), self.sandbox_port)
        set_base_url(self.github, self.slack, self.sandbox.url)
        self.sandbox.start()

    def _link(self) -> None:
        """The channels and identities that people would have linked themselves."""
        client = redis.Redis.from_url(self.redis_url)
        channels, identities = ChannelLinks(client), Identities(client)
        world = self.world
        pairs = ((world.api_channel, world.api), (world.web_channel, world.web))
        for channel, repository in pairs:
            link = ChannelLink(
                repository_id=repository.id,
                installation_id=world.installation.id,
                account_id=repository.owner.id,
                name=repository.full_name,
                linked_by=world.people["ada"][0],
            )
            channels.link(world.team.id, channel.id, link)
        for name, (github_id, slack_id) in world.people.items():
            identities.link(world.team.id, slack_id, Identity(github_id, name))
        client.close()

    def _spawn(self, name: str, module_and_arguments: list[str]) -> None:
        log = (self.directory / f"{name}.log").open("ab")
        self._logs.append(log)
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(_OUR_SETTINGS)}
        self._processes[name] = subprocess.Popen(
            [sys.executable, "-m", *module_and_arguments],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**inherited, **self.settings()},
            cwd=self.directory,
        )

    def _wait_for(self, name: str, is_ready: Callable[[], bool]) -> None:
        deadline_s = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline_s:
            if self._processes[name].poll() is not None:
                break
            try:
                if is_ready():
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        tail = self.log(name).decode(errors="replace")[-2_000:]
        raise StackDidNotStart(
            f"{name} did not start; its log is {self.directory / (name + '.log')}:\n{tail}"
        )


_OUR_SETTINGS = ("GITHUB_", "SLACK_", "REDIS_URL", "SECRET_KEY", "PUBLIC_URL", "REVIEW_")


def _reach_loopback_directly() -> None:
    """Behind a company's proxy the processes would look for each other in the proxy's network."""
    listed = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    hosts = [host for host in listed.split(",") if host] + ["127.0.0.1", "localhost"]
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = ",".join(dict.fromkeys(hosts))
