"""Parts of wide, large and crowded pictures, and the boxes of all looks made one list."""

from __future__ import annotations

import threading

import PIL.Image
import pytest
import skimage.data

from controlllm.resources import Box
from controlllm.toolbox import Cancelled, Context
from tests.every_case import every_case
from tools.seeing.embedded import detection, tiles
from tools.seeing.recognition import object_detection
from tools.shared.boxes import overlap


def cats(count: int) -> PIL.Image.Image:
    cat = PIL.Image.fromarray(skimage.data.chelsea())
    picture = PIL.Image.new("RGB", (cat.width * count, cat.height))
    for number in range(count):
        picture.paste(cat, (cat.width * number, 0))
    return picture


@pytest.mark.long
def test_everything_on_a_panorama_is_found() -> None:
    picture = cats(5)
    found = [box for box in object_detection(picture) if box.label == "cat"]
    assert len(found) == 5
    wide = picture.width / 5
    for number in range(5):
        place = Box(wide * number, 0, wide * (number + 1), picture.height)
        assert max(overlap(place, box) for box in found) > 0.6


def test_one_large_thing_is_looked_at_once_and_boxed_in_its_own_pixels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = []
    real = detection._look
    monkeypatch.setattr(detection, "_look", lambda image: looks.append(1) or real(image))
    cat = object_detection(cats(1).resize((1804, 1200)))[0]
    assert cat.label == "cat" and overlap(cat, Box(0, 0, 1804, 1200)) > 0.8
    assert looks == [1]


def test_a_closer_look_can_be_stopped() -> None:
    stop = threading.Event()

    def report(fraction: float, words: str) -> None:
        if "closer" in words:
            stop.set()

    with pytest.raises(Cancelled):
        object_detection(cats(5), context=Context(report, stop))


_CROWD = tuple(
    Box(300 * across, 300 * down, 300 * across + 120, 300 * down + 160, "sheep", 0.3)
    for across in range(4)
    for down in range(3)
)
_LARGE = Box(100, 100, 1500, 1100, "horse", 0.8)


@every_case(
    ("size", "seen", "least"),
    [
        ((4000, 375), (), 8),
        ((300, 5000), (), 8),
        ((200_000, 100), (), 2),
        ((1600, 1200), _CROWD, 4),
        ((1600, 1200), (*_CROWD, _LARGE), 4),
        ((4000, 3000), (), 4),
        ((4000, 3000), (Box(10, 10, 200, 200, "bird", 0.9),), 4),
    ],
)
def test_wide_large_and_crowded_pictures_have_parts(
    size: tuple[int, int], seen: tuple[Box, ...], least: int
) -> None:
    found = tiles.parts(size, seen)
    assert least <= len(found) <= tiles.MOST
    assert min(part[0] for part in found) == min(part[1] for part in found) == 0
    assert (max(part[2] for part in found), max(part[3] for part in found)) == size
    for left, top, right, bottom in found:
        assert 0 <= left < right <= size[0] and 0 <= top < bottom <= size[1]


@every_case(
    ("size", "seen"),
    [
        ((640, 480), ()),
        ((1600, 1200), (_LARGE,)),
        ((1280, 720), (Box(0, 0, 90, 90, "cup", 0.5),)),
        ((3000, 9), ()),
        ((600, 400), _CROWD),
    ],
)
def test_ordinary_pictures_have_none(size: tuple[int, int], seen: tuple[Box, ...]) -> None:
    assert tiles.parts(size, seen) == ()


_LEFT, _RIGHT, _SIZE = (0, 0, 600, 400), (400, 0, 1000, 400), (1000, 400)


def _merged(left: list[Box], right: list[Box], whole: tuple[Box, ...] = ()) -> list[Box]:
    return list(tiles.merged(whole, [(_LEFT, left), (_RIGHT, right)], _SIZE))


def test_what_two_parts_show_is_told_once() -> None:
    dog, again = Box(420, 50, 560, 300, "dog", 0.8), Box(425, 52, 562, 298, "dog", 0.7)
    assert _merged([dog], [again]) == [dog]
    doubtful = Box(418, 50, 565, 300, "horse", 0.3)
    assert _merged([dog], [], (doubtful,)) == [dog]
    assert _merged([Box(1, 1, 50, 50, "dog", 0.25)], []) == []


def test_a_piece_is_dropped_where_the_whole_thing_is_known() -> None:
    dog = Box(450, 50, 800, 300, "dog", 0.6)
    piece = Box(452, 60, 599, 290, "cow", 0.9)
    assert _merged([piece], [dog]) == [dog]


def test_pieces_of_one_thing_become_one() -> None:
    found = _merged([Box(100, 50, 598, 300, "bus", 0.5)], [Box(403, 60, 900, 310, "bus", 0.7)])
    assert found == [Box(100, 50, 900, 310, "bus", 0.7)]
    apart = [Box(500, 0, 598, 100, "cup", 0.5)], [Box(402, 250, 480, 390, "cup", 0.6)]
    assert len(_merged(*apart)) == 2


def test_what_is_larger_than_a_part_is_known_by_the_whole() -> None:
    bus = Box(20, 20, 980, 380, "bus", 0.8)
    assert _merged([Box(30, 30, 560, 370, "bus", 0.6)], [], (bus,)) == [bus]
    several = [Box(30, 30, 250, 370, "bus", 0.6), Box(280, 30, 560, 370, "bus", 0.6)]
    assert _merged(several, [], (bus,)) == several
