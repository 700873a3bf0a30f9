"""Durations, passages of a recording and pages of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from controlllm.values.kinds import Found, found_in

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_CLOCK = r"(?:\d{1,2}:)?\d{1,3}:\d{2}(?:\.\d+)?"
#: "2 min 14", where no unit is said of the seconds.
_SHORT = r"\d+ ?(?:minutes?|mins?|m) \d{1,2}(?= ?(?:[-,.]|to\b|until\b|till\b|and\b|$))"
_HOURS, _MINUTES, _SECONDS = (
    rf"\d+(?:\.\d+)?[ -]?(?:{unit})\b"
    for unit in (r"hours?|hrs?|h", r"minutes?|mins?|m", r"ms|msecs?|milliseconds?|secs?|seconds?|s")
)
_AND = r",? (?:and )?"
#: What makes up one length; "10 minutes and 15 minutes" are two.
_LENGTH = (
    rf"(?:{_HOURS}(?:{_AND}{_MINUTES})?(?:{_AND}{_SECONDS})?|"
    rf"{_MINUTES}(?:{_AND}{_SECONDS})?|{_SECONDS})"
)
_TIME = rf"(?:(?:minute )?{_CLOCK}|{_SHORT}|{_LENGTH})"
_BARE = r"(?:\d+(?:\.\d+)?)"
#: A place in a recording: "0:08", "8 seconds", "second 8", "the 8th second".
_MOMENT = (
    rf"({_TIME}|(?:seconds?|secs?|minute|min) {_BARE}(?![\w:%]|\.\d)"
    r"|(?:the )?\d+(?:st|nd|rd|th) (?:second|minute)\b)"
)
_TO_THE_END = r"(?:to|until|till) (?:the )?(?:very )?(?:end|finish)\b"


def seconds_of(words: str) -> float:
    """The seconds of a time in plain words: ``"1:30"``, ``"2 minutes 5 s"``, ``"7"``."""
    words = re.sub(r"^minute (?=\d+:)", "", words)
    named = re.match(r"(?:sec|(min))[a-z]* (\d.*)|(?:the )?\d+(?:st|nd|rd|th) (?:sec|(min))", words)
    if named:
        number = re.sub(r"[^\d.]", "", named[2] or words)
        return float(number) * (60.0 if named[1] or named[3] else 1.0)
    if ":" in words:
        total = 0.0
        for part in words.split(":"):
            total = total * 60 + float(part)
        return total
    parts = re.findall(r"(\d+(?:\.\d+)?)[ -]?([a-z]*)", words)
    return sum(float(number) * _scale(unit) for number, unit in parts)


def _scale(unit: str) -> float:
    if unit.startswith(("ms", "mil")):
        return _UNITS["ms"]
    return _UNITS.get(unit[:1], 1.0)


def find_seconds(words: str) -> Iterator[Found]:
    """The durations and times in plain words, in seconds."""
    return found_in(words, (rf"(?<![\w.:]){_TIME}", lambda match: seconds_of(match[0])))


def _s(words: str) -> str:
    return f"{seconds_of(words):g}"


#: Parts of a recording by their names, as shares of it.
_PARTS = (
    (r"\bfirst half\b", "..50%"),
    (r"\b(?:second|last) half\b", "50%.."),
    (r"\bfirst third\b", "..33.333%"),
    (r"\b(?:middle|second) third\b", "33.333%..66.667%"),
    (r"\b(?:last|final) third\b", "66.667%.."),
    (r"\bfirst quarter\b", "..25%"),
    (r"\b(?:last|final) quarter\b", "75%.."),
)
_EDGE = r"(?:first|opening|initial|beginning)"
_LAST = r"(?:last|final|closing)"


_SOME = rf"(?:{_TIME}|minute {_BARE}(?![:.]\d)|{_BARE})"


def _ranges(words: str) -> Iterator[Found]:
    """The passages from one time to another."""
    for match in re.finditer(
        rf"(?:\b(?:from|between|seconds?|at|starting at) )?(?<![\w.:])({_SOME}) ?"
        rf"(?:-|to|until|till|and|through|up to|\.\.) ?(?:seconds? |second )?({_SOME})"
        r"(?![\w:%]| ?(?:px|%|db))(?: seconds?)?",
        words,
    ):
        first, second = match[1], match[2]
        told = match[0]
        is_time = re.search(r"[:a-z]", first + second) or re.match(r"(?:from|between|second)", told)
        if not is_time and "seconds" not in told:
            continue
        unit = re.search(r"[a-z]+$", second)
        if unit and re.fullmatch(_BARE, first):
            first += f" {unit[0]}"
        if seconds_of(second) > seconds_of(first):
            yield Found(f"{_s(first)}..{_s(second)}", *match.span())


_FROM = r"(?:from|at|(?:start|begin)(?:s|n?ing)? (?:at|from))"


def _lasting(words: str) -> Iterator[Found]:
    """The passages from a time for a length: "from 0:10 for 4 seconds"."""
    for pattern in (
        rf"(?<![\w.:])(?P<long>{_TIME})(?: [^,.;\d]{{1,40}}?)?,? (?:that |which )?"
        rf"(?:start|begin)(?:s|n?ing)? (?:at|from) (?:second )?(?P<at>{_SOME})(?: seconds?)?",
        rf"\b{_FROM} (?:second )?(?P<at>{_TIME}|{_BARE}),? (?:on,? )?(?:for|lasting) "
        rf"(?P<long>{_LENGTH})",
        rf"(?<![\w.:])(?P<long>{_LENGTH})(?: long)? {_FROM} (?:second )?(?P<at>{_CLOCK})",
    ):
        for match in re.finditer(pattern, words):
            first = seconds_of(match["at"])
            yield Found(f"{first:g}..{first + seconds_of(match['long']):g}", *match.span())


#: "At 0:42 he says where he lives, so nothing is to be heard from there to 0:46."
_FROM_THERE = re.compile(
    rf"(?<![\w.:])(?P<first>{_TIME})\b[^.;]{{1,80}}?\b(?P<there>from (?:there|then))(?: on)?,? "
    rf"(?:to|until|till|up to) (?P<second>{_TIME})"
)
#: A verb: "make it last ten seconds".
_IS_A_VERB = re.compile(
    r"\b(?:(?:it|they|to|should|shall|must|can|could|will|would|may|might)|"
    r"(?:make|let|have) (?:\w+ ){0,2}\w+) (?:only |just )?$"
)


def _from_there(words: str) -> Iterator[Found]:
    for match in _FROM_THERE.finditer(words):
        first, second = seconds_of(match["first"]), seconds_of(match["second"])
        if second > first:
            yield Found(f"{first:g}..{second:g}", match.start("there"), match.end())


def _is_a_length(words: str, match: re.Match[str]) -> bool:
    """Whether words that look like a passage say how long something is to be."""
    is_verb = match[0].startswith("last ") and _IS_A_VERB.search(words[: match.start()])
    return bool(is_verb or re.match(r" (?:all|total)\b", words[match.end() :]))


def find_passages(words: str) -> Iterator[Found]:
    """The passages in plain words, in seconds or shares: ``"5..9"``, ``"..10"``, ``"-3.."`` for the
    last three seconds, ``"90.."``, ``"50%.."``."""
    closed = [*_ranges(words), *_lasting(words), *_from_there(words)]
    yield from closed
    for pattern, form in (
        (rf"\b{_EDGE} ({_TIME})", "..{}"),
        (rf"\b{_LAST} ({_TIME})", "-{}.."),
        (rf"\bat the (?:very )?end,? (?:for|lasting) ({_LENGTH})", "-{}.."),
        (rf"\bfor ({_LENGTH}) at the (?:very )?end\b", "-{}.."),
        (rf"\bat the (?:start|beginning),? (?:for|lasting) ({_LENGTH})", "..{}"),
        (rf"\bfor ({_LENGTH}) at the (?:start|beginning)\b", "..{}"),
        (
            rf"\b(?:after|from|start(?:ing)? (?:at|from)|begin(?:ning)? (?:at|from)) {_MOMENT}"
            rf"(?: on(?:wards?)?\b| {_TO_THE_END})?",
            "{}..",
        ),
        (rf"\bfrom ({_BARE}) {_TO_THE_END}", "{}.."),
        (rf"\b{_MOMENT} (?:onwards?\b|{_TO_THE_END})", "{}.."),
        (rf"\b(?:until|till|before|up to) {_MOMENT}", "..{}"),
        (rf"\b({_TIME}) (?:in|into)\b", "{}.."),
    ):
        for match in re.finditer(pattern, words):
            # "From second 8" of "from second 8 to second 12" is no passage of its own.
            is_inside = any(one.start < match.end() and match.start() < one.end for one in closed)
            if not is_inside and not _is_a_length(words, match):
                yield Found(form.format(_s(match[1])), *match.span())
    yield from found_in(words, *_PARTS)


def find_all_passages(words: str) -> Iterator[Found]:
    """The passages in plain words, several of them as one value: ``"41..42,73..74"``."""
    found = sorted(_ranges(words), key=lambda item: item.start)
    if len(found) > 1:
        yield Found(",".join(item.value for item in found), found[0].start, found[-1].end)
    yield from find_passages(words)
