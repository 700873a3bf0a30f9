"""Asked which of several things is meant, a person points at one of the pictures."""

from __future__ import annotations

from pathlib import Path

import PIL.Image
import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ask, attach


@pytest.fixture
def two_cats(cat: Path, tmp_path: Path) -> Path:
    """A photo of two cats, side by side."""
    path = tmp_path / "cats.jpg"
    with PIL.Image.open(cat) as one:
        both = PIL.Image.new("RGB", (2 * one.width, one.height))
        both.paste(one, (0, 0))
        both.paste(one.transpose(PIL.Image.Transpose.FLIP_LEFT_RIGHT), (one.width, 0))
    both.save(path, quality=95)
    return path


def test_which_of_two_cats(page: Page, two_cats: Path) -> None:
    attach(page, two_cats)
    ask(page, "Crop the cat")
    choices = page.locator(".question [data-do=choose]")
    expect(choices).to_have_count(2)
    for place in range(2):
        expect(choices.nth(place).locator("svg image")).to_be_visible()
    expect(choices.nth(1)).to_have_attribute("aria-label", "cat, number 2 from the left")
    asked = page.locator(".question p").first.inner_text()
    expect(page.locator("#announce")).to_have_text(asked)
    page.reload()
    expect(choices).to_have_count(2)
    # With the keyboard, as any button.
    choices.nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".question")).to_have_count(0)
    page.locator(".results .media-picture img").wait_for()
    expect(page.locator(".turn")).to_have_attribute("data-state", "answered")


@pytest.mark.long
def test_a_cat_alone_is_not_asked_about(page: Page, cat: Path) -> None:
    attach(page, cat)
    ask(page, "Crop the cat")
    expect(page.locator(".question")).to_have_count(0)
    page.locator(".results .media-picture img").wait_for()
