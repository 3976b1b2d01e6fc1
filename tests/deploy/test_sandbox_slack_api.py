"""The Slack stand-in's Web API, driven by slack_sdk over real HTTP."""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from deploy.sandbox.serving import AsgiServer
from deploy.sandbox.slack import SandboxSlack
from deploy.sandbox.slack.openapi_cut import METHODS, cut
from deploy.sandbox.slack.world import DEFAULT_SCOPES


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[AsgiServer, dict[str, Any]]]:
    """One server for the whole module; it passes on to the app of the present test."""
    apps: dict[str, Any] = {}

    async def passing_on(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            await apps["slack"](scope, receive, send)

    with AsgiServer(passing_on) as server:
        yield server, apps


@pytest.fixture
def slack(served: tuple[AsgiServer, dict[str, Any]]) -> Iterator[SandboxSlack]:
    server, apps = served
    stand_in = SandboxSlack("signing", "xoxb-first", "client", "secret")
    stand_in.add_team("Acme", team_id="T0ACME")
    ada, ben = stand_in.add_user("ada"), stand_in.add_user("ben")
    stand_in.add_channel("api-reviews", members=[ada, ben], channel_id="C0API")
    apps["slack"] = stand_in.app
    stand_in.base_url = server.url
    yield stand_in
    stand_in.stop()


@pytest.fixture
def client(slack: SandboxSlack) -> WebClient:
    return WebClient("xoxb-first", base_url=f"{slack.base_url}/slack/api/", retry_handlers=[])


def refusal(call: Any, **arguments: Any) -> dict[str, Any]:
    with pytest.raises(SlackApiError) as caught:
        call(**arguments)
    data = caught.value.response.data
    assert isinstance(data, dict)
    assert data["ok"] is False
    return data


def section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def test_a_message_is_posted_updated_and_deleted(slack: SandboxSlack, client: WebClient) -> None:
    first = client.chat_postMessage(channel="C0API", text="one", blocks=[section("*one*")])
    second = client.chat_postMessage(channel="C0API", text="two", thread_ts=first["ts"])

    assert float(second["ts"]) > float(first["ts"])
    assert first["message"]["bot_id"].startswith("B")
    assert first["message"]["blocks"][0]["block_id"]
    assert [m["text"] for m in slack.thread("C0API", first["ts"])] == ["one", "two"]

    client.chat_update(channel="C0API", ts=second["ts"], text="two, better")
    assert slack.messages("#api-reviews")[1]["text"] == "two, better"
    client.chat_delete(channel="C0API", ts=second["ts"])
    assert [m["text"] for m in slack.messages("C0API")] == ["one"]
    assert refusal(client.chat_update, channel="C0API", ts=second["ts"], text="x")["error"] == (
        "message_not_found"
    )
    assert slack.contract_errors == []


def test_posting_to_a_person_opens_the_direct_message(
    slack: SandboxSlack, client: WebClient
) -> None:
    ada = next(u for u in slack.world.users.values() if u.name == "ada")
    posted = client.chat_postMessage(channel=ada.id, text="hello")
    opened = client.conversations_open(users=[ada.id])
    assert opened["channel"]["id"] == posted["channel"]
    assert posted["channel"].startswith("D")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"channel": "C0NONE", "text": "x"}, "channel_not_found"),
        ({"channel": "C0API", "text": "x" * 40_001}, "msg_too_long"),
        ({"channel": "C0API", "text": "x", "blocks": [section("y" * 3_001)]}, "invalid_blocks"),
        ({"channel": "C0API", "text": "x", "blocks": [section("y")] * 51}, "invalid_blocks"),
        ({"channel": "C0API", "text": "x", "thread_ts": "1600000000.000001"}, "thread_not_found"),
    ],
)
def test_what_slack_refuses_to_post(client: WebClient, arguments: Any, error: str) -> None:
    assert refusal(client.chat_postMessage, **arguments)["error"] == error


