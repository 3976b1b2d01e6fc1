"""`precedent doctor`: the Slack app's tokens and scopes, workspace by workspace."""

from __future__ import annotations

from collections.abc import Iterator

from redis.exceptions import RedisError
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from workers.app_requirements import SLACK_SCOPES
from workers.doctor import Finding, failed, ok, warning
from workers.errors import PrecedentError
from workers.redis_connection import connect_redis
from workers.secrets_box import SecretsBox
from workers.settings import Settings, SlackSettings
from workers.slack_client import open_slack
from workers.slack_errors import NO_ANSWER
from workers.slack_installations import SlackInstallations

TIMEOUT_S = 10
PAGE = "https://api.slack.com/apps → your app → "


def examine(settings: Settings) -> Iterator[Finding]:
    slack = settings.slack
    if slack is None:
        yield ok("slack", "Slack is not used (no SLACK_… setting).")
        return
    if slack.bot_token:
        yield from _token(slack, slack.bot_token.reveal(), "SLACK_BOT_TOKEN")
    else:
        yield from _installations(settings, slack)
    if slack.app_token:
        yield _socket(slack)


def _installations(settings: Settings, slack: SlackSettings) -> Iterator[Finding]:
    redis = connect_redis(settings.redis_url)
    box = SecretsBox([secret.reveal() for secret in settings.secret_keys], "slack tokens")
    store = SlackInstallations(redis, box)
    try:
        found = store.every()
        if not found:
            yield warning(
                "slack",
                "No workspace has installed the Slack app yet.",
                f"Open {settings.public_url}/slack/install in a browser.",
            )
        for one in found:
            where = one.name or one.team_id or one.enterprise_id
            try:
                token = store.stored_token(one.enterprise_id, one.team_id)
            except PrecedentError:
                yield failed(
                    "slack_token",
                    f"The token of {where} was sealed with another SECRET_KEY.",
                    "Put the old SECRET_KEY back behind a comma, or install the app again from "
                    f"{settings.public_url}/slack/install.",
                )
                continue
            yield from _token(slack, token, where)
    except RedisError:
        yield failed("slack", "Redis does not answer.", "See the Redis findings.")
    finally:
        redis.close()


def _token(slack: SlackSettings, token: str, where: str) -> Iterator[Finding]:
    client = open_slack(token, slack.api_url + "/", TIMEOUT_S)
    try:
        answer = client.auth_test()
    except SlackApiError as error:
        code = str((error.response or {}).get("error", "unknown"))
        yield failed(
            "slack_token",
            f"Slack refuses the token of {where} ({code}).",
            f"{PAGE}OAuth & Permissions: install the app again and copy the Bot User OAuth Token.",
        )
        return
    except NO_ANSWER as error:
        yield failed(
            "slack_reachable",
            f"Slack does not answer ({type(error).__name__}).",
            "Let this machine reach slack.com (HTTPS_PROXY for a proxy, SSL_CERT_FILE for an own "
            "certificate authority), or correct SLACK_API_URL.",
        )
        return
    yield ok("slack_token", f"Slack knows the token of {where}.")
    yield _scopes(answer, where)


def _scopes(answer: SlackResponse, where: str) -> Finding:
    headers = {str(name).lower(): value for name, value in answer.headers.items()}
    listed = headers.get("x-oauth-scopes", "")
    text = ",".join(listed) if isinstance(listed, list) else str(listed)
    missing = sorted(set(SLACK_SCOPES) - {scope.strip() for scope in text.split(",")})
    if missing:
        return failed(
            "slack_scopes",
            f"The token of {where} lacks {', '.join(missing)}.",
            f"{PAGE}OAuth & Permissions → Bot Token Scopes: add them, then install the app again.",
        )
    return ok("slack_scopes", f"The token of {where} has every scope.")


def _socket(slack: SlackSettings) -> Finding:
    client = open_slack(slack.app_token.reveal(), slack.api_url + "/", TIMEOUT_S)
    try:
        client.apps_connections_open(app_token=slack.app_token.reveal())
    except (SlackApiError, *NO_ANSWER) as error:
        return failed(
            "slack_socket",
            f"Slack opens no socket for SLACK_APP_TOKEN ({type(error).__name__}).",
            f"{PAGE}Basic Information → App-Level Tokens: make one with connections:write, and "
            "switch on Socket Mode.",
        )
    return ok("slack_socket", "Socket Mode works.")
