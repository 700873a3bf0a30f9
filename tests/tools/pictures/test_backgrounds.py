"""Blurring, removing and replacing backgrounds, on shipped and on drawn pictures."""

from __future__ import annotations

import threading

import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest
import skimage.data

from controlllm.resources import Region
from controlllm.toolbox import Cancelled, Context, ToolError
from tests.every_case import every_case
from tools.masks.embedded import matting
from tools.pictures.backgrounds import (
    background_blur,
    lay_on_colour,
    remove_background,
    replace_background,
)
from tools.pictures.embedded import backdrops


@pytest.fixture(scope="module")
def cat() -> PIL.Image.Image:
    return PIL.Image.fromarray(skimage.data.chelsea()).resize((300, 200))


def _rough(pixels: np.ndarray) -> float:
    return float(np.abs(np.diff(pixels.astype(float), axis=1)).mean())


def _disc_on_noise() -> tuple[PIL.Image.Image, np.ndarray]:
    noise = np.random.default_rng(1).integers(60, 120, (160, 240, 3)).astype(np.uint8)
    picture = PIL.Image.fromarray(noise)
    PIL.ImageDraw.Draw(picture).ellipse((80, 40, 160, 120), fill=(250, 20, 20))
    return picture, (np.asarray(picture) == (250, 20, 20)).all(axis=-1)


def test_blur_keeps_the_mask_sharp_and_makes_no_halo() -> None:
    picture, mask = _disc_on_noise()
    before = np.asarray(picture)
    after = np.asarray(background_blur(picture, (Region(mask),))).astype(int)
    assert (after[60:100, 100:140] == before[60:100, 100:140]).all()
    assert _rough(after[:30]) < 0.25 * _rough(before[:30])
    # Just outside the disc there is no red glow.
    down, across = np.mgrid[0:160, 0:240]
    far = np.hypot(across - 120, down - 80)
    ring = after[(far > 46) & (far < 56)]
    assert (ring[:, 0] - ring[:, 1]).mean() < 6


def test_bright_points_become_discs() -> None:
    picture = PIL.Image.new("RGB", (300, 200), (10, 10, 16))
    pen = PIL.ImageDraw.Draw(picture)
    pen.ellipse((58, 58, 66, 66), fill=(255, 240, 200))
    pen.rectangle((200, 100, 260, 199), fill=(90, 90, 200))
    mask = np.zeros((200, 300), bool)
    mask[100:, 200:261] = True
    grey = np.asarray(background_blur(picture, (Region(mask),)).convert("L")).astype(int)
    row = grey[62, 40:86]
    assert row.max() > 60  # the light is spread, and still to be seen
    assert (row > 0.8 * row.max()).sum() >= 8  # flat like a disc, not peaked like a Gaussian


def test_removed_background_is_clear_the_subject_solid_and_progress_told(
    astronaut: PIL.Image.Image,
) -> None:
    seen: list[float] = []
    context = Context(lambda fraction, words: seen.append(fraction))
    cut = remove_background(astronaut, context=context)
    assert len(seen) >= 3 and seen == sorted(seen)
    assert cut.mode == "RGBA" and cut.size == astronaut.size
    alpha = np.asarray(cut.getchannel("A"))
    assert alpha[40:80, 95:130].mean() > 245 and alpha[5:40, 180:200].mean() < 40
    assert (alpha == 0).mean() > 0.15


def test_what_is_clear_already_says_what_the_subject_is() -> None:
    picture = PIL.Image.new("RGBA", (120, 120), (0, 0, 0, 0))
    PIL.ImageDraw.Draw(picture).ellipse((30, 30, 90, 90), fill=(220, 30, 30, 255))
    shown = np.asarray(replace_background(picture, "green"))
    assert tuple(shown[60, 60]) == (220, 30, 30)
    assert tuple(shown[3, 3]) == backdrops.SHADES["green"]


@every_case(
    ("words", "kind"),
    [
        ("white", "plain"),
        ("Make the background light blue, please", "plain"),
        ("a gradient from red to orange", "gradient"),
        ("a professional studio backdrop", "studio"),
        ("sunset sky", "sunset sky"),
        ("green meadow", "meadow"),
        ("a blue sky with clouds", "blue sky"),
    ],
)
def test_words_for_backgrounds(words: str, kind: str) -> None:
    read = backdrops.parse(words)
    assert read is not None and read[0] == kind


