"""Asking anew, waiting requests, tabs that hear of each other, finding, sharing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.steps import PATIENCE, ask, attach, opened, send

SHEEP = "Count sheep slowly for the text “goodnight”."


def test_a_message_is_asked_in_other_words_and_both_branches_stay(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    ask(page, "Find the cup in this picture.")
    # A piece of the answer leads to the box that it rests on, and to its step.
    expect(page.locator(".answer")).to_contain_text(
        re.compile(r"the detector was (only )?\d+% sure")
    )
    piece = page.locator(".ground[data-region='0']")
    piece.hover()
    expect(page.locator(".results .marks rect.is-meant")).to_have_count(1)
    page.locator("#words textarea").hover()
    expect(page.locator(".is-meant")).to_have_count(0)
    piece.press("Enter")
    expect(page.locator("#graph g.node-tool.is-selected")).to_have_count(1)
    expect(page.locator(".node-details > div:not([hidden])")).to_contain_text("done")
    ask(page, "Describe this picture.")

    words = page.locator("#words textarea")
    first = page.locator(".turn").first
    first.hover()
    first.get_by_role("button", name="Edit").click()
    expect(page.locator("#attachments .editing")).to_be_visible()
    expect(words).to_have_value("Find the cup in this picture.")
    expect(page.locator("#attachments .chip")).to_have_count(1)
    page.get_by_role("button", name="Do not edit").click()
    expect(words).to_have_value("")
    expect(page.locator("#attachments .chip")).to_have_count(0)
    first.hover()
    first.get_by_role("button", name="Edit").click()
    expect(words).to_have_value("Find the cup in this picture.")
    send(page, "Turn this picture into edges.")
    expect(page.locator(".turn")).to_have_count(1)
    page.locator(".turn.is-answered").wait_for()
    expect(page.locator("#attachments .editing")).to_have_count(0)
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
    expect(page.locator(".bubble")).to_have_text("Turn this picture into edges.")

    page.locator(".turn").hover()
    page.get_by_role("button", name="Ask again").click()
    expect(page.locator(".branches")).to_contain_text("3 of 3")
    page.locator(".turn.is-answered").wait_for()
    expect(page.locator(".bubble")).to_have_text("Turn this picture into edges.")
    page.locator(".branch-before").click()
    expect(page.locator(".results .media-name")).to_have_text(edges)


@pytest.mark.long
def test_requests_wait_in_order_are_changed_removed_and_survive_a_reload(page: Page) -> None:
    words, waiting = page.locator("#words textarea"), page.locator("#waiting")
    send(page, SHEEP)
    page.locator("#graph .action.is-running .words-now").wait_for()
    for said in ("Say “one” aloud.", "Say “two” aloud.", "Say “three” aloud."):
        send(page, said)
        expect(waiting).to_contain_text(said)
        expect(words).to_have_value("")
    expect(waiting.locator(".queue-place")).to_have_text(["1", "2", "3"])
    # What cannot wait gives its words back.
    send(page, "???")
    expect(page.locator(".toast-body").last).to_contain_text("cannot find a request")
    expect(words).to_have_value("???")
    page.get_by_role("button", name="Remove what waits: Say “two” aloud.").click()
    expect(waiting.locator("li")).to_have_count(2)
    page.get_by_role("button", name="Edit what waits: Say “three” aloud.").click()
    expect(words).to_have_value("Say “three” aloud.")
    send(page, "Say “final” aloud.")
    expect(waiting.locator("li").last).to_contain_text("final")
    expect(words).to_have_value("")
    page.reload()
    expect(waiting.locator(".queue-words")).to_contain_text(["one", "final"])
    page.click("#words .stop-button")
    page.locator(".turn.is-cancelled").wait_for()
    expect(waiting).to_contain_text("2 requests wait for you")
    page.get_by_role("button", name="Go on with them").click()
    expect(page.locator(".turn:not(.is-running)")).to_have_count(3, timeout=PATIENCE)
    expect(page.locator(".bubble")).to_have_text([SHEEP, "Say “one” aloud.", "Say “final” aloud."])
    expect(waiting.locator("li")).to_have_count(0)


@pytest.mark.long
def test_eight_tabs_hear_of_what_is_asked_named_found_and_deleted(
    new_context: Callable[..., BrowserContext], address: str
) -> None:
    """A browser has six connections to a server: none must be left for what is sent."""
    context = new_context()
    first = opened(context, address)
    ask(first, "Say “the walrus and the carpenter” aloud.")
    first.click("#new")
    expect(first.locator(".welcome")).to_be_visible()
    tabs = []
    for _ in range(7):
        tabs.append(context.new_page())
        tabs[-1].goto(first.url)
        expect(tabs[-1].locator(".welcome")).to_be_visible()
    asked: list[str] = []
    tabs[-1].on("request", lambda request: asked.append(request.url))
    ask(first, "Say “hello over there” aloud.")
    for tab in tabs:
        expect(tab.locator(".turn.is-answered .bubble")).to_contain_text("hello over there")
    assert len(asked) < 20, "it hears of changes and does not ask again and again"
    first.get_by_role("button", name="Rename").click()
    first.locator("dialog[open] input").fill("Greetings")
    first.keyboard.press("Enter")
    for tab in tabs:
        expect(tab.locator("#top .title")).to_have_text("Greetings")
        expect(tab).to_have_title("Greetings · ControlLLM")

    rows, status = first.locator("#conversations .open"), first.locator(".search-status")
    expect(rows).to_have_count(2)
    search = first.locator("#search :is(input, textarea)")
    search.fill("CARPENTER walrus")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("the carpenter")
    expect(status).to_have_text("1 conversation found")
    search.fill("no such words anywhere")
    expect(status).to_contain_text("No conversation")
    search.fill("")
    expect(rows).to_have_count(2)
    delete = first.get_by_role("button", name=re.compile("Delete “Say “the walrus"))
    delete.focus()
    delete.press("Enter")
    expect(rows).to_have_count(1)
    for tab in tabs:
        expect(tab.locator("#conversations .open")).to_have_count(1)
    first.locator(".leaving").get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(2)
    delete.click()
    expect(rows).to_have_count(1)
    first.reload()
    expect(first.locator("#top .title")).to_have_text("Greetings")
    expect(rows).to_have_count(1)


def test_a_conversation_is_shared_as_a_file_that_needs_nothing_else(
    page: Page, new_context: Callable[..., BrowserContext], coffee: Path, tmp_path: Path
) -> None:
    ask(page, "Say “<b>good</b> morning” aloud.")
    attach(page, coffee)
    ask(page, "Find the cup in this picture.")
    with page.expect_download() as download:
        page.locator("#top").get_by_role("link").click()
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
