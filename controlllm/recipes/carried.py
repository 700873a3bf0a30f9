"""The recipe that a file carries, as it is told to whoever has the file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from controlllm.recipes import book, travelling
from controlllm.recipes.reading import recipe_in
from controlllm.runs.sent_plans import BadPlan
from controlllm.toolbox import Toolbox


@dataclass(frozen=True)
class Carried:
    """The recipe that a file carries: its name and its text, or what is wrong with it."""

    name: str = ""
    text: str = ""
    problem: str = ""


def carried_by(path: Path, name: str, toolbox: Toolbox) -> Carried | None:
    """The recipe that a file of this name carries; None where it carries none."""
    text = travelling.read(path, name)
    if text is None:
        return None
    try:
        return Carried(recipe_in(text, toolbox).name, text)
    except BadPlan as problem:
        return Carried(problem=book.told(problem))
