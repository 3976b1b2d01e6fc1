"""All settings, read once, from the environment or a `.env` file; the only reader of either."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from workers.errors import PrecedentError
from workers.redis_connection import RedisUrlInvalid, check_redis_url

Role = Literal["web", "worker", "cli"]

GITHUB_API_URL = "https://api.github.com"
SLACK_API_URL = "https://slack.com/api"
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
MIN_SECRET_KEY_CHARS = 32
"""Text of this length made by a generator cannot be guessed; shorter ones are often words."""


@dataclass(frozen=True)
class Secret:
    """A text that never shows by itself. False when empty."""

    _text: str = field(default="", repr=False)

    def reveal(self) -> str:
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return "***"

    __str__ = __repr__

    def __format__(self, format_spec: str) -> str:
        return format("***", format_spec)


class SettingsError(PrecedentError):
    """Names everything that is missing or wrong at once; `problems` holds one sentence each."""

    reason = "settings_invalid"

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__(
            "Set these in the environment or in .env and start again:\n  " + "\n  ".join(problems)
        )
        self.problems = problems


@dataclass(frozen=True)
class GithubSettings:
    """The GitHub App. What the role does not need may be empty."""

    api_url: str = GITHUB_API_URL
    app_id: int = 0
    private_key: Secret = Secret()
    webhook_secrets: tuple[Secret, ...] = ()
    client_id: str = ""
    client_secret: Secret = Secret()


@dataclass(frozen=True)
class SlackSettings:
    """The Slack app. `bot_token` for one workspace, else `client_id` and `client_secret`."""

    api_url: str = SLACK_API_URL
    signing_secrets: tuple[Secret, ...] = ()
    bot_token: Secret = Secret()
    client_id: str = ""
    client_secret: Secret = Secret()
    app_token: Secret = Secret()


@dataclass(frozen=True)
class Settings:
    """`slack` is None when Slack is not used. `secret_keys`: the current one first."""

    redis_url: str = field(repr=False)
    public_url: str = ""
    secret_keys: tuple[Secret, ...] = ()
    github: GithubSettings = GithubSettings()
    slack: SlackSettings | None = None
    review_model: str = ""
    code_embeddings: str = ""
    google_api_key: Secret = Secret()
    review_quiet_s: float = 20.0
    review_max_wait_s: float = 90.0
    metrics_token: Secret = Secret()
    port: int = 8000
    log_level: str = "INFO"

    @staticmethod
    def from_env(env: Mapping[str, str], *, role: Role = "worker") -> Settings:
        """Read `env`, and the key file it may name. Raises SettingsError."""
        reader = _Reader(env, role)
        settings = reader.settings()
        if reader.problems:
            raise SettingsError(tuple(reader.problems))
        return settings

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every secret text, for the redaction of logs."""
        slack = self.slack or SlackSettings()
        every = (
            *self.secret_keys, *self.github.webhook_secrets, *slack.signing_secrets,
            self.github.private_key, self.github.client_secret, slack.bot_token,
            slack.client_secret, slack.app_token, self.google_api_key, self.metrics_token,
        )  # fmt: skip
        password = urlsplit(self.redis_url.replace(",", "%2C")).password or ""
        return tuple(secret.reveal() for secret in every if secret) + (
            (password,) if password else ()
        )


def load_settings(role: Role, *, directory: Path | None = None) -> Settings:
    """The settings of this process: its environment, over a `.env` file in `directory`.

    What `.env` sets beyond our own names (a model provider's variables) becomes part of the
    environment, as the providers' libraries look there. Raises SettingsError.
    """
    from dotenv import dotenv_values

    from_file = dotenv_values((directory or Path.cwd()) / ".env")
    environment = os.environ  # noqa: TID251 - this is where settings are read
    for name, value in from_file.items():
        if value is not None and name not in NAMES:
            environment.setdefault(name, value)
    given = {name: value for name, value in from_file.items() if value is not None}
    return Settings.from_env({**given, **environment}, role=role)


