"""Plain data as JSON and back, by the names and types of a dataclass's fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from functools import cache
from itertools import repeat
from types import UnionType
from typing import Any, Self, cast, get_args, get_origin, get_type_hints


class JsonData:
    """A dataclass of plain data: its fields as JSON, and the same data out of it again."""

    def to_json(self) -> dict[str, Any]:
        """The fields by their names, all plain JSON."""
        return {item.name: plain(getattr(self, item.name)) for item in fields(self)}  # type: ignore[arg-type]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The data of such JSON; a field that is not there has its default.

        Raises TypeError, ValueError or KeyError where it is no such JSON.
        """
        return cast(Self, _made(cls, data))


def plain(value: Any) -> Any:
    """A value as plain JSON."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


@cache
def _kinds(owner: Any) -> Mapping[str, Any]:
    hints = get_type_hints(owner)
    return {item.name: hints[item.name] for item in fields(owner)}


def _made(kind: Any, data: Mapping[str, Any]) -> Any:
    found = {name: _read(own, data[name]) for name, own in _kinds(kind).items() if name in data}
    return kind(**found)


def _read(kind: Any, value: Any) -> Any:
    """A value of a kind: a type, a tuple or mapping of some, or one that may be None."""
    inner = get_args(kind)
    if get_origin(kind) is UnionType:
        return None if value is None else _read(inner[0], value)
    if get_origin(kind) is tuple:
        kinds = repeat(inner[0], len(value)) if inner[-1] is ... else inner
        return tuple(_read(own, item) for own, item in zip(kinds, value, strict=True))
    if get_origin(kind) is Mapping:
        return {_read(inner[0], key): _read(inner[1], item) for key, item in value.items()}
    if hasattr(kind, "from_json"):
        return kind.from_json(value)
    if is_dataclass(kind):
        return _made(kind, value)
    return value if kind is Any else kind(value)
