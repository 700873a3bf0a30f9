"""The command line's ``recipe``: what was kept in the page, or exported from it, put to files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from controlllm.cli.options import HOME, command, flag, group, option
from controlllm.recipes import Recipe, recipe_in
from controlllm.recipes.book import KeptRecipe, kept_here, told
from controlllm.recipes.recipe import as_script
from controlllm.recipes.running import run_recipe
from controlllm.recipes.travelling import read
from controlllm.resources import BadInput
from controlllm.runs.sent_plans import BadPlan
from controlllm.sources.loading import load_toolbox
from controlllm.store import Backends, Store
from controlllm.toolbox import Toolbox


def add_recipe_command(commands: Any) -> None:
    """Register ``recipe`` with the sub-commands of a parser."""
    actions = group(commands, "recipe", "list the kept recipes, run one on many files")
    command(actions, "list", _list, "list the recipes that are kept here", HOME)
    words = "its name; or a file: exported JSON, or a result with it"
    command(
        actions,
        "run",
        _run,
        "do with each file what a recipe does",
        option("recipe", metavar="RECIPE", help=words),
        option("files", nargs="*", type=Path, help="what to work on, one after the other"),
        option("--out", type=Path, required=True, help="a folder for the results"),
        option(
            "--with",
            dest="others",
            action="append",
            type=Path,
            default=[],
            metavar="FILE",
            help="the second file that the recipe works on, the third, …: the same each time",
        ),
        option(
            "--say",
            action="append",
            default=[],
            metavar="LABEL=WORDS",
            help="what the recipe's words of this label are this time",
        ),
        HOME,
    )
    named = option("recipe", metavar="RECIPE", help="its name, or a file that holds it")
    python = flag("--python", "as a script that runs it")
    words = "print a recipe as JSON or as a Python script"
    command(actions, "export", _export, words, named, python, HOME)


def _list(options: argparse.Namespace) -> int:
    for kept in _kept(options, load_toolbox((), options.home)):
        if kept.recipe is None:
            print(f"{kept.name}: cannot run here. {kept.problem}")
        else:
            print(f"{kept.name} ({_takes(kept.recipe)}): {' -> '.join(kept.recipe.tools)}")
    return 0


def _run(options: argparse.Namespace) -> int:
    toolbox = load_toolbox((), options.home)
    recipe = _found(options, toolbox)
    if not options.files:
        raise BadInput(f"Name the files that it works on ({_takes(recipe)}).")
    words = dict(pair.partition("=")[::2] for pair in options.say)
    failed, places = 0, _places(options.files, options.out)
    for number, (path, place) in enumerate(zip(options.files, places, strict=True), 1):
        try:
            made = run_recipe(recipe, [path, *options.others], toolbox, place, words)
            names = ", ".join(str(place / item.value) for item in made)
            print(f"{number} of {len(options.files)}: {path.name} -> {names}", flush=True)
        except BadInput as problem:
            failed += 1
            said = f"{number} of {len(options.files)}: {path.name} failed: {problem}"
            print(said, file=sys.stderr, flush=True)
    if failed:
        print(f"{failed} of {len(options.files)} failed.", file=sys.stderr)
    return 1 if failed else 0


def _export(options: argparse.Namespace) -> int:
    recipe = _found(options, load_toolbox((), options.home))
    print(as_script(recipe) if options.python else recipe.to_text())
    return 0


def _places(files: list[Path], out: Path) -> list[Path]:
    """A folder for the results of each file, called after it."""
    places: list[Path] = []
    for path in files:
        place, number = out / path.stem, 2
        while place in places:
            place, number = out / f"{path.stem}-{number}", number + 1
        places.append(place)
    return places


def _takes(recipe: Recipe) -> str:
    return ", ".join(item.label for item in recipe.files) or "no files"


def _kept(options: argparse.Namespace, toolbox: Toolbox) -> list[KeptRecipe]:
    if not options.home.is_dir():
        return []
    store = Store(options.home, tidies=False, backends=Backends.from_environment())
    try:
        return kept_here(store.shelf, toolbox)
    finally:
        store.close()


def _found(options: argparse.Namespace, toolbox: Toolbox) -> Recipe:
    """The recipe of this name, or in this file; raises BadInput where there is none."""
    try:
        path = Path(options.recipe)
        if path.is_file():
            text = read(path)
            return recipe_in(path.read_bytes() if text is None else text, toolbox)
        for kept in _kept(options, toolbox):
            if kept.name.casefold() == options.recipe.casefold():
                if kept.recipe is None:
                    raise BadInput(f"{kept.name} cannot run here. {kept.problem}")
                return kept.recipe
    except BadPlan as problem:
        raise BadInput(told(problem)) from None
    raise BadInput(
        f"There is no recipe called {options.recipe!r}, and no such file. "
        "`recipe list` names those that are kept."
    )
