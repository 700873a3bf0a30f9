"""A large toolbox made small for one request: the candidates, and what leads to what they take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from controlllm.core.plans import Request
from controlllm.planning.graph import ToolGraph, files_of
from controlllm.retrieval.index import Ranking, ToolIndex
from controlllm.toolbox import Tool, Toolbox

#: A toolbox up to this size is planned with as a whole: to make a planner for each request takes
#: longer than to search that many tools, and finds no more.
WHOLE = 1000
#: So many candidates there are, so many tools that may be a step on the way to each wish, so many
#: that make a type that is taken, and so many tools in all.
CANDIDATES, STEPS, MAKERS, MOST = 40, 8, 4, 160


def narrowed(
    toolbox: Toolbox, request: Request, index: ToolIndex, graph: ToolGraph | None = None
) -> Toolbox:
    """The tools of a large toolbox that matter to a request, one up to `WHOLE` tools as it is.

    These are the candidates of each wish, the likeliest steps on the way, and, as far as there is
    room, what makes the types that those take and that are not handed over, the best fitting first.
    `index` holds the toolbox's tools and may hold others; `graph`, the toolbox's, saves making it.
    """
    if len(toolbox) <= WHOLE:
        return toolbox
    graph = graph or ToolGraph(toolbox)
    rankings = index.rankings(request)
    candidates = [tool for tool, _ in index.merged(rankings, CANDIDATES)]
    steps = [tool for ranking in rankings for tool in index.steps(ranking, STEPS)]
    chosen = {tool.name: tool for tool in [*candidates, *steps] if tool.name in toolbox}
    given = [item.type for item in request.resources if item.value in request.attached]
    have = set(graph.handed_types(given)) | {tool.returns.type for tool in chosen.values()}
    waiting = list(chosen.values())
    while waiting and len(chosen) < MOST:
        tool = waiting.pop(0)
        for type_name in sorted(files_of(tool) - have):
            have.add(type_name)
            for maker in _makers(type_name, graph, rankings, index):
                if maker.name not in chosen and len(chosen) < MOST:
                    chosen[maker.name] = maker
                    waiting.append(maker)
    tools = tuple(tool for tool in toolbox if tool.name in chosen)
    ways = {
        name: toolbox.implementations[name] for name in chosen if name in toolbox.implementations
    }
    return replace(toolbox, tools=tools, implementations=ways)


def _makers(
    type_name: str, graph: ToolGraph, rankings: list[Ranking], index: ToolIndex
) -> Iterator[Tool]:
    """The tools that make what can be used as a type and fit the request best."""
    makers = [tool for tool in graph.producers(type_name) if tool.name in index]
    if rankings:
        scores = np.max([ranking.scores for ranking in rankings], axis=0)
        makers.sort(key=lambda tool: -scores[index.row(tool.name)])
    yield from makers[:MAKERS]
