"""What an MCP server offers, as a source: its tools listed, with types for what they take and make.

Nothing that a server says of itself is believed further than it has to be: names are made plain,
descriptions bounded, and a tool acts outside unless its server says that it only reads and its name
does not say otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from controlllm.sources.documents import Document, Unreadable
from controlllm.sources.entities import entities
from controlllm.sources.inference import (
    Inferred,
    Operation,
    Wanted,
    acts_outside,
    entity_of,
    list_in,
    result_type,
    typed_arguments,
)
from controlllm.sources.mcp.calls import fingerprint, tools_of
from controlllm.sources.mcp.connections import is_program
from controlllm.sources.naming import (
    MOST_ALLOWED,
    MOST_ARGUMENTS,
    MOST_OF_ARGUMENT,
    first_words,
    plain,
    shortened,
    unique,
    with_allowed,
)
from controlllm.sources.schemas import Schema, Schemas
from controlllm.sources.source import ADDRESS_ALONE, Adding, ForeignArgument, ForeignTool, Source
from controlllm.toolbox import Context, ToolError

if TYPE_CHECKING:
    from mcp import types as mcp_types

#: The only types that are filled in where a tool does not require them and names no default.
_WORTH_FILLING = ("string", "number", "integer")
#: What a tool without a schema of its result may say that it gives.
_GIVES = re.compile(
    r"\b(?:return|give|make|generate|create|draw|render|produce|take|capture|fetch|show)(?:s|es)?\b"
    r"[^.]{0,60}?\b(?:(?P<image>images?|pictures?|photos?|screenshots?|charts?|plots?|drawings?)"
    r"|(?P<audio>audio|sounds?|recordings?|music)|(?P<video>videos?|clips?|animations?))\b"
)
_DATA_URL = re.compile(r"data[ -]?ur[il]")


def described(address: str, name: str, adding: Adding = ADDRESS_ALONE) -> Source:
    """The source that an MCP server is, with all its tools.

    `address` is an URL for streamable HTTP, or the command of a program that speaks over its
    standard streams. Secrets are for a server on the network by the header that each is for, or
    ``bearer``; for a program by the variable of its environment.

    Raises ToolError with a sentence where it cannot be reached or does not speak the protocol.
    """
    options: dict[str, Any] = {"is_local": adding.is_local}
    if adding.command:
        options["command"] = True
    what = "A program" if is_program(address) else "A server"
    about = f"{what} that speaks the Model Context Protocol."
    secrets = dict(adding.secrets)
    source = Source(name, "mcp", address, about, (), secrets, options, adding.home)
    tools, left_out = foreign_tools(name, tools_of(source, Context()))
    if not tools:
        raise ToolError(f"{name} offers no tools that can be used.")
    if adding.reads:
        tools = tuple(replace(tool, acts_outside=False) for tool in tools)
    return replace(source, tools=tools, options={**options, "left_out": left_out})


def foreign_tools(
    source: str, listed: Sequence[mcp_types.Tool]
) -> tuple[tuple[ForeignTool, ...], list[str]]:
    """The tools that a server lists, as they are kept, and a sentence about each that is none."""
    left_out: list[str] = []
    read: list[tuple[mcp_types.Tool, Operation, list[ForeignArgument]]] = []
    names: set[str] = set()
    for tool in listed:
        name = unique(plain(tool.name), names)
        try:
            arguments, wanted = _arguments(tool)
            operation = _operation(name, tool, wanted)
        except Unreadable as error:
            left_out.append(f"{shortened(tool.name, 60)}: {error}")
            continue
        names.add(name)
        read.append((tool, operation, arguments))
    returned, taken = entities([operation for _, operation, _ in read], source)
    return tuple(_tool(*item, returned, taken) for item in read), left_out


def _arguments(tool: mcp_types.Tool) -> tuple[list[ForeignArgument], list[Wanted]]:
    """What a tool takes; raises Unreadable where that cannot be given."""
    schemas = Schemas(Document(tool.input_schema))
    root = schemas.read(tool.input_schema)
    if len(root.required) > MOST_ARGUMENTS:
        raise Unreadable(f"it needs more than {MOST_ARGUMENTS} values")
    found: dict[str, ForeignArgument] = {}
    wanted: list[Wanted] = []
    for own, value in sorted(
        root.properties.items(), key=lambda item: item[0] not in root.required
    ):
        is_required = own in root.required
        try:
            schema = schemas.read(value)
        except Unreadable:
            if is_required:
                raise
            continue
        default = schema.default if isinstance(schema.default, str | int | float) else None
        if not is_required and default is None and schema.type not in _WORTH_FILLING:
            continue
        if len(found) == MOST_ARGUMENTS:
            break
        name = unique(plain(own, "value"), found)
        call = _shape(own, schema)
        if schema.type == "array":
            items = schemas.read(schema.items)
            call["items"] = items.type
            if items.enum and "enum" not in call:
                call["enum"] = list(items.enum[:MOST_ALLOWED])
        said = with_allowed(shortened(schema.description, MOST_OF_ARGUMENT), call.get("enum") or ())
        if "data_url" in call or "base64" in call:
            schema = replace(schema, is_base64=True)
        default = None if is_required else default
        found[name] = ForeignArgument(name, "text", said, is_required, False, default, "", call)
        wanted.append(Wanted(name, own, "argument", schema, is_required))
    return list(found.values()), wanted


def _shape(own: str, schema: Schema) -> dict[str, Any]:
    """What is kept of an argument's schema, to write a value as its tool wants it."""
    shape: dict[str, Any] = {"name": own, "type": schema.type}
    if schema.enum:
        shape["enum"] = list(schema.enum[:MOST_ALLOWED])
    if schema.limits:
        shape["limits"] = dict(schema.limits)
    if schema.examples and isinstance(schema.examples[0], str | int | float):
        shape["example"] = schema.examples[0]
    if schema.type == "string":
        told = f"{schema.title} {schema.description}".lower()[:2000]
        if _DATA_URL.search(told) or schema.format.startswith("data-ur"):
            shape["data_url"] = True
        elif schema.is_base64 or "base64" in told:
            shape["base64"] = True
    return shape


