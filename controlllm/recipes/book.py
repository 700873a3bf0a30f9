"""The recipes that people keep, on the store's shelf, and the one that a file carries."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from pathlib import Path

from controlllm.recipes import book, travelling
from controlllm.recipes.recipe import Recipe, recipe_in
from controlllm.resources import BadInput
from controlllm.runs.sent_plans import BadPlan
from controlllm.store import Kept, Shelf
from controlllm.toolbox import Toolbox

KIND = "recipe"
#: So many are kept for one person.
MOST_RECIPES = 200


@dataclass(frozen=True)
class KeptRecipe:
    """A recipe that is kept; `recipe` is None, and `problem` says why, where it cannot be run with
    the tools that are here now."""

    id: str
    owner: str
    name: str
    recipe: Recipe | None
    problem: str = ""


def keep(shelf: Shelf, owner: str, recipe: Recipe) -> str:
    """Keep a recipe for its owner (`controlllm.store.owners`); its id. Raises BadInput where they
    have as many as there may be."""
    if len(shelf.of(owner, KIND)) >= MOST_RECIPES:
        raise BadInput(f"You have {MOST_RECIPES} recipes, the most that are kept. Delete one.")
    made = secrets.token_hex(8)
    shelf.put(made, KIND, owner, recipe.to_text())
    return made


def rename(shelf: Shelf, kept: KeptRecipe, name: str) -> None:
    """Give a kept recipe another name."""
    sent = json.loads(shelf.find(kept.id).content)
    shelf.put(kept.id, KIND, kept.owner, json.dumps({**sent, "name": name.strip()[:100]}))


def kept_by(shelf: Shelf, owner: str, toolbox: Toolbox) -> list[KeptRecipe]:
    """An owner's recipes, the newest first."""
    return [_read(item, toolbox) for item in shelf.of(owner, KIND)]


def kept_here(shelf: Shelf, toolbox: Toolbox) -> list[KeptRecipe]:
    """Everybody's recipes, the newest first: for whoever sits at the machine."""
    return [_read(item, toolbox) for item in shelf.every(KIND)]


def find(shelf: Shelf, owner: str, id: str, toolbox: Toolbox) -> KeptRecipe:
    """One of an owner's recipes; raises KeyError where they have none of this id."""
    kept = shelf.find(id)
    if kept.kind != KIND or kept.owner != owner:
        raise KeyError(id)
    return _read(kept, toolbox)


def _read(kept: Kept, toolbox: Toolbox) -> KeptRecipe:
    try:
        recipe = recipe_in(kept.content, toolbox)
    except BadPlan as problem:
        name = str(json.loads(kept.content).get("name", ""))
        return KeptRecipe(kept.id, kept.owner, name, None, told(problem))
    return KeptRecipe(kept.id, kept.owner, recipe.name, recipe)


def told(problem: BadPlan) -> str:
    """What is wrong with a recipe and at which step, in a sentence."""
    return f"Step {problem.node}: {problem}" if problem.node else str(problem)


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
