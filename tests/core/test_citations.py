"""What an answer's pieces rest on, how it words doubt, and what it says of other ways taken."""

from __future__ import annotations

from controlllm.answers.fallbacks import Fallbacks
from controlllm.answers.responder import citations_in, written_answer
from controlllm.answers.run_results import RunResult
from controlllm.core import events
from controlllm.core.citations import Citation
from controlllm.core.plans import Action, Plan, Solution, Subtask, TypedValue
from controlllm.resources import Box, Label, Resource

CAT, DOG = Box(0, 0, 30, 30, "cat", 0.91), Box(50, 60, 100, 100, "dog", 0.35)


def outcome(kind: str, value: object, number: int = 0, asked: str = "Do it") -> RunResult:
    subtask = Subtask(number, asked, (), (), TypedValue(kind, f"<GEN>-{number}"))
    resource = Resource(kind, f"{kind}-{number}.txt")
    return RunResult(subtask, ("a_tool",), resource, value, size=(100, 100), key=f"{number}.0.1")


def pieces(text: str, grounds: tuple[Citation, ...]) -> list[tuple[str, str, int | None]]:
    return [(text[item.start : item.end], item.key, item.region) for item in grounds]


def test_each_box_of_the_answer_points_to_itself_and_doubt_is_worded_as_doubt():
    answer = written_answer((outcome("bbox", (CAT, DOG), asked="Is there a dog?"),))
    assert pieces(answer.text, answer.grounds) == [
        ("Yes.", "0.0.1", None),
        ("I found 2 objects", "0.0.1", None),
        ("cat (the detector was 91% sure, upper left)", "0.0.1", 0),
        ("perhaps dog (it was only 35% sure, lower right)", "0.0.1", 1),
    ]
    alone = written_answer((outcome("bbox", (DOG,), asked="Is there a dog?"),)).text
    assert alone.startswith("Perhaps. I found one object: perhaps dog (the detector was only 35%")


def test_a_classifier_in_doubt_says_so_and_what_gives_no_score_is_not_said_to_be_sure():
    said = written_answer(
        (
            outcome(
                "category",
                (Label("crane", 0.31), Label("heron", 0.2)),
            ),
        )
    )
    assert said.text.startswith("It may be **crane**, but the classifier was only 31% sure. Other")
    assert "sure" not in written_answer((outcome("bbox", (Box(0, 0, 9, 9, "cup"),)),)).text


def test_every_line_of_a_text_and_each_part_point_to_their_own_step():
    answer = written_answer((outcome("text", "One.\n\nTwo.  \n"), outcome("number", 5.0, 1)))
    assert [(text, key) for text, key, _ in pieces(answer.text, answer.grounds)] == [
        ("One.", "0.0.1"), ("Two.", "0.0.1"), ("I counted **5**.", "1.0.1"),
    ]  # fmt: skip


def test_a_models_words_are_marked_only_where_they_certainly_quote_one_result():
    outcomes = (
        outcome("bbox", (CAT, DOG, DOG)),
        outcome("text", "The river was calm that morning. Ducks.", 1),
        outcome("number", 2.0, 2),
        outcome("category", (Label("tabby", 0.9), Label("dog", 0.1)), 3),
    )
    text = "A Tabby cat, 2 dogs, a dog and `cat`: the river was calm\nthat morning. Concatenated."
    assert pieces(text, citations_in(text, outcomes)) == [
        ("Tabby", "3.0.1", None),
        ("cat", "0.0.1", 0),
        ("the river was calm\nthat morning", "1.0.1", None),
    ]


def ran(*happened: events.Event) -> tuple[str, ...]:
    fallbacks = Fallbacks()
    for event in happened:
        fallbacks.hear(event)
    return fallbacks.told({0})


def test_another_runtime_and_another_way_are_told_with_the_reason():
    made = events.ActionFinished("0.0.0", "depth_map", Resource("depth", "d.png"), 1.0)
    failed = events.ActionFailed("0.0.0", "depth_map", "The server is down.", "…")
    first = events.ActionStarted("0.0.0", "depth_map", "cloud")
    second = events.ActionStarted("0.0.0", "depth_map", "embedded")
    (said,) = ran(first, failed, second, made)
    assert said.startswith("Depth map was done by the small version on this computer, since the ")
    assert said.endswith("version over the network failed: The server is down.")
    assert ran(first, made) == () and ran(first, failed) == ()
    subtask = Subtask(0, "Depth", (), (), TypedValue("depth", "<GEN>-0"))
    ways = tuple(
        Solution((Action(tool, {}, TypedValue("depth", f"<GEN>-0-{tool}")),), 3.0)
        for tool in ("depth_map", "other_depth")
    )
    plan = Plan((subtask,), {0: ways})
    switched = events.SolutionSwitched(0, 1, "The server is down.", plan)
    (said,) = ran(first, failed, switched)
    assert "in another way, with other depth" in said and said.endswith("The server is down.")
    assert ran(events.SolutionSwitched(0, 1, "You chose this way.", plan)) == ()
