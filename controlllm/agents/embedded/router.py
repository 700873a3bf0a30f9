"""The router without a language model, which plans from the present state before each step anew,
and the chooser of ReAct and DFSDT, which decides from its history alone."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from datetime import date
from typing import Any

from controlllm.agents.embedded.answers import answer_of, finished
from controlllm.agents.embedded.calls import Call, calls_for, further_calls
from controlllm.agents.embedded.keeper import EmbeddedKeeper
from controlllm.agents.embedded.parts import Part, Parts, PlannerOf, thought_for
from controlllm.agents.embedded.relevance import Encode
from controlllm.agents.embedded.situation import Situation
from controlllm.agents.environment import FINISH, MOST_OBSERVED, Environment, fingerprint
from controlllm.agents.roles import Decision, Taken, Task
from controlllm.core.state import State
from controlllm.planning.planner import Planner
from controlllm.resources import TypeLattice
from controlllm.toolbox import Tool

#: A call that it costs more than this to believe in is not made.
_DEAREST = 2.6
#: So often something is added to what answers a part.
_MOST_FURTHER = 2


class EmbeddedRouter:
    """Decides on the next action from the state alone (Sum2Act, Sec. 3.2).

    Parameters
    ----------
    planner_of: makes the planner over a toolbox, see `controlllm.runs.planners.embedded_planner`.
    encode: vectors of texts, see `controlllm.models.encoder`.
    today: the day that "tomorrow" comes after, where a request does not say which day it is.
    patience: how often the same call may be made that fails by what may pass.
    """

    def __init__(
        self,
        planner_of: PlannerOf,
        encode: Encode,
        today: Callable[[], date] = date.today,
        patience: int = 1,
    ) -> None:
        self._patience = patience
        self._encode = encode
        self._parts = Parts(planner_of, encode, today)

    def planner(self, tools: Sequence[Tool]) -> Planner:
        """The planner that it searches some tools with."""
        return self._parts.planner(tools)

    def decide(
        self, task: Task, state: State, environment: Environment, hidden: Set[str]
    ) -> Decision:
        """The next call, or the end; see `controlllm.agents.roles.Router`."""
        return self.decide_without(task, state, environment, hidden, frozenset())

    def decide_without(
        self,
        task: Task,
        state: State,
        environment: Environment,
        hidden: Set[str],
        banned: Set[str],
    ) -> Decision:
        """The same where calls with the `banned` fingerprints must not be made."""
        parts = self._parts.of(task, environment)
        situation = self._situation(parts, state, environment, hidden, banned)
        missing: list[str] = []
        for part in parts:
            if finished(part, state):
                more = self._further(part, state, situation)
                if more is not None:
                    return _decision(part, more, situation)
                continue
            call = None if part.lacking else next(iter(calls_for(part, situation)), None)
            if call is None or call.cost > _DEAREST:
                missing.append(part.words.part)
                continue
            return _decision(part, call, situation)
        return _end(task, parts, state, environment, missing)

    def _further(self, part: Part, state: State, situation: Situation) -> Call | None:
        """A call that adds to the answer of a part, a few times at most."""
        found = [i for i in state.results if i.answers and i.subtask == part.words.part]
        if part.solutions or len(found) > _MOST_FURTHER:
            return None
        return next(iter(further_calls(part, found[-1], situation)), None)

    def _situation(
        self,
        parts: Sequence[Part],
        state: State,
        environment: Environment,
        hidden: Set[str],
        banned: Set[str],
    ) -> Situation:
        types = {i.type for tool in environment.tools for i in (*tool.args, tool.returns)}
        answers = {
            part.subtask.returns.value: item.source
            for part in parts
            for item in state.results
            if item.subtask == part.words.part
            and item.answers
            and item.source in environment.resources
        }
        return Situation(
            state,
            environment,
            hidden,
            banned,
            self._encode,
            TypeLattice().extended(sorted(types)),
            self._patience,
            answers,
        )


def _decision(part: Part, call: Call, situation: Situation) -> Decision:
    thought = thought_for(part.words.part, situation.tools[call.tool], call.ends)
    return Decision(thought, call.tool, dict(call.arguments))


def _end(
    task: Task,
    parts: Sequence[Part],
    state: State,
    environment: Environment,
    missing: Sequence[str],
) -> Decision:
    """The end: an answer with what was found, or giving up where nothing was."""
    answer = answer_of(parts, state, environment.resources)
    found = [part for part in parts if finished(part, state)]
    if not found:
        return Decision(
            "Nothing that I have not tried is left.",
            FINISH,
            {"give_up": answer or "I found no way."},
        )
    lattice = TypeLattice()
    named = [item.source for item in state.results if item.source in environment.resources]
    fitting = [
        name
        for name in named
        if not task.returns or lattice.is_a(environment.resources[name].type, task.returns)
    ]
    thought = "All parts are answered." if not missing else "Nothing that I have not tried is left."
    if task.returns and not fitting:
        said = f"I found no way to make what is wanted ({task.returns})."
        return Decision("Nothing that I have not tried is left.", FINISH, {"give_up": said})
    result = fitting[-1] if fitting else ""
    return Decision(thought, FINISH, {"answer": answer, "result": result})


_MOST_THOUGHTS = 4096


class EmbeddedChooser:
    """Decides on the next action from the whole history (ReAct, DFSDT).

    It knows tools as the router does. What it does not have is a state that is kept: each time it
    reads its history again, of each observation no more than `MOST_OBSERVED` characters, and what
    happened in other branches only as far as it is told. It does not write its thoughts down: a
    thought is a node, and a chain of ToolBench's has only so many.
    """

    def __init__(self, router: EmbeddedRouter, keeper: EmbeddedKeeper) -> None:
        self._router = router
        self._keeper = keeper
        #: What each call was made for, by task and call.
        self._thoughts: OrderedDict[tuple[str, str], str] = OrderedDict()

    def choose(
        self,
        task: Task,
        history: Sequence[Taken],
        environment: Environment,
        elsewhere: Sequence[Taken] = (),
    ) -> Decision:
        """The next call, or the end; see `controlllm.agents.roles.Chooser`."""
        state = task.state
        for step, taken in enumerate(history):
            if not taken.decision.finishes:
                state, _ = self._keeper.updated(task, state, self._read(task, taken), step)
        banned = {fingerprint(item.decision.tool, item.decision.arguments) for item in elsewhere}
        decision = self._router.decide_without(task, state, environment, frozenset(), banned)
        mark = fingerprint(decision.tool, decision.arguments)
        if decision.finishes:
            return decision if mark not in banned else _nothing_left()
        self._thoughts[task.instruction, mark] = decision.thought
        while len(self._thoughts) > _MOST_THOUGHTS:
            self._thoughts.popitem(last=False)
        return replace(decision, thought="")

    def _read(self, task: Task, taken: Taken) -> Taken:
        """A step as it stands in the history, with what its call was made for."""
        mark = fingerprint(taken.decision.tool, taken.decision.arguments)
        thought = taken.decision.thought or self._thoughts.get((task.instruction, mark), "")
        text = taken.observation.text[:MOST_OBSERVED]
        return replace(
            taken,
            decision=replace(taken.decision, thought=thought),
            observation=replace(taken.observation, text=text),
        )


def _nothing_left() -> Decision:
    reason: dict[str, Any] = {"give_up": "Nothing is left here that was not tried."}
    return Decision("Nothing is left here that was not tried.", FINISH, reason)
