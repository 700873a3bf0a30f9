"""Ways that take the sound out of a recording and put it back: only what is done to it in between
makes anything of them, and for that a tool has to be told what."""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.core.plans import Action, Literal, Solution, values_of
from controlllm.toolbox import Toolbox

Way = tuple[float, Solution]

#: What is taken apart and put together again, and the part of it.
_WHOLE, _PART = "video", "audio"


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
