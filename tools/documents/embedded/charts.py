"""A chart: what is drawn, how it is titled, and how much of it fits."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from .cells import Column
from .group_wishes import Group
from .measure_wishes import Measure
from .measures import NAMES
from .order_wishes import Extreme

MOST_BARS, MOST_SLICES, MOST_SERIES, MOST_POINTS = 30, 12, 8, 20_000


@dataclass
class Series:
    """Numbers in the order of the names; None where there is none."""

    name: str
    values: list[float | None]


#: Colours of series, the first first.
COLOURS = (
    "#2f6fb4", "#e2803a", "#3b9c72", "#8d62b3", "#cc5464", "#b3912c", "#48a3b8", "#7d8590",
    "#a3623a", "#d48fb8", "#5b7f3a", "#4b4f8f",
)  # fmt: skip


@dataclass
class Chart:
    """All that is drawn. `names` stand at the first axis, `dates` are theirs where they are times;
    for points and histograms `xs` and `series[0].values` are the numbers themselves."""

    kind: str
    title: str
    names: list[str] = field(default_factory=list)
    series: list[Series] = field(default_factory=list)
    dates: list[dt.datetime] = field(default_factory=list)
    xs: list[float] = field(default_factory=list)
    x_title: str = ""
    y_title: str = ""
    note: str = ""
    unit: Column | None = None
    x_unit: Column | None = None
    way: str = "max"
    is_ordered: bool = False
    #: Whether series are parts of a whole, which bars can stand on each other for.
    is_stacked: bool = False
    #: Of a histogram how much of its axis each bar stands for, 0 where nothing is said.
    step: float = 0.0
    colours: tuple[str, ...] = COLOURS


def drop_undated(chart: Chart) -> None:
    """Without the rows that have no date; they come last."""
    count = len(chart.dates)
    chart.names = chart.names[:count]
    for one in chart.series:
        one.values = one.values[:count]
    chart.note = "rows without a date are left out"


def shorten(
    chart: Chart, measure: Measure, direction: bool | None, extreme: Extreme | None
) -> None:
    """Sort what has no order of its own, and leave out or gather what does not fit."""
    places = list(range(len(chart.names)))
    is_down = extreme.is_most if extreme is not None else direction is not False
    if not chart.dates and (not chart.is_ordered or direction is not None or extreme is not None):
        totals = [sum(one.values[place] or 0.0 for one in chart.series) for place in places]
        places.sort(key=lambda place: totals[place], reverse=is_down)
    most = MOST_SLICES if chart.kind == "pie" else MOST_BARS
    rest: list[int] = []
    if extreme is not None:
        places = places[: extreme.count]
    elif chart.kind != "line" and not chart.dates and len(places) > most:
        places, rest = places[: most - 1], places[most - 1 :]
    adds = chart.kind == "pie"
    names = [chart.names[place] for place in places]
    for one in chart.series:
        values = [one.values[place] for place in places]
        if rest and adds:
            values.append(sum(one.values[place] or 0.0 for place in rest))
        one.values = values
    if chart.dates:
        chart.dates = [chart.dates[place] for place in places]
    if rest and adds:
        names.append(f"Other ({len(rest):,})")
    elif rest:
        chart.note = (
            f"the {len(places)} {'highest' if is_down else 'lowest'} of {len(places) + len(rest):,}"
        )
    chart.names = names


def moment_of(key: str, part: str) -> dt.datetime:
    """When a group of dates begins, by its name."""
    if part == "year":
        return dt.datetime(int(key), 1, 1)
    if part == "month":
        return dt.datetime(int(key[:4]), int(key[5:]), 1)
    if part == "quarter":
        return dt.datetime(int(key[:4]), int(key[-1]) * 3 - 2, 1)
    if part == "week":
        return dt.datetime.fromisocalendar(int(key[:4]), int(key[-2:]), 1)
    return dt.datetime.fromisoformat(key)


def axis_title(column: Column) -> str:
    """A column as an axis is called, with its unit."""
    return _with_unit(first_up(column.name), column)


def _with_unit(name: str, column: Column) -> str:
    unit = _unit(column)
    return f"{name} ({unit})" if unit and f"({unit}" not in name else name


def _unit(column: Column) -> str:
    return "hours" if column.is_clock else (column.before or column.after).strip()


def first_up(words: str) -> str:
    """The name of a column as a title begins."""
    words = words.replace("_", " ")
    return words[:1].upper() + words[1:]


def series_name(measure: Measure, has_one_each: bool) -> str:
    """What a series is called; a sum, or what stands in one row each, by its column alone."""
    if measure.column is None:
        return "Count"
    if has_one_each or measure.way == "sum":
        return first_up(measure.column.name)
    return first_up(f"{NAMES[measure.way]} {measure.column.name}")


def chart_title(wanted: Sequence[Measure], groups: Sequence[Group], has_one_each: bool) -> str:
    """What a chart is called where no title was said: of what it is, and by what."""
    names = [
        series_name(one, has_one_each).replace("Count", "Number of rows") for one in wanted[:3]
    ]
    shown = [
        names[0],
        *(name[:1].lower() + name[1:] if not name[1:2].isupper() else name for name in names[1:]),
    ]
    what = " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
    first, *others = groups
    by = _small(first.part or first.column.name)
    lead = f"per {by}" if first.part not in ("", "weekday") else f"by {by}"
    return f"{what} {lead}" + "".join(
        f" and {_small(one.part or one.column.name)}" for one in others
    )


def _small(name: str) -> str:
    name = name.replace("_", " ")
    return name if name[1:2].isupper() else name[:1].lower() + name[1:]


def y_title(wanted: Sequence[Measure], has_one_each: bool) -> str:
    """What the axis of the numbers is called."""
    column = wanted[0].column
    if column is None:
        return "Number of rows"
    if len(wanted) > 1:
        return _unit(column)
    return _with_unit(series_name(wanted[0], has_one_each), column)
