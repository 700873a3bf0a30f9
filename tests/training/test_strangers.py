"""Tools of other toolboxes beside those that requests need."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

from training.strangers import Remembered, Strangers

BOXES = {
    "trains": {
        "delay": "train delay: How late a train is. train to text",
        "fare": "train fare: What a train ride costs. train to number",
    },
    "planes": {
        "late": "flight delay: How late a flight or train is. flight to text",
        "seat_map": "seat map: Draw the seats of a plane. flight to image",
    },
    "kitchen": {"recipe": "recipe: How a dish is cooked. text to text"},
}


@pytest.fixture(scope="module")
def strangers():
    return Strangers(BOXES)


def test_none_of_the_toolbox_and_none_that_does_the_same(strangers):
    beside = strangers.drawn(strangers.apart("trains", ["delay"]), 9, random.Random(0))
    assert set(beside) == {("planes", "seat_map"), ("kitchen", "recipe")}
    assert beside["kitchen", "recipe"] == BOXES["kitchen"]["recipe"]


def test_none_that_may_do_what_no_tool_of_the_toolbox_does(strangers):
    beside = strangers.drawn(
        strangers.apart("trains", [], ["how do I cook this dish"]), 9, random.Random(0)
    )
    assert ("kitchen", "recipe") not in beside and len(beside) == 2


def test_where_nothing_is_needed_all_others_are_strangers(strangers):
    assert strangers.apart("trains", []).tolist() == [False, False, True, True, True]


def test_what_was_read_last_is_remembered(strangers):
    remembered, draw = Remembered(), random.Random(0)
    assert remembered.beside(strangers.apart("trains", ["fare"]), draw).shape == (0, 384)
    places = [strangers.place(key) for key in [("kitchen", "recipe"), ("trains", "fare")]]
    vectors = torch.eye(384, requires_grad=True)[:2]
    remembered.add(places, vectors)
    found = remembered.beside(strangers.apart("trains", ["fare"]), draw)
    assert found.shape == (1, 384) and not found.requires_grad
    assert np.array_equal(found[0].numpy(), vectors[0].detach().numpy())


def test_the_others_of_a_toolbox_are_twins_but_for_those_that_are_shown_or_left_out(strangers):
    assert strangers.twins("planes", ["late"], []).tolist() == [False, False, False, True, False]
    assert not strangers.twins("trains", ["delay"], ["fare"]).any()
    assert strangers.key(3) == ("planes", "seat_map")


def test_the_most_alike_of_what_is_remembered_come_first():
    remembered = Remembered()
    remembered.add([0, 1, 2], torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.8, 0.6]]))
    assert remembered.nearest(0, [1, 2, 3], 2) == [2, 1]
    assert remembered.nearest(0, [1, 2, 3], 1) == [2]
    assert remembered.nearest(3, [1, 2], 2) == []
    assert remembered.nearest(0, [3], 2) == []
