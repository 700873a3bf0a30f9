"""What ties foreign operations together: where one takes the id of a city and another returns
cities, the latter returns the entity type ``SOURCE.city`` and the former takes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from controlllm.sources.inference import (
    IDENTIFIER,
    SEARCH,
    Inferred,
    Operation,
    Wanted,
    acts_outside,
    singular,
)
from controlllm.sources.naming import plain

_COORDINATES = {"lat": ("lat", "latitude"), "latitude": ("latitude", "lat")} | {
    name: ("lon", "lng", "long", "longitude") for name in ("lon", "lng", "long", "longitude")
}
#: Names that do not say what they tell one of.
_BARE = frozenset("id uuid guid code key slug ref handle number name".split())


class _Makers:
    """The operations that return things of one kind, with the fields that they return.

    What they have in common is counted once: every argument of every operation asks for it.
    """

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self._spelt: list[dict[str, str]] = []

    def append(self, operation: Operation) -> None:
        self.operations.append(operation)
        self._spelt.append(_spelt(operation))

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(name for spelt in self._spelt for name in spelt)

    @cached_property
    def _places(self) -> Mapping[int, int]:
        return {id(operation): place for place, operation in enumerate(self.operations)}

    def __contains__(self, operation: Operation) -> bool:
        return id(operation) in self._places

    def first_but(self, operation: Operation | None) -> Operation | None:
        """The first of them that is another operation; None where there is none."""
        return next((item for item in self.operations if item is not operation), None)

    def part(self, names: Sequence[str], but: Operation | None = None) -> str:
        """The field under which all of them but one operation return one of the names; empty where
        none."""
        place = self._places.get(id(but)) if but is not None else None
        own = self._spelt[place] if place is not None else {}
        count = len(self.operations) - (place is not None)
        for name in names if count else ():
            if self._counts[name] - (name in own) == count:
                return self._spelt[1 if place == 0 else 0][name]
        return ""


def _spelt(operation: Operation) -> dict[str, str]:
    """The fields that an operation returns, by their plain names."""
    return {plain(name, ""): name for name in operation.fields}


class _Places:
    """The makers of things that lie somewhere: two coordinates say where; one by itself may be
    anything."""

    def __init__(self, makers: Mapping[str, _Makers]) -> None:
        self._makers = makers
        self._ranks = {entity: rank for rank, entity in enumerate(makers)}
        self._own: dict[int, list[str]] = {}
        for entity, found in makers.items():
            for maker in found.operations:
                self._own.setdefault(id(maker), []).append(entity)
        self._fitting = {
            names: [entity for entity in makers if self._part(entity, names, None)]
            for names in set(_COORDINATES.values())
        }

    def find(self, operation: Operation, wire: str) -> tuple[str, str]:
        """The first entity that gives a coordinate, not by this operation, and the field that it
        is; empty where there is none."""
        names, own = _COORDINATES[wire], self._own.get(id(operation), [])
        other = next((entity for entity in self._fitting[names] if entity not in own), None)
        known = own if other is None else [*own, other]
        for entity in sorted(known, key=self._ranks.__getitem__):
            if part := self._part(entity, names, operation):
                return entity, part
        return "", ""

    def _part(self, entity: str, names: Sequence[str], but: Operation | None) -> str:
        found = self._makers[entity]
        first = found.first_but(but)
        if first is None or sum(plain(name, "") in _COORDINATES for name in first.fields) < 2:
            return ""
        return found.part(names, but)


def entities(
    operations: Sequence[Operation], source: str
) -> tuple[dict[str, Inferred], dict[tuple[str, str], Inferred]]:
    """The operations that return entities, by name, and the arguments that take parts of these, by
    operation and argument. Only entities that some operation takes are types of their own."""
    makers = _makers(operations)
    places = _Places(makers)
    taken: dict[tuple[str, str], Inferred] = {}
    for operation in operations:
        for wanted in operation.wanted:
            found = _taken_from(operation, wanted, makers, places, source)
            if found is not None:
                taken[operation.name, wanted.name] = found
    returned: dict[str, Inferred] = {}
    wanted_types = {item.type for item in taken.values()}
    for entity, found_makers in makers.items():
        if f"{source}.{entity}" not in wanted_types:
            continue
        for operation in found_makers.operations:
            returned[operation.name] = _returned(operation, f"{source}.{entity}")
    return returned, taken


def _makers(operations: Sequence[Operation]) -> dict[str, _Makers]:
    """The operations that return things of each kind: as their answer or path calls them, else by
    the names in the answer by which other operations ask for one of a kind."""
    # What acts outside is never a step on the way to something else.
    giving = [item for item in operations if _gives_one(item) and not acts_outside(item)]
    asked: dict[str, dict[str, None]] = {}
    for operation in operations:
        for wanted in operation.wanted:
            if _may_be_part(wanted):
                for entity, names in _identified(operation, wanted):
                    asked.setdefault(entity, {}).update(dict.fromkeys(names))
    ranks = {entity: rank for rank, entity in enumerate(asked)}
    asked_by: dict[str, list[str]] = {}
    for entity, told_by in asked.items():
        for name in told_by:
            asked_by.setdefault(name, []).append(entity)
    makers: dict[str, _Makers] = {}
    # The names by which makers of a kind can be asked, each set of them once.
    common: dict[str, set[frozenset[str]]] = {}

    def add(entity: str, operation: Operation, spelt: Mapping[str, str]) -> None:
        makers.setdefault(entity, _Makers()).append(operation)
        common.setdefault(entity, set()).add(frozenset(asked.get(entity, {}).keys() & spelt.keys()))

    fields = [_spelt(operation) for operation in giving]
    for operation, spelt in zip(giving, fields, strict=True):
        if operation.entity:
            add(operation.entity, operation, spelt)
    for operation, spelt in zip(giving, fields, strict=True):
        if asked.get(operation.entity, {}).keys() & spelt.keys():
            continue
        told = spelt.keys() - _BARE - {plain(item.wire or "x", "") for item in operation.wanted}
        words = set(f"{operation.name}_{plain(operation.path)}".split("_"))
        kinds = {entity for name in told for entity in asked_by.get(name, ())}
        kind = min(kinds, key=lambda entity: (entity not in words, ranks[entity]), default=None)
        if kind is None:
            continue
        alike = asked[kind].keys() & told
        if all(alike & others for others in common.get(kind, ())):
            add(kind, operation, spelt)
    return makers


def _gives_one(operation: Operation) -> bool:
    """Whether one thing is what an operation is asked for: of a list that was not searched, the
    first one means nothing."""
    if not operation.is_list:
        return True
    return any(
        item.where != "path"
        and not item.schema.enum
        and (
            (item.is_required and item.schema.type in ("string", "array"))
            or set(plain(item.wire or "x").split("_")) & SEARCH
        )
        for item in operation.wanted
    )


def _returned(operation: Operation, type_name: str) -> Inferred:
    _, _, entity = type_name.partition(".")
    words = entity.replace("_", " ")
    if operation.is_list:
        why = f"It returns a list of entries ({words}); the first is taken, for others to use."
        return Inferred(type_name, why, 0.7, take=operation.take)
    why = f"It returns one entry ({words}), and other operations take what is in it."
    return Inferred(type_name, why, 0.9, take=operation.take)


def _taken_from(
    operation: Operation,
    wanted: Wanted,
    makers: Mapping[str, _Makers],
    places: _Places,
    source: str,
) -> Inferred | None:
    """The entity that an argument is a part of, None where it is simply a value."""
    if not _may_be_part(wanted):
        return None
    wire = plain(wanted.wire or "x", "")
    if wire in _COORDINATES:
        entity, part = places.find(operation, wire)
        if not entity:
            return None
        return _as_part(part, entity, makers[entity].first_but(operation), source, 0.8)
    for entity, names in _identified(operation, wanted):
        known = makers.get(entity)
        part = known.part(names, operation) if known is not None else ""
        if known is None or not part:
            continue
        if operation.method == "get" and operation in known and not operation.is_list:
            return None  # this is how one is found by what a person says
        return _as_part(part, entity, known.first_but(operation), source, 0.9)
    return None


def _as_part(
    part: str, entity: str, maker: Operation | None, source: str, confidence: float
) -> Inferred:
    words = entity.replace("_", " ")
    why = f"It is the {part!r} of the {words} that {maker.name if maker else 'another'} returns."
    return Inferred(f"{source}.{entity}", why, confidence, part=part)


def _may_be_part(wanted: Wanted) -> bool:
    """Whether an argument may be a part of some entity: a value that has to be given."""
    is_value = wanted.schema.type in ("string", "integer", "number") and not wanted.schema.enum
    return is_value and (wanted.is_required or wanted.where == "path")


def _identified(operation: Operation, wanted: Wanted) -> list[tuple[str, tuple[str, ...]]]:
    """The entities that an argument may identify, each with the names its part may have."""
    wire = plain(wanted.wire or "x", "")
    before = _segment_before(operation.path, wanted.wire) if wanted.where == "path" else ""
    match = IDENTIFIER.fullmatch(wire)
    found: list[tuple[str, tuple[str, ...]]] = []
    if match is not None:
        entity, kind = match[1], match[2]
        if entity:
            found.append((entity, (wire, kind, "id")))
        if before:
            found.append((before, (wire, kind, f"{before}_{kind}")))
    elif before == wire:
        found.append((wire, ("id", "code", "slug", f"{wire}_id", "name")))
    return found


def _segment_before(path: str, wire: str) -> str:
    """The thing that the part of a path before an argument speaks of: ``/cities/{id}`` of a
    city."""
    parts = [part for part in path.split("/") if part]
    for before, part in zip(parts, parts[1:], strict=False):
        if part == f"{{{wire}}}" and not before.startswith("{"):
            return singular(plain(before))
    return ""
