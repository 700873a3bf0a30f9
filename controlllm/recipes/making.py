"""A recipe out of a turn: the files that it worked on become open inputs, and what was clicked on
becomes a step. A click finds the thing in another picture, the mask that it found in the first one
does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from controlllm.core.plans import (
    Action,
    Literal,
    Plan,
    Reference,
    Solution,
    TypedValue,
    Value,
    generated,
    values_of,
    with_values,
)
from controlllm.core.replaying import substituted
from controlllm.core.session import Session, Turn
from controlllm.recipes.recipe import Input, Recipe
from controlllm.resources import Box, ClickedPoint, Resource
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


#: The everyday word for a file of a type, where it is another one.
_LABELS = {"image": "picture", "audio": "sound", "html": "web page", "bbox": "box"}
_SHORTEST_NAME = 3
_MOST_MARKS = 100


@dataclass(frozen=True)
class Words:
    """A text that a plan holds, with the tool and the input that read it."""

    text: str
    tool: str
    argument: str


def words_of(turn: Turn) -> tuple[Words, ...]:
    """The texts in a turn's plan that can become inputs, each once."""
    found: dict[str, Words] = {}
    for step in turn.plan.steps() if turn.plan else ():
        for name, value in _values(step.action):
            if isinstance(value, Literal) and value.text.strip():
                found.setdefault(value.text, Words(value.text, step.action.tool, name))
    return tuple(found.values())


def recipe_of(
    session: Session,
    turn: Turn,
    name: str,
    read: Callable[[Resource], Any],
    open_words: Collection[str] = (),
    toolbox: Toolbox | None = None,
) -> Recipe:
    """The recipe of a turn.

    Parameters
    ----------
    read: the value of a resource; asked for what was pointed at.
    open_words: the texts of the plan that become inputs; others stay as they are.
    toolbox: where it is given, what was clicked on is found anew by one of its tools.

    Raises ValueError, with a sentence, where the turn has no plan that could be run again.
    """
    plan = _chosen(turn.plan) if turn.plan else None
    if plan is None or not plan.subtasks:
        raise ValueError("Nothing was planned here that could be done again.")
    known = {resource.value: resource for resource in session.resources}
    if toolbox is not None:
        plan, clicked = with_clicks(plan, known, toolbox)
        known |= clicked
    inputs: dict[str, Input] = {}
    for resource in _worked_on(plan, known):
        inputs[resource.value] = _input(resource, known, read, inputs)
    plan = substituted(plan, {value: Reference(item.name) for value, item in inputs.items()})
    inputs = {value: _with_picture(item, inputs) for value, item in inputs.items()}
    private = {value: item.label for value, item in inputs.items()}
    private |= {value: _label(item.type) for value, item in known.items() if value not in private}
    private[session.id] = "conversation"
    words = {}
    for number, text in enumerate(dict.fromkeys(open_words), len(inputs) + 1):
        given = _without(private, text)
        words[text] = Input(f"<IN>-{number}", "words", "text", _short(given), given)
    plan = _reworded(plan, private, words)
    return Recipe(
        name.strip()[:100] or "Recipe",
        _without(private, turn.text)[:2000],
        (*inputs.values(), *words.values()),
        plan,
    )


def _chosen(plan: Plan) -> Plan:
    """The plan with the chosen solutions alone, without the parts that have none."""
    solutions: dict[int, tuple[Solution, ...]] = {}
    dropped: set[int] = set()
    for subtask in plan.subtasks:
        solution = plan.solution(subtask.id)
        if solution is None or set(subtask.deps) & dropped:
            dropped.add(subtask.id)
        else:
            solutions[subtask.id] = (replace(solution, reason="", missing=""),)
    return Plan(tuple(item for item in plan.subtasks if item.id in solutions), solutions)


def _values(action: Action) -> Iterator[tuple[str, Value]]:
    for name, given in action.inputs.items():
        for value in values_of(given):
            yield name, value


