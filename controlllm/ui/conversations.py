"""What the page does with conversations: open, list, ask, go on, delete."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import threading
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any

from starlette.requests import Request

from controlllm.admission.jobs import Jobs
from controlllm.admission.shared import Shared
from controlllm.comparing.choosing import habits_of
from controlllm.comparing.outlook import Outlook
from controlllm.core.events import Event, RequestReceived
from controlllm.core.session import Session, handle_of
from controlllm.editing.why_not import WhyNot
from controlllm.pointing.glances import Glances
from controlllm.pointing.spoken import Listening, SpokenWords
from controlllm.resources import Resource
from controlllm.runs.assistant import Assistant
from controlllm.runs.run_options import RunOptions
from controlllm.settings import Settings
from controlllm.settings.quotas import Quotas
from controlllm.store import Store, StoreError, UnreadableConversation
from controlllm.ui.batches import Batches
from controlllm.ui.drawings.media import Media
from controlllm.ui.machine import Pulls, SelfTests
from controlllm.ui.queue import Queue
from controlllm.ui.signing_in import account_of
from controlllm.ui.streams import Live, Run
from controlllm.ui.view import TurnView
from controlllm.ui.visitor import Visitor

_log = logging.getLogger(__name__)
#: How many conversations' own settings are remembered, those set last.
_MOST_SETTINGS = 2000
#: Seconds in which a deleted conversation can be had back.
UNDO = 8.0


class Conversations:
    """What the routes do with conversations: one place for each thing.

    Parameters
    ----------
    assistant: does the work.
    cookie: the name of the cookie that holds a browser's conversations.
    may_pull: whether people may have weights fetched to this machine, and removed from it.
    quotas: what people may take of this server.
    is_shared: whether others than the one who runs it reach it.
    """

    def __init__(
        self,
        assistant: Assistant,
        cookie: str,
        may_pull: bool = True,
        quotas: Quotas | None = None,
        is_shared: bool = False,
    ) -> None:
        self.is_shared = is_shared
        self.quotas = quotas or Quotas()
        self.shared = Shared.of(assistant.store, self.quotas)
        jobs = self.shared.jobs
        #: Called with the name of each limit that somebody reaches in the page.
        self.reached: Callable[[str], None] = lambda limit: None
        self.assistant = assistant
        self.cookie = cookie
        self.may_pull = may_pull
        self.pulls = Pulls(jobs, assistant.toolbox.folders)
        names = [tool.name for tool in assistant.toolbox]
        self.self_tests = SelfTests(jobs, names, assistant.store.folder, assistant.toolbox.folders)
        self.batches = Batches(assistant, self.shared, self.quotas)
        self.live = Live(assistant.store, self.run_name)
        self.queue = Queue(self)
        self.why_not = WhyNot(assistant)
        #: For everybody who points: the one place to look at pictures, and to listen for words.
        self.glances = Glances()
        self.spoken_words = SpokenWords()
        self.listening = Listening(self.spoken_words)
        self.deletions = Deletions(assistant.store, jobs)
        self.batches.tell = self.live.tell
        self._settings: dict[str, Settings] = {}

    def visitor(self, request: Request) -> Visitor:
        """Whoever sends a request, by account or by the browser's cookie."""
        account = account_of(request)
        key = account.key if account is not None else ""
        return Visitor(request.cookies, self.cookie, self.assistant.store, key)

    def settings(self, session_id: str) -> Settings:
        """The settings of a conversation: its own where it has some."""
        return self._settings.get(session_id, self.assistant.settings)

    def set_settings(self, session_id: str, settings: Settings) -> None:
        """Keep settings for a conversation; the oldest give way where there are too many."""
        self._settings.pop(session_id, None)
        while len(self._settings) >= _MOST_SETTINGS:
            self._settings.pop(next(iter(self._settings)))
        self._settings[session_id] = settings

    def hosts(self) -> tuple[str, ...]:
        """The tools whose work a program elsewhere may do."""
        implementations = self.assistant.toolbox.implementations
        return tuple(
            name
            for name, ways in sorted(implementations.items())
            if any(way.is_hosted for way in ways)
        )

    def media(self, session_id: str, known: Mapping[str, Resource]) -> Media:
        """Where the files of a conversation are found, of which these are its resources."""

        def find(value: str) -> Path:
            resource = known[value]
            return self.assistant.store.path(resource.digest, resource.media_type)

        assistant, settings = self.assistant, self.settings(session_id)
        outlook = Outlook(
            assistant.toolbox,
            assistant.engine.durations,
            settings,
            lambda: habits_of(assistant.store, session_id),
        )
        return Media(handle_of(session_id), find, outlook)

    def media_of(self, session: Session) -> Media:
        """Where a conversation's files are shown from."""
        return self.media(session.id, {item.value: item for item in session.resources})

    def open(self, visitor: Visitor, handle: str, new: bool, address: str = "") -> Session:
        """The conversation of this handle; else the newest; else, or where wanted, a new one.

        Raises LimitReached where the visitor, or the `address` of the network, may not have one
        more.
        """
        for session_id in self._wanted(visitor, handle, new):
            # One that cannot be read any more is no reason to show nothing at all.
            with contextlib.suppress(KeyError, UnreadableConversation):
                return self.assistant.open_session(session_id)
        empty = self.assistant.store.owners.empty_one(visitor.owner)
        if empty:
            return self.assistant.store.load(empty)
        own = visitor.ids
        self.shared.allowance.check_session(len(own), address)
        session = self.assistant.open_session(None)
        visitor.add(session.id)
        # What a person has set holds in their next conversation as well.
        kept = next((self._settings[item] for item in own if item in self._settings), None)
        if kept is not None:
            self.set_settings(session.id, kept)
        return session

    def _wanted(self, visitor: Visitor, handle: str, new: bool) -> Iterator[str]:
        if handle:
            with contextlib.suppress(KeyError):
                yield visitor.session_id(handle)
        if not new:
            leaves = self.deletions.is_leaving
            yield from (session_id for session_id in visitor.ids if not leaves(session_id))

    def run_of(self, session_id: str) -> Run | None:
        """The run of a conversation that is in progress; None where none is."""
        runs = self.shared.jobs.of(Run, session_id)
        return runs[-1] if runs else None

    def run_name(self, session_id: str) -> str:
        """What the run of a conversation is called that is in progress; empty where none is."""
        run = self.run_of(session_id)
        return run.name if run is not None else ""

    async def _after(self, run: Run) -> None:
        self.live.tell(run.owner)
        if not self.live.leaving.is_set():
            await self.queue.after(run)

    def ask(
        self,
        session: Session,
        name: str,
        owner: str,
        text: str,
        attached: Sequence[str],
        after: int | None = None,
    ) -> Run:
        """Begin a new turn: a run of this name, by which it has waited where it has, in the
        `owner`'s turn. For `after` see `Assistant.answer`."""
        waited = name if any(item.name == name for item in session.waiting) else ""
        start = partial(
            self.assistant.answer, session.id, text, attached, after=after, waited=waited
        )
        others = session.at if after is None else after
        siblings = tuple(turn.number for turn in session.turns if turn.follows == others)
        number = len(session.turns)
        view = TurnView(number, text, follows=others, siblings=(*siblings, number))
        return self.begin(session, name, owner, view, start)

    def begin(
        self,
        session: Session,
        name: str,
        owner: str,
        turn: int | TurnView,
        start: Callable[..., Any],
        *,
        first: Event | None = None,
    ) -> Run:
        """Begin a run of what `start` gives, of a `turn` by its number or as it looks at first, as
        soon as it is its `owner`'s turn. What comes `first` comes before that; it is the request
        where nothing else is given. Where a browser sends the same once more it is the same run."""
        begun_already = self.shared.jobs.find(Run, session.id, name)
        if begun_already is not None:
            return begun_already
        if isinstance(turn, int):
            stored = next((item for item in session.turns if item.number == turn), None)
            turn = TurnView.of(stored, session) if stored is not None else TurnView(turn)
        known = {resource.value: resource for resource in session.resources}
        run = Run(session.id, name, turn, known, lambda: self.settings(session.id).stop_when_left)
        settings = self.settings(session.id)
        asked = first or RequestReceived(turn.number, turn.text)

        def in_turn(cancelled: threading.Event) -> AsyncGenerator[Event, None]:
            begun = start(options=RunOptions(settings, cancelled, asks=True))
            return _in_turn(asked, self.shared.line.through(begun, owner, cancelled))

        self.shared.jobs.begin(run, run.work(in_turn), partial(self._after, run))
        self.live.tell(session.id)
        return run

    def go_on(self) -> None:
        """Go on with what was interrupted when the program ended, where that goes by itself."""
        self._go_on(self.assistant.take_over())
        if self.assistant.settings.go_on != "asked":
            self._beginning = asyncio.create_task(self.queue.begin_all())

    async def go_on_for_others(self) -> None:
        """The same for what another program, that shares the store, has left since it ended."""
        self._go_on(await asyncio.to_thread(self.assistant.take_over, False))

    def _go_on(self, taken: tuple[tuple[str, int], ...]) -> None:
        for session_id, number in taken:
            try:
                session = self.assistant.store.load(session_id)
            except (KeyError, StoreError):
                self.assistant.not_begun(session_id, number)
                continue
            if self.batches.go_on(session):
                continue
            start = partial(self.assistant.resume, session_id, number, by_itself=True)
            owner = self.assistant.store.owners.owner_of(session_id)
            self.begin(session, f"again-{secrets.token_hex(8)}", owner, number, start)


