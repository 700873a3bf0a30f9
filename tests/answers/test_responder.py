"""The answer by rules: what it says of results."""

from __future__ import annotations

from controlllm.answers.responder import written_answer
from controlllm.answers.run_results import RunResult, run_results_of
from controlllm.core.plans import Action, Plan, Solution, Subtask, TypedValue
from controlllm.resources import REMARKS, Box, Resource
from controlllm.ui.drawings.markdown import to_html
from tests.every_case import every_case

BOX = Box(10, 10, 40, 40, "owl", 0.9)


def boxes(asked: str, *found: Box) -> str:
    subtask = Subtask(
        0,
        asked,
        ("image-perception",),
        (TypedValue("image", "night.png"), TypedValue("text", "owl", "object")),
        TypedValue("bbox", "<GEN>-0"),
    )
    resource = Resource("bbox", "owls.json")
    outcome = RunResult(subtask, ("visual_grounding",), resource, list(found), size=(100, 100))
    return written_answer((outcome,)).text


@every_case(
    "asked",
    [
        "Is there an owl in night.png?",
        "Does night.png show an owl?",
        "Please check if there is an owl",
        "Can you see an owl?",
        "tell me whether an owl is in it",
    ],
)
def test_a_yes_or_no_question_gets_a_yes_or_a_no(asked):
    assert "Yes. I found one object: owl" in boxes(asked, BOX)
    assert "No. I found no owl there." in boxes(asked)


@every_case("asked", ["Find the owl", "Where is the owl?", "Do you mind finding it?"])
def test_an_order_gets_none(asked):
    assert "Yes" not in boxes(asked, BOX)
    assert "No." not in boxes(asked)


def texts(*values: str | None, problem: str = "") -> str:
    outcomes = []
    for number, value in enumerate(values):
        subtask = Subtask(
            number, f"Do part {number}", (), (), TypedValue("text", f"<GEN>-{number}")
        )
        resource = Resource("text", f"text-{number}.txt") if value is not None else None
        outcomes.append(RunResult(subtask, ("writing",), resource, value, problem))
    return written_answer(tuple(outcomes)).text


def test_the_lines_of_a_text_are_kept():
    said = texts("Roses are red,\nviolets are *blue*.\n\nA new verse\r\n- with a dash\n")
    verses = said.split("\n\n")
    assert verses[0] == "Roses are red,  \nviolets are \\*blue\\*."
    assert verses[1] == "A new verse  \n\\- with a dash"
    assert to_html(said).count("<br") == 2


def test_the_same_reason_is_told_once():
    said = texts(None, "Done.", None, problem="It needs a lamp.")
    assert said.count("It needs a lamp.") == 1
    assert said.index("Do part 0") < said.index("Do part 2") < said.index("It needs a lamp.")
    assert said.index("Do part 1") < said.index("Done.")


def test_what_waited_for_a_missing_result_says_so():
    first = Subtask(0, "Look up Faust", (), (), TypedValue("text", "<GEN>-0"))
    second = Subtask(
        1,
        "Summarise it",
        (),
        (TypedValue("text", "<GEN>-0"),),
        TypedValue("text", "<GEN>-1"),
        deps=(0,),
    )
    plan = Plan((first, second), {0: (), 1: ()})
    found = run_results_of(plan, {}, {0: "It was not reached."}, lambda _: None, lambda _: None)
    text = written_answer(found).text
    assert "It was not reached." in text
    assert "it needs what “Look up Faust” was to find or make" in text


def covered(*remarks: str) -> str:
    subtask = Subtask(0, "Blur all faces", (), (), TypedValue("image", "<GEN>-0"))
    outcome = RunResult(
        subtask, ("image_blurring",), Resource("image", "group.png"), remarks=remarks
    )
    return written_answer((outcome,)).text


def test_what_tools_remark_is_said():
    said = covered("8 faces are covered.", "In 1 person no face was found.")
    assert "`group.png`. 8 faces are covered. In 1 person no face was found." in said
    assert "`group.png`.\n" in covered()


def test_remarks_of_all_steps_are_said_the_last_ones_first():
    steps = (
        Action("find", {"image": "a.png"}, TypedValue("bbox", "<GEN>-0-1")),
        Action("hide", {"image": "a.png", "bbox": "<GEN>-0-1"}, TypedValue("image", "<GEN>-0")),
    )
    subtask = Subtask(0, "Hide them", (), (), TypedValue("image", "<GEN>-0"))
    plan = Plan((subtask,), {0: (Solution(steps, 4.0, ""),)}, {0: 0})
    first, last = (step.key for step in plan.steps())
    made = {
        first: Resource("bbox", "b.json", details={REMARKS: ["One may be missed."]}),
        last: Resource("image", "b.png", details={REMARKS: ["3 are covered."]}),
    }
    (outcome,) = run_results_of(plan, made, {}, lambda resource: None, lambda name: None)
    assert outcome.remarks == ("3 are covered.", "One may be missed.")


def test_what_a_step_remarked_that_went_on_is_told_of_what_came_of_it():
    made = [
        RunResult(
            Subtask(place, words, (), (), TypedValue("table", f"<GEN>-{place}")),
            (tool,),
            Resource("table", f"{place}.csv"),
            is_on_the_way=place == 0,
            remarks=said,
        )
        for place, words, tool, said in (
            (0, "Take the double one out", "clean_table", ("Taken out: Noah Singh.",)),
            (1, "Sort it", "sort_table", ()),
        )
    ]
    text = written_answer(tuple(made)).text
    assert "`1.csv`. Taken out: Noah Singh." in text
    assert "`0.csv`" not in text
