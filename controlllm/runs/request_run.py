"""One request on its way from words to answer; its turn is kept in the store as it goes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import threading
import time
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Iterator,
    Mapping,
    Sequence,
    Set,
)
from concurrent.futures import Executor
from dataclasses import replace
from typing import TypeVar

from controlllm.answers.citing import citations_in
from controlllm.answers.fallbacks import Fallbacks
from controlllm.answers.rejections import HELP, nothing_to_do, small_talk
from controlllm.answers.responder import Answer, model_answer, written_answer
from controlllm.answers.run_results import RunResult, run_results_of
from controlllm.comparing.choosing import habits_of
from controlllm.comparing.habits import Habits, in_habit
from controlllm.comparing.trying import try_way
from controlllm.core.branches import branch
from controlllm.core.events import (
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
from controlllm.core.plans import Plan, Request, Subtask, TypedValue, generated
from controlllm.core.proposals import Proposal
from controlllm.core.questions import Question
from controlllm.core.session import Session, Turn
from controlllm.engine import Engine
from controlllm.language.asking import Asker, LanguageModelFailed
from controlllm.language.endpoint import ChatEndpoint, EndpointError
from controlllm.language.prompted import prompted_planner
from controlllm.language.reading import Unusable
from controlllm.planning.choices import choices
from controlllm.planning.pages import (
    NamedPages,
    named_pages,
    only_shows,
    with_pictures,
    works_on_pages,
)
from controlllm.planning.planner import Planner
from controlllm.planning.restoring import Restoration, restoring, restoring_to
from controlllm.planning.roles import Proposes
from controlllm.resources import Resource
from controlllm.resources.probing import BadInput
from controlllm.runs.doing_again import plan_again, plan_corrected
from controlllm.runs.event_channel import EventChannel
from controlllm.runs.following_up import request_of, went_back
from controlllm.runs.plan_run import Agents, PlanRun, Ran
from controlllm.runs.turn_recorder import TurnRecorder
from controlllm.settings import NO_MODEL, Settings
from controlllm.store import Store, StoreError
from controlllm.store.document_pages import add_pages

_log = logging.getLogger(__name__)
T = TypeVar("T")

#: A request with more parts than this is not a request; it is a text without an instruction.
MAX_SUBTASKS = 24

#: How often it is looked whether the person has stopped the request, in seconds.
_LOOK_AGAIN = 0.2

#: Whoever waits longer than this for a program that has just started is told, in seconds.
_LOADS_LONG = 0.3

#: An answer of a language model that is longer than this many characters, or takes longer than this
#: many seconds, has no end of its own.
MOST_CHARACTERS = 30_000
MOST_SECONDS = 240.0
NO_END = "The language model did not come to an end. Its answer was cut off here."

#: What is said where the program ends in the middle.
LEAVING = "The program was ended. What was finished is kept, and this goes on when it runs again."
#: The answer where something has to be asked first.
CHOOSE = "Choose what you mean above, or say it in other words."
#: What is said of a part that waits for such an answer.
WAITS = "This waits for your choice above."
#: Asks for several files in one.
_ZIP = re.compile(r"\b(?:zip\w*|archives?|archiv)\b", re.IGNORECASE)
_FIRST_SENTENCE = re.compile(r"(?<=[.:;])\s")


class RequestRun:
    """One request on its way from words to answer; keeps its turn in the store as it goes.

    Parameters
    ----------
    find_planner: the planner for a request, once it is loaded, that knows what cannot run here.
    threads: where it is planned, a pass at a time; between two passes it is looked whether the
        person has stopped the request.
    agents: how to have an agent that works step by step; None where there is none.
    """

    def __init__(
        self,
        store: Store,
        engine: Engine,
        find_planner: Callable[[Request], Planner],
        threads: Executor,
        session: Session,
        turn: Turn,
        settings: Settings,
        cancelled: threading.Event | None,
        endpoint: ChatEndpoint | None = None,
        asks: bool = False,
        leaving: threading.Event | None = None,
        agents: Agents | None = None,
    ) -> None:
        self.find_planner = find_planner
        self.threads = threads
        self.kept = TurnRecorder(store, session, turn, engine.toolbox)
        self._store = store
        self._toolbox = engine.toolbox
        self._habits = Habits()
        self.settings = settings
        self.asks = asks
        self.cancelled = cancelled or threading.Event()
        self.leaving = leaving or threading.Event()
        self.problems: dict[int, str] = {}
        #: What is left to be planned where only a part of what was said is.
        self._rest = ""
        self._fallbacks = Fallbacks()
        self._telling = EventChannel(self.cancelled, self._heard)
        self._asker = (
            Asker(endpoint, self._telling.tell, settings.fall_back, self.cancelled)
            if endpoint
            else None
        )
        self._plans = PlanRun(
            engine, self.kept, settings, self._telling, self.cancelled, self.problems,
            self._planner_here, threads, agents, self._asker, asks,
        )  # fmt: skip

    async def guarded(self, events: AsyncGenerator[Event, None]) -> AsyncGenerator[Event, None]:
        """The events, with every fault turned into a sentence and the turn's end kept.

        Where the program is about to end the turn is kept as running: it goes on afterwards.
        """
        try:
            handed = tuple(self.kept.session.resource(value) for value in self.kept.turn.attached)
            yield RequestReceived(self.kept.turn.number, self.kept.turn.text, handed)
            async with contextlib.aclosing(events):
                async for event in events:
                    if self.cancelled.is_set() and not isinstance(event, AnswerFinished):
                        break
                    self._fallbacks.hear(event)
                    yield event
                    if isinstance(event, AnswerFinished | RequestFailed):
                        return
            if self.leaving.is_set():
                yield RequestCancelled(LEAVING)
                return
            self.kept.keep_if_possible("cancelled", "Stopped.")
            yield RequestCancelled("Stopped. What was finished is kept.")
        except (StoreError, BadInput, LanguageModelFailed) as error:
            self.kept.keep_if_possible("failed", str(error))
            yield RequestFailed(str(error))
        except Exception:
            _log.exception("A request failed unexpectedly")
            said = "Something went wrong inside the program. Your files are safe; ask again."
            self.kept.keep_if_possible("failed", said)
            yield RequestFailed(said)
        finally:
            # Also reached when the reader goes away in the middle: the tools are told to stop.
            self.cancelled.set()
            if self.kept.turn.state == "running" and not self.leaving.is_set():
                self.kept.keep_if_possible("cancelled", "This was stopped before it was finished.")

    async def plan_and_run(self) -> AsyncGenerator[Event, None]:
        """Decompose, search, run, answer."""
        going_back = self._going_back()
        if going_back is not None:
            self.kept.keep(restored=going_back.restored, taken_back=going_back.taken_back)
            self._rest = going_back.rest
            if not going_back.rest:
                async for event in self._go_back(going_back):
                    yield event
                return
        again = plan_again(self.kept.session, self.kept.turn, self._toolbox.lattice)
        corrected = plan_corrected(self.kept.session, self.kept.turn, self._toolbox)
        if again is None and corrected is not None and not self._rest:
            again, replaced = corrected
            self.kept.keep(taken_back=replaced)
        if again is not None:
            self.kept.keep(plan=again)
            yield SubtasksReady(again.subtasks)
            yield PlanReady(again)
            async for event in self._run_and_answer(again):
                yield event
            return
        request = self._request()
        pages = named_pages(request)
        if pages and only_shows(request, pages):
            drawn = self._telling.in_thread(self.threads, self._pictures_of, pages)
            async for event in self._telling.during(drawn):
                yield event
            if not self.cancelled.is_set():
                async for event in self._show(drawn.result()):
                    yield event
            return
        loading = self._telling.in_thread(self.threads, self._planner_here)
        if not (await asyncio.wait({loading}, timeout=_LOADS_LONG))[0]:
            yield Loading()
        async for event in self._telling.during(loading):
            yield event
        if self.cancelled.is_set():
            return
        planner = loading.result()
        if pages:
            heard = self._telling.in_thread(self.threads, self._of_pages, request, pages, planner)
            async for event in self._telling.during(heard):
                yield event
            if self.cancelled.is_set():
                return
            request = heard.result()
        if self._asker is not None:
            planner = prompted_planner(planner, self._asker, self.settings.prompted)
        elif self.settings.prompted:
            if not self.settings.fall_back:
                yield self._failed(NO_MODEL)
                return
            yield RoleFellBack(f"{NO_MODEL} Until then ControlLLM plans by itself.", "decompose")
        planner = in_habit(planner, self._habits)
        if self.settings.manner == "act" and self._plans.has_agents:
            whole = self._whole_request()
            self.kept.keep(plan=whole)
            yield SubtasksReady(whole.subtasks)
            yield PlanReady(whole)
            async for event in self.act(whole, whole.subtasks[0].id):
                yield event
            return
        work = self._telling.in_thread(self.threads, planner.decompose, request)
        async for event in self._telling.during(work):
            yield event
        if self.cancelled.is_set():
            return
        subtasks = work.result()
        proposed = planner.decomposer if self._asker is not None else None
        if isinstance(proposed, Proposes) and proposed.proposal is not None:
            async for event in self._as_proposed(proposed.proposal, proposed.back_to, subtasks):
                yield event
            if self.kept.turn.state != "running":
                return
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
            search = self._telling.in_thread(self.threads, next, iterator, None)
            async for event in self._telling.during(search):
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
        self.problems.update({item.subtask.id: item.message for item in solved if item.message})
        self.kept.keep(plan=plan)
        yield PlanReady(plan)
        doubts = list(_doubts(plan, planner)) if self.asks else []
        if doubts:
            async for event in self._ask(doubts):
                yield event
            return
        greeting = small_talk(self.kept.turn.text)
        if greeting and not (self.settings.has_model and self.settings.answer_with_model):
            yield AnswerToken(greeting)
            self.kept.keep(answer=greeting, state="answered")
            yield AnswerFinished(greeting)
            return
        if not any(plan.solutions.values()) and not self.settings.has_model:
            yield self._failed(nothing_to_do(plan, self.problems))
            return
        async for event in self._run_and_answer(plan):
            yield event

    async def _as_proposed(
        self, proposal: Proposal, back_to: Sequence[str], subtasks: Sequence[Subtask]
    ) -> AsyncIterator[Event]:
        """What a proposal says besides its steps: what is current again, and what has to be asked.
        The turn is answered by it where nothing is left to be done."""
        question = proposal.question
        if question and (self.asks or not subtasks):
            yield AnswerToken(question)
            self.kept.keep(answer=question, state="answered")
            yield AnswerFinished(question)
            return
        if back_to:
            back = restoring_to(back_to, branch(self.kept.session, self.kept.turn.number)[:-1])
            turn = self.kept.turn
            self.kept.keep(
                restored=tuple(dict.fromkeys((*turn.restored, *back.restored))),
                taken_back=tuple(dict.fromkeys((*turn.taken_back, *back.taken_back))),
            )
            if not subtasks:
                async for event in self._go_back(back):
                    yield event

    def _whole_request(self) -> Plan:
        """A plan of one part, for which no ways are searched: an agent works on it."""
        turn, session = self.kept.turn, self.kept.session
        handed = [session.resource(value) for value in turn.attached]
        args = tuple(TypedValue(item.type, item.value) for item in handed)
        subtask = Subtask(0, turn.text, (), args, TypedValue("", generated(0)))
        return Plan((subtask,), {0: ()})

    def _request(self) -> Request:
        """What the person asks in this turn, with what was said before."""
        return request_of(self.kept.session, self.kept.turn, self._toolbox.lattice, self._rest)

    def _going_back(self) -> Restoration | None:
        """What this turn goes back to, where that is what it asks; what comes with new files is no
        such wish."""
        turn = self.kept.turn
        if turn.attached:
            return None
        return restoring(turn.text, branch(self.kept.session, turn.number)[:-1])

    async def _go_back(self, back: Restoration) -> AsyncIterator[Event]:
        """Answer with what is current again; nothing is made."""
        known = self._plans.known()
        found = tuple(known[value] for value in back.restored if value in known)
        text = went_back(found, [known[value] for value in back.taken_back if value in known])
        yield AnswerToken(text)
        results = {f"restored {place}": item for place, item in enumerate(found)}
        self.kept.keep(answer=text, state="answered", results=results)
        yield AnswerFinished(text, found)

    def _of_pages(self, request: Request, pages: Sequence[NamedPages], planner: Planner) -> Request:
        """A request that names pages, of their pictures but where it is for a tool that is told the
        pages of a document."""
        if works_on_pages(planner.decompose(request), self._toolbox):
            return request
        return with_pictures(request, pages, self._pictures_of(pages))

    def _pictures_of(self, pages: Sequence[NamedPages]) -> dict[tuple[str, int], Resource]:
        """The pages that a request names, as pictures of its session."""
        wanted = [page for named in pages for page in named.pages]
        made = add_pages(self.kept.session.id, self._store, wanted)
        self.kept.session = self._store.load(self.kept.session.id)
        return made

    async def _show(self, pictures: Mapping[tuple[str, int], Resource]) -> AsyncIterator[Event]:
        """Answer with pages of documents."""
        said = [f"Page {number} of {value}" for value, number in pictures]
        text = f"{', '.join(said[:-1])} and {said[-1]}." if said[1:] else f"{said[0]}."
        yield AnswerToken(text)
        results = {f"page {place}": item for place, item in enumerate(pictures.values())}
        self.kept.keep(answer=text, state="answered", results=results)
        yield AnswerFinished(text, tuple(pictures.values()))

    def _planner_here(self) -> Planner:
        self._habits = habits_of(self._store, self.kept.session.id)
        return self.find_planner(self._request())

    async def rerun(
        self, plan: Plan, first: SolutionSwitched | None = None
    ) -> AsyncGenerator[Event, None]:
        """Run a plan of which something has changed, and answer anew; asks what is left to ask."""
        if first is not None:
            yield first
        # What may not have run before its question was answered.
        left = [Doubt(item.message, item) for item in self.kept.turn.questions if item.solutions]
        if left:
            async for event in self._ask(left):
                yield event
            return
        ran = Ran(plan)
        for number in self.kept.turn.acting:
            async for event in self._plans.act_on(ran, number):
                yield event
        if self.cancelled.is_set():
            return
        async for event in self._run_and_answer(ran.plan, ran.questions):
            yield event

    async def _ask(self, doubts: Sequence[Doubt]) -> AsyncIterator[Event]:
        """Ask what is not clear, and wait for the person's choice."""
        for doubt in doubts:
            yield doubt
        questions = tuple(doubt.question for doubt in doubts)
        self.kept.keep(answer=CHOOSE, state="answered", questions=questions)
        yield AnswerToken(CHOOSE)
        yield AnswerFinished(CHOOSE)

    def try_way(self, subtask: int, way: int) -> AsyncGenerator[Event, None]:
        """Run another way of a subtask beside the one in use, which stays so."""
        return try_way(self.kept, self._plans, self.cancelled, subtask, way)

    def skip_step(self) -> bool:
        """End the step that an agent is at; False where none acts."""
        return self._plans.skip_step()

    async def act(self, plan: Plan, subtask: int) -> AsyncGenerator[Event, None]:
        """Have an agent work on a subtask step by step, then run the plan and answer anew."""
        ran = Ran(plan)
        async for event in self._plans.act_on(ran, subtask):
            yield event
        if not self.cancelled.is_set():
            async for event in self._run_and_answer(ran.plan, ran.questions):
                yield event

    async def _run_and_answer(
        self, plan: Plan, asked: Sequence[Question] = ()
    ) -> AsyncIterator[Event]:
        ran = Ran(plan, list(asked))
        async for event in self._plans.run_and_act(ran):
            yield event
        if self.cancelled.is_set():
            return
        self.kept.keep(questions=tuple(ran.questions))
        for waiting in _waiting(ran.plan, {question.subtask for question in ran.questions}):
            self.problems[waiting] = WAITS
        async for event in self._answer(ran.plan):
            yield event

    async def _answer(self, plan: Plan) -> AsyncIterator[Event]:
        chosen = {step.key for step in plan.steps()}
        results = {key: item for key, item in self.kept.turn.results.items() if key in chosen}
        said = {
            number: view.answer
            for number, view in self.kept.turn.agents.items()
            if number in {subtask.id for subtask in plan.subtasks}
            and plan.chosen.get(number, 0 if plan.solutions.get(number) else -1) == view.way
        }
        finals = plan.finals(results)
        for key in self._several(results, finals):
            handing = self._telling.in_thread(self.threads, self.kept.hand_over, key)
            async for event in self._telling.during(handing):
                yield event
            if self.cancelled.is_set():
                return
            handing.result()
        on_the_way = {key for key in plan.ends() if key in results} - set(finals)
        outcomes = tuple(
            replace(
                outcome,
                is_on_the_way=outcome.key in on_the_way,
                members=self.kept.turn.members.get(outcome.key, ()),
            )
            for outcome in run_results_of(
                plan, results, self.problems, self.kept.read, self._plans.known().get, said
            )
        )
        text = ""
        asker = self._asker if self.settings.answer_with_model else None
        if asker is not None and not asker.rests("answer"):
            work = self._telling.started(self._write(asker, outcomes))
            async for event in self._telling.during(work):
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
                for event in self._telling.left():
                    yield event
        answer = Answer(text, citations_in(text, outcomes))
        if not text:
            answer = written_answer(outcomes)
            async for piece in _pieces(answer.text or HELP):
                text += piece
                yield AnswerToken(piece)
        shown = self.kept.turn.in_members(results[key] for key in finals)
        done = {outcome.subtask.id for outcome in outcomes if outcome.resource is not None}
        told, grounds = self._fallbacks.told(done), answer.grounds
        self.kept.keep(answer=text, state="answered", fallbacks=told, grounds=grounds)
        yield AnswerFinished(text, shown, told, grounds)

    def _several(self, results: Mapping[str, Resource], finals: Sequence[str]) -> list[str]:
        """The keys of several files that are handed over each by itself: where a ZIP was wished for
        and nothing else is one, they are handed over as that."""
        types = {results[key].type for key in finals}
        if "archive" not in types and _ZIP.search(self.kept.turn.text):
            return []
        return [key for key in finals if results[key].type == "files"]

    async def _write(self, asker: Asker, outcomes: tuple[RunResult, ...]) -> None:
        """Tell the model's answer piece by piece; raises EndpointError or Unusable."""
        text, limit = "", time.monotonic() + MOST_SECONDS
        pieces = model_answer(asker, self.kept.turn.text, outcomes)
        async with contextlib.aclosing(pieces):
            async for piece in pieces:
                text += piece
                self._telling.tell(AnswerToken(piece))
                if len(text) > MOST_CHARACTERS or time.monotonic() > limit:
                    self._telling.tell(AnswerToken(f" …\n\n*{NO_END}*"))
                    break
        if not text.strip():
            raise Unusable("It is empty.")

    def _heard(self, event: Event) -> None:
        if isinstance(event, LanguageModelUsed):
            self.kept.count(event.usage)

    def _failed(self, message: str) -> RequestFailed:
        self.kept.keep(state="failed", answer=message)
        return RequestFailed(message)


def _doubts(plan: Plan, planner: Planner) -> Iterator[Doubt]:
    """What has to be asked before anything runs; the same of several parts once."""
    parts: dict[tuple[str, tuple[str, ...], tuple[int, ...]], list[int]] = {}
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
            parts.setdefault((said, does, places), []).append(subtask.id)
    for (said, does, places), (first, *also) in parts.items():
        yield Doubt(said, Question(said, first, does, places, also=tuple(also)))


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
