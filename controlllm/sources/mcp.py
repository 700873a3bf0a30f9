"""What an MCP server offers, as a source: its tools listed, with types for what they take and make.

Nothing that a server says of itself is believed further than it has to be: names are made plain,
descriptions bounded, and a tool acts outside unless its server says that it only reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from controlllm.sources.mcp_connections import fingerprint, is_program, tools_of
from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from controlllm.sources.untrusted import name_of, plain
from controlllm.toolbox import Context, ToolError

if TYPE_CHECKING:
    import mcp_types

_MOST_DESCRIBED = 1000
_MOST_ARGUMENTS = 40
#: Names of arguments that mean something to who calls a tool here.
_KEPT_NAMES = frozenset({"context", "source", "foreign"})
_MEDIA = {
    "image": r"image|picture|photo|png|jpe?g|screenshot|chart|plot|drawing",
    "audio": r"audio|sound|recording|speech|wav|mp3|music",
    "video": r"video|clip|film|mp4|animation",
}
_GIVES = re.compile(
    r"\b(?:return|give|make|generate|create|draw|render|produce|take|capture|fetch|show)(?:s|es)?\b"
    r"[^.]{0,60}?\b(?:(?P<image>images?|pictures?|photos?|screenshots?|charts?|plots?|drawings?)"
    r"|(?P<audio>audio|sounds?|recordings?|music)|(?P<video>videos?|clips?|animations?))\b"
)


def described(
    address: str,
    name: str,
    *,
    is_local: bool = False,
    secrets: Mapping[str, str] | None = None,
    **options: Any,
) -> Source:
    """The source that an MCP server is, with all its tools.

    Parameters
    ----------
    address: an URL for streamable HTTP, or the command of a program that speaks over its standard
        streams. A program is started only with the option ``starts_program=True``, which is for
        who operates this alone; ``folder`` is where it is started.
    is_local: whether it may lie on this machine or its network.
    secrets: the names of secrets: for a server on the network by the header that each is for
        (``bearer`` for a key in ``Authorization``), for a program by its environment variable.

    Raises ToolError with a sentence where it cannot be reached or does not speak the protocol.
    """
    kept = {**options, "is_local": is_local}
    source = Source(name, "mcp", address.strip(), secrets=dict(secrets or {}), options=kept)
    listed = tools_of(source, Context())
    if not listed:
        raise ToolError(f"{name} offers no tools.")
    what = "A program" if is_program(source.address) else "A server"
    described = f"{what} that speaks the Model Context Protocol."
    return replace(source, description=described, tools=foreign_tools(name, listed))


def foreign_tools(source: str, listed: Iterable[mcp_types.Tool]) -> tuple[ForeignTool, ...]:
    """The tools that a server lists, as they are kept."""
    listed = list(listed)
    entities = _entities(listed)
    used: set[str] = set()
    tools: dict[str, ForeignTool] = {}
    for tool in listed:
        arguments = _arguments(source, tool, entities, used)
        if arguments is None:
            continue
        name = name_of(tool.name, tools, "tool")
        returns, call = _returned(tool)
        annotations = tool.annotations
        tools[name] = ForeignTool(
            name,
            plain(tool.description or tool.title or tool.name, _MOST_DESCRIBED),
            arguments,
            returns,
            acts_outside=annotations is None or annotations.read_only_hint is not True,
            call={"name": tool.name, "fingerprint": fingerprint(tool), **call},
        )
    return tuple(_with_entity(source, tool, entities, used) for tool in tools.values())


def _with_entity(
    source: str, tool: ForeignTool, entities: Mapping[str, tuple[str, str]], used: set[str]
) -> ForeignTool:
    """The tool with the entity that it makes as its type, where another tool takes that."""
    made = [entity for entity, (maker, _) in entities.items() if maker == tool.call["name"]]
    taken = [entity for entity in made if entity in used]
    return replace(tool, returns=f"{source}.{taken[0]}") if taken else tool


def _entities(listed: Iterable[mcp_types.Tool]) -> dict[str, tuple[str, str]]:
    """Things that tools make: by their names, the tool and what tells one from another."""
    found: dict[str, tuple[str, str]] = {}
    for tool in listed:
        schema = _plain_schema(tool.output_schema or {}, tool.output_schema or {})
        properties = schema.get("properties")
        if not isinstance(properties, Mapping) or set(properties) == {"result"}:
            continue
        title = name_of(schema.get("title") or "", (), "thing")
        for part in properties:
            if title != "thing" and part in ("id", f"{title}_id", f"{title}Id"):
                found.setdefault(title, (tool.name, str(part)))
    return found


def _arguments(
    source: str,
    tool: mcp_types.Tool,
    entities: Mapping[str, tuple[str, str]],
    used: set[str],
) -> tuple[ForeignArgument, ...] | None:
    """What a tool takes; None where it wants more than can be given."""
    root = tool.input_schema
    properties = root.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    wanted = root.get("required")
    wanted = (
        {item for item in wanted if isinstance(item, str)} if isinstance(wanted, list) else set()
    )
    if len(wanted) > _MOST_ARGUMENTS:
        return None
    found: dict[str, ForeignArgument] = {}
    for own, given in sorted(properties.items(), key=lambda item: item[0] not in wanted):
        schema = _plain_schema(given, root)
        is_wanted = own in wanted
        kind = schema.get("type")
        default = schema.get("default")
        if isinstance(default, str):
            default = plain(default, _MOST_DESCRIBED)
        has_default = isinstance(default, str | int | float)
        if not is_wanted and not has_default and kind not in ("string", "number", "integer"):
            continue
        if len(found) >= _MOST_ARGUMENTS:
            break
        name = name_of(own, {*found, *_KEPT_NAMES}, "argument")
        said = plain(schema.get("description") or "", _MOST_DESCRIBED)
        call: dict[str, Any] = {"name": own, "type": kind if isinstance(kind, str) else ""}
        type_name, part = "text", ""
        media = media_of(own, schema)
        entity = re.sub(r"_?(?:id|key|code|number)$", "", name)
        if media is not None:
            type_name, is_url = media
            call["is_url"] = is_url
        elif entity != name and entity in entities and entities[entity][0] != tool.name:
            type_name, part = f"{source}.{entity}", entities[entity][1]
            used.add(entity)
        elif kind in ("number", "integer"):
            type_name = "number"
        elif kind == "array":
            items = schema.get("items")
            items = _plain_schema(items, root) if isinstance(items, Mapping) else {}
            call["items"] = items.get("type", "") if isinstance(items.get("type"), str) else ""
            inner = media_of(own, items)
            if inner is not None:
                type_name, call["is_url"] = inner
        found[name] = ForeignArgument(
            name,
            type_name,
            said,
            is_wanted,
            many=kind == "array" and type_name != "text",
            default=None if is_wanted or not has_default else default,
            part=part,
            call=call,
        )
    return tuple(found.values())


def _returned(tool: mcp_types.Tool) -> tuple[str, dict[str, Any]]:
    """The type of what a tool gives, and where in its structured output that lies."""
    root = tool.output_schema
    if root is None:
        told = _GIVES.search(
            f"{tool.name.replace('_', ' ')}. {tool.description or ''}".lower()[:2000]
        )
        return (told.lastgroup or "text") if told else "text", {}
    schema = _plain_schema(root, root)
    properties = schema.get("properties")
    if isinstance(properties, Mapping) and set(properties) == {"result"}:
        inner = _plain_schema(properties["result"], root)
        media = media_of(tool.name, inner)
        if media is not None:
            return media[0], {"result": "result"}
        kind = "number" if inner.get("type") in ("number", "integer") else "text"
        return kind, {"result": "result"}
    return "text", {}


def media_of(name: str, schema: Mapping[str, Any]) -> tuple[str, bool] | None:
    """The kind of file that a text of a schema stands for, and whether as a data URL; else None."""
    if schema.get("type", "string") != "string":
        return None
    media_type = str(schema.get("contentMediaType", ""))
    told = f"{name} {schema.get('title', '')} {schema.get('description', '')}".lower()[:2000]
    form = str(schema.get("format", ""))
    is_url = "data-ur" in form or re.search(r"data[ -]?ur[il]", told) is not None
    is_data = (
        is_url
        or schema.get("contentEncoding") == "base64"
        or form in ("byte", "binary", "base64")
        or "base64" in told
    )
    for kind, words in _MEDIA.items():
        if media_type.startswith(f"{kind}/"):
            return kind, is_url
        if is_data and not media_type and re.search(rf"(?:\b|_)(?:{words})s?(?:\b|_)", told):
            return kind, is_url
    return None


def _plain_schema(schema: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema without a reference or a choice of nothing around it."""
    for _ in range(8):
        if not isinstance(schema, Mapping):
            return {}
        reference = schema.get("$ref")
        if isinstance(reference, str):
            target: Any = root
            for step in reference.removeprefix("#/").split("/"):
                target = target.get(step) if isinstance(target, Mapping) else None
            schema = target
            continue
        choices = schema.get("anyOf") or schema.get("oneOf")
        kinds = schema.get("type")
        if isinstance(kinds, list):
            schema = {**schema, "type": next((kind for kind in kinds if kind != "null"), "")}
        elif isinstance(choices, list) and choices:
            said = {name: value for name, value in schema.items() if name not in ("anyOf", "oneOf")}
            some = [item for item in choices if isinstance(item, Mapping)]
            some = [item for item in some if item.get("type") != "null"]
            if not some:
                return said
            schema = {**some[0], **said}
        else:
            return schema
    return schema if isinstance(schema, Mapping) else {}
