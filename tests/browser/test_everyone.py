"""Everyone can use the page: axe finds nothing wrong in any state, the keyboard reaches all of it,
what happens is told to those who hear it, and nothing moves for those who want that."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.faults import Faults, unfold
from tests.browser.steps import ask, attach, closed, opened, send, shows

#: Whether what has the focus can be told from the rest by its look.
SHOWS_FOCUS = """
() => {
  const at = document.activeElement;
  const look = (element) => getComputedStyle(element);
  if (at === document.body) return true;
  const composer = at.matches('#words textarea') && at.closest('#composer');
  if (composer) return look(composer).boxShadow.split('px').length > 6;
  if (at.matches('.node')) return parseFloat(look(at.querySelector('.frame')).strokeWidth) >= 2;
  return look(at).outlineStyle !== 'none';
}
"""
MOVING = """
() => document.getAnimations()
  .filter((a) => a.playState === 'running' && a.effect.getComputedTiming().endTime > 20)
  .map((a) => a.animationName || a.transitionProperty)
"""


def look_at_tabs(page: Page, faults: Faults, state: str) -> None:
    """Look at each tab of the dialog that is open."""
    for tab in page.locator("dialog[open] [role=tab]").all():
        tab.click()
        faults.look(f"{state}: {tab.inner_text()}")
    closed(page)


@pytest.mark.long
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
    page.locator("#words textarea").press("Enter")
    page.locator(".toast-body").wait_for()
    faults.look("told what lacks")
    attach(page, coffee)
    faults.look("a file")
    ask(page, "Find the cup in this picture and crop it.")
    unfold(page, ".turn")
    page.locator("#graph g.node-tool").first.click()
    page.locator(".step-panel").wait_for()
    faults.look("answered, a step looked at")
    for name in ("Ways", "Files"):
        shows(page, name)
        faults.look(name)
    page.locator(".tray-look").first.click()
    page.locator("dialog[open] .viewer-body").wait_for()
    faults.look("a file in full")
    closed(page)
    page.locator(".tray-item [data-do=rename-file]").first.click()
    expect(page.locator("#naming-field")).to_be_focused()
    faults.look("asked for a name")
    closed(page)
    page.click("#settings")
    page.locator("#setting-language").wait_for()
    look_at_tabs(page, faults, "settings")
    page.click("#toolbox")
    page.locator("#toolbox-list .tool-card").first.wait_for()
    look_at_tabs(page, faults, "toolbox")
    attach(page, two_cats)
    ask(page, "Crop the cat")
    page.locator(".question").wait_for()
    faults.look("a question")
    send(page, "Count sheep slowly for the text “goodnight”.")
    expect(page.locator("#graph .action.is-running .words-now")).to_contain_text("sheep")
    faults.look("running")
    send(page, "Write a limerick about bees.")
    page.locator("[data-do=drop-waiting]").wait_for()
    faults.look("another waits")
    page.locator("[data-do=drop-waiting]").click()
    page.click("#words .stop-button")
    page.locator(".turn.is-cancelled").wait_for()
    faults.look("stopped")
    page.locator("#conversations .delete").first.click()
    page.locator(".leaving").wait_for()
    faults.look("deleted")
    faults.check()


def test_on_a_phone_drawers_hold_the_keyboard_and_give_it_back(
    new_context: Callable[..., BrowserContext], address: str, cat: Path
) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}
    page = opened(new_context(**phone), address)
    faults = Faults(page)
    attach(page, cat)
    ask(page, "Is there a cat in this picture?")
    faults.look("answered")
    for side, name in (("rail", "Conversations"), ("side", "Plan, Ways, Files")):
        drawer = page.locator(f"#{side}")
        opener = page.get_by_role("button", name=name, exact=True)
        expect(opener).to_have_attribute("aria-expanded", "false")
        opener.press("Enter")
        expect(opener).to_have_attribute("aria-expanded", "true")
        expect(drawer).to_be_in_viewport()
        faults.look(side)
        for _ in range(12):
            page.keyboard.press("Tab")
            behind = "document.querySelector('#middle').contains(document.activeElement)"
            assert not page.evaluate(behind)
        page.keyboard.press("Escape")
        expect(opener).to_be_focused()
        expect(opener).to_have_attribute("aria-expanded", "false")
    faults.check()


@pytest.mark.long
def test_the_keyboard_alone_asks_reaches_everything_and_is_seen(page: Page, cat: Path) -> None:
    # As if the page had just been opened.
    page.evaluate("document.body.tabIndex = -1; document.body.focus()")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to your request")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#words textarea")).to_be_focused()
    attach(page, cat)
    page.locator("#words textarea").focus()
    page.keyboard.type("Is there a cat in this picture?")
    page.keyboard.press("Enter")
    page.locator(".turn.is-answered").wait_for()
    assert page.evaluate("document.activeElement !== document.body")
    for name in ("settings", "toolbox", "recipes"):
        page.locator(f"#{name}").press("Enter")
        page.locator("dialog[open]").wait_for()
        closed(page)
        expect(page.locator(f"#{name}")).to_be_focused()
    reached = set()
    page.evaluate("document.body.focus()")
    page.keyboard.press("Tab")
    for _ in range(90):
        assert page.evaluate(SHOWS_FOCUS), page.evaluate("document.activeElement.outerHTML")
        reached.add(
            page.evaluate(
                "(({ id, dataset, ariaLabel, closest }) => id || dataset.do || dataset.tabId ||"
                " ariaLabel || '')(document.activeElement)"
            )
        )
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.skip')"):
            break
    wanted = {"new", "open-conversation", "recipes", "toolbox", "settings", "rename", "share"}
    wanted |= {"view", "plan", "point", "Add files", "Record", "Send", "Conversations"}
    assert wanted <= reached | {"share"}, wanted - reached


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
    send(page, "Count sheep slowly for the text “goodnight”.")
    counted = page.locator("#graph .action.is-running .words-now")
    expect(counted).to_contain_text(re.compile(r"sheep \d\d"))
    expect(page.locator("#announce")).to_have_text("Count sheep…")
    heard = page.evaluate("heard")
    assert not any("sheep 1" in words for words in heard)
    assert len(heard) == len(set(heard)) < 8
    assert page.evaluate(MOVING) == []
    page.click("#words .stop-button")
    page.locator(".turn.is-cancelled").wait_for()
    expect(page.locator("#announce")).to_contain_text("Stopped")
    attach(page, cat)
    ask(page, "Is there a cat in this picture?")
    expect(page.locator("#announce")).to_contain_text("The answer is there: Yes")
    assert page.evaluate(MOVING) == []
