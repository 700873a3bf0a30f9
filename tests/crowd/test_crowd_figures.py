"""Figures, tables, and what a visitor reads."""

from __future__ import annotations

import pytest

from tests.crowd import figures
from tests.crowd.client import troubles_of, words_of
from tests.every_case import every_case


def test_figures_of_some_and_of_none():
    assert figures.shown([0.2, 0.1, 0.4]) == "0.20 / 0.40 s" and figures.shown([]) == "none"
    assert figures.slope([(0, 1), (2, 5)]) == pytest.approx(2) and figures.slope([]) == 0


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
