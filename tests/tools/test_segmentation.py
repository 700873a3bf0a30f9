"""Segmentation on pictures that scikit-image ships and on drawn ones."""

from __future__ import annotations

import threading

import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest
import skimage.data

from controlllm.resources import ClickedPoint
from controlllm.toolbox import Cancelled, Context, ToolError
from tools.segmentation import instance_segmentation, segment_anything, segment_by_points


@pytest.fixture(scope="module")
def astronaut() -> PIL.Image.Image:
    return PIL.Image.fromarray(skimage.data.astronaut())


@pytest.fixture(scope="module")
def flag() -> PIL.Image.Image:
    """Three upright stripes, the middle one with a disc."""
    picture = PIL.Image.new("RGB", (240, 160), (200, 30, 40))
    pen = PIL.ImageDraw.Draw(picture)
    pen.rectangle((80, 0, 159, 159), fill=(240, 240, 230))
    pen.rectangle((160, 0, 239, 159), fill=(20, 60, 160))
    pen.ellipse((95, 55, 145, 105), fill=(20, 140, 60))
    return picture


def test_instances_cut_the_person_out(astronaut: PIL.Image.Image) -> None:
    people = [region for region in instance_segmentation(astronaut) if region.label == "person"]
    assert people
    pixels = people[0].pixels
    assert pixels.shape == (512, 512)
    assert pixels[110, 225] and pixels[400, 200]  # face and suit
    assert not pixels[30, 30] and not pixels[100, 400]  # wall and shuttle


def test_instances_of_a_plain_picture_are_none() -> None:
    assert instance_segmentation(PIL.Image.new("RGB", (64, 64), "white")) == ()


@pytest.mark.parametrize("mode", ["L", "RGBA"])
def test_instances_in_other_modes(astronaut: PIL.Image.Image, mode: str) -> None:
    regions = instance_segmentation(astronaut.convert(mode))
    assert any(region.pixels[110, 225] for region in regions)


def test_one_click_gives_the_whole_disc(flag: PIL.Image.Image) -> None:
    (region,) = segment_by_points(flag, (ClickedPoint(120, 80),))
    disc = np.asarray(flag)[..., 1] == 140
    assert (region.pixels & disc).sum() / (region.pixels | disc).sum() > 0.9


def test_clicks_add_and_negative_clicks_take_away(flag: PIL.Image.Image) -> None:
    both = segment_by_points(flag, (ClickedPoint(20, 80), ClickedPoint(120, 80)))[0].pixels
    assert both[80, 20] and both[80, 120]
    assert not both[80, 200]
    less = segment_by_points(
        flag, (ClickedPoint(20, 80), ClickedPoint(120, 80), ClickedPoint(121, 60, positive=False))
    )[0].pixels
    assert less[80, 20] and not less[60, 121]


def test_a_click_on_a_known_object_names_it(astronaut: PIL.Image.Image) -> None:
    (region,) = segment_by_points(astronaut, (ClickedPoint(225, 110),))
    assert region.label == "person"
    assert 0.15 < region.pixels.mean() < 0.75


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ((ClickedPoint(500, 10),), "outside"),
        ((ClickedPoint(5, 5, positive=False),), "No click"),
        ((), "No click"),
    ],
)
def test_useless_clicks_are_refused(
    flag: PIL.Image.Image, points: tuple[ClickedPoint, ...], words: str
) -> None:
    with pytest.raises(ToolError, match=words):
        segment_by_points(flag, points)


def test_the_map_gives_each_area_one_colour(flag: PIL.Image.Image) -> None:
    colours = np.asarray(segment_anything(flag))
    spots = [colours[80, 20], colours[20, 120], colours[80, 120], colours[80, 200]]
    assert len({tuple(spot) for spot in spots}) == 4
    assert (colours[10:150, 10:70] == colours[80, 20]).all(axis=-1).mean() > 0.95


@pytest.mark.parametrize("size", [(1, 1), (3, 40), (20, 20)])
def test_tiny_pictures(size: tuple[int, int]) -> None:
    picture = PIL.Image.new("RGB", size, "gray")
    assert segment_anything(picture).size == size
    assert segment_by_points(picture, (ClickedPoint(0, 0),))[0].pixels.shape == size[::-1]
    assert isinstance(instance_segmentation(picture), tuple)


def test_segmentation_stops_when_asked(astronaut: PIL.Image.Image) -> None:
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(Cancelled):
        instance_segmentation(astronaut, context=Context(cancelled=stopped))
