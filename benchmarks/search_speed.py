"""How fast the search strategies are: ``make bench-search`` prints it as a table.

The subtasks are made from the tools themselves: for each tool, its own inputs given and its return
wanted; and for pairs of tools where the second takes what the first makes, the inputs of both given
and the second's return wanted. Words stand where a tool takes text. Tools are scored by how many
words of their descriptions the subtask shares, which costs next to nothing, so that the time is the
search's own.
"""

from __future__ import annotations

import functools
import gc
import random
import re
import statistics
import time
import tracemalloc
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from controlllm.core.plans import TypedValue
from controlllm.planning.arguments import role_of
from controlllm.planning.graph import ToolGraph
from controlllm.planning.space import Goal
from controlllm.planning.strategies import DEFAULT_STRATEGY, STRATEGIES, Strategy, strategy_of
from controlllm.planning.wiring import wiring_of
from controlllm.resources import PARENTS, TypeLattice
from controlllm.toolbox import DOMAINS, Argument, Tool, Toolbox, read_catalogue

#: How many subtasks are drawn for a toolbox, and from which seed.
SUBTASKS, SEED = 200, 7
#: The synthetic toolboxes that are measured beside the others.
SIZES = (1_000, 16_000)
#: On toolboxes larger than this the paper's strategies are given fewer subtasks.
_LARGE, _FEW = 5_000, 20
#: In how many subtasks the memory of a search is measured.
_TRACED = 20

OWN_CATALOGUE = Path(__file__).resolve().parent / "data" / "catalogue.json"


@dataclass(frozen=True)
class Query:
    """A subtask to search for: what is to be made of what, and the words that say it."""

    goal: Goal
    words: frozenset[str]


@dataclass(frozen=True)
class Row:
    """What one strategy did on one toolbox; times in milliseconds.

    `cut` counts the subtasks where it stopped at its limit of visited nodes, `best` those where its
    first solution costs as little as the best there is.
    """

    toolbox: str
    strategy: str
    subtasks: int
    solved: int
    best: int
    cut: int
    mean_ms: float
    worst_ms: float
    visited: float
    visited_worst: int
    assessed: float


@dataclass(frozen=True)
class Built:
    """What it takes to build a graph: seconds, and MiB beside the tools themselves; `peak` is what
    best-first searches need at most beside that, in MiB."""

    toolbox: str
    tools: int
    types: int
    seconds: float
    memory: float
    peak: float


