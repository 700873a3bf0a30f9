"""The first minutes: examples of all kinds, of which one is tried with a click."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_examples_show_the_range_and_run_with_one_click(page: Page) -> None:
    expect(page.locator(".examples button")).to_have_count(9)
    for kind in ("point", "several", "compare", "hear", "slow"):
        expect(page.locator(f"[data-example={kind}]")).to_be_visible()
    page.locator("[data-example=hear]").click()
    expect(page.locator(".turn[data-state=answered]")).to_contain_text("rocket in Florida")
