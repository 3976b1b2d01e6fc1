"""What a refusal of Slack means: come back later, look first, or tell somebody what to change."""

from __future__ import annotations

import http.client
import re
from collections.abc import Mapping

from slack_sdk.errors import SlackApiError

from workers.errors import Permanent, PrecedentError, RateLimited, Transient

LIMITED_S = 30.0
"""When a 429 names no time."""

UNAVAILABLE_S = 10.0

NO_ANSWER = (OSError, http.client.HTTPException)
"""What slack_sdk lets through when there is no answer: time-outs, refused and cut connections."""

_CODE = re.compile(r"[a-z0-9_:-]+")
_UNAVAILABLE = frozenset(
    {"fatal_error", "internal_error", "service_unavailable", "request_timeout", "team_added_to_org"}
)

_ADVICE: Mapping[str, str] = {
    "channel_not_found": "The channel is gone or Precedent may not see it: invite it with /invite.",
    "not_in_channel": "Precedent is not in this channel: invite it with /invite.",
    "is_archived": "The channel is archived: unarchive it, or link another one.",
    "restricted_action": "This workspace does not let apps post here: ask a workspace admin.",
    "missing_scope": "The Slack app lacks a scope: install it again with the manifest in deploy/.",
    "invalid_auth": "Slack does not accept the bot token: install the app again.",
    "not_authed": "No bot token was sent: install the app again.",
    "token_revoked": "The Slack app was uninstalled: install it again.",
    "token_expired": "The bot token has expired: install the app again.",
    "account_inactive": "The Slack app was uninstalled: install it again.",
    "org_login_required": "The workspace is being moved: install the app again afterwards.",
    "message_not_found": "The message is gone.",
    "thread_not_found": "The thread is gone.",
    "cant_update_message": "Only messages of Precedent itself can be changed.",
    "msg_too_long": "The text is too long for one message of Slack.",
    "invalid_blocks": "Slack does not accept the layout of the message.",
    "no_text": "There is nothing to say.",
    "user_not_in_channel": "The person has left the channel.",
}


class SlackRefused(Permanent):
    """Slack said no. `code` is Slack's own word, `reason` the same with "slack_" before it."""

    reason = "slack_refused"

    def __init__(self, sentence: str, *, code: str) -> None:
        super().__init__(sentence, reason=f"slack_{code}")
        self.code = code


class SlackInDoubt(Transient):
    """No usable answer: the call may have been applied. Look before doing it again."""

    reason = "slack_in_doubt"


def classify_slack(error: Exception) -> PrecedentError:
    """The error for one of slack_sdk's `SlackApiError`s or one of `NO_ANSWER`."""
    if not isinstance(error, SlackApiError):
        return SlackInDoubt(
            f"Slack did not answer ({type(error).__name__}).", retry_after_s=UNAVAILABLE_S
        )
    response = error.response
    status = int(getattr(response, "status_code", 0) or 0)
    data = getattr(response, "data", None)
    code = str(data.get("error", "")) if isinstance(data, dict) else ""
    if not _CODE.fullmatch(code):
        code = ""  # slack_sdk puts an answer that is no JSON where Slack's word belongs
    if status == 429 or code in ("ratelimited", "rate_limited"):
        wait_s = _retry_after(getattr(response, "headers", {}) or {})
        return RateLimited(
            f"Slack's rate limit is used up; the event waits {wait_s:.0f} s.",
            retry_after_s=wait_s,
            reason="slack_rate_limited",
        )
    if status >= 500 or code in _UNAVAILABLE or not code:
        return SlackInDoubt(
            f"Slack answered {status} {code}".rstrip() + ".", retry_after_s=UNAVAILABLE_S
        )
    return SlackRefused(_ADVICE.get(code, f'Slack refused with "{code}".'), code=code)


def _retry_after(headers: Mapping[str, object]) -> float:
    for name, value in headers.items():
        if name.lower() == "retry-after":
            try:
                return max(float(str(value)), 1.0)
            except ValueError:
                return LIMITED_S
    return LIMITED_S
