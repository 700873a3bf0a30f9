"""What a person reads of what was found."""

from __future__ import annotations

from controlllm.agents.embedded.answers import answer_of
from controlllm.agents.embedded.parts import Part
from controlllm.agents.embedded.words import Words
from controlllm.core.plans import Subtask, TypedValue
from controlllm.core.state import Failure, Result, State
from controlllm.resources import Resource
from tests.every_case import every_case


def part(words, **more):
    said = Words(words, words, (), (), 0, len(words))
    subtask = Subtask(0, words, (), (), TypedValue("text", "<GEN>-0"))
    return Part(subtask, said, {}, **more)


def found(finding, part="Say how it is.", source="text-1", tool="say"):
    return Result(finding, source, 1, part, True, tool)


@every_case(
    ("findings", "told"),
    [
        (["The feeling is neutral."], "The feeling is neutral."),
        (["Is it?"], "Is it?"),
        (["He said: “It rains.”"], "He said: “It rains.”"),
        (["It goes on…"], "It goes on…"),
        (["neutral"], "neutral."),
        (["high = 23"], "high: 23."),
        (["It rains.", "high = 23"], "It rains; high: 23."),
        (["high = 23", "It rains."], "high: 23; It rains."),
    ],
)
def test_a_sentence_ends_once(findings, told):
    state = State(tuple(map(found, findings)))
    assert answer_of([part("Say how it is.")], state) == f"Say how it is: {told}"


@every_case(
    ("made", "told"),
    [
        ("image", "Here is the picture: made.bin."),
        ("edge", "Here is the picture: made.bin."),
        ("audio", "The sound is ready: made.bin."),
        ("video", "The video is ready: made.bin."),
        ("bbox", "Here is what look at it made: made.bin."),
    ],
)
def test_media_are_told_as_planned_answers_tell_them(made, told):
    state = State((Result("x", "made.bin", 1, "Make it", True, "look_at_it"),))
    at_hand = {"made.bin": Resource(made, "made.bin")}
    assert answer_of([part("Make it")], state, at_hand) == told
    two = answer_of([part("Make it"), part("Tell it", lacking="No way.")], state, at_hand)
    assert two == f"Make it: {told}\nTell it: No way."


def test_what_was_not_found_is_told_with_why():
    state = State(failures=(Failure("say", {}, "It is closed.", "error", 1),))
    said = answer_of([part("Say how it is.")], state)
    assert said == "I could not find out or do this: Say how it is (It is closed)."
    lacking = part("Say how it is.", lacking="Say cannot run here: needs weights.")
    assert answer_of([lacking], state) == "Say cannot run here: needs weights."
