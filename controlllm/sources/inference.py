"""Which resource types the arguments and results of foreign operations have, told from media types,
formats, names and schemas; each with its reason in words and how sure it is.

Entities are what ties operations together: where one takes the id of a city and another returns
cities, the latter returns the entity type ``SOURCE.city`` and the former takes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from controlllm.sources.naming import plain
from controlllm.sources.schemas import Schema

_MEDIA_WORDS: Mapping[str, frozenset[str]] = {
    "image": frozenset(
        "image images img photo photos picture pictures pic avatar logo icon thumbnail png jpeg "
        "jpg screenshot portrait poster frame".split()
    ),
    "audio": frozenset(
        "audio sound voice speech recording music song wav mp3 podcast track sample".split()
    ),
    "video": frozenset("video clip film movie mp4 footage".split()),
}
_IDENTIFIER = re.compile(r"(.*?)_?(id|uuid|guid|code|key|slug|isbn|sku|ref|handle|number)")
_COORDINATES = {"lat": ("lat", "latitude"), "latitude": ("latitude", "lat")} | {
    name: ("lon", "lng", "long", "longitude") for name in ("lon", "lng", "long", "longitude")
}
#: Endings of components' names that say what a schema is for, not what it is of.
_ENDINGS = re.compile(
    r"(?:_(?:out|read|response|dto|schema|public|model|in_db|details?|summary|results?|info|view|"
    r"entity|list_item|item|data|object|resource|record|ref))+$"
)
_LISTS = ("items", "results", "data", "records", "entries", "hits", "content", "values", "list")
_WRAPPERS = ("data", "result", "response", "payload", "body", "item")
_SEARCH = frozenset("q query search name text term keyword keywords title phrase".split())
#: Words that end in "ie" where there is one of them.
_WITH_IE = re.compile(
    r"(?:^|_)(?:mov|cook|calor|zomb|self|brown|hood|gen|rook|bird|budg|smooth|group|prair|t|p)ies$"
)
#: What an operation that is posted only computes or looks up. A word that may also mean a deed
#: ("check" out, "resolve" a ticket) is not among them: to be asked once too often harms nobody.
_READS = frozenset(
    "search query find lookup calculate compute translate detect classify predict analyze analyse "
    "estimate compare preview summarize summarise transcribe recognize recognise geocode".split()
)
#: What careless servers do although they are only asked.
_DEEDS = frozenset(
    "delete remove send create update cancel pay publish submit reset restart shutdown unsubscribe "
    "purchase transfer execute trigger insert destroy drop kill revoke approve reject".split()
)


@dataclass(frozen=True)
class Inferred:
    """A type with the reason in words and how sure it is, 0..1."""

    type: str
    why: str
    confidence: float
    part: str = ""
    take: tuple[str | int, ...] = ()

    def to_json(self, about: str) -> dict[str, Any]:
        """As it is kept with a tool; `about` is an argument's name, or ``result``."""
        told = {"about": about, "type": self.type, "why": self.why}
        return {**told, "confidence": self.confidence}


@dataclass(frozen=True)
class Wanted:
    """An argument of an operation: its name here and on the wire, where it goes, its schema."""

    name: str
    wire: str
    where: str
    schema: Schema
    is_required: bool


@dataclass(frozen=True)
class Operation:
    """What types are told from: a method and path, what is wanted, what comes back.

    `result` is the schema of the answer, `fields` those of the object in it, and `take` the way to
    that object: empty where the answer itself is it, else names and places of lists.
    """

    name: str
    method: str
    path: str
    wanted: tuple[Wanted, ...]
    media_type: str = ""
    result: Schema | None = None
    fields: Mapping[str, Schema] = field(default_factory=dict)
    take: tuple[str | int, ...] = ()
    entity: str = ""

    @property
    def is_list(self) -> bool:
        return 0 in self.take

    @property
    def verbs(self) -> frozenset[str]:
        last = next((part for part in reversed(self.path.split("/")) if part), "")
        return frozenset({self.name.split("_")[0], plain(last).split("_")[0]})


def value_type(name: str, schema: Schema, media_type: str = "", about: str = "") -> Inferred:
    """The type of a value by itself.

    `media_type` is that of the whole content it is; `about` are words of the operation, which count
    where nothing nearer says which kind of file it is.
    """
    told = media_type or schema.media_type
    medium = told.partition("/")[0]
    if medium in _MEDIA_WORDS:
        return Inferred(medium, f"Its media type is {told}.", 0.95)
    if told in ("text/html", "application/xhtml+xml"):
        return Inferred("html", f"Its media type is {told}.", 0.95)
    if schema.is_binary or schema.is_base64 or told == "application/octet-stream":
        nearest = ((name, 0.8), (schema.title, 0.7), (schema.description, 0.6), (about, 0.5))
        for text, sure in nearest:
            said = set(plain(text or "x", most=1000).split("_"))
            for medium, words in _MEDIA_WORDS.items():
                if found := sorted(words & said):
                    why = f"It is a file, and {found[0]!r} is said of it."
                    return Inferred(medium, why, sure)
        return Inferred("text", "It is a file, and nothing says of which kind.", 0.3)
    if schema.type in ("number", "integer"):
        return Inferred("number", f"Its schema says {schema.type}.", 0.95)
    if schema.type == "boolean":
        return Inferred("text", "Its schema says true or false.", 0.8)
    if schema.type in ("object", "array"):
        return Inferred("text", f"It is JSON ({schema.type}).", 0.8)
    if told.startswith("text/") or schema.type == "string":
        if "html" in plain(name or "x").split("_"):
            return Inferred("html", "Its name says HTML.", 0.6)
        return Inferred("text", f"Its {'media type' if told else 'schema'} says text.", 0.9)
    return Inferred("text", "Nothing says what it is, so it is taken as text.", 0.4)


