"""What was clicked on becomes a step of the plan: a click finds the thing in another picture, the
mask that it found in the first one does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from controlllm.core.plans import (
    Action,
    Plan,
    Reference,
    Solution,
    TypedValue,
    Value,
    generated,
    with_values,
)
from controlllm.resources import Resource
from controlllm.resources.marks import Marks
from controlllm.toolbox import Tool, Toolbox


def clicks_in(resource: Resource) -> Marks | None:
    """The clicks that a mask was made of by a person; None where it was not, or of more."""
    if "marks" not in resource.details or "image" not in resource.details:
        return None
    marks = Marks.from_json(resource.details["marks"])
    return marks if marks.points and not (marks.boxes or marks.strokes) else None


def with_clicks(
    plan: Plan, known: Mapping[str, Resource], toolbox: Toolbox
) -> tuple[Plan, dict[str, Resource]]:
    """The plan with a step that finds what was clicked on, in the place of each such mask, and the
    clicks as resources that it reads."""
    segments = next((tool for tool in toolbox if _finds_what_is_clicked(tool)), None)
    clicked: dict[str, Resource] = {}
    if segments is None:
        return plan, clicked
    solutions = {}
    for number, ways in plan.solutions.items():
        way = ways[0]
        for value in dict.fromkeys(name for item in way.actions for name in item.references()):
            if value in known and clicks_in(known[value]) is not None:
                mask = known[value]
                clicks = f"clicks of {value}"
                clicked[clicks] = Resource("point", clicks, details=mask.details)
                way = _found_first(way, number, value, clicks, mask, segments)
        solutions[number] = (way,)
    return replace(plan, solutions=solutions), clicked


def _finds_what_is_clicked(tool: Tool) -> bool:
    taken = sorted(argument.type for argument in tool.args)
    return taken == ["image", "point"] and tool.returns.type == "mask"


def _found_first(
    way: Solution, subtask: int, value: str, clicks: str, mask: Resource, tool: Tool
) -> Solution:
    """A solution that begins with finding what was clicked on, and reads that for the mask."""
    taken = {action.output.value for action in way.actions}
    free = (generated(subtask, number) for number in range(1, len(taken) + 2))
    found = Reference(next(name for name in free if name not in taken))
    read = {"image": str(mask.details["image"]), "point": clicks}
    inputs = {argument.name: Reference(read[argument.type]) for argument in tool.args}
    first = Action(tool.name, inputs, TypedValue("mask", found.value))

    def other(given: Value) -> Value:
        return found if isinstance(given, Reference) and given.value == value else given

    rest = tuple(
        replace(
            action,
            inputs=with_values(action.inputs, other),
        )
        for action in way.actions
    )
    return replace(way, actions=(first, *rest))
