"""A real MCP server described, kept, and its tools called, over both of its ways."""

from __future__ import annotations

import json
import threading

import pytest
from mcp.types import Tool, ToolAnnotations

from controlllm.core.events import ActionFailed, ActionFinished
from controlllm.engine import Engine
from controlllm.sources.loading import kept_sources, with_sources
from controlllm.sources.mcp.calls import call
from controlllm.sources.mcp.describing import described, foreign_tools
from controlllm.sources.source import Adding
from controlllm.toolbox import Cancelled, Code, Context, Toolbox, ToolError
from tests.engine.bench import Bench, action, only, plan_of


@pytest.fixture(scope="session")
def town_by_http(town_address):
    return described(town_address, "town", Adding(is_local=True))


@pytest.fixture(params=["town", pytest.param("town_by_http", marks=pytest.mark.long)])
def source(request):
    """The town over its standard streams and over HTTP, whose own ways are `test_connections`."""
    return request.getfixturevalue(request.param)


def tool_named(source, name):
    return next(tool for tool in source.tools if tool.name == name)


def made(source, name, told=None, /, **inputs):
    report = None if told is None else lambda fraction, words: told.append((fraction, words))
    return call(source, tool_named(source, name), inputs, Context(report))


def test_all_tools_are_described_with_types(source):
    types = {
        tool.name: ([item.type for item in tool.arguments if item.required], tool.returns)
        for tool in source.tools
    }
    assert len(types) == 21
    assert types["find_station"] == (["text"], "town.station")
    assert types["station_departures"] == (["town.station"], "text")
    assert types["order_book"] == (["town.book"], "text")
    assert types["invert_picture"] == (["image"], "image")
    assert types["picture_size"] == (["image"], "text")
    assert types["ring_bell"] == ([], "audio")
    assert types["recording_length"] == (["audio"], "number")
    assert types["town_map"] == ([], "image")
    assert types["convert_money"] == (["text"], "number")


def test_only_what_says_that_it_reads_does_not_act_outside(source):
    acting = {tool.name for tool in source.tools if tool.acts_outside}
    assert acting == {"order_book", "delete_notes", "write_note"}


def test_a_name_that_betrays_an_act_counts_more_than_the_hint_that_it_reads():
    def listed(name, **hints):
        schema = {"type": "object", "properties": {}}
        annotations = ToolAnnotations(read_only_hint=True, **hints)
        return Tool(name=name, input_schema=schema, annotations=annotations)

    named = ["send_money", "sendMoney", "Bank.payBill", "delete-notes", "read_mail", "balance"]
    tools, _ = foreign_tools(
        "bank", [*map(listed, named), listed("look_around", destructive_hint=True)]
    )
    assert [tool.acts_outside for tool in tools] == [True] * 4 + [False] * 2 + [True]


def test_values_that_are_allowed_are_told():
    told = {
        "unit": {"enum": ["km", "miles"], "type": "string", "description": "How it is measured."},
        "hourly": {"type": "array", "items": {"type": "string", "enum": ["rain", "wind"]}},
    }
    schema = {"type": "object", "properties": told, "required": list(told)}
    (tool,), _ = foreign_tools("town", [Tool(name="weather", input_schema=schema)])
    unit, hourly = tool.arguments
    assert unit.description == "How it is measured. One of: km, miles."
    assert hourly.description == "One of: rain, wind."
    assert hourly.call["enum"] == ["rain", "wind"]


def test_values_go_both_ways(source):
    station = made(source, "find_station", name="mill")
    assert json.loads(station)["station_id"] == "S2"
    assert "S2 10:15" in made(source, "station_departures", station_id=station)
    assert "S1 10:15" in made(source, "station_departures", station_id="S1")
    flag = made(source, "draw_flag", color="blue")
    assert made(source, "invert_picture", picture=flag).getpixel((3, 3)) == (255, 255, 0)
    assert made(source, "picture_size", image_url=flag) == "48 x 32"
    bell = made(source, "ring_bell", seconds=0.5)
    assert made(source, "recording_length", audio=bell) == 0.5
    assert made(source, "town_map").size == (60, 40)
    assert made(source, "town_history") == "It is old."
    assert made(source, "average_of", numbers="1, 2, 6") == 3
    assert made(source, "convert_money", amount="10", target="CHF") == 9.5
    assert made(source, "tide_height", hour=6) == 3


def test_progress_is_told(source):
    told = []
    assert made(source, "count_boats", told, seconds=0.8) == 17
    assert (0.5, "Pier 3") in told


def test_what_a_tool_refuses_is_quoted_with_a_code(source):
    with pytest.raises(ToolError, match="There is no station S9.”") as refused:
        made(source, "station_departures", station_id="S9")
    assert refused.value.code is Code.NOT_FOUND
    with pytest.raises(ToolError, match="less than or equal to 23") as refused:
        made(source, "tide_height", hour=40)
    assert refused.value.code is Code.BAD_INPUT


def test_a_stopped_call_ends_at_once_and_the_next_one_goes_well(source):
    stopped = threading.Event()

    def stop(fraction, words):
        stopped.set()

    with pytest.raises(Cancelled):
        call(source, tool_named(source, "count_boats"), {"seconds": 60}, Context(stop, stopped))
    assert made(source, "town_motto") == "Slowly, but by boat."


def test_a_tool_that_is_not_what_it_was_is_not_called(source):
    from dataclasses import replace

    motto = tool_named(source, "town_motto")
    other = replace(motto, call={**motto.call, "fingerprint": "0"})
    with pytest.raises(ToolError, match="has changed town_motto") as refused:
        call(source, other, {}, Context())
    assert refused.value.code is Code.NOT_FOUND


def test_kept_tools_run_through_the_engine(source, tmp_path):
    (tmp_path / "town.json").write_text(json.dumps(source.to_json()))
    toolbox = with_sources(Toolbox(), kept_sources(tmp_path))
    bench = Bench(tmp_path / "home")
    plan = plan_of(
        [
            [
                action("town_find_station", "<GEN>-0-0", name="harbour"),
                action("town_station_departures", "<GEN>-0", station_id="<GEN>-0-0"),
            ]
        ],
        [[action("town_find_station", "<GEN>-1", name="Atlantis")]],
    )
    events = bench.run(plan, engine=Engine(toolbox, bench.store, 2, pause=0.0))
    first, second = only(events, ActionFinished)
    assert (first.resource.type, second.resource.type) == ("town_station", "text")
    assert "S1 10:15" in bench.read(second.resource)
    (failed,) = only(events, ActionFailed)
    assert failed.code is Code.NOT_FOUND
    bench.store.close()
