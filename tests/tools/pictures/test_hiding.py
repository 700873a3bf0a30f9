"""Pixelated faces and red eyes."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFilter
import pytest
import skimage.data

from controlllm.resources import Region
from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.pictures.embedded import red_eyes
from tools.pictures.hiding import pixelate_image, remove_red_eyes

Spots = list[tuple[int, int, int]]


@pytest.fixture(scope="module")
def astronaut() -> PIL.Image.Image:
    return PIL.Image.fromarray(skimage.data.astronaut())


def _mask(shape: tuple[int, int], *parts: tuple[slice, slice]) -> tuple[Region, ...]:
    pixels = np.zeros(shape, bool)
    for part in parts:
        pixels[part] = True
    return (Region(pixels),)


def _steps(line: np.ndarray) -> int:
    return int((np.abs(np.diff(line.astype(int), axis=0)).max(axis=1) > 0).sum())


def test_a_face_becomes_few_blocks_and_the_rest_stays(astronaut: PIL.Image.Image) -> None:
    before, after = np.asarray(astronaut), None
    face, badge = np.s_[50:160, 180:270], np.s_[350:410, 120:180]
    after = np.asarray(pixelate_image(astronaut, _mask((512, 512), face, badge)))
    outside = np.ones((512, 512), bool)
    outside[face] = outside[badge] = False
    assert (after[outside] == before[outside]).all()
    for part in (face, badge):
        assert len(np.unique(after[part].reshape(-1, 3), axis=0)) <= 12 * 12
        assert _steps(after[part][30]) < 12 and _steps(after[part][:, 30]) < 12
        assert after[part].mean() == pytest.approx(before[part].mean(), abs=2)


def test_all_of_a_picture_is_pixelated_and_strength_makes_it_coarser(
    astronaut: PIL.Image.Image,
) -> None:
    usual, coarse, weak = (
        np.asarray(pixelate_image(astronaut, strength=strength)) for strength in (0, 300, 10)
    )
    assert usual.shape == (512, 512, 3) and 4 <= _steps(usual[:, 300]) < 12
    assert _steps(coarse[:, 300]) < _steps(usual[:, 300])
    assert np.array_equal(weak, usual)  # never so fine that something could be recognised


def test_crumbs_of_a_mask_are_hidden_too() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3)).astype(np.uint8)
    pixels = np.zeros((200, 200), bool)
    pixels[20:180, 20:180] = True
    pixels[2:5, 2:5] = True
    after = np.asarray(pixelate_image(PIL.Image.fromarray(noise), (Region(pixels),)))
    assert after[2:5, 2:5].reshape(-1, 3).std(axis=0).max() < 40
    assert after[20:180, 20:180].std() < 20


def test_clear_parts_have_no_share_in_a_blocks_colour() -> None:
    half = PIL.Image.new("RGBA", (120, 120), (0, 255, 0, 0))
    half.paste((255, 0, 0, 255), (0, 0, 120, 66))
    after = np.asarray(pixelate_image(half))
    seen = after[after[..., 3] > 0]
    assert (seen[:, :3] == (255, 0, 0)).all() and 0 < after[66, 60, 3] < 255


def _reddened(picture: PIL.Image.Image, spots: Spots) -> PIL.Image.Image:
    shown = picture.copy()
    pen = PIL.ImageDraw.Draw(shown)
    for x, y, radius in spots:
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=(205, 35, 45))
        glint = 0.2 * radius
        pen.ellipse((x - glint, y - 2 * glint, x + glint, y), fill="white")
    return shown.filter(PIL.ImageFilter.GaussianBlur(0.6))


EYES: Spots = [(407, 202, 6), (492, 206, 6)]


@pytest.fixture(scope="module")
def flashed(astronaut: PIL.Image.Image) -> PIL.Image.Image:
    return _reddened(astronaut.resize((1024, 1024)), EYES)


def test_red_eyes_become_dark_and_nothing_else_changes(flashed: PIL.Image.Image) -> None:
    before, after = (
        np.asarray(flashed).astype(int),
        np.asarray(remove_red_eyes(flashed)).astype(int),
    )
    near = np.zeros((1024, 1024), bool)
    for x, y, radius in EYES:
        red, green, blue = after[y + 3, x]
        assert red < 90 and abs(red - green) < 25 and abs(red - blue) < 25
        assert after[y - 2, x].min() > 90  # the glint in the eye stays
        near[y - 2 * radius : y + 2 * radius + 1, x - 2 * radius : x + 2 * radius + 1] = True
    # The red of the flag and the orange suit are as they were.
    assert (after[~near] == before[~near]).all()


def test_red_eyes_of_a_tilted_head_and_a_small_photo(flashed: PIL.Image.Image) -> None:
    for shown in (flashed.rotate(20), flashed.resize((480, 480))):
        assert len(red_eyes.find(np.asarray(shown))) == 2


def test_red_eyes_in_a_close_up_without_a_whole_face(astronaut: PIL.Image.Image) -> None:
    large = _reddened(astronaut.resize((3072, 3072)), [(1221, 606, 19), (1476, 618, 19)])
    one_eye = large.crop((1100, 540, 1330, 690))
    after = np.asarray(remove_red_eyes(one_eye)).astype(int)
    assert after[606 - 540 + 8, 121].max() < 90


def test_clear_pictures_stay_clear(flashed: PIL.Image.Image) -> None:
    clear = flashed.convert("RGBA")
    clear.putalpha(PIL.Image.new("L", clear.size, 200))
    assert remove_red_eyes(clear).getchannel("A").getextrema() == (200, 200)


@every_case("name", ["astronaut", "coffee", "chelsea", "rocket", "retina", "hubble_deep_field"])
def test_where_there_are_no_red_eyes_nothing_is_made_up(name: str) -> None:
    picture = PIL.Image.fromarray(getattr(skimage.data, name)()).convert("RGB")
    with pytest.raises(ToolError, match="No red eyes were found"):
        remove_red_eyes(picture)


def test_a_red_ball_is_no_eye_and_grey_pictures_have_none() -> None:
    ball = PIL.Image.new("RGB", (400, 300), (90, 140, 90))
    PIL.ImageDraw.Draw(ball).ellipse((180, 130, 220, 170), fill=(210, 20, 20))
    with pytest.raises(ToolError, match="No red eyes"):
        remove_red_eyes(ball)
    with pytest.raises(ToolError, match="is grey"):
        remove_red_eyes(PIL.Image.new("L", (40, 40), 90))
    with pytest.raises(ToolError, match="No red eyes"):
        remove_red_eyes(PIL.Image.new("RGB", (1, 1), "red"))


@pytest.mark.parametrize(("way", "level"), [("black", 0), ("white", 255)])
@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L"])
def test_a_part_is_painted_over(way, level, mode):
    picture = PIL.Image.new(mode, (20, 10), 90 if mode == "L" else (90, 90, 90, 255)[: len(mode)])
    part = np.zeros((10, 20), bool)
    part[2:5, 3:9] = True
    made = np.asarray(pixelate_image(picture, (Region(part),), way=way))
    colours = made if mode == "L" else made[..., :3]
    assert (colours[part] == level).all() and (colours[~part] == 90).all()
