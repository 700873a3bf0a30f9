"""How well tools are found out of 16,000: ``python -m benchmarks retrieval``.

The catalogue is that of `benchmarks.hub` with our own tools among it. A need of a
request is met where any tool that serves it is among the first k; recall is the share of needs that
are met, the mean over requests. Equivalent tools of several providers thus count once.
"""

from __future__ import annotations

import json
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.hub import hub
from benchmarks.written import PEOPLE, is_right, read_written
from controlllm.core.plans import Request
from controlllm.planning.graph import ToolGraph
from controlllm.retrieval import ToolIndex, narrowed
from controlllm.runs.planners import embedded_planner
from controlllm.toolbox import Tool, Toolbox

_DATA = Path(__file__).resolve().parent / "data"
#: Requests to the hub: to develop with, to measure with, and those that two others wrote.
DEVELOPMENT, FROZEN = _DATA / "retrieval_development.json", _DATA / "retrieval_requests.json"
BY_OTHERS = _DATA / "retrieval_requests_by_others.json"
DEPTHS = (1, 5, 10, 20)
#: So many tools are put in and taken out to see how long that takes.
_ADDED = 100


@dataclass(frozen=True)
class Needing:
    """A request, and for each of its needs the names of the tools of which any will do."""

    request: Request
    needs: tuple[frozenset[str], ...]


def hub_requests(path: Path) -> tuple[Needing, ...]:
    """The requests of a file over the hub's functions."""
    serving = hub().serving
    return tuple(
        Needing(
            Request(row["request"]),
            tuple(frozenset().union(*map(serving.__getitem__, need)) for need in row["needs"]),
        )
        for row in json.loads(path.read_text("utf-8"))
    )


def people_requests(path: Path) -> tuple[Needing, ...]:
    """The requests that people typed to our own tools: for each wish the tools that may end it."""
    found = []
    for written in read_written(path):
        needs = tuple(wish.ends for wish in written.wishes if wish.ends)
        if needs:
            found.append(Needing(written.request, needs))
    return tuple(found)


