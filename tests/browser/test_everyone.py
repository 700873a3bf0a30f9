"""Everyone can use the page: axe finds nothing wrong in any state, the keyboard reaches all of it,
what happens is told to those who hear it, and nothing moves for those who want that."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import PIL.Image
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.faults import Faults, unfold
from tests.browser.steps import ask, attach, opened

#: Whether what has the focus can be told from the rest by its look.
SHOWS_FOCUS = """
() => {
  const at = document.activeElement;
  const look = (element) => getComputedStyle(element);
  const outlined = (element) => look(element).outlineStyle !== 'none';
  if (at === document.body) return true;
  if (at.id === 'words') return look(at.closest('.composer')).boxShadow.split('px').length > 6;
  if (at.matches('.node')) return parseFloat(look(at.querySelector('.frame')).strokeWidth) >= 2;
  if (at.matches('.switch input')) return outlined(at.nextElementSibling);
  return outlined(at);
}
"""
MOVING = """
() => document.getAnimations()
  .filter((a) => a.playState === 'running' && a.effect.getComputedTiming().endTime > 20)
  .map((a) => a.animationName || a.transitionProperty)
"""


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


def opened_dialog(page: Page, button: str, dialog: str) -> None:
    page.locator(button).first.click()
    page.wait_for_selector(f"#{dialog}[open]")


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_axe_finds_nothing_wrong_in_any_state(
    new_context: Callable[..., BrowserContext],
    address: str,
    coffee: Path,
    two_cats: Path,
    scheme: str,
) -> None:
    page = opened(new_context(color_scheme=scheme), address)
    faults = Faults(page)
    faults.look("empty")
    page.click("#send")
    faults.look("a hint")
    attach(page, coffee)
    page.fill("#words", "Find the cup in this picture and crop it.")
    page.click("#send")
    page.wait_for_selector(".turn")
    faults.look("planning")
    page.wait_for_selector(".turn[data-state=answered]")
    unfold(page, ".turn")
    page.locator("g.node-tool").first.click()
    faults.look("answered, all unfolded")
    for button, dialog in (
        (".rail [data-do=settings]", "settings"),
        (".rail [data-do=toolbox]", "toolbox"),
        ("#open-picker", "picker"),
        (".tray-look", "viewer"),
    ):
        opened_dialog(page, button, dialog)
        unfold(page, f"#{dialog}")
        if dialog == "toolbox":
            page.wait_for_selector("#source-form")
        faults.look(dialog)
        page.keyboard.press("Escape")
    opened_dialog(page, ".tray-item [data-do=rename-file]", "asking")
    faults.look("asked for a name")
    page.keyboard.press("Escape")
    opened_dialog(page, "[data-do=keep-recipe]", "recipe")
    page.click("#recipe-form [type=submit]")
    page.click("#recipes [data-do=run-recipe]")
    page.set_input_files("#batch-files", [str(coffee)])
    page.click("#batch-form [type=submit]")
    page.locator("#batch-rows .is-done").wait_for()
    faults.look("a batch")
    opened_dialog(page, "#batch [data-do=delete-batch]", "asking")
    faults.look("asked back")
    page.keyboard.press("Escape")
    page.click("#batch [data-do=close]")
    page.locator(".batch-line[data-state=ended]").wait_for()
    faults.look("a batch in the conversation")
    attach(page, two_cats)
    ask(page, "Crop the cat", "answered")
    page.locator(".question").wait_for()
    faults.look("a question")
    page.fill("#words", "Count sheep for the text “goodnight”.")
    page.click("#send")
    expect(page.locator(".action.is-running .words-now").first).to_contain_text("sheep")
    faults.look("running")
    page.fill("#words", "Write a limerick about bees.")
    page.click("#send")
    page.locator("[data-do=drop-waiting]").wait_for()
    faults.look("another waits")
    page.locator("[data-do=drop-waiting]").click()
    page.click("#stop")
    page.locator(".turn.is-cancelled").wait_for()
    faults.look("stopped")
    page.route("**/ask", lambda route: route.abort())
    page.fill("#words", "Nobody hears this.")
    page.click("#send")
    page.locator(".toast").first.wait_for()
    faults.look("a message")
    faults.check()


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.long), "dark"])
def test_axe_finds_nothing_wrong_on_a_phone(
    new_context: Callable[..., BrowserContext], address: str, cat: Path, scheme: str
) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": scheme}
    page = opened(new_context(**phone), address)
    faults = Faults(page)
    attach(page, cat)
    ask(page, "Is there a cat in this picture?")
    faults.look("answered")
    for drawer in ("rail", "files"):
        page.click(f".top [data-do={drawer}]")
        page.wait_for_selector(f"#app[data-drawer={drawer}]")
        faults.look(drawer)
        page.keyboard.press("Escape")
    faults.check()


@pytest.mark.long
def test_the_keyboard_reaches_everything_and_shows_where_it_is(page: Page, cat: Path) -> None:
    attach(page, cat)
    ask(page, "Is there a cat in this picture?")
    page.locator(".how > summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".how")).to_have_attribute("open", "")
    reached = set()
    # As if the page had just been opened.
    page.evaluate("document.body.tabIndex = -1; document.body.focus()")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.do") == "skip"
    for _ in range(90):
        assert page.evaluate(SHOWS_FOCUS), page.evaluate("document.activeElement.outerHTML")
        told = "document.activeElement.id || document.activeElement.dataset.do || ''"
        reached.add(page.evaluate(told))
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.do") == "skip":
            break
    wanted = {"new", "conversation", "toolbox", "settings", "words", "add-files", "open-picker"}
    assert wanted | {"record", "send", "view", "node", "attach", "pick", "type"} <= reached


@pytest.mark.long
def test_focus_comes_back_from_where_it_went(
    new_context: Callable[..., BrowserContext], address: str, cat: Path
) -> None:
    page = opened(new_context(viewport={"width": 390, "height": 844}), address)
    opener = page.locator(".top [data-do=rail]")
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#rail [data-do=rail]")).to_be_focused()
    for _ in range(12):
        page.keyboard.press("Tab")
        behind = "document.querySelector('.middle').contains(document.activeElement)"
        assert not page.evaluate(behind)
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    page.set_viewport_size({"width": 1400, "height": 860})
    for name in ("settings", "toolbox"):
        button = page.locator(f".rail [data-do={name}]")
        button.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#{name}[open]")
        page.keyboard.press("Escape")
        expect(button).to_be_focused()
    attach(page, cat)
    page.fill("#words", "Is there a cat in this picture?")
    page.locator("#send").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement !== document.body")
    page.locator(".turn[data-state=answered]").wait_for()


@pytest.mark.long
def test_what_happens_is_told_but_not_every_moment_of_it(page: Page, cat: Path) -> None:
    page.evaluate(
        """() => {
          window.heard = [];
          const place = document.getElementById('announce');
          new MutationObserver(() => heard.push(place.textContent))
            .observe(place, { childList: true, characterData: true, subtree: true });
        }"""
    )
    page.fill("#words", "Count sheep for the text “goodnight”.")
    page.click("#send")
    counted = page.locator(".action.is-running .words-now")
    expect(counted).to_contain_text(re.compile(r"sheep \d\d"))
    expect(page.locator("#announce")).to_have_text("Count sheep…")
    heard = page.evaluate("heard")
    assert not any("sheep 1" in words for words in heard)
    assert len(heard) == len(set(heard)) < 8
    assert page.evaluate(MOVING) == []
    page.click("#stop")
    page.locator(".turn.is-cancelled").wait_for()
    attach(page, cat)
    ask(page, "Is there a cat in this picture?")
    expect(page.locator("#announce")).to_contain_text("The answer is there: Yes")
    assert page.evaluate(MOVING) == []
