"""axe finds nothing wrong where people compare, change plans, keep recipes, ask anew, name and sign
in: light and dark, wide and at 390 pixels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from controlllm.accounts.password_file import PasswordFile
from tests.browser.conftest import running_server
from tests.browser.faults import Faults, unfold
from tests.browser.steps import ask, attach, opened


def test_comparing(page: Page, cat: Path) -> None:
    faults = Faults(page)
    attach(page, cat)
    ask(page, "Blur the background")
    unfold(page, ".turn")
    faults.look_everywhere("ways")
    page.locator(".way[data-way] [data-do=try-way]").first.click()
    page.locator(".comparison .slider").wait_for()
    faults.look_everywhere("compared")
    page.locator(".compared-head[data-side=B] [data-do=keep-way]").click()
    page.locator(".compared-head[data-side=B] .mark").wait_for()
    page.locator(".turn.is-answered").wait_for()
    faults.look_everywhere("kept")
    faults.check()


@pytest.mark.long
def test_changing_a_plan(page: Page, cat: Path) -> None:
    faults = Faults(page)
    attach(page, cat)
    ask(page, "Find the edges in the picture")
    page.locator(".how > summary").click()
    page.locator(".node-tool").click()
    page.locator(".step-panel").wait_for()
    faults.look_everywhere("a step")
    row = page.locator(".step-row", has=page.get_by_text("Tool", exact=True))
    row.locator("select").first.select_option(label="Image to canny")
    page.locator(".step-changes").wait_for()
    faults.look_everywhere("changed")
    faults.check()


def test_recipes_and_batches(page: Page, cat: Path, tmp_path: Path) -> None:
    faults = Faults(page)
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff no picture")
    attach(page, cat)
    ask(page, "Turn it upside down")
    page.click("[data-do=keep-recipe]")
    page.fill("#recipe-name", "Upside down")
    faults.look_everywhere("a recipe to be kept")
    page.click("#recipe-form [type=submit]")
    page.locator(".recipe h4").first.wait_for()
    unfold(page, "#recipes")
    faults.look_everywhere("recipes")
    page.click("#recipes [data-do=run-recipe]")
    page.locator("#batch-form").wait_for()
    faults.look_everywhere("files to choose")
    page.set_input_files("#batch-files", [str(cat), str(broken)])
    page.click("#batch-form [type=submit]")
    page.locator("#batch-head").get_by_text("1 failed. Finished.").wait_for()
    faults.look_everywhere("a batch")
    faults.check()


@pytest.mark.long
def test_asking_anew(page: Page, cat: Path) -> None:
    faults = Faults(page)
    attach(page, cat)
    ask(page, "Is there a cat in this picture?")
    page.locator(".turn").hover()
    page.get_by_role("button", name="Edit").click()
    faults.look_everywhere("other words")
    page.fill("#words", "Turn this picture into edges.")
    page.click("#send")
    page.locator(".turn.is-answered").wait_for()
    expect(page.locator(".branches")).to_contain_text("2 of 2")
    faults.look_everywhere("two branches")
    faults.check()


@pytest.mark.long
def test_naming_a_file(page: Page, cat: Path) -> None:
    faults = Faults(page)
    attach(page, cat)
    page.locator("#tray [data-do=rename-file]").first.click()
    page.wait_for_selector("#asking[open]")
    faults.look_everywhere("a name")
    faults.check()


@pytest.mark.long
def test_signing_in(tmp_path: Path, new_context: Callable[..., BrowserContext]) -> None:
    people = PasswordFile(tmp_path / "home" / "accounts.txt")
    people.add("ada", "correct horse battery", "operator")
    with running_server(tmp_path, CONTROLLLM_ACCOUNTS="password") as (url, _):
        page = new_context(url).new_page()
        page.goto(url)
        faults = Faults(page)
        faults.look_everywhere("sign in")
        page.get_by_label("Name").fill("ada")
        page.get_by_label("Password").fill("something else")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("alert").wait_for()
        faults.look_everywhere("not signed in")
        page.get_by_label("Name").fill("ada")
        page.get_by_label("Password").fill("correct horse battery")
        page.keyboard.press("Enter")
        page.wait_for_selector("#app[data-ready=true]")
        faults.look_everywhere("signed in")
        faults.check()


def test_pointing(page: Page, coffee: Path) -> None:
    faults = Faults(page)
    attach(page, coffee)
    page.click("#open-picker")
    page.wait_for_selector("#picker[open]")
    canvas = page.locator("#picker canvas").first.bounding_box()
    assert canvas is not None
    page.mouse.click(canvas["x"] + canvas["width"] / 2, canvas["y"] + canvas["height"] / 2)
    faults.look_everywhere("a point")
    faults.check()


@pytest.mark.long
def test_opened_anew(new_context: Callable[..., BrowserContext], address: str) -> None:
    """From right to left, and in another language."""
    for language in ("ar", "de"):
        page = opened(new_context(locale=language), address)
        faults = Faults(page)
        faults.look_everywhere(language)
        faults.check()
