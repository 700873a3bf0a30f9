"""What shall be done with a table: what to reckon, for what groups, in which order, how many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .asking import Asked
from .cells import Column
from .words import parts

_C, _N = r"(?<!\w)C\d+(?!\w)", r"(?<!\w)N\d+(?!\w)"
PARTS = {
    "year": "year", "yearly": "year", "annual": "year", "annually": "year", "years": "year",
    "month": "month", "monthly": "month", "months": "month", "week": "week", "weekly": "week",
    "weeks": "week", "day": "day", "daily": "day", "days": "day", "date": "day",
    "quarter": "quarter", "quarterly": "quarter", "quarters": "quarter", "weekday": "weekday",
    "weekdays": "weekday", "day of the week": "weekday", "hour of the day": "hour", "hour": "hour",
    "hourly": "hour",
}  # fmt: skip
_PART = "|".join(sorted((name for name in PARTS if not name.endswith("ly") and name != "annual"),
                        key=len, reverse=True))  # fmt: skip
_LEADS = (
    r"(?:per|by|for each|for every|for all|in each|in every|within each|of each|each|every|"
    r"group(?:ed|ing)?(?: it| them| this| the \w+)? (?:by|on)|"
    r"(?:broken|break|split)(?: it| them| this)?(?: down| up)? (?:by|per|into)|according to|"
    r"depending on|"
    r"across|for the different|for different|against|vs\.?|versus)"
)
_GROUP = re.compile(
    rf"(?<!\w){_LEADS} (?:the |each |different |every )*(?P<first>{_C}|(?:{_PART})(?!\w))"
    rf"(?P<more>(?:(?: ?,| and| then| by| and by| per| and per)+ (?:the )?(?:{_C}|"
    rf"(?:{_PART})(?!\w)))*)"
)
_WHICH_PART = re.compile(rf"(?<!\w)(?:which|what) ({_C}|(?:{_PART})(?!\w))")
_A_MONTH = re.compile(r"(?<!\w)an? (month|week|day|year|quarter)(?!\w)")
_ADVERB = re.compile(r"(?<!\w)(yearly|annual(?:ly)?|monthly|weekly|daily|quarterly|hourly)(?!\w)")
_OVER_TIME = re.compile(
    r"(?<!\w)(?:over time|over the (?:years|months|weeks|days)|through time|timeline|trend)(?!\w)"
)

_DOWN = (
    r"descending|desc|highest(?: \w+)? first|largest(?: \w+)? first|biggest(?: \w+)? first|"
    r"most(?: \w+)? first|"
    r"newest(?: \w+)? first|latest(?: \w+)? first|most recent(?: \w+)? first|best first|oldest "
    r"first|"
    r"(?:from )?(?:high(?:est)?|large(?:st)?|big(?:gest)?|most|new(?:est)?|latest|z|best) to "
    r"(?:low(?:est)?|small(?:est)?|least|old(?:est)?|earliest|a|worst)|reverse(?:d)?(?: order)?|"
    r"backwards|"
    r"(?:most|highest|largest|biggest|greatest)(?: \w+)? (?:on|at) (?:the )?top|"
    r"most expensive first|dearest first|longest first|heaviest first|decreasing|downwards?|"
    r"(?:most expensive|dearest|largest|biggest|highest|latest|newest|longest|hottest|warmest|best|"
    r"heaviest|fastest) (?:on|at) (?:the )?top|"
    r"top down|(?:most expensive|(?!oldest|first|last|top|latest|newest)(?:highest|largest|biggest|"
    r"greatest|longest|heaviest|tallest|best|dearest|fastest|warmest|hottest|strongest|richest))"
    r"(?: \w+)? first"
)
_UP = (
    r"ascending|asc|lowest(?: \w+)? first|smallest(?: \w+)? first|least first|earliest(?: \w+)? "
    r"first|"
    r"(?:from )?(?:low(?:est)?|small(?:est)?|old(?:est)?|earliest|a|least) to "
    r"(?:high(?:est)?|large(?:st)?|big(?:gest)?|new(?:est)?|latest|z|most)|alphabetical(?:ly)?|a-z|"
    r"cheapest first|shortest first|lightest first|youngest first|increasing|upwards?|"
    r"chronological(?:ly)?|"
    r"(?:fewest|least|lowest|smallest)(?: \w+)? (?:on|at) (?:the )?top|"
    r"(?:cheapest|smallest|lowest|earliest|oldest) (?:on|at) (?:the )?top|worst first|(?:least "
    r"expensive|"
    r"fewest|slowest|coldest|weakest|poorest)(?: \w+)? first"
)
_SORT = re.compile(
    r"(?<!\w)(?:sort(?:ed|ing)?|order(?:ed|ing)?|rank(?:ed|ing)?|arrang(?:e|ed|ing)|put(?: "
    r"\w+)* in order|"
    rf"sequence)(?!\w)(?P<between>[^;]*?)(?:by|on|of|according to|after) (?:the |their |its "
    rf")*(?P<c>{_C})"
)

_MOST = (
    r"most expensive|highest|largest|biggest|most|maximum|max|greatest|longest|heaviest|tallest|"
    r"best|dearest|"
    r"top|latest|newest|most recent|oldest|fastest|warmest|hottest|strongest|last|richest|"
    r"(?:far )?ahead|in the lead|leading|winning|in front|out in front|leads|wins|won"
)
_LEAST = (
    r"least expensive|lowest|smallest|least|minimum|min|cheapest|shortest|lightest|earliest|"
    r"fewest|worst|"
    r"youngest|slowest|coldest|weakest|bottom|first|poorest|furthest behind|trailing|losing|"
    r"(?:lagging |falling )?behind"
)
#: "From the longest to the shortest".
_DOWN = rf"{_DOWN}|(?:from )?(?:the )?(?:{_MOST}) (?:down )?to (?:the )?(?:{_LEAST})"
_UP = rf"{_UP}|(?:from )?(?:the )?(?:{_LEAST}) (?:up )?to (?:the )?(?:{_MOST})"
_DIRECTION = re.compile(rf"(?<!\w)(?:(?P<down>{_DOWN}|z-a)|(?P<up>{_UP}))(?!\w)")
_EXTREME = re.compile(rf"(?<!\w)(?:(?P<most>{_MOST})|(?P<least>{_LEAST}))(?!\w)")
_TOP = re.compile(
    rf"(?<!\w)(?:(?P<word>{_MOST}|{_LEAST}) (?P<n>{_N})(?! %)|(?P<n2>{_N}) (?P<word2>{_MOST}|"
    rf"{_LEAST}))(?!\w)"
)
#: What an extreme is about where no column is named.
_ABOUT = {
    "expensive": "price cost amount", "dearest": "price cost", "cheapest": "price cost",
    "longest": "length distance duration time", "shortest": "length distance height duration time",
    "heaviest": "weight mass kg", "lightest": "weight mass kg", "tallest": "height",
    "fastest": "speed time",
    "slowest": "speed time",
    "warmest": "temperature temp high max maximum",
    "hottest": "temperature temp high max maximum",
    "coldest": "temperature temp low min minimum", "youngest": "age", "richest": "income salary",
    "poorest": "income salary",
}  # fmt: skip
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


_QUANTITY = frozenset("quantity qty unit piece menge anzahl".split())


@dataclass(frozen=True)
class Group:
    """What rows are grouped by: a column, and of one of dates which part of them."""

    column: Column
    part: str = ""

    @property
    def name(self) -> str:
        return self.part or self.column.name


@dataclass(frozen=True)
class Measure:
    """What is reckoned: a way and the column; rows are counted where there is none."""

    way: str
    column: Column | None = None


@dataclass(frozen=True)
class Extreme:
    """The most or the least: how many, of which column where one was said."""

    is_most: bool
    count: int
    column: Column | None
    word: str
    is_counted: bool = False
    #: What is said to have it: "the most expensive product".
    who: Column | None = None
    #: Where single rows are meant and no sums.
    is_single: bool = False


#: "The most expensive month", "the month with the lowest sales": months are told apart.
_HAVING = re.compile(
    rf"(?<!\w)(?:(?P<word>{_MOST}|{_LEAST}) (?P<part>{_PART})(?!\w)(?! first)|"
    rf"(?P<part2>{_PART}) (?:with|in which|where|when)(?P<rest> (?:the |we |i |\w+ )?(?:{_MOST}|"
    rf"{_LEAST})))(?!\w)"
)


def groups_in(asked: Asked) -> list[Group]:
    """What shall be grouped by, taken out of the line."""
    found: list[Group] = []
    place = 0
    while match := _GROUP.search(asked.line, place):
        first = asked.column(match["first"]) if match["first"] in asked.items else None
        if (
            first is not None
            and first.kind == "number"
            and not first.is_label
            and _ranks(asked, match)
        ):
            place = match.end()  # "The top five products by amount."
            continue
        names = [match["first"], *re.findall(rf"{_C}|(?:{_PART})(?!\w)", match["more"])]
        made = [_group(asked, name) for name in names]
        found += [group for group in made if group is not None and group not in found]
        asked.take(match)
    if not found and (match := _WHICH_PART.search(asked.line)):
        group = _group(asked, match[1])
        if group is not None and group.part:
            found.append(group)
            asked.take(match, " ")
    if not found and (match := _A_MONTH.search(asked.line)):
        # "What do I spend a month": an order of a month or so has no such word before it.
        group = _group(asked, match[1])
        if group is not None and group.part:
            found.append(group)
            asked.take(match, " ")
    if not found and (match := _HAVING.search(asked.line)):
        group = _group(asked, match["part"] or match["part2"])
        if group is not None and group.part:
            found.append(group)
            asked.line = (
                f"{asked.line[: match.start()]} {match['word'] or ''} {match['rest'] or ''} "
                f"{asked.line[match.end() :]}"
            )
    if match := _ADVERB.search(asked.line):
        group = _group(asked, match[1])
        if group is not None and group not in found:
            found.insert(0, group)
            asked.take(match, " ")
    if not found and (match := _OVER_TIME.search(asked.line)):
        dates = [
            column for column in asked.sheet.columns if column.kind == "date" or column.is_year
        ]
        if dates:
            found.append(Group(dates[0], natural_part(dates[0])))
            asked.take(match, " ")
    return found


def _ranks(asked: Asked, found: re.Match[str]) -> bool:
    """Whether the column behind "by" is what rows are put in order by."""
    is_by = re.match(r"(?:by|according to)\b", found[0])
    return bool(is_by and (_TOP.search(asked.line) or _EXTREME.search(asked.line[: found.start()])
                           or re.search(r"\b(?:sort|rank|order)", asked.line)))  # fmt: skip


def _group(asked: Asked, name: str) -> Group | None:
    column = asked.column(name) if name in asked.items else None
    if column is not None:
        said = asked.items[name].said.lower()
        if column.kind == "date":
            return Group(column, PARTS.get(said.split()[-1], "day"))
        return Group(column)
    part = PARTS[name]
    dates = [column for column in asked.sheet.columns if column.kind == "date"]
    if dates:
        return Group(dates[0], part)
    stemmed = next((column for column in asked.sheet.columns if part in parts(column.name)), None)
    return Group(stemmed) if stemmed else None


def natural_part(column: Column) -> str:
    """By what part of its dates a column is best told in a row: days, months or years."""
    days = sorted({value for value in column.values if value is not None})
    if column.kind != "date" or len(days) < 2:
        return ""
    span = (days[-1] - days[0]).days  # type: ignore[operator, union-attr]
    dates = len({value.date() for value in days})  # type: ignore[union-attr]
    if dates <= 62:
        return "day"
    return "day" if span <= 92 else "month" if span < 3660 else "year"


def extreme_in(asked: Asked) -> Extreme | None:
    """The most or the least that is asked for, taken out of the line."""
    found = _TOP.search(asked.line)
    count = 1
    if found:
        word = found["word"] or found["word2"]
        count = round(asked.items[found["n"] or found["n2"]].number)
    else:
        found = _EXTREME.search(asked.line)
        if not found:
            return None
        word = found[0]
    is_most = bool(re.fullmatch(_MOST, word))
    near = re.match(rf" (?:\w+ )?(?P<c>{_C})", asked.line[found.end() :])
    column = asked.column(near["c"]) if near else None
    about = _about(asked, word)
    who = None
    if about is not None and (column is None or column.kind != "number" or column.is_label):
        who, column = column, about
    is_single = column is not None and column is about
    if word == "oldest" and column is not None and column.kind == "date":
        is_most = False
    is_counted = word in ("most", "least", "fewest") and column is None
    asked.take(found, " ")
    return Extreme(is_most, max(count, 1), column, word, is_counted, who, is_single)


def _about(asked: Asked, word: str) -> Column | None:
    columns = asked.sheet.columns
    if word in ("latest", "newest", "most recent", "earliest", "oldest", "last", "first"):
        ages = [column for column in columns if {"age", "alter"} & set(parts(column.name))]
        if word == "oldest" and ages:
            return ages[0]
        return next((column for column in columns if column.kind == "date"), None)
    for about, names in _ABOUT.items():
        if about in word:
            for name in names.split():
                for column in columns:
                    if name in parts(column.name) and column.kind == "number":
                        return column
    return None


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
        named = _named(asked, line[end:limit])
        if not named and number + 1 == len(places):
            named = _named(asked, line[: places[0][0]]) if len(places) == 1 else []
        if way in ("count", "distinct"):
            found.append(_counting(way, named, line[end:limit], asked.sheet.columns))
            continue
        numbers = [column for column in named if column.kind == "number" and not column.is_label]
        if numbers:
            found += [Measure(way, column) for column in numbers]
        elif named and way == "sum":
            found.append(Measure(way, None))
        else:
            found.append(Measure(way, None))
    if not places and default:
        found = [
            Measure(default, column) for column in _named(asked, line) if column.kind == "number"
        ]
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


def _named(asked: Asked, line: str) -> list[Column]:
    found = [asked.column(mark) for mark in re.findall(_C, line)]
    return [column for column in found if column is not None]


def _counting(
    way: str, named: Sequence[Column], behind: str, asked_columns: Sequence[Column]
) -> Measure:
    """Counting counts rows; of a column with numbers such as units "how many" is their sum."""
    first = re.match(rf"(?: (?:of|the|different|total|all))* (?P<c>{_C})", behind)
    if way == "distinct":
        return Measure(way, named[0] if named else None)
    from .measures import is_added

    is_sold = re.search(
        r"(?<!\w)(?:sold|sell|bought|buy|ordered|shipped|produced|made)(?!\w)", behind
    )
    if is_sold and not (named and named[0].kind == "number"):
        quantities = [one for one in asked_columns if _QUANTITY & set(parts(one.name))]
        if quantities and quantities[0].kind == "number":
            return Measure("sum", quantities[0])
    if not (first and named):
        return Measure("count", None)
    if named[0].kind == "text" and "name" not in parts(named[0].name):
        # "How many departments": as many as there are different ones.
        return Measure("distinct", named[0])
    if named[0].kind == "number" and not named[0].is_label and is_added(named[0]):
        return Measure("sum", named[0])
    return Measure("count", None)


def direction_in(asked: Asked) -> bool | None:
    """True for the largest first, False for the smallest first, None where nothing is said."""
    found = _DIRECTION.search(asked.line)
    if not found:
        return None
    asked.take(found, " ")
    return bool(found["down"])


def orders_in(asked: Asked) -> list[tuple[Column, bool | None]]:
    """The columns that shall be sorted by, each with whether the largest comes first."""
    found: list[tuple[Column, bool | None]] = []
    line = asked.line
    sort = _SORT.search(line)
    near = re.search(rf"(?<!\w)(?:(?P<most>{_MOST})|(?:{_LEAST})) (?P<c>{_C})", line)
    if sort is None and near and not re.search(r"(?<!\w)by (?:the )?C\d", line):
        # "The orders with the most pieces at the top" go by the pieces alone.
        column = asked.column(near["c"])
        if column is not None and column.kind != "text":
            return [(column, bool(near["most"]))]
    start = sort.start("c") if sort else 0
    marks = list(re.finditer(_C, line[start:]))
    for number, mark in enumerate(marks):
        column = asked.column(mark[0])
        end = marks[number + 1].start() if number + 1 < len(marks) else len(line)
        said = _DIRECTION.search(line[start:], mark.end(), end)
        before = _DIRECTION.search(line[: start + mark.start()]) if number == 0 else None
        near = re.search(
            rf"(?<!\w)(?:(?P<down>{_MOST})|(?P<up>{_LEAST})) $", line[: start + mark.start()]
        )
        which = said or before or near
        if column is not None and all(column is not one for one, _ in found):
            found.append((column, bool(which["down"]) if which else None))
    return found


_ORDERED = re.compile(
    rf"(?<!\w)(?:sort|order|rank|arrang)(?:e|ed|ing)?(?!\w)(?P<what>(?: (?!by\b)[^;])*?)"
    rf"(?: by| on| after| according to) (?P<by>(?:the )?{_C}(?:(?: ?,| (?:and|then|by|the|"
    r"within|that|"
    rf"from|with|{_DOWN}|z-a|{_UP}))* ?(?:{_C})?)*)"
)


def order_in(asked: Asked) -> list[tuple[Column, bool]]:
    """The order that is asked for beside something else, taken out of the line: "newest first",
    "sorted by price from the dearest down"."""
    found = _ORDERED.search(asked.line)
    if found:
        rest = asked.line
        asked.line = f"sort by {found['by']}"
        orders = [(column, bool(is_down)) for column, is_down in orders_in(asked)]
        asked.line = rest
        asked.take(found, " ")
        if len(orders) == 1 and (down := direction_in(asked)) is not None:
            orders = [(orders[0][0], down)]
        return orders
    said = _DIRECTION.search(asked.line)
    if not said:
        return []
    words = re.sub(r" first$", "", said[0])
    word = re.search(rf"(?<!\w)(?:{_MOST}|{_LEAST})(?!\w)", words)
    column = _about(asked, word[0]) if word else None
    near = re.search(rf"(?P<c>{_C}) ?$", asked.line[: said.start()])
    named = asked.column(near["c"]) if near else None
    if column is None and named is not None and named.kind != "text":
        column = named
        asked.line = f"{asked.line[: near.start()]} {asked.line[near.end() :]}"  # type: ignore[union-attr]
        said = _DIRECTION.search(asked.line)
    if column is None:
        from .measures import measure_of

        column = measure_of(asked, "it shall be sorted by")
    down = direction_in(asked)
    if said and said[0].startswith("oldest"):
        down = column.kind != "date"
    return [(column, bool(down))]
