"""Charts drawn of tables: what is in them, and that a picture comes of it."""

from __future__ import annotations

import datetime as dt

import numpy as np
import PIL.Image
import pytest

from controlllm.toolbox import ToolError
from tests.tools.documents.made_tables import BOOK, ORDERS
from tools.documents.charts import draw_chart
from tools.documents.embedded.chart_wishes import chart_of
from tools.documents.embedded.charts import Chart
from tools.documents.embedded.reading import sheets_in

BLUE = (47, 111, 180)


def chart(table: str, prompt: str, kind: str = "") -> Chart:
    return chart_of(sheets_in(table)[0], prompt, kind)


def coloured(
    picture: PIL.Image.Image, colour: tuple[int, int, int], tolerance: int = 12
) -> np.ndarray:
    """Where a picture has a colour."""
    distance = np.abs(np.asarray(picture.convert("RGB")).astype(int) - colour).max(axis=2)
    return distance < tolerance


def test_bars_are_as_tall_as_their_numbers():
    picture = draw_chart(ORDERS, "Bar chart of the amount per city", kind="bar")
    assert picture.size == (1600, 1000)
    heights = coloured(picture, BLUE).sum(axis=0)
    edges = np.flatnonzero(np.diff((heights > 5).astype(int)))
    bars = [
        heights[start + 3 : end - 2].max()
        for start, end in zip(edges[::2], edges[1::2], strict=True)
    ]
    assert len(bars) == 3
    # Berlin 1,950.75, Paris 1,740.00, Rome 120.00.
    assert abs(bars[1] / bars[0] - 1740 / 1950.75) < 0.01
    assert abs(bars[2] / bars[0] - 120 / 1950.75) < 0.02


def test_what_a_chart_shows():
    cities = chart(ORDERS, "Bar chart of the amount per city")
    assert cities.names == ["Berlin", "Paris", "Rome"]
    assert cities.series[0].values == [1950.75, 1740.0, 120.0]
    assert cities.title == "Amount by city"
    assert (cities.x_title, cities.y_title) == ("City", "Amount (€)")
    months = chart(ORDERS, "total amount by month")
    assert months.names == ["January 2024", "February 2024", "March 2024"]
    assert months.dates[1] == dt.datetime(2024, 2, 1)
    top = chart(ORDERS, "the top 2 products by units")
    assert top.names == ["Apple", "Pear"] and top.series[0].values == [23.0, 10.0]
    counted = chart(ORDERS, "how many orders per customer")
    assert counted.series[0].values[0] == 2.0 and counted.y_title == "Number of rows"
    berlin = chart(ORDERS, "pie chart of the amount by product in Berlin", "pie")
    assert berlin.kind == "pie" and berlin.note == "where City is Berlin"
    assert berlin.series[0].values == [1200.5, 700.0, 50.25]
    assert chart(ORDERS, 'amount per city, titled "My sales"').title == "My sales"
    both = chart(ORDERS, "units by product and city")
    assert [one.name for one in both.series] == ["Berlin", "Paris", "Rome"]
    points = chart(ORDERS, "plot the amount against the units", "scatter")
    assert points.xs[0] == 10.0 and points.series[0].values[0] == 1200.5
    ages = chart(BOOK, "distribution of age")
    assert ages.kind == "histogram" and ages.series[0].values == [31.0, 28.0, 45.0]


def test_wide_tables_have_a_series_for_each_column():
    wide = "Month,2023,2024\nMarch,3,5\nJanuary,1,4\nFebruary,2,6\n"
    shown = chart(wide, "Draw a chart of this table")
    assert shown.names == ["January", "February", "March"]
    assert [(one.name, one.values) for one in shown.series] == [
        ("2023", [1.0, 2.0, 3.0]),
        ("2024", [4.0, 6.0, 5.0]),
    ]


def test_many_slices_are_gathered_and_many_bars_left_out():
    many = "name,n\n" + "".join(f"Kind {number:02},{number + 1}\n" for number in range(40))
    pie = chart(many, "pie chart of n by name", "pie")
    assert len(pie.names) == 12 and pie.names[-1] == "Other (29)"
    assert sum(value or 0 for value in pie.series[0].values) == 820
    bars = chart(many, "bar chart of n by name", "bar")
    assert bars.names[0] == "Kind 39" and bars.note == "the 29 highest of 40"


@pytest.mark.long
def test_every_kind_is_drawn_light_and_dark():
    for kind in ("bar", "line", "pie", "scatter", "histogram"):
        for theme in ("", "dark"):
            wish = "amount per product" if kind == "pie" else "amount and units"
            picture = draw_chart(ORDERS, wish, kind=kind, theme=theme)
            assert picture.width == 1600 and picture.mode == "RGB"
            corner = picture.getpixel((2, 2))
            assert corner == ((22, 25, 31) if theme else (255, 255, 255))
            assert coloured(picture, BLUE, 40).sum() > 400, kind


def test_odd_tables_are_drawn():
    for table, prompt in (
        ("a,b\nx,1\n", "chart"),
        ("a,b\nx,-5\ny,3\nz,\n", "bar chart of b by a"),
        ("price $,cost $\n1,2\n3,4\n", "plot price against cost"),
        ("n\n1\n2\n", "histogram of n"),
        ("n\n5\n5\n", "histogram of n"),
        ("name,n\n名前,1\nأحمد,2\n" + "very " * 60 + "long,3\n", "bar chart"),
    ):
        assert draw_chart(table, prompt).width == 1600, prompt
    long_days = "day,n\n" + "".join(
        f"{dt.date(2020, 1, 1) + dt.timedelta(days=number)},{number % 50}\n"
        for number in range(2000)
    )
    assert chart(long_days, "n over time").kind == "line"
    assert draw_chart(long_days, "n over time").width == 1600


def test_what_cannot_be_drawn_is_told():
    with pytest.raises(ToolError, match="below zero"):
        draw_chart("a,b\nx,-5\ny,3\n", "pie of b by a", kind="pie")
    with pytest.raises(ToolError, match="parts of one number"):
        draw_chart(ORDERS, "amount and units per city", kind="pie")
    with pytest.raises(ToolError, match="two columns of numbers"):
        draw_chart("a,b\nx,5\ny,3\n", "points", kind="scatter")
    with pytest.raises(ToolError, match="nothing to draw"):
        draw_chart(ORDERS, "amount per city over 9999")
    with pytest.raises(ToolError, match="no table"):
        draw_chart("Hello there", "a chart")


def test_a_colour_that_is_said_is_that_of_the_bars():
    pixels = np.asarray(draw_chart(ORDERS, "Bar chart of the amount per city", colour="#008000"))
    green = (np.abs(pixels.astype(int) - (0, 128, 0)).max(axis=2) < 40).mean()
    assert green > 0.05
