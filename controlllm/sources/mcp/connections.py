"""Connections to MCP servers: opened when needed, kept for later calls, ended when they fail; and
why there is no answer.

To start a server's program takes a second or two, so a process keeps its connections open. All of
them live in one event loop in a thread of its own. Each serves one call at a time, so that what is
wrong with one is nobody else's: one that is stopped, late or broken is ended. Nothing that a server
says in words decides that it has done nothing: only what comes before a tool is called does, such
as an error of the protocol that says that there is no such tool.
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
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controlllm.network.addresses import Refused
from controlllm.sources.mcp.network import client_for
from controlllm.sources.naming import quoted
from controlllm.sources.secrets import secret
from controlllm.sources.source import Source
from controlllm.toolbox import Code, ToolError

if TYPE_CHECKING:
    import mcp

_STATUSES: Mapping[int, tuple[str, Code]] = {
    401: ("{} refused the key. Check it in the secrets.", Code.UNAUTHORISED),
    403: ("{} does not let this key do it. Check it in the secrets.", Code.UNAUTHORISED),
    402: ("{} wants to be paid first.", Code.NOT_SUBSCRIBED),
    429: ("{} has had too many requests. Wait a little and ask again.", Code.RATE_LIMITED),
    503: ("{} has too much to do. Wait a little and ask again.", Code.TOO_MANY),
}
#: By these a server says that it took a request and has no answer.
_TAKEN = (202, 408)
#: How what the SDK says of a connection or an answer that has ended begins.
_CLOSED = ("Connection closed", "SSE stream")


class Fault(Exception):
    """Why there is no answer: a sentence, its code, and whether the tool may have been called."""

    def __init__(self, sentence: str, code: Code, may_have_acted: bool = False) -> None:
        super().__init__(sentence)
        self.code = code
        self.may_have_acted = may_have_acted


def is_refusal(error: BaseException) -> bool:
    """Whether a server says by an error of the protocol that it refuses."""
    from mcp import MCPError
    from mcp.types import PARSE_ERROR

    return isinstance(error, MCPError) and not is_lost(error) and error.code != PARSE_ERROR


def is_lost(error: BaseException) -> bool:
    """Whether an error says that there is no connection any more, or no answer over it."""
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED

    if isinstance(error, MCPError):
        # Servers use this code for faults of their own as well; the words are the SDK's.
        return error.code == CONNECTION_CLOSED and error.message.startswith(_CLOSED)
    return isinstance(error, ConnectionError)


def refusal(who: str, error: BaseException, status: int, may_have_acted: bool) -> Fault | None:
    """What a server says by an error of its own, None where it has said nothing."""
    from mcp import MCPError
    from mcp.types import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND

    if not isinstance(error, MCPError) or not is_refusal(error):
        return None
    if status in _STATUSES or status >= 500:
        return None
    before = error.code in (INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND)
    before = (before or 300 <= status < 500) and status not in _TAKEN
    code = Code.BAD_INPUT if error.code == INVALID_PARAMS and before else Code.ERROR
    return Fault(f"{who} refused: {quoted(error.message)}", code, may_have_acted and not before)


def fault(
    who: str, errors: Iterable[BaseException | None], status: int, may_have_acted: bool
) -> Fault | None:
    """What errors, the first of which is known to say why, and the status of an answer come to;
    None where they say no more than that there was no answer, or none that can be read."""
    for found in errors:
        while isinstance(found, BaseExceptionGroup):
            found = found.exceptions[0]
        if isinstance(found, ToolError):
            # What is refused is so before anything is sent, all else when an answer came.
            acted = may_have_acted and not isinstance(found, Refused)
            return Fault(str(found), found.code, acted)
    if status in _STATUSES:
        sentence, code = _STATUSES[status]
        # What stands before a server says so also where it has waited for an answer in vain.
        is_unsure = status >= 500 and may_have_acted
        return Fault(sentence.format(who), Code.ERROR if is_unsure else code, is_unsure)
    if status >= 500:
        said = f"{who} has a fault of its own ({status}). Try again later."
        return Fault(said, Code.ERROR, may_have_acted)
    return None


def unread(who: str, may_have_acted: bool) -> Fault:
    """What is said of an answer that cannot be read."""
    return Fault(f"{who} sent an answer that cannot be read.", Code.ERROR, may_have_acted)


def lost(who: str, is_program: bool, may_have_acted: bool) -> Fault:
    """What is said where a connection has gone and nothing says why."""
    said = (
        f"The program of {who} ended by itself. Try it by hand, or ask again."
        if is_program
        else f"{who} could not be reached. Check its address, and that it runs."
    )
    return Fault(said, Code.ERROR if may_have_acted else Code.NOT_SENT, may_have_acted)


#: A connection that nobody has used for so long is ended.
SECONDS_AT_REST = 300.0
#: The most that one message of a server may have, in bytes.
MOST_BYTES = 64 * 1024 * 1024
_SECONDS_BETWEEN_RESTS = 5.0
#: The statuses of the answers to one call, or why there is none, the last one last; what the SDK
#: asks besides is not among them.
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
    scope: Any = None
    task: asyncio.Task[None] | None = None
    #: What a server on the network answered with last when it was opened.
    status: int = 200
    error: BaseException | None = None
    #: Since when nobody has worked with it; None while somebody does.
    rests_since: float | None = None

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
                    while (
                        self.rests_since is None
                        or time.monotonic() - self.rests_since < SECONDS_AT_REST
                    ):
                        await asyncio.sleep(_SECONDS_BETWEEN_RESTS)
                    _leave(self)
        except Exception as error:
            self.error = error
        finally:
            _leave(self)
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

    def end(self) -> None:
        """Have it end, whatever goes on over it."""
        if self.scope is not None:
            self.scope.cancel()
        elif self.task is not None:
            self.task.cancel()

    def answered(self) -> int | Exception:
        """What a server on the network answered with last to who asks, or when it was opened: a
        status, or why there is none."""
        is_open = self.opened.done() and self.opened.exception() is None
        return (call_answers.get() or [200])[-1] if is_open else self.status

    async def fault(self, error: BaseException, is_sent: bool, acts: bool) -> Fault:
        """What an error on this connection comes to, where a call may have been sent."""
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


#: The connections of this process that rest, by what they lead to; touched only in the loop.
_resting: dict[str, list[Connection]] = {}


def _leave(connection: Connection) -> None:
    """Let nobody have a connection any more."""
    for resting in _resting.values():
        if connection in resting:
            resting.remove(connection)


@functools.cache
def loop() -> asyncio.AbstractEventLoop:
    """The event loop that all connections of this process live in."""
    # What servers write is in the SDK's records, and is nobody's to read.
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="MCP servers", daemon=True).start()
    return loop


@contextlib.asynccontextmanager
async def used(source: Source, is_new: bool) -> AsyncIterator[Connection]:
    """A connection to a server for one call: one that rests, unless a new one is wanted.

    It is kept for others where all goes well, or the server says that it refuses, unless that is
    because it knows this connection no more.
    """
    options = {name: source.options.get(name) for name in ("command", "is_local")}
    told = [source.name, source.address, dict(source.secrets), options, source.home]
    resting = _resting.setdefault(json.dumps(told, sort_keys=True, default=str), [])
    if resting and not is_new:
        connection = resting.pop()
        connection.rests_since = None
    else:
        loop = asyncio.get_running_loop()
        connection = Connection(source, loop.create_future())
        # In surroundings of its own, for it belongs to no call.
        connection.task = loop.create_task(connection.live(), context=contextvars.Context())
    is_well = False
    try:
        yield connection
        is_well = True
    except Exception as error:
        refused = isinstance(error, Fault) or is_refusal(error)
        is_well = refused and connection.answered() != 404
        raise
    finally:
        if is_well:
            connection.rests_since = time.monotonic()
            resting.append(connection)
        else:
            connection.end()
