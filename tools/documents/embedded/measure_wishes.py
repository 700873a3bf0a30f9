"""What shall be reckoned of a table, found in words: sums, means, counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .asking import Asked
from .cells import Column
from .condition_words import C
from .measures import QUANTITY, is_added, is_measure
from .words import parts

_WAYS: tuple[tuple[str, str], ...] = (
    ("share", r"what (?:percentage|percent|share|proportion|fraction|part|%)|percentage|percent|"
              r"share|proportion|fraction"),
    ("distinct", r"(?:how many|number of|count(?: of)?(?: the)?) (?:different|distinct|unique|"
                 r"separate)|distinct|unique"),
    ("count", r"how many times|how often|how many|number of|count(?:s|ed|ing)?(?: of)?|tally|"
              r"frequency|frequencies|occurrences"),
    ("mean", r"on average|averages?|mean|avg|typical"),
    ("median", r"median"),
    ("deviation", r"standard deviation|std|stdev"),
    ("spread", r"range|spread|difference between (?:the )?(?:highest|largest|max\w*) and (?:the "
               r")?(?:lowest|smallest|min\w*)"),
    ("sum", r"what did (?:i|we|they|he|she|you) (?:spend|earn|pay|make)|in total|totals?|"
            r"sums?(?: up)?|add(?:s|ed|ing)?(?: \w+)? up|altogether|in all|"
            r"combined|overall|how much|balance|together|accumulated|subtotals?"),
)  # fmt: skip
_WAY = [(way, re.compile(rf"(?<!\w)(?:{words})(?!\w)")) for way, words in _WAYS]


@dataclass(frozen=True)
class Measure:
    """What is reckoned: a way and the column; rows are counted where there is none."""

    way: str
    column: Column | None = None


def measures_in(asked: Asked, default: str = "") -> list[Measure]:
    """What shall be reckoned, the ways taken out of the line; columns that are named without a way
    go with the way that stands nearest before."""
    line = asked.line
    places = []
    taken: list[tuple[int, int]] = []
    for way, pattern in _WAY:
        for match in pattern.finditer(line):
            if not any(start < match.end() and match.start() < end for start, end in taken):
                places.append((match.start(), match.end(), way))
                taken.append(match.span())
    places.sort()
    found: list[Measure] = []
    for number, (_, end, way) in enumerate(places):
        limit = places[number + 1][0] if number + 1 < len(places) else len(line)
        named = asked.named(line[end:limit])
        if not named and number + 1 == len(places):
            named = asked.named(line[: places[0][0]]) if len(places) == 1 else []
        if way in ("count", "distinct"):
            found.append(_counting(way, named, line[end:limit], asked.sheet.columns))
            continue
        numbers = list(filter(is_measure, named))
        found += [Measure(way, column) for column in numbers] or [Measure(way)]
    if not places and default:
        named = asked.named(line)
        found = [Measure(default, column) for column in named if column.kind == "number"]
    found = _with_columns(found)
    for start, end, _ in sorted(places, reverse=True):
        asked.line = f"{asked.line[:start]} ; {asked.line[end:]}"
    return found


def _with_columns(found: Sequence[Measure]) -> list[Measure]:
    """ "The average and total of price": a way without a column has that of the next."""
    columns = [measure.column for measure in found if measure.column is not None]
    shown = []
    for place, measure in enumerate(found):
        column = measure.column
        if column is None and measure.way not in ("count", "distinct") and columns:
            later = [one.column for one in found[place + 1 :] if one.column is not None]
            column = later[0] if later else columns[-1]
        if (kept := Measure(measure.way, column)) not in shown:
            shown.append(kept)
    return shown


def _counting(
    way: str, named: Sequence[Column], behind: str, asked_columns: Sequence[Column]
) -> Measure:
    """Counting counts rows; of a column with numbers such as units "how many" is their sum."""
    first = re.match(rf"(?: (?:of|the|different|total|all))* (?P<c>{C})", behind)
    if way == "distinct":
        return Measure(way, named[0] if named else None)
    is_sold = re.search(
        r"(?<!\w)(?:sold|sell|bought|buy|ordered|shipped|produced|made)(?!\w)", behind
    )
    if is_sold and not (named and named[0].kind == "number"):
        quantities = [one for one in asked_columns if QUANTITY & set(parts(one.name))]
        if quantities and quantities[0].kind == "number":
            return Measure("sum", quantities[0])
    if not (first and named):
        return Measure("count")
    if named[0].kind == "text" and "name" not in parts(named[0].name):
        # "How many departments": as many as there are different ones.
        return Measure("distinct", named[0])
    if is_measure(named[0]) and is_added(named[0]):
        return Measure("sum", named[0])
    return Measure("count")
