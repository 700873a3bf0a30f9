"""The strategies: what they find is well-typed and can run, and none beats best-first."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from controlllm.core.plans import Plan, Solution, Subtask, TypedValue
from controlllm.engine.compile import compile_plan
from controlllm.planning.drafts import canonical
from controlllm.planning.graph import ToolGraph
from controlllm.planning.resource_expert import complete
from controlllm.planning.space import Goal
from controlllm.planning.strategies import STRATEGIES, strategy_of
from controlllm.resources import Resource
from controlllm.toolbox import Argument, Tool, Toolbox
from tests.every_case import every_case
from tests.planning.brute_force import BruteForce, as_tree, over, problems


def solve(name, problem, **options):
    tools, scores, handed, texts, wanted = problem
    return strategy_of(name, **options)(
        ToolGraph(Toolbox(tuple(tools))),
        Goal(handed, texts, wanted),
        lambda asked: {tool.name: scores[tool.name] for tool in asked},
    )


@over(25, 100, problem=problems(lists=True))
def test_solutions_are_well_typed_and_can_run(problem):
    for name in STRATEGIES:
        are_well_typed_and_can_run(solve(name, problem), problem)


def are_well_typed_and_can_run(result, problem):
    tools, _, handed, texts, wanted = problem
    args = (*handed, *texts)
    subtask = Subtask(0, "do it", (), args, TypedValue(wanted, "<GEN>-0"))
    resources = {item.value: Resource(item.type, item.value) for item in handed}
    for candidate in result.candidates:
        assert len(candidate.drafts) <= 10
        solution = Solution(complete(candidate, subtask, handed, texts), 5.0)
        plan = Plan((subtask,), {0: (solution,)})
        graph = compile_plan(plan, Toolbox(tuple(tools)), resources)
        assert [node.problem for node in graph.nodes.values()] == [""] * len(solution.actions)
        assert solution.actions[-1].output.type == wanted
        read = {value for action in solution.actions for value in action.references()}
        assert read >= set(resources)
        assert read >= {action.output.value for action in solution.actions[:-1]}


@over(30, 100, problem=problems())
def test_costs_are_those_of_best_first_and_none_is_better(problem):
    everything = BruteForce(*problem, length=5).costs
    best = solve("best-first", problem)
    for name in STRATEGIES[1:]:
        cost_what_they_should(solve(name, problem), everything, best)


def cost_what_they_should(result, everything, best):
    costs = [candidate.cost for candidate in result.candidates]
    assert costs == sorted(costs)
    for candidate in result.candidates:
        assert candidate.cost >= best.candidates[0].cost - 1e-9
        if len(candidate.drafts) <= 5:
            expected = everything[as_tree(candidate.drafts)]
            assert round(expected, 6) == round(candidate.cost, 6)
    keys = [canonical(candidate.drafts) for candidate in result.candidates]
    assert len(keys) == len(set(keys))


@over(15, 50, problem=problems(lists=True), random=st.randoms())
def test_the_order_of_registration_changes_nothing(problem, random):
    tools = list(problem[0])
    random.shuffle(tools)
    for name in STRATEGIES:
        found = [solve(name, problem), solve(name, (tools, *problem[1:]))]
        shown = [
            [(round(item.cost, 9), canonical(item.drafts)) for item in result.candidates]
            for result in found
        ]
        assert shown[0] == shown[1], name
        assert (found[0].visited, found[0].assessed) == (found[1].visited, found[1].assessed)


def tool(name, args, returned, **kinds):
    return Tool(
        name,
        "A tool.",
        "general",
        tuple(Argument(f"{kind}{place}", kind, **kinds) for place, kind in enumerate(args)),
        Argument("result", returned),
    )


#: A number of boxes by two ways, and a picture tool that leads away from it.
TOOLS = (
    tool("detect", ["image"], "bbox"),
    tool("count", ["bbox"], "number"),
    tool("guess", ["image"], "number"),
    tool("edges", ["image"], "edge"),
    tool("trace", ["edge"], "bbox"),
)
SCORES = {"detect": 3.2, "count": 4.8, "guess": 2.0, "edges": 4.0, "trace": 1.5}


def found_by(name, **options):
    result = solve(name, (TOOLS, SCORES, (TypedValue("image", "a"),), (), "number"), **options)
    return [[draft.tool.name for draft in item.drafts] for item in result.candidates], result


def test_greedy_takes_the_best_tool_at_each_step():
    # Edges look best at first; what they are needed for is dropped where nothing reads it.
    found, result = found_by("greedy")
    assert found == [["count", "detect"]]
    assert result.visited == 3


def test_beam_tries_the_best_few():
    assert found_by("beam", beam=1)[0] == found_by("greedy")[0]
    found, result = found_by("beam", beam=3)
    assert found[0] == ["count", "detect"]
    assert ["count", "trace", "edges"] in found
    assert result.visited > found_by("greedy")[1].visited


def test_adaptive_tries_those_above_the_threshold():
    assert found_by("adaptive")[0] == [["count", "detect"]]
    assert found_by("adaptive", threshold=3.5)[0] == []
    assert ["count", "trace", "edges"] in found_by("adaptive", threshold=1.5)[0]


def test_exhaustive_finds_what_best_first_finds():
    found, result = found_by("exhaustive")
    assert result.complete
    assert found[0] == found_by("best-first")[0][0] == ["count", "detect"]


@every_case("name", STRATEGIES)
def test_one_detector_for_five_images(name):
    tools = (tool("detect", ["image"], "bbox"), tool("count", ["bbox"], "number", many=True))
    images = tuple(TypedValue("image", f"{place}.png") for place in range(5))
    result = solve(name, (tools, {"detect": 4.0, "count": 4.0}, images, (), "number"))
    assert [draft.tool.name for draft in result.candidates[0].drafts] == ["count", *["detect"] * 5]


@every_case("name", STRATEGIES)
def test_loops_end(name):
    tools = (
        tool("a", ["image"], "mask"),
        tool("b", ["mask"], "image"),
        tool("c", ["mask"], "text"),
    )
    result = solve(
        name, (tools, dict.fromkeys("abc", 4.0), (TypedValue("image", "x"),), (), "text")
    )
    assert [draft.tool.name for draft in result.candidates[0].drafts] == ["c", "a"]


def test_a_walk_that_is_cut_says_so():
    types = [f"kind{number}" for number in range(6)]
    tools = [
        tool(f"{start}_{end}_{number}", [start], end)
        for start in types
        for end in types
        if start != end
        for number in range(3)
    ]
    problem = (tools, {item.name: 3.0 for item in tools}, (TypedValue("kind0", "x"),), (), "kind5")
    result = solve("exhaustive", problem)
    assert not result.complete
    assert result.candidates


def test_an_unknown_strategy_is_refused():
    with pytest.raises(ValueError, match=r"'random'.*best-first, greedy, beam"):
        strategy_of("random")
    with pytest.raises(ValueError, match="at least 1"):
        strategy_of("beam", beam=0)
    with pytest.raises(ValueError, match="1 to 5"):
        strategy_of("adaptive", threshold=9.0)
