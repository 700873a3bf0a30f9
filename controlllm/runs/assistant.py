"""The assistant ties the stages together: ``async for event in assistant.answer(...)``.

The page, the command line and the tests read this one stream and nothing else.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from controlllm.agents.choosing import Agent, Basis, agent_of
from controlllm.answers.rejections import problem_with
from controlllm.core.events import Event, RequestFailed, RequestReceived, SolutionSwitched
from controlllm.core.plans import NotThere, Plan
from controlllm.core.questions import left_open
from controlllm.core.session import Session, Turn, title_of
from controlllm.engine import Engine
from controlllm.language.asking import Asker
from controlllm.language.endpoint import ChatEndpoint
from controlllm.models.encoder import encode as encode_sentences
from controlllm.planning.planner import Planner
from controlllm.resources import Resource
from controlllm.runs.event_channel import EventChannel
from controlllm.runs.planners import embedded_planner
from controlllm.runs.recovery import Recovery
from controlllm.runs.request_run import RequestRun
from controlllm.runs.run_context import Agents, RunContext
from controlllm.runs.run_options import USUAL, RunOptions
from controlllm.runs.tools_in_use import ToolsInUse
from controlllm.runs.turn_recorder import TurnRecorder
from controlllm.settings import Settings
from controlllm.store import Store, StoreError
from controlllm.toolbox import Toolbox

#: Looks on at the events of a run as they pass.
Watch = Callable[[AsyncGenerator[Event, None]], AsyncGenerator[Event, None]]

#: How many requests are planned at the same time: what runs in Python takes turns anyway, and the
#: fewer there are, the sooner everybody else gets theirs.
_PLANNED_AT_ONCE = 2
#: The same of those that wait for a language model, most of the time.
_ASKED_AT_ONCE = 16
#: The same of agents that work step by step, which wait for tools and language models.
_ACT_AT_ONCE = 16
#: How many endpoints are remembered, one for each address, key and model in use.
_MOST_ENDPOINTS = 32


class Assistant:
    """Answers requests with the tools of one toolbox, in sessions that the store keeps. Without an
    `engine` of the same toolbox and store it has one that makes calls in this process."""

    def __init__(
        self,
        toolbox: Toolbox,
        store: Store,
        settings: Settings | None = None,
        planner: Planner | None = None,
        engine: Engine | None = None,
        watch: Watch = lambda events: events,
    ) -> None:
        self.tools = ToolsInUse(toolbox, store.folder / "tools.npz", planner)
        self.store = store
        self.settings = settings or Settings()
        self._planning = ThreadPoolExecutor(_PLANNED_AT_ONCE, thread_name_prefix="plans")
        self._asking = ThreadPoolExecutor(_ASKED_AT_ONCE, thread_name_prefix="asks")
        self._acting = ThreadPoolExecutor(_ACT_AT_ONCE, thread_name_prefix="acts")
        self._agents = Agents(self._agent, self._acting)
        self._watch = watch
        self.engine = engine or Engine(toolbox, store)
        self._unfinished = Recovery(store, self.settings)
        self._endpoints: dict[tuple[str, str, str, bool], ChatEndpoint] = {}

    @property
    def toolbox(self) -> Toolbox:
        """The tools that requests are planned with now."""
        return self.tools.toolbox

    def use(self, toolbox: Toolbox) -> None:
        """Answer with these tools from now on; what runs goes on with those that it began with."""
        self.tools.exchange(toolbox)
        self.engine.toolbox = toolbox

    def calls(self) -> tuple[int, int]:
        """How many calls of tools wait for a worker, and how many are made now."""
        return self.engine.calls()

    def open_session(self, session_id: str | None) -> Session:
        """The session of this id, or a new one where there is none.

        A request that was running when the program ended is marked as stopped.
        """
        if session_id is not None:
            try:
                session = self.store.load(session_id)
            except KeyError:
                return self.store.new_session()
            if any(self._unfinished.is_abandoned(session, turn) for turn in session.turns):
                return self.store.update(session.id, self._without_abandoned)
            return session
        return self.store.new_session()

    def take_over(self, is_start: bool = True) -> tuple[tuple[str, int], ...]:
        """Session and number of the requests that were interrupted when a program ended and that
        are to go on by themselves: `resume` each. See `controlllm.runs.recovery`."""
        return self._unfinished.take_over(is_start)

    def not_begun(self, session_id: str, turn: int) -> None:
        """A request that was taken over could not be begun: it is taken over again later on."""
        self._unfinished.not_begun(session_id, turn)

    def leave(self) -> None:
        """Stop all that runs, for the program is about to end: it goes on when it runs again."""
        self._unfinished.leave()

    def _without_abandoned(self, session: Session) -> Session:
        for turn in session.turns:
            if self._unfinished.is_abandoned(session, turn):
                said = turn.answer or "This was interrupted before it was finished."
                session = session.with_turn(replace(turn, state="cancelled", answer=said))
        return session

    def file(self, session_id: str, value: str) -> tuple[Path, str]:
        """The stored file of a session's resource and its media type.

        Raises KeyError where this session has no such resource, whoever else may have one.
        """
        resource = self.store.load(session_id).resource(value)
        return self.store.path(resource.digest, resource.media_type), resource.media_type

    async def answer(
        self,
        session_id: str,
        text: str,
        attached: Sequence[str] = (),
        options: RunOptions = USUAL,
        after: int | None = None,
        waited: str = "",
    ) -> AsyncGenerator[Event, None]:
        """Everything that happens for a request, as events; the last one ends it.

        It goes on from the turn `after`, -1 for none, else from where the conversation stands.
        `waited` names it among those that wait, which it leaves.

        Raises KeyError where there is no such session or it has no such resource.
        """
        text = text.strip()
        session = self.store.load(session_id)
        handed = tuple(session.resource(value) for value in attached)
        problem = problem_with(text, handed, (options.settings or self.settings).has_model)
        if problem:
            async for event in self._watch(_refused(len(session.turns), text, handed, problem)):
                yield event
            return
        opened: list[Turn] = []

        def begin(current: Session) -> Session:
            mark = (options.settings or self.settings).mark
            number, title = len(current.turns), current.title or title_of(text)
            opened[:] = [Turn(number, text, tuple(attached), settings=mark, before=after)]
            return replace(current.with_turn(opened[0]).without_waiting(waited), title=title)

        session = self.store.update(session_id, begin)
        turn = opened[0]
        run = self.run_of(session, turn, options)
        async with contextlib.aclosing(self.worked(run, run.guarded(run.plan_and_run()))) as events:
            async for event in events:
                yield event

    async def switch(
        self,
        session_id: str,
        turn: int,
        subtask: int,
        solution: int,
        options: RunOptions = USUAL,
        edited: Plan | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Choose another solution of a subtask and run what differs; the same events as `answer`.

        `edited` is the turn's plan with solutions changed by hand. Raises KeyError where there is
        no such session, NotThere where there is no such turn, subtask or solution.
        """
        session = self.store.load(session_id)
        chosen = session.turn(turn)
        if chosen.plan is None:
            raise NotThere(f"Request {turn} has no plan.")
        plan = (edited or chosen.plan).switched(subtask, solution)
        left = left_open(chosen.questions, subtask)
        chosen = replace(chosen, plan=plan, answer="", state="running", questions=left)
        switched = SolutionSwitched(subtask, solution, "You chose this way.", plan)
        following = self._again(session, chosen, options, switched)
        async with contextlib.aclosing(following) as events:
            async for event in events:
                yield event

    async def choose(
        self,
        session_id: str,
        turn: int,
        question: int,
        choice: int,
        options: RunOptions = USUAL,
    ) -> AsyncGenerator[Event, None]:
        """Answer a question of a turn and go on; the same events as `answer`.

        Raises KeyError where there is no such session, NotThere where there is no such turn,
        question or choice.
        """
        session = self.store.load(session_id)
        asked = session.turn(turn)
        if not 0 <= question < len(asked.questions):
            raise NotThere(f"This request has no question {question}.")
        answered, plan = asked.questions[question], asked.plan
        if not 0 <= choice < len(answered.choices) or plan is None:
            raise NotThere(f"There is no choice {choice}.")
        left = tuple(item for item in asked.questions if item is not answered)
        asked = replace(asked, answer="", state="running", questions=left)
        switched = None
        if answered.solutions:
            way = answered.solutions[choice]
            for number in answered.subtasks:
                plan = plan.switched(number, way)
            asked = replace(asked, plan=plan)
            switched = SolutionSwitched(answered.subtask, way, "You chose this way.", plan)
        else:
            chosen = {**asked.chosen, answered.call: (*answered.chosen, choice)}
            asked = replace(asked, chosen=chosen)
        following = self._again(session, asked, replace(options, asks=True), switched)
        async with contextlib.aclosing(following) as events:
            async for event in events:
                yield event

    async def act(
        self,
        session_id: str,
        turn: int,
        subtask: int,
        options: RunOptions = USUAL,
    ) -> AsyncGenerator[Event, None]:
        """Have an agent work on a subtask step by step; the same events as `answer`.

        What it finds is one more way of the subtask. Raises KeyError where there is no such
        session, NotThere where there is no such turn or subtask.
        """
        session = self.store.load(session_id)
        asked = session.turn(turn)
        subtasks = {item.id for item in asked.plan.subtasks} if asked.plan else set()
        if subtask not in subtasks:
            raise NotThere(f"There is no part {subtask}.")
        left = left_open(asked.questions, subtask)
        acting = tuple(sorted({*asked.acting, subtask}))
        asked = replace(asked, answer="", state="running", questions=left, acting=acting)
        following = self._again(session, asked, options)
        async with contextlib.aclosing(following) as events:
            async for event in events:
                yield event

    def skip_step(self, session_id: str, turn: int) -> bool:
        """End the step that an agent is at in a turn, and have it decide on the next; False where
        none is at work."""
        run = self._unfinished.run_of(session_id, turn)
        return run is not None and run.skip_step()

    async def resume(
        self,
        session_id: str,
        turn: int,
        options: RunOptions = USUAL,
        by_itself: bool = False,
    ) -> AsyncGenerator[Event, None]:
        """Go on with a turn that was stopped or interrupted; the same events as `answer`.

        What it had finished is not done again. `by_itself` says that nobody asked for it: see
        `take_over`. Raises KeyError where there is no such session, NotThere where there is no
        such turn.
        """
        try:
            session = self.store.load(session_id)
        except StoreError:
            self.not_begun(session_id, turn)
            raise
        stopped = session.turn(turn)
        restarts = stopped.restarts + 1 if by_itself else 0
        stopped = replace(stopped, answer="", state="running", restarts=restarts)
        following = self._again(session, stopped, options)
        async with contextlib.aclosing(following) as events:
            async for event in events:
                yield event

    async def _again(
        self,
        session: Session,
        turn: Turn,
        options: RunOptions,
        switched: SolutionSwitched | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Run a changed turn anew, planned anew only where it has no plan yet."""
        turn = replace(turn, settings=(options.settings or self.settings).mark)
        try:
            session = self.store.update(session.id, lambda current: current.with_turn(turn))
        except StoreError:
            self.not_begun(session.id, turn.number)
            raise
        run = self.run_of(session, turn, options)
        again = run.rerun(turn.plan, switched) if turn.plan else run.plan_and_run()
        async with contextlib.aclosing(self.worked(run, run.guarded(again))) as events:
            async for event in events:
                yield event

    async def worked(
        self, run: RequestRun, events: AsyncGenerator[Event, None]
    ) -> AsyncGenerator[Event, None]:
        """The events of a run, watched, and known to be at work until they end."""
        with self._unfinished.at_work(run):
            async with contextlib.aclosing(self._watch(events)) as watched:
                async for event in watched:
                    yield event

    def run_of(self, session: Session, turn: Turn, options: RunOptions) -> RequestRun:
        """A run of a turn as it is, not begun; `worked` gives the events of what it is to do."""
        settings = options.settings or self.settings
        cancelled = options.cancelled or threading.Event()
        toolbox = self.engine.toolbox
        kept = TurnRecorder(self.store, session, turn, toolbox)
        telling = EventChannel(cancelled, kept.hear)
        endpoint = self._endpoint_of(settings)
        asker = Asker(endpoint, telling.tell, settings.fall_back, cancelled) if endpoint else None
        context = RunContext(
            self.store,
            self.engine,
            toolbox,
            settings,
            kept,
            telling,
            partial(self.tools.planner_here, settings),
            self._asking if settings.has_model and settings.prompted else self._planning,
            self._agents,
            asker,
            options.asks,
            cancelled,
        )
        return RequestRun(context, self._unfinished.leaving)

    def _agent(self, planner: Planner, asker: Asker | None, name: str) -> Agent:
        """An agent for one request; a language model keeps its roles where the settings say so."""
        return agent_of(Basis(planner, embedded_planner, encode_sentences), asker, name)

    def _endpoint_of(self, settings: Settings) -> ChatEndpoint | None:
        """The endpoint of these settings, the same one for the same settings: it remembers what its
        server does not take."""
        if not settings.has_model:
            return None
        key = (settings.base_url, settings.api_key, settings.model, settings.only_public)
        if key not in self._endpoints:
            while len(self._endpoints) >= _MOST_ENDPOINTS:
                self._endpoints.pop(next(iter(self._endpoints)))
            self._endpoints[key] = ChatEndpoint(*key[:3], only_public=key[3])
        return self._endpoints[key]


async def _refused(
    turn: int, text: str, handed: tuple[Resource, ...], problem: str
) -> AsyncGenerator[Event, None]:
    """The events of a request that is not begun at all."""
    yield RequestReceived(turn, text, handed)
    yield RequestFailed(problem)
