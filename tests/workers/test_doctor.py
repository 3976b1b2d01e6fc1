"""`precedent doctor` beside both stand-ins: a healthy installation, then one fault at a time."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry

from deploy.sandbox.redis_server import EmbeddedRedis, _find_server, free_port
from tests.workers.stage import Stage, open_stage
from workers.app_requirements import SLACK_SCOPES
from workers.doctor import Finding, examine, is_healthy
from workers.schema import KEY, VERSION, SchemaUnusable, ensure_schema
from workers.settings import Secret, Settings

CLOSED = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, redis_server: EmbeddedRedis) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("doctor"), redis_server.url) as opened:
        opened.redis.flushall()
        hooks = opened.github.hooks
        hooks.wait_idle()
        hooks.deliveries.clear()
        opened.github.ping()
        hooks.wait_idle()
        _grant_scopes(opened)
        yield opened


def _grant_scopes(stage: Stage) -> None:
    tokens = stage.slack.world.tokens
    tokens[stage.slack.bot_token] = replace(
        tokens[stage.slack.bot_token], scopes=tuple(SLACK_SCOPES)
    )


def _github(settings: Settings, **changes: object) -> Settings:
    return replace(settings, github=replace(settings.github, **changes))  # type: ignore[arg-type]


def _slack(settings: Settings, **changes: object) -> Settings:
    assert settings.slack is not None
    return replace(settings, slack=replace(settings.slack, **changes))  # type: ignore[arg-type]


def test_a_healthy_installation_has_nothing_but_advice(stage: Stage) -> None:
    findings = examine(stage.settings)
    assert [f for f in findings if f.health == "failed"] == []
    assert [f.name for f in findings if f.health == "warning"] == ["model"]
    names = {f.name for f in findings}
    assert {"redis", "redis_persistence", "redis_eviction", "redis_cluster", "schema", "broker",
            "clock", "github_app", "github_permissions", "github_events", "github_installation",
            "github_webhook", "github_deliveries", "github_login", "slack_token", "slack_scopes",
            "web", "github_webhook_secret", "slack_signing_secret"} <= names  # fmt: skip


# --- one fault at a time: how it is made, who must name it, a word of what is said and done ---

Break = Callable[[Stage, ExitStack], Settings]


def _with(change: Callable[[Settings], Settings]) -> Break:
    return lambda stage, _undo: change(stage.settings)


def _redis_config(name: str, value: str) -> Break:
    def make(stage: Stage, undo: ExitStack) -> Settings:
        before = stage.redis.config_get(name)[name]
        stage.redis.config_set(name, value)
        undo.callback(stage.redis.config_set, name, before)
        return stage.settings

    return make


def _schema(version: str) -> Break:
    def make(stage: Stage, undo: ExitStack) -> Settings:
        stage.redis.set(KEY, version)
        undo.callback(stage.redis.delete, KEY)
        return stage.settings

    return make


def _attribute(of: Callable[[Stage], object], name: str, value: object) -> Break:
    def make(stage: Stage, undo: ExitStack) -> Settings:
        holder = of(stage)
        before = getattr(holder, name)
        changed = value(before) if callable(value) else value
        setattr(holder, name, changed)
        undo.callback(setattr, holder, name, before)
        return stage.settings

    return make


def _without(name: str) -> Callable[[object], object]:
    def change(before: object) -> object:
        if isinstance(before, dict):
            return {key: level for key, level in before.items() if key != name}
        assert isinstance(before, list)
        return [each for each in before if each != name]

    return change


def _suspended(stage: Stage, undo: ExitStack) -> Settings:
    hooks = stage.github.hooks
    hooks.hold()
    stage.github.suspend(stage.world.installation, "dana")
    undo.callback(hooks.release, [])
    undo.callback(setattr, stage.world.installation, "suspended_at", None)
    return stage.settings


def _uninstalled(stage: Stage, undo: ExitStack) -> Settings:
    installations = stage.github.installations
    before = dict(installations)
    installations.clear()
    undo.callback(installations.update, before)
    return stage.settings


def _deliveries(status: int) -> Break:
    def make(stage: Stage, undo: ExitStack) -> Settings:
        deliveries = stage.github.hooks.deliveries
        deliveries.append(replace(deliveries[-1], id=deliveries[-1].id + 1, status_code=status))
        undo.callback(deliveries.pop)
        return stage.settings

    return make


def _github_answers(body: object) -> Break:
    def make(stage: Stage, undo: ExitStack) -> Settings:
        stage.github.faults.add("GET", "/app$", status=200, body=body)
        undo.callback(stage.github.faults.clear)
        return stage.settings

    return make


def _slack_token(**changes: object) -> Break:
    def make(stage: Stage, undo: ExitStack) -> Settings:
        tokens = stage.slack.world.tokens
        before = tokens[stage.slack.bot_token]
        tokens[stage.slack.bot_token] = replace(before, **changes)  # type: ignore[arg-type]
        undo.callback(tokens.__setitem__, stage.slack.bot_token, before)
        return stage.settings

    return make


def _cluster(stage: Stage, undo: ExitStack) -> Settings:
    executable, _ = _find_server()
    port = free_port()
    command = [str(executable), "--port", str(port), "--cluster-enabled", "yes", "--save", "",
               "--appendonly", "yes", "--dir", str(stage.github.directory)]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    undo.callback(process.wait)
    undo.callback(process.terminate)
    client = Redis(port=port, retry=Retry(NoBackoff(), 0))
    undo.callback(client.close)
    for _ in range(100):
        try:
            client.ping()
            break
        except RedisConnectionError:
            time.sleep(0.05)
    return replace(stage.settings, redis_url=f"redis://127.0.0.1:{port}/0")


def _other_key(settings: Settings) -> Settings:
    key = rsa.generate_private_key(65_537, 2_048)
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return _github(settings, private_key=Secret(pem.decode()))


def _app(stage: Stage) -> object:
    return stage.github.registration


def _installation(stage: Stage) -> object:
    return stage.world.installation


FAULTS: dict[str, tuple[Break, str, str, str]] = {
    "redis down": (
        _with(lambda s: replace(s, redis_url="redis://127.0.0.1:9/0")),
        "redis", "does not answer", "REDIS_URL"),
    "not on disk": (
        _redis_config("appendonly", "no"), "redis_persistence", "restart loses", "appendonly yes"),
    "eviction": (
        _redis_config("maxmemory-policy", "allkeys-lru"),
        "redis_eviction", "allkeys-lru", "noeviction"),
    "cluster": (_cluster, "redis_cluster", "Cluster", "Sentinel"),
    "newer data": (_schema("99"), "schema", "version 99", "newer program"),
    "foreign data": (_schema("x"), "schema", "no version", "REDIS_URL"),
    "github away": (
        _with(lambda s: _github(s, api_url=f"{CLOSED}/api/v3")),
        "github_reachable", "does not answer", "GITHUB_API_URL"),
    "not github": (
        _github_answers({"message": "Welcome to the proxy of ACME"}),
        "github_reachable", "not as GitHub", "GITHUB_API_URL"),
    "other app": (
        _with(lambda s: _github(s, app_id=77)), "github_app_id", "77", "GITHUB_APP_ID"),
    "other key": (
        _with(_other_key), "github_app_key", "GITHUB_APP_PRIVATE_KEY", "Private keys"),
    "permission of the app": (
        _attribute(_app, "permissions", _without("checks")),
        "github_permissions", "checks: write", "/settings/apps/precedent/permissions"),
    "event of the app": (
        _attribute(_app, "events", _without("issue_comment")),
        "github_events", "issue_comment", "/settings/apps/precedent/permissions"),
    "permission of an installation": (
        _attribute(_installation, "permissions", _without("pull_requests")),
        "github_installation", "pull_requests: write", "/settings/installations/"),
    "event of an installation": (
        _attribute(_installation, "events", _without("push")),
        "github_installation", "push", "/settings/installations/"),
    "suspended": (_suspended, "github_installation", "suspended", "/settings/installations/"),
    "installed nowhere": (_uninstalled, "github_installations", "nowhere", "/installations/new"),
    "webhook elsewhere": (
        _attribute(lambda s: s.github.hooks, "url", "https://old.example/github/webhook"),
        "github_webhook", "old.example", "/github/webhook"),
    "webhook refused": (
        _deliveries(401), "github_deliveries", "401", "GITHUB_WEBHOOK_SECRET"),
    "webhook unreachable": (_deliveries(502), "github_deliveries", "502", "PUBLIC_URL"),
    "login secret": (
        _with(lambda s: _github(s, client_secret=Secret("wrong"))),
        "github_login", "GITHUB_CLIENT_SECRET", "make a new one"),
    "slack token": (
        _slack_token(is_revoked=True), "slack_token", "token_revoked", "OAuth & Permissions"),
    "slack scopes": (
        _slack_token(scopes=("chat:write",)),
        "slack_scopes", "reactions:write", "Bot Token Scopes"),
    "slack away": (
        _with(lambda s: _slack(s, api_url=f"{CLOSED}/api")),
        "slack_reachable", "does not answer", "SLACK_API_URL"),
    "web away": (
        _with(lambda s: replace(s, public_url=CLOSED)), "web", "does not answer", "PUBLIC_URL"),
    "web before newer data": (_schema("99"), "web", "version 99", "newer program"),
    "web elsewhere": (
        lambda stage, _undo: replace(stage.settings, public_url=stage.github.api_url),
        "web", "answers 401", "PUBLIC_URL"),
    "other webhook secret": (
        _with(lambda s: _github(s, webhook_secrets=(Secret("another"),))),
        "github_webhook_secret", "refuses", "GITHUB_WEBHOOK_SECRET"),
    "other signing secret": (
        _with(lambda s: _slack(s, signing_secrets=(Secret("another"),))),
        "slack_signing_secret", "refuses", "SLACK_SIGNING_SECRET"),
    "no such model": (
        _with(lambda s: replace(s, review_model="nowhere_ai:large")),
        "model", "nowhere_ai:large", "REVIEW_MODEL"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_its_remedy(
    stage: Stage, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", CLOSED)
    make, name, said, remedy = FAULTS[fault]
    with ExitStack() as undo:
        settings = make(stage, undo)
        findings = examine(settings)
    found = [f for f in findings if f.health == "failed" and f.name == name]
    assert found, findings
    assert any(said in f.said and remedy in f.remedy for f in found), found
    assert not is_healthy(findings)


def test_the_clock_is_compared_with_githubs(stage: Stage) -> None:
    findings = examine(stage.settings, now=lambda: time.time() + 400)
    clock = next(f for f in findings if f.name == "clock")
    assert (clock.health, "ahead" in clock.said) == ("failed", True)
    assert "time server" in clock.remedy


def test_no_finding_shows_a_secret(stage: Stage) -> None:
    with ExitStack() as undo:
        shown = repr(examine(_cluster(stage, undo))) + repr(examine(stage.settings))
    assert [secret for secret in stage.settings.secrets if secret in shown] == []


# --- the command ---


def _doctor(
    cwd: Path, environment: dict[str, str], *options: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).with_name("precedent")), "doctor", *options],
        cwd=cwd,
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_missing_settings_are_all_named_and_the_exit_code_is_1(tmp_path: Path) -> None:
    answer = _doctor(tmp_path, {}, "--json")
    findings = [Finding(**record) for record in json.loads(answer.stdout)]
    assert answer.returncode == 1
    assert {f.name for f in findings} == {"settings"}
    said = " ".join(f.said for f in findings)
    for name in ("REDIS_URL", "PUBLIC_URL", "SECRET_KEY", "GITHUB_APP_ID", "GITHUB_WEBHOOK_SECRET"):
        assert name in said


def test_a_shared_remedy_stands_once_and_redis_is_looked_at_without_the_rest(
    tmp_path: Path, redis_url: str
) -> None:
    """Six missing settings came with six times the same remedy, and nothing else was looked at."""
    said = _doctor(tmp_path, {"REDIS_URL": redis_url})
    assert said.returncode == 1
    assert said.stdout.count("FAILED settings: ") == 5
    assert said.stdout.count("docs/settings.md") == 1
    assert "ok     redis: Redis answers." in said.stdout


def test_wrong_use_is_exit_code_2(tmp_path: Path) -> None:
    assert _doctor(tmp_path, {}, "--fix").returncode == 2


def test_a_healthy_installation_is_exit_code_0_and_printed_line_by_line(
    stage: Stage, tmp_path: Path
) -> None:
    settings, slack = stage.settings, stage.settings.slack
    assert slack is not None
    environment = {
        "REDIS_URL": settings.redis_url,
        "PUBLIC_URL": settings.public_url,
        "SECRET_KEY": settings.secret_keys[0].reveal(),
        "GITHUB_API_URL": settings.github.api_url,
        "GITHUB_APP_ID": str(settings.github.app_id),
        "GITHUB_APP_PRIVATE_KEY": settings.github.private_key.reveal(),
        "GITHUB_WEBHOOK_SECRET": settings.github.webhook_secrets[0].reveal(),
        "GITHUB_CLIENT_ID": settings.github.client_id,
        "GITHUB_CLIENT_SECRET": settings.github.client_secret.reveal(),
        "SLACK_API_URL": slack.api_url,
        "SLACK_SIGNING_SECRET": slack.signing_secrets[0].reveal(),
        "SLACK_BOT_TOKEN": slack.bot_token.reveal(),
        "REVIEW_MODEL": "none",
    }
    answer = _doctor(tmp_path, environment)
    assert answer.returncode == 0, answer.stdout
    assert "warn   model" in answer.stdout
    assert "FAILED" not in answer.stdout


# --- the version of the data ---


def test_an_empty_redis_gets_todays_version(redis: Redis) -> None:
    assert ensure_schema(redis) == VERSION
    assert ensure_schema(redis) == VERSION
    assert redis.get(KEY) == str(VERSION).encode()


def test_older_data_is_migrated_step_by_step_and_a_crash_continues(redis: Redis) -> None:
    redis.set(KEY, 1)
    ran: list[int] = []

    def second(_: Redis) -> None:
        ran.append(2)
        if ran.count(2) == 1:
            raise ConnectionError("the machine went away")

    migrations = {1: lambda _: ran.append(1), 2: second}
    with pytest.raises(ConnectionError):
        ensure_schema(redis, version=3, migrations=migrations)
    assert ensure_schema(redis, version=3, migrations=migrations) == 2
    assert ran == [1, 2, 2]
    assert redis.get(KEY) == b"3"


@pytest.mark.parametrize(("stored", "word"), [("4", "newer program"), ("1", "one after another")])
def test_what_can_not_be_migrated_is_refused_and_left_alone(
    redis: Redis, stored: str, word: str
) -> None:
    redis.set(KEY, stored)
    with pytest.raises(SchemaUnusable, match=word):
        ensure_schema(redis, version=3, migrations={2: lambda r: r.flushall()})
    assert redis.get(KEY) == stored.encode()
