"""The image-processing tools on pictures that scikit-image ships."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest
import skimage.data

from controlllm.toolbox import Context, ToolError
from tests.every_case import every_case
from tools.pictures import maps as image_processing
from tools.pictures.embedded import contours, movenet

LINE_PICTURES = (
    image_processing.image_to_edge,
    image_processing.image_to_canny,
    image_processing.image_to_line,
    image_processing.image_to_hed,
    image_processing.image_to_scribble,
)


@pytest.fixture(scope="module")
def coffee() -> PIL.Image.Image:
    return PIL.Image.fromarray(skimage.data.coffee())


@pytest.fixture(scope="module")
def astronaut() -> PIL.Image.Image:
    return PIL.Image.fromarray(skimage.data.astronaut())


def disc_on_noise() -> tuple[PIL.Image.Image, np.ndarray]:
    """A blue disc on a finely grained ground, and how far each pixel is from its rim."""
    noise = np.random.default_rng(0).normal(150, 12, (240, 320, 3)).clip(0, 255)
    rows, columns = np.indices((240, 320))
    radius = np.hypot(rows - 120, columns - 160)
    noise[radius < 70] = (30, 60, 160)
    return PIL.Image.fromarray(noise.astype(np.uint8)), np.abs(radius - 70)


@pytest.mark.long
@every_case("definition", LINE_PICTURES)
def test_line_pictures_are_grey_and_of_the_same_size(definition, coffee):
    drawn = definition(coffee)
    assert drawn.mode == "L" and drawn.size == coffee.size
    values = np.asarray(drawn)
    # White on black: something is drawn, and most of the picture stays dark.
    assert values.max() > 200
    assert 0.002 < (values > 128).mean() < 0.4


@pytest.mark.long
@every_case(
    "definition",
    [
        image_processing.image_to_edge,
        image_processing.image_to_canny,
        image_processing.image_to_hed,
        image_processing.image_to_scribble,
    ],
)
def test_outline_of_a_disc_is_where_the_disc_ends(definition):
    picture, distance = disc_on_noise()
    values = np.asarray(definition(picture), float)
    assert values[distance < 2].mean() > 5 * max(values[distance > 15].mean(), 1)


def test_canny_is_black_and_white(coffee):
    assert set(np.unique(np.asarray(image_processing.image_to_canny(coffee)))) == {0, 255}


def test_edges_between_colours_of_equal_brightness_are_seen():
    picture = PIL.Image.new("RGB", (60, 40), (200, 0, 0))
    picture.paste((0, 102, 0), (30, 0, 60, 40))
    values = np.asarray(image_processing.image_to_edge(picture), float)
    assert values[5:35, 28:32].max() > 200
    assert values[5:35, 40:].max() == 0


def test_lines_follow_straight_segments_only():
    picture = PIL.Image.new("L", (300, 200), 230)
    pen = PIL.ImageDraw.Draw(picture)
    pen.rectangle((30, 40, 120, 160), fill=60)
    values = np.asarray(image_processing.image_to_line(picture)) > 100
    assert values[50:150, 28:33].any(axis=1).mean() > 0.9
    assert not values[:, 150:].any()
    even = PIL.Image.new("RGB", (300, 200), "gray")
    assert not np.asarray(image_processing.image_to_line(even)).any()


@pytest.mark.long
def test_hed_passes_over_texture_that_canny_draws():
    grass = PIL.Image.fromarray(skimage.data.grass())
    hed_share = (np.asarray(image_processing.image_to_hed(grass)) > 128).mean()
    canny_share = (np.asarray(image_processing.image_to_canny(grass)) > 128).mean()
    assert hed_share < canny_share


@pytest.mark.long
def test_scribble_has_few_even_strokes(coffee):
    probability = contours.edge_probability(np.asarray(coffee))
    strokes = contours.scribble(np.asarray(coffee)) > 128
    assert strokes.mean() < (probability > 0.5).mean()
    # Opening with a disc wider than the pen leaves nothing: no stroke is thicker than the pen.
    import cv2

    wide = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (13, 13))
    assert not cv2.morphologyEx(strokes.astype(np.uint8), cv2.MORPH_OPEN, wide).any()


def test_pose_lies_on_the_person(astronaut):
    wide = PIL.Image.new("RGB", (1024, 512), "gray")
    wide.paste(astronaut, (512, 0))
    values = np.asarray(image_processing.image_to_pose(wide)).max(axis=2)
    assert values.shape == (512, 1024)
    assert values[:, 512:].max() > 150
    assert not values[:, :400].any()


def test_pose_knows_the_face_of_the_astronaut(astronaut):
    from controlllm.resources import Box

    joints = movenet.keypoints(np.asarray(astronaut), Box(20, 0, 430, 512, "person"))
    named = dict(zip(movenet.KEYPOINTS, joints, strict=True))
    nose, left, right = named["nose"], named["left shoulder"], named["right shoulder"]
    assert nose[2] > 0.3
    assert abs(nose[0] - 222) < 25 and abs(nose[1] - 122) < 30
    # Her left is on the right of the picture, and shoulders are below the nose.
    assert right[0] < nose[0] < left[0]
    assert min(left[1], right[1]) > nose[1]


def test_without_a_person_there_is_no_pose(coffee):
    with pytest.raises(ToolError, match="no pose"):
        image_processing.image_to_pose(coffee)


def test_normals_are_unit_vectors_that_lean_away_from_a_slope():
    ramp = PIL.Image.fromarray(np.tile(np.arange(256, dtype=np.uint8), (64, 1)))
    values = np.asarray(image_processing.image_to_normal(ramp)).astype(float) / 127.5 - 1
    assert np.allclose(np.linalg.norm(values, axis=2), 1, atol=0.02)
    assert values[20:40, 100:150, 0].max() < 0
    assert np.abs(values[20:40, 100:150, 1]).max() < 0.02


def test_progress_is_told(coffee):
    coffee = coffee.resize((150, 100))
    told = []
    context = Context(report=lambda fraction, words: told.append((fraction, words)))
    image_processing.image_to_scribble(coffee, context=context)
    assert [fraction for fraction, _ in told] == sorted(fraction for fraction, _ in told)
    assert told and all(words for _, words in told)
