"""What tools from elsewhere are asked with: names and times as they are written."""

from __future__ import annotations

from dataclasses import replace

from controlllm.core.plans import Request
from controlllm.planning.graph import ToolGraph
from controlllm.planning.wish_decomposer import WishDecomposer
from controlllm.planning.wishes import Wish
from controlllm.toolbox import Toolbox
from tests.every_case import every_case
from tests.planning.scripted_reader import Scripted, tool

OWN = Toolbox.from_catalogue([tool("weather", [("place", "text")], "text")])
ALL = Toolbox.from_catalogue([
    tool("weather", [("place", "text")], "text"),
    tool("sea_find_ship", [("name", "text")], "text.ship"),
    tool("sea_book", [("ship", "text.ship"), ("day", "text")], "text"),
    tool("sea_write_note", [("subject", "text"), ("message", "text")], "text"),
])  # fmt: skip
TOOLBOX = replace(ALL, own=OWN)


def told(text, end, heard, says="", toolbox=TOOLBOX):
    """The words, by their roles, of the last wish for the tool `end`; `heard` is what the reader
    heard, `says` the part of the request that it heard the wish in."""

    def span(stretch):
        return text.index(stretch), text.index(stretch) + len(stretch)

    ends = {item.name: 0.9 if item.name == end else 0.001 for item in toolbox}
    words = {role: span(stretch) for role, stretch in heard.items()}
    wish = Wish((span(says or text),), (), (), ends, 0.0, {}, words, 0.9)
    found = WishDecomposer(ToolGraph(toolbox), Scripted(wish)).decompose(Request(text))
    return {item.role: item.value for item in found[-1].args if item.role}


@every_case(
    ("text", "heard", "name"),
    [
        ("find the ship of Grace O'Malley for us", "ship of Grace", "Grace O'Malley"),
        ("where is the Alexander von Humboldt now", "Alexander", "Alexander von Humboldt"),
        ("where is the Marks & Spencer now", "Marks", "Marks & Spencer"),
        ('look for "the old lady" please', "the old lady", "the old lady"),
        ("where does VX-204 lie", "does VX-204 lie", "VX-204"),
        ("where is the ferry", "the ferry", None),
    ],
)
def test_a_name_is_told_as_it_is_written(text, heard, name):
    found = told(text, "sea_find_ship", {"query": heard})
    assert found.get("name") == name
    assert ("query" in found) == (name is None)


def test_who_looks_for_something_by_its_name_is_told_the_name_said_elsewhere():
    text = "my aunt is on the Esmeralda. where is it"
    assert told(text, "sea_find_ship", {}, says="where is it") == {"name": "Esmeralda"}


def test_a_language_and_a_month_are_no_names():
    text = "write in German that we sail in June"
    assert "name" not in told(text, "sea_write_note", {"content": "German that we sail in June"})


@every_case(
    ("text", "heard", "time"),
    [
        ("book the Esmeralda from the 4th to the 6th of June", "", "the 4th to the 6th of June"),
        ("book the Esmeralda as she was in 1987", "", "1987"),
        ("book the Esmeralda for the week after next", "the week after next", None),
    ],
)
def test_times_that_are_said_together_are_one(text, heard, time):
    found = told(text, "sea_book", {"time": heard} if heard else {})
    assert found["time"].endswith(time or heard)


def test_a_text_stands_beside_a_name_where_a_tool_takes_one_and_is_handed_over_unquoted():
    text = 'write a note to Ann Lee saying "the boat is back"'
    found = told(
        text, "sea_write_note", {"query": "Ann Lee", "content": 'saying "the boat is back"'}
    )
    assert found == {"name": "Ann Lee", "content": "the boat is back"}


@every_case("toolbox", [ALL, replace(ALL, own=ALL)])
def test_words_for_our_own_tools_stay_as_they_were_heard(toolbox):
    text = "is it raining in Bath on Monday"
    heard = {"place": "in Bath", "time": "on Monday"}
    for box in (toolbox, TOOLBOX):
        assert told(text, "weather", heard, toolbox=box) == {
            "place": "in Bath",
            "time": "on Monday",
        }
