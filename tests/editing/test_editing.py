"""What can be done to a plan by hand: on a plan as people have them, and on random ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import strategies as st

from controlllm.core.plans import (
    Action,
    Literal,
    Plan,
    Reference,
    Solution,
    Subtask,
    TypedValue,
    generated,
)
from controlllm.editing.bench import Bench
from controlllm.editing.changing import Edited, Refused, after_edits, edited
from controlllm.editing.edits import (
    Again,
    BadEdit,
    Delete,
    Give,
    Insert,
    Pin,
    Swap,
    read_edits,
)
from controlllm.editing.offers import offers
from controlllm.engine.compile import compile_plan
from controlllm.resources import Resource
from controlllm.toolbox import Argument, Parameter, Tool, Toolbox
from tests.planning.brute_force import over


def tool(name, args, returned, **more):
    found = tuple(
        item if isinstance(item, Argument) else Argument(item, item) for item in args.split()
    ) if isinstance(args, str) else args  # fmt: skip
    return Tool(name, "A tool.", "general", found, Argument("result", returned), **more)


BOX = Toolbox(
    (
        tool("blur", "image", "image", parameters=(Parameter("strength", 2.0),)),
        tool("caption", "image", "text"),
        tool("canny", "image", "canny"),
        tool("draw", "canny text", "image"),
        tool("edges", "image", "edge"),
        tool("find", "image", "mask"),
        tool("hum", "audio", "audio"),
        tool("cut", "image mask", "image"),
        tool("translate", "text", "text"),
    )
)
FILES = {
    "cat.jpg": Resource("image", "cat.jpg", "1", "image/jpeg"),
    "dog.jpg": Resource("image", "dog.jpg", "2", "image/jpeg"),
    "old.png": Resource("mask", "old.png", "3", "image/png"),
}
CAT = Reference("cat.jpg")


def action(tool_name, output, **inputs):
    return Action(tool_name, inputs, TypedValue(BOX[tool_name].returns.type, output))


def plan_of(*ways, wanted="image"):
    """A plan whose subtasks have one way each."""
    subtasks, solutions = [], {}
    for number, actions in enumerate(ways):
        made = BOX[actions[-1].tool].returns.type if number else wanted
        args = (TypedValue("image", "cat.jpg"), TypedValue("text", "a red dog", "prompt"))
        returns = TypedValue(made, generated(number))
        subtasks.append(Subtask(number, "make a red dog", (), args, returns))
        solutions[number] = (Solution(tuple(actions), 4.0),)
    return Plan(tuple(subtasks), solutions)


CUT = plan_of(
    [
        action("find", "<GEN>-0-1", image=CAT),
        action("cut", "<GEN>-0", image=CAT, mask=Reference("<GEN>-0-1")),
    ],
    [action("caption", "<GEN>-1", image=Reference("<GEN>-0"))],
)


def changed(plan, *edits):
    found = after_edits(plan, edits, BOX, FILES)
    assert isinstance(found, Edited), found
    assert not [node.problem for node in compiled(found.plan).nodes.values() if node.problem]
    return found.plan


def compiled(plan):
    return compile_plan(plan, BOX, FILES)


def tools(plan, number=0):
    return list(plan.solution(number).tools)


def test_the_way_that_was_is_kept_beside_the_edited_one():
    plan = changed(CUT, Insert(0, 1, "image", 0, "blur"))
    assert tools(plan) == ["find", "blur", "cut"]
    assert plan.solutions[0][0] == CUT.solutions[0][0]
    assert plan.solutions[0][1].is_own and plan.chosen == {0: 1}
    cut = plan.solution(0).actions[-1]
    assert cut.inputs["image"] == Reference(plan.solution(0).actions[1].output.value)
    assert cut.output.value == "<GEN>-0"
    again = Plan.from_json(changed(plan, Pin(0, 0, "old.png"), Again(0, 2)).to_json())
    assert [item.pinned for item in again.solution(0).actions] == ["old.png", "", ""]
    assert [item.version for item in again.solution(0).actions] == [0, 0, 1]
    assert again.solution(0).is_own


def test_undoing_an_edit_by_hand_is_the_way_that_was():
    there_and_back = changed(CUT, Insert(0, 1, "image", 0, "blur"), Delete(0, 1))
    assert there_and_back.solutions == CUT.solutions and there_and_back.solution(0).score == 4.0


def test_what_reads_a_step_decides_what_may_stand_there():
    bench = Bench(CUT, 0, BOX, FILES)
    assert offers(bench, 0).swaps == ()
    # What comes next reads a picture.
    assert offers(bench, 1).swaps == ("blur", "canny", "edges", "find")
    said = edited(CUT, Swap(0, 1, "caption"), BOX, FILES)
    assert isinstance(said, Refused) and "Caption makes text" in said.reason
    said = edited(CUT, Swap(0, 1, "hum"), BOX, FILES)
    assert isinstance(said, Refused)


def test_a_result_of_another_kind_makes_the_part_promise_less():
    plan = plan_of([action("canny", "<GEN>-0", image=CAT)], wanted="canny")
    assert set(offers(Bench(plan, 0, BOX, FILES), 0).swaps) == {"blur", "cut", "edges", "find"}
    plan = changed(plan, Swap(0, 0, "edges"))
    assert plan.subtasks[0].returns.type == "image"
    assert tools(plan) == ["edges"]


def test_words_of_the_request_fill_what_a_new_tool_wants_to_be_told():
    plan = plan_of([action("canny", "<GEN>-0", image=CAT)], wanted="canny")
    plan = changed(plan, Insert(0, 0, "", 0, "draw"))
    assert tools(plan) == ["canny", "draw"]
    assert plan.solution(0).actions[1].inputs["text"] == Literal("a red dog")


def test_without_a_step_its_reader_reads_what_it_read_and_what_only_it_needed_goes():
    plan = changed(CUT, Insert(0, 1, "image", 0, "cut"))
    assert tools(plan) == ["find", "cut", "cut"]
    plan = changed(plan, Swap(0, 2, "blur"))
    assert tools(plan) == ["find", "cut", "blur"]
    plan = changed(plan, Delete(0, 1))
    assert tools(plan) == ["blur"]
    assert plan.solution(0).actions[0].inputs["image"] == CAT
    said = edited(plan, Delete(0, 0), BOX, FILES)
    assert said == Refused("This is the only step of this part.")


def test_the_last_step_can_go_where_one_before_makes_the_result():
    plan = changed(CUT, Insert(0, 1, "", 0, "blur"))
    assert tools(changed(plan, Delete(0, 2))) == ["find", "cut"]
    assert changed(plan, Delete(0, 2)).solution(0) == CUT.solution(0)


def test_an_input_takes_what_fits_and_nothing_else():
    choices = {item.name: item for item in offers(Bench(CUT, 0, BOX, FILES), 1).choices}
    assert choices["mask"].others == (Reference("<GEN>-0-1"), Reference("old.png"))
    assert not choices["mask"].takes_words
    plan = changed(CUT, Give(0, 1, "mask", (Reference("old.png"),)))
    assert tools(plan) == ["cut"]
    for wrong in ((Reference("dog.jpg"),), (Literal("dog"),), (), (Reference("<GEN>-0"),)):
        assert isinstance(edited(CUT, Give(0, 1, "mask", wrong), BOX, FILES), Refused)
    plan = changed(CUT, Swap(0, 1, "blur"), Give(0, 0, "strength", (Literal("3"),)))
    assert compiled(plan).nodes["0.1.0"].parameters == {"strength": 3.0}
    wrong = Give(0, 0, "strength", (Literal("strong"),))
    assert isinstance(edited(plan, wrong, BOX, FILES), Refused)


def test_what_is_pinned_waits_for_nothing_and_what_only_it_read_is_left_out():
    plan = changed(CUT, Insert(0, 1, "mask", 0, "find"), Pin(0, 1, "old.png"))
    plan = changed(plan, Give(0, 2, "image", (Reference("dog.jpg"),)))
    nodes = compiled(plan).nodes
    assert [nodes[key].name for key in nodes] == ["find", "cut", "caption"]
    pinned = nodes["0.1.1"] if "0.1.1" in nodes else nodes["0.2.1"]
    assert pinned.pinned == FILES["old.png"] and not pinned.producers
    assert tools(plan) == ["find", "find", "cut"]
    unpinned = changed(plan, Pin(0, 1, ""))
    assert len(compiled(unpinned).nodes) == 4
    for wrong in ("cat.jpg", "gone.png"):
        assert isinstance(edited(plan, Pin(0, 1, wrong), BOX, FILES), Refused)


def test_anew_is_all_that_comes_of_a_step_in_other_parts_too():
    plan = changed(CUT, Again(0, 1))
    assert [item.version for item in plan.solution(0).actions] == [0, 1]
    assert [item.version for item in plan.solution(1).actions] == [1]
    twice = changed(plan, Again(0, 1))
    assert [item.version for item in twice.solution(0).actions] == [0, 2]
    assert len(twice.solutions[0]) == 3


def test_what_is_sent_is_read_or_refused():
    sent = [
        {"kind": "swap", "subtask": 0, "position": 1, "tool": "blur"},
        {"kind": "give", "subtask": 0, "position": 0, "name": "image", "values": [{"from": "x"}]},
    ]
    assert read_edits(sent) == (Swap(0, 1, "blur"), Give(0, 0, "image", (Reference("x"),)))
    for wrong in (
        "swap", [1], [{"kind": "burn"}], [{"kind": "swap", "subtask": True}], [{}] * 101,
        [{"kind": "give", "subtask": 0, "position": 0, "name": "x", "values": [{"what": 1}]}],
        [{"kind": "swap", "subtask": 0, "position": 1, "tool": "x" * 30_000}],
    ):  # fmt: skip
        with pytest.raises(BadEdit):
            read_edits(wrong)
    for gone in (Delete(7, 0), Delete(0, 9), Swap(0, 0, "nothing")):
        assert isinstance(edited(CUT, gone, BOX, FILES), Refused)


# Random toolboxes and plans

TYPES = ("image", "mask", "text", "audio", "title")
LATTICE = BOX.lattice


@st.composite
def problems(draw):
    """A toolbox, files, and a plan of two parts that compiles."""
    made = []
    for number in range(draw(st.integers(2, 7))):
        kinds = draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=2))
        args = tuple(
            Argument(f"in{place}", kind, many=draw(st.integers(0, 5)) == 0,
                     optional=place > 0 and draw(st.integers(0, 3)) == 0)
            for place, kind in enumerate(kinds)
        )  # fmt: skip
        made.append(tool(f"t{number}", args, draw(st.sampled_from(TYPES))))
    box = Toolbox(tuple(made))
    files = {
        f"f{place}": Resource(kind, f"f{place}", str(place))
        for place, kind in enumerate(draw(st.lists(st.sampled_from(TYPES), max_size=3)))
    }
    subtasks, solutions = [], {}
    outside = {name: item.type for name, item in files.items()}
    for number in range(draw(st.integers(1, 2))):
        there, actions = dict(outside), []
        for place in range(draw(st.integers(1, 4))):
            name = draw(st.sampled_from([item.name for item in made]))
            inputs = {}
            for argument in box[name].required:
                values = [
                    Reference(value)
                    for value, kind in there.items()
                    if LATTICE.is_a(kind, argument.type)
                ]
                if LATTICE.is_a(argument.type, "text"):
                    values.append(Literal("words"))
                if not values:
                    break
                value = draw(st.sampled_from(values))
                inputs[argument.name] = (value,) if argument.many else value
            else:
                output = generated(number, place + 1)
                actions.append(Action(name, inputs, TypedValue(box[name].returns.type, output)))
                there[output] = box[name].returns.type
        if not actions:
            continue
        end = actions[-1].output
        actions[-1] = replace(actions[-1], output=TypedValue(end.type, generated(number)))
        outside[generated(number)] = end.type
        args = tuple(TypedValue(item.type, name) for name, item in files.items())
        returns = TypedValue(end.type, generated(number))
        subtasks.append(Subtask(number, "do it", (), args, returns))
        solutions[number] = (Solution(tuple(actions), 4.0),)
    return box, files, Plan(tuple(subtasks), solutions)


def problems_of(plan, box, files):
    return [node.problem for node in compile_plan(plan, box, files).nodes.values() if node.problem]


def every_edit(bench):
    """All that is offered in a way."""
    number = bench.subtask_id
    for position in range(len(bench.actions)):
        offered = offers(bench, position)
        yield from (Swap(number, position, name) for name in offered.swaps)
        for place, names in offered.before:
            yield from (Insert(number, position, place.name, place.index, name) for name in names)
        if offered.can_go:
            yield Delete(number, position)
        for choice in offered.choices:
            yield from (Give(number, position, choice.name, (value,)) for value in choice.others)
            if choice.takes_words:
                yield Give(number, position, choice.name, (Literal("more"),))
        made = bench.made_by(bench.actions[position])
        for name, item in bench.resources.items():
            if item.type == made:
                yield Pin(number, position, name)
        yield Again(number, position)


@over(50, 150, problem=problems(), data=st.data())
def test_whatever_is_offered_can_be_done_and_compiles(problem, data):
    box, files, plan = problem
    if not plan.subtasks:
        return
    assert problems_of(plan, box, files) == []
    for _ in range(data.draw(st.integers(1, 6))):
        number = data.draw(st.sampled_from([item.id for item in plan.subtasks]))
        edit = data.draw(st.sampled_from(list(every_edit(Bench(plan, number, box, files)))))
        found = after_edits(plan, [edit], box, files)
        assert isinstance(found, Edited), found
        plan = found.plan
        assert problems_of(plan, box, files) == []
        assert Plan.from_json(plan.to_json()).to_json() == plan.to_json()
        for item in plan.subtasks:
            made = plan.solution(item.id).actions[-1].output.type
            assert LATTICE.is_a(made, item.returns.type)


def read_by(plan, number, position):
    """The types that whatever reads a step's output asks for."""
    way = plan.solution(number)
    output = way.actions[position].output.value
    for step in plan.steps():
        if step.subtask == number or position == len(way.actions) - 1:
            for name, value in step.action.inputs.items():
                if Reference(output) in (value if isinstance(value, tuple) else (value,)):
                    yield step.action.tool, name


