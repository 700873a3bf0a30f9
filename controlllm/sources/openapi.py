"""OpenAPI 3.0 and 3.1 documents as sources: every operation a tool with typed arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from controlllm.sources.documents import Document, Unreadable, parsed
from controlllm.sources.entities import entities
from controlllm.sources.inference import (
    Inferred,
    Operation,
    Wanted,
    acts_outside,
    argument_type,
    entity_of,
    list_in,
    result_type,
    wrapped_in,
)
from controlllm.sources.naming import MOST_OF_ARGUMENT, first_words, plain, shortened, unique
from controlllm.sources.schemas import Schema, Schemas
from controlllm.sources.source import NAME, ForeignArgument, ForeignTool, Source

METHODS = ("get", "post", "put", "patch", "delete")
MOST_OPERATIONS = 3000
_MOST_ARGUMENTS = 60
_MOST_NESTED = 3
#: The kinds of content of a body in the order in which they are chosen.
_BODIES = (
    "application/json",
    "multipart/form-data",
    "application/x-www-form-urlencoded",
)
#: Headers that are said otherwise (OpenAPI 3.1, 4.8.12.1), or not by a tool.
_NOT_ARGUMENTS = frozenset(
    "accept authorization connection content-length content-type cookie host".split()
)


def described(
    address: str,
    name: str,
    *,
    is_local: bool = False,
    secrets: Mapping[str, str] | None = None,
    **options: Any,
) -> Source:
    """The source that an OpenAPI document describes.

    Parameters
    ----------
    address: the document, an URL or a file.
    name: what the source is to be called.
    is_local: whether it may be on this machine or a network of one's own.
    secrets: the names of secrets by what they are for: a security scheme of the document, or
        ``header``, ``query``, ``cookie``, ``bearer``, ``basic`` or ``oauth2`` for its scheme of
        that kind.
    options: ``server``, where operations are asked where the document does not say so.

    Raises `Unreadable` where the document is none, ToolError where it cannot be fetched.
    """
    content, folder, at = _content(address, is_local)
    root = parsed(content, "The document")
    document = Document(_checked(root), folder)
    chosen = str(options.get("server") or "")
    server = _server(document, at, chosen)
    is_near = is_local and (bool(chosen) or _is_at(server, at))
    known = _schemes(document)
    builder = _Builder(document, name, known)
    tools, left_out = builder.tools()
    if not tools:
        raise Unreadable("The document describes no operation that can be used.")
    if is_local and not is_near:
        left_out.append(
            f"The document is not at {server}, which it says to ask, so that is asked only where "
            f"it is public. If you know that it is yours: --server {server}"
        )
    about = document.mapping(document.root.get("info"))
    told = str(about.get("title") or "")
    return Source(
        name,
        "openapi",
        # What stands behind a question mark may be a key.
        address.partition("?")[0] if folder is None else str(Path(address).resolve()),
        shortened(". ".join(filter(None, (told, str(about.get("description") or ""))))),
        tuple(tools),
        dict(secrets or {}),
        {
            "server": server,
            "is_local": is_near,
            "schemes": known,
            "left_out": left_out,
        },
    )


def _content(address: str, is_local: bool) -> tuple[bytes, Path | None, str]:
    """A document's bytes; the folder that it lies in, or the URL that it came from."""
    if "://" not in address:
        path = Path(address).expanduser()
        if not path.is_file():
            raise Unreadable(f"There is no file {address}.")
        return path.read_bytes(), path.parent, ""
    from controlllm.network.transport import place_of
    from controlllm.sources.fetching import Asked, fetch

    own = place_of(address) if is_local else None
    accepted = {"Accept": "application/json, application/yaml, text/yaml, */*;q=0.5"}
    answer = fetch(Asked("GET", address, accepted), own)
    if answer.status == 200 and answer.media_type == "text/html":
        # The page that shows a document to people; frameworks serve the document beside it.
        answer = fetch(Asked("GET", urljoin(answer.url, "openapi.json"), accepted), own)
    if answer.status != 200:
        raise Unreadable(f"There is no document at {address}: the answer is {answer.status}.")
    return answer.content, None, answer.url


def _checked(root: Any) -> Mapping[str, Any]:
    version = str(root.get("openapi") or "") if isinstance(root, Mapping) else ""
    if isinstance(root, Mapping) and str(root.get("swagger") or "").startswith("2"):
        raise Unreadable(
            "This is a document of OpenAPI 2 (Swagger); 3.0 and 3.1 are read. Convert it first."
        )
    if not version.startswith(("3.0", "3.1")):
        raise Unreadable("This is no OpenAPI document of version 3.0 or 3.1.")
    if not isinstance(root.get("paths"), Mapping):
        raise Unreadable("The document has no paths, so it describes no operation.")
    return root


