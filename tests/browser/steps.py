"""What a person does on the page, for the tests of this folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from playwright.sync_api import BrowserContext, Page

PATIENCE = 120_000  # milliseconds; the machine may be busy with other work
#: Where the tool that counts sheep notes how far it is, for what no page watches.
COUNTED = Path(tempfile.gettempdir()) / f"sheep of {os.getpid()}"
#: While this lies there the tool that lets pictures ripen lets one of them ripen, and holds others.
HELD = Path(tempfile.gettempdir()) / f"unripe of {os.getpid()}"


def opened(context: BrowserContext, address: str) -> Page:
    """A new tab, once it can be used."""
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#app[data-ready=true]")
    return page


def attach(page: Page, *paths: Path) -> None:
    """Add files to the message, and wait until they are there."""
    before = page.locator("#chips .chip:not(.is-coming)").count()
    page.set_input_files("#file-input", [str(path) for path in paths])
    page.locator("#chips .chip:not(.is-coming)").nth(before + len(paths) - 1).wait_for()


def ask(page: Page, words: str, state: str = "answered") -> None:
    """Send a request and wait until its turn has come to the wanted state."""
    before = page.locator(f".turn[data-state={state}]").count()
    page.fill("#words", words)
    page.click("#send")
    page.locator(f".turn[data-state={state}]").nth(before).wait_for()
