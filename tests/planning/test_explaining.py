"""Why a tool is not in the ways shown: what is said is true, by brute force over all ways."""

from __future__ import annotations

from dataclasses import replace

from controlllm.core.plans import TypedValue
from controlllm.planning.arguments import words_for
from controlllm.planning.explaining import explain, proof_of
from controlllm.planning.graph import ToolGraph
from controlllm.planning.search import Extent, best_first
from controlllm.planning.space import Goal
from controlllm.planning.tracing import Found, Trace
from controlllm.resources import TypeLattice
from controlllm.toolbox import Argument, Tool, Toolbox
from tests.planning.brute_force import LENGTH, BruteForce, over, parts, problems

LATTICE = TypeLattice()
SHOWN = 3


def trace_of(problem, limit=6, **options):
    """What a search for a problem knew, and its graph."""
    tools, scores, handed, texts, wanted = problem
    graph = ToolGraph(Toolbox(tuple(tools)))
    assessed = {}

    def assess(asked):
        found = {tool.name: scores[tool.name] for tool in asked}
        assessed.update(found)
        return found

    result = best_first(
        graph,
        Goal(handed, texts, wanted),
        assess,
        Extent(limit, length=LENGTH, margin=100.0, max_visited=200_000, **options),
    )
    found = tuple(
        Found(item.cost, tuple(draft.tool.name for draft in reversed(item.drafts)))
        for item in result.candidates
    )
    trace = Trace("best-first", handed, texts, (wanted,), assessed, assessed, found, SHOWN,
                  complete=result.complete)  # fmt: skip
    return graph, trace


def able_in_the_end(tools, handed, texts, only_text):
    """The names of tools that some sequence of tools can run, and the types that are there then."""
    there = {name for item in handed for name in LATTICE.ancestors(item.type)}
    able: set[str] = set()
    for _ in range(LENGTH):
        now = set(there)
        for tool in tools:
            types = {tool.returns.type, *(item.type for item in tool.required)}
            if not (only_text and types != {"text"}) and all(
                item.type in now or (item.type == "text" and words_for(item, texts) is not None)
                for item in tool.required
            ):
                able.add(tool.name)
                there.add(tool.returns.type)
    return able, there


def leads(tools, name, wanted, runnable):
    """Whether a chain of tools that can run leads from a tool to a type."""
    reached = {next(tool.returns.type for tool in tools if tool.name == name)}
    for _ in tools:
        for tool in tools:
            if tool.name in runnable and reached & {item.type for item in tool.args}:
                reached.add(tool.returns.type)
    return wanted in reached


@over(100, 300, problem=problems())
def test_the_reason_is_true_by_brute_force(problem):
    tools, scores, handed, texts, wanted = problem
    graph, trace = trace_of(problem)
    everything = BruteForce(*problem)
    costs = everything.costs
    ranked = sorted(costs.values())
    only_text = not handed and LATTICE.is_a(wanted, "text")
    able, there = able_in_the_end(tools, handed, texts, only_text)
    for tool in tools:
        verdict = explain(graph, trace, tool.name, SHOWN, LENGTH)
        with_it = [tree for tree in costs if tool.name in {call[1] for call, _ in parts(tree)}]
        match verdict.kind:
            case "best" | "shown" | "beyond":
                way = trace.found[verdict.rank - 1]
                assert tool.name in way.tools
                assert all(
                    tool.name not in better.tools for better in trace.found[: verdict.rank - 1]
                )
                assert verdict.kind == (
                    "best" if verdict.rank == 1 else "beyond" if verdict.rank > SHOWN else "shown"
                )
                assert round(ranked[verdict.rank - 1], 6) <= round(way.cost, 6)
            case "needs":
                assert with_it == []
                assert verdict.needs and tool.name not in able
                for name in verdict.needs:
                    assert name in {item.type for item in tool.required} and name not in there
            case "too_far":
                assert not only_text and tool.name not in able and with_it == []
                assert all(item.type in there or item.type == "text" for item in tool.required)
            case "only_words":
                assert only_text and with_it == []
                assert {tool.returns.type, *(item.type for item in tool.required)} != {"text"}
            case "nowhere":
                assert with_it == []
                assert verdict.makes == tool.returns.type and verdict.wanted == (wanted,)
                assert tool.returns.type != wanted
                assert not leads(tools, tool.name, wanted, able)
            case "unused":
                assert with_it == []
            case "low" | "costs":
                assert with_it
                assert min(costs[tree] for tree in with_it) >= trace.found[0].cost - 1e-6
                assert verdict.best_steps == len(trace.found[0].tools)
                if verdict.kind == "low":
                    assert verdict.score == scores[tool.name] < verdict.beside
                    assert verdict.beside == scores[verdict.other]
                    assert verdict.other in trace.found[0].tools
                if all(name in trace.ends for name in everything.all_tools):
                    cheapest = min(costs[tree] for tree in with_it)
                    lengths = {
                        len(parts(tree)) for tree in with_it if costs[tree] < cheapest + 1e-6
                    }
                    assert verdict.steps in lengths
            case other:
                raise AssertionError(other)


