"""Agents that need no model: one that plays a task's reference solution, one that calls at random.

They show what the benchmark can tell apart: all that can be done, and what comes of chance.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from typing import Any

from controlllm.agents.environment import FINISH, Environment, Observation
from controlllm.agents.roles import Decision, Outcome, Taken, Task
from controlllm.evaluation.world.tasks import DEVELOPMENT, HELD_OUT, ReferenceCall, read_tasks
from controlllm.resources import Resource
from controlllm.state import AgentView
from controlllm.toolbox import Code

_REFERENCE = re.compile(r"<(\d+)(?::(.+))?>")
#: How often the oracle makes a call that may go well a little later, and the random agent calls.
_TRIES, _RANDOM_CALLS = 4, 6


def oracle(task: Task, environment: Environment) -> Outcome:
    """Play the recorded solutions of the task with these words until one goes well to its end, and
    give the recorded answer; give up where none does."""
    known = {item.words: item for file in (DEVELOPMENT, HELD_OUT) for item in read_tasks(file)}
    reference = known[task.instruction]
    steps: list[Taken] = []
    for solution in reference.solutions:
        if played(solution, environment, steps):
            return outcome("oracle", steps, answer=reference.answer)
    return outcome("oracle", steps, reason=reference.answer or "No solution went well.")


def at_random(task: Task, environment: Environment, seed: int = 0) -> Outcome:
    """Call tools by chance, with words of the task and what was made, and answer with the last
    observation."""
    chance = random.Random(f"{seed} {task.instruction}")
    words = task.instruction.split()
    steps: list[Taken] = []
    for _ in range(_RANDOM_CALLS):
        tool = chance.choice(environment.tools)
        arguments = {
            item.name: chance.randint(1, 30)
            if item.type == "number"
            else chance.choice(
                [name for name, made in environment.resources.items() if made.type == item.type]
                or words
            )
            for item in tool.required
        }
        steps.append(
            Taken(Decision("", tool.name, arguments), environment.step(tool.name, arguments))
        )
    said = [taken.observation.text for taken in steps if taken.observation.is_done]
    return outcome("random", steps, answer=(said or ["I did something."])[-1])


def outcome(name: str, steps: Sequence[Taken], answer: str = "", reason: str = "") -> Outcome:
    """An outcome that ends with a step for the end, as agents' outcomes do."""
    arguments = {"answer": answer} if not reason else {"give_up": reason}
    code = Code.GAVE_UP if reason else Code.ANSWERED
    end = Taken(Decision("", FINISH, arguments), Observation(reason or answer, code))
    return Outcome(answer, "", (*steps, end), tuple(steps), AgentView(name), reason)


def played(solution: Sequence[ReferenceCall], environment: Environment, steps: list[Taken]) -> bool:
    """Whether recorded calls went well to the end; each is added to the steps."""
    made: list[Resource | None] = []
    for call in solution:
        try:
            arguments = {
                name: _resolved(value, made, environment) for name, value in call.arguments.items()
            }
        except (LookupError, TypeError, ValueError):
            return False
        for _ in range(_TRIES):
            seen = environment.step(call.tool, arguments)
            steps.append(Taken(Decision("", call.tool, arguments), seen))
            if seen.is_done or not seen.code.may_pass:
                break
        if not seen.is_done:
            return False
        made.append(seen.resource)
    return True


def _resolved(value: Any, made: Sequence[Resource | None], environment: Environment) -> Any:
    """An argument of a recorded call with what earlier calls have made; raises LookupError where
    the answer does not have what was recorded."""
    found = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return value
    resource = made[int(found[1]) - 1]
    if resource is None:
        raise LookupError(value)
    if not found[2]:
        return resource.value
    told: Any = json.loads(resource.details["text"])
    for key in found[2].split("."):
        told = told[int(key)] if isinstance(told, list) else told[key]
    return told
