"""A recipe: the plan of a request with its open inputs, as plain data; JSON in and out, and the
Python script that runs it.

The form is versioned and described in docs/experience/recipes.md. Nothing in it tells whose it is,
what the files were called that it was made with, or any secret. A recipe from elsewhere is never
trusted: it is read, and refused with the place that is wrong, before anything runs.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pprint import pformat
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from controlllm.core import plans
from controlllm.core.plans import Plan, Value
from controlllm.core.replaying import substituted
from controlllm.resources import Resource
from controlllm.resources.well_formed import json_from_outside
from controlllm.runs.sent_plans import BadPlan, Name, SentPlan, Words, read_plan
from controlllm.toolbox import Toolbox

FORMAT = "controlllm-recipe"
VERSION = 1
#: A recipe is never longer than this, in characters of JSON.
MOST_CHARACTERS = 200_000

Kind = Literal["file", "words", "place"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Input:
    """Something that a recipe is given when it runs; `name` stands for it in the plan.

    A ``file`` is of a resource type and called by a label. ``words`` are a text that is what it
    was, `given`, unless somebody says something else. A ``place`` is pointed at in a picture, the
    input `of`; `marks` are where it was, as fractions 0..1 of the picture's width and height.
    """

    name: str
    kind: Kind
    type: str
    label: str
    given: str = ""
    of: str = ""
    marks: tuple[Mapping[str, float | bool | str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        told = {"name": self.name, "kind": self.kind, "type": self.type, "label": self.label}
        more = {"given": self.given, "of": self.of, "marks": [dict(item) for item in self.marks]}
        return {**told, **{key: value for key, value in more.items() if value}}


@dataclass(frozen=True)
class Recipe:
    """A plan with open inputs. `request` is what was asked when it was made, without the names of
    files; each subtask of the plan has one solution."""

    name: str
    request: str
    inputs: tuple[Input, ...]
    plan: Plan

    def of_kind(self, kind: Kind) -> tuple[Input, ...]:
        return tuple(item for item in self.inputs if item.kind == kind)

    @property
    def files(self) -> tuple[Input, ...]:
        """The inputs that are files, in the order of the plan."""
        return self.of_kind("file")

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools of its steps, in order."""
        return tuple(step.action.tool for step in self.plan.steps())

    def renamed(self, name: str) -> Recipe:
        return replace(self, name=name)

    def named_after_request(self) -> Recipe:
        """The recipe called by what was asked, which names no files."""
        line = " ".join(self.request.split())
        short = line if len(line) <= 60 else line[:57].rsplit(" ", 1)[0] + "…"
        return self.renamed(short or self.name)

    def bound(self, values: Mapping[str, Value]) -> Plan:
        """The plan with its open inputs filled in; words that are not said are what they were.

        Raises KeyError, with the input's label, where a file or a place is missing.
        """
        filled: dict[str, Value] = {}
        for item in self.inputs:
            if item.name in values:
                filled[item.name] = values[item.name]
            elif item.kind == "words":
                filled[item.name] = plans.Literal(item.given)
            else:
                raise KeyError(item.label)
        return substituted(self.plan, filled)

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "request": self.request,
            "inputs": [item.to_json() for item in self.inputs],
            "plan": self.plan.to_json(),
        }

    def to_text(self) -> str:
        """The JSON as text, the same for the same recipe."""
        return json.dumps(self.to_json(), separators=(",", ":"))


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


_SCRIPT = '''"""{title}

Made by ControlLLM. Run it with the files to work on, {files} each time:

    python {name} {usage} --out results
"""

import argparse
import sys
from pathlib import Path

from controlllm.recipes import recipe_from
from controlllm.recipes.running import run_recipe
from controlllm.resources import BadInput
from controlllm.toolbox import Toolbox

RECIPE = {recipe}


def main() -> int:
    parser = argparse.ArgumentParser(description=RECIPE["name"])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("results"))
    options = parser.parse_args()
    toolbox = Toolbox.load()
    recipe = recipe_from(RECIPE, toolbox)
    many, failed = len(recipe.files), 0
    for start in range(0, len(options.files), many):
        files = options.files[start : start + many]
        try:
            made = run_recipe(recipe, files, toolbox, options.out / files[0].stem)
            print(files[0].name, "->", ", ".join(resource.value for resource in made))
        except BadInput as problem:
            failed += 1
            print(files[0].name, "failed:", problem, file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
'''


def as_script(recipe: Recipe, file_name: str = "recipe.py") -> str:
    """The source of a script that does what a recipe does, for every file that it is given."""
    labels = [item.label for item in recipe.files]
    return _SCRIPT.format(
        title=_plain(recipe.name),
        files=" and ".join(f"one {label}" for label in labels) or "none",
        name=file_name,
        usage=" ".join(label.replace(" ", "-").upper() for label in labels),
        recipe=pformat(recipe.to_json(), width=96, sort_dicts=False),
    )


def _plain(text: str) -> str:
    """A text that can stand in a docstring, whatever is in it."""
    line = " ".join(text.split())
    return "".join(letter for letter in line if letter.isprintable() and letter not in '"\\')
