"""The page can be written from right to left: its style names no side of the screen."""

from __future__ import annotations

import re
from pathlib import Path

import controlllm.ui as ui
from tests.every_case import every_case

SHEETS = sorted(Path(ui.__file__).parent.rglob("*.css"))
#: Drawn on pictures or waves, or in the middle of the screen, which have no reading direction; and
#: the room for Gradio's sidebars, which keep their sides of the screen in each language.
ON_PICTURES = re.compile(
    r"sidebar-parent|picker|cutter|pin|toasts|overlay|mark|region|slider|compare|canvas"
)
SIDES = re.compile(
    r"(?:margin|padding|border)-(?:left|right)(?:-\w+)?:|text-align: (?:left|right)|float:"
    r"|(?<![\w-])(?:left|right):"
)


def one_sided(declarations: str) -> list[str]:
    """Declarations that mean the left or the right side of the screen."""
    found = SIDES.findall(declarations)
    for value in re.findall(r"(?<![\w-])(?:margin|padding): ([^;()]+);", declarations):
        sides = value.split()
        if len(sides) == 4 and sides[1] != sides[3]:
            found.append(value)
    return found


@every_case("sheet", SHEETS, ids=lambda path: path.name)
def test_the_style_names_no_side_of_the_screen(sheet) -> None:
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.S)
    left = [
        (selector.strip(), sides)
        for selector, declarations in re.findall(r"([^{};]+)\{([^{}]*)\}", text)
        if not ON_PICTURES.search(selector) and (sides := one_sided(declarations))
    ]
    assert left == []


def test_a_side_is_found() -> None:
    assert one_sided("margin-left: 2px;") and one_sided("padding: 1px 2px 1px 4px;")
    assert not one_sided("margin: 1px 2px; margin-inline-start: 3px; inset-inline: 0 auto;")
