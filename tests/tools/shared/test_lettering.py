"""Words on pictures: they are there, at their place, of their colour, and can be read."""

from __future__ import annotations

import numpy as np
import PIL.Image
import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.shared.lettering import draw_words, lay_out, words_layer
from tools.shared.pixels import bounds

PLACES = {
    "top left": (0, 0), "top": (0.5, 0), "top right": (1, 0), "left": (0, 0.5),
    "centre": (0.5, 0.5), "right": (1, 0.5), "bottom left": (0, 1), "bottom": (0.5, 1),
    "bottom right": (1, 1), "": (0.5, 1),
}  # fmt: skip


def _where(picture: PIL.Image.Image, before: PIL.Image.Image) -> tuple[int, int, int, int]:
    changed = np.asarray(picture.convert("RGB")) != np.asarray(before.convert("RGB"))
    found = bounds(changed.any(axis=2))
    assert found is not None
    return found


@every_case("place", list(PLACES))
def test_words_stand_at_their_place_within_the_picture(place: str) -> None:
    ground = PIL.Image.new("RGB", (600, 400), (120, 120, 120))
    left, top, right, bottom = _where(draw_words(ground, "Hello", place), ground)
    assert left > 2 and top > 2 and right < 598 and bottom < 398
    across, down = PLACES[place]
    middle = ((left + right) / 2 / 600, (top + bottom) / 2 / 400)
    assert abs(middle[0] - (0.15 + 0.7 * across)) < 0.12
    assert abs(middle[1] - (0.1 + 0.8 * down)) < 0.1


@every_case("shade", [0, 60, 128, 190, 255])
@every_case("colour", ["", "#ffffff", "#000000", "#ff0000", "#ffee00", "#808080"])
@every_case("box", [False, True])
def test_words_can_be_read_on_any_ground(shade: int, colour: str, box: bool) -> None:
    ground = PIL.Image.new("RGB", (500, 300), (shade,) * 3)
    shown = draw_words(ground, "HHHH", "centre", colour, 0.2, box)
    left, top, right, bottom = _where(shown, ground)
    part = np.asarray(shown.convert("L"), float)[top:bottom, left:right]
    dark, light = np.percentile(part, 10), np.percentile(part, 90)
    assert light - dark > 65


def test_a_colour_is_the_colour_of_the_letters() -> None:
    ground = PIL.Image.new("RGB", (500, 300), "white")
    shown = np.asarray(draw_words(ground, "HHHH", "", "#00aa00", 0.3))
    assert (shown == (0, 170, 0)).all(axis=2).sum() > 2000


@every_case("share", [0.05, 0.1, 0.3])
def test_letters_are_as_tall_as_was_said(share: float) -> None:
    ground = PIL.Image.new("RGB", (1200, 800), "white")
    _, top, _, bottom = _where(draw_words(ground, "H", "", "#000000", share), ground)
    # A capital is 0.73 of the size of its letters.
    assert bottom - top == pytest.approx(0.73 * share * 800, rel=0.3, abs=6)


def test_long_words_are_wrapped_and_lines_are_kept() -> None:
    laid = lay_out("one two three four five six seven eight nine ten eleven twelve", (400, 400))
    assert 2 <= len(laid.lines) <= 4
    assert lay_out("up\ndown", (400, 400)).lines == ("up", "down")
    assert lay_out("up\\ndown", (400, 400)).lines == ("up", "down")


def test_a_word_that_is_too_wide_gets_smaller_letters_or_is_broken() -> None:
    word = "Donaudampfschifffahrtsgesellschaft"
    wide = lay_out(word, (600, 400))
    assert wide.lines == (word,) and wide.letter < 0.07 * 400
    narrow = lay_out(word, (90, 400))
    assert len(narrow.lines) > 1 and "".join(narrow.lines) == word


@every_case("size", [(60, 40), (120, 900), (4000, 300)])
def test_words_stay_inside_pictures_of_every_shape(size: tuple[int, int]) -> None:
    ground = PIL.Image.new("RGB", size, "black")
    found = _where(draw_words(ground, "A few words here"), ground)
    assert found[0] > 0 and found[1] > 0 and found[2] < size[0] and found[3] < size[1]


def test_what_is_clear_stays_clear_beside_the_words() -> None:
    shown = draw_words(PIL.Image.new("RGBA", (400, 300), (0, 0, 0, 0)), "Hello", "top")
    alpha = np.asarray(shown.getchannel("A"))
    assert shown.mode == "RGBA" and alpha[:80].max() == 255 and alpha[150:].max() == 0


def test_grey_pictures_stay_grey_with_grey_words_only() -> None:
    grey = PIL.Image.new("L", (300, 200), 40)
    assert draw_words(grey, "Hello").mode == "L"
    assert draw_words(grey, "Hello", colour="#ff0000").mode == "RGB"


@every_case("box", [False, True])
def test_a_layer_holds_the_same_words(box: bool) -> None:
    ground = PIL.Image.new("RGB", (500, 300), (30, 60, 90))
    around = "plate" if box else ""
    layer = words_layer(ground.size, "Hello there", "top left", "#ffcc00", 0.1, around)
    laid = PIL.Image.alpha_composite(ground.convert("RGBA"), layer).convert("RGB")
    drawn = draw_words(ground, "Hello there", "top left", "#ffcc00", 0.1, "plate" if box else "")
    assert np.abs(np.asarray(laid, int) - np.asarray(drawn, int)).max() <= 2
    assert np.asarray(layer.getchannel("A"))[250:].max() == 0


@every_case("words", ["Ünïcödé ß €", "Ωμέγα", "Привет", "مرحبا", "שלום", "♥ ★ ☺", "a\u200db\ufe0f"])
def test_many_scripts_are_written(words: str) -> None:
    ground = PIL.Image.new("RGB", (500, 300), "white")
    left, _, right, _ = _where(draw_words(ground, words), ground)
    assert right - left > 20


@every_case(
    ("words", "size", "said"),
    [
        ("", (300, 200), "no words"),
        (" \n ", (300, 200), "no words"),
        ("a \U0001f9ff\U000e0041", (300, 200), "cannot be written"),
        ("hello", (1, 1), "no room"),
        ("hello", (300, 1), "no room"),
        ("word " * 4000, (300, 200), "no room"),
    ],
)
def test_what_cannot_be_written_is_refused(words: str, size: tuple[int, int], said: str) -> None:
    with pytest.raises(ToolError, match=said):
        draw_words(PIL.Image.new("RGB", size), words)


def test_no_colour_is_refused() -> None:
    with pytest.raises(ToolError, match="not a colour"):
        draw_words(PIL.Image.new("RGB", (300, 200)), "hello", colour="#zz")
