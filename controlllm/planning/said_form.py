"""The form in which a result was asked for: "the song as an MP3", "under 500 kB, please".

A format, a size and a limit belong to the goal of the search as the type does, and stand beside any
wish. Where no step of a way takes what was said of them, a tool that only changes the form
(`Tool.sets_form`) is put behind it. So is one that cuts a recording where a passage was said beside
a wish that only takes it out of another or writes it anew: "the sound from 0:10 on, as mp3".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from controlllm.core.plans import (
    Action,
    Literal,
    Reference,
    Request,
    Solution,
    Subtask,
    TypedValue,
    generated,
    values_of,
)
from controlllm.planning.solution_expert import reason_of
from controlllm.toolbox import Tool, Toolbox
from controlllm.values import as_said, values_in
from controlllm.values.plain import plain
from controlllm.values.times import find_passages

#: How results are written anyway, by their type.
_USUAL = {"image": "png", "audio": "wav", "video": "mp4", "table": "csv"}
#: A share ("half") and a length ("20 px") are said of many things, a width or a height of a result,
#: which has ten pixels at least.
_EXACT = re.compile(r"\d{2,}x\d*|x\d{2,}")
#: In a longer request, in characters, only the words of a wish are searched for values.
LONGEST_AROUND = 600


def in_said_form(
    solved: Sequence[Solution],
    subtask: Subtask,
    subtasks: Sequence[Subtask],
    request: Request,
    toolbox: Toolbox,
) -> tuple[Solution, ...]:
    """Ways of a subtask whose result is handed over, each in the form that the request says."""
    kinds = {toolbox[way.actions[-1].tool].returns.each for way in solved}
    around = _words_around(subtask, subtasks, request)
    setting = [
        (tool, words, said)
        for tool in sorted((tool for tool in toolbox if tool.sets_form), key=_is_format)
        if tool.returns.type in kinds
        and (said := _said(tool, words := around if _is_format(tool) else subtask.description))
    ]
    ways = []
    for way in solved:
        for tool, words, said in setting:
            if _is_left_out(tool, words, said, way, toolbox):
                way = _with_step(way, subtask, tool, said, toolbox)
        ways.append(way)
    return tuple(ways)


_RECORDINGS = frozenset({"audio", "video"})
#: A passage that is to go rather than to stay.
_TO_GO = re.compile(
    r"\b(?:without|except(?: for)?|minus|but not|not|drop\w*|skip\w*|los(?:e|ing)|remov\w+|"
    r"cut\w* (?:off|out|away)|leav\w+ out)(?: the| its)? $"
)
_GONE = re.compile(r" (?:off|away|cut off|left out)\b")
#: "The first ten seconds are silent" tells what is there.
_TELLS = re.compile(r" (?:is|are|was|were|has|have)\b")


def _cuts(tool: Tool) -> bool:
    """Whether a tool takes a passage of a recording in words."""
    takes_words = [item.name for item in tool.required if item.type == "text"]
    return bool(takes_words) and tuple(takes_words) == tool.sets_form


def _hands_on(tool: Tool) -> bool:
    """Whether a tool leaves a recording what it is: it takes the sound out of a film, or writes a
    file anew."""
    source = [item.type for item in tool.required]
    is_taken_out = tool.returns.type in _RECORDINGS - set(source) and set(source) <= _RECORDINGS
    return len(source) == 1 and (is_taken_out or _is_format(tool))


def with_passages(
    solved: Sequence[Solution], subtask: Subtask, subtasks: Sequence[Subtask], toolbox: Toolbox
) -> tuple[Solution, ...]:
    """Ways of a subtask; those that only hand a recording on, with the passage cut out that was
    said for it."""
    return tuple(_with_passage(way, subtask, subtasks, toolbox) for way in solved)


def _with_passage(
    way: Solution, subtask: Subtask, subtasks: Sequence[Subtask], toolbox: Toolbox
) -> Solution:
    if not all(_hands_on(toolbox[action.tool]) for action in way.actions):
        return way
    kind, words = toolbox[way.actions[-1].tool].returns.type, plain(subtask.description)
    cutter = next((tool for tool in toolbox if _cuts(tool) and tool.returns.type == kind), None)
    found = list(find_passages(words))
    if cutter is None or kind not in _RECORDINGS or not found:
        return way
    start, end = min(item.start for item in found), max(item.end for item in found)
    said = words[start:end].strip()
    others = [plain(other.description) for other in subtasks if other.id != subtask.id]
    if any(said in other for other in others) or _TELLS.match(words, end):
        return way
    is_to_go = _TO_GO.search(words[:start]) or _GONE.match(words, end)
    passage = f"without {said}" if is_to_go else said
    return _with_step(way, subtask, cutter, {cutter.sets_form[0]: passage}, toolbox)


def _words_around(subtask: Subtask, subtasks: Sequence[Subtask], request: Request) -> str:
    """The words of a request that may say the format of one subtask's result: all but those of the
    wishes that it does not go on from."""
    if len(request.text) > LONGEST_AROUND:
        return subtask.description
    by_id = {item.id: item for item in subtasks}
    before, waiting = {subtask.id}, [subtask]
    while waiting:
        for number in waiting.pop().deps:
            if number in by_id and number not in before:
                before.add(number)
                waiting.append(by_id[number])
    left = request.text
    for other in subtasks:
        if other.id in before or other.description == subtask.description:
            continue
        if other.description not in left:
            return subtask.description
        left = left.replace(other.description, " ")
    return left


def _is_format(tool: Tool) -> bool:
    """Whether a tool writes a file anew, which has to be the last thing that is done to it."""
    return "format" in tool.sets_form


def _said(tool: Tool, words: str) -> dict[str, str]:
    """What words say for a tool that sets a form; nothing where they say no form."""
    kinds = {item.name: item.kind for item in tool.parameters if item.kind is not None}
    found = {name: as_said(value) for name, value in values_in(words, kinds).items()}
    is_told = any(name in found for name in tool.sets_form) and (
        _is_format(tool) or any(map(_EXACT.fullmatch, found.values()))
    )
    return found if is_told else {}


def _is_left_out(
    tool: Tool, words: str, said: Mapping[str, str], way: Solution, toolbox: Toolbox
) -> bool:
    """Whether no step of a way was given what is said for a tool that sets a form."""
    last = toolbox[way.actions[-1].tool]
    if tool.returns.type != last.returns.each or last.name == tool.name:
        return False
    told = {
        value.text.lower()
        for action in way.actions
        for given in action.inputs.values()
        for value in values_of(given)
        if isinstance(value, Literal)
    }
    of_itself = {_USUAL.get(tool.returns.type), *plain(last.description).split()}
    return not all(
        value in of_itself or _is_known(value, told) or _takes(last, value, words)
        for name, value in said.items()
        if name in tool.sets_form
    )


def _is_known(value: str, told: set[str]) -> bool:
    """Whether a step was told a value, or its only number: a frame of "60" is 60 pixels wide."""
    numbers = set(re.findall(r"\d+", value))
    return (
        len(numbers) == 1
        and bool(numbers & told)
        or any(value == item or value in item.split() for item in told)
    )


def _takes(tool: Tool, value: str, words: str) -> bool:
    """Whether the tool that made the result could be told a value itself: then it was."""
    kinds = [item.kind for item in tool.parameters if item.kind is not None]
    return any(as_said(item.value) == value for kind in kinds for item in kind.find(plain(words)))


def _with_step(
    way: Solution, subtask: Subtask, tool: Tool, said: Mapping[str, str], toolbox: Toolbox
) -> Solution:
    """A way with a tool that sets the form behind it, or before its last step where that one writes
    the file."""
    *before, last = way.actions
    taken, made = last.inputs, generated(subtask.id, len(way.actions))
    given, values = tool.required[0].name, {name: Literal(value) for name, value in said.items()}
    maker = toolbox[last.tool]
    if _is_format(maker) and not _is_format(tool):
        source = maker.required[0].name
        step = Action(
            tool.name, {given: taken[source], **values}, TypedValue(tool.returns.type, made)
        )
        last = replace(last, inputs={**taken, source: Reference(made)})
        actions = (*before, step, last)
    else:
        step = Action(
            tool.name,
            {given: Reference(made), **values},
            TypedValue(tool.returns.type, generated(subtask.id)),
        )
        actions = (*before, replace(last, output=replace(last.output, value=made)), step)
    return replace(way, actions=actions, reason=reason_of(actions, way.score))
