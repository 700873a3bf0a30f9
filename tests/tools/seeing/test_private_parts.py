"""Every face and number plate is found, and what may be missing is said."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest
import skimage.data

from controlllm.resources import Box, Region
from controlllm.toolbox import Context
from tools.masks.segmentation import bbox_to_mask
from tools.pictures.effects import emoji, image_blurring
from tools.pictures.hiding import pixelate_image
from tools.seeing.embedded import choosing, faces, plates
from tools.seeing.embedded.scene import Scene
from tools.seeing.recognition import visual_grounding
from tools.shared.boxes import inside
from tools.shared.covering import remark_covered, remark_missing

#: Where the face is in the astronaut's picture of 512 by 512 pixels.
_FACE = (180, 75, 275, 175)


@pytest.fixture(scope="module")
def astronaut() -> PIL.Image.Image:
    return PIL.Image.fromarray(skimage.data.astronaut())


def group(astronaut: PIL.Image.Image) -> tuple[PIL.Image.Image, list[Box]]:
    """Three people in a row, near, on her side and far, and where their faces are."""
    picture = PIL.Image.new("RGB", (860, 420), (90, 120, 90))
    places = []
    for left, side, is_lying in ((0, 420, 0), (430, 300, 1), (735, 120, 0)):
        one = astronaut.resize((side, side))
        scale = side / 512
        x, y, right, bottom = (edge * scale for edge in _FACE)
        if is_lying:
            one = one.transpose(PIL.Image.Transpose.ROTATE_90)
            x, y, right, bottom = y, side - right, bottom, side - x
        picture.paste(one, (left, 10))
        places.append(Box(left + x, 10 + y, left + right, 10 + bottom, "face"))
    return picture, places


def test_all_faces_are_found_near_and_far_and_turned(astronaut: PIL.Image.Image) -> None:
    picture, places = group(astronaut)
    found = visual_grounding(picture, "everyone's face")
    assert len(found) == len(places) and {box.label for box in found} == {"face"}
    for place in places:
        assert any(inside(place, box) > 0.5 for box in found), place


@pytest.mark.long
def test_what_is_no_face_is_none() -> None:
    for name in ("chelsea", "coffee", "rocket"):
        picture = PIL.Image.fromarray(getattr(skimage.data, name)())
        assert Scene(picture).every_face == (), name


def test_a_very_large_picture_has_no_more_tiles_than_any() -> None:
    for size in ((5000, 4000), (300, 200), (9000, 700), (20, 16)):
        squares = list(faces.tiles(size))
        assert 1 <= len(squares) <= 260
        assert squares[0] == (0, 0, max(size), max(size))


@pytest.mark.parametrize("how", ["pixelate", "blur", "emoji"])
def test_every_face_is_covered_and_it_is_said_how_many(
    astronaut: PIL.Image.Image, how: str
) -> None:
    picture, places = group(astronaut)
    boxes = tuple(Box(p.left, p.top, p.right, p.bottom, "face", 0.9) for p in places)
    context = Context()
    if how == "emoji":
        changed = emoji(picture, boxes, context=context)
    else:
        mask = bbox_to_mask(picture, boxes)
        work = pixelate_image if how == "pixelate" else image_blurring
        changed = work(picture, mask, context=context)
    assert context.remarks == ("3 faces are covered.",)
    before, after = (np.asarray(one, np.float32) for one in (picture, changed))
    for place in places:
        part = np.s_[int(place.top) : int(place.bottom), int(place.left) : int(place.right)]
        # What makes a face out, its edges, is gone.
        edges = [np.abs(np.diff(one[part].mean(axis=2), axis=1)).mean() for one in (before, after)]
        assert edges[1] < 0.6 * edges[0], (how, place)


def test_doubtful_and_missing_ones_are_said() -> None:
    context = Context()
    remark_covered([Region(np.ones((2, 2), bool), "face", 0.6)], context)
    remark_missing(2, "person", "face", context)
    remark_missing(0, "vehicle", "number plate", context)
    assert context.remarks == (
        "1 face is covered.",
        "It may be something else: have a look at the picture.",
        "In 2 people no face was found: turned away, hidden, or missed. If one shows, point at "
        "it in the picture and ask for it again.",
    )


def test_other_things_are_not_counted() -> None:
    context = Context()
    remark_covered([Box(0, 0, 4, 4, "dog", 0.9)], context)
    assert context.remarks == ()


def test_plates_are_text_with_digits_low_on_a_vehicle() -> None:
    picture = PIL.Image.new("RGB", (900, 500), (120, 130, 140))
    draw = PIL.ImageDraw.Draw(picture)
    draw.rectangle((100, 80, 800, 460), fill=(30, 60, 120))
    font = PIL.ImageFont.load_default
    draw.text((300, 95), "ROUTE 24", fill="white", font=font(40))
    draw.text((180, 220), "POLICE", fill="white", font=font(60))
    draw.rectangle((350, 370, 560, 420), fill="white")
    draw.text((362, 372), "KL 482 XR", fill="black", font=font(40))
    draw.text((20, 20), "12 May 24", fill="black", font=font(30))
    vehicle = Box(100, 80, 800, 460, "car", 0.9)
    found = plates.find(picture, (vehicle, Box(100, 80, 800, 460, "dog", 0.9)))
    assert [box.label for box in found] == ["number plate"]
    assert inside(Box(365, 378, 550, 412), found[0]) > 0.9
    assert plates.find(picture, ()) == ()


def test_everyones_are_all() -> None:
    faces = [Box(10 * n, 0, 10 * n + 8, 8, "face", 0.9) for n in range(3)]
    for words in ("everyone's face", "everybody's face", "every face", "the faces"):
        assert len(choosing.choose(words, faces)) == 3, words
    assert len(choosing.choose("the face on the left", faces)) == 1
