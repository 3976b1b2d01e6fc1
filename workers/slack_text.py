"""Slack's text: what a person typed as plain words, and our words escaped, split and defused."""

from __future__ import annotations

import re

MAX_TEXT_CHARACTERS = 3_900
"""Slack refuses a `chat.update` of 4,000 characters; the rest is room for a closing fence."""

_TOKEN = re.compile(r"<(?P<target>[^<>|\n]{1,2000})(?:\|(?P<label>[^<>\n]{0,2000}))?>")
_INVISIBLE = re.compile(
    "[\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_SPACES = re.compile("[\u00a0\u2007\u202f]")
_FENCE = re.compile(r"^\s*```")
_ZERO_WIDTH_SPACE = "\u200b"


def to_plain(raw: str, our_user_id: str = "") -> str:
    """Slack's mrkdwn as the plain words that the person saw; their quotation marks are kept.

    Tokens in angle brackets are read before entities are unescaped, so that "&lt;@U9&gt;" stays
    text. Our own mention is left out; other people stay "@U123", channels become "#name".
    """

    def replaced(token: re.Match[str]) -> str:
        if our_user_id and token["target"] == f"@{our_user_id}":
            return " "
        return _words_of(token["target"], token["label"])

    text = unescape(_TOKEN.sub(replaced, raw))
    text = _SPACES.sub(" ", _INVISIBLE.sub("", text))
    if our_user_id:
        text = re.sub(r"^\s*[,:]?[ \t]*", "", text)
    return text.strip()


def _words_of(target: str, label: str | None) -> str:
    """The words a person sees for one token."""
    if target.startswith("@"):
        return f"@{label or target[1:]}"
    if target.startswith("#"):
        return f"#{label or target[1:]}"
    if target.startswith("!"):
        name = target[1:].split("^", 1)[0]
        return label or f"@{name}"
    address = target.removeprefix("mailto:").removeprefix("tel:")
    if label is None or label == address or _is_auto_link(address, label):
        return label or address
    return f"{label} ({address})"


def _is_auto_link(address: str, label: str) -> bool:
    """Whether Slack itself made a link of what was typed: <http://acme.io|acme.io>."""
    bare = re.sub(r"^https?://", "", address).rstrip("/")
    return label.rstrip("/") in {bare, address.rstrip("/")}


def unescape(text: str) -> str:
    """Slack's three entities; "&amp;" last, so that "&amp;lt;" becomes "&lt;"."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def escape(text: str) -> str:
    """Text as Slack shows it literally: no mention, link or "<!channel>" can come of it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def defuse(text: str) -> str:
    """Escaped text in which "@name" and "#channel" notify nobody.

    For words of models and of people that we repeat; Slack links plain "@here" when a client asks
    it to parse names.
    """
    return re.sub(r"(?<![\w.])([@#])(?=\w)", rf"\1{_ZERO_WIDTH_SPACE}", escape(text))


def split_text(text: str, limit: int = MAX_TEXT_CHARACTERS) -> list[str]:
    """Parts of at most `limit` characters, cut at paragraphs, else lines, else words.

    A code fence that a cut would break is closed in one part and opened again in the next. Cuts
    never fall inside an entity such as "&amp;". Raises ValueError for a limit under 20.
    """
    if limit < 20:
        raise ValueError("A part needs at least 20 characters.")
    parts: list[str] = []
    rest, prefix = text.strip("\n"), ""
    while rest:
        room = limit - len(prefix)
        if len(rest) <= room:
            parts.append(prefix + rest)
            break
        cut = _cut_at(rest, room - len("\n```"))
        part = prefix + rest[:cut].rstrip()
        rest = rest[cut:].lstrip("\n") if rest[cut : cut + 1] == "\n" else rest[cut:].lstrip(" ")
        is_open = _ends_in_fence(part)
        parts.append(part + "\n```" if is_open else part)
        prefix = "```\n" if is_open else ""
    return [part for part in parts if part.strip()]


def _cut_at(text: str, room: int) -> int:
    """Where to cut: the last good place in the second half, else the hard limit."""
    window = text[: room + 1]
    for boundary in ("\n\n", "\n", " "):
        at = window.rfind(boundary)
        if at > room // 3:
            return at
    entity = re.search(r"&[a-z]{0,4}$", text[:room])
    return entity.start() if entity and entity.start() else room


def _ends_in_fence(text: str) -> bool:
    return sum(1 for line in text.split("\n") if _FENCE.match(line)) % 2 == 1
