"""The toolbox's ways to work, weights fetched with one click, and the settings that decide."""

from __future__ import annotations

import json
import random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ask
from tests.models.weights.hub_server import Hub, Repository

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
    page.click("#asking-do")
    expect(card.locator("[data-do=pull]")).to_be_visible()


@pytest.mark.long
def test_what_cannot_be_fetched_is_said(page: Page, hub: Hub) -> None:
    hub.repositories.pop("painters/rainbow", None)
    page.click("[data-do=toolbox]")
    card = page.locator(CARD)
    card.locator("[data-do=pull]").click()
    expect(card.locator(".pull-said")).to_contain_text("painters/rainbow", timeout=60_000)
    expect(card.locator("[data-do=pull]")).to_be_visible()


@pytest.mark.long
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


@pytest.mark.long
def test_fetching_can_be_stopped_and_goes_on_from_there(page: Page, rainbow: Hub) -> None:
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
    page.click("#asking-do")
    expect(card.locator("[data-do=pull]")).to_be_visible()


@pytest.mark.long
def test_opened_for_one_tool_it_shows_that_one(page: Page, hub: Hub) -> None:
    hub.repositories.pop("painters/rainbow", None)
    ask(page, "Paint a rainbow")
    turn = page.locator(".turn").last
    expect(turn.locator(".how-title")).to_have_text("What was tried")
    expect(page.locator("#announce")).to_have_text(
        "This could not be done. Paint rainbow cannot run here: needs weights, 3 MB."
    )
    expect(turn).not_to_contain_text("python -m")
    turn.get_by_role("button", name="Get what it needs").click()
    cards = page.locator("#toolbox .tool-card:visible")
    expect(cards).to_have_count(1)
    expect(page.locator(CARD)).to_be_in_viewport()
    expect(page.locator("#toolbox-search")).to_have_value("Paint rainbow")
    expect(page.locator("#toolbox-count")).to_contain_text("1 of ")
    expect(page.locator("#toolbox-found .tool-card")).to_have_count(1)
    expect(page.locator(".domain:visible")).to_have_count(0)
    page.locator(CARD).locator("[data-do=pull]").click()
    failure = page.locator(f"{CARD} .pull-said.is-failed")
    expect(failure).to_contain_text("Press ‘Get the weights’ to try again", timeout=60_000)
    page.fill("#toolbox-search", "picture")
    assert cards.count() > 1
    page.keyboard.press("Escape")
    page.locator("#toolbox [data-do=close]").click()
    page.locator(".rail [data-do=toolbox]").click()
    expect(page.locator(CARD)).to_be_visible()
    expect(page.locator("#toolbox-count")).not_to_contain_text(" of ")
    expect(failure).to_have_count(0)


@pytest.mark.long
def test_a_wrong_address_comes_into_view(page: Page) -> None:
    page.locator(".rail [data-do=settings]").click()
    fold = page.locator("#settings-form details", has=page.locator("#hosted-address"))
    summary = fold.locator("summary")
    for address in ("nonsense", "ftp://someone.example/app"):
        summary.click()
        page.fill("#hosted-address", address)
        summary.click()
        page.locator("#settings-form button[type=submit]").click()
        expect(page.locator("#hosted-address")).to_be_in_viewport()
        expect(page.locator("#hosted-address")).to_be_focused()
        summary.click()
    expect(page.locator("#settings-status")).to_contain_text("must begin with http")


@pytest.mark.long
@pytest.mark.parametrize("width", [1280, 390])
def test_fields_of_programs_elsewhere_look_like_the_others(page: Page, width: int) -> None:
    page.locator(".rail [data-do=settings]").click()
    page.set_viewport_size({"width": width, "height": 844})
    fold = page.locator("#settings-form details", has=page.locator("#hosted-address"))
    fold.locator("summary").click()
    usual = page.locator("#base-url").bounding_box()
    assert usual is not None
    for name in ("tool", "address", "kind", "key"):
        box = page.locator(f"#hosted-{name}").bounding_box()
        label = page.locator(f"label[for=hosted-{name}]").bounding_box()
        assert box is not None and label is not None
        assert abs(box["width"] - usual["width"]) <= 1
        assert abs(box["x"] - usual["x"]) <= 1
        assert label["y"] + label["height"] <= box["y"] + 1


@pytest.mark.long
def test_what_bears_the_words_in_its_name_comes_first(page: Page) -> None:
    page.locator(".rail [data-do=toolbox]").click()
    names = page.locator("#toolbox .tool-card:visible strong")
    names.first.wait_for()
    before = names.all_inner_texts()
    for words, first in (
        ("Image cropping", "Image cropping"),
        ("text_to_speech", "Text to speech"),
        ("crop", "Image crop"),
    ):
        page.fill("#toolbox-search", words)
        assert names.first.inner_text().startswith(first), (words, names.all_inner_texts())
    expect(page.locator("#toolbox-count")).to_contain_text(f"{names.count()} of {len(before)}")
    # What only speaks of it comes last, and all is where it was when the words are gone.
    assert "crop" not in names.last.inner_text().lower()
    page.fill("#toolbox-search", "")
    assert names.all_inner_texts() == before
