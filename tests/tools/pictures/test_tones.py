"""Pictures in grey, in the opposite colours, and in the tone of one colour."""

from __future__ import annotations

import numpy as np
import PIL.Image
import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.pictures.tones import grayscale_image, invert_colors, tint_image

PIXELS = np.random.default_rng(4).integers(0, 256, (40, 60, 4), dtype=np.uint8)


def _light(pixels: np.ndarray) -> np.ndarray:
    return pixels[..., :3].astype(float) @ (0.299, 0.587, 0.114)


@every_case("level", [0, 60, 128, 180, 255])
def test_an_even_grey_stays_as_light_as_it_is(level: int) -> None:
    for mode in ("L", "RGB"):
        picture = PIL.Image.new("RGB", (8, 8), (level,) * 3).convert(mode)
        assert np.asarray(grayscale_image(picture).convert("L")).tolist() == [[level] * 8] * 8


def test_colours_become_the_grey_that_is_as_light() -> None:
    grey = np.asarray(grayscale_image(PIL.Image.fromarray(PIXELS[..., :3])).convert("RGB"), int)
    assert (grey[..., 0] == grey[..., 1]).all() and (grey[..., 0] == grey[..., 2]).all()
    assert np.abs(grey[..., 0] - _light(PIXELS)).max() <= 1


def test_grey_keeps_what_is_clear() -> None:
    grey = np.asarray(grayscale_image(PIL.Image.fromarray(PIXELS)), int)
    assert (grey[..., 3] == PIXELS[..., 3]).all()
    assert (grey[..., 0] == grey[..., 1]).all() and (grey[..., 0] == grey[..., 2]).all()
    assert np.abs(grey[..., 0] - _light(PIXELS)).max() <= 1


@every_case("channels", [0, 3, 4])
def test_a_negative_is_the_opposite_and_keeps_what_is_clear(channels: int) -> None:
    pixels = PIXELS[..., 0] if not channels else PIXELS[..., :channels]
    result = np.asarray(invert_colors(PIL.Image.fromarray(pixels)))
    expected = 255 - pixels
    if channels == 4:
        expected[..., 3] = pixels[..., 3]
    assert np.array_equal(result, expected)


def test_sepia_is_brown_from_black_to_white() -> None:
    levels = PIL.Image.fromarray(np.arange(256, dtype=np.uint8)[None])
    red, green, blue = np.asarray(tint_image(levels, style="sepia"), int)[0].T
    assert (red >= green).all() and (green >= blue).all()
    assert red[128] - blue[128] > 50
    assert red[0] == blue[0] == 0 and red[255] == blue[255] == 255
    assert (np.diff(red + green + blue) >= 0).all()


def test_a_tint_moves_colours_towards_its_own_by_its_strength() -> None:
    grey = PIL.Image.new("RGB", (4, 4), (128, 128, 128))
    blues = []
    for strength in (10.0, 0.0, 100.0):
        red, green, blue = tint_image(grey, colour="#0000ff", strength=strength).getpixel((0, 0))
        assert blue > red == green
        blues.append(blue - red)
    assert blues[0] < blues[1] < blues[2]
    own = tint_image(PIL.Image.new("L", (4, 4), 128), colour="#ff0000", strength=50.0)
    assert own.mode == "RGB" and own.getpixel((0, 0))[0] > own.getpixel((0, 0))[1]


def test_a_full_tint_leaves_no_other_colour() -> None:
    result = np.asarray(tint_image(PIL.Image.fromarray(PIXELS), colour="#1b4f8a", strength=100.0))
    assert (result[..., 3] == PIXELS[..., 3]).all()
    red, green, blue = (result[..., index].astype(int) for index in range(3))
    assert (blue >= green).all() and (green >= red).all()


def test_no_colour_is_asked_for() -> None:
    with pytest.raises(ToolError, match="Which colour"):
        tint_image(PIL.Image.fromarray(PIXELS))
    with pytest.raises(ToolError, match="not a colour"):
        tint_image(PIL.Image.fromarray(PIXELS), colour="mauvish")
