"""How long the page takes to say what can be changed in a plan, and why a tool is not in it.

python -m scripts.time_editing
"""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from controlllm.core.plans import Plan, Request
from controlllm.editing.bench import Bench
from controlllm.editing.offers import offers
from controlllm.planning.explaining import explain
from controlllm.resources import Resource
from controlllm.runs.planners import embedded_planner
from controlllm.toolbox import Toolbox

T = TypeVar("T")

REQUESTS = (
    ("Find the edges in the picture", "image"),
    ("Cut out the cat", "image"),
    ("What is said in the recording?", "audio"),
    ("Write a poem about rain and read it aloud", ""),
)


def timed(times: list[float], work: Callable[[], T]) -> T:
    started = time.perf_counter()
    done = work()
    times.append(1000 * (time.perf_counter() - started))
    return done


def main() -> None:
    toolbox = Toolbox.load()
    planner = embedded_planner(toolbox)
    planner.decompose(Request("Describe the picture"))
    at_steps: list[float] = []
    again: list[float] = []
    reasons: list[float] = []
    kinds: Counter[str] = Counter()
    for text, type_name in REQUESTS:
        files = {"file": Resource(type_name, "file", "0")} if type_name else {}
        request = Request(text, tuple(files.values()), tuple(files))
        solved = timed(again, lambda asked=request: list(
            planner.solve(planner.decompose(asked), asked)
        ))  # fmt: skip
        plan = Plan(
            tuple(item.subtask for item in solved),
            {item.subtask.id: item.solutions for item in solved},
        )
        for item in solved:
            bench = Bench(plan, item.subtask.id, toolbox, files)
            for position in range(len(bench.actions)):
                timed(at_steps, lambda bench=bench, place=position: offers(bench, place))
            for tool in toolbox:
                assert item.trace is not None
                trace, shown = item.trace, len(item.solutions)
                verdict = timed(reasons, lambda name=tool.name, trace=trace, shown=shown: explain(
                    planner.graph, trace, name, shown
                ))  # fmt: skip
                kinds[verdict.kind] += 1
    for words, times in (
        ("all that can be done at a step", at_steps),
        ("a request searched again", again),
        ("why not one tool, after that", reasons),
    ):
        print(
            f"{words}: median {statistics.median(times):.1f} ms, longest {max(times):.0f} ms "
            f"({len(times)} times, {len(toolbox)} tools)"
        )
    print("reasons:", ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))


if __name__ == "__main__":
    main()
