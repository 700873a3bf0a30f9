"""What a request that goes on may be about."""

from __future__ import annotations

import pytest

from controlllm.core.lineage import Lineage, Made
from controlllm.planning.follow_ups import (
    is_named,
    narrowed,
    offered,
    spoken_of_again,
)
from controlllm.resources import Resource

FILES = (
    Resource("image", "cat.jpg"),
    Resource("image", "dog.jpg"),
    Resource("mask", "dog mask.png", origin="made"),
    Resource("image", "dog blurred.png", origin="made"),
    Resource("text", "dog answer.txt", origin="made"),
)
NOW = Lineage(
    {
        value: Made(value, kind, 0, "0.0.0", "change", ("dog.jpg",), "change it")
        for value, kind in (("dog mask.png", "mask"), ("dog blurred.png", "image"))
    },
    ("dog blurred.png",),
    frozenset({"dog mask.png"}),
)
SPOKEN = ("dog blurred.png",)


def values(resources: tuple[Resource, ...]) -> list[str]:
    return [item.value for item in resources]


def test_what_was_made_on_the_way_is_offered_only_by_its_name():
    assert "dog mask.png" not in values(offered(FILES, NOW, (), "mirror it"))
    assert "dog mask.png" in values(offered(FILES, NOW, (), "mirror dog mask.png"))
    assert "dog mask.png" in values(offered(FILES, NOW, ("dog mask.png",), "mirror it"))
    assert is_named("photo_1.jpg", "blur photo_1") and not is_named("cat.jpg", "blur the cat")


@pytest.mark.parametrize(
    "text",
    [
        "Make it brighter.", "now mirror it", "what is he holding?", "Is it day or night?",
        "blur the picture", "how many people are there?", "a bit darker please", "describe this",
        "who is on the left?", "that's too dark for me, make it brighter",
    ],
)  # fmt: skip
def test_it_is_what_was_spoken_of_last(text):
    assert spoken_of_again(text, FILES, SPOKEN, NOW) == SPOKEN


@pytest.mark.parametrize(
    "text",
    [
        "blur cat.jpg", "mirror the other one", "make both brighter", "blur the first picture",
        "write a poem about spring", "What is the capital of France?", "remove the original noise",
        "write a poem and read it aloud", "read https://example.org and sum it up",
    ],
)  # fmt: skip
def test_what_names_another_thing_is_left_to_the_planner(text):
    assert spoken_of_again(text, FILES, SPOKEN, NOW) == ()


def test_them_are_all_where_files_are_put_together():
    found = spoken_of_again("put them side by side", FILES, SPOKEN, NOW)
    assert found == ("cat.jpg", "dog blurred.png")


def test_other_files_of_the_kind_do_not_stand_beside_what_is_spoken_of():
    assert values(narrowed(FILES, SPOKEN, "mirror it")) == ["dog mask.png", "dog blurred.png"]
    # An answer in words only where words are asked for.
    assert "dog answer.txt" in values(narrowed(FILES, SPOKEN, "translate it"))