def _says_that_it_reads(tool: mcp_types.Tool) -> bool:
    """Whether a tool's annotations say that it only reads, and do not say the contrary too."""
    told = tool.annotations
    return told is not None and told.read_only_hint is True and told.destructive_hint is not True


def _operation(name: str, tool: mcp_types.Tool, wanted: list[Wanted]) -> Operation:
    """A tool as types are told from it; raises Unreadable for a schema that cannot be read."""
    method = "get" if _says_that_it_reads(tool) else "post"
    root = tool.output_schema
    if root is None:
        return Operation(name, method, f"/{name}", tuple(wanted))
    schemas = Schemas(Document(root))
    schema = schemas.read(root)
    take: tuple[str | int, ...] = ()
    if set(schema.properties) == {"result"}:
        # What is no object by itself is wrapped in one.
        schema, take = schemas.read(schema.properties["result"]), ("result",)
    fields = {str(key): schemas.read(value) for key, value in schema.properties.items()}
    inner, way = schema, take
    if schema.type == "object" and (held := list_in(fields)):
        inner, way = fields[held], (*take, held)
    if inner.type == "array":
        inner, way = schemas.read(inner.items), (*way, 0)
        fields = {str(key): schemas.read(value) for key, value in inner.properties.items()}
    entity = ""
    if inner.type == "object" and fields:
        entity = entity_of(inner.name or inner.title, "")
    return Operation(
        name, method, f"/{name}", tuple(wanted), "application/json", schema, fields, way, entity
    )


def _tool(
    tool: mcp_types.Tool,
    operation: Operation,
    arguments: list[ForeignArgument],
    returned: Mapping[str, Inferred],
    taken: Mapping[tuple[str, str], Inferred],
) -> ForeignTool:
    result = returned.get(operation.name) or _result(tool, operation)
    reasons = [result.to_json("result")]
    about = f"{operation.name} {tool.description or ''}"
    typed = typed_arguments(operation, arguments, taken, about, reasons)
    return ForeignTool(
        operation.name,
        first_words(tool.title or "", tool.description or "", operation.name),
        typed,
        result.type,
        # The hint is the server's own word: a name that betrays an act counts more, as it does
        # for an operation that is only got.
        acts_outside=not _says_that_it_reads(tool) or acts_outside(operation),
        call={
            "name": tool.name,
            "fingerprint": fingerprint(tool),
            "take": list(result.take),
            "reasons": reasons,
        },
    )


def _result(tool: mcp_types.Tool, operation: Operation) -> Inferred:
    """The type of a tool's result, entities aside."""
    if operation.result is not None:
        found = result_type(operation)
        wrapped = operation.take[:1] if operation.take[:1] == ("result",) else ()
        return found if found.take else replace(found, take=wrapped)
    words = f"{tool.name.replace('_', ' ')}. {tool.description or ''}".lower()[:2000]
    told = _GIVES.search(words)
    if told is not None and told.lastgroup:
        return Inferred(told.lastgroup, f"Its description says {told[told.lastgroup]}.", 0.6)
    return Inferred("text", "Nothing says what it gives, so it is taken as text.", 0.6)
