"""What growing solutions may have: which tools, and how good they have to be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from controlllm.planning.reach import FAR


@dataclass(frozen=True)
class Ranks:
    """The tools, by rank, that a solution may have.

    Parameters
    ----------
    roots: those that may make the return.
    useful: those that it may have at all; all where it is None.
    order: a place for each tool; none reads from one with the same place or a later one.
    """

    roots: Iterable[int]
    useful: frozenset[int] | None = None
    order: Mapping[int, int] | None = None


@dataclass(frozen=True)
class Limits:
    """How good a solution has to be.

    Parameters
    ----------
    longest: how roundabout it may be.
    margin: how much worse than the best it may be.
    best: what it may cost at most.
    """

    longest: float = FAR
    margin: float = FAR
    best: float = FAR
