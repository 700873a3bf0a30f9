"""Asking, watching, doing it another way, stopping, coming back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.steps import ask, attach, opened, send, shows

CROP = "Find the cup in this picture and crop it."


def test_page_is_whole_at_first_sight(page: Page) -> None:
    expect(page).to_have_title("ControlLLM")
    expect(page.locator(".brand")).to_contain_text("ControlLLM")
    expect(page.locator(".welcome h1")).to_be_visible()
    assert page.locator(".examples li").count() >= 4
    for name in ("New conversation", "Recipes", "Toolbox", "Settings", "Point"):
        expect(page.get_by_role("button", name=name, exact=True).first).to_be_visible()
    expect(page.locator("#leaves")).to_contain_text("Nothing leaves this machine")
    broken = page.evaluate(
        "[...document.images].filter(i => i.src && i.complete && !i.naturalWidth).map(i => i.src)"
    )
    assert broken == []


def test_a_picture_is_worked_on_and_its_result_goes_on(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    ask(page, CROP)
    expect(page.locator(".bubble")).to_have_text(CROP)
    expect(page.locator(".asked img")).to_have_count(1)
    assert page.locator(".answer").inner_text().strip()
    result = page.locator(".results figure").last
    expect(result.locator("img")).to_be_visible()
    # The plan beside it, with its steps and what is known of one.
    assert page.locator("#graph .action.is-done").count() >= 1
    tool = page.locator("#graph g.node-tool.is-done").first
    tool.click()
    details = page.locator(".node-details > div:not([hidden])")
    expect(details).to_contain_text("done")
    expect(details).to_contain_text("coffee.jpg")
    tool.press("Enter")
    expect(details).to_have_count(0)
    # Its files, of which one is kept and used again.
    shows(page, "Files")
    expect(page.locator(".tray-item").nth(1)).to_be_visible()
    with page.expect_download() as download:
        result.locator("a[download]").click()
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
    result.locator("[data-do=attach]").click()
    expect(page.locator("#attachments .chip")).to_have_count(1)
    ask(page, "Turn this picture into edges.")
    expect(page.locator(".turn")).to_have_count(2)
    expect(page.locator("#attachments .chip")).to_have_count(0)


def test_another_way_can_be_chosen(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    ask(page, "Describe this picture.")
    shows(page, "Ways")
    other = page.locator(".way:not(.is-chosen):has([data-do=switch])").first
    wanted = other.locator(".chain").inner_text()
    other.locator("[data-do=switch]").click()
    expect(page.locator(".way.is-chosen .chain").first).to_have_text(wanted, use_inner_text=True)
    page.locator(".turn.is-answered").wait_for()
    assert page.locator(".turn").count() == 1


def test_a_run_is_watched_stopped_and_gone_on_with(
    page: Page, new_context: Callable[..., BrowserContext], address: str
) -> None:
    send(page, "Count sheep slowly for the text “goodnight”.")
    expect(page.locator(".stages")).to_contain_text("Understanding")
    words = page.locator("#graph .action.is-running .words-now")
    expect(words).to_contain_text("sheep")
    expect(page.locator("#graph .node-tool.is-running")).to_have_count(1)
    # A second tab, and the first one loaded again, see it live.
    second = page.context.new_page()
    second.goto(page.url)
    expect(second.locator("#graph .action.is-running .words-now")).to_contain_text("sheep")
    page.reload()
    expect(words).to_contain_text("sheep")
    # Nobody else does.
    stranger = opened(new_context(), address)
    stranger.goto(page.url)
    expect(stranger.locator(".welcome")).to_be_visible()
    # While it runs another conversation can be begun and used.
    page.click("#new")
    expect(page.locator(".welcome")).to_be_visible()
    ask(page, "Say “Good morning” aloud.")
    page.locator("#conversations .open", has_text="Count sheep").click()
    expect(words).to_contain_text("sheep")
    page.click("#words .stop-button")
    page.locator(".turn.is-cancelled").wait_for()
    expect(second.locator(".turn.is-cancelled")).to_be_visible()
    expect(page.locator(".stopped")).to_contain_text("Stopped")
    page.click("[data-do=resume]")
    expect(words).to_contain_text("sheep")
    page.click("#words .stop-button")
    page.locator(".turn.is-cancelled").wait_for()
    assert page.locator(".turn").count() == 1


def test_what_cannot_be_sent_is_said_and_nothing_is_lost(
    page: Page, coffee: Path, tmp_path: Path
) -> None:
    page.locator("#words textarea").press("Enter")
    expect(page.locator(".toast-body").last).to_contain_text("Write what you want")
    bad = tmp_path / "broken.png"
    bad.write_bytes(b"\x89PNG\r\n\x1a\n and then nothing that makes sense")
    attach(page, coffee, bad)
    send(page, "Describe this, please.")
    expect(page.locator(".toast-body").last).to_contain_text("broken.png")
    expect(page.locator("#words textarea")).to_have_value("Describe this, please.")
    expect(page.locator("#attachments .chip")).to_have_text("coffee.jpg")
    expect(page.locator(".turn")).to_have_count(0)
    # Words that were not sent come back.
    page.reload()
    expect(page.locator("#words textarea")).to_have_value("Describe this, please.")


def test_a_file_is_called_by_its_name_and_left_out_again(
    page: Page, coffee: Path, cat: Path
) -> None:
    attach(page, coffee, cat)
    ask(page, "Find the cup in coffee.jpg and the cat in chelsea.jpg.")
    expect(page.locator(".asked img")).to_have_count(2)
    words = page.locator("#words textarea")
    words.press_sequentially("Turn @coff")
    expect(page.locator("#mentions [role=option]").first).to_contain_text("coffee.jpg")
    words.press("Enter")
    expect(words).to_have_value("Turn @coffee.jpg ")
    expect(page.locator("#attachments .chip")).to_have_count(1)
    page.locator("#attachments [data-do=detach]").click()
    expect(page.locator("#attachments .chip")).to_have_count(0)


@pytest.mark.long
def test_a_long_message_does_not_break_the_page(page: Page) -> None:
    send(page, "Summarize this text: " + "The river was calm that day. " * 1700)
    page.locator(".turn:not(.is-running)").wait_for()
    assert page.locator(".bubble").bounding_box()["height"] < 400  # type: ignore[index]
    width = page.evaluate("document.querySelector('#conversation .turns').scrollWidth")
    assert width <= page.locator("#conversation").bounding_box()["width"]  # type: ignore[index]
