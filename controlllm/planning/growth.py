"""Solutions that grow backwards from the wanted return, cheapest first.

Partial solutions leave the queue in order of ``cost + bound``. The bound never overstates what is
missing: each type that nothing at hand has yet needs at least one more action that makes it, no
action costs less than the cheapest tool of that type, and each given resource that is not used yet
needs as many actions as lie between it and the nearest open input. Hence no solution comes out
before a cheaper one, which is what ``tests/planning/test_search.py`` checks against brute force.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from controlllm.graph import ToolGraph
from controlllm.plan import TypedValue
from controlllm.planning.drafts import (
    BEST_SCORE,
    Absent,
    AllGiven,
    AllMade,
    Bill,
    Binding,
    Costs,
    Draft,
    Given,
    Made,
    Words,
    bill_of,
    canonical,
)
from controlllm.planning.reach import FAR, Reach, shared, wiring_of
from controlllm.toolbox import Tool

#: Sums of costs may differ by this where they are equal.
EQUAL = 1e-9
#: Of equal estimates, solutions come first, shorter ones before longer; then what has most bound.
_LAST = 1_000_000


@dataclass(frozen=True)
class Solution:
    """A finished solution with what it costs."""

    drafts: tuple[Draft, ...]
    bill: Bill


@dataclass(frozen=True, order=True)
class Each:
    """An input bound to one given resource after the other: the work is done for each of them.

    It is counted as that list's own, apart from the same call made elsewhere.
    """

    indices: tuple[int, ...]


@dataclass(frozen=True, order=True)
class MadeForEach:
    """An input that takes a list, bound to what the action at this position makes of each of
    several resources."""

    position: int


Open = Binding | Each | MadeForEach


@dataclass(frozen=True, slots=True)
class Slot:
    """What an input of one kind can be bound to in a subtask.

    `full` says that something at hand fits, `words` that words do; `direct` are the bindings to it,
    with their costs; `each` is the binding to several given resources in turn, where there are
    several; `detour` is what it costs to make such an input anew; `steps` is the least number of
    actions to make it.
    """

    type: str
    full: bool
    words: bool
    optional: bool
    many: bool
    detour: float
    direct: tuple[tuple[Binding, float], ...]
    each: Each | None
    steps: int


class Needs(NamedTuple):
    """What open inputs and unused items need.

    `missing` are types that nothing at hand has, `deepest` is the least number of actions one after
    the other that make one of them. `given` is how roundabout it is at least to use the given
    resources that are left, `words` what it costs at least to read or not to read the texts that
    are left, and `lost` what those cost that can no longer be read.
    """

    missing: frozenset[str]
    deepest: int
    given: float
    words: float
    lost: float


class Space:
    """One subtask on one graph: which tools can run, and what their inputs can be bound to."""

    def __init__(
        self,
        graph: ToolGraph,
        given: Sequence[TypedValue],
        texts: Sequence[TypedValue],
        wanted: str,
        length: int,
        costs: Costs,
    ) -> None:
        self.given = tuple(given)
        self.texts = tuple(texts)
        self.wanted = wanted
        self.length = length
        self.costs = costs
        self.lattice = graph.lattice
        self.wiring = wiring_of(graph)
        # Where there are only words and only words are wanted, a picture made on the way would
        # show nothing that the words do not say.
        only_text = not given and graph.lattice.is_a(wanted, "text")
        keep = graph.is_about_text if only_text else None
        self.reach = Reach(self.wiring, self.given, self.texts, keep)
        self._usage = self.reach.usage(costs)
        self._reading = [self.reach.reading(place, costs) for place in range(len(self.texts))]
        self._slots: dict[int, Slot] = {}
        self._needs: dict[tuple[tuple[int, ...], int], Needs] = {}

    def tool(self, rank: int) -> Tool:
        return self.wiring.tools[rank]

    def makers(self, type_name: str) -> list[int]:
        """The tools, by rank, that can run and make a type."""
        made = self.wiring.makers.get(type_name, ())
        return [rank for rank in made if self.reach.runnable[rank]]

    def roots(self) -> list[int]:
        """The tools, by rank, that can run and return what is wanted."""
        return self.makers(self.wanted)

    def last_cost(self, rank: int, scores: Mapping[str, float]) -> float:
        """What it costs that a tool that makes the return has not the best score."""
        return self.costs.last * (BEST_SCORE - scores[self.tool(rank).name])

    def slots(self, rank: int) -> list[Slot]:
        """The slots of a tool's inputs."""
        return [self.slot(number) for number in self.wiring.inputs[rank]]

    def slot(self, number: int) -> Slot:
        """The slot of a kind of input."""
        found = self._slots.get(number)
        if found is None:
            found = self._slots[number] = self._make_slot(number)
        return found

    def _make_slot(self, number: int) -> Slot:
        kind, hand = self.wiring.kinds[number], self.reach.hands[number]
        detour = self.costs.detour if hand.full else 0.0
        return Slot(
            kind.type,
            hand.full,
            hand.words is not None,
            kind.optional,
            kind.many,
            detour,
            (*hand.direct, (Absent(), 0.0)) if kind.optional else hand.direct,
            Each(hand.fitting) if len(hand.fitting) > 1 and not kind.many else None,
            self.reach.steps.get(kind.type, 0),
        )

    def needs(self, numbers: tuple[int, ...], left: int) -> Needs:
        """What open inputs of these kinds and the items whose bits are set in `left` need."""
        found = self._needs.get((numbers, left))
        if found is None:
            found = self._needs[numbers, left] = self._make_needs(numbers, left)
        return found

    def _make_needs(self, numbers: tuple[int, ...], left: int) -> Needs:
        slots = [self.slot(number) for number in numbers]
        needed = [slot for slot in slots if not slot.full and not slot.optional]
        count = len(self.given)
        unused = left & ((1 << count) - 1)
        if unused in self._usage or not unused:
            given = shared(numbers, unused, self._usage)
        else:
            items = [1 << item for item in range(count) if unused >> item & 1]
            pairs = itertools.combinations(items, 2)
            given = max(shared(numbers, one | other, self._usage) for one, other in pairs)
        unread = self.costs.unused_words
        words = lost = 0.0
        for place, reading in enumerate(self._reading):
            if left >> count + place & 1:
                nearest = min([reading[number] for number in numbers], default=FAR)
                if nearest == FAR:
                    lost += unread
                else:
                    words = max(words, min(nearest, unread))
        return Needs(
            frozenset(slot.type for slot in needed),
            max([slot.steps for slot in needed], default=0),
            given,
            words,
            lost,
        )

    def useful(self, roots: Sequence[int], longest: float) -> frozenset[int]:
        """The tools, by rank, that can be in a solution no more roundabout than `longest` that one
        of the roots ends."""
        everything = (1 << len(self.given)) - 1
        possible = [
            rank
            for rank in roots
            if self.needs(self.wiring.inputs[rank], everything).given <= longest + EQUAL
        ]
        return self.reach.within(possible, longest, self.costs, self._usage)

    def bill(self, drafts: Sequence[Draft], scores: Mapping[str, float]) -> Bill:
        """What a finished solution costs."""
        return bill_of(drafts, self.given, self.texts, scores, self.lattice, self.costs)


