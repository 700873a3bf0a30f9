"""Percentiles, slopes, tables, and what a visitor reads."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crowd import figures
from tests.crowd.client import troubles_of, words_of
from tests.every_case import every_case

numbers = st.floats(-1e6, 1e6)


@settings(deadline=None)
@given(st.lists(numbers, min_size=1), st.floats(0, 1))
def test_a_percentile_is_one_of_the_values_with_its_share_below(values, share):
    found = figures.percentile(values, share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values)


def test_there_is_no_percentile_of_nothing():
    assert math.isnan(figures.percentile([], 0.95))
    assert figures.milliseconds([]) == figures.seconds([]) == "none"


@settings(deadline=None)
@given(st.floats(-100, 100), numbers, st.sets(st.integers(0, 1000), min_size=2))
def test_the_slope_of_a_line_is_found(growth, start, places):
    points = [(float(place), start + growth * place) for place in places]
    assert figures.slope(points) == pytest.approx(growth, abs=1e-3)


def test_a_sentence_cannot_break_a_table():
    lines = list(figures.table(["a", "b"], [["one | two", "three\nfour"]]))
    assert lines[2] == "| one \\| two | three four |"


@every_case(
    ("html", "said"),
    [
        ('<article><div class="answer"><p>It is <b>so</b>.</p></div></article>', "It is so ."),
        ('<div class="failure" role="alert"><svg>x</svg><div><p>No &amp; no.</p></div></div>',
         "No & no."),
        ('<p class="stopped"><svg>x</svg><span>Stopped.</span></p>', "Stopped."),
    ],
)  # fmt: skip
def test_what_a_person_reads_is_found(html, said):
    assert words_of(html) == said


def test_notices_and_reasons_are_found_once():
    why = '<span class="why">It crashed.</span>'
    html = (
        f'<p class="notice"><svg>x</svg><span>Another way.</span></p><li>{why}</li><li>{why}</li>'
    )
    assert troubles_of(html) == ("Another way.", "It crashed.")
