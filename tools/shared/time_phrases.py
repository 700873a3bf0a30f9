"""Times and passages of a recording, told in words: "from 0:05 to 0:12", "the last third".

A text is first turned into a plain form in which each time stands as ``@n``, the n-th of a list of
seconds; the patterns of passages then only have to know the words between the times.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from tools.shared import amounts
from tools.shared.tables import filled, table_beside

Span = tuple[float, float]

_UNIT = amounts.TIME
_TABLE = table_beside(__file__)
_WORDS = _TABLE["parts"]
_ORDINALS = _WORDS["ordinal"].split("|")
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "tenth": 10}
_START, _END, _MIDDLE = (_WORDS[place] for place in ("start", "end", "middle"))


@dataclass
class Clock:
    """What a text is about: a recording of this length, and the times that the text names."""

    seconds: float
    frame_rate: float = 25.0
    times: list[float] = field(default_factory=list)

    def add(self, seconds: float) -> str:
        self.times.append(seconds)
        return f"@{len(self.times) - 1}"

    def __getitem__(self, mark: str) -> float:
        return self.times[int(mark.lstrip("@"))]


def marked(text: str, clock: Clock, *, shares: bool = True) -> str:
    """The plain form of a text: every time in it as a mark that `clock` knows.

    `shares` takes "20 %" as a share of the recording's length.
    """
    plain = amounts.in_figures(text)
    # "The first second" counts one second and "the second minute" is the minute after the first.
    plain = re.sub(
        rf"\b({_START}|{_END}|{_MIDDLE}) (second|minute|hour|frame)\b", r"\1 1 \2", plain
    )
    plain = re.sub(
        rf"\b(?:the )?({'|'.join(_ORDINALS[1:])}|\d+(?:st|nd|rd|th)) (minute|second)\b",
        lambda m: _ordinal_unit(m, clock),
        plain,
    )
    # "The first and last 5 seconds" and "3 seconds from both ends" are two passages.
    length = rf"\d+(?:\.\d+)?(?: ?-?{_UNIT}\b)?"
    plain = re.sub(
        rf"\b(first|last) and (?:the )?(first|last) ({length})", r"\1 \3 and \2 \3", plain
    )
    plain = re.sub(
        rf"({length}) (from|off|at) (?:both|each|either) (?:ends?|sides?)",
        r"\1 \2 the start and \1 \2 the end",
        plain,
    )
    clock_time = r"(?<![\d:.])(?:(\d{1,2}):)?(\d{1,3}):(\d{2})((?:[.,]\d+)?)(?![\d:])"
    plain = re.sub(rf"{clock_time}(?: ?(?:minutes?|mins?|min|h|o'clock))?\b", _clock(clock), plain)
    amount = r"\d+(?:\.\d+)?"
    plain = re.sub(
        rf"(?<![\d.:@%])(?:(?P<hours>{amount}) ?(?:hours?|hrs?|h)\b,? ?(?:and )?)?"
        rf"(?P<minutes>{amount}) ?(?:minutes?|mins?|min|m)(?: |, | and |, and )?"
        rf"(?P<rest>\d{{1,2}}(?:\.\d+)?)(?: ?(?:seconds?|secs?|sec|s)\b|(?![\d:.%@]| ?{_UNIT}\b))",
        lambda m: clock.add(
            3600 * float(m["hours"] or 0) + 60 * float(m["minutes"]) + float(m["rest"])
        ),
        plain,
    )
    # In "3 to 5 seconds" and "seconds 3 to 5" one word tells the unit of both numbers.
    plain = re.sub(
        rf"(?<![\d@.])({amount})( ?(?:to|-|until|till|and|or) ?)({amount}) ?({_UNIT})\b",
        lambda m: f"{m[1]} {m[4]}{m[2]}{m[3]} {m[4]}",
        plain,
    )
    plain = re.sub(
        rf"\b(seconds?|minutes?|frames?) ({amount})( ?(?:to|-|until|till|and|through) ?)({amount})"
        r"\b(?! ?%)",
        lambda m: f"{m[2]} {m[1]}{m[3]}{m[4]} {m[1]}",
        plain,
    )
    plain = re.sub(
        rf"\b(second|minute|frame) (?:number |no\.? )?({amount})\b(?! ?{_UNIT}\b)", r"\2 \1", plain
    )
    plain = re.sub(
        rf"(?<![\d@.:])({amount}) ?-?({_UNIT})\b", lambda m: clock.add(_length(m, clock)), plain
    )
    if not shares:
        return plain
    return re.sub(
        rf"(?<![\d@.])({amount}) ?(?:%|per ?cent\b)",
        lambda m: clock.add(float(m[1]) / 100 * clock.seconds),
        plain,
    )


def _ordinal_unit(match: re.Match[str], clock: Clock) -> str:
    word, unit = match[1], 60.0 if match[2] == "minute" else 1.0
    number = _ORDINALS.index(word) + 1 if word in _ORDINALS else int(word[:-2])
    start, end = clock.add((number - 1) * unit), clock.add(number * unit)
    return f"{start} to {end}"


def _clock(clock: Clock) -> Callable[[re.Match[str]], str]:
    def mark(match: re.Match[str]) -> str:
        rest = float(match[4].replace(",", ".") or 0) if match[4] else 0.0
        hours, minutes = int(match[1] or 0), int(match[2])
        return clock.add(3600 * hours + 60 * minutes + int(match[3]) + rest)

    return mark


def _length(match: re.Match[str], clock: Clock) -> float:
    value, kind = amounts.measured(float(match[1]), match[2])
    return value / clock.frame_rate if kind == "frames" else value


@dataclass(frozen=True)
class Passages:
    """Passages that a text names, in its order, and what of the plain text is left."""

    spans: tuple[Span, ...]
    rest: str


def passages(plain: str, clock: Clock, *, bare: bool = True) -> Passages:
    """The passages in a text that `marked` has made plain.

    `bare` also takes a number without a unit as seconds, a lone length as the beginning of that
    length ("10 seconds"), and "to 10 seconds" as the beginning until then.
    """
    spans: list[Span] = []
    text = _with_ends(plain, clock)
    if bare:
        text = re.sub(
            r"(?<![\d@.:])(\d+(?:\.\d+)?)(?![\d.:%x]|\.\d)(?= ?(?:to|-|until|till|and|from|off|"
            r"at|$|,|"
            r"onwards?|on\b|before|after)|\s*$)",
            lambda m: clock.add(float(m[1])),
            text,
        )
        text = re.sub(
            r"(?:(?<=to )|(?<=-)|(?<=- )|(?<=between ))(\d+(?:\.\d+)?)\b(?!\.\d|[:%x])",
            lambda m: clock.add(float(m[1])),
            text,
        )
    for pattern, build in (*_PATTERNS, *_LENGTHS) if bare else _PATTERNS:
        text = re.sub(pattern, _taking(build, clock, spans), text)
    return Passages(tuple(spans), " ".join(text.split()))


def _taking(
    build: Callable[[re.Match[str], Clock], Span], clock: Clock, spans: list[Span]
) -> Callable[[re.Match[str]], str]:
    def take(match: re.Match[str]) -> str:
        start, end = build(match, clock)
        spans.append((min(start, end), max(start, end)))
        return " # "

    return take


def _with_ends(plain: str, clock: Clock) -> str:
    """The plain text with the start, the middle and the end of the recording as times too."""
    whole = (
        r"(?: (?:of|in) (?:the |this |that |my )?(?:video|clip|film|movie|recording|footage|it))?"
    )
    text = re.sub(whole + r"(?=\W|$)", "", plain)
    # "3 seconds from the end" may be a length to take or a time to start at.
    text = re.sub(
        r"(?<=from )(@\d+) (?:before|from) the (?:very )?end\b|"
        r"(?<=until )(@\d+) (?:before|from) the (?:very )?end\b|"
        r"(?<=to )(@\d+) (?:before|from) the (?:very )?end\b|(@\d+) before the (?:very )?end\b",
        lambda m: clock.add(clock.seconds - clock[next(mark for mark in m.groups() if mark)]),
        text,
    )
    edge = r"\b(from|to|until|till|and|at|after|before|-|through) (?:the )?(?:very )?"
    middle = r"(?:middle|half ?way(?: (?:point|through))?|mid ?point)"
    for words, time in (
        (rf"(?<!\d )(?<!of ){edge}(?:start|beginning)\b(?!ing| at| from)", 0.0),
        (rf"(?<!\d )(?<!of ){edge}end\b(?!ing| at)", clock.seconds),
        (rf"{edge}{middle}\b(?! @| \d| half| third)", clock.seconds / 2),
    ):
        text = re.sub(words, _edge(text, time, clock), text)
    return text


def _edge(text: str, time: float, clock: Clock) -> Callable[[re.Match[str]], str]:
    def mark(match: re.Match[str]) -> str:
        # "2 seconds from the start" is a length.
        length = re.search(r"(?:@\d+|\d) ?$", text[: match.start()])
        if length and match[1] in ("from", "at"):
            return match[0]
        return f"{match[1]} {clock.add(time)}"

    return mark


def _placed(word: str, length: float, seconds: float) -> Span:
    """A length at the start, the end or the middle of a recording, or one of several in a row."""
    if re.fullmatch(_MIDDLE, word):
        return (seconds - length) / 2, (seconds + length) / 2
    if re.fullmatch(_END + r"|back|tail", word):
        return seconds - length, seconds
    number = _ORDINALS.index(word) if word in _ORDINALS else 0
    return number * length, (number + 1) * length


def _share(match: re.Match[str], clock: Clock) -> Span:
    parts = _PARTS[{"halves": "half"}.get(match["part"], match["part"].rstrip("s"))]
    length = clock.seconds * float(match["many"] or 1) / parts
    return _placed(match["which"], length, clock.seconds)


def _ended(match: re.Match[str], clock: Clock) -> Span:
    length = clock[match["long"]] if match["long"].startswith("@") else float(match["long"])
    return _placed(match["which"], length, clock.seconds)


def _from_to(match: re.Match[str], clock: Clock) -> Span:
    """From a time ("at") to another ("to") or for a length ("long"); else the start and the end."""
    found = match.groupdict()
    start = clock[found["at"]] if found.get("at") else 0.0
    if found.get("long"):
        return start, start + clock[found["long"]]
    return start, clock[found["to"]] if found.get("to") else clock.seconds


def _shorter(match: re.Match[str], clock: Clock) -> Span:
    return 0.0, clock.seconds - clock[match["long"]]


_MAKING = {"share": _share, "ended": _ended, "span": _from_to, "shorter": _shorter}
_PATTERNS, _LENGTHS = (
    tuple((filled(pattern, _WORDS), _MAKING[made]) for pattern, made in _TABLE[kind])
    for kind in ("passages", "lengths")
)


def in_words(seconds: float) -> str:
    """A time as a player shows it: "0:05", "1:02:03", with tenths where they matter ("0:00.5")."""
    tenths = round(min(seconds, 1e9) * 10)  # more digits than a player shows are no time
    whole, tenth = divmod(tenths, 10)
    minutes, second = divmod(whole, 60)
    hours, minute = divmod(minutes, 60)
    shown = f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
    return f"{shown}.{tenth}" if tenth and seconds < 60 else shown
