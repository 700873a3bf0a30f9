"""A page follows its conversation: how it looks now, drawn anew as things happen.

A run belongs to the server; pages come, watch and go. What has ended is drawn when the conversation
has changed, what is at work about twelve times a second.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from controlllm.core.session import Session, handle_of
from controlllm.resources import Resource
from controlllm.settings.data_egress import data_egress
from controlllm.ui import examples
from controlllm.ui.batches import Standing, Work
from controlllm.ui.conversations import Conversations
from controlllm.ui.drawings.batch_view import batch_entry, batch_line, progress_words
from controlllm.ui.drawings.comparison import standing as compared
from controlllm.ui.drawings.composer import leaves, named, queue
from controlllm.ui.drawings.conversation import announced, turn, turn_parts
from controlllm.ui.drawings.conversation_list import Listed, conversation_list, top_line
from controlllm.ui.drawings.media import Media
from controlllm.ui.drawings.plan import no_plan, plan_parts, way_parts
from controlllm.ui.drawings.tray import tray
from controlllm.ui.streams import Run
from controlllm.ui.texts import say, speaking
from controlllm.ui.view import TurnView, views_of
from controlllm.ui.visitor import Visitor

_PAUSE = 0.08  # seconds between two drawings
_BETWEEN_BATCHES = 1.0  # seconds between two drawings of how far a batch is
#: Seconds between two looks into the store while something runs here: others may have changed what
#: it keeps, but a run itself is known without it.
_BETWEEN_READINGS = 1.0
_SIGN_OF_LIFE = 10.0  # seconds after which a page hears that nothing has changed


@dataclass(frozen=True)
class Look:
    """All that a page shows of a conversation; each field is the value of one component. `recipes`
    also says how far a batch of the visitor's is, `told` which have just ended."""

    talk: Mapping[str, Any]
    graph: Mapping[str, Any]
    ways: Mapping[str, Any]
    files: Mapping[str, Any]
    conversations: Mapping[str, Any]
    waiting: Mapping[str, Any]
    leaves: Mapping[str, Any]
    named: tuple[Mapping[str, Any], ...]
    top: Mapping[str, Any]
    compared: Mapping[str, Any]
    is_running: bool
    recipes: str = ""
    told: tuple[str, ...] = ()


@dataclass
class _Kept:
    """What changes only with the conversation itself."""

    session: Session
    views: list[TurnView]
    known: dict[str, Resource]
    history: list[list[str]]
    files: Mapping[str, Any]
    named: tuple[Mapping[str, Any], ...]
    made: int = 0
    pieces: dict[int, tuple[TurnView, str]] = field(default_factory=dict)
    has_batch_at_work: bool = False


