"""What operations of OpenAPI documents take and answer: parameters and the parts of bodies; the
schema of the answer, and the way to the thing in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from controlllm.sources.documents import Document, Unreadable
from controlllm.sources.inference import (
    Operation,
    Wanted,
    entity_of,
    list_in,
    things_of,
    wrapped_in,
)
from controlllm.sources.naming import (
    MOST_ALLOWED,
    MOST_ARGUMENTS,
    MOST_OF_ARGUMENT,
    named,
    plain,
    shortened,
    unique,
)
from controlllm.sources.openapi.servers import Keys
from controlllm.sources.schemas import Schema, Schemas
from controlllm.sources.source import ForeignArgument

#: The kinds of content of a body in the order in which they are chosen.
BODIES = (
    "application/json",
    "multipart/form-data",
    "application/x-www-form-urlencoded",
)
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


#: Arguments that are looked at where they are optional.
_MOST_READ = 120
_MOST_NESTED = 3
_PLACES = ("path", "query", "header", "cookie")
#: Headers that are said otherwise (OpenAPI 3.1, 4.8.12.1), or not by a tool.
_NOT_ARGUMENTS = frozenset(
    "accept authorization connection content-length content-type cookie host".split()
)
#: What stands between the items of a list that is one value.
_DELIMITERS = {"pipeDelimited": "|", "spaceDelimited": " "}


class Taken(NamedTuple):
    """What an operation takes: its arguments, each with what its type is told from; the content
    type of its body; the keys that it needs; whether it is but a part of all, for want of room."""

    arguments: list[ForeignArgument]
    wanted: list[Wanted]
    body: str
    security: list[list[str]]
    is_part: bool


#: What was found of an argument: what its type is told from, what a call has to know, its words.
_Found = dict[str, tuple[Wanted, dict[str, Any], str]]


class Arguments:
    """Reads what operations take."""

    def __init__(self, document: Document, schemas: Schemas, keys: Keys) -> None:
        self._document = document
        self._schemas = schemas
        self._keys = keys

    def of(self, method: str, path: str, item: Mapping[str, Any], told: Mapping[str, Any]) -> Taken:
        """What an operation takes; `item` is that of its path. Raises Unreadable."""
        found: _Found = {}
        given = self._parameters(path, item, told)
        security = self._keys.wanted(told, [(where, wire.lower()) for where, wire in given])
        keys = self._keys.spots(security)
        for (where, wire), one in given.items():
            is_said = where == "header" and wire.lower() in _NOT_ARGUMENTS
            if where in _PLACES and (where, wire.lower()) not in keys and not is_said:
                self._parameter(found, where, wire, one)
        body = self._body(found, method, told)
        needed = [name for name, (wanted, _, _) in found.items() if wanted.is_required]
        if len(needed) > MOST_ARGUMENTS:
            raise Unreadable(f"it needs more than {MOST_ARGUMENTS} values")
        others = [name for name in found if name not in needed]
        fitting = {*needed, *others[: MOST_ARGUMENTS - len(needed)]}
        kept = {name: one for name, one in found.items() if name in fitting}
        return Taken(
            [_argument(name, *one) for name, one in kept.items()],
            [wanted for wanted, _, _ in kept.values()],
            body,
            security,
            len(kept) < len(found),
        )

    def _parameters(
        self, path: str, item: Mapping[str, Any], told: Mapping[str, Any]
    ) -> dict[tuple[str, str], Mapping[str, Any]]:
        """The parameters by where they go and their names, those of the address that nothing
        declares among them."""
        given: dict[tuple[str, str], Mapping[str, Any]] = {}
        for parameter in (
            *self._document.sequence(item.get("parameters")),
            *self._document.sequence(told.get("parameters")),
        ):
            one = self._document.mapping(parameter)
            given[str(one.get("in")), str(one.get("name"))] = one
        for wire in re.findall(r"\{([^{}]+)\}", path):
            given.setdefault(("path", wire), {"schema": {"type": "string"}})
        return given

    def _parameter(self, found: _Found, where: str, wire: str, one: Mapping[str, Any]) -> None:
        content = self._document.mapping(one.get("content"))
        kind, media = next(iter(content.items()), ("", None))
        schema = self._schemas.read(
            self._document.mapping(media).get("schema") if media else one.get("schema")
        )
        is_json = "json" in kind
        schema, shape = self._settled(schema, prefers_scalar=not is_json)
        call: dict[str, Any] = {"in": where, "name": wire, **shape}
        if is_json:
            call["json"] = True
        style = str(one.get("style") or ("form" if where in ("query", "cookie") else "simple"))
        if schema.type == "array" and not one.get("explode", style == "form"):
            call["joined"] = _DELIMITERS.get(style, ",")
        if style == "deepObject":
            call["deep"] = True
        words = str(one.get("description") or schema.description)
        example = one.get("example", next(iter(schema.examples), None))
        if example is not None:
            call["example"] = example
        is_required = where == "path" or one.get("required") is True
        _add(found, wire, Wanted("", wire, where, schema, is_required), call, words)

    # Bodies

    def _body(self, found: _Found, method: str, told: Mapping[str, Any]) -> str:
        """Add what a body holds; its content type, empty where there is none."""
        body = self._document.mapping(told.get("requestBody"))
        content = self._document.mapping(body.get("content"))
        if not content:
            return ""
        kind = chosen_of(content)
        media = self._document.mapping(content[kind])
        media_type = media_type_of(kind)
        schema = self._schemas.read(media.get("schema") or {})
        is_required = body.get("required") is True
        if "required" not in body and method in ("post", "put", "patch"):
            # Often forgotten; a body with parts that have to be there has to be there.
            is_required = bool(schema.required)
        is_form = media_type in BODIES[1:]
        if (is_form or "json" in media_type) and schema.properties:
            encoding = self._document.mapping(media.get("encoding")) if is_form else None
            self._flattened(found, schema, (), is_required, encoding, {})
            return media_type
        name, call = "body", {"in": "body", "name": "body", "path": []}
        if "json" in media_type or is_form:
            schema, shape = self._settled(schema)
            call |= shape
        else:
            call |= {**self._shape(schema), "media_type": media_type}
            medium = media_type.partition("/")[0]
            name = medium if medium in ("image", "audio", "video", "text") else "content"
        wanted = Wanted("", name, "body", schema, is_required)
        _add(found, name, wanted, call, str(body.get("description") or schema.description))
        return media_type

    def _flattened(
        self,
        found: _Found,
        schema: Schema,
        above: tuple[str, ...],
        is_required: bool,
        encoding: Mapping[str, Any] | None,
        form: Mapping[str, str],
    ) -> None:
        """Add the properties of a body, those of objects in it under both their names.

        `encoding` says how a form's are written, None where it is no form; `form` is what it says
        of the one that these lie in.
        """
        for wire, value in schema.properties.items():
            if self._document.mapping(value).get("readOnly") is True:
                continue
            needed = is_required and wire in schema.required
            path = (*above, str(wire))
            if not needed and len(found) >= _MOST_READ:
                continue
            inner = self._schemas.read(value)
            written = form
            if encoding is not None and not above:
                style = self._document.mapping(encoding.get(wire)).get("style")
                written = {"as": "deep"} if style == "deepObject" else {}
            if inner.type == "object" and inner.properties and len(path) < _MOST_NESTED:
                self._flattened(found, inner, path, needed, encoding, written)
                continue
            inner, shape = self._settled(inner)
            call = {"in": "body", "name": wire, "path": list(path), **shape}
            if written:
                call["form"] = dict(written)
            if inner.type == "array":
                items = self._schemas.read(inner.items)
                if encoding is not None and items.is_binary:
                    call["many"] = call["file"] = True
                    inner = items
            elif inner.is_binary or (encoding is not None and inner.is_base64):
                call["file"] = True
            if inner.examples:
                call["example"] = inner.examples[0]
            wanted = Wanted("", str(wire), "body", inner, needed)
            words = inner.description or (inner.title if inner.title.lower() != wire else "")
            _add(found, "_".join(path), wanted, call, words)

    # Values

    def _settled(
        self, schema: Schema, prefers_scalar: bool = False
    ) -> tuple[Schema, dict[str, Any]]:
        """A schema as its argument is typed, and what is kept of it for writing a value.

        Of a value that may be one of several kinds, all that are single values are kept, to be
        tried at the call; `prefers_scalar` where these are better than an object.
        """
        is_object = schema.type == "object"
        if not schema.alternatives or not (schema.is_scalar or (is_object and prefers_scalar)):
            return schema, self._shape(schema)
        scalars = self._schemas.scalars(schema)
        # Where nothing may be said but "", nothing can be said.
        scalars = [item for item in scalars if item.enum != ("",)] or scalars[:1]
        if not scalars or (is_object and scalars[0].enum == ("",)):
            return schema, self._shape(schema)
        shapes = [self._shape(item) for item in scalars]
        if is_object:
            shapes.append({"type": "object"})
        first = scalars[0]
        kinds = {item.type for item in scalars}
        kind = first.type if len(kinds) == 1 else "string"
        if kinds == {"integer", "number"}:
            kind = "number"
        is_closed = all(item.enum for item in scalars)
        settled = replace(
            next((item for item in scalars if item.type == kind and not item.enum), first),
            type=kind,
            enum=tuple(value for item in scalars for value in item.enum) if is_closed else (),
            description=schema.description or first.description,
            title=schema.title or first.title,
            default=schema.default if schema.default is not None else first.default,
            examples=schema.examples or first.examples,
        )
        shape = self._shape(settled)
        if len(shapes) > 1:
            shape["either"] = shapes
        return settled, shape

    def _shape(self, schema: Schema) -> dict[str, Any]:
        """What is kept of a schema for writing a value as the operation wants it."""
        shape: dict[str, Any] = {"type": schema.type}
        allowed: Sequence[Any] = schema.enum
        if schema.type == "array":
            items = self._schemas.read(schema.items)
            shape["items"], allowed = items.type, items.enum
        if allowed:
            shape["enum"] = list(allowed[:MOST_ALLOWED])
        if schema.format:
            shape["format"] = schema.format
        if schema.is_base64:
            shape["base64"] = True
        if schema.limits:
            shape["limits"] = dict(schema.limits)
        return shape


def _add(found: _Found, wire: str, wanted: Wanted, call: dict[str, Any], words: str) -> None:
    name = unique(plain(wire, "value"), found)
    found[name] = replace(wanted, name=name), call, words


def _argument(name: str, wanted: Wanted, call: dict[str, Any], words: str) -> ForeignArgument:
    """An argument with what it says of itself; its type is told later."""
    default = wanted.schema.default
    words = shortened(words, MOST_OF_ARGUMENT)
    if allowed := named(call.get("enum") or ()):
        # Of a list, those that each of its items can be.
        words = f"{words} {'Any' if wanted.schema.type == 'array' else 'One'} of: {allowed}."
    call = dict(call)
    return ForeignArgument(
        name,
        "text",
        words.strip(),
        wanted.is_required,
        bool(call.pop("many", False)),
        default if isinstance(default, str | int | float) else None,
        "",
        call,
    )
