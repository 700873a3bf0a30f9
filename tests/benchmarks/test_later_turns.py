"""Turns of conversations are planned with what came before them, and judged in parts."""

from __future__ import annotations

from benchmarks.later_turns import planned_turns

FIRST = {"request": "make it brighter", "results": ["image"], "names": ["image_2"]}
MIRRORED = {"request": "now mirror it", "results": ["image"], "names": ["image_3"]}
ROWS = [
    {
        "request": "make it brighter",
        "files": ["image"],
        "wishes": [{"says": ["brighter"], "tools": ["adjust_image"], "on": ["image_1"]}],
    },
    {
        "request": "now mirror it",
        "files": ["image", "image"],
        "earlier": [FIRST],
        "wishes": [{"says": ["mirror it"], "tools": ["flip_image"], "on": ["image_2"]}],
    },
    {
        "request": "undo that",
        "files": ["image", "image", "image"],
        "earlier": [FIRST, MIRRORED],
        "wishes": [],
    },
    {
        "request": "mirror image_1.jpg",
        "files": ["image", "image", "image"],
        "earlier": [FIRST, MIRRORED],
        "wishes": [{"says": ["mirror"], "tools": ["flip_image"], "on": ["image_2"]}],
    },
]


def test_a_turn_is_planned_on_what_the_turns_before_made(own_planner):
    found = list(planned_turns(ROWS, own_planner))
    assert [item.turns_before for item in found] == [0, 1, 2, 2]
    assert found[1].read == ("image_2.jpg",)
    assert found[1].tools == ("flip_image",)
    assert [item.is_right for item in found[1:]] == [True, True, False]
    # Of the last the tool is right, and the file is not the one that is written.
    assert found[3].has_tools and not found[3].has_files
    assert found[2].tools == ()
