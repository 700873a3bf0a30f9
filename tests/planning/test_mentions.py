"""Which resources a clause means."""

from __future__ import annotations

from controlllm.planning.mentions import read_mentions
from controlllm.resources import Resource, TypeLattice
from tests.every_case import every_case

FILES = tuple(Resource("image", f"image_{number}.png") for number in (1, 2, 11))


def read(clause, resources=FILES):
    return read_mentions(clause, resources, TypeLattice())


def test_names_are_found_in_order_and_masked():
    mentions = read("Compare image_11.png with image_1.png")
    assert [resource.value for resource, _ in mentions.named] == ["image_11.png", "image_1.png"]
    assert mentions.masked == "Compare <image> with <image>"


def test_a_name_inside_a_longer_name_is_not_meant():
    assert [r.value for r, _ in read("crop image_11.png").named] == ["image_11.png"]


def test_a_name_without_its_ending_is_understood():
    assert [r.value for r, _ in read("crop image_2 please").named] == ["image_2.png"]


@every_case(
    ("clause", "kind"),
    [
        ("With the HED result image_1.png, make a zoo", "hed"),
        ("use the mask image_1.png", "mask"),
        ("given the edge map image_1.png draw a house", "edge"),
        ("the segmentation from image_1.png", "image"),
        ("a mask of image_1.png", "image"),
    ],
)
def test_words_before_a_name_say_its_kind(clause, kind):
    assert read(clause).named[0][1] == kind


@every_case(
    ("clause", "pronoun", "ordinal", "plural", "clicked"),
    [
        ("crop it", True, None, False, False),
        ("describe the second one", False, 1, False, False),
        ("describe the last photo", False, -1, False, False),
        ("describe both pictures", False, None, True, False),
        ("remove what I clicked", False, None, False, True),
        ("describe the cat", False, None, False, False),
    ],
)
def test_ways_of_speaking(clause, pronoun, ordinal, plural, clicked):
    mentions = read(clause)
    assert (mentions.pronoun, mentions.ordinal, mentions.plural, mentions.clicked) == (
        pronoun,
        ordinal,
        plural,
        clicked,
    )