def _server(document: Document, at: str, chosen: str) -> str:
    """The address that the paths are appended to."""
    servers = document.sequence(document.root.get("servers"))
    first = document.mapping(servers[0]) if servers else {}
    variables = document.mapping(first.get("variables"))

    def value(found: re.Match[str]) -> str:
        return str(document.mapping(variables.get(found[1])).get("default", ""))

    told = chosen or re.sub(r"\{([^{}]+)\}", value, str(first.get("url") or "/"))
    url = urljoin(at, told) if at else told
    if not url.startswith(("http://", "https://")):
        raise Unreadable(
            "The document does not say where its operations are asked. Say an address "
            "(in a terminal: --server)."
        )
    from controlllm.network.transport import place_of

    place_of(url)
    return url.partition("?")[0].partition("#")[0].rstrip("/")


def _is_at(server: str, at: str) -> bool:
    """Whether operations are asked where the document came from: a document on the network must not
    choose which of the machines nearby are asked. A file is the operator's own."""
    from controlllm.network.transport import place_of

    return not at or place_of(server).host == place_of(at).host


def _schemes(document: Document) -> dict[str, dict[str, Any]]:
    """The document's security schemes that can be kept, by name."""
    found: dict[str, dict[str, Any]] = {}
    components = document.mapping(document.root.get("components"))
    for name, value in document.mapping(components.get("securitySchemes")).items():
        told = document.mapping(value)
        kind, scheme = told.get("type"), str(told.get("scheme") or "").lower()
        if kind == "apiKey" and told.get("in") in ("header", "query", "cookie"):
            found[name] = {"kind": told["in"], "name": str(told.get("name") or "")}
        elif kind == "http" and scheme in ("basic", "bearer"):
            found[name] = {"kind": scheme}
        elif kind == "oauth2":
            flows = document.mapping(told.get("flows"))
            flow = document.mapping(flows.get("clientCredentials"))
            if flow.get("tokenUrl"):
                found[name] = {"kind": "oauth2", "token": str(flow["tokenUrl"])}
            else:
                # A token that the person has got elsewhere does as well.
                found[name] = {"kind": "bearer"}
        elif kind == "openIdConnect":
            found[name] = {"kind": "bearer"}
    return found


