"""A run belongs to the server: pages come and go, and even the server may."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import running_server
from tests.browser.steps import COUNTED, PATIENCE, opened, send
from tests.waiting import wait_until

SHEEP = "Count sheep slowly for the text “{}”."
AT_WORK = "#graph .action.is-running progress[value]"


def begin(page: Page, words: str) -> None:
    send(page, SHEEP.format(words))
    page.locator(AT_WORK).wait_for()


def sheep(page: Page) -> int:
    words = page.locator("#graph .action.is-running .words-now")
    # Before the first is counted it may say that it waits for a worker.
    expect(words).to_contain_text(re.compile(r"\d"))
    return int(re.search(r"\d+", words.inner_text()).group())  # type: ignore[union-attr]


def is_counted_on(page: Page) -> None:
    """Wait until more sheep are counted in the page than are now."""
    page.wait_for_function(
        "seen => parseInt(document.querySelector('#graph .words-now')?.innerText"
        ".match(/\\d+/)?.[0]) > seen",
        arg=sheep(page),
    )


def chooses(page: Page, name: str) -> None:
    """Tick a setting of how tools work."""
    page.click("#settings")
    page.get_by_role("tab", name="How tools work").click()
    page.locator(f"#setting-{name} input").check()
    expect(page.locator(".toast-body").last).to_contain_text("Saved.")
    page.keyboard.press("Escape")


def stop(page: Page) -> None:
    page.click("#words .stop-button")
    page.locator(".turn.is-cancelled").wait_for()


@pytest.mark.long
def test_a_run_goes_on_without_its_page_and_stops_with_it_where_that_is_wanted(
    new_context: Callable[..., BrowserContext], address: str
) -> None:
    context = new_context()
    page = opened(context, address)
    begin(page, "the page is closed")
    counted = sheep(page)
    page.close()
    wait_until(lambda: int(COUNTED.read_text() or 0) > counted + 10)
    again = opened(context, address)
    again.locator(AT_WORK).wait_for()
    assert sheep(again) > counted + 5
    assert again.locator(".turn").count() == 1
    is_counted_on(again)
    stop(again)
    expect(again.locator("#words .stop-button")).to_have_count(0)

    chooses(again, "stop_when_left")
    again.reload()
    again.locator(".turn.is-cancelled").wait_for()
    # Somebody who looks at another conversation sees in the list that this one ends.
    begin(again, "it stops")
    other = opened(context, address)
    other.click("#new")
    expect(other.locator(".welcome")).to_be_visible()
    expect(other.locator(".conversations .at-work")).to_have_count(1)
    again.close()
    expect(other.locator(".conversations .at-work")).to_have_count(0)
    other.locator(".conversations .open", has_text="Count sheep").click()
    expect(other.locator(".turn.is-cancelled")).to_have_count(2)


@pytest.mark.long
def test_a_page_tells_of_a_broken_connection_and_mends_it_by_itself(
    new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    with running_server(tmp_path) as (url, server):
        page = opened(new_context(own=url), url)
        begin(page, "the connection breaks")
        page.locator("#words textarea").fill("Half a thought")
        server.kill()
        server.wait()
        lost = page.locator(".connection")
        expect(lost).to_contain_text("does not answer")
        expect(page.locator("#words textarea")).to_have_value("Half a thought")
        with running_server(tmp_path, port=int(url.rpartition(":")[2])):
            expect(lost).to_be_hidden()
            page.locator(AT_WORK).wait_for()
            is_counted_on(page)
            assert page.locator(".turn").count() == 1
            expect(page.locator("#words textarea")).to_have_value("Half a thought")
            stop(page)


@pytest.mark.long
def test_a_server_ends_with_its_tools_and_goes_on_after_a_click_where_that_is_wanted(
    new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    with running_server(tmp_path, CONTROLLLM_GO_ON="asked") as (url, server):
        page = opened(new_context(own=url), url)
        begin(page, "the server is ended")
        ended(server, signal.SIGTERM)
        with running_server(
            tmp_path, port=int(url.rpartition(":")[2]), CONTROLLLM_GO_ON="asked"
        ) as (_, again):
            page.reload()
            page.locator(".stopped", has_text="interrupted").wait_for(timeout=PATIENCE)
            page.click("[data-do=resume]")
            page.locator(AT_WORK).wait_for()
            ended(again, signal.SIGINT)
    assert not list((tmp_path / "home" / "work").iterdir())


def ended(server: subprocess.Popen[bytes], by: signal.Signals) -> None:
    """End a server by a signal; the sheep would be counted for minutes more."""
    workers = children_of(server)
    server.send_signal(by)
    wait_until(lambda: not any(map(is_running, workers)))
    assert server.wait(PATIENCE / 1000) == 0


def children_of(server: subprocess.Popen[bytes]) -> list[int]:
    found = []
    for path in Path(f"/proc/{server.pid}/task").glob("*/children"):
        found += [int(number) for number in path.read_text().split()]
    assert found
    return found


def is_running(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
