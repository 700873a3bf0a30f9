"""A recipe: the plan of a request with its open inputs, as plain data; JSON in and out.

The form is versioned and described in docs/experience/recipes.md. Nothing in it tells whose it is,
what the files were called that it was made with, or any secret.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from controlllm.core import plans
from controlllm.core.plans import Plan, Value
from controlllm.core.replaying import substituted

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
