"""Random small toolboxes, and every solution there is in them, found without any cleverness."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from controlllm.core.plans import TypedValue
from controlllm.planning.arguments import words_for
from controlllm.planning.drafts import Costs
from controlllm.resources import TypeLattice
from controlllm.toolbox import Argument, Tool

TYPES = ("image", "mask", "text", "audio")
COSTS = Costs()
LENGTH = 4
#: Problems with more trees than this take minutes; they are drawn anew.
MOST_TREES = 30_000


def over(usual: int, every: int, **drawn: Any) -> Callable[[Callable[..., None]], Any]:
    """A test over so many random problems in the ordinary run, and over all where there is time."""

    def made(check: Callable[..., None]) -> Any:
        @pytest.mark.few(1)
        @pytest.mark.parametrize("examples", (usual, every))
        def test(examples: int) -> None:
            settings(max_examples=examples, deadline=None)(given(**drawn)(check))()

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return made


@st.composite
def toolboxes(draw, lists=False):
    tools = []
    for number in range(draw(st.integers(1, 5))):
        count = draw(st.integers(1, 2))
        args = tuple(
            Argument(
                draw(st.sampled_from(("query", "text"))) + str(place),
                type_name,
                many=lists and draw(st.integers(0, 2)) == 0,
                optional=lists and draw(st.integers(0, 4)) == 0,
            )
            for place, type_name in enumerate(
                draw(st.lists(st.sampled_from(TYPES), min_size=count, max_size=count))
            )
        )
        returned = Argument("result", draw(st.sampled_from(TYPES)))
        tools.append(Tool(f"tool_{number}", "A tool.", "general", args, returned))
    return tools


@st.composite
def problems(draw, lists=False):
    """Tools, their scores, what is given, words, and the type wanted; with `lists`, inputs that
    take a list and inputs that may be left out."""
    tools = draw(toolboxes(lists))
    scores = {tool.name: draw(st.integers(4, 20)) / 4 for tool in tools}
    files = draw(st.lists(st.sampled_from(("image", "mask", "audio")), max_size=2 if lists else 3))
    handed = tuple(TypedValue(name, f"file-{place}") for place, name in enumerate(files))
    roles = draw(st.lists(st.sampled_from(("object", "content", "prompt")), max_size=1))
    texts = tuple(TypedValue("text", "dog", role) for role in roles)
    return tools, scores, handed, texts, draw(st.sampled_from(TYPES))


class BruteForce:
    """Every well-typed solution of a problem as an expression tree, with its costs.

    A tree is ``("call", tool, inputs...)``; an input is a tree, ``("given", index)``,
    ``("allgiven", indices)``, ``("words", index)``, ``("absent",)`` or ``("each", tree, ...)``.
    """

    def __init__(self, tools, scores, handed, texts, wanted, length=LENGTH):
        self.lattice = TypeLattice()
        self.all_tools = {tool.name: tool for tool in tools}
        if not handed and self.lattice.is_a(wanted, "text"):
            # Words become words without a picture or a sound on the way.
            tools = [
                tool
                for tool in tools
                if {tool.returns.type, *(item.type for item in tool.required)} == {"text"}
            ]
        self.tools, self.scores, self.length = tools, scores, length
        self.handed, self.texts = handed, list(texts)
        self.bills = {}
        self.seen = 0
        for tool in tools:
            if tool.returns.type == wanted:
                for tree in self.trees(tool, frozenset({tool.name}), None):
                    bill = self.bill(tree)
                    if bill is not None:
                        self.bills[tree] = bill

    @property
    def costs(self):
        """Each solution's cost."""
        return {tree: sum(bill) for tree, bill in self.bills.items()}

    @property
    def roundabout(self):
        """How roundabout each solution is."""
        return {tree: bill[0] for tree, bill in self.bills.items()}

    def fits(self, argument):
        return tuple(
            index
            for index, item in enumerate(self.handed)
            if self.lattice.is_a(item.type, argument.type)
        )

    def trees(self, tool, busy, group):
        """The ways to call a tool; with a `group`, those that read ``("item",)``, one of its
        resources in turn."""

        def extend(number, taken, reads_item):
            if number == len(tool.args):
                if group is None or reads_item:
                    yield ()
                return
            for filling, item in self.fillings(tool.args[number], busy, taken, group):
                more = taken if filling[0] in ("call", "each", "absent") else taken | {filling}
                for rest in extend(number + 1, more, reads_item or item):
                    yield (filling, *rest)

        for inputs in extend(0, frozenset(), False):
            self.seen += 1
            if self.seen > MOST_TREES:
                reject()
            yield ("call", tool.name, *inputs)

    def fillings(self, argument, busy, taken, group):
        fitting = self.fits(argument)
        for index in fitting:
            if ("given", index) not in taken:
                yield ("given", index), False
        if argument.many and len(fitting) > 1:
            yield ("allgiven", fitting), False
        if argument.optional:
            yield ("absent",), False
        if argument.type == "text":
            words = words_for(argument, self.texts)
            if words is not None and ("words", words[1]) not in taken:
                yield ("words", words[1]), False
        in_turn = group is not None and fitting == group and not argument.many
        if in_turn and ("item",) not in taken:
            yield ("item",), True
        for tool in self.tools:
            if tool.returns.type != argument.type or tool.name in busy:
                continue
            for tree in self.trees(tool, busy | {tool.name}, None):
                yield tree, False
            if group is not None:
                for tree in self.trees(tool, busy | {tool.name}, group):
                    yield tree, True
            elif argument.many:
                for resources in self.groups():
                    for tree in self.trees(tool, busy | {tool.name}, resources):
                        yield ("each", *(put(tree, index) for index in resources)), False

    def groups(self):
        """The sets of several resources that some input fits."""
        found = {self.fits(argument) for tool in self.tools for argument in tool.args}
        return sorted(indices for indices in found if len(indices) > 1)

    def is_at_hand(self, argument):
        if self.fits(argument):
            return True
        return argument.type == "text" and words_for(argument, self.texts) is not None

    def bill(self, root):
        """How roundabout, how far from perfect, and what words are unread; None where a solution is
        too long or leaves something that is given aside."""
        calls = parts(root)
        if len(calls) > self.length:
            return None
        used, roundabout, off, references = set(), 0.0, 0.0, 0
        read = [0] * len(self.texts)
        whole = False
        for call, _ in calls:
            tool = self.all_tools[call[1]]
            missing = 5.0 - self.scores[tool.name]
            off += COSTS.last * missing if call == root else COSTS.support * missing
            roundabout += 0.0 if call == root else COSTS.step
            guided = False
            for argument, child in zip(tool.args, call[2:], strict=True):
                if child[0] == "given":
                    used.add(child[1])
                elif child[0] == "allgiven":
                    used.update(child[1])
                elif child[0] == "words":
                    guided = True
                    roundabout += words_for(argument, self.texts)[0]
                    if child[1] >= 0:
                        read[child[1]] += 1
                    else:
                        whole = True
                elif child[0] in ("call", "each"):
                    references += 1 if child[0] == "call" else len(child) - 1
                    if self.is_at_hand(argument):
                        roundabout += COSTS.detour
            below = {
                self.all_tools[part[1]].returns.type for part, _ in parts(call) if part != call
            }
            if tool.returns.type in below and not guided:
                roundabout += COSTS.repeat
        if used != set(range(len(self.handed))):
            return None
        roundabout += COSTS.reuse * (references - (len(calls) - 1))
        roundabout += COSTS.reread * sum(max(count - 1, 0) for count in read)
        return roundabout, off, COSTS.unused_words * (0 if whole else read.count(0))


