"""Calls of MCP tools: what goes to a server, and what comes back as a value of the tool's type.

The requests are made in the event loop of the connections. Who asks waits in a thread of theirs and
looks all the time whether the person has stopped the run.
"""

from __future__ import annotations

import asyncio
import base64
import concurrent.futures
import hashlib
import json
import time
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from controlllm.resources.well_formed import json_from_outside
from controlllm.sources.mcp.connections import Fault, call_answers, loop, used
from controlllm.sources.naming import quoted, shortened
from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from controlllm.sources.wire import after_acting, as_value, bad_input, file_of, sent, taken
from controlllm.toolbox import Code, Context, ToolError

if TYPE_CHECKING:
    import mcp
    from mcp import types as mcp_types

_T = TypeVar("_T")

SECONDS_TO_OPEN = 30.0
SECONDS_OF_A_CALL = 300.0
MOST_TOOLS = 2000
_MOST_PAGES = 100
_SECONDS_BETWEEN_LOOKS = 0.05


@dataclass(frozen=True)
class Wanted:
    """A call of a server's tool: its name there, what it was when it was added (`fingerprint`), and
    whether it may do what cannot be taken back."""

    name: str
    fingerprint: str
    arguments: Mapping[str, Any]
    acts_outside: bool = True


def tools_of(source: Source, context: Context) -> list[mcp_types.Tool]:
    """What a server offers now; raises ToolError."""
    work = _done(source, None, None)
    return _waited_for(work, source, context, SECONDS_TO_OPEN)[0]


def called(source: Source, wanted: Wanted, context: Context) -> mcp_types.CallToolResult:
    """What a server's tool answers, which may be that it failed.

    Raises ToolError, after which the tool has done nothing unless a ConnectionError or a
    TimeoutError is its cause; then nobody knows.
    """
    news: list[tuple[float, str]] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        news[:] = [(progress / total if total else 0.5, message or "")]

    work = _done(source, wanted, tell)
    acts = wanted.acts_outside
    _, answer = _waited_for(work, source, context, SECONDS_OF_A_CALL, news, acts)
    assert answer is not None
    return answer


def fingerprint(tool: mcp_types.Tool) -> str:
    """Changes when what a tool promises does."""
    annotations = tool.annotations.model_dump(mode="json") if tool.annotations else {}
    told = [tool.name, tool.description, tool.input_schema, tool.output_schema, annotations]
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()[:16]


async def _all_tools(source: Source, client: mcp.Client) -> list[mcp_types.Tool]:
    """All tools that a server lists; raises Fault where they have no end."""
    found: list[mcp_types.Tool] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.next_cursor
        if cursor is None and len(found) <= MOST_TOOLS:
            return found
        if len(found) > MOST_TOOLS:
            break
    raise Fault(
        f"{source.name} offers more than {MOST_TOOLS:,} tools, too many to be added.", Code.ERROR
    )


async def _done(
    source: Source, wanted: Wanted | None, tell: Any
) -> tuple[list[mcp_types.Tool], mcp_types.CallToolResult | None]:
    """What is offered, and what a call comes to where one is wanted; raises Fault."""
    acts = wanted is not None and wanted.acts_outside
    for is_new in (False, True):
        call_answers.set([])
        is_sent = was_kept = False
        try:
            async with used(source, is_new) as connection:
                was_kept = connection.opened.done()
                client = await asyncio.shield(connection.opened)
                tools = await _all_tools(source, client)
                if wanted is None:
                    return tools, None
                if wanted.fingerprint not in map(fingerprint, tools):
                    raise Fault(
                        f"{source.name} has changed {wanted.name}, or no longer has it. Add the "
                        "source again to use it as it is now.",
                        Code.NOT_FOUND,
                    )
                is_sent = True
                return tools, await client.call_tool(
                    wanted.name, dict(wanted.arguments), progress_callback=tell
                )
        except Fault:
            raise
        except Exception as error:
            found = await connection.fault(error, is_sent, acts)
        # A program that was kept may have ended meanwhile; nothing has been called yet.
        if is_sent or not was_kept:
            break
    raise found


def _waited_for(
    work: Coroutine[Any, Any, _T],
    source: Source,
    context: Context,
    seconds: float,
    news: Sequence[tuple[float, str]] = (),
    acts_outside: bool = False,
) -> _T:
    """What a coroutine of the loop returns, while it is looked whether the run goes on.

    `news` holds the last that was told of how far it is.
    """
    told: tuple[float, str] | None = None
    # Before the work begins: it may be under way before this thread goes on.
    until = time.monotonic() + seconds
    future = asyncio.run_coroutine_threadsafe(work, loop())
    is_late = False
    try:
        while not concurrent.futures.wait([future], _SECONDS_BETWEEN_LOOKS).done:
            if news and news[-1] is not told:
                told = news[-1]
                context.progress(told[0], shortened(told[1], 100))
            context.check()
            is_late = time.monotonic() > until
            if is_late:
                break
    except BaseException:
        future.cancel()
        raise
    if is_late:
        future.cancel()
        failed = Fault(
            # To ask once more what only reads would take as long again.
            f"{source.name} did not answer within {seconds:.0f} seconds.",
            Code.TIMED_OUT,
            acts_outside,
        )
        cause: Exception = TimeoutError()
    else:
        found = future.exception()
        if found is None:
            return future.result()
        if not isinstance(found, Fault):
            raise found
        failed, cause = found, ConnectionError()
    # Only a cause of this kind tells the engine that nobody knows what the call has done.
    raise ToolError(str(failed), failed.code) from (cause if failed.may_have_acted else None)


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
