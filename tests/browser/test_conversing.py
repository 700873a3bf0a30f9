"""Asking anew, waiting requests, tabs that hear of each other, finding, sharing, what answers rest
on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.steps import PATIENCE, ask, attach, opened

SHEEP = "Count sheep for the text “goodnight”."


def test_a_message_is_asked_in_other_words_and_both_branches_stay(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    ask(page, "Find the cup in this picture.")
    ask(page, "Describe this picture.")
    first = page.locator(".turn").first
    first.hover()
    first.get_by_role("button", name="Edit").click()
    expect(page.locator("#editing")).to_be_visible()
    expect(page.locator("#words")).to_have_value("Find the cup in this picture.")
    expect(page.locator("#chips .chip")).to_have_count(1)
    page.fill("#words", "Turn this picture into edges.")
    page.click("#send")
    expect(page.locator(".turn")).to_have_count(1)
    page.locator(".turn.is-answered").wait_for()
    expect(page.locator(".branches")).to_contain_text("2 of 2")
    edges = page.locator(".results .media-name").inner_text()

    page.locator(".branch-before").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(2)
    expect(page.locator(".bubble").first).to_contain_text("Find the cup")
    page.locator(".branches").first.locator("button").last.press("ArrowRight")
    expect(page.locator(".turn")).to_have_count(1)
    expect(page.locator(".bubble")).to_have_text("Turn this picture into edges.")
    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    expect(page.locator(".bubble")).to_have_text("Turn this picture into edges.")

    page.locator(".turn").hover()
    page.get_by_role("button", name="Ask again").click()
    page.locator(".turn.is-running").wait_for(state="detached")
    expect(page.locator(".branches")).to_contain_text("3 of 3")
    expect(page.locator(".bubble")).to_have_text("Turn this picture into edges.")
    page.locator(".branch-before").click()
    expect(page.locator(".results .media-name")).to_have_text(edges)


def test_requests_wait_in_order_are_changed_removed_and_survive_a_reload(page: Page) -> None:
    page.fill("#words", SHEEP)
    page.click("#send")
    page.locator(".action.is-running .words-now").wait_for()
    for words in ("Say “one” aloud.", "Say “two” aloud.", "Say “three” aloud."):
        page.fill("#words", words)
        page.keyboard.press("Enter")
        expect(page.locator("#queue")).to_contain_text(words)
    expect(page.locator("#queue .queue-place")).to_have_text(["1", "2", "3"])
    page.get_by_role("button", name="Remove what waits: Say “two” aloud.").click()
    expect(page.locator("#queue li")).to_have_count(2)
    page.get_by_role("button", name="Edit what waits: Say “three” aloud.").click()
    page.fill("#words", "Say “final” aloud.")
    page.keyboard.press("Enter")
    expect(page.locator("#queue li").last).to_contain_text("final")
    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    expect(page.locator("#queue .queue-words")).to_contain_text(["one", "final"])
    page.click("#stop")
    page.locator(".turn.is-cancelled").wait_for()
    expect(page.locator("#queue")).to_contain_text("2 requests wait for you")
    page.get_by_role("button", name="Go on with them").click()
    expect(page.locator(".turn:not(.is-running)")).to_have_count(3, timeout=PATIENCE)
    expect(page.locator(".bubble")).to_have_text([SHEEP, "Say “one” aloud.", "Say “final” aloud."])
    expect(page.locator("#queue")).to_be_empty()


@pytest.mark.long
def test_a_request_that_cannot_wait_gives_the_words_back(page: Page) -> None:
    page.fill("#words", SHEEP)
    page.click("#send")
    page.locator(".action.is-running .words-now").wait_for()
    page.fill("#words", "???")
    page.keyboard.press("Enter")
    expect(page.locator("#words")).to_have_value("???")
    expect(page.locator(".toast")).to_contain_text("cannot find a request")
    page.click("#stop")
    page.locator(".turn.is-cancelled").wait_for()


@pytest.mark.long
def test_tabs_of_one_conversation_show_each_others_turns(
    new_context: Callable[..., BrowserContext], address: str
) -> None:
    context = new_context()
    first = opened(context, address)
    second = context.new_page()
    asked: list[str] = []
    second.on("request", lambda request: asked.append(request.url))
    second.goto(first.url)
    second.wait_for_selector("#app[data-ready=true]")
    asked.clear()
    ask(first, "Say “hello over there” aloud.")
    expect(second.locator(".turn.is-answered .bubble")).to_contain_text("hello over there")
    assert len(asked) < 20, "it hears of changes and does not ask again and again"
    first.click("[data-do=rename]")
    first.fill("#title-input", "Greetings")
    first.keyboard.press("Enter")
    expect(second.locator("#title")).to_have_text("Greetings")
    expect(second).to_have_title("Greetings · ControlLLM")


def test_conversations_are_found_deleted_and_had_back(page: Page) -> None:
    ask(page, "Say “the walrus and the carpenter” aloud.")
    page.click("[data-do=new]")
    expect(page.locator(".welcome")).to_be_visible()
    ask(page, "Say “something else” aloud.")
    rows = page.locator("#conversations .open")
    before = rows.count()
    page.fill("#search", "CARPENTER walrus")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("the carpenter")
    expect(page.locator("#search-status")).to_have_text("1 conversation found")
    page.fill("#search", "no such words anywhere")
    expect(page.locator("#search-status")).to_contain_text("No conversation")
    page.fill("#search", "")
    expect(rows).to_have_count(before)
    delete = page.get_by_role("button", name=re.compile("Delete “Say “the walrus"))
    delete.focus()
    delete.press("Enter")
    expect(rows).to_have_count(before - 1)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(before)
    delete.click()
    expect(rows).to_have_count(before - 1)
    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    expect(rows).to_have_count(before - 1)


def test_a_conversation_is_shared_as_a_file_that_needs_nothing_else(
    page: Page, new_context: Callable[..., BrowserContext], coffee: Path, tmp_path: Path
) -> None:
    ask(page, "Say “<b>good</b> morning” aloud.")
    attach(page, coffee)
    ask(page, "Find the cup in this picture.")
    with page.expect_download() as download:
        page.click("[data-do=share]")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    text = file.read_text("utf-8")
    (cookie,) = page.context.cookies()
    handle = re.search(r"c=(\w+)", page.url).group(1)  # type: ignore[union-attr]
    for secret in (cookie["value"], handle, "<script", "http://", "/media/", str(tmp_path)):
        assert secret not in text, secret
    reader = new_context(own=file.as_uri(), offline=True).new_page()
    reader.goto(file.as_uri())
    expect(reader.locator(".bubble")).to_have_text(
        ["Say “<b>good</b> morning” aloud.", "Find the cup in this picture."]
    )
    reader.locator("summary").first.click()
    expect(reader.locator("svg.plan").first).to_be_visible()
    broken = "[...document.images].filter((one) => !one.naturalWidth).length"
    assert reader.locator("img").count() >= 2 and reader.evaluate(broken) == 0
    assert reader.evaluate("document.querySelector('audio').src.startsWith('data:audio/')")
    assert reader.locator(".marks rect").count() >= 1


@pytest.mark.long
def test_pieces_of_the_answer_lead_to_their_step_and_box(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    ask(page, "Find the cup in this picture.")
    expect(page.locator(".answer")).to_contain_text(
        re.compile(r"the detector was (only )?\d+% sure")
    )
    piece = page.locator(".ground[data-region='0']")
    piece.hover()
    expect(page.locator(".results .marks rect.is-meant")).to_have_count(1)
    page.locator("#words").hover()
    expect(page.locator(".is-meant")).to_have_count(0)
    piece.focus()
    expect(page.locator(".results figure.is-meant")).to_have_count(1)
    expect(page.locator("g.node-tool.is-meant")).to_have_count(1)
    piece.press("Enter")
    expect(page.locator(".how")).to_have_attribute("open", "")
    expect(page.locator("g.node-tool.is-selected")).to_have_count(1)
    expect(page.locator(".node-details > div:not([hidden])")).to_contain_text("done")
    assert json.loads(page.locator("[data-do=edit-message]").get_attribute("data-attached") or "")


@pytest.mark.long
def test_a_browser_with_many_tabs_still_sends_and_they_hear_of_it(
    new_context: Callable[..., BrowserContext], address: str
) -> None:
    """A browser has six connections to a server: none must be left for what is sent."""
    context = new_context()
    tabs = [opened(context, address) for _ in range(8)]
    seen = opened(context, address)
    ask(tabs[-1], "What is the capital of France?")
    expect(seen.locator(".turn.is-answered .bubble")).to_have_text("What is the capital of France?")
