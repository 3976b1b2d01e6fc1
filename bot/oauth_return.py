"""A browser that comes back from GitHub or Slack: check the state, store the code, say so.

Exchanging the code is a call to the outside, so a worker does it; the code is stored sealed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import structlog
from redis.exceptions import RedisError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bot.acceptance import Acceptance
from bot.decision import Accept
from bot.pages import HEADERS, page
from workers.event import Event
from workers.inbox import InboxUnavailable
from workers.oauth_states import STATE_TTL_S, OauthStates

MAX_CODE_CHARACTERS = 2_000

log = structlog.get_logger()

MakeEvent = Callable[[str, Mapping[str, Any]], Event]
"""From a code and what its state stands for to the event that a worker exchanges it for."""


async def answered(respond: Any, *arguments: Any) -> Response:
    """Work in the thread pool; 503 while Redis is away."""
    try:
        answer: Response = await run_in_threadpool(respond, *arguments)
    except RedisError:
        return page("Please reload", "The service is not available just now.", status_code=503)
    return answer


class OauthFlow:
    """One flow's way out and back. `cookie_path` is where its callback lives."""

    def __init__(
        self,
        states: OauthStates,
        acceptance: Acceptance,
        *,
        cookie: str,
        cookie_path: str,
        is_secure: bool,
    ) -> None:
        self._states = states
        self._acceptance = acceptance
        self._cookie = cookie
        self._cookie_path = cookie_path
        self._is_secure = is_secure

    def leave(self, about: Mapping[str, Any], address_for: Callable[[str], str]) -> Response:
        """Send the browser away with a fresh state. Raises redis' errors."""
        started = self._states.begin(about)
        answer = RedirectResponse(address_for(started.state), status_code=303, headers=HEADERS)
        answer.set_cookie(
            self._cookie,
            started.cookie,
            max_age=STATE_TTL_S,
            path=self._cookie_path,
            secure=self._is_secure,
            httponly=True,
            samesite="lax",
        )
        return answer

    def come_back(
        self, request: Request, make_event: MakeEvent, done: tuple[str, ...], again: str
    ) -> Response:
        """`done` is title and text for a code that was stored, `again` says how to start over.

        Raises redis' errors.
        """
        state, code = request.query_params.get("state", ""), request.query_params.get("code", "")
        about = self._states.read(state, request.cookies.get(self._cookie, ""))
        if about is None:
            return page("This link does not work any more", again, status_code=400)
        if request.query_params.get("error") or not 0 < len(code) <= MAX_CODE_CHARACTERS:
            self._states.end(state)
            return page("Nothing was changed", f"You did not agree. {again}")
        event = make_event(code, about)
        decision = Accept(event)
        try:
            self._acceptance.accept(decision)
        except InboxUnavailable:
            log.warning("oauth.not_stored", kind=event.kind)
            return page("Please reload", "This could not be stored just now.", status_code=503)
        self._acceptance.ring(decision)
        self._states.end(state)
        log.info("oauth.accepted", kind=event.kind, subject=event.subject)
        answer = page(*done)
        answer.delete_cookie(self._cookie, path=self._cookie_path)
        return answer
