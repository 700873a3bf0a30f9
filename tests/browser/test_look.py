"""How the page looks and behaves on other screens, in other colours, by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.steps import ask, attach, opened

CONTRAST = """
() => {
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => {
      v /= 255;
      return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
      if (colour[3] > 0) return null;
    }
    return [255, 255, 255];
  };
  const bad = [];
  for (const element of document.querySelectorAll('.app *')) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    const look = { opacityProperty: true, visibilityProperty: true };
    if (!own || !element.checkVisibility(look)) continue;
    if (element.closest('svg, .for-screen-readers, [disabled], option')) continue;
    const back = ground(element);
    if (!back) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(back)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const words = element.textContent.trim();
    if (ratio < 4.5) bad.push(`${element.className} ${words} ${ratio.toFixed(2)}`);
  }
  return bad;
}
"""


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.long), "dark"])
def test_colours_follow_the_system_and_can_be_read(
    new_context: Callable[..., BrowserContext], address: str, coffee: Path, scheme: str
) -> None:
    page = opened(new_context(color_scheme=scheme), address)
    expect(page.locator("html")).to_have_attribute("data-theme", scheme)
    dark = page.evaluate(
        "parseInt(getComputedStyle(document.querySelector('.app')).backgroundColor.slice(4)) < 90"
    )
    assert dark == (scheme == "dark")
    assert page.evaluate(CONTRAST) == []
    attach(page, coffee)
    ask(page, "How many cups are in this picture?")
    page.locator(".how > summary").click()
    for fold in page.locator(".choices > summary").all():
        fold.click()
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))")
    assert page.evaluate(CONTRAST) == []


def test_theme_is_chosen_and_kept(page: Page) -> None:
    page.click("[data-do=settings]")
    page.locator("#theme span", has_text="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize(
    "width", [320, *(pytest.param(width, marks=pytest.mark.long) for width in (390, 768, 1440))]
)
def test_nothing_sticks_out_at_any_width(
    new_context: Callable[..., BrowserContext], address: str, coffee: Path, width: int
) -> None:
    page = opened(new_context(viewport={"width": width, "height": 800}), address)
    attach(page, coffee)
    ask(page, "Find the cup in this picture and crop it.")
    page.locator(".how > summary").click()
    wide = page.evaluate(
        """() => [...document.querySelectorAll('.middle, .middle *')]
          .filter((e) => e.checkVisibility() &&
            !e.closest('.graph-scroll, .ways, .for-screen-readers, .how-chain, .chip, select'))
          .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
          .map((e) => e.className || e.nodeName)"""
    )
    assert wide == []
    expect(page.locator("#send")).to_be_in_viewport()


@pytest.mark.long
def test_drawers_on_a_phone(new_context: Callable[..., BrowserContext], address: str) -> None:
    page = opened(new_context(viewport={"width": 390, "height": 800}, has_touch=True), address)
    expect(page.locator("#rail")).not_to_be_visible()
    page.get_by_role("button", name="Conversations").click()
    expect(page.locator("#rail")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#rail")).not_to_be_visible()
    page.locator(".files-button").click()
    expect(page.locator("#files")).to_be_visible()


@pytest.mark.long
def test_everything_has_a_name(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll(
            '.app button, .app a, .app input, .app textarea, .app select')]
          .filter((e) => e.checkVisibility())
          .filter((e) => !(e.getAttribute('aria-label') || e.title || e.textContent.trim() ||
            e.labels?.length))
          .map((e) => e.outerHTML)"""
    )
    assert nameless == []
    assert page.evaluate("[...document.querySelectorAll('.app img:not([alt])')].length") == 0
    assert page.locator("h1:visible").count() >= 1


def test_keyboard_alone_asks(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#words")).to_be_focused()
    page.keyboard.type("Say “Good morning, the coffee is ready” aloud.")
    page.keyboard.press("Enter")
    page.locator(".turn.is-answered").wait_for()
    expect(page.locator("audio").last).to_be_visible()


@pytest.mark.long
def test_example_runs_with_one_click(page: Page) -> None:
    page.locator("[data-do=example]").first.click()
    page.locator(".turn.is-answered").wait_for()
    expect(page.locator(".results .media").first).to_be_visible()


@pytest.mark.long
def test_toolbox_lists_and_finds_tools(page: Page) -> None:
    page.click("[data-do=toolbox]")
    cards = page.locator("#toolbox .tool-card")
    cards.first.wait_for()
    assert cards.count() > 20
    page.fill("#toolbox-search", "sheep")
    expect(page.locator("#toolbox .tool-card:visible")).to_have_count(1)
    expect(page.locator("#toolbox .tool-card:visible")).to_contain_text("Count sheep")
    page.locator("#toolbox [data-do=close]").click()
    expect(page.locator("#toolbox")).not_to_be_visible()


@pytest.mark.long
def test_type_of_a_picture_can_be_changed(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    page.locator(".tray-item select").select_option("mask")
    expect(page.locator(".tray-item")).to_have_attribute("data-type", "mask")