def has_all(tool_, there, words):
    return all(
        any(LATTICE.is_a(kind, item.type) for kind in there)
        or (words and LATTICE.is_a(item.type, "text"))
        for item in tool_.required
    )


def types_before(box, files, plan, number, position):
    """The types of all that is there before a step, told apart from how the bench does it."""
    found = [item.type for item in files.values()]
    for item in plan.subtasks:
        if item.id < number:
            found.append(box[plan.solution(item.id).actions[-1].tool].returns.type)
    return found + [
        box[action.tool].returns.type for action in plan.solution(number).actions[:position]
    ]


def root(kind):
    return LATTICE.ancestors(kind)[-1]


@over(80, 250, problem=problems())
def test_what_is_offered_is_what_brute_force_over_the_toolbox_says_fits(problem):
    box, files, plan = problem
    for item in plan.subtasks:
        number, way = item.id, plan.solution(item.id)
        bench = Bench(plan, number, box, files)
        for position, now in enumerate(way.actions):
            before = types_before(box, files, plan, number, position)
            wanted = [
                next(arg.type for arg in box[name].args if arg.name == given)
                for name, given in read_by(plan, number, position)
            ]
            is_last = position == len(way.actions) - 1
            read = [
                value
                for given in now.inputs.values()
                for value in (given if isinstance(given, tuple) else (given,))
            ]
            kinds = {bench.type_of(value) for value in read if isinstance(value, Reference)}
            fitting = set()
            for other in box:
                accepted = all(LATTICE.is_a(other.returns.type, kind) for kind in wanted)
                if is_last:
                    accepted = accepted and root(other.returns.type) == root(item.returns.type)
                reads = any(
                    LATTICE.is_a(kind, arg.type) for arg in other.args for kind in kinds
                ) or (not kinds and any(LATTICE.is_a(arg.type, "text") for arg in other.args))
                if accepted and reads and has_all(other, before, True) and other.name != now.tool:
                    fitting.add(other.name)
            offered = offers(bench, position)
            assert set(offered.swaps) == fitting
            for place, names in offered.before:
                after = wanted
                if place.name:
                    after = [next(a.type for a in box[now.tool].args if a.name == place.name)]
                kind = bench.type_of(place.value)
                there = before + ([box[now.tool].returns.type] if not place.name else [])
                expected = {
                    other.name
                    for other in box
                    if all(LATTICE.is_a(other.returns.type, each) for each in after)
                    and (place.name or root(other.returns.type) == root(item.returns.type))
                    and any(
                        LATTICE.is_a(arg.type, "text")
                        if isinstance(place.value, Literal)
                        else LATTICE.is_a(kind, arg.type)
                        for arg in other.args
                    )
                    and has_all(other, there, True)
                }
                assert set(names) == expected
