"""Questions about a table answered in a sentence, with the rows that the answer rests on."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from controlllm.toolbox import ToolError

from .asking import Asked, asked_of, columns_of
from .cells import Column
from .conditions import Conditions, conditions_in
from .exclusions import as_without, reject_unread_exclusions
from .measures import NAMES, cell, is_added, is_ever_added, measure_of, measures, moment, written
from .plain_requests import counted_thing, reject_leftovers
from .reading import Sheet
from .reckoning import grouped, in_words, reckon, shown
from .row_questions import (
    both_ways,
    by_frequency,
    difference,
    doubles,
    frequency_in,
    several_questions,
    with_flow,
)
from .total_rows import without_total_row
from .wishes import Extreme, Group, Measure, extreme_in, groups_in, measures_in
from .worth import with_worth

_C = r"(?<!\w)C\d+(?!\w)"
_MOST_LISTED = 30
_AGAINST = (
    r" ?(?<!\w)(?:vs\.?|versus|against|compared (?:to|with)|as opposed to|than)(?!\w)(?: the)? "
)
_VERSUS = rf"(?<!\w)V\d+(?!\w)(?:{_AGAINST}V\d+(?!\w))+"
_EITHER = re.compile(r"(?<!\w)V\d+(?: ,| (?:in|on|with|the))*(?: V\d+)*,? or (?:(?:in|on|the|with) )*V\d+(?!\w)")
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
#: "Which team comes last" is about places, not dates.
_PLACED = re.compile(
    r"\b(?:comes?|came|finish(?:es|ed)?|ends? up|is|are|in) (?P<place>last|first)(?: place)?(?=\W*$)",
    re.IGNORECASE,
)
_PLACES = {"last": "has the lowest", "first": "has the highest"}
_APART = re.compile(
    r"(?<!\w)(?:difference|gap|distance|spread) between (?:the )?(?:highest|largest|biggest|"
    r"greatest|most|maximum|max|longest|oldest) and (?:the )?(?:lowest|smallest|least|minimum|min|"
    r"shortest|youngest)(?!\w)"
)
_EXPENSE = re.compile(
    r"\b(?:expenses?|expenditures?|spen[dt]|spending|costs?|paid|payments?)\b", re.IGNORECASE
)


_COUNTED = re.compile(
    r"\b(?:most|fewest|least) (?:\w+ )?(?:people|persons?|passengers|rows|entries|women|men|children|"
    r"members|students|pupils|guests|survivors|orders|times)\b",
    re.IGNORECASE,
)


def answer(sheet: Sheet, question: str) -> str:
    """The answer to a question.

    Raises ToolError where it is about something that the table has not.
    """
    question, asks_row = without_total_row(question)
    if asks_row and not question:
        return _totals(sheet)
    question = _PLACED.sub(lambda found: _PLACES[found["place"].lower()], question)
    parts = [one for part in several_questions(question) for one in both_ways(sheet, part)]
    if len(parts) > 1:
        try:
            return "\n".join(answer(sheet, part) for part in parts)
        except ToolError:
            pass  # One of them needs what the others say.
    sheet, question = with_worth(sheet, question)
    asked = asked_of(sheet, question)
    as_without(asked)
    with_flow(asked)
    # "How many employees are there": the word for what the rows are.
    counted = counted_thing(asked.line)
    if (apart := difference(asked)) is not None:
        return apart
    often = frequency_in(asked)
    if (told := _either(asked)) is not None:
        return told
    against = _held_against(asked)
    groups = groups_in(asked)
    conditions = conditions_in(asked)
    rows = conditions.rows(sheet.count)
    groups = groups or ([against] if against else [])
    who = _entity(asked)
    if (
        told := doubles(asked, rows) or (by_frequency(asked, often, who, rows) if often else None)
    ) is not None:
        return told
    asked.line = _APART.sub(" range of ", asked.line)
    reject_unread_exclusions(asked)
    extreme = extreme_in(asked)
    found = measures_in(asked)
    reject_leftovers(asked, counted)
    if not rows and not any(measure.way in ("count", "share") for measure in found):
        return f"There are no rows for which {conditions.said}; the table has {_rows(sheet.count)}."
    if found and found[0].way == "share":
        return _share(asked, conditions, rows, found[0])
    if groups and _is_per_period(question, found):
        return _per_period(asked, groups[0], found[0], rows, conditions)
    if extreme is not None:
        return _extreme(asked, extreme, found, groups, who, rows, conditions)
    if groups:
        return _by_groups(asked, groups, found, rows, conditions)
    if found:
        return " ".join(_one(asked, measure, rows, conditions) for measure in found)
    return _looked_up(asked, rows, conditions)


def _totals(sheet: Sheet) -> str:
    """The totals that were wished below the table, in words: an answer changes no table."""
    last = [column for column in measures(sheet) if is_added(column)][-1:]
    if not last:
        raise ToolError("There is no column of numbers in this table whose total says anything.")
    total = written(math.fsum(last[0].numbers), last[0], "sum")
    return (
        f"The total of {last[0].name} is {total}. To have it in the table, ask to add a row of "
        "totals to it."
    )


def _held_against(asked: Asked) -> Group | None:
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


def _either(asked: Asked) -> str | None:
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
    is_counted = bool(re.search(r"(?<!\w)(?:more|fewer|less) (?:of the )?$", asked.line[: found.start()]))
    is_most = not re.search(r"less|fewer|worse|lower|least|behind|losing|smaller", more[0])
    asked.take(more, " ")
    conditions = conditions_in(asked)
    rows = conditions.rows(asked.sheet.count)
    ways = measures_in(asked)
    reject_leftovers(asked)
    measure = Measure("count") if is_counted else _measured(asked, ways[0] if ways else Measure("sum"))
    kinds = len({group.column.cells[row].strip().casefold() for row in rows})
    return _ranked(Extreme(is_most, max(kinds, 2), None, more[0]), measure, group, rows, conditions)


def _is_per_period(question: str, found: Sequence[Measure]) -> bool:
    """Whether the mean of what comes together in a month is asked: "a month on average"."""
    return (
        len(found) >= 1
        and any(one.way == "mean" for one in found)
        and bool(_ON_AVERAGE.search(question))
        and not any(one.column is not None and not is_added(one.column) for one in found)
    )


def _per_period(
    asked: Asked, group: Group, measure: Measure, rows: Sequence[int], conditions: Conditions
) -> str:
    """The mean of the totals of months, weeks or other kinds."""
    total = _measured(asked, Measure("sum", measure.column))
    assert total.column is not None
    values = [reckon(total, members).value or 0.0 for _, members in grouped([group], rows)]
    if not values:
        return f"There are no rows{_where(conditions)}."
    mean = written(math.fsum(values) / len(values), total.column, "mean")
    return (
        f"On average it is {mean} of {total.column.name} per {group.name}, over {len(values):,} "
        f"different values of {group.name} and {_rows(len(rows))}{_where(conditions)}."
    )


def _entity(asked: Asked) -> Column | None:
    """What is asked for: the column behind "which", or the one of names behind "who"."""
    found = re.search(rf"(?<!\w)(?:which|what|whose) (?:\w+ )?({_C})", asked.line)
    if found:
        return asked.column(found[1])
    if re.search(r"(?<!\w)who(?!\w)", asked.line):
        texts = [column for column in asked.sheet.columns if column.kind == "text"]
        named = [column for column in texts if re.search(
            r"name|employee|tenant|visitor|guest|pupil|teacher|person|customer|client|student|member|seller|player|who|rep\b|author",
            column.name, re.IGNORECASE)]  # fmt: skip
        return next(iter(named or texts), None)
    return None


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def _where(conditions: Conditions) -> str:
    return f" where {conditions.said}" if conditions else ""


def _basis(rows: int, conditions: Conditions, left_out: int = 0) -> str:
    """What an answer rests on."""
    beside = ""
    if left_out:
        beside = f" ({_rows(left_out)} without a number left out)"
    return f"over {_rows(rows)}{_where(conditions)}{beside}"


def _unsure(columns: Sequence[Column | None]) -> str:
    """Said where days and months of dates may have been taken for each other."""
    for column in columns:
        if column is not None and column.is_unsure:
            sample = next(value for value in column.values if value is not None)
            place = column.values.index(sample)
            return (
                f" The dates could be read in two ways; {column.cells[place].strip()} was read as "
                f"{moment(sample, column)}."  # type: ignore[arg-type]
            )
    return ""


def _measured(asked: Asked, measure: Measure) -> Measure:
    if measure.column is not None or measure.way in ("count", "distinct"):
        return measure
    named = [column for mark in re.findall(_C, asked.line) if (column := asked.column(mark))]
    numbers = [column for column in named if column.kind == "number"]
    if named and not numbers and measure.way != "share":
        dates = [column for column in named if column.kind == "date"]
        if not dates:
            raise ToolError(
                f"The column “{named[0].name}” has no numbers, so it has no {NAMES[measure.way]}. "
                f"Columns with numbers: "
                f"{columns_of(Sheet(measures(asked.sheet) or asked.sheet.columns))}."
            )
    column = numbers[0] if numbers else measure_of(asked, "is meant")
    if not numbers and measure.way == "sum" and not is_ever_added(column):
        raise ToolError(
            f"The only numbers are those of “{column.name}”, which are not added up. Name the "
            f"column if you mean it: the columns are {columns_of(asked.sheet)}."
        )
    return Measure(measure.way, column)


def _one(asked: Asked, measure: Measure, rows: Sequence[int], conditions: Conditions) -> str:
    """A total, an average, a count and so on over the rows."""
    if measure.way == "count":
        if not conditions:
            return f"There are {_rows(len(rows))} in the table."
        total = asked.sheet.count
        verb = "is" if len(rows) == 1 else "are"
        return (
            f"There {verb} {_rows(len(rows))}{_where(conditions)}, of {total:,} in the table."
            + _unsure([one.column for one in conditions.all])
        )
    if measure.way == "distinct":
        if measure.column is None:
            raise ToolError(
                "It is not clear of which column the different values shall be counted. The "
                f"columns are {columns_of(asked.sheet)}."
            )
        count = reckon(measure, rows).value or 0
        different = "different value" if count == 1 else "different values"
        return (
            f"The column {measure.column.name} has {count:,.0f} {different}, "
            f"{_basis(len(rows), conditions)}."
        )
    measure = _measured(asked, measure)
    assert measure.column is not None
    found = reckon(measure, rows)
    if found.value is None:
        return f"No row{_where(conditions)} has a number in the column {measure.column.name}."
    return (
        f"The {NAMES[measure.way]} of {measure.column.name} is {shown(measure, found.value)}, "
        f"{_basis(found.rows, conditions, found.left_out)}."
        + _unsure([one.column for one in conditions.all])
    )


def _share(asked: Asked, conditions: Conditions, rows: Sequence[int], measure: Measure) -> str:
    """How much of all rows, or of the total of a column, meets the conditions."""
    sheet = asked.sheet
    if not conditions:
        raise ToolError(
            "It is not clear of what the share is asked. Say a value or a condition, such as “What "
            "share is from Berlin?”."
        )
    column = measure.column
    if column is not None and is_added(column):
        part = reckon(Measure("sum", column), rows).value or 0.0
        whole = reckon(Measure("sum", column), range(sheet.count)).value or 0.0
        if not whole:
            raise ToolError(f"The column {column.name} adds up to nothing, so there is no share.")
        return (
            f"{_percent(part / whole)} of {column.name}, {written(part, column, 'sum')} of "
            f"{written(whole, column, 'sum')}, is where {conditions.said} ({len(rows):,} of "
            f"{_rows(sheet.count)})."
        )
    share = len(rows) / sheet.count
    return (
        f"{_percent(share)} of the rows, {len(rows):,} of {sheet.count:,}, are{_where(conditions)}."
    )


def _percent(share: float) -> str:
    return f"{share * 100:.1f}".rstrip("0").rstrip(".") + " %"


def _by_groups(
    asked: Asked, groups: Sequence[Group], found: Sequence[Measure], rows: Sequence[int],
    conditions: Conditions,
) -> str:  # fmt: skip
    """A number for each group, one on a line."""
    wanted = found[0] if found else Measure("sum" if measures(asked.sheet) else "count")
    measure = _measured(asked, wanted)
    lines = []
    for names, members in grouped(groups, rows):
        value = reckon(measure, members)
        name = ", ".join(in_words(*both) for both in zip(names, groups, strict=True))
        lines.append(f"- {name}: {shown(measure, value.value)}")
    left = len(lines) - _MOST_LISTED
    if left > 0:
        lines = [*lines[:_MOST_LISTED], f"- and {left:,} more"]
    what = (
        f"{NAMES[measure.way].capitalize()} of {measure.column.name if measure.column else 'rows'}"
    )
    by = " and ".join(group.name for group in groups)
    columns = [*(group.column for group in groups), *(one.column for one in conditions.all)]
    return (
        f"{what} by {by}, {_basis(len(rows), conditions)}:\n" + "\n".join(lines) + _unsure(columns)
    )


def _extreme(
    asked: Asked, extreme: Extreme, found: Sequence[Measure], groups: Sequence[Group],
    who: Column | None, rows: Sequence[int], conditions: Conditions,
) -> str:  # fmt: skip
    """Which has the most or the least, or the highest number itself."""
    column = extreme.column
    who = who if who is not None and not who.is_label else extreme.who
    named = [one for mark in re.findall(_C, asked.line) if (one := asked.column(mark))]
    ways = [measure for measure in found if measure.way in ("sum", "mean", "count", "median")]
    group = groups[0] if groups else None
    if column is not None and column.kind == "text":
        # "The top five customers", "the most common city": rows are grouped by it.
        who, column = who or column, None
    if column is None:
        numbers = [one for one in named if one.kind == "number"] + [
            measure.column for measure in ways if measure.column is not None
        ]
        column = next(iter(numbers), None)
    if who is None and column is not None and group is None:
        others = [one for one in named if one.kind == "text"]
        who = next(iter(others), None)
    if who is not None and _tells_kinds(who) and _COUNTED.search(asked.text):
        # "Which class had the most passengers": the class is none of what is counted.
        return _ranked(extreme, Measure("count"), Group(who), rows, conditions)
    if who is not None and (who is column or who.is_label):
        who = None
    if group is None and who is not None and who.kind != "number":
        group = Group(who, "day" if who.kind == "date" else "")
    is_count = column is None and (
        any(measure.way == "count" for measure in ways)
        or extreme.is_counted and (not measures(asked.sheet) or "common" in asked.text.lower()
                                   or "often" in asked.text.lower() or _is_of_rows(asked, group))
    )  # fmt: skip
    if group is not None and is_count:
        return _ranked(extreme, Measure("count"), group, rows, conditions)
    if column is None:
        column = measure_of(asked, "is meant")
    if column.kind == "date":
        return _rows_of(asked, extreme, column, rows, conditions, who)
    if min(column.numbers, default=0.0) < 0 and _EXPENSE.search(asked.text):
        # Where what is spent is below zero, the most is the lowest number.
        rows = [row for row in rows if isinstance(v := column.values[row], float) and v < 0]
        extreme = replace(extreme, is_most=not extreme.is_most)
    if group is not None and _repeats(group, rows):
        way = next((measure.way for measure in ways), "")
        if way or group.part or (is_added(column) and not extreme.is_single):
            return _ranked(extreme, Measure(way or "sum", column), group, rows, conditions)
    return _rows_of(asked, extreme, column, rows, conditions, who)


def _tells_kinds(column: Column) -> bool:
    """Whether the numbers of a column are names of a few kinds, such as classes 1 to 3."""
    kinds = set(column.numbers)
    return column.kind == "number" and len(kinds) <= 12 and all(
        value.is_integer() and abs(value) < 100 for value in kinds
    )  # fmt: skip


def _is_of_rows(asked: Asked, group: Group | None) -> bool:
    """ "Who placed the most orders": a word that names no column and so the rows."""
    found = re.search(r"(?<!\w)(?:most|fewest|least) ([a-z]+)", asked.text.lower())
    if group is None or not found:
        return False
    return found[1] in (
        "orders", "rows", "entries", "transactions", "times", "purchases", "bookings", "records",
        "visits", "tickets", "customers", "employees", "people", "products", "items",
    )  # fmt: skip


def _repeats(group: Group, rows: Sequence[int]) -> bool:
    """Whether several rows belong to one: of a list of names with one that stands there twice by
    mistake rows are asked for."""
    if group.part:
        return True
    cells = [group.column.cells[row].strip().casefold() for row in rows]
    return len(set(cells)) <= 0.85 * len(cells) or len(set(cells)) < len(cells) < 8


def _ranked(
    extreme: Extreme, measure: Measure, group: Group, rows: Sequence[int], conditions: Conditions
) -> str:
    """The groups with the most or the least."""
    values = [
        (names[0], found.value)
        for names, members in grouped([group], rows)
        if names[0] and (found := reckon(measure, members)).value is not None
    ]
    values.sort(key=lambda one: one[1], reverse=extreme.is_most)
    word = "highest" if extreme.is_most else "lowest"
    what = f"{NAMES[measure.way]} of {measure.column.name}" if measure.column else "number of rows"
    if not values:
        return f"No row{_where(conditions)} has a number there."
    basis = _basis(len(rows), conditions)
    if extreme.count == 1:
        best = values[0][1]
        tied = [in_words(name, group) for name, value in values if value == best]
        names = " and ".join([", ".join(tied[:-1]), tied[-1]] if len(tied) > 1 else tied)
        verb = "have" if len(tied) > 1 else "has"
        return (
            f"{names} {verb} the {word} {what}: {shown(measure, best)}, {basis} with "
            f"{len(values):,} different values of {group.name}.{_unsure([group.column])}"
        )
    lines = [
        f"{place}. {in_words(name, group)}: {shown(measure, value)}"
        for place, (name, value) in enumerate(values[: extreme.count], 1)
    ]
    return f"The {len(lines)} {word} of {group.name} by {what}, {basis}:\n" + "\n".join(lines)


def _rows_of(
    asked: Asked, extreme: Extreme, column: Column, rows: Sequence[int], conditions: Conditions,
    who: Column | None,
) -> str:  # fmt: skip
    """The rows with the largest or the smallest value in a column."""
    having = [row for row in rows if column.values and column.values[row] is not None]
    if not having:
        return f"No row{_where(conditions)} has a value in the column {column.name}."
    having.sort(key=lambda row: column.values[row], reverse=extreme.is_most)  # type: ignore[arg-type, return-value]
    if column.kind == "date":
        word = "latest" if extreme.is_most else "earliest"
    else:
        word = "highest" if extreme.is_most else "lowest"
    basis = _basis(len(having), conditions) + "." + _unsure([column])
    if extreme.count > 1:
        lines = [
            f"{place}. {_row(asked.sheet, row, who, column)}"
            for place, row in enumerate(having[: extreme.count], 1)
        ]
        return f"The {len(lines)} {word} of {column.name}, {basis[:-1]}:\n" + "\n".join(lines)
    best = column.values[having[0]]
    tied = [row for row in having if column.values[row] == best]
    value = cell(column, tied[0]) if column.kind == "date" else written(best, column)  # type: ignore[arg-type]
    if len(tied) > 3:
        return f"The {word} {column.name} is {value}, in {_rows(len(tied))}, {basis}"
    said = "; ".join(_row(asked.sheet, row, None, column) for row in tied)
    if who is not None and who is not column:
        names = " and ".join(who.cells[row].strip() or "(empty)" for row in tied)
        verb = "has" if len(tied) == 1 else "have"
        return f"{names} {verb} the {word} {column.name}: {value}, {basis} The row: {said}."
    return f"The {word} {column.name} is {value}, {basis} The row: {said}."


def _row(sheet: Sheet, row: int, who: Column | None, column: Column) -> str:
    if who is not None and who is not column:
        return f"{who.cells[row].strip()}: {cell(column, row)}"
    shown_columns = [one for one in sheet.columns if not one.is_empty(row)][:10]
    return ", ".join(f"{one.name} {cell(one, row)}" for one in shown_columns)


def _looked_up(asked: Asked, rows: Sequence[int], conditions: Conditions) -> str:
    """The cells of the named columns in the rows that are meant."""
    named: list[Column] = []
    for mark in re.findall(_C, asked.line):
        column = asked.column(mark)
        if column is not None and column not in named:
            named.append(column)
    is_when = re.search(r"(?<!\w)when(?!\w)", asked.text.lower())
    if is_when and not any(one.kind == "date" for one in named):
        named = [column for column in asked.sheet.columns if column.kind == "date"][:1]
    who = _entity(asked)
    if who is not None and who not in named:
        named.insert(0, who)
    if not conditions:
        if not named:
            raise ToolError(
                "I do not understand what is asked of the table. Ask for a total, an average, a "
                "count, the largest or smallest, or for what a row says. Its columns are "
                f"{columns_of(asked.sheet)}."
            )
        return _kinds(named[0], rows)
    if len(rows) == 1:
        if named:
            said = " and ".join(f"{one.name} is {cell(one, rows[0]) or 'empty'}" for one in named)
            return f"{said}, in the 1 row{_where(conditions)}."
        said = _row(asked.sheet, rows[0], None, asked.sheet.columns[0])
        return f"The row{_where(conditions)}: {said}."
    lines = [
        "- " + (", ".join(cell(one, row) or "(empty)" for one in named) if named
                else _row(asked.sheet, row, None, asked.sheet.columns[0]))
        for row in rows[:_MOST_LISTED]
    ]  # fmt: skip
    if len(rows) > _MOST_LISTED:
        lines.append(f"- and {len(rows) - _MOST_LISTED:,} more")
    what = ", ".join(one.name for one in named) or "The rows"
    return f"{what}{_where(conditions)}, {_rows(len(rows))}:\n" + "\n".join(lines)


def _kinds(column: Column, rows: Sequence[int]) -> str:
    """What a column holds."""
    if column.kind == "number":
        return (
            f"The column {column.name} has {_rows(len(rows))}, from "
            f"{written(min(column.numbers), column)} to {written(max(column.numbers), column)}. "
            f"Ask for "
            "its total, its average, or the highest."
        )
    kinds = list(dict.fromkeys(cell(column, row) for row in rows if not column.is_empty(row)))
    some = ", ".join(kinds[:_MOST_LISTED]) + (" and others" if len(kinds) > _MOST_LISTED else "")
    return (
        f"The column {column.name} has {len(kinds):,} different values in {_rows(len(rows))}: "
        f"{some}."
    )
