"""Ways to ask about: where two results are about equally likely to be meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from controlllm.core.events import Doubt
from controlllm.core.plans import Plan, Solution, Subtask
from controlllm.core.questions import Question
from controlllm.toolbox import Toolbox

_FIRST_SENTENCE = re.compile(r"(?<=[.:;])\s")


def choices(subtask: Subtask, solutions: Sequence[Solution]) -> tuple[int, ...]:
    """The places of the best solution of each result that may be meant; none where it is clear.

    What cannot run here is not asked about.
    """
    found = []
    for wanted in subtask.between:
        place = next(
            (
                number
                for number, solution in enumerate(solutions)
                if solution.actions[-1].output.type == wanted and not solution.missing
            ),
            None,
        )
        if place is not None:
            found.append(place)
    return tuple(found) if len(found) > 1 else ()


def doubts(plan: Plan, toolbox: Toolbox) -> Iterator[Doubt]:
    """What has to be asked before anything runs; the same of several parts once."""
    parts: dict[tuple[str, tuple[str, ...], tuple[int, ...]], list[int]] = {}
    for subtask in plan.subtasks:
        solutions = plan.solutions[subtask.id]
        places = choices(subtask, solutions)
        if places:
            tools = [toolbox[solutions[place].tools[-1]] for place in places]
            does = tuple(_FIRST_SENTENCE.split(tool.description, maxsplit=1)[0] for tool in tools)
            said = (
                f"I am not sure what you mean by “{_short(subtask.description)}”. Which of these "
                "is it?"
            )
            parts.setdefault((said, does, places), []).append(subtask.id)
    for (said, does, places), (first, *also) in parts.items():
        yield Doubt(said, Question(said, first, does, places, also=tuple(also)))


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77].rsplit(" ", 1)[0] + " …"
