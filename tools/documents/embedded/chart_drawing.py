"""Charts drawn: bars, lines, slices, points and histograms, light or dark."""

from __future__ import annotations

import math
import textwrap
import warnings
from typing import TYPE_CHECKING, Any

import PIL.Image

from controlllm.toolbox import ToolError

from .cells import MONTHS
from .charts import Chart
from .measures import written

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DPI = 160
_WIDTH, _HEIGHT = 10.0, 6.25
_LIGHT = {"paper": "#ffffff", "ink": "#23272e", "soft": "#69707a", "rule": "#e3e6ea"}
_DARK = {"paper": "#16191f", "ink": "#eef0f3", "soft": "#a0a7b1", "rule": "#2e343d"}
_LONG_NAME = 13
#: Bars with fewer than these have their numbers written on them.
_LABELLED = 16


def drawn(chart: Chart, is_dark: bool) -> PIL.Image.Image:
    """The chart as a picture, 1600 by 1000 pixels, taller where many bars lie below each other."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    look = _DARK if is_dark else _LIGHT
    plain = {"text.parse_math": False, "font.family": "DejaVu Sans"}
    with matplotlib.rc_context(plain), warnings.catch_warnings():
        # A letter that the font has not is a box, and no reason to fail.
        warnings.simplefilter("ignore")
        lies = chart.kind == "bar" and _lies(chart)
        bars = len(chart.names) * (1 if chart.is_stacked else len(chart.series))
        height = max(_HEIGHT, 1.7 + 0.3 * bars) if lies else _HEIGHT
        figure = Figure(figsize=(_WIDTH, min(height, 16)), dpi=_DPI, facecolor=look["paper"])
        canvas = FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        _plain_axes(axes, look)
        if chart.kind == "bar":
            _bars(axes, chart, look, lies)
        elif chart.kind == "pie":
            _slices(axes, chart, look)
        elif chart.kind == "line":
            _lines(axes, chart, look)
        elif chart.kind == "scatter":
            _points(axes, chart, look)
        else:
            _histogram(axes, chart, look)
        _set_titles(figure, axes, chart, look, lies)
        canvas.draw()
        return PIL.Image.fromarray(_pixels(canvas)).convert("RGB")


def _pixels(canvas: Any) -> Any:
    import numpy as np

    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def _plain_axes(axes: Axes, look: dict[str, str]) -> None:
    axes.set_facecolor(look["paper"])
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(look["rule"])
    axes.tick_params(colors=look["soft"], labelsize=10.5, length=0, pad=6)
    axes.set_axisbelow(True)


def _set_titles(figure: Figure, axes: Axes, chart: Chart, look: dict[str, str], lies: bool) -> None:
    title = "\n".join(textwrap.wrap(chart.title, 62)[:3])
    lines = title.count("\n") + 1
    height = figure.get_size_inches()[1]
    figure.text(0.03, 1 - 0.22 / height, title, fontsize=17, fontweight="bold", color=look["ink"],
                va="top", ha="left", linespacing=1.25)  # fmt: skip
    top = 0.32 + 0.33 * lines
    if chart.note:
        note = textwrap.shorten(chart.note, 110, placeholder="…")
        note = note[:1].upper() + note[1:]
        figure.text(0.03, 1 - (top + 0.02) / height, note, fontsize=11.5, color=look["soft"],
                    va="top", ha="left")  # fmt: skip
        top += 0.27
    if chart.kind != "pie":
        across, upright = (chart.y_title, chart.x_title) if lies else (chart.x_title, chart.y_title)
        axes.set_xlabel(across, fontsize=11.5, color=look["soft"], labelpad=9)
        axes.set_ylabel(upright, fontsize=11.5, color=look["soft"], labelpad=9)
    if len(chart.series) > 1 or (chart.kind == "scatter" and chart.names):
        handles, names = axes.get_legend_handles_labels()
        shown = [_clipped(name, 24) for name in names]
        columns = min(len(shown), 4)
        figure.legend(
            handles, shown, loc="upper left", bbox_to_anchor=(0.022, 1 - top / height),
            ncols=columns, frameon=False, fontsize=10.5, labelcolor=look["ink"], handlelength=1.2,
            columnspacing=1.4, borderaxespad=0.2,
        )  # fmt: skip
        top += 0.3 * math.ceil(len(shown) / columns)
    room = 1 - (top + 0.06) / height
    if chart.kind == "pie":
        # The names stand beside, whose room is not reckoned with by itself.
        axes.set_position((0.03, 0.04, 0.5, room - 0.06))
        return
    figure.tight_layout(rect=(0.015, 0.015, 0.985, room))


def _number_axis(axis: Any, chart: Chart, is_first: bool = False) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    column = chart.x_unit if is_first else chart.unit
    if column is not None and column.is_year:
        axis.set_major_locator(MaxNLocator(nbins=9, integer=True))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))
        return
    whole = column is None or (not column.decimals and chart.way in ("sum", "count", "max"))
    axis.set_major_locator(MaxNLocator(nbins=7, integer=whole and not (column and column.is_clock)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: _short(value)))


def _short(value: float) -> str:
    """A number at an axis: 1,500, 2.5 million."""
    for size, word in ((1e9, "billion"), (1e6, "million")):
        if abs(value) >= size:
            return f"{value / size:,.10g} {word}"
    return f"{value:,.10g}"


def _label(chart: Chart, value: float) -> str:
    """A number written on what is drawn; beside thousands nobody reads cents."""
    largest = max(abs(one) for series in chart.series for one in series.values if one is not None)
    if chart.unit is None or chart.way in ("count", "distinct"):
        return f"{value:,.0f}"
    if abs(value) >= 1e6 and not chart.unit.is_clock:
        size, word = (1e9, "bn") if abs(value) >= 1e9 else (1e6, "m")
        return f"{value / size:,.3g} {word}"
    if largest >= 1000 and not chart.unit.is_clock:
        # Halves go up, as everywhere else.
        return f"{math.copysign(math.floor(abs(value) + 0.5), value):,.0f}"
    shown = written(value, chart.unit, chart.way)
    for unit in (chart.unit.before, chart.unit.after):
        shown = shown.replace(unit, "").strip() if unit else shown
    return shown


def _lies(chart: Chart) -> bool:
    """Whether bars lie: names that are long or many are read on a line of their own."""
    if chart.dates:
        return False
    longest = max(map(len, chart.names), default=0)
    many = len(chart.names) * (1 if chart.is_stacked else len(chart.series))
    if chart.is_ordered:
        return longest > _LONG_NAME and len(chart.names) > 6
    return longest * len(chart.names) > 84 or longest > 22 or many > 24


def _bars(axes: Axes, chart: Chart, look: dict[str, str], lies: bool) -> None:
    count = len(chart.series)
    width = 0.72 / count if count > 1 and not chart.is_stacked else 0.66
    below = [0.0] * len(chart.names)
    for number, one in enumerate(chart.series):
        shift = 0.0 if chart.is_stacked else (number - (count - 1) / 2) * width
        places = [place + shift for place in range(len(chart.names))]
        values = [value or 0.0 for value in one.values]
        across = width * (0.94 if count > 1 and not chart.is_stacked else 1.0)
        colour = chart.colours[number % len(chart.colours)]
        if lies:
            bars = axes.barh(places, values, across, left=below, label=one.name, color=colour)
        else:
            bars = axes.bar(places, values, across, bottom=below, label=one.name, color=colour)
        if chart.is_stacked:
            below = [low + value for low, value in zip(below, values, strict=True)]
            continue
        if len(chart.names) * count <= _LABELLED:
            labels = ["" if value is None else _label(chart, value) for value in one.values]
            axes.bar_label(bars, labels, padding=4, fontsize=10, color=look["ink"])
    if lies:
        names = [_clipped(name, 38) for name in chart.names]
        axes.set_yticks(range(len(names)), names)
        axes.tick_params(axis="y", labelcolor=look["ink"])
        axes.invert_yaxis()
        axes.spines["bottom"].set_visible(False)
        axes.grid(axis="x", color=look["rule"], linewidth=0.9)
        _number_axis(axes.xaxis, chart)
        axes.margins(x=0.09, y=0.02)
    else:
        _names_below(axes, chart, look)
        axes.grid(axis="y", color=look["rule"], linewidth=0.9)
        _number_axis(axes.yaxis, chart)
        axes.margins(x=0.02, y=0.1)
    if any((value or 0) < 0 for one in chart.series for value in one.values):
        line = axes.axvline if lies else axes.axhline
        line(0, color=look["soft"], linewidth=0.9)


def _names_below(axes: Axes, chart: Chart, look: dict[str, str]) -> None:
    """Names below upright bars or points of a line, as many as have room."""
    names = chart.names
    if len(names) > 7 and {name.lower() for name in names} <= set(MONTHS):
        names = [name[:3] for name in names]
    names = [_wrapped(name, len(names)) for name in names]
    longest = max((len(line) for name in names for line in name.split("\n")), default=1)
    room = max(int(94 / (longest + 2)), 2)
    step = max(-(-len(names) // room), 1)
    axes.set_xticks(range(0, len(names), step), names[::step])
    axes.tick_params(axis="x", labelcolor=look["ink"])


def _wrapped(name: str, count: int) -> str:
    width = max(int(84 / max(count, 1)), 6)
    return "\n".join(textwrap.wrap(name, width, break_long_words=False)[:3]) or name


def _lines(axes: Axes, chart: Chart, look: dict[str, str]) -> None:
    xs: Any = chart.dates or list(range(len(chart.names)))
    has_points = len(chart.names) <= 40
    for number, one in enumerate(chart.series):
        kept = [(x, value) for x, value in zip(xs, one.values, strict=True) if value is not None]
        axes.plot(
            [x for x, _ in kept], [value for _, value in kept], label=one.name, linewidth=2.4,
            color=chart.colours[number % len(chart.colours)], marker="o" if has_points else None,
            markersize=5.5, solid_capstyle="round",
        )  # fmt: skip
    if chart.dates:
        _date_axis(axes, chart)
    else:
        _names_below(axes, chart, look)
    axes.tick_params(axis="x", labelcolor=look["ink"])
    axes.grid(axis="y", color=look["rule"], linewidth=0.9)
    _number_axis(axes.yaxis, chart)
    axes.margins(x=0.03, y=0.1)
    values = [value for one in chart.series for value in one.values if value is not None]
    if min(values) >= 0 and min(values) < 0.6 * max(values):
        axes.set_ylim(bottom=0)


def _date_axis(axes: Axes, chart: Chart) -> None:
    """Times at the first axis: every one where there is room, else regular ones."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    if len(chart.dates) <= 12:
        places: Any = chart.dates
        axes.set_xticks(places, [_date_name(chart, n) for n in range(len(places))])
        return
    locator = AutoDateLocator(minticks=5, maxticks=11)
    formats = ["%Y", "%b", "%-d %b", "%H:%M", "%H:%M", "%S"]
    zeros = ["", "%Y", "%b", "%-d %b", "%H:%M", "%H:%M"]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(
        ConciseDateFormatter(locator, formats=formats, zero_formats=zeros, show_offset=False)
    )


