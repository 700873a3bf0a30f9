"""Whether the arguments of a call fit a tool, and what the tool gets for them."""

from __future__ import annotations

import contextlib
import difflib
import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from controlllm.resources import Resource, TypeLattice
from controlllm.toolbox import Argument, Parameter, Tool

#: What a tool gets for an argument: a resource, or what was written.
Given = Resource | str | int | float
Inputs = Mapping[str, Given | tuple[Given, ...] | bool]

#: A whole number in words. It never passes through a float, which would change a long one.
_WHOLE = re.compile(r"([-+]?\d+)(?:\.0*)?")
#: How much of a wrong name or value is said again, in characters, and how many names are listed.
_SAID_AGAIN, _MOST_NAMED = 80, 12


class Misfit(Exception):
    """Arguments do not fit a tool. The message says which, and what would."""


def fitting(
    tool: Tool,
    arguments: Mapping[str, Any],
    resources: Mapping[str, Resource],
    lattice: TypeLattice,
) -> Inputs:
    """What a tool gets for arguments, by its own types and with the resources that are named;
    raises Misfit."""
    if not isinstance(arguments, Mapping):
        raise Misfit(f"The arguments of {tool.name} have to be an object with their names.")
    parameters = {item.name: item for item in tool.parameters}
    known = {**{item.name: item for item in tool.args}, **parameters}
    for name in arguments:
        if name not in known:
            near = near_names(name, known, 1)
            meant = f" Did you mean {near[0]!r}?" if near else ""
            raise Misfit(
                f"{tool.name} takes no argument {quoted(name)}.{meant} It takes: "
                f"{', '.join(known) or 'none'}."
            )
    inputs: dict[str, Given | tuple[Given, ...] | bool] = {}
    for argument in tool.args:
        given = arguments.get(argument.name)
        if given is None or given == "" or given == []:
            if not argument.optional:
                raise Misfit(
                    f"{tool.name} needs {argument.name!r}{_meaning(argument)}, of type "
                    f"{argument.type}, and got none."
                )
            continue
        items = list(given) if isinstance(given, list | tuple) else [given]
        if len(items) > 1 and not argument.many:
            raise Misfit(f"{tool.name} takes one value for {argument.name!r}, not several.")
        values = tuple(_value(tool, argument, item, resources, lattice) for item in items)
        inputs[argument.name] = values if argument.many else values[0]
    for name, parameter in parameters.items():
        if arguments.get(name) not in (None, ""):
            inputs[name] = _setting(tool, parameter, arguments[name])
    return inputs


def _value(
    tool: Tool,
    argument: Argument,
    given: Any,
    resources: Mapping[str, Resource],
    lattice: TypeLattice,
) -> Given:
    """One value of an argument: the resource of that name, or what was written."""
    place = f"{argument.name!r} of {tool.name}"
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        raise Misfit(f"{place} has to be a text, a number or the name of a resource.")
    if not isinstance(given, str) and not _is_finite(given):
        raise Misfit(f"{place} has to be a finite number.")
    resource = resources.get(given) if isinstance(given, str) else None
    if resource is not None:
        if not lattice.is_a(resource.type, argument.type):
            raise Misfit(
                f"{place} has to be of type {argument.type}, and {quoted(given)} is of type "
                f"{resource.type}. {_at_hand(argument, resources, lattice)}"
            )
        return resource
    if not lattice.is_a(argument.type, "text"):
        raise Misfit(
            f"{place} has to be the name of a resource of type {argument.type}, and "
            f"{quoted(given)} is none. {_at_hand(argument, resources, lattice)}"
        )
    if argument.type == "number":
        return _number(place, given)
    return given if isinstance(given, str) else str(given)


def _at_hand(argument: Argument, resources: Mapping[str, Resource], lattice: TypeLattice) -> str:
    found = [name for name, item in resources.items() if lattice.is_a(item.type, argument.type)]
    if not found:
        return "There is no such resource yet; another tool may make one."
    return f"At hand: {', '.join(map(quoted, found[-_MOST_NAMED:]))}."


def _setting(tool: Tool, parameter: Parameter, given: Any) -> Any:
    """The value of a parameter, of its default's type; raises Misfit."""
    place, default = f"{parameter.name!r} of {tool.name}", parameter.default
    if isinstance(default, bool):
        said = given if isinstance(given, bool) else None
        if isinstance(given, str):
            said = {"true": True, "false": False}.get(given.lower())
        if said is None:
            raise Misfit(f"{place} has to be true or false.")
        return said
    if isinstance(default, int | float):
        read = parameter.read(given) if isinstance(given, str) else None
        number = _number(place, given if read is None else read)
        if isinstance(default, int) and number != int(number):
            raise Misfit(f"{place} has to be a whole number.")
        return number if isinstance(default, int) else float(number)
    if isinstance(default, str):
        if not isinstance(given, str):
            raise Misfit(f"{place} has to be a text.")
        return given
    return given


def _number(place: str, given: Any) -> int | float:
    """A number, also in words; a whole one digit by digit, as an id has to stay."""
    number: int | float = math.nan
    if isinstance(given, str):
        whole = _WHOLE.fullmatch(given.strip())
        with contextlib.suppress(ValueError):
            number = int(whole[1]) if whole else float(given)
    elif isinstance(given, int | float) and not isinstance(given, bool):
        number = given
    if not _is_finite(number):
        raise Misfit(f"{place} has to be a number, and {quoted(given)} is none.")
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _is_finite(number: int | float) -> bool:
    """Whether a number is one that every tool can reckon with."""
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def _meaning(argument: Argument) -> str:
    return f" ({quoted(argument.description)})" if argument.description else ""


def near_names(name: str, names: Iterable[str], most: int = 5) -> list[str]:
    """Of names, those that may have been meant by one that is none of them."""
    return difflib.get_close_matches(str(name)[:_SAID_AGAIN], names, n=most, cutoff=0.5)


def quoted(given: Any) -> str:
    """What was given as it is said again: as JSON, cut where it is long."""
    try:
        text = str(given)
    except (ValueError, RecursionError):
        # Python writes no number of more than some thousand digits.
        text = f"{type(given).__name__} that is too long"
    cut = text if len(text) <= _SAID_AGAIN else f"{text[:_SAID_AGAIN]}…"
    return json.dumps(cut, ensure_ascii=False)
