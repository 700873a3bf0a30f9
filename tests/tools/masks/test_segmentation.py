"""Segmentation on pictures that scikit-image ships and on drawn ones."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest
import scipy.ndimage
import skimage.data

from controlllm.resources import Box, ClickedPoint, Region
from controlllm.toolbox import Cancelled, Context, ToolError
from controlllm.values import values_in
from tests.every_case import every_case
from tests.tools.photos import looked_at_once
from tools.masks.segmentation import (
    bbox_to_mask,
    instance_segmentation,
    segment_anything,
    segment_by_box,
    segment_by_mask,
    segment_by_points,
)


@pytest.fixture(scope="module", autouse=True)
def detected_once() -> Iterator[None]:
    with looked_at_once():
        yield


@pytest.fixture(scope="module")
def astronaut() -> PIL.Image.Image:
    return PIL.Image.fromarray(skimage.data.astronaut()).resize((256, 256))


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
    assert pixels.shape == (256, 256)
    assert pixels[55, 112] and pixels[200, 100]  # face and suit
    assert not pixels[15, 15] and not pixels[50, 200]  # wall and shuttle


def test_one_click_gives_the_whole_disc(flag: PIL.Image.Image) -> None:
    (region,) = segment_by_points(flag, (ClickedPoint(120, 80),))
    disc = np.asarray(flag)[..., 1] == 140
    assert (region.pixels & disc).sum() / (region.pixels | disc).sum() > 0.9


@pytest.mark.long
def test_clicks_add_and_negative_clicks_take_away(flag: PIL.Image.Image) -> None:
    both = segment_by_points(flag, (ClickedPoint(20, 80), ClickedPoint(120, 80)))[0].pixels
    assert both[80, 20] and both[80, 120]
    assert not both[80, 200]
    less = segment_by_points(
        flag, (ClickedPoint(20, 80), ClickedPoint(120, 80), ClickedPoint(121, 60, positive=False))
    )[0].pixels
    assert less[80, 20] and not less[60, 121]


def test_a_click_on_a_known_object_names_it(astronaut: PIL.Image.Image) -> None:
    (region,) = segment_by_points(astronaut, (ClickedPoint(112, 55),))
    assert region.label == "person"
    assert 0.15 < region.pixels.mean() < 0.75


@every_case(
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


def test_segmentation_stops_when_asked(astronaut: PIL.Image.Image) -> None:
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(Cancelled):
        instance_segmentation(astronaut, context=Context(cancelled=stopped))


@pytest.fixture(scope="module")
def horse() -> tuple[PIL.Image.Image, np.ndarray]:
    """A blue horse in front of a photograph, and which pixels it has."""
    shape = PIL.Image.fromarray(~skimage.data.horse()).resize((300, 246))
    mask = PIL.Image.new("L", (400, 300))
    mask.paste(shape.convert("L"), (50, 27))
    inside = np.asarray(mask) > 127
    gravel = np.asarray(PIL.Image.fromarray(skimage.data.gravel()).resize((400, 300)))
    fur = (gravel[..., None] / 255 * (90, 150, 250)).astype(np.uint8)
    coffee = np.asarray(PIL.Image.fromarray(skimage.data.coffee()).resize((400, 300)))
    return PIL.Image.fromarray(np.where(inside[..., None], fur, coffee)), inside


def _shared(one: np.ndarray, other: np.ndarray) -> float:
    return float((one & other).sum() / (one | other).sum())


def _grown(mask: np.ndarray, radius: int) -> np.ndarray:
    return scipy.ndimage.distance_transform_edt(~mask) <= radius


def _extent(mask: np.ndarray) -> tuple[slice, slice]:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)


def test_a_loose_mask_is_made_exact(horse: tuple[PIL.Image.Image, np.ndarray]) -> None:
    picture, inside = horse
    rough = _grown(inside, 10)
    assert _shared(rough, inside) < 0.65
    (region,) = segment_by_mask(picture, (Region(rough, "horse", 0.7),))
    assert _shared(region.pixels, inside) > 0.85
    assert (region.label, region.score) == ("horse", 0.7)


def test_a_mask_that_is_too_small_grows(horse: tuple[PIL.Image.Image, np.ndarray]) -> None:
    picture, inside = horse
    rough = ~_grown(~inside, 7)
    assert _shared(rough, inside) < 0.65
    (region,) = segment_by_mask(picture, (Region(rough),))
    assert _shared(region.pixels, inside) > 0.75


def test_a_brush_stroke_means_the_whole_object(flag: PIL.Image.Image) -> None:
    stroke = PIL.Image.new("L", flag.size)
    pen = PIL.ImageDraw.Draw(stroke)
    pen.line([(104, 70), (120, 64), (110, 84), (128, 78), (118, 94), (134, 88)], 255, 3)
    (region,) = segment_by_mask(flag, (Region(np.asarray(stroke) > 0),))
    disc = np.asarray(flag)[..., 1] == 140
    assert _shared(region.pixels, disc) > 0.9


def test_each_mask_is_made_exact_by_itself(flag: PIL.Image.Image) -> None:
    disc = np.asarray(flag)[..., 1] == 140
    left = np.zeros(disc.shape, bool)
    left[5:150, 5:70] = True
    left[5:60, 5:20] = False
    first, second = segment_by_mask(flag, (Region(left), Region(_grown(disc, 4))))
    assert first.pixels[80, 40] and not first.pixels[80, 100:].any()
    assert _shared(second.pixels, disc) > 0.9


@pytest.mark.long
def test_a_hand_drawn_box_gives_the_shape() -> None:
    coins = skimage.data.coins()
    bright = scipy.ndimage.binary_fill_holes(scipy.ndimage.binary_opening(coins > 110))
    pieces, _ = scipy.ndimage.label(bright)
    coin = pieces == pieces[127, 154]
    rows, columns = (slice(part.start - 5, part.stop + 5) for part in _extent(coin))
    picture = PIL.Image.fromarray(coins)
    drawn = Box(columns.start, rows.start, columns.stop, rows.stop, "coin")
    (region,) = segment_by_box(picture, (drawn,))
    assert _shared(region.pixels, coin) > 0.9
    assert region.label == "coin"
    filled = np.zeros(coins.shape, bool)
    filled[rows, columns] = True
    (again,) = segment_by_mask(picture, (Region(filled),))
    assert _shared(again.pixels, coin) > 0.9


@pytest.mark.long
def test_a_stroke_on_a_known_object_means_all_of_it(astronaut: PIL.Image.Image) -> None:
    stroke = PIL.Image.new("L", astronaut.size)
    PIL.ImageDraw.Draw(stroke).line([(110, 50), (112, 100), (85, 165), (125, 215)], 255, 6)
    (region,) = segment_by_mask(astronaut, (Region(np.asarray(stroke) > 0),))
    (person,) = (item for item in instance_segmentation(astronaut) if item.label == "person")
    assert region.label == "person"
    assert _shared(region.pixels, person.pixels) > 0.9


def test_a_box_much_larger_than_the_object(flag: PIL.Image.Image) -> None:
    disc = np.asarray(flag)[..., 1] == 140
    (region,) = segment_by_box(flag, (Box(86, 42, 154, 120),))
    assert _shared(region.pixels, disc) > 0.9


def test_a_box_around_a_known_object_names_it(astronaut: PIL.Image.Image) -> None:
    (region,) = segment_by_box(astronaut, (Box(2, 0, 230, 256),))
    assert region.label == "person"
    assert region.pixels[55, 112] and not region.pixels[50, 225]


def test_useless_boxes_and_masks_are_refused(flag: PIL.Image.Image) -> None:
    with pytest.raises(ToolError, match="No box"):
        segment_by_box(flag, ())
    with pytest.raises(ToolError, match="240x160"):
        segment_by_box(flag, (Box(300, 10, 320, 30),))
    with pytest.raises(ToolError, match="Brush over"):
        segment_by_mask(flag, ())
    with pytest.raises(ToolError, match="Brush over"):
        segment_by_mask(flag, (Region(np.zeros((160, 240), bool)),))
    with pytest.raises(ToolError, match="made from this picture"):
        segment_by_mask(flag, (Region(np.ones((300, 40), bool)),))


def test_mask_of_a_box_is_the_shape_inside_it(astronaut: PIL.Image.Image) -> None:
    box = Box(10, 0, 220, 256, "person", 0.9)
    (region,) = bbox_to_mask(astronaut, (box, Box(900, 900, 950, 950)))
    assert region.label == "person"
    assert region.pixels[55, 112] and not region.pixels[15, 30]
    assert not region.pixels[:, 235:].any()
    assert bbox_to_mask(astronaut, ()) == ()


def test_all_of_a_box_is_taken_where_something_is_hidden():
    kinds = {item.name: item.kind for item in segment_by_box.tool.parameters if item.kind}
    assert values_in("pixelate the text in the box", kinds) == {"whole": True}
    assert values_in("cut out the dog that I framed", kinds) == {}
    page = PIL.Image.new("RGB", (60, 40), "white")
    for tool in (bbox_to_mask, segment_by_box):
        (region,) = tool(page, (Box(10, 5.5, 40.2, 20),), whole=True)
        assert region.pixels[5:20, 10:41].all() and region.pixels.sum() == 15 * 31
