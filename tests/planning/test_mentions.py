"""Which resources a clause means."""

from __future__ import annotations

from controlllm.planning.mentions import read_mentions
from controlllm.resources import Resource
from tests.every_case import every_case

FILES = tuple(Resource("image", f"image_{number}.png") for number in (1, 2, 11))


def read(clause, resources=FILES):
    return read_mentions(clause, resources)


def test_names_are_found_in_order():
    named = read("Compare image_11.png with image_1.png").named
    assert [resource.value for resource in named] == ["image_11.png", "image_1.png"]


def test_a_name_inside_a_longer_name_is_not_meant():
    assert [resource.value for resource in read("crop image_11.png").named] == ["image_11.png"]


def test_a_name_without_its_ending_is_understood():
    assert [resource.value for resource in read("crop image_2 please").named] == ["image_2.png"]


@every_case(
    ("clause", "ordinal"),
    [
        ("crop it", None),
        ("describe the second one", 1),
        ("describe the last photo", -1),
        ("describe picture 3", 2),
        ("describe both pictures", None),
    ],
)
def test_a_place_in_a_row_is_understood(clause, ordinal):
    mentions = read(clause)
    assert mentions.ordinal == ordinal


def test_kinds_are_told_by_their_words():
    assert read("describe the clip and the photo").kinds == {"image", "video"}
