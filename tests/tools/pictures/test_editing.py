"""Cropping, cutting out, highlighting and filling, on shipped and on drawn pictures."""

from __future__ import annotations

import threading

import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest
import skimage.data

from controlllm.resources import Box, Region
from controlllm.toolbox import Cancelled, Context, ToolError
from tests.every_case import every_case
from tools.pictures.editing import (
    highlight_object_on_image,
    image_cropping,
    image_inpainting,
    mask_image,
)


@pytest.fixture
def scene() -> PIL.Image.Image:
    picture = PIL.Image.new("RGB", (200, 120), (90, 150, 210))
    PIL.ImageDraw.Draw(picture).rectangle((60, 30, 99, 79), fill=(220, 40, 40))
    return picture


def _rectangle(shape: tuple[int, int], left: int, top: int, right: int, bottom: int) -> Region:
    pixels = np.zeros(shape, bool)
    pixels[top:bottom, left:right] = True
    return Region(pixels, "thing")


def test_crop_holds_all_boxes_with_a_small_margin(scene: PIL.Image.Image) -> None:
    crop = image_cropping(scene, (Box(60, 30, 80, 60), Box(70, 40, 100, 80)))
    assert 40 <= crop.width <= 46 and 50 <= crop.height <= 56
    reds = (np.asarray(crop) == (220, 40, 40)).all(axis=-1).sum()
    assert reds == 40 * 50


def test_crop_stays_inside_the_picture(scene: PIL.Image.Image) -> None:
    assert image_cropping(scene, (Box(-30, -30, 500, 500),)).size == scene.size
    with pytest.raises(ToolError, match="not found"):
        image_cropping(scene, (Box(300, 300, 400, 400),))
    with pytest.raises(ToolError, match="not found"):
        image_cropping(scene, ())


@pytest.mark.parametrize("mode", ["RGB", "L", "RGBA"])
def test_cutout_is_transparent_around_the_object(scene: PIL.Image.Image, mode: str) -> None:
    cut = mask_image(scene.convert(mode), (_rectangle((120, 200), 60, 30, 100, 80),))
    assert cut.mode == "RGBA"
    assert 40 <= cut.width <= 46 and 50 <= cut.height <= 56
    alpha = np.asarray(cut.getchannel("A"))
    assert alpha[0, 0] == 0 and alpha[alpha.shape[0] // 2, alpha.shape[1] // 2] == 255


def test_cutout_takes_a_mask_of_another_scale_and_refuses_another_shape(
    scene: PIL.Image.Image,
) -> None:
    cut = mask_image(scene, (_rectangle((60, 100), 30, 15, 50, 40),))
    assert 40 <= cut.width <= 48
    with pytest.raises(ToolError, match="made from this picture"):
        mask_image(scene, (_rectangle((200, 100), 30, 15, 50, 40),))
    with pytest.raises(ToolError, match="empty"):
        mask_image(scene, ())


@every_case("side", [1, 12, 60, 900])
def test_highlight_keeps_the_object_and_dims_the_rest(side: int) -> None:
    picture = PIL.Image.new("RGB", (2 * side, side), (180, 180, 180))
    box = Box(side * 0.5, side * 0.3, side * 1.2, side * 0.9, "very long name of a thing")
    shown = highlight_object_on_image(picture, (box,))
    assert shown.size == picture.size
    if side >= 60:
        pixels = np.asarray(shown).astype(int)
        assert (pixels[int(side * 0.7), int(side * 0.85)] == 180).all()
        assert pixels[side - 2, 1].mean() < 120


def test_highlight_without_a_box_says_so(scene: PIL.Image.Image) -> None:
    with pytest.raises(ToolError, match="not found"):
        highlight_object_on_image(scene, ())


def test_inpainting_puts_like_texture_in_the_hole() -> None:
    texture = skimage.data.grass()[:240, :320]
    picture = PIL.Image.fromarray(texture).convert("RGB")
    PIL.ImageDraw.Draw(picture).ellipse((110, 70, 210, 170), fill=(255, 0, 0))
    red = (np.asarray(picture) == (255, 0, 0)).all(axis=-1)
    filled = np.asarray(image_inpainting(picture, (Region(red),))).astype(int)
    inside = filled[90:150, 130:190]
    assert (inside[..., 0] - inside[..., 1]).max() < 40  # nothing red is left
    assert 0.6 < inside[..., 1].std() / texture.std() < 1.4  # and it is no smear
    rim = red.copy()
    rim[60:180, 100:220] = True
    assert (filled[~rim] == np.asarray(picture)[~rim]).all()


@pytest.mark.long
def test_inpainting_goes_on_with_an_edge() -> None:
    pixels = np.full((160, 240, 3), (70, 120, 200), np.uint8)
    pixels[80:] = (60, 140, 50)
    noise = np.random.default_rng(0).integers(-8, 8, pixels.shape)
    pixels = np.clip(pixels + noise, 0, 255).astype(np.uint8)
    hole = np.zeros((160, 240), bool)
    hole[50:115, 90:150] = True
    pixels[hole] = 255
    filled = np.asarray(image_inpainting(PIL.Image.fromarray(pixels), (Region(hole),))).astype(int)
    assert (filled[50:70, 90:150, 2] > filled[50:70, 90:150, 1]).mean() > 0.97
    assert (filled[95:115, 90:150, 1] > filled[95:115, 90:150, 2]).mean() > 0.97


@pytest.mark.long
def test_inpainting_of_a_large_picture_keeps_its_sharpness() -> None:
    texture = np.tile(skimage.data.gravel(), (2, 3))
    picture = PIL.Image.fromarray(texture).convert("RGB")
    filled = image_inpainting(picture, (_rectangle(texture.shape, 600, 300, 900, 600),))
    inside = np.asarray(filled.convert("L")).astype(float)[320:580, 620:880]
    steps = np.abs(np.diff(inside, axis=1)).mean()
    assert steps > 0.6 * np.abs(np.diff(texture.astype(float), axis=1)).mean()


def test_inpainting_needs_something_to_copy() -> None:
    for side in (1, 40):
        with pytest.raises(ToolError, match="nothing is left"):
            image_inpainting(
                PIL.Image.new("RGB", (side, side)), (Region(np.ones((side, side), bool)),)
            )


@pytest.mark.long
def test_inpainting_reports_and_stops() -> None:
    picture = PIL.Image.fromarray(skimage.data.brick()[:200, :200]).convert("RGB")
    mask = (_rectangle((200, 200), 60, 60, 140, 140),)
    seen: list[float] = []
    image_inpainting(picture, mask, context=Context(lambda fraction, words: seen.append(fraction)))
    assert len(seen) > 5 and seen == sorted(seen)
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(Cancelled):
        image_inpainting(picture, mask, context=Context(cancelled=stopped))
