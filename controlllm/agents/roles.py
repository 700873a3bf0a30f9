"""Who decides in an agent, and what goes between them: each role kept by a language model or by
rules and search over the tool graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Protocol

from controlllm.agents.environment import FINISH, Environment, Observation
from controlllm.core.costs import Usage
from controlllm.core.state import AgentView, State


@dataclass(frozen=True)
class Task:
    """What an agent is to do.

    `attached` are the names of what was handed over; `subtasks` its parts in words, where it was
    decomposed before (Sum2Act, Table 3); `returns` the resource type that is wanted, empty where an
    answer in words will do; `state` what was found and what failed before the agent begins.
    """

    instruction: str
    attached: tuple[str, ...] = ()
    subtasks: tuple[str, ...] = ()
    returns: str = ""
    state: State = field(default_factory=State)


@dataclass(frozen=True)
class Decision:
    """What to do next: a tool with its arguments, or `FINISH`.

    `FINISH` has the arguments ``answer`` (words for the person) and ``result`` (the name of the
    resource that was wanted, or empty), or ``give_up`` (why it cannot be done).
    """

    thought: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    usage: Usage = Usage()

    @property
    def finishes(self) -> bool:
        return self.tool == FINISH


@dataclass(frozen=True)
class Taken:
    """A step that was taken: the decision and what it brought."""

    decision: Decision
    observation: Observation


class Router(Protocol):
    """Decides on the next action from the state alone (Sum2Act, Sec. 3.2)."""

    def decide(
        self, task: Task, state: State, environment: Environment, hidden: Set[str]
    ) -> Decision:
        """The next call, or the end. `hidden` are tools that are not offered any more."""


class StateKeeper(Protocol):
    """Takes each observation into the state (Sum2Act, Sec. 3.3)."""

    def updated(self, task: Task, state: State, taken: Taken, step: int) -> tuple[State, Usage]:
        """The state with what a step brought: a result, a failure with its reason, or an earlier
        result corrected; and what it cost to say so."""


class Chooser(Protocol):
    """Decides on the next action from the whole history (ReAct, DFSDT)."""

    def choose(
        self,
        task: Task,
        history: Sequence[Taken],
        environment: Environment,
        elsewhere: Sequence[Taken] = (),
    ) -> Decision:
        """The next call, or the end. `elsewhere` are steps that were taken from this very place
        before, from which the next one has to differ (DFSDT's diversity)."""


@dataclass(frozen=True)
class Outcome:
    """How an agent's work ended.

    `answer` is in words; `result` the name of the resource that was wanted, or empty; `steps` are
    those that were taken, in order, and `path` those of them that lead to the answer; `view` is
    what the agent knew at the end. `reason` says why there is no answer, where it gave up or its
    budget was spent.
    """

    answer: str
    result: str
    steps: tuple[Taken, ...]
    path: tuple[Taken, ...]
    view: AgentView
    reason: str = ""

    @property
    def is_answered(self) -> bool:
        return not self.reason


#: Told what an agent knows, after each decision and after each observation.
Tell = Callable[[AgentView], None]
