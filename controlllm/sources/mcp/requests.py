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

from controlllm.sources.mcp.connections import call_answers, loop, used
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
