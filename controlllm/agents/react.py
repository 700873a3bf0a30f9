"""ReAct with a chain of thought: one chain of thoughts, calls and observations, tried anew.

As ToolBench codes it (``CoT@n``): a turn adds a node for its thought, one for the call and one for
its arguments with the observation, and a chain ends at so many nodes, not turns.
"""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.agents.environment import Environment
from controlllm.agents.options import USUAL, Options
from controlllm.agents.roles import Chooser, Decision, Outcome, Taken, Task
from controlllm.agents.running import UNLIMITED, Meter, Oversight, cut, ending, finished, state_of
from controlllm.toolbox import Code


def react(
    task: Task,
    environment: Environment,
    chooser: Chooser,
    options: Options = USUAL,
    oversight: Oversight = UNLIMITED,
) -> Outcome:
    """Work on a task in one chain after another, as many as the options say, until one ends in an
    answer.

    Each try begins anew in a fork of the environment: what the way to the answer made is in the
    observations of the outcome's path. Raises `controlllm.toolbox.Cancelled` where the person
    stopped the run, and what the chooser raises.
    """
    meter = Meter("react", oversight)
    steps: list[Taken] = []
    reason = ""
    for _ in range(options.tries):
        room = environment.fork()
        history: list[Taken] = []
        nodes = 0
        while nodes < options.depth:
            if spent := _next(meter):
                return finished(meter, steps, (), state_of(history), None, spent)
            taken = turn(task, room, chooser, meter, history)
            steps.append(taken)
            history.append(taken)
            nodes += nodes_of(taken.decision)
            seen = taken.observation
            if seen.code is Code.ANSWERED:
                return finished(meter, steps, history, state_of(history), taken.decision)
            if seen.code is Code.GAVE_UP:
                reason = seen.text
                break
        else:
            reason = f"It is not done after {len(history)} turns, {options.depth} nodes of a chain."
    return finished(meter, steps, (), state_of(history), None, reason)


def turn(
    task: Task,
    environment: Environment,
    chooser: Chooser,
    meter: Meter,
    history: Sequence[Taken],
    elsewhere: Sequence[Taken] = (),
) -> Taken:
    """One decision and what it brings, shown and counted; cut as a history keeps it."""
    decision = chooser.choose(task, history, environment, elsewhere)
    meter.count(decision.usage, steps=1)
    meter.show(state_of(history), decision)
    meter.check()
    if decision.finishes:
        seen = ending(decision, task, environment)
    else:
        seen = environment.step(decision.tool, decision.arguments)
    taken = cut(Taken(decision, seen))
    meter.show(state_of([*history, taken]), decision)
    return taken


def nodes_of(decision: Decision) -> int:
    """How many nodes of a chain a decision is."""
    return 3 if decision.thought.strip() else 2


def _next(meter: Meter) -> str:
    """Why no turn may follow; empty where one may. Raises Cancelled."""
    meter.check()
    return meter.what_is_spent()
