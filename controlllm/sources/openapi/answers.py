"""What operations of an OpenAPI document answer: the schema, and the way to the thing in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from controlllm.sources.documents import Document, Unreadable
from controlllm.sources.inference import (
    Operation,
    Wanted,
    entity_of,
    list_in,
    things_of,
    wrapped_in,
)
from controlllm.sources.schemas import Schema, Schemas

#: The kinds of content of a body in the order in which they are chosen.
BODIES = (
    "application/json",
    "multipart/form-data",
    "application/x-www-form-urlencoded",
)
_MOST_NESTED = 3
#: Fields of an object from which it is told what it is.
_MOST_FIELDS = 300


def chosen_of(content: Mapping[str, Any]) -> str:
    """The kind of content that is taken where a document names several."""
    plain_kinds = {kind: media_type_of(kind) for kind in content}
    for wanted in BODIES:
        for kind, told in plain_kinds.items():
            if told == wanted or (wanted == BODIES[0] and told.endswith("+json")):
                return kind
    return next(iter(content))


def media_type_of(kind: str) -> str:
    """A kind of content without its parameters."""
    return kind.partition(";")[0].strip().lower()


class Answers:
    """Reads what operations answer."""

    def __init__(self, document: Document, schemas: Schemas) -> None:
        self._document = document
        self._schemas = schemas
        # By what they were read from, which is kept so that nothing else takes its place.
        self._known: dict[int, tuple[Schema, dict[str, Schema]]] = {}
        try:
            components = document.mapping(document.root.get("components"))
            self._things = things_of(map(str, document.mapping(components.get("schemas"))))
        except Unreadable:
            self._things = frozenset()

    def operation(
        self,
        name: str,
        method: str,
        path: str,
        told: Mapping[str, Any],
        wanted: Sequence[Wanted],
    ) -> Operation:
        """An operation as types are told from it; raises Unreadable."""
        content = self._content(self._document.mapping(told.get("responses")))
        if not content:
            return Operation(name, method, path, tuple(wanted))
        kind = chosen_of(content)
        schema = self._schemas.read(self._document.mapping(content[kind]).get("schema") or {})
        take: tuple[str | int, ...] = ()
        inner, fields = schema, self._fields(schema)
        for _ in range(_MOST_NESTED):
            held = list_in(fields, inner.name) or wrapped_in(fields)
            if inner.type != "object" or not held:
                break
            inner, take = fields[held], (*take, held)
            fields = self._fields(inner)
        if inner.type == "array":
            inner, take = self._schemas.read(inner.items), (*take, 0)
            fields = self._fields(inner)
        is_thing = inner.type == "object" and bool(fields)
        entity = entity_of(inner.name, path, self._things) if is_thing else ""
        return Operation(
            *(name, method, path, tuple(wanted), media_type_of(kind)),
            *(schema, fields, take, entity),
        )

    def _content(self, responses: Mapping[str, Any]) -> Mapping[str, Any]:
        """The content of the answer where all went well; empty where there is none."""
        good = sorted(str(key) for key in responses if str(key).startswith("2")) or ["default"]
        for key in good:
            response = self._document.mapping(responses.get(key))
            content = self._document.mapping(response.get("content"))
            if content:
                return content
        return {}

    def _fields(self, schema: Schema) -> dict[str, Schema]:
        if id(schema.properties) not in self._known:
            given = islice(schema.properties.items(), _MOST_FIELDS)
            read = {str(key): self._schemas.read(item) for key, item in given}
            self._known[id(schema.properties)] = schema, read
        return self._known[id(schema.properties)][1]
