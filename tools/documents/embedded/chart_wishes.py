"""What a chart shall show: of which columns, in what form, under what title."""

from __future__ import annotations

import re
from collections.abc import Sequence

from controlllm.toolbox import ToolError

from .asking import Asked, asked_of
from .cells import Column
from .charts import (
    MOST_POINTS,
    MOST_SERIES,
    MOST_SLICES,
    Chart,
    Series,
    axis_title,
    chart_title,
    drop_undated,
    first_up,
    moment_of,
    series_name,
    shorten,
    y_title,
)
from .choices import held_against
from .condition_words import C
from .conditions import conditions_in
from .exclusions import as_without, reject_unread_exclusions, reject_unread_limits
from .group_wishes import Group, groups_in, natural_part
from .measure_wishes import Measure, measures_in
from .measures import is_added, is_measure, measure_of, measures
from .order_wishes import direction_in, extreme_in
from .reading import Sheet, columns_of
from .reckoning import grouped, in_words, reckon
from .worth import with_worth

_TITLE = re.compile(
    r"(?:with (?:the |a )?)?(?:title|titled|headed|heading|headline|caption|called|named)(?: it|"
    r" is|:)? "
    r"[\"“”'‘«]([^\"“”»\n]{1,120})[\"“”'’»]", re.IGNORECASE)  # fmt: skip
_FORMS = {
    "bar": "bar", "column": "bar", "line": "line", "pie": "pie", "cake": "pie", "donut": "pie",
    "doughnut": "pie", "scatter": "scatter",
}  # fmt: skip
_FORM = re.compile(rf"\b({'|'.join(_FORMS)})s?[- ]?(?:chart|graph|plot|diagram)\b", re.IGNORECASE)
_SHARES = re.compile(r"\b(?:shares?|percentages?|proportions?|pie|donut|doughnut|make-?up)\b", re.I)
_ONE_PER_POINT = re.compile(
    r"\b(?:relation|correlat\w+|scatter\w*|points|against|versus|vs)\b", re.I
)
#: How wide the bars of a histogram shall be: "in steps of 10", "10-point bins".
_STEPS = re.compile(
    r",? ?\b(?:in|with|by|using)?\s*\b(?:steps?|bins?|classes|bands?|intervals?|buckets?|groups) "
    r"of "
    r"(?P<step>\d+(?:[.,]\d+)?)(?!\w)(?: each)?|,? ?\b(?:in|with|by|using)?\s*\b"
    r"(?P<step2>\d+(?:[.,]\d+)?)[- ](?:\w+[- ])?(?:wide )?(?:steps|bins|bands|intervals|buckets)\b",
    re.IGNORECASE,
)
_MOST_BARS = 200
_COUNTS = frozenset({"count", "number", "number of rows"})
_STANDS = r"(?: (?:runs?|running|goes|go|going|stands?|is|are|should (?:be|go|stand)))?"
#: Which column lies along the chart and which stands upright.
_LYING = re.compile(
    rf"(?P<c>{C}){_STANDS} (?:to the right|along(?: the)? (?:bottom|foot)|across|horizontal(?:ly)?|"
    r"at the (?:bottom|foot)|(?:on|along|as) (?:the )?(?:x|horizontal|bottom|lower)"
    r"(?:[ -]?axis| one)?)(?!\w)"
)
_UPRIGHT = re.compile(
    rf"(?P<c>{C}){_STANDS} (?:upwards?|upright|up|vertical(?:ly)?|"
    r"(?:on|along|as) (?:the )?(?:y|vertical|left)(?:[ -]?axis| one)?)(?!\w)"
)
_SPREAD = re.compile(r"\b(?:histograms?|distribut\w+|spread)\b", re.I)


