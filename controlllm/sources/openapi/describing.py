"""OpenAPI 3.0 and 3.1 documents as sources: every operation a tool with typed arguments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from controlllm.network.transport import place_of
from controlllm.sources.documents import Document, Unreadable, parsed
from controlllm.sources.entities import entities
from controlllm.sources.inference import (
    Inferred,
    Operation,
    acts_outside,
    result_type,
    typed_arguments,
)
from controlllm.sources.naming import first_words, plain, shortened, unique
from controlllm.sources.openapi.arguments import Answers, Arguments, Taken
from controlllm.sources.openapi.servers import Keys, Servers
from controlllm.sources.schemas import Schemas
from controlllm.sources.source import NAME, ForeignTool, Source
from controlllm.toolbox import ToolError

METHODS = ("get", "post", "put", "patch", "delete")
MOST_OPERATIONS = 3000


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
    options: ``server``, where all operations are asked, whatever the document says.

    Raises `Unreadable` where the document is none, ToolError where it cannot be fetched.
    """
    content, folder, at = _content(address, is_local)
    root = parsed(content, "The document")
    document = Document(_checked(root), folder)
    servers = Servers(document, at, str(options.get("server") or ""), is_local)
    keys = Keys(document, secrets or {})
    tools, left_out = _Builder(document, name, keys, servers).tools()
    if not tools:
        raise Unreadable("The document describes no operation that can be used.")
    left_out += [*_not_near(tools, servers, is_local), *_kept_back(tools, servers, keys, secrets)]
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
            "server": servers.main,
            "is_local": servers.is_near(servers.main),
            "schemes": keys.schemes,
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


def _not_near(tools: list[ForeignTool], servers: Servers, is_local: bool) -> list[str]:
    """A sentence about each place that the document says to ask and that may not be nearby."""
    asked = dict.fromkeys((servers.main, *(_server_of(tool, servers) for tool in tools)))
    return [
        f"The document is not at {server}, which it says to ask, so that is asked only where "
        f"it is public. If you know that it is yours: --server {server}"
        for server in asked
        if is_local and not servers.is_near(server)
    ]


def _kept_back(
    tools: list[ForeignTool], servers: Servers, keys: Keys, secrets: Mapping[str, str] | None
) -> list[str]:
    """A sentence about each secret that goes nowhere, and each place that gets none."""
    if not secrets:
        return []
    main = place_of(servers.main)
    places = {tool.name: place_of(_server_of(tool, servers)) for tool in tools}
    others = Counter(str(place) for place in places.values() if place != main)
    said = [
        f"No secret goes to {place}, where {count} operation{'s are' if count > 1 else ' is'} "
        f"asked: they are for {main} alone."
        for place, count in others.items()
    ]
    used = [tool.call["security"] for tool in tools if places[tool.name] == main]
    return [*said, *keys.unused(used)]


def _server_of(tool: ForeignTool, servers: Servers) -> str:
    return str(tool.call.get("server") or servers.main)


@dataclass(frozen=True)
class _Read:
    """An operation of a document as it was read."""

    operation: Operation
    told: Mapping[str, Any]
    taken: Taken
    server: str


class _Builder:
    """Makes tools of the operations of a document."""

    def __init__(self, document: Document, source: str, keys: Keys, servers: Servers) -> None:
        schemas = Schemas(document)
        self._document = document
        self._arguments = Arguments(document, schemas, keys)
        self._answers = Answers(document, schemas)
        self._source = source
        self._servers = servers

    def tools(self) -> tuple[list[ForeignTool], list[str]]:
        """All tools, and a sentence about each operation that is none or not all of one.

        Raises what is wrong with the address where the document names none that can be asked.
        """
        read: list[_Read] = []
        left_out: list[str] = []
        names: set[str] = set()
        unasked: Unreadable | ToolError | None = None
        for path, value in self._document.root["paths"].items():
            try:
                item = self._document.mapping(value)
            except Unreadable as error:
                left_out.append(_said(path, error))
                continue
            for method, told in self._operations(path, item):
                if len(read) == MOST_OPERATIONS:
                    left_out.append(f"Only the first {MOST_OPERATIONS:,} operations are tools.")
                    return self._all(read), left_out
                name = unique(self._name(told, method, path), names)
                where = f"{method.upper()} {path}"
                try:
                    server = self._servers.of(item, told)
                except (Unreadable, ToolError) as error:
                    unasked = unasked or error
                    left_out.append(_said(where, error))
                    continue
                try:
                    one = self._read(name, method, path, item, told, server)
                except Unreadable as error:
                    left_out.append(_said(where, error))
                    continue
                names.add(name)
                read.append(one)
                if one.taken.is_part:
                    most = len(one.taken.arguments)
                    said = f"only {most} of its values can be given, the first of the optional ones"
                    left_out.append(_said(where, said))
        fault = unasked or self._servers.fault
        if not read and fault is not None:
            raise fault
        return self._all(read), left_out

    def _read(
        self,
        name: str,
        method: str,
        path: str,
        item: Mapping[str, Any],
        told: Mapping[str, Any],
        server: str,
    ) -> _Read:
        if not NAME.fullmatch(name):
            raise Unreadable("its name has no letters")
        taken = self._arguments.of(method, path, item, told)
        operation = self._answers.operation(name, method, path, told, taken.wanted)
        return _Read(operation, told, taken, server)

    def _all(self, read: list[_Read]) -> list[ForeignTool]:
        returned, taken = entities([one.operation for one in read], self._source)
        return [self._tool(one, returned, taken) for one in read]

    @staticmethod
    def _operations(path: str, item: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for method in METHODS:
            if path.startswith("/") and isinstance(item.get(method), Mapping):
                yield method, item[method]

    @staticmethod
    def _name(told: Mapping[str, Any], method: str, path: str) -> str:
        given = str(told.get("operationId") or "")
        # FastAPI appends path and method to every function's name.
        generated = re.sub(r"\W", "_", f"{path}_{method}")
        return plain(given.removesuffix(generated) or given or f"{method} {path}", method)

    def _tool(
        self,
        one: _Read,
        returned: Mapping[str, Inferred],
        taken: Mapping[tuple[str, str], Inferred],
    ) -> ForeignTool:
        operation, told = one.operation, one.told
        result = returned.get(operation.name) or result_type(operation)
        reasons = [result.to_json("result")]
        about = f"{operation.name} {told.get('summary')} {told.get('description')} {operation.path}"
        typed = typed_arguments(operation, one.taken.arguments, taken, about, reasons)
        words = first_words(
            str(told.get("summary") or ""), str(told.get("description") or ""), operation.name
        )
        elsewhere: dict[str, Any] = {}
        if one.server != self._servers.main:
            is_near = self._servers.is_near(one.server)
            elsewhere = {"server": one.server, "is_local": is_near}
        return ForeignTool(
            operation.name,
            words,
            typed,
            result.type,
            acts_outside=acts_outside(operation),
            call={
                "method": operation.method.upper(),
                "path": operation.path,
                "body": one.taken.body,
                "take": list(result.take),
                "security": one.taken.security,
                "reasons": reasons,
                **elsewhere,
            },
        )


def _said(where: str, what: object) -> str:
    """What is wrong at a place of a document, as one line."""
    return "".join(filter(str.isprintable, f"{where[:110]}: {what}"))
