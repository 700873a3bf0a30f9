"""An agent at work in the page: chosen beside the ways found, or for all requests by a setting."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ask, attach, shows
from tests.browser.test_surviving import chooses


@pytest.mark.long
def test_acting_step_by_step_is_chosen_for_one_request_and_for_all(page: Page, cat: Path) -> None:
    attach(page, cat)
    ask(page, "Find the cat in this picture")
    shows(page, "Ways")
    page.locator("#ways").get_by_role("button", name="Act step by step").click()
    shows(page, "Plan")
    agent = page.locator("#graph .agent")
    expect(agent).to_contain_text("step by step")
    expect(page.locator(".turn")).to_have_attribute("data-state", "answered")
    expect(agent.locator("summary")).to_contain_text("Worked on step by step")
    expect(agent.locator("summary")).to_contain_text("Sum2Act")
    if not agent.evaluate("fold => fold.open"):
        agent.locator("summary").click()
    expect(agent.locator(".agent-found li").first).to_be_visible()
    expect(page.locator(".answer")).to_contain_text("cat")

    chooses(page, "acts")
    page.click("#new")
    expect(page.locator(".welcome")).to_be_visible()
    attach(page, cat)
    ask(page, "Is there a cat in this picture?")
    expect(agent.locator("summary")).to_contain_text("Worked on step by step")
    page.reload()
    expect(agent.locator("summary")).to_contain_text("Worked on step by step")
