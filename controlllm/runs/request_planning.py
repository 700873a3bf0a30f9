"""From the words of a request to its plan, or to an answer that needs none.

Words that only go back, ask for the same again or for another value, or want pages shown need no
search. Everything else is divided into subtasks, and for each of these ways are searched.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

from controlllm.answers.rejections import nothing_to_do, small_talk
from controlllm.comparing.choosing import habits_of
from controlllm.comparing.habits import Habits, in_habit
from controlllm.core.events import (
    AnswerFinished,
    AnswerToken,
    Doubt,
    Event,
    Loading,
    PlanReady,
    RequestFailed,
    RoleFellBack,
    SolutionsReady,
    SubtasksReady,
)
from controlllm.core.plans import Plan, Request, Subtask, TypedValue, generated
from controlllm.core.proposals import Proposal
from controlllm.core.session import branch
from controlllm.language.prompted import prompted_planner
from controlllm.planning.choices import doubts
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
from controlllm.runs.doing_again import plan_again, plan_corrected
from controlllm.runs.following_up import request_of, went_back
from controlllm.runs.run_context import RunContext
from controlllm.settings import NO_MODEL
from controlllm.store.handed_over import add_pages

#: A request in which more parts than this are heard is none; it is a text without an instruction.
MAX_SUBTASKS = 24

#: Whoever waits longer than this for a program that has just started is told, in seconds.
_LOADS_LONG = 0.3


class RequestPlanning:
    """Plans one request; its turn is kept as it goes.

    When the events have ended, `plan` is what is to be run, or None where the turn has its answer
    already or was stopped.
    """

    def __init__(self, context: RunContext) -> None:
        self._context = context
        self.kept, self.telling, self.cancelled = context.kept, context.telling, context.cancelled
        self.plan: Plan | None = None
        #: What has to be asked before the plan is run.
        self.doubts: tuple[Doubt, ...] = ()
        #: Whether an agent is to work on the plan's one part.
        self.is_for_agent = False
        self._habits = Habits()
        #: What is left to be planned where only a part of what was said is.
        self._rest = ""

    async def events(self) -> AsyncIterator[Event]:
        """Everything that happens until there is a plan, or an answer without one."""
        async for event in self._without_search():
            yield event
        if self._is_over:
            return
        request = self._request()
        pages = named_pages(request)
        if pages and only_shows(request, pages):
            async for event in self._show_pages(pages):
                yield event
            return
        loading = self.telling.in_thread(self._context.threads, self.planner_here)
        if not (await asyncio.wait({loading}, timeout=_LOADS_LONG))[0]:
            yield Loading()
        async for event in self.telling.during(loading):
            yield event
        if self.cancelled.is_set():
            return
        planner = loading.result()
        if pages:
            heard = self.telling.in_thread(
                self._context.threads, self._of_pages, request, pages, planner
            )
            async for event in self.telling.during(heard):
                yield event
            if self.cancelled.is_set():
                return
            request = heard.result()
        if self._context.asker is not None:
            planner = prompted_planner(
                planner, self._context.asker, self._context.settings.prompted
            )
        elif self._context.settings.prompted:
            if not self._context.settings.fall_back:
                yield self._failed(NO_MODEL)
                return
            yield RoleFellBack(f"{NO_MODEL} Until then ControlLLM plans by itself.", "decompose")
        planner = in_habit(planner, self._habits)
        if self._context.settings.manner == "act" and self._context.agents is not None:
            self.is_for_agent = True
            for event in self._planned(self._whole_request()):
                yield event
            return
        async for event in self._divided_and_solved(planner, request):
            yield event

    @property
    def _is_over(self) -> bool:
        """Whether there is nothing left to plan."""
        return self.plan is not None or self.cancelled.is_set() or self.kept.turn.state != "running"

    def _planned(self, plan: Plan) -> Iterator[Event]:
        self.plan = plan
        self.kept.keep(plan=plan)
        yield SubtasksReady(plan.subtasks)
        yield PlanReady(plan)

    async def _without_search(self) -> AsyncIterator[Event]:
        """Go back to what was before, or do steps once more on another file or with another value,
        where that is what was asked."""
        going_back = self._going_back()
        if going_back is not None:
            self.kept.keep(restored=going_back.restored, taken_back=going_back.taken_back)
            self._rest = going_back.rest
            if not going_back.rest:
                async for event in self._go_back(going_back):
                    yield event
                return
        again = plan_again(self.kept.session, self.kept.turn)
        corrected = plan_corrected(self.kept.session, self.kept.turn, self._context.toolbox)
        if again is None and corrected is not None and not self._rest:
            again, replaced = corrected
            self.kept.keep(taken_back=replaced)
        if again is not None:
            for event in self._planned(again):
                yield event

    async def _divided_and_solved(self, planner: Planner, request: Request) -> AsyncIterator[Event]:
        """The subtasks of a request, and the ways of each."""
        work = self.telling.in_thread(self._context.threads, planner.decompose, request)
        async for event in self.telling.during(work):
            yield event
        if self.cancelled.is_set():
            return
        subtasks = work.result()
        proposed = planner.decomposer if self._context.asker is not None else None
        if isinstance(proposed, Proposes) and proposed.proposal is not None:
            async for event in self._as_proposed(proposed.proposal, proposed.back_to, subtasks):
                yield event
            if self._is_over:
                return
        elif len(subtasks) > MAX_SUBTASKS:
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
            search = self.telling.in_thread(self._context.threads, next, iterator, None)
            async for event in self.telling.during(search):
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
        self._context.problems.update(
            {item.subtask.id: item.message for item in solved if item.message}
        )
        self.kept.keep(plan=plan)
        yield PlanReady(plan)
        self.doubts = tuple(doubts(plan, planner.graph.toolbox)) if self._context.asks else ()
        if not self.doubts:
            for event in self._answered_without_tools(plan):
                yield event
        if not self._is_over:
            self.plan = plan

    def _answered_without_tools(self, plan: Plan) -> Iterator[Event]:
        """What ends a turn of which nothing can be run: a greeting, or why there is no way."""
        greeting = small_talk(self.kept.turn.text, asks_nothing=not plan.subtasks)
        if greeting and not (
            self._context.settings.has_model and self._context.settings.answer_with_model
        ):
            yield AnswerToken(greeting)
            self.kept.keep(answer=greeting, state="answered")
            yield AnswerFinished(greeting)
        elif not any(plan.solutions.values()) and not self._context.settings.has_model:
            yield self._failed(nothing_to_do(plan, self._context.problems))

    async def _as_proposed(
        self, proposal: Proposal, back_to: Sequence[str], subtasks: Sequence[Subtask]
    ) -> AsyncIterator[Event]:
        """What a proposal says besides its steps: what is current again, and what has to be asked.
        The turn is answered by it where nothing is left to be done."""
        question = proposal.question
        if question and (self._context.asks or not subtasks):
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
        args = tuple(map(TypedValue.of, handed))
        subtask = Subtask(0, turn.text, (), args, TypedValue("", generated(0)))
        return Plan((subtask,), {0: ()})

    def _request(self) -> Request:
        """What the person asks in this turn, with what was said before."""
        return request_of(self.kept.session, self.kept.turn, self._rest)

    def _going_back(self) -> Restoration | None:
        """What this turn goes back to, where that is what it asks; what comes with new files is no
        such wish."""
        turn = self.kept.turn
        if turn.attached:
            return None
        return restoring(turn.text, branch(self.kept.session, turn.number)[:-1])

    async def _go_back(self, back: Restoration) -> AsyncIterator[Event]:
        """Answer with what is current again; nothing is made."""
        known = self.kept.known()
        found = tuple(known[value] for value in back.restored if value in known)
        text = went_back(found, [known[value] for value in back.taken_back if value in known])
        yield AnswerToken(text)
        results = {f"restored {place}": item for place, item in enumerate(found)}
        self.kept.keep(answer=text, state="answered", results=results)
        yield AnswerFinished(text, found)

    def _of_pages(self, request: Request, pages: Sequence[NamedPages], planner: Planner) -> Request:
        """A request that names pages, of their pictures but where it is for a tool that is told the
        pages of a document."""
        if works_on_pages(planner.decompose(request), self._context.toolbox):
            return request
        return with_pictures(request, pages, self._pictures_of(pages))

    def _pictures_of(self, pages: Sequence[NamedPages]) -> dict[tuple[str, int], Resource]:
        """The pages that a request names, as pictures of its session."""
        wanted = [page for named in pages for page in named.pages]
        made = add_pages(self.kept.session.id, self._context.store, wanted)
        self.kept.session = self._context.store.load(self.kept.session.id)
        return made

    async def _show(self, pictures: Mapping[tuple[str, int], Resource]) -> AsyncIterator[Event]:
        """Answer with pages of documents."""
        said = [f"Page {number} of {value}" for value, number in pictures]
        text = f"{', '.join(said[:-1])} and {said[-1]}." if said[1:] else f"{said[0]}."
        yield AnswerToken(text)
        results = {f"page {place}": item for place, item in enumerate(pictures.values())}
        self.kept.keep(answer=text, state="answered", results=results)
        yield AnswerFinished(text, tuple(pictures.values()))

    async def _show_pages(self, pages: Sequence[NamedPages]) -> AsyncIterator[Event]:
        drawn = self.telling.in_thread(self._context.threads, self._pictures_of, pages)
        async for event in self.telling.during(drawn):
            yield event
        if not self.cancelled.is_set():
            async for event in self._show(drawn.result()):
                yield event

    def planner_here(self) -> Planner:
        """The planner for this request, with what this person chose before."""
        self._habits = habits_of(self._context.store, self.kept.session.id)
        return self._context.find_planner(self._request())

    def _failed(self, message: str) -> RequestFailed:
        self.kept.keep(state="failed", answer=message)
        return RequestFailed(message)
