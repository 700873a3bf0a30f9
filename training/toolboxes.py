"""The toolboxes that requests are written over, and other words for their tools.

``training/data/requests`` holds the toolboxes, ``training/data/rewordings`` other names and
descriptions of the same tools, as other makers would tell of them: from those the reader learns
what a description means instead of how one maker words it.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from controlllm.readers.wishes import tool_text

DATA = Path(__file__).resolve().parent / "data"
#: The name of our own toolbox among those that requests are written over.
OWN = "own"
#: Toolboxes by their names: each tool's name with what the reader is told of it.
Boxes = Mapping[str, Mapping[str, str]]
#: How often a toolbox is told of in other words, and how many of its tools then.
_REWORDED, _OF_ITS_TOOLS = 0.5, 0.75

_Types = tuple[tuple[str, ...], str]


def read_toolboxes(folder: Path = DATA / "requests") -> dict[str, dict[str, str]]:
    """What the reader is told of every tool of every toolbox."""
    return {
        box: {name: tool_text(name, words, *types) for name, words, types in tools}
        for box, tools in _toolboxes(folder)
    }


def read_rewordings(
    folder: Path = DATA / "rewordings", toolboxes: Path = DATA / "requests"
) -> dict[str, dict[str, list[str]]]:
    """What else the reader may be told of the tools of each toolbox.

    Raises ValueError where a file names a tool that no toolbox has.
    """
    types = {box: {name: types for name, _, types in tools} for box, tools in _toolboxes(toolboxes)}
    found: dict[str, dict[str, list[str]]] = {}
    for path in sorted(folder.glob("*.json")):
        for box, tools in json.loads(path.read_text("utf-8")).items():
            for name, ways in tools.items():
                if name not in types.get(box, {}):
                    raise ValueError(f"{path.name}: there is no tool {name!r} in {box!r}")
                found.setdefault(box, {}).setdefault(name, []).extend(
                    tool_text(way["name"], way["description"], *types[box][name]) for way in ways
                )
    return found


def reworded(
    tools: Mapping[str, str], ways: Mapping[str, Sequence[str]], draw: random.Random
) -> Mapping[str, str]:
    """A toolbox as it is told of, or half of the time most of its tools in other words."""
    if not ways or draw.random() >= _REWORDED:
        return tools
    return {
        name: draw.choice(ways[name]) if name in ways and draw.random() < _OF_ITS_TOOLS else told
        for name, told in tools.items()
    }


@cache
def _toolboxes(folder: Path) -> tuple[tuple[str, list[tuple[str, str, _Types]]], ...]:
    """Each toolbox's name, with the name, description and types of each of its tools."""
    boxes = [(OWN, list(_own_tools(folder / "tools.txt")))]
    for path in sorted(folder.glob("*.json")):
        found = json.loads(path.read_text("utf-8"))
        for box in found["toolboxes"] if isinstance(found, dict) else ():
            tools = [_tool_of(entry) for entry in box["tools"]]
            boxes.append((f"{path.stem}/{box['field']}", tools))
    return tuple(boxes)


def _own_tools(path: Path) -> Iterator[tuple[str, str, _Types]]:
    """Our own tools as the authors of the requests had them: ``name(args) -> type: what``."""
    for line in path.read_text("utf-8").splitlines():
        parts = re.match(r"(\w+)\((.*?)\) -> (\w+): (.*)", line)
        if parts:
            name, args, returns, description = parts.groups()
            takes = (item.split(":")[1].strip() for item in args.split(",") if ":" in item)
            yield name, description, (tuple(takes), returns)


def _tool_of(entry: Mapping[str, Any]) -> tuple[str, str, _Types]:
    takes = tuple(item["type"] for item in entry["args"])
    return entry["name"], entry["description"], (takes, entry["returns"]["type"])
