"""What in a state of the page keeps somebody from using it."""

from __future__ import annotations

import re
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

#: Gradio's own elements that break a rule of axe, as docs/experience/everyone.md lists them: a file
#: of the message.
GRADIOS = ("#words .thumbnail-wrapper",)
#: The same, of elements that are looked at otherwise: the rule, and what such an element is called.
GRADIOS_RULES = (("nested-interactive", "toast-header"), ("nested-interactive", "icon-button"))
#: What takes clicks and no keys.
OUT_OF_REACH = """
() => [...document.querySelectorAll('[data-do]')]
  .filter((e) => e.checkVisibility() && !e.matches('form, button, a[href], select, input'))
  .filter((e) => e.tabIndex < 0)
  .map((e) => e.outerHTML.slice(0, 120))
"""
#: Colours that are still changing are neither the old nor the new ones; they begin a frame later.
#: Their state is asked for again and again: what a drawing that was scrolled away shows ends
#: without the promise of its end being kept.
SETTLED = """
async () => {
  const frame = () => new Promise(requestAnimationFrame);
  for (const _ of [1, 2]) await frame();
  const ends = (a) => Number.isFinite(a.effect.getComputedTiming().endTime);
  while (document.getAnimations().some((a) => ends(a) && a.playState === 'running')) await frame();
}
"""


class Faults:
    """What axe finds in each state of a page, of whatever weight, and what keys do not reach."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.found: list[tuple[str, str, str]] = []

    def look(self, state: str) -> None:
        """Look at the page as it is now."""
        options = {"resultTypes": ["violations"]}
        context = {"exclude": [[selector] for selector in GRADIOS]}
        for fault in Axe().run(self.page, context, options).response["violations"]:
            own = [node["html"][:160] for node in fault["nodes"] if not _is_gradios(fault, node)]
            if own:
                why = fault["nodes"][0].get("failureSummary", "").partition("\n")[2].strip()
                self.found.append((state, fault["id"], f"{' '.join(own[:3])} {why[:160]}"))
        for where in self.page.evaluate(OUT_OF_REACH):
            self.found.append((state, "out of reach", where))

    def look_everywhere(self, state: str) -> None:
        """Look at the page as it is now, light and dark, wide and on a phone."""
        before = self.page.viewport_size
        assert before is not None
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            for width, height in ((before["width"], before["height"]), (390, 844)):
                self.page.set_viewport_size({"width": width, "height": height})
                self.page.evaluate(SETTLED)
                self.look(f"{state}, {scheme}, {width} px")
        self.page.emulate_media(color_scheme="light")
        self.page.set_viewport_size(before)

    def check(self) -> None:
        """Raise AssertionError with all that was found in all states."""
        assert not self.found, "\n".join(map(str, self.found))


def _is_gradios(fault: dict[str, Any], node: dict[str, Any]) -> bool:
    return any(
        fault["id"] == rule and re.search(rf'class="[^"]*{name}', node["html"])
        for rule, name in GRADIOS_RULES
    )


def unfold(page: Page, part: str) -> None:
    """Open all that is folded in a part of the page."""
    folds = f"document.querySelectorAll('{part} details')"
    page.evaluate(f"{folds}.forEach((fold) => {{ fold.open = true; }})")
