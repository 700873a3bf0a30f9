"""Which of the tools at hand can answer a part of a task, on the planner's own scale of 1 to 5.

How well tools serve a part beside each other says which is best, and never that none is any good:
of tools that all do something else one is always nearest. That takes a scale that is not relative,
and a look at the tools that would do it and cannot run here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from controlllm.core.plans import Subtask
from controlllm.planning.phrasebook import OUTSIDE
from controlllm.planning.planner import Planner, Solved
from controlllm.toolbox import Tool

#: A tool that fits a part worse than this does not answer it, as in planning; one without examples
#: is known less well.
_FIT_NEEDED, _FIT_NEEDED_UNTAUGHT = 3.0, 1.6
#: Where a tool that cannot be had fits better by so much, what is offered does something else.
_MUCH_BETTER = 1.0


def fits_of(subtask: Subtask, planner: Planner) -> dict[str, float]:
    """How well each tool that the planner knows fits a part, 1..5 by name, also those that cannot
    run here: what the reader of wishes says, or how near what a tool says of itself comes."""
    tools = tuple(planner.graph.toolbox)
    if subtask.returns.type == OUTSIDE:
        # Something is always nearest to what no tool does.
        return {tool.name: 1.0 for tool in tools}
    # The reader's share of a tool is small where many do the same, however well they do it.
    near = planner.assessor.assess(replace(subtask, ends={}, helps={}), tools)
    return {name: max(fit, subtask.ends.get(name, 1.0)) for name, fit in near.items()}


def unfit_tools(fits: Mapping[str, float], offered: Sequence[Tool]) -> frozenset[str]:
    """The tools of those offered that do not answer a part: they fit it too badly, or much worse
    than one that is not offered."""
    names = {tool.name for tool in offered}
    best_absent = max((fit for name, fit in fits.items() if name not in names), default=1.0)

    def answers(tool: Tool) -> bool:
        fit = fits.get(tool.name, 1.0)
        needed = _FIT_NEEDED if tool.examples else _FIT_NEEDED_UNTAUGHT
        return fit >= needed and fit > best_absent - _MUCH_BETTER

    return frozenset(tool.name for tool in offered if not answers(tool))


def what_it_needs(solved: Solved | None, unavailable: Mapping[str, str]) -> str:
    """Why nothing that is offered answers a part, as planning says it: what would, and what that
    needs. `unavailable` says why tools cannot be had, by their names."""
    said = solved.message if solved is not None else ""
    if solved is not None and solved.solutions:
        best = dict.fromkeys(solved.solutions[0].tools)
        lacking = {name: unavailable[name] for name in best if name in unavailable}
        said = "; ".join(
            f"{name.replace('_', ' ')} cannot run here: {why}" for name, why in lacking.items()
        )
    said = said.strip() or "I found no way to do this: no tool here does this."
    return f"{said[0].upper()}{said[1:]}" + "." * (said[-1] not in ".!?")