@every_case(
    ("words", "kind", "shades", "left_out"),
    [
        ("Replace bg with pale mint (#DFF5EA)", "plain", [(223, 245, 234)], ""),
        ("Grey backdrop for both cups, #E6E6E6 in each", "plain", [(230, 230, 230)], "both cups"),
        ("put me before a plain wall, #102030", "plain", [(16, 32, 48)], ""),
        ("a sage green wall", "plain", [(156, 175, 136)], ""),
        ("replace what's behind it with an orange to brown gradient", "gradient", None, ""),
        ("a beach instead of the car park", "beach", [], ""),
        ("instead of the bins behind me i'd like a meadow", "meadow", [], ""),
        ("in front of a light grey studio wall instead of my kitchen", "studio", None, ""),
        (
            "on a studio backdrop, dark blue, cloudy as at school",
            "studio",
            None,
            "cloudy as at school",
        ),
        ("A plain studio wall would do nicely", "studio", None, ""),
        ("there has to be plain white behind me", "plain", None, ""),
        ("plain white behind the mug", "plain", [(255, 255, 255)], ""),
        ("white bg behind the model on IMG_2231.jpg", "plain", [(255, 255, 255)], ""),
        ("bg of lamp.jpg -> white studio", "studio", None, ""),
        ("bg more like #EFEFEF", "plain", [(239, 239, 239)], ""),
        ("soft gradient from #FDE68A to #F97316 behind it", "gradient", None, ""),
        ("light grey not white", "plain", [(211, 211, 211)], ""),
        ("replace the sky behind my horse by a nice summer meadow", "meadow", None, ""),
        ("instead of the wall behind the shoes put a sunset sky", "sunset sky", None, ""),
        ("the wall is ugly, a beach would be great", "beach", [], ""),
        ("get rid of all behind the jars and give them a cream one", "plain", None, ""),
        ("light grey background, no shine on her nose", "plain", None, "no shine on her nose"),
        ("show my cardigan on a sandy beach background (no people)?", "beach", [], ""),
        ("the third photo needs a plain white backdrop", "plain", [(255, 255, 255)], ""),
        ("she gets a meadow behind her too", "meadow", None, ""),
        ("both on light grey afterwards", "plain", [(211, 211, 211)], ""),
        ("a white background, it's rather yellow now", "plain", [(255, 255, 255)], ""),
        (
            "a white background with the lamp cut out cleanly",
            "plain",
            None,
            "the lamp cut out cleanly",
        ),
    ],
)
def test_a_background_is_read_out_of_what_else_is_said(
    words: str, kind: str, shades: list | None, left_out: str
) -> None:
    read = backdrops.read(words)
    assert read is not None and (read[0], read[2]) == (kind, left_out)
    assert shades is None or list(read[1]) == shades


def test_what_is_not_drawn_of_the_words_is_told(cat: PIL.Image.Image) -> None:
    context = Context()
    replace_background(cat, "light grey background, no glare on her fur", context=context)
    assert "no glare on her fur" in " ".join(context.remarks)


@every_case(
    "words",
    [
        "Paris at night",
        "the Eiffel tower",
        "a dragon",
        "",
        "Mars",
        "the Eiffel tower, at night",
        "not a beach",
    ],
)
def test_what_cannot_be_drawn_is_refused(cat: PIL.Image.Image, words: str) -> None:
    with pytest.raises(ToolError, match="cannot be drawn here.*beach"):
        replace_background(cat, words)


SCENES = (
    *("sunset sky", "night sky", "beach", "meadow", "mountains", "snow", "blue sky", "lights"),
    "brick wall",
)


@pytest.mark.long
@every_case("kind", [*backdrops.DRAWN, *SCENES])
@every_case("size", [(1, 1), (7, 90), (240, 135)])
def test_every_background_is_drawn_at_every_size(kind: str, size: tuple[int, int]) -> None:
    drawn = backdrops.draw(kind, (backdrops.SHADES["blue"],), size)
    assert drawn.shape == (size[1], size[0], 3) and drawn.dtype == np.uint8
    if size[0] == 240 and kind != "plain":
        assert drawn.std() > 5
    assert (drawn == backdrops.draw(kind, (backdrops.SHADES["blue"],), size)).all()


def test_a_sky_takes_another_colour_and_its_clouds_stay_white() -> None:
    blue, red = (backdrops.draw("blue sky", (backdrops.SHADES[name],), (240, 180)).astype(int)
                 for name in ("blue", "red"))  # fmt: skip
    assert red[90, 120, 0] > red[90, 120, 2] + 60 and blue[90, 120, 2] > blue[90, 120, 0] + 60
    cloud = np.unravel_index(red.min(axis=2).argmax(), red.shape[:2])
    assert np.ptp(red[cloud]) < 40


@pytest.mark.long
def test_replaced_background_has_its_colour_and_the_subject_is_kept(
    astronaut: PIL.Image.Image,
) -> None:
    shown = np.asarray(replace_background(astronaut, "a plain yellow background"))
    assert tuple(shown[20, 190]) == backdrops.SHADES["yellow"]
    face = np.s_[40:80, 100:125]
    assert np.abs(shown[face].astype(int) - np.asarray(astronaut)[face]).mean() < 3
    assert replace_background(astronaut, "transparent").mode == "RGBA"
    blurred = replace_background(astronaut, "blur")
    assert blurred.mode == "RGB" and blurred.size == astronaut.size


