"""Text that is turned, slanted, or small on a large picture."""

from __future__ import annotations

import threading

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest
import skimage.data

from controlllm.toolbox import Cancelled, Context
from tests.every_case import every_case
from tools.seeing.embedded import text_looks, text_reader
from tools.seeing.embedded.scene import Scene
from tools.seeing.embedded.text_looks import Line
from tools.seeing.recognition import optical_character_recognition, visual_grounding

_LINES = ("BAKERY ON THE HILL", "Rolls, dozen 3.60", "Plum tart 4.25", "Thank you, call again soon")


def page(letter: int = 26) -> PIL.Image.Image:
    font = PIL.ImageFont.load_default(letter)
    wide = max(font.getlength(line) for line in _LINES)
    # Nearly square: the shorter side is enlarged, so what is flat has many more pixels to look at.
    step = 2.5 * letter
    picture = PIL.Image.new("RGB", (int(wide) + 60, int(step * len(_LINES)) + 60), "white")
    draw = PIL.ImageDraw.Draw(picture)
    for number, line in enumerate(_LINES):
        draw.text((30, 30 + step * number), line, font=font, fill="black")
    return picture


def leaning(angle: float) -> PIL.Image.Image:
    return page().rotate(angle, PIL.Image.Resampling.BICUBIC, expand=True, fillcolor="white")


@pytest.fixture
def small_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A third of the usual size in the look at the whole, so that a picture is soon a large one."""
    monkeypatch.setattr(text_looks, "_LONGEST", 660)


@pytest.mark.few(1)
@pytest.mark.parametrize("angle", [-25, 90, 7, 180, 270])
def test_writing_is_read_at_any_angle(angle: float) -> None:
    assert optical_character_recognition(leaning(angle)) == "\n".join(_LINES)


@pytest.mark.long
def test_boxes_of_turned_writing_lie_where_it_is() -> None:
    picture = page().transpose(PIL.Image.Transpose.ROTATE_90)
    (line,) = visual_grounding(picture, "the text that says plum tart")
    ink = np.asarray(picture.convert("L"))[:, round(line.left) : round(line.right)] < 128
    rows = np.flatnonzero(ink.any(axis=1))
    assert line.bottom - line.top > 3 * (line.right - line.left)
    assert abs(line.top - rows[0]) < 10 and abs(line.bottom - rows[-1]) < 10


@pytest.mark.long
def test_small_writing_in_the_corner_of_a_large_picture() -> None:
    picture = PIL.Image.new("RGB", (4200, 3200), "white")
    picture.paste(page(22), (3700, 2900))
    assert optical_character_recognition(picture) == "\n".join(_LINES)


def test_small_writing_is_seen_by_whoever_looks_at_a_scene(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(text_looks, "_LONGEST", 330)
    picture = PIL.Image.new("RGB", (1300, 1300), "white")
    picture.paste(page(22), (100, 600))
    assert Scene(picture).words.splitlines() == [*_LINES]


@pytest.mark.long
def test_no_line_is_told_twice_and_long_ones_stay_whole(small_looks: None) -> None:
    picture = PIL.Image.new("RGB", (1800, 1200), "white")
    draw, font = PIL.ImageDraw.Draw(picture), PIL.ImageFont.load_default(20)
    words = "the river runs past the old mill and under the bridge to the sea"
    for number in range(8):
        draw.text((60, 60 + 150 * number), f"{number} {words} {words} again", font=font, fill=0)
    read = optical_character_recognition(picture).splitlines()
    assert [line[:11] for line in read] == [f"{number} the river" for number in range(8)]
    assert all(line.endswith("again") for line in read)


def test_an_upright_page_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []
    real = text_looks.look
    monkeypatch.setattr(text_looks, "look", lambda *given: looks.append(1) or real(*given))
    monkeypatch.setattr(text_reader, "upside_down", lambda *given: pytest.fail("is looked at"))
    assert text_reader.read(page()).text == "\n".join(_LINES)
    assert looks == [1]


def test_strips_are_bounded_and_leave_out_what_is_blank() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (3000, 4000), np.uint8)
    full = PIL.Image.fromarray(noise).convert("RGB")
    strips = list(text_looks._strips(full, 6_000_000, 0.5))
    seen = sum((r - x) * (b - y) * share**2 for (x, y, r, b), share in strips)
    assert seen < 1.3 * 6_000_000
    assert list(text_looks._strips(full, 2_000_000, 0.5)) == []
    blank = PIL.Image.new("RGB", (4000, 3000), "white")
    assert list(text_looks._strips(blank, 6_000_000, 0.5)) == []
    blank.paste("black", (2000, 1500, 2050, 1510))
    (((left, top, right, bottom), share),) = text_looks._strips(blank, 6_000_000, 0.5)
    assert share == 1 and left <= 2000 < 2050 <= right and top <= 1500 < 1510 <= bottom
    assert (right - left) * (bottom - top) < 100_000


def test_texture_is_not_turned() -> None:
    assert optical_character_recognition(PIL.Image.fromarray(skimage.data.gravel())) == ""


def _line(angle: float, length: float = 100) -> Line:
    box = np.array([[0, 0], [length, 0], [length, 10], [0, 10]], float)
    return Line(text_reader.turned_back(box, angle, (0, 0), (0, 0)), "word", 0.9)


@every_case("angle", [-89, -45, -3, 0, 20, 44, 90])
def test_the_slant_is_that_of_most_lines(angle: float) -> None:
    lines = [_line(angle + little) for little in (-1, 0, 1)] + [_line(angle + 60)]
    assert abs(text_reader.slant_of(lines) - angle) < 0.5
    assert text_reader.slant_of([_line(0), _line(50)]) == 0
    assert text_reader.slant_of([_line(30, 12)]) == 0


def test_reading_a_large_picture_can_be_stopped(small_looks: None) -> None:
    stop = threading.Event()
    picture = PIL.Image.new("RGB", (900, 1100), "white")
    for top in (0, 800):
        picture.paste(page(20), (100, top))
    told: list[float] = []

    def report(fraction: float, words: str) -> None:
        told.append(fraction)
        if "small" in words:
            stop.set()

    with pytest.raises(Cancelled):
        optical_character_recognition(picture, context=Context(report, stop))
    assert told == sorted(told)