def _date_name(chart: Chart, place: int) -> str:
    date, part = chart.dates[place], chart.x_title.lower()
    is_new = place == 0 or chart.dates[place - 1].year != date.year
    year = f"\n{date.year}" if is_new else ""
    if part == "year":
        return f"{date.year}"
    if part == "month":
        return f"{date:%b}{year}"
    if part == "quarter":
        return f"Q{(date.month + 2) // 3}{year}"
    if part == "week":
        return f"W{date.isocalendar()[1]}{year}"
    return f"{date.day} {date:%b}{year}"


def _slices(axes: Axes, chart: Chart, look: dict[str, str]) -> None:
    both = [
        (name, value)
        for name, value in zip(chart.names, chart.series[0].values, strict=True)
        if value
    ]
    if any(value < 0 for _, value in both):
        raise ToolError("A pie cannot show numbers below zero. Ask for a bar chart instead.")
    if not both:
        raise ToolError("There are only zeros, of which no pie can be drawn.")
    total = sum(value for _, value in both)
    colours = [
        look["soft"] if name.startswith("Other (") else chart.colours[number % len(chart.colours)]
        for number, (name, _) in enumerate(both)
    ]
    wedges, *_ = axes.pie(
        [value for _, value in both], colors=colours, startangle=90, counterclock=False,
        wedgeprops={"width": 0.46, "edgecolor": look["paper"], "linewidth": 2},
    )  # fmt: skip
    for wedge, (_, value) in zip(wedges, both, strict=True):
        if value / total >= 0.045:
            angle = math.radians((wedge.theta1 + wedge.theta2) / 2)
            axes.text(0.77 * math.cos(angle), 0.77 * math.sin(angle), f"{value / total:.0%}",
                      color="white", fontsize=11.5, fontweight="bold", ha="center",
                      va="center")  # fmt: skip
    named = [
        f"{_clipped(name, 26)}   {_label(chart, value)}  ({_part(value / total)})"
        for name, value in both
    ]
    axes.legend(wedges, named, loc="center left", bbox_to_anchor=(1.04, 0.5), frameon=False,
                fontsize=11.5, labelcolor=look["ink"], labelspacing=0.75, handlelength=1.0,
                handleheight=1.0)  # fmt: skip
    unit = (chart.unit.before or chart.unit.after).strip() if chart.unit is not None else ""
    axes.text(0, 0, f"{_label(chart, total)}{f' {unit}' if unit and unit != '%' else ''}\nin all",
              ha="center", va="center", fontsize=13, color=look["ink"],
              linespacing=1.4)  # fmt: skip


