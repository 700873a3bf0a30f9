"""The first minutes: examples of all kinds, every tool tried, a model tested, what leaves told."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.language.scripted_server import Said, serving

pytestmark = pytest.mark.browser


def test_examples_show_the_range_and_run_with_one_click(page: Page) -> None:
    cards = page.locator(".examples button")
    expect(cards).to_have_count(9)
    for kind in ("point", "several", "compare", "hear", "slow"):
        expect(page.locator(f"[data-example={kind}]")).to_be_visible()
    page.locator("[data-example=hear]").click()
    turn = page.locator(".turn[data-state=answered]")
    expect(turn).to_contain_text("rocket in Florida", timeout=90_000)


@pytest.mark.long
def test_every_tool_is_tried_with_progress_and_can_be_stopped(page: Page) -> None:
    page.click("[data-do=toolbox]")
    page.locator("#self-test summary").click()
    page.locator("[data-do=self-test][data-wish=begin]").click()
    expect(page.locator(".self-test-now")).to_contain_text(" of ")
    works = page.locator(".trial.is-works").first
    expect(works).to_contain_text("MiB", timeout=90_000)
    picture = page.locator(".trial img").first
    expect(picture).to_be_visible(timeout=90_000)
    page.locator("[data-do=self-test][data-wish=stop]").click()
    expect(page.locator("#self-test-panel [role=status]")).to_contain_text("It was stopped")
    # What was found is still there when the toolbox is opened again.
    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    page.click("[data-do=toolbox]")
    page.locator("#self-test summary").click()
    expect(page.locator(".trial.is-works").first).to_be_visible()


@pytest.mark.long
def test_what_leaves_is_told_before_and_a_model_can_be_tested(page: Page) -> None:
    expect(page.locator("#leaves")).to_have_text("Nothing leaves this machine.")
    with serving() as server:
        server.script = [Said('{"ready": true}')]
        page.click("[data-do=settings]")
        page.locator("[data-do=test-model]").click()
        expect(page.locator("#model-status")).to_contain_text("Type an address")
        page.fill("#base-url", server.base_url)
        page.fill("#model", "small")
        page.locator("[data-do=test-model]").click()
        expect(page.locator("#model-status")).to_contain_text("small answers, after")
        # A test keeps nothing.
        expect(page.locator("#leaves")).to_have_text("Nothing leaves this machine.")
        page.fill("#base-url", "https://models.example.org/v1")
        page.locator("#settings-form button[type=submit]").click()
        expect(page.locator("#leaves")).to_contain_text("go to models.example.org")
        page.keyboard.press("Escape")
        page.locator("#leaves button").click()
        expect(page.locator("#base-url")).to_be_focused()
