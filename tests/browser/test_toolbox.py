"""The toolbox's ways to work, weights fetched with one click, and the settings that decide."""

from __future__ import annotations

import json
import random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ask
from tests.weights.hub_server import Hub, Repository

CARD = "#tool-paint_rainbow"


@pytest.fixture
def rainbow(hub: Hub) -> Hub:
    content = random.Random(3).randbytes(3_000_000)
    hub.repositories["painters/rainbow"] = Repository(
        {
            "config.json": json.dumps(["red", "orange", "gold", "green", "blue"]).encode(),
            "model.safetensors": content,
        },
        large=frozenset({"model.safetensors"}),
    )
    return hub


def test_weights_are_fetched_used_and_removed(page: Page, rainbow: Hub) -> None:
    page.on("dialog", lambda dialog: dialog.accept())
    ask(page, "Paint a rainbow")
    page.locator(".turn.is-failed, .turn.is-answered").wait_for()
    expect(page.locator(".turn")).to_contain_text("needs weights")
    page.click("[data-do=toolbox]")
    card = page.locator(CARD)
    expect(card).to_contain_text("not ready here")
    expect(card).to_contain_text("3 MB, MIT")
    card.locator("[data-do=pull]").click()
    expect(card.locator("[data-do=remove-weights]")).to_be_visible(timeout=60_000)
    expect(card).to_contain_text("a large model on this computer (1 MiB): runs now")
    page.keyboard.press("Escape")
    ask(page, "Paint a rainbow")
    expect(page.locator(".turn").last.locator(".results .media")).to_be_visible()
    page.click("[data-do=toolbox]")
    card.locator("[data-do=remove-weights]").click()
    expect(card.locator("[data-do=pull]")).to_be_visible()


def test_what_cannot_be_fetched_is_said(page: Page, hub: Hub) -> None:
    hub.repositories.pop("painters/rainbow", None)
    page.click("[data-do=toolbox]")
    card = page.locator(CARD)
    card.locator("[data-do=pull]").click()
    expect(card.locator(".pull-said")).to_contain_text("painters/rainbow", timeout=60_000)
    expect(card.locator("[data-do=pull]")).to_be_visible()


def test_what_matters_most_is_kept_and_shown(page: Page) -> None:
    page.click("[data-do=settings]")
    page.check("input[name=preference][value=fast]")
    page.check("input[name=public_services]")
    page.locator("#settings-form button[type=submit]").click()
    expect(page.locator("#settings-status")).to_have_text("Saved.")
    page.keyboard.press("Escape")
    page.click("[data-do=toolbox]")
    expect(page.locator("#tool-get_weather .badge").first).to_have_text("over the network")
    page.keyboard.press("Escape")
    page.click("[data-do=settings]")
    expect(page.locator("input[name=preference][value=fast]")).to_be_checked()
    page.uncheck("input[name=public_services]")
    page.locator("#settings-form button[type=submit]").click()
    expect(page.locator("#settings-status")).to_have_text("Saved.")
    page.keyboard.press("Escape")
    page.click("[data-do=toolbox]")
    expect(page.locator("#tool-get_weather .badge").first).to_have_text("not ready here")


def test_fetching_can_be_stopped_and_goes_on_from_there(page: Page, rainbow: Hub) -> None:
    page.on("dialog", lambda dialog: dialog.accept())
    rainbow.seconds_per_piece = 0.3
    page.click("[data-do=toolbox]")
    card = page.locator(CARD)
    card.locator("[data-do=pull]").click()
    expect(card.locator("progress")).to_be_visible(timeout=60_000)
    page.wait_for_function(
        "card => document.querySelector(card + ' progress')?.value > 0.1", arg=CARD, timeout=60_000
    )
    card.locator("[data-do=stop-pull]").click()
    expect(card.locator(".pull-said")).to_contain_text("Stopped", timeout=30_000)
    rainbow.seconds_per_piece = 0.0
    asked = len(rainbow.requests)
    card.locator("[data-do=pull]").click()
    expect(card.locator("[data-do=remove-weights]")).to_be_visible(timeout=60_000)
    assert any("bytes=" in line for line in rainbow.requests[asked:])
    card.locator("[data-do=remove-weights]").click()
    expect(card.locator("[data-do=pull]")).to_be_visible()
