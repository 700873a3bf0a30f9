"""Tools are found by what a request wishes, in whatever order they came into the index."""

from __future__ import annotations

import numpy as np
import pytest

from controlllm.core.plans import Request
from controlllm.resources import Resource
from controlllm.retrieval import WHOLE, ToolIndex, index, narrowed
from controlllm.toolbox import Argument, Tool, Toolbox
from tests.every_case import every_case


def tool(name, description, takes=("text",), makes="text"):
    args = tuple(Argument(f"{kind}_{place}", kind) for place, kind in enumerate(takes))
    return Tool(name, description, "public-api", args, Argument("result", makes))


TOOLS = (
    tool("weather_forecast", "The weather of the next days in a city."),
    tool("exchange_rate", "How much one currency is worth in another."),
    tool("find_recipe", "Recipes for a dish or from ingredients."),
    tool("caption", "Describe a picture in a sentence.", ("image",)),
    tool("transcribe", "Write down what is said in a recording.", ("audio",)),
    tool("iban_lookup", "GET /v1/iban"),
    tool("translate", "Put a text into another language.", ("text", "text")),
)


@pytest.fixture(scope="module")
def small_index():
    return ToolIndex(TOOLS)


def names(found):
    return [tool.name for tool, _ in found]


@every_case(
    ("request_text", "wanted"),
    [
        ("will it rain in Oslo tomorrow?", "weather_forecast"),
        ("what can I cook with leeks", "find_recipe"),
        ("how many yen are 20 euros", "exchange_rate"),
        ("whose bank is this iban", "iban_lookup"),
    ],
)
def test_what_is_meant_comes_first(small_index, request_text, wanted):
    assert names(small_index.search(request_text, 3))[0] == wanted


def test_each_wish_has_its_tools_among_the_first(small_index):
    asked = "Translate this letter into French, and tell me whether it will rain in Paris tomorrow."
    assert {"translate", "weather_forecast"} <= set(names(small_index.search(asked, 3)))


def test_what_came_along_speaks_for_the_tools_that_take_it(small_index):
    for kind, wanted in (("image", "caption"), ("audio", "transcribe")):
        file = Resource(kind, f"file.{kind}")
        request = Request("what is this about?", (file,), (file.value,))
        assert names(small_index.search(request, 1)) == [wanted]


def test_scores_fall_and_there_are_no_more_than_there_are_tools(small_index):
    found = small_index.search("will it rain in Oslo tomorrow?", 50)
    scores = [score for _, score in found]
    assert len(found) == len(TOOLS) and scores == sorted(scores, reverse=True)
    assert small_index.search("  ", 5) == [] and ToolIndex().search("anything", 5) == []


def test_tools_come_and_go_one_by_one(small_index):
    grown = ToolIndex(TOOLS[3:])
    for item in TOOLS[:3]:
        grown.add(item)
    grown.add(tool("gone", "Jokes about the weather in a city."))
    grown.add(tool("find_recipe", "Something else."))
    grown.remove("gone")
    grown.add(TOOLS[2])
    assert len(grown) == len(TOOLS) and "gone" not in grown
    for asked in ("rain in Oslo?", "what can I cook with leeks"):
        was, now = (dict(found.search(asked, 9)) for found in (small_index, grown))
        assert {item.name: pytest.approx(score, abs=0.01) for item, score in was.items()} == {
            item.name: score for item, score in now.items()
        }
    with pytest.raises(KeyError):
        grown.remove("gone")


def test_tools_that_say_the_same_do_not_crowd_out_others():
    sources = ("abex", "locadio", "nusonet", "vatix", "zepalgen")
    same = [tool(f"{name}_forecast", "The weather forecast of a city.") for name in sources]
    crowded = ToolIndex([*TOOLS, *same], sources=sources)
    found = names(crowded.search("will it rain in Oslo tomorrow?", 5))
    assert sum(name.endswith("_forecast") for name in found) <= 2 and len(found) == 5


def test_what_was_kept_is_not_encoded_again(small_index, tmp_path, monkeypatch):
    path = tmp_path / "index.npz"
    small_index.save(path)
    encoded = []
    true = index.tool_vector
    monkeypatch.setattr(index, "tool_vector", lambda text: encoded.append(text) or true(text))
    changed = tool("caption", "Tell what kind of animal a picture shows.", ("image",))
    again = ToolIndex([changed, *(item for item in TOOLS if item.name != "caption")], kept=path)
    assert encoded == [index.text_of(changed)]
    assert names(again.search("rain in Oslo?", 1)) == ["weather_forecast"]
    kept = again.tool_vectors([TOOLS[0]])
    np.testing.assert_allclose(kept, small_index.tool_vectors([TOOLS[0]]), atol=1e-3)
    # Nothing is believed of a file that is broken or of other networks.
    monkeypatch.setattr(index, "_FORMAT", 0)
    assert index._read(path) == {}
    monkeypatch.undo()
    for content in (b"", b"nonsense", path.read_bytes()[:900]):
        path.write_bytes(content)
        assert index._read(path) == {}
    assert index._read(tmp_path / "none.npz") == {}


def test_a_small_toolbox_stays_and_a_large_one_is_narrowed_to_what_leads_there():
    toolbox = Toolbox(TOOLS)
    request = Request("What does the booking for Ms Roy at the spa hotel cost?")
    assert narrowed(toolbox, request, ToolIndex()) is toolbox
    cost = tool("spa_cost", "What a booking at a spa hotel costs.", ("spa_booking",))
    makers = (
        tool("spa_find", "Find a booking by the name of a guest.", makes="spa_booking"),
        tool("spa_stay", "The booking of a stay at a hotel.", ("spa_stay_id",), "spa_booking"),
        tool("spa_id", "The id of a stay.", makes="spa_stay_id"),
    )
    others = [tool(f"part_{number}", f"Part {number} of a machine.") for number in range(WHOLE)]
    types = ["spa_booking", "spa_stay_id"]
    large = Toolbox((*TOOLS, cost, *makers, *others))
    large = Toolbox(large.tools, {}, large.lattice.extended(types))
    found = ToolIndex()
    vectors = {item.name: found.encoded(item) for item in (*TOOLS, cost, *makers)}
    chance = np.random.default_rng(1)
    for item in large:
        away = chance.normal(size=(2, 384)).astype(np.float32) / 384**0.5
        found.add(item, vectors.get(item.name, (away[0], away[1])))
    small = narrowed(large, request, found)
    assert len(small) < WHOLE and small.lattice is large.lattice
    assert {"spa_cost", "spa_find", "spa_stay", "spa_id"} <= {item.name for item in small}
