"""How the store writes names, values and records, and which items a filter matches. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from langgraph.store.base import MatchCondition

Namespace = tuple[str, ...]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_JSON = json.JSONEncoder(allow_nan=False, ensure_ascii=False, separators=(",", ":"))


class ValueRefused(ValueError):  # noqa: N818
    """A value that JSON would not give back exactly as it came; nothing was written."""

    reason = "value_not_json"


@dataclass(frozen=True)
class Versioned:
    """One item as stored. Times are microseconds since the epoch by Redis' clock, expiry too."""

    namespace: Namespace
    key: str
    value: dict[str, Any]
    version: int
    created_us: int
    updated_us: int
    expires_us: int | None = None

    @property
    def created_at(self) -> datetime:
        return _moment(self.created_us)

    @property
    def updated_at(self) -> datetime:
        return _moment(self.updated_us)


@dataclass(frozen=True)
class Revision:
    """One past or present state of an item; `value` is None where it was deleted or expired."""

    version: int
    value: dict[str, Any] | None
    at: datetime
    author: str | None


def encode_namespace(namespace: Namespace) -> bytes:
    """Labels as netstrings (`4:acme,`): injective, and no label is another one's prefix."""
    encoded = [encode_name(label) for label in namespace]
    return b"".join(b"%d:%b," % (len(label), label) for label in encoded)


def decode_namespace(encoded: bytes) -> Namespace:
    """The inverse of `encode_namespace`."""
    labels: list[str] = []
    at = 0
    while at < len(encoded):
        colon = encoded.index(b":", at)
        end = colon + 1 + int(encoded[at:colon])
        labels.append(decode_name(encoded[colon + 1 : end]))
        at = end + 1
    return tuple(labels)


def encode_name(name: str) -> bytes:
    """Any Python string, lone surrogates too: names need not be text that JSON could carry."""
    return name.encode("utf-8", "surrogatepass")


def decode_name(encoded: bytes) -> str:
    return encoded.decode("utf-8", "surrogatepass")


def encode_value(value: Mapping[str, Any]) -> bytes:
    """JSON bytes that decode to an equal value; raises ValueRefused when there are none.

    So NaN, infinities, lone surrogates, keys that are not strings, tuples and objects of any other
    class are refused.
    """
    plain = dict(value)
    try:
        text = _JSON.encode(plain)
        encoded = text.encode()
        is_exact = json.loads(text) == plain
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueRefused(
            f"The value can't be stored as JSON ({error}); use only dict with string keys, list, "
            "str, int, finite float, bool and None."
        ) from error
    if not is_exact:
        raise ValueRefused(
            "The value would change when stored as JSON (a tuple, or a key that is not a string); "
            "use only dict with string keys, list, str, int, finite float, bool and None."
        )
    return encoded


def decode_item(namespace: Namespace, key: str, record: bytes) -> Versioned:
    """An item from the record that the scripts write (see store_scripts/shared.lua)."""
    header, _, value = record.partition(b"\n")
    header_numbers = [int(part) for part in header.split()]
    return _versioned(namespace, key, json.loads(value.decode()), header_numbers)


def decode_items(heads: bytes, names: bytes, values: bytes) -> list[Versioned]:
    """Items from the three strings of `packed` in store_scripts/shared.lua."""
    namespaces: dict[bytes, Namespace] = {}
    items = []
    at = 0
    for head, value in zip(heads.splitlines(), json.loads(values), strict=True):
        of_namespace, of_key, *header = map(int, head.split())
        encoded, at = names[at : at + of_namespace], at + of_namespace
        key, at = names[at : at + of_key], at + of_key
        if encoded not in namespaces:
            namespaces[encoded] = decode_namespace(encoded)
        items.append(_versioned(namespaces[encoded], decode_name(key), value, header))
    return items


def decode_revision(record: bytes) -> Revision:
    """A revision from its record."""
    header, author, value = record.split(b"\n", 2)
    version, at_us = (int(number) for number in header.split())
    return Revision(
        version=version,
        value=json.loads(value) if value else None,
        at=_moment(at_us),
        author=json.loads(author),
    )


def matches(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    """Whether a value passes a search filter: nested values, and $eq $ne $gt $gte $lt $lte."""
    return all(_is_like(value.get(name), want) for name, want in (wanted or {}).items())


def is_in(namespace: Namespace, condition: MatchCondition) -> bool:
    """Whether a namespace has the prefix or suffix of `condition`; "*" is any one label."""
    path = tuple(condition.path)
    if len(namespace) < len(path):
        return False
    if condition.match_type == "prefix":
        part = namespace[: len(path)]
    elif condition.match_type == "suffix":
        part = namespace[len(namespace) - len(path) :]
    else:
        raise ValueError(f"Unsupported match type {condition.match_type!r}: use prefix or suffix.")
    return all(want in ("*", label) for label, want in zip(part, path, strict=True))


def literal_prefix(conditions: tuple[MatchCondition, ...]) -> Namespace:
    """The longest prefix without "*" that every match must have."""
    longest: Namespace = ()
    for condition in conditions:
        if condition.match_type == "prefix":
            path = tuple(condition.path)
            literal = path[: path.index("*")] if "*" in path else path
            longest = max(longest, literal, key=len)
    return longest


def _is_like(found: Any, want: Any) -> bool:
    if isinstance(want, dict):
        if any(name.startswith("$") for name in want):
            return all(_compare(found, operator, operand) for operator, operand in want.items())
        return isinstance(found, dict) and all(
            _is_like(found.get(name), inner) for name, inner in want.items()
        )
    if isinstance(want, list | tuple):
        return (
            isinstance(found, list)
            and len(found) == len(want)
            and all(_is_like(a, b) for a, b in zip(found, want, strict=True))
        )
    return bool(found == want)


def _compare(found: Any, operator: str, operand: Any) -> bool:
    if operator == "$eq":
        return bool(found == operand)
    if operator == "$ne":
        return bool(found != operand)
    if operator not in ("$gt", "$gte", "$lt", "$lte"):
        raise ValueError(f"Unknown filter operator {operator!r}: use $eq $ne $gt $gte $lt $lte.")
    try:
        left, right = float(found), float(operand)
    except (TypeError, ValueError, OverflowError):
        return False  # a missing or wordy field is in no range; it must not end the search
    return {
        "$gt": left > right,
        "$gte": left >= right,
        "$lt": left < right,
        "$lte": left <= right,
    }[operator]


def _versioned(
    namespace: Namespace, key: str, value: dict[str, Any], header: list[int]
) -> Versioned:
    created_us, updated_us, version, expiry_ms, _ttl_ms = header
    expires_us = expiry_ms * 1_000 or None
    return Versioned(namespace, key, value, version, created_us, updated_us, expires_us)


def _moment(microseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds)
