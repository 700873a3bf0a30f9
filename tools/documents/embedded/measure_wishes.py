"""What shall be reckoned of a table, found in words: sums, means, counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .asking import Asked, Item
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
    ("mean", r"on average|averages?|means?|avg|typical"),
    ("median", r"median"),
    ("deviation", r"standard deviation|std|stdev"),
    ("spread", r"range|spread|difference between (?:the )?(?:highest|largest|max\w*) and (?:the "
               r")?(?:lowest|smallest|min\w*)"),
    ("sum", r"what did (?:i|we|they|he|she|you) (?:spend|earn|pay|make)|in total|totals?|"
            r"sums?(?: up)?|add(?:s|ed|ing)?(?: \w+)? up|altogether|in all|"
            r"combined|overall|how much|balance|together|accumulated|subtotals?"),
)  # fmt: skip
#: Things behind "how many", and nothing that tells that rows about them are meant: "oak orders".
_THINGS = re.compile(
    r"(?<!\w)(?:how many|number of)(?: (?:of|the|our|my|all))*(?P<things> V\d+(?:(?: ,| and| or)+ "
    r"V\d+)*)(?= (?:is|are|was|were|did|do|does|have|has|had|in|on|at|there|that|this|we|i|per|by|"
    r"each|left|so|for|since|during|D\d+)(?!\w)| ?[;,?!.]| ?$)"
)
#: Columns whose values are things, and such whose values only tell something of a row.
_OF_THINGS = frozenset("item product article thing good ware species artikel produkt".split())
_OF_ROWS = frozenset("status state type reason category channel method payment region".split())
_WAY = [(way, re.compile(rf"(?<!\w)(?:{words})(?!\w)")) for way, words in _WAYS]


@dataclass(frozen=True)
class Measure:
    """What is reckoned: a way and the column; rows are counted where there is none."""

    way: str
    column: Column | None = None


def pieces_in(asked: Asked) -> Column | None:
    """The column that is added up where it is asked how many of some things there are: a row may
    be about several of them. It is read before the things are taken out of the line as conditions.
    """
    found = _THINGS.search(asked.line)
    things = re.findall(r"V\d+", found["things"]) if found else ()
    if not things or not all(_is_thing(asked, asked.items[mark]) for mark in things):
        return None
    names = QUANTITY | {"stock", "count", "pc"}
    columns = [one for one in asked.sheet.columns if names & set(parts(one.name))]
    return next(filter(is_measure, columns), None)


def _is_thing(asked: Asked, item: Item) -> bool:
    """Whether a value is a thing of which a row may have several: "how many buns"."""
    told = {word for place in item.cells for word in parts(asked.sheet.columns[place].name)}
    is_plural = item.said[:1].islower() and item.said.endswith("s")
    return bool(told & _OF_THINGS) or (is_plural and not told & _OF_ROWS)


def measures_in(asked: Asked, default: str = "", pieces: Column | None = None) -> list[Measure]:
    """What shall be reckoned, the ways taken out of the line; columns that are named without a way
    go with the way that stands nearest before. Where there are `pieces`, these are counted instead
    of rows."""
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
    if pieces is not None:
        found = [Measure("sum", pieces) if one == Measure("count") else one for one in found]
    if Measure("count") in found:
        # "How many rows are there altogether" adds nothing up.
        found = [one for one in found if one != Measure("sum")]
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
    is_numbered = named[0].numbers == [float(n) for n in range(1, len(named[0].cells) + 1)]
    if is_measure(named[0]) and is_added(named[0]) and not is_numbered:
        return Measure("sum", named[0])
    return Measure("count")
