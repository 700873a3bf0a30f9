"""A plan that is run for a request: what it makes is kept with the turn, and where all ways of a
part have failed, an agent takes over."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from controlllm.agents.roles import Task
from controlllm.core.events import (
    ActionFailed,
    ActionFinished,
    ActionStarted,
    AgentActed,
    Doubt,
    Event,
    SolutionSwitched,
)
from controlllm.core.lineage import lineage
from controlllm.core.plans import (
    Action,
    Plan,
    Reference,
    Request,
    Solution,
    Step,
    Subtask,
    Value,
    with_values,
)
from controlllm.core.questions import Question
from controlllm.core.session import branch, resources_of
from controlllm.engine import Terms
from controlllm.engine.fallback import expression_of
from controlllm.language.prompted import prompted_planner
from controlllm.planning.follow_ups import offered
from controlllm.planning.planner import Planner
from controlllm.planning.recorded import at_hand
from controlllm.resources import Resource
from controlllm.runs.agent_run import AgentRun, Paused, Surrounding, in_words, state_after
from controlllm.runs.run_context import RunContext
from controlllm.toolbox import Code

#: What a task falls into more parts than is not told of them: it is a text without a request.
_MOST_PARTS = 24
#: Why there is one more way, where an agent has found it.
FOUND_BY_ACTING = "An agent found this way step by step."


@dataclass
class Ran:
    """A plan that is run, with what failed on the way and what has to be asked."""

    plan: Plan
    questions: list[Question] = field(default_factory=list)
    failures: list[ActionFailed] = field(default_factory=list)
    given_to_agents: set[int] = field(default_factory=set)


class PlanRun:
    """Runs the plans of one request. `planner_here` gives the planner that knows what can run here;
    it is called in one of the request's threads."""

    def __init__(self, context: RunContext, planner_here: Callable[[], Planner]) -> None:
        self._context = context
        self.kept, self.telling, self.cancelled = context.kept, context.telling, context.cancelled
        self.planner_here = planner_here
        self._agent: AgentRun | None = None

    def skip_step(self) -> bool:
        """End what an agent's step is at, and have it decide on the next; False where none acts."""
        if self._agent is None:
            return False
        self._agent.skip_step()
        return True

    async def run_and_act(self, ran: Ran) -> AsyncIterator[Event]:
        """Run a plan; an agent works on each part whose ways have all failed."""
        async for event in self.run(ran):
            yield event
        while not self.cancelled.is_set():
            stuck = self._stuck(ran)
            if stuck is None:
                break
            ran.given_to_agents.add(stuck)
            async for event in self.act_on(ran, stuck):
                yield event
            if not self.cancelled.is_set() and stuck not in self._context.problems:
                async for event in self.run(ran):
                    yield event

    async def run(self, ran: Ran) -> AsyncIterator[Event]:
        """Run a plan as far as it goes."""
        stopped = self.cancelled
        async for event in self._engine_events(
            ran.plan, self.kept.known(), self.kept.name, stopped
        ):
            if isinstance(event, ActionStarted):
                self.kept.note_started(event)
            elif isinstance(event, ActionFinished):
                event = self.kept.keep_result(event)
            elif isinstance(event, SolutionSwitched):
                ran.plan = event.plan
                self.kept.keep(plan=ran.plan)
            elif isinstance(event, Doubt):
                ran.questions.append(event.question)
            elif isinstance(event, ActionFailed):
                self._context.problems[_subtask(event)] = event.message
                ran.failures.append(event)
            yield event

    def _engine_events(
        self,
        plan: Plan,
        resources: Mapping[str, Resource],
        name: Callable[[Step, str], str],
        stopped: threading.Event,
    ) -> AsyncGenerator[Event, None]:
        session = self.kept.session
        earlier = branch(session, self.kept.turn.number)
        chosen = {call: places for turn in earlier for call, places in turn.chosen.items()}
        terms = Terms(
            self._context.settings.runtimes,
            f"{session.id}/{self.kept.turn.number}",
            self.kept.capabilities(self._context.settings),
            chosen if self._context.asks else None,
            may_act=self._context.settings.acting == "allow",
            one_try=self._context.settings.one_try,
            owner=session.id,
        )
        return self._context.engine.run(
            plan, resources, name_output=name, cancelled=stopped, terms=terms
        )

    def _stuck(self, ran: Ran) -> int | None:
        """A subtask whose ways have all failed though it had what it needs, and that no agent has
        tried yet."""
        if self._context.agents is None or not self._context.settings.act_when_stuck:
            return None
        asked = {question.subtask for question in ran.questions}
        # Not what the person would not have, what may have happened outside, nor what cannot run
        # here and is easily had; nor what is not in the picture, however it is looked for.
        hopeless = (Code.GAVE_UP, Code.NOTHING_MARKED, Code.NOT_KNOWN)
        declined = {
            _subtask(item)
            for item in ran.failures
            if item.code in hopeless or self._says_enough(item)
        }
        failed = {_subtask(failure) for failure in ran.failures} - declined
        results = self.kept.turn.results
        done = {subtask for subtask, key in ran.plan.last_keys().items() if key in results}
        for subtask in ran.plan.subtasks:
            has_failed = subtask.id in failed and subtask.id not in done | asked
            if has_failed and subtask.id not in ran.given_to_agents and set(subtask.deps) <= done:
                return subtask.id
        return None

    def _says_enough(self, failure: ActionFailed) -> bool:
        """Whether what a tool said is worth more than what other tools might find.

        A service that does not answer has others beside it. A tool that says what it lacks of the
        person's own files has not: without a language model whatever is nearest would be taken,
        and answer what nobody asked.
        """
        if self._context.asker is not None or failure.code != Code.ERROR:
            return False
        toolbox = self._context.engine.toolbox
        return (
            failure.tool in toolbox
            and not toolbox.is_foreign(failure.tool)
            and toolbox[failure.tool].domain != "public-api"
        )

    async def act_on(self, ran: Ran, number: int) -> AsyncIterator[Event]:
        """Have an agent work on a subtask; what it finds is one more way of it, chosen."""
        assert self._context.agents is not None
        acting = self.kept.turn.acting
        if number not in acting:
            self.kept.keep(acting=tuple(sorted((*acting, number))))
        subtask = next(item for item in ran.plan.subtasks if item.id == number)
        loading = self.telling.in_thread(self._context.threads, self.planner_here)
        async for event in self.telling.during(loading):
            yield event
        if self.cancelled.is_set():
            return
        planner = loading.result()
        results = self._results_of(ran.plan)
        task = Task(
            subtask.description,
            tuple(
                results.get(item.value, item.value)
                for item in subtask.args
                if not item.role and (item.value in results or item.value in self.kept.known())
            ),
            returns=subtask.returns.type,
            state=state_after(
                [
                    (failure, self._with_names(ran.plan, failure.key))
                    for failure in ran.failures
                    if _subtask(failure) == number
                ]
            ),
        )
        run = AgentRun(
            subtask,
            len(ran.plan.solutions.get(number, ())),
            planner.graph.toolbox,
            planner.tools_here(),
            at_hand(self._offered(subtask), task.attached),
            Surrounding(
                self._engine_events,
                self.kept.name,
                self.kept.keep_result,
                self.telling.tell,
                self.kept.in_words,
                self.cancelled,
            ),
        )
        self._agent = run
        agent = self._context.agents.make(
            planner, self._context.asker, self._context.settings.agent
        )
        parts_of = partial(self._parts_of, planner)
        work = self.telling.in_thread(self._context.agents.threads, run.work, agent, task, parts_of)
        async for event in self.telling.during(work):
            yield event
        self._agent = None
        if self.cancelled.is_set():
            return
        try:
            outcome = work.result()
        except Paused as paused:
            ran.questions.append(paused.doubt.question)
            yield paused.doubt
            return
        view = replace(in_words(outcome.view), answer=outcome.answer)
        way = run.way(outcome) if outcome.is_answered else None
        if not outcome.is_answered:
            self._context.problems[number] = outcome.reason
        if way is not None:
            solution, made = way
            ran.plan = _with_way(ran.plan, number, solution)
            view = replace(view, way=ran.plan.chosen[number])
            self._context.problems.pop(number, None)
            self.kept.keep_way(made if view.way == run.index else {}, plan=ran.plan)
        left = tuple(item for item in self.kept.turn.acting if item != number)
        self.kept.keep(acting=left, agents={**self.kept.turn.agents, number: view})
        yield AgentActed(number, view)
        if way is not None:
            yield SolutionSwitched(number, view.way, FOUND_BY_ACTING, ran.plan)

    def _offered(self, subtask: Subtask) -> tuple[Resource, ...]:
        """What an agent may work on: not what was taken back, or made on the way, in turns before
        this one."""
        session, number = self.kept.session, self.kept.turn.number
        before = lineage(branch(session, number)[:-1])
        named = [item.value for item in subtask.args]
        return offered(resources_of(session, number), before, named, subtask.description)

    def _parts_of(self, planner: Planner, task: Task) -> tuple[str, ...]:
        """The parts of a task in words, where it has several and the settings want them told."""
        if not self._context.settings.divide_first:
            return ()
        if self._context.asker is not None:
            planner = prompted_planner(
                planner, self._context.asker, self._context.settings.prompted
            )
        request = Request(task.instruction, self.kept.session.resources, task.attached)
        parts = tuple(subtask.description for subtask in planner.decompose(request))
        return parts if 1 < len(parts) <= _MOST_PARTS else ()

    def _with_names(self, plan: Plan, key: str) -> Action:
        """A step of a plan with the names of what was made, in place of what the plan calls it."""
        way = key.rpartition(".")[0]
        names = self._results_of(plan)
        for step, made in self.kept.turn.results.items():
            if step.rpartition(".")[0] == way:
                names[plan.action(step).output.value] = made.value

        def named(value: Value) -> Value:
            if isinstance(value, Reference) and value.value in names:
                return Reference(names[value.value])
            return value

        action = plan.action(key)
        inputs = with_values(action.inputs, named)
        return replace(action, inputs=inputs)

    def _results_of(self, plan: Plan) -> dict[str, str]:
        """The names of what the subtasks of a plan made, by what the plan calls their results."""
        last = plan.last_keys()
        results = self.kept.turn.results
        return {
            subtask.returns.value: results[last[subtask.id]].value
            for subtask in plan.subtasks
            if last.get(subtask.id) in results
        }


def _subtask(failure: ActionFailed) -> int:
    return int(failure.key.split(".")[0])


def _with_way(plan: Plan, subtask: int, way: Solution) -> Plan:
    """A plan with a way of a subtask chosen: one that it has already, where that does the same."""
    done = expression_of(way.actions[-1], way)
    for index, known in enumerate(plan.solutions.get(subtask, ())):
        if expression_of(known.actions[-1], known) == done:
            return plan.switched(subtask, index)
    # A subtask whose result could be anything makes what this way does.
    made = way.actions[-1].output.type
    subtasks = (
        replace(item, returns=replace(item.returns, type=made))
        if item.id == subtask and not item.returns.type
        else item
        for item in plan.subtasks
    )
    return replace(plan.with_way(subtask, way), subtasks=tuple(subtasks))
