"""An agent at work in the page: chosen beside the ways found, or for all requests by a setting."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from controlllm.layout import ASSETS
from tests.browser.steps import PATIENCE, ask, attach

CAT = ASSETS / "examples" / "chelsea.jpg"


def test_acting_is_a_choice_beside_the_ways_found(page: Page) -> None:
    attach(page, CAT)
    ask(page, "Find the cat in this picture")
    page.locator(".how > summary").click()
    page.locator(".choices > summary").click()
    page.get_by_role("button", name="Act step by step").click()
    agent = page.locator(".agent")
    expect(agent).to_contain_text("step by step", timeout=PATIENCE)
    expect(page.locator(".turn")).to_have_attribute("data-state", "answered", timeout=PATIENCE)
    expect(agent.locator("summary")).to_contain_text("Sum2Act")
    agent.locator("summary").click()
    expect(agent.locator(".agent-found li").first).to_be_visible()
    expect(page.locator(".answer")).to_contain_text("cat")


@pytest.mark.long
def test_all_requests_are_worked_on_step_by_step_where_a_setting_says_so(page: Page) -> None:
    page.get_by_role("button", name="Settings").click()
    page.check("[name=acts]")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").wait_for()
    page.keyboard.press("Escape")
    attach(page, CAT)
    ask(page, "Is there a cat in this picture?")
    expect(page.locator(".agent")).to_have_count(1)
    page.locator(".how > summary").click()
    expect(page.locator(".agent summary")).to_contain_text("Worked on step by step")
    page.reload()
    page.locator(".how > summary").click()
    expect(page.locator(".agent summary")).to_contain_text("Worked on step by step")