def argument_type(wanted: Wanted, media_type: str = "", about: str = "") -> Inferred:
    """The type of an argument, entities aside; see `value_type`.

    A number that has to be given is said in words, and words are what a text argument takes; it is
    sent as the number that they say.
    """
    found = value_type(wanted.wire, wanted.schema, media_type, about)
    if found.type == "number" and wanted.is_required:
        why = f"Its schema says {wanted.schema.type}, and a request says it in words."
        return Inferred("text", why, 0.8)
    return found


def result_type(operation: Operation) -> Inferred:
    """The type of what an operation returns, entities aside."""
    schema = operation.result
    if schema is None:
        if operation.media_type:
            return value_type("", Schema(), operation.media_type)
        return Inferred("text", "It returns no content.", 0.9)
    if "json" not in operation.media_type:
        return value_type(operation.name, schema, operation.media_type)
    for name, item in operation.fields.items():
        if not operation.is_list and (item.is_base64 or item.media_type):
            found = value_type(name, item)
            if found.type in _MEDIA_WORDS:
                why = f"{name!r} of its answer is it. {found.why}"
                return Inferred(found.type, why, found.confidence, take=(*operation.take, name))
    if schema.is_base64:
        return value_type(operation.name, schema)
    return value_type("", schema)


def acts_outside(operation: Operation) -> bool:
    """Whether an operation may do what cannot be taken back: all that are not clearly reads."""
    if operation.method in ("get", "head"):
        return bool(operation.verbs & _DEEDS)
    if operation.method == "post" and operation.media_type.partition("/")[0] in _MEDIA_WORDS:
        return False  # what answers with a picture has made it, and nothing else
    return operation.method != "post" or not operation.verbs & _READS


def entities(
    operations: Sequence[Operation], source: str
) -> tuple[dict[str, Inferred], dict[tuple[str, str], Inferred]]:
    """The operations that return entities, by name, and the arguments that take parts of these, by
    operation and argument. Only entities that some operation takes are types of their own."""
    makers: dict[str, list[Operation]] = {}
    for operation in operations:
        # What acts outside is never a step on the way to something else.
        if operation.entity and _gives_one(operation) and not acts_outside(operation):
            makers.setdefault(operation.entity, []).append(operation)
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
            or set(plain(item.wire or "x").split("_")) & _SEARCH
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
    if wanted.schema.type not in ("string", "integer", "number") or wanted.schema.enum:
        return None
    if not wanted.is_required and wanted.where != "path":
        return None
    wire = plain(wanted.wire or "x", "")
    if wire in _COORDINATES:
        return _coordinate(operation, wanted, wire, makers, source)
    for entity, names in _identified(operation, wanted, wire):
        found = [item for item in makers.get(entity, ()) if item is not operation]
        part = _part(names, found)
        if not part:
            continue
        if operation.method == "get" and operation.entity == entity and not operation.is_list:
            return None  # this is how one is found by what a person says
        words = entity.replace("_", " ")
        why = f"It is the {part!r} of the {words} that {found[0].name} returns."
        return Inferred(f"{source}.{entity}", why, 0.9, part=part)
    return None


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


def _identified(
    operation: Operation, wanted: Wanted, wire: str
) -> list[tuple[str, tuple[str, ...]]]:
    """The entities that an argument may identify, each with the names its part may have."""
    before = _segment_before(operation.path, wanted.wire) if wanted.where == "path" else ""
    match = _IDENTIFIER.fullmatch(wire)
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


def entity_of(component: str, path: str) -> str:
    """What an object is, from its component's name or else its path: ``CityOut`` is a city."""
    name = _ENDINGS.sub("", plain(component, "")) if component else ""
    if not name or name.startswith(("response_", "page_", "paginated_", "list_")):
        parts = [part for part in path.split("/") if part and not part.startswith("{")]
        name = singular(plain(parts[-1])) if parts else ""
    return name


def list_in(fields: Mapping[str, Schema]) -> str:
    """The field of an object that holds the list which is asked for; empty where none does."""
    lists = [name for name, item in fields.items() if item.type == "array"]
    usual = [name for name in lists if plain(name, "") in _LISTS]
    return (usual or (lists if len(lists) == 1 and len(fields) <= 4 else [""]))[0]


def wrapped_in(fields: Mapping[str, Schema]) -> str:
    """The field of an object under which the thing itself lies; empty where it is the thing."""
    known = {plain(name, ""): name for name, item in fields.items() if item.properties}
    if any(_IDENTIFIER.fullmatch(plain(name, "")) for name in fields):
        return ""
    return next((known[name] for name in _WRAPPERS if name in known), "")


def singular(word: str) -> str:
    """An English word for one of what it is a word for many of."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-1] if _WITH_IE.search(word) else f"{word[:-3]}y"
    if re.search(r"(?:ss|sh|ch|x|z)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
