"""What all agents share while they run: budgets, stopping, what they tell, how they end."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controlllm.agents.environment import MOST_OBSERVED, Environment, Observation
from controlllm.agents.roles import Decision, Outcome, Taken, Task, Tell
from controlllm.core.costs import Usage
from controlllm.core.state import (
    MOST_ARGUMENT,
    AgentView,
    Budget,
    Failure,
    Result,
    Spent,
    State,
)
from controlllm.resources import TypeLattice
from controlllm.toolbox import Cancelled, Code

#: The most characters of a thought that are shown, and of all arguments of a call together.
_MOST_THOUGHT, _MOST_ARGUMENTS = 1_000, 1_000

#: The kinds of failure that a state knows.
KINDS_OF_FAILURE = ("unavailable", "bad input", "irrelevant", "error")
#: Those that the same call may not meet the next time.
PASSING_KINDS = ("unavailable", "irrelevant", "error")
_KINDS = {
    **dict.fromkeys((Code.UNKNOWN_TOOL, Code.BAD_INPUT), "bad input"),
    **dict.fromkeys(
        (
            *(Code.TIMED_OUT, Code.NOT_FOUND, Code.UNAUTHORISED, Code.NOT_SUBSCRIBED),
            *(Code.TOO_MANY, Code.RATE_LIMITED, Code.NOT_SENT),
        ),
        "unavailable",
    ),
}


@dataclass(frozen=True)
class Oversight:
    """What an agent is held to while it works.

    Parameters
    ----------
    budget: what it may use up.
    tell: told with each view of the agent.
    cancelled: set when the person stops the run.
    before: what was used up of the budget before this began; what is told and the outcome count it.
    """

    budget: Budget
    tell: Tell = lambda view: None
    cancelled: threading.Event | None = None
    before: Spent = Spent()


#: Nothing is told, and it takes as long as it takes.
UNLIMITED = Oversight(Budget(steps=0))


class Meter:
    """What an agent of a name has used up, and whether it may go on."""

    def __init__(self, agent: str, oversight: Oversight) -> None:
        self._agent = agent
        self._budget = oversight.budget
        self._tell = oversight.tell
        self._cancelled = oversight.cancelled
        self._before = oversight.before
        self._begun = time.monotonic()
        self._usage = Usage()
        self.steps = 0

    def count(self, usage: Usage, steps: int = 0) -> None:
        """Take note of what a role cost and how many steps were taken."""
        self._usage += usage
        self.steps += steps

    @property
    def spent(self) -> Spent:
        before = self._before
        return Spent(
            before.steps + self.steps,
            before.model_calls + self._usage.calls,
            before.tokens + self._usage.tokens,
            before.seconds + time.monotonic() - self._begun,
        )

    def check(self) -> None:
        """Raise Cancelled where the person stopped the run."""
        if self._cancelled is not None and self._cancelled.is_set():
            raise Cancelled

    def what_is_spent(self, within_step: bool = False) -> str:
        """Why no further step may be made, in words, or, within a step, no further call of a
        model; empty where it may."""
        budget, spent = self._budget, self.spent
        if within_step:
            budget = replace(budget, steps=0)
        if budget.is_left(spent):
            return ""
        if budget.steps and spent.steps >= budget.steps:
            return f"It is not done after {budget.steps} steps, which is as many as it may take."
        if budget.model_calls and spent.model_calls >= budget.model_calls:
            return f"It is not done after {spent.model_calls} calls of the language model."
        if budget.tokens and spent.tokens >= budget.tokens:
            return f"It is not done after {spent.tokens} tokens of the language model."
        return f"It is not done after {budget.seconds:g} seconds."

    def view(self, state: State, decision: Decision | None = None) -> AgentView:
        """The agent as it is now."""
        shown = AgentView(self._agent, state, spent=self.spent, budget=self._budget)
        if decision is None:
            return shown
        return replace(
            shown,
            thought=_cut(decision.thought, _MOST_THOUGHT),
            tool=_cut(decision.tool, MOST_ARGUMENT),
            arguments=noted(decision.arguments),
        )

    def show(self, state: State, decision: Decision | None = None) -> None:
        """Tell what the agent knows and does now."""
        self._tell(self.view(state, decision))


def noted(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as a state or a history keeps them: short, and no more than there is room for."""
    found: dict[str, Any] = {}
    room = _MOST_ARGUMENTS
    for name, value in arguments.items():
        if not isinstance(value, str | int | float | None):
            told = json.dumps(value, ensure_ascii=False, default=str)
            value = value if len(told) <= MOST_ARGUMENT else told
        elif isinstance(value, int) and abs(value) > 10**MOST_ARGUMENT:
            value = "a number of too many digits"
        name = _cut(str(name), MOST_ARGUMENT)
        value = _cut(value, MOST_ARGUMENT) if isinstance(value, str) else value
        room -= len(name) + len(str(value))
        if room < 0:
            found["…"] = "…"
            break
        found[name] = value
    return found


