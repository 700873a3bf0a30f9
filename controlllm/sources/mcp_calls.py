"""Calls of MCP tools: what goes to a server, and what comes back as a value of the tool's type."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from controlllm.sources.exchanged import (
    file_of,
    file_value,
    json_text,
    kind_of,
    number_value,
    part_of,
    plain_input,
    text_value,
)
from controlllm.sources.mcp_connections import Wanted, called
from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from controlllm.sources.untrusted import quoted
from controlllm.toolbox import Code, Context, ToolError

if TYPE_CHECKING:
    import mcp_types

#: Words by which a tool says what kind of failure it is, for there is no other way in MCP.
_TOLD = {
    Code.RATE_LIMITED: ("rate limit", "too many requests"),
    Code.UNAUTHORISED: ("unauthori", "api key", "permission denied", "forbidden"),
    Code.NOT_FOUND: ("not found", "there is no ", "does not exist", "no such"),
    Code.BAD_INPUT: ("validation error", "invalid", "is required", "must be "),
}


def call(source: Source, tool: ForeignTool, inputs: Mapping[str, Any], context: Context) -> Any:
    """A value of the tool's return type out of a server's answer.

    Raises ToolError with a code where the server cannot be asked, refuses, or answers something
    else.
    """
    arguments = {
        str(argument.call["name"]): _sent(source, argument, inputs[argument.name])
        for argument in tool.arguments
        if inputs.get(argument.name) is not None and inputs[argument.name] != []
    }
    wanted = Wanted(str(tool.call["name"]), str(tool.call["fingerprint"]), arguments)
    answer = called(source, wanted, context)
    if answer.is_error:
        said = " ".join(block.text for block in answer.content[:20] if block.type == "text")
        raise ToolError(f"{source.name} could not do it: {quoted(said)}", _code_of(said))
    return _value(source, tool, answer, context)


def _code_of(said: str) -> Code:
    low = said[:2000].lower()
    found = (code for code, words in _TOLD.items() if any(word in low for word in words))
    return next(found, Code.ERROR)


def _sent(source: Source, argument: ForeignArgument, value: Any) -> Any:
    """What a server gets for an argument."""
    if argument.many:
        return [_sent_one(source, argument, item, argument.call.get("items")) for item in value]
    return _sent_one(source, argument, value, argument.call.get("type"))


def _sent_one(source: Source, argument: ForeignArgument, value: Any, kind: Any) -> Any:
    if kind_of(argument.type) != "text":
        content, media_type = file_of(value, source.name)
        told = base64.b64encode(content).decode()
        return f"data:{media_type};base64,{told}" if argument.call.get("is_url") else told
    if argument.part:
        return part_of(value, argument.part)
    if isinstance(value, bool):
        return value
    if kind == "number":
        return float(value)
    if kind == "integer":
        return int(value)
    text = plain_input(value, argument.type)
    if kind == "boolean":
        return text.strip().lower() in ("true", "yes", "on", "1")
    if kind == "array":
        return _items(text, argument.call.get("items"))
    if kind in ("object", ""):
        return _json_or(text, text)
    return text


def _items(text: str, kind: Any) -> list[Any]:
    """The items in a text: a list of JSON, or words between commas or line ends."""
    found = _json_or(text, None)
    if isinstance(found, list):
        return found
    words = [word.strip() for word in text.replace("\n", ",").split(",") if word.strip()]
    if kind in ("number", "integer", "object", "boolean"):
        return [_json_or(word, word) for word in words]
    return words


def _json_or(text: str, otherwise: Any) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return otherwise


def _value(
    source: Source, tool: ForeignTool, answer: mcp_types.CallToolResult, context: Context
) -> Any:
    who = source.name
    structured = answer.structured_content
    if "result" in tool.call and isinstance(structured, Mapping):
        structured = structured.get("result")
    kind = kind_of(tool.returns)
    if kind != "text":
        for content, media_type in _files(answer, structured):
            if media_type.startswith(f"{kind}/") or not media_type:
                return file_value(kind, content, media_type, who, context)
        raise ToolError(f"{who} sent no {kind}, which {tool.name} was to make.")
    words = "\n".join(_words(answer))
    if tool.returns == "number":
        return number_value(words if structured is None else structured, who)
    if "." in tool.returns:
        found = _json_or(words, None) if structured is None else structured
        if not isinstance(found, Mapping):
            raise ToolError(f"{who} did not send what {tool.name} was to find.")
        return json_text(found, who)
    if words.strip() and not isinstance(structured, Mapping | list):
        return text_value(words)
    if structured is not None:
        return text_value(structured if isinstance(structured, str) else json_text(structured, who))
    if any(_files(answer, None)):
        raise ToolError(
            f"{who} sent a file where {tool.name} was to make a text. Correct what it makes in the "
            "toolbox."
        )
    raise ToolError(f"{who} sent nothing.")


def _words(answer: mcp_types.CallToolResult) -> Iterator[str]:
    for block in answer.content:
        if block.type == "text":
            yield block.text
        elif block.type == "resource" and hasattr(block.resource, "text"):
            yield block.resource.text


def _files(answer: mcp_types.CallToolResult, structured: Any) -> Iterator[tuple[bytes, str]]:
    """The files in an answer with what kind each says that it is; no address is followed."""
    for block in answer.content:
        if block.type in ("image", "audio"):
            yield _bytes(block.data), block.mime_type or ""
        elif block.type == "resource" and hasattr(block.resource, "blob"):
            yield _bytes(block.resource.blob), block.resource.mime_type or ""
    texts = [structured] if isinstance(structured, str) else []
    texts += [block.text for block in answer.content if block.type == "text"]
    for text in texts:
        if text.startswith("data:"):
            head, _, tail = text.partition(",")
            yield _bytes(tail), head.removeprefix("data:").partition(";")[0]
    if isinstance(structured, str) and not structured.startswith("data:"):
        yield _bytes(structured), ""


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return b""
