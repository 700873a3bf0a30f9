"""What a person chose before, and how that moves what is about as good further up.

Each choice says, for a kind of subtask, which tools the way chosen used that another one did not,
and the other way round. How often the one was chosen over the other, smoothed as Laplace did,
moves a way by at most `MOST` on the scale of scores 1..5: it changes the order of ways that are
nearly as good as each other, and of no others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from controlllm.core.plans import Solution, Subtask
from controlllm.planning.planner import Planner
from controlllm.planning.roles import SolutionExpert

#: How far choices may move a way. Ways whose scores differ by less do nearly the same, see
#: `controlllm.engine.run.NEARLY`.
MOST = 1.0


@dataclass(frozen=True)
class Choice:
    """One way chosen over another.

    `place` is where it was chosen, `kind` of what subtask; `chosen` and `other` are the tools that
    only the one, and only the other way uses.
    """

    place: str
    kind: str
    chosen: str
    other: str


@dataclass(frozen=True)
class Habits:
    """What one person chose, the newest first."""

    choices: tuple[Choice, ...] = ()

    @classmethod
    def of(cls, rows: Sequence[tuple[str, str, str, str]]) -> Habits:
        """From rows of `controlllm.store.shelf.Choices`."""
        return cls(tuple(Choice(*row) for row in rows))

    @cached_property
    def _counts(self) -> Counter[tuple[str, str, str]]:
        return Counter((item.kind, item.chosen, item.other) for item in self.choices)

    @property
    def places(self) -> int:
        """How many times something was chosen."""
        return len({item.place for item in self.choices})

    def lean(self, subtask: Subtask, way: Solution, other: Solution) -> float:
        """How much a way is preferred to another: -1..1, exclusively."""
        mine, theirs = parted(way, other)
        if mine == theirs:
            return 0.0
        for_it = self._counts[kind_of(subtask, way), mine, theirs]
        against = self._counts[kind_of(subtask, other), theirs, mine]
        return 2 * (for_it + 1) / (for_it + against + 2) - 1

    def last(self, subtask: Subtask, ways: Sequence[Solution], here: str = "") -> int | None:
        """The place of the way that was chosen when there was such a choice last, but for one made
        `here`; None where there was none."""
        for item in self.choices:
            if item.place == here:
                continue
            for place, way in enumerate(ways):
                if item.kind == kind_of(subtask, way) and any(
                    parted(way, other) == (item.chosen, item.other) for other in ways
                ):
                    return place
        return None

    def reordered(self, subtask: Subtask, ways: Sequence[Solution]) -> tuple[Solution, ...]:
        """Ways, best first, with those further up that are nearly as good as the first and that the
        person chose over such ones. What cannot run here stays where it is in worth."""
        if not self.choices or len(ways) < 2:
            return tuple(ways)
        worth, ranked = ways[0].score, []
        for place, way in enumerate(ways):
            # Whoever ranked them may have had reasons beside the score.
            worth = min(worth, way.score)
            lean = 0.0 if way.missing or not place else self.lean(subtask, way, ways[0])
            ranked.append((-(worth + MOST * lean), place))
        return tuple(ways[place] for _, place in sorted(ranked))


def chosen_over(
    place: str, subtask: Subtask, way: Solution, others: Sequence[Solution]
) -> tuple[Choice, ...]:
    """What it says that a way was chosen at a place over others; nothing where only the inputs of
    tools differ."""
    found = []
    for other in others:
        mine, theirs = parted(way, other)
        if mine != theirs:
            found.append(Choice(place, kind_of(subtask, way), mine, theirs))
    return tuple(dict.fromkeys(found))


def parted(way: Solution, other: Solution) -> tuple[str, str]:
    """The tools that only the one way uses, and those that only the other does."""
    mine, theirs = Counter(way.tools), Counter(other.tools)
    return _said(mine - theirs), _said(theirs - mine)


def kind_of(subtask: Subtask, way: Solution) -> str:
    """The kind of a subtask: of what types it makes what."""
    given = sorted({argument.type for argument in subtask.args if not argument.role})
    return f"{'+'.join(given)} to {way.actions[-1].output.type}"


def in_habit(planner: Planner, habits: Habits) -> Planner:
    """A planner that ranks ways as before, and then by what the person chose."""
    if not habits.choices:
        return planner
    return planner.with_parts(solution_expert=_InHabit(planner.solver.solution_expert, habits))


@dataclass(frozen=True)
class _InHabit:
    inner: SolutionExpert
    habits: Habits

    def rank(self, subtask: Subtask, solutions: Sequence[Solution]) -> tuple[Solution, ...]:
        return self.habits.reordered(subtask, self.inner.rank(subtask, solutions))


def _said(tools: Counter[str]) -> str:
    return "+".join(sorted(tools.elements()))
