"""What every check parameter set shares: validation on construction and the JSON form."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, Self, Union, get_args, get_origin, get_type_hints

MAX_TEXT_CHARACTERS = 2_000
"""Of one string parameter; a rule itself is no longer (`conventions.MAX_RULE_CHARACTERS`)."""

MAX_ITEMS = 200
"""Of one list parameter: beyond it a list belongs in a linter's configuration."""


class CheckError(ValueError):
    """A check's parameters are wrong. The message names the parameter and what it may be."""

    reason: ClassVar[str] = "invalid_check"


@dataclass(frozen=True)
class Spec:
    """The parameters of one check: plain data, valid by construction.

    Construction raises `CheckError` for a value of a wrong type or out of range. Subclasses
    set `kind` and say in `describe` what is flagged, as a noun phrase ("added lines over 88
    columns") that fits behind "I'll flag".
    """

    kind: ClassVar[str] = ""

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for item in fields(self):
            _require(hints[item.name], getattr(self, item.name), f"{self.kind}.{item.name}")
        problem = self._problem()
        if problem:
            raise CheckError(f"{self.kind}: {problem}")

    def _problem(self) -> str:
        """What is wrong with these values together, or an empty string."""
        return ""

    def describe(self) -> str:
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """`kind` and every parameter that differs from its default."""
        record: dict[str, Any] = {"kind": self.kind}
        for item in fields(self):
            value = getattr(self, item.name)
            if value != item.default:
                record[item.name] = list(value) if isinstance(value, tuple) else value
        return record

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`. Raises `CheckError` on unknown, missing or wrong values."""
        names = {item.name for item in fields(cls)}
        values = {key: value for key, value in record.items() if key != "kind"}
        unknown = sorted(str(key) for key in values if key not in names)
        if unknown:
            raise CheckError(f"{cls.kind} has no parameter {', '.join(unknown)}")
        try:
            return cls(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})
        except TypeError as error:
            raise CheckError(f"{cls.kind}: {error}") from None


def _require(hint: Any, value: object, name: str) -> None:
    if not _fits(hint, value):
        raise CheckError(f"{name} cannot be {value!r:.80}")
    texts = value if isinstance(value, tuple) else (value,)
    if len(texts) > MAX_ITEMS:
        raise CheckError(f"{name} may have at most {MAX_ITEMS} items")
    if any(isinstance(text, str) and len(text) > MAX_TEXT_CHARACTERS for text in texts):
        raise CheckError(f"{name} may have at most {MAX_TEXT_CHARACTERS} characters")


def _fits(hint: Any, value: object) -> bool:
    origin = get_origin(hint)
    if origin is Literal:
        return isinstance(value, str) and value in get_args(hint)
    if origin in (Union, types.UnionType):
        return any(_fits(option, value) for option in get_args(hint))
    if origin is tuple:
        item = get_args(hint)[0]
        return isinstance(value, tuple) and all(_fits(item, entry) for entry in value)
    return type(value) is hint


def counted(number: int, noun: str) -> str:
    """ "1 file", "2 files"."""
    return f"{number} {noun}{'s' * (number != 1)}"


def listed(words: Sequence[str], last: str = "or") -> str:
    """Words as people list them: "a, b or c", each in backquotes."""
    quoted = [f"`{word}`" for word in words]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"
