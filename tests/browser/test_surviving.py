"""A run belongs to the server: pages come and go, and even the server may."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import running_server
from tests.browser.steps import COUNTED, PATIENCE, opened
from tests.waiting import wait_until

SHEEP = "Count sheep for the text “{}”."


def begin(page: Page, words: str) -> None:
    page.fill("#words", SHEEP.format(words))
    page.click("#send")
    page.locator(".action.is-running progress[value]").wait_for()


def sheep(page: Page) -> int:
    words = page.locator(".action.is-running .words-now")
    # Before the first is counted it may say that it waits for a worker.
    expect(words).to_contain_text(re.compile(r"\d"))
    return int(re.search(r"\d+", words.inner_text()).group())  # type: ignore[union-attr]


def stop(page: Page) -> None:
    page.click("#stop")
    page.locator(".turn.is-cancelled").wait_for()


def test_a_run_goes_on_without_its_page_and_is_seen_live_again(
    new_context: Callable[..., BrowserContext], address: str
) -> None:
    context = new_context()
    page = opened(context, address)
    begin(page, "the page is closed")
    counted = sheep(page)
    page.close()
    wait_until(lambda: int(COUNTED.read_text() or 0) > counted + 10)
    again = opened(context, address)
    again.locator(".action.is-running progress[value]").wait_for()
    assert sheep(again) > counted + 5
    seen = sheep(again)
    again.wait_for_function(
        "seen => parseInt(document.querySelector('.words-now').innerText.match(/\\d+/)[0]) > seen",
        arg=seen,
    )
    expect(again.locator("#stop")).to_be_visible()
    stop(again)


def test_a_reloaded_page_and_another_tab_watch_the_same_run(
    new_context: Callable[..., BrowserContext], address: str
) -> None:
    context = new_context()
    page = opened(context, address)
    begin(page, "the page is loaded again")
    page.reload()
    page.locator(".action.is-running progress[value]").wait_for()
    other = context.new_page()
    other.goto(page.url)
    other.locator(".action.is-running progress[value]").wait_for()
    assert page.locator(".turn").count() == other.locator(".turn").count() == 1
    stop(other)
    page.locator(".turn.is-cancelled").wait_for()
    expect(page.locator("#send")).to_be_visible()


@pytest.mark.long
def test_a_person_may_want_it_to_stop_with_the_page(
    new_context: Callable[..., BrowserContext], address: str
) -> None:
    context = new_context()
    page = opened(context, address)
    page.click("[data-do=settings]")
    page.check("[name=stop_when_left]")
    page.click("#settings-form [type=submit]")
    expect(page.locator("#settings-status")).not_to_be_empty()
    page.click("#settings [data-do=close]")
    begin(page, "it stops")
    page.close()
    again = opened(context, address)
    again.locator(".turn.is-cancelled").wait_for()


@pytest.mark.long
def test_a_killed_server_goes_on_by_itself_and_is_seen_live(
    new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    with running_server(tmp_path) as (url, server):
        context = new_context(own=url)
        page = opened(context, url)
        begin(page, "the server is killed")
        server.kill()
        server.wait()
        port = int(url.rpartition(":")[2])
        with running_server(tmp_path, port=port):
            # The page has noticed by itself, or does now.
            page.reload()
            page.locator(".action.is-running progress[value]").wait_for()
            assert page.locator(".turn").count() == 1
            stop(page)


@pytest.mark.long
def test_a_page_tells_of_a_broken_connection_and_mends_it_by_itself(
    new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    with running_server(tmp_path) as (url, server):
        page = opened(new_context(own=url), url)
        begin(page, "the connection breaks")
        server.kill()
        server.wait()
        page.locator(".toast", has_text="connection to the server is lost").wait_for()
        with running_server(tmp_path, port=int(url.rpartition(":")[2])):
            page.locator(".toast", has_text="The connection is back.").wait_for()
            assert page.locator(".toast.is-lost").count() == 0
            page.locator(".action.is-running progress[value]").wait_for()
            seen = sheep(page)
            page.wait_for_function(
                "seen => parseInt(document.querySelector('.words-now')?.innerText"
                ".match(/\\d+/)?.[0]) > seen",
                arg=seen,
            )
            assert page.locator(".turn").count() == 1
            stop(page)


def test_a_short_gap_is_not_told_and_a_long_one_once(
    new_context: Callable[..., BrowserContext], address: str
) -> None:
    context = new_context()
    context.clock.install()
    page = opened(context, address)
    context.clock.pause_at(datetime.now() + timedelta(hours=1))
    notes = page.locator(".toast")

    def asked_in_vain() -> None:
        """A second goes by, at the end of which the page asks and nobody answers."""
        with page.expect_event("requestfailed", lambda one: one.url.endswith("/health")):
            context.clock.run_for(1000)

    def asked_and_answered() -> None:
        context.set_offline(False)
        with page.expect_event("requestfinished", lambda one: one.url.endswith("/health")):
            context.clock.run_for(1000)

    with page.expect_event("requestfailed", lambda one: one.url.endswith("/health")):
        context.set_offline(True)
    asked_in_vain()
    asked_and_answered()
    assert notes.count() == 0

    with page.expect_event("requestfailed", lambda one: one.url.endswith("/health")):
        context.set_offline(True)
    for _ in range(5):
        asked_in_vain()
    expect(notes).to_have_count(1)
    expect(notes).to_contain_text("The connection to the server is lost")
    asked_and_answered()
    expect(notes).to_have_count(1)
    expect(notes).to_contain_text("The connection is back.")


@pytest.mark.long
def test_an_interrupted_request_waits_for_a_click_where_that_is_wanted(
    new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    with running_server(tmp_path, CONTROLLLM_GO_ON="asked") as (url, server):
        context = new_context(own=url)
        page = opened(context, url)
        begin(page, "the server is ended")
        workers = children_of(server)
        server.send_signal(signal.SIGTERM)
        # The sheep would be counted for minutes more.
        wait_until(lambda: not any(map(is_running, workers)))
        assert server.wait(PATIENCE / 1000) == 0
        with running_server(tmp_path, port=int(url.rpartition(":")[2]), CONTROLLLM_GO_ON="asked"):
            page.reload()
            page.locator(".stopped", has_text="interrupted").wait_for(timeout=PATIENCE)
            page.click("[data-do=resume]")
            page.locator(".action.is-running progress[value]").wait_for()
            stop(page)


@pytest.mark.long
def test_a_key_ends_the_server_at_once_even_while_a_tool_works(
    new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    with running_server(tmp_path) as (url, server):
        page = opened(new_context(own=url), url)
        begin(page, "the key is pressed")
        workers = children_of(server)
        server.send_signal(signal.SIGINT)
        wait_until(lambda: not any(map(is_running, workers)))
        assert server.wait(PATIENCE / 1000) == 0
    assert not list((tmp_path / "home" / "work").iterdir())


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