def chart_of(sheet: Sheet, prompt: str, kind: str) -> Chart:
    """What is to be drawn.

    Raises ToolError where the table has nothing to draw of what is asked.
    """
    titled = _TITLE.search(prompt)
    words = prompt[: titled.start()] + " " + prompt[titled.end() :] if titled else prompt
    steps = _STEPS.search(words)
    words = _STEPS.sub(" ", words)
    sheet, words = with_worth(sheet, words)
    asked = asked_of(sheet, words)
    as_without(asked)
    lying, _ = _on_axis(asked, _LYING), _on_axis(asked, _UPRIGHT)
    against = held_against(asked)
    groups = groups_in(asked)
    if against is not None and all(group.column is not against.column for group in groups):
        # "Groceries vs eating out per month" has a series for each.
        groups = [*groups, against]
    conditions = conditions_in(asked)
    reject_unread_exclusions(asked)
    rows = conditions.rows(sheet.count)
    if not rows:
        raise ToolError(f"There is nothing to draw: there are no rows for which {conditions.said}.")
    reject_unread_limits(asked)
    form = _FORM.search(words)
    # "A bar chart of the points" is one of bars, whatever else the words may mean.
    kind = _FORMS[form[1].lower()] if form else kind or _kind_said(words, asked, groups)
    if kind == "scatter":
        chart = _points(asked, groups, rows, lying)
    elif kind == "histogram":
        chart = _histogram(asked, groups, rows)
        said = float((steps["step"] or steps["step2"]).replace(",", ".")) if steps else 0.0
        values = chart.series[0].values
        # More bars than these could not be told apart.
        wide = max(values, default=0.0) - min(values, default=0.0) <= _MOST_BARS * said  # type: ignore[type-var, operator]
        chart.step = said if wide else 0.0
    else:
        picked = [one.column for one in conditions.all if one.column is not None]
        chart = _by_names(asked, groups, rows, kind, picked)
    if titled:
        chart.title = titled[1].strip()
    elif conditions:
        chart.note = f"where {conditions.said}" + (f"; {chart.note}" if chart.note else "")
    return chart


def _on_axis(asked: Asked, pattern: re.Pattern[str]) -> Column | None:
    """The column that is said to be on an axis; only its name is left of that in the line."""
    found = pattern.search(asked.line)
    if found is None:
        return None
    asked.take(found, f"{found['c']} ")
    return asked.column(found["c"])


def _kind_said(words: str, asked: Asked, groups: Sequence[Group]) -> str:
    numbers = list(filter(is_measure, asked.named(asked.line)))
    numbers += [group.column for group in groups if group.column.kind == "number"]
    if _SPREAD.search(words) and numbers and not [g for g in groups if g.column.kind != "number"]:
        return "histogram"
    if _SHARES.search(words):
        return "pie"
    if _ONE_PER_POINT.search(words) and len(numbers) >= 2:
        return "scatter"
    return ""


def _named(asked: Asked) -> list[Column]:
    """The columns that are named, each once."""
    found: list[Column] = []
    for column in asked.named(asked.line):
        if all(column is not one for one in found):
            found.append(column)
    return found


