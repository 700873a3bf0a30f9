"""Amounts in plain words: numbers, units, and how many times as much something shall be."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from controlllm.values.plain import PARTS, figures

from .tables import filled, table_beside

_TABLE = table_beside(__file__)
#: Each unit as what it measures and how many of that it is.
UNITS: dict[str, tuple[str, float]] = {
    unit: (kind, factor)
    for kind, units in _TABLE["units"].items()
    for unit, factor in units.items()
}
_END = r"(?![\w%°])"
#: A unit of time.
TIME: str = filled(_TABLE["parts"]["time"], {})
FIGURE = r"[-+]?(?:\d+(?:\.\d+)?|\.\d+)"
_AMOUNT = re.compile(
    r"(?:(?P<relation>(?<![\w@:.])(?:by|to|at|of|from|over)|,) (?:about |around |only |just )?|"
    r"(?<![\w@:.]))"
    rf"(?P<number>{FIGURE})(?![\d:]|\.\d)(?: ?-?(?P<unit>{'|'.join(UNITS)}){_END})?"
)

_PARTS = _TABLE["parts"]


def _figures(found: re.Match[str]) -> str:
    from text_to_num import text2num

    said = figures(found[0])
    if said != found[0]:
        return said
    try:
        # "One fifty-five" is how a time is said.
        parts = found[0].replace("-", " ").split(" ", 1)
        minutes, seconds = (text2num(part, "en") for part in parts)
    except ValueError:
        return found[0]
    return f"{minutes}:{seconds}" if 10 <= seconds < 60 else found[0]


#: How numbers in words become figures, in this order. Ordinals stay words.
SPOKEN: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = tuple(
    (filled(pattern, _PARTS), _figures if form == "figures" else form)
    for pattern, form in _TABLE["spoken"]
)


def in_figures(text: str) -> str:
    """The text in small letters with numbers in words as figures: "a minute" is "1 minute"."""
    text = " ".join(text.lower().replace("’", "'").replace("–", "-").replace("—", "-").split())
    for pattern, form in SPOKEN:
        text = re.sub(pattern, form, text)
    return text


@dataclass(frozen=True)
class Amount:
    """A number with what it measures ("" without a unit), and where it stands in the words.

    `relation` is the word before it: "by", "to", "at" and the like.
    """

    value: float
    kind: str
    relation: str
    start: int
    end: int


def measured(value: float, unit: str) -> tuple[float, str]:
    """An amount in the base unit of what it measures, and what that is."""
    kind, factor = next(known for name, known in UNITS.items() if re.fullmatch(name, unit))
    return value * factor, kind


def amounts(plain: str) -> tuple[Amount, ...]:
    """The amounts in words whose numbers are figures, each in the base unit of its kind."""
    found = []
    for match in _AMOUNT.finditer(plain):
        value, kind = float(match["number"]), ""
        if match["unit"]:
            value, kind = measured(value, match["unit"])
        found.append(Amount(value, kind, match["relation"] or "", *match.span("number")[:1],
                            match.end()))  # fmt: skip
    return tuple(found)


_PART = re.compile(
    r"\b(?P<by>by )?(?:(?P<many>\d)[ -]|an? )?"
    r"(?P<part>halve|half|quarter|(?<!the )(?:third|fourth|fifth|eighth|tenth))(?:[sd]|ing)?\b"
    r"(?P<more> (?:faster|slower|louder|quieter|larger|bigger|smaller|shorter|longer))?"
)
#: A speed is told by how long it lasts: "twice as long", "half the length", "20 % shorter".
_LASTING = re.compile(r"(?: \w+){0,2}? (?:long|longer|shorter|lengths?|duration|time)\b")
#: What a share is of, where the share itself is meant: "80 % speed", "70 % of the volume".
_OF_ALL = re.compile(r"(?: of)?(?: the| its)?(?: \w+)? (?:speed|size|volume|tempo|pace|as )")
_SPEED_IS = re.compile(r"\b(?:speed|tempo|pace)(?: of| is| :| =|:|=)? (?:about |around |just )?$")
_ORDINAL = re.compile(r"(?:first|second|last|middle|other|final|1st|2nd) $")


def ratio(plain: str, direction: int, of_speed: bool = False) -> float | None:
    """How many times as much words ask for: "twice as loud" 2, "20 % less" 0.8, "to 80 %" 0.8.

    `direction` is below 0 where they ask for less. `of_speed` turns a ratio of length round: what
    is twice as long is half as fast. None where the words name no ratio.
    """
    for pattern, times in _TABLE["multiples"]:
        plain = re.sub(pattern, times, plain)
    beats = re.search(r"\bfrom (\d+)(?: ?bpm)? to (\d+) ?bpm\b", plain)
    if beats:
        return float(beats[2]) / max(float(beats[1]), 1.0)
    found = _ratio(plain, direction)
    if found is None:
        return None
    value, end = found
    lasting = _LASTING.match(plain[end:]) if of_speed else None
    if lasting is None:
        return value
    # Of what lasts longer there is more, whatever is said of the speed beside it.
    value, _ = _ratio(plain, -1 if lasting[0].endswith("shorter") else 1) or found
    return 1 / value if value > 0 else None


def _ratio(plain: str, direction: int) -> tuple[float, int] | None:
    """The ratio with the place behind its words."""
    named = amounts(plain)
    for amount in named:
        if amount.kind == "share":
            after_comma = amount.relation == "," and (amount.value - 1) * direction > 0
            whole = _OF_ALL.match(plain[amount.end :]) and amount.relation != "by"
            may_be_speed = not direction or amount.relation == "of"
            speed = may_be_speed and _SPEED_IS.search(plain[: amount.start])
            if amount.relation in ("to", "at") or after_comma or whole or speed:
                return amount.value, amount.end
            changed = amount.value if direction >= 0 else -amount.value
            return max(1 + changed, 0.0), amount.end
    for amount in named:
        if amount.kind == "times":
            less = direction < 0 and amount.value > 1
            return (1 / amount.value if less else amount.value), amount.end
    part = _PART.search(plain)
    if part and not _ORDINAL.search(plain[: part.start()]):
        share = float(part["many"] or 1) / PARTS[part["part"]]
        if part["by"] or part["more"]:
            share = 1 + share if direction > 0 else 1 - share
        return share, part.end() - len(part["more"] or "")
    for amount in named:
        bare = amount.relation in ("to", "at") or plain[amount.end :].startswith(" speed")
        # "Faster, 1.25": nobody counts so.
        bare = bare or (amount.relation in ("", ",") and amount.value % 1 > 0)
        if bare and not amount.kind and amount.value < 10:
            return amount.value, amount.end
    return None
