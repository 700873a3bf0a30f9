"""How good the planner's plans are: ``python -m benchmarks plans`` (paper Table 2-4)."""

from __future__ import annotations

import itertools
import resource
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.annotation import LEVELS, Annotation, Suite
from benchmarks.metrics import Judgement, judge, rates
from controlllm.core.costs import SearchCost
from controlllm.core.plans import Plan, Request
from controlllm.planning.strategies import DEFAULT_STRATEGY
from controlllm.runs.planners import embedded_planner


@dataclass(frozen=True)
class Planned:
    """A request of a suite with its plan, the judgement of it, and what planning took."""

    annotation: Annotation
    plan: Plan
    judgement: Judgement
    search: SearchCost
    seconds: float


def planned(suite: Suite, strategy: str = DEFAULT_STRATEGY) -> list[Planned]:
    """Plan and judge every request of a suite with the embedded planner.

    Raises ValueError where there is no such strategy.
    """
    planner = embedded_planner(suite.toolbox, strategy=strategy)
    planner.plan(
        Request("Describe the picture")
    )  # the models load now, not in the first time taken
    found = []
    for annotation in suite.annotations:
        started = time.perf_counter()
        plan, search = planner.plan(annotation.asked())
        seconds = time.perf_counter() - started
        judgement = judge(plan, annotation, suite.toolbox)
        found.append(Planned(annotation, plan, judgement, search, seconds))
    return found


def table(found: Sequence[Planned]) -> str:
    """The rates with the search's means and the times per request, as a Markdown table."""
    share = rates([item.judgement for item in found])
    seconds = sorted(item.seconds for item in found)
    cells = [
        ("requests", f"{share.requests}"),
        ("IR ↓", f"{share.irrelevant:.3f}"),
        ("NR ↑", f"{share.necessary:.3f}"),
        ("HR ↓", f"{share.hallucinated:.3f}"),
        ("CR ↑", f"{share.consistent:.3f}"),
        ("SE all ↑", f"{share.solved:.3f}"),
        *(
            (f"SE {level} ↑", f"{share.solved_by_level[level]:.3f}")
            for level in LEVELS
            if level in share.solved_by_level
        ),
        ("states visited, mean", f"{statistics.mean(item.search.visited for item in found):.1f}"),
        ("tools assessed, mean", f"{statistics.mean(item.search.assessed for item in found):.1f}"),
        ("planning time, median", f"{statistics.median(seconds) * 1000:.0f} ms"),
        ("planning time, p95", f"{percentile(seconds, 0.95) * 1000:.0f} ms"),
        ("planning time, worst", f"{seconds[-1] * 1000:.0f} ms"),
        ("memory of the process, at most", f"{_most_memory():.0f} MiB"),
    ]
    lines = ["| what | measured |", "| --- | --- |"]
    lines += [f"| {name} | {value} |" for name, value in cells]
    return "\n".join(lines)


def confidence_table(found: Sequence[Planned]) -> str:
    """How often plans of one subtask are right, by how sure the planner was of it."""
    alone = [item for item in found if len(item.plan.subtasks) == 1 and item.annotation.subtasks]
    lines = ["| confidence | requests | solved |", "| --- | --- | --- |"]
    for low, high in itertools.pairwise((0.0, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97, 1.01)):
        inside = [item for item in alone if low <= item.plan.subtasks[0].confidence < high]
        if inside:
            solved = sum(item.judgement.solves for item in inside) / len(inside)
            lines.append(f"| {low:.2f} to {min(high, 1.0):.2f} | {len(inside)} | {solved:.2f} |")
    return "\n".join(lines)


def _most_memory() -> float:
    """The most memory that this process has held, in MiB."""
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / 1024 if sys.platform != "darwin" else kilobytes / 1024**2


def failures(found: Sequence[Planned]) -> str:
    """The requests that were not solved, a line each: what is wrong, and the tools planned."""
    lines = []
    for item in found:
        judged = item.judgement
        if judged.solves:
            continue
        wrong = [
            name
            for name, holds in (
                ("irrelevant tools", judged.irrelevant),
                ("necessary tools missing", not judged.necessary),
                ("made-up inputs", judged.hallucinated),
                ("types in conflict", not judged.consistent),
            )
            if holds
        ]
        tools = [
            " -> ".join(item.plan.solutions[subtask.id][0].tools)
            if item.plan.solutions.get(subtask.id)
            else "no way found"
            for subtask in item.plan.subtasks
        ]
        lines.append(
            f"{judged.id}: {', '.join(wrong) or 'wrong files, words or result'}: "
            f"{' | '.join(tools) or 'no subtasks'}"
        )
    return "\n".join(lines)


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of ordered values lies."""
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]
