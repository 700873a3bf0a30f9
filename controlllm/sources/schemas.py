"""Schemas of OpenAPI documents in one plain form: references followed, alternatives decided."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from controlllm.sources.documents import Document

_MOST_DEPTH = 8
_ALTERNATIVES = ("anyOf", "oneOf")


@dataclass(frozen=True)
class Schema:
    """What a value looks like.

    `type` is JSON's (``string``, ``object``, ...), empty where any will do; `name` that of the
    component it is, in the document's own spelling; `media_type` of the content of a text;
    `is_binary` says that the value is a file's bytes, `is_base64` that it is a text of them.
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

    @property
    def is_scalar(self) -> bool:
        return self.type in ("string", "number", "integer", "boolean")


class Schemas:
    """Reads the schemas of a document."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def read(self, value: Any, depth: int = 0) -> Schema:
        """A schema in plain form; its properties and items are left as they stand.

        Raises `controlllm.sources.documents.Unreadable` for references that cannot be followed.
        """
        name = _component(value)
        told = dict(self._document.mapping(value))
        if depth < _MOST_DEPTH:
            told, name = self._decided(told, name, depth)
        kind = told.get("type", "")
        if isinstance(kind, list):
            kind = next((item for item in kind if item != "null"), "")
        if not kind:
            kind = "object" if told.get("properties") else "array" if "items" in told else ""
        enum = [told["const"]] if "const" in told else told.get("enum")
        form = str(told.get("format") or "")
        encoding = str(told.get("contentEncoding") or "").lower()
        media_type = str(told.get("contentMediaType") or "").lower()
        examples = told.get("examples")
        given = [told["example"]] if "example" in told else []
        given += examples if isinstance(examples, list) else []
        properties = told.get("properties")
        required = told.get("required")
        return Schema(
            type=str(kind),
            name=name,
            format=form,
            title=str(told.get("title") or ""),
            description=str(told.get("description") or ""),
            enum=tuple(item for item in enum if item is not None) if isinstance(enum, list) else (),
            default=told.get("default"),
            examples=tuple(given),
            media_type=media_type,
            is_binary=form == "binary" or (bool(media_type) and not encoding and not form),
            is_base64=form == "byte" or encoding in ("base64", "base64url"),
            properties=properties if isinstance(properties, Mapping) else {},
            required=frozenset(map(str, required)) if isinstance(required, list) else frozenset(),
            items=told.get("items"),
            limits={
                key: told[key]
                for key in ("minimum", "maximum", "minLength", "maxLength", "pattern")
                if isinstance(told.get(key), int | float | str)
            },
        )

    def _decided(self, told: dict[str, Any], name: str, depth: int) -> tuple[dict[str, Any], str]:
        """A schema with all that it consists of, and the first of its alternatives that is a value,
        put into it; and the name of the one component that it is."""
        for part in told.pop("allOf", None) or ():
            merged = self._parts(part, depth)
            name = name or merged.pop("", "")
            properties = {**merged.get("properties", {}), **told.get("properties", {})}
            required = [*merged.get("required", []), *told.get("required", [])]
            told = {**merged, **told}
            if properties:
                told["properties"] = properties
            if required:
                told["required"] = required
        for key in _ALTERNATIVES:
            found = [
                item
                for item in told.pop(key, None) or ()
                if self._document.mapping(item).get("type") != "null"
            ]
            if found:
                chosen = self._parts(found[0], depth)
                inner = chosen.pop("", "")
                name = name or (inner if len(found) == 1 else "")
                told = {**chosen, **told}
        return told, name

    def _parts(self, value: Any, depth: int) -> dict[str, Any]:
        """A schema as a mapping with what it consists of; under "" its name."""
        told, name = dict(self._document.mapping(value)), _component(value)
        if depth < _MOST_DEPTH:
            told, name = self._decided(told, name, depth + 1)
        return {**told, "": name}


def _component(value: Any) -> str:
    reference = value.get("$ref") if isinstance(value, Mapping) else None
    found = re.search(r"/([^/]+)$", reference) if isinstance(reference, str) else None
    return found[1] if found else ""
