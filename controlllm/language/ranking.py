"""The prompted solution expert: one call for all ways of a subtask (paper Sec. 6.3, Table 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from controlllm.language.asking import Asker
from controlllm.language.prompting import messages_of, read_prompt, shortened
from controlllm.language.reading import Checked
from controlllm.language.scores import Score, read_scores, scores_schema
from controlllm.plan import Action, Literal, Solution, Subtask, Value
from controlllm.planning.roles import SolutionExpert
from controlllm.planning.solution_expert import ALTERNATIVE_THRESHOLD
from controlllm.toolbox import Toolbox

#: Tokens that a reply may take, for each solution and besides.
_TOKENS_EACH, _TOKENS_BESIDE = 120, 200


class PromptedSolutionExpert:
    """Ranks solutions with a language model; `embedded` takes over where that fails."""

    def __init__(self, asker: Asker, toolbox: Toolbox, embedded: SolutionExpert) -> None:
        self._asker = asker
        self._toolbox = toolbox
        self._embedded = embedded

    def rank(self, subtask: Subtask, solutions: Sequence[Solution]) -> tuple[Solution, ...]:
        """By score, ties in the search's order; below the paper's 3 only where nothing is better.

        A single solution has nothing to be ranked against and costs no call. Raises
        LanguageModelFailed where the model fails and nothing may take over.
        """
        if len(solutions) < 2:
            return tuple(solutions)
        return self._asker.keep(
            "rank",
            lambda: self._ask(subtask, solutions),
            lambda: self._embedded.rank(subtask, solutions),
        )

    def _ask(self, subtask: Subtask, solutions: Sequence[Solution]) -> tuple[Solution, ...]:
        names = [str(number) for number in range(1, len(solutions) + 1)]

        def check(data: object) -> Checked[dict[str, Score]]:
            return read_scores(data, names, "way")

        data = {
            "task": shortened(subtask.description),
            "wanted": subtask.returns.type,
            "ways": {
                name: self._described(solution)
                for name, solution in zip(names, solutions, strict=True)
            },
        }
        told = self._asker.ask(
            "rank",
            messages_of(read_prompt("rank"), data),
            scores_schema(names),
            check,
            _TOKENS_BESIDE + _TOKENS_EACH * len(names),
        )
        scored = [
            replace(solution, score=told[name].value, reason=told[name].reason or solution.reason)
            for name, solution in zip(names, solutions, strict=True)
        ]
        scored.sort(key=lambda solution: -solution.score)
        worth = [item for item in scored if item.score >= ALTERNATIVE_THRESHOLD]
        return tuple(worth or scored[:1])

    def _described(self, solution: Solution) -> list[dict[str, object]]:
        """A solution as the paper's formatted description: what each step does, reads and makes."""
        return [
            {
                "tool": action.tool,
                "does": self._toolbox[action.tool].description,
                "given": _inputs_of(action),
                "makes": action.output.to_json(),
            }
            for action in solution.actions
        ]


def _inputs_of(action: Action) -> dict[str, object]:
    def plain(value: Value) -> str:
        return shortened(value.text) if isinstance(value, Literal) else value.value

    return {
        name: [plain(item) for item in value] if isinstance(value, tuple) else plain(value)
        for name, value in action.inputs.items()
    }