class _Builder:
    """Makes tools of the operations of a document."""

    def __init__(
        self, document: Document, source: str, schemes: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self._document = document
        self._schemas = Schemas(document)
        self._source = source
        self._schemes = schemes

    def tools(self) -> tuple[list[ForeignTool], list[str]]:
        """All tools, and a sentence about each operation that is none."""
        read: list[tuple[Operation, Mapping[str, Any], list[ForeignArgument], str]] = []
        left_out: list[str] = []
        names: set[str] = set()
        for path, method, item, told in self._operations():
            if len(read) == MOST_OPERATIONS:
                left_out.append(f"Only the first {MOST_OPERATIONS:,} operations are tools.")
                break
            name = unique(self._name(told, method, path), names)
            try:
                if not NAME.fullmatch(name):
                    raise Unreadable("its name has no letters")
                arguments, wanted, body = self._arguments(item, told)
                operation = self._operation(name, method, path, told, wanted)
            except Unreadable as error:
                said = f"{method.upper()} {path[:100]}: {error}"
                left_out.append("".join(filter(str.isprintable, said)))
                continue
            names.add(name)
            read.append((operation, told, arguments, body))
        returned, taken = entities([item[0] for item in read], self._source)
        return [self._tool(*item, returned, taken) for item in read], left_out

    def _operations(self) -> Iterator[tuple[str, str, Mapping[str, Any], Mapping[str, Any]]]:
        for path, value in self._document.root["paths"].items():
            try:
                item = self._document.mapping(value)
            except Unreadable:
                continue
            for method in METHODS:
                if path.startswith("/") and isinstance(item.get(method), Mapping):
                    yield path, method, item, item[method]

    @staticmethod
    def _name(told: Mapping[str, Any], method: str, path: str) -> str:
        given = str(told.get("operationId") or "")
        # FastAPI appends path and method to every function's name.
        generated = re.sub(r"\W", "_", f"{path}_{method}")
        return plain(given.removesuffix(generated) or given or f"{method} {path}", method)

    # Arguments

    def _arguments(
        self, item: Mapping[str, Any], told: Mapping[str, Any]
    ) -> tuple[list[ForeignArgument], list[Wanted], str]:
        """The arguments of an operation, what types are told from, and its body's content type."""
        found: dict[str, tuple[Wanted, dict[str, Any], str]] = {}
        given: dict[tuple[str, str], Mapping[str, Any]] = {}
        for parameter in (
            *self._document.sequence(item.get("parameters")),
            *self._document.sequence(told.get("parameters")),
        ):
            one = self._document.mapping(parameter)
            given[str(one.get("in")), str(one.get("name"))] = one
        for (where, wire), one in given.items():
            if where not in ("path", "query", "header", "cookie") or self._is_said(where, wire):
                continue
            content = self._document.mapping(one.get("content"))
            kind, media = next(iter(content.items()), ("", None))
            schema = self._schemas.read(
                self._document.mapping(media).get("schema") if media else one.get("schema")
            )
            call: dict[str, Any] = {"in": where, "name": wire, **self._shape(schema)}
            if "json" in kind:
                call["json"] = True
            if schema.type == "array" and not one.get("explode", where in ("query", "cookie")):
                call["joined"] = True
            if one.get("style") == "deepObject":
                call["deep"] = True
            words = str(one.get("description") or schema.description)
            example = one.get("example", next(iter(schema.examples), None))
            if example is not None:
                call["example"] = example
            wanted = Wanted("", wire, where, schema, where == "path" or one.get("required") is True)
            self._add(found, wire, wanted, call, words)
        body = self._body(found, told)
        arguments: list[ForeignArgument] = []
        for name, (wanted, call, words) in found.items():
            schema = wanted.schema
            default = schema.default if isinstance(schema.default, str | int | float) else None
            allowed = ", ".join(str(value) for value in schema.enum[:12])
            words = shortened(words, MOST_OF_ARGUMENT)
            said = f"{words} One of: {allowed}.".strip() if allowed else words
            many = bool(call.pop("many", False))
            arguments.append(
                ForeignArgument(name, "text", said, wanted.is_required, many, default, "", call)
            )
        if len(arguments) > _MOST_ARGUMENTS:
            arguments = [item for item in arguments if item.required]
        if len(arguments) > _MOST_ARGUMENTS:
            raise Unreadable(f"it needs more than {_MOST_ARGUMENTS} values")
        return arguments, [wanted for wanted, _, _ in found.values()], body

    def _is_said(self, where: str, wire: str) -> bool:
        """Whether a parameter is not an argument: a secret goes there, or the request itself."""
        if where == "header" and wire.lower() in _NOT_ARGUMENTS:
            return True
        return any(
            scheme["kind"] == where and scheme.get("name", "").lower() == wire.lower()
            for scheme in self._schemes.values()
        )

    @staticmethod
    def _add(
        found: dict[str, tuple[Wanted, dict[str, Any], str]],
        wire: str,
        wanted: Wanted,
        call: dict[str, Any],
        words: str,
    ) -> None:
        name = unique(plain(wire, "value"), found)
        whole = Wanted(name, wanted.wire, wanted.where, wanted.schema, wanted.is_required)
        found[name] = (whole, call, words)

    def _body(
        self, found: dict[str, tuple[Wanted, dict[str, Any], str]], told: Mapping[str, Any]
    ) -> str:
        body = self._document.mapping(told.get("requestBody"))
        content = self._document.mapping(body.get("content"))
        if not content:
            return ""
        kind = _chosen(content)
        media_type = kind.partition(";")[0].strip().lower()
        schema = self._schemas.read(self._document.mapping(content[kind]).get("schema") or {})
        is_required = body.get("required") is True
        is_form = media_type in _BODIES[1:]
        if (is_form or "json" in media_type) and schema.properties:
            self._flattened(found, schema, (), is_required, is_form)
            return media_type
        call = {"in": "body", "name": "body", "path": [], **self._shape(schema)}
        name = "body"
        if "json" not in media_type and not is_form:
            call["media_type"] = media_type
            medium = media_type.partition("/")[0]
            name = medium if medium in ("image", "audio", "video", "text") else "content"
        wanted = Wanted("", name, "body", schema, is_required)
        self._add(found, name, wanted, call, str(body.get("description") or schema.description))
        return media_type

    def _flattened(
        self,
        found: dict[str, tuple[Wanted, dict[str, Any], str]],
        schema: Schema,
        above: tuple[str, ...],
        is_required: bool,
        is_form: bool,
    ) -> None:
        """Add the properties of a body, those of objects in it under both their names."""
        for wire, value in schema.properties.items():
            if self._document.mapping(value).get("readOnly") is True:
                continue
            inner = self._schemas.read(value)
            needed = is_required and wire in schema.required
            path = (*above, str(wire))
            if inner.type == "object" and inner.properties and len(path) < _MOST_NESTED:
                self._flattened(found, inner, path, needed, is_form)
                continue
            call: dict[str, Any] = {
                "in": "body",
                "name": wire,
                "path": list(path),
                **self._shape(inner),
            }
            if inner.type == "array":
                items = self._schemas.read(inner.items)
                if is_form and items.is_binary:
                    call["many"] = call["file"] = True
                    inner = items
            elif inner.is_binary or (is_form and inner.is_base64):
                call["file"] = True
            if inner.examples:
                call["example"] = inner.examples[0]
            wanted = Wanted("", str(wire), "body", inner, needed)
            words = inner.description or (inner.title if inner.title.lower() != wire else "")
            self._add(found, "_".join(path), wanted, call, words)

    def _shape(self, schema: Schema) -> dict[str, Any]:
        """What is kept of a schema for writing a value as the operation wants it."""
        shape: dict[str, Any] = {"type": schema.type}
        if schema.type == "array":
            shape["items"] = self._schemas.read(schema.items).type
        if schema.enum:
            shape["enum"] = list(schema.enum[:200])
        if schema.format:
            shape["format"] = schema.format
        if schema.is_base64:
            shape["base64"] = True
        if schema.limits:
            shape["limits"] = dict(schema.limits)
        return shape

    # Results

    def _operation(
        self,
        name: str,
        method: str,
        path: str,
        told: Mapping[str, Any],
        wanted: list[Wanted],
    ) -> Operation:
        responses = self._document.mapping(told.get("responses"))
        good = sorted(key for key in responses if key.startswith("2")) or ["default"]
        content: Mapping[str, Any] = {}
        for key in good:
            content = self._document.mapping(
                self._document.mapping(responses.get(key)).get("content")
            )
            if content:
                break
        if not content:
            return Operation(name, method, path, tuple(wanted))
        kind = _chosen(content)
        media_type = kind.partition(";")[0].strip().lower()
        schema = self._schemas.read(self._document.mapping(content[kind]).get("schema") or {})
        take: tuple[str | int, ...] = ()
        inner, fields = schema, self._fields(schema)
        for _ in range(_MOST_NESTED):
            held = list_in(fields) or wrapped_in(fields)
            if inner.type != "object" or not held:
                break
            inner, take = fields[held], (*take, held)
            fields = self._fields(inner)
        if inner.type == "array":
            inner, take = self._schemas.read(inner.items), (*take, 0)
            fields = self._fields(inner)
        entity = entity_of(inner.name, path) if inner.type == "object" and fields else ""
        return Operation(
            name, method, path, tuple(wanted), media_type, schema, fields, take, entity
        )

    def _fields(self, schema: Schema) -> dict[str, Schema]:
        return {str(key): self._schemas.read(value) for key, value in schema.properties.items()}

    def _tool(
        self,
        operation: Operation,
        told: Mapping[str, Any],
        arguments: list[ForeignArgument],
        body: str,
        returned: Mapping[str, Inferred],
        taken: Mapping[tuple[str, str], Inferred],
    ) -> ForeignTool:
        result = returned.get(operation.name) or result_type(operation)
        reasons = [result.to_json("result")]
        about = f"{operation.name} {told.get('summary')} {told.get('description')} {operation.path}"
        typed: list[ForeignArgument] = []
        for argument, wanted in zip(arguments, self._kept(arguments, operation), strict=True):
            inferred = taken.get((operation.name, argument.name)) or argument_type(
                wanted, argument.call.get("media_type", ""), about
            )
            reasons.append(inferred.to_json(argument.name))
            typed.append(replace(argument, type=inferred.type, part=inferred.part))
        words = first_words(
            str(told.get("summary") or ""), str(told.get("description") or ""), operation.name
        )
        acts = acts_outside(operation)
        return ForeignTool(
            operation.name,
            words,
            tuple(typed),
            result.type,
            acts_outside=acts,
            call={
                "method": operation.method.upper(),
                "path": operation.path,
                "body": body,
                "take": list(result.take),
                "security": self._security(told),
                "reasons": reasons,
            },
        )

    @staticmethod
    def _kept(arguments: list[ForeignArgument], operation: Operation) -> list[Wanted]:
        by_name = {item.name: item for item in operation.wanted}
        return [by_name[argument.name] for argument in arguments]

    def _security(self, told: Mapping[str, Any]) -> list[list[str]]:
        """The schemes that a request needs, each choice with all that it needs together."""
        given = told.get("security", self._document.root.get("security"))
        choices = given if isinstance(given, list) else []
        return [list(map(str, choice)) for choice in choices if isinstance(choice, Mapping)]


def _chosen(content: Mapping[str, Any]) -> str:
    """The kind of content that is taken where a document names several."""
    plain_kinds = {kind: kind.partition(";")[0].strip().lower() for kind in content}
    for wanted in _BODIES:
        for kind, told in plain_kinds.items():
            if told == wanted or (wanted == _BODIES[0] and told.endswith("+json")):
                return kind
    return next(iter(content))
