"""Charts of tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from controlllm.resources import Image, Table, Text
from controlllm.toolbox import tool
from controlllm.values import Choice, Colour


@tool(
    domain="image-generation",
    examples=[
        "Draw a bar chart of the sales per month.",
        "Plot the temperature over time.",
        "Make a pie chart of the expenses by category.",
        "Show the numbers in this CSV as a graph.",
        "I'd like to see price against mileage as points.",
        "Histogram of the ages, please.",
        "Visualise the top ten customers by revenue in dark mode.",
        "A line graph of both columns for my slides.",
    ],
    packages=("matplotlib", "dateutil"),
)
def draw_chart(
    table: Table,
    prompt: Text,
    kind: Annotated[
        str,
        Choice(
            bar="bar bars bar_chart bar_graph column_chart columns_chart barplot",
            line="line lines line_chart line_graph curve",
            pie="pie pie_chart cake cake_chart cake_diagram donut doughnut ring",
            # "A pie of the points" is of a column.
            scatter="scatter scatterplot as_points points_not points_instead points_rather_than "
            "with_points in_points just_points only_points dots point_cloud",
            histogram="histogram distribution",
        ),
    ] = "",
    theme: Annotated[str, Choice(dark="dark dark_mode black_background dark_background")] = "",
    colour: Colour = "",
) -> Image:
    """Draw a chart of a table: bars, lines, a pie, points or a histogram of its columns.

    Args:
        table: the table
        prompt: what shall be shown, of which columns, for each of what
        kind: the form of the chart; the one that fits the columns where nothing is said
        theme: a dark background where it is asked for
        colour: of the bars, the line or the points, where one is said
        returns: the chart, 1600 pixels wide
    """
    from .embedded import changing, chart_drawing, chart_wishes

    chart = changing.of_sheet(
        table,
        prompt,
        lambda sheet, said: chart_wishes.chart_of(sheet, said, kind),
    )
    if colour:
        chart = replace(chart, colours=(colour, *chart.colours))
    return chart_drawing.drawn(chart, theme == "dark")
