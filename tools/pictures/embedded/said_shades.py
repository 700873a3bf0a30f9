"""Colours as people say them for a frame or a tint: "bluish", "a dark frame", a code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from controlllm.values import Kind
from controlllm.values.colours import find_colours
from controlllm.values.kinds import Found

_LIKE = {
    "bluish": "#0000ff", "blueish": "#0000ff", "reddish": "#ff0000", "purplish": "#800080",
    "orangey": "#ffa500", "rosy": "#ff66a3", "golden": "#ffd700", "silvery": "#c0c0c0",
}  # fmt: skip
_DARK = "#1e1e1e"


def _shades(words: str) -> Iterator[Found]:
    found = list(find_colours(words))
    # Who gives a code means it, whatever they call it: "our blue, #1b4f8a".
    yield from (item for item in found if re.match(r"#|rgb ?\(", words[item.start :]))
    yield from found
    for match in re.finditer(rf"\b(?:{'|'.join(_LIKE)})\b", words):
        yield Found(_LIKE[match[0]], *match.span())
    for match in re.finditer(r"\bdark\b", words):
        yield Found(_DARK, *match.span())


Shade = Annotated[str, Kind("a colour, such as red or #ff8800", _shades, "#[0-9a-fA-F]{6}")]
