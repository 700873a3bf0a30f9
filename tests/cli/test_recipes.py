"""Recipes on the command line: those that were kept, and those in files."""

from __future__ import annotations

import pytest

from controlllm.cli.main import main
from controlllm.layout import ASSETS
from controlllm.recipes import book, travelling
from controlllm.store import Store
from tests.recipes.test_running import halves

PHOTO = ASSETS / "examples" / "chelsea.jpg"


@pytest.fixture
def recipe(tmp_path, capsys):
    """Runs ``recipe`` with a home of its own: the status and what was said."""
    home = tmp_path / "home"

    def run(*words, expected=0):
        assert main(["recipe", *map(str, words), "--home", str(home)]) == expected
        said = capsys.readouterr()
        return said.out + said.err

    run.home = home
    return run


@pytest.fixture
def kept(recipe):
    recipe.home.mkdir()
    store = Store(recipe.home)
    book.keep(store.shelf, "somebody", halves().renamed("Quarters"))
    store.close()


def test_kept_recipes_are_listed_and_run_on_many_files(recipe, kept, tmp_path):
    assert recipe("list") == "Quarters (picture): image_crop_top -> image_crop_left\n"
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff no picture")
    said = recipe("run", "quarters", PHOTO, broken, PHOTO, "--out", tmp_path / "out", expected=1)
    assert "1 of 3: chelsea.jpg -> " in said and "2 of 3: broken.jpg failed: " in said
    assert said.endswith("1 of 3 failed.\n")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["chelsea", "chelsea-2"]


def test_a_recipe_is_exported_and_found_in_files(recipe, kept, tmp_path):
    exported, carrier = tmp_path / "quarters.json", tmp_path / "result.jpg"
    exported.write_text(recipe("export", "Quarters"))
    travelling.write(PHOTO, carrier, exported.read_text())
    for file in (exported, carrier):
        assert "1 of 1: chelsea.jpg -> " in recipe("run", file, PHOTO, "--out", tmp_path / "out")
    assert "from controlllm.recipes import" in recipe("export", carrier, "--python")


def test_what_is_no_recipe_is_told(recipe, kept, tmp_path):
    assert "no recipe called 'Thirds'" in recipe("run", "Thirds", PHOTO, "--out", ".", expected=2)
    assert "not written in JSON" in recipe("export", __file__, expected=2)
    assert "Name the files" in recipe("run", "Quarters", "--out", tmp_path, expected=2)
