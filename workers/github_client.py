"""The way to GitHub: one client per event run, every failure sorted by what is to be done.

PyGithub carries the requests. Its own retries are replaced: they repeat POSTs, which doubles
reviews, and they sleep as long as a limit asks for, which parks a worker.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, BinaryIO
from urllib.parse import parse_qsl, urlsplit

import requests
from github import Auth, Github
from urllib3 import Retry

from workers.errors import Permanent
from workers.github_limits import (
    NotFound,
    Rejected,
    RepositoryMoved,
    Unauthorized,
    classify,
    limited,
    unanswered,
)

PUBLIC_API_URL = "https://api.github.com"
API_VERSION = "2022-11-28"
PAGE_SIZE = 100
"""The most GitHub gives per page."""

TIMEOUT_S = 20
MAX_PAGES = 400
"""40,000 items: far beyond any pull request, and an end if a server always names a next page."""

_NEXT_PAGE = re.compile(r'<([^<>]*)>; rel="next"')

Json = Any
Answer = tuple[Mapping[str, Any], Json]


def read_retry() -> Retry:
    """Reads are repeated twice after 500, 502 or 504 and broken connections; writes never are.

    403, 429 and 503 are not repeated here, and Retry-After is not slept on: they are sorted and
    the event is rescheduled.
    """
    return Retry(
        total=2,
        backoff_factor=0.2,
        allowed_methods=frozenset({"GET"}),
        status_forcelist=(500, 502, 504),
        respect_retry_after_header=False,
        raise_on_status=False,
    )


def open_github(
    auth: Auth.Auth, api_url: str = PUBLIC_API_URL, timeout_s: int = TIMEOUT_S
) -> Github:
    """A PyGithub client without pauses of its own; pacing is shared by all processes, in Redis."""
    return Github(
        auth=auth,
        base_url=api_url.rstrip("/"),
        retry=read_retry(),
        timeout=timeout_s,
        per_page=PAGE_SIZE,
        lazy=True,
        api_version=API_VERSION,
        seconds_between_requests=None,
        seconds_between_writes=None,
    )


@dataclass(frozen=True)
class Credentials:
    """Where the client gets its authentication, and whom it tells that it was refused."""

    auth: Callable[[], Auth.Auth]
    refused: Callable[[Auth.Auth], None]


class GithubClient:
    """Requests with one installation's token. Use as a context manager; not shared by processes.

    Threads of one run may share it; their requests go out one after another, because PyGithub
    keeps the request it is about to send in its one connection.

    Every method raises only `PrecedentError`s: `Transient` for limits, time-outs and 5xx,
    `Permanent` for the rest. A refused token is renewed once.
    """

    def __init__(
        self,
        credentials: Credentials,
        *,
        api_url: str = PUBLIC_API_URL,
        timeout_s: int = TIMEOUT_S,
        now: Callable[[], float] = time.time,
        on_call: Callable[[str, int], None] | None = None,
    ) -> None:
        self._credentials = credentials
        self._api_url = api_url
        self._timeout_s = timeout_s
        self._now = now
        self._on_call = on_call
        self._lock = threading.RLock()
        self._auth: Auth.Auth | None = None
        self._github: Github | None = None

    def __enter__(self) -> GithubClient:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            if self._github is not None:
                self._github.close()
                self._github = None

    def get(self, path: str, **parameters: str | int) -> Json:
        data = self._call("GET", path, parameters=parameters)[1]
        if not isinstance(data, dict | list):
            raise unanswered("GET", "GitHub's answer was neither an object nor a list")
        return data

    def pages(self, path: str, *, key: str = "", **parameters: str | int) -> Iterator[Json]:
        """The items of all pages. `key` names the list where a page is an object."""
        for page in range(1, MAX_PAGES + 1):
            wanted = {"per_page": PAGE_SIZE, **parameters, "page": page}
            headers, data = self._call("GET", path, parameters=wanted)
            yield from _items(data, key)
            if 'rel="next"' not in str(headers.get("link", "")):
                return

    def linked(self, path: str, **parameters: str | int) -> Iterator[Json]:
        """The items of all pages of a list that names its next page by a cursor."""
        wanted: dict[str, Any] = dict(parameters)
        for _ in range(MAX_PAGES):
            headers, data = self._call("GET", path, parameters=wanted)
            yield from _items(data)
            following = _NEXT_PAGE.search(str(headers.get("link", "")))
            if following is None:
                return
            wanted = dict(parse_qsl(urlsplit(following[1]).query))

    def download(self, path: str, into: BinaryIO, most_bytes: int) -> None:
        """Write a large answer to a file, following GitHub to where the archive lies.

        Raises Permanent when there are more than `most_bytes`.
        """
        with self._lock:
            try:
                self._download(path, into, most_bytes)
            except Unauthorized:
                if self._auth is not None:
                    self._credentials.refused(self._auth)
                self.close()
                into.seek(0)
                into.truncate()
                self._download(path, into, most_bytes)

    def post(self, path: str, body: Mapping[str, Json], *, has_id: bool = True) -> Json:
        """Create something. Raises RepositoryMoved when the answer has no id: nothing was made.

        `has_id` is False for the few answers that have none by their nature.
        """
        data = self._call("POST", path, body=body)[1]
        return _made(data) if has_id else data

    def patch(self, path: str, body: Mapping[str, Json]) -> Json:
        return _made(self._call("PATCH", path, body=body)[1])

    def delete(self, path: str) -> None:
        self._call("DELETE", path)

    def graphql(self, query: str, variables: Mapping[str, Json]) -> dict[str, Any]:
        """The `data` of a query or mutation. Partial answers count as failures.

        A mutation whose answer is lost is a doubt, as any POST; a query is then merely repeated.
        """
        verb = "POST" if query.lstrip().startswith("mutation") else "GET"
        body = {"query": query, "variables": dict(variables)}
        headers, answer = self._call("POST", self._graphql_url(), body=body, means=verb)
        errors = answer.get("errors") if isinstance(answer, dict) else None
        if errors:
            raise _graphql_error(errors, headers, self._now())
        data = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(data, dict):
            raise Rejected("GitHub answered a GraphQL query without data.")
        return data

    def _call(
        self,
        verb: str,
        path: str,
        *,
        parameters: Mapping[str, Any] | None = None,
        body: Mapping[str, Json] | None = None,
        means: str = "",
    ) -> Answer:
        """`means` is the verb that decides whether a lost answer is a doubt."""
        with self._lock:
            try:
                return self._send(verb, path, parameters, body, means or verb)
            except Unauthorized:
                if self._auth is not None:
                    self._credentials.refused(self._auth)
                self.close()
                return self._send(verb, path, parameters, body, means or verb)

    def _send(
        self,
        verb: str,
        path: str,
        parameters: Mapping[str, Any] | None,
        body: Mapping[str, Json] | None,
        means: str,
    ) -> Answer:
        requester = self._open().requester
        try:
            status, headers, text = requester.requestJson(
                verb, path, dict(parameters or {}), None, None if body is None else dict(body)
            )
        except requests.RequestException as error:
            self._count(verb, 0)
            what = f"GitHub did not answer ({type(error).__name__})"
            raise unanswered(means, what) from error
        except RuntimeError as error:
            # How PyGithub says that a redirect leads to another host or protocol.
            raise RepositoryMoved(
                "GitHub redirected to another address: check GITHUB_API_URL."
            ) from error
        self._count(verb, status)
        data, is_whole = _parsed(text)
        if status < 300 and not is_whole:
            raise unanswered(means, "GitHub's answer was cut")
        if status >= 300:
            raise classify(means, status, headers, data, now=self._now())
        return headers, data

    def _download(self, path: str, into: BinaryIO, most_bytes: int) -> None:
        self._open()
        assert self._auth is not None
        # requests leaves the token behind when the redirect leads to another host.
        headers = {"Authorization": f"{self._auth.token_type} {self._auth.token}"}
        address = self._api_url.rstrip("/") + path
        try:
            with requests.get(
                address, headers=headers, timeout=self._timeout_s, stream=True
            ) as answer:
                self._count("GET", answer.status_code)
                if answer.status_code >= 300:
                    data = _parsed(answer.text[:100_000])[0]
                    raise classify("GET", answer.status_code, answer.headers, data, now=self._now())
                size = 0
                for piece in answer.iter_content(1 << 18):
                    size += len(piece)
                    if size > most_bytes:
                        raise Permanent(
                            f"The archive is larger than {most_bytes // 1_000_000} MB.",
                            reason="archive_too_large",
                        )
                    into.write(piece)
        except requests.RequestException as error:
            what = f"GitHub did not send the archive ({type(error).__name__})"
            raise unanswered("GET", what) from error

    def _open(self) -> Github:
        if self._github is None:
            self._auth = self._credentials.auth()
            self._github = open_github(self._auth, self._api_url, self._timeout_s)
        return self._github

    def _graphql_url(self) -> str:
        return str(self._open().requester.graphql_url)

    def _count(self, verb: str, status: int) -> None:
        if self._on_call is not None:
            self._on_call(verb, status)


class RepositoryClient:
    """A client bound to one repository by its numeric id, so that a rename changes nothing."""

    def __init__(self, client: GithubClient, repository_id: int) -> None:
        self.client = client
        self.repository_id = repository_id
        self._prefix = f"/repositories/{repository_id}"

    def about(self) -> dict[str, Any]:
        """What the API says of the repository now.

        Raises Permanent (`repository_not_installed`) for one that the App has lost: a token
        outlives the access that it was made for.
        """
        try:
            about: dict[str, Any] = self.get("")
        except NotFound as error:
            raise Permanent(
                "The App can't see the repository any more: add it under Repository access.",
                reason="repository_not_installed",
            ) from error
        return about

    def get(self, path: str, **parameters: str | int) -> Json:
        return self.client.get(self._prefix + path, **parameters)

    def pages(self, path: str, *, key: str = "", **parameters: str | int) -> Iterator[Json]:
        return self.client.pages(self._prefix + path, key=key, **parameters)

    def download(self, path: str, into: BinaryIO, most_bytes: int) -> None:
        self.client.download(self._prefix + path, into, most_bytes)

    def post(self, path: str, body: Mapping[str, Json]) -> Json:
        return self.client.post(self._prefix + path, body)

    def patch(self, path: str, body: Mapping[str, Json]) -> Json:
        return self.client.patch(self._prefix + path, body)

    def delete(self, path: str) -> None:
        self.client.delete(self._prefix + path)


def _made(data: Json) -> Json:
    if not isinstance(data, dict) or data.get("id") is None:
        raise RepositoryMoved(
            "GitHub answered a write without an id: nothing was written. The repository was "
            "probably renamed or moved; check that the App is installed where it is now."
        )
    return data


def _items(data: Json, key: str = "") -> list[Json]:
    """The items of a page. What is no list must not look like an empty one."""
    items = data.get(key) if key and isinstance(data, dict) else data
    if not isinstance(items, list):
        raise unanswered("GET", "GitHub's answer was not the list that was asked for")
    return items


def _parsed(text: str) -> tuple[Json, bool]:
    """The JSON of an answer, and whether it was any; proxies answer errors in HTML."""
    try:
        return (json.loads(text) if text else None), True
    except ValueError:
        return None, False


def _graphql_error(errors: Json, headers: Mapping[str, Any], now: float) -> Exception:
    kinds = {str(error.get("type", "")) for error in errors if isinstance(error, dict)}
    if "RATE_LIMITED" in kinds:
        return limited({str(k).lower(): str(v) for k, v in headers.items()}, now=now)
    if kinds == {"NOT_FOUND"}:
        return NotFound("Not there, or the App may not see it: check the installation's access.")
    if "FORBIDDEN" in kinds:
        return Permanent("The App lacks a permission for this.", reason="github_forbidden")
    return Rejected(f"GitHub refused a GraphQL query ({', '.join(sorted(kinds)) or 'no type'}).")