def test_the_old_background_is_taken_out_of_the_soft_edge() -> None:
    picture = np.full((120, 160, 3), (0, 220, 0), np.uint8)
    picture[:, 80:] = (200, 60, 60)
    soft = np.asarray(PIL.Image.fromarray(picture).resize((80, 60)).resize((160, 120)))
    alpha = matting.soft_edge(soft, np.arange(160)[None].repeat(120, 0) >= 80)
    front = matting.own_colours(soft, alpha).astype(int)
    rim = (alpha > 0.3) & (alpha < 0.95)
    if rim.any():
        assert (front[rim][:, 0] > front[rim][:, 1]).mean() > 0.9
    assert alpha[:, :60].max() == 0 and alpha[:, 100:].min() == 1


@pytest.mark.long
def test_no_subject_is_said() -> None:
    empty = PIL.Image.new("RGB", (200, 150), (120, 130, 140))
    for run in (background_blur, remove_background, lambda image: replace_background(image, "red")):
        with pytest.raises(ToolError, match="No main subject"):
            run(empty)


def test_a_mask_of_everything_or_nothing(cat: PIL.Image.Image) -> None:
    whole = background_blur(cat, (Region(np.ones((200, 300), bool)),))
    assert np.abs(np.asarray(whole).astype(int) - np.asarray(cat)).max() <= 1
    with pytest.raises(ToolError, match="empty"):
        background_blur(cat, ())


def test_stopping_stops(astronaut: PIL.Image.Image) -> None:
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(Cancelled):
        background_blur(astronaut, context=Context(cancelled=stopped))


def _logo(size: tuple[int, int] = (66, 57)) -> PIL.Image.Image:
    """An orange disc with a hole in it and a half transparent rim, on nothing."""
    logo = PIL.Image.new("RGBA", size)
    pen = PIL.ImageDraw.Draw(logo)
    pen.ellipse((8, 5, 56, 53), fill=(255, 120, 0, 128))
    pen.ellipse((10, 7, 54, 51), fill=(255, 120, 0, 255))
    pen.ellipse((25, 22, 39, 36), fill=(0, 0, 0, 0))
    return logo


@pytest.mark.parametrize("way", ["lay", "replace", "replace with its name"])
def test_a_see_through_logo_is_laid_on_a_colour_as_it_is(way: str) -> None:
    if way == "lay":
        made = lay_on_colour(_logo(), colour="#ffffff")
    else:
        named = "put the logo on a white background" if "name" in way else "white"
        made = replace_background(_logo(), named)
    assert made.mode == "RGB" and made.size == (66, 57)
    # Outside and in the hole it is white, and nothing of the disc has been cut away.
    assert made.getpixel((1, 1)) == made.getpixel((32, 29)) == (255, 255, 255)
    assert made.getpixel((15, 29)) == (255, 120, 0)
    assert made.getpixel((32, 6))[2] == pytest.approx(127, abs=3)


def test_a_cutout_stands_undistorted_at_its_place_on_a_canvas() -> None:
    made = lay_on_colour(_logo(), colour="#ffff00", size="1280x720", place="right")
    pixels = np.asarray(made).astype(int)
    assert made.size == (1280, 720) and made.getpixel((3, 3)) == (255, 255, 0)
    rows, columns = np.nonzero(np.abs(pixels - (255, 255, 0)).sum(axis=2) > 100)
    assert columns.min() > 640 and columns.max() < 1280
    assert np.ptp(rows) == pytest.approx(np.ptp(columns), abs=4)


def test_what_was_cut_off_at_the_foot_stands_on_the_lower_edge() -> None:
    body = PIL.Image.new("RGBA", (40, 60))
    PIL.ImageDraw.Draw(body).rectangle((10, 20, 29, 59), fill="navy")
    made = np.asarray(lay_on_colour(body, colour="#ffffff", size="200x200"))
    assert tuple(made[-1, 100]) == (0, 0, 128) and tuple(made[2, 100]) == (255, 255, 255)


def test_a_width_alone_keeps_the_shape_of_the_logo() -> None:
    assert lay_on_colour(_logo(), size="600x").size == (600, 518)
    with pytest.raises(ToolError, match="no size"):
        lay_on_colour(_logo(), size="huge")


def test_a_background_told_with_a_canvas_is_laid_on_it() -> None:
    made = replace_background(_logo(), "put him on the left of a red banner 1500x500")
    assert made.size == (1500, 500) and made.getpixel((1400, 250))[0] > 150
    assert made.getpixel((300, 250)) != made.getpixel((1400, 250))
