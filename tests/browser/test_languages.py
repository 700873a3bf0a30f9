"""The page in other languages: as the browser asks, as somebody chose, from right to left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from controlllm.ui.texts import texts_in
from tests.browser.steps import ask, attach, closed, opened, send, shows

#: The words of the page that a person reads or hears, each as it stands.
_SAID = """() => {
  const said = new Set();
  for (const item of document.querySelectorAll('body *')) {
    if (item.closest('script, style, .asked, .answer, .tool-card strong')) continue;
    for (const name of ['aria-label', 'placeholder', 'title']) said.add(item.getAttribute(name));
    for (const node of item.childNodes) if (node.nodeType === 3) said.add(node.textContent);
  }
  return [...said].map((words) => (words || '').trim()).filter(Boolean);
}"""


def left_in_english(page: Page, language: str) -> set[str]:
    """What is said in English though there is a text in this language."""
    own, english = texts_in(language), texts_in("en")
    others = {text for text in own.values() if isinstance(text, str)}
    texts = {
        text for key, text in english.items() if isinstance(text, str) and own[key] != text
    } - others
    return texts & set(page.evaluate(_SAID))


@pytest.mark.long
def test_a_language_is_chosen_in_its_own_name_and_kept(page: Page, cat: Path) -> None:
    page.fill("#words textarea", "What is in this picture?")
    page.click("#settings")
    page.locator("#setting-language input").click()
    page.get_by_role("option", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#new")).to_have_text("Neue Unterhaltung")
    expect(page.locator("#words textarea")).to_have_value("What is in this picture?")
    # Gradio's own labels are German too.
    expect(page.locator("#words textarea")).to_have_attribute(
        "placeholder", str(texts_in("de")["composer.placeholder"])
    )
    expect(page.locator("#words .upload-button")).to_have_attribute(
        "aria-label", str(texts_in("de")["composer.add_files"])
    )
    attach(page, cat)
    ask(page, "Is there a cat in this picture?")
    assert left_in_english(page, "de") == set()
    for name in ("Wege", "Dateien"):
        shows(page, name)
        assert left_in_english(page, "de") == set(), name
    for button in ("settings", "toolbox", "recipes", "point"):
        page.click(f"#{button}")
        page.locator("dialog[open]").wait_for()
        assert left_in_english(page, "de") == set(), button
        closed(page)
    page.click("#settings")
    page.locator("#setting-language input").click()
    page.locator("dialog[open]").get_by_role("option").first.click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


@pytest.mark.long
def test_arabic_is_laid_out_from_right_to_left(
    new_context: Callable[..., BrowserContext], address: str, cat: Path
) -> None:
    page = opened(new_context(locale="ar", viewport={"width": 1400, "height": 860}), address)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    attach(page, cat)
    ask(page, "Is there a cat in this picture?")
    places = {name: page.locator(name).bounding_box() for name in ("#rail", "#middle", "#side")}
    assert places["#rail"]["x"] > places["#middle"]["x"] > places["#side"]["x"]
    # They do not lie over each other.
    for left, right in (("#side", "#top"), ("#top", "#rail")):
        box, other = page.locator(left).bounding_box(), page.locator(right).bounding_box()
        assert box is not None and other is not None
        assert box["x"] + box["width"] <= other["x"] + 1, (left, right)
    # English words in an Arabic page keep their own direction, and so do the plan and file names.
    direction = "e => getComputedStyle(e)"
    assert page.locator(".answer p").first.evaluate(f"{direction}.unicodeBidi") == "plaintext"
    corner = "e => getComputedStyle(e).borderBottom"
    bubble = page.locator(".bubble")
    sides = [bubble.evaluate(f"{corner}{side}Radius") for side in ("Left", "Right")]
    assert sides == ["5px", "18px"]
    assert page.locator(".plan").first.evaluate(f"{direction}.direction") == "ltr"
    assert left_in_english(page, "ar") == set()
    shows(page, "الملفات")
    assert page.locator(".tray-name").first.evaluate(f"{direction}.direction") == "ltr"
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.set_viewport_size({"width": 390, "height": 844})
    opener = page.get_by_role("button", name="المحادثات", exact=True)
    expect(opener).to_have_attribute("aria-expanded", "false")
    opener.click()
    expect(page.locator("#rail .brand")).to_be_in_viewport()
    box = page.locator("#rail").bounding_box()
    assert box is not None and box["x"] + box["width"] >= 389
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


@pytest.mark.long
def test_two_people_watch_one_request_each_in_their_language(
    new_context: Callable[..., BrowserContext], address: str
) -> None:
    german = new_context(locale="de-DE")
    first = opened(german, address)
    send(first, "Count sheep slowly for the text “goodnight”.")
    expect(first.locator(".stages .is-running")).to_have_text("Ausführen")
    # The same person elsewhere: the conversation is theirs by its cookie.
    arab = new_context(locale="ar-EG")
    arab.add_cookies(german.cookies())
    second = opened(arab, f"{address}/{first.evaluate('location.search')}")
    expect(second.locator(".stages .is-running")).to_have_text("التنفيذ")
    expect(second.locator("#graph .action.is-running .words-now")).to_contain_text("sheep")
    expect(first.locator(".stages .is-running")).to_have_text("Ausführen")
    first.click("#words .stop-button")
    expect(first.locator(".how-title")).to_have_text("Was versucht wurde")
    expect(second.locator(".how-title")).to_have_text("ما جُرِّب")


@pytest.mark.long
@pytest.mark.parametrize(
    ("locale", "said"), [("de-DE", "braucht Gewichte"), ("ar", "تحتاج إلى أوزان")]
)
def test_what_a_way_lacks_is_said_in_the_language_of_the_page(
    new_context: Callable[..., BrowserContext], address: str, locale: str, said: str
) -> None:
    page = opened(new_context(locale=locale), address)
    ask(page, "Draw a castle in the clouds")
    page.locator("#tabs [role=tab]").nth(1).click()
    lack = page.locator("#ways .way.is-missing .missing").first
    expect(lack).to_contain_text(said)
    expect(lack).to_contain_text("Text to image")
    expect(lack).not_to_contain_text("needs")
    # It is kept as it was told.
    page.reload()
    page.locator("#tabs [role=tab]").nth(1).click()
    expect(lack).to_contain_text(said)
    page.locator("#ways .way.is-missing [data-do=toolbox]").first.click()
    expect(page.locator("#tool-text_to_image")).to_be_visible()
