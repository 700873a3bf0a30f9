"""Which tools can be in a solution at all, told from how roundabout each must make it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from controlllm.planning.reach import FAR, Reach, Usage
from controlllm.planning.wiring import Amounts, Flags, Numbers

_SLACK = 1e-9
#: The bits of what is known of a way: whether the resource is used beside it, and whether going
#: there and back is paid for.
_USED, _PAID = 1, 2


class Descent:
    """Ways down from the wanted return to all that it may be made of.

    A tool is left out only where the cheapest way down to it from a root, the steps that it needs
    itself, and those that any one given resource needs to be used, cost more than a limit even if
    every tool is perfect. `usage` is what the method of `Reach` of that name says.
    """

    def __init__(self, reach: Reach, usage: Usage) -> None:
        wiring = reach.wiring
        self._reach = reach
        self._costs = reach.costs
        self._wiring = wiring
        self._rows = wiring.input_rows
        self._usage = usage
        #: By rank: how roundabout it is at least what has to be done before the tool, and whether
        #: words may guide it.
        deep = np.where(reach.absent, reach.depths[wiring.type_of_kind], 0.0)
        deepest = np.maximum.reduceat(deep[self._rows.flat], self._rows.starts)
        self._before: Amounts = self._costs.step * np.maximum(deepest, reach.lacking)
        words = np.array([*(hand.words is not None for hand in reach.hands), False])
        self._guided: Flags = wiring.taking(words)

    def within(self, roots: Sequence[int], limit: float) -> frozenset[int]:
        """The tools, by rank, that can be in a solution no more roundabout than `limit` that one of
        the roots ends; these make the same type."""
        if not roots:
            return frozenset()
        ends = np.array(roots, np.intp)
        found = self._within(ends, limit, None)
        for item in range(len(self._reach.given)):
            if np.count_nonzero(found) > len(roots):
                found &= self._within(ends, limit, 1 << item)
        return frozenset(np.flatnonzero(found).tolist())

    def _within(self, roots: Numbers, limit: float, item: int | None) -> Flags:
        """The tools that can be in a solution that uses one given resource, as a bit; None where it
        does not matter what is used.

        On the way down from a root, what is left of the limit is kept for each type that is to be
        made, apart for ways on which the resource is used beside the way and on which it is not
        yet, and for roots that have paid for going there and back, or need not: see `Costs.repeat`.
        """
        wiring, reach, rows = self._wiring, self._reach, self._rows
        step, repeat = self._costs.step, self._costs.repeat
        wanted = wiring.type_made[roots[0]]
        if item is not None:
            nearest = self._usage.tools[item]
            beside = self._beside(np.array(self._usage.inputs[item]), nearest)
        found: Flags = np.zeros(len(wiring.tools), np.bool_)
        #: What is left, at most, by whether it is paid and used (as bits) and by type.
        best = np.full((4, len(wiring.types)), -1.0)

        def descend(ranks: Numbers, left: Amounts, state: int) -> None:
            unused = item is not None and not state & _USED
            least = self._before[ranks]
            if unused:
                least = np.maximum(least, nearest[ranks])
            fits = least <= left + _SLACK
            found[ranks[fits]] = True
            fits &= left >= step - _SLACK
            ranks, left = ranks[fits], left[fits]
            places = rows.places(ranks)
            kinds, readers = rows.flat[places], rows.owners[places]
            types = wiring.type_of_kind[kinds]
            after = np.repeat(left, rows.lengths[ranks]) - step - reach.detours[kinds]
            after[(types == wiring.type_made[readers]) & ~self._guided[readers]] -= repeat
            again = types == wanted
            if not state & _PAID:
                after[again] -= repeat
            after[np.isinf(reach.depths[types])] = -1.0
            if unused:
                offer(after, types, again, state)
                after = after - beside[places]
            offer(after, types, again, state | _USED)

        def offer(after: Amounts, types: Numbers, again: Flags, state: int) -> None:
            enough = after >= -_SLACK
            states = state | np.where(again[enough], _PAID, 0)
            np.maximum.at(best, (states, types[enough]), after[enough])

        paid = (self._guided | wiring.taking(wiring.type_of_kind == wanted))[roots]
        start = 0 if item is not None else _USED
        for state, ends in ((start, roots[~paid]), (start | _PAID, roots[paid])):
            descend(ends, np.full(len(ends), limit), state)
        known = np.full_like(best, -1.0)
        while (better := best > known).any():
            known = best.copy()
            for state in np.flatnonzero(better.any(axis=1)).tolist():
                ranks = np.flatnonzero(reach.can_run & better[state][wiring.type_made])
                descend(ranks, known[state][wiring.type_made[ranks]], state)
        return found

    def _beside(self, covers: Amounts, nearest: Amounts) -> Amounts:
        """For each input of each tool, what the cheapest of the tool's other inputs costs."""
        rows = self._rows
        costs = covers[rows.flat]
        is_nearest = costs == nearest[rows.owners]
        alone = np.bincount(rows.owners[is_nearest], minlength=len(nearest)) == 1
        second = np.minimum.reduceat(np.where(is_nearest, FAR, costs), rows.starts)
        return np.where(is_nearest & alone[rows.owners], second[rows.owners], nearest[rows.owners])
