"""Choosing by phrase, counting, and going between boxes and masks."""

from __future__ import annotations

import numpy as np
import pytest

from controlllm.resources import Box, Label, Region
from controlllm.toolbox import Context, Toolbox, Undecided
from tests.every_case import every_case
from tools.general import (
    count_categories,
    count_masks,
    count_objects,
    mask_to_bbox,
    select_bbox,
    select_category,
    select_mask,
)

SCENE = (
    Box(10, 10, 50, 100, "person", 0.9),
    Box(200, 10, 260, 180, "person", 0.8),
    Box(100, 80, 150, 120, "dog", 0.7),
    Box(300, 60, 400, 160, "dog", 0.65),
    Box(0, 0, 10, 10, "hot dog", 0.5),
    Box(420, 0, 470, 60, "teddy bear", 0.6),
    Box(150, 50, 380, 150, "car", 0.9),
    Box(255, 100, 330, 200, "horse", 0.5),
    Box(5, 100, 25, 140, "cat", 0.4),
)


@every_case(
    ("condition", "expected"),
    [
        ("the dog", [3]),
        ("dogs", [2, 3]),
        ("every dog", [2, 3]),
        ("both dogs", [2, 3]),
        ("puppy", [3]),
        ("the brown dog on the left", [2]),
        ("the dog on the right side of the image", [3]),
        ("largest", [6]),
        ("the smallest object", [4]),
        ("second from the right", [3]),
        ("the second dog from the left", [3]),
        ("the last person", [1]),
        ("hot dog", [4]),
        ("the bear", []),
        ("the bus", []),
        ("the man next to the horse", [1]),
        ("woman left of the car", [1]),
        ("the dog closest to the cat", [2]),
        ("animals", [2, 3, 7, 8]),
        ("the two largest animals", [3, 7]),
        ("the man and the dog", [1, 3]),
        ("dogs and the cat", [2, 3, 8]),
        ("everything except the dogs", [0, 1, 4, 5, 6, 7, 8]),
        ("dogs with a confidence over 68%", [2]),
        ("people on the left", [0, 1]),
        ("people on the right", []),
        ("the dog with the red collar", [3]),
        ("everything", list(range(9))),
        ("", list(range(9))),
    ],
)
def test_select_bbox(condition: str, expected: list[int]) -> None:
    chosen = select_bbox(SCENE, condition)
    assert sorted(SCENE.index(box) for box in chosen) == expected


def test_boxes_without_names_are_chosen_by_place() -> None:
    boxes = (Box(0, 0, 10, 10), Box(50, 0, 60, 10))
    assert select_bbox(boxes, "the dog on the right") == boxes[1:]
    assert select_bbox((), "the dog") == ()


def _disc(x: int, y: int, radius: int, label: str) -> Region:
    rows, columns = np.ogrid[:100, :200]
    return Region((rows - y) ** 2 + (columns - x) ** 2 < radius**2, label, 0.8)


def test_select_mask_goes_by_its_pixels() -> None:
    masks = (_disc(40, 50, 20, "zebra"), _disc(100, 50, 30, "zebra"), _disc(170, 50, 10, "zebra"))
    assert select_mask(masks, "the zebra in the middle") == masks[1:2]
    assert select_mask(masks, "the smallest zebra") == masks[2:]
    assert select_mask(masks, "all zebras") == masks
    assert select_mask(masks, "the cat") == ()
    assert select_mask((Region(np.zeros((5, 5), bool)),), "the cat") == ()


def test_select_category() -> None:
    labels = (Label("tabby cat", 0.2), Label("golden retriever", 0.6), Label("truck", 0.1))
    assert select_category(labels, "the most likely") == labels[1:2]
    assert select_category(labels, "animals") == labels[:2]
    assert select_category(labels, "anything above 15 %") == labels[:2]
    assert select_category(labels, "vehicle") == labels[2:]
    assert select_category(labels, "the two best") == (labels[1], labels[0])


def test_names_that_others_use() -> None:
    toolbox = Toolbox.of([select_bbox, count_objects])
    assert toolbox["select_object"] is select_bbox.tool
    assert toolbox["count"] is count_objects.tool


def test_counts() -> None:
    assert count_objects(SCENE) == 9
    assert count_objects(()) == 0
    assert count_masks((_disc(9, 9, 5, ""), Region(np.zeros((100, 200), bool)))) == 1
    assert count_categories((Label("Dog"), Label("dog"), Label("cat"))) == 2


def test_boxes_of_masks() -> None:
    (box,) = mask_to_bbox((_disc(40, 50, 20, "zebra"), Region(np.zeros((5, 5), bool))))
    assert (box.left, box.top, box.right, box.bottom) == (21, 31, 60, 70)
    assert (box.label, box.score) == ("zebra", 0.8)


def test_several_that_fit_as_well_are_asked_about():
    dogs = (Box(0, 0, 10, 10, "dog", 0.9), Box(20, 0, 29, 10, "dog", 0.85))
    small = Box(40, 0, 43, 3, "dog", 0.9)
    unsure = Box(50, 0, 60, 10, "dog", 0.4)
    boxes = (*dogs, small, unsure, Box(70, 0, 90, 20, "cat", 0.9))
    for phrase, wanted in (
        ("the dog", dogs[1:]),
        ("my dog", dogs[1:]),
        ("the cat", boxes[-1:]),
        ("a dog", dogs[:1]),
        ("the dog on the left", dogs[:1]),
        ("the second dog", dogs[1:]),
    ):
        assert select_bbox(boxes, phrase, context=Context(chosen=(1,))) == wanted, phrase
    with pytest.raises(Undecided) as asked:
        select_bbox(boxes, "the dog", context=Context(chosen=()))
    assert asked.value.boxes == dogs and asked.value.thing == "the dog"
    assert len(select_bbox(boxes, "the dogs", context=Context(chosen=()))) == 4
