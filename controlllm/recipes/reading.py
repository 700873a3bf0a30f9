"""Recipes from elsewhere, which are never trusted: read, and refused with the place that is wrong,
before anything runs."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from controlllm.core.plans import Plan
from controlllm.recipes.recipe import FORMAT, MOST_CHARACTERS, VERSION, Input, Recipe
from controlllm.resources import Resource
from controlllm.resources.well_formed import json_from_outside
from controlllm.runs.sent_plans import BadPlan, Name, SentPlan, Words, read_plan
from controlllm.toolbox import Toolbox

_MOST_INPUTS = 50
_NAME = re.compile(r"<IN>-[1-9]\d{0,2}")


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class _SentInput(_Part):
    name: Name
    kind: Literal["file", "words", "place"]
    type: Name
    label: Annotated[str, StringConstraints(max_length=200)] = ""
    given: Words = ""
    of: Annotated[str, StringConstraints(max_length=20)] = ""
    marks: Annotated[list[dict[str, float | bool]], Field(max_length=100)] = []


class _SentRecipe(_Part):
    name: Annotated[str, StringConstraints(max_length=200)] = ""
    request: Words = ""
    inputs: Annotated[list[_SentInput], Field(max_length=_MOST_INPUTS)]
    plan: dict[str, Any]


def recipe_in(text: str | bytes, toolbox: Toolbox) -> Recipe:
    """The recipe that a text of JSON holds; raises BadPlan where it holds none that can be run."""
    if len(text) > MOST_CHARACTERS:
        raise BadPlan("", f"This recipe is too long: at most {MOST_CHARACTERS:,} characters.")
    try:
        sent = json_from_outside(text)
    except (ValueError, RecursionError):
        raise BadPlan("", "This is no recipe: it is not written in JSON.") from None
    return recipe_from(sent, toolbox)


def recipe_from(sent: Any, toolbox: Toolbox) -> Recipe:
    """A recipe that can be run with the tools of this toolbox, out of its JSON.

    Raises BadPlan, with the node of the plan where that is wrong, where there is none.
    """
    if not isinstance(sent, Mapping) or sent.get("format") != FORMAT:
        raise BadPlan("", "This is no recipe of ControlLLM.")
    if sent.get("version") != VERSION:
        raise BadPlan("", "This recipe was made by another version of ControlLLM. Update this one.")
    try:
        read = _SentRecipe.model_validate(dict(sent))
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part)[:60] for part in found["loc"])
        raise BadPlan("", f"The recipe is wrong at {where}: {found['msg']}.") from None
    inputs = tuple(
        Input(item.name, item.kind, item.type, item.label or item.type, item.given, item.of,
              tuple(item.marks))
        for item in read.inputs
    )  # fmt: skip
    _check_inputs(inputs, toolbox)
    stand_ins = {item.name: Resource(item.type, item.name) for item in inputs}
    words = {item.name: item.given for item in inputs if item.kind == "words"}
    files = {name: item for name, item in stand_ins.items() if name not in words}
    read_plan(_said(read.plan, words), toolbox, files)
    checked = SentPlan.model_validate(read.plan).model_dump()
    plan = Plan.from_json({**checked, "references": _references(checked, set(stand_ins))})
    for ways in plan.solutions.values():
        if len(ways) != 1:
            raise BadPlan("", "Each part of a recipe has one solution.")
    used = {value for step in plan.steps() for value in step.action.references()}
    used |= {item.of for item in inputs}
    for item in inputs:
        if item.name not in used:
            raise BadPlan("", f"Nothing reads the input {item.label!r}.")
    return Recipe(read.name.strip() or "Recipe", read.request, inputs, plan)


def _check_inputs(inputs: tuple[Input, ...], toolbox: Toolbox) -> None:
    files = {item.name for item in inputs if item.kind == "file"}
    names = [item.name for item in inputs]
    for item in inputs:
        if not _NAME.fullmatch(item.name) or names.count(item.name) > 1:
            raise BadPlan("", f"An input cannot be called {item.name[:60]!r}.")
        if item.type not in toolbox.lattice:
            raise BadPlan("", f"There is no type {item.type[:60]!r} of files here.")
        if item.kind == "place":
            _check_place(item, files)
        elif item.of or item.marks:
            raise BadPlan("", f"The input {item.label!r} is no place in a picture.")


def _check_place(item: Input, files: set[str]) -> None:
    if item.type not in ("point", "bbox"):
        raise BadPlan("", f"A place in a picture cannot be a {item.type}.")
    if item.of not in files:
        raise BadPlan("", f"The place {item.label!r} is in a picture that is no input.")
    wanted = {"x", "y"} if item.type == "point" else {"left", "top", "right", "bottom"}
    for mark in item.marks:
        numbers = [mark.get(name) for name in wanted]
        if not all(
            isinstance(number, float) and math.isfinite(number) and 0 <= number <= 1
            for number in numbers
        ):
            raise BadPlan("", f"The place {item.label!r} lies outside its picture.")


def _said(plan: Mapping[str, Any], words: Mapping[str, str]) -> Any:
    """A plan, of whatever shape, with the words that stand where an action reads an input."""

    def one(value: Any) -> Any:
        return words.get(value, value) if isinstance(value, str) else value

    def other(value: Any) -> Any:
        return [one(item) for item in value] if isinstance(value, list) else one(value)

    def action(value: Any) -> Any:
        if not isinstance(value, dict) or not isinstance(value.get("inputs"), dict):
            return value
        return {**value, "inputs": {name: other(item) for name, item in value["inputs"].items()}}

    def each(value: Any, key: str, change: Any) -> Any:
        if not isinstance(value, dict) or not isinstance(value.get(key), list):
            return value
        return {**value, key: [change(item) for item in value[key]]}

    return each(
        dict(plan), "subtasks",
        lambda part: each(part, "solutions", lambda way: each(way, "actions", action)),
    )  # fmt: skip


def _references(plan: Mapping[str, Any], inputs: set[str]) -> list[str]:
    """What a checked plan refers to: its inputs and what it makes itself."""
    made = set(inputs)
    for subtask in plan["subtasks"]:
        made |= {subtask["returns"]["value"], f"<GEN>-{subtask['id']}"}
        for solution in subtask["solutions"]:
            made |= {action["output"]["value"] for action in solution["actions"]}
    return sorted(made)
