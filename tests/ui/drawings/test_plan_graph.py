"""The drawing of a plan: every node once, right of what it needs, none on top of another."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

from controlllm.core.plans import Action, Literal, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.resources import Resource
from controlllm.ui.drawings.graph_layout import MOST_WIDE, draw
from controlllm.ui.drawings.media import Media
from controlllm.ui.drawings.plan_graph import plan_graph
from controlllm.ui.view import TurnView
from tests.every_case import every_case


def view_of(*chains: tuple[Action, ...]) -> TurnView:
    subtasks = tuple(
        Subtask(number, "do it", ("general",), (), TypedValue("image", f"<GEN>-{number}"))
        for number in range(len(chains))
    )
    solutions = {number: (Solution(chain, 4.0),) for number, chain in enumerate(chains)}
    return TurnView(0, plan=Plan(subtasks, solutions), subtasks=subtasks)


def random_view(count: int) -> TurnView:
    """A plan of `count` actions that each read one to three earlier things."""
    chance = random.Random(count)
    values = ["a.png", "b.png"]
    actions = []
    for number in range(count):
        wanted = chance.sample(values, min(len(values), chance.randint(1, 3)))
        inputs = {f"input_{index}": Reference(value) for index, value in enumerate(wanted)}
        values.append(f"<GEN>-0-{number}")
        actions.append(Action(f"tool_{number}", inputs, TypedValue("image", values[-1])))
    return view_of(tuple(actions))


@every_case("count", [1, 2, 5, 12, 30])
def test_layers_and_places_are_sound(count: int) -> None:
    drawing = draw(random_view(count), {})
    tools = [node for node in drawing.nodes.values() if node.kind == "tool"]
    assert len(tools) == count
    for chain in drawing.edges:
        for source, target in zip(chain, chain[1:], strict=False):
            assert drawing.nodes[target].layer == drawing.nodes[source].layer + 1
    shown = [node for node in drawing.nodes.values() if node.kind != "bend"]
    for one, other in combinations(shown, 2):
        apart = (
            one.x + one.width <= other.x
            or other.x + other.width <= one.x
            or one.y + one.height <= other.y
            or other.y + other.height <= one.y
        )
        assert apart, (one.key, other.key)
    for node in shown:
        assert node.x >= 0 and node.x + node.width <= drawing.width
        assert node.y >= 0 and node.y + node.height <= drawing.height
        assert node.x + node.width <= MOST_WIDE
        below = [item for item in shown if item.row > node.row]
        assert all(node.y + node.height < item.y for item in below)


@every_case("count", [3, 12, 30])
def test_edges_to_the_next_row_pass_no_node(count: int) -> None:
    drawing = draw(random_view(count), {})
    assert drawing.turns
    shown = [node for node in drawing.nodes.values() if node.kind != "bend"]
    for key, (end, between, start) in drawing.turns.items():
        row = drawing.nodes[key].row
        assert all(node.x + node.width < end for node in shown if node.row == row)
        assert all(start < node.x for node in shown if node.row == row + 1)
        for node in shown:
            assert not node.y <= between <= node.y + node.height


def test_equal_actions_are_drawn_once() -> None:
    def chain(number: int, last: str) -> tuple[Action, ...]:
        find = Action(
            "find",
            {"image": Reference("a.png"), "query": Literal("cat")},
            TypedValue("mask", f"<GEN>-{number}-1"),
        )
        inputs = {"mask": Reference(f"<GEN>-{number}-1")}
        return find, Action(last, inputs, TypedValue("image", f"<GEN>-{number}-2"))

    drawing = draw(view_of(chain(0, "erase"), chain(1, "crop")), {})
    names = sorted(node.label for node in drawing.nodes.values() if node.kind == "tool")
    assert names == ["Crop", "Erase", "Find"]


def test_labels_are_escaped_and_told_in_words() -> None:
    action = Action(
        "find", {"query": Literal('<b>"x"</b>'), "image": Reference("<i>.png")},
        TypedValue("mask", "<GEN>-0-1"),
    )  # fmt: skip
    known = {"<i>.png": Resource("image", "<i>.png", "0" * 64, "image/png")}
    html = plan_graph(view_of((action,)), Media("handle", Path), known)
    assert "<b>" not in html and "<i>" not in html
    assert "Find makes mask: waits." in html
    assert 'role="group"' in html and html.count('role="button"') == 4


def test_no_plan_no_drawing() -> None:
    assert plan_graph(TurnView(0), Media("handle", Path), {}) == ""
