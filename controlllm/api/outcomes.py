"""Requests at work for programs, which belong to the server and go on whoever reads of them, and
what programs are told: files, what a request has come to, conversations, tools; plain JSON.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncGenerator
from typing import Any
from urllib.parse import quote

from pydantic import ValidationError

from controlllm.admission.jobs import Job
from controlllm.admission.shared import Start, follow
from controlllm.api.arguments import schema_of
from controlllm.core import events
from controlllm.core.events import AnswerFinished, RequestCancelled
from controlllm.core.session import Session, Turn, handle_of
from controlllm.resources import BadInput, Resource
from controlllm.runs.sent_plans import BadPlan
from controlllm.settings import Settings
from controlllm.settings.quotas import LimitReached
from controlllm.store import Store, StoreError
from controlllm.toolbox import Toolbox

#: After so many seconds without an event whoever reads hears that the connection stands.
SIGN_OF_LIFE = 4.0
#: Of more events than this those are left out that only say how far something is.
_MOST_EVENTS = 10_000
_MAY_BE_LEFT_OUT = (events.ActionProgress, events.AnswerToken, events.Waiting)
_MOST_WORDS = 5_000_000


class Work(Job):
    """A request at work and all that has happened so far, a line of JSON for each event.

    Parameters
    ----------
    owner: the id of the conversation.
    stops_when_left: whether it is stopped as soon as nobody reads any more.
    turn: the number of the request, where it is known before it begins.
    """

    is_kept = True

    def __init__(self, owner: str, stops_when_left: bool = False, turn: int | None = None) -> None:
        super().__init__(owner, secrets.token_hex(8))
        self.lines: list[str] = []
        self.turn = turn
        #: What it came to; None as long as it is at work.
        self.end: events.Event | None = None
        self.made: dict[str, events.ActionFinished] = {}
        self.failures: list[events.ActionFailed] = []
        #: What kept it from being begun at all.
        self.refusal: LimitReached | None = None
        self._stops_when_left = stops_when_left
        self._readers = 0
        self._length = 0

    async def work(self, start: Start) -> None:
        """Take in what happens until the end; every fault becomes a sentence."""
        try:
            await follow(start, self.cancelled, self._take, self._fail)
        finally:
            if self.end is None:
                self._take(events.RequestFailed("This ended before there was an answer."))

    def _fail(self, why: Exception | None) -> None:
        self.refusal = why if isinstance(why, LimitReached) else None
        said = "Something went wrong on our side. Try it again, please."
        self._take(events.RequestFailed(said if why is None else str(why)))

    def _take(self, event: events.Event) -> None:
        if isinstance(event, events.RequestReceived):
            self.turn = event.turn
        elif isinstance(event, events.ActionFinished):
            self.made[event.key] = event
        elif isinstance(event, events.ActionFailed):
            self.failures.append(event)
        is_full = len(self.lines) >= _MOST_EVENTS or self._length >= _MOST_WORDS
        if not (is_full and isinstance(event, _MAY_BE_LEFT_OUT)):
            told = {"run": self.name, "number": len(self.lines), **event.to_json()}
            self.lines.append(json.dumps(told, ensure_ascii=False))
            self._length += len(self.lines[-1])
        if isinstance(event, events.TERMINAL):
            self.end = event
        self.tell()

    async def read(self, first: int = 0) -> AsyncGenerator[str, None]:
        """The lines from a number on, as they come, until the end; an empty one is a sign of life.

        Whoever reads slowly holds up nobody.
        """
        self._readers += 1
        try:
            while True:
                while first < len(self.lines):
                    first += 1
                    yield self.lines[first - 1]
                if self.end is not None:
                    return
                if not await self.moved(SIGN_OF_LIFE):
                    yield ""
        finally:
            self._readers -= 1
            if not self._readers and self._stops_when_left:
                self.cancelled.set()

    async def begun(self) -> None:
        """Wait for the first event; raises LimitReached where it may not be begun now."""
        while not self.lines:
            await self.changed.wait()
        if self.refusal is not None:
            raise self.refusal

    async def until_ended(self) -> events.Event:
        """Wait for the end."""
        async for _ in self.read():
            pass
        assert self.end is not None
        return self.end


Told = dict[str, Any]
#: Where a program fetches files, with its token.
FILES = "/api/files"
#: Of a result in words or a list, in bytes: a longer one is fetched.
_MOST_TOLD = 100_000


def sentence_of(error: Exception) -> str:
    """Why something that was sent is refused, in a sentence; empty where nobody expected it."""
    if isinstance(error, BadPlan):
        return f"At {error.node} of the plan: {error}" if error.node else str(error)
    if isinstance(error, ValidationError):
        found = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part)[:60] for part in found["loc"][:8])
        return f"This could not be read: {f'{where}: ' if where else ''}{found['msg']}."
    if isinstance(error, RecursionError):
        return "This is nested too deeply."
    return str(error) if isinstance(error, BadInput | LimitReached | StoreError) else ""


def file_of(session_id: str, resource: Resource) -> Told:
    """A file of a conversation, handed over or made, and where its bytes are."""
    return {
        "name": resource.value,
        "type": resource.type,
        "media_type": resource.media_type,
        "sha256": resource.digest,
        "origin": resource.origin,
        "details": dict(resource.details),
        "address": f"{FILES}/{handle_of(session_id)}/{quote(resource.value, safe='')}",
    }


def outcome_of(work: Work, session: Session) -> Told:
    """What a request has come to, or that it is still at work."""
    state, answer = "running", ""
    shown: tuple[Resource, ...] = ()
    if isinstance(work.end, AnswerFinished):
        state, answer, shown = "answered", work.end.text, work.end.resources
    elif work.end is not None:
        state = "stopped" if isinstance(work.end, RequestCancelled) else "failed"
        answer = getattr(work.end, "message", "")
    turn = next((turn for turn in session.turns if turn.number == work.turn), None)
    return {
        "run": work.name,
        "session": handle_of(session.id),
        "turn": work.turn,
        "state": state,
        "answer": answer,
        "files": [file_of(session.id, item) for item in shown],
        "plan": _plan_of(turn),
        "questions": [item.to_json() for item in turn.questions] if turn else [],
    }


def value_of(store: Store, resource: Resource) -> Any:
    """A short result in words or a list as such; None where it is a file to be fetched."""
    if resource.media_type not in ("text/plain", "application/json"):
        return None
    path = store.path(resource.digest, resource.media_type)
    if path.stat().st_size > _MOST_TOLD:
        return None
    words = path.read_text("utf-8", "replace")
    return words if resource.media_type == "text/plain" else json.loads(words)


def shown(session: Session, running: list[str]) -> Told:
    """A conversation with all that is in it, and the runs that are at work."""
    return {
        "session": handle_of(session.id),
        "title": session.title,
        "running": running,
        "turns": [
            {
                "turn": turn.number,
                "request": turn.text,
                "state": turn.state,
                "answer": turn.answer,
                "plan": _plan_of(turn),
                "results": {key: item.value for key, item in turn.results.items()},
                "questions": [item.to_json() for item in turn.questions],
            }
            for turn in session.turns
        ],
        "files": [file_of(session.id, item) for item in session.resources],
    }


def _plan_of(turn: Turn | None) -> Told | None:
    return turn.plan.to_json() if turn is not None and turn.plan is not None else None


def tools_of(toolbox: Toolbox, settings: Settings, about: str = "") -> list[Told]:
    """The tools that have a word in name, field or description; all of them where it is empty."""
    reasons = toolbox.reasons_unavailable(settings.capabilities, settings.runtimes)
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "domain": tool.domain,
            "returns": tool.returns.type,
            "arguments": schema_of(tool, toolbox),
            "available": tool.name not in reasons,
            "reason": reasons.get(tool.name, ""),
        }
        for tool in toolbox
        if about.lower() in f"{tool.name} {tool.domain} {tool.description}".lower()
    ]
