"""What a language model is told of a toolbox's types and fields."""

from __future__ import annotations

from tests.every_case import every_case
from tests.language.conftest import kinds_of

KINDS = kinds_of(
    ("count", "seeing", ["image"], "text"),
    ("cut", "editing", ["image", "text", "mask"], "image"),
    ("fetch", "web", ["url"], "segmentation"),
)


def test_only_types_of_this_toolbox_are_told_each_with_its_meaning():
    lines = KINDS.types_explained(["audio"]).splitlines()
    assert [line.split(" ")[1].strip(":") for line in lines] == [
        "text", "image", "segmentation", "mask", "url", "audio",
    ]  # fmt: skip
    assert "pixel by pixel" in lines[3]
    assert lines[3].endswith("no tool here makes it")
    assert all(len(line.split(": ", 1)[1]) > 10 for line in lines)


def test_fields_are_told_by_what_their_tools_take_and_make():
    assert KINDS.domains_explained().splitlines() == [
        "- seeing: count(image) -> text",
        "- editing: cut(image, the_text, mask) -> image",
        "- web: fetch(url) -> segmentation",
    ]


def test_of_very_many_tools_some_are_told():
    many = kinds_of(*((f"tool{n:03}", "all", ["image"], "image") for n in range(200)))
    assert many.domains_explained().endswith("tool005(image) -> image, and 194 more")


@every_case(
    ("wanted", "made"),
    [("number", "text"), ("text", "text"), ("mask", "image"), ("audio", ""), ("unheard of", "")],
)
def test_the_nearest_type_made_here(wanted, made):
    assert KINDS.nearest(wanted) == made


def test_an_address_has_a_type_where_tools_take_it():
    assert KINDS.address == "url"
    assert kinds_of(("count", "seeing", ["image"], "text")).address == ""
