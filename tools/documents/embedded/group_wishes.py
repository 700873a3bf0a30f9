"""What the rows of a table shall be grouped by, found in words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .asking import Asked
from .cells import Column
from .condition_words import C
from .measures import called, is_measure
from .order_wishes import EXTREME, LEAST, MOST, TOP

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
    rf"(?<!\w){_LEADS} (?:the |each |different |every )*(?P<first>{C}|(?:{_PART})(?!\w))"
    rf"(?P<more>(?:(?: ?,| and| then| by| and by| per| and per)+ (?:the )?(?:{C}|"
    rf"(?:{_PART})(?!\w)))*)"
)
_BESIDE = re.compile(rf"^ ?, (?:the )?(?P<c>{C})$")
_WHICH_PART = re.compile(rf"(?<!\w)(?:which|what) ({C}|(?:{_PART})(?!\w))")
_A_MONTH = re.compile(r"(?<!\w)an? (month|week|day|year|quarter)(?!\w)")
_ADVERB = re.compile(r"(?<!\w)(yearly|annual(?:ly)?|monthly|weekly|daily|quarterly|hourly)(?!\w)")
_OVER_TIME = re.compile(
    r"(?<!\w)(?:over time|over the (?:years|months|weeks|days)|through time|timeline|trend)(?!\w)"
)


#: "The most expensive month", "the month with the lowest sales": months are told apart.
_HAVING = re.compile(
    rf"(?<!\w)(?:(?P<word>{MOST}|{LEAST}) (?P<part>{_PART})(?!\w)(?! first)|"
    rf"(?P<part2>{_PART}) (?:with|in which|where|when)(?P<rest> (?:the |we |i |\w+ )?(?:{MOST}|"
    rf"{LEAST})))(?!\w)"
)


@dataclass(frozen=True)
class Group:
    """What rows are grouped by: a column, and of one of dates which part of them."""

    column: Column
    part: str = ""

    @property
    def name(self) -> str:
        return self.part or self.column.name


def groups_in(asked: Asked) -> list[Group]:
    """What shall be grouped by, taken out of the line."""
    found: list[Group] = []
    place = 0
    while match := _GROUP.search(asked.line, place):
        first = asked.column(match["first"]) if match["first"] in asked.items else None
        if first is not None and is_measure(first) and _ranks(asked, match):
            place = match.end()  # "The top five products by amount."
            continue
        names = [match["first"], *re.findall(rf"{C}|(?:{_PART})(?!\w)", match["more"])]
        made = [_group(asked, name) for name in names]
        beside = _BESIDE.search(match["more"])
        shown = asked.column(beside["c"]) if beside else None
        if shown is not None and is_measure(shown):
            # "One bar per month, rainfall upwards": what is shown stands behind the comma.
            made.pop()
        found += [group for group in made if group is not None and group not in found]
        asked.take(match, f" ; {beside['c']} " if beside and len(made) < len(names) else " ; ")
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
    return bool(is_by and (TOP.search(asked.line) or EXTREME.search(asked.line[: found.start()])
                           or re.search(r"\b(?:sort|rank|order)", asked.line)))  # fmt: skip


def _group(asked: Asked, name: str) -> Group | None:
    """The group of a column's mark or of a part of time, None where the table has no such."""
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
    column = called(asked.sheet.columns, [part])
    return Group(column) if column else None


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
