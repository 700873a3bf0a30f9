"""From what happens in the page to what changes in it: each event is a verb, and its outcome the
values of components."""

from __future__ import annotations

import asyncio
import inspect
import logging
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import gradio as gr
from starlette.exceptions import HTTPException
from starlette.requests import Request

from controlllm.core.plans import NotThere
from controlllm.core.session import handle_of
from controlllm.resources.probing import BadInput
from controlllm.settings.quotas import LimitReached
from controlllm.store import StoreError
from controlllm.ui.calls import Call
from controlllm.ui.conversations import Conversations
from controlllm.ui.drawings.composer import chips
from controlllm.ui.drawings.conversation_list import Listed, account_line, conversation_list
from controlllm.ui.outcome import NOTHING, Outcome, changes
from controlllm.ui.owned import Owners
from controlllm.ui.signing_in import account_of
from controlllm.ui.texts import COOKIE, language_for, say, speaking
from controlllm.ui.verbs import LOOKS, VERBS
from controlllm.ui.verbs.asking import asked, change_waiting
from controlllm.ui.verbs.conversations import found_by
from controlllm.ui.verbs.files import Taken, take_in
from controlllm.ui.verbs.pointing import point as point_at
from controlllm.ui.watching import Watch

_log = logging.getLogger(__name__)
T = dict[str, Any]
R = TypeVar("R")
#: How many components a watch shows, as the page lists them.
LOOKS_AT = 13
#: Events of the page itself: nobody but it calls them, and none waits for another.
PRIVATE: dict[str, Any] = {
    "api_visibility": "private", "show_progress": "hidden", "concurrency_limit": None,
}  # fmt: skip
#: The same where each time counts. Gradio's usual way for a change, to ask once more for what came
#: meanwhile, never ends where something changes twice that several hear of.
AT_ONCE: dict[str, Any] = {**PRIVATE, "trigger_mode": "multiple"}


