"""How the page looks on other screens and in other colours."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.steps import ask, attach, closed, opened

_STICKS_OUT = """() => [...document.querySelectorAll('#middle, #middle *')]
  .filter((e) => e.checkVisibility() &&
    !e.closest('.graph-scroll, .ways, .for-screen-readers, .how-chain, .chip, select'))
  .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
  .map((e) => e.className || e.nodeName)"""
_NAMELESS = """() => [...document.querySelectorAll('button, a, input, textarea, select')]
  .filter((e) => e.checkVisibility())
  .filter((e) => !(e.getAttribute('aria-label') || e.title || e.textContent.trim() ||
    e.labels?.length || e.getAttribute('aria-labelledby')))
  .map((e) => e.outerHTML)"""


@pytest.mark.long
def test_colours_follow_the_system_until_others_are_chosen(
    new_context: Callable[..., BrowserContext], address: str
) -> None:
    page = opened(new_context(color_scheme="dark"), address)
    body, dark = page.locator("body"), re.compile(r"\bdark\b")
    expect(body).to_have_class(dark)
    ground = (
        "parseInt(getComputedStyle(document.querySelector('gradio-app')).backgroundColor.slice(4))"
    )
    assert page.evaluate(ground) < 90
    page.emulate_media(color_scheme="light")
    expect(body).not_to_have_class(dark)
    assert page.evaluate(ground) > 200
    page.click("#settings")
    page.get_by_label("Dark", exact=True).check()
    expect(body).to_have_class(dark)
    closed(page)
    page.reload()
    page.locator(".welcome").wait_for()
    expect(body).to_have_class(dark)


def test_nothing_sticks_out_at_any_width_and_all_has_a_name(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    ask(page, "Find the cup in this picture and crop it.")
    for width in (320, 390, 768, 1000, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(_STICKS_OUT) == [], width
        expect(page.locator("#words .submit-button")).to_be_in_viewport(ratio=1)
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), width
    assert page.evaluate(_NAMELESS) == []
    assert page.locator("img:not([alt]):visible").count() == 0
    assert page.locator("h1:visible").count() >= 1
