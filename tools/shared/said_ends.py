"""Which ends of a recording are meant, in words, and how they fade."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from controlllm.values import Kind
from controlllm.values.kinds import Found
from controlllm.values.times import find_seconds

_OTHERS = r"(?:the|this|that|these|my|our|your|his|her|their|an?|mp3|wav|flac)\b"
#: What is told of a place that shall stay as it is.
_LEFT_ALONE = re.compile(
    r"(?:,|\bbut|\band)? ?\b(?:leav\w+|keep\w*|do(?:n't| not) \w+|not|without touching) "
    r"[^,.;]*"
)
_NOTHING = r"(?:silence|nothing|black|dark(?:ness)?)"
START = (
    r"\b(?:start\w*|beginning|begins?|opening|intro|leading|front|"
    rf"(?:from|out of)[ -](?:the )?{_NOTHING})\b"
)
END = r"\b(?:ends?|ending|trailing|tail|outro|(?:the|at) close|sinks?)\b"
BOTH = r"\b(?:both|edges|either end|each end|(?:the|its) ends)\b"
_FADE = {
    "start": rf"\b(?:fad\w*|eas\w+)[ -](?:\w+ ){{0,3}}?in\b(?! {_OTHERS})|{START}",
    "end": (
        rf"\bout\b(?! of)|\baway\b|\b(?:in)?to (?:the )?{_NOTHING}\b|"
        rf"\b(?:last|final)\b|{END}"
    ),
    "both": rf"{BOTH}|\bin and out\b|\bin[ /]out\b",
}


def where_said(words: str, places: Mapping[str, str]) -> Iterator[Found]:
    """The place that words name, both ends where they name both."""
    said = _LEFT_ALONE.sub(lambda match: " " * len(match[0]), words)
    found = {name: match for name, pattern in places.items() if (match := re.search(pattern, said))}
    if not found:
        return
    if "both" in found or {"start", "end"} <= set(found):
        name = "both"
    elif "start" in found or "end" in found:
        name = "start" if "start" in found else "end"
    else:
        name = next(iter(found))
    match = found.get(name) or found["start"]
    yield Found(name, *match.span())


#: "Fade out over 8", where the unit was said before or is left away.
_BARE = re.compile(
    r"\b(?:over|for|in|out|within)(?: of)? (\d{1,2}(?:\.\d+)?)"
    r"(?![\w:%]|\.\d| ?(?:%|s\b|sec|min|ms\b|hour|pieces|parts|files))"
)
_A_PLACE = re.compile(r"\b(?:from|at|after|until|till|second|minute)(?: the)? $")
#: Only so a time of a clock is a length: "over 0:05".
_A_LENGTH = re.compile(r"\b(?:over|for|in|out|within|lasting|last|final|first|of|is)(?: the)? $")


def _lengths(words: str) -> Iterator[Found]:
    """How long fades last in plain words, which no place in the recording tells."""
    bare = (Found(float(match[1]), *match.span(1)) for match in _BARE.finditer(words))
    for found in sorted([*find_seconds(words), *bare], key=lambda item: item.start):
        before = words[: found.start]
        is_clock = ":" in words[found.start : found.end]
        if _A_LENGTH.search(before) if is_clock else not _A_PLACE.search(before):
            yield found


def _fades(words: str, end: str) -> Iterator[Found]:
    """Whether a fade is wanted at an end; what tells of both ends is left for the other one."""
    for found in where_said(words, _FADE):
        if found.value in (end, "both"):
            yield Found(True, found.start, found.start)


def _rising(words: str) -> Iterator[Found]:
    """How long the fade at the start lasts where the one at the end has a time of its own: "in over
    2 s and out over 5 s"."""
    times = sorted(_lengths(words), key=lambda item: item.start)
    if len(times) != 2:
        return
    first, second = times
    before = (words[: first.start], words[first.end : second.start])
    behind = (words[first.end : second.start], words[second.end :])
    for said in (before, behind):
        places = [_place_in(part) for part in said]
        if sorted(places) == ["end", "start"]:
            yield times[places.index("start")]
            return


def _place_in(words: str) -> str:
    return next((str(found.value) for found in where_said(words, _FADE)), "")


WHERE_TO_FADE = Kind(
    "one of start, end, both", lambda words: where_said(words, _FADE), "start|end|both"
)
FADES_IN = Kind("yes or no", lambda words: _fades(words, "start"))
FADES_OUT = Kind("yes or no", lambda words: _fades(words, "end"))
RISES_FOR = Kind("a time, such as 2 seconds", _rising)
LASTS = Kind("a time, such as 2 seconds", _lengths)
