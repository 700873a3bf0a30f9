"""What differs between two ways of a subtask, as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal as OneOf

from controlllm.core.plans import Action, Literal, Solution, Value, values_of
from controlllm.engine.fallback import Expression, expression_of

Kind = OneOf["makes", "instead", "also", "without", "words", "reads"]


@dataclass(frozen=True)
class Difference:
    """One thing that a way does otherwise than another.

    - ``makes``: its result is of the type `mine`, the other's of `theirs`.
    - ``instead``: it uses the tools `mine` where the other uses `theirs`.
    - ``also``: it uses the tools `mine` besides; `tool` takes what they make, if any does.
    - ``without``: it does not use the tools `theirs`.
    - ``words``: its `tool` is given the words `mine`, the other's the words `theirs`.
    - ``reads``: its `tool` works on `mine`, the other's on `theirs`: files, or tools whose results
      these are.
    """

    kind: Kind
    mine: tuple[str, ...] = ()
    theirs: tuple[str, ...] = ()
    tool: str = ""


def differences(way: Solution, other: Solution) -> tuple[Difference, ...]:
    """What a way does otherwise than another one; nothing where they do the same."""
    mine, theirs = _in_order(way), _in_order(other)
    found = list(_makes(mine, theirs))
    names = [action.tool for action in mine]
    other_names = [action.tool for action in theirs]
    pairs: dict[int, int] = {}
    matcher = SequenceMatcher(None, other_names, names, autojunk=False)
    for kind, start, end, my_start, my_end in matcher.get_opcodes():
        used, left = tuple(names[my_start:my_end]), tuple(other_names[start:end])
        if kind == "equal":
            pairs.update(zip(range(my_start, my_end), range(start, end), strict=True))
        elif kind == "replace":
            found.append(Difference("instead", used, left))
        elif kind == "insert":
            reader = _reader(mine, range(my_start, my_end))
            found.append(Difference("also", used, tool=reader))
        else:
            found.append(Difference("without", theirs=left))
    for place, other_place in pairs.items():
        found += _of_inputs(mine, theirs, place, other_place, pairs)
    return tuple(dict.fromkeys(found))


def does(way: Solution) -> frozenset[Expression]:
    """What a way does, equal for ways that differ in nothing a person could notice: neither in
    tools nor in what these are given, whatever the order of steps that need not wait for each
    other."""
    # Results that a person pinned, and calls that are to be made anew.
    by_hand = {
        (*expression_of(action, way), action.pinned, action.version)
        for action in way.actions
        if action.pinned or action.version
    }
    return frozenset(expression_of(way.actions[place], way) for place in way.ends) | by_hand


def calls_of(way: Solution) -> tuple[Expression, ...]:
    """What each of a way's actions does, in their order; equal in all ways that share one."""
    return tuple(expression_of(action, way) for action in way.actions)


def alike(ways: Sequence[Solution]) -> tuple[tuple[int, ...], ...]:
    """The places of ways, those together that do the same, in the order of their first."""
    groups: dict[frozenset[Expression], list[int]] = {}
    for place, way in enumerate(ways):
        groups.setdefault(does(way), []).append(place)
    return tuple(tuple(group) for group in groups.values())


def _in_order(way: Solution) -> tuple[Action, ...]:
    """A way's actions, each after those it reads from, the same for every such order."""
    left = sorted(way.actions, key=lambda action: repr(expression_of(action, way)))
    made = {action.output.value for action in left}
    found: list[Action] = []
    while left:
        ready = (item for item in left if not made & set(item.references()))
        following = next(ready, left[0])  # a circle has no order
        left.remove(following)
        made.discard(following.output.value)
        found.append(following)
    return tuple(found)


def _makes(mine: Sequence[Action], theirs: Sequence[Action]) -> Iterator[Difference]:
    if mine[-1].output.type != theirs[-1].output.type:
        yield Difference("makes", (mine[-1].output.type,), (theirs[-1].output.type,))


def _reader(actions: Sequence[Action], places: range) -> str:
    """The tool of the first action that reads what those at these places make."""
    made = {actions[place].output.value for place in places}
    for place, action in enumerate(actions):
        if place not in places and made & set(action.references()):
            return action.tool
    return ""


def _of_inputs(
    mine: Sequence[Action],
    theirs: Sequence[Action],
    place: int,
    other_place: int,
    pairs: dict[int, int],
) -> Iterator[Difference]:
    """How the inputs of an action differ from those of its like in the other way, but for what the
    other differences of steps explain."""
    makers = {action.output.value: number for number, action in enumerate(mine)}
    other_makers = {action.output.value: number for number, action in enumerate(theirs)}
    action, other = mine[place], theirs[other_place]
    for name in sorted({*action.inputs, *other.inputs}):
        given, others = _values(action, name), _values(other, name)
        made, others_made = _made(given, makers), _made(others, other_makers)
        unpaired = [number for number in made if number not in pairs]
        unpaired_there = [number for number in others_made if number not in pairs.values()]
        if unpaired or unpaired_there:
            continue  # what makes it was told of
        words = tuple(value.text for value in given if isinstance(value, Literal))
        other_words = tuple(value.text for value in others if isinstance(value, Literal))
        if words != other_words:
            yield Difference("words", words, other_words, action.tool)
        sources = _sources(given, mine, makers)
        other_sources = _sources(others, theirs, other_makers)
        if [pairs[number] for number in made] != others_made or (
            set(sources) != set(other_sources) and not (words or other_words)
        ):
            yield Difference("reads", sources, other_sources, action.tool)


def _values(action: Action, name: str) -> tuple[Value, ...]:
    given = action.inputs.get(name, ())
    return values_of(given)


def _made(values: Sequence[Value], makers: dict[str, int]) -> list[int]:
    return [
        makers[value.value]
        for value in values
        if not isinstance(value, Literal) and value.value in makers
    ]


def _sources(
    values: Sequence[Value], actions: Sequence[Action], makers: dict[str, int]
) -> tuple[str, ...]:
    """The files among values, and the tools that make the others."""
    return tuple(
        actions[makers[value.value]].tool if value.value in makers else value.value
        for value in values
        if not isinstance(value, Literal)
    )