def kind_of(code: Code) -> str:
    """The kind of failure in a state that a code stands for."""
    return _KINDS.get(code, "error")


def cut(taken: Taken) -> Taken:
    """A step as a history keeps it: the observation cut as in ToolBench."""
    text = taken.observation.text
    if len(text) <= MOST_OBSERVED:
        return taken
    return replace(taken, observation=replace(taken.observation, text=f"{text[:MOST_OBSERVED]}…"))


def ending(decision: Decision, task: Task, environment: Environment) -> Observation:
    """What a decision to finish comes to: an answer, giving up, or what is wrong with it."""
    answer, result, reason = (
        str(decision.arguments.get(name) or "").strip() for name in ("answer", "result", "give_up")
    )
    if reason:
        return Observation(reason, Code.GAVE_UP)
    unknown = sorted(set(decision.arguments) - {"answer", "result", "give_up"})
    if unknown:
        problem = f"Finish takes answer and result, or give_up, and not {_cut(unknown[0], 80)!r}."
    elif not answer:
        problem = "Finish needs an answer in words, or give_up with the reason why it cannot be."
    elif result and result not in environment.resources:
        problem = f"There is no resource called {_cut(result, 80)!r} that could be the result."
    elif task.returns and not result:
        problem = f"Finish needs the name of the resource of type {task.returns} that is wanted."
    elif task.returns and not _is_a(environment.resources[result].type, task.returns):
        found = environment.resources[result].type
        problem = f"A resource of type {task.returns} is wanted, and {result!r} is of type {found}."
    else:
        return Observation(answer, Code.ANSWERED)
    return Observation(problem, Code.BAD_INPUT)


def way_to(steps: Sequence[Taken], wanted: Collection[str], kept: Iterable[Taken]) -> list[Taken]:
    """Of steps, those that are `kept`, that made the `wanted` resources, or that made what one of
    these was given; in order."""
    names, found = set(wanted), {id(taken) for taken in kept}
    for taken in reversed(steps):
        made = taken.observation.resource
        if id(taken) in found or (made is not None and made.value in names):
            found.add(id(taken))
            names.update(_names_in(taken.decision.arguments))
    return [taken for taken in steps if id(taken) in found]


def finished(
    meter: Meter,
    steps: Sequence[Taken],
    path: Sequence[Taken],
    state: State,
    decision: Decision | None,
    reason: str = "",
) -> Outcome:
    """The outcome of a decision to finish, or, without one, of what kept the agent from it."""
    said = decision.arguments if decision is not None else {}
    return Outcome(
        str(said.get("answer") or "").strip(),
        "" if reason else str(said.get("result") or "").strip(),
        tuple(map(cut, steps)),
        () if reason else tuple(map(cut, path)),
        meter.view(state, decision),
        reason,
    )


def state_of(history: Sequence[Taken]) -> State:
    """What a history comes to, for a person to see: agents that keep no state have only this."""
    state = State()
    for step, taken in enumerate(history, 1):
        seen, decision = taken.observation, taken.decision
        if seen.is_done:
            source = seen.resource.value if seen.resource else seen.text
            state = state.with_result(Result(seen.text, source, step))
        elif seen.code not in (Code.ANSWERED, Code.GAVE_UP):
            state = state.with_failure(
                Failure(
                    decision.tool,
                    noted(decision.arguments),
                    seen.text,
                    kind_of(seen.code),
                    step,
                )
            )
    return state


def _is_a(given: str, wanted: str) -> bool:
    return TypeLattice().is_a(given, wanted)


def _names_in(arguments: Mapping[str, Any]) -> Iterable[str]:
    for value in arguments.values():
        yield from (
            item
            for item in (value if isinstance(value, list | tuple) else [value])
            if isinstance(item, str)
        )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
