"""Plans of others: what is accepted can be run, what is refused is refused with its node."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.engine.compile import compile_plan
from controlllm.resources import Resource
from controlllm.runs.sent_plans import MOST_NODES, BadPlan, read_plan
from controlllm.toolbox import Toolbox
from tests.api.programs import planned
from tests.every_case import every_case

TOOLBOX = Toolbox.load()
KNOWN = {"photo.png": Resource("image", "photo.png", "d" * 64, "image/png")}


def read(plan):
    return read_plan(plan, TOOLBOX, KNOWN)


def changed(change, *tools):
    """A plan of one solution that `change` has changed."""
    plan = planned("image", tools or ("image_crop_top", "image_crop_left"))
    change(plan, plan["subtasks"][0]["solutions"][0]["actions"])
    return plan


def test_a_plan_that_is_right_is_read_whole():
    plan = read(planned("canny", ("image_crop_top", "image_to_canny"), ("image_to_canny",)))
    assert [way.tools for way in plan.solutions[0]] == [
        ("image_crop_top", "image_to_canny"),
        ("image_to_canny",),
    ]
    assert read(plan.to_json()) == plan


def second_subtask(plan, actions):
    """A subtask that reads the first one's result."""
    action = {
        "tool": "image_crop_right",
        "inputs": {"image": "<GEN>-0"},
        "output": {"type": "image", "value": "<GEN>-1"},
    }
    further = {
        "id": 1,
        "deps": [0],
        "returns": {"type": "image", "value": "<GEN>-1"},
        "solutions": [{"actions": [action]}],
    }
    plan["subtasks"].append(further)


def test_results_of_earlier_subtasks_may_be_read():
    assert len(read(changed(second_subtask)).subtasks) == 2


def later_first(plan, actions):
    second_subtask(plan, actions)
    plan["subtasks"].reverse()
    plan["subtasks"][0]["deps"] = []


def put(position, **fields):
    return lambda plan, actions: actions[position].update(fields)


def give(position, value):
    return lambda plan, actions: actions[position]["inputs"].update(image=value)


def called(position, name):
    return lambda plan, actions: actions[position]["output"].update(value=name)


def top(**fields):
    return lambda plan, actions: plan["subtasks"][0].update(fields)


def theirs(plan, actions):
    give(0, "theirs.png")(plan, actions)
    plan["references"] = ["theirs.png"]


def circle(plan, actions):
    give(0, "b")(plan, actions)
    called(0, "a")(plan, actions)
    made = {"type": "image", "value": "b"}
    actions.insert(1, {"tool": "image_crop_top", "inputs": {"image": "a"}, "output": made})


def twice(plan, actions):
    plan["subtasks"].append(copy.deepcopy(plan["subtasks"][0]))


def no_score(plan, actions):
    plan["subtasks"][0]["solutions"][0]["score"] = float("nan")


