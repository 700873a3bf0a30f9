"""Two ways side by side, on real media: tried, compared, kept, remembered, forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import ROOT, running_server
from tests.browser.steps import ask, attach, shows

EXAMPLES = ROOT / "assets" / "examples"
BLUR = "Blur the background"
#: Where the line between two pictures is, 0..1 of the width of the second one as it is drawn.
_DIVIDED = """() => {
  const image = document.querySelectorAll('#compared-pictures img')[1];
  const { width, height } = image.getBoundingClientRect();
  const { naturalWidth: wide, naturalHeight: high } = image;
  const drawn = wide * Math.min(width / wide, height / high);
  const clip = parseFloat(image.style.clipPath.split(' ').pop()) / 100;
  return (clip * width - (width - drawn) / 2) / drawn;
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own: its cards tell what tools took before, in other modules too."""
    with running_server(tmp_path_factory.mktemp("comparing")) as (url, _):
        yield url


def try_first(page: Page) -> Locator:
    """Try the first other way of the newest turn; the dialog, which opens by itself."""
    page.get_by_role("button", name="Compare with another way").last.press("Enter")
    focused = page.locator("[data-do=try-way]:focus")
    focused.wait_for()
    focused.press("Enter")
    dialog = page.get_by_role("dialog", name="Two ways compared")
    dialog.locator(".compared-head").first.wait_for()
    return dialog


def divided(page: Page, at: float) -> None:
    """Wait until the line between two pictures is there."""
    page.wait_for_function(f"at => Math.abs(({_DIVIDED})() - at) < 0.03", arg=at)


@pytest.mark.long
def test_pictures_are_compared_and_one_is_kept_remembered_and_forgotten(
    page: Page, cat: Path
) -> None:
    attach(page, cat)
    ask(page, BLUR)
    answer = page.locator(".answer").inner_text()
    # Pointing at a way shows what is known of it, and begins nothing.
    shows(page, "Ways")
    other = page.locator("#ways .way", has_text="Without Instance segmentation")
    expect(other).to_contain_text("as measured on another machine")
    expect(page.locator("#ways .way").first).to_contain_text("as it took here before")
    other.hover()
    preview = page.locator(".way-preview")
    expect(preview).to_contain_text("Background blur")
    expect(preview.locator(".preview-given img")).to_be_visible()
    page.keyboard.press("Escape")
    expect(preview).to_be_hidden()
    expect(page.locator("#ways [data-do=try-way]")).not_to_have_count(0)
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
    divided(page, 1)
    place.press("Home")
    divided(page, 0)

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
    expect(page.locator(".answer")).to_have_text(answer, use_inner_text=True)
    kept.get_by_role("button", name="Keep B").click()
    expect(kept.locator(".mark")).to_have_text("Kept: in use, and remembered")
    page.locator(".turn.is-answered").wait_for()
    dialog.get_by_role("button", name="End the comparison").click()
    expect(dialog).to_be_hidden()
    expect(page.locator(".compared-line")).to_have_count(0)

    # In the next conversation the way that was kept comes first; until that is forgotten.
    def first_way() -> Locator:
        page.click("#new")
        expect(page.locator(".turn")).to_have_count(0)
        attach(page, cat)
        ask(page, BLUR)
        shows(page, "Ways")
        return page.locator("#ways .way").first.locator(".chain")

    expect(first_way()).to_have_text("Background blur", use_inner_text=True)
    page.click("#settings")
    remembered = page.locator("#remembered")
    page.get_by_role("tab", name="This conversation").click()
    expect(remembered).to_contain_text("1 choice among ways is remembered")
    remembered.get_by_role("button").click()
    expect(remembered).to_contain_text("Nothing is remembered yet")
    page.keyboard.press("Escape")
    expect(first_way()).to_contain_text("Instance segmentation")


@pytest.mark.long
def test_sounds_are_switched_at_the_same_place(page: Page) -> None:
    attach(page, EXAMPLES / "commentary.ogg")
    ask(page, "Make it louder")
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


@pytest.mark.long
def test_videos_play_in_step_and_of_texts_two_are_chosen(
    page: Page, coffee: Path, cat: Path
) -> None:
    attach(page, coffee)
    ask(page, "Make a video out of this picture that zooms out for 2 seconds")
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

    attach(page, cat)
    ask(page, "Describe this picture.")
    dialog = try_first(page)
    expect(dialog).to_contain_text("differ")
    expect(dialog.locator("ins, del").first).to_be_visible()
    answering = dialog.locator(".compared-head[data-side=B] .chain").inner_text()
    page.keyboard.press("Escape")
    page.locator("#ways [data-do=try-way]:not(:disabled)").first.click()
    dialog.get_by_label("Way B").wait_for()
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
