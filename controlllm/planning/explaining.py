"""Why a tool is not in the ways that are shown for a subtask, from what their search knew.

Whether a tool can run on what is given, and lead to what is wanted, is told from types by the same
pass that the search begins with (`controlllm.planning.reach`). Where it does both, ways with it are
looked for, as many as a limit allows, and its score is put beside that of the tool in its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from controlllm.planning.allowed import Limits, Ranks
from controlllm.planning.drafts import Costs
from controlllm.planning.graph import ToolGraph
from controlllm.planning.growth import Growth, Solution
from controlllm.planning.reach import FAR
from controlllm.planning.space import Goal, Space
from controlllm.planning.tracing import Trace

Kind = Literal[
    "best", "shown", "beyond", "narrowed", "not_searched", "needs", "only_words", "too_far",
    "nowhere",
    "unused", "low", "unnamed", "costs", "unclear",
]  # fmt: skip

#: How many partial ways are looked at for one with a given tool, and how many are made for each.
_MOST_VISITED, _MADE = 3_000, 10
#: The score of a tool that nobody counted among those of use.
_UNNAMED = 1.0
#: Scores that differ by less count as equal.
_AS_GOOD = 0.05


@dataclass(frozen=True)
class Verdict:
    """Why a tool is, or is not, in the ways shown for a subtask.

    `kind` is one of

    - ``best``, ``shown``: it is in the way of this `rank`, counted from 1;
    - ``beyond``: it is in a way that was found and is not shown, of this `rank`;
    - ``narrowed``: it was not among the tools that this request was planned over;
    - ``not_searched``: no way was searched for this subtask at all;
    - ``needs``: nothing at hand, and no tool, gives these types that it takes;
    - ``only_words``: there are only words, and it is about something else;
    - ``too_far``: what it takes can be made, in more steps than a way may have;
    - ``nowhere``: it can run, and nothing leads from what it `makes` to what is `wanted`;
    - ``unused``: no way with it uses everything that was given;
    - ``low``: its `score` is below that of `other`, `beside`, which stands in its place in the
      best way, or ends that;
    - ``unnamed``: it was not counted among the tools of use, which were the only ones searched;
    - ``costs``: ways with it cost more; the cheapest has so many `steps`, the best `best_steps`;
    - ``unclear``: no way with it came up before the limit.
    """

    tool: str
    kind: Kind
    rank: int = 0
    needs: tuple[str, ...] = ()
    makes: str = ""
    wanted: tuple[str, ...] = ()
    score: float = 0.0
    beside: float = 0.0
    other: str = ""
    steps: int = 0
    best_steps: int = 0


@dataclass(frozen=True)
class Proof:
    """What a search showed: whether it can be sure that nothing better was missed, and among which
    tools; with a strategy that looks at some ways only, it never can."""

    strategy: str
    is_sure: bool
    only_named: bool


def proof_of(trace: Trace) -> Proof:
    """Whether nothing better than the best way was missed."""
    looks_at_all = trace.strategy in ("best-first", "exhaustive")
    return Proof(trace.strategy, trace.complete and looks_at_all, trace.named is not None)


def explain(graph: ToolGraph, trace: Trace, name: str, shown: int, length: int = 10) -> Verdict:
    """Why a tool is not in the first ways of a search, of which so many are `shown`.

    `graph` is what was searched, `length` the most steps of a way.
    """
    for rank, way in enumerate(trace.found, 1):
        if name in way.tools:
            kind: Kind = "beyond" if rank > shown else "best" if rank == 1 else "shown"
            return Verdict(name, kind, rank)
    if name not in graph.toolbox:
        return Verdict(name, "narrowed")
    if not trace.types:
        return Verdict(name, "not_searched")
    tool = graph.toolbox[name]
    spaces = [
        Space(graph, Goal(trace.given, trace.texts, wanted), length, Costs())
        for wanted in trace.types
    ]
    running = [space for space in spaces if space.reach.runnable[_rank(space, name)]]
    verdict = Verdict(name, "unclear", makes=tool.returns.type, wanted=trace.types)
    if not running:
        return _cannot_start(spaces, verdict)
    leading = [space for space in running if _leads(space, _rank(space, name))]
    if not leading:
        return replace(verdict, kind="nowhere")
    if trace.named is not None and name not in trace.named:
        return _compared(graph, trace, verdict, "unnamed")
    ways = [_way_with(space, name, trace.ends) for space in leading]
    found = min(
        (way for way, _ in ways if way is not None),
        key=lambda way: way.bill.total,
        default=None,
    )
    if found is None and all(done for _, done in ways):
        return replace(verdict, kind="unused")
    if found is None:
        return _compared(graph, trace, verdict, "unclear")
    verdict = replace(
        verdict,
        steps=len(found.drafts),
        best_steps=len(trace.found[0].tools) if trace.found else 0,
    )
    return _compared(graph, trace, verdict, "costs")


def _rank(space: Space, name: str) -> int:
    return next(rank for rank, tool in enumerate(space.wiring.tools) if tool.name == name)


def _cannot_start(spaces: list[Space], verdict: Verdict) -> Verdict:
    """Why a tool cannot run: what it takes and nothing gives, in any of the searches."""
    lacking: list[tuple[str, ...]] = []
    for space in spaces:
        reach, wiring = space.reach, space.wiring
        lacking.append(
            tuple(
                dict.fromkeys(
                    wiring.kinds[number].type
                    for number in wiring.required[_rank(space, verdict.tool)]
                    if not reach.hands[number].full and wiring.kinds[number].type not in reach.steps
                )
            )
        )
    least = min(lacking, key=len)
    if least:
        return replace(verdict, kind="needs", needs=least)
    return replace(verdict, kind="only_words" if spaces[0].reach.only_text else "too_far")


def _leads(space: Space, rank: int) -> bool:
    """Whether tools that can run lead from a tool to what is wanted, told from types."""
    wiring = space.wiring
    reached, waiting = {space.wanted}, [space.wanted]
    while waiting:
        for maker in space.makers(waiting.pop()):
            if maker == rank:
                return True
            for number in wiring.inputs[maker]:
                name = wiring.kinds[number].type
                if name not in reached:
                    reached.add(name)
                    waiting.append(name)
    return False


class _Known(dict[str, float]):
    """Scores by name; a tool that was not scored counts as of no use."""

    def __missing__(self, name: str) -> float:
        return _UNNAMED


def _way_with(space: Space, name: str, scores: Mapping[str, float]) -> tuple[Solution | None, bool]:
    """The cheapest way with a tool, and whether the search for it came to an end."""
    rank, known, first, worst = _rank(space, name), _Known(scores), None, FAR
    if rank in space.roots():
        last = Growth(space, Ranks([rank]), known)
        first = next(last.solutions(_MOST_VISITED, _MADE * _MOST_VISITED), None)
        worst = FAR if first is None else first.bill.total
    growth = Growth(space, Ranks(space.roots()), known, Limits(best=worst))
    for way in growth.solutions(_MOST_VISITED, _MADE * _MOST_VISITED):
        if any(draft.tool.name == name for draft in way.drafts):
            return way, True
    return first, growth.complete


def _compared(graph: ToolGraph, trace: Trace, verdict: Verdict, otherwise: Kind) -> Verdict:
    """A tool beside the one that stands in its place in the best way: low, where it scored less."""
    best, name = trace.found[0].tools if trace.found else (), verdict.tool
    score, other = trace.ends.get(name), best[-1] if best else ""
    beside = trace.ends.get(other, 0.0)
    alike = [
        step
        for step in best[:-1]
        if step in graph.toolbox and graph.toolbox[step].returns.type == verdict.makes
    ]
    is_step = verdict.makes not in trace.types and trace.named is None
    if alike and (is_step or trace.helps.get(name, 0.0) > trace.ends.get(name, 0.0)):
        score, other = trace.helps.get(name), alike[0]
        beside = trace.helps.get(other, 0.0)
    elif is_step:
        return replace(verdict, kind=otherwise)
    if score is None or score >= beside - _AS_GOOD:
        return replace(verdict, kind=otherwise)
    return replace(verdict, kind="low", score=score, beside=beside, other=other)
