"""Speaks in one Slack workspace, each message once.

What is posted carries its key in Slack's message metadata, which people do not see. When an answer
was lost, the thread or channel is searched for the key before anything is posted again. What
remains: a process that is paused between its look and its post for longer than its lease; a
message for one person only and the answer to a response URL, which nobody can look up; and a
channel whose history the app may not read. In these cases a message may be said twice, never lost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import structlog
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.webhook import WebhookClient

from workers.effects import Effect, EffectLedger
from workers.errors import PrecedentError
from workers.slack_errors import (
    NO_ANSWER,
    UNAVAILABLE_S,
    SlackInDoubt,
    SlackRefused,
    classify_slack,
)

TIMEOUT_S = 15
EVENT_TYPE = "precedent_message"
"""The name of our metadata; Slack wants one beside the payload."""

CLOCK_SKEW_S = 600
"""How far our clock may be ahead of Slack's when a lost message is looked for by its time."""

PAGE_SIZE = 200
MAX_LOOK_UP_PAGES = 50
RESPONSE_URL_GONE = frozenset({404, 410})

Blocks = Sequence[dict[str, Any]]

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class SlackMessage:
    """A message of ours. `ts` is "" when Slack does not tell it (an answer to a response URL)."""

    channel: str
    ts: str


def open_slack(token: str, api_url: str, timeout_s: int = TIMEOUT_S) -> WebClient:
    """A client that repeats nothing by itself: a repeated post is a doubled message.

    `api_url` ends with "/api/".
    """
    return WebClient(token=token, base_url=api_url, timeout=timeout_s, retry_handlers=[])


