"""A person changes a plan by hand and has only what changed made, sees what an answer rests on, and
asks why a tool is in none of the ways."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import ask, attach, shows


def drawn(page: Page, *tools: str) -> None:
    """Wait until the plan that is to be seen has these tools."""
    page.wait_for_function(
        """wanted => [...document.querySelectorAll('.node-tool')]
          .filter((node) => node.getClientRects().length)
          .map((node) => node.getAttribute('aria-label').split(',')[0]).join() === wanted.join()""",
        arg=list(tools),
    )


def run(page: Page) -> None:
    """Have the changed plan run, and wait until that is over."""
    changes = page.locator(".step-changes")
    changes.locator(".primary").click()
    expect(changes).to_have_count(0)
    page.locator(".turn.is-answered").wait_for()


def test_a_plan_is_changed_and_only_what_changed_is_made(page: Page, cat: Path) -> None:
    attach(page, cat)
    ask(page, "Find the edges in the picture")
    page.locator(".how-line").click()
    page.locator("#graph .node-tool").focus()
    page.keyboard.press("Enter")
    panel = page.locator(".step-panel")
    expect(panel).to_contain_text("Change this step: Image to edge")
    expect(panel.get_by_label("Tool")).to_be_focused()
    offered = panel.get_by_label("Tool").locator("option").all_inner_texts()
    # What makes pictures of pictures fits; what makes sounds, or needs a film, does not.
    assert "Image to canny" in offered and "Image cropping" not in offered
    assert not {"Text to music", "Video to audio", "Dub video"} & set(offered)
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
    run(page)
    expect(page.locator("#graph .node-tool.is-done")).to_have_count(3)
    shows(page, "Ways")
    expect(page.locator("#ways .way", has_text="Yours")).to_contain_text("In use")
    expect(page.locator("#ways .way").first).to_contain_text("Use this instead")

    # Less of it, and one result pinned: what stays is not made again.
    shows(page, "Plan")
    page.locator("#graph .node-tool").nth(1).click()
    panel.get_by_role("button", name="Remove this step").click()
    drawn(page, "Text image editing", "Image to canny")
    expect(changes.locator(".primary")).to_contain_text("1 step to make")
    page.locator("#plan-editor .node-tool").first.click()
    panel.get_by_role("button", name="Pin the result").click()
    expect(panel).to_contain_text("Its result is pinned")
    run(page)
    drawn(page, "Text image editing", "Image to canny")
    expect(page.locator("#graph .node-tool.is-done")).to_have_count(2)
    first = page.locator("#graph .action.is-done", has_text="Text image editing")
    expect(first).to_contain_text("reused")

    # Made anew, though it is there; and all changes dropped.
    page.locator("#graph .node-tool").last.click()
    panel.get_by_role("button", name="Make anew from here").click()
    expect(changes.locator(".primary")).to_contain_text("1 step to make")
    changes.get_by_role("button", name="Drop all changes").click()
    expect(changes).to_have_count(0)
    expect(page.locator("#graph .node.is-selected")).to_have_count(0)
    # All the ways are still there, also after a reload.
    page.reload()
    shows(page, "Ways")
    expect(page.locator("#ways .way .badge", has_text="Yours")).to_have_count(2)
    expect(page.locator("#ways .way.is-chosen .badge", has_text="Yours")).to_have_count(1)


@pytest.mark.long
def test_an_answer_leads_to_its_step_and_says_why_not_another(
    page: Page, cat: Path, coffee: Path
) -> None:
    attach(page, cat)
    ask(page, "Cut out the cat")
    page.locator(".ground").first.focus()
    page.keyboard.press("Enter")
    node = page.locator("#graph .node-tool.is-selected")
    expect(node).to_be_focused()
    expect(page.locator(".step-panel")).to_be_visible()

    shows(page, "Ways")
    cards = page.locator("#ways .way[data-way]")
    before = cards.count()
    page.get_by_role("button", name="Show all ways found").click()
    page.wait_for_function(
        "before => document.querySelectorAll('#ways .way[data-way]').length > before", arg=before
    )
    why, said = page.get_by_label("Why not …?"), page.locator(".why-answer")
    for words, reason in (
        ("mask image", "It is in the best way."),
        ("segment by points", "Wrong type: it needs points, and nothing here gives that."),
        ("zzzz", "There is no tool like that here."),
    ):
        why.fill(words)
        expect(said).to_contain_text(reason)

    other = page.locator("#ways [data-do=switch]:not(:disabled)").first
    key = other.evaluate("one => one.closest('.way').dataset.key")
    other.press("Enter")
    card = page.locator(f"#ways [data-key={key}]")
    expect(card).to_contain_text("In use")
    page.locator(".turn.is-answered").wait_for()
    expect(card).to_be_focused()

    # What lacks weights says so, and leads to where they are had.
    attach(page, coffee)
    ask(page, "Find the edges in coffee.jpg.")
    why.fill("image to canny")
    expect(said).to_contain_text("Image to edge, in the best way, scored")
    own, best = page.locator(".why-list > li").first.locator(".score").all_inner_texts()
    assert 1.0 <= float(own) < float(best) <= 5.0
    expect(said).to_contain_text("The search (best-first) was complete")
    why.fill("image to depth")
    expect(said.locator(".why-list > li").first).to_contain_text("Image to depth")
    expect(said).to_contain_text("It cannot run here: needs weights")
    said.get_by_role("button", name="Get what it needs").first.click()
    expect(page.locator("#tool-image_to_depth")).to_be_visible()
