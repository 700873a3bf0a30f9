"""The paper's metrics on plans that are written by hand, and on every annotated solution."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.annotation import SUITES, Annotation, Expected, read_suite
from benchmarks.metrics import Judgement, judge, rates
from controlllm.core.plans import Action, Literal, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.resources import Resource
from tests.every_case import every_case

A, B = Reference("a.jpg"), Reference("b.jpg")
CAT = Literal("the cat")

CROP = Annotation(
    "medium-1",
    "medium",
    "Crop the cats in a.jpg",
    (Resource("image", "a.jpg"), Resource("image", "b.jpg")),
    (
        Expected(
            (
                ("object_detection", "select_bbox", "image_cropping"),
                ("visual_grounding", "image_cropping"),
            ),
            ("image",),
            ("a.jpg",),
            (),
            ("cat",),
        ),
    ),
    ("super_resolution",),
)


@pytest.fixture(scope="module")
def toolbox():
    return read_suite("benchmark").toolbox


def call(tool, output, **inputs):
    return Action(tool, inputs, TypedValue("", output))


def plan_of(*solutions):
    """A plan with a subtask for each list of actions."""
    subtasks = tuple(
        Subtask(number, "", (), (), TypedValue("", f"<GEN>-{number}"))
        for number in range(len(solutions))
    )
    return Plan(
        subtasks,
        {
            number: (Solution(tuple(actions), 5.0),) if actions else ()
            for number, actions in enumerate(solutions)
        },
    )


def ground(output="box", image=A, query=CAT):
    return call("visual_grounding", output, image=image, query=query)


def crop(output="<GEN>-0", image=A, box="box"):
    return call("image_cropping", output, image=image, bbox=Reference(box))


def judged(toolbox, *solutions, annotation=CROP):
    return judge(plan_of(*solutions), annotation, toolbox)


def test_a_good_plan(toolbox):
    found = judged(toolbox, [ground(), crop()])
    assert found == Judgement("medium-1", "medium", False, True, False, True, True)


def test_another_listed_solution_is_as_good(toolbox):
    boxes = call("object_detection", "all", image=A)
    chosen = call("select_bbox", "box", bbox=Reference("all"), condition=CAT)
    assert judged(toolbox, [boxes, chosen, crop()]).solves


def test_a_tool_that_nobody_listed_is_irrelevant_but_may_be_there(toolbox):
    caption = [call("image_captioning", "<GEN>-1", image=A)]
    found = judged(toolbox, [ground(), crop()], caption)
    assert found.irrelevant and found.solves


def test_an_allowed_tool_is_not_irrelevant(toolbox):
    larger = [call("super_resolution", "<GEN>-1", image=Reference("<GEN>-0"))]
    assert not judged(toolbox, [ground(), crop()], larger).irrelevant


def test_tools_of_two_solutions_do_not_make_one(toolbox):
    boxes = call("object_detection", "box", image=A)
    found = judged(toolbox, [boxes, crop()])
    assert not found.irrelevant and not found.necessary and not found.solves


def test_a_plan_may_be_cut_into_other_subtasks_than_the_annotation(toolbox):
    found = judged(toolbox, [ground("<GEN>-0")], [crop("<GEN>-1", box="<GEN>-0")])
    assert found.solves


def test_no_plan_is_no_solution(toolbox):
    for empty in (judged(toolbox), judged(toolbox, [])):
        assert empty == Judgement("medium-1", "medium", False, False, False, True, False)


@every_case(
    "actions",
    [
        [ground(image=Reference("c.jpg")), crop()],
        [ground(), crop(box="other")],
        [crop(), ground()],
        [ground(query=Literal("a cat with a hat")), crop()],
        [ground(query=Literal("")), crop()],
        [call("visual_grounding", "box", image=A), crop()],
        [call("visual_grounding", "box", image=A, query=CAT, colour=CAT), crop()],
        [ground(), crop("cropped"), call("polish", "<GEN>-0", image=Reference("cropped"))],
    ],
    ids=[
        *("no such file", "no such output", "an output before it is made", "words made up"),
        *("no words", "an argument missing", "an argument too many", "no such tool"),
    ],
)
def test_made_up_inputs(toolbox, actions):
    found = judged(toolbox, actions)
    assert found.hallucinated and not found.solves


@every_case("words", ["cats", "cat", "the cat in the image", "Crop the cats in a.jpg"])
def test_a_persons_own_words_are_not_made_up(toolbox, words):
    assert judged(toolbox, [ground(query=Literal(words)), crop()]).solves


def test_what_a_tool_made_is_of_that_tools_type(toolbox):
    caption = call("image_captioning", "box", image=A)
    found = judged(toolbox, [ground("unused"), caption, crop()])
    assert not found.consistent and not found.hallucinated and not found.solves


def test_words_are_no_picture(toolbox):
    found = judged(toolbox, [ground(image=CAT), crop()])
    assert not found.consistent and not found.solves


def test_a_picture_handed_over_may_be_any_kind_of_picture_but_no_sound(toolbox):
    drawn = Annotation(
        "easy-1",
        "easy",
        "With this HED map, paint a cat",
        (Resource("image", "a.jpg"),),
        (Expected((("hed_text_to_image",),), ("image",), ("a.jpg",), (), ("cat",)),),
    )
    painting = [call("hed_text_to_image", "<GEN>-0", hed=A, prompt=Literal("a cat"))]
    assert judged(toolbox, painting, annotation=drawn).solves
    sound = replace(drawn, resources=(Resource("audio", "a.jpg"),))
    found = judged(toolbox, painting, annotation=sound)
    assert not found.consistent and not found.solves


@every_case(
    "actions",
    [
        [ground(image=B), crop(image=B)],
        [ground(query=Literal("crop")), crop()],
        [crop("<GEN>-9", box="<GEN>-0"), ground("<GEN>-0")],
    ],
    ids=["another file", "other words", "the result is not the picture"],
)
def test_the_right_tools_alone_solve_nothing(toolbox, actions):
    found = judged(toolbox, actions)
    assert found.necessary and not found.solves


def test_the_result_is_not_something_on_the_way(toolbox):
    boxes = call("object_detection", "<GEN>-0", image=Reference("cropped"))
    found = judged(toolbox, [ground(), crop("cropped"), boxes])
    assert found.necessary and found.consistent and not found.hallucinated
    assert not found.solves


TWICE = Annotation(
    "medium-2",
    "medium",
    "Colour a.jpg and b.jpg",
    CROP.resources,
    tuple(Expected((("image_colorization",),), ("image",), (name,)) for name in ("a.jpg", "b.jpg")),
)


def test_a_tool_that_is_needed_twice_must_be_there_twice(toolbox):
    first = [call("image_colorization", "<GEN>-0", image=A)]
    second = [call("image_colorization", "<GEN>-1", image=B)]
    assert judged(toolbox, first, second, annotation=TWICE).solves
    assert not judged(toolbox, first, annotation=TWICE).necessary
    again = [call("image_colorization", "<GEN>-1", image=A)]
    found = judged(toolbox, first, again, annotation=TWICE)
    assert found.necessary and not found.solves


CHAIN = Annotation(
    "medium-3",
    "medium",
    "Describe a.jpg and read the description aloud",
    CROP.resources,
    (
        Expected((("image_captioning",),), ("text",), ("a.jpg",)),
        Expected((("text_to_speech",),), ("audio",), (), (0,)),
    ),
)


def caption(output):
    return call("image_captioning", output, image=A)


def speak(output, text):
    return call("text_to_speech", output, text=text)


def test_a_part_that_builds_on_another_must_read_it(toolbox):
    told = [caption("<GEN>-0")]
    read = judged(toolbox, told, [speak("<GEN>-1", Reference("<GEN>-0"))], annotation=CHAIN)
    assert read.solves
    not_read = judged(toolbox, told, [speak("<GEN>-1", Literal("a description"))], annotation=CHAIN)
    assert not_read.necessary and not not_read.hallucinated and not not_read.solves


def test_an_equal_call_is_the_same_result(toolbox):
    again = [caption("mine"), speak("<GEN>-1", Reference("mine"))]
    assert judged(toolbox, [caption("<GEN>-0")], again, annotation=CHAIN).solves


def test_what_another_part_builds_on_may_be_on_the_way(toolbox):
    both = [caption("mine"), speak("<GEN>-0", Reference("mine"))]
    assert judged(toolbox, both, annotation=CHAIN).solves


def test_a_request_that_needs_no_tool(toolbox):
    thanks = Annotation("easy-2", "easy", "Thank you!", (), (), ("chat",))
    assert judged(toolbox, annotation=thanks).solves
    chat = [call("chat", "<GEN>-0", question=Literal("Thank you!"))]
    assert judged(toolbox, chat, annotation=thanks).solves
    song = judged(
        toolbox,
        [call("text_to_music", "<GEN>-0", prompt=Literal("Thank you!"))],
        annotation=thanks,
    )
    assert song.irrelevant and not song.solves


def test_only_the_best_solution_counts(toolbox):
    plan = plan_of([caption("<GEN>-0")])
    better = Solution((ground(), crop()), 4.0)
    plan = replace(plan, solutions={0: (*plan.solutions[0], better)}, chosen={0: 1})
    assert not judge(plan, CROP, toolbox).necessary


def test_rates_are_shares_of_all_plans():
    good = Judgement("1", "easy", False, True, False, True, True)
    bad = Judgement("2", "hard", True, False, True, False, False)
    found = rates([good, good, good, bad])
    assert (found.irrelevant, found.hallucinated) == (0.25, 0.25)
    assert (found.necessary, found.consistent, found.solved) == (0.75, 0.75, 0.75)
    assert found.solved_by_level == {"easy": 1.0, "hard": 0.0}
    assert found.requests == 4
    assert rates([]).solved == 0.0


#: Arguments that take words of the request rather than a text that is at hand.
WORDED = {"query", "condition", "prompt", "question", "language", "pages", "column"}


def carried_out(annotation, choice, toolbox):
    """A plan that carries out, for each part, the listed solution of the number in `choice`."""
    lattice = toolbox.lattice
    files = {resource.value: resource.type for resource in annotation.resources}
    results: list[tuple[str, str]] = []
    solutions = []
    for number, (part, chosen) in enumerate(zip(annotation.subtasks, choice, strict=True)):
        solution = part.solutions[chosen]
        made: list[tuple[str, str]] = []
        actions = []
        for step, name in enumerate(solution):
            pools = [
                list(reversed(made)),
                [results[earlier] for earlier in part.after],
                [(file, files[file]) for file in part.files],
                list(reversed(results)),
            ]
            at_hand = [item for pool in pools for item in pool]
            inputs = {}
            # A tool that reads nothing but words is told what was just described.
            told = made[-1] if made and made[-1][1] == "text" else None
            for argument in toolbox[name].args:
                if argument.name in WORDED:
                    told_of = told if len(toolbox[name].args) == 1 else None
                    inputs[argument.name] = (
                        Reference(told_of[0]) if told_of else Literal(annotation.request)
                    )
                    continue
                inputs[argument.name] = bound(argument.type, at_hand, inputs, files, lattice)
            for key, value in inputs.items():
                inputs[key] = value or Literal(annotation.request)
            output = f"<GEN>-{number}" if step == len(solution) - 1 else f"<GEN>-{number}-{step}"
            actions.append(call(name, output, **inputs))
            made.append((output, toolbox[name].returns.type))
        results.append(made[-1])
        solutions.append(actions)
    return plan_of(*solutions)


def bound(wanted, at_hand, inputs, files, lattice):
    """The first value that fits and that no other input has: its very type before kinds of it."""
    for fits in (
        lambda value, kind: kind == wanted,
        lambda value, kind: lattice.is_a(kind, wanted),
        lambda value, kind: value in files and lattice.is_a(wanted, kind),
    ):
        for value, kind in at_hand:
            if fits(value, kind) and Reference(value) not in inputs.values():
                return Reference(value)
    return None


@every_case("name", SUITES)
def test_every_annotated_solution_is_judged_to_solve_its_request(name):
    suite = read_suite(name)
    for annotation in suite.annotations:
        plainest = [0] * len(annotation.subtasks)
        choices = [plainest]
        for number, part in enumerate(annotation.subtasks):
            choices += [
                [*plainest[:number], chosen, *plainest[number + 1 :]]
                for chosen in range(1, len(part.solutions))
            ]
        for choice in choices:
            found = judge(carried_out(annotation, choice, suite.toolbox), annotation, suite.toolbox)
            assert found == Judgement(
                annotation.id, annotation.level, False, True, False, True, True
            ), choice
