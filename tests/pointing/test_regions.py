"""What was pointed at, as resources with numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from controlllm.pointing import regions
from controlllm.resources import BadInput, Box, ClickedPoint, Resource, decode
from controlllm.resources.marks import Marks, Stroke
from controlllm.store import Store
from tests.every_case import every_case


@pytest.fixture
def session_id(tmp_path: Path) -> tuple[Store, str]:
    store = Store(tmp_path)
    session = store.new_session()
    photo = Resource("image", "a.jpg", "0" * 64, details={"width": 80, "height": 60})
    store.update(session.id, lambda current: current.with_resource(photo))
    return store, session.id


CLICK = Marks(points=(ClickedPoint(40, 30),))


def test_a_region_has_the_size_of_its_picture_and_the_next_number(session_id) -> None:
    store, ident = session_id
    small = np.zeros((30, 40), bool)
    small[10:20, 10:30] = True
    first = regions.add_region(store, ident, "a.jpg", CLICK, small, "dog")
    second = regions.add_region(store, ident, "a.jpg", CLICK, small, "")
    assert (first.value, second.value) == ("[1]", "[2]")
    assert first.details["image"] == "a.jpg" and first.details["thing"] == "dog"
    (kept,) = decode("mask", store.path(first.digest, first.media_type))
    assert kept.pixels.shape == (60, 80) and kept.label == "dog"
    assert kept.pixels[30, 40] and not kept.pixels[5, 5]
    assert Marks.from_json(first.details["marks"]) == CLICK
    assert store.load(ident).resource("[2]") == second


def test_nothing_found_or_no_picture_is_said(session_id) -> None:
    store, ident = session_id
    with pytest.raises(BadInput, match="Nothing was found"):
        regions.add_region(store, ident, "a.jpg", CLICK, np.zeros((30, 40), bool), "")
    with pytest.raises(BadInput, match=r"b\.jpg"):
        regions.add_region(store, ident, "b.jpg", CLICK, np.ones((30, 40), bool), "")


@every_case(
    "marks",
    [
        Marks(),
        Marks(points=(ClickedPoint(5, 5, False),)),
        Marks(points=(ClickedPoint(500, 5),)),
        Marks(boxes=(Box(90, 5, 120, 20),)),
        Marks(strokes=(Stroke(((5.0, 5.0),), 4, erases=True),)),
    ],
    anew=(session_id,),
)
def test_marks_that_say_nothing_or_lie_outside_are_refused(session_id, marks: Marks) -> None:
    store, ident = session_id
    with pytest.raises(BadInput):
        regions.check(store.load(ident).resource("a.jpg"), marks)


@every_case(
    "sent",
    [
        {"points": "all"},
        {"points": [{"x": "far"}]},
        {"boxes": [{"left": 1}]},
        {"strokes": [{"path": [[1]], "width": 3}]},
        {"points": [{"x": 1, "y": 1}] * 1001},
        {"strokes": [{"path": [[1, 1]] * 50_000, "width": 3}]},
    ],
)
def test_what_cannot_be_read_is_refused_in_words(sent: dict) -> None:
    with pytest.raises(BadInput):
        Marks.from_json(sent)


def test_marks_come_back_from_json() -> None:
    marks = Marks(
        (ClickedPoint(1, 2, False),),
        (Box(1, 2, 3, 4),),
        (Stroke(((1.0, 2.0), (3.0, 4.0)), 5.0, True),),
    )
    assert Marks.from_json(marks.to_json()) == marks
    assert marks.scaled(2).boxes[0].bottom == 8 and marks.scaled(2).strokes[0].width == 10