class Times:
    """How long something took, each time that it was done: by the clock and of the processor, which
    other work on the machine does not lengthen."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.worked: list[float] = []

    def __enter__(self) -> None:
        self._began = time.perf_counter(), time.process_time()

    def __exit__(self, *error: object) -> None:
        self.seconds.append(time.perf_counter() - self._began[0])
        self.worked.append(time.process_time() - self._began[1])

    def __str__(self) -> str:
        late = sorted(self.seconds)[int(0.95 * (len(self.seconds) - 1))]
        figures = statistics.median(self.seconds), late, statistics.median(self.worked)
        return " | ".join(f"{1000 * figure:.1f} ms" for figure in figures)


_TIMES = " median | p95 | median of the processor |"


def recall(found: Sequence[str], needs: Sequence[frozenset[str]]) -> float:
    """The share of needs that one of the found tools serves."""
    return sum(not need.isdisjoint(found) for need in needs) / len(needs)


def recalls(
    requests: Sequence[Needing], search: Callable[[Request], Sequence[tuple[Tool, float]]]
) -> tuple[dict[int, float], Times]:
    """The mean recall by how many are looked at, and how long the searches took."""
    times, sums = Times(), dict.fromkeys(DEPTHS, 0.0)
    for needing in requests:
        with times:
            names = [tool.name for tool, _ in search(needing.request)]
        for depth in DEPTHS:
            sums[depth] += recall(names[:depth], needing.needs)
    return {depth: whole / len(requests) for depth, whole in sums.items()}, times


def report(kept: Path | None = None) -> Iterator[str]:
    """The figures as lines of Markdown. `kept` is a file in which the vectors are kept for the next
    time; encoding 16,000 tools takes minutes."""
    own = Toolbox.load()
    tools = (*hub().tools, *own)
    sources = _sources()
    with tempfile.TemporaryDirectory() as folder:
        path = kept or Path(folder) / "index.npz"
        if not path.exists():
            began = time.perf_counter()
            ToolIndex(tools, own.lattice, sources=sources).save(path)
            yield f"Made in {time.perf_counter() - began:.0f} s.\n"
        before = _memory()
        began = time.perf_counter()
        index = ToolIndex(tools, own.lattice, path, sources)
        seconds = time.perf_counter() - began
        yield (
            f"{len(index):,} tools, loaded from {path.stat().st_size / 1e6:.0f} MB in "
            f"{seconds:.1f} s, {_memory() - before:.0f} MiB of memory more.\n"
        )
    yield f"| requests | | @1 | @5 | @10 | @20 |{_TIMES}"
    yield f"| --- | --- | --- | --- | --- | --- |{' --- |' * 3}"
    index.search("Load what is needed for a first search.")
    for name, requests in (
        ("hub, to develop with", hub_requests(DEVELOPMENT)),
        ("**hub, frozen**", hub_requests(FROZEN)),
        ("**hub, by two other authors**", hub_requests(BY_OTHERS)),
        ("people's first set, of development too", people_requests(PEOPLE[0])),
        ("**people's second set**", people_requests(PEOPLE[1])),
    ):
        found, times = recalls(requests, lambda request: index.search(request, max(DEPTHS)))
        shares = " | ".join(f"{found[depth]:.3f}" for depth in DEPTHS)
        yield f"| {name} | {len(requests)} | {shares} | {times} |"
    yield ""
    yield from _changes(index, hub().tools[:_ADDED])
    yield from _narrowing(index, own)


def _changes(index: ToolIndex, tools: Sequence[Tool]) -> Iterator[str]:
    out, into, encoded = Times(), Times(), Times()
    for tool in tools:
        with out:
            index.remove(tool.name)
        with encoded:
            vectors = index.encoded(tool)
        with into:
            index.add(tool, vectors)
    yield f"| |{_TIMES}"
    yield f"| --- |{' --- |' * 3}"
    yield f"| encoding a tool | {encoded} |"
    yield f"| putting it into the index | {into} |"
    yield f"| taking one out | {out} |"


def _whole(own: Toolbox) -> Toolbox:
    """Our own tools among those of the hub."""
    types = [item.returns.type for item in hub().tools]
    tools = (*hub().tools, *own)
    return Toolbox(tools, own.implementations, own.lattice.extended(types))


def plans(kept: Path, every: int) -> str:
    """How many of people's requests are planned rightly over all tools, and over our own alone: of
    the second set, one in so many. `kept` is the file of an index."""
    own = Toolbox.load()
    whole = _whole(own)
    index, graph = ToolIndex(whole, whole.lattice, kept, _sources()), ToolGraph(whole)
    alone, times, right, right_alone = embedded_planner(own), Times(), 0, 0
    requests = read_written(PEOPLE[1])[::every]
    for item in requests:
        with times:
            planner = embedded_planner(narrowed(whole, item.request, index, graph))
            plan, _ = planner.plan(item.request)
        right += is_right(plan, item)
        right_alone += is_right(alone.plan(item.request)[0], item)
    return (
        f"{len(requests)} requests: {right / len(requests):.3f} right over {len(whole):,} tools, "
        f"{right_alone / len(requests):.3f} over {len(own)}. Narrowing and planning (median, p95, "
        f"median of the processor): {times}."
    )


def _sources() -> frozenset[str]:
    return frozenset(tool.name.split("_")[0] for tool in hub().tools)


def _narrowing(index: ToolIndex, own: Toolbox) -> Iterator[str]:
    """How long narrowing takes, and how many of the needs are still served after it."""
    whole = _whole(own)
    graph, sizes, times, left = ToolGraph(whole), [], Times(), []
    for needing in people_requests(PEOPLE[0]):
        with times:
            small = narrowed(whole, needing.request, index, graph)
        sizes.append(len(small))
        left.append(recall([tool.name for tool in small], needing.needs))
    yield f"| narrowing, first set | {times} |"
    yield (
        f"\nNarrowed to {statistics.median(sizes):.0f} tools (median), {max(sizes)} at most; "
        f"{statistics.mean(left):.3f} of the needs are served by one of them."
    )


def _memory() -> float:
    """The most memory that this process has held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
