"""A recipe is run on real files, from Python and by the script that it is exported as."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import PIL.Image
import pytest

from controlllm.core.plans import Literal, Reference
from controlllm.layout import ASSETS
from controlllm.recipes import recipe_of
from controlllm.recipes.recipe import as_script
from controlllm.recipes.running import run_recipe
from controlllm.resources import BadInput
from controlllm.toolbox import Toolbox
from tests.every_case import every_case
from tests.recipes.made import part, pointed_turn, session_of, turn_of, value_of

PHOTO = ASSETS / "examples" / "chelsea.jpg"


def halves():
    """The upper half of a picture, then its left half."""
    turn = turn_of(
        part(0, "image_crop_top", {"image": Reference("my dog.jpg")}, "image"),
        part(1, "image_crop_left", {"image": Reference("<GEN>-0")}, "image"),
    )
    return recipe_of(session_of(turn), turn, 'Quarters: """ \\', value_of)


def test_a_recipe_makes_its_results(tmp_path):
    made = run_recipe(halves(), [PHOTO], out=tmp_path)
    with PIL.Image.open(PHOTO) as photo, PIL.Image.open(tmp_path / made[-1].value) as quarter:
        assert quarter.size == ((photo.width + 1) // 2, (photo.height + 1) // 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(item.value for item in made)


def test_a_place_lies_where_it_was_and_words_can_be_others(tmp_path):
    toolbox, turn = Toolbox.load(), pointed_turn()
    pointed = recipe_of(session_of(turn), turn, "Cut out", value_of)
    assert run_recipe(pointed, [PHOTO], toolbox)[-1].type == "image"
    words = {"image": Reference("my dog.jpg"), "prompt": Literal("make it black and white")}
    turn = turn_of(part(0, "text_image_editing", words, "image"))
    worded = recipe_of(session_of(turn), turn, "Edit", value_of, ["make it black and white"])
    label = worded.of_kind("words")[0].label
    usual = run_recipe(worded, [PHOTO], toolbox)
    said = run_recipe(worded, [PHOTO], toolbox, words={label: "make it brighter"})
    assert usual[0].digest != said[0].digest
    with pytest.raises(BadInput, match="no words called 'mood'"):
        run_recipe(worded, [PHOTO], toolbox, words={"mood": "x"})


@every_case(
    ("files", "words"),
    [([], "takes 1 files"), (["gone.jpg"], "no file gone.jpg"), ([__file__], "works on a picture")],
)
def test_files_that_cannot_be_used_are_told(files, words):
    with pytest.raises(BadInput, match=words):
        run_recipe(halves(), files, Toolbox.load())


@pytest.mark.long
def test_the_exported_script_runs(tmp_path):
    script = tmp_path / "quarters.py"
    script.write_text(as_script(halves(), script.name))
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff no picture")
    command = [sys.executable, script, PHOTO, broken, "--out", tmp_path / "made"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    ran = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, cwd=tmp_path, env=environment
    )
    assert ran.returncode == 1, ran.stderr
    assert "chelsea.jpg -> " in ran.stdout and "broken.jpg failed: " in ran.stderr
    assert len(list((tmp_path / "made" / "chelsea").glob("*.png"))) == 2
