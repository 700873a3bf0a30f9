"""What programs can have done: one place for each thing, for the verbs and the MCP server.

Everything is done for somebody who has a token; what belongs to anybody else does not exist for
them (KeyError).
"""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict
from starlette.concurrency import run_in_threadpool

from controlllm.admission.shared import Shared
from controlllm.answers.rejections import problem_with
from controlllm.api.arguments import is_media, read_arguments
from controlllm.api.outcomes import Work
from controlllm.api.tokens import Token, Tokens
from controlllm.core.events import Event, PlanReady, RequestFailed
from controlllm.core.plans import (
    Action,
    NotThere,
    Plan,
    Request,
    Solution,
    Subtask,
    TypedValue,
    generated,
)
from controlllm.core.session import Session, handle_of
from controlllm.resources import BadInput, Resource
from controlllm.runs.assistant import Assistant
from controlllm.runs.planners import planners_of
from controlllm.runs.request_planning import MAX_SUBTASKS
from controlllm.runs.run_options import RunOptions
from controlllm.runs.turn_recorder import keep_planned
from controlllm.settings import AgentName, Settings
from controlllm.store.handed_over import add_file, set_type
from controlllm.toolbox import Tool

#: So many conversations of a token that were opened for one request are kept, the newest.
_MOST_PASSING = 20
#: One that was opened so lately may be about to be used, in seconds.
_NEW_FOR = 60.0
_MOST_IN_A_BURST = 60
#: The place in its plan of a tool that is called by itself.
ONLY_STEP = "0.0.0"


