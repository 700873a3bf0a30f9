"""What cannot be taken back is done after a click on "Do it", not after "Leave it out"."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ask


@pytest.mark.parametrize("choice", ["Do it", pytest.param("Leave it out", marks=pytest.mark.long)])
def test_a_pigeon_waits_for_a_yes(page: Page, choice: str) -> None:
    ask(page, "Send a carrier pigeon to the castle with the message “The bridge is down.”")
    question = page.locator(".question")
    expect(question).to_contain_text("May “send pigeon” do this?")
    expect(question).to_contain_text("The bridge is down")
    expect(page.locator(".answer").last).not_to_contain_text("flown off")
    page.reload()
    page.get_by_role("button", name=choice, exact=True).click()
    expect(question).to_have_count(0)
    expect(page.locator(".turn")).to_have_attribute("data-state", "answered")
    done = "flown off" if choice == "Do it" else "You left this out"
    expect(page.locator(".turn")).to_contain_text(done)
