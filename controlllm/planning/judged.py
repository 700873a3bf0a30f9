"""Ways out of tools that somebody judged by name, as a language model does.

What was named is taken at its word: a tool that was said to make the result ends a way, whatever
another assessor would ask of it. The tools named make a small graph of their own, which is searched
first and wide; only where they do not connect, all others may stand between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from controlllm.core.plans import Subtask, TypedValue
from controlllm.planning.arguments import mismatch, role_of
from controlllm.planning.drafts import (
    BEST_SCORE,
    Absent,
    Assess,
    Candidate,
    Costs,
    Given,
    Words,
    canonical,
)
from controlllm.planning.graph import ToolGraph
from controlllm.planning.roles import Judgement
from controlllm.planning.search import ROUNDABOUT, Extent
from controlllm.planning.space import Goal
from controlllm.planning.strategies import Strategy
from controlllm.toolbox import Tool, Toolbox


class Judged(NamedTuple):
    """The ways found, each with its cost, best first; how many states were visited, whether the
    searches ended by themselves, and the types of result that were searched for."""

    ways: list[tuple[float, Candidate]]
    visited: int
    complete: bool
    types: tuple[str, ...]


#: What makes a way that ends in such a tool.
ENDS = 3.0
#: The score of a tool that was not named.
_UNNAMED = 1.0
#: How roundabout ways of tools that were all named may be.
_WIDE = 0.9
#: Making what could also be had from words is no detour where tools for it were named, and words
#: may stay unread where no tool named has a use for them.
_COSTS = Costs(detour=0.15, unused_words=0.5, repeat=0.3)
#: What it costs to make another kind of thing than was wanted, to put words to another use than
#: was said, and for each text that stands where something else is meant.
_OTHER_KIND, _OTHER_USE, _MISPLACED = 0.3, 0.1, 0.2
#: What it costs to look for a thing by the whole order, where no thing was named: "crop it".
_ORDER_AS_NAME = 0.8
#: A longer order may name a thing that was not heard in it.
_SHORT_ORDER = 4
#: Words that serve each other's inputs as well as this are not misplaced.
_ALIKE = 0.1
#: What it costs that a tool works on the way that was only said to make the result.
_NO_STEP = 0.6
#: What it costs to leave out a tool that is needed and that another way has.
_LEFT_OUT = 0.4
#: What it costs to change all of a picture where a thing in it was named and nothing looks for it.
_EVERYWHERE = 0.5
#: The score in the search of a tool that helps on the way and makes the wanted type as well.
_BETWEEN = 3.5
#: How many ways are searched for, of which the best are kept once each has its own last score.
_SEARCHED = 12


@dataclass(frozen=True)
class JudgedSearch:
    """The search for the ways to a subtask's result.

    `cannot_run` is what it takes off the score of tools that cannot run here; `fixed` says that
    later subtasks count on the type of the result.
    """

    search: Strategy
    graph: ToolGraph
    subtask: Subtask
    judgement: Judgement
    cannot_run: Mapping[str, float]
    fixed: bool

    def candidates(self, given: Sequence[TypedValue], texts: Sequence[TypedValue]) -> Judged:
        """The ways that work on what is given, and may read these texts."""
        graph, subtask, judgement = self.graph, self.subtask, self.judgement
        named = {
            tool.name: tool
            for tool in graph.toolbox
            if tool.name in judgement.ends or tool.name in judgement.helps
        }
        if not any(score >= ENDS for score in judgement.ends.values()):
            return Judged([], 0, True, ())
        small = ToolGraph(
            Toolbox(tuple(named[name] for name in sorted(named)), {}, graph.toolbox.lattice)
        )
        # Words as what they were said to be, and as fit for anything.
        is_short = len(subtask.description.split()) <= _SHORT_ORDER
        readings = (texts, [replace(item, role="") for item in texts]) if texts else (texts,)
        found: list[tuple[float, Candidate]] = []
        visited, complete = 0, True
        for scope in (small, graph):
            types = _types(scope, subtask, judgement, self.fixed)
            for wanted in types:
                extra = 0.0 if _kin(graph, wanted, subtask.returns.type) else _OTHER_KIND
                wide = _WIDE if scope is small else ROUNDABOUT
                results = [
                    self.search(
                        scope,
                        Goal(given, words, wanted),
                        _assess(scope, wanted, judgement, self.cannot_run),
                        Extent(_SEARCHED, wide),
                        _COSTS,
                    )
                    for words in readings
                ]
                for number, result in enumerate(results):
                    visited, complete = visited + result.visited, complete and result.complete
                    for candidate in result.candidates:
                        used = _OTHER_USE * number
                        used += _MISPLACED * _misplaced(candidate, given, texts)
                        used += _NO_STEP * _out_of_place(candidate, judgement)
                        used += _EVERYWHERE * _is_everywhere(candidate, texts)
                        used += _ORDER_AS_NAME * (is_short and _looks_for_order(candidate))
                        last = candidate.drafts[0].tool.name
                        if judgement.ends.get(last, _UNNAMED) >= ENDS:
                            cost = _put_right(candidate, wanted, named, judgement) + used + extra
                            found.append((cost, replace(candidate, cost=cost)))
            if found:
                break
        found = _without_what_is_needed(found, judgement)
        unique: dict[tuple[object, ...], tuple[float, Candidate]] = {}
        for cost, candidate in sorted(found, key=lambda item: item[0]):
            unique.setdefault(canonical(candidate.drafts), (cost, candidate))
        return Judged(list(unique.values()), visited, complete, types)


def _without_what_is_needed(
    found: Sequence[tuple[float, Candidate]], judgement: Judgement
) -> list[tuple[float, Candidate]]:
    """Ways with what it costs them to leave out tools that are needed and that others have."""
    taken = [judgement.needed & {d.tool.name for d in item.drafts} for _, item in found]
    had = frozenset[str]().union(*taken)
    return [
        (cost + _LEFT_OUT * len(had - own), replace(item, cost=cost + _LEFT_OUT * len(had - own)))
        for (cost, item), own in zip(found, taken, strict=True)
    ]


def _types(
    graph: ToolGraph, subtask: Subtask, judgement: Judgement, fixed: bool
) -> tuple[str, ...]:
    """The types that tools make which were said to make the result, the wanted one first."""
    ends = [name for name, score in judgement.ends.items() if score >= ENDS]
    made = dict.fromkeys(graph.toolbox[name].returns.type for name in ends if name in graph.toolbox)
    wanted = subtask.returns.type
    if fixed and any(graph.lattice.is_a(name, wanted) for name in made):
        made = {name: None for name in made if graph.lattice.is_a(name, wanted)}
    return tuple(sorted(made, key=lambda name: (name != wanted, name)))


def _kin(graph: ToolGraph, made: str, wanted: str) -> bool:
    lattice = graph.lattice
    return lattice.ancestors(made)[-1] == lattice.ancestors(wanted)[-1]


def _misplaced(
    candidate: Candidate, given: Sequence[TypedValue], texts: Sequence[TypedValue]
) -> int:
    """How many words stand in inputs that are for other words."""
    count = 0
    for draft in candidate.drafts:
        for argument, binding in zip(draft.tool.args, draft.inputs, strict=True):
            if isinstance(binding, Given):
                count += mismatch(role_of(argument), given[binding.index].role) > _ALIKE
            elif isinstance(binding, Words) and binding.index >= 0:
                count += mismatch(role_of(argument), texts[binding.index].role) > _ALIKE
    return count


def _looks_for_order(candidate: Candidate) -> bool:
    """Whether a tool looks for a thing and is given the whole order as the thing's name."""
    return any(
        isinstance(binding, Words) and binding.index < 0 and role_of(argument) == "object"
        for draft in candidate.drafts
        for argument, binding in zip(draft.tool.args, draft.inputs, strict=True)
    )


