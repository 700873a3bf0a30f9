"""The 33 tools of m&m's (supplement, Table 1) and which of them may follow which.

Its authors picked 149 edges by hand and ship them with their code, whose copy a person can hand
over; they are not part of this project. Without it the types decide: `typed`, or `told`, which
leaves out what is known of the authors' graph (`known_edges.json`).
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.suites.answers import REFERENCE, Call
from controlllm.toolbox import Toolbox

_HERE = Path(__file__).parent
GRAPHS = ("typed", "told")
#: The name of the tool's outputs in a plan of ours, where they are one: longitude and latitude.
_PLACE = "coordinates"
_DOMAINS = {"model": "general", "image processing": "image-processing", "public API": "public-api"}


@dataclass(frozen=True)
class Slot:
    """An argument or an output: its name and its kind, such as ``image`` or ``objects``."""

    name: str
    kind: str


@dataclass(frozen=True)
class BenchTool:
    """A tool of m&m's. `passes` names outputs that hand on an argument as it is."""

    name: str
    category: str
    description: str
    args: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    passes: Mapping[str, str] = field(default_factory=dict)

    @property
    def function(self) -> str:
        """Its name in code."""
        return self.name.replace(" ", "_")

    def argument(self, name: str) -> Slot | None:
        return next((slot for slot in self.args if slot.name == name), None)

    def output(self, name: str) -> Slot | None:
        return next((slot for slot in self.outputs if slot.name == name), None)


Catalogue = Mapping[str, BenchTool]
Edges = frozenset[tuple[str, str]]


@cache
def catalogue() -> Catalogue:
    """The tools by name, in the order of the table."""
    found = {}
    for entry in json.loads((_HERE / "catalogue.json").read_text("utf-8")):
        slots = {
            part: tuple(Slot(item["name"], item["kind"]) for item in entry[part])
            for part in ("args", "outputs")
        }
        found[entry["name"]] = BenchTool(
            entry["name"],
            entry["category"],
            entry["description"],
            slots["args"],
            slots["outputs"],
            entry.get("passes", {}),
        )
    return found


def fits(made: str, wanted: str) -> bool:
    """Whether an output's kind may be an argument of this kind: a number is also words."""
    return made == wanted or (made, wanted) == ("number", "text")


@cache
def typed_edges() -> Edges:
    """Every pair of tools of which the first makes something that the second takes."""
    tools = catalogue().values()
    return frozenset(
        (one.name, other.name)
        for one in tools
        for other in tools
        if any(fits(made.kind, taken.kind) for made in one.outputs for taken in other.args)
    )


@cache
def known() -> Mapping[str, Any]:
    """What the sources say of the authors' graph."""
    found: Mapping[str, Any] = json.loads((_HERE / "known_edges.json").read_text("utf-8"))
    return found


def told_edges() -> Edges:
    """The typed edges, without those that the sources say are not in the authors' graph."""
    complete = known()["complete"]
    return frozenset(
        (one, other)
        for one, other in typed_edges()
        if one not in complete or other in complete[one]
    )


def edges_of(graph: str) -> Edges:
    """The edges by the name of a graph, or out of a file.

    A file is a list of pairs (JSON), or the authors' ``constants.py``, whose ``TOOL_METADATA`` says
    of each tool which may be next. Nothing in it is run. Raises ValueError where it holds neither.
    """
    if graph in ("", "typed"):
        return typed_edges()
    if graph == "told":
        return told_edges()
    path = Path(graph)
    try:
        text = path.read_text("utf-8")
        pairs = _next_tools(text) if path.suffix == ".py" else json.loads(text)
        found = {(str(one), str(other)) for one, other in pairs}
    except (OSError, SyntaxError, TypeError, ValueError, KeyError, StopIteration) as error:
        raise ValueError(
            f"{graph} is no graph: {error}. Name {', '.join(GRAPHS)}, a list of pairs in JSON, or "
            "the constants.py of m&m's."
        ) from error
    tools = catalogue()
    # Their metadata still names tools that were taken out of the benchmark.
    return frozenset(pair for pair in found if pair[0] in tools and pair[1] in tools)


