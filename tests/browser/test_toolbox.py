"""The toolbox: tools are found, weights fetched with one click, and every tool tried."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.steps import ask, closed, opened, send
from tests.models.weights.hub_server import Hub, Repository


@pytest.mark.long
def test_weights_are_fetched_stopped_and_removed_while_one_looks(page: Page, hub: Hub) -> None:
    hub.repositories.pop("painters/rainbow", None)
    send(page, "Paint a rainbow")
    turn = page.locator(".turn:not(.is-running)")
    expect(turn).to_contain_text("needs weights")
    expect(turn).not_to_contain_text("python -m")
    expect(page.locator("#announce")).to_have_text(
        "This could not be done. Paint rainbow cannot run here: needs weights, 3 MB."
    )
    # It leads to the one tool, and what cannot be fetched is said there.
    turn.get_by_role("button", name="Get what it needs").click()
    card = page.locator("#tool-paint_rainbow")
    expect(page.locator("#toolbox-list .tool-card")).to_have_count(1)
    card.get_by_role("button", name="Get the weights").click()
    expect(card.locator(".pull-said.is-failed")).to_contain_text("to try again")
    content = random.Random(3).randbytes(3_000_000)
    colours = json.dumps(["red", "orange", "gold", "green", "blue"]).encode()
    hub.repositories["painters/rainbow"] = Repository(
        {"config.json": colours, "model.safetensors": content},
        large=frozenset({"model.safetensors"}),
    )
    closed(page)
    page.click("#toolbox")
    search = page.get_by_label("Search the tools")
    expect(search).to_be_focused()
    count = page.locator("#toolbox-count")
    expect(count).to_contain_text("ready with your settings")
    every = page.locator("#toolbox-list .tool-card").count()
    expect(page.locator("#toolbox-list .pull-said")).to_have_count(0)
    # What bears the words in its name comes first, what only speaks of it last.
    for words, first in (("text_to_speech", "Text to speech"), ("crop", "Crop to shape")):
        search.fill(words)
        expect(page.locator("#toolbox-list .tool-card strong").first).to_contain_text(first)
    search.fill("no such tool")
    expect(count).to_contain_text(f"0 of {every} tools")
    expect(page.locator("#toolbox-list")).to_contain_text("Try fewer or others")
    search.fill("Paint rainbow")
    expect(count).to_contain_text("1 of ")
    expect(card).to_contain_text("not ready here")
    expect(card).to_contain_text("3 MB, MIT")
    hub.slow_after = 300_000
    card.get_by_role("button", name="Get the weights").click()
    expect(card.locator("progress")).to_be_visible()
    page.wait_for_function("document.querySelector('#toolbox-list progress')?.value > 0.05")
    card.get_by_role("button", name="Stop").click()
    expect(card.locator(".pull-said")).to_contain_text("Stopped")
    hub.slow_after = None
    asked_before = len(hub.requests)
    card.get_by_role("button", name="Get the weights").click()
    expect(card).to_contain_text("a large model on this computer (1 MiB): runs now")
    assert any("bytes=" in line for line in hub.requests[asked_before:]), "it goes on from there"
    closed(page)
    ask(page, "Paint a rainbow")
    expect(page.locator(".turn").last.locator(".results .media")).to_be_visible()
    page.click("#toolbox")
    search.fill("Paint rainbow")
    card.get_by_role("button", name="Remove the weights").click()
    asked = page.locator("dialog.asking")
    expect(asked).to_contain_text("Remove these weights from this computer?")
    asked.get_by_role("button", name="Remove the weights").click()
    expect(card.get_by_role("button", name="Get the weights")).to_be_visible()
    search.fill("")
    expect(page.locator("#toolbox-list .tool-card")).to_have_count(every)
    closed(page)
    expect(page.locator("#toolbox")).to_be_focused()


@pytest.mark.long
def test_every_tool_is_tried_until_that_is_stopped_also_on_a_phone(
    new_context: Callable[..., BrowserContext], address: str
) -> None:
    page = opened(new_context(locale="ar", viewport={"width": 390, "height": 844}), address)
    page.locator("#rail:not(.open) .toggle-button").click()
    page.click("#toolbox")
    # What has no room among the tabs is in a menu behind them.
    page.locator("dialog[open] .overflow-menu > button").click()
    page.locator("dialog[open] .overflow-dropdown button").last.click()
    begin = page.locator("#self-test-panel [data-wish=begin]")
    begin.click()
    expect(page.locator("#self-test-panel progress")).to_be_visible()
    picture = page.locator("#self-test-panel .trial img").first
    expect(picture).to_be_visible()
    picture.evaluate("image => image.decode()")
    page.locator("#self-test-panel [data-wish=stop]").click()
    expect(begin).to_be_visible()
    body = page.locator("dialog[open]")
    assert body.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    lacking = page.locator("#self-test-panel [data-do=toolbox]").first
    if lacking.count():
        lacking.click()
        expect(page.locator("#toolbox-list .tool-card")).to_have_count(1)