@pytest.mark.parametrize(
    "block",
    [
        {"type": "header", "text": {"type": "plain_text", "text": "h" * 151}},
        {"type": "header", "text": {"type": "mrkdwn", "text": "h"}},
        {"type": "nonsense"},
        {"type": "section"},
        {"type": "context", "elements": []},
        {
            "type": "actions",
            "elements": [
                {
                    "type": "button",
                    "action_id": "a",
                    "text": {"type": "plain_text", "text": "b"},
                    "value": "v" * 2_001,
                }
            ],
        },
        {
            "type": "actions",
            "elements": [
                {"type": "button", "action_id": "a", "text": {"type": "plain_text", "text": "b"}}
            ]
            * 2,
        },
        "no block",
    ],
)
def test_blocks_beyond_a_limit_are_named_with_their_place(client: WebClient, block: Any) -> None:
    answer = refusal(
        client.chat_postMessage, channel="C0API", text="x", blocks=[section("y"), block]
    )
    assert answer["error"] == "invalid_blocks"
    assert "/blocks/1" in answer["response_metadata"]["messages"][0]


def test_limits_are_not_one_too_strict(client: WebClient) -> None:
    blocks = [section("y" * 3_000)] + [{"type": "divider"}] * 49
    client.chat_postMessage(channel="C0API", text="x" * 40_000, blocks=blocks)
    ts = client.chat_postMessage(channel="C0API", text="x")["ts"]
    client.chat_update(channel="C0API", ts=ts, text="x" * 4_000)
    assert refusal(client.chat_update, channel="C0API", ts=ts, text="x" * 4_001)["error"] == (
        "msg_too_long"
    )


def test_the_bot_speaks_only_where_it_is(slack: SandboxSlack, client: WebClient) -> None:
    slack.add_channel("open", with_bot=False, channel_id="C0OPEN")
    slack.add_channel("closed", private=True, with_bot=False, channel_id="C0CLOSED")
    assert refusal(client.chat_postMessage, channel="C0OPEN", text="x")["error"] == "not_in_channel"
    assert refusal(client.chat_postMessage, channel="C0CLOSED", text="x")["error"] == (
        "channel_not_found"
    )
    slack.world.channels["C0API"].is_archived = True
    assert refusal(client.chat_postMessage, channel="C0API", text="x")["error"] == "is_archived"


def test_tokens(slack: SandboxSlack, client: WebClient) -> None:
    url = f"{slack.base_url}/slack/api/"
    assert client.auth_test()["bot_id"]
    assert refusal(WebClient("xoxb-none", base_url=url).auth_test)["error"] == "invalid_auth"
    assert refusal(WebClient(base_url=url).auth_test)["error"] == "not_authed"
    narrow = slack.install_token("T0ACME", scopes=("chat:write",))
    answer = refusal(WebClient(narrow, base_url=url).users_info, user="U1")
    assert (answer["error"], answer["needed"], answer["provided"]) == (
        "missing_scope",
        "users:read",
        "chat:write",
    )
    assert client.auth_revoke(test=True)["revoked"] is False
    assert client.auth_revoke()["revoked"] is True
    assert refusal(client.auth_test)["error"] == "token_revoked"
    expired = slack.install_token("T0ACME", expires_at=time.time() - 1)
    assert refusal(WebClient(expired, base_url=url).auth_test)["error"] == "token_expired"
    assert "xoxb" not in json.dumps([call.as_json() for call in slack.calls])


def test_a_workspace_sees_only_its_own_channels(slack: SandboxSlack) -> None:
    other = slack.add_team("Globex", bot_token="xoxb-second")
    slack.add_channel("secret", team=other, channel_id="C0GLOBEX")
    globex = WebClient("xoxb-second", base_url=f"{slack.base_url}/slack/api/")
    assert globex.conversations_info(channel="C0GLOBEX")["channel"]["is_member"] is True
    assert refusal(globex.conversations_info, channel="C0API")["error"] == "channel_not_found"
    ada = next(u for u in slack.world.users.values() if u.name == "ada")
    assert refusal(globex.users_info, user=ada.id)["error"] == "user_not_found"
    assert refusal(globex.chat_postMessage, channel=ada.id, text="x")["error"] == (
        "channel_not_found"
    )


def test_reactions_once_and_back(slack: SandboxSlack, client: WebClient) -> None:
    ts = client.chat_postMessage(channel="C0API", text="x")["ts"]
    there = {"channel": "C0API", "timestamp": ts, "name": "eyes"}
    client.reactions_add(**there)
    assert slack.messages("C0API")[0]["reactions"][0]["count"] == 1
    assert refusal(client.reactions_add, **there)["error"] == "already_reacted"
    client.reactions_remove(**there)
    assert "reactions" not in slack.messages("C0API")[0]
    assert refusal(client.reactions_remove, **there)["error"] == "no_reaction"
    assert slack.contract_errors == []