def _clipped(name: str, most: int) -> str:
    """A long name without its middle: names that begin alike often differ at their ends."""
    if len(name) <= most:
        return name
    return f"{name[: most - 9].rstrip()}…{name[-8:].lstrip()}"


def _part(share: float) -> str:
    return f"{share * 100:.1f} %" if share < 0.995 else f"{share * 100:.0f} %"


def _points(axes: Axes, chart: Chart, look: dict[str, str]) -> None:
    values: Any = chart.series[0].values
    size = 46 if len(values) < 300 else 22 if len(values) < 5000 else 9
    alpha = 0.85 if len(values) < 300 else 0.5
    groups = sorted(set(chart.names)) or [""]
    for number, group in enumerate(groups):
        places = [p for p in range(len(values)) if not chart.names or chart.names[p] == group]
        axes.scatter(
            [chart.xs[p] for p in places], [values[p] for p in places], s=size, alpha=alpha,
            color=chart.colours[number % len(chart.colours)], label=group or None, linewidths=0,
        )  # fmt: skip
    axes.grid(color=look["rule"], linewidth=0.9)
    _number_axis(axes.yaxis, chart)
    _number_axis(axes.xaxis, chart, is_first=True)


def _histogram(axes: Axes, chart: Chart, look: dict[str, str]) -> None:
    import numpy as np

    values = np.asarray(chart.series[0].values, float)
    column = chart.x_unit
    low, high = float(values.min()), float(values.max())
    distinct = len(np.unique(values))
    if chart.step:
        first, last = math.floor(low / chart.step), math.floor(high / chart.step) + 1
        edges = np.arange(first, last + 1) * chart.step
    elif column is not None and not column.decimals and high - low < 20:
        edges = np.arange(low - 0.5, high + 1.5)
    else:
        count = int(min(max(np.sqrt(len(values)) * 1.2, 5), 40, max(distinct, 1)))
        edges = _round_edges(low, high, count)
    axes.hist(
        values, edges.tolist(), color=chart.colours[0], edgecolor=look["paper"], linewidth=1.4
    )
    axes.grid(axis="y", color=look["rule"], linewidth=0.9)
    _number_axis(axes.yaxis, chart)
    _number_axis(axes.xaxis, chart, is_first=True)
    axes.margins(x=0.02, y=0.08)


def _round_edges(low: float, high: float, count: int) -> Any:
    """Edges at round numbers, about so many."""
    import numpy as np

    if high <= low:
        return np.array([low - 0.5, low + 0.5])
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(size * power for size in (1, 2, 2.5, 5, 10) if size * power >= rough * 0.999)
    first = math.floor(low / step)
    last = max(math.ceil(high / step), first + 1)
    return np.arange(first, last + 1) * step
