"""A person asks why a tool is not in the ways that were found."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.steps import ask, attach


def answer(page: Page, words: str) -> str:
    """What is answered where these words are typed."""
    with page.expect_response(lambda found: found.url.endswith("/why-not")):
        page.get_by_label("Why not …?").fill(words)
    expect(page.locator(".why-answer[aria-busy]")).to_have_count(0)
    return page.locator(".why-answer").inner_text()


def test_the_reason_is_told_and_where_to_get_what_is_missing(page: Page, cat) -> None:
    attach(page, cat)
    ask(page, "Find the edges in the picture")
    page.locator(".how > summary").click()
    page.locator(".choices > summary").click()

    assert "It is in the best way." in answer(page, "image to edge")
    # Of the wrong type: nobody has clicked anywhere.
    said = answer(page, "segment by points")
    assert "Wrong type: it needs points, and nothing here gives that." in said
    # Scored low, beside the one that was chosen.
    said = answer(page, "image to canny")
    assert "Image to edge, in the best way, scored" in said
    own, best = page.locator(".why-list > li").first.locator(".score").all_inner_texts()
    assert 1.0 <= float(own) < float(best) <= 5.0
    assert "The search (best-first) was complete" in said
    # What lacks weights says so, and leads to where they are had.
    said = answer(page, "image to depth")
    assert "It cannot run here: needs weights" in said
    assert "There is no tool like that here." in answer(page, "zzzz")
    answer(page, "image to depth")
    page.locator(".why-answer").get_by_role("button", name="Get what it needs").first.click()
    expect(page.locator("#toolbox")).to_be_visible()
    expect(page.locator("#tool-image_to_depth")).to_be_visible()
