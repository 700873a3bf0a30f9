"""Many like things on a plain ground, drawn here and photographed, counted without knowing them."""

from __future__ import annotations

import random

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFilter
import pytest
import skimage.data

from controlllm.resources import Box
from controlllm.toolbox import Context, ToolError
from tests.every_case import every_case
from tools.general import count_objects, select_bbox
from tools.seeing.embedded.answers import answer
from tools.seeing.embedded.like_things import find
from tools.seeing.embedded.scene import Scene
from tools.seeing.recognition import visual_grounding


def drawn(
    count: int, shape: str, ground: str, ink: str, slope: float = 0.0, touching: bool = False
) -> PIL.Image.Image:
    """So many things of a shape, turned at random, on a ground that grows lighter to the right."""
    chance = random.Random(count)
    picture = PIL.Image.new("RGB", (600, 450), ground)
    places: list[tuple[int, int]] = []
    while len(places) < count:
        x, y = chance.randint(36, 564), chance.randint(36, 414)
        if all((x - a) ** 2 + (y - b) ** 2 > (32 if touching else 56) ** 2 for a, b in places):
            places.append((x, y))
    for x, y in places:
        stamp = PIL.Image.new("L", (64, 64))
        pen = PIL.ImageDraw.Draw(stamp)
        if shape == "disc":
            pen.ellipse((15, 15, 49, 49), fill=255)
        else:
            pen.rounded_rectangle((8, 24, 56, 40), 8, fill=255)
        picture.paste(ink, (x - 32, y - 32), stamp.rotate(chance.uniform(0, 180)))
    pixels = np.asarray(picture).astype(float) + np.linspace(-slope, slope, 600)[None, :, None]
    pixels += np.random.default_rng(1).normal(0, 5, pixels.shape)
    return PIL.Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


@every_case(
    ("count", "shape", "ground", "ink", "slope", "touching"),
    [
        (17, "disc", "white", "#884400", 0, False),
        (25, "disc", "#334455", "#eeeecc", 0, True),
        (20, "pill", "#88aa88", "#cc4444", 0, False),
        (22, "disc", "#777777", "#cccccc", 60, False),
    ],
)
def test_things_are_counted_exactly(
    count: int, shape: str, ground: str, ink: str, slope: float, touching: bool
) -> None:
    assert len(find(drawn(count, shape, ground, ink, slope, touching))) == count


def test_the_coins_of_a_photo_are_boxed() -> None:
    coins = PIL.Image.fromarray(skimage.data.coins())
    found = find(coins)
    assert len(found) == 24
    assert all(20 < box.right - box.left < 80 for box in found)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("name", "smaller"), [("page", 1), ("chelsea", 2), ("chelsea", 1), ("camera", 1)]
)
def test_other_pictures_show_no_such_things(name: str, smaller: int) -> None:
    picture = PIL.Image.fromarray(getattr(skimage.data, name)())
    assert find(picture.reduce(smaller)) == ()


def test_coins_are_counted_and_it_is_said_how() -> None:
    context = Context()
    coins = PIL.Image.fromarray(skimage.data.coins()).convert("RGB")
    assert count_objects(visual_grounding(coins, "the coins", context=context)) == 24
    assert "do not know" in context.remarks[0]
    assert answer(Scene(coins), "how many coins are there?").startswith("There are about 24 coins")


@pytest.mark.parametrize("query", ["the wizards", "pills"])
def test_what_is_not_known_by_sight_is_not_counted_as_none(query: str) -> None:
    picture = PIL.Image.new("RGB", (80, 60), "white")
    with pytest.raises(ToolError, match="by sight"):
        visual_grounding(picture, query)
    with pytest.raises(ToolError, match="by sight"):
        select_bbox((Box(0, 0, 9, 9, "dog", 0.9),), query)


def test_what_is_known_may_be_none() -> None:
    white = PIL.Image.new("RGB", (80, 60), "white")
    assert visual_grounding(white, "the number plate unreadable") == ()
    assert select_bbox((Box(0, 0, 9, 9, "dog", 0.9),), "all zebras") == ()


@every_case(
    ("asked", "told"),
    [
        ("How many red buttons are there?", "seven red buttons"),
        ("how many green buttons are in the picture?", "four green buttons"),
        ("How many buttons are there?", "16 buttons"),
    ],
)
def test_only_those_of_a_colour_are_counted(asked: str, told: str) -> None:
    picture = PIL.Image.new("RGB", (900, 600), "#fafafa")
    pen = PIL.ImageDraw.Draw(picture)
    inks = {"r": "#d22828", "b": "#2846c8", "g": "#28963c"}
    for place, ink in enumerate("rbrgbrgrrbgrbrgb"):
        x, y = 110 + place % 6 * 135 + place * 7 % 20, 110 + place // 6 * 180 + place * 11 % 30
        pen.ellipse((x - 42, y - 42, x + 42, y + 42), fill=inks[ink])
    assert told in answer(Scene(picture), asked)
