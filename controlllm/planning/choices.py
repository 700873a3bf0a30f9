"""Ways to ask about: where two results are about equally likely to be meant."""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.core.plans import Solution, Subtask


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
