"""How good the planner's plans are: ``python -m controlllm.evaluation plans`` (paper Table 2-4)."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

from controlllm.assistant import embedded_planner
from controlllm.evaluation.annotation import LEVELS, Annotation, Suite
from controlllm.evaluation.metrics import Judgement, judge, rates
from controlllm.plan import Plan, SearchCost


@dataclass(frozen=True)
class Planned:
    """A request of a suite with its plan, the judgement of it, and what planning took."""

    annotation: Annotation
    plan: Plan
    judgement: Judgement
    search: SearchCost
    seconds: float


def planned(suite: Suite, strategy: str = "best-first") -> list[Planned]:
    """Plan and judge every request of a suite with the embedded planner.

    Raises ValueError where the planner does not search by this strategy.
    """
    planner = embedded_planner(suite.toolbox)
    if strategy != planner.strategy:
        raise ValueError(f"The planner does not search {strategy}; it searches {planner.strategy}.")
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
        ("planning time, p95", f"{_percentile(seconds, 0.95) * 1000:.0f} ms"),
    ]
    lines = ["| what | measured |", "| --- | --- |"]
    lines += [f"| {name} | {value} |" for name, value in cells]
    return "\n".join(lines)


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


def _percentile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]