class How(BaseModel):
    """How something is done, an object of JSON with any of these.

    Parameters
    ----------
    asks: whether questions can be answered (by `go_on`); else the likeliest is taken.
    stop_when_left: stop as soon as nobody listens any more; else it goes on.
    agent: have this agent decide step by step, instead of planning first.
    divide_first: whether an agent is told the parts of its task before it begins.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    asks: bool = False
    stop_when_left: bool = False
    agent: AgentName | None = None
    divide_first: bool | None = None


AS_USUAL = How()


class Service:
    """The assistant for programs.

    Parameters
    ----------
    shared: what everybody shares who reaches this server.
    tell: called with the name of a limit that was reached.
    """

    def __init__(
        self,
        assistant: Assistant,
        tokens: Tokens,
        shared: Shared,
        tell: Callable[[str], None] = lambda limit: None,
    ) -> None:
        self.assistant = assistant
        self.tokens = tokens
        self.tell = tell
        self._jobs, self._line = shared.jobs, shared.line
        self._allowance, self._taking_in = shared.allowance, shared.taking_in

    # Conversations

    def open(self, token: Token, passing: bool = False) -> Session:
        """A new conversation; a `passing` one is for one request and makes room by itself.

        Raises LimitReached where the token may not have one more.
        """
        store = self.assistant.store
        old = self.tokens.passing(token.id, _NEW_FOR)[_MOST_PASSING - 1 :]
        for left in {*old, *self.tokens.passing(token.id, 0)[_MOST_IN_A_BURST - 1 :]}:
            if not self.works_of(left):
                self._delete(left)
        own = store.titles(self.tokens.sessions(token.id))
        self._allowance.check_session(len(own), "" if passing else f"token {token.id}")
        session = store.new_session()
        self.tokens.own(token.id, session.id, passing)
        return session

    def session(self, token: Token, handle: str) -> Session:
        """A token's own conversation; raises KeyError where it has none of this handle."""
        session_id = self._session_id(token, handle)
        return self.assistant.open_session(self.assistant.store.load(session_id).id)

    def _session_id(self, token: Token, handle: str) -> str:
        for session_id in self.tokens.sessions(token.id):
            if handle_of(session_id) == handle:
                return session_id
        raise KeyError(handle)

    def sessions(self, token: Token) -> list[tuple[str, str, float]]:
        """Handle, title and time of change of a token's conversations, the newest first."""
        found = self.assistant.store.titles(self.tokens.sessions(token.id))
        return [(handle_of(session), title, changed) for session, title, changed in found]

    def delete(self, token: Token, handle: str) -> None:
        """Forget a conversation with its files; what runs in it stops."""
        # Not read first: one that cannot be read can be deleted.
        self._delete(self._session_id(token, handle))

    def _delete(self, session_id: str) -> None:
        self._jobs.forget(Work, session_id)
        with suppress(KeyError):
            self.assistant.store.delete(session_id)
        self.tokens.disown(session_id)

    # Files

    def check_file(self, token: Token, size: int) -> None:
        """Raise LimitReached where a token may not have a file of so many bytes more."""
        self._allowance.check_file(self.tokens.sessions(token.id), size)

    async def add_file(
        self, token: Token, session_id: str, path: Path, name: str, type_name: str = ""
    ) -> tuple[Resource, tuple[str, ...]]:
        """Take a file into a conversation, as a special kind of picture where one is named; the
        resource and what should be known about it.

        Raises BadInput where it cannot be used, LimitReached where it may not be kept.
        """
        await run_in_threadpool(self.check_file, token, path.stat().st_size)
        async with self._taking_in:
            resource, notices = await run_in_threadpool(
                add_file, self.assistant.store, session_id, path, name
            )
        if type_name and type_name != resource.type:
            resource = await run_in_threadpool(
                set_type, self.assistant.store, session_id, resource.value, type_name
            )
        return resource, notices

    def delete_file(self, session: Session, name: str) -> None:
        """Forget a file of a conversation; raises KeyError where there is none."""
        session.resource(name)

        def change(current: Session) -> Session:
            kept = tuple(item for item in current.resources if item.value != name)
            return replace(current, resources=kept)

        self.assistant.store.update(session.id, change)

    def _keep(self, session_id: str, type_name: str, content: bytes, media_type: str) -> str:
        digest = self.assistant.store.put_bytes(content, media_type)
        name = f"{type_name}.{media_type.rpartition('/')[2]}"
        made = Resource(type_name, name, digest, media_type, "sent by a program")
        return self.assistant.store.add(session_id, made).value

    # Requests

    def ask(
        self,
        token: Token,
        session: Session,
        text: str,
        files: Sequence[str] = (),
        how: How = AS_USUAL,
    ) -> Work:
        """Have a request answered. Raises BadInput where a file is not there."""
        check_files(session, files)
        settings = self.assistant.settings.acting_by(how.agent, how.divide_first)
        start = partial(self.assistant.answer, session.id, text, files)
        return self._begin(token, session, start, how, settings=settings)

    def go_on(
        self, token: Token, session: Session, turn: int, what: tuple[Any, ...], how: How
    ) -> Work:
        """Go on with a turn: with what was stopped (``resume``), another way (``switch``, subtask
        and solution), what answers a question (``choose``, question and choice), or have an agent
        work on a subtask (``act``, subtask).

        Raises NotThere where there is no such turn, subtask, solution, question or choice.
        """
        kept, assistant = session.turn(turn), self.assistant
        do, *numbers = what
        if do == "choose":
            question, choice = numbers
            asked = kept.questions
            if not 0 <= question < len(asked) or not 0 <= choice < len(asked[question].choices):
                raise NotThere(f"There is no choice {choice}.")
        elif do == "switch":
            if kept.plan is None:
                raise NotThere("This request has no plan.")
            kept.plan.switched(*numbers)
        elif do == "act" and (
            kept.plan is None or numbers[0] not in {item.id for item in kept.plan.subtasks}
        ):
            raise NotThere(f"There is no part {numbers[0]}.")
        start = partial(getattr(assistant, do), session.id, kept.number, *numbers)
        return self._begin(token, session, start, how, turn=kept.number)

    async def plan(self, token: Token, request: Request) -> Plan:
        """How a request would be solved; runs nothing.

        Raises BadInput where it cannot be planned, LimitReached where it may not be now.
        """

        async def planned() -> AsyncGenerator[Event, None]:
            yield PlanReady(await run_in_threadpool(self._planned, request))

        events = self._line.through(planned(), _owner(token), threading.Event())
        async with aclosing(events):
            async for event in events:
                if isinstance(event, PlanReady):
                    return event.plan
        raise BadInput("This could not be planned.")

    def _planned(self, request: Request) -> Plan:
        assistant, settings = self.assistant, self.assistant.settings
        handed = tuple(item for item in request.resources if item.value in request.attached)
        problem = problem_with(request.text, handed, settings.has_model)
        if problem:
            raise BadInput(problem)
        here = assistant.tools.planner_here(settings, request)
        planner = planners_of(here, settings, lambda event: None)()
        subtasks = planner.decompose(request)
        if len(subtasks) > MAX_SUBTASKS:
            raise BadInput(
                f"I find {len(subtasks)} separate requests in this, more than I can do at once "
                f"({MAX_SUBTASKS}). Ask for less."
            )
        solved = list(planner.solve(subtasks, request))
        return Plan(
            tuple(item.subtask for item in solved),
            {item.subtask.id: item.solutions for item in solved},
        )

    async def run_plan(
        self,
        token: Token,
        session: Session,
        plan: Plan,
        text: str = "",
        how: How = AS_USUAL,
        settings: Settings | None = None,
    ) -> Work:
        """Run a plan that was checked (`controlllm.runs.sent_plans`)."""
        store, mark = self.assistant.store, self.assistant.settings.mark
        number = await run_in_threadpool(keep_planned, store, session.id, plan, text, mark)
        start = partial(self.assistant.resume, session.id, number)
        return self._begin(token, session, start, how, number, settings)

    async def call(
        self,
        token: Token,
        session: Session,
        tool: Tool,
        sent: Mapping[str, Any],
        how: How = AS_USUAL,
    ) -> Work:
        """Call one tool; its result is what `ONLY_STEP` has made. Nothing else is done in its place
        where it fails, and no language model is told of it: a program asked for this call alone.

        Raises BadInput, with the argument's name, where it cannot be called like that.
        """
        toolbox = self.assistant.toolbox
        inputs = await run_in_threadpool(
            read_arguments, tool, toolbox, sent, partial(self._keep, session.id)
        )
        session = await run_in_threadpool(self.assistant.store.load, session.id)
        check_types(tool, toolbox.lattice.is_a, inputs, session)
        result = TypedValue(tool.returns.type, generated(0))
        action = Action(tool.name, inputs, result)
        subtask = Subtask(0, f"Call {tool.name}.", (tool.domain,), (), result)
        plan = Plan((subtask,), {0: (Solution((action,), 5.0),)})
        alone = replace(
            self.assistant.settings,
            manner="plan",
            act_when_stuck=False,
            answer_with_model=False,
            one_try=True,
        )
        return await self.run_plan(token, session, plan, subtask.description, how, alone)

    def _begin(
        self,
        token: Token,
        session: Session,
        start: Any,
        how: How,
        turn: int | None = None,
        settings: Settings | None = None,
    ) -> Work:
        if turn is not None and any(work.turn == turn for work in self.works_of(session.id)):
            raise BadInput("This request is at work. Stop it first, or wait for its end.")

        def in_turn(cancelled: threading.Event) -> AsyncGenerator[Event, None]:
            begun = start(options=RunOptions(settings, cancelled, how.asks))
            return self._line.through(begun, _owner(token), cancelled)

        work = Work(session.id, how.stop_when_left, turn)
        return self._jobs.begin(work, work.work(in_turn))

    # What is at work

    def works_of(self, session_id: str) -> list[Work]:
        """The requests at work in a conversation."""
        return self._jobs.of(Work, session_id)

    def work(self, session_id: str, name: str) -> Work:
        """The request of this name, at work or ended lately; raises KeyError where there is
        none."""
        found = self._jobs.known(Work, session_id, name)
        if found is None:
            raise KeyError(name)
        return found

    async def end(self, seconds: float) -> None:
        """Stop all requests, and wait for their ends, but not longer than that."""
        for work in self._jobs.of(Work):
            work.stop()
        await self._jobs.have_ended(seconds)


