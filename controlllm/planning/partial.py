"""Partial solutions: actions with inputs that are still open, and how a closed one is written out.

Work that is done for each of several given resources is one action here; a finished solution has an
action for each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from controlllm.planning.drafts import AllMade, Binding, Draft, Given, Made
from controlllm.toolbox import Tool


@dataclass(frozen=True, order=True)
class Each:
    """An input bound to one given resource after the other: the work is done for each of them.

    It is counted as that list's own, apart from the same call made elsewhere.
    """

    indices: tuple[int, ...]


@dataclass(frozen=True, order=True)
class MadeForEach:
    """An input that takes a list, bound to what the action at this position makes of each of
    several resources."""

    position: int


Open = Binding | Each | MadeForEach


class Action(NamedTuple):
    """An action of a partial solution.

    `branch` tells which list the action helps to make for each resource in turn, -1 where it is
    done once; `above` has a bit for each action that reads from this one, directly or not.
    """

    rank: int
    inputs: tuple[Open, ...]
    branch: int
    above: int


class Partial(NamedTuple):
    """A partial solution; its first open input is the one at `place` of the action at `position`.

    `path` tells it from all others, in an order that has nothing to do with that of registration;
    `left` has a bit for each given resource, and then each text, that no input is bound to.
    """

    path: tuple[int, ...]
    actions: tuple[Action, ...]
    position: int
    place: int
    left: int
    roundabout: float
    scores: float


def below(partial: Partial, sources: Sequence[int], readers: int) -> Partial:
    """With the actions at `sources` read by `readers` too."""
    actions = list(partial.actions)
    for place in sources:
        actions[place] = actions[place]._replace(above=actions[place].above | readers)
    return partial._replace(actions=tuple(actions))


def drafts_of(tools: Sequence[Tool], actions: Sequence[Action]) -> tuple[Draft, ...] | None:
    """The drafts of a closed solution, with the work for each resource written out.

    None where work for each resource reads none of them, or not the same ones.
    """
    if all(action.branch < 0 for action in actions):
        return tuple(
            Draft(tools[action.rank], action.inputs)  # type: ignore[arg-type]
            for action in actions
        )
    groups: dict[int, tuple[int, ...]] = {}
    for action in actions:
        for binding in action.inputs:
            if not isinstance(binding, Each):
                continue
            if groups.setdefault(action.branch, binding.indices) != binding.indices:
                return None
    if any(
        action.branch >= 0 and not _reads_each(actions, place)
        for place, action in enumerate(actions)
    ):
        return None
    drafts: list[Draft] = []
    placed: dict[tuple[int, int], int] = {}

    def add(position: int, turn: int) -> int:
        action = actions[position]
        turn = turn if action.branch >= 0 else 0
        if (position, turn) in placed:
            return placed[position, turn]
        slot = placed[position, turn] = len(drafts)
        draft = Draft(tools[action.rank], ())
        drafts.append(draft)
        inputs: list[Binding] = []
        for binding in action.inputs:
            if isinstance(binding, Each):
                inputs.append(Given(binding.indices[turn]))
            elif isinstance(binding, MadeForEach):
                branch = actions[binding.position].branch
                count = len(groups[branch])
                inputs.append(AllMade(tuple(add(binding.position, n) for n in range(count))))
            elif isinstance(binding, Made):
                inputs.append(Made(add(binding.position, turn)))
            else:
                inputs.append(binding)
        drafts[slot] = replace(draft, inputs=tuple(inputs))
        return slot

    add(0, 0)
    return tuple(drafts)


def _reads_each(actions: Sequence[Action], position: int) -> bool:
    """Whether an action works on one of several resources in turn, itself or through others."""
    return any(
        isinstance(binding, Each)
        or (
            isinstance(binding, Made)
            and actions[binding.position].branch >= 0
            and _reads_each(actions, binding.position)
        )
        for binding in actions[position].inputs
    )
