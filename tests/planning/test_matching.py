"""Likelihoods of the reader on the paper's scale."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controlllm.graph import ToolGraph
from controlllm.plan import TypedValue
from controlllm.planning.matching import fitting, score_of_share
from tests.planning.scripted_reader import TOOLBOX, wish

GRAPH = ToolGraph(TOOLBOX)


@given(st.floats(0, 1), st.floats(0, 1))
def test_scores_are_on_the_scale_and_in_the_order_of_likelihoods(first, second):
    low, high = sorted((first, second))
    assert 1.0 <= score_of_share(low) <= score_of_share(high) <= 5.0


def test_types_that_may_be_meant_stand_in_their_order():
    found = fitting(
        wish("x", "x", {"describe": 0.6, "brighten": 0.3}, files=[0]),
        [TypedValue("image", "a.jpg")],
        GRAPH,
    )
    assert found.returns == "text" and found.other_returns == ("image",)
    assert 0.6 < found.sureness < 0.75


def test_what_the_likeliest_tool_lacks_is_known():
    found = fitting(wish("x", "x", {"transcribe": 0.9}), [], GRAPH)
    assert found.lacks == ("audio",)
    assert not fitting(wish("x", "x", {"draw": 0.9}), [], GRAPH).lacks


def test_what_a_step_makes_is_not_lacking():
    found = fitting(wish("x", "x", {"crop": 0.9}), [TypedValue("image", "a.jpg")], GRAPH)
    assert not found.lacks
