"""Best-first search against brute force on random small toolboxes."""

from __future__ import annotations

import itertools

from hypothesis import strategies as st

from controlllm.core.plans import TypedValue
from controlllm.planning.drafts import AllMade, canonical
from controlllm.planning.graph import ToolGraph
from controlllm.planning.search import Extent, best_first, worth_assessing
from controlllm.planning.space import Goal
from controlllm.toolbox import Argument, Tool, Toolbox
from tests.planning.brute_force import LENGTH, BruteForce, as_tree, over, problems


def solve(problem, **options):
    tools, scores, handed, texts, wanted = problem
    return best_first(
        ToolGraph(Toolbox(tuple(tools))),
        Goal(handed, texts, wanted),
        lambda asked: {tool.name: scores[tool.name] for tool in asked},
        Extent(length=LENGTH, max_visited=200_000, **options),
    )


def rounded(costs):
    return [round(cost, 6) for cost in sorted(costs)]


def check_all(problem, count):
    result = solve(problem, limit=count, margin=100.0, roundabout=100.0)
    expected = BruteForce(*problem).costs
    assert result.complete
    assert rounded(item.cost for item in result.candidates) == rounded(expected.values())[:count]
    for candidate in result.candidates:
        assert round(expected[as_tree(candidate.drafts)], 6) == round(candidate.cost, 6)


@over(100, 300, problem=problems())
def test_best_first_finds_the_best_solutions_that_brute_force_finds(problem):
    check_all(problem, 6)


@over(60, 150, problem=problems(lists=True))
def test_so_it_does_where_inputs_take_lists_or_may_be_left_out(problem):
    check_all(problem, 6)


@over(60, 200, problem=problems(lists=True), roundabout=st.sampled_from((0.0, 0.2, 0.6)))
def test_only_what_is_too_roundabout_is_left_out_and_never_the_best(problem, roundabout):
    result = solve(problem, limit=6, margin=100.0, roundabout=roundabout)
    everything = BruteForce(*problem)
    costs, lengths = everything.costs, everything.roundabout
    if not costs:
        assert result.candidates == ()
        return
    longest = min(lengths.values()) + roundabout + 1e-9
    direct = {tree: cost for tree, cost in costs.items() if lengths[tree] <= longest}
    best_direct = min(direct.values())
    cheaper = {tree: cost for tree, cost in costs.items() if cost < best_direct - 1e-6}
    expected = rounded({**direct, **cheaper}.values())[:6]
    assert result.complete
    assert rounded(item.cost for item in result.candidates) == expected
    assert expected[0] == rounded(costs.values())[0]


@over(60, 200, problem=problems(), roundabout=st.sampled_from((0.0, 0.2, 0.6)))
def test_a_tool_that_is_not_assessed_is_in_no_solution(problem, roundabout):
    tools, scores, handed, texts, wanted = problem
    asked = []

    def assess(batch):
        asked.append([tool.name for tool in batch])
        return {tool.name: scores[tool.name] for tool in batch}

    result = best_first(
        ToolGraph(Toolbox(tuple(tools))),
        Goal(handed, texts, wanted),
        assess,
        Extent(length=LENGTH, roundabout=roundabout),
    )
    every = [name for batch in asked for name in batch]
    assert len(every) == len(set(every)) == result.assessed
    for candidate in result.candidates:
        assert {draft.tool.name for draft in candidate.drafts} <= set(every)


@over(30, 60, problem=problems(lists=True), random=st.randoms())
def test_the_order_of_registration_changes_nothing(problem, random):
    tools = list(problem[0])
    random.shuffle(tools)
    found = [
        [(item.cost, canonical(item.drafts)) for item in solve(one).candidates]
        for one in (problem, (tools, *problem[1:]))
    ]
    assert found[0] == found[1]


def tool(name, args, returned, **kinds):
    return Tool(
        name,
        "A tool.",
        "general",
        tuple(Argument(f"{kind}{place}", kind, **kinds) for place, kind in enumerate(args)),
        Argument("result", returned),
    )


def search(tools, files, wanted, scores=None, texts=()):
    handed = [TypedValue(kind, f"{place}.file") for place, kind in enumerate(files)]
    scores = scores or {}
    return best_first(
        ToolGraph(Toolbox(tuple(tools))),
        Goal(handed, texts, wanted),
        lambda asked: {tool.name: scores.get(tool.name, 4.0) for tool in asked},
    )


def names(result):
    return [[draft.tool.name for draft in found.drafts] for found in result.candidates]


def test_two_tools_that_feed_each_other_make_no_loop():
    tools = [tool("a", ["image"], "mask"), tool("b", ["mask"], "image")]
    assert names(search(tools, ["image"], "image")) == [["b", "a"]]