def _is_everywhere(candidate: Candidate, texts: Sequence[TypedValue]) -> bool:
    """Whether the last tool, which could work on a part, is given none though a thing was named
    that no tool of the way looks for: "pixelate the faces" is not meant for all of a picture."""
    last = candidate.drafts[0]
    if last.tool.places != "inside" or not any(item.role == "object" for item in texts):
        return False
    parts = [
        binding
        for argument, binding in zip(last.tool.args, last.inputs, strict=True)
        if argument.type == "mask" and argument.optional
    ]
    if not parts or not all(isinstance(binding, Absent) for binding in parts):
        return False
    return not any(
        isinstance(binding, Words)
        and (binding.index < 0 or texts[binding.index].role in ("object", ""))
        for draft in candidate.drafts
        for binding in draft.inputs
    )


def _out_of_place(candidate: Candidate, judgement: Judgement) -> int:
    """How many tools work on the way that were only said to make the result."""
    return sum(
        draft.tool.name in judgement.ends and draft.tool.name not in judgement.helps
        for draft in candidate.drafts[1:]
    )


def _score(name: str, wanted: str, named: Mapping[str, Tool], judgement: Judgement) -> float:
    """What a tool counts in the search, which has one score for each.

    A tool that helps on the way and makes the wanted type could also end there: it counts as
    something between, and what that is off is put right for each way that is found.
    """
    ends = judgement.ends.get(name, _UNNAMED)
    helps = judgement.helps.get(name, _UNNAMED)
    if name in named and named[name].returns.type == wanted:
        return max(ends, min(helps, _BETWEEN))
    # What makes the result of another reading is not out of place on the way.
    return max(helps, min(ends, BEST_SCORE - 2.0))


def _put_right(
    candidate: Candidate, wanted: str, named: Mapping[str, Tool], judgement: Judgement
) -> float:
    """A way's cost with each tool's own score for the place that it has there."""
    cost = candidate.cost
    last, *others = [draft.tool.name for draft in candidate.drafts]
    cost += _COSTS.last * (_score(last, wanted, named, judgement) - judgement.ends[last])
    for name in others:
        counted = _score(name, wanted, named, judgement)
        cost += _COSTS.support * (counted - max(counted, judgement.helps.get(name, _UNNAMED)))
    return cost


def _assess(
    graph: ToolGraph, wanted: str, judgement: Judgement, cannot_run: Mapping[str, float]
) -> Assess:
    named = {tool.name: tool for tool in graph.toolbox}

    def assess(tools: Sequence[Tool]) -> dict[str, float]:
        return {
            tool.name: _score(tool.name, wanted, named, judgement) - cannot_run.get(tool.name, 0.0)
            for tool in tools
        }

    return assess
