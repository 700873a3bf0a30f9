"""Asking, watching, switching, stopping, coming back."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.steps import PATIENCE, ask, attach, opened

CROP = "Find the cup in this picture and crop it."


def test_page_is_whole_at_first_sight(page: Page) -> None:
    expect(page).to_have_title("ControlLLM")
    expect(page.locator(".brand")).to_contain_text("ControlLLM")
    expect(page.locator(".welcome h1")).to_be_visible()
    assert page.locator(".examples li").count() >= 4
    for button in ("Add files", "Point", "Record", "Send"):
        expect(page.get_by_role("button", name=button).first).to_be_visible()
    broken = page.evaluate(
        "[...document.images].filter(i => i.src && i.complete && !i.naturalWidth).map(i => i.src)"
    )
    assert broken == []


def test_uploaded_picture_is_worked_on(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    page.fill("#words", CROP)
    page.click("#send")
    expect(page.locator(".bubble")).to_have_text(CROP)
    expect(page.locator(".now")).to_be_visible()
    expect(page.locator("#stop")).to_be_visible()
    expect(page.locator(".stages")).to_contain_text("Understanding")
    page.locator(".turn.is-answered").wait_for()

    expect(page.locator("#send")).to_be_visible()
    assert page.locator(".answer").inner_text().strip()
    result = page.locator(".results .media-picture img").last
    expect(result).to_be_visible()
    page.wait_for_function(
        "document.querySelector('.results .media-picture:last-of-type img').naturalWidth > 0"
    )
    page.locator(".how > summary").click()
    assert page.locator(".subtask").count() >= 1
    assert page.locator(".action.is-done").count() >= 1
    assert page.locator(".plan .node-tool.is-done").count() >= 1
    expect(page.locator(".tray-item").nth(1)).to_be_visible()


def test_result_can_be_downloaded_and_used_again(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    ask(page, CROP)
    figure = page.locator(".results figure").last
    with page.expect_download() as download:
        figure.locator("a[download]").click()
    assert download.value.suggested_filename.endswith(".png")
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
    figure.locator("[data-do=attach]").click()
    expect(page.locator("#chips .chip")).to_have_count(1)


@pytest.mark.long
def test_node_of_the_plan_tells_its_details(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    ask(page, CROP)
    page.locator(".how > summary").click()
    page.locator("g.node-tool").first.click()
    shown = page.locator(".node-details > div:not([hidden])")
    expect(shown).to_contain_text("done")
    expect(shown).to_contain_text("coffee.jpg")
    page.locator("g.node-tool").first.press("Enter")
    expect(shown).to_have_count(0)


def test_another_way_can_be_chosen(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    ask(page, "Describe this picture.")
    page.locator(".how > summary").click()
    for fold in page.locator(".choices > summary").all():
        fold.click()
    cards = page.locator(".way")
    assert cards.count() >= 2, "this request has more than one way"
    other = page.locator(".way:not(.is-chosen):has([data-do=switch])").first
    wanted = other.locator(".chain").inner_text()
    other.locator("[data-do=switch]").click()
    page.locator(".turn.is-running").wait_for()
    page.locator(".turn.is-answered").wait_for()
    expect(page.locator(".way.is-chosen .chain").first).to_have_text(wanted, use_inner_text=True)
    assert page.locator(".turn").count() == 1


def test_run_is_watched_and_stopped(page: Page) -> None:
    page.fill("#words", "Count sheep for the text “goodnight”.")
    page.click("#send")
    expect(page.locator(".action.is-running .words-now")).to_contain_text("sheep")
    page.locator(".action.is-running progress[value]").wait_for()
    expect(page.locator(".node-tool.is-running")).to_have_count(1)
    page.click("#stop")
    page.locator(".turn.is-cancelled").wait_for()
    expect(page.locator(".stopped")).to_contain_text("Stopped")
    expect(page.locator(".icon-spin:visible")).to_have_count(0)
    expect(page.locator("#send")).to_be_visible()
    page.click("[data-do=resume]")
    expect(page.locator(".action.is-running .words-now")).to_contain_text("sheep")
    assert page.locator(".turn").count() == 1
    page.click("#stop")
    page.locator(".turn.is-cancelled").wait_for()


def test_reload_keeps_the_conversation(page: Page, coffee: Path) -> None:
    attach(page, coffee)
    ask(page, CROP)
    answer = page.locator(".answer").inner_text()
    pictures = page.locator(".results img").count()
    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    expect(page.locator(".answer")).to_have_text(answer, use_inner_text=True)
    expect(page.locator(".results img")).to_have_count(pictures)
    expect(page.locator(".bubble")).to_have_text(CROP)
    page.locator(".how > summary").click()
    assert page.locator(".node-tool.is-done").count() >= 1


@pytest.mark.long
def test_two_tabs_share_a_conversation(
    new_context: Callable[..., BrowserContext], address: str, coffee: Path, cat: Path
) -> None:
    context = new_context()
    first = opened(context, address)
    attach(first, coffee)
    second = context.new_page()
    second.goto(first.url)
    second.wait_for_selector("#app[data-ready=true]")
    expect(second.locator(".tray-item")).to_have_count(1)
    attach(second, cat)
    ask(second, "Turn this picture into edges.")
    ask(first, CROP)
    first.reload()
    first.wait_for_selector("#app[data-ready=true]")
    expect(first.locator(".turn")).to_have_count(2)


@pytest.mark.long
def test_new_conversation_and_back(page: Page) -> None:
    ask(page, "Say “Good morning, the coffee is ready” aloud.")
    page.click("[data-do=new]")
    expect(page.locator(".welcome")).to_be_visible()
    page.locator(".conversations button", has_text="Say").click()
    expect(page.locator(".bubble")).to_contain_text("coffee")


@pytest.mark.long
def test_empty_request_gives_a_hint(page: Page, coffee: Path) -> None:
    page.click("#send")
    expect(page.locator("#hint")).to_contain_text("Write what you want")
    attach(page, coffee)
    page.click("#send")
    expect(page.locator("#hint")).to_contain_text("Say what you want done")
    expect(page.locator(".turn")).to_have_count(0)


@pytest.mark.long
def test_bad_file_gives_a_sentence_and_keeps_the_words(page: Page, tmp_path: Path) -> None:
    bad = tmp_path / "broken.png"
    bad.write_bytes(b"\x89PNG\r\n\x1a\n and then nothing that makes sense")
    page.fill("#words", "Describe this, please.")
    page.set_input_files("#file-input", str(bad))
    expect(page.locator("#hint")).to_contain_text("broken.png")
    assert page.input_value("#words") == "Describe this, please."
    expect(page.locator("#chips .chip")).to_have_count(0)


@pytest.mark.long
def test_speech_is_written_down(page: Page) -> None:
    ask(page, "Say “The quick brown fox jumps over the lazy dog” aloud.")
    page.locator(".results [data-do=attach]").first.click()
    ask(page, "Transcribe this recording.")
    expect(page.locator(".turn").last).to_contain_text("fox")


@pytest.mark.long
def test_recording_becomes_a_sound(page: Page) -> None:
    page.click("#record")
    expect(page.locator("#record-words")).to_contain_text("Stop")
    expect(page.locator("#record-words")).to_contain_text("0:01")
    page.click("#record")
    expect(page.locator("#chips .chip-name")).to_contain_text("recording")


@pytest.mark.long
def test_long_message_does_not_break_the_layout(page: Page) -> None:
    page.fill("#words", "Summarize this text: " + "The river was calm that day. " * 1700)
    page.click("#send")
    page.locator(".turn:not(.is-running)").wait_for(timeout=PATIENCE)
    assert page.locator(".bubble").bounding_box()["height"] < 400  # type: ignore[index]
    assert page.evaluate("document.querySelector('#turns').scrollWidth") <= 880


@pytest.mark.long
@pytest.mark.parametrize("way", ["paste", "drop"])
def test_files_are_taken_by_paste_and_by_drop(page: Page, coffee: Path, way: str) -> None:
    content = base64.b64encode(coffee.read_bytes()).decode()
    page.evaluate(
        """([content, way]) => {
          const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
          const data = new DataTransfer();
          data.items.add(new File([bytes], 'from-elsewhere.jpg', { type: 'image/jpeg' }));
          if (way === 'paste') {
            const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true });
            document.querySelector('#words').dispatchEvent(event);
            return;
          }
          for (const kind of ['dragenter', 'dragover', 'drop']) {
            const options = { dataTransfer: data, bubbles: true, cancelable: true };
            document.querySelector('.turns').dispatchEvent(new DragEvent(kind, options));
          }
        }""",
        [content, way],
    )
    expect(page.locator("#chips .chip-name")).to_have_text("from-elsewhere.jpg")
    expect(page.locator("#drop")).to_be_hidden()


@pytest.mark.long
def test_several_files_come_with_one_message(page: Page, coffee: Path, cat: Path) -> None:
    attach(page, coffee, cat)
    page.locator("#chips [data-remove='coffee.jpg']").click()
    expect(page.locator("#chips .chip")).to_have_count(1)
    page.locator(".tray-item[data-value='coffee.jpg'] [data-do=attach]").click()
    expect(page.locator("#chips .chip")).to_have_count(2)
    ask(page, "Find the cup in coffee.jpg and the cat in chelsea.jpg.")
    expect(page.locator(".asked img")).to_have_count(2)


@pytest.mark.long
def test_a_look_up_that_cannot_be_made_is_said_and_not_answered_with_words_of_the_request(
    page: Page,
) -> None:
    ask(page, "Who is the director of Metropolis?")
    expect(page.locator(".answer")).to_contain_text("cannot run here: needs a public service")
    expect(page.locator(".answer")).not_to_contain_text("How:")
    expect(page.locator(".lacking button")).to_have_text("Get what it needs")
