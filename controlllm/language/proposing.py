"""A whole plan in one call: the model is told what is at hand and the tools that can matter.

What it proposes is made sound by the graph (`controlllm.planning.mending`); only where something
that was asked for cannot be, it is told what failed and asked once more.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from controlllm.core.plans import Request, Subtask
from controlllm.core.proposals import Proposal
from controlllm.language.asking import Asker
from controlllm.language.endpoint import EndpointError, Message
from controlllm.language.prompting import read_prompt
from controlllm.language.proposals import read_proposal
from controlllm.language.reading import Checked, Unusable, strict_object
from controlllm.language.telling import at_hand, turns_before
from controlllm.language.tool_lines import likely_tools, told_tools
from controlllm.planning.planner import Planner
from controlllm.planning.proposed import Divided, divided
from controlllm.toolbox import Tool

#: What the whole prompt may take, its schema included: less than 4,000 tokens of 4 characters.
MOST_CHARACTERS = 15_600
#: How many tools are told with all that they say of their inputs; with fewer than the second in all
#: there is no planning.
_TOLD_IN_FULL, _FEWEST_TOLD = 24, 12
#: What is kept for tools at least, and what files and turns may take at most, in characters. Where
#: there is less room than for the tools that are usually told in full, fewer are.
_FOR_TOOLS, _FOR_FILES, _FOR_TURNS = 5_500, 3_000, 2_400
_ROOMY, _IN_FULL_WHERE_NARROW = 8_500, 8
#: A request longer than this holds a text to work on, which no model need repeat, in characters.
_LONGEST_REQUEST = 5_000
#: Where a reply is cut off, in tokens: some twenty steps.
_MOST_TOKENS = 3_000


class PromptedProposer:
    """Divides requests by a plan that a language model proposes; the embedded planner takes over
    where that fails. `proposal` is what was proposed for the last request, None where it was not,
    `back_to` what is to be current again by it."""

    def __init__(
        self,
        asker: Asker,
        embedded: Planner,
        today: Callable[[], datetime.date] = datetime.date.today,
    ) -> None:
        self.proposal: Proposal | None = None
        self.back_to: tuple[str, ...] = ()
        self._asker = asker
        self._embedded = embedded
        self._graph = embedded.graph
        self._today = today

    def decompose(self, request: Request) -> tuple[Subtask, ...]:
        """The subtasks of a request, each after those it depends on, with the ways proposed.

        Raises LanguageModelFailed where the model fails and nothing may take over.
        """
        self.proposal, self.back_to = None, ()
        heard = self._embedded.decomposer.decompose(request)
        return self._asker.keep("propose", lambda: self._ask(request, heard), lambda: heard)

    def _ask(self, request: Request, heard: Sequence[Subtask]) -> tuple[Subtask, ...]:
        said = request.as_said or request
        if len(said.text) > _LONGEST_REQUEST:
            raise EndpointError("This request is too long for the language model.", "too-long")
        names = tuple(item.value for item in said.resources)
        usable: list[Divided] = []

        def check(reply: Any) -> Checked[None]:
            read = read_proposal(reply, names)
            proposal = read.value
            if usable and not (proposal.steps or proposal.refused or proposal.question):
                raise Unusable("It plans nothing.")
            found = divided(
                proposal, said, self._graph, self._embedded.solver.assessor.assess, heard
            )
            is_better = not usable or len(found.problems) <= len(usable[0].problems)
            if is_better and (found.has_sound_part or not found.problems):
                usable[:] = [found]
            if found.problems:
                raise Unusable(" ".join(found.problems))
            return Checked(None, (*read.repairs, *found.repairs))

        before = request.as_said.turns[:-1] if request.as_said else ()
        used = [step.action.tool for turn in before[-1:] if turn.plan for step in turn.plan.steps()]
        messages = self._messages(said, likely_tools(self._embedded, request, heard, used))
        try:
            self._asker.ask("propose", messages, _SCHEMA, check, _MOST_TOKENS)
        except Unusable:
            # What could be made sound is done; for the rest the search is left.
            if not usable:
                raise
        self.proposal, self.back_to = usable[0].proposal, usable[0].back_to
        return usable[0].subtasks

    def _messages(self, request: Request, tools: Sequence[Tool]) -> list[Message]:
        """What the model is told; as many tools, the likeliest first, as there is room for."""
        today = self._today()
        instructions = read_prompt("propose")
        room = MOST_CHARACTERS - len(instructions) - len(json.dumps(_SCHEMA))
        left = room - _FOR_TOOLS - len(_as_json(request.text))
        data: dict[str, Any] = {
            "today": f"{today:%A}, {today.day} {today:%B} {today.year}",
            "request": request.text,
            "at_hand": at_hand(request, min(_FOR_FILES, left // 2)),
            "before": turns_before(request, min(_FOR_TURNS, left // 2)),
        }
        room -= len(_as_json(data))
        in_full = _TOLD_IN_FULL if room >= _ROOMY else _IN_FULL_WHERE_NARROW
        marks = dict.fromkeys(self._embedded.solver.unavailable, "[not here] ")
        lines = told_tools(tools, room, in_full, marks)
        if len(lines) < min(_FEWEST_TOLD, len(tools)):
            raise EndpointError("This request is too long for the language model.", "too-long")
        data["tools"] = lines
        return [
            {"role": "system", "content": instructions},
            {"role": "user", "content": _as_json(data)},
        ]


def _as_json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)


_WORDS: Mapping[str, Any] = {"type": "string"}
_SCHEMA = strict_object(
    steps={
        "type": "array",
        "items": strict_object(
            step={"type": "integer"},
            does=_WORDS,
            tool=_WORDS,
            inputs={
                "type": "array",
                "items": strict_object(name=_WORDS, values={"type": "array", "items": _WORDS}),
            },
        ),
    },
    wanted={"type": "array", "items": {"type": "integer"}},
    cannot={"type": "array", "items": strict_object(what=_WORDS, why=_WORDS)},
    ask=_WORDS,
)