def _worked_on(plan: Plan, known: Mapping[str, Resource]) -> list[Resource]:
    """The resources that the plan reads and does not make, pictures before what points at them.

    Raises ValueError where one of them is no longer there.
    """
    made = {action.output.value for ways in plan.solutions.values() for action in ways[0].actions}
    made |= {generated(subtask.id) for subtask in plan.subtasks}
    made |= {subtask.returns.value for subtask in plan.subtasks}
    read = [
        value
        for step in plan.steps()
        for value in step.action.references()
        if value not in made
    ]  # fmt: skip
    for value in read:
        if value not in known:
            raise ValueError(f"{value} is not in this conversation any more.")
    found = [known[value] for value in dict.fromkeys(read)]
    pictures = [_picture(item, known) for item in found]
    return list({item.value: item for item in (*pictures, *found) if item is not None}.values())


def _picture(resource: Resource, known: Mapping[str, Resource]) -> Resource | None:
    """The picture in which a person pointed at something, where the resource is that."""
    if resource.type not in ("point", "bbox"):
        return None
    return known.get(str(resource.details.get("image", "")))


def _input(
    resource: Resource,
    known: Mapping[str, Resource],
    read: Callable[[Resource], Any],
    before: Mapping[str, Input],
) -> Input:
    name, picture = f"<IN>-{len(before) + 1}", _picture(resource, known)
    same = sum(item.type == resource.type for item in before.values())
    label = _label(resource.type) + (f" {same + 1}" if same else "")
    if picture is None:
        return Input(name, "file", resource.type, label)
    size = (float(picture.details.get("width", 0)), float(picture.details.get("height", 0)))
    clicks = clicks_in(resource)
    drawn = read(resource) if clicks is None else clicks.points
    marks = tuple(_mark(item, *size) for item in drawn[:_MOST_MARKS]) if all(size) else ()
    return Input(name, "place", resource.type, label, of=picture.value, marks=marks)


def _mark(item: Any, width: float, height: float) -> dict[str, float | bool | str]:
    if isinstance(item, ClickedPoint):
        return {"x": item.x / width, "y": item.y / height, "positive": item.positive}
    assert isinstance(item, Box)
    wide = {"left": item.left / width, "right": item.right / width}
    return {**wide, "top": item.top / height, "bottom": item.bottom / height}


def marks_on(item: Input, width: float, height: float) -> tuple[ClickedPoint | Box, ...]:
    """Where a place of a recipe is on a picture of this size, in pixels, if it is where it was."""
    found: list[ClickedPoint | Box] = []
    for mark in item.marks:
        told = asdict(Box(0, 0, 0, 0)) | dict(mark)
        if "x" in mark:
            x, y = float(mark["x"]) * width, float(mark["y"]) * height
            x, y = min(int(x), int(width) - 1), min(int(y), int(height) - 1)
            found.append(ClickedPoint(x, y, bool(mark.get("positive", True))))
        else:
            left, right = float(told["left"]) * width, float(told["right"]) * width
            found.append(Box(left, told["top"] * height, right, told["bottom"] * height))
    return tuple(found)


def _with_picture(item: Input, inputs: Mapping[str, Input]) -> Input:
    return replace(item, of=inputs[item.of].name) if item.of else item


def _label(type_name: str) -> str:
    return _LABELS.get(type_name, type_name.rpartition(".")[2].replace("_", " "))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:38] + "…"


def _without(private: Mapping[str, str], text: str) -> str:
    """A text without the names of files, which say more than a recipe should."""
    names = sorted((name for name in private if len(name) >= _SHORTEST_NAME), key=len, reverse=True)
    if not names:
        return text
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)"
    return re.sub(pattern, lambda found: private[found.group()], text)


def _reworded(plan: Plan, private: Mapping[str, str], words: Mapping[str, Input]) -> Plan:
    def other(value: Value) -> Value:
        if isinstance(value, Reference):
            return value
        opened = words.get(value.text)
        return Reference(opened.name) if opened else Literal(_without(private, value.text))

    def changed(action: Action) -> Action:
        inputs = with_values(action.inputs, other)
        return replace(action, inputs=inputs)

    return Plan(
        tuple(
            replace(
                subtask,
                description=_without(private, subtask.description),
                guidance="",
                args=tuple(
                    replace(item, value=_without(private, item.value)) for item in subtask.args
                ),
            )
            for subtask in plan.subtasks
        ),
        {
            key: tuple(replace(way, actions=tuple(map(changed, way.actions))) for way in ways)
            for key, ways in plan.solutions.items()
        },
    )
