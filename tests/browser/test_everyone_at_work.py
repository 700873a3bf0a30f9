"""axe finds nothing wrong where people compare, change plans, keep recipes, ask anew and point:
light and dark, wide and at 390 pixels. `test_accounts.py` looks at signing in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.faults import Faults, unfold
from tests.browser.steps import ask, attach, closed, opened, send, shows


@pytest.mark.long
def test_comparing_changing_a_plan_and_pointing(page: Page, cat: Path, coffee: Path) -> None:
    faults = Faults(page)
    attach(page, cat)
    ask(page, "Blur the background")
    shows(page, "Ways")
    faults.look_everywhere("ways")
    page.locator("#ways [data-do=try-way]").first.click()
    dialog = page.get_by_role("dialog", name="Two ways compared")
    expect(dialog.locator("#compared-pictures img")).to_have_count(2)
    faults.look_everywhere("compared")
    kept = dialog.locator(".compared-head[data-side=B]")
    kept.locator("[data-do=keep-way]").click()
    kept.locator(".mark").wait_for()
    page.locator(".turn.is-answered").wait_for()
    faults.look_everywhere("kept")
    closed(page)
    shows(page, "Plan")
    page.locator("#graph .node-tool").first.click()
    page.locator(".step-panel").get_by_label("Tool").wait_for()
    page.locator(".step-panel").get_by_role("button", name="Make anew from here").click()
    page.locator(".step-changes").wait_for()
    faults.look_everywhere("changed")
    attach(page, coffee)
    page.click("#point")
    page.locator("dialog[open] .picker-sheet[style*=width]").click()
    page.locator(".pin").wait_for()
    faults.look_everywhere("a point")
    faults.check()


@pytest.mark.long
def test_recipes_and_batches(page: Page, cat: Path, tmp_path: Path) -> None:
    faults = Faults(page)
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff no picture")
    attach(page, cat)
    ask(page, "Turn it upside down")
    page.click("[data-do=keep-recipe]")
    page.fill("#recipe-name", "Upside down")
    faults.look_everywhere("a recipe to be kept")
    page.keyboard.press("Enter")
    page.locator(".recipe h4").first.wait_for()
    unfold(page, "#panel-body")
    faults.look_everywhere("recipes")
    page.locator("#panel-body [data-do=run-recipe]").click()
    page.set_input_files("#batch-files input[type=file]", [str(cat), str(broken)])
    expect(page.locator("#batch-files tr.file")).to_have_count(2)
    faults.look_everywhere("files chosen")
    page.click("#batch-start")
    page.locator("#batch-head").get_by_text("1 failed. Finished.").wait_for()
    faults.look_everywhere("a batch")
    page.locator("[data-do=delete-batch]").click()
    page.get_by_role("alertdialog").wait_for()
    faults.look_everywhere("asked back")
    page.get_by_role("alertdialog").get_by_role("button", name="Cancel").click()
    closed(page)
    page.locator(".batch-line[data-state=ended]").wait_for()
    faults.look_everywhere("a batch in the conversation")
    faults.check()


@pytest.mark.long
def test_asking_anew_and_other_languages(
    page: Page, new_context: Callable[..., BrowserContext], address: str, cat: Path
) -> None:
    faults = Faults(page)
    attach(page, cat)
    ask(page, "Is there a cat in this picture?")
    page.locator(".turn").hover()
    page.get_by_role("button", name="Edit").click()
    page.locator("#attachments .editing").wait_for()
    faults.look_everywhere("other words")
    send(page, "Turn this picture into edges.")
    expect(page.locator(".branches")).to_contain_text("2 of 2")
    page.locator(".turn.is-answered").wait_for()
    faults.look_everywhere("two branches")
    faults.check()
    for language in ("ar", "de"):
        other = Faults(opened(new_context(locale=language), address))
        other.look_everywhere(language)
        other.check()
