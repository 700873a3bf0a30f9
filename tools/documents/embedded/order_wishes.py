"""In which order, and the most or the least of what: found in words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .asking import Asked
from .cells import Column
from .condition_words import C, N
from .measures import called, is_measure, measure_of, tells_age, tells_time

#: "The newest order should be at the top".
_STANDS = r"(?: (?:one|\w+))?(?: (?:is|are|be|should be|should come|must be|comes?|goes|stands?))?"
_AT_TOP = rf"{_STANDS} (?:first|(?:on|at|to) (?:the |its )?top)"
_AT_END = rf"{_STANDS} (?:last|(?:on|at|to) (?:the |its )?(?:very )?(?:bottom|end))"
_DOWN = (
    r"descending|desc|highest(?: \w+)? first|largest(?: \w+)? first|biggest(?: \w+)? first|"
    r"most(?: \w+)? first|"
    rf"(?:newest|latest|most recent){_AT_TOP}|(?:oldest|earliest){_AT_END}|best first|"
    r"(?:from )?(?:high(?:est)?|large(?:st)?|big(?:gest)?|most|new(?:est)?|latest|"
    r"most recent|z|best) to (?:the )?(?:low(?:est)?|small(?:est)?|least|old(?:est)?|earliest|a|"
    r"worst)|reverse(?:d)?(?: order)?|backwards|"
    r"(?:most|highest|largest|biggest|greatest)(?: \w+)? (?:on|at) (?:the )?top|"
    r"most expensive first|dearest first|longest first|heaviest first|decreasing|downwards?|"
    r"(?:most expensive|dearest|largest|biggest|highest|latest|newest|longest|hottest|warmest|best|"
    r"heaviest|fastest)(?: ones?)? (?:on|at) (?:the )?top|"
    r"top down|(?:most expensive|(?!oldest|first|last|top|latest|newest)(?:highest|largest|biggest|"
    r"greatest|longest|heaviest|tallest|best|dearest|fastest|warmest|hottest|strongest|richest))"
    r"(?: \w+)? first"
)
_UP = (
    r"ascending|asc|lowest(?: \w+)? first|smallest(?: \w+)? first|least first|"
    rf"(?:earliest|oldest){_AT_TOP}|(?:newest|latest|most recent){_AT_END}|"
    r"(?:from )?(?:low(?:est)?|small(?:est)?|old(?:est)?|earliest|a|least) to "
    r"(?:high(?:est)?|large(?:st)?|big(?:gest)?|new(?:est)?|latest|z|most)|alphabetical(?:ly)?|a-z|"
    r"cheapest first|shortest first|lightest first|youngest first|increasing|upwards?|"
    r"chronological(?:ly)?|"
    r"(?:fewest|least|lowest|smallest)(?: \w+)? (?:on|at) (?:the )?top|"
    r"(?:cheapest|smallest|lowest) (?:on|at) (?:the )?top|worst first|(?:least "
    r"expensive|"
    r"fewest|slowest|coldest|weakest|poorest)(?: \w+)? first"
)
_SORT = re.compile(
    r"(?<!\w)(?:sort(?:ed|ing)?|order(?:ed|ing)?|rank(?:ed|ing)?|arrang(?:e|ed|ing)|put(?: "
    r"\w+)* in order|"
    rf"sequence)(?!\w)(?P<between>[^;]*?)(?:by|on|of|according to|after) (?:the |their |its "
    rf")*(?P<c>{C})"
)

MOST = (
    r"most expensive|highest|largest|biggest|most|maximum|max|greatest|longest|heaviest|tallest|"
    r"best|dearest|busiest|"
    r"top|latest|newest|most recent|oldest|fastest|warmest|hottest|strongest|last|richest|"
    r"(?:far )?ahead|in the lead|leading|winning|in front|out in front|leads|wins|won"
)
LEAST = (
    r"least expensive|lowest|smallest|least|minimum|min|cheapest|shortest|lightest|earliest|"
    r"fewest|worst|"
    r"youngest|slowest|coldest|weakest|bottom|first|poorest|furthest behind|trailing|losing|"
    r"(?:lagging |falling )?behind"
)
#: "From the longest to the shortest".
_DOWN = rf"{_DOWN}|(?:from )?(?:the )?(?:{MOST}) (?:down )?to (?:the )?(?:{LEAST})"
_UP = rf"{_UP}|(?:from )?(?:the )?(?:{LEAST}) (?:up )?to (?:the )?(?:{MOST})"
_DIRECTION = re.compile(rf"(?<!\w)(?:(?P<down>{_DOWN}|z-a)|(?P<up>{_UP}))(?!\w)")
EXTREME = re.compile(rf"(?<!\w)(?:(?P<most>{MOST})|(?P<least>{LEAST}))(?!\w)")
TOP = re.compile(
    rf"(?<!\w)(?:(?P<word>{MOST}|{LEAST}) (?P<n>{N})(?! %)|(?P<n2>{N}) (?P<word2>{MOST}|"
    rf"{LEAST}))(?!\w)"
)
#: What an extreme is about where no column is named.
_ABOUT = {
    "expensive": "price cost rent fee rate amount", "dearest": "price cost rent fee rate",
    "cheapest": "price cost rent fee rate",
    "longest": "length distance duration time", "shortest": "length distance height duration time",
    "heaviest": "weight mass kg", "lightest": "weight mass kg", "tallest": "height",
    "fastest": "speed time",
    "slowest": "speed time",
    "warmest": "temperature temp high max maximum",
    "hottest": "temperature temp high max maximum",
    "coldest": "temperature temp low min minimum", "youngest": "age", "richest": "income salary",
    "poorest": "income salary",
}  # fmt: skip


#: Words that put in order by when something was; what is called so is nothing to sort by.
_WHEN = r"newest|latest|most recent|earliest|oldest"
_THING_WHEN = re.compile(
    rf"(?<!\w)(?:{_WHEN}) (?P<c>{C})(?!\w)|"
    rf"(?P<c2>{C})(?= (?:from )?(?:the )?(?:{_WHEN}|new|old) to )"
)
_THING_FIRST = re.compile(rf"(?<!\w)({MOST}|{LEAST}) {C} (first|(?:on|at) (?:the )?top)(?!\w)")
_ORDERED = re.compile(
    rf"(?<!\w)(?:sort|order|rank|arrang)(?:e|ed|ing)?(?!\w)(?P<what>(?: +(?!by\b)\S+)*?)"
    rf" *(?: by| on| after| according to) (?P<by>(?:the )?{C}(?:(?: ?,| (?:and|then|by|the|"
    r"within|that|"
    rf"from|with|{_DOWN}|z-a|{_UP}))* ?(?:{C})?)*)"
)


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


def extreme_in(asked: Asked) -> Extreme | None:
    """The most or the least that is asked for, taken out of the line."""
    found = TOP.search(asked.line)
    count = 1
    if found:
        word = found["word"] or found["word2"]
        count = round(asked.items[found["n"] or found["n2"]].number)
    else:
        found = EXTREME.search(asked.line)
        if not found:
            return None
        word = found[0]
    is_most = bool(re.fullmatch(MOST, word))
    near = re.match(rf" (?:\w+ )?(?P<c>{C})", asked.line[found.end() :])
    column = asked.column(near["c"]) if near else None
    if word in ("first", "last") and near and asked.items[near["c"]].said.lower() == "name":
        return None  # "By last name" is no end of the table.
    about = _about(asked, word)
    who = None
    if about is not None and (column is None or not is_measure(column)):
        who, column = column, about
    is_single = column is not None and column is about
    if column is not None and (
        word == "oldest"
        and column.kind == "date"
        # Who has the best time has the shortest.
        or word in ("fastest", "slowest", "best", "worst")
        and tells_time(column)
    ):
        is_most = not is_most
    is_counted = word in ("most", "least", "fewest") and column is None
    asked.take(found, " ")
    return Extreme(is_most, max(count, 1), column, word, is_counted, who, is_single)


def _about(asked: Asked, word: str) -> Column | None:
    """The column that a word such as "cheapest" is about, where none is named."""
    columns = asked.sheet.columns
    if word in ("latest", "newest", "most recent", "earliest", "oldest", "last", "first"):
        ages = list(filter(tells_age, columns))
        if word == "oldest" and ages:
            return ages[0]
        return next((column for column in columns if column.kind == "date"), None)
    for about, names in _ABOUT.items():
        if about in word:
            numbers = [column for column in columns if column.kind == "number"]
            if found := called(numbers, names.split()):
                return found
    return None


def about_in(asked: Asked) -> Column | None:
    """The column that the word for an order is about, where it tells of one: "cheapest first"."""
    said = _DIRECTION.search(asked.line)
    word = re.search(rf"(?<!\w)(?:{MOST}|{LEAST})(?!\w)", said[0]) if said else None
    return _about(asked, word[0]) if word else None


def direction_in(asked: Asked) -> bool | None:
    """True for the largest first, False for the smallest first, None where nothing is said."""
    found = _DIRECTION.search(asked.line)
    if not found:
        return None
    asked.take(found, " ")
    return bool(found["down"])


def tells_when(column: Column) -> bool:
    """Whether rows can be newer or older by a column."""
    return column.kind == "date" or column.is_year or tells_age(column)


def _without_things(asked: Asked) -> str:
    """The line without the column that a thing is called by which is newest or oldest: "the newest
    order at the top" goes by the date and not by the column "order"."""

    def bare(match: re.Match[str]) -> str:
        mark = match["c"] or match["c2"]
        column = asked.column(mark)
        return match[0] if column is None or tells_when(column) else match[0].replace(mark, "one")

    if not any(map(tells_when, asked.sheet.columns)):
        return asked.line
    return _THING_WHEN.sub(bare, asked.line)


