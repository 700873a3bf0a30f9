"""An index is carried over to another toolbox: only what is another is encoded, and whoever still
searches in the first finds what was there."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from controlllm.core.plans import Request
from controlllm.resources import Resource
from controlllm.retrieval import ToolIndex, index
from controlllm.toolbox import Parameter, Toolbox
from tests.retrieval.test_index import TOOLS, names, tool

ASKED = ("rain in Oslo?", "what can I cook with leeks", "how many yen are 20 euros")


@pytest.fixture
def encoded(monkeypatch):
    """What tools say of themselves that were encoded."""
    found = []
    true = index.tool_vector
    monkeypatch.setattr(index, "tool_vector", lambda text: found.append(text) or true(text))
    return found


@pytest.fixture(scope="module")
def made():
    return ToolIndex(TOOLS)


def same(one, other):
    """That two indexes find the same with the same scores."""
    for asked in ASKED:
        was, now = (
            {item.name: score for item, score in found.search(asked, 20)} for found in (one, other)
        )
        assert now == {name: pytest.approx(score, abs=0.01) for name, score in was.items()}


def test_only_what_came_or_says_something_else_is_encoded(made, encoded):
    changed = tool("caption", "Tell what kind of animal a picture shows.", ("image",))
    new = tool("tide", "When the sea is high at a coast.")
    kept = [item for item in TOOLS if item.name not in ("caption", "translate")]
    found = made.exchanged(Toolbox((new, changed, *kept)), ())
    assert encoded == [index.text_of(new), index.text_of(changed)] and found.encoded_tools == 2
    assert len(found) == len(TOOLS) and "translate" not in found
    same(ToolIndex((new, changed, *kept)), found)
    assert names(found.search("when is high tide", 1)) == ["tide"]


def test_the_first_stays_as_it_is(made):
    before = {asked: made.search(asked, 20) for asked in ASKED}
    other = tool("find_recipe", "Something else.")
    made.exchanged(Toolbox((other, tool("tide", "When the sea is high."))), ())
    assert {asked: made.search(asked, 20) for asked in ASKED} == before
    assert "translate" in made and "tide" not in made


def test_what_does_not_change_what_a_tool_says_is_taken_over_unencoded(made, encoded):
    caption = replace(TOOLS[3], parameters=(Parameter("length", 5),), acts_outside=True)
    found = made.exchanged(Toolbox((*TOOLS[:3], caption, *TOOLS[4:])), ())
    assert encoded == [] and found.encoded_tools == 0
    (got,) = [item for item, _ in found.search("describe this picture", 9) if item == caption]
    assert got is caption
    np.testing.assert_array_equal(found.tool_vectors(TOOLS), made.tool_vectors(TOOLS))


def test_the_name_of_a_source_says_nothing_as_soon_as_it_is_one(made, encoded):
    seen = tool("weather_radar", "Rain on a map.")
    first = made.exchanged(Toolbox((*TOOLS, seen)), ())
    encoded.clear()
    found = first.exchanged(Toolbox((*TOOLS, seen)), ["weather"])
    assert encoded == [index.text_of(TOOLS[0]), index.text_of(seen)]
    same(ToolIndex((*TOOLS, seen), sources=["weather"]), found)
    encoded.clear()
    # And what is kept of one is known to the next start with the same sources.
    back = found.exchanged(Toolbox((*TOOLS, seen)), [])
    assert len(encoded) == 2
    same(first, back)


def test_types_that_came_are_known_by_then(made):
    sea = tool("sea_tide", "What is known of a tide.", ("sea_tide_table",))
    toolbox = Toolbox((*TOOLS, sea))
    toolbox = replace(toolbox, lattice=toolbox.lattice.extended(["text.sea_tide_table"]))
    file = Resource("sea_tide_table", "tides.json")
    request = Request("what is this about?", (file,), (file.value,))
    found = made.exchanged(toolbox, ["sea"])
    fresh, stale = (
        dict(one.search(request, 9))
        for one in (
            ToolIndex(toolbox, toolbox.lattice, sources=["sea"]),
            ToolIndex(toolbox, sources=["sea"]),
        )
    )
    scores = dict(found.search(request, 9))
    assert scores == {item: pytest.approx(score, abs=0.01) for item, score in fresh.items()}
    assert scores[sea] > stale[sea] + 1


def test_searches_go_on_while_it_is_exchanged(made):
    wrong, ended = [], threading.Event()
    wanted = {asked: names(made.search(asked, 3)) for asked in ASKED}

    def search():
        while not ended.is_set():
            for asked, found in wanted.items():
                if names(made.search(asked, 3)) != found:
                    wrong.append(asked)

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        following = made
        for number in range(15):
            news = tool(f"new_{number}", f"The weather forecast number {number}.")
            following = following.exchanged(Toolbox((*TOOLS[number % 3 :], news)), ())
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    assert not wrong and "new_14" in following and "new_13" not in following
