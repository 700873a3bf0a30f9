"""How large letters on paper shall be, in points, as it is said: "18 pt", "font size 16", "big"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from controlllm.values import Kind
from controlllm.values.kinds import Found, found_in

_POINTS = r"(?<![\w.])(\d{1,2}(?:\.5)?)"
_LETTERS = r"(?:letters?|print|type|fonts?|writing|text|words|lettering|script|characters)"
_SIZES = (
    (r"(?:very |really |extra )(?:large|big)|huge|giant|enormous", 26.0),
    (r"(?<!too )(?:larger?|big(?:ger)?)", 18.0),
    (r"(?<!too )(?:small(?:er)?|tiny|little|fine)", 8.0),
)


def _sizes(words: str) -> Iterator[Found]:
    yield from found_in(
        words,
        (rf"{_POINTS}[ -]?(?:pt|points?)\b", lambda match: float(match[1])),
        (
            rf"\b(?:{_LETTERS} ?size|size|{_LETTERS} (?:at|in|of) size)(?: of| is|:)? "
            rf"{_POINTS}(?![\w%.])",
            lambda match: float(match[1]),
        ),
        *((rf"\b(?:{said})(?:[ -]\w+)?[ -]{_LETTERS}\b", points) for said, points in _SIZES),
        *((rf"\b(?:{_LETTERS}) (?:\w+ )?(?:as )?(?:{said})\b", points) for said, points in _SIZES),
    )


LetterSize = Annotated[
    float, Kind("a size of letters in points, such as 18 pt or big letters", _sizes)
]
