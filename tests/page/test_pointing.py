"""Pointing as a person does it: at things in pictures, at parts and words of recordings."""

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
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from controlllm.resources import encode
from tests.pointing.word_time_error import spoken

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "assets" / "examples"
PATIENCE = 120_000

#: How much of the cup and of a corner of the picture the mask lies over.
_SHARES = """() => {
    const mask = document.querySelector('.picker-mask');
    const canvas = new OffscreenCanvas(mask.naturalWidth, mask.naturalHeight);
    const pen = canvas.getContext('2d');
    pen.drawImage(mask, 0, 0);
    const share = (left, top, right, bottom) => {
        const { width, height } = canvas;
        const { data } = pen.getImageData(left * width, top * height,
            (right - left) * width, (bottom - top) * height);
        const seen = data.filter((value, place) => place % 4 === 3 && value > 0).length;
        return seen / (data.length / 4);
    };
    return { cup: share(0.44, 0.22, 0.62, 0.5), corner: share(0, 0, 0.12, 0.12) };
}"""
_OUTSIDE = """() => [...document.querySelectorAll('dialog[open] :is(button, input, [role=slider])')]
    .filter((item) => item.offsetParent && item.type !== 'radio').filter((item) => {
        const { left, top, right, bottom } = item.getBoundingClientRect();
        return left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1;
    }).map((item) => item.outerHTML.slice(0, 90))"""


