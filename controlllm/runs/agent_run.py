"""An agent at work on one subtask of a request: its calls go through the engine, what it makes is
kept with the turn, and what led to its answer becomes a way of the subtask."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from controlllm.agents.choosing import Agent
from controlllm.agents.embedded.answers import told_in_words
from controlllm.agents.roles import Outcome, Task
from controlllm.agents.running import kind_of
from controlllm.agents.tool_environment import Inputs, Made, ToolEnvironment
from controlllm.core.events import (
    ActionFailed,
    ActionFinished,
    ActionProgress,
    ActionStarted,
    AgentActed,
    Doubt,
    Event,
)
from controlllm.core.plans import (
    Action,
    Literal,
    Plan,
    Reference,
    Solution,
    Step,
    Subtask,
    TypedValue,
    Value,
    generated,
    told,
    told_values,
    with_values,
)
from controlllm.core.reasons import Reason
from controlllm.core.state import AgentView, Failure, State
from controlllm.resources import Resource
from controlllm.toolbox import Cancelled, Code, Tool, Toolbox, ToolError

#: What the way that an agent found counts on the paper's scale of 1 to 5: it did what it did,
#: and nobody has compared it with others.
SCORE = 3.0
#: How often a thread that waits for a call looks whether the person has stopped it, in seconds.
_LOOK_AGAIN = 0.1


class Paused(Cancelled):
    """A call needs a person's answer first; the doubt says to what."""

    def __init__(self, doubt: Doubt) -> None:
        super().__init__(doubt.message)
        self.doubt = doubt


NameOutput = Callable[[Step, str], str]


@dataclass(frozen=True)
class Surrounding:
    """What an agent's calls need of the request that it works for.

    `run` runs a plan with resources by their values, names results by a function of the step, and
    ends once its event is set;
    `keep` keeps a result with the turn; `tell` puts an event on the request's stream; `in_words`
    is what a resource is, for an agent.
    """

    run: Callable[[Plan, Mapping[str, Resource], NameOutput, threading.Event], AsyncIterator[Event]]
    name: NameOutput
    keep: Callable[[ActionFinished], ActionFinished]
    tell: Callable[[Event], None]
    in_words: Callable[[Resource], str]
    cancelled: threading.Event


