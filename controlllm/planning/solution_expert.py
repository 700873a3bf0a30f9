"""The solution expert: scores solutions on the paper's scale and says why (Sec. 3.2.3, Table 8)."""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.core.plans import Action, Solution, Subtask
from controlllm.core.reasons import Reason
from controlllm.planning.search import BEST_SCORE

#: Alternatives below this score are not shown, unless there is nothing better (paper Sec. 6.3).
ALTERNATIVE_THRESHOLD = 3.0
#: The key of reasons that the rules give.
JUDGED = "judged"


class EmbeddedSolutionExpert:
    """Keeps the search's order, whose costs are scores already."""

    def rank(self, subtask: Subtask, solutions: Sequence[Solution]) -> tuple[Solution, ...]:
        """The first, and every other that scores at least `ALTERNATIVE_THRESHOLD`."""
        return tuple(
            solution
            for place, solution in enumerate(solutions)
            if place == 0 or solution.score >= ALTERNATIVE_THRESHOLD
        )


def score_of(cost: float) -> float:
    """A solution's score 1..5 from its cost in the search."""
    return round(min(max(BEST_SCORE - cost, 1.0), BEST_SCORE), 3)


def reason_of(actions: tuple[Action, ...], fit: float) -> Reason:
    """Why a solution has its score, in words a person reads. It says no more than the score."""
    last = actions[-1].tool.replace("_", " ")
    if fit >= 4.2:
        judgement = "does just what was asked"
    elif fit >= 3.2:
        judgement = "fits what was asked"
    elif fit >= 2.2:
        judgement = "comes near to what was asked"
    else:
        judgement = "makes the right kind of result"
    if len(actions) == 1:
        return Reason(f"{last} {judgement}, in one step.", JUDGED)
    before = ", ".join(dict.fromkeys(action.tool.replace("_", " ") for action in actions[:-1]))
    prepare = "prepares" if len(actions) == 2 else "prepare"
    return Reason(f"{last} {judgement}; {before} {prepare} its input.", JUDGED)
