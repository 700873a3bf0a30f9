"""OpenAPI 3.0 and 3.1 documents as sources: every operation a tool with typed arguments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
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
from controlllm.sources.source import ADDRESS_ALONE, NAME, Adding, ForeignTool, Source
from controlllm.toolbox import ToolError

METHODS = ("get", "post", "put", "patch", "delete")
MOST_OPERATIONS = 3000


def described(address: str, name: str, adding: Adding = ADDRESS_ALONE) -> Source:
    """The source that an OpenAPI document describes.

    `address` is that of the document, an URL or a file. Secrets are for a security scheme of the
    document, or ``header``, ``query``, ``cookie``, ``bearer``, ``basic`` or ``oauth2`` for its
    scheme of that kind.

    Raises `Unreadable` where the document is none, ToolError where it cannot be fetched.
    """
    is_local, secrets = adding.is_local, adding.secrets
    content, folder, at = _content(address, is_local)
    document = Document(_checked(parsed(content, "The document")), folder)
    servers = Servers(document, at, adding.server, is_local)
    keys = Keys(document, secrets)
    read, left_out = _read_all(document, keys, servers)
    returned, taken = entities([one.operation for one in read], name)
    tools = tuple(_tool(one, servers, returned, taken) for one in read)
    if not tools:
        raise Unreadable("The document describes no operation that can be used.")
    asked = {tool.name: str(tool.call.get("server") or servers.main) for tool in tools}
    left_out += [
        f"The document is not at {server}, which it says to ask, so that is asked only where it "
        f"is public. If you know that it is yours: --server {server}"
        for server in dict.fromkeys((servers.main, *asked.values()))
        if is_local and not servers.is_near(server)
    ]
    if secrets:
        main = place_of(servers.main)
        others = Counter(str(place_of(at)) for at in asked.values() if place_of(at) != main)
        left_out += [
            f"No secret goes to {place}, where {count} operation{'s are' if count > 1 else ' is'} "
            f"asked: they are for {main} alone."
            for place, count in others.items()
        ]
        own = [tool for tool in tools if place_of(asked[tool.name]) == main]
        left_out += keys.unused(tool.call["security"] for tool in own)
    about = document.mapping(document.root.get("info"))
    said = (str(about.get(part) or "") for part in ("title", "description"))
    return Source(
        name,
        "openapi",
        # What stands behind a question mark may be a key.
        address.partition("?")[0] if folder is None else str(Path(address).resolve()),
        shortened(". ".join(filter(None, said))),
        tools,
        dict(secrets),
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


class _Read(NamedTuple):
    """An operation of a document as it was read."""

    operation: Operation
    told: Mapping[str, Any]
    taken: Taken
    server: str


def _read_all(document: Document, keys: Keys, servers: Servers) -> tuple[list[_Read], list[str]]:
    """All operations, and a sentence about each that is no tool or not all of one.

    Raises what is wrong with the address where the document names none that can be asked.
    """
    schemas = Schemas(document)
    arguments, answers = Arguments(document, schemas, keys), Answers(document, schemas)
    read: list[_Read] = []
    left_out: list[str] = []
    names: set[str] = set()
    fault: Unreadable | ToolError | None = None

    def leave_out(where: str, why: object) -> None:
        left_out.append("".join(filter(str.isprintable, f"{where[:110]}: {why}")))

    for path, method, item, told in _operations(document, leave_out):
        if len(read) == MOST_OPERATIONS:
            left_out.append(f"Only the first {MOST_OPERATIONS:,} operations are tools.")
            break
        name, where = unique(_name(told, method, path), names), f"{method.upper()} {path}"
        try:
            server = servers.of(item, told)
        except (Unreadable, ToolError) as error:
            fault = fault or error
            leave_out(where, error)
            continue
        try:
            if not NAME.fullmatch(name):
                raise Unreadable("its name has no letters")
            taken = arguments.of(method, path, item, told)
            operation = answers.operation(name, method, path, told, taken.wanted)
        except Unreadable as error:
            leave_out(where, error)
            continue
        names.add(name)
        read.append(_Read(operation, told, taken, server))
        if taken.is_part:
            most = len(taken.arguments)
            said = f"only {most} of its values can be given, the first of the optional ones"
            leave_out(where, said)
    fault = fault or servers.fault
    if not read and fault is not None:
        raise fault
    return read, left_out


def _operations(
    document: Document, leave_out: Callable[[str, object], None]
) -> Iterator[tuple[str, str, Mapping[str, Any], Mapping[str, Any]]]:
    """Path, method, the path's item and what is told of each operation."""
    for path, value in document.root["paths"].items():
        try:
            item = document.mapping(value)
        except Unreadable as error:
            leave_out(path, error)
            continue
        for method in METHODS:
            if path.startswith("/") and isinstance(item.get(method), Mapping):
                yield path, method, item, item[method]


def _name(told: Mapping[str, Any], method: str, path: str) -> str:
    given = str(told.get("operationId") or "")
    # FastAPI appends path and method to every function's name.
    generated = re.sub(r"\W", "_", f"{path}_{method}")
    return plain(given.removesuffix(generated) or given or f"{method} {path}", method)


def _tool(
    one: _Read,
    servers: Servers,
    returned: Mapping[str, Inferred],
    taken: Mapping[tuple[str, str], Inferred],
) -> ForeignTool:
    operation, told = one.operation, one.told
    result = returned.get(operation.name) or result_type(operation)
    reasons = [result.to_json("result")]
    about = f"{operation.name} {told.get('summary')} {told.get('description')} {operation.path}"
    typed = typed_arguments(operation, one.taken.arguments, taken, about, reasons)
    summary, description = (str(told.get(part) or "") for part in ("summary", "description"))
    call: dict[str, Any] = {
        "method": operation.method.upper(),
        "path": operation.path,
        "body": one.taken.body,
        "take": list(result.take),
        "security": one.taken.security,
        "reasons": reasons,
    }
    if one.server != servers.main:
        call |= {"server": one.server, "is_local": servers.is_near(one.server)}
    return ForeignTool(
        operation.name,
        first_words(summary, description, operation.name),
        typed,
        result.type,
        acts_outside=acts_outside(operation),
        call=call,
    )
