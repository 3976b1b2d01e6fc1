"""One model call whose answer is a JSON object, whatever the provider's way of giving one.

The schema goes through LangChain's `with_structured_output`, so each provider uses what it does
best (Gemini and Ollama constrain the output, others call a tool). The answer is parsed here, from
the raw message: a model may still write prose, fences, or two raw lines inside a string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from langchain_core.exceptions import ModelError
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

T = TypeVar("T")
Schema = Mapping[str, Any]
Messages = Sequence[BaseMessage]

_TRANSIENT_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_TRANSIENT_NAMES = frozenset(
    {"TransportError", "TimeoutException", "APIConnectionError", "APITimeoutError", "ServerError"}
)
"""Of the providers' HTTP clients, which this package doesn't import."""


class ModelBusy(RuntimeError):  # noqa: N818 - names what to do, not what broke
    """The model could not be reached, or is overloaded: the same call may work in a while."""

    reason = "model_busy"

    def __init__(self) -> None:
        super().__init__("The model is not available now; the review is tried again later.")


class CallFailed(RuntimeError):  # noqa: N818 - says what happened
    """No usable answer. The sentence names the failure and carries nothing a model wrote."""

    def __init__(self, reason: str, sentence: str, usage: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.usage = tuple(usage)


@dataclass(frozen=True)
class Reply:
    """A parsed answer, and what each call cost."""

    value: dict[str, Any]
    usage: tuple[dict[str, Any], ...] = field(default=())


@dataclass(frozen=True)
class Calls:
    """Tools that the model wants to call before it answers: each with `name` and `args`."""

    calls: tuple[Mapping[str, Any], ...]
    usage: tuple[dict[str, Any], ...] = field(default=())


class Unusable(ValueError):  # noqa: N818 - says what the answer is
    """An answer that is not what was asked for; the message tells a model what is wrong."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


def ask(
    model: BaseChatModel,
    schema: Schema,
    messages: Messages,
    still_ours: Callable[[], None],
    key: str,
) -> Reply:
    """Ask for an object with a list under `key`; ask once more when the answer is none.

    Raises ModelBusy, or CallFailed with the reason "model_refused", "model_unusable" or
    "model_error".
    """
    usage: list[dict[str, Any]] = []
    asked = list(messages)
    for attempt in (1, 2):
        still_ours()
        message = reached(partial(_call, model, schema, asked), usage)
        usage.append(_usage(message))
        try:
            return Reply(parsed(message, key), tuple(usage))
        except Unusable as error:
            if attempt == 2:
                reason = f"model_{error.reason}"
                raise CallFailed(reason, _SENTENCES[error.reason], usage) from error
            repair = f"Your last answer could not be used: {error} Answer with the object only."
            asked = [*messages[:-1], HumanMessage(f"{messages[-1].text}\n\n{repair}")]
    raise AssertionError("unreachable")


def ask_with_tools(
    model: BaseChatModel,
    schema: Schema,
    tools: Sequence[Schema],
    messages: Messages,
    still_ours: Callable[[], None],
    key: str,
) -> Reply | Calls:
    """As `ask`, but the model may call `tools` instead; the schema is one more tool beside them.

    An answer of neither kind, and a model that takes no tools, are asked for the object alone.
    """
    still_ours()
    usage: list[dict[str, Any]] = []
    try:
        message = reached(partial(_call_with_tools, model, [*tools, schema], messages), usage)
    except CallFailed:
        return ask(model, schema, messages, still_ours, key)
    usage.append(_usage(message))
    wanted = tuple(call for call in message.tool_calls if call["name"] != schema["title"])
    is_answer = any(isinstance(call["args"].get(key), list) for call in message.tool_calls)
    if wanted and not is_answer:
        return Calls(wanted, tuple(usage))
    try:
        return Reply(parsed(message, key), tuple(usage))
    except Unusable:
        try:
            reply = ask(model, schema, messages, still_ours, key)
        except CallFailed as failure:
            raise CallFailed(failure.reason, str(failure), (*usage, *failure.usage)) from failure
        return Reply(reply.value, (*usage, *reply.usage))


