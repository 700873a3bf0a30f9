"""Which of many tools a language model is told, and in which words: the likeliest in full, a line
each, some others briefly."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from controlllm.core.plans import Request, Subtask, TypedValue
from controlllm.planning.planner import Planner
from controlllm.toolbox import Argument, Parameter, Tool

#: How many tools are told at most, and how many at least, likely or not.
_MOST_TOOLS, _FEWEST_TOOLS = 60, 24
#: How much a tool may say of itself and of an input, in full and in brief, in characters.
_SAYS, _SAYS_BRIEFLY, _MEANS, _MEANS_SHORT = 260, 90, 90, 60
#: A tool that scores less than this, on the scale 1..5, has nothing to do with a request.
_LIKELY = 1.2


def likely_tools(
    planner: Planner,
    request: Request,
    heard: Sequence[Subtask],
    used: Sequence[str] = (),
    besides: Sequence[str] = (),
) -> list[Tool]:
    """The tools that can matter to a request, the likeliest first: those `used` just before, then
    in turn the best of each part that the reader heard, the best by what they say of themselves,
    and the best for other words that are told `besides`."""
    box = planner.graph.toolbox
    scores = [
        planner.solver.assessor.assess(Subtask(0, words, (), (), TypedValue("", "")), tuple(box))
        for words in (request.text, *besides)
    ]
    for part in heard:
        every = {*part.helps, *part.ends}
        scores.append({k: max(part.ends.get(k, 0.0), part.helps.get(k, 0.0)) for k in every})
    lists = [list(used)]
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


def told_tools(
    tools: Sequence[Tool],
    room: int,
    in_full: int,
    marks: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """A line for each tool as far as there is room for characters, the first ones told in full;
    `marks` stand before those that are named in it."""
    lines: list[str] = []
    for place, tool in enumerate(tools[:_MOST_TOOLS]):
        line = told_in_full(tool) if place < in_full else told_briefly(tool)
        line = marks.get(tool.name, "") + line
        room -= len(json.dumps(line, ensure_ascii=False)) + 2
        if room < 20:
            break
        lines.append(line)
    return lines


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
