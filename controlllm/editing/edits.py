"""What a person can do to a plan, as data: JSON in and out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controlllm.core.plans import Literal, Reference, Value

#: Of one edit, and of one gathering of them.
LONGEST_TEXT = 20_000
MOST_EDITS = 100
_MOST_VALUES = 100


@dataclass(frozen=True)
class Swap:
    """Another tool in the place of a step's."""

    subtask: int
    position: int
    tool: str


@dataclass(frozen=True)
class Insert:
    """A tool between a step and what one of its inputs reads; with no `name`, after the step that
    makes the result. `index` counts in an input that takes several."""

    subtask: int
    position: int
    name: str
    index: int
    tool: str


@dataclass(frozen=True)
class Delete:
    """A step less: what read it reads what it had read."""

    subtask: int
    position: int


@dataclass(frozen=True)
class Give:
    """Other values for an input of a step; none leave it out."""

    subtask: int
    position: int
    name: str
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Pin:
    """A resource that stands for a step's result from now on; without a `value` no longer."""

    subtask: int
    position: int
    value: str


@dataclass(frozen=True)
class Again:
    """A step, and all that comes of it, made anew."""

    subtask: int
    position: int


Edit = Swap | Insert | Delete | Give | Pin | Again
_KINDS: Mapping[str, type[Edit]] = {
    kind.__name__.lower(): kind for kind in (Swap, Insert, Delete, Give, Pin, Again)
}
_STRINGS, _NUMBERS = ("tool", "name", "value"), ("subtask", "position", "index")


class BadEdit(ValueError):
    """What was sent is no edit."""


def read_edits(sent: Any) -> tuple[Edit, ...]:
    """Edits from JSON, a list of objects that say their ``kind``; raises BadEdit."""
    if not isinstance(sent, list) or len(sent) > MOST_EDITS:
        raise BadEdit(f"Changes are a list of at most {MOST_EDITS}.")
    return tuple(_read(item) for item in sent)


def _read(sent: Any) -> Edit:
    kind = _KINDS.get(str(sent.get("kind"))) if isinstance(sent, dict) else None
    if kind is None:
        raise BadEdit("There is no such change.")
    fields: dict[str, Any] = {}
    for name in kind.__dataclass_fields__:
        given = sent.get(name)
        is_number = isinstance(given, int) and not isinstance(given, bool)
        is_text = isinstance(given, str) and len(given) <= LONGEST_TEXT
        if (name in _NUMBERS and is_number) or (name in _STRINGS and is_text):
            fields[name] = given
        elif name == "values" and isinstance(given, list) and len(given) <= _MOST_VALUES:
            fields[name] = tuple(_read_value(item) for item in given)
        else:
            raise BadEdit(f"A change says nothing usable of its {name}.")
    return kind(**fields)


def _read_value(sent: Any) -> Value:
    for name, kind in (("text", Literal), ("from", Reference)):
        given = sent.get(name) if isinstance(sent, dict) else None
        if isinstance(given, str) and len(given) <= LONGEST_TEXT:
            return kind(given)
    raise BadEdit("A value is a text or the name of something that is there.")


def value_to_json(value: Value) -> dict[str, str]:
    return {"text": value.text} if isinstance(value, Literal) else {"from": value.value}
