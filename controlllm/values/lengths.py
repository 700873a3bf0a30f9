"""How long a text shall be, as it is said: so many sentences or words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from controlllm.values.kinds import Found, Kind

_PARTS = r"(?:sentences?|lines?|bullet points?|bullets?|points?)(?! of code\b)\b"
_SENTENCES = re.compile(
    rf"(?<![\d.:-])\b(?P<count>\d+)(?: ?(?:-|to|or) ?(?P<most>\d+))?[ -](?:\w+ )?{_PARTS}|"
    r"\b(?P<couple>(?:a )?couple of|a sentence or 2)(?: \w+)?(?: sentences| lines)?\b|"
    r"\b(?P<one>an?|single) (?:\w+ )?sentence\b"
)
#: A number of words is how long the text is already, unless it is said to be the most.
_WORDS = re.compile(
    r"\b(?:in|to|under|below|within|up to|max\w*|most|than|of)(?: about| around)? "
    r"(?P<most>\d+) words\b|"
    r"\b(?P<count>\d+) words (?:max\w*|at (?:the )?most|tops|or (?:less|fewer))"
)


def _lengths(words: str) -> Iterator[Found]:
    for match in _SENTENCES.finditer(words):
        if match["couple"] and not re.search(r"sentence|line", match[0]):
            continue
        count = match["most"] or match["count"] or (2 if match["couple"] else 1)
        yield Found(f"{count} sentences", *match.span())
    for match in _WORDS.finditer(words):
        yield Found(f"{match['most'] or match['count']} words", *match.span())


Length = Annotated[
    str, Kind("a length, such as 3 sentences or 100 words", _lengths, r"\d+ (?:sentences|words)")
]
