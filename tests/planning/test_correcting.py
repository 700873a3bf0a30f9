"""Another value for what was done last, and what is none."""

from __future__ import annotations

import pytest

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
from controlllm.planning.correcting import corrected_plan
from controlllm.resources import Audio, Image, Text
from controlllm.toolbox import Toolbox, tool
from controlllm.values import Colour, Place, Seconds


@tool(domain="image-editing")
def add_words(
    image: Image, words: Text, place: Place = "centre", colour: Colour = "black"
) -> Image:
    """Write words on a picture, on the first or second part or on any other one."""
    return image


@tool(domain="audio-editing")
def keep_part(audio: Audio, prompt: Text) -> Audio:
    """Keep a part of a recording."""
    return audio


@tool(domain="audio-editing")
def soften(audio: Audio, seconds: Seconds = 0.0) -> Audio:
    """Let a recording fade out at its end."""
    return audio


TOOLBOX = Toolbox((add_words.tool, keep_part.tool, soften.tool))


def plan(words: str, action: Action) -> Plan:
    task = Subtask(0, words, (), (), action.output)
    return Plan((task,), {0: (Solution((action,), 5.0),)})


WRITTEN = plan(
    "write hello at the top left in black",
    Action(
        "add_words",
        {
            "image": Reference("a.png"),
            "words": Literal("hello"),
            "place": Literal("top left"),
            "colour": Literal("#000000"),
        },
        TypedValue("image", generated(0)),
    ),
)
KEPT = plan(
    "keep the first 10 seconds",
    Action(
        "keep_part",
        {"audio": Reference("a.wav"), "prompt": Literal("keep the first 10 seconds")},
        TypedValue("audio", generated(0)),
    ),
)
SOFTENED = plan(
    "let it fade out over 30 seconds",
    Action(
        "soften",
        {"audio": Reference("a.wav"), "seconds": Literal("30")},
        TypedValue("audio", generated(0)),
    ),
)

CORRECTED = [
    ("bottom right rather", WRITTEN, "place", "bottom right"),
    ("no, at the bottom right", WRITTEN, "place", "bottom right"),
    ("I meant bottom right", WRITTEN, "place", "bottom right"),
    ("red instead", WRITTEN, "colour", None),
    ("no, 12 seconds", KEPT, "prompt", "keep the first 12 seconds"),
    ("12 rather", KEPT, "prompt", "keep the first 12 seconds"),
    ("sorry, 12 seconds please", KEPT, "prompt", "keep the first 12 seconds"),
    ("no that's too short, make it 12 seconds", KEPT, "prompt", "keep the first 12 seconds"),
    ("make that 12 seconds", KEPT, "prompt", "keep the first 12 seconds"),
    ("12 seconds, sorry", KEPT, "prompt", "keep the first 12 seconds"),
    ("12 seconds is enough then", KEPT, "prompt", "keep the first 12 seconds"),
    ("a full minute is better i think", SOFTENED, "seconds", "60"),
    ("two seconds longer, the fade", SOFTENED, "seconds", "32"),
    ("can it fade 10 seconds less", SOFTENED, "seconds", "20"),
]
NOT_CORRECTED = [
    ("add a frame, not words", WRITTEN),
    ("put it lower, not hello", WRITTEN),
    ("bottom right", WRITTEN),
    ("crop the bottom right instead", WRITTEN),
    ("no", WRITTEN),
    ("no, mirror it", WRITTEN),
    ("no, make it brighter", WRITTEN),
    ("turn it black and white instead", WRITTEN),
    ("top left rather", WRITTEN),
    ("no, 12 pixels", KEPT),
    ("no, 12 seconds from the end of the song", KEPT),
    ("how long are 12 seconds?", KEPT),
    ("12 seconds", KEPT),
    ("make it louder instead", KEPT),
    ("the music 2 seconds longer", SOFTENED),
    ("the clip is 2 seconds longer than I said", SOFTENED),
]


@pytest.mark.parametrize(("text", "before", "name", "value"), CORRECTED)
def test_a_value_alone_corrects_the_step_that_takes_it(text, before, name, value):
    found = corrected_plan(text, before, TOOLBOX)
    assert found is not None
    (way,), (old,) = found.solutions[0], before.solutions[0]
    changed = {
        key for key, given in way.actions[0].inputs.items() if given != old.actions[0].inputs[key]
    }
    assert changed == {name}
    assert value is None or way.actions[0].inputs[name] == Literal(value)
    assert found.subtasks[0].description != before.subtasks[0].description


@pytest.mark.parametrize(
    ("text", "before", "name", "value"),
    [
        ("oh no wait, it must be goodbye, not hello", WRITTEN, "words", "goodbye"),
        ("not hello, but good night", WRITTEN, "words", "good night"),
        ("it should say 'hi there' and not 'hello'", WRITTEN, "words", "hi there"),
        ("12 seconds, not 10", KEPT, "prompt", "keep the first 12 seconds"),
        ("the last, not the first", KEPT, "prompt", "keep the last 10 seconds"),
    ],
)
def test_what_is_meant_stands_in_place_of_what_is_not(text, before, name, value):
    found = corrected_plan(text, before, TOOLBOX)
    assert found is not None
    assert found.solution(0).actions[0].inputs[name] == Literal(value)


@pytest.mark.parametrize(("text", "before"), NOT_CORRECTED)
def test_what_asks_for_something_else_corrects_nothing(text, before):
    assert corrected_plan(text, before, TOOLBOX) is None


JOINED = plan(
    "put them side by side",
    Action(
        "put_together",
        {"images": (Reference("a.png"), Reference("b.png"))},
        TypedValue("image", generated(0)),
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        "no, other way round: the blue wall left, the grey one right",
        "The other way around, please!",
        "swap them",
        "sorry, in the opposite order",
    ],
)
def test_what_was_put_together_is_put_together_the_other_way_round(text):
    found = corrected_plan(text, JOINED, TOOLBOX)
    assert found is not None
    (action,) = found.solutions[0][0].actions
    assert action.inputs["images"] == (Reference("b.png"), Reference("a.png"))


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("turn it the other way round", JOINED),
        ("swap the background", JOINED),
        ("the other way round", WRITTEN),
    ],
)
def test_nothing_else_is_swapped(text, before):
    assert corrected_plan(text, before, TOOLBOX) is None


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("the words in yellow", {"colour": "#ffff00"}),
        ("and can the words be yellow and at the bottom", {"colour": "#ffff00", "place": "bottom"}),
        ("please put the words bottom right", {"place": "bottom right"}),
    ],
)
def test_what_a_step_put_there_is_named_with_other_values(text, given):
    changed = corrected_plan(text, WRITTEN, TOOLBOX)
    assert changed is not None
    inputs = changed.solution(0).actions[0].inputs
    assert {name: inputs[name].text for name in given} == given
    assert inputs["words"] == Literal("hello")


@pytest.mark.parametrize(
    "text",
    [
        "the second one in yellow",
        "yellow for the other",
        "make the picture yellow",
        "add more words in yellow",
        "make the sky yellow",
        "yellow",
    ],
)
def test_other_wishes_with_a_value_change_nothing_of_it(text):
    assert corrected_plan(text, WRITTEN, TOOLBOX) is None
