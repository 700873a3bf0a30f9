"""How the page answers to keys while a batch of forty photos is at work.

    python scripts/measure_batch.py [PHOTOS]

Prints how long it took, and how long after a key was pressed the page showed it, in milliseconds:
by the browser's event timing, which counts in steps of 8 ms and leaves out what took less than 16.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import PIL.Image  # noqa: E402
import PIL.ImageEnhance  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from tests.browser.conftest import FLAGS, INSTALLED, running_server  # noqa: E402
from tests.browser.steps import ask, attach, opened  # noqa: E402

_WATCH = """() => {
  window.taken = [];
  new PerformanceObserver((list) => {
    const keys = list.getEntries().filter(({ name }) => name === 'keydown');
    window.taken.push(...keys.map(({ duration }) => duration));
  }).observe({ type: 'event', durationThreshold: 16, buffered: false });
}"""
_WORDS = "meanwhile somebody writes the next request, letter by letter. "


def photos(folder: Path, many: int) -> list[str]:
    """So many photos of a cat, 1,200 x 800, each of another brightness."""
    found = []
    with PIL.Image.open(ROOT / "assets" / "examples" / "chelsea.jpg") as cat:
        large = cat.convert("RGB").resize((1200, 800))
        for number in range(many):
            path = folder / f"cat {number:02d}.jpg"
            PIL.ImageEnhance.Brightness(large).enhance(0.6 + 0.02 * number).save(path, quality=90)
            found.append(str(path))
    return found


def main() -> None:
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(Path(folder)) as (address, _),
        sync_playwright() as playwright,
    ):
        installed = next(filter(None, map(shutil.which, INSTALLED)), None)
        chromium = playwright.chromium.launch(executable_path=installed, args=FLAGS)
        page = opened(chromium.new_context(viewport={"width": 1280, "height": 860}), address)
        attach(page, ROOT / "assets" / "examples" / "chelsea.jpg")
        ask(page, "Make it black and white")
        page.click("[data-do=keep-recipe]")
        page.click("#recipe-form [type=submit]")
        page.click("#recipes [data-do=run-recipe]")
        page.set_input_files("#batch-files", photos(Path(folder), many))
        began = time.monotonic()
        page.click("#batch-form [type=submit]")
        page.locator("#batch-rows .batch-row.is-done").first.wait_for()
        page.evaluate(_WATCH)
        page.click("#batch [data-do=close]")
        page.focus("#words")
        typed = 0
        while page.locator("#batch-state").is_visible():
            page.keyboard.type(_WORDS, delay=30)
            typed += len(_WORDS)
        seconds = time.monotonic() - began
        slow = sorted(page.evaluate("() => window.taken"))
        chromium.close()
    told = f"{many} photos in {seconds:.0f} s; {typed} keys"
    print(f"{told}, {len(slow)} of them shown after 16 ms or later")
    if slow:
        late = sum(taken > 100 for taken in slow)
        middle = statistics.median(slow)
        print(f"of these: median {middle:.0f} ms, longest {slow[-1]:.0f} ms, {late} over 100 ms")


if __name__ == "__main__":
    main()
