"""Borders around pictures, and corners that are rounded."""

from __future__ import annotations

import numpy as np
import PIL.Image
import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.pictures.frames import add_border, round_corners

PICTURE = PIL.Image.new("RGB", (300, 200), (30, 90, 160))


@every_case("mode", ["L", "RGB", "RGBA"])
def test_a_border_has_its_width_and_colour_and_the_picture_lies_in_it(mode: str) -> None:
    picture = PIL.Image.effect_noise((300, 200), 40).convert(mode)
    framed = add_border(picture, width=20, colour="#ff0000")
    assert framed.size == (340, 240) and framed.mode == ("RGBA" if mode == "RGBA" else "RGB")
    for place in ((0, 0), (19, 100), (320, 239), (339, 100)):
        assert framed.getpixel(place)[:3] == (255, 0, 0)
    inside = framed.crop((20, 20, 320, 220))
    assert np.array_equal(np.asarray(inside), np.asarray(picture.convert(framed.mode)))


def test_a_grey_picture_stays_grey_in_a_black_frame() -> None:
    framed = add_border(PIL.Image.new("L", (40, 40), 90), width=3, colour="#000000")
    assert framed.mode == "L" and framed.getpixel((0, 0)) == 0 and framed.getpixel((3, 3)) == 90


def test_what_is_clear_in_a_picture_stays_clear() -> None:
    framed = add_border(PIL.Image.new("RGBA", (40, 40)), width=3, colour="#00ff00")
    assert framed.getpixel((0, 0)) == (0, 255, 0, 255) and framed.getpixel((20, 20))[3] == 0


def test_thin_usual_and_thick() -> None:
    widths = [
        (add_border(PICTURE, thickness=thickness).width - 300) // 2
        for thickness in ("thin", "", "thick")
    ]
    assert 1 <= widths[0] <= 5 < widths[1] <= 15 < widths[2] <= 40


def test_a_border_can_be_seen() -> None:
    assert add_border(PICTURE).getpixel((0, 0)) == (255, 255, 255)
    assert add_border(PIL.Image.new("RGB", (300, 200), "white")).getpixel((0, 0)) == (0, 0, 0)


def test_an_instant_photo_is_wide_below() -> None:
    shown = np.asarray(add_border(PICTURE, style="polaroid"))
    rows, columns = np.nonzero((shown == (30, 90, 160)).all(axis=2))
    above, below = rows.min(), shown.shape[0] - 1 - rows.max()
    left, right = columns.min(), shown.shape[1] - 1 - columns.max()
    assert left == right > 5 and below > 2.5 * above and above >= left
    assert shown[0, 0].min() > 240 and len(rows) == 300 * 200


def test_a_border_that_is_too_wide_is_refused() -> None:
    with pytest.raises(ToolError, match="too large"):
        add_border(PICTURE, width=9000)


# --- corners ---


def _alpha(picture: PIL.Image.Image) -> np.ndarray:
    assert picture.mode == "RGBA"
    return np.asarray(picture.getchannel("A"))


@every_case("mode", ["L", "RGB", "RGBA"])
def test_a_circle_is_one(mode: str) -> None:
    disc = round_corners(PICTURE.convert(mode), shape="circle")
    alpha = _alpha(disc)
    assert disc.size == (200, 200)
    assert abs(alpha.sum() / 255 / (np.pi * 100**2) - 1) < 0.002
    assert np.array_equal(alpha, alpha.T) and np.array_equal(alpha, alpha[::-1])
    assert alpha[0, 0] == alpha[28, 28] == 0 and alpha[100, 0] > 200 and alpha[31, 31] == 255
    assert ((alpha > 0) & (alpha < 255)).sum() > 300  # smooth


def test_corners_are_rounded_by_a_radius_and_the_rest_stays() -> None:
    alpha = _alpha(round_corners(PICTURE, radius=40))
    assert alpha.shape == (200, 300)
    for corner in (alpha, alpha[::-1], alpha[:, ::-1], alpha[::-1, ::-1]):
        assert corner[0, 0] == corner[10, 10] == 0 and corner[13, 13] == 255
        assert corner[0, 40] >= 250 and corner[40, 0] >= 250
    missing = 255 * 300 * 200 - int(alpha.sum())
    assert abs(missing / 255 / ((4 - np.pi) * 40**2) - 1) < 0.01


def test_usual_corners_those_of_an_app_and_an_oval() -> None:
    usual = (_alpha(round_corners(PICTURE)) < 128).sum()
    app = (_alpha(round_corners(PICTURE, shape="app")) < 128).sum()
    oval = _alpha(round_corners(PICTURE, shape="oval"))
    assert 100 < usual < app < (oval < 128).sum()
    assert abs(oval.sum() / 255 / (np.pi * 150 * 100) - 1) < 0.002


def test_what_was_clear_stays_clear() -> None:
    half = PIL.Image.new("RGBA", (100, 100), (9, 9, 9, 128))
    alpha = _alpha(round_corners(half, radius=20))
    assert alpha[0, 0] == 0 and alpha[50, 50] == 128 and alpha.max() == 128
