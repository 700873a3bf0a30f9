"""The planner prefers what can run here, and says why the rest cannot."""

from __future__ import annotations

from controlllm.core.plans import Request, Subtask, TypedValue
from controlllm.planning.graph import ToolGraph
from controlllm.planning.planner import Planner
from controlllm.resources import Resource
from controlllm.toolbox import Argument, Tool, Toolbox

WHY = "needs weights, 5 GB"


class Scored:
    """Assesses tools by a table."""

    def __init__(self, **scores):
        self.scores = scores

    def assess(self, subtask, tools):
        return {tool.name: self.scores[tool.name] for tool in tools}


def tool(name, takes, returned):
    args = tuple(Argument(kind, kind) for kind in takes)
    return Tool(name, "A tool.", "general", args, Argument("result", returned), ("An example",))


def solved(scores, unavailable, extra=()):
    tools = [tool(name, ["image"], "text") for name in ("large", "small")] + list(extra)
    graph = ToolGraph(Toolbox(tuple(tools)))
    planner = Planner(graph, None, Scored(**scores)).with_parts(unavailable=unavailable)
    photo = Resource("image", "a.png")
    subtask = Subtask(
        0, "Describe it", ("general",), (TypedValue("image", "a.png"),), TypedValue("text", "x")
    )
    (found,) = planner.solve([subtask], Request("Describe it", (photo,), ("a.png",)))
    return [(solution.tools, solution.missing, solution.score) for solution in found.solutions]


def test_of_two_that_do_nearly_the_same_the_one_that_can_run_comes_first():
    scores = {"large": 4.6, "small": 4.3}
    assert [tools for tools, _, _ in solved(scores, {})] == [("large",), ("small",)]
    assert solved(scores, {"large": WHY}) == [
        (("small",), "", 4.3),
        (("large",), f"large {WHY}", 4.6),
    ]


def test_one_that_misses_what_was_asked_does_not_come_first():
    found = solved({"large": 4.8, "small": 3.4}, {"large": WHY})
    assert [tools for tools, _, _ in found] == [("large",), ("small",)]


def test_a_step_on_the_way_that_cannot_run_counts_as_much():
    helper, reader = tool("helper", ["image"], "mask"), tool("reader", ["mask"], "text")
    scores = {"large": 1.0, "small": 4.0, "helper": 5.0, "reader": 4.5}
    ways = [tools for tools, _, _ in solved(scores, {}, (helper, reader))]
    assert ways[0] == ("helper", "reader")
    found = solved(scores, {"helper": WHY}, (helper, reader))
    assert found[0][0] == ("small",)
    assert (("helper", "reader"), f"helper {WHY}") in [item[:2] for item in found]