def test_an_ephemeral_message_is_in_no_history(slack: SandboxSlack, client: WebClient) -> None:
    ada = next(u for u in slack.world.users.values() if u.name == "ada")
    client.chat_postEphemeral(channel="C0API", user=ada.id, text="only you")
    assert slack.messages("C0API") == []
    assert [m["recipient"] for m in slack.ephemerals("C0API")] == [ada.id]
    outsider = slack.add_user("eve")
    answer = refusal(client.chat_postEphemeral, channel="C0API", user=outsider.id, text="x")
    assert answer["error"] == "user_not_in_channel"


def test_history_and_replies_page_by_cursor(slack: SandboxSlack) -> None:
    scopes = (*DEFAULT_SCOPES, "channels:history")
    token = slack.install_token("T0ACME", scopes=scopes)
    client = WebClient(token, base_url=f"{slack.base_url}/slack/api/")
    root = client.chat_postMessage(channel="C0API", text="0")["ts"]
    for number in range(1, 5):
        client.chat_postMessage(channel="C0API", text=str(number))
    client.chat_postMessage(channel="C0API", text="reply", thread_ts=root)
    pages = [page["messages"] for page in client.conversations_history(channel="C0API", limit=2)]
    assert [[m["text"] for m in page] for page in pages] == [["4", "3"], ["2", "1"], ["0"]]
    assert pages[-1][0]["reply_count"] == 1
    replies = client.conversations_replies(channel="C0API", ts=root)
    assert [m["text"] for m in replies["messages"]] == ["0", "reply"]
    assert refusal(client.conversations_history, channel="C0API", cursor="b")["error"] == (
        "invalid_cursor"
    )
    assert slack.contract_errors == []


def test_metadata_is_shown_to_who_asks_for_it(slack: SandboxSlack) -> None:
    token = slack.install_token("T0ACME", scopes=(*DEFAULT_SCOPES, "channels:history"))
    client = WebClient(token, base_url=f"{slack.base_url}/slack/api/")
    mark = {"event_type": "mark", "event_payload": {"key": "1"}}
    client.chat_postMessage(channel="C0API", text="x", metadata=mark)
    plain = client.conversations_history(channel="C0API")["messages"][0]
    full = client.conversations_history(channel="C0API", include_all_metadata=True)["messages"][0]
    assert ("metadata" in plain, full["metadata"]) == (False, mark)


def test_the_manifests_scopes_do_not_read_channels(client: WebClient) -> None:
    answer = refusal(client.conversations_history, channel="C0API")
    assert (answer["error"], answer["needed"]) == ("missing_scope", "channels:history")


def test_permalink_of_a_reply_names_its_thread(client: WebClient) -> None:
    root = client.chat_postMessage(channel="C0API", text="x")["ts"]
    reply = client.chat_postMessage(channel="C0API", text="y", thread_ts=root)["ts"]
    link = client.chat_getPermalink(channel="C0API", message_ts=reply)["permalink"]
    assert link == (
        f"https://acme.slack.com/archives/C0API/p{reply.replace('.', '')}"
        f"?thread_ts={root}&cid=C0API"
    )


def test_the_rate_limit_of_a_channel(slack: SandboxSlack, client: WebClient) -> None:
    slack.web_api.messages_per_s = 1.0
    client.chat_postMessage(channel="C0API", text="x")
    with pytest.raises(SlackApiError) as caught:
        client.chat_postMessage(channel="C0API", text="y")
    assert caught.value.response.status_code == 429
    assert caught.value.response.headers["Retry-After"] == "1"
    assert caught.value.response["error"] == "ratelimited"


def test_faults_strike_as_often_as_told(slack: SandboxSlack, client: WebClient) -> None:
    slack.break_next("chat.postMessage", times=2, status=503, error="service_unavailable")
    for _ in range(2):
        with pytest.raises(SlackApiError) as caught:
            client.chat_postMessage(channel="C0API", text="x")
        assert caught.value.response.status_code == 503
    client.chat_postMessage(channel="C0API", text="x")
    assert len(slack.messages("C0API")) == 1
    slack.break_next("*", delay_s=0.2)
    started = time.monotonic()
    client.auth_test()
    assert time.monotonic() - started >= 0.2