def _points(
    asked: Asked, groups: Sequence[Group], rows: Sequence[int], lying: Column | None = None
) -> Chart:
    named = [*_named(asked), *(group.column for group in groups)]
    numbers = [one for one in named if one.kind == "number"]
    for one in measures(asked.sheet):
        if len(numbers) < 2 and all(one is not other for other in numbers):
            numbers.append(one)
    if len(numbers) < 2:
        raise ToolError(
            "Points need two columns of numbers, one for each direction. The columns are "
            f"{columns_of(asked.sheet)}."
        )
    # "Price against age": what is named first stands upright.
    y, x = numbers[0], numbers[1]
    if lying is y:
        y, x = x, y
    both = [
        (x.values[row], y.values[row], row) for row in rows
        if x.values[row] is not None and y.values[row] is not None
    ]  # fmt: skip
    if not both:
        raise ToolError(f"No row has a number in {x.name} and in {y.name}.")
    note = ""
    if len(both) > MOST_POINTS:
        step = -(-len(both) // MOST_POINTS)
        both, note = both[::step], f"one of each {step} points"
    kinds = [one for one in named if one.kind == "text"]
    series = [Series(y.name, [value for _, value, _ in both])]  # type: ignore[misc]
    names = []
    if kinds:
        found = [kinds[0].cells[row].strip() or "(empty)" for _, _, row in both]
        names = found if len(set(found)) <= MOST_SERIES else []
    return Chart(
        "scatter", first_up(f"{y.name} and {x.name}"), names, series,
        xs=[value for value, _, _ in both], x_title=axis_title(x), y_title=axis_title(y),  # type: ignore[misc]
        note=note, unit=y, x_unit=x,
    )  # fmt: skip


def _histogram(asked: Asked, groups: Sequence[Group], rows: Sequence[int]) -> Chart:
    named = [*_named(asked), *(group.column for group in groups)]
    numbers = [one for one in named if one.kind == "number"]
    if named and not numbers:
        return _by_names(asked, [Group(named[0])], rows, "bar")
    column = numbers[0] if numbers else measure_of(asked, "the histogram shall show")
    values = [value for row in rows if (value := column.values[row]) is not None]
    if not values:
        raise ToolError(f"The column {column.name} has no numbers to draw.")
    return Chart(
        "histogram", f"Distribution of {column.name}", series=[Series(column.name, values)],  # type: ignore[arg-type]
        x_title=axis_title(column), y_title="Number of rows", x_unit=column,
    )  # fmt: skip


def _by_names(
    asked: Asked, groups: list[Group], rows: Sequence[int], kind: str,
    picked: Sequence[Column] = (),
) -> Chart:  # fmt: skip
    """Bars, lines or slices: numbers by names or times; `picked` are the columns by which rows
    were picked."""
    direction = direction_in(asked)
    extreme = extreme_in(asked)
    if extreme is not None and extreme.count == 1:
        extreme = None
    found = measures_in(asked)
    named = _named(asked)
    if extreme is not None and extreme.column is not None:
        named = [extreme.column, *named]
    if kind == "pie" and not groups:
        groups = _parts_of_pie(asked.sheet, named, rows, picked)
    groups = groups or _implied(asked.sheet, named, kind)
    if (
        groups[0].column.kind == "date"
        and not groups[0].part
        or groups[0].part == "day"
        and kind != "bar"
    ):
        groups = [Group(groups[0].column, natural_part(groups[0].column)), *groups[1:]]
    wanted = _measures(asked, found, named, groups)
    if kind == "pie" and len(wanted) + len(groups) > 2:
        raise ToolError(
            "A pie shows the parts of one number. Name one column of numbers and one to tell its "
            "parts apart, or ask for bars."
        )
    parts = grouped(groups[:1], rows)
    is_time = groups[0].column.kind == "date" and groups[0].part not in ("weekday", "hour")
    names = [in_words(keys[0], groups[0]) for keys, _ in parts]
    has_one_each = all(len(members) == 1 for _, members in parts)
    if len(groups) > 1 and len(wanted) == 1:
        series = _series_of(groups[1], wanted[0], parts)
    else:
        series = [
            Series(
                series_name(one, has_one_each),
                [reckon(one, members).value for _, members in parts],
            )
            for one in wanted
        ]
    if all(value is None for one in series for value in one.values):
        raise ToolError("There are no numbers to draw in the rows that are meant.")
    kind = kind or ("line" if is_time and len(names) > 7 else "bar")
    chart = Chart(
        kind, chart_title(wanted, groups, has_one_each), names, series,
        x_title=first_up(groups[0].part or groups[0].column.name),
        y_title=y_title(wanted, has_one_each), unit=wanted[0].column, way=wanted[0].way,
        is_ordered=is_time or groups[0].part != "" or groups[0].column.kind == "number"
        or groups[0].column.has_calendar_order,
    )  # fmt: skip
    chart.is_stacked = (
        len(groups) > 1 and len(series) > 3 and wanted[0].way in ("sum", "count")
        and all((value or 0.0) >= 0 for one in series for value in one.values)
    )  # fmt: skip
    if is_time:
        chart.dates = [moment_of(keys[0], groups[0].part) for keys, _ in parts if keys[0]]
        if len(chart.dates) < len(names):
            drop_undated(chart)
    shorten(chart, wanted[0], direction, extreme)
    return chart


def _parts_of_pie(
    sheet: Sheet, named: Sequence[Column], rows: Sequence[int], picked: Sequence[Column]
) -> list[Group]:
    """The kinds that a pie shows where none are said: those of which some were picked, else the
    first column of words with as many as a pie can hold."""
    if any(column.kind == "text" for column in named):
        return []
    for column in (*picked, *sheet.columns):
        kinds = {column.cells[row].strip().casefold() for row in rows}
        if column.kind == "text" and 1 < len(kinds) <= MOST_SLICES:
            return [Group(column)]
    return []


def _implied(sheet: Sheet, named: Sequence[Column], kind: str) -> list[Group]:
    """What stands along the first axis where it is not said."""
    for column in named:
        if column.kind in ("text", "date") or column.is_label:
            return [Group(column)]
    dates = [column for column in sheet.columns if column.kind == "date" or column.is_year]
    texts = [column for column in sheet.columns if column.kind == "text"]
    first = sheet.columns[0]
    if kind == "line" and dates:
        return [Group(dates[0])]
    if first.kind in ("text", "date") or first.is_year:
        return [Group(first)]
    if texts or dates:
        return [Group((texts or dates)[0])]
    if first.is_label or len(sheet.columns) > 1:
        return [Group(first)]
    raise ToolError(
        "There is nothing in this table that the numbers could be told apart by. Ask for a "
        f"histogram of {first.name} instead."
    )


def _measures(
    asked: Asked, found: Sequence[Measure], named: Sequence[Column], groups: Sequence[Group]
) -> list[Measure]:
    """What is reckoned for each name."""
    taken = {id(group.column) for group in groups}
    numbers = [
        one for one in named
        if is_measure(one) and id(one) not in taken
    ]  # fmt: skip
    if found and found[0].way not in ("share",):
        shown = [one for one in found if one.column is not None and id(one.column) not in taken]
        if shown:
            return shown
        if found[0].way in ("count", "distinct") and not numbers:
            # A table of counts is drawn as it is, and its rows are not counted again.
            counted = [one for one in measures(asked.sheet) if one.name.lower() in _COUNTS]
            return [Measure("sum", counted[0])] if counted else [Measure("count")]
        way = found[0].way
        return [Measure(way, one) for one in numbers] or [
            Measure(way, measure_of(asked, "is drawn"))
        ]
    if not numbers and any(
        item.column is not None and item.column.is_yes_or_no and item.said.lower().endswith("s")
        for item in asked.items.values()
    ):
        return [Measure("count")]  # "Survivors per class" are counted.
    usual = [one for one in measures(asked.sheet) if id(one) not in taken]
    if not (numbers or usual):
        return [Measure("count")]
    if not numbers:
        numbers = usual if _fit_together(usual) else [measure_of(asked, "shall be drawn")]
    return [Measure("sum" if is_added(one) else "mean", one) for one in numbers[:MOST_SERIES]]


def _fit_together(columns: Sequence[Column]) -> bool:
    """Whether columns of numbers can share an axis: the same unit and about as large."""
    if len(columns) > 6 or len({(one.before, one.after, one.is_clock) for one in columns}) > 1:
        return False
    largest = [max(map(abs, one.numbers), default=0.0) for one in columns]
    return len(columns) == 1 or 0 < max(largest) <= 20 * min(largest)


def _series_of(
    second: Group, measure: Measure, parts: Sequence[tuple[tuple[str, ...], list[int]]]
) -> list[Series]:
    """A series for each kind of the second column; the smallest go together as others."""
    everything = sorted(row for _, members in parts for row in members)
    kinds = grouped([second], everything)
    of_row = {row: keys[0] for keys, members in kinds for row in members}
    order = [keys[0] for keys, _ in kinds]
    if len(order) > MOST_SERIES:
        sizes = {keys[0]: abs(reckon(measure, members).value or 0) for keys, members in kinds}
        kept = set(sorted(order, key=lambda one: -sizes[one])[: MOST_SERIES - 1])
        of_row = {row: one if one in kept else "Other" for row, one in of_row.items()}
        order = [one for one in order if one in kept] + ["Other"]
    series = []
    for name in order:
        values = []
        for _, members in parts:
            mine = [row for row in members if of_row[row] == name]
            values.append(reckon(measure, mine).value if mine else None)
        series.append(Series(in_words(name, second) if name != "Other" else name, values))
    return series
