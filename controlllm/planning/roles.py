"""The planner's parts as interfaces; each has an embedded and a prompted keeper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from controlllm.core.plans import Action, Request, Solution, Subtask, TypedValue
from controlllm.core.proposals import Proposal
from controlllm.planning.search import Candidate
from controlllm.toolbox import Tool


class Decomposer(Protocol):
    """Breaks a request into subtasks (paper Sec. 3.1)."""

    def decompose(self, request: Request) -> tuple[Subtask, ...]: ...


class Assessor(Protocol):
    """Scores tools for a subtask, 1..5 (paper Sec. 3.2.2)."""

    def assess(self, subtask: Subtask, tools: Sequence[Tool]) -> Mapping[str, float]: ...


@runtime_checkable
class Proposes(Protocol):
    """A decomposer that divides a request by a whole plan which somebody proposed for it.

    `proposal` is the last one, None where there was none for the last request; `back_to` are files
    and results that are to be current again by it.
    """

    proposal: Proposal | None
    back_to: tuple[str, ...]


@dataclass(frozen=True)
class Judgement:
    """Which tools are of use for a subtask, by name, on the scale 1..5 of those who judged.

    `ends` are tools whose result can be what is wanted, `helps` those that help on the way. A tool
    in neither is of no use. `needed` are those without which a way leaves something out.
    """

    ends: Mapping[str, float]
    helps: Mapping[str, float]
    needed: frozenset[str] = frozenset()


@runtime_checkable
class JudgesEnds(Protocol):
    """An assessor that tells the last step of a way from the others, for a whole request at once.

    What it names is a way: its scores are compared with each other only, never with what another
    assessor would ask of a tool.
    """

    def prepare(self, subtasks: Sequence[Subtask], request: Request) -> None: ...

    def judgement(self, subtask: Subtask) -> Judgement | None: ...


class ResourceExpert(Protocol):
    """Fills in what the search left open (paper Sec. 3.2.3, 6.4).

    The actions of each candidate, each after those it reads from, none where a candidate is but
    another one with inputs swapped; `given` and `texts` are what the
    candidates' bindings point into.
    """

    def complete(
        self,
        candidates: Sequence[Candidate],
        subtask: Subtask,
        given: Sequence[TypedValue],
        texts: Sequence[TypedValue],
    ) -> tuple[tuple[Action, ...], ...]: ...


class SolutionExpert(Protocol):
    """Puts solutions in order, best first, and drops those not worth showing (paper Sec. 6.3).

    They come in the search's order; at least one stays.
    """

    def rank(self, subtask: Subtask, solutions: Sequence[Solution]) -> tuple[Solution, ...]: ...
