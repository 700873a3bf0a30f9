"""Two ways side by side, on real media: tried, compared, kept, remembered, forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import running_server
from tests.browser.steps import ask, attach, opened

BLUR = "Blur the background"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own: its cards tell what tools took before, in other modules too."""
    with running_server(tmp_path_factory.mktemp("comparing")) as (url, _):
        yield url


def ways_of(page: Page, number: int = 0) -> Locator:
    """The ways of a turn, with the folds that they are in opened."""
    turn = page.locator(".turn").nth(number)
    turn.locator(".how > summary").click()
    turn.locator(".choices > summary").first.click()
    return turn.locator(".way[data-way]")


def try_first(page: Page, number: int = 0) -> Locator:
    """Try the first other way of a turn; the comparison, once both results are there."""
    others = ways_of(page, number).filter(has=page.locator("[data-do=try-way]"))
    others.first.locator("[data-do=try-way]").click()
    panel = page.locator(".turn").nth(number).locator(".comparison")
    panel.locator(".slider, .both, .is-text").wait_for()
    return panel


def divided(panel: Locator) -> float:
    """Where the line between two pictures is, 0..1 of their width."""
    line, both = (panel.locator(one).bounding_box() for one in (".slider-line", ".slider"))
    assert line is not None and both is not None
    return (line["x"] + line["width"] / 2 - both["x"]) / both["width"]


@pytest.mark.long
def test_pictures_are_compared_one_is_kept_remembered_and_forgotten(
    new_context: Callable[..., BrowserContext], address: str, cat: Path
) -> None:
    page = opened(new_context(has_touch=True), address)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    attach(page, cat)
    ask(page, BLUR)
    cards = ways_of(page)
    expect(page.get_by_text("does just what was asked")).to_have_count(0)
    other = cards.filter(has_text="Without Instance segmentation")
    expect(other).to_contain_text("as measured on another machine")
    expect(cards.first).to_contain_text("as it took here before")

    # Pointing at a way shows what is known of it and begins nothing.
    before = len(asked)
    other.hover()
    expect(page.locator("#way-preview")).to_contain_text("Background blur")
    expect(page.locator("#way-preview .preview-given img")).to_be_visible()
    # The page goes on listening for what other tabs do.
    begun = [one for one in asked[before:] if not one.startswith("GET")]
    assert all(one.endswith("/live") for one in begun), begun
    page.keyboard.press("Escape")
    expect(page.locator("#way-preview")).to_be_hidden()

    answer = page.locator(".answer").inner_text()
    other.locator("[data-do=try-way]").click()
    expect(page.locator(".comparison .action.is-running").first).to_be_visible()
    slider = page.get_by_role("slider", name="Slide between A")
    slider.wait_for(state="attached")
    panel = page.locator(".comparison")
    expect(page.locator(".answer")).to_have_text(answer, use_inner_text=True)
    expect(page.locator(".results figure")).to_have_count(1)
    sources = panel.locator(".slider img").evaluate_all("found => found.map((one) => one.src)")
    assert len(set(sources)) == 2
    expect(panel.locator(".compared-head[data-side=B]")).to_contain_text("Without Instance")

    # By keyboard, and anywhere on the pictures by the pointer.
    slider.focus()
    slider.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "100 % of A, 0 % of B")
    assert divided(panel) == pytest.approx(1, abs=0.02)
    slider.press("Home")
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "1 % of A, 99 % of B")
    box = panel.locator(".slider").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 60, steps=4)
    page.mouse.up()
    expect(slider).to_have_value("75")
    assert divided(panel) == pytest.approx(0.75, abs=0.02)
    panel.locator(".slider").tap(position={"x": box["width"] * 0.3, "y": 40})
    expect(slider).to_have_value("30")
    assert divided(panel) == pytest.approx(0.3, abs=0.02)

    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    expect(page.locator(".comparison .slider img")).to_have_count(2)
    expect(page.locator(".answer")).to_have_text(answer, use_inner_text=True)

    # What is kept is shown as kept, and can be taken back; pressing once more does nothing else.
    kept = page.locator(".compared-head[data-side=A]")
    kept.locator("[data-do=keep-way]").dblclick()
    expect(kept.locator(".mark")).to_have_text("Kept: in use, and remembered")
    kept.locator("[data-do=take-back]").click()
    expect(kept.locator(".mark")).to_have_text("In use")
    kept = page.locator(".compared-head[data-side=B]")
    kept.locator("[data-do=keep-way]").click()
    expect(kept.locator(".mark")).to_have_text("Kept: in use, and remembered")
    page.locator(".turn.is-answered").wait_for()
    kept.locator("[data-do=take-back]").press("Enter")
    expect(page.locator(".compared-head[data-side=A] .mark")).to_have_text("In use")
    page.locator(".turn.is-answered").wait_for()
    expect(page.locator(".answer")).to_have_text(answer, use_inner_text=True)
    kept.locator("[data-do=keep-way]").click()
    expect(kept.locator(".mark")).to_have_text("Kept: in use, and remembered")
    page.locator(".turn.is-answered").wait_for()
    expect(page.locator(".answer")).not_to_contain_text("instance segmentation")
    assert page.locator(".results img").get_attribute("src") in sources[1]
    page.locator("[data-do=end-comparison]").click()
    expect(page.locator(".comparison")).to_have_count(0)

    # In the next conversation the way that was kept comes first, and says why.
    page.locator("[data-do=new]").first.click()
    expect(page.locator(".turn")).to_have_count(0)
    attach(page, cat)
    ask(page, BLUR)
    cards = ways_of(page)
    expect(cards.first.locator(".chain")).to_have_text("Background blur")
    expect(cards.first).to_contain_text("In use")
    expect(cards.nth(1)).to_contain_text("Also Instance segmentation, before Background blur")

    page.locator("[data-do=settings]").click()
    expect(page.locator("#remembered")).to_contain_text("1 choice among ways is remembered")
    page.locator("[data-do=forget-choices]").click()
    expect(page.locator("#remembered")).to_contain_text("Nothing is remembered yet")
    page.keyboard.press("Escape")
    # Asked as at first, the ways stand as at first.
    page.locator("[data-do=new]").first.click()
    expect(page.locator(".turn")).to_have_count(0)
    attach(page, cat)
    ask(page, BLUR)
    expect(ways_of(page).first.locator(".chain")).to_contain_text("Instance segmentation")


