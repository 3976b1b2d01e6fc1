"""What a checkpoint may hold, as JSON that can only ever come back as that.

Round-trip: None, bool, int, float (NaN and infinities too), str, bytes, list, tuple, dict (any keys
of these types), set, frozenset, LangChain messages, and langgraph's `Send`, `Overwrite` and
`Interrupt`. An exception is kept as its repr, a subclass of str as a str. Anything else is refused
when it is written.

A value that JSON lacks is a dict with the key "~", and a plain dict that has this key is itself
written in that form. So no data can pass for one of our marks, and no name from stored data is ever
imported: message classes are looked up in a fixed table. Loading never raises: a mark with contents
of the wrong shape, which only someone else can have written, stays the data it is.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Mapping
from copy import copy, deepcopy
from functools import cache
from typing import Any

from langchain_core import messages as lc
from langgraph.types import Interrupt, Overwrite, Send
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

MARK = "~"

MESSAGES: Mapping[str, type[lc.BaseMessage]] = {
    kind.__name__: kind
    for kind in (
        lc.AIMessage, lc.AIMessageChunk, lc.ChatMessage, lc.ChatMessageChunk, lc.FunctionMessage,
        lc.FunctionMessageChunk, lc.HumanMessage, lc.HumanMessageChunk, lc.RemoveMessage,
        lc.SystemMessage, lc.SystemMessageChunk, lc.ToolMessage, lc.ToolMessageChunk,
    )
}  # fmt: skip
"""The only classes with behaviour that stored data can become."""

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_PLAIN = frozenset({str, int, bool, type(None)})
_UNCHANGEABLE = _PLAIN | {float, bytes}


class StateRefused(TypeError):  # noqa: N818
    """A value in the state that a checkpoint can't hold; nothing was written."""

    reason = "state_not_json"


def dumps(value: Any) -> bytes:
    """The JSON of a value. Raises StateRefused for a value of another type, or nested too deeply.

    Lone surrogates and NUL in text are kept.
    """
    try:
        text = _JSON.encode(_encode(value))
    except RecursionError as error:
        raise StateRefused(
            "The state is nested too deeply for a checkpoint; flatten it or store it elsewhere."
        ) from error
    return text.encode("utf-8", "surrogatepass")


def loads(data: bytes) -> Any:
    """The inverse of `dumps`. Bytes that are not JSON come back as text."""
    try:
        return _decode(json.loads(data.decode("utf-8", "surrogatepass")))
    except (ValueError, RecursionError):
        return data.decode("utf-8", "replace")


def own_copy(value: Any) -> Any:
    """A copy that shares nothing that could be changed."""
    kind = type(value)
    if kind in _UNCHANGEABLE:
        return value
    if kind is list:
        return [own_copy(item) for item in value]
    if kind is dict:
        return {key: own_copy(item) for key, item in value.items()}
    return _copied(value) if isinstance(value, lc.BaseMessage) else deepcopy(value)


def _copied(message: lc.BaseMessage) -> lc.BaseMessage:
    """As pydantic's own copy, which takes three times as long; a turn copies the whole thread."""
    made = message.__class__.__new__(message.__class__)
    fields = {
        name: item if type(item) in _UNCHANGEABLE else own_copy(item) if item else copy(item)
        for name, item in message.__dict__.items()
    }
    object.__setattr__(made, "__dict__", fields)
    object.__setattr__(made, "__pydantic_extra__", own_copy(message.__pydantic_extra__))
    object.__setattr__(made, "__pydantic_fields_set__", set(message.__pydantic_fields_set__))
    object.__setattr__(made, "__pydantic_private__", None)
    return made


def is_same(one: Any, other: Any) -> bool:
    """Whether two values would be written as the same JSON. True is not 1 here."""
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind is dict:
        return len(one) == len(other) and all(
            key in other and is_same(item, other[key]) for key, item in one.items()
        )
    if kind is list:
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, lc.BaseMessage):
        # Most fields are text or empty, which needs no closer look: a turn asks this of each.
        theirs = other.__dict__
        if one.__dict__ != theirs or not is_same(one.__pydantic_extra__, other.__pydantic_extra__):
            return False
        return all(
            is_same(item, theirs[name])
            for name, item in one.__dict__.items()
            if item and type(item) not in _UNCHANGEABLE
        )
    return kind in _UNCHANGEABLE and bool(one == other)


