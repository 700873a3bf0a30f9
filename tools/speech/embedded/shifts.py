"""How much later or earlier subtitles shall come, as people say it."""

from __future__ import annotations

import re

from controlllm.toolbox import ToolError
from controlllm.values.plain import plain

_AMOUNT = re.compile(
    r"(?P<sign>[+-])? ?(?<![\w.])(?P<n>\d+(?:\.\d+)?) ?(?P<unit>ms|milliseconds?|s|secs?|seconds?|"
    r"min|minutes?)\b"
)
_UNITS = (("ms", 0.001), ("milli", 0.001), ("min", 60.0), ("s", 1.0))
#: How they come now, which is to be put right.
_EARLY = re.compile(
    r"\btoo (?:early|soon|fast)\b|\b(?:is|are|come|comes|appear|appears|run|runs) (?:\S+ ){0,3}"
    r"(?:early|ahead|earlier than|before the)\b|\bearly by\b"
)
_LATE = re.compile(
    r"\btoo (?:late|slow)\b|\b(?:is|are|come|comes|appear|appears|run|runs) (?:\S+ ){0,3}"
    r"(?:late|behind|later than|after the)\b|\b(?:lag|lags|lagging|late by)\b"
)
_LATER = re.compile(
    r"\b(?:later|delay\w*|postpone\w*|back(?:wards?)?|add(?:ed|ing)?|push\w*|to the right)\b"
)
_EARLIER = re.compile(r"\b(?:earlier|sooner|forwards?|advance\w*|subtract\w*|to the left)\b")


def shift_in(words: str) -> float:
    """By how many seconds they shall come later, below zero for earlier; 0 where no time is said.

    Raises ToolError where it is not said which way.
    """
    said = plain(words)
    found = _AMOUNT.search(said)
    if found is None:
        return 0.0
    scale = next(size for name, size in _UNITS if found["unit"].startswith(name))
    seconds = float(found["n"]) * scale
    if found["sign"]:
        return seconds if found["sign"] == "+" else -seconds
    ways = ((_EARLY, 1), (_LATE, -1), (_LATER, 1), (_EARLIER, -1))
    for pattern, way in ways:
        if pattern.search(said):
            return way * seconds
    raise ToolError(
        f"It is not said whether they shall come {seconds:g} seconds earlier or later. Say one."
    )