class Handlers:
    """What the page's events call."""

    def __init__(self, conversations: Conversations, owners: Owners) -> None:
        self._conversations = conversations
        self._owners = owners
        #: What ends the watch of each page.
        self._watches: dict[str, asyncio.Event] = {}

    # Watching.

    async def enter(self, here: str, asked: str, watched: float, request: gr.Request) -> list[Any]:
        """Begin to look: at the conversation that is shown, else at that of the
        page's address, else at the newest. A watch begins where that changes, else anew."""
        opening = asyncio.to_thread(self._opened, _plain(request), here or asked)
        found = await self._tried(opening, request)
        if found is None:
            return [gr.skip(), gr.skip()]
        return [found, gr.skip()] if found != here else [gr.skip(), int(watched) + 1]

    def _opened(self, request: Request, here: str) -> str:
        conversations, client = self._conversations, request.client
        visitor, address = conversations.visitor(request), client.host if client else ""
        return handle_of(conversations.open(visitor, here, False, address).id)

    async def watch(
        self, here: str, turn: str, request: gr.Request
    ) -> AsyncGenerator[list[Any], None]:
        """How the conversation looks, now and each time that it changes, until the page goes or
        begins to look anew."""
        page = str(request.session_hash)
        ended = asyncio.Event()
        before, self._watches[page] = self._watches.get(page), ended
        if before is not None:
            before.set()
        # Nothing may hold the language here: between two looks others work in this context.
        language, place = language_of(request), (turn or "").removeprefix(f"{here}:")
        number = int(place) if place.isdecimal() else -1

        def opened() -> Watch:
            visitor = self._conversations.visitor(_plain(request))
            session_id = visitor.session_id(here)
            return Watch(self._conversations, visitor, session_id, number, language)

        has_looked = False
        try:
            watch = await asyncio.to_thread(opened)
            async for look in watch.looks(ended):
                has_looked = True
                for told in look.told:
                    gr.Info(told)
                yield [
                    look.talk, look.graph, look.ways, look.files, look.conversations, look.waiting,
                    look.leaves, gr.update(files=look.named), gr.update(standing=look.compared),
                    look.is_running, look.top, gr.update(value=look.recipes), time.monotonic(),
                ]  # fmt: skip
        except (KeyError, StoreError):
            if not has_looked:
                # What is yielded never would be nothing at all for every component.
                yield [gr.skip()] * LOOKS_AT

    def node(self, event: gr.EventData) -> Any:
        """Which node of a plan was selected, for the editor of its step."""
        return gr.update(step={**(event._data or {}), "time": time.monotonic()})

    def left(self) -> Any:
        """The editor of a step was left: no node of the plan is selected any more."""
        return gr.update(selected={"node": "", "time": time.monotonic()})

    def account(self, request: gr.Request) -> T:
        """Who is signed in, where the server has accounts."""
        found = account_of(_plain(request))
        with speaking(language_of(request)):
            return {"parts": [account_line(found.shown) if found is not None else ""]}

    def leave(self, request: gr.Request) -> None:
        """The page is hidden: its look ends, and its connection is free for others."""
        ended = self._watches.pop(str(request.session_hash), None)
        if ended is not None:
            ended.set()

    # Acting.

    async def act(
        self, event: gr.EventData, here: str, attached: list[str], request: gr.Request
    ) -> list[Any]:
        """What was pressed in one of the components."""
        return await self.do(dict(event._data or {}), here, attached, request)

    async def do(
        self, sent: T, here: str, attached: Sequence[str], request: gr.Request
    ) -> list[Any]:
        """What a verb does (``do``) with what was sent for it."""
        # What is pressed belongs to the conversation that it was drawn in.
        handle = str(sent.get("handle") or here)
        work = VERBS.get(str(sent.get("do")))
        if work is None:
            return changes(NOTHING)
        if sent["do"] in ("open-conversation", "delete-conversation", "restore-conversation"):
            handle = here
        return await self._performed(work, handle, sent, attached, request)

    def pressed(self, name: str) -> Callable[..., Any]:
        """What a button of Gradio's own does: the verb of this name."""

        async def press(here: str, attached: list[str], request: gr.Request) -> list[Any]:
            return await self._performed(VERBS[name], here, {"do": name}, attached, request)

        return press

    async def send(
        self,
        message: Mapping[str, Any] | None,
        here: str,
        attached: list[str],
        editing: Mapping[str, Any] | None,
        request: gr.Request,
    ) -> list[Any]:
        """Send the message that was written, with its files."""
        text, paths = _written(message)
        text = text.strip()

        def work(call: Call) -> Outcome:
            taken, told = self._taken(call, paths)
            panel, notice = taken.recipe, taken.notice or None
            values = [*call.attached, *taken.values]
            if not text or panel is not None or (told and len(taken.values) < len(paths)):
                # Nothing is lost: the words, and the files that could be taken.
                if not text and (values or panel is None):
                    told.append(say("composer.say_what" if values else "composer.write_what"))
                return Outcome(
                    told=" ".join(told), attached=tuple(values), words=text, panel=panel,
                    notice=notice,
                )  # fmt: skip
            waiting = str((editing or {}).get("waiting") or "")
            if waiting:
                done = change_waiting(call, waiting, text)
                return Outcome(told=done.told, begin=done.begin, words="", attached=(), editing={})
            after = (editing or {}).get("after")
            begin = asked(call, text, values, after if isinstance(after, int) else None)
            return Outcome(
                told=" ".join(told), begin=begin, turn=-1, attached=(), words="", editing={},
                notice=notice,
            )  # fmt: skip

        return await self._performed(work, here, {}, attached, request)

    async def point(
        self,
        message: Mapping[str, Any] | None,
        here: str,
        attached: list[str],
        request: gr.Request,
    ) -> list[Any]:
        """Point at something in what the message has; its files are taken in for that."""
        text, paths = _written(message)

        def work(call: Call) -> Outcome:
            taken, told = self._taken(call, paths)
            values = tuple(dict.fromkeys([*call.attached, *taken.values]))
            try:
                outcome = point_at(replace(call, attached=values))
            except BadInput as error:
                outcome, told = NOTHING, [*told, str(error)]
            told_of = " ".join(told)
            if not paths:
                return replace(outcome, told=told_of)
            notice = taken.notice or None
            return replace(outcome, told=told_of, attached=values, words=text, notice=notice)

        return await self._performed(work, here, {}, attached, request)

    def _taken(self, call: Call, paths: Sequence[Path]) -> tuple[Taken, list[str]]:
        own = self.own_files(call, paths)
        taken = take_in(call, own)
        gone = [say("errors.file_gone", name=path.name) for path in paths if path not in own]
        return taken, [*taken.told, *gone]

    def own_files(self, call: Call, paths: Sequence[Path]) -> list[Path]:
        """Those of some files that this browser has uploaded: a path that it has not is somebody
        else's, or no upload."""
        return [path for path in paths if self._owners.has_file(str(path), call.visitor.owner)]

    async def search(self, words: str, here: str, request: gr.Request) -> Any:
        """The conversations in which words stand."""

        def work() -> T:
            call = self._call(_plain(request), here, {})
            around = found_by(call, words) if words.strip() else None
            run_of = call.conversations.run_of
            listed = [
                Listed(handle_of(key), title, run_of(key) is not None)
                for key, title, _ in call.visitor.titles()
            ]
            return {"parts": [conversation_list(listed, here, around)], "handle": "", "title": ""}

        return await self._spoken(work, request)

    async def chips(
        self, attached: list[str], editing: Mapping[str, Any], here: str, request: gr.Request
    ) -> T:
        """The files of the next message, drawn."""
        said = str((editing or {}).get("said") or "")

        def work() -> T:
            call = self._call(_plain(request), here, {})
            session = call.session()
            return {"parts": [chips(session, attached, call.conversations.media_of(session), said)]}

        return await self._spoken(work, request) if here else {"parts": []}

    async def _spoken(self, work: Callable[[], T], request: gr.Request) -> T:
        with speaking(language_of(request)):
            return await asyncio.to_thread(work)

    async def look(self, wanted: Mapping[str, Any], request: gr.Request) -> T:
        """What a component asks: an answer, or an ``error`` in words."""
        with speaking(language_of(request)):
            try:
                work = LOOKS[str(wanted.get("do"))]
                here = str(wanted.get("handle") or "")
                call = await asyncio.to_thread(self._call, _plain(request), here, wanted)
                if inspect.iscoroutinefunction(work):
                    answer: T = await work(call)
                else:
                    answer = await asyncio.to_thread(work, call)
            except Exception as error:
                return {"error": self._refused(error)}
            return answer

    async def done(
        self,
        work: Callable[[Call], Any],
        here: str,
        request: gr.Request,
        sent: Mapping[str, Any] | None = None,
        attached: Sequence[str] = (),
    ) -> Any:
        """What `work` gives; None where it was refused, which is told. It is called in a thread;
        of an outcome the run begins, and what it says is told."""
        plain = _plain(request)

        async def told() -> Any:
            call = partial(self._call, plain, here, sent or {}, attached)
            found = await asyncio.to_thread(lambda: work(call()))
            if isinstance(found, Outcome) and found.begin is not None:
                begun = found.begin()
                if inspect.isawaitable(begun):
                    await begun
            if isinstance(found, Outcome) and found.told:
                gr.Info(found.told)
            self._tell(plain, here)
            return found

        return await self._tried(told(), request)

    async def _performed(
        self,
        work: Callable[[Call], Outcome],
        here: str,
        sent: T,
        attached: Sequence[str],
        request: gr.Request,
    ) -> list[Any]:
        return changes(await self.done(work, here, request, sent, attached) or NOTHING, here)

    async def _tried(self, work: Coroutine[Any, Any, R], request: gr.Request) -> R | None:
        """What comes of something; None where it was refused or fails, which is told."""
        with speaking(language_of(request)):
            try:
                return await work
            except Exception as error:
                gr.Warning(self._refused(error))
                return None

    def _refused(self, error: Exception) -> str:
        """What is said of a refusal; limits that were reached are counted."""
        if isinstance(error, LimitReached):
            self._conversations.reached(error.limit)
        return sentence_of(error)

    def _call(
        self, request: Request, here: str, sent: Mapping[str, Any], attached: Sequence[str] = ()
    ) -> Call:
        return Call.from_page(request, self._conversations, here, sent, attached)

    def _tell(self, request: Request, here: str) -> None:
        if not here:
            return
        try:
            session_id = self._conversations.visitor(request).session_id(here)
        except KeyError:
            return
        self._conversations.live.tell(session_id)


def _written(message: Mapping[str, Any] | None) -> tuple[str, list[Path]]:
    """The words of a message, and its files."""
    sent = message or {}
    return str(sent.get("text") or ""), [Path(path) for path in sent.get("files") or ()]


def language_of(request: gr.Request) -> str:
    """The language of whoever looks at the page."""
    plain = _plain(request)
    return language_for(plain.cookies.get(COOKIE, ""), plain.headers.get("accept-language", ""))


def _plain(request: gr.Request) -> Request:
    # What components ask (`look`) comes with the plain request itself.
    return getattr(request, "request", None) or request  # type: ignore[return-value]


def sentence_of(error: Exception) -> str:
    """What is said of a refusal; of a fault of ours no more than that it is one, and it is
    logged."""
    if isinstance(error, HTTPException):
        return str(error.detail)
    if isinstance(error, NotThere | BadInput | LimitReached | StoreError):
        return str(error)
    if isinstance(error, KeyError | IndexError):
        return say("errors.no_file")
    _log.error("unexpected: %r", error, exc_info=error)
    return say("errors.ours")
