"""Values of a table held against each other, and means of what comes together in a month."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from .answer_words import measured, rows_said, where_said
from .asking import Asked
from .conditions import conditions_in
from .extremes import ranked
from .group_wishes import Group
from .measure_wishes import Measure, measures_in
from .measures import is_added, written
from .order_wishes import Extreme
from .plain_requests import reject_leftovers
from .reckoning import grouped, reckon
from .row_tests import Conditions

_AGAINST = (
    r" ?(?<!\w)(?:vs\.?|versus|against|compared (?:to|with)|as opposed to|than)(?!\w)(?: the)? "
)
_VERSUS = rf"(?<!\w)V\d+(?!\w)(?:{_AGAINST}V\d+(?!\w))+"
_EITHER = re.compile(
    r"(?<!\w)V\d+(?: ,| (?:in|on|with|the))*(?: V\d+)*,? or (?:(?:in|on|the|with) )*V\d+(?!\w)"
)
_MORE_OR_LESS = re.compile(
    r"(?<!\w)(?:more|less|fewer|better|worse|higher|lower|bigger|smaller|winning|won|wins|ahead|"
    r"leading|in the lead|behind|losing|most|least|best|worst|highest|lowest|stronger|weaker)(?!\w)"
)
_ON_AVERAGE = re.compile(
    r"\baverage (?:monthly|weekly|daily|yearly|annual|quarterly)\b|"
    r"\b(?:monthly|weekly|daily|yearly|annual|quarterly) average\b|"
    r"\b(?:a|per|each|every) (?:month|week|day|year|quarter)\b.*\bon average\b|"
    r"\bon average\b.*\b(?:a|per|each|every) (?:month|week|day|year|quarter)\b",
    re.IGNORECASE,
)


def held_against(asked: Asked) -> Group | None:
    """What is told apart where values of one column are held against each other: "women vs men"
    is by sex, and both are kept."""
    found = re.search(_VERSUS, asked.line)
    if found is None:
        return None
    items = [asked.items[mark] for mark in re.findall(r"V\d+", found[0])]
    shared = set(items[0].cells).intersection(*(item.cells for item in items[1:]))
    if not shared:
        return None
    asked.line = re.sub(_AGAINST, " or ", asked.line)
    return Group(asked.sheet.columns[min(shared)])


def either(asked: Asked) -> str | None:
    """Which of two or more values has more: "who's winning, red or blue?", "did more women or men
    survive". Where it is said of what they have more that is reckoned, else rows are counted."""
    found = _EITHER.search(asked.line)
    more = _MORE_OR_LESS.search(asked.line)
    if not found or not more:
        return None
    items = [asked.items[mark] for mark in re.findall(r"V\d+", found[0])]
    shared = set(items[0].cells).intersection(*(item.cells for item in items[1:]))
    if not shared:
        return None
    group = Group(asked.sheet.columns[min(shared)])
    is_counted = bool(
        re.search(r"(?<!\w)(?:more|fewer|less) (?:of the )?$", asked.line[: found.start()])
    )
    is_most = not re.search(r"less|fewer|worse|lower|least|behind|losing|smaller", more[0])
    asked.take(more, " ")
    conditions = conditions_in(asked)
    rows = conditions.rows(asked.sheet.count)
    ways = measures_in(asked)
    reject_leftovers(asked)
    measure = (
        Measure("count") if is_counted else measured(asked, ways[0] if ways else Measure("sum"))
    )
    kinds = len({group.column.cells[row].strip().casefold() for row in rows})
    return ranked(Extreme(is_most, max(kinds, 2), None, more[0]), measure, group, rows, conditions)


def is_per_period(question: str, found: Sequence[Measure]) -> bool:
    """Whether the mean of what comes together in a month is asked: "a month on average"."""
    return (
        len(found) >= 1
        and any(one.way == "mean" for one in found)
        and bool(_ON_AVERAGE.search(question))
        and not any(one.column is not None and not is_added(one.column) for one in found)
    )


def per_period(
    asked: Asked, group: Group, measure: Measure, rows: Sequence[int], conditions: Conditions
) -> str:
    """The mean of the totals of months, weeks or other kinds."""
    total = measured(asked, Measure("sum", measure.column))
    assert total.column is not None
    values = [reckon(total, members).value or 0.0 for _, members in grouped([group], rows)]
    if not values:
        return f"There are no rows{where_said(conditions)}."
    mean = written(math.fsum(values) / len(values), total.column, "mean")
    return (
        f"On average it is {mean} of {total.column.name} per {group.name}, over {len(values):,} "
        f"different values of {group.name} and {rows_said(len(rows))}{where_said(conditions)}."
    )
