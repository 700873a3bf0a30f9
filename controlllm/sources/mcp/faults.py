"""Why an MCP server has given no answer, in a sentence, and whether it may have acted all the same.

Nothing that a server says in words decides that it has done nothing: only what comes before a tool
is called does, such as an error of the protocol that says that there is no such tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from controlllm.network.addresses import Refused
from controlllm.sources.naming import quoted
from controlllm.toolbox import Code, ToolError

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
