"""Likelihoods of the reader on the paper's scale."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from controlllm.core.plans import TypedValue
from controlllm.planning.graph import ToolGraph
from controlllm.planning.matching import fitting, score_of_share
from controlllm.planning.said_wish import SaidWish
from controlllm.planning.wishes import RequestText, ShownText, Wish
from controlllm.toolbox import Argument, Tool, Toolbox
from tests.planning.scripted_reader import TOOLBOX, tool, wish

GRAPH = ToolGraph(TOOLBOX)


def fits(heard, given, graph, beside=(), text="x"):
    """How tools fit a wish that was heard in a text."""
    shown = ShownText(RequestText(text), tuple(range(len(text) + 1)), ())
    return fitting(SaidWish(heard, shown, text), given, graph, beside)


@given(st.floats(0, 1), st.floats(0, 1))
def test_scores_are_on_the_scale_and_in_the_order_of_likelihoods(first, second):
    low, high = sorted((first, second))
    assert 1.0 <= score_of_share(low) <= score_of_share(high) <= 5.0


def test_types_that_may_be_meant_stand_in_their_order():
    found = fits(
        wish("x", "x", {"describe": 0.6, "brighten": 0.3}, files=[0]),
        [TypedValue("image", "a.jpg")],
        GRAPH,
    )
    assert found.returns == "text" and found.other_returns == ("image",)
    assert 0.6 < found.sureness < 0.75


def test_what_the_likeliest_tool_lacks_is_known():
    found = fits(wish("x", "x", {"transcribe": 0.9}), [], GRAPH)
    assert found.lacks == ("audio",)
    assert not fits(wish("x", "x", {"draw": 0.9}), [], GRAPH).lacks


def test_what_a_step_makes_is_not_lacking():
    found = fits(wish("x", "x", {"crop": 0.9}), [TypedValue("image", "a.jpg")], GRAPH)
    assert not found.lacks


def test_what_could_run_with_what_else_there_is_stays_in_reach():
    heard = wish("x", "x", {"stitch": 0.1, "transcribe": 0.6, "describe": 0.3}, files=[0])
    photo = [TypedValue("image", "a.jpg")]
    assert fits(heard, photo, GRAPH).likeliest[0].name == "describe"
    assert fits(heard, photo, GRAPH, ["audio"]).likeliest[0].name == "transcribe"


def test_a_voice_is_in_reach_where_it_is_needed_or_told_words():
    toolbox = Toolbox.from_catalogue([
        tool("show", [("image", "image"), ("sound", "audio")], "video"),
        tool("describe", [("image", "image")], "text"),
        tool("speak", [("text", "text")], "audio"),
    ])  # fmt: skip
    graph, photo = ToolGraph(toolbox), [TypedValue("image", "a.jpg")]
    ends = {"show": 0.6, "describe": 0.3, "speak": 0.1}

    def heard(**steps):
        helps = {name: steps.get(name, 0.01) for name in ends}
        return Wish(((0, 1),), (0,), (), ends, 0.0, helps, {}, 0.9)

    assert fits(heard(), photo, graph).likeliest[0].name == "describe"
    assert fits(heard(speak=0.9), photo, graph).likeliest[0].name == "show"
    quotes = replace(heard(), spans=((0, 7),))
    assert fits(quotes, photo, graph, text='"Hello"').likeliest[0].name == "show"


def test_two_types_that_are_about_as_likely_are_told():
    photo = [TypedValue("image", "a.jpg")]
    close = fits(wish("x", "x", {"describe": 0.5, "brighten": 0.4}), photo, GRAPH)
    assert close.between == ("text", "image")
    clear = fits(wish("x", "x", {"describe": 0.6, "brighten": 0.3}), photo, GRAPH)
    assert clear.between == ()


def test_other_ways_to_the_same_result_are_offered():
    toolbox = Toolbox.from_catalogue([
        tool("describe", [("image", "image")], "text"),
        tool("read", [("image", "image")], "text"),
        tool("shorten", [("text", "text")], "text"),
    ])  # fmt: skip
    ends = {"describe": 0.99, "read": 0.001, "shorten": 0.001}
    heard = Wish(((0, 1),), (0,), (), ends, 0.0, dict.fromkeys(ends, 0.001), {}, 0.9)
    found = fits(heard, [TypedValue("image", "a.jpg")], ToolGraph(toolbox))
    assert found.ends["shorten"] < 2 < found.ends["read"] < found.ends["describe"] - 1


def test_files_are_gathered_by_what_takes_them_or_helps_to_and_by_no_order():
    words = [Argument(name, "text") for name in ("text", "prompt", "other")]
    table, result = Argument("table", "table"), Argument("result", "text")
    several = (Argument("tables", "table", many=True),)
    tools = [
        Tool("rewrite", "", "general", tuple(words[:2]), result),
        Tool("compare", "", "general", (words[0], words[2]), result),
        Tool("sum_up", "", "general", (table, words[1]), result),
        Tool("join", "", "general", several, Argument("result", "table")),
    ]
    graph = ToolGraph(Toolbox(tools))
    texts, tables = [[TypedValue(kind, "a"), TypedValue(kind, "b")] for kind in ("text", "table")]

    def gathers(name, given, **steps):
        ends = {one.name: 0.9 if one.name == name else 0.001 for one in tools}
        heard = Wish(((0, 1),), (0, 1), (), ends, 0.0, steps, {}, 0.9)
        return fits(heard, given, graph).gathers

    assert gathers("compare", texts) and not gathers("rewrite", texts)
    assert gathers("sum_up", tables, join=0.2) and not gathers("sum_up", tables, join=0.02)