def orders_in(asked: Asked) -> list[tuple[Column, bool | None]]:
    """The columns that shall be sorted by, each with whether the largest comes first."""
    found: list[tuple[Column, bool | None]] = []
    line = _without_things(asked)
    sort = _SORT.search(line)
    if sort is not None:
        # "By estimate, the dearest lot first": the thing itself is nothing to sort by.
        line = line[: sort.end()] + _THING_FIRST.sub(r"\g<1> \g<2>", line[sort.end() :])
    near = re.search(rf"(?<!\w)(?:(?P<most>{MOST})|(?:{LEAST})) (?P<c>{C})", line)
    if sort is None and near and not re.search(r"(?<!\w)by (?:the )?C\d", line):
        # "The orders with the most pieces at the top" go by the pieces alone.
        column = asked.column(near["c"])
        if column is not None and column.kind != "text":
            return [(column, bool(near["most"]))]
    start = sort.start("c") if sort else 0
    marks = list(re.finditer(C, line[start:]))
    for number, mark in enumerate(marks):
        column = asked.column(mark[0])
        end = marks[number + 1].start() if number + 1 < len(marks) else len(line)
        said = _DIRECTION.search(line[start:], mark.end(), end)
        before = _DIRECTION.search(line[: start + mark.start()]) if number == 0 else None
        near = re.search(
            rf"(?<!\w)(?:(?P<down>{MOST})|(?P<up>{LEAST})) $", line[: start + mark.start()]
        )
        which = said or before or near
        if column is not None and all(column is not one for one, _ in found):
            found.append((column, bool(which["down"]) if which else None))
    return found


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
    word = re.search(rf"(?<!\w)(?:{MOST}|{LEAST})(?!\w)", words)
    column = _about(asked, word[0]) if word else None
    near = re.search(rf"(?P<c>{C}) ?$", asked.line[: said.start()])
    named = asked.column(near["c"]) if near else None
    if column is None and named is not None and named.kind != "text":
        column = named
        asked.line = f"{asked.line[: near.start()]} {asked.line[near.end() :]}"  # type: ignore[union-attr]
        said = _DIRECTION.search(asked.line)
    if column is None:
        column = measure_of(asked, "it shall be sorted by")
    down = direction_in(asked)
    if said and re.match(rf"oldest{_AT_TOP}", said[0]):
        down = column.kind != "date" and not column.is_year
    return [(column, bool(down))]
