"""Solutions that grow backwards from the wanted return, cheapest first.

Partial solutions leave the queue in order of ``cost + bound``. The bound never overstates what is
missing: each type that nothing at hand has yet needs at least one more action that makes it, no
action costs less than the cheapest tool of that type, and the given resources and words that are
not used yet need at least the cheapest tree of actions between them and the open inputs (see
`controlllm.planning.bounds`). Hence no solution comes out before a cheaper one, which is what
``tests/planning/test_search.py`` checks against brute force.

A partial solution is grown by a tool only when nothing else could be cheaper: until then it waits
in the queue, with a rougher bound for all the tools that could come next.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from controlllm.planning.allowed import Limits, Ranks
from controlllm.planning.bounds import Bounds
from controlllm.planning.drafts import (
    BEST_SCORE,
    AllGiven,
    Bill,
    Draft,
    Given,
    Made,
    Words,
    canonical,
)
from controlllm.planning.makers import Choice, Turns
from controlllm.planning.partial import Action, Each, MadeForEach, Open, Partial, below, drafts_of
from controlllm.planning.reach import FAR
from controlllm.planning.space import EQUAL, Space

#: Of equal estimates, solutions come first, shorter ones before longer; then what has most bound.
_LAST = 1_000_000


@dataclass(frozen=True)
class Solution:
    """A finished solution with what it costs."""

    drafts: tuple[Draft, ...]
    bill: Bill


class Waiting(NamedTuple):
    """A partial solution whose first open input may still be made by other tools.

    Those of `turns` come once for each of the `branches`; `turn` counts these. `extra` is what a
    further action costs here, `so_far` how roundabout all is with it; `readers` has a bit for each
    action that will read from it.
    """

    partial: Partial
    extra: float
    so_far: float
    readers: int
    branches: tuple[int, ...]
    turns: Turns
    turn: int


_NO_LIMITS = Limits()


class Growth:
    """Grows partial solutions, cheapest first.

    Parameters
    ----------
    scores: what tools are worth; without it every tool counts as perfect and words may stay unread,
        so that the first solution is the least roundabout one.
    haste: how much the bound and each given resource that is not used yet count beside; above 0,
        some solution comes out sooner, though not the cheapest.
    bounds: what is known of the costs of what is missing; those that need no scores by default.
    """

    def __init__(
        self,
        space: Space,
        ranks: Ranks,
        scores: Mapping[str, float] | None = None,
        limits: Limits = _NO_LIMITS,
        haste: float = 0.0,
        bounds: Bounds | None = None,
    ) -> None:
        self.visited = 0
        self.complete = True
        self._pushed = 0
        self._space = space
        self._costs = space.costs
        useful = ranks.useful
        self._roots = [rank for rank in ranks.roots if useful is None or rank in useful]
        self._scores = scores
        self._longest = limits.longest
        self._margin = limits.margin
        self._order = ranks.order
        self._worst = limits.best
        self._haste = haste
        self._bounds = bounds or space.bounds
        self._choice = Choice(space, useful, scores, self._bounds, haste)
        self._inputs = space.wiring.inputs
        self._returns = space.wiring.returns
        self._given = (1 << len(space.given)) - 1
        self._siblings: dict[tuple[int, ...], Iterator[Partial]] = {}
        self._queue: list[tuple[float, int, tuple[int, ...], Partial | Solution | Waiting]] = []

    def solutions(self, max_visited: int, max_made: int = 10_000) -> Iterator[Solution]:
        """Different solutions in order of cost; `complete` is False where it stopped after so many
        partial solutions visited or made."""
        alike: dict[tuple[int, ...], list[Partial]] = {}
        for rank in self._roots:
            alike.setdefault(self._inputs[rank], []).append(self._root(rank))
        for roots in alike.values():
            roots.sort(key=lambda root: (root.scores, root.path))
            for root in self._first(iter(roots)):
                self._push(root)
        seen: set[tuple[object, ...]] = set()
        while self._queue:
            estimate, _, path, item = heapq.heappop(self._queue)
            if estimate > self._worst + EQUAL:
                return
            if self.visited >= max_visited or self._pushed >= max_made:
                self.complete = False
                return
            if isinstance(item, Waiting):
                self._next(item)
                continue
            self.visited += 1
            if path in self._siblings:
                for sibling in self._first(self._siblings.pop(path)):
                    self._push(sibling)
            if isinstance(item, Partial):
                for grown in self._grown(item):
                    self._push(grown)
                continue
            key = canonical(item.drafts)
            if key not in seen:
                seen.add(key)
                yield item

    def _root(self, rank: int) -> Partial:
        space = self._space
        off = 0.0 if self._scores is None else space.last_cost(rank, self._scores)
        action = Action(rank, (None,) * len(self._inputs[rank]), -1, 0)
        left = (1 << len(space.given) + len(space.texts)) - 1
        return Partial((rank,), (action,), 0, 0, left, 0.0, off)

    def _push(self, partial: Partial) -> None:
        actions, position, place = partial.actions, partial.position, partial.place
        while place == len(actions[position].inputs):
            position, place = position + 1, 0
            if position == len(actions):
                self._finish(partial)
                return
        if position != partial.position:
            partial = partial._replace(position=position, place=place)
        made = [self._returns[action.rank] for action in actions]
        roundabout, cost = self._bound(partial, made)
        so_far = partial.roundabout + self._repeated(actions, partial.position, made)
        if so_far + roundabout > self._longest + EQUAL or roundabout == FAR:
            return
        if self._haste:
            cost += self._haste * (cost + (partial.left & self._given).bit_count())
        estimate = round(so_far + partial.scores + cost, 9)
        if estimate <= self._worst + EQUAL:
            self._pushed += 1
            heapq.heappush(self._queue, (estimate, -len(partial.path), partial.path, partial))

    def _finish(self, partial: Partial) -> None:
        if partial.left & self._given:
            return
        space = self._space
        drafts = drafts_of(space.wiring.tools, partial.actions)
        if drafts is None or len(drafts) > space.length:
            return
        perfect = defaultdict[str, float](lambda: BEST_SCORE)
        bill = space.bill(drafts, perfect if self._scores is None else self._scores)
        estimate = round(bill.roundabout if self._scores is None else bill.total, 9)
        if bill.roundabout > self._longest + EQUAL:
            return
        self._worst = min(self._worst, estimate + self._margin)
        if estimate <= self._worst + EQUAL:
            place = (estimate, len(drafts) - _LAST, partial.path)
            heapq.heappush(self._queue, (*place, Solution(drafts, bill)))

    def _bound(self, partial: Partial, made: Sequence[str]) -> tuple[float, float]:
        """Lower bounds on how roundabout what is missing is, infinite for a dead end, and on what
        it costs in all."""
        actions = partial.actions
        needs = self._bounds.needs(self._open(partial), partial.left)
        missing = needs.missing
        if not missing.isdisjoint(made):
            missing = missing.difference(made)
        steps = len(missing)
        # Where all that is there reads from what is missing, none of it can be a shorter way.
        if needs.deepest > steps and actions[-1].above == (1 << len(actions) - 1) - 1:
            steps = needs.deepest if partial.position == len(actions) - 1 else steps
        if len(actions) + steps > self._space.length or needs.given == FAR:
            return FAR, FAR
        roundabout = max(self._costs.step * steps, needs.given)
        if self._scores is None:
            return roundabout, roundabout
        cost = 0.0
        for type_name in missing:
            cost += self._costs.step + self._choice.least_off(type_name)
        return roundabout, max(roundabout, cost, needs.cost) + needs.lost

    def _open(self, partial: Partial) -> tuple[int, ...]:
        """The kinds of all open inputs, the first one first."""
        place = partial.place
        numbers: tuple[int, ...] = ()
        for action in partial.actions[partial.position :]:
            numbers += self._inputs[action.rank][place:]
            place = 0
        return numbers

    def _repeated(self, actions: Sequence[Action], position: int, made: Sequence[str]) -> float:
        """What actions cost that make these types for going there and back, and for reading words
        again; those before `position` have no open inputs."""
        cost = 0.0
        if len(set(made)) < len(made):
            again: set[int] = set()
            for place, name in enumerate(made):
                if name in made[:place]:
                    above = actions[place].above
                    again.update(
                        reader
                        for reader in range(place)
                        if above >> reader & 1 and made[reader] == name
                    )
            for place in again:
                if not self._may_be_guided(actions[place], place < position):
                    cost += self._costs.repeat
        if self._space.texts and len(actions) > 1:
            read = [
                binding.index
                for action in actions
                for binding in action.inputs
                if isinstance(binding, Words) and binding.index >= 0
            ]
            cost += self._costs.reread * (len(read) - len(set(read)))
        return cost

    def _may_be_guided(self, action: Action, closed: bool) -> bool:
        if any(isinstance(binding, Words) for binding in action.inputs):
            return True
        return not closed and any(slot.words for slot in self._space.slots(action.rank))

    def _grown(self, partial: Partial) -> Iterator[Partial]:
        """Every way to bind the first open input."""
        actions, position = partial.actions, partial.position
        action = actions[position]
        slot = self._space.slot(self._inputs[action.rank][partial.place])
        for binding, extra in slot.direct:
            # Neither one resource nor one text serves two inputs of the same action.
            if not isinstance(binding, Given | Words) or binding not in action.inputs:
                yield self._with(partial, binding, extra)
        if action.branch >= 0 and slot.each is not None and slot.each not in action.inputs:
            yield self._with(partial, slot.each, 0.0)
        readers = action.above | 1 << position
        busy = {item.rank for place, item in enumerate(actions) if readers >> place & 1}
        for earlier, source in enumerate(actions):
            if (
                self._returns[source.rank] == slot.type
                and not readers >> earlier & 1
                and source.branch in (-1, action.branch)
                and self._may_read(action, source.rank)
            ):
                sources = [
                    place
                    for place, item in enumerate(actions)
                    if place == earlier or item.above >> earlier & 1
                ]
                if not any(actions[place].rank in busy for place in sources):
                    linked = self._with(partial, Made(earlier), self._costs.reuse + slot.detour)
                    yield below(linked, sources, readers)
        extra = self._costs.step + slot.detour
        if len(actions) == self._space.length or partial.roundabout + extra > self._longest + EQUAL:
            return
        branches: tuple[int, ...] = (-1,)
        if action.branch >= 0:
            branches = (-1, action.branch)
        elif slot.many and len(self._space.given) > 1:
            branches = (-1, position << 8 | partial.place)
        turns = self._choice.turns(slot.type, self._open(partial)[1:], partial.left, len(actions))
        made = [*(self._returns[item.rank] for item in actions), slot.type]
        longer = (*actions, Action(-1, (), -1, readers))
        so_far = partial.roundabout + extra + self._repeated(longer, position, made)
        self._wait(Waiting(partial, extra, so_far, readers, branches, turns, 0))

    def _wait(self, waiting: Waiting) -> None:
        """Let the tools that make the first open input come when it may be their turn, behind all
        that came from others and costs as much."""
        partial, _, so_far, _, branches, turns, turn = waiting
        while turn < len(turns.costs) * len(branches):
            number = turn // len(branches)
            estimate = round(so_far + partial.scores + turns.costs[number], 9)
            if estimate > self._worst + EQUAL:
                return
            if so_far + turns.roundabout[number] <= self._longest + EQUAL:
                place = (estimate, -len(partial.path), partial.path)
                heapq.heappush(self._queue, (*place, waiting._replace(turn=turn)))
                return
            turn += 1

    def _next(self, waiting: Waiting) -> None:
        """Grow by the tools whose turn it is."""
        partial, extra, _, readers, branches, turns, turn = waiting
        actions = partial.actions
        busy = {item.rank for place, item in enumerate(actions) if readers >> place & 1}
        action = actions[partial.position]
        branch = branches[turn % len(branches)]
        alike = (
            self._made_by(partial, rank, branch, extra, off, readers)
            for off, rank in turns.lists[turn // len(branches)]
            if rank not in busy and self._may_read(action, rank)
        )
        for grown in self._first(alike):
            self._push(grown)
        self._wait(waiting._replace(turn=turn + 1))

    def _first(self, alike: Iterator[Partial]) -> Iterator[Partial]:
        """The first of partial solutions that are alike but for their cost, cheapest first; each of
        the others is pushed when the one before it leaves the queue. One will do where none costs
        more than another."""
        for partial in alike:
            if self._scores is not None:
                self._siblings[partial.path] = alike
            yield partial
            return

    def _may_read(self, action: Action, source: int) -> bool:
        return self._order is None or self._order[source] < self._order[action.rank]

    def _made_by(
        self, partial: Partial, rank: int, branch: int, extra: float, off: float, readers: int
    ) -> Partial:
        """With a new action that makes the first open input."""
        path, actions, position, place, left, roundabout, scores = partial
        new = len(actions)
        reader = actions[position]
        lists = branch >= 0 and reader.branch < 0
        binding = MadeForEach(new) if lists else Made(new)
        inputs = (*reader.inputs[:place], binding, *reader.inputs[place + 1 :])
        return Partial(
            (*path, 1_000 + 2 * rank + (branch >= 0)),
            (
                *actions[:position],
                reader._replace(inputs=inputs),
                *actions[position + 1 :],
                Action(rank, (None,) * len(self._inputs[rank]), branch, readers),
            ),
            position,
            place + 1,
            left,
            roundabout + extra,
            scores + off,
        )

    def _with(self, partial: Partial, binding: Open, extra: float) -> Partial:
        """With the first open input bound."""
        path, actions, position, place, left, roundabout, scores = partial
        action = actions[position]
        inputs = (*action.inputs[:place], binding, *action.inputs[place + 1 :])
        code = 0
        if isinstance(binding, Given):
            code = 1 + binding.index
            left &= ~(1 << binding.index)
        elif isinstance(binding, AllGiven | Each):
            code = 200 + isinstance(binding, Each)
            for index in binding.indices:
                left &= ~(1 << index)
        elif isinstance(binding, Words):
            code = 300 + binding.index
            if binding.index < 0:
                left &= self._given
            else:
                left &= ~(1 << len(self._space.given) + binding.index)
        elif isinstance(binding, Made):
            code = 400 + binding.position
        return Partial(
            (*path, code),
            (*actions[:position], action._replace(inputs=inputs), *actions[position + 1 :]),
            position,
            place + 1,
            left,
            roundabout + extra,
            scores,
        )
