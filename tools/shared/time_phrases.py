"""Times and passages of a recording, told in words: "from 0:05 to 0:12", "the last third".

A text is first turned into a plain form in which each time stands as ``@n``, the n-th of a list of
seconds; the patterns of passages then only have to know the words between the times.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from controlllm.toolbox import ToolError
from controlllm.values import passage_within
from controlllm.values.plain import PARTS

from . import amounts
from .tables import filled, table_beside

Span = tuple[float, float]

_TABLE = table_beside(__file__)
_WORDS = _TABLE["parts"] | {"unit": amounts.TIME}
_ORDINALS = _WORDS["ordinal"].split("|")
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

    def lasting(self, value: float, kind: str) -> float:
        """The seconds of an amount of seconds or frames."""
        return value / self.frame_rate if kind == "frames" else value

    def __getitem__(self, mark: str) -> float:
        return self.times[int(mark.lstrip("@"))]


def marked(text: str, clock: Clock, *, shares: bool = True) -> str:
    """The plain form of a text: every time in it as a mark that `clock` knows.

    `shares` takes "20 %" as a share of the recording's length.
    """
    return _with_marks(amounts.in_figures(text), _MARKS if shares else _MARKS[:-1], clock)


def _ordinal_unit(match: re.Match[str], clock: Clock) -> str:
    word, unit = match[1], 60.0 if match[2] == "minute" else 1.0
    number = _ORDINALS.index(word) + 1 if word in _ORDINALS else int(word[:-2])
    start, end = clock.add((number - 1) * unit), clock.add(number * unit)
    return f"{start} to {end}"


def _nth_unit(match: re.Match[str], clock: Clock) -> str:
    unit = 60.0 if match[1] == "minute" else 1.0
    start, end = clock.add(int(match[2]) * unit), clock.add((int(match[2]) + 1) * unit)
    return f"{start} to {end}"


_Mark = Callable[[re.Match[str], Clock], str]
_Build = Callable[[re.Match[str], Clock], Span]
_MARKING: dict[str, _Mark] = {
    "ordinal": _ordinal_unit,
    "nth": _nth_unit,
    "clock": lambda match, clock: clock.add(
        3600 * int(match[1] or 0)
        + 60 * int(match[2])
        + int(match[3] or 0)
        + float((match[4] or "0").replace(",", "."))
    ),
    "hours": lambda match, clock: clock.add(
        3600 * float(match["hours"] or 0) + 60 * float(match["minutes"]) + float(match["rest"])
    ),
    "length": lambda match, clock: clock.add(
        clock.lasting(*amounts.measured(float(match[1]), match[2]))
    ),
    "seconds": lambda match, clock: clock.add(float(match[1])),
    "share": lambda match, clock: clock.add(float(match[1]) / 100 * clock.seconds),
    "before the end": lambda match, clock: clock.add(clock.seconds - clock[match[1]]),
}


def _with_marks(
    text: str, marks: Sequence[tuple[re.Pattern[str], str | _Mark]], clock: Clock
) -> str:
    for pattern, form in marks:

        def mark(match: re.Match[str], form: str | _Mark = form) -> str:
            return match.expand(form) if isinstance(form, str) else form(match, clock)

        text = pattern.sub(mark, text)
    return text


def _marks(kind: str) -> list[tuple[re.Pattern[str], str | _Mark]]:
    return [
        (re.compile(filled(pattern, _WORDS)), _MARKING.get(form, form))
        for pattern, form in _TABLE[kind]
    ]


_MARKS, _BARE, _ENDS = _marks("marks"), _marks("bare"), _marks("ends")


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
    text = _with_marks(text, _BARE, clock) if bare else text
    for forms in (_PATTERNS, _LENGTHS) if bare else (_PATTERNS,):
        # "No more than two minutes, 12:00 to 14:00": the length is that of the passage.
        for pattern, build in () if spans and forms is _LENGTHS else forms:

            def take(match: re.Match[str], build: _Build = build) -> str:
                start, end = build(match, clock)
                spans.append((min(start, end), max(start, end)))
                return " # "

            text = re.sub(pattern, take, text)
    return Passages(tuple(spans), " ".join(text.split()))


def _with_ends(plain: str, clock: Clock) -> str:
    """The plain text with the start, the middle and the end of the recording as times too."""
    text = _with_marks(plain, _ENDS, clock)
    for place, time in (("start", 0.0), ("end", clock.seconds), ("middle", clock.seconds / 2)):
        text = re.sub(filled(_TABLE["edges"][place], _WORDS), _edge(text, time, clock), text)
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
    if word[0].isdigit():
        number = int(word[0]) - 1
    else:
        number = _ORDINALS.index(word) if word in _ORDINALS else 0
    return number * length, (number + 1) * length


def _share(match: re.Match[str], clock: Clock) -> Span:
    parts = PARTS[match["part"].rstrip("s")]
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


_MAKING: dict[str, _Build] = {
    "share": _share,
    "ended": _ended,
    "span": _from_to,
    "shorter": lambda match, clock: (0.0, clock.seconds - clock[match["long"]]),
}
_PATTERNS, _LENGTHS = (
    tuple((filled(pattern, _WORDS), _MAKING[made]) for pattern, made in _TABLE[kind])
    for kind in ("passages", "lengths")
)


def part_of(passage: str, seconds: float, what: str = "video") -> Span:
    """Start and end of a passage of a recording, all of it where none is said.

    Raises ToolError where it lies outside.
    """
    try:
        return passage_within(passage or "..", seconds)
    except ValueError:
        raise ToolError(
            f"The {what} lasts {in_words(seconds)}; the passage that you named ({passage}) is not "
            "in it. Name one within it, such as “from 0:01 to 0:03”."
        ) from None


def parts_of(passages: str, seconds: float, what: str = "video") -> list[Span]:
    """Start and end of each of some passages, in the order of time and apart from each other."""
    parts: list[Span] = []
    for start, end in sorted(part_of(one, seconds, what) for one in passages.split(",")):
        if parts and start <= parts[-1][1]:
            parts[-1] = (parts[-1][0], max(end, parts[-1][1]))
        else:
            parts.append((start, end))
    return parts


def in_words(seconds: float) -> str:
    """A time as a player shows it: "0:05", "1:02:03", with tenths where they matter ("0:00.5")."""
    tenths = round(min(seconds, 1e9) * 10)  # more digits than a player shows are no time
    whole, tenth = divmod(tenths, 10)
    minutes, second = divmod(whole, 60)
    hours, minute = divmod(minutes, 60)
    shown = f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
    return f"{shown}.{tenth}" if tenth and seconds < 60 else shown
