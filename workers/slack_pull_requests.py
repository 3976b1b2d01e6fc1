"""Which pull request a Slack message is about: a link to one, or "#12", of a linked repository."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from graph.context import RepositoryReader
from workers.channels import ChannelLink
from workers.github_limits import NotFound

_LINK = re.compile(
    r"https?://(?P<host>[A-Za-z0-9.-]{1,253}(?::\d{1,5})?)/(?P<owner>[\w.-]{1,100})"
    r"/(?P<name>[\w.-]{1,100})/pull/(?P<number>[1-9]\d{0,9})(?![\w])"
)
_NUMBER = re.compile(
    r"(?<![\w#&/])(?:(?:pr|pull request)\s*)?#(?P<number>[1-9]\d{0,6})(?![\w-])", re.I
)


def web_host(api_url: str) -> str:
    """The host at which people see what this API serves."""
    host = urlsplit(api_url).netloc.rpartition("@")[2].casefold()
    return "github.com" if host == "api.github.com" else host


def linked_pull_request(
    text: str, links: Sequence[ChannelLink], host: str
) -> tuple[ChannelLink, int] | None:
    """The first pull request of one of the channel's repositories that the text links to.

    A link to any other repository or host is only text.
    """
    for found in _LINK.finditer(text):
        name = f"{found['owner']}/{found['name']}".casefold()
        if found["host"].casefold() != host:
            continue
        for link in links:
            if link.name.casefold() == name:
                return link, int(found["number"])
    return None


def named_number(text: str) -> int | None:
    """The pull request that "#12" names; None when the text names none, or several."""
    numbers = {int(found["number"]) for found in _NUMBER.finditer(text)}
    return numbers.pop() if len(numbers) == 1 else None


def exists(reader: RepositoryReader, number: int) -> bool:
    """Whether the repository has such a pull request; an issue of that number is none."""
    try:
        reader.pull_request(number)
    except NotFound:
        return False
    return True