NAMES = frozenset(
    {
        "REDIS_URL", "PUBLIC_URL", "SECRET_KEY", "GITHUB_API_URL", "GITHUB_APP_ID",
        "GITHUB_APP_PRIVATE_KEY", "GITHUB_WEBHOOK_SECRET", "GITHUB_CLIENT_ID",
        "GITHUB_CLIENT_SECRET", "SLACK_API_URL", "SLACK_SIGNING_SECRET", "SLACK_BOT_TOKEN",
        "SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_APP_TOKEN", "REVIEW_MODEL",
        "CODE_EMBEDDINGS", "REVIEW_QUIET_S", "REVIEW_MAX_WAIT_S", "METRICS_TOKEN", "PORT",
        "LOG_LEVEL",
    }
)  # fmt: skip

SLACK_NAMES = (
    "SLACK_SIGNING_SECRET", "SLACK_BOT_TOKEN", "SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET",
    "SLACK_APP_TOKEN",
)  # fmt: skip


class _Reader:
    """Collects problems instead of stopping at the first one; they name settings, never values."""

    def __init__(self, env: Mapping[str, str], role: Role) -> None:
        self._env = env
        self._role = role
        self._has_slack = any(env.get(name, "").strip() for name in SLACK_NAMES)
        self.problems: list[str] = []

    def settings(self) -> Settings:
        is_server = self._role != "cli"
        quiet_s = self._seconds("REVIEW_QUIET_S", 20.0)
        max_wait_s = self._seconds("REVIEW_MAX_WAIT_S", 90.0)
        if max_wait_s < quiet_s:
            self.problems.append("REVIEW_MAX_WAIT_S must not be less than REVIEW_QUIET_S")
        return Settings(
            redis_url=self._redis_url(),
            public_url=self._url("PUBLIC_URL", "", is_required=is_server),
            secret_keys=self._secret_keys(is_required=is_server),
            github=self._github(),
            slack=self._slack() if self._has_slack else None,
            review_model=self._text("REVIEW_MODEL"),
            code_embeddings=self._text("CODE_EMBEDDINGS"),
            google_api_key=Secret(self._text("GOOGLE_API_KEY")),
            review_quiet_s=quiet_s,
            review_max_wait_s=max_wait_s,
            metrics_token=Secret(self._text("METRICS_TOKEN")),
            port=self._integer("PORT", 8000, minimum=1, maximum=65_535),
            log_level=self._log_level(),
        )

    def _github(self) -> GithubSettings:
        is_web, is_worker = self._role == "web", self._role == "worker"
        needs_login = self._has_slack and self._role != "cli"
        return GithubSettings(
            api_url=self._url("GITHUB_API_URL", GITHUB_API_URL),
            app_id=self._integer("GITHUB_APP_ID", 0, minimum=1, is_required=is_worker),
            private_key=self._private_key(is_required=is_worker),
            webhook_secrets=self._secrets("GITHUB_WEBHOOK_SECRET", is_required=is_web),
            client_id=self._text("GITHUB_CLIENT_ID", is_required=needs_login),
            client_secret=Secret(self._text("GITHUB_CLIENT_SECRET", is_required=needs_login)),
        )

    def _slack(self) -> SlackSettings:
        app_token = self._text("SLACK_APP_TOKEN")
        bot_token = self._text("SLACK_BOT_TOKEN")
        is_server = self._role != "cli"
        for name, value, prefix in (
            ("SLACK_APP_TOKEN", app_token, "xapp-"),
            ("SLACK_BOT_TOKEN", bot_token, "xoxb-"),
        ):
            if value and not value.startswith(prefix):
                self.problems.append(f"{name} must begin with {prefix}")
        needs_installation = is_server and not bot_token
        return SlackSettings(
            api_url=self._url("SLACK_API_URL", SLACK_API_URL),
            signing_secrets=self._secrets(
                "SLACK_SIGNING_SECRET", is_required=self._role == "web" and not app_token
            ),
            bot_token=Secret(bot_token),
            client_id=self._text(
                "SLACK_CLIENT_ID", is_required=needs_installation, otherwise="SLACK_BOT_TOKEN"
            ),
            client_secret=Secret(
                self._text(
                    "SLACK_CLIENT_SECRET",
                    is_required=needs_installation,
                    otherwise="SLACK_BOT_TOKEN",
                )
            ),
            app_token=Secret(app_token),
        )

    def _text(self, name: str, *, is_required: bool = False, otherwise: str = "") -> str:
        value = self._env.get(name, "").strip()
        if not value and is_required:
            self.problems.append(f"{name} is missing" + (f" (or {otherwise})" if otherwise else ""))
        return value

    def _secrets(self, name: str, *, is_required: bool) -> tuple[Secret, ...]:
        text = self._text(name, is_required=is_required)
        return tuple(Secret(part.strip()) for part in text.split(",") if part.strip())

    def _secret_keys(self, *, is_required: bool) -> tuple[Secret, ...]:
        keys = self._secrets("SECRET_KEY", is_required=is_required)
        if any(len(key.reveal()) < MIN_SECRET_KEY_CHARS for key in keys):
            self.problems.append(
                f"SECRET_KEY must have {MIN_SECRET_KEY_CHARS} characters or more; make one with: "
                'python3 -c "import secrets; print(secrets.token_urlsafe(48))"'
            )
        return keys

    def _private_key(self, *, is_required: bool) -> Secret:
        name = "GITHUB_APP_PRIVATE_KEY"
        text = self._text(name, is_required=is_required)
        if not text:
            return Secret()
        if "-----BEGIN" not in text:
            try:
                text = Path(text).expanduser().read_text()
            except (OSError, ValueError):
                self.problems.append(f"{name} is neither a PEM text nor a path that can be read")
                return Secret()
        pem = text.replace("\\n", "\n").strip() + "\n"
        if not _is_rsa_key(pem):
            self.problems.append(f"{name} is not an unencrypted RSA private key in PEM form")
        return Secret(pem)

    def _redis_url(self) -> str:
        url = self._text("REDIS_URL", is_required=True)
        try:
            if url:
                check_redis_url(url)
        except RedisUrlInvalid as error:
            self.problems.append(str(error))
        return url

    def _url(self, name: str, default: str, *, is_required: bool = False) -> str:
        url = self._text(name, is_required=is_required) or default
        try:
            parts = urlsplit(url)
            is_right = parts.scheme in {"http", "https"} and bool(parts.hostname)
        except ValueError:
            is_right = False
        if url and not is_right:
            self.problems.append(f"{name} must be an http or https address")
        return url.rstrip("/")

    def _integer(
        self,
        name: str,
        default: int,
        *,
        minimum: int,
        maximum: int | None = None,
        is_required: bool = False,
    ) -> int:
        text = self._text(name, is_required=is_required)
        if not text:
            return default
        number = int(text) if text.isascii() and text.isdigit() else -1
        if number < minimum or (maximum is not None and number > maximum):
            upper = "" if maximum is None else f" and at most {maximum}"
            self.problems.append(f"{name} must be a whole number, at least {minimum}{upper}")
        return number

    def _seconds(self, name: str, default: float) -> float:
        text = self._text(name)
        try:
            seconds = float(text) if text else default
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds <= MAX_WAIT_S:
            self.problems.append(f"{name} must be a number of seconds from 0 to {MAX_WAIT_S:.0f}")
        return seconds

    def _log_level(self) -> str:
        level = (self._text("LOG_LEVEL") or "INFO").upper()
        if level not in LOG_LEVELS:
            self.problems.append(f"LOG_LEVEL must be one of {', '.join(LOG_LEVELS)}")
        return level


MAX_WAIT_S = 3600.0


def _is_rsa_key(pem: str) -> bool:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        return isinstance(load_pem_private_key(pem.encode(), password=None), RSAPrivateKey)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return False
