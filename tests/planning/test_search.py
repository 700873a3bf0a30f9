"""Best-first search against brute force on random small toolboxes."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.graph import ToolGraph
from controlllm.plan import TypedValue
from controlllm.planning.arguments import words_for
from controlllm.planning.search import Costs, _canonical, best_first
from controlllm.resources import TypeLattice
from controlllm.toolbox import Argument, Tool, Toolbox

TYPES = ("image", "mask", "text", "audio")
COSTS = Costs()
LENGTH = 4


@st.composite
def toolboxes(draw):
    tools = []
    for number in range(draw(st.integers(1, 5))):
        count = draw(st.integers(1, 2))
        args = tuple(
            Argument(draw(st.sampled_from(("query", "text"))) + str(place), type_name)
            for place, type_name in enumerate(
                draw(st.lists(st.sampled_from(TYPES), min_size=count, max_size=count))
            )
        )
        returned = Argument("result", draw(st.sampled_from(TYPES)))
        tools.append(Tool(f"tool_{number}", "A tool.", "general", args, returned))
    return tools


@st.composite
def problems(draw):
    tools = draw(toolboxes())
    scores = {tool.name: draw(st.integers(4, 20)) / 4 for tool in tools}
    files = draw(st.lists(st.sampled_from(("image", "mask", "audio")), max_size=2))
    handed = tuple(TypedValue(name, f"file-{place}") for place, name in enumerate(files))
    roles = draw(st.lists(st.sampled_from(("object", "content", "prompt")), max_size=1))
    texts = tuple(TypedValue("text", "dog", role) for role in roles)
    return tools, scores, handed, texts, draw(st.sampled_from(TYPES))


def brute_force(tools, scores, handed, texts, wanted):
    """Every well-typed solution as an expression tree, with its cost; no cleverness at all."""
    lattice = TypeLattice()
    if not handed and lattice.is_a(wanted, "text"):
        # Words become words without a picture or a sound on the way.
        tools = [
            tool
            for tool in tools
            if {tool.returns.type, *(argument.type for argument in tool.args)} == {"text"}
        ]
    text_list = list(texts)

    def fillings(argument, busy, room, taken):
        for index, item in enumerate(handed):
            if lattice.is_a(item.type, argument.type) and ("given", index) not in taken:
                yield ("given", index), room
        if argument.type == "text":
            words = words_for(argument, text_list)
            if words is not None and ("words", words[1]) not in taken:
                yield ("words", words[1]), room
        for tool in tools:
            if tool.returns.type == argument.type and tool.name not in busy:
                for tree in trees(tool, busy | {tool.name}, room):
                    yield tree, room

    def trees(tool, busy, room):
        def extend(number, taken):
            if number == len(tool.args):
                yield ()
                return
            for filling, _ in fillings(tool.args[number], busy, room, taken):
                more = taken if filling[0] == "call" else taken | {filling}
                for rest in extend(number + 1, more):
                    yield (filling, *rest)

        for inputs in extend(0, frozenset()):
            yield ("call", tool.name, *inputs)

    by_name = {tool.name: tool for tool in tools}

    def is_at_hand(argument):
        if any(lattice.is_a(item.type, argument.type) for item in handed):
            return True
        return argument.type == "text" and words_for(argument, text_list) is not None

    def parts(tree, found):
        found.add(tree)
        for child in tree[2:]:
            if child[0] == "call":
                parts(child, found)
        return found

    def cost_of(root):
        calls = parts(root, set())
        if len(calls) > LENGTH:
            return None
        used, total, references = set(), 0.0, 0
        read = [0] * len(texts)
        whole = False
        for call in calls:
            tool = by_name[call[1]]
            off = 5.0 - scores[tool.name]
            total += COSTS.last * off if call == root else COSTS.step + COSTS.support * off
            for argument, child in zip(tool.args, call[2:], strict=True):
                if child[0] == "given":
                    used.add(child[1])
                elif child[0] == "words":
                    total += words_for(argument, text_list)[0]
                    if child[1] >= 0:
                        read[child[1]] += 1
                    else:
                        whole = True
                else:
                    references += 1
        for call in calls:
            for argument, child in zip(by_name[call[1]].args, call[2:], strict=True):
                if child[0] == "call" and is_at_hand(argument):
                    total += COSTS.detour
        if used != set(range(len(handed))):
            return None
        for call in calls:
            below = {by_name[part[1]].returns.type for part in parts(call, set()) - {call}}
            if by_name[call[1]].returns.type in below and not any(
                child[0] == "words" for child in call[2:]
            ):
                total += COSTS.repeat
        total += COSTS.reuse * (references - (len(calls) - 1))
        unread = 0 if whole else read.count(0)
        reread = sum(max(count - 1, 0) for count in read)
        return total + COSTS.unused_words * unread + COSTS.reread * reread

    found = {}
    for tool in tools:
        if tool.returns.type == wanted:
            for tree in trees(tool, frozenset({tool.name}), LENGTH):
                cost = cost_of(tree)
                if cost is not None:
                    found[tree] = cost
    return found


def as_tree(canonical):
    name, *inputs = canonical
    children = []
    for item in inputs:
        if isinstance(item, tuple):
            children.append(as_tree(item))
        else:
            kind, number = item.rstrip(")").split("(index=")
            children.append((kind.lower(), int(number)))
    return ("call", name, *children)


@settings(max_examples=300, deadline=None)
@given(problems())
def test_best_first_finds_the_best_solutions_that_brute_force_finds(problem):
    tools, scores, handed, texts, wanted = problem
    graph = ToolGraph(Toolbox(tuple(tools)))
    result = best_first(
        graph,
        handed,
        texts,
        wanted,
        lambda asked: {tool.name: scores[tool.name] for tool in asked},
        limit=6,
        length=LENGTH,
        margin=100.0,
        max_visited=200_000,
    )
    expected = brute_force(tools, scores, handed, texts, wanted)
    cheapest = sorted(round(cost, 6) for cost in expected.values())[:6]
    assert result.complete
    assert [round(candidate.cost, 6) for candidate in result.candidates] == cheapest
    for candidate in result.candidates:
        tree = as_tree(_canonical(candidate.drafts))
        assert round(expected[tree], 6) == round(candidate.cost, 6)


@settings(max_examples=60, deadline=None)
@given(problems(), st.randoms())
def test_the_order_of_registration_changes_nothing(problem, random):
    tools, scores, handed, texts, wanted = problem

    def solve(ordered):
        result = best_first(
            ToolGraph(Toolbox(tuple(ordered))),
            handed,
            texts,
            wanted,
            lambda asked: {tool.name: scores[tool.name] for tool in asked},
            length=LENGTH,
        )
        return [(candidate.cost, _canonical(candidate.drafts)) for candidate in result.candidates]

    shuffled = list(tools)
    random.shuffle(shuffled)
    assert solve(tools) == solve(shuffled)


def test_two_tools_that_feed_each_other_make_no_loop():
    tools = (
        Tool("a", "A.", "general", (Argument("image", "image"),), Argument("result", "mask")),
        Tool("b", "B.", "general", (Argument("mask", "mask"),), Argument("result", "image")),
    )
    result = best_first(
        ToolGraph(Toolbox(tools)),
        [TypedValue("image", "photo.png")],
        [],
        "image",
        lambda asked: dict.fromkeys((tool.name for tool in asked), 4.0),
    )
    assert [[draft.tool.name for draft in found.drafts] for found in result.candidates] == [
        ["b", "a"]
    ]


def test_every_given_file_is_used():
    tools = (
        Tool(
            "describe", "D.", "general", (Argument("image", "image"),), Argument("result", "text")
        ),
        Tool(
            "compare",
            "C.",
            "general",
            (Argument("first", "image"), Argument("second", "image")),
            Argument("result", "text"),
        ),
    )
    files = [TypedValue("image", "a.png"), TypedValue("image", "b.png")]
    result = best_first(
        ToolGraph(Toolbox(tools)),
        files,
        [],
        "text",
        lambda asked: {"describe": 5.0, "compare": 1.0},
    )
    orders = {tuple(map(repr, found.drafts[0].inputs)) for found in result.candidates}
    assert {found.drafts[0].tool.name for found in result.candidates} == {"compare"}
    assert orders == set(itertools.permutations(("Given(index=0)", "Given(index=1)")))
