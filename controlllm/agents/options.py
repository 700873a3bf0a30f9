"""How ReAct and DFSDT go about a task."""

from __future__ import annotations

from dataclasses import dataclass

#: How many nodes a chain has at most, how many ways go on from a place, and how many calls of the
#: model a search has (ToolBench).
MOST_NODES, WIDTH, MOST_CALLS = 12, 2, 200


@dataclass(frozen=True)
class Options:
    """How ReAct and DFSDT go about it; Sum2Act and the hybrid have nothing to choose.

    Parameters
    ----------
    tries: how many chains ReAct makes (``CoT@n``). More than one is of use only where a language
        model decides, at a temperature over 0: rules and search come to the same each time.
    temperature: how much chance there is in what a language model chooses, for ReAct and DFSDT.
    width: how many ways on DFSDT tries from each place.
    depth: how many nodes a chain of ReAct or a branch of DFSDT has at most.
    calls: how often DFSDT chooses, or, where that is more, calls a model.

    Raises ValueError for what no agent can go by.
    """

    tries: int = 1
    temperature: float = 0.0
    width: int = WIDTH
    depth: int = MOST_NODES
    calls: int = MOST_CALLS

    def __post_init__(self) -> None:
        for name in ("tries", "width", "depth", "calls"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it has to be 1 or more.")
        if not 0 <= self.temperature <= 2:
            raise ValueError(f"temperature is {self.temperature}; it has to be from 0 to 2.")


#: One chain, or a search as large as ToolBench's, without chance.
USUAL = Options()
