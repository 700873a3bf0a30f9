"""Colours by their names and codes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache

from controlllm.values.kinds import Found

#: Names that people use and the table of CSS has not, or has otherwise.
_OTHERS = {
    "dark red": "#8b0000", "light red": "#ff7f7f", "dark yellow": "#b58900",
    "light orange": "#ffc27a", "dark purple": "#4b0082", "light purple": "#c9a0dc",
    "dark pink": "#c71585", "dark brown": "#4e2a0c", "light brown": "#b5835a",
    "faded brown": "#b5835a", "cream": "#fff5dc",
    "off white": "#faf7f0", "navy blue": "#000080", "mint": "#98ff98",
    "burgundy": "#800020", "mustard": "#ffdb58", "rose": "#ff66a3", "charcoal": "#36454f",
    "sepia": "#704214", "brown": "#7a5234",
    "sky blue": "#87ceeb", "royal blue": "#4169e1", "forest green": "#228b22",
    "green": "#008000", "bright green": "#00d000", "bright red": "#ff0000",
    "bright yellow": "#ffff00", "bright blue": "#0040ff", "pale blue": "#afd5f0",
    "lilac": "#c8a2c8", "anthracite": "#383e42", "petrol": "#005f6a", "sage green": "#9caf88",
    "bottle green": "#006a4e", "mustard yellow": "#e1ad01", "emerald green": "#2e8b57",
    "moss green": "#6a7b3c", "jade green": "#00a86b", "racing green": "#004225",
    "rust red": "#b7410e", "wine red": "#722f37", "terracotta": "#c8694a", "ochre": "#cc7722",
    "taupe": "#8b7d6b", "cobalt blue": "#0047ab", "ice blue": "#d6ecf3", "baby blue": "#a6d3f0",
    "baby pink": "#f4c2c2", "mauve": "#b784a7", "aubergine": "#472c4c", "bordeaux": "#6d0f1f",
    "off-white": "#faf7f0",
}  # fmt: skip
#: Names of the table that mostly mean something else.
_NO_COLOURS = frozenset("snow linen peru tan chocolate tomato wheat salmon plum orchid".split())
#: How much of white is mixed into a colour, or of black where it is less than none.
_MIXED = {
    "very light": 0.75, "very pale": 0.8, "light": 0.55, "pale": 0.65, "pastel": 0.6, "soft": 0.4,
    "faded": 0.4, "dusty": 0.3, "very dark": -0.7, "dark": -0.45, "deep": -0.35,
}  # fmt: skip


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


def names_of_colours() -> Collection[str]:
    """What colours are called, in small letters."""
    return _table().keys()


@cache
def _pattern() -> re.Pattern[str]:
    names, mixed = (
        "|".join(
            re.escape(name).replace(r"\ ", "[ -]") for name in sorted(known, key=len, reverse=True)
        )
        for known in (_table(), _MIXED)
    )
    return re.compile(
        rf"(?P<code>#[0-9a-f]{{6}}\b|#[0-9a-f]{{3}}\b)|rgb ?\((?P<rgb>[\d ,]+)\)|"
        rf"(?<![\w-])(?<!black and )(?<!black n )"
        rf"(?:(?P<name>{names})|(?P<mixed>{mixed})[ -](?P<into>{names}))"
        r"(?:ish)?(?!\w| (?:and|&|n) white| sea\b)"
    )


def _mixture(code: str, white: float) -> str:
    """A colour with a share of white mixed in, or of black."""
    end, share = (255, white) if white > 0 else (0, -white)
    parts = (int(code[place : place + 2], 16) for place in (1, 3, 5))
    return "#{:02x}{:02x}{:02x}".format(*(round(part + share * (end - part)) for part in parts))


def _named(name: str) -> str:
    table = _table()
    return table.get(name) or table[name.replace("-", " ")]


def find_colours(words: str) -> Iterator[Found]:
    """The colours in plain words as ``#rrggbb``, codes before names: who gives a code means it,
    whatever they call it ("our blue, #1b4f8a"); otherwise in their order."""
    found = sorted(
        _pattern().finditer(words), key=lambda match: not (match["code"] or match["rgb"])
    )
    for match in found:
        if match["code"]:
            code = match["code"]
            if len(code) == 4:
                code = "#" + "".join(letter * 2 for letter in code[1:])
        elif match["rgb"]:
            parts = [min(int(part), 255) for part in re.findall(r"\d+", match["rgb"])]
            if len(parts) != 3:
                continue
            code = "#{:02x}{:02x}{:02x}".format(*parts)
        elif match["mixed"]:
            code = _mixture(_named(match["into"]), _MIXED[match["mixed"].replace("-", " ")])
        else:
            code = _named(match["name"])
        yield Found(code, *match.span())
