"""Pictures turned, mirrored and straightened."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest

from controlllm.resources import decode, encode, ingest
from controlllm.toolbox import Context, ToolError
from tests.every_case import every_case
from tools.pictures.embedded.level import tilt
from tools.pictures.turning import flip_image, rotate_image, straighten_image

PIXELS = np.random.default_rng(3).integers(0, 256, (30, 50, 3), dtype=np.uint8)
PICTURE = PIL.Image.fromarray(PIXELS)


@every_case(
    ("angle", "expected"),
    [
        (0.0, np.rot90(PIXELS, -1)),
        (90.0, np.rot90(PIXELS, -1)),
        (-90.0, np.rot90(PIXELS)),
        (270.0, np.rot90(PIXELS)),
        (180.0, PIXELS[::-1, ::-1]),
        (360.0, PIXELS),
    ],
)
def test_quarter_and_half_turns_keep_every_pixel(angle: float, expected: np.ndarray) -> None:
    assert np.array_equal(np.asarray(rotate_image(PICTURE, angle=angle)), expected)


@every_case("media_type", ["JPEG", "PNG"])
def test_what_the_camera_noted_is_not_turned_once_more(tmp_path: Path, media_type: str) -> None:
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    path = tmp_path / "phone"
    PIL.Image.new("RGB", (40, 20), "red").save(path, media_type, exif=exif)
    taken = decode("image", ingest(path, "phone.jpg", tmp_path / "taken").path)
    assert taken.size == (20, 40)
    context = Context()
    same = rotate_image(taken, context=context)
    assert same.size == (20, 40) and context.remarks
    # It is turned where somebody says how far, and what came of it once more.
    assert rotate_image(taken, angle=-90.0).size == (40, 20)
    written = tmp_path / "written"
    written.write_bytes(encode("image", same)[0])
    assert rotate_image(decode("image", written)).size == (40, 20)


@every_case("mode", ["L", "RGB", "RGBA"])
def test_an_odd_angle_keeps_the_whole_picture_and_clear_corners(mode: str) -> None:
    picture = PIL.Image.new("RGB", (400, 200), (10, 200, 10)).convert(mode)
    turned = rotate_image(picture, angle=30.0)
    assert turned.mode == "RGBA" and turned.size == (447, 374)
    alpha = np.asarray(turned.getchannel("A"), float)
    assert abs(alpha.sum() / 255 - 400 * 200) < 300
    assert turned.getpixel((0, 0))[3] == 0 and turned.getpixel((446, 373))[3] == 0
    # Its edges are smooth, and nothing dark shines through there.
    seen = np.asarray(turned)[(alpha > 30) & (alpha < 220)]
    own = picture.convert("RGB").getpixel((0, 0))
    assert len(seen) > 300 and np.abs(seen[:, :3].astype(int) - own).max() <= 10


def test_it_turns_clockwise() -> None:
    picture = PIL.Image.new("RGB", (201, 201), "white")
    PIL.ImageDraw.Draw(picture).rectangle((96, 0, 106, 30), "red")
    turned = np.asarray(rotate_image(picture, angle=45.0).convert("RGBA"), int)
    red = (turned[..., 0] > 200) & (turned[..., 1] < 60) & (turned[..., 3] > 200)
    rows, columns = np.nonzero(red)
    assert columns.mean() > turned.shape[1] * 0.6 and rows.mean() < turned.shape[0] * 0.4


def test_mirroring_swaps_left_and_right_or_top_and_bottom() -> None:
    assert np.array_equal(np.asarray(flip_image(PICTURE)), PIXELS[:, ::-1])
    assert np.array_equal(np.asarray(flip_image(PICTURE, way="horizontal")), PIXELS[:, ::-1])
    assert np.array_equal(np.asarray(flip_image(PICTURE, way="vertical")), PIXELS[::-1])
    assert np.array_equal(np.asarray(flip_image(PICTURE, way="both")), PIXELS[::-1, ::-1])


# --- straightening ---


def _sea() -> PIL.Image.Image:
    chance = np.random.default_rng(5)
    pixels = np.zeros((700, 1000, 3), np.float32)
    pixels[:320], pixels[320:] = (160, 195, 235), (40, 85, 120)
    waves = PIL.Image.fromarray(chance.integers(0, 50, (50, 80), dtype=np.uint8))
    pixels[320:] += np.asarray(waves.resize((1000, 380)), np.float32)[..., None]
    pixels += chance.normal(0, 6, pixels.shape)
    return PIL.Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def _page() -> PIL.Image.Image:
    page = PIL.Image.new("RGB", (900, 1200), "white")
    draw = PIL.ImageDraw.Draw(page)
    letters = PIL.ImageFont.load_default(24)
    line = "The quick brown fox jumps over the lazy dog near the bank"
    for row, top in enumerate(range(140, 1050, 42)):
        draw.text((100, top), line[row % 7 :], "black", letters)
    return page


def _tilted(picture: PIL.Image.Image, angle: float) -> PIL.Image.Image:
    """Turned clockwise, its middle."""
    turned = picture.rotate(-angle, PIL.Image.Resampling.BICUBIC, fillcolor="white")
    width, height = picture.size
    return turned.crop((width // 6, height // 6, width * 5 // 6, height * 5 // 6))


@pytest.mark.few(2)
@pytest.mark.parametrize("angle", [-11.0, 1.5, -3.0, 6.0])
def test_a_horizon_is_made_level_and_no_corner_is_empty(angle: float) -> None:
    crooked = _tilted(_sea(), angle)
    assert abs(tilt(crooked) + angle) < 0.3
    level = straighten_image(crooked)
    assert abs(tilt(level)) < 0.3
    assert abs(level.width / level.height - crooked.width / crooked.height) < 0.02
    assert level.width > 0.65 * crooked.width
    pixels = np.asarray(level, int)
    assert pixels.sum(axis=2).min() > 100
    # Sky above, sea below, on either side alike.
    for column in (10, -10):
        sky = pixels[:, column, 2] > 200
        edge = int(sky.sum())
        assert abs(edge - int((pixels[:, level.width // 2, 2] > 200).sum())) < 8
        assert sky[: edge - 4].mean() > 0.9


@pytest.mark.few(1)
@pytest.mark.parametrize("angle", [-7.0, 2.5])
def test_lines_of_text_are_made_level_and_nothing_of_a_page_is_lost(angle: float) -> None:
    crooked = _page().rotate(-angle, PIL.Image.Resampling.BICUBIC, expand=True, fillcolor="white")
    level = straighten_image(crooked)
    assert abs(tilt(level)) < 0.15
    assert level.width >= crooked.width
    ink = (np.asarray(level.convert("L")) < 128).sum()
    assert abs(ink / (np.asarray(_page().convert("L")) < 128).sum() - 1) < 0.1
    assert {level.getpixel(place) for place in ((0, 0), (level.width - 1, 0))} == {(255,) * 3}


def test_an_angle_that_is_said_counts() -> None:
    noise = PIL.Image.effect_noise((400, 300), 50).convert("RGBA")
    turned = straighten_image(noise, angle=10.0)
    assert turned.mode == "RGBA" and 300 < turned.width < 350
    assert np.asarray(turned)[..., 3].min() == 255


def test_what_is_level_stays() -> None:
    sea = _sea()
    assert np.array_equal(np.asarray(straighten_image(sea)), np.asarray(sea))


def test_where_nothing_tells_it_is_said() -> None:
    for picture in (PIL.Image.effect_noise((500, 400), 60), PIL.Image.new("RGB", (300, 1), "red")):
        with pytest.raises(ToolError, match="Nothing in this picture tells"):
            straighten_image(picture)
    with pytest.raises(ToolError, match="at most 20 degrees"):
        straighten_image(PICTURE, angle=35.0)
    tiny = PIL.Image.fromarray(PIXELS[:2, :2])
    with pytest.raises(ToolError, match="only 2 × 2"):
        straighten_image(tiny, angle=5.0)
