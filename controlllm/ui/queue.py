"""Requests that wait until the one before them in their conversation has ended."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from controlllm.answers.rejections import problem_with
from controlllm.core.session import Session, Waiting
from controlllm.resources.probing import BadInput
from controlllm.store import StoreError
from controlllm.ui.texts import say

if TYPE_CHECKING:
    from controlllm.ui.conversations import Conversations
    from controlllm.ui.streams import Run

_log = logging.getLogger(__name__)
#: In one conversation.
MOST_WAITING = 20


class Queue:
    """What waits is kept with its conversation, so it outlives reloads and the program's end.

    Requests begin in order, each when the run before it has ended; after one that was stopped, and
    where the settings are others than those they were asked under, they wait for the person.
    """

    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations
        self._store = conversations.assistant.store
        self._beginning: set[asyncio.Task[None]] = set()
        #: How many runs have ended: what was loaded before the last one may be no more.
        self._ended = 0

    def add(self, session_id: str, name: str, text: str, attached: Sequence[str]) -> Session:
        """Have one more request wait; raises BadInput where it cannot be one, or too many wait."""
        settings = self._conversations.settings(session_id)
        item = Waiting(name, text.strip(), tuple(attached), settings.mark)

        def change(session: Session) -> Session:
            if any(other.name == name for other in session.waiting):
                return session
            if len(session.waiting) >= MOST_WAITING:
                raise BadInput(say("queue.too_many", count=len(session.waiting)))
            _check(session, item, settings.has_model)
            return replace(session, waiting=(*session.waiting, item))

        return self._store.update(session_id, change)

    def change(self, session_id: str, name: str, text: str) -> Session:
        """Ask for something else in the place of one that waits; raises BadInput where it does not
        wait any more."""
        has_model = self._conversations.settings(session_id).has_model

        def change(session: Session) -> Session:
            changed = replace(_found(session, name), text=text.strip())
            _check(session, changed, has_model)
            waiting = tuple(changed if item.name == name else item for item in session.waiting)
            return replace(session, waiting=waiting)

        return self._store.update(session_id, change)

    def drop(self, session_id: str, name: str) -> Session:
        """Remove one that waits; raises BadInput where it does not wait any more."""

        def change(session: Session) -> Session:
            gone = _found(session, name)
            return replace(session, waiting=tuple(i for i in session.waiting if i is not gone))

        return self._store.update(session_id, change)

    def is_held(self, session: Session) -> bool:
        """Whether what waits would wait for ever: nothing runs before it."""
        return bool(session.waiting) and not self._is_busy(session)

    async def begin_next(self, session_id: str, by_hand: bool = False) -> None:
        """Begin the first one that waits, where nothing runs; `by_hand` says that a person wants
        it, whatever has happened before."""
        try:
            owner = await asyncio.to_thread(self._store.owners.owner_of, session_id)
            ended = None
            while ended != self._ended:
                ended = self._ended
                session = await asyncio.to_thread(self._store.load, session_id)
        except (KeyError, StoreError):
            return
        if not session.waiting or self._is_busy(session):
            return
        first = session.waiting[0]
        was_stopped = any(
            turn.number == session.at and turn.state == "cancelled" for turn in session.turns
        )
        is_asked_so = first.settings == self._conversations.settings(session_id).mark
        if by_hand or (is_asked_so and not was_stopped):
            self._conversations.ask(
                session, first.name, owner or session_id, first.text, first.attached
            )

    def begin_soon(self, session_id: str, by_hand: bool = False) -> None:
        """The same without waiting for it; called on the event loop."""
        task = asyncio.create_task(self.begin_next(session_id, by_hand))
        self._beginning.add(task)
        task.add_done_callback(self._beginning.discard)

    async def after(self, run: Run) -> None:
        """What follows a run that has ended."""
        self._ended += 1
        try:
            session = await asyncio.to_thread(self._store.load, run.owner)
        except (KeyError, StoreError):
            return
        # One that could not begin, or was stopped, holds up those behind it.
        is_left = any(item.name == run.name for item in session.waiting)
        if not is_left and run.view.state != "cancelled":
            await self.begin_next(run.owner)

    async def begin_all(self) -> None:
        """Go on, at the program's start, where requests wait and nothing is at work."""
        for session_id in await asyncio.to_thread(self._store.owners.waiting):
            await self.begin_next(session_id)

    def _is_busy(self, session: Session) -> bool:
        at_work = any(turn.state == "running" for turn in session.turns)
        return at_work or self._conversations.run_of(session.id) is not None


def _found(session: Session, name: str) -> Waiting:
    for item in session.waiting:
        if item.name == name:
            return item
    raise BadInput(say("queue.gone"))


def _check(session: Session, item: Waiting, has_model: bool) -> None:
    handed = tuple(one for one in session.resources if one.value in item.attached)
    problem = problem_with(item.text, handed, has_model)
    if problem or not item.text:
        raise BadInput(problem or say("queue.empty"))