class Action(NamedTuple):
    """An action of a partial solution.

    `branch` tells which list the action helps to make for each resource in turn, -1 where it is
    done once; `above` has a bit for each action that reads from this one, directly or not.
    """

    rank: int
    inputs: tuple[Open, ...]
    branch: int
    above: int


class Partial(NamedTuple):
    """A partial solution; its first open input is the one at `place` of the action at `position`.

    `path` tells it from all others, in an order that has nothing to do with that of registration;
    `left` has a bit for each given resource, and then each text, that no input is bound to.
    """

    path: tuple[int, ...]
    actions: tuple[Action, ...]
    position: int
    place: int
    left: int
    roundabout: float
    scores: float


class Growth:
    """Grows partial solutions, cheapest first.

    Parameters
    ----------
    roots: the tools, by rank, that may make the return.
    useful: the tools, by rank, that a solution may have; all where it is None.
    scores: what tools are worth; without it every tool counts as perfect and words may stay unread,
        so that the first solution is the least roundabout one.
    longest: how roundabout a solution may be.
    margin: how much worse than the best a solution may be.
    order: a place for each tool; none reads from one with the same place or a later one.
    best: what a solution may cost at most.
    haste: how much the bound and each given resource that is not used yet count beside; above 0,
        some solution comes out sooner, though not the cheapest.
    """

    def __init__(
        self,
        space: Space,
        roots: Iterable[int],
        useful: frozenset[int] | None = None,
        scores: Mapping[str, float] | None = None,
        longest: float = FAR,
        margin: float = FAR,
        order: Mapping[int, int] | None = None,
        best: float = FAR,
        haste: float = 0.0,
    ) -> None:
        self.visited = 0
        self.complete = True
        self._pushed = 0
        self._space = space
        self._costs = space.costs
        self._roots = [rank for rank in roots if useful is None or rank in useful]
        self._allowed = useful
        self._scores = scores
        self._longest = longest
        self._margin = margin
        self._order = order
        self._worst = best
        self._haste = haste
        self._inputs = space.wiring.inputs
        self._returns = space.wiring.returns
        self._given = (1 << len(space.given)) - 1
        self._makers: dict[str, list[list[tuple[float, int]]]] = {}
        self._siblings: dict[tuple[int, ...], Iterator[Partial]] = {}
        self._queue: list[tuple[float, int, tuple[int, ...], Partial | Solution]] = []

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
        so_far = partial.roundabout + self._repeated(partial, made)
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
        drafts = _drafts(space, partial.actions)
        if drafts is None or len(drafts) > space.length:
            return
        if self._scores is None:
            bill = space.bill(drafts, _Perfect())
            estimate = round(bill.roundabout, 9)
        else:
            bill = space.bill(drafts, self._scores)
            estimate = round(bill.total, 9)
        if bill.roundabout > self._longest + EQUAL:
            return
        self._worst = min(self._worst, estimate + self._margin)
        if estimate <= self._worst + EQUAL:
            heapq.heappush(
                self._queue, (estimate, len(drafts) - _LAST, partial.path, Solution(drafts, bill))
            )

    def _bound(self, partial: Partial, made: Sequence[str]) -> tuple[float, float]:
        """Lower bounds on how roundabout what is missing is, infinite for a dead end, and on what
        it costs in all."""
        actions, place = partial.actions, partial.place
        numbers: tuple[int, ...] = ()
        for action in actions[partial.position :]:
            numbers += self._inputs[action.rank][place:]
            place = 0
        needs = self._space.needs(numbers, partial.left)
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
            makers = self._makers_of(type_name)
            if not makers:
                return FAR, FAR
            cost += self._costs.step + makers[0][0][0]
        return roundabout, max(roundabout, cost, needs.words) + needs.lost

    def _repeated(self, partial: Partial, made: Sequence[str]) -> float:
        """What the actions so far cost for going there and back, and for reading words again."""
        actions = partial.actions
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
                if not self._may_be_guided(actions[place], place < partial.position):
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

    def _makers_of(self, type_name: str) -> list[list[tuple[float, int]]]:
        """The tools, by rank, that make a type, each with what its score costs, best first; in one
        list those that take the same, for they differ in nothing else. Best list first."""
        found = self._makers.get(type_name)
        if found is None:
            space, allowed = self._space, self._allowed
            alike: dict[tuple[int, ...], list[tuple[float, int]]] = {}
            for rank in space.makers(type_name):
                if allowed is None or rank in allowed:
                    off = 0.0
                    if self._scores is not None:
                        score = self._scores[space.tool(rank).name]
                        off = self._costs.support * (BEST_SCORE - score)
                    alike.setdefault(self._inputs[rank], []).append((off, rank))
            for group in alike.values():
                group.sort()
            found = self._makers[type_name] = sorted(alike.values())
        return found

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
                    yield _below(linked, sources, readers)
        extra = self._costs.step + slot.detour
        if len(actions) == self._space.length or partial.roundabout + extra > self._longest + EQUAL:
            return
        several = slot.many and action.branch < 0 and len(self._space.given) > 1
        so_far = partial.roundabout + partial.scores + extra
        branches = [-1]
        if action.branch >= 0:
            branches.append(action.branch)
        elif several:
            branches.append(position << 8 | partial.place)
        for group in self._makers_of(slot.type):
            if so_far + group[0][0] > self._worst + EQUAL:
                break
            makers = [
                (off, rank)
                for off, rank in group
                if rank not in busy and self._may_read(action, rank)
            ]
            for branch in branches:
                yield from self._first(self._alike(partial, makers, branch, extra, readers))

    def _alike(
        self,
        partial: Partial,
        makers: Iterable[tuple[float, int]],
        branch: int,
        extra: float,
        readers: int,
    ) -> Iterator[Partial]:
        for off, rank in makers:
            yield self._made_by(partial, rank, branch, extra, off, readers)

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
                Action(reader.rank, inputs, reader.branch, reader.above),
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
        changed = action._replace(inputs=inputs)
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
            (*actions[:position], changed, *actions[position + 1 :]),
            position,
            place + 1,
            left,
            roundabout + extra,
            scores,
        )


