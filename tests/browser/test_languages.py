"""The page in other languages: as the browser asks, as somebody chose, from right to left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.steps import ask, attach, opened


def test_a_language_is_chosen_in_its_own_name_and_kept(page: Page) -> None:
    page.fill("#words", "What is in this picture?")
    page.click(".rail [data-do=settings]")
    with page.expect_navigation():
        page.locator("#language").select_option(label="Deutsch")
    page.wait_for_selector("#app[data-ready=true]")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("[data-do=new]")).to_have_text("Neue Unterhaltung")
    expect(page.locator("#words")).to_have_value("What is in this picture?")
    page.click(".rail [data-do=settings]")
    expect(page.locator("#settings-form legend").first).to_have_text("Wie Werkzeuge arbeiten")
    with page.expect_navigation():
        page.locator("#language").select_option("")
    expect(page.locator("html")).to_have_attribute("lang", "en")


@pytest.mark.long
def test_two_people_watch_one_request_each_in_their_language(
    new_context: Callable[..., BrowserContext], address: str
) -> None:
    german = new_context(locale="de-DE")
    first = opened(german, address)
    first.fill("#words", "Count sheep for the text “goodnight”.")
    first.click("#send")
    expect(first.locator(".stages .is-running")).to_have_text("Ausführen")
    # The same person elsewhere: the conversation is theirs by its cookie.
    arab = new_context(locale="ar-EG")
    arab.add_cookies(german.cookies())
    second = opened(arab, f"{address}/{first.evaluate('location.search')}")
    expect(second.locator(".stages .is-running")).to_have_text("التنفيذ")
    expect(second.locator(".action.is-running .words-now")).to_contain_text("sheep")
    expect(first.locator(".stages .is-running")).to_have_text("Ausführen")
    first.click("#stop")
    expect(first.locator(".how-title")).to_have_text("Was versucht wurde")
    expect(second.locator(".how-title")).to_have_text("ما جُرِّب")


def test_arabic_is_laid_out_from_right_to_left(
    new_context: Callable[..., BrowserContext], address: str, cat: Path
) -> None:
    page = opened(new_context(locale="ar", viewport={"width": 1400, "height": 860}), address)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    attach(page, cat)
    ask(page, "Is there a cat in this picture?")
    places = {name: page.locator(name).bounding_box() for name in ("#rail", ".middle", "#files")}
    assert places["#rail"]["x"] > places[".middle"]["x"] > places["#files"]["x"]
    # English words in an Arabic page keep their own direction, and so do the plan and file names.
    direction = "e => getComputedStyle(e)"
    answer = page.locator(".answer p").first
    assert answer.evaluate(f"{direction}.unicodeBidi") == "plaintext"
    # They stand at the sides of an Arabic page all the same.
    corner = "e => getComputedStyle(e).borderBottom"
    bubble = page.locator(".bubble")
    sides = [bubble.evaluate(f"{corner}{side}Radius") for side in ("Left", "Right")]
    assert sides == ["5px", "18px"]
    range_of = "e => { const r = document.createRange(); r.selectNodeContents(e); return r"
    begins = f"{range_of}.getBoundingClientRect().right - e.getBoundingClientRect().right; }}"
    assert page.locator(".conversations .open").first.evaluate(begins) > -20
    page.locator(".how > summary").click()
    assert page.locator(".plan").evaluate(f"{direction}.direction") == "ltr"
    assert page.locator(".tray-name").first.evaluate(f"{direction}.direction") == "ltr"
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.set_viewport_size({"width": 390, "height": 844})
    page.click(".top [data-do=rail]")
    expect(page.locator("#rail")).to_be_in_viewport()
    box = page.locator("#rail").bounding_box()
    assert box is not None and box["x"] + box["width"] >= 389


@pytest.mark.long
@pytest.mark.parametrize(
    ("locale", "said"), [("de-DE", "braucht Gewichte"), ("ar", "تحتاج إلى أوزان")]
)
def test_what_a_way_lacks_is_said_in_the_language_of_the_page(
    new_context: Callable[..., BrowserContext], address: str, locale: str, said: str
) -> None:
    page = opened(new_context(locale=locale), address)
    page.fill("#words", "Draw a castle in the clouds")
    page.click("#send")
    page.locator(".turn[data-state=answered]").wait_for()
    lack = page.locator(".way.is-missing .missing").first
    expect(lack).to_contain_text(said)
    expect(lack).to_contain_text("Text to image")
    expect(lack).not_to_contain_text("needs")
    # It is kept as it was told.
    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    expect(lack).to_contain_text(said)
    page.locator(".how > summary").click()
    page.locator(".choices > summary").click()
    page.locator(".way.is-missing [data-do=toolbox]").first.click()
    expect(page.locator("#tool-text_to_image")).to_be_visible()
