"""Which place of a sound is meant, in words: its start, its end, both, a time in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from controlllm.values import Flag, Kind, Passages, kind_of_hint
from controlllm.values.kinds import Found
from controlllm.values.times import find_all_passages, find_seconds

from ..shared.said_ends import BOTH, END, START, where_said

_ONE_THING = (
    r"(?:i|he|she|it|they|we|you|the|my|his|her|our|their|somebody|anybody|any ?one|some ?one|bar|"
    r"verse|chorus|everything|talking|speaking|singing|playing)\b"
)
_TRIM = {
    "inside": r"\b(?:inside|between|middle|within|in between)\b",
    "everywhere": (
        r"\b(?:pauses?|gaps?|silences|breaks|dead air|lulls?|everywhere|throughout|"
        r"(?:quiet|silent|dead|empty|blank) (?:parts?|passages?|spots?|bits?|stretch(?:es)?|"
        r"sections?|moments?|spaces?)|(?:all|any|every|much|long|remov\w+|delet\w+|rid of|"
        r"cut\w* out|tak\w+ out|no|skip|los(?:e|ing)) (?:of )?(?:the |that |this )?"
        r"(?:long |empty )?(?:silences?|silent|quiet))\b"
    ),
    "start": rf"{START}|\bbefore {_ONE_THING}",
    "end": (
        rf"{END}|\bafter {_ONE_THING}|"
        r"\bwhen (?:\w+ )?\w+(?:'s|'m| is| are| am) (?:done|finished)\b"
    ),
    "both": BOTH,
}


_BESIDE = r"[- ](?:it |this |the |a |at |from |to |(?:very )?(?:slow|soft|gent)ly )*"
_ENDS = {
    "both": (
        r"in (?:and|&) out|both(?: ends)?|edges|ends|"
        r"(?:start|beginning) and (?:the |at the )?end"
    ),
    "start": r"in|start|beginning|begin|intro|opening",
    "end": r"out|away|ending|end|outro|finish|close|silence|nothing",
}
#: "A soft start", "fade it out at the end".
_SOFT_END = re.compile(
    r"(?:,? ?\b(?:and|with|plus) )?(?:an? )?"
    r"\b(?:soft\w*|gentl[ey]|smooth\w*|slow\w*|fad\w+|eas(?:e|es|ed|ing))(?: fad\w+)?"
    rf"{_BESIDE}(?:{'|'.join(f'(?P<{name}>{words})' for name, words in _ENDS.items())})\b"
    r"(?: (?:at|towards|in) (?:the (?:very )?(?:start|beginning|end)|both ends))?"
    r"(?: slowly| softly)?"
)


def without_soft_ends(words: str) -> str:
    """A request without what it says of a soft start or ending, whose words may sound like a
    place to cut at."""
    return _SOFT_END.sub(" ", words.lower())


def _soft_ends(words: str) -> Iterator[Found]:
    """Which ends are soft: "a soft start and a soft ending", "fade it out"."""
    ends: dict[str, tuple[int, int]] = {}
    for match in _SOFT_END.finditer(words):
        ends[str(match.lastgroup)] = match.span()
    if ends:
        name = "both" if "both" in ends or len(ends) > 1 else next(iter(ends))
        yield Found(name, *min(ends.values()))


def _times_within(words: str) -> Iterator[Found]:
    """The times in plain words that say where something is, not how long it lasts."""
    for found in find_seconds(words):
        before, after = words[: found.start], words[found.end :]
        is_place = re.search(
            r"(?:\bat|\bafter|\bfrom|\bbefore|\bposition|\bmark|@)"
            r"(?: (?:the )?(?:first|about|around|second))? ?$",
            before,
        )
        if is_place or re.match(r" (?:mark|in(?:to)?\b(?! front))", after):
            yield found
    for match in re.finditer(
        r"\b(?:at|after) (?:the |about |around )*second (\d+(?:\.\d+)?)\b", words
    ):
        yield Found(float(match[1]), *match.span())


#: How long a word is that is told by the second at which it comes.
_A_WORD = 1.0


#: How a part that was pointed at is called; it alone is handed over then.
_POINTED_AT = re.compile(r"\[\d{1,3}\]")


def _covered(words: str) -> Iterator[Found]:
    """Passages, or the moments of words: "the name at 0:42"; all of the part that was pointed at,
    where no times are said."""
    said = list(find_all_passages(words))
    for found in _times_within(words):
        said.append(Found(f"{found.value:g}..{found.value + _A_WORD:g}", found.start, found.end))
    if not said:
        said = [Found("..", *match.span()) for match in _POINTED_AT.finditer(words)][:1]
    yield from said


COVERED = replace(kind_of_hint(Passages)[1], find=_covered)  # type: ignore[index]
SOFT_ENDS = Kind("which ends are soft: start, end or both", _soft_ends, "start|end|both")
WHERE_TO_TRIM = Kind(
    "one of start, end, both, inside, everywhere",
    lambda words: where_said(words, _TRIM),
    "start|end|both|inside|everywhere",
)
EQUALLY_LOUD = Flag(
    *("equally loud", "equal loudness", "equal volume", "evenly loud", "same volume"),
    *("same loudness", "same level", "same levels", "as loud as each other", "just as loud as"),
    *("match the volume", "match the volumes", "match the levels", "match the loudness"),
    *("even out", "level out", "even the volume out", "over the whole", "throughout"),
    *("none louder than", "both as loud", "all as loud", "balance the volume", "balanced"),
)
TIME_WITHIN = Kind("a time in the sound, such as 0:30", _times_within)