def synthetic_toolbox(size: int, seed: int = SEED) -> Toolbox:
    """A toolbox of `size` tools over one type for every 25 tools, some used more than others.

    Two tools in five take words as well; four in five take one or two files, which may be of the
    project's own types. The same size and seed make the same toolbox.
    """
    draw = random.Random(seed)
    names = list(PARENTS) + [f"kind{number}" for number in range(size // 25)]
    weights = [1 / (place + 1) ** 0.5 for place in range(len(names))]
    verbs = [f"verb{number}" for number in range(40)]
    tools = []
    for number in range(size):
        kinds = draw.choices(names, weights, k=draw.choice((1, 1, 1, 2)))
        args = [Argument(f"input{place}", kind) for place, kind in enumerate(kinds)]
        if draw.random() < 0.4 or not args:
            args.append(Argument(draw.choice(("query", "prompt", "text", "question")), "text"))
        returned = draw.choices(names, weights)[0]
        description = f"{draw.choice(verbs)} {draw.choice(verbs)} {' '.join(kinds)} to {returned}."
        tools.append(
            Tool(
                f"tool_{number:05d}",
                description,
                draw.choice(DOMAINS),
                tuple(args),
                Argument("result", returned),
            )
        )
    return Toolbox(tuple(tools), {}, TypeLattice().extended(names))


def queries(toolbox: Toolbox, count: int, seed: int = SEED) -> tuple[Query, ...]:
    """`count` subtasks: the tools' own signatures, at most half where there are many tools, and
    compositions of two tools. The same toolbox and seed give the same subtasks."""
    draw = random.Random(seed)
    tools = sorted(toolbox, key=lambda tool: tool.name)
    alone = tools if len(tools) <= count // 2 else draw.sample(tools, count // 2)
    found = [_query((), tool) for tool in alone]
    takers: dict[str, list[Tool]] = {}
    for tool in tools:
        for type_name in {argument.type for argument in tool.args}:
            takers.setdefault(type_name, []).append(tool)
    readable = [tool for tool in tools if tool.returns.type in takers]
    while len(found) < count:
        first = draw.choice(readable)
        second = draw.choice(takers[first.returns.type])
        if first is not second:
            found.append(_query((first,), second))
    return tuple(found)


def measured(name: str, graph: ToolGraph, asked: Sequence[Query]) -> list[Row]:
    """A row for each strategy on one toolbox."""
    # The toolboxes are here to stay; to go through them again and again is not the search's work.
    gc.collect()
    gc.freeze()
    rows: list[Row] = []
    best: list[float | None] = []
    few = slice(None, None, max(len(asked) // _FEW, 1)) if len(graph.toolbox) > _LARGE else slice(0)
    for strategy_name in STRATEGIES:
        every = strategy_name == DEFAULT_STRATEGY or few == slice(0)
        part = slice(None) if every else few
        row, first = _row(
            name, strategy_name, strategy_of(strategy_name), graph, asked[part], best[part]
        )
        best = best or first
        rows.append(row)
    return rows


def built(name: str, toolbox: Toolbox) -> tuple[ToolGraph, Built]:
    """The graph of a toolbox, and what building it took."""
    gc.collect()
    tracemalloc.start()
    graph = ToolGraph(toolbox)
    wiring_of(graph)
    memory = tracemalloc.get_traced_memory()[0] / 2**20
    search = strategy_of(DEFAULT_STRATEGY)
    peak = 0.0
    for query in queries(toolbox, _TRACED):
        scorer = _WordScores(toolbox, query)
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        search(graph, query.goal, scorer.scores)
        peak = max(peak, (tracemalloc.get_traced_memory()[1] - before) / 2**20)
    tracemalloc.stop()
    started = time.perf_counter()
    graph = ToolGraph(toolbox)
    wiring_of(graph)
    seconds = time.perf_counter() - started
    types = {item.type for tool in toolbox for item in (*tool.args, tool.returns)}
    return graph, Built(name, len(toolbox), len(types), seconds, memory, peak)


def report(catalogues: Sequence[Path] = ()) -> str:
    """Tables for the catalogues (or our own, where none is named), our toolbox and synthetic ones.

    Raises ValueError with the file's name where a catalogue cannot be read.
    """
    paths = catalogues or ([OWN_CATALOGUE] if OWN_CATALOGUE.is_file() else [])
    toolboxes = [(path.stem, read_catalogue(path)) for path in paths]
    toolboxes.append(("own toolbox", Toolbox.load()))
    toolboxes += [(f"synthetic {size:,}", synthetic_toolbox(size)) for size in SIZES]
    rows: list[Row] = []
    graphs: list[Built] = []
    for name, toolbox in toolboxes:
        graph, cost = built(name, toolbox)
        graphs.append(cost)
        rows += measured(name, graph, queries(toolbox, SUBTASKS))
    return f"{_graph_table(graphs)}\n\n{_table(rows)}"


def _query(before: tuple[Tool, ...], last: Tool) -> Query:
    given: list[TypedValue] = []
    texts: list[TypedValue] = []
    made = {tool.returns.type for tool in before}
    for tool in (*before, last):
        for argument in tool.required:
            if tool is last and argument.type in made:
                made.discard(argument.type)
            elif argument.type == "text":
                role = role_of(argument)
                if role not in {item.role for item in texts}:
                    texts.append(TypedValue("text", f"words for {argument.name}", role))
            else:
                given.append(TypedValue(argument.type, f"file-{len(given)}"))
    words = frozenset(word for tool in (*before, last) for word in _words(tool))
    return Query(Goal(tuple(given), tuple(texts), last.returns.type), words)


@functools.lru_cache(maxsize=32_768)
def _words(tool: Tool) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+\d*", f"{tool.name} {tool.description}".lower()))


class _WordScores:
    """Scores tools 1..5 by the share of their words that a subtask has, ties told apart."""

    def __init__(self, toolbox: Toolbox, query: Query) -> None:
        self._scores = {}
        for tool in toolbox:
            words = _words(tool)
            shared = len(query.words & words) / len(words)
            jitter = zlib.crc32(f"{SEED} {tool.name}".encode()) / 2**32
            self._scores[tool.name] = 1.0 + 3.5 * shared + 0.5 * jitter

    def scores(self, tools: Sequence[Tool]) -> Mapping[str, float]:
        return self._scores


def _row(
    name: str,
    strategy_name: str,
    search: Strategy,
    graph: ToolGraph,
    asked: Sequence[Query],
    best: Sequence[float | None],
) -> tuple[Row, list[float | None]]:
    times: list[float] = []
    first: list[float | None] = []
    visited: list[int] = []
    assessed: list[int] = []
    cut = 0
    for query in asked:
        assess = _WordScores(graph.toolbox, query).scores
        started = time.perf_counter()
        result = search(graph, query.goal, assess)
        times.append((time.perf_counter() - started) * 1000)
        first.append(result.candidates[0].cost if result.candidates else None)
        visited.append(result.visited)
        assessed.append(result.assessed)
        cut += not result.complete
    equal = sum(
        ours is not None and theirs is not None and ours < theirs + 1e-6
        for ours, theirs in zip(first, best or first, strict=True)
    )
    row = Row(
        name,
        strategy_name,
        len(asked),
        sum(cost is not None for cost in first),
        equal,
        cut,
        statistics.mean(times),
        max(times),
        statistics.mean(visited),
        max(visited),
        statistics.mean(assessed),
    )
    return row, first


def _table(rows: Sequence[Row]) -> str:
    lines = [
        "| toolbox | strategy | solved | best found | cut | mean ms | worst ms "
        "| visited, mean | visited, worst | assessed, mean |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {row.toolbox} | {row.strategy} | {row.solved} of {row.subtasks} | {row.best} "
        f"| {row.cut} | {row.mean_ms:.2f} | {row.worst_ms:.1f} | {row.visited:,.1f} "
        f"| {row.visited_worst:,} | {row.assessed:,.1f} |"
        for row in rows
    ]
    return "\n".join(lines)


def _graph_table(rows: Sequence[Built]) -> str:
    lines = [
        "| toolbox | tools | types | graph built, s | memory of the graph, MiB "
        "| of a search at most, MiB |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {row.toolbox} | {row.tools:,} | {row.types:,} | {row.seconds:.3f} | {row.memory:.2f} "
        f"| {row.peak:.2f} |"
        for row in rows
    ]
    return "\n".join(lines)
