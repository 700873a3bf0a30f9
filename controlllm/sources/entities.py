"""What ties foreign operations together: where one takes the id of a city and another returns
cities, the latter returns the entity type ``SOURCE.city`` and the former takes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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


def entities(
    operations: Sequence[Operation], source: str
) -> tuple[dict[str, Inferred], dict[tuple[str, str], Inferred]]:
    """The operations that return entities, by name, and the arguments that take parts of these, by
    operation and argument. Only entities that some operation takes are types of their own."""
    makers = _makers(operations)
    taken: dict[tuple[str, str], Inferred] = {}
    for operation in operations:
        for wanted in operation.wanted:
            found = _taken_from(operation, wanted, makers, source)
            if found is not None:
                taken[operation.name, wanted.name] = found
    returned: dict[str, Inferred] = {}
    wanted_types = {item.type for item in taken.values()}
    for entity, found_makers in makers.items():
        if f"{source}.{entity}" not in wanted_types:
            continue
        for operation in found_makers:
            returned[operation.name] = _returned(operation, f"{source}.{entity}")
    return returned, taken


def _makers(operations: Sequence[Operation]) -> dict[str, list[Operation]]:
    """The operations that return things of each kind: as their answer or path calls them, else by
    the names in the answer by which other operations ask for one of a kind."""
    # What acts outside is never a step on the way to something else.
    giving = [item for item in operations if _gives_one(item) and not acts_outside(item)]
    makers: dict[str, list[Operation]] = {}
    for operation in giving:
        if operation.entity:
            makers.setdefault(operation.entity, []).append(operation)
    asked: dict[str, set[str]] = {}
    for operation in operations:
        for wanted in operation.wanted:
            if _may_be_part(wanted):
                for entity, names in _identified(operation, wanted):
                    asked.setdefault(entity, set()).update(names)
    for operation in giving:
        spelt = {plain(name, "") for name in operation.fields}
        if asked.get(operation.entity, set()) & spelt:
            continue
        told = spelt - _BARE - {plain(item.wire or "x", "") for item in operation.wanted}
        words = set(f"{operation.name}_{plain(operation.path)}".split("_"))
        kinds = [entity for entity, names in asked.items() if names & told]
        kinds.sort(key=lambda entity: entity not in words)
        for entity in kinds[:1]:
            others = makers.setdefault(entity, [])
            if all(
                asked[entity] & told & {plain(name, "") for name in maker.fields}
                for maker in others
            ):
                others.append(operation)
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
    operation: Operation, wanted: Wanted, makers: Mapping[str, Sequence[Operation]], source: str
) -> Inferred | None:
    """The entity that an argument is a part of, None where it is simply a value."""
    if not _may_be_part(wanted):
        return None
    wire = plain(wanted.wire or "x", "")
    if wire in _COORDINATES:
        return _coordinate(operation, wanted, wire, makers, source)
    for entity, names in _identified(operation, wanted):
        known = makers.get(entity, ())
        found = [item for item in known if item is not operation]
        part = _part(names, found)
        if not part:
            continue
        if operation.method == "get" and operation in known and not operation.is_list:
            return None  # this is how one is found by what a person says
        words = entity.replace("_", " ")
        why = f"It is the {part!r} of the {words} that {found[0].name} returns."
        return Inferred(f"{source}.{entity}", why, 0.9, part=part)
    return None


def _may_be_part(wanted: Wanted) -> bool:
    """Whether an argument may be a part of some entity: a value that has to be given."""
    is_value = wanted.schema.type in ("string", "integer", "number") and not wanted.schema.enum
    return is_value and (wanted.is_required or wanted.where == "path")


def _coordinate(
    operation: Operation,
    wanted: Wanted,
    wire: str,
    makers: Mapping[str, Sequence[Operation]],
    source: str,
) -> Inferred | None:
    for entity, found in makers.items():
        others = [item for item in found if item is not operation]
        part = _part(_COORDINATES[wire], others)
        # Two coordinates say where; one by itself may be anything.
        if part and sum(plain(name, "") in _COORDINATES for name in others[0].fields) >= 2:
            words = entity.replace("_", " ")
            why = f"It is the {part!r} of the {words} that {others[0].name} returns."
            return Inferred(f"{source}.{entity}", why, 0.8, part=part)
    return None


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


def _part(names: Sequence[str], makers: Sequence[Operation]) -> str:
    """The field under which all of some operations return one of the names; empty where none."""
    if not makers:
        return ""
    spelt = [{plain(name, ""): name for name in maker.fields} for maker in makers]
    for name in names:
        if all(name in known for known in spelt):
            return spelt[0][name]
    return ""