def test_loops_of_many_tools_end():
    ring = ["image", "mask", "edge", "line", "pose", "depth", "image"]
    tools = [tool(f"{start}_{end}", [start], end) for start, end in itertools.pairwise(ring)] + [
        tool(f"{end}_{start}_back", [end], start) for start, end in itertools.pairwise(ring)
    ]
    result = search(tools, ["image"], "line")
    assert result.complete
    for found in names(result):
        assert len(found) == len(set(found))
    assert result.candidates[0].drafts[0].tool.returns.type == "line"


def test_every_given_file_is_used():
    tools = [tool("describe", ["image"], "text"), tool("compare", ["image", "image"], "text")]
    result = search(tools, ["image", "image"], "text", {"describe": 5.0, "compare": 1.0})
    orders = {tuple(map(repr, found.drafts[0].inputs)) for found in result.candidates}
    assert {found[0] for found in names(result)} == {"compare"}
    assert orders == set(itertools.permutations(("Given(index=0)", "Given(index=1)")))


def test_one_detector_for_five_images():
    tools = [
        tool("detect", ["image"], "bbox"),
        tool("count", ["bbox"], "number", many=True),
        tool("caption", ["image"], "text"),
    ]
    result = search(tools, ["image"] * 5, "number")
    (found,) = result.candidates
    assert names(result) == [["count", *["detect"] * 5]]
    assert found.drafts[0].inputs == (AllMade((1, 2, 3, 4, 5)),)
    assert (result.assessed, result.complete) == (2, True)
    read = {draft.inputs[0].index for draft in found.drafts[1:]}
    assert read == {0, 1, 2, 3, 4}


def test_work_for_each_image_may_take_several_steps():
    tools = [
        tool("blur", ["image"], "edge"),
        tool("sharpen", ["edge"], "line"),
        tool("join", ["line"], "video", many=True),
    ]
    result = search(tools, ["image"] * 2, "video")
    assert sorted(names(result)[0]) == ["blur", "blur", "join", "sharpen", "sharpen"]


def test_one_detector_for_two_inputs():
    tools = [tool("detect", ["image"], "bbox"), tool("compare", ["bbox", "bbox"], "text")]
    assert names(search(tools, ["image"] * 2, "text"))[0] == ["compare", "detect", "detect"]


def test_more_actions_than_the_length_are_no_solution():
    ring = [f"kind{number}" for number in range(12)]
    tools = [tool(f"make_{end}", [start], end) for start, end in itertools.pairwise(ring)]
    assert len(names(search(tools, ["kind0"], "kind10"))[0]) == 10
    assert search(tools, ["kind0"], "kind11").candidates == ()


def test_what_is_at_hand_is_not_assessed_again():
    """With a picture at hand, tools that would make another one matter to no caption of it."""
    tools = [
        tool("caption", ["image"], "text"),
        *(tool(f"draw_{number}", ["audio"], "image") for number in range(20)),
        *(tool(f"speak_{number}", ["text"], "audio") for number in range(20)),
    ]
    result = search(tools, ["image"], "text")
    assert names(result) == [["caption"]]
    assert result.assessed == 1


def test_a_much_better_tool_is_found_on_a_roundabout_way():
    tools = [
        tool("poor", ["image"], "text"),
        tool("good", ["mask"], "text"),
        tool("first", ["image"], "edge"),
        tool("second", ["edge"], "line"),
        tool("third", ["line"], "mask"),
    ]
    result = search(tools, ["image"], "text", {"poor": 1.5, "good": 5.0})
    assert names(result)[0] == ["good", "third", "second", "first"]
    assert names(search(tools, ["image"], "text", {"poor": 4.9, "good": 5.0}))[0] == ["poor"]


def test_words_become_words_without_a_picture_on_the_way():
    tools = [
        tool("draw", ["text"], "image"),
        tool("caption", ["image"], "text"),
        tool("shorten", ["text"], "text"),
    ]
    words = [TypedValue("text", "a long text", "content")]
    assert names(search(tools, [], "text", texts=words)) == [["shorten"]]
    assert names(search(tools, [], "image", texts=words))[0] == ["draw"]


def test_nothing_leads_where_no_tool_goes():
    result = search([tool("caption", ["image"], "text")], ["image"], "video")
    assert (result.candidates, result.assessed, result.complete) == ((), 0, True)


def test_what_is_assessed_first_is_what_can_matter():
    tools = [tool("caption", ["image"], "text"), tool("edges", ["image"], "edge")]
    graph = ToolGraph(Toolbox(tuple(tools)))
    asked = worth_assessing(graph, Goal([TypedValue("image", "a.png")], [], "text"))
    assert [item.name for item in asked] == ["caption"]