WRONG = {
    "an unknown tool": (put(0, tool="rm"), "0.0.0", "rm"),
    "an unknown input": (put(0, inputs={"image": "photo.png", "x": "1"}), "0.0.0", "'x'"),
    "no input": (put(1, inputs={}), "0.0.1", "needs an image"),
    "words for a picture": (give(0, "blue"), "0.0.0", "words"),
    "somebody else's file": (theirs, "0.0.0", "not in this conversation"),
    "a wrong type": (
        put(1, tool="speech_to_text", inputs={"audio": "photo.png"}),
        "0.0.1",
        "needs audio",
    ),
    "a wrong result": (put(1, tool="image_captioning"), "0.0.1", "makes text"),
    "its own result": (give(1, "<GEN>-0"), "0.0.1", "its own result"),
    "the last result": (give(0, "<GEN>-0"), "0.0.0", "its own result"),
    "a circle": (circle, "0.0.0", "only after it"),
    "a result of nothing": (give(0, "<GEN>-7-7"), "0.0.0", "nothing makes"),
    "a name twice": (called(1, "<GEN>-0-0"), "0.0.1", "already"),
    "a file's name": (called(0, "photo.png"), "0.0.0", "already"),
    "a later subtask": (later_first, "1.0.0", "only after it"),
    "a number twice": (twice, "0", "number 0"),
    "a wait for a later one": (top(deps=[3]), "0", "not before it"),
    "a wait for itself": (top(deps=[0]), "0", "not before it"),
    "a choice of nothing": (lambda p, a: p.update(chosen={"0": 4}), "0", "no solution 4"),
    "a choice of no number": (lambda p, a: p.update(chosen={"x": 0}), "", "chosen"),
    "a score of no number": (no_score, "0.0", "no number"),
    "no actions": (lambda p, a: a.clear(), "0.0", "actions"),
    "a number for a name": (put(1, tool=7), "0.0.1", "tool"),
    "huge words": (give(0, "x" * 500_000), "0.0.0", "image"),
    "a huge name": (put(0, tool="x" * 5000), "0.0.0", "tool"),
    "nothing": (lambda p, a: p["subtasks"].clear(), "", "subtasks"),
}


@every_case("case", WRONG)
def test_what_is_wrong_is_refused_with_its_node(case):
    change, node, said = WRONG[case]
    with pytest.raises(BadPlan) as refused:
        read(changed(change))
    assert refused.value.node == node and said in str(refused.value), str(refused.value)
    assert len(str(refused.value)) < 600


def test_a_wrong_solution_that_was_not_chosen_is_found_too():
    plan = planned("image", ("image_crop_top",), ("image_crop_left", "nonsense"))
    with pytest.raises(BadPlan) as refused:
        read(plan)
    assert refused.value.node == "0.1.1"


def test_ten_thousand_nodes_are_refused_at_once():
    plan = planned("image", ("image_crop_top",) * 10_000)
    with pytest.raises(BadPlan, match=f"10,000 actions, and at most {MOST_NODES}"):
        read(plan)


@every_case("sent", [None, [], "plan", 5, {"subtasks": {}}, {"subtasks": [[]]}])
def test_what_is_no_plan_is_refused(sent):
    with pytest.raises(BadPlan):
        read(sent)


def test_deep_nesting_is_refused():
    deep = json.loads("[" * 900 + "]" * 900)
    for plan in ({"subtasks": deep}, changed(lambda p, a: a[0].update(inputs={"image": deep}))):
        with pytest.raises(BadPlan):
            read(plan)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
_NAMES = st.sampled_from(["photo.png", "<GEN>-0", "<GEN>-0-0", "<GEN>-1", "a", "blue", ""])
_TOOLS = st.sampled_from([tool.name for tool in TOOLBOX][:40])
_MADE = st.fixed_dictionaries({"type": st.sampled_from(["image", "text"]), "value": _NAMES})
_INPUTS = st.dictionaries(
    st.sampled_from(["image", "text", "mask", "prompt", "x"]), _NAMES | _JSON, max_size=3
)
_ACTION = st.fixed_dictionaries({"tool": _TOOLS, "inputs": _INPUTS, "output": _MADE})
_SOLUTION = st.fixed_dictionaries({"actions": st.lists(_ACTION, max_size=3)})
_SUBTASK = st.fixed_dictionaries(
    {"id": st.integers(-1, 3), "returns": _MADE, "solutions": st.lists(_SOLUTION, max_size=2)}
)
_PLANS = st.fixed_dictionaries({"subtasks": st.lists(_SUBTASK, max_size=3)})


@given(_PLANS | _JSON)
@settings(max_examples=30, deadline=None)
def test_whatever_is_sent_is_refused_or_can_be_run(sent):
    try:
        plan = read(sent)
    except BadPlan as refused:
        assert str(refused)
        return
    assert not any(node.problem for node in compile_plan(plan, TOOLBOX, KNOWN).nodes.values())
