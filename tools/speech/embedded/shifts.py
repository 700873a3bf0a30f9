"""How much later or earlier subtitles shall come, as people say it."""

from __future__ import annotations

import re

from controlllm.toolbox import ToolError
from controlllm.values.plain import plain

_AMOUNT = re.compile(
    r"(?P<sign>[+-])? ?(?<![\w.])(?P<n>\d+(?:\.\d+)?)[ -]?"
    r"(?P<unit>ms|milliseconds?|s|secs?|seconds?|min|minutes?)\b"
)
#: Between the minutes and the seconds of one time.
_GOES_ON = re.compile(r",?(?: and)? ?")
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
#: How they shall come is no fault: "make them appear 2 seconds later than now".
_WISHED = re.compile(
    r"\b(?:should|shall|must|let|make|want|need)\b(?: (?!too\b)\S+){0,4}? (?:be|come|appear|run)\b"
)
#: "The voice comes 2 seconds after the subtitles": these are early.
_SOUND = re.compile(r"\b(?:voices?|speech|sound|audio|speakers?)\W*$")
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
    seconds, end = _seconds(found), found.end()
    for more in _AMOUNT.finditer(said, end):
        if not _GOES_ON.fullmatch(said[end : more.start()]):
            break
        seconds, end = seconds + _seconds(more), more.end()
    if found["sign"]:
        return seconds if found["sign"] == "+" else -seconds
    said = _WISHED.sub(" ", said)
    for pattern, way in ((_EARLY, 1), (_LATE, -1)):
        if fault := pattern.search(said):
            return (-way if _SOUND.search(said[: fault.start()]) else way) * seconds
    for pattern, way in ((_LATER, 1), (_EARLIER, -1)):
        if pattern.search(said):
            return way * seconds
    raise ToolError(
        f"It is not said whether they shall come {seconds:g} seconds earlier or later. Say one."
    )


def _seconds(amount: re.Match[str]) -> float:
    scale = next(size for name, size in _UNITS if amount["unit"].startswith(name))
    return float(amount["n"]) * scale
