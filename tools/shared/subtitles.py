"""Subtitles: read from SRT and VTT, laid out in lines, and written again.

Those of speech are made in `tools/speech/embedded/subtitling.py`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from controlllm.toolbox import ToolError

#: What is read at a glance: two lines of so many characters.
LINE = 42

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
_TIMES = re.compile(rf"^\s*{_TIME}\s*-{{1,2}}>\s*{_TIME}(?:\s.*)?$")
_MARKS = re.compile(r"</?[a-zA-Z][^<>]*>|<\d[\d:.]*>|\{\\[^{}]*\}")
#: What a sentence, and a part of one, ends with.
SENTENCE_END = re.compile(r"[.!?…][\"'”’)]*$")
CLAUSE_END = re.compile(r"[,;:–—][\"'”’)]*$")


@dataclass(frozen=True)
class Cue:
    """Words that are shown from `start` to `end`, in seconds; its lines are parted by "\\n"."""

    start: float
    end: float
    words: str


def read_subtitles(text: str) -> list[Cue]:
    """The subtitles of a text in SRT or VTT, by their times.

    Raises ToolError where it holds none.
    """
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    places = [number for number, line in enumerate(lines) if _TIMES.match(line)]
    cues = []
    for place, following in zip(places, [*places[1:], None], strict=False):
        match = _TIMES.match(lines[place])
        assert match is not None
        start, end = _seconds(match.groups()[:4]), _seconds(match.groups()[4:])
        words = _plain(_lines_of(lines[place + 1 : following], following is not None))
        if words and end > start:
            cues.append(Cue(start, end, words))
    if not cues:
        raise ToolError(
            "The text holds no subtitles with times. Give me an SRT or VTT file, in which lines "
            "such as “00:00:01,000 --> 00:00:04,000” stand above the words."
        )
    return sorted(cues, key=lambda cue: (cue.start, cue.end))


def _seconds(parts: Sequence[str | None]) -> float:
    hours, minutes, seconds, fraction = parts
    whole = int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    return whole + int((fraction or "0").ljust(3, "0")) / 1000


def _lines_of(lines: list[str], is_followed: bool) -> list[str]:
    """The lines of a cue: up to an empty one, or up to the number of the next cue."""
    stripped = [line.strip() for line in lines]
    while stripped and not stripped[0]:
        stripped.pop(0)
    if "" in stripped:
        return stripped[: stripped.index("")]
    if is_followed and stripped and stripped[-1].isdigit():
        stripped.pop()
    return stripped


def _plain(lines: list[str]) -> str:
    plain = (html.unescape(_MARKS.sub("", line)).strip() for line in lines)
    return "\n".join(line for line in plain if line)


def moved(cues: Sequence[Cue], seconds: float) -> list[Cue]:
    """The subtitles so much later, or earlier where it is below zero.

    Raises ToolError where none would be left.
    """
    shifted = [Cue(cue.start + seconds, cue.end + seconds, cue.words) for cue in cues]
    left = [Cue(max(cue.start, 0.0), cue.end, cue.words) for cue in shifted if cue.end > 0]
    if not left:
        raise ToolError(
            f"All subtitles would come before the start: the last one ends after {cues[-1].end:g} "
            "seconds. Move them by less."
        )
    return left


def as_srt(cues: Iterable[Cue]) -> str:
    """The subtitles as the text of an SRT file."""
    return "\n".join(
        f"{number}\n{_clock(cue.start, ',')} --> {_clock(cue.end, ',')}\n{cue.words}\n"
        for number, cue in enumerate(cues, 1)
    )


def as_vtt(cues: Iterable[Cue]) -> str:
    """The subtitles as the text of a VTT file."""
    blocks = (
        f"{_clock(cue.start, '.')} --> {_clock(cue.end, '.')}\n"
        f"{html.escape(cue.words, quote=False)}\n"
        for cue in cues
    )
    return "\n".join(["WEBVTT\n", *blocks])


def _clock(seconds: float, point: str) -> str:
    thousandths = max(round(seconds * 1000), 0)
    whole, rest = divmod(thousandths, 1000)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{point}{rest:03}"


def laid_out(words: str) -> str:
    """Words in lines of at most `LINE` characters, two where that is enough, about equally long."""
    words = " ".join(words.split())
    if len(words) <= LINE:
        return words
    single = words.split(" ")
    breaks = range(1, len(single))
    halves = [(" ".join(single[:at]), " ".join(single[at:])) for at in breaks]
    fitting = [half for half in halves if max(map(len, half)) <= LINE]
    if not fitting:
        return "\n".join(_wrapped(single))
    upper, lower = min(fitting, key=_badness)
    return f"{upper}\n{lower}"


def _badness(half: tuple[str, str]) -> float:
    """The end of a clause is the better place to part at, and the lower line the longer one."""
    upper, lower = half
    uneven = abs(len(upper) - len(lower)) + (len(upper) > len(lower))
    return uneven - 14 * bool(CLAUSE_END.search(upper) or SENTENCE_END.search(upper))


def _wrapped(single: Iterable[str]) -> Iterator[str]:
    line = ""
    for word in single:
        if line and len(line) + 1 + len(word) > LINE:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    yield line
