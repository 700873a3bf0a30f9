"""Connections to MCP servers: opened when first needed, kept for later calls, ended when they fail.

To start a server's program takes a second or two, so a process keeps its connections open. All of
them live in one event loop in a thread of its own; who calls waits in theirs and looks all the time
whether the person has stopped the run.

Several people's calls share a connection. One that is stopped or late takes back its own request
(the SDK tells the server), and then the server is asked for a sign of life: without one nobody new
gets the connection, and it ends when the last who waits on it has gone.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import contextvars
import functools
import hashlib
import json
import logging
import os
import shlex
import shutil
import sys
import threading
import time
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from controlllm.sources.mcp.faults import Fault, fault, is_lost, is_refusal, lost, refusal, unread
from controlllm.sources.mcp.network import client_for
from controlllm.sources.naming import shortened
from controlllm.sources.secrets import secret
from controlllm.sources.source import Source
from controlllm.toolbox import Code, Context, ToolError

if TYPE_CHECKING:
    import mcp
    from mcp import types as mcp_types

_T = TypeVar("_T")

SECONDS_TO_OPEN = 30.0
SECONDS_OF_A_CALL = 300.0
#: How long a server has to show that it goes on after a request was taken back.
SECONDS_TO_COME_BACK = 3.0
#: A connection that nobody has used for so long is ended.
SECONDS_AT_REST = 300.0
#: The most that one message of a server may have, in bytes.
MOST_BYTES = 64 * 1024 * 1024
MOST_TOOLS = 2000
_MOST_PAGES = 100
_SECONDS_BETWEEN_LOOKS = 0.05
_SECONDS_BETWEEN_RESTS = 5.0
#: The statuses of the answers to one call, or why there is none, the last one last: the requests of
#: several calls go over one connection at the same time, and one's fault is not another's.
_answered: contextvars.ContextVar[list[int | Exception] | None] = contextvars.ContextVar(
    "answered", default=None
)


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


def is_program(address: str) -> bool:
    """Whether an address is the command of a program, not an URL."""
    return "://" not in address.split(" ", 1)[0]


@dataclass(eq=False)
class _Connection:
    """One connection; touched only in the loop."""

    source: Source
    opened: asyncio.Future[mcp.Client]
    #: Done when nobody new gets it.
    over: asyncio.Future[None]
    scope: Any = None
    task: asyncio.Task[None] | None = None
    #: Runs while it is looked whether the server goes on.
    looking: asyncio.Task[None] | None = None
    #: What a server on the network answered with last when it was opened.
    status: int = 200
    error: BaseException | None = None
    at_work: int = 0
    used: float = field(default_factory=time.monotonic)

    async def live(self) -> None:
        """Open it, keep it while it is used, close it: all in one task, as the SDK wants it."""
        import anyio
        import mcp

        try:
            with anyio.CancelScope() as self.scope:
                async with contextlib.AsyncExitStack() as stack:
                    transport = await self._transport(stack)
                    client = mcp.Client(transport, cache=None, message_handler=self._heard)
                    self.opened.set_result(await stack.enter_async_context(client))
                    while self.at_work or time.monotonic() - self.used < SECONDS_AT_REST:
                        await asyncio.sleep(_SECONDS_BETWEEN_RESTS)
                    self.retire()
        except Exception as error:
            self.error = error
        finally:
            self.retire()
            if not self.opened.done():
                self.opened.set_exception(ConnectionError())
                self.opened.exception()  # looked at, so that nothing is written about it

    async def _transport(self, stack: contextlib.AsyncExitStack) -> Any:
        if is_program(self.source.address):
            from mcp.client.stdio import stdio_client

            return stdio_client(_program(self.source))
        from mcp.client.streamable_http import streamable_http_client

        def note(answer: int | Exception) -> bool:
            # The SDK sends a request in the surroundings of who made it.
            answered = _answered.get()
            if answered is not None:
                answered.append(answer)
            elif isinstance(answer, int):
                self.status = answer
            return answered is not None

        client = await stack.enter_async_context(client_for(self.source, MOST_BYTES, note))
        return streamable_http_client(
            self.source.address, http_client=client, max_sse_event_size=MOST_BYTES
        )

    async def _heard(self, message: Any) -> None:
        """Ends the connection where an answer is there and cannot be read, since it would be waited
        for in vain; what else is no message is passed over, such as lines for people."""
        if isinstance(message, Exception) and "recursion limit" in str(message):
            self.error = ToolError(
                f"{self.source.name} sent something nested too deeply to be read."
            )
            self.end()

    def retire(self) -> None:
        """Let nobody new have it; it ends when the last has gone."""
        if not self.over.done():
            self.over.set_result(None)

    def end(self) -> None:
        self.retire()
        if self.scope is not None:
            self.scope.cancel()

    def left(self) -> None:
        """One who has worked with it has gone."""
        self.at_work -= 1
        self.used = time.monotonic()
        if self.over.done() and not self.at_work:
            self.end()

    def look(self) -> None:
        """See whether the server goes on, after a request was taken back."""
        if self.looking is None and not self.over.done():
            self.looking = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        _answered.set([])
        try:
            async with asyncio.timeout(SECONDS_TO_COME_BACK):
                client = await asyncio.shield(self.opened)
                # Asked for in every version of the protocol, which a ping is not.
                await client.list_tools()
        except Exception as error:
            if not is_refusal(error):
                self.retire()
        self.looking = None
        if self.over.done() and not self.at_work:
            self.end()

    def answered(self) -> int | Exception:
        """What a server on the network answered with last to who asks, or when it was opened: a
        status, or why there is none."""
        is_open = self.opened.done() and self.opened.exception() is None
        return (_answered.get() or [200])[-1] if is_open else self.status

    async def fault(self, error: BaseException, is_sent: bool, acts: bool) -> Fault:
        """What an error on this connection comes to, where a call may have been sent."""
        if isinstance(error, Fault):
            return error
        who, own = self.source.name, self.answered()
        if isinstance(own, int):
            refused = refusal(who, error, own, is_sent and acts)
            if refused is not None:
                return refused
        if is_lost(error) and self.task is not None:
            # Only its end tells why.
            await asyncio.wait([self.task], timeout=0.5)
        kept = own if isinstance(own, Exception) else self.error
        status = own if isinstance(own, int) else 200
        found = fault(who, (kept, error), status, is_sent)
        if found is None and (is_lost(error) or isinstance(own, Exception)):
            found = lost(who, is_program(self.source.address), is_sent)
        return found or unread(who, is_sent)


def _program(source: Source) -> Any:
    """What starts a server's program; raises ToolError where it may not or cannot be."""
    from mcp.client.stdio import StdioServerParameters

    if source.options.get("command") is not True:
        raise ToolError(
            f"{source.name} is a program, and programs are started only where who operates this "
            "has added them on the command line.",
            Code.UNAUTHORISED,
        )
    try:
        program, *arguments = shlex.split(source.address)
    except ValueError:
        program, arguments = "", []
    found = shutil.which(program)
    if found is None:
        raise ToolError(
            f"The program of {source.name} is not on this machine. Install it, or add it again "
            "with its whole path.",
            Code.NOT_SENT,
        )
    runner = str(Path(__file__).with_name("run_program.py"))
    limits = [str(os.getpid()), ",".join(source.secrets), str(MOST_BYTES)]
    return StdioServerParameters(
        command=sys.executable,
        args=["-I", runner, *limits, "--", found, *arguments],
        env={name: secret(kept, source.home) for name, kept in source.secrets.items()},
    )


