"""Ways whose types fit and that make no sense: what no person would do who wanted this result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from controlllm.core.plans import Action, Literal, Reference, Solution, Subtask, values_of
from controlllm.planning.arguments import role_of
from controlllm.toolbox import Toolbox

#: A way with its cost.
Way = tuple[float, Solution]

#: A tool that helps at least so much on the way, 1..5, was asked for.
_ASKED = 3.0
#: What may be edited on the way; picking some of the boxes or regions that were found is no edit.
_MEDIA = frozenset({"image", "audio", "video", "document", "table", "text"})
#: Roles of words that name what a tool is to look for or choose from, as no result on the way does.
_NAMES_A_THING = frozenset({"object", "language", "labels"})
#: The domain of tools that look things up.
_LOOKS_UP = "public-api"
#: Roles of words that name what is asked about, and do not say it.
_NAMED = frozenset({"name", "query", "place", "time", "object", "other", "number"})


def without_echoes(found: Sequence[Way], subtask: Subtask, toolbox: Toolbox) -> list[Way]:
    """Ways with their costs, but without those that work on a name as if it were the text about
    it: all that such a way answers "Who directed Metropolis?" with is "Metropolis", also where the
    look-up that stands before it has failed. All of them where the best way looks nothing up."""
    named = {item.value for item in subtask.args if item.role in _NAMED}
    looks_up = [
        any(toolbox[name].domain == _LOOKS_UP for name in solution.tools) for _, solution in found
    ]
    best = min(range(len(found)), key=lambda place: found[place][0], default=0)
    if not named or not found or not looks_up[best]:
        return list(found)
    return [
        way
        for way, looks in zip(found, looks_up, strict=True)
        if looks or named.isdisjoint(_worked_on(way[1], toolbox))
    ]


#: What is taken apart and put together again, and the part of it.
_WHOLE, _PART = "video", "audio"


def sensible(found: Sequence[Way], subtask: Subtask, toolbox: Toolbox) -> list[Way]:
    """Ways with their costs, but without those that make no sense where others make some."""
    found = without_echoes(found, subtask, toolbox)
    return without_strays(without_round_trips(found, toolbox), subtask, toolbox)


def without_strays(found: Sequence[Way], subtask: Subtask, toolbox: Toolbox) -> list[Way]:
    """Those ways with their costs that go astray least often.

    A way goes astray with an edit on the way for which nobody asked, only because it takes
    something that was said; by putting a single thing together with nothing; and by telling a tool
    what to do in the words of something that nobody asked for, or with a table or a film.
    """
    if not subtask.helps or not found:
        return list(found)
    counts = [_strays(solution.actions, subtask, toolbox) for _, solution in found]
    least = min(counts)
    return [way for way, count in zip(found, counts, strict=True) if count == least]


def _strays(actions: Sequence[Action], subtask: Subtask, toolbox: Toolbox) -> int:
    """How often a way goes astray."""
    types = {item.value: item.type for item in subtask.args}
    types |= {action.output.value: action.output.type for action in actions}
    unasked = {
        action.output.value for action in actions if subtask.helps.get(action.tool, 0.0) < _ASKED
    }
    edits = sum(
        action.output.type in _MEDIA & _worked_types(action, types, toolbox)
        and (action.output.value in unasked or _is_alone(action, toolbox))
        for action in actions[:-1]
    )
    return edits + sum(
        types.get(value) != "text"
        or value in unasked
        or (role in _NAMES_A_THING and any(value == item.output.value for item in actions))
        for role, value in _told(actions, toolbox)
    )


def _worked_types(action: Action, types: Mapping[str, str], toolbox: Toolbox) -> set[str]:
    """The types of what an action works on; words of the request are text."""
    given = [
        value
        for argument in toolbox[action.tool].args
        if argument.type != "text" or role_of(argument) == "content"
        for value in values_of(action.inputs.get(argument.name, ()))
    ]
    return {
        types.get(value.value, "") if isinstance(value, Reference) else "text" for value in given
    }


def _told(actions: Sequence[Action], toolbox: Toolbox) -> Iterator[tuple[str, str]]:
    """What says to tools what they are to do and is no words of the request: the role that it plays
    there, and the resource or the result."""
    for action in actions:
        for argument in toolbox[action.tool].args:
            if argument.type == "text" and (role := role_of(argument)) != "content":
                for value in values_of(action.inputs.get(argument.name, ())):
                    if isinstance(value, Reference):
                        yield role, value.value


def without_misused(subtask: Subtask, solution: Solution, toolbox: Toolbox) -> Subtask:
    """A subtask without the files that a way could only use by telling a tool with them what to do,
    as a table or a document cannot."""
    types = {item.value: item.type for item in subtask.args if not item.role}
    misused = {
        value for _, value in _told(solution.actions, toolbox) if types.get(value, "text") != "text"
    }
    return replace(subtask, args=tuple(item for item in subtask.args if item.value not in misused))


def _is_alone(action: Action, toolbox: Toolbox) -> bool:
    """Whether an action that puts several things together was given one."""
    several = [argument.name for argument in toolbox[action.tool].required if argument.many]
    return any(len(values_of(action.inputs.get(name, ()))) == 1 for name in several)


def _worked_on(solution: Solution, toolbox: Toolbox) -> Iterator[str]:
    """The words of the request that a way's tools get as a text to work on."""
    for action in solution.actions:
        for argument in toolbox[action.tool].args:
            if argument.type == "text" and role_of(argument) == "content":
                for value in values_of(action.inputs.get(argument.name, ())):
                    if isinstance(value, Literal):
                        yield value.text


def without_round_trips(found: Sequence[Way], toolbox: Toolbox) -> list[Way]:
    """Ways with their costs, but without those that put a recording's own sound back as it was, and
    those that tell no tool in between what to do, where the same tools can be told."""

    def between(solution: Solution) -> tuple[Action, ...] | None:
        """What is done to a recording's sound before it is put back; None where none is."""
        *before, last = solution.actions
        taken = [
            action
            for action in before
            if action.output.type == _PART
            and any(item.type == _WHOLE for item in toolbox[action.tool].required)
            and set(action.references()) & set(last.references())
        ]
        if last.output.type != _WHOLE or not taken:
            return None
        done = tuple(action for action in before if action not in taken)
        return done if {item.output.value for item in before} & set(last.references()) else None

    ways = [(way, between(way[1])) for way in found]
    told = {way[1].tools for way, done in ways if done and any(map(_is_told, done))}
    return [
        way
        for way, done in ways
        if done is None or any(map(_is_told, done)) or (done and way[1].tools not in told)
    ]


def _is_told(action: Action) -> bool:
    values = (value for given in action.inputs.values() for value in values_of(given))
    return any(isinstance(value, Literal) for value in values)
