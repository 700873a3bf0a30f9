"""The prompted tool assessment: one call for all tools of a subtask (paper Sec. 3.2.2, Table 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controlllm.language.asking import Asker
from controlllm.language.prompting import messages_of, read_prompt, shortened
from controlllm.language.reading import Checked
from controlllm.language.scores import Score, read_scores, scores_schema
from controlllm.plan import Subtask
from controlllm.planning.roles import Assessor
from controlllm.toolbox import Tool

#: How many tools one call judges; of more, those that the embedded assessor finds nearest.
MOST_TOOLS = 40
#: Tokens that a reply may take, for each tool and besides.
_TOKENS_EACH, _TOKENS_BESIDE = 60, 200


class PromptedAssessor:
    """Scores tools with a language model; `embedded` takes over where that fails.

    It also keeps the scores of tools that come up for the same subtask later, as when it is to be
    said what comes near: one subtask is one call.
    """

    def __init__(self, asker: Asker, embedded: Assessor) -> None:
        self._asker = asker
        self._embedded = embedded
        self._asked: set[Subtask] = set()

    def assess(self, subtask: Subtask, tools: Sequence[Tool]) -> Mapping[str, float]:
        """A score 1..5 for each tool by name.

        Raises LanguageModelFailed where the model fails and nothing may take over.
        """
        if not tools:
            return {}
        if subtask in self._asked:
            return self._embedded.assess(subtask, tools)
        self._asked.add(subtask)
        return self._asker.keep(
            "assess",
            lambda: self._ask(subtask, tools),
            lambda: dict(self._embedded.assess(subtask, tools)),
        )

    def _ask(self, subtask: Subtask, tools: Sequence[Tool]) -> dict[str, float]:
        scores: dict[str, float] = {}
        if len(tools) > MOST_TOOLS:
            scores = dict(self._embedded.assess(subtask, tools))
            tools = sorted(tools, key=lambda tool: (-scores[tool.name], tool.name))[:MOST_TOOLS]
        names = [tool.name for tool in tools]

        def check(data: object) -> Checked[dict[str, Score]]:
            return read_scores(data, names, "tool")

        data = {
            "task": shortened(subtask.description),
            "wanted": subtask.returns.type,
            "given": [
                {"type": argument.type, "value": shortened(argument.value)}
                for argument in subtask.args
            ],
            "tools": {tool.name: _described(tool) for tool in tools},
        }
        told = self._asker.ask(
            "assess",
            messages_of(read_prompt("assess"), data),
            scores_schema(names),
            check,
            _TOKENS_BESIDE + _TOKENS_EACH * len(names),
        )
        return {**scores, **{name: score.value for name, score in told.items()}}


def _described(tool: Tool) -> dict[str, object]:
    return {
        "description": tool.description,
        "takes": [argument.type for argument in tool.args],
        "returns": tool.returns.type,
    }
