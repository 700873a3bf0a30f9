"""What has to be got before a wish can be done is heard as a wish of its own."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from controlllm.graph import ToolGraph
from controlllm.planning.prerequisites import reading_prerequisites
from controlllm.planning.wishes import RequestText, Wish
from controlllm.toolbox import Toolbox
from tests.planning.scripted_reader import tool

TOOLBOX = Toolbox.from_catalogue([
    tool("motto", [], "text"),
    tool("card", [("words", "text")], "image"),
    tool("flag", [("country", "text")], "image"),
    tool("size", [("image", "image")], "number"),
    tool("draw", [("prompt", "text")], "image"),
])  # fmt: skip


def heard(text: str, ends: Mapping[str, float], files: tuple[int, ...] = ()) -> Wish:
    return Wish(((0, len(text)),), files, (), ends, 0.01, {}, {}, 0.9)


def read(alone: Mapping[str, Mapping[str, float]], ends: Mapping[str, float], files=()):
    """A reader that hears these tools in things read alone, and these in whatever else it reads."""

    def reads(shown: RequestText) -> tuple[Wish, ...]:
        thing = shown.text.removeprefix("I need ").removesuffix(".")
        named = {tool.name: 0.001 for tool in TOOLBOX}
        if shown.text.startswith("I need "):
            return (heard(shown.text, {**named, **alone.get(thing, {})}),)
        return (heard(shown.text, {**named, **ends}, files),)

    return reading_prerequisites(reads, ToolGraph(TOOLBOX))


MOTTO = {"the motto of the town": {"motto": 0.8}}
FLAG = {"the flag of Portugal": {"flag": 0.4, "draw": 0.3}}


@pytest.mark.parametrize(
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
    assert max(first.ends, key=lambda at: first.ends[at]) in alone[name]
    assert second.wishes == (0,) and max(second.ends, key=lambda at: second.ends[at]) == then


@pytest.mark.parametrize(
    ("ends", "files"),
    [
        # Some tool is sure; there is a file to work on; no likely tool takes what is got.
        ({"card": 0.9}, ()),
        ({"card": 0.3}, (0,)),
        ({"draw": 0.3}, ()),
    ],
)
def test_other_wishes_stay_as_they_are(ends, files):
    assert len(read(MOTTO, ends, files)(RequestText("Put the motto of the town on a card"))) == 1


def test_what_no_tool_surely_gives_is_a_word_like_others():
    unsure = {"the motto of the town": {"motto": 0.3}}
    text = "Put the motto of the town on a card"
    assert len(read(unsure, {"card": 0.3})(RequestText(text))) == 1
