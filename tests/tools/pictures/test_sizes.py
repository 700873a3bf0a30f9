"""Pictures in another size, and cut to a shape or a part."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest

from controlllm.toolbox import ToolError
from controlllm.values import values_in
from tests.every_case import every_case
from tools.pictures.sizes import crop_to_shape, resize_image


def _quarters(width: int = 400, height: int = 300, mode: str = "RGB") -> PIL.Image.Image:
    """Red, green, blue and yellow, from the top left to the bottom right."""
    picture = PIL.Image.new("RGB", (width, height), "red")
    draw = PIL.ImageDraw.Draw(picture)
    draw.rectangle((width // 2, 0, width, height // 2 - 1), "lime")
    draw.rectangle((0, height // 2, width // 2 - 1, height), "blue")
    draw.rectangle((width // 2, height // 2, width, height), "yellow")
    return picture.convert(mode)


def _at(picture: PIL.Image.Image, across: float, down: float) -> tuple[int, ...]:
    place = round(across * (picture.width - 1)), round(down * (picture.height - 1))
    return picture.getpixel(place)


# --- resizing ---


@every_case(
    ("size", "expected"),
    [
        ("800x", (800, 600)),
        ("x600", (800, 600)),
        ("max1000", (1000, 750)),
        ("min150", (200, 150)),
        ("50%", (200, 150)),
        ("200%", (800, 600)),
        ("10x15cm", (1772, 1181)),
        ("a4", (3508, 2480)),
        ("640x480", (640, 480)),
    ],
)
def test_a_size_is_what_was_said(size: str, expected: tuple[int, int]) -> None:
    result = resize_image(_quarters(), size=size)
    assert result.size == expected
    assert _at(result, 0.2, 0.2) == (255, 0, 0) and _at(result, 0.8, 0.2) == (0, 255, 0)
    assert _at(result, 0.2, 0.8) == (0, 0, 255) and _at(result, 0.8, 0.8) == (255, 255, 0)


def test_print_sizes_follow_their_resolution() -> None:
    assert resize_image(_quarters(), size="10x15cm", dpi=150).size == (886, 591)


def _circle(width: int, height: int) -> PIL.Image.Image:
    picture = PIL.Image.new("RGB", (width, height), "navy")
    middle, reach = (width / 2, height / 2), 0.35 * min(width, height)
    box = (middle[0] - reach, middle[1] - reach, middle[0] + reach, middle[1] + reach)
    PIL.ImageDraw.Draw(picture).ellipse(box, "white")
    return picture


def _extent(picture: PIL.Image.Image) -> tuple[int, int]:
    white = np.asarray(picture.convert("RGB"))[..., 0] > 128
    return int(white.any(axis=0).sum()), int(white.any(axis=1).sum())


def test_filling_and_padding_keep_what_is_round_round_and_stretching_does_not() -> None:
    picture = _circle(400, 300)
    filled = resize_image(picture, size="300x300", how="fill")
    padded = resize_image(picture, size="300x300", how="pad", colour="#000000")
    stretched = resize_image(picture, size="300x300", how="stretch")
    assert filled.size == padded.size == stretched.size == (300, 300)
    wide, tall = _extent(filled)
    assert abs(wide - tall) <= 2 and abs(wide - 210) <= 3
    wide, tall = _extent(padded)
    assert abs(wide - tall) <= 2 and abs(wide - 157) <= 3
    assert padded.getpixel((150, 5)) == (0, 0, 0) and padded.getpixel((2, 150)) == (0, 0, 128)
    wide, tall = _extent(stretched)
    assert tall > 1.25 * wide


def test_where_no_way_is_said_little_is_cut_off_and_never_much() -> None:
    a_little = resize_image(_quarters(300, 200), size="400x300")
    assert a_little.size == (400, 300) and a_little.getpixel((0, 0)) == (255, 0, 0)
    much = resize_image(_quarters(300, 100), size="300x300")
    assert much.size == (300, 300)
    assert much.getpixel((150, 10)) == (255, 255, 255) and much.getpixel((5, 110)) == (255, 0, 0)
    clear = resize_image(_quarters(300, 100, "RGBA"), size="300x300")
    assert clear.getpixel((150, 10))[3] == 0 and clear.getpixel((5, 110)) == (255, 0, 0, 255)


def test_a_fine_pattern_becomes_grey_and_no_other_pattern() -> None:
    rows, columns = np.mgrid[:1500, :2000]
    fine = PIL.Image.fromarray((((rows + columns) % 2) * 255).astype(np.uint8))
    small = np.asarray(resize_image(fine, size="max200"), int)
    assert small.shape == (150, 200) and np.abs(small - 127).max() <= 3


def test_what_is_clear_has_no_part_in_the_colours_beside_it() -> None:
    picture = PIL.Image.new("RGBA", (200, 200), (0, 255, 0, 0))
    picture.paste((200, 0, 0, 255), (100, 0, 200, 200))
    small = np.asarray(resize_image(picture, size="25%"))
    seen = small[small[..., 3] > 20]
    assert len(seen) and (seen[:, 1] < 40).all()


@every_case(("size", "told"), [("", "Which size"), ("0%", "no size"), ("900000x", "too large")])
def test_what_is_no_size_is_said(size: str, told: str) -> None:
    with pytest.raises(ToolError, match=told):
        resize_image(_quarters(), size=size)


# --- cropping ---


def test_a_shape_is_cut_out_of_the_middle_or_where_it_was_said() -> None:
    picture = _quarters()
    square = crop_to_shape(picture, shape="1:1")
    assert square.size == (300, 300)
    assert np.array_equal(np.asarray(square), np.asarray(picture)[:, 50:350])
    left = crop_to_shape(picture, shape="1:1", place="left")
    assert np.array_equal(np.asarray(left), np.asarray(picture)[:, :300])
    upright = crop_to_shape(picture, shape="9:16", place="top right")
    assert upright.size == (169, 300) and upright.getpixel((0, 0)) == (0, 255, 0)
    wide = crop_to_shape(picture, shape="16:9", place="bottom")
    assert np.array_equal(np.asarray(wide), np.asarray(picture)[75:])


@every_case(
    ("part", "rows", "columns"),
    [
        ("left_half", slice(0, 301), slice(0, 201)),
        ("right_half", slice(0, 301), slice(200, 401)),
        ("top_half", slice(0, 151), slice(0, 401)),
        ("bottom_third", slice(201, 301), slice(0, 401)),
        ("top_two_thirds", slice(0, 201), slice(0, 401)),
        ("bottom_left_quarter", slice(150, 301), slice(0, 201)),
        ("middle_third", slice(0, 301), slice(134, 268)),
    ],
)
def test_a_part_stays(part: str, rows: slice, columns: slice) -> None:
    pixels = np.arange(401 * 301).reshape(301, 401) % 251
    picture = PIL.Image.fromarray(pixels.astype(np.uint8))
    assert np.array_equal(np.asarray(crop_to_shape(picture, part=part)), pixels[rows, columns])


@every_case(
    ("edge", "place", "box"),
    [
        ("40px", "", (40, 40, 360, 260)),
        ("10%", "", (40, 30, 360, 270)),
        ("100px top", "", (0, 100, 400, 300)),
        ("20px left right", "", (20, 0, 380, 300)),
        ("100px top,20px bottom", "", (0, 100, 400, 280)),
        ("50", "bottom", (0, 0, 400, 250)),
    ],
)
def test_edges_are_cut_off(edge: str, place: str, box: tuple[int, int, int, int]) -> None:
    picture = PIL.Image.effect_noise((400, 300), 60)
    result = crop_to_shape(picture, edge=edge, place=place)
    assert np.array_equal(np.asarray(result), np.asarray(picture.crop(box)))


def test_a_size_for_print_or_a_form_is_cut_and_scaled() -> None:
    passport = crop_to_shape(_quarters(), shape="35:45", size="35x45mm", place="centre")
    assert passport.size == (413, 531)
    assert _at(passport, 0.1, 0.1) == (255, 0, 0) and _at(passport, 0.9, 0.9) == (255, 255, 0)
    form = crop_to_shape(_circle(800, 600), size="300x300")
    wide, tall = _extent(form)
    assert form.size == (300, 300) and abs(wide - tall) <= 2 and abs(wide - 210) <= 3


def test_pixels_are_cut_out_where_a_place_is_said() -> None:
    picture = _quarters()
    result = crop_to_shape(picture, size="100x80", place="bottom right")
    assert np.array_equal(np.asarray(result), np.asarray(picture)[220:, 300:])
    assert crop_to_shape(picture, size="150x", place="left").size == (150, 300)
    assert crop_to_shape(picture, size="50%").size == (200, 150)


@every_case(
    ("settings", "told"),
    [
        ({}, "Which part"),
        ({"edge": "200px"}, "Nothing would be left"),
        ({"size": "900x"}, "cannot be cut out"),
        ({"part": "inner_half"}, "no part"),
        ({"shape": "wide"}, "no shape"),
    ],
)
def test_what_cannot_be_cropped_is_said(settings: dict, told: str) -> None:
    with pytest.raises(ToolError, match=told):
        crop_to_shape(_quarters(), **settings)


def test_a_blurred_copy_instead_of_bars() -> None:
    picture = PIL.Image.new("RGB", (100, 200), (200, 40, 40))
    kinds = {item.name: item.kind for item in resize_image.tool.parameters if item.kind}
    said = values_in("400x200 with a blurred background at the sides", kinds)
    made = resize_image(picture, **said)
    assert made.size == (400, 200)
    red, green, _ = made.getpixel((20, 100))  # type: ignore[misc]
    assert 110 < red < 190 and green < 60 and made.getpixel((200, 100)) == (200, 40, 40)
