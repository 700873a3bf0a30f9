"""DFSDT: a decision tree, searched depth first, each branch told what its neighbours did.

As ToolBench codes it (``DFS_woFilter_w2``; Qin et al. 2023, "ToolLLM"), with these differences: the
last call of the model that is allowed is made use of; where nothing is answered, the first branch
that gave up tells why, in place of one taken at random.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from controlllm.agents.environment import Environment
from controlllm.agents.options import USUAL, Options
from controlllm.agents.react import nodes_of, turn
from controlllm.agents.roles import Chooser, Outcome, Taken, Task
from controlllm.agents.running import UNLIMITED, Meter, Oversight, finished, state_of
from controlllm.toolbox import Code

#: How many levels a search climbs from a place: after the depth limit to its parent, which tries
#: its next branch; after giving up past the parent, whose other branches are left.
_NEXT_BRANCH, _PAST_PARENT, _ALL = 1, 2, 1_000_000


def dfsdt(
    task: Task,
    environment: Environment,
    chooser: Chooser,
    options: Options = USUAL,
    oversight: Oversight = UNLIMITED,
) -> Outcome:
    """Work on a task along branches of decisions, until one ends in an answer.

    Every branch has a fork of the environment: what the way to the answer made is in the
    observations of the outcome's path. What was done outside is not undone where a branch is left.
    Raises `controlllm.toolbox.Cancelled` where the person stopped the run, and what the chooser
    raises.
    """
    meter = Meter("dfsdt", oversight)
    search = _Search(task, chooser, meter, options)
    search.explore(_Place((), environment, 0))
    if search.answer is not None:
        history = search.answer.history
        return finished(meter, search.steps, history, state_of(history), history[-1].decision)
    reason = search.spent or (search.gave_up[0] if search.gave_up else "")
    reason = reason or f"None of {len(search.steps)} turns along its branches led to an answer."
    return finished(meter, search.steps, (), state_of(search.last), None, reason)


@dataclass(frozen=True)
class _Place:
    """Where a branch has come to: what was done, what it made, how many nodes that is."""

    history: tuple[Taken, ...]
    environment: Environment
    nodes: int


@dataclass
class _Search:
    """One search; `explore` climbs as ToolBench's does."""

    task: Task
    chooser: Chooser
    meter: Meter
    options: Options
    steps: list[Taken] = field(default_factory=list)
    answer: _Place | None = None
    gave_up: list[str] = field(default_factory=list)
    spent: str = ""
    last: tuple[Taken, ...] = ()

    def explore(self, place: _Place) -> int:
        """Go on from a place; how many levels to climb afterwards."""
        self.last = place.history
        code = place.history[-1].observation.code if place.history else Code.DONE
        if code is Code.ANSWERED:
            self.answer = place
            return _ALL
        if code is Code.GAVE_UP:
            self.gave_up.append(place.history[-1].observation.text)
            return _PAST_PARENT
        if place.nodes >= self.options.depth:
            return _NEXT_BRANCH
        branches: list[Taken] = []
        for _ in range(self.options.width):
            if self._is_spent():
                return _ALL
            room = place.environment.fork()
            elsewhere = tuple(branches)
            taken = turn(self.task, room, self.chooser, self.meter, place.history, elsewhere)
            self.steps.append(taken)
            branches.append(taken)
            nodes = place.nodes + nodes_of(taken.decision)
            levels = self.explore(_Place((*place.history, taken), room, nodes))
            if levels > 1:
                return levels - 1
        return _NEXT_BRANCH

    def _is_spent(self) -> bool:
        self.meter.check()
        made = max(self.meter.spent.model_calls, len(self.steps))
        if made >= self.options.calls:
            self.spent = f"It is not done after {made} calls of the language model."
        else:
            self.spent = self.meter.what_is_spent()
        return bool(self.spent)
