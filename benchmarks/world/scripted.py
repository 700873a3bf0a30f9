"""Agents that need no model: one that plays recorded solutions, one that calls at random, and one
that gives up.

They show what the benchmark can tell apart: that all of it can be done, whatever goes wrong, and
what comes of chance and of doing nothing.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from typing import Any

from benchmarks.world.apis import apis
from benchmarks.world.environment import WorldEnvironment
from benchmarks.world.tasks import DEVELOPMENT, HELD_OUT, ReferenceCall, read_tasks
from controlllm.agents.environment import FINISH, Environment, Observation
from controlllm.agents.roles import Decision, Outcome, Taken, Task
from controlllm.core.state import AgentView
from controlllm.resources import Resource
from controlllm.toolbox import Code

_REFERENCE = re.compile(r"<(\d+)(?::(.+))?>")
#: How often the oracle makes one call at most, and how often the random agent calls.
_TRIES, _RANDOM_CALLS = 8, 6


def oracle(task: Task, environment: Environment) -> Outcome:
    """Play the recorded solutions of the task with these words until one goes well to its end, and
    give the recorded answer; give up where none does.

    It knows what each call should answer and makes it again until it does, so what it fails at
    cannot be done.
    """
    known = {item.words: item for file in (DEVELOPMENT, HELD_OUT) for item in read_tasks(file)}
    reference = known[task.instruction]
    steps: list[Taken] = []
    for solution in reference.solutions:
        if played(solution, environment, steps, WorldEnvironment(reference)):
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


def gives_up(task: Task, environment: Environment) -> Outcome:
    """Give up at once."""
    return outcome("gives up", [], reason="I do not know how to do this.")


def outcome(name: str, steps: Sequence[Taken], answer: str = "", reason: str = "") -> Outcome:
    """An outcome that ends with a step for the end, as agents' outcomes do."""
    arguments = {"answer": answer} if not reason else {"give_up": reason}
    code = Code.GAVE_UP if reason else Code.ANSWERED
    end = Taken(Decision("", FINISH, arguments), Observation(reason or answer, code))
    return Outcome(answer, "", (*steps, end), tuple(steps), AgentView(name), reason)


def played(
    solution: Sequence[ReferenceCall],
    environment: Environment,
    steps: list[Taken],
    truth: Environment,
) -> bool:
    """Whether recorded calls went well to the end; each is added to the steps. `truth` is the same
    environment, nothing called yet, in which nothing goes wrong."""
    made: list[Resource] = []
    true: list[Resource] = []
    for call in solution:
        known = truth.step(call.tool, _resolved(call, true, true))
        if known.resource is None:
            raise ValueError(f"A recorded call cannot be made: {call}: {known.text}")
        true.append(known.resource)
        arguments = _resolved(call, made, true)
        for _ in range(_TRIES):
            seen = environment.step(call.tool, arguments)
            steps.append(Taken(Decision("", call.tool, arguments), seen))
            # What acts does not lie, and what it makes may have another number.
            if seen.resource and (apis()[call.tool].acts or seen.text == known.text):
                made.append(seen.resource)
                break
        else:
            return False
    return True


def _resolved(
    call: ReferenceCall, made: Sequence[Resource], true: Sequence[Resource]
) -> dict[str, Any]:
    """The arguments of a recorded call: names of what was `made`, values of what is `true`."""

    def value(told: Any) -> Any:
        found = _REFERENCE.fullmatch(told) if isinstance(told, str) else None
        if found is None:
            return told
        place = int(found[1]) - 1
        if not found[2]:
            return made[place].value
        inside: Any = json.loads(true[place].details["text"])
        for key in found[2].split("."):
            inside = inside[int(key)] if isinstance(inside, list) else inside[key]
        return inside

    return {name: value(told) for name, told in call.arguments.items()}