class AgentRun:
    """One agent's work on a subtask, as the way of this index.

    Made on the event loop; `work` is called in a thread.
    """

    def __init__(
        self,
        subtask: Subtask,
        index: int,
        toolbox: Toolbox,
        tools: Sequence[Tool],
        resources: Sequence[Resource],
        surrounding: Surrounding,
    ) -> None:
        self.subtask = subtask
        self.index = index
        self._surrounding = surrounding
        self._loop = asyncio.get_running_loop()
        #: The calls that made something, in order; two may have made the same thing.
        self._done: list[Action] = []
        #: What was made, in all forks of the environment.
        self._all_made: dict[str, Resource] = {}
        self._begun = 0
        #: Set when the call that is made now is to end.
        self._step = threading.Event()
        # Permission to act outside is asked where the call is made, by the engine.
        self.environment = ToolEnvironment(
            tools, self._call, resources, toolbox.lattice, lambda tool, inputs: True
        )

    def work(
        self,
        agent: Agent,
        task: Task,
        parts_of: Callable[[Task], tuple[str, ...]] = lambda task: (),
    ) -> Outcome:
        """What the agent makes of its task; `parts_of` says which parts of it it is told before.

        Raises Paused where a person has to be asked, Cancelled where the person stopped it, and
        what the agent raises.
        """
        return agent(
            replace(task, subtasks=parts_of(task)),
            self.environment,
            lambda view: self._surrounding.tell(AgentActed(self.subtask.id, in_words(view))),
            self._surrounding.cancelled,
        )

    def skip_step(self) -> None:
        """End the call that is made now; the agent goes on without what it would have brought."""
        self._step.set()

    def way(self, outcome: Outcome) -> tuple[Solution, Mapping[str, Resource]] | None:
        """The calls that led to an outcome as a solution, with what they made by the keys of its
        actions; None where there is none."""
        steps = _ending_in(outcome.result, self._steps_to(outcome))
        if not steps:
            return None
        last = len(steps) - 1
        places: dict[str, int] = {}
        actions = []
        for place, (action, item) in enumerate(steps):
            # What was there before a step is what it was given, also where it made the same again.
            named = partial(self._placed, places=dict(places))
            output = TypedValue(
                item.type, generated(self.subtask.id, None if place == last else place)
            )
            actions.append(replace(action, inputs=with_values(action.inputs, named), output=output))
            places[item.value] = place
        keys = {
            f"{self.subtask.id}.{self.index}.{place}": item for place, (_, item) in enumerate(steps)
        }
        count = len(outcome.steps)
        reason = Reason(f"Found step by step, in {count} steps.", "by_steps", count=str(count))
        return Solution(tuple(actions), SCORE, reason), keys

    def _steps_to(self, outcome: Outcome) -> list[tuple[Action, Resource]]:
        """The calls that led to an outcome, in order, with what each made. Of those that made the
        same thing only the first: all that follows had it at hand then."""
        made = [taken for taken in outcome.steps if taken.observation.resource is not None]
        calls = list(zip(made, self._done, strict=False))
        found: dict[str, tuple[Action, Resource]] = {}
        for taken in outcome.path:
            item = taken.observation.resource
            action = next((action for step, action in calls if step == taken), None)
            if item is not None and action is not None:
                found.setdefault(item.value, (action, item))
        return list(found.values())

    def _placed(self, value: Value, places: Mapping[str, int]) -> Value:
        if isinstance(value, Reference) and value.value in places:
            return Reference(generated(self.subtask.id, places[value.value]))
        return value

    def _call(self, tool: Tool, inputs: Inputs) -> Made:
        """Make a call in the engine, from the agent's thread."""
        self._step = threading.Event()
        call = asyncio.run_coroutine_threadsafe(self._made(tool, inputs), self._loop)
        while True:
            try:
                return call.result(_LOOK_AGAIN)
            except NotYet:
                if self._surrounding.cancelled.is_set():
                    self._step.set()
                    raise Cancelled from None
            except CancelledError:
                raise Cancelled from None

    async def _made(self, tool: Tool, inputs: Inputs) -> Made:
        action = Action(
            tool.name,
            {
                name: tuple(map(_value, given)) if isinstance(given, tuple) else _value(given)
                for name, given in inputs.items()
            },
            TypedValue(tool.returns.type, generated(self.subtask.id)),
        )
        plan = Plan((self.subtask,), {self.subtask.id: (Solution((action,), SCORE),)})
        key = f"{self.subtask.id}.{self.index}.{self._begun}"
        self._begun += 1
        failed: ActionFailed | None = None
        made: Resource | None = None
        surrounding = self._surrounding
        async for event in surrounding.run(
            plan,
            {**self.environment.resources, **self._all_made},
            lambda step, media_type: surrounding.name(replace(step, key=key), media_type),
            self._step,
        ):
            if isinstance(event, Doubt):
                raise Paused(event)
            if not isinstance(
                event, ActionStarted | ActionProgress | ActionFinished | ActionFailed
            ):
                continue
            event = replace(event, key=key)
            if isinstance(event, ActionFinished):
                event = surrounding.keep(event)
                made = event.resource
            elif isinstance(event, ActionFailed):
                failed = event
            surrounding.tell(event)
        if made is None:
            if surrounding.cancelled.is_set():
                raise Cancelled
            if self._step.is_set():
                said = "The person ended this step before it was done."
                surrounding.tell(ActionFailed(key, tool.name, said, "The next step is decided on."))
                raise ToolError(said)
            if failed is None:
                raise ToolError(f"“{tool.in_words}” made nothing.")
            raise ToolError(failed.message, Code(failed.code))
        self._done.append(action)
        self._all_made[made.value] = made
        return Made(made, surrounding.in_words(made))


def _ending_in(
    wanted: str, steps: Sequence[tuple[Action, Resource]]
) -> list[tuple[Action, Resource]]:
    """Steps with the one last that makes what is wanted, as the last action of a solution does;
    without those that only went on from it."""
    end = next((step for step in steps if step[1].value == wanted), None)
    if end is None:
        return list(steps)
    kept, after = [], {wanted}
    for action, item in steps[steps.index(end) + 1 :]:
        if after & set(action.references()):
            after.add(item.value)
        else:
            kept.append((action, item))
    return [*steps[: steps.index(end)], *kept, end]


def in_words(view: AgentView) -> AgentView:
    """What an agent knows as a person reads it: findings in words in place of data."""
    results = tuple(
        replace(item, finding=told_in_words(item.finding)) for item in view.state.results
    )
    return replace(view, state=replace(view.state, results=results))


def state_after(failures: Sequence[tuple[ActionFailed, Action]]) -> State:
    """The failure history that a plan leaves an agent which takes over from it."""
    state = State()
    for failed, action in failures:
        arguments = told_values(action.inputs, told)
        kind = kind_of(Code(failed.code))
        state = state.with_failure(Failure(failed.tool, arguments, failed.message, kind, 0))
    return state


def _value(given: Any) -> Value:
    return Reference(given.value) if isinstance(given, Resource) else Literal(str(given))
