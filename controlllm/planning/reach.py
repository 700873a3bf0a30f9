"""What can be made of what, and in how many steps: found before any tool is scored.

A `Wiring` holds the inputs of all tools of a graph in a form that is quick to walk; it is made once
for a graph. A `Reach` is what one subtask's resources and words can lead to. Both are linear in
tools and arguments.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from controlllm.graph import ToolGraph
from controlllm.plan import TypedValue
from controlllm.planning.arguments import role_of, words_for
from controlllm.planning.drafts import AllGiven, Binding, Costs, Given, Words
from controlllm.toolbox import Argument, Tool

#: What is never reached; larger than any cost.
FAR = float("inf")
#: For more given resources than this, only what it takes to use two of them is known.
_MOST_JOINED = 4
#: From so many tools on, telling which of them matter takes longer than it saves.
_MANY = 2_000


@dataclass(frozen=True)
class Kind:
    """A kind of input: all arguments of one kind can be bound to the same things.

    `role` is what a text argument wants, empty for other types; `argument` is one of the kind.
    """

    number: int
    type: str
    role: str
    many: bool
    optional: bool
    argument: Argument


class Wiring:
    """The tools of a graph by rank, which is their place in the order of names."""

    def __init__(self, graph: ToolGraph) -> None:
        self.tools: tuple[Tool, ...] = tuple(sorted(graph.toolbox, key=lambda tool: tool.name))
        self.lattice = graph.lattice
        self.kinds: list[Kind] = []
        self.returns: list[str] = []
        self.makers: dict[str, list[int]] = {}
        #: The kinds of each tool's inputs, and for each kind the tools that have such an input,
        #: with the number of further kinds that they require.
        self.inputs: list[tuple[int, ...]] = []
        self.takers: list[list[int]] = []
        self.required: list[tuple[int, ...]] = []
        known: dict[tuple[str, str, bool, bool], int] = {}
        shared: dict[tuple[int, ...], tuple[int, ...]] = {}
        for rank, tool in enumerate(self.tools):
            numbers = []
            for argument in tool.args:
                role = role_of(argument) if argument.type == "text" else ""
                key = (argument.type, role, argument.many, argument.optional)
                number = known.setdefault(key, len(self.kinds))
                if number == len(self.kinds):
                    self.kinds.append(Kind(number, *key, argument))
                    self.takers.append([])
                numbers.append(number)
            inputs = tuple(numbers)
            inputs = shared.setdefault(inputs, inputs)
            needed = tuple(sorted({number for number in inputs if not self.kinds[number].optional}))
            self.inputs.append(inputs)
            self.required.append(shared.setdefault(needed, needed))
            for number in set(inputs):
                self.takers[number].append(rank)
            self.returns.append(tool.returns.type)
            self.makers.setdefault(tool.returns.type, []).append(rank)
        self.kinds_of: dict[str, list[int]] = {}
        for kind in self.kinds:
            self.kinds_of.setdefault(kind.type, []).append(kind.number)
        self.with_several = [rank for rank, inputs in enumerate(self.inputs) if len(inputs) > 1]
        self.has_lists = any(kind.many for kind in self.kinds)


_wirings: WeakKeyDictionary[ToolGraph, Wiring] = WeakKeyDictionary()


def wiring_of(graph: ToolGraph) -> Wiring:
    """The wiring of a graph, made when it is first asked for."""
    found = _wirings.get(graph)
    if found is None:
        found = _wirings.setdefault(graph, Wiring(graph))
    return found


@dataclass(frozen=True)
class Hand:
    """What is at hand for inputs of one kind, before any tool has run.

    `direct` are the ways to bind such an input, each with its cost; `fitting` the given resources
    that fit; `words` the text that answers it.
    """

    fitting: tuple[int, ...]
    words: tuple[float, int] | None
    direct: tuple[tuple[Binding, float], ...]

    @property
    def full(self) -> bool:
        return bool(self.fitting) or self.words is not None


class Reach:
    """What can be made of given resources and words, and how far each step of it is.

    `steps[type]` is the least number of actions one after the other that make a type; types that
    cannot be made at all are missing. `runnable` says, by rank, which tools can run.
    """

    def __init__(
        self,
        wiring: Wiring,
        given: Sequence[TypedValue],
        texts: Sequence[TypedValue],
        keep: Callable[[Tool], bool] | None = None,
    ) -> None:
        self.wiring = wiring
        self.given = given
        self.texts = texts
        self.hands = [self._hand(kind) for kind in wiring.kinds]
        self.steps: dict[str, int] = {}
        self._leasts: dict[tuple[int, ...], tuple[int, bool]] = {}
        self.runnable = self._forward(keep)

    def _hand(self, kind: Kind) -> Hand:
        lattice = self.wiring.lattice
        fitting = tuple(
            place for place, item in enumerate(self.given) if lattice.is_a(item.type, kind.type)
        )
        words = words_for(kind.argument, self.texts) if kind.type == "text" else None
        direct: list[tuple[Binding, float]] = [(Given(place), 0.0) for place in fitting]
        if kind.many and len(fitting) > 1:
            direct.append((AllGiven(fitting), 0.0))
        if words is not None:
            direct.append((Words(words[1]), words[0]))
        return Hand(fitting, words, tuple(direct))

    def _forward(self, keep: Callable[[Tool], bool] | None) -> bytearray:
        """Which tools, by rank, some sequence of tools can run; fills `steps` on the way."""
        wiring = self.wiring
        waiting = [len(numbers) for numbers in wiring.required]
        runnable = bytearray(len(waiting))
        full = [hand.full for hand in self.hands]
        wave = [rank for rank, count in enumerate(waiting) if count == 0]

        def supply(number: int, into: list[int]) -> None:
            for rank in wiring.takers[number]:
                if number in wiring.required[rank]:
                    waiting[rank] -= 1
                    if waiting[rank] == 0:
                        into.append(rank)

        for number, is_full in enumerate(full):
            if is_full and not wiring.kinds[number].optional:
                supply(number, wave)
        step = 0
        while wave:
            step += 1
            made: list[str] = []
            for rank in wave:
                if keep is not None and not keep(wiring.tools[rank]):
                    continue
                runnable[rank] = 1
                type_name = wiring.returns[rank]
                if type_name not in self.steps:
                    self.steps[type_name] = step
                    made.append(type_name)
            wave = []
            for type_name in made:
                for number in wiring.kinds_of.get(type_name, ()):
                    if not full[number] and not wiring.kinds[number].optional:
                        supply(number, wave)
        return runnable

    def usage(self, costs: Costs) -> dict[int, list[float]]:
        """For sets of given resources, as bits, and each kind of input, how roundabout it is at
        least to bind the input so that all of them are read.

        What reads several resources is a tree in which each is read once: where two ways of it meet
        in one action, one of them will do. So what lies below two inputs of an action can be summed
        up. All sets are there, or those of two where more than `_MOST_JOINED` are given.
        """
        count = len(self.given)
        sizes = count if count <= _MOST_JOINED else 2
        found: dict[int, list[float]] = {}
        alike: dict[tuple[str, ...], list[float]] = {}
        for size in range(1, sizes + 1):
            for items in itertools.combinations(range(count), size):
                types = tuple(sorted(self.given[item].type for item in items))
                if types not in alike:
                    alike[types] = self._usage_of(items, found, costs)
                found[sum(1 << item for item in items)] = alike[types]
        return found

    def _usage_of(
        self, items: Sequence[int], parts: Mapping[int, list[float]], costs: Costs
    ) -> list[float]:
        wiring = self.wiring
        mask = sum(1 << item for item in items)
        detours = [costs.detour if hand.full else 0.0 for hand in self.hands]
        bound = [
            all(item in hand.fitting for item in items)
            and (len(items) == 1 or kind.many or wiring.has_lists)
            for kind, hand in zip(wiring.kinds, self.hands, strict=True)
        ]
        found: dict[str, float] = {}
        queue: list[tuple[float, str]] = []

        def offer(rank: int, cost: float) -> None:
            name = wiring.returns[rank]
            if cost < found.get(name, FAR) and self.runnable[rank]:
                found[name] = cost
                heapq.heappush(queue, (cost, name))

        for number, is_bound in enumerate(bound):
            if is_bound:
                for rank in wiring.takers[number]:
                    offer(rank, costs.step)
        if len(items) > 1:
            for rank in wiring.with_several:
                if self.runnable[rank]:
                    inputs = wiring.inputs[rank]
                    offer(rank, costs.step + shared(inputs, mask, parts))
        while queue:
            cost, name = heapq.heappop(queue)
            if cost == found[name]:
                for number in wiring.kinds_of.get(name, ()):
                    for rank in wiring.takers[number]:
                        offer(rank, costs.step + detours[number] + cost)
        return [
            0.0 if is_bound else detour + found.get(kind.type, FAR)
            for kind, detour, is_bound in zip(wiring.kinds, detours, bound, strict=True)
        ]

    def reading(self, place: int, costs: Costs) -> list[float]:
        """For each kind of input, how roundabout it is at least to bind it so that the text at a
        place is read."""
        hands = self.hands
        reads = [hand.words is not None and hand.words[1] in (place, -1) for hand in hands]
        steps = self._spread(number for number, is_read in enumerate(reads) if is_read)
        found = []
        for kind, hand, is_read in zip(self.wiring.kinds, hands, reads, strict=True):
            made = costs.step * steps.get(kind.type, FAR) + (costs.detour if hand.full else 0.0)
            found.append(0.0 if is_read else made)
        return found

    def _spread(self, numbers: Iterable[int]) -> dict[str, int]:
        """For each type, the least number of actions to it from an input of one of these kinds."""
        wiring = self.wiring
        found: dict[str, int] = {}
        wave = list(numbers)
        step = 0
        while wave:
            step += 1
            made: list[str] = []
            for number in wave:
                for rank in wiring.takers[number]:
                    type_name = wiring.returns[rank]
                    if type_name not in found and self.runnable[rank]:
                        found[type_name] = step
                        made.append(type_name)
            wave = [number for name in made for number in wiring.kinds_of.get(name, ())]
        return found

    def within(
        self,
        roots: Sequence[int],
        limit: float,
        costs: Costs,
        usage: Mapping[int, Sequence[float]],
    ) -> frozenset[int]:
        """The tools, by rank, that can be in a solution no more roundabout than `limit`.

        A tool is left out only where the cheapest way down to it from one of the `roots`, the steps
        that it needs itself, and those that any one given resource needs to be used, cost more than
        that even if every tool is perfect. `usage` is what the method of that name says.
        """
        found = self._within(roots, limit, costs, None)
        for item in range(len(self.given)):
            if len(roots) < len(found) < _MANY:
                found &= self._within(roots, limit, costs, usage[1 << item])
        return frozenset(found)

    def _within(
        self, roots: Sequence[int], limit: float, costs: Costs, covers: Sequence[float] | None
    ) -> set[int]:
        """The tools that can be in a solution that uses one given resource, which costs `covers`
        for each kind of input; None where it does not matter what is used.

        On the way down from a root, what is left of the limit is kept for each type that is to be
        made, apart for ways on which the resource is used beside the way and on which it is not
        yet, and for roots that have paid for going there and back, or need not: see `Costs.repeat`.
        """
        wiring, steps = self.wiring, self.steps
        step, repeat, slack = costs.step, costs.repeat, 1e-9
        wanted = wiring.returns[roots[0]] if roots else ""
        types = [kind.type for kind in wiring.kinds]
        detours = [costs.detour if hand.full else 0.0 for hand in self.hands]
        found: set[int] = set()
        best: dict[tuple[str, bool, bool], float] = {}
        queue: list[tuple[float, str, bool, bool]] = []

        def offer(after: float, name: str, paid: bool, used: bool) -> None:
            if after >= -slack and after > best.get((name, paid, used), -1.0):
                best[name, paid, used] = after
                heapq.heappush(queue, (-after, name, paid, used))

        def descend(rank: int, left: float, paid: bool, used: bool) -> None:
            inputs = wiring.inputs[rank]
            least, guided = self._least(rank)
            nearest = 0.0
            if covers is not None and not used:
                nearest = min([covers[number] for number in inputs], default=FAR)
            if max(step * least, nearest) > left + slack:
                return
            found.add(rank)
            if left < step - slack:
                return
            for place, number in enumerate(inputs):
                name = types[number]
                after = left - step - detours[number]
                if after < -slack or name not in steps:
                    continue
                if name == wiring.returns[rank] and not guided:
                    after -= repeat
                if name == wanted and not paid:
                    after -= repeat
                beside = 0.0
                if covers is not None and not used:
                    others = [covers[n] for p, n in enumerate(inputs) if p != place]
                    beside = min(others, default=FAR)
                    offer(after, name, paid or name == wanted, False)
                offer(after - beside, name, paid or name == wanted, True)

        for rank in roots:
            takes_wanted = any(types[number] == wanted for number in wiring.inputs[rank])
            descend(rank, limit, takes_wanted or self._least(rank)[1], covers is None)
        while queue:
            negative, name, paid, used = heapq.heappop(queue)
            if -negative == best[name, paid, used]:
                for rank in wiring.makers.get(name, ()):
                    if self.runnable[rank]:
                        descend(rank, -negative, paid, used)
        return found

    def _least(self, rank: int) -> tuple[int, bool]:
        """The least number of actions that a tool needs to have been done, and whether words may
        guide it."""
        inputs = self.wiring.inputs[rank]
        known = self._leasts.get(inputs)
        if known is None:
            kinds = [self.wiring.kinds[number] for number in inputs]
            needed = {
                kind.type
                for kind in kinds
                if not kind.optional and not self.hands[kind.number].full
            }
            deepest = max([self.steps[name] for name in needed], default=0)
            guided = any(self.hands[number].words is not None for number in inputs)
            known = self._leasts[inputs] = (max(deepest, len(needed)), guided)
        return known


def shared(inputs: Sequence[int], mask: int, parts: Mapping[int, Sequence[float]]) -> float:
    """The least that it costs to share out given resources, the bits of `mask`, among inputs of
    these kinds; `parts` has the cost of each share for each kind."""
    best = {0: 0.0}
    for number in inputs:
        grown = dict(best)
        for done, cost in best.items():
            rest = share = mask & ~done
            while share:
                table = parts.get(share)
                if table is not None and cost + table[number] < grown.get(done | share, FAR):
                    grown[done | share] = cost + table[number]
                share = (share - 1) & rest
        best = grown
    return best.get(mask, FAR)
