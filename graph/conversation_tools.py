"""The tools of a conversation: they read this pull request, and one remembers what was stated."""

from __future__ import annotations

from functools import cache
from typing import Any

from langchain_core.messages import ToolMessage
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graph import blobs, review_history, untrusted
from graph.code import tools as code_tools
from graph.code.tools import CodeTools
from graph.context import ReviewContext
from graph.desk import Desk
from graph.numbered_diff import numbered
from graph.redaction import redacted
from graph.remembering import NotSaved, RememberConvention, remember
from graph.store import ConventionStore
from graph.turn import current

MAX_DIFF_CHARACTERS = 36_000
"""Of one get_diff result: about 11,000 tokens. The rest is named, and can be read by file."""

MAX_FILE_LINES = 400
MAX_FILE_CHARACTERS = 30_000

INLINE_CHARACTERS = 2_000
"""A longer result is a blob; the state and later prompts hold its beginning."""

KEPT_CHARACTERS = 400


class GetDiff(BaseModel):
    """Read the diff of this pull request, with new-file line numbers."""

    model_config = ConfigDict(extra="forbid")

    path: str | None = Field(None, description="Only this file's diff; leave out for all files.")


class ReadFile(BaseModel):
    """Read lines of a file as it is at the head of this pull request."""

    model_config = ConfigDict(extra="forbid")

    path: str = Field(description="From the root of the project, with slashes.")
    start: int = Field(1, ge=1, description="First line, counted from 1.")
    end: int | None = Field(None, ge=1, description=f"Last line; at most {MAX_FILE_LINES} lines.")


class ListFindings(BaseModel):
    """List what your last published reviews of this pull request found."""

    model_config = ConfigDict(extra="forbid")


def tool_schemas(context: ReviewContext) -> list[dict[str, Any]]:
    """The tools of this turn. None of them has an argument that names a repository."""
    schemas = [_schema("remember_convention", RememberConvention)]
    if context.number is not None:
        schemas.append(_schema("get_diff", GetDiff))
        schemas.append(_schema("read_file", ReadFile))
        schemas.append(_schema("list_findings", ListFindings))
    if context.code is not None:
        # On a pull request files are read at its head, not as the index knows them.
        schemas += code_tools.tool_schemas(["read_file"] if context.number is not None else [])
    return schemas


def carry_out(
    call: dict[str, Any],
    context: ReviewContext,
    store: ConventionStore,
    desk: Desk,
    handle: str,
    event_id: str,
    lookups: CodeTools | None = None,
) -> ToolMessage:
    """Carry out one call of the model; what is wrong with it is a message, never an exception.

    `lookups` reads the code index, and counts what this message has asked of it.
    """
    name, is_error = str(call["name"]), False
    if lookups is not None and is_lookup(name, context):
        found = lookups.run(name, call["args"])
        return _message(call, found.text, store, context, is_error=found.is_error)
    try:
        text = _result(name, call["args"], context, store, desk, handle, f"{event_id}:{call['id']}")
    except (ValidationError, NotSaved) as error:
        text, is_error = _sentence(name, error), True
    return _message(call, text, store, context, is_error=is_error)


def is_lookup(name: str, context: ReviewContext) -> bool:
    """Whether the code index answers this tool."""
    return name in code_tools.NAMES and (name != "read_file" or context.number is None)


def _message(
    call: dict[str, Any],
    text: str,
    store: ConventionStore,
    context: ReviewContext,
    *,
    is_error: bool,
) -> ToolMessage:
    name = str(call["name"])
    kept: dict[str, Any] = {}
    if len(text) > INLINE_CHARACTERS:
        kept = {"blob": blobs.put(store, context.repository_id, text)}
        text = (
            f"{text[:KEPT_CHARACTERS]}\n[the first {KEPT_CHARACTERS} of {len(text):,} characters; "
            f"call {name} again to read the rest]"
        )
    return ToolMessage(
        text,
        tool_call_id=call["id"],
        name=name,
        status="error" if is_error else "success",
        additional_kwargs=kept,
    )


def diff_text(context: ReviewContext, path: str | None = None) -> str:
    """The diff as a data block, cut at whole files when it is too long."""
    diff = untrusted.stripped_diff(context.reader.diff(current(context)))[0]
    if path is not None:
        file = diff.file(path)
        if file is None:
            names = ", ".join(f.path for f in diff.files[:50])
            return f"This pull request doesn't change that file. It changes: {names}."
        text = redacted(numbered(file))
        return _block("diff", text[: MAX_DIFF_CHARACTERS * 2])
    parts: list[str] = []
    left_out: list[str] = []
    budget = MAX_DIFF_CHARACTERS
    for file in diff.files:
        text = redacted(numbered(file))
        budget -= len(text)
        if budget < 0:
            left_out.append(file.path)
        else:
            parts.append(text)
    tail = f"\nNot shown, too long; ask for each by path: {', '.join(left_out)}" if left_out else ""
    return _block("diff", "\n".join(parts) + tail)


def file_text(context: ReviewContext, path: str, start: int, end: int | None) -> str:
    """Lines of a file at the head, numbered, as a data block."""
    content = context.reader.read_file(path, current(context).head_sha)
    if content is None:
        return "There is no such file at the head of this pull request."
    if b"\0" in content[:8_000]:
        return "That file is binary."
    lines = untrusted.stripped(content.decode("utf-8", "replace"), is_markdown=False).text.split(
        "\n"
    )
    last = min(len(lines), start + MAX_FILE_LINES - 1, end or len(lines))
    if start > last:
        return f"That file has {len(lines):,} lines."
    shown = redacted("\n".join(lines[start - 1 : last])).split("\n")
    text = "\n".join(f"{number:>5} {line}" for number, line in enumerate(shown, start))
    head = f"{path}, lines {start} to {last} of {len(lines):,}"
    return _block("file", f"{head}\n{text}"[:MAX_FILE_CHARACTERS])


def findings_text(context: ReviewContext, store: ConventionStore) -> str:
    """What the kept reviews of this pull request said, newest first, as a data block."""
    assert context.number is not None
    reviews = review_history.of_pull_request(store, context.repository_id, context.number)
    if not reviews:
        return "You have not published a review of this pull request."
    return _block("your_reviews", "\n\n".join(map(review_history.described, reviews)))


def _result(
    name: str,
    arguments: dict[str, Any],
    context: ReviewContext,
    store: ConventionStore,
    desk: Desk,
    handle: str,
    key: str,
) -> str:
    if name == "remember_convention":
        return remember(RememberConvention.model_validate(arguments), context, desk, key, handle)
    if context.number is not None:
        if name == "get_diff":
            return diff_text(context, GetDiff.model_validate(arguments).path)
        if name == "read_file":
            wanted = ReadFile.model_validate(arguments)
            return file_text(context, wanted.path, wanted.start, wanted.end)
        if name == "list_findings":
            ListFindings.model_validate(arguments)
            return findings_text(context, store)
    raise NotSaved(f"There is no tool {name!r} here.")


def _block(kind: str, text: str) -> str:
    return untrusted.block(kind, text, untrusted.nonce_for(text))


@cache
def _schema(name: str, model: type[BaseModel]) -> dict[str, Any]:
    """Made once: pydantic takes milliseconds for each, and every model call binds them."""
    schema = model.model_json_schema()
    schema["title"] = name
    return schema


def _sentence(name: str, error: ValidationError | NotSaved) -> str:
    if isinstance(error, NotSaved):
        return str(error)
    wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
    nothing = "Nothing was saved" if name == "remember_convention" else "Nothing was read"
    return f"{nothing}: the arguments are not valid ({wrong})."
