"""What m&m's figures compare: labels of a plan, as its authors' code takes them, and strictly.

Theirs writes each node as a line of code first and reads it again: a line that cannot be read is
dropped without a word, a plan that cannot be written is an empty one, and outputs inside words
lose the braces of the f-string, so that a program with one never matches. All argument names of a
call make one label, and so do all its values; an edge is two calls that follow each other in the
list, whatever they read. Strictly, labels come from the nodes themselves, each argument is a label
of its own, and an edge is what one call reads of another.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.suites.answers import REFERENCE, Call, references

_THEIR_REFERENCE = re.compile(r"<node-(\d+)>\.(\w+)")


@dataclass(frozen=True)
class Labels:
    """The labels of a plan in its order."""

    tools: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()


def their_labels(calls: Sequence[Call]) -> Labels:
    """The labels that theirs takes of a plan in JSON; all empty where it could not write it."""
    try:
        lines = [_their_line(call) for call in calls]
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return Labels()
    return their_labels_of_code("\n".join(lines))


def their_labels_of_code(code: str) -> Labels:
    """The labels that theirs takes of a program, line by line."""
    read = [found for line in code.split("\n") if (found := _read(line.strip()))]
    tools = tuple(tool for tool, _ in read)
    return Labels(
        tools,
        tuple("--".join([tool, *sorted(given)]) for tool, given in read),
        tuple(
            "--".join([tool, *(f"{name}={given[name].lower()}" for name in sorted(given))])
            for tool, given in read
        ),
        tuple(f"{one}--{other}" for one, other in zip(tools, tools[1:], strict=False)),
    )


def _their_line(call: Call) -> str:
    """A call as their line of code, quotes and newlines as they treat them."""
    given = [f"{name}={_their_value(value)}" for name, value in call.arguments.items()]
    return f"output{call.id} = {call.tool.replace(' ', '_')}({', '.join(given)})"


def _their_value(value: Any) -> str:
    if not isinstance(value, str):
        return f'"{value}"'
    if value.startswith("<node-") and " " not in value:
        number = int(value[6 : value.index(">")])
        return f"output{number}['{value[value.index('.') + 1 :]}']"
    if "<node-" not in value:
        escaped = value.replace('"', '\\"')
        return f'"{escaped}"'
    found = [f"output{int(item[1])}['{item[2]}']" for item in _THEIR_REFERENCE.finditer(value)]
    filled = _THEIR_REFERENCE.sub("{}", value).format(*found)
    escaped = filled.replace('"', '\\"')
    return f'f"{escaped}"'


def _read(line: str) -> tuple[str, dict[str, str]] | None:
    """The tool and the arguments of a line, None where it is no assignment of a call."""
    try:
        tree = ast.parse(line)
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            call = node.value
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
                return None
            return call.func.id, {str(item.arg): ast.unparse(item.value) for item in call.keywords}
    return None


def strict_labels(calls: Sequence[Call]) -> Labels:
    """The labels of a plan, nothing dropped. Nodes are called by their place, so that plans that
    number them otherwise are alike."""
    places: dict[int, int] = {}
    tools, names, values, edges = [], [], [], []
    for place, call in enumerate(calls):
        tools.append(call.tool)
        for name, value in sorted(call.arguments.items()):
            names.append(f"{call.tool}--{name}")
            values.append(f"{call.tool}--{name}={in_words(value, places)}")
            for number, key in references(value):
                source = calls[places[number]].tool if number in places else "?"
                edges.append(f"{source}.{key}--{call.tool}.{name}")
        places[call.id] = place
    return Labels(tuple(tools), tuple(names), tuple(values), tuple(edges))


def in_words(value: Any, places: dict[int, int] | None = None) -> str:
    """A value as words that can be compared: in lower case, spaces as one, 1969 as "1969";
    references by the place of the node."""
    known = places or {}

    def placed(found: re.Match[str]) -> str:
        number = int(found[1])
        return f"<node-{known.get(number, f'?{number}' if places else number)}>.{found[2] or ''}"

    return " ".join(REFERENCE.sub(placed, str(value)).lower().split())