def parts(tree):
    """Every call of a tree with whose it is; equal ones once.

    What is done for each of several resources is its list's own, known by the tool and the place of
    the input; all else is nobody's.
    """
    found = {(tree, None)}
    for place, child in enumerate(tree[2:]):
        if child[0] == "call":
            found |= parts(child)
        elif child[0] == "each":
            elements = [parts(element) for element in child[1:]]
            alike = set.intersection(*elements)
            for call, inner in set.union(*elements):
                own = inner is not None or (call, inner) in alike
                found.add((call, inner if own else (tree[1], place)))
    return found


def put(tree, index):
    """A tree with a resource in the place of ``("item",)``."""
    if tree == ("item",):
        return ("given", index)
    if tree[0] == "call":
        return (*tree[:2], *(put(child, index) for child in tree[2:]))
    return ("each", *(put(child, index) for child in tree[1:])) if tree[0] == "each" else tree


def as_tree(drafts):
    """A candidate's drafts as such a tree."""

    def tree(position):
        draft = drafts[position]
        return ("call", draft.tool.name, *map(read, draft.inputs))

    def read(binding):
        kind = type(binding).__name__.lower()
        if kind == "made":
            return tree(binding.position)
        if kind == "allmade":
            return ("each", *map(tree, binding.positions))
        if kind == "absent":
            return ("absent",)
        return (kind, binding.indices if kind == "allgiven" else binding.index)

    return tree(0)
