"""What can be made of what, and in how many steps: found before any tool is scored.

A `Reach` is what one subtask's resources and words can lead to. It goes through all tools at once,
as many times as actions may follow one another, so it is linear in tools and arguments.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from controlllm.core.plans import TypedValue
from controlllm.planning.arguments import may_say, words_for
from controlllm.planning.drafts import AllGiven, Binding, Costs, Given, Words
from controlllm.planning.wiring import Amounts, Flags, Kind, Numbers, Wiring

#: What is never reached; larger than any cost.
FAR = float("inf")
#: For more given resources than this, only what it takes to use two of them is known.
_MOST_JOINED = 4


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


_EMPTY = Hand((), None, ())


class Usage(NamedTuple):
    """What it costs at least to read all of a set of items, as bits: through one input, by kind,
    and through the inputs of one tool, by rank. Items are the given resources, then the texts."""

    inputs: dict[int, list[float]]
    tools: dict[int, Amounts]


class Reach:
    """What can be made of given resources and words, and how far each step of it is.

    `length` is the most actions that may follow one another. `steps[type]` is the least number of
    actions one after the other that make a type; types that cannot be made at all are missing.
    `runnable` says, by rank, which tools can run. Where it is `only_text`, tools that take or make
    anything else cannot.
    """

    def __init__(
        self,
        wiring: Wiring,
        given: Sequence[TypedValue],
        texts: Sequence[TypedValue],
        costs: Costs,
        length: int,
        only_text: bool = False,
    ) -> None:
        self.wiring = wiring
        self.given = given
        self.texts = texts
        self.costs = costs
        self.length = length
        self.hands = self._hands()
        #: By kind: whether something at hand fits, and what it costs to make it all the same.
        self.full: Flags = np.zeros(wiring.nothing + 1, np.bool_)
        self.full[[kind for kind, hand in enumerate(self.hands) if hand.full]] = True
        self.detours: Amounts = np.where(self.full, costs.detour, 0.0)
        #: The least number of actions by type and, for those that can be made, by name.
        self.depths = np.full(len(wiring.types), FAR)
        self.only_text = only_text
        self.can_run = self._forward(only_text)
        self.steps = {
            wiring.types[number]: int(self.depths[number])
            for number in np.flatnonzero(np.isfinite(self.depths)).tolist()
        }
        self.runnable = bytes(self.can_run)
        #: By kind: whether an input has to be made; by rank: how many types have to be.
        self.absent: Flags = ~self.full & ~wiring.optional
        self.is_absent: list[bool] = self.absent.tolist()
        self.lacking: Numbers = wiring.lacking(self.absent)

    def _hands(self) -> list[Hand]:
        """What is at hand for each kind of input."""
        wiring = self.wiring
        fitting: dict[int, list[int]] = {}
        for place, item in enumerate(self.given):
            for name in wiring.lattice.ancestors(item.type):
                for number in wiring.kinds_of.get(name, ()):
                    if may_say(wiring.kinds[number].argument, item):
                        fitting.setdefault(number, []).append(place)
        hands = [_EMPTY] * len(wiring.kinds)
        for number in {*fitting, *wiring.kinds_of.get("text", ())}:
            hands[number] = self._hand(wiring.kinds[number], tuple(fitting.get(number, ())))
        return hands

    def _hand(self, kind: Kind, fitting: tuple[int, ...]) -> Hand:
        words = words_for(kind.argument, self.texts) if kind.type == "text" else None
        direct: list[tuple[Binding, float]] = [(Given(place), 0.0) for place in fitting]
        if kind.many and len(fitting) > 1:
            direct.append((AllGiven(fitting), 0.0))
        if words is not None:
            direct.append((Words(words[1]), words[0]))
        return Hand(fitting, words, tuple(direct))

    def _forward(self, only_text: bool) -> Flags:
        """Which tools, by rank, some sequence of tools can run; fills `depths` on the way."""
        wiring = self.wiring
        allowed = wiring.about_text if only_text else np.ones(len(wiring.tools), np.bool_)
        can_run: Flags = np.zeros(len(wiring.tools), np.bool_)
        for step in range(1, self.length + 1):
            absent = ~self.full & ~wiring.optional & np.isinf(self.depths[wiring.type_of_kind])
            can_run = allowed & (wiring.lacking(absent) == 0)
            now = np.zeros(len(wiring.types), np.bool_)
            now[wiring.type_made[can_run]] = True
            now &= np.isinf(self.depths)
            if not now.any():
                break
            self.depths[now] = step
        return can_run

    def usage(self, prices: Amounts, with_texts: bool) -> Usage:
        """What it costs at least to read given resources and texts where tools cost `prices`, by
        rank, each time they are used.

        What reads several items is a tree in which each is read once: where two ways of it meet in
        one action, one of them will do. So what lies below two inputs of an action can be summed
        up. All sets of given resources are there, or those of two where more than `_MOST_JOINED`
        are given; and each text alone and, with `with_texts`, beside each of these sets.
        """
        count = len(self.given)
        sizes = count if count <= _MOST_JOINED else 2
        sets: list[tuple[int, ...]] = []
        for size in range(sizes + 1):
            sets += itertools.combinations(range(count), size)
        beside = list(sets) if with_texts and count < _MOST_JOINED else [()]
        texts = range(count, count + len(self.texts))
        sets += [(*items, text) for items in beside for text in texts]
        market = _Market(self.wiring, self.can_run & np.isfinite(prices), prices)
        inputs: dict[int, Amounts] = {}
        tools: dict[int, Amounts] = {}
        first: dict[tuple[object, ...], int] = {}
        alike: dict[int, int] = {}
        for items in sets:
            if items:
                mask = sum(1 << item for item in items)
                like = alike[mask] = first.setdefault(self._look(items), mask)
                if like == mask:
                    inputs[mask], tools[mask] = self._usage_of(items, inputs, market)
                inputs[mask], tools[mask] = inputs[like], tools[like]
        lists = {mask: inputs[mask].tolist() for mask in first.values()}
        return Usage({mask: lists[like] for mask, like in alike.items()}, tools)

    def _look(self, items: Sequence[int]) -> tuple[object, ...]:
        """The same for sets of items that fit the same inputs."""
        count = len(self.given)
        types = sorted(self.given[item].type for item in items if item < count)
        return (*types, *(item for item in items if item >= count))

    def _usage_of(
        self,
        items: Sequence[int],
        parts: Mapping[int, Amounts],
        market: _Market,
    ) -> tuple[Amounts, Amounts]:
        """What it costs to read all of some items through an input and through a tool."""
        wiring = self.wiring
        bound = self._binding(items)
        tools = np.full(len(wiring.tools), FAR)
        begun = np.full(len(wiring.types), FAR)
        if len(items) > 1:
            mask = sum(1 << item for item in items)
            for ranks, kinds in market.with_several:
                tools[ranks] = _shared_by_each(kinds, mask, parts)
                np.minimum.at(begun, wiring.type_made[ranks], market.prices[ranks] + tools[ranks])
        inputs = self._spread(bound, begun, market)
        if len(market.ranks):
            alone = np.minimum.reduceat(inputs[market.takes], market.starts)
            tools[market.ranks] = np.minimum(tools[market.ranks], alone)
        return inputs, tools

    def _binding(self, items: Sequence[int]) -> Amounts:
        """What it costs to bind an input, by kind, to all of some items as they are."""
        wiring, count = self.wiring, len(self.given)
        bound = np.full(wiring.nothing + 1, FAR)
        texts = [item - count for item in items if item >= count]
        for number, hand in enumerate(self.hands):
            if texts:
                words = hand.words
                if words is not None and len(items) == 1 and words[1] in (texts[0], -1):
                    bound[number] = words[0]
            elif hand.fitting and all(item in hand.fitting for item in items):
                one = len(items) == 1 or wiring.kinds[number].many
                bound[number] = 0.0 if one or wiring.has_lists else FAR
        return bound

    def _spread(self, bound: Amounts, begun: Amounts, market: _Market) -> Amounts:
        """What it costs at least to bind an input, by kind: as it is bound, or by making its type
        from inputs that are, or as `begun` says for types."""
        types = self.wiring.type_of_kind
        made = begun
        inputs = np.minimum(bound, self.detours + made[types])
        for _ in range(self.length if len(market.ranks) else 0):
            through = market.prices_of_takes + inputs[market.takes]
            cheapest = np.minimum.reduceat(through, market.first_takes)
            if not (cheapest < made[market.made]).any():
                break
            made[market.made] = np.minimum(made[market.made], cheapest)
            inputs = np.minimum(bound, self.detours + made[types])
        return inputs


class _Market:
    """The tools that can be had at all, with their prices by rank.

    `ranks` are these tools in the order of the types that they make; `takes` the kinds of their
    inputs with `prices_of_takes`, those of each tool beginning at `starts`; `made` the types, with
    the inputs of those that make each beginning at `first_takes`. `with_several` is as in the
    wiring.
    """

    def __init__(self, wiring: Wiring, there: Flags, prices: Amounts) -> None:
        self.prices = prices
        self.ranks: Numbers = wiring.by_type_made[there[wiring.by_type_made]]
        self.takes: Numbers = wiring.input_rows.flat[wiring.input_rows.places(self.ranks)]
        lengths = wiring.input_rows.lengths[self.ranks]
        self.starts: Numbers = np.cumsum(lengths) - lengths
        made = wiring.type_made[self.ranks]
        first_makers = np.flatnonzero(np.diff(made, prepend=-1))
        self.made: Numbers = made[first_makers]
        self.first_takes: Numbers = self.starts[first_makers]
        self.prices_of_takes: Amounts = np.repeat(prices[self.ranks], lengths)
        self.with_several: list[tuple[Numbers, Numbers]] = []
        for ranks, kinds in wiring.with_several:
            had = there[ranks]
            self.with_several.append((ranks[had], kinds[had]))


def shared(inputs: Sequence[int], mask: int, parts: Mapping[int, Sequence[float]]) -> float:
    """The least that it costs to share out given resources, the bits of `mask`, among inputs of
    these kinds; `parts` has the cost of each share for each kind."""
    if not mask & (mask - 1):
        return min([parts[mask][number] for number in inputs], default=FAR) if mask else 0.0
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


def _shared_by_each(kinds: Numbers, mask: int, parts: Mapping[int, Amounts]) -> Amounts:
    """The same for many tools at once; `kinds` has a row for each with the kinds of its inputs."""
    best: dict[int, Amounts] = {0: np.zeros(len(kinds))}
    for place, column in enumerate(kinds.T):
        grown = dict(best)
        for done, cost in best.items():
            rest = share = mask & ~done
            while share:
                # The last input has to take all that is left.
                if share in parts and (share == rest or place < len(kinds.T) - 1):
                    taken = cost + parts[share][column]
                    known = grown.get(done | share)
                    grown[done | share] = taken if known is None else np.minimum(known, taken)
                share = (share - 1) & rest
        best = grown
    return best.get(mask, np.full(len(kinds), FAR))