def check_files(session: Session, files: Sequence[str]) -> None:
    """Raise BadInput where a session has no file of one of these names."""
    known = {resource.value for resource in session.resources}
    for name in files:
        if name not in known:
            raise BadInput(f"There is no file called {name[:200]} in this conversation.")


def check_types(tool: Tool, is_a: Any, inputs: Mapping[str, Any], session: Session) -> None:
    """Raise BadInput where a file that a tool is given is not there or of another kind."""
    kinds = {argument.name: argument.type for argument in tool.args}
    for name, given in inputs.items():
        for value in given if isinstance(given, tuple) else (given,):
            if not hasattr(value, "value"):
                continue
            check_files(session, [value.value])
            kind = session.resource(value.value).type
            if not is_a(kind, kinds[name]):
                more = (
                    " Say so when you put it into the session (kind)."
                    if is_media(kinds[name])
                    else ""
                )
                raise BadInput(
                    f"{tool.name} needs {kinds[name]} for {name!r}, and {value.value} is {kind}."
                    + more
                )


def failure_of(work: Work) -> tuple[str, int]:
    """Why a tool that was called by itself made nothing: a sentence, and the kind of failure."""
    if work.failures:
        return work.failures[-1].message, int(work.failures[-1].code)
    if isinstance(work.end, RequestFailed):
        return work.end.message, 11
    return getattr(work.end, "message", "") or getattr(work.end, "text", "It was stopped."), 11


def _owner(token: Token) -> str:
    return f"token {token.id}"
