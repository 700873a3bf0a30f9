"""A person changes a plan by hand, in the drawn graph, and has only what changed made."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ask, attach

#: The tools of the plan as it is shown now, in the order in which the keyboard goes over them.
_DRAWN = """wanted => {
  const shown = [...document.querySelectorAll('.node-tool')]
    .filter((node) => node.getClientRects().length);
  const names = shown.map((node) => node.getAttribute('aria-label').split(',')[0]);
  return JSON.stringify(names) === JSON.stringify(wanted);
}"""


def wait_until_drawn(page: Page, *tools: str) -> None:
    page.wait_for_function(_DRAWN, arg=list(tools))


def choose(page: Page, label: str, wanted: str) -> None:
    """Choose in a field of the selected step, and wait until the plan is drawn so."""
    row = page.locator(".step-row", has=page.get_by_text(label, exact=True))
    with page.expect_response(lambda answer: answer.url.endswith("/plan")):
        row.locator("select").first.select_option(label=wanted)


def press(page: Page, name: str) -> None:
    with page.expect_response(lambda answer: answer.url.endswith("/plan")):
        page.locator(".step-panel").get_by_role("button", name=name).click()


def run(page: Page) -> None:
    """Have the changed plan run, and wait until the run is over: before that a step cannot be
    changed, and the turn, which was answered before, does not tell."""
    page.locator(".step-changes").get_by_role("button", name="Run").click()
    expect(page.locator(".plan-editor").last).to_be_empty()
    page.locator("#app:not(.is-running)").wait_for()
    page.locator(".turn[data-state=answered]:not(.is-running)").last.wait_for()


def test_a_plan_is_changed_step_by_step_and_only_what_changed_is_made(page: Page, cat) -> None:
    attach(page, cat)
    ask(page, "Find the edges in the picture")
    page.locator(".how > summary").click()
    # Once the page has been scrolled, "To the newest" floats above it; if it came between the press
    # and the release, there would be no click.
    page.locator(".node-tool").scroll_into_view_if_needed()
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => setTimeout(go)))")
    page.locator(".node-tool").click()
    expect(page.locator(".step-panel")).to_contain_text("Change this step: Image to edge")
    offered = page.locator(".step-panel select").first.locator("option").all_inner_texts()
    # What makes pictures of pictures fits; what makes sounds, or needs a film, does not.
    assert "Image to canny" in offered and "Image cropping" not in offered
    assert not {"Text to music", "Video to audio", "Dub video"} & set(offered)

    # Another edge detector, and two steps before it; nothing runs until it is said.
    choose(page, "Tool", "Image to canny")
    wait_until_drawn(page, "Image to canny")
    choose(page, "Put in before Image", "Image crop left")
    choose(page, "Put in before Image", "Text image editing")
    wait_until_drawn(page, "Text image editing", "Image crop left", "Image to canny")
    expect(page.locator(".step-changes li")).to_have_text(
        ["Image to canny instead of Image to edge", "Image crop left before Image to canny",
         "Text image editing before Image crop left"]
    )  # fmt: skip
    words = page.locator(".step-panel textarea")
    with page.expect_response(lambda answer: answer.url.endswith("/plan")):
        words.fill("make it black and white")
        words.blur()
    expect(page.locator(".step-changes")).to_contain_text("make it black and white")
    expect(page.locator(".step-changes .primary")).to_contain_text("3 steps to make")
    run(page)
    expect(page.locator(".results img").first).to_be_visible()
    wait_until_drawn(page, "Text image editing", "Image crop left", "Image to canny")
    expect(page.locator(".node.is-done.node-tool")).to_have_count(3)
    page.locator(".choices > summary").click()
    own = page.locator(".way", has_text="Yours")
    expect(own).to_contain_text("In use")
    expect(page.locator(".way").first).to_contain_text("Use this instead")
    assert page.locator(".badge:visible", has_text="reused").count() == 0

    # Less of it, and one result pinned: what stays is not made again, nor what only it needed.
    page.locator(".node-tool").nth(1).click()
    press(page, "Remove this step")
    wait_until_drawn(page, "Text image editing", "Image to canny")
    expect(page.locator(".step-changes .primary")).to_contain_text("1 step to make")
    page.locator(".plan-editor .node-tool").first.click()
    press(page, "Pin the result")
    expect(page.locator(".step-panel")).to_contain_text("Its result is pinned")
    with page.expect_response(lambda answer: answer.url.endswith("/plan")):
        page.get_by_role("button", name="Undo the last").click()
    expect(page.locator(".step-changes li")).to_have_count(1)
    press(page, "Pin the result")
    run(page)
    page.locator(".action.is-done", has_text="Text image editing").get_by_text("reused").wait_for()
    expect(page.locator(".action.is-done")).to_have_count(2)

    # What was made anew is made, though it was there.
    page.locator(".node-tool").last.click()
    press(page, "Make anew from here")
    expect(page.locator(".step-changes .primary")).to_contain_text("1 step to make")
    run(page)
    last = page.locator(".action.is-done", has_text="Image to canny")
    expect(last.locator(".took")).to_be_visible()
    # All the ways are still there, also after a reload.
    page.reload()
    page.wait_for_selector("#app[data-ready=true]")
    assert page.locator(".way.is-chosen .badge", has_text="Yours").count() == 1
    assert page.locator(".way .badge", has_text="Yours").count() == 3


@pytest.mark.long
def test_a_plan_is_changed_with_the_keyboard_alone(page: Page, cat) -> None:
    attach(page, cat)
    ask(page, "Find the edges in the picture")
    page.locator(".how > summary").focus()
    page.keyboard.press("Enter")
    page.locator(".node-resource").first.focus()
    page.keyboard.press("ArrowRight")
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == "Image to edge, done"
    with page.expect_response(lambda answer: answer.url.endswith("/plan")):
        page.keyboard.press("Enter")
    expect(page.locator(".step-panel select").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".step-panel")).to_have_count(0)
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == "Image to edge, done"
