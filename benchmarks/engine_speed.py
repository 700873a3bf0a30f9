"""How near the engine comes to the shortest possible run: ``make bench-engine`` prints it.

Random graphs of waiting actions are run by two workers, after each kind of action was run once, so
that its length is known: by our engine with tools in threads and in worker processes, and by two
libraries that run graphs, each in the ways that it has. Ours has every result on the disk before it
is shown; of the others LangGraph does with its checkpoints in SQLite. The shortest possible run
takes the longest path through the graph, or the whole work divided by the workers, whichever is
longer. What an action adds is measured with actions that take no time at all; for ours once more
where files need not be waited for, in memory.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks import other_engines
from controlllm.core.events import ActionFinished
from controlllm.core.plans import (
    Action,
    Literal,
    Plan,
    Reference,
    Solution,
    Subtask,
    TypedValue,
    generated,
)
from controlllm.engine import Engine, WorkerProcesses
from controlllm.store import Store
from controlllm.toolbox import Toolbox

TOOLS = Path(__file__).parent / "waiting_tools"
WORKERS = 2
#: Actions in each graph.
SIZES = (10, 20, 50, 100, 200)
#: Graphs of each size.
GRAPHS = 2
#: How long actions take, in milliseconds: as long as one of the tools.
LENGTHS = (10, 20, 30, 40, 50, 60, 70)


@dataclass(frozen=True)
class Graph:
    """Actions by number: how long each takes, and whose results it reads."""

    milliseconds: tuple[int, ...]
    parents: tuple[tuple[int, ...], ...]

    @property
    def seconds(self) -> tuple[float, ...]:
        return tuple(length / 1000 for length in self.milliseconds)

    def bound(self, workers: int) -> float:
        """The seconds that no schedule can go below."""
        ends: list[float] = []
        for own, parents in zip(self.seconds, self.parents, strict=True):
            ends.append(own + max((ends[parent] for parent in parents), default=0.0))
        return max(max(ends), sum(self.seconds) / workers)


#: Runs a graph and returns the seconds from its start to its last result.
Runner = Callable[[Graph], float]


def random_graph(size: int, seed: int, lengths: Sequence[int] = LENGTHS) -> Graph:
    """A graph in which each action reads up to three of the twelve before it."""
    draw = random.Random(f"{size}/{seed}")
    parents = tuple(
        tuple(sorted(draw.sample(range(max(0, node - 12), node), min(node, draw.randint(0, 3)))))
        for node in range(size)
    )
    return Graph(tuple(draw.choice(lengths) for _ in range(size)), parents)


def report() -> Iterator[str]:
    """A Markdown table, a line at a time: makespans over the shortest possible, and what each way
    adds to an action."""
    head = " | ".join(f"{size} actions" for size in SIZES)
    yield f"| run by | {head} | added to an action |"
    yield "| --- |" + " --- |" * (len(SIZES) + 1)
    for name, opened in _ways().items():
        with opened() as runner:
            runner(Graph(LENGTHS, ((),) * len(LENGTHS)))
            over = [
                statistics.mean(
                    runner(graph) / graph.bound(WORKERS)
                    for graph in (random_graph(size, seed) for seed in range(GRAPHS))
                )
                for size in SIZES
            ]
            runner(random_graph(50, 99, (0,)))
            added = statistics.median(
                runner(random_graph(200, seed, (0,))) / 200 for seed in range(100, 105)
            )
        cells = " | ".join(f"{share - 1:+.1%}" for share in over)
        yield f"| {name} | {cells} | {added * 1000:.2f} ms |"


def _ways() -> dict[str, Callable[[], AbstractContextManager[Runner]]]:
    memory = Path("/dev/shm")
    ways: dict[str, Callable[[], AbstractContextManager[Runner]]] = {
        "ControlLLM, threads": partial(_ours, False),
        "ControlLLM, worker processes": partial(_ours, True),
    }
    if memory.is_dir():
        ways["ControlLLM, threads, files in memory"] = partial(_ours, False, memory)
        ways["ControlLLM, worker processes, files in memory"] = partial(_ours, True, memory)
    return ways | {name: partial(_others, opened) for name, opened in other_engines.WAYS.items()}


@contextmanager
def _others(opened: Callable[[int], AbstractContextManager[other_engines.Run]]) -> Iterator[Runner]:
    with opened(WORKERS) as run:
        yield lambda graph: run(graph.seconds, graph.parents)


@contextmanager
def _ours(in_processes: bool, folder: Path | None = None) -> Iterator[Runner]:
    with tempfile.TemporaryDirectory(dir=folder) as home:
        toolbox, store = Toolbox.load(TOOLS), Store(Path(home))
        processes = WorkerProcesses(toolbox, store) if in_processes else None
        engine = Engine(toolbox, store, WORKERS, attempt=processes)
        turn = iter(range(1_000_000))

        def run(graph: Graph) -> float:
            plan = plan_of(graph, f"{next(turn)}-")
            started = time.perf_counter()
            made = asyncio.run(_finished(engine, plan))
            seconds = time.perf_counter() - started
            if made != len(graph.seconds):
                raise RuntimeError(f"{made} of {len(graph.seconds)} actions were done.")
            return seconds

        if processes is not None:
            # Both workers are kept ready in a program that runs for long.
            run(Graph((70,) * 8 * WORKERS, ((),) * 8 * WORKERS))
        try:
            yield run
        finally:
            if processes is not None:
                processes.close()
            store.close()


async def _finished(engine: Engine, plan: Plan) -> int:
    events = engine.run(
        plan, {}, name_output=lambda step, media_type: step.key, cancelled=threading.Event()
    )
    return sum([isinstance(event, ActionFinished) async for event in events])


def plan_of(graph: Graph, prefix: str = "") -> Plan:
    """The graph as a plan of one subtask; `prefix` tells its actions from those of other plans."""
    last = len(graph.seconds) - 1
    names = [generated(0) if node == last else f"<GEN>-0-{node}" for node in range(last + 1)]

    def action(node: int, read: Sequence[int]) -> Action:
        inputs = {"text": Literal(f"{prefix}{node}")}
        parts = {"parts": tuple(Reference(names[parent]) for parent in read)} if read else {}
        tool = f"waits_{graph.milliseconds[node]}"
        return Action(tool, {**inputs, **parts}, TypedValue("text", names[node]))

    actions = tuple(action(node, parents) for node, parents in enumerate(graph.parents))
    subtask = Subtask(0, "Wait", ("general",), (), TypedValue("text", generated(0)))
    return Plan((subtask,), {0: (Solution(actions, 5.0),)})
