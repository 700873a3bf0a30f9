"""Which ways of a subtask can say more of what is to be looked up than the request itself does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controlllm.core.plans import Literal, Solution, Subtask, values_of
from controlllm.planning.arguments import role_of
from controlllm.toolbox import Toolbox

#: The domain of tools that look things up.
_LOOKS_UP = "public-api"
#: Roles of words that name what is asked about, and do not say it.
_NAMED = frozenset({"name", "query", "place", "time", "object", "other", "number"})

Way = tuple[float, Solution]


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


def _worked_on(solution: Solution, toolbox: Toolbox) -> Iterator[str]:
    """The words of the request that a way's tools get as a text to work on."""
    for action in solution.actions:
        for argument in toolbox[action.tool].args:
            if argument.type == "text" and role_of(argument) == "content":
                for value in values_of(action.inputs.get(argument.name, ())):
                    if isinstance(value, Literal):
                        yield value.text
