"""A recipe as a Python script that runs it."""

from __future__ import annotations

from pprint import pformat

from controlllm.recipes.recipe import Recipe

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
