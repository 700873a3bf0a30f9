"""What can be done at a step: only what `controlllm.editing.changing` then accepts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from controlllm.core.plans import Literal, Reference, Value, values_of
from controlllm.editing.bench import Bench, Reading, argument_of
from controlllm.editing.changing import Refused, carried_out
from controlllm.editing.edits import Delete, Edit, Insert, Swap
from controlllm.toolbox import Argument, Parameter, Tool


@dataclass(frozen=True)
class Choice:
    """An input of a step, or a setting of it: what it is given, and what else there is for it.

    `argument` is None for a setting, `setting` for an input. `takes_words` says whether a person
    may write what they like.
    """

    name: str
    given: tuple[Value, ...]
    argument: Argument | None = None
    setting: Parameter | None = None
    takes_words: bool = False
    others: tuple[Reference, ...] = ()


@dataclass(frozen=True)
class Offers:
    """What can be done at a step. Tools are named the likeliest first; `before` are the places
    where something can be put in, with the tools that fit there."""

    swaps: tuple[str, ...]
    choices: tuple[Choice, ...]
    before: tuple[tuple[Reading, tuple[str, ...]], ...]
    can_go: bool


def offers(bench: Bench, position: int) -> Offers:
    """Everything that can be done at a step of a way."""
    tool = bench.tool(position)
    names = {item.name for item in tool.args} if tool else set()
    places = [item for item in bench.readings() if item.position == position and item.name in names]
    if position == bench.last:
        output = bench.actions[position].output.value
        places.append(Reading(position, "", 0, Reference(output)))
    return Offers(
        _in_order(bench, position, swaps(bench, position)),
        tuple(_choices(bench, position)),
        tuple((place, inserts(bench, place)) for place in places),
        _can(bench, Delete(bench.subtask_id, position)),
    )


def swaps(bench: Bench, position: int) -> tuple[str, ...]:
    """The tools that can stand in the place of a step's, by name."""
    return tuple(
        tool.name
        for tool in _making(bench, lambda made: bench.accepts(position, made))
        if _can(bench, Swap(bench.subtask_id, position, tool.name))
    )


def inserts(bench: Bench, place: Reading) -> tuple[str, ...]:
    """The tools that can stand between a step and what it reads at a place, by name; where the
    place has no name, after the last step."""
    argument = argument_of(bench.tool(place.position), place.name)

    def is_read(made: str) -> bool:
        if argument is None:
            return bench.accepts(place.position, made)
        return bench.toolbox.lattice.is_a(made, argument.type)

    found = [
        tool.name
        for tool in _making(bench, is_read)
        if any(bench.fits(item, place.value) for item in tool.args)
        and _can(
            bench, Insert(bench.subtask_id, place.position, place.name, place.index, tool.name)
        )
    ]
    made = bench.type_of(place.value)
    return tuple(sorted(found, key=lambda name: bench.toolbox[name].returns.type != made))


def _making(bench: Bench, is_read: Callable[[str], bool]) -> Iterator[Tool]:
    """The tools that make what is read: there may be tens of thousands of tools, of few types."""
    known: dict[str, bool] = {}
    for tool in bench.toolbox:
        made = tool.returns.type
        if made not in known:
            known[made] = is_read(made)
        if known[made]:
            yield tool


def _choices(bench: Bench, position: int) -> Iterator[Choice]:
    tool, action = bench.tool(position), bench.actions[position]
    if tool is None:
        return
    there = bench.references(position)
    for argument in tool.args:
        given = action.inputs.get(argument.name, ())
        yield Choice(
            argument.name,
            values_of(given),
            argument,
            takes_words=bench.toolbox.lattice.is_a(argument.type, "text"),
            others=tuple(value for value in there if bench.fits(argument, value)),
        )
    for setting in tool.parameters:
        said = action.inputs.get(setting.name, Literal(str(setting.default)))
        yield Choice(setting.name, (said,) if isinstance(said, Literal) else (), setting=setting)


def _in_order(bench: Bench, position: int, names: tuple[str, ...]) -> tuple[str, ...]:
    """Tools that make the same of the same first."""
    now = bench.tool(position)
    if now is None:
        return names
    types = {item.type for item in now.required}

    def off(name: str) -> tuple[bool, int, str]:
        tool = bench.toolbox[name]
        other = {item.type for item in tool.required}
        return tool.returns.type != now.returns.type, len(types ^ other), name

    return tuple(sorted(names, key=off))


def _can(bench: Bench, edit: Edit) -> bool:
    return not isinstance(carried_out(bench, edit), Refused)