class MarkedJsonSerializer:
    """`dumps` and `loads` as langgraph's serializer protocol."""

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        return "json", dumps(obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        return loads(data[1])


def _encode(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is dict:
        if MARK not in value and all(type(key) is str for key in value):
            return {key: _encode(item) for key, item in value.items()}
        return {MARK: "dict", "v": [[_encode(key), _encode(item)] for key, item in value.items()]}
    if kind is list:
        return [_encode(item) for item in value]
    if kind is float:
        return value if math.isfinite(value) else {MARK: "float", "v": repr(value)}
    return _encode_marked(value)


def _encode_marked(value: Any) -> Any:
    if isinstance(value, lc.BaseMessage):
        return _encode_message(value)
    if isinstance(value, BaseException):
        return repr(value)
    if isinstance(value, str):
        return str.__str__(value)  # an enum's value, or what LangChain's message.text answers
    for kind, tag in ((tuple, "tuple"), (set, "set"), (frozenset, "frozenset")):
        if type(value) is kind:
            return {MARK: tag, "v": [_encode(item) for item in value]}
    if isinstance(value, bytes):
        return {MARK: "bytes", "v": base64.b64encode(value).decode()}
    if type(value) is Send and value.timeout is None:
        return {MARK: "send", "v": [value.node, _encode(value.arg)]}
    if type(value) is Overwrite:
        return {MARK: "overwrite", "v": _encode(value.value)}
    if type(value) is Interrupt:
        return {MARK: "interrupt", "v": [value.id, _encode(value.value)]}
    raise StateRefused(
        f"A checkpoint can't hold a {type(value).__module__}.{type(value).__qualname__}; keep JSON "
        "data and messages in the state, and refer to the rest by id."
    )


def _encode_message(message: lc.BaseMessage) -> dict[str, Any]:
    """Class name and the fields that differ from its defaults."""
    kind = next((k for k in type(message).__mro__ if MESSAGES.get(k.__name__) is k), None)
    if kind is None:
        raise StateRefused(
            f"A checkpoint can't hold a {type(message).__qualname__}; use LangChain's own messages."
        )
    defaults = _defaults(kind)
    fields = {
        name: _encode(value)
        for name, value in message.__dict__.items()
        if name in defaults and (value != defaults[name] or type(value) is not type(defaults[name]))
    }
    fields |= {name: _encode(value) for name, value in (message.model_extra or {}).items()}
    return {MARK: "msg", "c": kind.__name__, "v": fields}


@cache
def _defaults(kind: type[lc.BaseMessage]) -> dict[str, Any]:
    fields: dict[str, FieldInfo] = kind.model_fields
    return {name: field.get_default(call_default_factory=True) for name, field in fields.items()}


def _decode(value: Any) -> Any:
    if type(value) is list:
        return [_decode(item) for item in value]
    if type(value) is not dict:
        return value
    if MARK not in value:
        return {key: _decode(item) for key, item in value.items()}
    revive = _REVIVERS.get(value[MARK]) if isinstance(value[MARK], str) else None
    if revive is None:
        return value
    try:
        return revive(value)
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        return value


def _revive_message(marked: dict[str, Any]) -> lc.BaseMessage:
    """Built without validation, which could refuse or change what was once a message."""
    kind = MESSAGES[marked["c"]]
    fields = {name: _decode(item) for name, item in marked["v"].items()}
    if not isinstance(fields.get("content", ""), str | list):
        raise TypeError("content is neither text nor a list of blocks")
    defaults = _defaults(kind)
    if any(value is PydanticUndefined and name not in fields for name, value in defaults.items()):
        raise KeyError("a field that every such message has")
    # Defaults are given, since pydantic takes a millisecond to find them for each message.
    given = {name: copy(value) for name, value in defaults.items() if name not in fields}
    return kind.model_construct(_fields_set=set(fields), **given, **fields)


def _pair(marked: dict[str, Any]) -> tuple[str, Any]:
    name, value = marked["v"]
    if not isinstance(name, str):
        raise TypeError("not a name")
    return name, _decode(value)


def _items(marked: dict[str, Any]) -> list[Any]:
    if not isinstance(marked["v"], list):
        raise TypeError("not a list")
    return [_decode(item) for item in marked["v"]]


def _revive_send(marked: dict[str, Any]) -> Send:
    node, argument = _pair(marked)
    return Send(node, argument)


def _revive_interrupt(marked: dict[str, Any]) -> Interrupt:
    interrupt_id, value = _pair(marked)
    return Interrupt(value=value, id=interrupt_id)


_REVIVERS: Mapping[str, Callable[[dict[str, Any]], Any]] = {
    "msg": _revive_message,
    "dict": lambda marked: {_decode(key): _decode(item) for key, item in marked["v"]},
    "tuple": lambda marked: tuple(_items(marked)),
    "set": lambda marked: set(_items(marked)),
    "frozenset": lambda marked: frozenset(_items(marked)),
    "float": lambda marked: float(marked["v"]),
    "bytes": lambda marked: base64.b64decode(marked["v"], validate=True),
    "send": _revive_send,
    "overwrite": lambda marked: Overwrite(_decode(marked["v"])),
    "interrupt": _revive_interrupt,
}