def tool(name, takes, makes):
    args = tuple(Argument(f"{kind}{place}", kind) for place, kind in enumerate(takes.split()))
    return Tool(name, "A tool.", "general", args, Argument("result", makes))


TOOLS = [
    tool("caption", "image", "text"),
    tool("classify", "image", "text"),
    tool("hum", "audio", "audio"),
    tool("mark", "image", "mask"),
    tool("show", "mask", "image"),
    tool("speak", "text", "audio"),
]
SCORES = {"caption": 4.5, "classify": 2.0, "hum": 3.0, "mark": 3.0, "show": 3.0, "speak": 1.0}
PROBLEM = (TOOLS, SCORES, (TypedValue("image", "cat.jpg"),), (), "text")


def test_each_kind_of_reason():
    graph, trace = trace_of(PROBLEM, limit=1)
    said = {item.name: explain(graph, trace, item.name, 1) for item in TOOLS}
    assert (said["caption"].kind, said["caption"].rank) == ("best", 1)
    low = said["classify"]
    assert (low.kind, low.score, low.beside, low.other) == ("low", 2.0, 4.5, "caption")
    assert (said["speak"].kind, said["speak"].makes, said["speak"].wanted) == (
        "nowhere", "audio", ("text",),
    )  # fmt: skip
    # There and back again: it can be done, in more steps.
    assert (said["mark"].kind, said["mark"].steps, said["mark"].best_steps) == ("costs", 3, 1)
    assert explain(graph, trace, "gone", 1).kind == "narrowed"
    silent = trace_of((TOOLS[:4], SCORES, PROBLEM[2], (), "text"))
    assert explain(*silent, "hum", 1).needs == ("audio",)
    more = trace_of(PROBLEM)
    assert explain(*more, "classify", 1).kind == "beyond"
    assert explain(*more, "classify", 2).kind == "shown"


def test_only_words_are_worked_on_by_what_is_about_words():
    tools = [tool("echo", "text", "text"), tool("paint", "text", "image")]
    words = (TypedValue("text", "hello", "content"),)
    graph, trace = trace_of((tools, {"echo": 4.0, "paint": 4.0}, (), words, "text"))
    assert explain(graph, trace, "paint", 3).kind == "only_words"


def test_nothing_is_proved_by_a_search_that_looks_at_some_ways_or_stopped():
    proofs = {
        name: proof_of(Trace(name, (), (), ("text",), complete=complete)).is_sure
        for name, complete in (("best-first", True), ("greedy", True), ("exhaustive", False))
    }
    assert proofs == {"best-first": True, "greedy": False, "exhaustive": False}


def test_where_the_reader_named_tools_the_others_were_not_searched():
    graph, trace = trace_of(PROBLEM, limit=1)
    named = Trace(
        "best-first", trace.given, (), ("text",), {"caption": 4.5}, {}, trace.found,
        named=frozenset({"caption"}),
    )  # fmt: skip
    assert explain(graph, named, "classify", 3).kind == "unnamed"
    low = explain(graph, replace(named, ends=SCORES), "classify", 3)
    assert (low.kind, low.score, low.beside, low.other) == ("low", 2.0, 4.5, "caption")
    assert proof_of(named).only_named
    assert explain(graph, Trace("best-first", (), (), ()), "caption", 3).kind == "not_searched"
