"""Text that people outside wrote: fenced in before a model sees it, defused before GitHub does."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph.diff import Diff, DiffLine, FileDiff, Hunk
from graph.markers import defuse
from graph.redaction import redacted

TAG = "data"

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2028\u2029\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
)
"""What shows nothing or turns the direction of text, and controls but tab and line ends."""

_HARMLESS = re.compile("[\ufe0e\ufe0f\u200d\x0c]")
"""In emoji, and form feeds between sections: taken out, but not worth a report."""

_HTML_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HIDDEN_TEXT = re.compile(r"(!\[)[^\]]*(\]\()|\[[^\]]*\]:\s*#\s*\([^)]*\)")
_TAG_LIKE = re.compile(rf"<(?=\s*/?\s*{TAG}\b)", re.IGNORECASE)
_MARKDOWN = (".md", ".mdx", ".markdown", ".mdown")

HIDDEN_NOTE = "(hidden text left out)"


@dataclass(frozen=True)
class Stripped:
    """Text without what people can't see. `hidden` names what was there, in a few words."""

    text: str
    hidden: tuple[str, ...] = ()


def stripped(text: str, *, is_markdown: bool = True) -> Stripped:
    """Without invisible and bidirectional characters, and in Markdown without HTML comments."""
    hidden = []
    if _INVISIBLE.search(_HARMLESS.sub("", text)):
        hidden.append("invisible characters")
    text = _INVISIBLE.sub("", text)
    if is_markdown and (_HTML_COMMENT.search(text) or _HIDDEN_TEXT.search(text)):
        hidden.append("HTML comments or hidden text")
        text = _HIDDEN_TEXT.sub(r"\1\2", _HTML_COMMENT.sub("", text))
    return Stripped(text, tuple(hidden))


def stripped_diff(diff: Diff) -> tuple[Diff, dict[str, tuple[str, ...]]]:
    """The diff as people see it, and by path what was hidden in it."""
    hidden: dict[str, tuple[str, ...]] = {}
    files = []
    for file in diff.files:
        clean, found = _stripped_file(file)
        files.append(clean)
        if found:
            hidden[file.path] = found
    return replace(diff, files=tuple(files)), hidden


def _stripped_file(file: FileDiff) -> tuple[FileDiff, tuple[str, ...]]:
    is_markdown = file.path.lower().endswith(_MARKDOWN)
    hidden: list[str] = []
    hunks = []
    for hunk in file.hunks:
        lines: list[DiffLine] = []
        in_comment = {"added": False, "removed": False}
        for line in hunk.lines:
            text = _INVISIBLE.sub("", line.text)
            if text != line.text and _INVISIBLE.search(_HARMLESS.sub("", line.text)):
                hidden.append("invisible characters")
            if is_markdown:
                side = "removed" if line.kind == "removed" else "added"
                text, in_comment[side], has_comment = _without_comment(text, in_comment[side])
                hidden += ["an HTML comment"] if has_comment else []
            lines.append(line if text == line.text else replace(line, text=text))
        section = stripped(hunk.section).text
        hunks.append(Hunk(hunk.old_start, hunk.new_start, section, tuple(lines)))
    return replace(file, hunks=tuple(hunks)), tuple(dict.fromkeys(hidden))


def _without_comment(line: str, is_inside: bool) -> tuple[str, bool, bool]:
    """A line without HTML comments; whether one is open behind it, and whether one was there."""
    kept, has_comment = "", is_inside
    while line:
        if is_inside:
            _, end, line = line.partition("-->")
            is_inside = not end
            kept += HIDDEN_NOTE
        else:
            before, begin, line = line.partition("<!--")
            kept += before
            is_inside = bool(begin)
            has_comment |= is_inside
    return kept, is_inside, has_comment


def nonce_for(*contents: str) -> str:
    """A name for the data blocks around `contents` that stands in none of them."""
    whole = "\x1f".join(contents)
    digest = hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()
    while digest[:6] in whole:
        digest = hashlib.sha256(digest.encode()).hexdigest()
    return digest[:6]


def block(kind: str, content: str, nonce: str) -> str:
    """`content` as a data block that nothing inside can close, open or name."""
    content = _TAG_LIKE.sub("‹", content).replace(nonce, "")
    return f"<{TAG} id={nonce} kind={kind}>\n{content}\n</{TAG} id={nonce}>"


def one_line(text: str, limit: int) -> str:
    """A name or a title: one visible line of at most `limit` characters."""
    text = " ".join(_INVISIBLE.sub("", text).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


_BREAK = "\u200b"
_IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\(\s*[^()\s]*(?:\([^()]*\)[^()\s]*)*[^()]*\)")
_REFERENCE = re.compile(r"!?\[([^\[\]]{0,300})\]\[[^\[\]]{0,100}\]")
_URL = re.compile(
    r"(?:[a-z][a-z0-9+.-]{1,20}:)?//[^\s<>()\"'`]+|\bwww\.[^\s<>()\"'`]+|"
    r"\b(?:javascript|data|vbscript|mailto|xmpp|file):[^\s<>()\"'`]+",
    re.IGNORECASE,
)
LINK_REMOVED = "(link removed)"


def as_prose(text: str, limit: int, allowed_prefix: str = "") -> str:
    """A model's words as one harmless paragraph for GitHub.

    Links are taken out, but for plain ones below `allowed_prefix` (the repository's own address);
    mentions, references, HTML, images and marks of ours are broken; secrets are covered.
    """
    text = one_line(redacted(text), limit)
    text = _IMAGE_OR_LINK.sub(r"\1", text)
    text = _REFERENCE.sub(r"\1", text)

    def checked(match: re.Match[str]) -> str:
        is_ours = allowed_prefix and (
            match[0] == allowed_prefix or match[0].startswith(allowed_prefix.rstrip("/") + "/")
        )
        has_no_data = not re.search(r"[?#@\\%]", match[0])
        return match[0] if is_ours and has_no_data else LINK_REMOVED

    text = defuse(_URL.sub(checked, text))
    text = re.sub(r"@(?=[\w-])", "@" + _BREAK, text)
    text = re.sub(r"<(?=[A-Za-z/!?])", "<" + _BREAK, text)
    text = re.sub(r"(?<=\w)#(?=\d)|(?<!\w)#(?=\d)", "#" + _BREAK, text)
    text = re.sub(r"\b(GH)-(?=\d)", r"\1-" + _BREAK, text, flags=re.IGNORECASE)
    text = re.sub(r"^(\s*)/(?=[a-z])", r"\1\\/", text)  # "/approve" is an order to other bots
    return re.sub(r"^(\s*)([#>*+=~`|-]|\d+[.)])(?=\s|[#>*+=~`|-]|$)", r"\1\\\2", text)


def echoes(text: str, prompts: Sequence[str], words: int = 12) -> bool:
    """Whether `text` repeats so many words in a row of one of our own prompts."""
    said = re.findall(r"\w+", text.casefold())
    runs = {" ".join(said[i : i + words]) for i in range(len(said) - words + 1)}
    for prompt in prompts if runs else ():
        known = " " + " ".join(re.findall(r"\w+", prompt.casefold())) + " "
        if any(f" {run} " in known for run in runs):
            return True
    return False
