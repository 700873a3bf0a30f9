"""Colours by their names and codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from controlllm.values.kinds import Found

#: Names that people use and the table of CSS has not, or has otherwise.
_OTHERS = {
    "dark red": "#8b0000", "light red": "#ff7f7f", "dark yellow": "#b58900",
    "light orange": "#ffc27a", "dark purple": "#4b0082", "light purple": "#c9a0dc",
    "dark pink": "#c71585", "dark brown": "#4e2a0c", "light brown": "#b5835a",
    "cream": "#fff5dc", "off white": "#faf7f0", "navy blue": "#000080", "mint": "#98ff98",
    "burgundy": "#800020", "mustard": "#ffdb58", "rose": "#ff66a3", "charcoal": "#36454f",
    "sepia": "#704214", "sky blue": "#87ceeb", "royal blue": "#4169e1", "forest green": "#228b22",
    "green": "#008000", "bright green": "#00d000", "bright red": "#ff0000",
    "bright yellow": "#ffff00", "bright blue": "#0040ff", "pale blue": "#afd5f0",
    "lilac": "#c8a2c8", "anthracite": "#383e42", "petrol": "#005f6a",
}  # fmt: skip
#: Names of the table that mostly mean something else.
_NO_COLOURS = frozenset("snow linen peru tan chocolate tomato wheat salmon plum orchid".split())


@cache
def _table() -> dict[str, str]:
    from PIL import ImageColor

    found = {}
    for name, value in ImageColor.colormap.items():
        if name in _NO_COLOURS:
            continue
        code = value if isinstance(value, str) else "#{:02x}{:02x}{:02x}".format(*value[:3])
        spaced = re.sub(
            r"^(dark|light|medium|pale|deep|hot|dim|alice|cadet|corn|dodger|midnight|navajo|powder|"
            r"rosy|saddle|sandy|sea|spring|steel|antique|ghost|floral|old|misty|mint|lime|lawn|"
            r"forest|royal|slate|sky|yellow|green|blue|violet|orange)(?=[a-z])",
            r"\1 ",
            name,
        )
        found[name] = found[spaced] = code.lower()
    return found | _OTHERS


@cache
def _pattern() -> re.Pattern[str]:
    names = sorted(_table(), key=len, reverse=True)
    joined = "|".join(re.escape(name).replace(r"\ ", "[ -]") for name in names)
    return re.compile(
        rf"(?P<code>#[0-9a-f]{{6}}\b|#[0-9a-f]{{3}}\b)|rgb ?\((?P<rgb>[\d ,]+)\)|"
        rf"(?<![\w-])(?P<name>{joined})(?:ish)?(?!\w| (?:and|&|n) white| sea\b)"
    )


def find_colours(words: str) -> Iterator[Found]:
    """The colours in plain words as ``#rrggbb``, in their order."""
    for match in _pattern().finditer(words):
        if match["code"]:
            code = match["code"]
            if len(code) == 4:
                code = "#" + "".join(letter * 2 for letter in code[1:])
        elif match["rgb"]:
            parts = [min(int(part), 255) for part in re.findall(r"\d+", match["rgb"])]
            if len(parts) != 3:
                continue
            code = "#{:02x}{:02x}{:02x}".format(*parts)
        else:
            code = _table()[match["name"].replace("-", " ")]
        yield Found(code, *match.span())