def _next_tools(code: str) -> list[tuple[str, str]]:
    metadata = next(
        ast.literal_eval(statement.value)
        for statement in ast.parse(code).body
        if isinstance(statement, ast.Assign)
        and any(isinstance(t, ast.Name) and t.id == "TOOL_METADATA" for t in statement.targets)
    )
    return [(name, other) for name, entry in metadata.items() for other in entry["next_tools"]]


def planning_toolbox() -> Toolbox:
    """The tools as a catalogue that our planner searches, where a tool has one output.

    A detector's is its objects, since its image is the one that it was given; a place is one
    result. Whatever is said in words is a text: numbers, dates and names too.
    """
    return Toolbox.from_catalogue([_entry(tool) for tool in catalogue().values()])


def _entry(tool: BenchTool) -> dict[str, Any]:
    args = [
        {"name": slot.name, "type": "text" if slot.kind == "number" else slot.kind}
        for slot in tool.args
        if slot.kind != "coordinate"
    ]
    if len(args) < len(tool.args):
        args.append({"name": _PLACE, "type": _PLACE})
    return {
        "name": tool.function,
        "description": tool.description,
        "domain": _DOMAINS[tool.category],
        "args": args,
        "returns": [{"name": "result", "type": _returned(tool)}],
    }


def _returned(tool: BenchTool) -> str:
    kind = _main_output(tool).kind
    return {"coordinate": _PLACE, "forecast": "text"}.get(kind, kind)


def _main_output(tool: BenchTool) -> Slot:
    return next(slot for slot in tool.outputs if slot.name not in tool.passes)


def as_written(calls: Sequence[Call]) -> tuple[Call, ...]:
    """Calls of our planner as m&m's writes them: tools with spaces, and references with the output
    that is meant.

    Where a detector's objects and the image that it was given go into one call, the image is the
    detector's too, as in the benchmark's plans.
    """
    tools = catalogue()
    by_function = {tool.function: tool for tool in tools.values()}
    written: list[Call] = []

    def resolved(value: Any) -> Any:
        if isinstance(value, list):
            value = value[0] if value else ""
        found = REFERENCE.fullmatch(str(value))
        if found is None:
            return value
        maker = tools[written[int(found[1])].tool]
        return f"<node-{found[1]}>.{_main_output(maker).name}"

    for number, call in enumerate(calls):
        tool = by_function[call.tool]
        arguments: dict[str, Any] = {}
        for name, value in call.arguments.items():
            source = REFERENCE.fullmatch(str(value))
            if name == _PLACE and source is not None:
                for slot in tool.args:
                    arguments[slot.name] = f"<node-{source[1]}>.{slot.name}"
            else:
                arguments[name] = resolved(value)
        image = arguments.get("image")
        handed_on = _detector_of(arguments, written)
        if image is not None and handed_on is not None:
            detector = written[handed_on]
            if detector.arguments.get("image") == image:
                arguments["image"] = f"<node-{handed_on}>.image"
        order = {slot.name: place for place, slot in enumerate(tool.args)}
        arguments = dict(sorted(arguments.items(), key=lambda item: order.get(item[0], 99)))
        written.append(Call(tool.name, arguments, number))
    return tuple(written)


def _detector_of(arguments: Mapping[str, Any], written: Sequence[Call]) -> int | None:
    """The call that found the objects that these arguments are about, by way of a choice too."""
    for name in ("objects", "object"):
        found = REFERENCE.match(str(arguments.get(name, "")))
        while found is not None:
            number = int(found[1])
            if catalogue()[written[number].tool].passes:
                return number
            found = REFERENCE.match(str(written[number].arguments.get("objects", "")))
    return None