@contextmanager
def served(home: Path) -> Iterator[str]:
    """The address of a server with its home in a folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.page.serve", str(port), str(home)]
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=ROOT) as server:
        end = time.monotonic() + PATIENCE / 1000
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2).close()
                break
            except (urllib.error.URLError, OSError):
                assert server.poll() is None and time.monotonic() < end
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
        server.terminate()


@pytest.fixture(scope="module")
def page_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("pointing")) as address:
        yield address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser, page_address: str) -> Iterator[Page]:
    """The page of somebody new, in which no script may fail."""
    expect.set_options(timeout=PATIENCE)
    context: BrowserContext = chromium.new_context(
        viewport={"width": 1360, "height": 860}, reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE)
    faults: list[str] = []
    context.on("weberror", lambda error: faults.append(str(error.error)))
    found = context.new_page()
    found.goto(page_address)
    found.locator(".welcome").wait_for()
    yield found
    context.close()
    assert faults == []


def add(page: Page, *paths: Path) -> None:
    """Choose files for the message, and wait until they are there."""
    page.set_input_files("#words input[type=file]", [str(path) for path in paths])
    expect(page.locator("#words .thumbnail-item")).to_have_count(len(paths))
    expect(page.locator("#words .submit-button")).to_be_enabled()


def point(page: Page, *paths: Path) -> None:
    """Point at something in files that were only just chosen."""
    add(page, *paths)
    page.click("#point")
    page.locator("dialog[open]").wait_for()


def picking(page: Page, *paths: Path) -> None:
    point(page, *paths)
    page.wait_for_function("document.querySelector('.picker-sheet').style.width !== ''")


def click_at(page: Page, x: float, y: float, **how: object) -> None:
    box = page.locator(".picker-picture").bounding_box()
    assert box is not None
    at = {"x": box["width"] * x, "y": box["height"] * y}
    page.locator(".picker-sheet").click(position=at, **how)  # type: ignore[arg-type]


def drag(page: Page, *places: tuple[float, float]) -> None:
    box = page.locator(".picker-picture").bounding_box()
    assert box is not None
    at = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in places]
    page.mouse.move(*at[0])
    page.mouse.down()
    for place in at[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()


def settled(page: Page) -> None:
    page.locator(".picker-mask[data-state=final]").wait_for()


def ask(page: Page, words: str) -> None:
    """Send a request, and wait until it is answered."""
    before = page.locator(".turn.is-answered").count()
    page.fill("#words textarea", words)
    page.press("#words textarea", "Enter")
    page.locator(".turn.is-answered").nth(before).wait_for()


def chips(page: Page) -> list[str]:
    return page.locator("#attachments .chip-number").all_inner_texts()


def test_things_are_kept_as_numbers_by_pointer_and_by_keyboard(page: Page) -> None:
    page.fill("#words textarea", "make ")
    picking(page, EXAMPLES / "coffee.jpg")
    click_at(page, 0.52, 0.35)
    settled(page)
    shown = page.evaluate(_SHARES)
    assert shown["cup"] > 0.8 and shown["corner"] < 0.1
    status = page.locator("#picker-status")
    expect(status).to_contain_text("Found: cup")
    page.click(".picker-more")
    expect(status).to_contain_text("Kept as [1]")
    expect(page.locator(".picker-regions .chip-number")).to_have_text("1")

    # The second thing by keyboard alone: a box around the corner, from cross-hair to cross-hair.
    stage = page.locator(".picker-stage")
    expect(stage).to_be_focused()
    for key, times in (("ArrowLeft", 24), ("ArrowUp", 16)):
        for _ in range(times):
            stage.press(key)
    expect(status).to_contain_text("At ")
    for _ in range(6):
        stage.press("Shift+ArrowRight")
        stage.press("Shift+ArrowDown")
    expect(status).to_contain_text("Enter sets it")
    stage.press("Enter")
    expect(page.locator(".picker-drawn .drawn-box")).to_have_count(1)
    settled(page)
    page.locator(".picker-use").press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator("#attachments .chip-number")).to_have_text(["1", "2"])
    expect(page.locator("#attachments")).to_contain_text("cup in coffee.jpg")
    # The words that were typed before are still there, and a chip writes its number into them.
    words = page.locator("#words textarea")
    expect(words).to_have_value("make ")
    page.locator("#attachments [data-do=say-number]").first.click()
    expect(words).to_have_value("make [1]")
    ask(page, "make [1] black and white")
    expect(page.locator(".asked .chip-number")).to_have_count(2)
    expect(page.locator(".results .media img")).to_have_count(1)


def test_marks_of_every_kind_are_set_undone_and_told(page: Page) -> None:
    picking(page, EXAMPLES / "coffee.jpg")
    status, use = page.locator("#picker-status"), page.locator(".picker-use")
    expect(use).to_be_disabled()
    click_at(page, 0.1, 0.1, button="right")
    expect(page.locator(".pin.negative")).to_have_count(1)
    expect(use).to_be_disabled()
    expect(status).to_contain_text("at least one point")
    page.locator(".picker-stage").press("-")
    stage = page.locator(".picker-stage").bounding_box()
    assert stage is not None
    page.mouse.click(stage["x"] + 8, stage["y"] + stage["height"] / 2)
    expect(status).to_contain_text("beside the picture")
    page.click(".picker-clear")
    expect(page.locator(".pin")).to_have_count(0)

    page.locator("#picker .brush").click()
    page.locator(".picker-brush input").fill("2")
    drag(page, (0.45, 0.3), (0.62, 0.4))
    settled(page)
    assert page.evaluate(_SHARES)["cup"] > 0.5
    page.locator("#picker .eraser").click()
    page.locator(".picker-brush input").fill("20")
    drag(page, (0.4, 0.3), (0.65, 0.3))
    expect(status).to_contain_text("2 strokes")
    expect(status).to_contain_text("Found:")
    erased = page.evaluate(_SHARES)["cup"]
    assert erased < 0.7
    page.locator(".picker-stage").press("Backspace")
    expect(status).to_contain_text("1 stroke")
    expect(status).to_contain_text("Found:")
    assert page.evaluate(_SHARES)["cup"] > erased

    page.click(".picker-clear")
    page.locator("#picker .box").click()
    drag(page, (0.3, 0.05), (0.68, 0.75))
    expect(status).to_contain_text("1 box")
    # Zoomed in, a click is still where it is in the picture.
    page.locator("#picker .positive").click()
    page.locator(".picker-zoom input").fill("3")
    sheet = page.locator(".picker-sheet").bounding_box()
    stage = page.locator(".picker-stage").bounding_box()
    assert sheet is not None and stage is not None and sheet["width"] > 2000
    page.mouse.click(stage["x"] + 200, stage["y"] + 150)
    pin = page.locator(".pin.positive")
    x, y = (int(pin.get_attribute(f"data-{side}") or -1) for side in "xy")
    sheet = page.locator(".picker-sheet").bounding_box()
    assert sheet is not None
    assert abs(x - (stage["x"] + 200 - sheet["x"]) * 600 / sheet["width"]) <= 3
    assert abs(y - (stage["y"] + 150 - sheet["y"]) * 600 / sheet["width"]) <= 3


def test_another_picture_keeps_marks_and_everything_is_in_reach(page: Page) -> None:
    page.click("#point")
    page.get_by_text("Add a picture first").wait_for()
    picking(page, EXAMPLES / "chelsea.jpg", EXAMPLES / "coffee.jpg")
    heading = page.locator("dialog[open] h2")
    expect(heading).to_contain_text("coffee.jpg")
    click_at(page, 0.52, 0.35)
    page.locator(".picker-pictures [data-value='chelsea.jpg']").click()
    expect(heading).to_contain_text("chelsea.jpg")
    expect(page.locator(".pin")).to_have_count(0)
    page.locator(".picker-pictures [data-value='coffee.jpg']").click()
    expect(page.locator(".pin")).to_have_count(1)
    page.locator("#picker .brush").click()
    for width, height in ((1360, 860), (1360, 600), (390, 760), (390, 600)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".picker-use")).to_be_in_viewport(ratio=1)
        assert page.evaluate(_OUTSIDE) == []
    # Escape gives up a box that is being drawn, and then the dialog; the focus is where it was.
    stage = page.locator(".picker-stage")
    stage.press("Shift+ArrowRight")
    stage.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(1)
    stage.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert chips(page) == []
    page.locator("#point").press("Enter")
    expect(page.locator(".picker-stage")).to_be_focused()
    expect(page.locator(".pin")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("#point")).to_be_focused()


def test_a_part_of_a_sound_is_heard_alone_and_kept(page: Page) -> None:
    point(page, EXAMPLES / "commentary.ogg")
    page.locator(".cutter-wave[data-pieces='600']").wait_for()
    start, end = (
        page.get_by_role("slider", name="Start of the part"),
        page.get_by_role("slider", name="End of the part"),
    )
    expect(start).to_be_focused()
    expect(page.locator(".cutter-frame")).to_be_hidden()
    start.press("Shift+ArrowRight")
    end.press("Home")
    for _ in range(4):
        end.press("ArrowRight")
    expect(start).to_have_attribute("aria-valuetext", "0:01")
    expect(end).to_have_attribute("aria-valuetext", "0:01.5")
    page.click(".cutter-play")
    heard = "(media => media.paused && media.currentTime >= 1.5 && media.currentTime < 2.2)"
    page.wait_for_function(f"{heard}(document.querySelector('.cutter-player audio'))")
    for width, height in ((390, 760), (1360, 860)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(_OUTSIDE) == []
    # The nearer handle comes to where it is pressed.
    page.locator(".cutter-loudness").click(position={"x": 700, "y": 20})
    expect(end).not_to_have_attribute("aria-valuetext", "0:01.5")
    page.click(".cutter-use")
    expect(page.locator("#attachments .chip-number")).to_have_text(["1"])
    expect(page.locator("#attachments")).to_contain_text("of commentary.ogg")


def test_words_of_a_transcript_become_a_part(page: Page, tmp_path: Path) -> None:
    recording = tmp_path / "talk.wav"
    sound, spans = spoken("please bring seven yellow apples and bread from the market", 0.25)
    recording.write_bytes(encode("audio", sound)[0])
    add(page, recording)
    ask(page, "Write down what is said in talk.wav.")
    page.locator("[data-do=point-at-word]").press("Enter")
    expect(page.locator("#spoken-says")).to_contain_text("Listening for the words")
    words = page.get_by_role("listbox", name="Words that are said")
    words.get_by_role("option").first.wait_for()
    expect(words).to_be_focused()
    told = [word.lower() for word in words.get_by_role("option").all_inner_texts()]
    first, last = told.index("seven"), told.index("apples")
    for _ in range(first):
        words.press("ArrowRight")
    for _ in range(last - first):
        words.press("Shift+ArrowRight")
    chosen = words.locator("[aria-selected=true]")
    expect(chosen).to_have_text(["seven", "yellow", "apples"])
    start, end = (
        float(page.locator(f".is-{which}").get_attribute("aria-valuenow") or "nan")
        for which in ("start", "end")
    )
    assert abs(start - spans[2][0]) < 0.2 and abs(end - spans[4][1]) < 0.2
    # The handles and the words show the same part.
    for _ in range(4):
        page.locator(".cutter-handle.is-end").press("ArrowLeft")
    expect(chosen).to_have_text(["seven", "yellow"])
    words.get_by_text("apples").click(modifiers=["Shift"])
    expect(chosen).to_have_text(["seven", "yellow", "apples"])
    words.press("Enter")
    expect(page.locator("#attachments")).to_contain_text("of talk.wav")
    # Of the recording itself words are listened to only as long as somebody wants them.
    page.click("#point")
    button = page.locator(".cutter-words")
    button.click()
    words.get_by_role("option").first.wait_for()
    expect(button).to_be_hidden()


def test_frames_of_videos_and_boxes_that_were_found_are_pointed_at(page: Page) -> None:
    point(page, EXAMPLES / "launch.mp4")
    page.get_by_text("This video has no sound").wait_for()
    page.locator(".cutter-handle.is-start").press("Shift+ArrowRight")
    page.click(".cutter-frame")
    expect(page.locator("#attachments")).to_contain_text("0:01 of launch.mp4")
    page.locator("#attachments [data-do=detach]").first.click()
    expect(page.locator("#attachments .chip")).to_have_count(0)
    add(page, EXAMPLES / "chelsea.jpg")
    ask(page, "Find the objects in chelsea.jpg.")
    found = page.locator(".found-box").first
    expect(found).to_have_attribute("aria-label", "Point at cat")
    found.press("Enter")
    expect(page.locator(".picker-drawn .drawn-box")).to_have_count(1)
    settled(page)
    expect(page.locator("#picker-status")).to_contain_text("Found: cat")
    page.click(".picker-use")
    expect(page.locator("#attachments")).to_contain_text("cat in chelsea.jpg")
