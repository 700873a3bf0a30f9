"""Asking a language model for a role: one call, checked, asked again once, counted and told.

Every fault is an event with a sentence. Where the person allows it, the embedded keeper of the role
takes over for the rest of the request; else the request ends with that sentence.
"""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, TypeVar

from controlllm.core.costs import Usage
from controlllm.core.events import Event, LanguageModelUsed, RoleFellBack, RoleRepaired, RoleRetried
from controlllm.language.endpoint import ChatEndpoint, EndpointError, Message
from controlllm.language.prompting import read_prompt
from controlllm.language.reading import Checked, Unusable, read_json
from controlllm.toolbox import Cancelled

T = TypeVar("T")

#: How often a busy endpoint is waited for, and how long at most each time, in seconds.
MOST_WAITS, LONGEST_WAIT = 2, 30.0
#: How long to wait where a busy endpoint does not say, in seconds.
_USUAL_WAIT = 2.0
#: How much of an unusable reply goes back to the model with what is wrong with it, in characters.
_SHOWN_AGAIN = 6_000

#: What each role does, in the words of the events.
ROLES: Mapping[str, str] = {
    "propose": "planning the request",
    "decompose": "splitting the request",
    "assess": "judging the tools",
    "rank": "checking the ways",
    "answer": "writing the answer",
    "act": "choosing the next step",
    "observe": "noting what a step brought",
    "judge": "judging an answer",
}


class LanguageModelFailed(Exception):
    """A role could not be kept and nothing may take over. The message is for the person."""


def pause_before_retry(error: EndpointError, attempt: int) -> float | None:
    """How many seconds to wait before asking again after a fault, None where that is no use.

    `attempt` counts the calls made so far, from 1. A busy endpoint is waited for as it asks, within
    bounds; what may have been an accident is tried once more; a refused key never.
    """
    if error.fault == "limit":
        wait = _USUAL_WAIT * attempt if error.retry_after is None else error.retry_after
        return wait if attempt <= MOST_WAITS and wait <= LONGEST_WAIT else None
    if error.fault in ("timeout", "server", "broken"):
        return 0.0 if attempt == 1 else None
    return None


