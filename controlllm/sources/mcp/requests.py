"""What is asked of MCP servers: which tools there are, and to call one; waited for by who asks.

The requests are made in the event loop of the connections. Who asks waits in a thread of theirs and
looks all the time whether the person has stopped the run.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import hashlib
import json
import time
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from controlllm.sources.mcp.connections import Connection, call_answers, connection_to, loop, used
from controlllm.sources.mcp.faults import Fault
from controlllm.sources.naming import shortened
from controlllm.sources.source import Source
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
    return _waited_for(_listed(source), source, context, SECONDS_TO_OPEN)


def called(source: Source, wanted: Wanted, context: Context) -> mcp_types.CallToolResult:
    """What a server's tool answers, which may be that it failed.

    Raises ToolError, after which the tool has done nothing unless a ConnectionError or a
    TimeoutError is its cause; then nobody knows.
    """
    news: list[tuple[float, str]] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        news[:] = [(progress / total if total else 0.5, message or "")]

    work = _called(source, wanted, tell)
    return _waited_for(work, source, context, SECONDS_OF_A_CALL, news, wanted.acts_outside)


def fingerprint(tool: mcp_types.Tool) -> str:
    """Changes when what a tool promises does."""
    annotations = tool.annotations.model_dump(mode="json") if tool.annotations else {}
    told = [tool.name, tool.description, tool.input_schema, tool.output_schema, annotations]
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()[:16]


class _Retired(Exception):
    """A connection is no longer to be used, and nothing has been called over it yet."""


async def _tools(connection: Connection) -> list[mcp_types.Tool]:
    """All tools that a server lists; raises Fault where they have no end, _Retired."""
    client = await asyncio.shield(connection.opened)
    work = asyncio.ensure_future(_all_tools(connection, client))
    try:
        # A server that somebody else has left hanging would be waited for in vain.
        ends: tuple[asyncio.Future[Any], ...] = (work, connection.over)
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            return work.result()
        raise connection.error or _Retired
    finally:
        work.cancel()


async def _all_tools(connection: Connection, client: mcp.Client) -> list[mcp_types.Tool]:
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
        f"{connection.source.name} offers more than {MOST_TOOLS:,} tools, too many to be added.",
        Code.ERROR,
    )


async def _offered(source: Source) -> tuple[Connection, list[mcp_types.Tool]]:
    """A connection that works, and what is offered over it; raises Fault."""
    call_answers.set([])
    connection = await connection_to(source)
    # A program that was kept may have ended meanwhile; nothing has been called yet.
    tries = 2 if connection.opened.done() else 1
    while tries:
        try:
            async with used(connection):
                return connection, await _tools(connection)
        except _Retired:
            pass
        except Exception as error:
            tries -= 1
            found = await connection.fault(error, False, False)
        if tries:
            connection = await connection_to(source)
    raise found


async def _listed(source: Source) -> list[mcp_types.Tool]:
    return (await _offered(source))[1]


async def _called(source: Source, wanted: Wanted, tell: Any) -> mcp_types.CallToolResult:
    connection, tools = await _offered(source)
    if wanted.fingerprint not in map(fingerprint, tools):
        raise Fault(
            f"{source.name} has changed {wanted.name}, or no longer has it. Add the source "
            "again to use it as it is now.",
            Code.NOT_FOUND,
        )
    try:
        async with used(connection):
            client = await asyncio.shield(connection.opened)
            return await client.call_tool(
                wanted.name, dict(wanted.arguments), progress_callback=tell
            )
    except Exception as error:
        found = await connection.fault(error, True, wanted.acts_outside)
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
