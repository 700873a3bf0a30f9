"""One request on its way from words to answer; its turn is kept in the store as it goes."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Sequence, Set

from controlllm.answers.fallbacks import Fallbacks
from controlllm.comparing.trying import try_way
from controlllm.core.events import (
    AnswerFinished,
    AnswerToken,
    Doubt,
    Event,
    RequestCancelled,
    RequestFailed,
    RequestReceived,
    SolutionSwitched,
)
from controlllm.core.plans import Plan
from controlllm.core.questions import Question
from controlllm.language.asking import LanguageModelFailed
from controlllm.resources.probing import BadInput
from controlllm.runs.answering import Answering
from controlllm.runs.plan_run import PlanRun, Ran
from controlllm.runs.request_planning import RequestPlanning
from controlllm.runs.run_context import RunContext
from controlllm.store import StoreError

_log = logging.getLogger(__name__)

#: What is said where the program ends in the middle.
LEAVING = "The program was ended. What was finished is kept, and this goes on when it runs again."
#: The answer where something has to be asked first.
CHOOSE = "Choose what you mean above, or say it in other words."
#: What is said of a part that waits for such an answer.
WAITS = "This waits for your choice above."


class RequestRun:
    """One request on its way from words to answer; keeps its turn in the store as it goes. Once
    `leaving` is set the program is about to end."""

    def __init__(self, context: RunContext, leaving: threading.Event) -> None:
        self.kept = context.kept
        self.cancelled = context.cancelled
        self.leaving = leaving
        self._problems = context.problems
        self._fallbacks = Fallbacks()
        self._planning = RequestPlanning(context)
        self._plans = PlanRun(context, self._planning.planner_here)
        self._answering = Answering(context, self._fallbacks)

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
        async for event in self._planning.events():
            yield event
        plan = self._planning.plan
        if plan is None or self.cancelled.is_set():
            return
        if self._planning.is_for_agent:
            async for event in self.act(plan, plan.subtasks[0].id):
                yield event
            return
        if self._planning.doubts:
            async for event in self._ask(self._planning.doubts):
                yield event
            return
        async for event in self._run_and_answer(plan):
            yield event

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
            self._problems[waiting] = WAITS
        async for event in self._answering.answer(ran.plan):
            yield event


def _waiting(plan: Plan, asked: Set[int]) -> frozenset[int]:
    """The subtasks that wait for an answer: those asked about and those that need their results."""
    waiting = set(asked)
    for subtask in plan.subtasks:
        if waiting & set(subtask.deps):
            waiting.add(subtask.id)
    return frozenset(waiting)
