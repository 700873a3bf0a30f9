"""How long it takes from a click to a mask on the screen, in a real Chromium.

``python -m tests.browser.pointing_speed PHOTO ... [--megapixels 12]`` opens each photo in the
picker, waits as long as a person looks before they click, clicks at five places, and prints the
median and the 95th percentile of the time to the first mask and to the one that holds.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

import numpy as np
import PIL.Image
from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import FLAGS, INSTALLED, running_server
from tests.browser.steps import opened
from tests.browser.test_pointing import picking

_PLACES = ((0.5, 0.5), (0.35, 0.55), (0.6, 0.4), (0.15, 0.2), (0.85, 0.8))
_LOOKS = 6000  # milliseconds
_TIMES = """([x, y]) => new Promise((resolve) => {
    const mask = document.querySelector('.picker-mask');
    const began = performance.now();
    const times = {};
    const watch = new MutationObserver(() => {
        const { state } = mask.dataset;
        if (state === 'guess' || state === 'final') times.first ??= performance.now() - began;
        if (state !== 'final') return;
        watch.disconnect();
        requestAnimationFrame(() => resolve([times.first, performance.now() - began]));
    });
    watch.observe(mask, { attributes: true });
    const sheet = document.querySelector('.picker-sheet').getBoundingClientRect();
    document.querySelector('.picker-stage').dispatchEvent(new MouseEvent('click', {
        clientX: sheet.left + sheet.width * x, clientY: sheet.top + sheet.height * y, bubbles: true,
    }));
})"""


def measured(page: Page, photo: Path) -> list[tuple[float, float]]:
    """Seconds to the first mask and to the last for each place."""
    picking(page, photo)
    page.wait_for_timeout(_LOOKS)
    found = []
    for place in _PLACES:
        first, last = page.evaluate(_TIMES, list(place))
        found.append((first / 1000, last / 1000))
        page.click(".picker-clear")
    page.keyboard.press("Escape")
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("photos", nargs="+", type=Path)
    parser.add_argument("--megapixels", type=float, help="enlarge the photos to this")
    options = parser.parse_args()
    installed = next(filter(None, map(shutil.which, INSTALLED)), None)
    times: list[tuple[float, float]] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        running_server(Path(folder)) as (address, _),
    ):
        browser = playwright.chromium.launch(executable_path=installed, args=FLAGS)
        page = opened(browser.new_context(viewport={"width": 1280, "height": 860}), address)
        for number, photo in enumerate(options.photos):
            path = Path(folder) / f"{number}-{photo.stem}.jpg"
            picture = PIL.Image.open(photo).convert("RGB")
            if options.megapixels:
                by = (options.megapixels * 1e6 / (picture.width * picture.height)) ** 0.5
                picture = picture.resize((round(picture.width * by), round(picture.height * by)))
            picture.save(path, quality=92)
            times += measured(page, path)
        browser.close()
    for name, found in zip(("first mask", "final mask"), zip(*times, strict=True), strict=True):
        p50, p95 = np.percentile(found, [50, 95])
        print(f"{name}: {p50:.2f} s median, {p95:.2f} s p95, of {len(found)} clicks")


if __name__ == "__main__":
    main()
