"""Plain data as JSON and back, by the names and types of a dataclass's fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from functools import cache
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
        return cls(
            **{
                name: _read(kind, data[name])
                for name, kind in _kinds(cast(Any, cls)).items()
                if name in data
            }
        )


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


def _read(kind: Any, value: Any) -> Any:
    """A value of a kind: a type, a tuple or mapping of some, or one that may be None."""
    inner = get_args(kind)
    if get_origin(kind) is UnionType:
        return None if value is None else _read(inner[0], value)
    if get_origin(kind) is tuple:
        return tuple(_read(inner[0], item) for item in value)
    if get_origin(kind) is Mapping:
        return {_read(inner[0], key): _read(inner[1], item) for key, item in value.items()}
    if hasattr(kind, "from_json"):
        return kind.from_json(value)
    if is_dataclass(kind):
        return cast(Any, kind)(**value)
    return value if kind is Any else kind(value)