def parsed(message: AIMessage, key: str) -> dict[str, Any]:
    """The object in an answer, in a tool call or in its text. Raises Unusable."""
    for call in message.tool_calls:
        if isinstance(call["args"].get(key), list):
            return dict(call["args"])
    text = str(message.text)
    texts = [str(call.get("args") or "") for call in message.invalid_tool_calls] + [text]
    for candidate in texts:
        value = _object_in(candidate)
        if isinstance(value, list):
            value = {key: value}
        if isinstance(value, dict) and isinstance(value.get(key), list):
            return value
    if not text.strip() and not message.tool_calls:
        finish = str(message.response_metadata.get("finish_reason", "")).upper()
        if finish in {"SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "REFUSAL", "CONTENT_FILTER"}:
            raise Unusable("refused", "it was withheld.")
        raise Unusable("unusable", "it was empty.")
    raise Unusable("unusable", f'it is no JSON object with a list "{key}".')


def reached(call: Callable[[], AIMessage], usage: Sequence[Mapping[str, Any]] = ()) -> AIMessage:
    """The answer to one call of a model; `usage` is what was used before it.

    Raises ModelBusy for what may work later, CallFailed ("model_error") for a refused request.
    """
    try:
        return call()
    except CallFailed:
        raise
    except Exception as error:  # every provider raises classes of its own
        if is_transient(error):
            raise ModelBusy from error
        if not (isinstance(error, ModelError) or _status(error) is not None):
            raise
        status = _status(error) or _status(error.__cause__ or error)
        code = f" ({status})" if status else ""
        raise CallFailed(
            "model_error", f"the model did not take the request{code}", usage
        ) from error


def model_label(model: BaseChatModel | None) -> str:
    """The model's own name, as it stands in check runs and logs; "none" without one."""
    if model is None:
        return "none"
    name = getattr(model, "model", "") or getattr(model, "model_name", "") or model._llm_type
    return str(name).removeprefix("models/")


_SENTENCES = {
    "unusable": "the model gave no usable answer, also when it was asked again",
    "refused": "the model refused to answer",
}


def _call(model: BaseChatModel, schema: Schema, messages: Messages) -> AIMessage:
    try:
        bound = model.with_structured_output(dict(schema), include_raw=True)
    except NotImplementedError:  # no tools and no output format: the prompt has to do
        wanted = f"Answer with one JSON object of this schema only: {json.dumps(schema)}"
        messages = [*messages[:-1], HumanMessage(f"{messages[-1].text}\n\n{wanted}")]
        answer: object = model.invoke(messages)
    else:
        found = bound.invoke(messages)
        answer = found.get("raw") if isinstance(found, dict) else found
    if not isinstance(answer, AIMessage):
        raise TypeError(f"A chat model answered with {type(answer).__name__}.")
    return answer


def _call_with_tools(
    model: BaseChatModel, tools: Sequence[Schema], messages: Messages
) -> AIMessage:
    try:
        bound = model.bind_tools([dict(tool) for tool in tools])
    except NotImplementedError as error:
        raise CallFailed("model_without_tools", "the model takes no tools") from error
    return bound.invoke(messages)


def _usage(message: AIMessage) -> dict[str, Any]:
    known = message.usage_metadata
    if known is None:
        return {"input_tokens": 0, "output_tokens": 0}
    return {"input_tokens": known["input_tokens"], "output_tokens": known["output_tokens"]}


def _object_in(text: str) -> Any:
    """The JSON value in `text`, which may stand in a fence or between sentences; else None."""
    for candidate in _candidates(text):
        try:
            return json.loads(candidate, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _candidates(text: str) -> list[str]:
    text = text.strip()
    found = [text] if text[:1] in ("{", "[") else []
    found += re.findall(r"```(?:json)?\s*\n?(.*?)```", text, re.DOTALL)
    if "{" in text and "}" in text:
        found.append(text[text.index("{") : text.rindex("}") + 1])
    return found


def is_transient(error: BaseException) -> bool:
    """Whether the same call may work later, by LangChain's own classes or by what is below."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        if isinstance(cause, ModelError) and cause.is_retryable:
            return True
        if isinstance(cause, (TimeoutError, ConnectionError)):
            return True
        if _status(cause) in _TRANSIENT_STATUS:
            return True
        if _TRANSIENT_NAMES & {kind.__name__ for kind in type(cause).__mro__}:
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def _status(error: BaseException) -> int | None:
    for name in ("status_code", "code", "http_status"):
        status = getattr(error, name, None)
        if isinstance(status, int):
            return status
    return None
