"""The drawing of a report."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from benchmarks.suites.charts import bars
from benchmarks.suites.reports import Report, Row

SVG = "{http://www.w3.org/2000/svg}"


def drawn(rows, **more):
    return ElementTree.fromstring(bars(Report("A & B <trial>", rows, **more)))


def test_each_share_is_a_bar_of_its_length_and_means_are_left_out():
    rows = [Row("all", 2, {"x": 0.5, "turns": 3.0}), Row("some", 1, {"x": 1.0})]
    tree = drawn(rows, means=frozenset({"turns"}))
    widths = [rect.get("width") for rect in tree.iter(f"{SVG}rect")]
    assert widths.count("210.0") == widths.count("420.0") == 1
    words = [text.text for text in tree.iter(f"{SVG}text")]
    assert {"A & B <trial>", "all (2)", "some (1)", "x", "0.500", "1.000"} <= set(words)
    assert "turns" not in words


def test_names_have_room_and_many_groups_are_cut():
    rows = [Row(str(number), 1, {"m" * 60: 0.1}) for number in range(20)]
    tree = drawn(rows)
    bars_drawn = [rect for rect in tree.iter(f"{SVG}rect") if rect.get("width") == "42.0"]
    assert len(bars_drawn) == 8
    assert all(float(rect.get("x")) > 60 * 6 for rect in bars_drawn)


def test_nothing_is_drawn_of_nothing():
    assert drawn([]).tag == f"{SVG}svg"
