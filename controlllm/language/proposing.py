"""A whole plan in one call: the model is told what is at hand and the tools that can matter.

What it proposes is made sound by the graph (`controlllm.planning.mending`); only where something
that was asked for cannot be, it is told what failed and asked once more.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from controlllm.core.plans import Request, Subtask, TypedValue
from controlllm.core.proposals import Proposal
from controlllm.language.asking import Asker
from controlllm.language.endpoint import EndpointError, Message
from controlllm.language.prompting import read_prompt
from controlllm.language.proposals import read_proposal
from controlllm.language.reading import Checked, Unusable, strict_object
from controlllm.language.telling import at_hand, turns_before
from controlllm.planning.planner import Planner
from controlllm.planning.proposed import Divided, divided
from controlllm.toolbox import Argument, Parameter, Tool

#: What the whole prompt may take, its schema included: less than 4,000 tokens of 4 characters.
MOST_CHARACTERS = 15_600
#: How many tools are told at most, and how many of them with all that they say of their inputs.
_MOST_TOOLS, _TOLD_IN_FULL = 60, 26
#: How many are told at least, likely or not; with fewer than the second there is no planning.
_FEWEST_TOOLS, _FEWEST_TOLD = 24, 12
#: What is kept for tools at least, and what files and turns may take at most, in characters. Where
#: there is less room than for the tools that are usually told in full, fewer are.
_FOR_TOOLS, _FOR_FILES, _FOR_TURNS = 5_500, 3_000, 2_400
_ROOMY, _IN_FULL_WHERE_NARROW = 8_500, 8
#: How much a tool may say of itself and of an input, in full and in brief, in characters.
_SAYS, _SAYS_BRIEFLY, _MEANS, _MEANS_SHORT = 260, 90, 90, 60
#: A tool that scores less than this, on the scale 1..5, has nothing to do with a request.
_LIKELY = 1.2
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

        messages = self._messages(said, likely_tools(self._embedded, request, heard))
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
        lines: list[str] = []
        for place, tool in enumerate(tools[:_MOST_TOOLS]):
            line = told_in_full(tool) if place < in_full else told_briefly(tool)
            if tool.name in self._embedded.solver.unavailable:
                line = f"[not here] {line}"
            room -= len(_as_json(line)) + 2
            if room < 20:
                break
            lines.append(line)
        if len(lines) < min(_FEWEST_TOLD, len(tools)):
            raise EndpointError("This request is too long for the language model.", "too-long")
        data["tools"] = lines
        return [
            {"role": "system", "content": instructions},
            {"role": "user", "content": _as_json(data)},
        ]


def likely_tools(planner: Planner, request: Request, heard: Sequence[Subtask]) -> list[Tool]:
    """The tools that can matter to a request, the likeliest first: those used just before, then in
    turn the best of each part that the reader heard and the best by what they say of themselves."""
    box = planner.graph.toolbox
    whole = Subtask(0, request.text, (), (), TypedValue("", ""))
    scores = [planner.solver.assessor.assess(whole, tuple(box))]
    for part in heard:
        every = {*part.helps, *part.ends}
        scores.append({k: max(part.ends.get(k, 0.0), part.helps.get(k, 0.0)) for k in every})
    before = request.as_said.turns[:-1] if request.as_said else ()
    used = [step.action.tool for turn in before[-1:] if turn.plan for step in turn.plan.steps()]
    lists = [used]
    for known in scores:
        likely = [(-score, name) for name, score in known.items() if score >= _LIKELY]
        lists.append([name for _, name in sorted(likely)])
    found: dict[str, Tool] = {}
    for place in range(max(map(len, lists))):
        for names in lists:
            if place < len(names) and names[place] in box:
                found.setdefault(names[place], box[names[place]])
    for _, name in sorted((-score, name) for name, score in scores[0].items()):
        if len(found) >= _FEWEST_TOOLS:
            break
        found.setdefault(name, box[name])
    return list(found.values())


def told_in_full(tool: Tool) -> str:
    """A tool with what it says of itself and of each of its inputs."""
    takes = [*map(_argument, tool.args), *map(_parameter, tool.parameters)]
    return f"{tool.name}({'; '.join(takes)}) -> {_made(tool)}: {_short(tool.description, _SAYS)}"


def told_briefly(tool: Tool) -> str:
    """A tool with the names and types of its inputs and the beginning of what it says of itself."""
    takes = [_argument_alone(item) for item in tool.args]
    takes += [f"{item.name}={_usual(item)}" for item in tool.parameters]
    says = _short(tool.description, _SAYS_BRIEFLY)
    return f"{tool.name}({'; '.join(takes)}) -> {_made(tool)}: {says}"


def _argument_alone(argument: Argument) -> str:
    several = "several of " if argument.many else ""
    return f"{argument.name}{'?' * argument.optional}: {several}{argument.type}"


def _argument(argument: Argument) -> str:
    means = f", {_short(argument.description, _MEANS)}" if argument.description else ""
    return f"{_argument_alone(argument)}{means}"


def _parameter(parameter: Parameter) -> str:
    limit = _MEANS_SHORT if parameter.kind else _MEANS
    means = f", {_short(parameter.description, limit)}" if parameter.description else ""
    return f"{parameter.name}={_usual(parameter)}{means}"


def _usual(parameter: Parameter) -> str:
    """What a setting is if left out, and the form of others where it has one of its own."""
    if parameter.kind is None or not isinstance(parameter.default, str):
        return str(parameter.default)
    return f"{parameter.default or '?'} ({_short(parameter.kind.name, _MEANS_SHORT)})"


def _made(tool: Tool) -> str:
    returns = tool.returns
    return f"{returns.type} of {returns.members}" if returns.members else returns.type


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1].rsplit(' ', 1)[0]} …"


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