async def _in_turn(
    asked: Event, events: AsyncGenerator[Event, None]
) -> AsyncGenerator[Event, None]:
    """The events of a request; before them, since it may have to wait, what was asked."""
    yield asked
    async with aclosing(events):
        async for event in events:
            yield event


class Deletions:
    """What is deleted after a while unless that is taken back; at the program's end at once."""

    def __init__(self, store: Store, jobs: Jobs) -> None:
        self._store = store
        self._jobs = jobs
        self._waiting: dict[str, threading.Timer] = {}
        self._lock = threading.Lock()

    def begin(self, session_id: str) -> None:
        """Delete a conversation in a while; what runs in it stops now."""
        self._jobs.forget(Run, session_id)
        timer = threading.Timer(UNDO, self._delete, [session_id])
        timer.daemon = True
        with self._lock:
            if session_id in self._waiting:
                return
            self._waiting[session_id] = timer
        timer.start()

    def take_back(self, session_id: str) -> None:
        """Keep it after all; nothing happens where it is gone."""
        with self._lock:
            timer = self._waiting.pop(session_id, None)
        if timer is not None:
            timer.cancel()

    def is_leaving(self, session_id: str) -> bool:
        """Whether it will be deleted."""
        return session_id in self._waiting

    def end(self) -> None:
        """Delete at once all that would be soon."""
        for session_id in list(self._waiting):
            self._delete(session_id)

    def _delete(self, session_id: str) -> None:
        with self._lock:
            if self._waiting.pop(session_id, None) is None:
                return
        try:
            self._store.delete(session_id)
        except (KeyError, StoreError):
            _log.exception("A conversation could not be deleted.")
