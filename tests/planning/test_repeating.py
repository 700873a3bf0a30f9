"""What asks for the same again, and on which file."""

from __future__ import annotations

from typing import Annotated

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
from controlllm.core.session import Turn
from controlllm.planning.repeating import Again, repeating, with_settings_as_before
from controlllm.resources import Image, Resource, Text
from controlllm.toolbox import Toolbox, tool
from controlllm.values import Choice, Colour, Degrees, Place
from tests.every_case import every_case

_Letters = Annotated[str, Choice(small="small smaller", large="large larger")]

AGAIN = [
    ("do the same to the other one", Again("last", "other")),
    ("Do the same with the other photo, please.", Again("last", "other")),
    ("now do the same to the other picture", Again("last", "other")),
    ("and the other one as well", Again("last", "other")),
    ("the other one too", Again("last", "other")),
    ("and the other photo too please", Again("last", "other")),
    ("Can you do that to the other one as well?", Again("last", "other")),
    ("apply the same changes to the others", Again("last", "others")),
    ("do the same for all the other pictures", Again("last", "others")),
    ("the same for the rest", Again("last", "others")),
    ("do both to this one", Again("both", "this")),
    ("do both to this other photo", Again("both", "this")),
    ("Do both to this one as well, please", Again("both", "this")),
    ("both for this one too", Again("both", "this")),
    ("this one too", Again("last", "this")),
    ("and this one as well", Again("last", "this")),
    ("same for this one", Again("last", "this")),
    ("same thing with this photo please", Again("last", "this")),
    ("do all of that to this one", Again("all", "this")),
    ("do the same to train.jpg", Again("last", "named", "train.jpg")),
    ("and train.jpg as well", Again("last", "named", "train.jpg")),
    ("do the same to the second picture", Again("last", "named", "the second picture")),
    ("what about the other one?", Again("last", "other")),
    ("very good, same for other file", Again("last", "other")),
    ("thanks! and the other one too", Again("last", "other")),
    ("looks good, do the same to the rest", Again("last", "others")),
    ("Same for other two.", Again("last", "others")),
    ("and the other two photos as well", Again("last", "others")),
    ("and the first as well of course", Again("last", "named", "the first")),
    ("the second, ditto", Again("last", "named", "the second")),
]
NOT_AGAIN = [
    "blur the other one",
    "blur the other one as well",
    "mirror it too",
    "describe this one as well",
    "make both the same size",
    "make it the same size as the other one",
    "put both next to each other",
    "join this one with the other one",
    "is it the same in the other one?",
    "what is in the other one?",
    "which one is the same?",
    "do it again",
    "do it",
    "do that",
    "the other one is better",
    "use the other one",
    "I like this one",
    "show me the other one",
    "both",
    "the same colours as in the other one please",
    "make the sky blue as well",
    "add a border too",
    "do the same dance in a video",
    "",
]


@pytest.mark.parametrize(("text", "found"), AGAIN)
def test_the_same_again_is_heard(text, found):
    assert repeating(text) == found


@pytest.mark.parametrize("text", NOT_AGAIN)
def test_what_asks_for_something_else_is_left_alone(text):
    assert repeating(text) is None


@tool(domain="image-editing")
def add_words(
    image: Image, words: Text, place: Place = "", colour: Colour = "", letters: _Letters = ""
) -> Image:
    """Write words on a picture."""
    return image


@tool(domain="image-editing")
def turn(image: Image, angle: Degrees = 90.0) -> Image:
    """Turn a picture."""
    return image


TOOLBOX = Toolbox((add_words.tool, turn.tool))
HELLO = {"words": "Hello", "place": "top", "letters": "large"}


def _action(name: str, file: str, **told: str) -> Action:
    inputs = {"image": Reference(file), **{key: Literal(value) for key, value in told.items()}}
    return Action(name, inputs, TypedValue("image", generated(0)))


def _subtask(text: str, file: str, **words: str) -> Subtask:
    said = (TypedValue("text", value, role) for role, value in words.items())
    made = TypedValue("image", generated(0))
    return Subtask(0, text, (), (TypedValue("image", file), *said), made)


def _turn_with(action: Action, file: str) -> Turn:
    plan = Plan((_subtask("as it was asked", file),), {0: (Solution((action,), 5.0),)})
    return Turn(0, "as it was asked", (file,), plan, {"0.0.0": Resource("image", "made.png")})


@every_case(
    ("text", "file", "words", "told", "kept"),
    [
        # What was written is written again, where no other words were heard.
        (
            "a bit smaller, the writing",
            "a.png",
            {"prompt": "a bit smaller"},
            "a bit smaller",
            {**HELLO, "letters": "small"},
        ),
        ("and in yellow", "a.png", {"prompt": "yellow"}, "yellow", {**HELLO, "colour": "#ffff00"}),
        ("no, it says Hullo", "a.png", {"content": "Hullo"}, "Hullo", {**HELLO, "words": "Hullo"}),
        ("this one too, Bye", "b.png", {"content": "Bye"}, "Bye", {**HELLO, "words": "Bye"}),
        ("the same on this", "b.png", {}, "the same on this", HELLO),
        # Another picture, or what was made, is another thing.
        ("write Bye", "b.png", {"content": "Bye"}, "Bye", {"words": "Bye"}),
        ("also write Bye", "made.png", {"content": "Bye"}, "Bye", {"words": "Bye"}),
        ("Bye on the original", "a.png", {"content": "Bye"}, "Bye", {"words": "Bye"}),
    ],
)
def test_what_is_done_anew_keeps_what_is_not_said_of_it(text, file, words, told, kept):
    turns = (_turn_with(_action("add_words", "a.png", **HELLO), "a.png"),)
    now = _action("add_words", file, words=told)
    (found,) = with_settings_as_before((now,), _subtask(text, file, **words), turns, TOOLBOX)
    assert found == _action("add_words", file, **kept)


@every_case(
    ("text", "file", "told"),
    [
        ("turn it again", "made.png", {"angle": "45"}),
        ("the next one", "b.png", {"angle": "45"}),
        ("turn the next one by 10 degrees", "b.png", {"angle": "10"}),
        ("turn this", "b.png", {}),
    ],
)
def test_the_same_once_more_is_done_in_the_same_way(text, file, told):
    turns = (_turn_with(_action("turn", "a.png", angle="45"), "a.png"),)
    now = _action("turn", file)
    (found,) = with_settings_as_before((now,), _subtask(text, file), turns, TOOLBOX)
    assert found == _action("turn", file, **told)
