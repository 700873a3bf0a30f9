"""Two ways compared, a plan changed by hand, and what an answer rests on: in a browser, on real
media."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

from controlllm.layout import ASSETS

CAT = ASSETS / "examples" / "chelsea.jpg"
COFFEE = ASSETS / "examples" / "coffee.jpg"
WAIT = 120_000


@pytest.fixture(scope="module")
def page_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own: its cards tell what tools took before, in other modules too."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    home = tmp_path_factory.mktemp("comparing")
    command = [sys.executable, "-m", "tests.page.serve", str(port), str(home)]
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": os.getcwd()}) as server:
        address = f"http://127.0.0.1:{port}"
        end = time.monotonic() + 120
        while True:
            try:
                urllib.request.urlopen(f"{address}/health", timeout=2).close()
                break
            except (urllib.error.URLError, OSError):
                assert server.poll() is None and time.monotonic() < end
                time.sleep(0.2)
        yield address
        server.terminate()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        options = ["--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required"]
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()


def is_wrong(said: ConsoleMessage) -> bool:
    """Whether a page has told of an error; that it left while it listened is none."""
    leaves = ("aborted", "Connection errored out")
    return said.type == "error" and not any(words in said.text for words in leaves)


@pytest.fixture
def page(chromium: Browser, page_address: str) -> Iterator[Page]:
    """A page of a new browser, of which nothing may go wrong unseen."""
    context = chromium.new_context(viewport={"width": 1360, "height": 900})
    context.set_default_timeout(WAIT)
    expect.set_options(timeout=60_000)
    shown, wrong = context.new_page(), []
    shown.on("pageerror", lambda error: wrong.append(str(error)))
    shown.on("console", lambda said: wrong.append(said.text) if is_wrong(said) else None)
    shown.goto(page_address)
    shown.locator(".welcome").wait_for()
    yield shown
    context.close()
    assert not wrong


def ask(page: Page, words: str, *files: object, number: int = 0) -> Locator:
    """Ask, and wait for the answer; the turn."""
    if files:
        page.locator("#words input[type=file]").set_input_files([str(path) for path in files])
        page.locator("#words .thumbnail-item, #words .thumbnails").first.wait_for()
    page.locator("#words textarea").fill(words)
    page.locator("#words textarea").press("Enter")
    turn = page.locator(".turn").nth(number)
    expect(turn).to_have_class("turn is-answered", timeout=WAIT)
    return turn


def try_first(page: Page) -> Locator:
    """Try the first other way of the newest turn; the dialog, which opens by itself."""
    page.get_by_role("button", name="Compare with another way").last.press("Enter")
    focused = page.locator("[data-do=try-way]:focus")
    focused.wait_for()
    focused.press("Enter")
    dialog = page.get_by_role("dialog", name="Two ways compared")
    dialog.locator(".compared-head").first.wait_for(timeout=WAIT)
    return dialog


def clipped(dialog: Locator) -> float:
    """How much of the second picture is cut away, in per cent."""
    clip = dialog.locator("#compared-pictures img").nth(1).evaluate("one => one.style.clipPath")
    return float(clip.rpartition(" ")[2].rstrip("%)"))


def test_pictures_are_compared_and_one_is_kept(page: Page) -> None:
    ask(page, "Blur the background", CAT)
    answer = page.locator(".answer").inner_text()
    dialog = try_first(page)
    expect(dialog.locator("#compared-pictures img")).to_have_count(2)
    sources = dialog.locator("#compared-pictures img").evaluate_all(
        "all => all.map((one) => [one.src, one.naturalWidth])"
    )
    assert len(dict(sources)) == 2 and all("/media/" in source for source, _ in sources)
    page.wait_for_function(
        "() => [...document.querySelectorAll('#compared-pictures img')]"
        ".every((one) => one.naturalWidth)"
    )
    expect(dialog.locator(".compared-head[data-side=B]")).to_contain_text("Without Instance")
    expect(page.locator(".answer")).to_have_text(answer, use_inner_text=True)
    # By the keyboard, which Gradio's own slider over pictures does not know.
    place = dialog.get_by_role("slider")
    place.press("End")
    page.wait_for_function(
        "() => / 9[\\d.]+%\\)$/"
        ".test(document.querySelectorAll('#compared-pictures img')[1].style.clipPath)"
    )
    assert clipped(dialog) > 90

    # What is kept is in use and remembered, and can be taken back.
    kept = dialog.locator(".compared-head[data-side=B]")
    kept.get_by_role("button", name="Keep B").click()
    expect(kept.locator(".mark")).to_have_text("Kept: in use, and remembered")
    page.locator(".turn.is-answered").wait_for()
    expect(page.locator(".answer")).not_to_contain_text("instance segmentation")
    kept.locator("[data-do=take-back]:not(:disabled)").press("Enter")
    expect(dialog.locator(".compared-head[data-side=A] .mark")).to_have_text("In use")
    page.locator(".turn.is-answered").wait_for()

    # A line in the turn stays, also after a reload, and opens both again.
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.reload()
    page.get_by_role("button", name="Two ways compared").click()
    expect(dialog.locator("#compared-pictures img")).to_have_count(2)
    dialog.get_by_role("button", name="End the comparison").click()
    expect(dialog).to_be_hidden()
    expect(page.locator(".compared-line")).to_have_count(0)


def test_sounds_are_switched_at_the_same_place(page: Page) -> None:
    ask(page, "Say “good morning to all of you, it is a fine day” aloud")
    dialog = try_first(page)
    state = "found => found.map((one) => [one.currentTime, one.muted])"
    players = dialog.locator("audio")
    page.wait_for_function(
        "() => { const all = [...document.querySelectorAll('.both audio')];"
        " return all.length === 2 && all.every((one) => one.readyState > 2); }"
    )
    place = dialog.get_by_role("slider", name="Place")
    for _ in range(3):
        place.press("PageUp")
    (_, first_muted), (second, second_muted) = players.evaluate_all(state)
    assert second > 0 and not first_muted and second_muted
    dialog.get_by_role("radio", name="A").focus()
    page.keyboard.press("ArrowRight")
    (_, first_muted), (after, second_muted) = players.evaluate_all(state)
    assert first_muted and not second_muted and after == pytest.approx(second)
    play = dialog.locator("[data-do=play-both]")
    play.press("Enter")
    page.wait_for_function(
        "before => document.querySelectorAll('.both audio')[1].currentTime > before", arg=after
    )
    expect(play).to_have_text("Pause", use_inner_text=True)
    page.keyboard.press("Escape")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.both audio')].every((one) => one.paused)"
    )


def test_videos_play_in_step_and_of_texts_two_are_chosen(page: Page) -> None:
    ask(page, "Make a video out of this picture that zooms out for 2 seconds", COFFEE)
    dialog = try_first(page)
    expect(dialog.locator("video")).to_have_count(2)
    page.wait_for_function(
        "() => [...document.querySelectorAll('.both video')].every((one) => one.readyState > 2)"
    )
    dialog.locator("[data-do=play-both]").click()
    page.wait_for_function("() => document.querySelectorAll('.both video')[1].currentTime > 0.3")
    dialog.locator("[data-do=play-both]").click()
    first, second = dialog.locator("video").evaluate_all("all => all.map((one) => one.currentTime)")
    assert first == pytest.approx(second, abs=0.35)
    page.keyboard.press("Escape")

    ask(page, "Describe this picture.", CAT, number=1)
    dialog = try_first(page)
    expect(dialog).to_contain_text("differ")
    expect(dialog.locator("ins, del").first).to_be_visible()
    answering = dialog.locator(".compared-head[data-side=B] .chain").inner_text()
    page.keyboard.press("Escape")
    page.locator("#ways [data-do=try-way]:not(:disabled)").first.click()
    dialog.get_by_label("Way B").wait_for(timeout=WAIT)
    expect(dialog.locator(".compared-head[data-side=B] .chain")).not_to_have_text(answering)
    dialog.get_by_label("Way B").click()
    page.locator("[role=option][aria-selected=false]").first.click()
    expect(dialog.locator(".compared-head[data-side=B] .chain")).to_have_text(
        answering, use_inner_text=True
    )
    page.set_viewport_size({"width": 390, "height": 800})
    assert dialog.evaluate("one => one.scrollWidth <= innerWidth")
    left = dialog.locator("blockquote").evaluate_all("all => all.map((one) => one.offsetLeft)")
    assert len(set(left)) == 1, "one below the other where it is narrow"


def drawn(page: Page, *tools: str) -> None:
    """Wait until the plan that is to be seen has these tools."""
    page.wait_for_function(
        """wanted => [...document.querySelectorAll('.node-tool')]
          .filter((node) => node.getClientRects().length)
          .map((node) => node.getAttribute('aria-label').split(',')[0]).join() === wanted.join()""",
        arg=list(tools),
    )


def test_a_plan_is_changed_and_only_what_changed_is_made(page: Page) -> None:
    ask(page, "Find the edges in the picture", CAT)
    page.locator(".how-line").click()
    page.locator("#graph .node-tool").focus()
    page.keyboard.press("Enter")
    panel = page.locator(".step-panel")
    expect(panel).to_contain_text("Change this step: Image to edge")
    expect(panel.get_by_label("Tool")).to_be_focused()
    offered = panel.get_by_label("Tool").locator("option").all_inner_texts()
    assert "Image to canny" in offered and "Text to music" not in offered
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(page.locator("#graph .node-tool")).to_be_focused()

    page.locator("#graph .node-tool").click()
    panel.get_by_label("Tool").select_option(label="Image to canny")
    drawn(page, "Image to canny")
    panel.get_by_label("Put in before Image").select_option(label="Image crop left")
    drawn(page, "Image crop left", "Image to canny")
    panel.get_by_label("Put in before Image").select_option(label="Text image editing")
    drawn(page, "Text image editing", "Image crop left", "Image to canny")
    panel.get_by_role("textbox").fill("make it black and white")
    panel.get_by_role("textbox").blur()
    changes = page.locator(".step-changes")
    expect(changes).to_contain_text("make it black and white")
    # Another step is looked at: what was changed stays.
    page.locator("#plan-editor .node-tool").nth(1).click()
    expect(panel).to_contain_text("Change this step: Image crop left")
    panel.get_by_role("button", name="Remove this step").click()
    drawn(page, "Text image editing", "Image to canny")
    changes.get_by_role("button", name="Undo the last").click()
    drawn(page, "Text image editing", "Image crop left", "Image to canny")
    expect(changes.locator(".primary")).to_contain_text("3 steps to make")
    changes.locator(".primary").click()
    expect(changes).to_have_count(0)
    expect(page.locator("#graph .node-tool.is-done")).to_have_count(3)
    page.locator(".turn.is-answered").wait_for()
    page.get_by_role("tab", name="Ways").click()
    expect(page.locator("#ways .way", has_text="Yours")).to_contain_text("In use")

    # Made anew, though it is there; and all changes dropped.
    page.get_by_role("tab", name="Plan").click()
    page.locator("#graph .node-tool").last.click()
    panel.get_by_role("button", name="Make anew from here").click()
    expect(changes.locator(".primary")).to_contain_text("1 step to make")
    changes.get_by_role("button", name="Drop all changes").click()
    expect(changes).to_have_count(0)
    expect(page.locator("#graph .node.is-selected")).to_have_count(0)


def test_an_answer_leads_to_its_step_and_all_ways_are_shown(page: Page) -> None:
    ask(page, "Blur the background", CAT)
    page.locator(".ground").first.focus()
    page.keyboard.press("Enter")
    node = page.locator("#graph .node-tool.is-selected")
    expect(node).to_be_focused()
    expect(page.locator(".step-panel")).to_be_visible()

    page.get_by_role("tab", name="Ways").click()
    cards = page.locator("#ways .way[data-way]")
    before = cards.count()
    page.get_by_role("button", name="Show all ways found").click()
    page.wait_for_function(
        "before => document.querySelectorAll('#ways .way[data-way]').length > before", arg=before
    )
    page.get_by_label("Why not …?").fill("segment by points")
    expect(page.locator(".why-answer")).to_contain_text("Wrong type: it needs points")

    other = page.locator("#ways [data-do=switch]:not(:disabled)").first
    key = other.evaluate("one => one.closest('.way').dataset.key")
    other.press("Enter")
    card = page.locator(f"#ways [data-key={key}]")
    expect(card).to_contain_text("In use")
    page.locator(".turn.is-answered").wait_for()
    expect(card).to_be_focused()