class SlackSpeaker:
    """Posts, changes and reacts in one workspace. Keys are unique within a workspace.

    Raises RateLimited with Slack's seconds, SlackInDoubt (Transient) without a usable answer, and
    SlackRefused (Permanent) with a sentence that says what to change.
    """

    def __init__(
        self,
        client: WebClient,
        ledger: EffectLedger,
        *,
        team: str,
        still_ours: Callable[[], None] = lambda: None,
        on_call: Callable[[str, str], None] = lambda _method, _status: None,
    ) -> None:
        self._client = client
        self._on_call = on_call
        self._ledger = ledger
        self._team = team
        self._still_ours = still_ours

    def post(
        self,
        channel: str,
        text: str,
        *,
        key: str,
        thread_ts: str = "",
        blocks: Blocks | None = None,
        unfurl: bool = False,
    ) -> SlackMessage:
        """Say `text` (with `blocks`, if any) once per `key`; a repetition gives the same back."""
        name = f"slack:{self._team}:{channel}:{key}"
        arguments = {
            "channel": channel,
            "text": text,
            "thread_ts": thread_ts or None,
            "blocks": blocks,
            "metadata": {"event_type": EVENT_TYPE, "event_payload": {"key": _digest(name)}},
            "unfurl_links": unfurl,
            "unfurl_media": unfurl,
        }

        def send() -> SlackMessage:
            answer = self._call("chat.postMessage", arguments)
            return SlackMessage(str(answer["channel"]), str(answer["ts"]))

        def look(effect: Effect) -> SlackMessage | None:
            return self._find(channel, thread_ts, _digest(name), effect)

        return self._once(name, send, look)

    def post_for_one(
        self,
        channel: str,
        user: str,
        text: str,
        *,
        key: str,
        thread_ts: str = "",
        blocks: Blocks | None = None,
    ) -> SlackMessage:
        """Say something that only `user` sees. It cannot be looked up after a lost answer."""
        arguments = {
            "channel": channel,
            "user": user,
            "text": text,
            "thread_ts": thread_ts or None,
            "blocks": blocks,
        }

        def send() -> SlackMessage:
            answer = self._call("chat.postEphemeral", arguments)
            return SlackMessage(channel, str(answer["message_ts"]))

        return self._once(f"slack:{self._team}:{channel}:{user}:{key}", send, _cannot_look)

    def respond(
        self,
        response_url: str,
        text: str,
        *,
        key: str,
        blocks: Blocks | None = None,
        in_channel: bool = False,
        replace_original: bool = False,
    ) -> None:
        """Answer a command or a click through its response URL, also where we are no member.

        Raises SlackRefused (`slack_response_url_gone`) after half an hour or five answers.
        """
        body: dict[str, Any] = {
            "text": text,
            "response_type": "in_channel" if in_channel else "ephemeral",
            "replace_original": replace_original,
        }
        if blocks:
            body["blocks"] = blocks

        def send() -> SlackMessage:
            self._respond(response_url, body)
            return SlackMessage("", "")

        self._once(f"slack:{self._team}:respond:{key}", send, _cannot_look)

    def update(
        self, channel: str, ts: str, text: str, *, blocks: Blocks | None = None
    ) -> SlackMessage:
        """Replace a message of ours; doing it twice changes nothing."""
        self._still_ours()
        arguments = {"channel": channel, "ts": ts, "text": text, "blocks": blocks or []}
        answer = self._call("chat.update", arguments)
        return SlackMessage(str(answer["channel"]), str(answer["ts"]))

    def react(self, channel: str, ts: str, name: str = "eyes") -> None:
        """Add our reaction; one that is there already counts as done."""
        self._still_ours()
        try:
            self._call("reactions.add", {"channel": channel, "timestamp": ts, "name": name})
        except SlackRefused as refusal:
            if refusal.code != "already_reacted":
                raise

    def publish_home(self, user: str, view: dict[str, Any]) -> None:
        """Set a person's App Home; doing it twice changes nothing."""
        self._still_ours()
        self._call("views.publish", {"user_id": user, "view": view})

    def update_view(self, view_id: str, view: dict[str, Any], *, view_hash: str = "") -> bool:
        """Replace an open view; whether it was still open and, with `view_hash`, unchanged."""
        self._still_ours()
        arguments = {"view_id": view_id, "view": view, "hash": view_hash or None}
        try:
            self._call("views.update", arguments)
        except SlackRefused as refusal:
            if refusal.code not in {"not_found", "hash_conflict", "view_not_found"}:
                raise
            return False
        return True

    def person(self, user: str) -> dict[str, Any]:
        """A person as users.info shows them."""
        return dict(self._call("users.info", {"user": user})["user"])

    def channel(self, channel: str) -> dict[str, Any]:
        """A channel as conversations.info shows it; SlackRefused for one that we do not see."""
        return dict(self._call("conversations.info", {"channel": channel})["channel"])

    def channels_of(self, user: str) -> list[str]:
        """The channels that both the person and, where they are private, we are in."""
        arguments: dict[str, Any] = {
            "user": user,
            "types": "public_channel,private_channel",
            "exclude_archived": True,
            "limit": PAGE_SIZE,
        }
        found: list[str] = []
        for _page in range(MAX_LOOK_UP_PAGES):
            answer = self._call("users.conversations", arguments)
            found += [str(channel["id"]) for channel in answer["channels"]]
            cursor = (answer.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                break
            arguments = {**arguments, "cursor": cursor}
        return found

    def open_direct(self, user: str) -> str:
        """The direct message with a person: its channel."""
        return str(self._call("conversations.open", {"users": user})["channel"]["id"])

    def permalink(self, channel: str, ts: str) -> str:
        answer = self._call("chat.getPermalink", {"channel": channel, "message_ts": ts})
        return str(answer["permalink"])

    def _once(
        self,
        name: str,
        send: Callable[[], SlackMessage],
        look: Callable[[Effect], SlackMessage | None],
    ) -> SlackMessage:
        effect = self._ledger.read(name)
        if effect and effect.outcome:
            return SlackMessage(**effect.outcome)
        message = look(effect) if effect else None
        if message is None:
            self._still_ours()
            intent = self._ledger.intend(name)
            try:
                message = send()
            except SlackInDoubt:
                message = look(intent)
                if message is None:
                    raise
            except PrecedentError:
                if effect is None:  # surely not said: the next attempt needs no search
                    self._ledger.forget(name)
                raise
        self._ledger.done(name, asdict(message))
        return message

    def _find(
        self, channel: str, thread_ts: str, digest: str, effect: Effect
    ) -> SlackMessage | None:
        arguments: dict[str, Any] = {
            "channel": channel,
            "oldest": f"{max(effect.intended_at - CLOCK_SKEW_S, 0):.6f}",
            "include_all_metadata": True,
            "limit": PAGE_SIZE,
        }
        method = "conversations.history"
        if thread_ts:
            method, arguments["ts"] = "conversations.replies", thread_ts
        try:
            return self._search(method, arguments, digest)
        except SlackRefused as refusal:
            # Not allowed to look: a second answer does less harm than none.
            log.warning("slack.look_up_refused", channel=channel, reason=refusal.reason)
            return None

    def _search(self, method: str, arguments: dict[str, Any], digest: str) -> SlackMessage | None:
        for _page in range(MAX_LOOK_UP_PAGES):
            answer = self._call(method, arguments)
            for message in answer.get("messages", ()):
                metadata = message.get("metadata") or {}
                payload = metadata.get("event_payload") or {}
                if metadata.get("event_type") == EVENT_TYPE and payload.get("key") == digest:
                    return SlackMessage(arguments["channel"], str(message["ts"]))
            cursor = (answer.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                break
            arguments = {**arguments, "cursor": cursor}
        return None

    def _call(self, method: str, arguments: dict[str, Any]) -> dict[str, Any]:
        body = {name: value for name, value in arguments.items() if value is not None}
        try:
            answer = self._client.api_call(method, **_encoded(method, body))
        except (SlackApiError, *NO_ANSWER) as error:
            failure = classify_slack(error)
            self._on_call(method, failure.reason)
            raise failure from error
        self._on_call(method, "ok")
        assert isinstance(answer.data, dict)
        return answer.data

    def _respond(self, response_url: str, body: dict[str, Any]) -> None:
        try:
            answer = WebhookClient(
                response_url, timeout=self._client.timeout, retry_handlers=[]
            ).send_dict(body)
        except NO_ANSWER as error:
            raise classify_slack(error) from error
        if answer.status_code in RESPONSE_URL_GONE:
            raise SlackRefused(
                "The answer came too late for this command: ask again.", code="response_url_gone"
            )
        if answer.status_code >= 500:
            raise SlackInDoubt(f"Slack answered {answer.status_code}.", retry_after_s=UNAVAILABLE_S)
        if answer.status_code >= 300:
            raise SlackRefused("Slack did not accept the answer.", code="response_refused")


_READS = frozenset(
    {
        "conversations.history", "conversations.replies", "chat.getPermalink", "users.info",
        "conversations.info", "users.conversations",
    }
)  # fmt: skip


def _encoded(method: str, body: dict[str, Any]) -> dict[str, Any]:
    """Slack takes JSON for writes, but reads only as a form."""
    return {"params": body} if method in _READS else {"json": body}


def _cannot_look(_effect: Effect) -> None:
    return None


def _digest(name: str) -> str:
    """The key as strangers with the API may read it: nothing about what it stands for."""
    return hashlib.sha256(name.encode()).hexdigest()[:32]