def test_an_answer_lost_after_the_write_landed(slack: SandboxSlack, client: WebClient) -> None:
    slack.break_next("chat.postMessage", apply=True, drop_connection=True)
    with pytest.raises((http.client.HTTPException, urllib.error.URLError, OSError)):
        client.chat_postMessage(channel="C0API", text="landed")
    assert [m["text"] for m in slack.messages("C0API")] == ["landed"]
    assert slack.calls_of("chat.postMessage")[0].connection_dropped


def test_calls_that_slacks_description_does_not_allow_are_recorded(
    slack: SandboxSlack, client: WebClient
) -> None:
    client.api_call("chat.postMessage", json={"channel": "C0API", "text": "x", "colour": "red"})
    assert slack.contract_errors == ["chat.postMessage: colour is no parameter of this method"]
    answer = refusal(client.api_call, api_method="chat.postMessage", json={"text": "x"})
    assert answer["error"] == "invalid_arguments"
    assert "chat.postMessage: channel is required" in slack.contract_errors
    empty = refusal(client.api_call, api_method="chat.postMessage", json={"channel": "C0API"})
    assert empty["error"] == "no_text"
    assert refusal(client.api_call, api_method="chat.shout")["error"] == "unknown_method"


@pytest.mark.parametrize(
    ("content_type", "body", "error"),
    [
        ("application/json", b"{", "invalid_json"),
        ("application/json", b"[1]", "json_not_object"),
        ("text/plain", b"hello", "invalid_post_type"),
    ],
)
def test_malformed_requests(
    slack: SandboxSlack, content_type: str, body: bytes, error: str
) -> None:
    request = urllib.request.Request(
        f"{slack.base_url}/slack/api/auth.test",
        body,
        {"Content-Type": content_type, "Authorization": "Bearer xoxb-first"},
    )
    with urllib.request.urlopen(request) as response:
        assert json.load(response) == {"ok": False, "error": error}


def test_json_without_a_charset_is_answered_with_a_warning(slack: SandboxSlack) -> None:
    request = urllib.request.Request(
        f"{slack.base_url}/slack/api/chat.postMessage",
        json.dumps({"channel": "C0API", "text": "x"}).encode(),
        {"Content-Type": "application/json", "Authorization": "Bearer xoxb-first"},
    )
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
    assert answer["ok"] is True
    assert answer["response_metadata"] == {"warnings": ["missing_charset"]}


def test_people_channels_and_the_bot(slack: SandboxSlack, client: WebClient) -> None:
    stranger = slack.add_user("zoe", external=True)
    slack.add_channel("shared", shared=True, members=[stranger], channel_id="C0SHARED")
    shown = client.users_info(user=stranger.id)["user"]
    assert shown["is_stranger"] is True
    assert shown["team_id"] != "T0ACME"
    assert client.conversations_info(channel="C0SHARED")["channel"]["is_ext_shared"] is True
    assert stranger.id in client.conversations_members(channel="C0SHARED")["members"]
    mine = client.users_conversations(types="public_channel,private_channel")["channels"]
    assert [c["name"] for c in mine] == ["api-reviews", "shared"]
    assert client.bots_info()["bot"]["name"] == "Precedent"
    assert refusal(client.team_info)["needed"] == "team:read"
    assert refusal(client.users_info, user="U0NOBODY")["error"] == "user_not_found"
    assert slack.contract_errors == []


def test_timestamps_are_unique_whoever_writes(slack: SandboxSlack) -> None:
    """Eight threads write at once; no message is lost and the order is the order of timestamps."""

    def write() -> None:
        for number in range(25):
            slack.say("C0API", "ada", str(number))

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stamps = [float(m["ts"]) for m in slack.messages("C0API")]
    assert len(stamps) == len(set(stamps)) == 200
    assert stamps == sorted(stamps)


def test_the_cut_keeps_scarcely_more_than_names_and_types() -> None:
    described = {
        "parameters": [
            {"name": "token", "required": True, "schema": {"type": "string"}},
            {"name": "user", "required": True, "schema": {"type": "string"}, "description": "x"},
        ]
    }
    paths = {f"/{method}": {"get": described} for method in METHODS}
    assert cut({"paths": paths})["users.info"] == {
        "required": ["user"],
        "parameters": {"user": "string"},
    }
