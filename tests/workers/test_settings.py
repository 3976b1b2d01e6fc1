"""Settings: one error for everything, and nothing secret in it."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from workers.settings import Role, Secret, Settings, SettingsError, load_settings

SECRET_KEY = "k" * 40


@pytest.fixture(scope="module")
def pem() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    data = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    return data.decode()


@pytest.fixture
def env(pem: str) -> dict[str, str]:
    return {
        "REDIS_URL": "redis://:redis-password@127.0.0.1:6379/0",
        "PUBLIC_URL": "https://precedent.example/",
        "SECRET_KEY": SECRET_KEY,
        "GITHUB_APP_ID": "12",
        "GITHUB_APP_PRIVATE_KEY": pem,
        "GITHUB_WEBHOOK_SECRET": "new-secret, old-secret",
    }


SLACK = {
    "SLACK_SIGNING_SECRET": "slack-signing-secret",
    "SLACK_BOT_TOKEN": "xoxb-1-2",
    "GITHUB_CLIENT_ID": "Iv1.1",
    "GITHUB_CLIENT_SECRET": "client-secret",
}


def problems(env: dict[str, str], role: Role) -> str:
    with pytest.raises(SettingsError) as raised:
        Settings.from_env(env, role=role)
    assert raised.value.reason == "settings_invalid"
    assert all(problem in str(raised.value) for problem in raised.value.problems)
    return "\n".join(raised.value.problems)


@pytest.mark.parametrize("role", ["web", "worker", "cli"])
def test_a_complete_environment_serves_every_role(env: dict[str, str], role: Role) -> None:
    settings = Settings.from_env(env, role=role)
    assert settings.public_url == "https://precedent.example"
    assert settings.github.app_id == 12
    assert [s.reveal() for s in settings.github.webhook_secrets] == ["new-secret", "old-secret"]
    assert settings.slack is None
    assert (settings.review_quiet_s, settings.review_max_wait_s, settings.port) == (20, 90, 8000)
    assert settings.github.api_url == "https://api.github.com"


def test_everything_missing_is_named_at_once() -> None:
    web = problems({}, "web")
    for name in ("REDIS_URL", "PUBLIC_URL", "SECRET_KEY", "GITHUB_WEBHOOK_SECRET"):
        assert f"{name} is missing" in web
    assert "GITHUB_APP_PRIVATE_KEY" not in web
    worker = problems({}, "worker")
    for name in ("GITHUB_APP_ID", "GITHUB_APP_PRIVATE_KEY"):
        assert f"{name} is missing" in worker
    assert "GITHUB_WEBHOOK_SECRET" not in worker
    assert problems({}, "cli") == "REDIS_URL is missing"


def test_everything_wrong_is_named_without_its_value(env: dict[str, str]) -> None:
    wrong = env | {
        "REDIS_URL": "http://wrong-value",
        "PUBLIC_URL": "wrong-value",
        "SECRET_KEY": "wrong-value",
        "GITHUB_APP_ID": "wrong-value",
        "GITHUB_APP_PRIVATE_KEY": "/wrong-value",
        "GITHUB_API_URL": "ftp://wrong-value",
        "SLACK_BOT_TOKEN": "wrong-value",
        "SLACK_APP_TOKEN": "wrong-value",
        "REVIEW_QUIET_S": "wrong-value",
        "REVIEW_MAX_WAIT_S": "nan",
        "PORT": "70000",
        "LOG_LEVEL": "wrong-value",
    }
    text = problems(wrong, "worker")
    for name in wrong.keys() - {"GITHUB_WEBHOOK_SECRET"}:
        assert name in text
    assert "wrong-value" not in text


def test_slack_is_all_or_nothing(env: dict[str, str]) -> None:
    slack = Settings.from_env(env | SLACK, role="web").slack
    assert slack is not None
    assert slack.bot_token.reveal() == "xoxb-1-2"
    half = problems(env | {"SLACK_SIGNING_SECRET": "signing"}, "web")
    assert "SLACK_CLIENT_ID is missing (or SLACK_BOT_TOKEN)" in half
    assert "SLACK_CLIENT_SECRET is missing (or SLACK_BOT_TOKEN)" in half
    assert "GITHUB_CLIENT_ID is missing" in half
    without_signing = env | SLACK | {"SLACK_SIGNING_SECRET": ""}
    assert problems(without_signing, "web") == "SLACK_SIGNING_SECRET is missing"
    Settings.from_env(without_signing, role="worker")
    Settings.from_env(without_signing | {"SLACK_APP_TOKEN": "xapp-1"}, role="web")


def test_the_private_key_may_be_a_path_or_have_escaped_line_ends(
    env: dict[str, str], pem: str, tmp_path: Path
) -> None:
    file = tmp_path / "key.pem"
    file.write_text(pem)
    escaped = pem.replace("\n", "\\n")
    keys = [
        Settings.from_env(env | {"GITHUB_APP_PRIVATE_KEY": given}).github.private_key.reveal()
        for given in (pem, str(file), escaped)
    ]
    assert keys == [pem, pem, pem]


def test_another_kind_of_key_is_told(env: dict[str, str], tmp_path: Path) -> None:
    other = ed25519.Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    for given in (other.decode(), "-----BEGIN RSA PRIVATE KEY-----\nAA==\n", str(tmp_path)):
        assert "GITHUB_APP_PRIVATE_KEY" in problems(
            env | {"GITHUB_APP_PRIVATE_KEY": given}, "worker"
        )


def test_the_longest_wait_is_not_shorter_than_the_quiet_period(env: dict[str, str]) -> None:
    assert "REVIEW_MAX_WAIT_S" in problems(env | {"REVIEW_QUIET_S": "100"}, "worker")


def test_no_secret_shows_by_itself(env: dict[str, str], pem: str) -> None:
    settings = Settings.from_env(
        env | SLACK | {"GOOGLE_API_KEY": "google-key", "METRICS_TOKEN": "metrics-token"}
    )
    shown = f"{settings!r} {settings} {settings.secret_keys[0]} {settings.google_api_key:>9}"
    for secret in settings.secrets:
        assert secret not in shown
    assert "redis-password" in settings.secrets
    assert {"google-key", "metrics-token", "client-secret", "xoxb-1-2", pem} <= set(
        settings.secrets
    )
    assert f"{Secret('x')}" == str(Secret("x")) == repr(Secret("x")) == "***"
    assert not Secret("")
    assert Secret("x") == Secret("x")
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.port = 1  # type: ignore[misc]


def test_the_environment_wins_over_the_file_and_providers_read_the_rest(
    env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"{name}='{value}'" for name, value in env.items()]
    (tmp_path / ".env").write_text("\n".join([*lines, "PORT=9000", "TEST_PROVIDER_KEY=abc"]))
    monkeypatch.setenv("PORT", "9001")
    monkeypatch.setenv("TEST_PROVIDER_KEY", "")
    monkeypatch.delenv("TEST_PROVIDER_KEY")
    settings = load_settings("worker", directory=tmp_path)
    assert settings.port == 9001
    assert settings.github.private_key.reveal() == env["GITHUB_APP_PRIVATE_KEY"]
    assert os.environ["TEST_PROVIDER_KEY"] == "abc"
    assert "SECRET_KEY" not in os.environ
