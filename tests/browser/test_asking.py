"""Asked which of several things is meant, a person points at one of the pictures; what cannot be
taken back is done after a click on "Do it", not after "Leave it out"."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ask, attach, send


@pytest.mark.long
def test_what_is_asked_is_answered_and_nothing_is_done_without_a_yes(
    page: Page, cat: Path, two_cats: Path
) -> None:
    attach(page, two_cats)
    ask(page, "Crop the cat")
    question, choices = page.locator(".question"), page.locator(".question [data-do=choose]")
    expect(choices).to_have_count(2)
    for place in range(2):
        expect(choices.nth(place).locator("svg image")).to_be_visible()
    expect(choices.nth(1)).to_have_attribute("aria-label", "cat, number 2 from the left")
    expect(page.locator("#announce")).to_have_text(question.locator("p").first.inner_text())
    page.reload()
    expect(choices).to_have_count(2)
    # With the keyboard, as any button; it goes on from there.
    choices.nth(1).focus()
    page.keyboard.press("Enter")
    expect(question).to_have_count(0)
    page.locator(".results .media-picture img").wait_for()
    expect(page.locator(".turn")).to_have_attribute("data-state", "answered")
    expect(page.locator("#announce")).to_contain_text("The answer is there")
    expect(page.locator(".turn")).to_be_focused()
    # One alone is not asked about.
    page.click("#new")
    expect(page.locator(".welcome")).to_be_visible()
    attach(page, cat)
    ask(page, "Crop the cat")
    page.locator(".results .media-picture img").wait_for()
    expect(question).to_have_count(0)
    # What cannot be taken back waits for a yes.
    for place, (choice, said) in enumerate(
        (("Leave it out", "You left this out"), ("Do it", "flown off")), 1
    ):
        send(page, "Send a carrier pigeon to the castle with the message “The bridge is down.”")
        turn = page.locator(".turn").nth(place)
        expect(question).to_contain_text("May “send pigeon” do this?")
        expect(question).to_contain_text("The bridge is down")
        expect(turn).not_to_contain_text("flown off")
        page.reload()
        page.get_by_role("button", name=choice, exact=True).click()
        expect(question).to_have_count(0)
        expect(turn).to_have_attribute("data-state", "answered")
        expect(turn).to_contain_text(said)