class Asker:
    """One request's use of a language model.

    Parameters
    ----------
    tell: called with every event, from the thread that asks.
    fall_back: whether embedded roles may take over.
    cancelled: set when the person stops the request; no call begins after that.
    """

    def __init__(
        self,
        endpoint: ChatEndpoint,
        tell: Callable[[Event], None] = lambda event: None,
        fall_back: bool = True,
        cancelled: threading.Event | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.usage = Usage()
        self._tell = tell
        self._fall_back = fall_back
        self._cancelled = cancelled or threading.Event()
        self._given_up: set[str] = set()

    def keep(self, role: str, prompted: Callable[[], T], embedded: Callable[[], T]) -> T:
        """What the prompted keeper of a role gives, or the embedded one where that cannot.

        A fault of the endpoint itself ends its use for every role of this request; a reply that
        cannot be used, or a text too long for it, ends it for this role. Raises
        LanguageModelFailed where nothing may take over, Cancelled where the person stopped the
        request.
        """
        if self.rests(role):
            return embedded()
        try:
            return prompted()
        except (EndpointError, Unusable) as error:
            self.give_up(role, error)
            return embedded()

    def rests(self, role: str) -> bool:
        """Whether a role is kept by its embedded keeper for the rest of this request."""
        return role in self._given_up

    def give_up(self, role: str, error: EndpointError | Unusable) -> None:
        """Let the embedded keeper take over, and say so; raises LanguageModelFailed if it may
        not."""
        if isinstance(error, EndpointError):
            problem, roles = str(error), {role} if error.fault == "too-long" else set(ROLES)
        else:
            problem = (
                f"The language model's reply for {ROLES[role]} could not be used, also when asked "
                f"again: {error}"
            )
            roles = {role}
        if not self._fall_back:
            raise LanguageModelFailed(
                f"{problem} You can allow ControlLLM to go on without it in the settings."
            ) from error
        self._given_up |= roles
        written = role == "answer"
        ending = "The answer is written without it." if written else "ControlLLM goes on by itself."
        self._tell(RoleFellBack(f"{problem} {ending}", role))

    def ask(
        self,
        role: str,
        messages: Sequence[Message],
        schema: Mapping[str, Any],
        check: Callable[[Any], Checked[T]],
        max_tokens: int,
        temperature: float = 0.0,
    ) -> T:
        """What one call gives, by a JSON schema, as `check` reads it.

        `check` raises Unusable with what is wrong; the model is then asked once more. Raises
        EndpointError, Unusable, and Cancelled where the person stopped the request.
        """
        spoken = list(messages)
        asked_again = False
        while True:
            plain = [
                {
                    "role": spoken[0]["role"],
                    "content": spoken[0]["content"]
                    + "\n\n"
                    + read_prompt("plain_json", schema=json.dumps(schema, ensure_ascii=False)),
                },
                *spoken[1:],
            ]
            reply = self._reply(role, spoken, schema, plain, max_tokens, temperature)
            try:
                if reply.cut:
                    raise Unusable(f"The reply was cut off after {max_tokens} tokens.")
                data = read_json(reply.text)
                checked = check(data.value)
            except Unusable as error:
                if asked_again:
                    raise
                asked_again = True
                self._tell(
                    RoleRetried(
                        f"The language model's reply for {ROLES[role]} could not be used: {error} "
                        "It is asked once more.",
                        role,
                    )
                )
                spoken += [
                    {"role": "assistant", "content": reply.text[:_SHOWN_AGAIN]},
                    {"role": "user", "content": read_prompt("again", problem=str(error))},
                ]
                continue
            repairs = (*data.repairs, *checked.repairs)
            if repairs:
                self._tell(
                    RoleRepaired(
                        f"Put right in the language model's reply for {ROLES[role]}: "
                        f"{'; '.join(repairs)}.",
                        role,
                    )
                )
            return checked.value

    def _reply(
        self,
        role: str,
        messages: Sequence[Message],
        schema: Mapping[str, Any],
        without_schema: Sequence[Message],
        max_tokens: int,
        temperature: float,
    ) -> Any:
        """One reply, asked for again where a fault may pass."""
        attempt = 0
        while True:
            if self._cancelled.is_set():
                raise Cancelled
            attempt += 1
            try:
                reply = self.endpoint.reply(
                    messages, schema, without_schema, max_tokens, temperature, self._cancelled
                )
            except EndpointError as error:
                pause = self._after(role, error, attempt)
                if self._cancelled.wait(pause):
                    raise Cancelled from error
                continue
            self._count(role, reply.usage)
            return reply

    async def stream(self, role: str, messages: Sequence[Message]) -> AsyncGenerator[str, None]:
        """A streamed answer's pieces; asked for again only where nothing has come of it yet.

        Raises EndpointError, and Cancelled where the person stopped the request.
        """
        import asyncio

        attempt = 0
        while True:
            if self._cancelled.is_set():
                raise Cancelled
            attempt += 1
            begun = False
            try:
                stream = self.endpoint.stream(messages, lambda usage: self._count(role, usage))
                async with aclosing(stream) as pieces:
                    async for piece in pieces:
                        begun = True
                        yield piece
                return
            except EndpointError as error:
                pause = self._after(role, error, MOST_WAITS + 1 if begun else attempt)
                if await asyncio.to_thread(self._cancelled.wait, pause):
                    raise Cancelled from error

    def _after(self, role: str, error: EndpointError, attempt: int) -> float:
        """The seconds to wait before another try, told; raises the error where there is none."""
        if error.fault != "unreachable":
            self._count(role, Usage(1))
        pause = pause_before_retry(error, attempt)
        if pause is None:
            raise error
        when = f"in {pause:.0f} seconds" if pause >= 1 else "at once"
        first = str(error).split(". ")[0].rstrip(".")
        self._tell(RoleRetried(f"{first}. It is asked again {when}.", role, pause))
        return pause

    def _count(self, role: str, usage: Usage) -> None:
        self.usage += usage
        self._tell(LanguageModelUsed(role, usage))
