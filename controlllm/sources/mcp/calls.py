"""Calls of MCP tools: what goes to a server, and what comes back as a value of the tool's type."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from controlllm.resources.well_formed import json_from_outside
from controlllm.sources.mcp.requests import Wanted, called
from controlllm.sources.naming import quoted
from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from controlllm.sources.wire import after_acting, as_value, bad_input, file_of, sent, taken
from controlllm.toolbox import Code, Context, ToolError

if TYPE_CHECKING:
    from mcp import types as mcp_types

_MEDIA = ("image", "audio", "video")
#: The most bytes of the files that are sent in a call.
MOST_SENT = 32 * 1024 * 1024
#: Words by which a tool says what kind of failure it is, for there is no other way in MCP. They are
#: no more than words: of what acts outside they do not say that nothing was done.
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
    name, known = str(tool.call["name"]), str(tool.call["fingerprint"])
    wanted = Wanted(name, known, arguments, tool.acts_outside)
    answer = called(source, wanted, context)
    if answer.is_error:
        said = " ".join(_words(answer))[:5000]
        code = Code.ERROR if tool.acts_outside else _code_of(said)
        with after_acting(tool):
            raise ToolError(f"{source.name} could not do it: {quoted(said)}", code)
    with after_acting(tool):
        return as_value(tool.returns, _found(source, tool, answer), source.name, context)


def _code_of(said: str) -> Code:
    low = said.lower()
    found = (code for code, words in _TOLD.items() if any(word in low for word in words))
    return next(found, Code.ERROR)


def _sent(source: Source, argument: ForeignArgument, value: Any) -> Any:
    """What a server gets for an argument."""
    if argument.many:
        return [_sent(source, _one(argument), item) for item in value]
    if argument.type in _MEDIA:
        _, content, media_type = file_of(argument, value)
        if len(content) > MOST_SENT:
            raise bad_input(argument, f"has more than the {MOST_SENT >> 20} MB that can be sent")
        told = base64.b64encode(content).decode()
        return f"data:{media_type};base64,{told}" if argument.call.get("data_url") else told
    if not argument.call.get("type") and isinstance(value, str) and not argument.part:
        # Anything may be given, so what is JSON is given as that.
        return _json_or(value, value)
    return sent(argument, value)


def _one(argument: ForeignArgument) -> ForeignArgument:
    call = {**argument.call, "type": argument.call.get("items", "")}
    return replace(argument, many=False, call=call)


def _json_or(text: str, otherwise: Any) -> Any:
    try:
        return json_from_outside(text)
    except (ValueError, RecursionError):
        return otherwise


def _found(source: Source, tool: ForeignTool, answer: mcp_types.CallToolResult) -> Any:
    """What an answer holds for the tool's type: a file in base64, a text, or JSON."""
    who, structured = source.name, answer.structured_content
    take = tool.call.get("take") or ()
    words = "\n".join(_words(answer))
    if tool.returns in _MEDIA:
        for content, media_type in _files(answer):
            if media_type.startswith(f"{tool.returns}/"):
                return content
        if structured is not None:
            return taken(structured, take, who)
        if words.startswith("data:"):
            return words
        raise ToolError(f"{who} sent no {tool.returns}, which {tool.name} was to make.")
    if structured is not None:
        return taken(structured, take, who)
    if words.strip():
        return words if tool.returns in ("text", "html", "number") else _json_or(words, words)
    if any(_files(answer)):
        raise ToolError(
            f"{who} sent a file where {tool.name} was to make {tool.returns}. Correct what it "
            "makes in the toolbox."
        )
    return "Done."


def _words(answer: mcp_types.CallToolResult) -> Iterator[str]:
    for block in answer.content:
        if block.type == "text":
            yield block.text
        elif block.type == "resource" and hasattr(block.resource, "text"):
            yield block.resource.text


def _files(answer: mcp_types.CallToolResult) -> Iterator[tuple[str, str]]:
    """The files in an answer, in base64, with the kind that each is said to be. No address is
    followed."""
    for block in answer.content:
        if block.type in ("image", "audio"):
            yield block.data, block.mime_type or ""
        elif block.type == "resource" and hasattr(block.resource, "blob"):
            yield block.resource.blob, block.resource.mime_type or ""
