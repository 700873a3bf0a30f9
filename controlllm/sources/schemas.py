"""Schemas of OpenAPI documents in one plain form: references followed, alternatives decided."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from controlllm.sources.documents import Document, Unreadable

_MOST_DEPTH = 32
#: Schemas and properties that are put together for one schema, and for a document in all.
_MOST_PARTS, _MOST_WORK = 20_000, 1_500_000
_TOO_MUCH = "what its schemas consist of is too much to be read"
_ALTERNATIVES = ("anyOf", "oneOf")
_SCALARS = ("string", "number", "integer", "boolean")


@dataclass(frozen=True)
class Schema:
    """What a value looks like.

    `type` is JSON's (``string``, ``object``, ...), empty where any will do; `name` that of the
    component it is, in the document's own spelling; `media_type` of the content of a text;
    `is_binary` says that the value is a file's bytes, `is_base64` that it is a text of them.
    `alternatives` are all that a value may be where it may be one of several, as they stand;
    the rest is what the first of them says.
    """

    type: str = ""
    name: str = ""
    format: str = ""
    title: str = ""
    description: str = ""
    enum: tuple[Any, ...] = ()
    default: Any = None
    examples: tuple[Any, ...] = ()
    media_type: str = ""
    is_binary: bool = False
    is_base64: bool = False
    properties: Mapping[str, Any] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    items: Any = None
    limits: Mapping[str, Any] = field(default_factory=dict)
    alternatives: tuple[Any, ...] = ()

    @property
    def is_scalar(self) -> bool:
        return self.type in _SCALARS


@dataclass
class _Merged:
    """What a schema consists of, in one mapping; `is_whole` where nothing of it was left out."""

    told: dict[str, Any]
    name: str = ""
    alternatives: tuple[Any, ...] = ()
    is_whole: bool = True


class Schemas:
    """Reads the schemas of a document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[str, _Merged] = {}
        self._read: dict[str, Schema] = {}
        self._too_much: set[str] = set()
        self._work = 0
        self._most = 0

    def read(self, value: Any) -> Schema:
        """A schema in plain form; its properties and items are left as they stand.

        Raises `controlllm.sources.documents.Unreadable` for references that cannot be followed,
        and for schemas that consist of too much.
        """
        reference = _reference(value) if _is_alone(value) else ""
        if reference not in self._read:
            self._most = min(self._work + _MOST_PARTS, _MOST_WORK)
            found = self._plain(self._merged(value, (), 0))
            if not reference:
                return found
            self._read[reference] = found
        return self._read[reference]

    def _plain(self, merged: _Merged) -> Schema:
        told = merged.told
        kinds = told.get("type")
        several = [item for item in (_listed(kinds) or [kinds]) if isinstance(item, str)]
        several = [item for item in several if item != "null"] or [""]
        kind = several[0]
        alternatives = merged.alternatives or tuple(
            {**told, "type": item} for item in several if len(several) > 1
        )
        if not kind:
            kind = "object" if told.get("properties") else "array" if "items" in told else ""
        enum = [told["const"]] if "const" in told else told.get("enum")
        form = str(told.get("format") or "")
        encoding = str(told.get("contentEncoding") or "").lower()
        media_type = str(told.get("contentMediaType") or "").lower()
        given = [told["example"]] if "example" in told else []
        given += _listed(told.get("examples"))
        return Schema(
            type=kind,
            name=merged.name,
            format=form,
            title=str(told.get("title") or ""),
            description=str(told.get("description") or ""),
            enum=tuple(item for item in _listed(enum) if item is not None),
            default=told.get("default"),
            examples=tuple(given),
            media_type=media_type,
            is_binary=form == "binary" or (bool(media_type) and not encoding and not form),
            is_base64=form == "byte" or encoding in ("base64", "base64url"),
            properties=_mapped(told.get("properties")),
            required=frozenset(map(str, _listed(told.get("required")))),
            items=told.get("items"),
            limits={
                key: told[key]
                for key in ("minimum", "maximum", "minLength", "maxLength", "pattern")
                if isinstance(told.get(key), int | float | str)
            },
            alternatives=alternatives,
        )

    def scalars(self, schema: Schema) -> list[Schema]:
        """The alternatives of a schema that are one value each: neither objects nor lists."""
        return [found for found in map(self.read, schema.alternatives) if found.is_scalar]

    def _merged(self, value: Any, above: tuple[str, ...], depth: int) -> _Merged:
        """A schema with all that it consists of, and the first of its alternatives that is a
        value, put into it.

        `above` are the references that led here: one that comes again adds nothing.
        """
        reference = _reference(value)
        is_alone = bool(reference) and _is_alone(value)
        if is_alone and reference in self._known:
            return self._known[reference]
        if reference in self._too_much:
            raise Unreadable(_TOO_MUCH)
        self._count(1, above)
        if depth >= _MOST_DEPTH or (reference and reference in above):
            return _Merged({}, is_whole=False)
        if reference:
            above = (*above, reference)
        found = _Merged(dict(self._document.mapping(value)), _component(value))
        for part in _listed(found.told.pop("allOf", None)):
            self._put(found, self._merged(part, above, depth + 1), above)
        for key in _ALTERNATIVES:
            self._choose(found, _listed(found.told.pop(key, None)), above, depth)
        # What was cut short because it was met inside itself is whole where it stands alone.
        if is_alone and found.is_whole:
            self._known[reference] = found
        return found

    def _choose(
        self, found: _Merged, given: Sequence[Any], above: tuple[str, ...], depth: int
    ) -> None:
        values = [item for item in given if self._document.mapping(item).get("type") != "null"]
        if not values:
            return
        chosen = self._merged(values[0], above, depth + 1)
        if len(values) == 1:
            self._put(found, chosen, above)
            return
        needed = found.told.get("required")
        self._put(found, replace(chosen, name="", alternatives=tuple(values)), above)
        if _listed(needed):
            # What one of several needs is needed only where nothing else says what is.
            found.told["required"] = needed

    def _put(self, found: _Merged, part: _Merged, above: tuple[str, ...]) -> None:
        """Put a part of a schema into it; what the schema says itself counts more."""
        told, other = found.told, part.told
        properties = {**_mapped(other.get("properties")), **_mapped(told.get("properties"))}
        required = [*_listed(other.get("required")), *_listed(told.get("required"))]
        self._count(1 + len(properties) + len(required), above)
        found.told = {**other, **told}
        if properties:
            found.told["properties"] = properties
        if required:
            found.told["required"] = required
        found.name = found.name or part.name
        found.alternatives = found.alternatives or part.alternatives
        found.is_whole = found.is_whole and part.is_whole

    def _count(self, parts: int, above: tuple[str, ...]) -> None:
        self._work += parts
        if self._work > self._most:
            # It would be too much wherever it is met, and is not begun again.
            self._too_much.update(above[:1])
            raise Unreadable(_TOO_MUCH)


def _listed(value: Any) -> list[Any]:
    """A list itself, an empty one for what is none."""
    return value if isinstance(value, list) else []


def _mapped(value: Any) -> Mapping[str, Any]:
    """A mapping itself, an empty one for what is none."""
    return value if isinstance(value, Mapping) else {}


def _is_alone(value: Any) -> bool:
    """Whether nothing stands beside a reference."""
    return isinstance(value, Mapping) and len(value) == 1


def _reference(value: Any) -> str:
    """The reference that a value is; empty where it is none."""
    found = value.get("$ref") if isinstance(value, Mapping) else None
    return found if isinstance(found, str) else ""


def _component(value: Any) -> str:
    found = re.search(r"/([^/]+)$", _reference(value))
    return found[1] if found else ""
