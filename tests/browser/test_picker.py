"""Pointing at things: clicks are kept in the picture's own pixels."""

from __future__ import annotations

from pathlib import Path

import PIL.Image
import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ask, attach


def pins(page: Page) -> list[tuple[int, int, bool]]:
    """The marks in the picker: x, y in pixels, and whether they are positive."""
    return [
        (
            int(pin.get_attribute("data-x") or -1),
            int(pin.get_attribute("data-y") or -1),
            "positive" in (pin.get_attribute("class") or ""),
        )
        for pin in page.locator("#picker-marks .pin").all()
    ]


def click_at(page: Page, across: float, down: float, **how: object) -> None:
    """Click at a share of the shown picture's width and height."""
    box = page.locator("#picker-picture").bounding_box()
    assert box is not None
    modifiers = how.pop("modifiers", [])
    for key in modifiers:  # type: ignore[attr-defined]
        page.keyboard.down(key)
    x, y = box["x"] + box["width"] * across, box["y"] + box["height"] * down
    page.mouse.click(x, y, **how)  # type: ignore[arg-type]
    for key in modifiers:  # type: ignore[attr-defined]
        page.keyboard.up(key)


def open_picker(page: Page) -> None:
    page.click("#open-picker")
    page.locator("#picker-sheet[style*=width]").wait_for()
    page.locator("#picker-picture").evaluate("(image) => image.decode()")
    page.locator("#picker").evaluate(
        "(dialog) => Promise.all(dialog.getAnimations().map((moving) => moving.finished))"
    )


def near(found: int, wanted: float) -> bool:
    return abs(found - wanted) <= 1.5


def test_two_positive_one_negative_and_undo(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    open_picker(page)
    click_at(page, 0.5, 0.5)
    click_at(page, 0.55, 0.3)
    click_at(page, 0.1, 0.1, button="right")
    click_at(page, 0.9, 0.9, modifiers=["Shift"])
    found = pins(page)
    assert [positive for _, _, positive in found] == [True, True, False, False]
    assert near(found[0][0], 300) and near(found[0][1], 200)
    assert near(found[1][0], 330) and near(found[1][1], 120)
    assert near(found[2][0], 60) and near(found[2][1], 40)
    page.click("#picker-undo")
    assert len(pins(page)) == 3
    expect(page.locator("#picker-status")).to_contain_text("2 on it, 1 not on it")
    page.locator("#picker-mask[data-state=final]").wait_for()
    page.click("#picker-use")
    expect(page.locator("#chips .is-numbered")).to_contain_text("in coffee.jpg")
    ask(page, "Cut out [1].")
    expect(page.locator(".asked .masked")).to_have_count(1)
    expect(page.locator(".asked .chip-number")).to_have_text("1")
    expect(page.locator(".results .media")).to_have_count(1)


@pytest.mark.long
def test_mode_switch_clear_and_nothing_positive(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    open_picker(page)
    expect(page.locator("#picker-use")).to_be_disabled()
    page.locator("#picker .negative").click()
    click_at(page, 0.2, 0.2)
    assert [positive for _, _, positive in pins(page)] == [False]
    expect(page.locator("#picker-use")).to_be_disabled()
    expect(page.locator("#picker-status")).to_contain_text("at least one point")
    page.click("#picker-clear")
    assert pins(page) == []


@pytest.mark.long
def test_click_beside_the_picture_says_so(page: Page, tmp_path: Path) -> None:
    tall = tmp_path / "tall.png"
    PIL.Image.new("RGB", (60, 900), "teal").save(tall)
    attach(page, tall)
    open_picker(page)
    stage = page.locator("#picker-stage").bounding_box()
    assert stage is not None
    page.mouse.click(stage["x"] + 10, stage["y"] + stage["height"] / 2)
    expect(page.locator("#picker-status")).to_contain_text("beside the picture")
    assert pins(page) == []
    click_at(page, 0.5, 0.5)
    found = pins(page)
    assert near(found[0][0], 30) and abs(found[0][1] - 450) <= 3


@pytest.mark.long
@pytest.mark.parametrize("size", [(3, 2), (24, 18), (3000, 2000)])
def test_any_size_gives_its_own_pixels(page: Page, tmp_path: Path, size: tuple[int, int]) -> None:
    path = tmp_path / "picture.png"
    PIL.Image.new("RGB", size, "teal").save(path)
    attach(page, path)
    open_picker(page)
    click_at(page, 0.75, 0.25)
    ((x, y, _),) = pins(page)
    shown = page.locator("#picker-picture").bounding_box()
    assert shown is not None
    pixel = max(1.0, size[0] / shown["width"])
    assert abs(x - int(size[0] * 0.75)) <= pixel and abs(y - int(size[1] * 0.25)) <= pixel


#: The picture is three times as wide, at the stage's corner, and was so in the frame before.
_SCROLLED_BACK = """() => {
    document.querySelector('#picker-stage').scrollTo(0, 0);
    const { x, y, width } = document.querySelector('#picker-sheet').getBoundingClientRect();
    const before = window.sheetBefore;
    window.sheetBefore = [x, y, width].join();
    return before === window.sheetBefore && width > 1500;
}"""


@pytest.mark.long
def test_zoom_does_not_move_the_clicks(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    open_picker(page)
    page.locator("#picker-zoom").fill("3")
    page.wait_for_function(_SCROLLED_BACK)
    sheet = page.locator("#picker-sheet").bounding_box()
    stage = page.locator("#picker-stage").bounding_box()
    assert sheet is not None and stage is not None
    page.mouse.click(stage["x"] + 200, stage["y"] + 150)
    ((x, y, _),) = pins(page)
    scale = 600 / sheet["width"]
    assert near(x, (stage["x"] + 200 - sheet["x"]) * scale)
    assert near(y, (stage["y"] + 150 - sheet["y"]) * scale)


@pytest.mark.long
def test_rotated_photo_is_pointed_at_upright(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "rotated.jpg"
    photo = PIL.Image.new("RGB", (600, 300), "teal")
    exif = photo.getexif()
    exif[0x0112] = 6
    photo.save(path, exif=exif)
    attach(page, path)
    open_picker(page)
    click_at(page, 0.5, 0.5)
    ((x, y, _),) = pins(page)
    assert near(x, 150) and near(y, 300)


@pytest.mark.long
def test_keyboard_alone_sets_points(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    page.locator("#open-picker").press("Enter")
    page.wait_for_function("document.querySelector('#picker-sheet').style.width !== ''")
    stage = page.locator("#picker-stage")
    expect(stage).to_be_focused()
    stage.press("ArrowRight")
    stage.press("Enter")
    stage.press("ArrowUp")
    stage.press("Shift+Enter")
    found = pins(page)
    assert [positive for _, _, positive in found] == [True, False]
    assert near(found[0][0], 312) and near(found[0][1], 200)
    assert near(found[1][1], 188)
    page.locator("#picker-mask[data-state=final]").wait_for()
    page.locator("#picker-use").press("Enter")
    expect(page.locator("#chips .is-numbered")).to_contain_text("in coffee.jpg")


@pytest.mark.long
def test_pointing_without_a_picture_gives_a_hint(page: Page) -> None:
    page.click("#open-picker")
    expect(page.locator("#hint")).to_contain_text("Add a picture first")
