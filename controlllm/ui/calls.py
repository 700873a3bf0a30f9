"""What something done in the page, or fetched by it, brings along.

A conversation is looked for among those of the browser's own cookie; what belongs to anybody else
does not exist for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from controlllm.accounts import Account
from controlllm.core.session import Session, Turn
from controlllm.resources.probing import BadInput
from controlllm.resources.well_formed import well_formed_value
from controlllm.runs.assistant import Assistant
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.ui.conversations import Conversations
from controlllm.ui.operating import is_from_here, is_on_behalf
from controlllm.ui.signing_in import account_of
from controlllm.ui.texts import say
from controlllm.ui.visitor import Visitor

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]

#: Where what belongs to one conversation lies.
OWN = "/conversations/{handle}"


@dataclass(frozen=True)
class Call:
    """Whose it is, which conversation it is about, and what was sent.

    Parameters
    ----------
    sent: its fields.
    session_id: the id of the conversation that it is about; empty where that is none.
    here: the handle of the conversation that the page shows.
    attached: the files of the message that is being written.
    """

    request: Request
    conversations: Conversations
    visitor: Visitor
    sent: Mapping[str, Any]
    session_id: str
    here: str = ""
    attached: tuple[str, ...] = ()

    @classmethod
    def from_page(
        cls,
        request: Request,
        conversations: Conversations,
        here: str,
        sent: Mapping[str, Any],
        attached: Sequence[str] = (),
    ) -> Call:
        """What something done in the page brings; looks into the store, so call it in a thread.

        Raises BadInput where the conversation is none of the visitor's own.
        """
        visitor = conversations.visitor(request)
        files = tuple(well_formed_value(list(attached)))
        call = cls(request, conversations, visitor, well_formed_value(sent), "", here, files)
        return replace(call, session_id=call.other(here)) if here else call

    def other(self, handle: str) -> str:
        """The id of one of the visitor's conversations; raises BadInput where it is none."""
        try:
            return self.visitor.session_id(handle)
        except KeyError:
            raise BadInput(say("errors.no_conversation")) from None

    def number(self, name: str) -> int:
        """A whole number that was sent, as one or in figures; raises BadInput where it is none."""
        value = self.sent.get(name)
        try:
            return int(value) if isinstance(value, int | str) else int("")
        except ValueError:
            raise BadInput(say("errors.field_not_read", field=name)) from None

    @classmethod
    def of(cls, request: Request) -> Call:
        """What a browser that fetches something brings; looks into the store, so call it in a
        thread. Raises HTTPException (404) where the conversation is none of the visitor's own.
        """
        conversations: Conversations = request.app.state.conversations
        try:
            here = request.path_params.get("handle", "")
            return cls.from_page(request, conversations, here, {})
        except BadInput as error:
            raise HTTPException(404, str(error)) from None

    @property
    def assistant(self) -> Assistant:
        """What does the work."""
        return self.conversations.assistant

    @property
    def store(self) -> Store:
        """Where all is kept."""
        return self.assistant.store

    @property
    def settings(self) -> Settings:
        """The settings of the conversation that it is about."""
        return self.conversations.settings(self.session_id)

    @property
    def owner(self) -> str:
        """The name under which the store has what is the visitor's."""
        return self.visitor.owner

    @property
    def account(self) -> Account | None:
        """Who sends it; None where the server has no accounts."""
        return account_of(self.request)

    @property
    def is_operators(self) -> bool:
        """Whether it comes from whoever runs the server: by their account; where there are none,
        anybody's on a server that nobody else reaches, and those who sit at it."""
        if self.account is not None:
            return self.account.role == "operator"
        is_alone = not self.conversations.is_shared and not is_on_behalf(self.request)
        return is_alone or is_from_here(self.request)

    @property
    def may_pull(self) -> bool:
        """Whether it may change what lies on this machine: fetch weights and remove them, try all
        tools."""
        if self.account is not None:
            return self.is_operators
        return self.conversations.may_pull

    def field(self, name: str, kind: type[T], usual: T | None = None) -> T:
        """A field that was sent; raises BadInput where it is missing or of another kind."""
        value = self.sent.get(name, usual)
        # True is an int to Python.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise BadInput(say("errors.field_not_read", field=name))
        return value

    def session(self) -> Session:
        """The conversation that the request is about, as it is kept now."""
        return self.store.load(self.session_id)

    def turn(self, session: Session, said: str = "branches.gone") -> Turn:
        """The turn whose number was sent; raises BadInput with a text where there is none."""
        number = self.number("turn")
        if not 0 <= number < len(session.turns):
            raise BadInput(say(said))
        return session.turns[number]

    def check_is_free(self) -> None:
        """Raise BadInput where something runs in the conversation."""
        if self.conversations.run_of(self.session_id):
            raise BadInput(say("notices.running_stop_or_wait"))

    def part(self, name: str) -> str:
        """A part of the address."""
        return str(self.request.path_params[name])


def in_thread(work: Callable[[Call], Response]) -> Endpoint:
    """A route that is answered in a thread, so that nobody waits for it."""

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(lambda: work(Call.of(request)))

    return endpoint
