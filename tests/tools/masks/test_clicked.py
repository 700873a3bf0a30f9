"""What clicks mean, and what belongs to a subject, piece by piece."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest
import skimage.data

from controlllm.resources import Box, ClickedPoint
from tools.masks.embedded import clicked, colour_areas, outlines, subject
from tools.masks.segmentation import segment_by_points
from tools.seeing.embedded import detection, salience


def _disc(shape: tuple[int, int], across: int, down: int, radius: int) -> np.ndarray:
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    return (rows - down) ** 2 + (columns - across) ** 2 <= radius**2


@pytest.fixture(scope="module")
def coffee() -> np.ndarray:
    return np.asarray(PIL.Image.fromarray(skimage.data.coffee()).resize((300, 200)))


@pytest.mark.long
def test_what_is_not_known_stands_out_in_a_cut_out() -> None:
    apple = PIL.Image.fromarray(skimage.data.gravel()).convert("RGB").resize((400, 300))
    pen = PIL.ImageDraw.Draw(apple)
    pen.ellipse((60, 90, 160, 190), fill=(220, 40, 30))
    pen.ellipse((250, 90, 350, 190), fill=(240, 200, 40))
    true = _disc((300, 400), 110, 140, 50)
    click = _disc((300, 400), 110, 140, 3)
    found, name = clicked.under(np.asarray(apple), click, np.zeros_like(click), ())
    assert name == "" and clicked.alike(found, true) > 0.9


def test_a_second_click_mends_a_mask() -> None:
    picture = np.full((200, 300, 3), (40, 160, 60), np.uint8)
    true = _disc((200, 300), 100, 100, 60)
    picture[true] = (200, 60, 40)
    too_much = true.copy()
    too_much[80:120, 100:260] = True
    front, back = _disc((200, 300), 90, 100, 4), _disc((200, 300), 210, 100, 4)
    mended = clicked.mended(picture, too_much, front, back)
    assert clicked.alike(mended, true) > 0.9
    assert not mended[100, 210] and mended[100, 90]


@pytest.mark.long
def test_a_click_on_a_cup_leaves_most_of_its_saucer(coffee: np.ndarray) -> None:
    (region,) = segment_by_points(PIL.Image.fromarray(coffee), (ClickedPoint(145, 112),))
    assert region.label == "cup" and region.pixels[112, 145]
    assert not region.pixels[175:195, 80:110].any()  # the saucer's near rim


def test_a_crowded_box_keeps_only_what_stands_out_in_it(coffee: np.ndarray) -> None:
    cup = Box(70, 5, 220, 199)
    assert outlines.in_box(coffee, cup, crowded=True).sum() < outlines.in_box(coffee, cup).sum()


def test_crumbs_and_cracks_are_mended_openings_stay() -> None:
    mask = np.zeros((100, 100), bool)
    mask[10:90, 10:90] = True
    mask[30:33, 30:33] = mask[50:80, 40:60] = False
    mask[2:5, 95:98] = True
    tidy = outlines.tidy(mask)
    assert tidy[31, 31] and not tidy[60, 50] and not tidy[3, 96]


def test_areas_follow_colours() -> None:
    picture = np.zeros((90, 120, 3), np.uint8)
    picture[:, :60], picture[:, 60:] = (200, 30, 30), (30, 30, 200)
    areas = colour_areas.divided(picture)
    assert areas.shape == (90, 120) and areas.min() == 0
    assert areas[40, 10] == areas[80, 50] != areas[40, 100]


def test_salience_of_a_box_is_nothing_around_it(coffee: np.ndarray) -> None:
    found = salience.in_box(coffee, Box(75, 10, 215, 190))
    assert found.shape == coffee.shape[:2] and found[100, 145] > 0.5
    assert found[:10].max() == 0 and found[:, 215:].max() == 0


def _subject_with(monkeypatch: pytest.MonkeyPatch, seen: tuple[Box, ...]) -> np.ndarray:
    """The subject of a drawn picture of three things, as far as those seen are known."""
    likely = np.zeros((200, 300), np.float32)
    for left, right in ((20, 100), (110, 160), (230, 260)):
        likely[60:140, left:right] = 1

    def in_box(
        picture: np.ndarray, box: Box, crowded: bool | None = False, network: object = None
    ) -> np.ndarray:
        inside = np.zeros(likely.shape, bool)
        inside[60:140, int(box.left) : int(box.right) + 1] = True
        return inside & (likely > 0.5)

    def found_by(picture: np.ndarray, network: object = None) -> np.ndarray:
        return likely if picture[0, 0, 0] else likely[:, ::-1]

    monkeypatch.setattr(salience, "salience", found_by)
    monkeypatch.setattr(salience, "foreground", lambda picture: 0 * likely)
    monkeypatch.setattr(detection, "detect", lambda image, threshold: seen)
    monkeypatch.setattr(outlines, "in_box", in_box)
    picture = np.zeros((200, 300, 3), np.uint8)
    picture[:, :150] = 255  # tells it from its mirror image
    found = subject.main_subject(PIL.Image.fromarray(picture), picture)
    assert found is not None
    return found


def test_another_object_beside_the_subject_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    hydrant = Box(20, 60, 100, 140, "fire hydrant", 0.9)
    alone = _subject_with(monkeypatch, (hydrant,))
    assert alone[100, 50] and alone[100, 130]
    beside = _subject_with(monkeypatch, (hydrant, Box(110, 60, 140, 140, "car", 0.5)))
    assert beside[100, 50] and not beside[100, 130]


def test_a_person_keeps_what_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    person = Box(20, 60, 100, 140, "person", 0.9)
    racket = Box(110, 60, 160, 140, "tennis racket", 0.5)
    found = _subject_with(monkeypatch, (person, racket))
    assert found[100, 50] and found[100, 130]
    assert not found[100, 245]  # stands out too, but lies in no box


def test_things_that_overlap_are_looked_at_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = Box(20, 60, 80, 140, "chair", 0.9), Box(70, 60, 150, 140, "chair", 0.9)
    found = _subject_with(monkeypatch, boxes)
    assert found[100, 50] and found[100, 130]
    assert found[100, 245]  # one box need not hold all that stands out


def test_what_no_detector_knows_is_looked_at_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _subject_with(monkeypatch, ())[60:140, 20:100].all()
