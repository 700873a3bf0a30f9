"""What a file is taken for, and what a batch asks for before it begins."""

from __future__ import annotations

import pytest

from controlllm.recipes import recipe_of
from controlllm.recipes.book import Carried
from controlllm.recipes.recipe import MOST_CHARACTERS
from controlllm.resources import BadInput
from controlllm.ui.drawings.recipes_view import carried_notice
from controlllm.ui.verbs.recipes import needs_of, recipe_text
from tests.recipes.made import pointed_turn, session_of, value_of, worded_turn


def recipe(turn, words=()):
    return recipe_of(session_of(turn), turn, "Mine", value_of, words)


def test_only_a_recipe_in_json_is_one(tmp_path):
    kept = tmp_path / "mine.json"
    kept.write_text(recipe(pointed_turn()).to_text())
    assert recipe_text(kept) == kept.read_text()
    for name, text in (("plain.json", '{"a": 1}'), ("mine.txt", kept.read_text())):
        (tmp_path / name).write_text(text)
        assert recipe_text(tmp_path / name) is None
    kept.write_text('{"format": "controlllm-recipe"}' + " " * MOST_CHARACTERS)
    with pytest.raises(BadInput, match="too long"):
        recipe_text(kept)


def test_a_batch_asks_for_what_its_recipe_needs():
    places = needs_of(recipe(pointed_turn()))
    assert places["each"] == "Files: each picture" and places["others"] == []
    assert [value for _, value in places["places"]] == ["same", "anew"]
    assert places["place"] == "same"
    words = needs_of(recipe(worded_turn("blur it"), ("blur it",)))
    assert [item["given"] for item in words["words"]] == ["blur it"]
    assert words["places"] == []


def test_what_a_file_says_of_its_plan_is_text():
    drawn = carried_notice({"<b>.png": Carried("<i>"), "b.png": Carried(problem="<script>")})
    assert "<b>" not in drawn and "<i>" not in drawn and "<script>" not in drawn
    assert drawn.count("use-carried") == 1
