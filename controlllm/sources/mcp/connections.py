"""Connections to MCP servers: opened when first needed, kept for later calls, ended when they fail.

To start a server's program takes a second or two, so a process keeps its connections open. All of
them live in one event loop in a thread of its own.

Several people's calls share a connection. One that is stopped or late takes back its own request
(the SDK tells the server), and then the server is asked for a sign of life: without one nobody new
gets the connection, and it ends when the last who waits on it has gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
import json
import logging
import os
import shlex
import shutil
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controlllm.sources.mcp.faults import Fault, fault, is_lost, is_refusal, lost, refusal, unread
from controlllm.sources.mcp.network import client_for
from controlllm.sources.secrets import secret
from controlllm.sources.source import Source
from controlllm.toolbox import Code, ToolError

if TYPE_CHECKING:
    import mcp

#: How long a server has to show that it goes on after a request was taken back.
SECONDS_TO_COME_BACK = 3.0
#: A connection that nobody has used for so long is ended.
SECONDS_AT_REST = 300.0
#: The most that one message of a server may have, in bytes.
MOST_BYTES = 64 * 1024 * 1024
_SECONDS_BETWEEN_RESTS = 5.0
#: The statuses of the answers to one call, or why there is none, the last one last: the requests of
#: several calls go over one connection at the same time, and one's fault is not another's.
call_answers: contextvars.ContextVar[list[int | Exception] | None] = contextvars.ContextVar(
    "answered", default=None
)


def is_program(address: str) -> bool:
    """Whether an address is the command of a program, not an URL."""
    return "://" not in address.split(" ", 1)[0]


@dataclass(eq=False)
class Connection:
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
            answered = call_answers.get()
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
        call_answers.set([])
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
        return (call_answers.get() or [200])[-1] if is_open else self.status

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
_connections: dict[str, Connection] = {}


@functools.cache
def loop() -> asyncio.AbstractEventLoop:
    """The event loop that all connections of this process live in."""
    # What servers write is in the SDK's records, and is nobody's to read.
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="MCP servers", daemon=True).start()
    return loop


async def connection_to(source: Source) -> Connection:
    """The connection of this process to a server, a new one where there is none to be used."""
    options = {name: source.options.get(name) for name in ("command", "is_local")}
    told = [source.name, source.address, dict(source.secrets), options, source.home]
    key = json.dumps(told, sort_keys=True, default=str)
    found = _connections.get(key)
    while found is not None and found.looking is not None:
        await asyncio.wait([found.looking])
        found = _connections.get(key)
    if found is None or found.over.done():
        loop = asyncio.get_running_loop()
        found = _connections[key] = Connection(source, loop.create_future(), loop.create_future())
        # In surroundings of its own, for it belongs to no call.
        found.task = loop.create_task(found.live(), context=contextvars.Context())
    return found


@contextlib.asynccontextmanager
async def used(connection: Connection) -> Any:
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
