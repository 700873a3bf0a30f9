"""What a person does on the page, for the tests of this folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

#: Milliseconds; the machine may be busy with other work. Less is for whoever writes a test.
PATIENCE = int(os.environ.get("BROWSER_PATIENCE", "120000"))
#: Where the tool that counts sheep notes how far it is, for what no page watches.
COUNTED = Path(tempfile.gettempdir()) / f"sheep of {os.getpid()}"
#: While this lies there the tool that lets pictures ripen lets one of them ripen, and holds others.
HELD = Path(tempfile.gettempdir()) / f"unripe of {os.getpid()}"


def opened(context: BrowserContext, address: str) -> Page:
    """A new tab, once it can be used."""
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#conversation .turns > *")
    return page


def attach(page: Page, *paths: Path) -> None:
    """Add files to the message, and wait until they are there."""
    files = page.locator("#words .thumbnail-item")
    before = files.count()
    page.set_input_files("#words input[type=file]", [str(path) for path in paths])
    files.nth(before + len(paths) - 1).wait_for()
    page.wait_for_function(
        "() => !document.querySelector('#words .loader, #words [aria-busy=true]')"
    )


def send(page: Page, words: str) -> None:
    """Send a request."""
    page.fill("#words textarea", words)
    page.press("#words textarea", "Enter")


def ask(page: Page, words: str, state: str = "answered") -> None:
    """Send a request and wait until its turn has come to the wanted state."""
    before = page.locator(f".turn[data-state={state}]").count()
    send(page, words)
    page.locator(f".turn[data-state={state}]").nth(before).wait_for()


def shows(page: Page, tab: str) -> None:
    """Show one of the tabs beside the conversation."""
    page.locator("#tabs").get_by_role("tab", name=tab, exact=True).click()


def in_tab(page: Page, name: str) -> None:
    """Show a tab of the dialog that is open."""
    page.locator("dialog[open]").get_by_role("tab", name=name, exact=True).click()


def closed(page: Page) -> None:
    """Close the dialog that is open."""
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


def saved(page: Page) -> None:
    """What was set is told, in the dialog that is open, and goes away by itself."""
    expect(page.locator("dialog[open] .toast-wrap")).to_contain_text("Saved.")
    expect(page.locator(".toast-wrap")).not_to_contain_text("Saved.")
