"""What a graph's tools take and make, in a form that is quick to walk.

It is made once for a graph, linear in tools and arguments. Tools go by their rank, which is their
place in the order of names; the arrays let a search look at all of them in a few operations.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from controlllm.planning.arguments import may_be_name, role_of
from controlllm.planning.graph import ToolGraph
from controlllm.toolbox import Argument, Tool

Flags = NDArray[np.bool_]
Numbers = NDArray[np.intp]
Amounts = NDArray[np.float64]


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


class Rows:
    """Rows of numbers of different lengths, one after the other in `flat`; none may be empty.

    `starts` is where each row begins, `owners` the row of each entry.
    """

    def __init__(self, rows: Iterable[Sequence[int]]) -> None:
        held = list(rows)
        self.lengths: Numbers = np.fromiter(map(len, held), np.intp, len(held))
        self.flat: Numbers = np.fromiter(itertools.chain.from_iterable(held), np.intp)
        self.starts: Numbers = np.cumsum(self.lengths) - self.lengths
        self.owners: Numbers = np.repeat(np.arange(len(held)), self.lengths)

    def places(self, rows: Numbers) -> Numbers:
        """The places in `flat` of all entries of some rows, row after row."""
        lengths = self.lengths[rows]
        ends = np.cumsum(lengths)
        begins = np.repeat(self.starts[rows] - ends + lengths, lengths)
        return np.arange(len(begins)) + begins


class Wiring:
    """The tools of a graph by rank.

    Kinds of inputs and types have numbers too. One number more than there are kinds, `nothing`,
    stands where a tool has no input, so that each tool has a row; its type is made by no tool.
    """

    def __init__(self, graph: ToolGraph) -> None:
        self.tools: tuple[Tool, ...] = tuple(sorted(graph.toolbox, key=lambda tool: tool.name))
        self.lattice = graph.lattice
        self.kinds: list[Kind] = []
        self.returns: list[str] = []
        self.makers: dict[str, list[int]] = {}
        #: The kinds of each tool's inputs and of those that it requires, each once, and for each
        #: kind the tools that have such an input.
        self.inputs: list[tuple[int, ...]] = []
        self.required: list[tuple[int, ...]] = []
        self.takers: list[list[int]] = []
        known: dict[tuple[str, str, bool, bool, bool], int] = {}
        alike: dict[tuple[int, ...], tuple[int, ...]] = {}
        for rank, tool in enumerate(self.tools):
            numbers = []
            for argument in tool.args:
                role = role_of(argument) if argument.type == "text" else ""
                key = (argument.type, role, argument.many, argument.optional)
                number = known.setdefault((*key, may_be_name(argument)), len(self.kinds))
                if number == len(self.kinds):
                    self.kinds.append(Kind(number, *key, argument))
                    self.takers.append([])
                numbers.append(number)
            inputs = tuple(numbers)
            inputs = alike.setdefault(inputs, inputs)
            needed = tuple(sorted({number for number in inputs if not self.kinds[number].optional}))
            self.inputs.append(inputs)
            self.required.append(alike.setdefault(needed, needed))
            for number in set(inputs):
                self.takers[number].append(rank)
            self.returns.append(tool.returns.type)
            self.makers.setdefault(tool.returns.type, []).append(rank)
        self.kinds_of: dict[str, list[int]] = {}
        for kind in self.kinds:
            self.kinds_of.setdefault(kind.type, []).append(kind.number)
        self.has_lists = any(kind.many for kind in self.kinds)
        self._alike: dict[str, list[list[int]]] = {}
        self._number(graph)

    def _number(self, graph: ToolGraph) -> None:
        """The same as arrays, for what looks at every tool."""
        self.nothing = nothing = len(self.kinds)
        self.types: list[str] = [*dict.fromkeys([*self.makers, *self.kinds_of]), ""]
        number_of = {name: number for number, name in enumerate(self.types)}
        self.type_made: Numbers = np.array([number_of[name] for name in self.returns], np.intp)
        kinds = [number_of[kind.type] for kind in self.kinds]
        self.type_of_kind: Numbers = np.array([*kinds, len(self.types) - 1], np.intp)
        self.optional: Flags = np.array([*(kind.optional for kind in self.kinds), True], np.bool_)
        self.about_text: Flags = np.array(list(map(graph.is_about_text, self.tools)), np.bool_)
        self.input_rows = Rows(inputs or (nothing,) for inputs in self.inputs)
        # An entry for each tool and type that it requires: the tool and one kind of that type that
        # it requires; and for further kinds of the same type, which entry they belong to.
        entries = [
            (rank, kinds)
            for rank, needed in enumerate(self.required)
            for kinds in self._by_type(needed)
        ]
        further = [(place, kind) for place, (_, kinds) in enumerate(entries) for kind in kinds[1:]]
        self._requiring: Numbers = np.array([rank for rank, _ in entries], np.intp)
        self._required_kind: Numbers = np.array([kinds[0] for _, kinds in entries], np.intp)
        self._further_of: Numbers = np.array([place for place, _ in further], np.intp)
        self._further_kind: Numbers = np.array([kind for _, kind in further], np.intp)
        #: The tools in the order of the types that they make.
        self.by_type_made: Numbers = np.argsort(self.type_made, kind="stable")
        #: The tools with several inputs, by how many they have, and the kinds of these, a row each.
        several: dict[int, list[int]] = {}
        for rank, inputs in enumerate(self.inputs):
            if len(inputs) > 1:
                several.setdefault(len(inputs), []).append(rank)
        self.with_several: list[tuple[Numbers, Numbers]] = [
            (np.array(ranks, np.intp), np.array([self.inputs[rank] for rank in ranks], np.intp))
            for ranks in several.values()
        ]

    def alike(self, type_name: str) -> list[list[int]]:
        """The tools, by rank, that make a type; in one list those that take the same."""
        found = self._alike.get(type_name)
        if found is None:
            groups: dict[tuple[int, ...], list[int]] = {}
            for rank in self.makers.get(type_name, ()):
                groups.setdefault(self.inputs[rank], []).append(rank)
            found = self._alike[type_name] = list(groups.values())
        return found

    def taking(self, kinds: Flags) -> Flags:
        """Whether each tool has an input of one of these kinds."""
        found: Flags = np.zeros(len(self.tools), np.bool_)
        found[self.input_rows.owners[kinds[self.input_rows.flat]]] = True
        return found

    def lacking(self, absent: Flags) -> Numbers:
        """How many types each tool requires of which an input of these kinds is absent."""
        lacking = absent[self._required_kind]
        # Few tools require inputs of several kinds for one type.
        lacking[self._further_of[absent[self._further_kind]]] = True
        return np.bincount(self._requiring[lacking], minlength=len(self.tools))

    def _by_type(self, needed: Sequence[int]) -> list[list[int]]:
        """Kinds that a tool requires, those of one type together."""
        found: dict[str, list[int]] = {}
        for number in needed:
            found.setdefault(self.kinds[number].type, []).append(number)
        return list(found.values())


_wirings: WeakKeyDictionary[ToolGraph, Wiring] = WeakKeyDictionary()


def wiring_of(graph: ToolGraph) -> Wiring:
    """The wiring of a graph, made when it is first asked for."""
    found = _wirings.get(graph)
    if found is None:
        found = _wirings.setdefault(graph, Wiring(graph))
    return found
