"""One request on its way from words to answer; its turn is kept in the store as it goes."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import logging
import re
import threading
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Coroutine,
    Iterator,
    Sequence,
    Set,
)
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from controlllm.engine import Engine
from controlllm.events import (
    ActionFailed,
    ActionFinished,
    AnswerFinished,
    AnswerToken,
    Doubt,
    Event,
    LanguageModelUsed,
    Loading,
    PlanReady,
    RequestCancelled,
    RequestFailed,
    RequestReceived,
    RoleFellBack,
    SolutionsReady,
    SolutionSwitched,
    SubtasksReady,
)
from controlllm.language.asking import Asker, LanguageModelFailed
from controlllm.language.endpoint import ChatEndpoint, EndpointError
from controlllm.language.prompted import prompted_planner
from controlllm.language.reading import Unusable
from controlllm.plan import Plan, Request, Step
from controlllm.planning.choices import choices
from controlllm.planning.planner import Planner
from controlllm.questions import Question
from controlllm.refusals import HELP, nothing_to_do, small_talk
from controlllm.resources import PARENTS, Resource, decode
from controlllm.resources.probing import BadInput
from controlllm.responder import Outcome, model_answer, outcomes_of, written_answer
from controlllm.session import Session, Turn
from controlllm.settings import NO_MODEL, Settings
from controlllm.store import Store, StoreError

_log = logging.getLogger(__name__)
T = TypeVar("T")

#: A request with more parts than this is not a request; it is a text without an instruction.
MAX_SUBTASKS = 24

#: How often it is looked whether the person has stopped the request, in seconds.
_LOOK_AGAIN = 0.2

#: Whoever waits longer than this for a program that has just started is told, in seconds.
_LOADS_LONG = 0.3

#: What is said where the program ends in the middle.
LEAVING = "The program was ended. What was finished is kept, and this goes on when it runs again."
#: The answer where something has to be asked first.
CHOOSE = "Choose what you mean above, or say it in other words."
#: What is said of a part that waits for such an answer.
WAITS = "This waits for your choice above."
_FIRST_SENTENCE = re.compile(r"(?<=[.:;])\s")

_SUFFIX_OF_TYPE = {
    "audio": ".wav",
    "video": ".mp4",
    "html": ".html",
    "text": ".txt",
    "title": ".txt",
    "tags": ".txt",
    "number": ".txt",
    "bbox": ".json",
    "point": ".json",
    "category": ".json",
}


class RequestRun:
    """One request on its way from words to answer; keeps its turn in the store as it goes.

    Parameters
    ----------
    find_planner: the planner, once it is loaded.
    threads: where it is planned, a pass at a time; between two passes it is looked whether the
        person has stopped the request.
    """

    def __init__(
        self,
        store: Store,
        engine: Engine,
        find_planner: Callable[[], Planner],
        threads: Executor,
        session: Session,
        turn: Turn,
        settings: Settings,
        cancelled: threading.Event | None,
        endpoint: ChatEndpoint | None = None,
        asks: bool = False,
        leaving: threading.Event | None = None,
    ) -> None:
        self.store = store
        self.engine = engine
        self.find_planner = find_planner
        self.threads = threads
        self.session = session
        self.turn = turn
        self.settings = settings
        self.asks = asks
        self.cancelled = cancelled or threading.Event()
        self.leaving = leaving or threading.Event()
        self.problems: dict[int, str] = {}
        self.names: dict[str, str] = {}
        self._told: asyncio.Queue[Event] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._asker = (
            Asker(endpoint, self._tell, settings.fall_back, self.cancelled) if endpoint else None
        )

    async def guarded(self, events: AsyncGenerator[Event, None]) -> AsyncGenerator[Event, None]:
        """The events, with every fault turned into a sentence and the turn's end kept.

        Where the program is about to end the turn is kept as running: it goes on afterwards.
        """
        try:
            handed = tuple(self.session.resource(value) for value in self.turn.attached)
            yield RequestReceived(self.turn.number, self.turn.text, handed)
            async with contextlib.aclosing(events):
                async for event in events:
                    if self.cancelled.is_set() and not isinstance(event, AnswerFinished):
                        break
                    yield event
                    if isinstance(event, AnswerFinished | RequestFailed):
                        return
            if self.leaving.is_set():
                yield RequestCancelled(LEAVING)
                return
            self._keep_if_possible("cancelled", "Stopped.")
            yield RequestCancelled("Stopped. What was finished is kept.")
        except (StoreError, BadInput, LanguageModelFailed) as error:
            self._keep_if_possible("failed", str(error))
            yield RequestFailed(str(error))
        except Exception:
            _log.exception("A request failed unexpectedly")
            said = "Something went wrong inside the program. Your files are safe; ask again."
            self._keep_if_possible("failed", said)
            yield RequestFailed(said)
        finally:
            # Also reached when the reader goes away in the middle: the tools are told to stop.
            self.cancelled.set()
            if self.turn.state == "running" and not self.leaving.is_set():
                self._keep_if_possible("cancelled", "This was stopped before it was finished.")

    async def plan_and_run(self) -> AsyncGenerator[Event, None]:
        """Decompose, search, run, answer."""
        earlier = self.session.turns[self.turn.number - 1] if self.turn.number else None
        request = Request(
            self.turn.text,
            self.session.resources,
            self.turn.attached,
            earlier.plan.subtasks if earlier and earlier.plan else (),
        )
        loading = self._in_thread(self._planner_here)
        if not (await asyncio.wait({loading}, timeout=_LOADS_LONG))[0]:
            yield Loading()
        async for event in self._told_during(loading):
            yield event
        if self.cancelled.is_set():
            return
        planner = loading.result()
        if self._asker is not None:
            planner = prompted_planner(planner, self._asker, self.settings.prompted)
        elif self.settings.prompted:
            if not self.settings.fall_back:
                yield self._failed(NO_MODEL)
                return
            yield RoleFellBack(f"{NO_MODEL} Until then ControlLLM plans by itself.", "decompose")
        work = self._in_thread(planner.decompose, request)
        async for event in self._told_during(work):
            yield event
        if self.cancelled.is_set():
            return
        subtasks = work.result()
        if len(subtasks) > MAX_SUBTASKS:
            said = (
                f"I find {len(subtasks)} separate requests in this, more than I can do at once "
                f"({MAX_SUBTASKS}). If it is a text to work on, put it in a file, or write what "
                "you want done, then a colon, then the text."
            )
            yield self._failed(said)
            return
        yield SubtasksReady(subtasks)
        solved = []
        iterator = planner.solve(subtasks, request)
        while True:
            search = self._in_thread(next, iterator, None)
            async for event in self._told_during(search):
                yield event
            if self.cancelled.is_set():
                return
            item = search.result()
            if item is None:
                break
            solved.append(item)
            yield SolutionsReady(item.subtask.id, item.solutions, item.search, item.message)
        plan = Plan(
            tuple(item.subtask for item in solved),
            {item.subtask.id: item.solutions for item in solved},
        )
        self.problems = {item.subtask.id: item.message for item in solved if item.message}
        self._keep(plan=plan)
        yield PlanReady(plan)
        doubts = list(_doubts(plan, planner)) if self.asks else []
        if doubts:
            async for event in self._ask(doubts):
                yield event
            return
        greeting = small_talk(self.turn.text)
        if greeting and not self.settings.has_model:
            yield AnswerToken(greeting)
            self._keep(answer=greeting, state="answered")
            yield AnswerFinished(greeting)
            return
        if not any(plan.solutions.values()) and not self.settings.has_model:
            yield self._failed(nothing_to_do(plan, self.problems))
            return
        async for event in self._run_and_answer(plan):
            yield event

    def _planner_here(self) -> Planner:
        """The planner, which knows what cannot run here."""
        planner = self.find_planner()
        toolbox = planner.graph.toolbox
        unavailable = toolbox.reasons_unavailable(
            self.settings.surroundings, self.settings.runtimes
        )
        return planner.with_parts(unavailable=unavailable)

    async def rerun(
        self, plan: Plan, first: SolutionSwitched | None = None
    ) -> AsyncGenerator[Event, None]:
        """Run a plan of which something has changed, and answer anew; asks what is left to ask."""
        if first is not None:
            yield first
        # What may not have run before its question was answered.
        left = [Doubt(item.message, item) for item in self.turn.questions if item.solutions]
        if left:
            async for event in self._ask(left):
                yield event
            return
        async for event in self._run_and_answer(plan):
            yield event

    async def _ask(self, doubts: Sequence[Doubt]) -> AsyncIterator[Event]:
        """Ask what is not clear, and wait for the person's choice."""
        for doubt in doubts:
            yield doubt
        questions = tuple(doubt.question for doubt in doubts)
        self._keep(answer=CHOOSE, state="answered", questions=questions)
        yield AnswerToken(CHOOSE)
        yield AnswerFinished(CHOOSE)

    async def _run_and_answer(self, plan: Plan) -> AsyncIterator[Event]:
        questions: list[Question] = []
        chosen = {
            call: places for turn in self.session.turns for call, places in turn.chosen.items()
        }
        resources = {resource.value: resource for resource in self.session.resources}
        async for event in self.engine.run(
            plan,
            resources,
            name_output=self._name_output,
            cancelled=self.cancelled,
            preference=self.settings.runtimes,
            occasion=f"{self.session.id}/{self.turn.number}",
            surroundings=self.settings.surroundings,
            chosen=chosen if self.asks else None,
            owner=self.session.id,
        ):
            if isinstance(event, ActionFinished):
                event = self._keep_result(event)
            elif isinstance(event, SolutionSwitched):
                plan = event.plan
                self._keep(plan=plan)
            elif isinstance(event, Doubt):
                questions.append(event.question)
            elif isinstance(event, ActionFailed):
                self.problems[int(event.key.split(".")[0])] = event.message
            yield event
        if self.cancelled.is_set():
            return
        self._keep(questions=tuple(questions))
        for waiting in _waiting(plan, {question.subtask for question in questions}):
            self.problems[waiting] = WAITS
        async for event in self._answer(plan):
            yield event

    async def _answer(self, plan: Plan) -> AsyncIterator[Event]:
        known = {resource.value: resource for resource in self.session.resources}
        chosen = {step.key for step in plan.steps()}
        results = {key: item for key, item in self.turn.results.items() if key in chosen}
        outcomes = outcomes_of(plan, results, self.problems, self._read, known.get)
        text = ""
        asker = self._asker if self.settings.answer_with_model else None
        if asker is not None and not asker.rests("answer"):
            work = self._started(self._write(asker, outcomes))
            async for event in self._told_during(work):
                text += event.text if isinstance(event, AnswerToken) else ""
                yield event
            if self.cancelled.is_set():
                return
            try:
                work.result()
            except (EndpointError, Unusable) as error:
                text = ""
                asker.give_up("answer", error)
                await asyncio.sleep(0)
                while not self._told.empty():
                    yield self._told.get_nowait()
        if not text:
            async for piece in _pieces(written_answer(outcomes) or HELP):
                text += piece
                yield AnswerToken(piece)
        shown = tuple(outcome.resource for outcome in outcomes if outcome.resource is not None)
        self._keep(answer=text, state="answered")
        yield AnswerFinished(text, shown)

    async def _write(self, asker: Asker, outcomes: tuple[Outcome, ...]) -> None:
        """Tell the model's answer piece by piece; raises EndpointError or Unusable."""
        written = False
        async for piece in model_answer(asker, self.turn.text, outcomes):
            written = written or bool(piece.strip())
            self._tell(AnswerToken(piece))
        if not written:
            raise Unusable("It is empty.")

    def _tell(self, event: Event) -> None:
        """Put an event on the stream; from any thread."""
        # A thread that was left behind when its request was stopped may outlive the loop.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._told.put_nowait, event)

    def _in_thread(self, function: Callable[..., T], *args: Any) -> asyncio.Task[T]:
        # What is logged there says to which run it belongs.
        work = partial(contextvars.copy_context().run, function, *args)

        async def done() -> T:
            return await self._loop.run_in_executor(self.threads, work)

        return self._started(done())

    def _started(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        # Its fault is nobody's where the request was stopped meanwhile.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return task

    async def _told_during(self, work: asyncio.Task[Any]) -> AsyncIterator[Event]:
        """The events told until some work is done, or until the person stops the request."""
        try:
            while not (work.done() and self._told.empty()):
                waiting = asyncio.create_task(self._told.get())
                try:
                    await asyncio.wait(
                        {work, waiting}, timeout=_LOOK_AGAIN, return_when=asyncio.FIRST_COMPLETED
                    )
                finally:
                    if not waiting.done():
                        waiting.cancel()
                if self.cancelled.is_set():
                    return
                if waiting.done() and not waiting.cancelled():
                    event = waiting.result()
                    if isinstance(event, LanguageModelUsed):
                        self.turn = replace(self.turn, usage=self.turn.usage + event.usage)
                    yield event
        finally:
            work.cancel()

    def _name_output(self, step: Step) -> str:
        """A name for the result of a step that no resource of the session has yet."""
        if step.key in self.turn.results:
            return self.turn.results[step.key].value
        if step.key not in self.names:
            made = step.action.output.type
            # Types of other sources are texts of JSON; all that are left are kinds of pictures.
            suffix = _SUFFIX_OF_TYPE.get(made, ".png" if made in PARENTS else ".txt")
            taken = {resource.value for resource in self.session.resources}
            taken.update(self.names.values())
            number = 1
            while (name := f"{step.action.tool}-{number}{suffix}") in taken:
                number += 1
            self.names[step.key] = name
        return self.names[step.key]

    def _keep_result(self, event: ActionFinished) -> ActionFinished:
        """Keep a result in the session; the same bytes by the same tool keep their first name."""
        made = replace(event.resource, turn=self.turn.number)
        for known in self.session.resources:
            same = (known.type, known.digest, known.origin) == (
                made.type, made.digest, made.origin,
            )  # fmt: skip
            if same:
                made = known
                break
        self.turn = replace(self.turn, results={**self.turn.results, event.key: made})
        turn = self.turn
        # A power cut may take this: the engine has kept the result itself.
        self.session = self.store.update(
            self.session.id,
            lambda current: current.with_resource(made).with_turn(turn),
            is_urgent=False,
        )
        return replace(event, resource=made)

    def _keep(self, **changes: Any) -> None:
        self.turn = turn = replace(self.turn, **changes)
        self.session = self.store.update(self.session.id, lambda current: current.with_turn(turn))

    def _keep_if_possible(self, state: str, answer: str) -> None:
        try:
            self._keep(state=state, answer=answer)
        except (StoreError, KeyError):
            _log.warning("The end of a request could not be kept")

    def _failed(self, message: str) -> RequestFailed:
        self._keep(state="failed", answer=message)
        return RequestFailed(message)

    def _read(self, resource: Resource) -> Any:
        """The value of a result that the answer may quote; None for those it only names."""
        if resource.type in ("image", "audio", "video", "html") or not resource.digest:
            return None
        if PARENTS.get(resource.type) == "image" and resource.type != "mask":
            return None
        return decode(resource.type, self.store.path(resource.digest, resource.media_type))


def _doubts(plan: Plan, planner: Planner) -> Iterator[Doubt]:
    """What has to be asked before anything runs."""
    for subtask in plan.subtasks:
        solutions = plan.solutions[subtask.id]
        places = choices(subtask, solutions)
        if places:
            tools = [planner.graph.toolbox[solutions[place].tools[-1]] for place in places]
            does = tuple(_FIRST_SENTENCE.split(tool.description, maxsplit=1)[0] for tool in tools)
            said = (
                f"I am not sure what you mean by “{_short(subtask.description)}”. Which of these "
                "is it?"
            )
            yield Doubt(said, Question(said, subtask.id, does, places))


def _waiting(plan: Plan, asked: Set[int]) -> frozenset[int]:
    """The subtasks that wait for an answer: those asked about and those that need their results."""
    waiting = set(asked)
    for subtask in plan.subtasks:
        if waiting & set(subtask.deps):
            waiting.add(subtask.id)
    return frozenset(waiting)


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77].rsplit(" ", 1)[0] + " …"


async def _pieces(text: str) -> AsyncIterator[str]:
    """A text a few words at a time, so that it is read as it comes."""
    words = text.split(" ")
    for start in range(0, len(words), 4):
        end = start + 4
        yield " ".join(words[start:end]) + (" " if end < len(words) else "")
        await asyncio.sleep(0)