@pytest.mark.long
def test_sounds_are_switched_at_the_same_place(page: Page) -> None:
    ask(page, "Say “good morning to all of you, it is a fine day” aloud")
    panel = try_first(page)
    at = "found => found.map((one) => [one.currentTime, one.muted])"
    players = panel.locator("audio")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.both audio')].every((one) => one.readyState > 2)"
    )
    place = panel.get_by_role("slider", name="Place")
    place.focus()
    for _ in range(3):
        place.press("PageUp")
    (first, first_muted), (second, second_muted) = players.evaluate_all(at)
    assert second > 0 and not first_muted and second_muted
    panel.get_by_role("radio", name="A").focus()
    page.keyboard.press("ArrowRight")
    (_, first_muted), (after, second_muted) = players.evaluate_all(at)
    assert first_muted and not second_muted and after == pytest.approx(second)
    panel.locator("[data-do=play-both]").press("Enter")
    page.wait_for_function(
        "before => document.querySelectorAll('.both audio')[1].currentTime > before", arg=after
    )
    expect(panel.locator("[data-do=play-both]")).to_have_text("Pause", use_inner_text=True)
    panel.locator("[data-do=play-both]").press("Enter")
    expect(panel.locator("[data-do=play-both]")).to_have_text("Play", use_inner_text=True)
    assert players.evaluate_all("found => found.every((one) => one.paused)")


@pytest.mark.long
def test_videos_play_in_step_and_texts_show_which_words_differ(
    page: Page, coffee: Path, cat: Path
) -> None:
    attach(page, coffee)
    ask(page, "Make a video out of this picture that zooms out for 2 seconds")
    panel = try_first(page)
    expect(panel.locator("video")).to_have_count(2)
    page.wait_for_function(
        "() => [...document.querySelectorAll('.both video')].every((one) => one.readyState > 2)"
    )
    panel.locator("[data-do=play-both]").click()
    page.wait_for_function("() => document.querySelectorAll('.both video')[1].currentTime > 0.3")
    panel.locator("[data-do=play-both]").click()
    first, second = panel.locator("video").evaluate_all("all => all.map((one) => one.currentTime)")
    assert first == pytest.approx(second, abs=0.35)

    attach(page, cat)
    ask(page, "Describe this picture.")
    panel = try_first(page, 1)
    expect(panel).to_contain_text("words differ")
    mark = panel.locator("ins, del").nth(2)
    expect(mark).to_be_visible()
    assert mark.evaluate("one => getComputedStyle(one).textDecorationLine") != "none"
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    left = panel.locator("blockquote").evaluate_all("all => all.map((one) => one.offsetLeft)")
    assert len(set(left)) == 1, "one below the other where it is narrow"


@pytest.mark.long
def test_of_more_than_two_ways_two_are_chosen_to_compare(page: Page, cat: Path) -> None:
    attach(page, cat)
    ask(page, "Describe this picture.")
    panel = try_first(page)
    answering = panel.locator(".compared-head[data-side=B] .chain").inner_text()
    page.locator(".way [data-do=try-way]").first.click()
    panel.locator(".pairs select").first.wait_for()
    expect(panel.locator(".action")).to_have_count(0)
    panel.locator(".pairs select").nth(1).select_option(label=answering)
    expect(panel.locator(".compared-head[data-side=B] .chain")).to_have_text(answering)
    expect(panel).to_contain_text("words differ")
    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    expect(panel.locator(".compared-head[data-side=B] .chain")).to_have_text(answering)


def test_below_an_answer_a_button_leads_to_the_other_ways(page: Page, cat: Path) -> None:
    attach(page, cat)
    ask(page, BLUR)
    page.get_by_role("button", name="Compare with another way").press("Enter")
    focused = page.locator("[data-do=try-way]:focus")
    expect(focused).to_be_in_viewport()
    focused.press("Enter")
    expect(page.get_by_role("slider", name="Slide between A")).to_be_attached()


@pytest.mark.long
def test_a_request_that_has_one_way_has_no_such_button(page: Page) -> None:
    ask(page, "Say “good morning” aloud.")
    expect(page.locator("[data-do=keep-recipe]")).to_be_visible()
    expect(page.locator("[data-do=show-ways]")).to_have_count(0)
