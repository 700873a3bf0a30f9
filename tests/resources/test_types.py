"""The lattice of resource types."""

from __future__ import annotations

from controlllm.resources import FILE_TYPES, PARENTS, TypeLattice, guess_type, plain_name
from tests.every_case import every_case


def test_every_parent_is_a_type():
    assert {parent for parent in PARENTS.values() if parent} <= set(PARENTS)


def test_a_mask_is_an_image_and_not_the_other_way_round():
    lattice = TypeLattice()
    assert lattice.is_a("mask", "image")
    assert lattice.is_a("image", "image")
    assert not lattice.is_a("image", "mask")
    assert not lattice.is_a("mask", "depth")


def test_ancestors_begin_with_the_type_itself():
    assert TypeLattice().ancestors("tags") == ("tags", "text")
    assert TypeLattice().ancestors("unheard-of") == ("unheard-of",)


def test_ancestors_of_a_circle_end():
    lattice = TypeLattice({"hen": "egg", "egg": "hen"})
    assert lattice.ancestors("hen") == ("hen", "egg")


def test_a_catalogue_brings_types_of_its_own():
    lattice = TypeLattice().extended(["image.satellite", "image.satellite.infrared", "parcel"])
    assert lattice.is_a("infrared", "image")
    assert "parcel" in lattice
    assert lattice.ancestors("parcel") == ("parcel",)
    assert "parcel" not in TypeLattice()


def test_known_types_keep_their_parents_in_a_catalogue():
    lattice = TypeLattice().extended(["text.mask"])
    assert lattice.is_a("mask", "image")
    assert not lattice.is_a("mask", "text")


def test_plain_names():
    assert plain_name("image.mask") == "mask"
    assert plain_name("mask") == "mask"


def test_pictures_sound_and_video_are_files():
    assert {"image", "mask", "depth", "audio", "video"} <= FILE_TYPES
    assert not FILE_TYPES & {"text", "point", "bbox", "html", "number"}


@every_case(
    ("name", "expected"),
    [
        ("photo.JPG", "image"),
        ("a.b.mp3", "audio"),
        ("clip.webm", "video"),
        ("notes.md", "text"),
        ("page.html", "html"),
        ("no suffix", "image"),
        ("mask.png", "image"),
    ],
)
def test_a_name_suggests_a_type(name, expected):
    assert guess_type(name) == expected