class _Perfect(dict[str, float]):
    """The best score for every tool."""

    def __missing__(self, name: str) -> float:
        return BEST_SCORE


def _below(partial: Partial, sources: Sequence[int], readers: int) -> Partial:
    """With the actions at `sources` read by `readers` too."""
    actions = list(partial.actions)
    for place in sources:
        actions[place] = actions[place]._replace(above=actions[place].above | readers)
    return partial._replace(actions=tuple(actions))


def _drafts(space: Space, actions: Sequence[Action]) -> tuple[Draft, ...] | None:
    """The drafts of a closed solution, with the work for each resource written out.

    None where work for each resource reads none of them, or not the same ones.
    """
    if all(action.branch < 0 for action in actions):
        return tuple(
            Draft(space.tool(action.rank), action.inputs)  # type: ignore[arg-type]
            for action in actions
        )
    groups: dict[int, tuple[int, ...]] = {}
    for action in actions:
        for binding in action.inputs:
            if not isinstance(binding, Each):
                continue
            if groups.setdefault(action.branch, binding.indices) != binding.indices:
                return None
    if any(
        action.branch >= 0 and not _reads_each(actions, place)
        for place, action in enumerate(actions)
    ):
        return None
    drafts: list[Draft] = []
    placed: dict[tuple[int, int], int] = {}

    def add(position: int, turn: int) -> int:
        action = actions[position]
        turn = turn if action.branch >= 0 else 0
        if (position, turn) in placed:
            return placed[position, turn]
        slot = placed[position, turn] = len(drafts)
        draft = Draft(space.tool(action.rank), ())
        drafts.append(draft)
        inputs: list[Binding] = []
        for binding in action.inputs:
            if isinstance(binding, Each):
                inputs.append(Given(binding.indices[turn]))
            elif isinstance(binding, MadeForEach):
                branch = actions[binding.position].branch
                count = len(groups[branch])
                inputs.append(AllMade(tuple(add(binding.position, n) for n in range(count))))
            elif isinstance(binding, Made):
                inputs.append(Made(add(binding.position, turn)))
            else:
                inputs.append(binding)
        drafts[slot] = replace(draft, inputs=tuple(inputs))
        return slot

    add(0, 0)
    return tuple(drafts)


def _reads_each(actions: Sequence[Action], position: int) -> bool:
    """Whether an action works on one of several resources in turn, itself or through others."""
    return any(
        isinstance(binding, Each)
        or (
            isinstance(binding, Made)
            and actions[binding.position].branch >= 0
            and _reads_each(actions, binding.position)
        )
        for binding in actions[position].inputs
    )
