"""What has to be got before a wish can be done is heard as a wish of its own."""

from __future__ import annotations

from collections.abc import Mapping

from controlllm.planning.graph import ToolGraph
from controlllm.planning.prerequisites import reading_prerequisites
from controlllm.planning.wishes import RequestText, Slot, Wish
from controlllm.toolbox import Toolbox
from tests.every_case import every_case
from tests.planning.scripted_reader import tool

TOOLBOX = Toolbox.from_catalogue([
    tool("motto", [], "text"),
    tool("card", [("words", "text")], "image"),
    tool("flag", [("country", "text")], "image"),
    tool("size", [("image", "image")], "number"),
    tool("draw", [("prompt", "text")], "image"),
    tool("words_on", [("image", "image")], "text"),
    tool("tone", [("length", "number")], "audio"),
    tool("film", [("image", "image")], "video"),
    tool("film_with_sound", [("image", "image"), ("audio", "audio")], "video"),
])  # fmt: skip


def heard(
    text: str,
    ends: Mapping[str, float],
    files: tuple[int, ...] = (),
    wishes: tuple[int, ...] = (),
) -> Wish:
    return Wish(((0, len(text)),), files, wishes, ends, 0.01, {}, {}, 0.9)


def likeliest(wish: Wish) -> str:
    return max(wish.ends, key=lambda name: wish.ends[name])


def read(alone: Mapping[str, Mapping[str, float]], ends: Mapping[str, float], files=()):
    """A reader that hears these tools in things read alone, and these in whatever else it reads."""

    def reads(shown: RequestText) -> tuple[Wish, ...]:
        thing = shown.text.removeprefix("I need ").removesuffix(".")
        named = {tool.name: 0.001 for tool in TOOLBOX}
        if shown.text.startswith("I need "):
            at_hand = tuple(range(len(shown.slots)))
            return (heard(shown.text, {**named, **alone.get(thing, {})}, at_hand),)
        return (heard(shown.text, {**named, **ends}, files),)

    return reading_prerequisites(reads, ToolGraph(TOOLBOX))


MOTTO = {"the motto of the town": {"motto": 0.8}}
FLAG = {"the flag of Portugal": {"flag": 0.4, "draw": 0.3}}


@every_case(
    ("text", "alone", "ends", "thing", "then"),
    [
        ("Put the motto of the town on a card", MOTTO, {"card": 0.3, "motto": 0.1}, 4, "card"),
        # The likeliest tool is the one that gets it; another changes what it gives.
        ("How big is the flag of Portugal?", FLAG, {"flag": 0.4, "size": 0.2}, 11, "size"),
    ],
)
def test_a_thing_that_a_tool_gives_and_another_takes_is_got_first(text, alone, ends, thing, then):
    first, second = read(alone, ends)(RequestText(text))
    (name,) = alone
    assert first.spans == ((thing, thing + len(name)),)
    assert likeliest(first) in alone[name]
    assert second.wishes == (0,) and likeliest(second) == then


SIGN = {"the words": {"words_on": 0.8}}


def test_what_a_file_shows_is_read_first_for_a_tool_that_takes_only_words():
    text, slots = "Make a card with the words on image1", (Slot("image1"),)
    first, second = read(SIGN, {"card": 0.6}, (0,))(RequestText(text, slots))
    assert (likeliest(first), first.files) == ("words_on", (0,))
    assert (likeliest(second), second.files, second.wishes) == ("card", (), (0,))
    slots = (Slot("text1"),)
    assert len(read(SIGN, {"card": 0.6}, (0,))(RequestText(text, slots))) == 1


def test_a_thing_of_another_kind_is_made_of_what_the_likeliest_tool_gives():
    text, slots = "I would like what image1 says on a card", (Slot("image1"),)
    made = {"a card": {"card": 0.5}}
    ends = {"words_on": 0.5, "card": 0.1}
    first, second = read(made, ends, (0,))(RequestText(text.replace("I would", "We would"), slots))
    assert (likeliest(first), first.files) == ("words_on", (0,))
    assert (likeliest(second), second.wishes) == ("card", (0,))


def told(*wishes: Wish) -> tuple[Wish, ...]:
    """What becomes of wishes in which nothing is named."""
    return reading_prerequisites(lambda shown: wishes, ToolGraph(TOOLBOX))(RequestText("do it"))


def test_what_nothing_uses_goes_into_what_takes_both():
    flag, tone = heard("do", {"flag": 0.9}), heard("do", {"tone": 0.9})
    film = heard("do", {"film": 0.5, "film_with_sound": 0.4}, wishes=(0,))
    first, second, third = told(flag, film, tone)
    assert list(map(likeliest, (first, second, third))) == ["flag", "tone", "film_with_sound"]
    assert third.wishes == (0, 1)
    # Of the film alone somebody is sure; no likely tool takes both; the film is used.
    sure = heard("do", {"film": 0.9, "film_with_sound": 0.05}, wishes=(0,))
    assert told(flag, sure, tone) == (flag, sure, tone)
    silent = heard("do", {"film": 0.5}, wishes=(0,))
    assert told(flag, silent, tone) == (flag, silent, tone)
    short = heard("do", {"film": 0.5}, wishes=(1,))
    assert told(flag, film, short, tone) == (flag, film, short, tone)


@every_case(
    "ends",
    [
        # Some tool is sure; no likely tool takes what is got.
        {"card": 0.9},
        {"draw": 0.3},
    ],
)
def test_other_wishes_stay_as_they_are(ends):
    assert len(read(MOTTO, ends)(RequestText("Put the motto of the town on a card"))) == 1


def test_a_file_that_the_likeliest_tool_takes_is_what_it_works_on():
    text = RequestText("How big is the flag of Portugal in image1?", (Slot("image1"),))
    assert len(read(FLAG, {"flag": 0.2, "size": 0.4}, (0,))(text)) == 1


def test_what_no_tool_surely_gives_is_a_word_like_others():
    unsure = {"the motto of the town": {"motto": 0.3}}
    text = "Put the motto of the town on a card"
    assert len(read(unsure, {"card": 0.3})(RequestText(text))) == 1