#: The connections of this process by what they lead to; touched only in the loop.
_connections: dict[str, _Connection] = {}


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    # What servers write is in the SDK's records, and is nobody's to read.
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="MCP servers", daemon=True).start()
    return loop


async def _connection(source: Source) -> _Connection:
    options = {name: source.options.get(name) for name in ("command", "is_local")}
    told = [source.name, source.address, dict(source.secrets), options, source.home]
    key = json.dumps(told, sort_keys=True, default=str)
    found = _connections.get(key)
    while found is not None and found.looking is not None:
        await asyncio.wait([found.looking])
        found = _connections.get(key)
    if found is None or found.over.done():
        loop = asyncio.get_running_loop()
        found = _connections[key] = _Connection(source, loop.create_future(), loop.create_future())
        # In surroundings of its own, for it belongs to no call.
        found.task = loop.create_task(found.live(), context=contextvars.Context())
    return found


class _Retired(Exception):
    """A connection is no longer to be used, and nothing has been called over it yet."""


async def _tools(connection: _Connection) -> list[mcp_types.Tool]:
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


async def _all_tools(connection: _Connection, client: mcp.Client) -> list[mcp_types.Tool]:
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


@contextlib.asynccontextmanager
async def _used(connection: _Connection) -> Any:
    """Keeps a connection while it is worked with. Where that does not go well nobody new gets it,
    and who has it goes on: one fault is not yet everybody's.

    A server that says that it refuses is well, unless it knows this connection no more.
    """
    connection.at_work += 1
    try:
        yield
    except asyncio.CancelledError:
        connection.look()
        raise
    except Exception as error:
        if not is_refusal(error) or connection.answered() == 404:
            connection.retire()
        raise
    finally:
        connection.left()


async def _offered(source: Source) -> tuple[_Connection, list[mcp_types.Tool]]:
    """A connection that works, and what is offered over it; raises Fault."""
    _answered.set([])
    connection = await _connection(source)
    # A program that was kept may have ended meanwhile; nothing has been called yet.
    tries = 2 if connection.opened.done() else 1
    while tries:
        try:
            async with _used(connection):
                return connection, await _tools(connection)
        except _Retired:
            pass
        except Exception as error:
            tries -= 1
            found = await connection.fault(error, False, False)
        if tries:
            connection = await _connection(source)
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
        async with _used(connection):
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
    future = asyncio.run_coroutine_threadsafe(work, _loop())
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
