"""The chooser of ReAct and DFSDT without a language model: it decides from its history alone."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from controlllm.agents.embedded.keeper import EmbeddedKeeper
from controlllm.agents.embedded.router import EmbeddedRouter
from controlllm.agents.environment import FINISH, MOST_OBSERVED, Environment
from controlllm.agents.fingerprints import fingerprint
from controlllm.agents.roles import Decision, Taken, Task

__all__ = ["EmbeddedChooser"]

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
