"""Connections to MCP servers: opened when first needed, kept for later calls, ended when they fail.

To start a server's program takes a second or two, so a process keeps its connections open. All of
them live in one event loop in a thread of its own; who calls waits in theirs and looks all the time
whether the person has stopped the run.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
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

from controlllm.network.addresses import Refused
from controlllm.sources.mcp_network import client_for
from controlllm.sources.naming import shortened
from controlllm.sources.secrets import secret
from controlllm.sources.source import Source
from controlllm.sources.untrusted import quoted
from controlllm.toolbox import Code, Context, ToolError

if TYPE_CHECKING:
    import mcp
    from mcp import types as mcp_types

_T = TypeVar("_T")

SECONDS_TO_OPEN = 30.0
SECONDS_OF_A_CALL = 300.0
#: A connection that nobody has used for so long is ended.
SECONDS_AT_REST = 300.0
#: The most that one message of a server may have, in bytes.
MOST_BYTES = 64 * 1024 * 1024
MOST_TOOLS = 2000
_MOST_PAGES = 100
_SECONDS_BETWEEN_LOOKS = 0.05
_SECONDS_BETWEEN_RESTS = 5.0


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


class _Fault(Exception):
    """Why there is no answer: a sentence, its code, and whether the tool may have been called."""

    def __init__(self, sentence: str, code: Code, may_have_acted: bool = False) -> None:
        super().__init__(sentence)
        self.code = code
        self.may_have_acted = may_have_acted


@dataclass(eq=False)
class _Connection:
    """One connection; touched only in the loop."""

    source: Source
    opened: asyncio.Future[mcp.Client]
    scope: Any = None
    task: asyncio.Task[None] | None = None
    is_over: bool = False
    #: What a server on the network answered with last.
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
                    self.is_over = True
        except Exception as error:
            self.error = error
        finally:
            self.is_over = True
            if not self.opened.done():
                self.opened.set_exception(ConnectionError())
                self.opened.exception()  # looked at, so that nothing is written about it

    async def _transport(self, stack: contextlib.AsyncExitStack) -> Any:
        if is_program(self.source.address):
            from mcp.client.stdio import stdio_client

            return stdio_client(_program(self.source))
        from mcp.client.streamable_http import streamable_http_client

        def note(status: int) -> None:
            self.status = status

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

    def end(self) -> None:
        self.is_over = True
        if self.scope is not None:
            self.scope.cancel()

    async def fault(self, error: BaseException, may_have_acted: bool) -> _Fault:
        """What an error on this connection comes to."""
        from mcp import MCPError
        from mcp.types import CONNECTION_CLOSED

        if isinstance(error, _Fault):
            return error
        who = self.source.name
        is_lost = isinstance(error, ConnectionError) or (
            isinstance(error, MCPError) and error.code == CONNECTION_CLOSED
        )
        if is_lost and self.task is not None:
            # Only its end tells why.
            await asyncio.wait([self.task], timeout=0.5)
        for found in (self.error, error):
            while isinstance(found, BaseExceptionGroup):
                found = found.exceptions[0]
            if isinstance(found, ToolError):
                # What is refused is so before anything is sent, all else when an answer came.
                return _Fault(
                    str(found), found.code, may_have_acted and not isinstance(found, Refused)
                )
        if self.status in _STATUSES:
            sentence, code = _STATUSES[self.status]
            return _Fault(sentence.format(who), code)
        if self.status >= 500:
            said = f"{who} has a fault of its own ({self.status}). Try again later."
            return _Fault(said, Code.ERROR, may_have_acted)
        if not is_lost:
            return _Fault(f"{who} sent an answer that cannot be read.", Code.ERROR, may_have_acted)
        if is_program(self.source.address):
            return _Fault(
                f"The program of {who} ended by itself. Try it by hand, or ask again.",
                Code.ERROR if may_have_acted else Code.NOT_SENT,
                may_have_acted,
            )
        return _Fault(
            f"{who} could not be reached. Check its address, and that it runs.",
            Code.ERROR if may_have_acted else Code.NOT_SENT,
            may_have_acted,
        )


_STATUSES: Mapping[int, tuple[str, Code]] = {
    401: ("{} refused the key. Check it in the secrets.", Code.UNAUTHORISED),
    403: ("{} does not let this key do it. Check it in the secrets.", Code.UNAUTHORISED),
    402: ("{} wants to be paid first.", Code.NOT_SUBSCRIBED),
    429: ("{} has had too many requests. Wait a little and ask again.", Code.RATE_LIMITED),
    503: ("{} has too much to do. Wait a little and ask again.", Code.TOO_MANY),
}


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


def _connection(source: Source) -> _Connection:
    options = {name: source.options.get(name) for name in ("command", "is_local")}
    told = [source.name, source.address, dict(source.secrets), options, source.home]
    key = json.dumps(told, sort_keys=True, default=str)
    found = _connections.get(key)
    if found is None or found.is_over:
        loop = asyncio.get_running_loop()
        found = _connections[key] = _Connection(source, loop.create_future())
        found.task = loop.create_task(found.live())
    return found


async def _tools(connection: _Connection) -> list[mcp_types.Tool]:
    """All tools that a server lists; raises _Fault where they have no end."""
    client = await asyncio.shield(connection.opened)
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
    raise _Fault(
        f"{connection.source.name} offers more than {MOST_TOOLS:,} tools, too many to be added.",
        Code.ERROR,
    )


@contextlib.asynccontextmanager
async def _used(connection: _Connection) -> Any:
    """Keeps a connection while it is worked with, and ends it where that does not go well.

    A server that says that it refuses is well.
    """
    connection.at_work += 1
    try:
        yield
    except BaseException as error:
        if not _is_refusal(error):
            connection.end()
        raise
    finally:
        connection.at_work -= 1
        connection.used = time.monotonic()


async def _listed(source: Source) -> list[mcp_types.Tool]:
    connection = _connection(source)
    try:
        async with _used(connection):
            return await _tools(connection)
    except Exception as error:
        fault = await connection.fault(error, False)
    raise fault


async def _called(source: Source, wanted: Wanted, tell: Any) -> mcp_types.CallToolResult:
    connection = _connection(source)
    was_open = connection.opened.done()
    is_sent = False
    try:
        try:
            async with _used(connection):
                tools = await _tools(connection)
        except Exception:
            # A program that was kept may have ended meanwhile; nothing has been called yet.
            if not was_open:
                raise
            connection = _connection(source)
            async with _used(connection):
                tools = await _tools(connection)
        if wanted.fingerprint not in map(fingerprint, tools):
            raise _Fault(
                f"{source.name} has changed {wanted.name}, or no longer has it. Add the source "
                "again to use it as it is now.",
                Code.NOT_FOUND,
            )
        async with _used(connection):
            client = await asyncio.shield(connection.opened)
            is_sent = True
            return await client.call_tool(
                wanted.name, dict(wanted.arguments), progress_callback=tell
            )
    except Exception as error:
        fault = _refusal(connection, error) or await connection.fault(error, is_sent)
    raise fault


def _refusal(connection: _Connection, error: Exception) -> _Fault | None:
    """What a server says by an error of its own, None where it has said nothing."""
    from mcp import MCPError
    from mcp.types import INVALID_PARAMS

    if not isinstance(error, MCPError) or not _is_refusal(error):
        return None
    if connection.status in _STATUSES or connection.status >= 500:
        return None
    code = Code.BAD_INPUT if error.code == INVALID_PARAMS else Code.ERROR
    return _Fault(f"{connection.source.name} refused: {quoted(error.message)}", code)


def _is_refusal(error: BaseException) -> bool:
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED, PARSE_ERROR

    return isinstance(error, MCPError) and error.code not in (CONNECTION_CLOSED, PARSE_ERROR)


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
    future = asyncio.run_coroutine_threadsafe(work, _loop())
    until = time.monotonic() + seconds
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
        fault = _Fault(
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
        if not isinstance(found, _Fault):
            raise found
        fault, cause = found, ConnectionError()
    # Only a cause of this kind tells the engine that nobody knows what the call has done.
    raise ToolError(str(fault), fault.code) from (cause if fault.may_have_acted else None)