class Watch:
    """One page's look at one conversation.

    Parameters
    ----------
    session_id: the conversation, one of the visitor's own.
    turn: the number of the turn whose plan is shown; -1 for the newest.
    language: what it is drawn in.
    """

    def __init__(
        self,
        conversations: Conversations,
        visitor: Visitor,
        session_id: str,
        turn: int,
        language: str,
    ) -> None:
        self._language = language
        self._conversations = conversations
        self._visitor = visitor
        self._session_id = session_id
        self._turn = turn
        self._kept: _Kept | None = None
        #: The visitor's batches that were at work when it was looked last, by their ids.
        self._works: dict[str, Work] = {}
        self._titles: list[tuple[str, str, float]] = []
        #: The ways as they were drawn last, and of what.
        self._ways: tuple[tuple[object, ...], tuple[str, ...]] = ((), ())

    async def looks(self, ended: asyncio.Event) -> AsyncGenerator[Look, None]:
        """How it looks now, and again each time that it changes, until it is `ended` from outside;
        raises KeyError where the conversation is gone."""
        conversations, session_id = self._conversations, self._session_id
        with conversations.live.watched(session_id) as changed:
            mark, drawn, read = "", 0.0, 0.0
            while not ended.is_set():
                run = conversations.run_of(session_id)
                version = run.version if run is not None else 0
                # Batches change what is shown, but not the conversation.
                is_told = changed.is_set()
                is_due = self._has_batch_at_work and time.monotonic() > drawn + _BETWEEN_BATCHES
                changed.clear()
                now = mark
                if run is None or is_told or time.monotonic() > read + _BETWEEN_READINGS:
                    now = await asyncio.to_thread(self._mark)
                    read = time.monotonic()
                has_changed = now != mark or is_told or is_due
                drawn = time.monotonic() if has_changed else drawn
                yield await asyncio.to_thread(self._spoken_look, run, has_changed)
                mark = now
                is_busy = self._has_batch_at_work or bool(self._works)
                patience = _BETWEEN_BATCHES if is_busy else _SIGN_OF_LIFE
                if run is None or run.ended:
                    await _until(patience, changed, ended)
                    continue
                with run.watched() as moved:
                    await asyncio.sleep(_PAUSE)
                    if run.version == version and not changed.is_set():
                        await _until(patience, moved, changed, ended)

    def _mark(self) -> str:
        """What stands for the conversation as it is kept now; the titles are read as well."""
        self._titles = self._visitor.titles()
        return self._conversations.live.mark(self._session_id)

    def _spoken_look(self, run: Run | None, has_changed: bool) -> Look:
        with speaking(self._language):
            return self._look(run, has_changed)

    @property
    def _has_batch_at_work(self) -> bool:
        return self._kept is not None and self._kept.has_batch_at_work

    def _batches(self) -> tuple[str, tuple[str, ...]]:
        """How far the visitor's batch is that began last, and what is told of those that ended."""
        batches = self._conversations.batches
        works = {work.batch.id: work for work in batches.of(self._visitor.owner)}
        gone = {id: work for id, work in self._works.items() if id not in works and work.ended}
        # One for which files still come has only paused.
        ended = [work for id, work in gone.items() if work.stopping or id not in batches.coming]
        self._works = {**works, **{id: work for id, work in gone.items() if work not in ended}}
        told = tuple(
            say(
                "batch.told",
                name=work.batch.recipe.name,
                words=progress_words(work.files, False, None),
            )
            for work in ended
        )
        if not works:
            return "", told
        first = next(iter(works.values()))
        over = sum(item.state in ("done", "failed") for item in first.files)
        name, count = first.batch.recipe.name, len(first.files)
        return say("batch.at_work", name=name, done=over, all=count), told

    def _look(self, run: Run | None, has_changed: bool) -> Look:
        if self._kept is None or has_changed or (run is not None and run.files != self._kept.made):
            self._kept = self._draw(run)
        kept, handle = self._kept, handle_of(self._session_id)
        live: dict[str, Any] = {"key": "", "parts": [], "handle": handle}
        known, views = kept.known, kept.views
        if run is not None:
            known = {**known, **run.known}
            views = [view for view in views if view.number != run.view.number] + [run.view]
        media = self._conversations.media(self._session_id, known)
        history = kept.history
        if run is not None:
            key = f"turn-{run.view.number}"
            history = [item for item in history if item[0] not in (key, "welcome")]
            live = {
                **live,
                "key": key,
                "parts": list(turn_parts(run.view, media, known)),
            }
        shown = next((view for view in views if view.number == self._turn), None)
        shown = shown or (views[-1] if views else None)
        number = shown.number if shown else -1
        graph = plan_parts(shown, media, known) if shown else no_plan()
        cards = self._cards(shown, media, known) if shown else no_plan()
        session, settings = kept.session, self._conversations.settings(self._session_id)
        egress = leaves(data_egress(settings))
        batch, told = self._batches()
        waits = queue(session.waiting, self._conversations.queue.is_held(session))
        return Look(
            talk={**live, "history": history, "now": announced(views[-1]) if views else ""},
            graph={"parts": list(graph), "handle": handle, "turn": number},
            ways={"parts": list(cards), "handle": handle},
            files=kept.files,
            conversations=self._list(session, handle),
            waiting={"parts": [waits]},
            leaves={"parts": [egress]},
            named=kept.named,
            top={"parts": [top_line(session.title, handle)]},
            compared=compared(shown, handle) if shown else {},
            is_running=run is not None,
            recipes=" · ".join(filter(None, (say("recipes.title"), batch))),
            told=told,
        )

    def _cards(
        self, view: TurnView, media: Media, known: Mapping[str, Resource]
    ) -> tuple[str, ...]:
        """The ways of a turn, drawn anew only where something has changed that they show: a run
        tells twelve times a second how far it is."""
        made = frozenset(key for key, item in view.actions.items() if item.resource is not None)
        shown = (
            view.number, view.subtasks, view.solutions, view.plan, view.beside, view.state,
            view.trying, view.agents, view.searches, view.costs, made, len(known),
        )  # fmt: skip
        if self._ways[0] != shown:
            self._ways = (shown, way_parts(view, media))
        return self._ways[1]

    def _draw(self, run: Run | None) -> _Kept:
        conversations = self._conversations
        session = conversations.assistant.store.load(self._session_id)
        known = {resource.value: resource for resource in session.resources}
        media, handle = conversations.media(session.id, known), handle_of(session.id)
        views = list(views_of(session))
        before = self._kept.pieces if self._kept is not None else {}
        pieces = {view.number: self._piece(view, before, media, known) for view in views}
        begun = conversations.batches.begun_in(session.id)
        turns = [[f"turn-{number}", html] for number, (_, html) in pieces.items()]
        if not turns and run is None and not begun:
            turns = [["welcome", examples.welcome()]]
        entries = [batch_entry(standing, handle) for standing in reversed(begun)]
        return _Kept(
            session,
            views,
            known,
            _with_batches(turns, begun, handle),
            {"parts": [tray(session, media, entries)], "handle": handle},
            named(session, media),
            run.files if run is not None else 0,
            pieces,
            any(
                standing.at_work or standing.id in conversations.batches.coming
                for standing in begun
            ),
        )

    @staticmethod
    def _piece(
        view: TurnView,
        before: Mapping[int, tuple[TurnView, str]],
        media: Media,
        known: Mapping[str, Resource],
    ) -> tuple[TurnView, str]:
        """A turn that has ended, drawn; as before where it is the same."""
        then = before.get(view.number)
        if then is not None and then[0] == view:
            return then
        return view, turn(view, media, known)

    def _list(self, session: Session, handle: str) -> Mapping[str, Any]:
        run_of = self._conversations.run_of
        leaves = self._conversations.deletions.is_leaving
        drawn = conversation_list(
            [
                Listed(handle_of(key), title, run_of(key) is not None, leaves(key))
                for key, title, _ in self._titles
            ],
            handle,
        )
        return {"parts": [drawn], "handle": handle, "title": session.title}


def _with_batches(
    turns: list[list[str]], begun: Sequence[Standing], handle: str
) -> list[list[str]]:
    """Turns with the lines of batches after those that they were begun after; those of another
    branch come at the end."""
    keys = {key for key, _ in turns}
    lines: dict[str, list[list[str]]] = {}
    for standing in begun:
        after = f"turn-{standing.after}"
        line = [f"batch-{standing.id}", batch_line(standing, handle)]
        lines.setdefault(after if after in keys else "", []).append(line)
    placed = [piece for turn in turns for piece in (turn, *lines.get(turn[0], ()))]
    return [*placed, *lines.get("", ())]


async def _until(seconds: float, *events: asyncio.Event) -> None:
    """Wait for the first of some events, but not longer than that."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
