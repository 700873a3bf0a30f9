"""From start to a usable page, and how quick it is while tools run:
python -m tests.browser.measure_while_working

Prints seconds from the start of the server to a page that takes a request (the second of two
starts, files in the system's cache), and how long a letter, a click and a scroll take until they
are on the screen while a request of four wishes is worked on.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import FLAGS, INSTALLED, running_server
from tests.browser.steps import attach, send

EXAMPLES = Path(__file__).resolve().parents[2] / "assets" / "examples"
STARTS, TIMES = 3, 25
WISHES = (
    "Cut out the cup, then blur the background of the picture, then turn the picture into a line "
    "drawing, and make a video of the picture with narration."
)
#: Until what an event changed has been drawn: the next frame, and what it left to do.
_DRAWN = """(act) => new Promise((resolve) => {
  const began = performance.now();
  act();
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
})"""
_TYPED = f"""() => ({_DRAWN})(() => {{
  const words = document.querySelector('#words textarea');
  words.value += 'x';
  words.dispatchEvent(new Event('input', {{ bubbles: true }}));
}})"""
_CLICKED = f"""() => ({_DRAWN})(() => {{
  document.querySelector('#tabs [role=tab]:not([aria-selected=true])').click();
}})"""
_SCROLLED = f"""() => ({_DRAWN})(() => {{
  const area = document.querySelector('#conversation .turns');
  area.scrollTop = area.scrollTop > 50 ? 0 : area.scrollHeight;
}})"""


def main() -> None:
    installed = next(filter(None, map(shutil.which, INSTALLED)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed, args=FLAGS)
        for number in range(STARTS):
            folder = Path(tempfile.mkdtemp(prefix="controlllm-measured-"))
            page = browser.new_context(viewport={"width": 1280, "height": 860}).new_page()
            began = time.monotonic()
            with running_server(folder) as (address, _):
                page.goto(address)
                page.locator(".welcome").wait_for()
                print(f"start {number + 1}: {time.monotonic() - began:.2f} s to a usable page")
                if number == STARTS - 1:
                    _measure(page)
            shutil.rmtree(folder, ignore_errors=True)
        browser.close()


def _measure(page: Page) -> None:
    attach(page, EXAMPLES / "coffee.jpg")
    send(page, WISHES)
    page.locator(".turn[data-state=running]").wait_for()
    found: dict[str, list[float]] = {"a letter": [], "a click": [], "a scroll": []}
    for _ in range(TIMES):
        if not page.locator(".turn[data-state=running]").count():
            break
        for name, script in zip(found, (_TYPED, _CLICKED, _SCROLLED), strict=True):
            found[name].append(page.evaluate(script))
        time.sleep(0.1)
    for name, times in found.items():
        ordered = sorted(times)
        print(
            f"{name}: {len(ordered)} times, median {statistics.median(ordered):.0f} ms, "
            f"p95 {ordered[int(0.95 * (len(ordered) - 1))]:.0f} ms, longest {ordered[-1]:.0f} ms"
        )


if __name__ == "__main__":
    main()
