"""Captions, meme texts and watermarks."""

from __future__ import annotations

import numpy as np
import PIL.Image
import pytest

from controlllm.toolbox import ToolError
from controlllm.values import values_in
from tests.every_case import every_case
from tools.pictures.lettered import add_watermark, without_quotes, write_on_image
from tools.shared.lettering import draw_words

GROUND = PIL.Image.new("RGB", (600, 400), (90, 120, 150))


def _changed(shown: PIL.Image.Image, before: PIL.Image.Image = GROUND) -> np.ndarray:
    apart = np.asarray(shown.convert("RGB"), int) - np.asarray(before.convert("RGB"), int)
    return np.abs(apart).max(axis=2)


def test_a_caption_is_written_at_the_bottom_or_where_it_was_said() -> None:
    below = _changed(write_on_image(GROUND, "Summer 2024")) > 20
    assert not below[:300].any() and below[330:].sum() > 500
    above = _changed(write_on_image(GROUND, "Summer 2024", place="top right")) > 20
    assert above[:80, 300:].sum() > 500 and not above[100:].any()


def test_a_strip_of_words_covers_nothing_of_the_picture() -> None:
    below = np.asarray(write_on_image(GROUND, "Lake Garda", style="strip #ffffff"))
    assert below.shape[0] > 430 and (below[:400] == (90, 120, 150)).all()
    assert (below[400] == 255).all() and below[400:].min() < 40
    above = write_on_image(GROUND.convert("RGBA"), "Before", "#ffff00", "strip #000000", "top")
    band = np.asarray(above)[: above.height - 400]
    assert above.mode == "RGBA" and (band[..., 3] == 255).all()
    assert (band[..., :3] == (255, 255, 0)).all(axis=2).any() and (band[0, :, :3] == 0).all()


@every_case(
    ("words", "expected"),
    [
        ("“Hello”", "Hello"),
        ('"Hello"', "Hello"),
        ("'It's me'", "It's me"),
        ("„Hallo“", "Hallo"),
        ("«Bonjour»", "Bonjour"),
        (" Hello ", "Hello"),
        ('"one" and "two"', '"one" and "two"'),
        ('"', '"'),
        ("5'", "5'"),
    ],
)
def test_words_in_quotes_lose_the_quotes(words: str, expected: str) -> None:
    assert without_quotes(words) == expected


def test_quotes_are_not_written() -> None:
    assert (_changed(write_on_image(GROUND, "“Hello”"), write_on_image(GROUND, "Hello")) == 0).all()


def test_the_colour_and_the_size_of_letters() -> None:
    tall = {}
    for letters in ("small", "", "large", "huge"):
        shown = np.asarray(write_on_image(GROUND, "SOLD", "#ff0000", "", "centre", letters))
        red = (shown == (255, 0, 0)).all(axis=2)
        assert red.any()
        tall[letters] = int(red.any(axis=1).sum())
    assert tall["small"] < tall[""] < tall["large"] < tall["huge"]


def test_a_plate_is_behind_the_words() -> None:
    white = PIL.Image.new("RGB", (600, 400), "white")
    shown = np.asarray(write_on_image(white, "Closed", style="plate").convert("L"))
    plate = shown < 140
    assert plate.sum() > 3000 and (shown[300:] > 240).any() and not plate[:250].any()


def test_a_meme_has_capitals_above_and_below() -> None:
    shown = write_on_image(GROUND, "one does not\nsimply fly", style="meme")
    changed = _changed(shown) > 20
    assert changed[:90].sum() > 1500 and changed[310:].sum() > 1500
    assert not changed[150:250].any()
    same = write_on_image(GROUND, '"ONE DOES NOT" and "SIMPLY FLY"', style="meme")
    assert np.array_equal(np.asarray(shown), np.asarray(same))
    # A long sentence is cut in two at its comma.
    cut = write_on_image(GROUND, "when it works at once, and nobody knows why", style="meme")
    halves = draw_words(GROUND, "WHEN IT WORKS AT ONCE", "top", "#ffffff", 0.13)
    assert np.array_equal(np.asarray(cut)[:170], np.asarray(halves)[:170])


def test_clear_pictures_stay_clear() -> None:
    clear = PIL.Image.new("RGBA", (400, 300), (0, 0, 0, 0))
    for shown in (write_on_image(clear, "Hello"), add_watermark(clear, "Hello")):
        assert shown.mode == "RGBA"
        assert np.asarray(shown)[..., 3].max() > 100 and shown.getpixel((5, 5))[3] == 0


@every_case("shade", [0, 128, 255])
def test_a_watermark_is_visible_but_faint(shade: int) -> None:
    ground = PIL.Image.new("RGB", (600, 400), (shade,) * 3)
    for style in ("", "repeated"):
        apart = _changed(add_watermark(ground, "© Lind", style=style), ground)
        assert 30 < apart.max() < 140, style


def test_a_watermark_stands_in_its_corner_or_all_over() -> None:
    apart = _changed(add_watermark(GROUND, "© Lind")) > 10
    assert apart[340:, 400:].any() and not apart[:300].any() and not apart[:, :300].any()
    left = _changed(add_watermark(GROUND, "© Lind", place="top left")) > 10
    assert left[:60, :200].any() and not left[100:].any()
    spread = _changed(add_watermark(GROUND, "DRAFT", style="repeated")) > 10
    for top in (0, 133, 266):
        assert all(spread[top : top + 134, at : at + 200].any() for at in (0, 200, 400))
    assert spread.mean() < 0.4


def test_a_watermark_can_be_stronger() -> None:
    weak, strong = (_changed(add_watermark(GROUND, "Mia", strength=at)).max() for at in (15, 90))
    assert strong > 3 * weak > 0


@pytest.mark.long
def test_grey_and_large_pictures() -> None:
    assert add_watermark(PIL.Image.new("L", (300, 200), 90), "Mia").mode == "L"
    large = PIL.Image.new("RGB", (4000, 3000), "white")
    assert (_changed(add_watermark(large, "Mia", style="repeated"), large) > 10).mean() > 0.01


@every_case("tool", [write_on_image, add_watermark])
def test_no_words_and_no_room_are_refused(tool) -> None:
    with pytest.raises(ToolError, match="no words"):
        tool(GROUND, "  ")
    with pytest.raises(ToolError, match="no room"):
        tool(PIL.Image.new("RGB", (300, 1)), "Hello")


@every_case("size", [(600, 400), (300, 500)])
def test_huge_words_take_the_width_or_the_diagonal(size: tuple[int, int]) -> None:
    ground = PIL.Image.new("RGB", size, (90, 120, 150))
    for request, place in (("right across the whole picture", ""), ("diagonal, huge", "diagonal")):
        kinds = {item.name: item.kind for item in write_on_image.tool.parameters if item.kind}
        said = values_in(request, kinds)
        assert said == {"letters": "huge"} | ({"place": place} if place else {})
        down, across = np.nonzero(_changed(write_on_image(ground, "SOLD", **said), ground) > 20)
        width, height = np.ptp(across) / size[0], np.ptp(down) / size[1]
        assert 0.8 < (max(width, height) if place else width) < 0.99
        rises = np.corrcoef(across, down)[0, 1] < -0.3
        assert rises == bool(place) and abs(across.mean() / size[0] - 0.5) < 0.05
