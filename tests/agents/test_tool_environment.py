"""Calls as an environment checks, names and reports them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlllm.agents.environment import fingerprint
from controlllm.agents.tool_environment import Made, ToolEnvironment
from controlllm.resources import Resource, TypeLattice
from controlllm.toolbox import Argument, Cancelled, Code, Parameter, Tool, ToolError
from tests.every_case import every_case

LATTICE = TypeLattice().extended(["maps_city"])


def tool(name, *args, returns="text", **more):
    return Tool(name, f"{name}.", "public-api", args, Argument("result", returns), **more)


FIND = tool("find_city", Argument("name", "text"), returns="maps_city")
WEATHER = tool(
    "weather_at",
    Argument("city", "maps_city", "where it is"),
    Argument("note", "text", optional=True),
    parameters=(Parameter("days", 3), Parameter("metric", True), Parameter("unit", "C")),
)
CROP = tool("crop", Argument("image", "image"), returns="image")
JOIN = tool("join", Argument("images", "image", many=True), returns="image")
ADD = tool("add", Argument("number", "number"), returns="number")
SEND = tool("send", Argument("to", "text"), acts_outside=True)
TOOLS = (FIND, WEATHER, CROP, JOIN, ADD, SEND)
PHOTO = Resource("image", "photo.jpg")


class Calls:
    """Keeps what it is called with and answers with `answer`, or raises it."""

    def __init__(self, answer="fine"):
        self.answer = answer
        self.made = []

    def __call__(self, tool, inputs):
        self.made.append((tool.name, dict(inputs)))
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@pytest.fixture
def calls():
    return Calls()


def room(calls, **more):
    return ToolEnvironment(TOOLS, calls, [PHOTO], LATTICE, **more)


def test_words_become_a_resource_that_the_next_call_gets(calls):
    environment = room(calls)
    found = environment.step("find_city", {"name": "Bern"})
    assert found.is_done
    assert found.text == "fine"
    assert found.resource == Resource(
        "maps_city", "maps_city-1", origin="made by find_city", details={"text": "fine"}
    )
    environment.step("weather_at", {"city": "maps_city-1"})
    assert calls.made == [
        ("find_city", {"name": "Bern"}),
        ("weather_at", {"city": found.resource}),
    ]


def test_a_made_resource_keeps_its_name_unless_another_has_it(calls):
    environment = room(calls)
    calls.answer = Made(Resource("image", "crop.png", digest="ab"), "a picture of 3 by 3 pixels")
    first = environment.step("crop", {"image": "photo.jpg"})
    again = environment.step("crop", {"image": "photo.jpg"})
    assert first.resource == again.resource == calls.answer.resource
    calls.answer = Made(Resource("image", "crop.png", digest="cd"), "a picture of 3 by 3 pixels")
    other = environment.step("crop", {"image": "photo.jpg"})
    assert other.resource == Resource("image", "image-1", digest="cd")
    assert other.text == "a picture of 3 by 3 pixels"
    assert list(environment.resources) == ["photo.jpg", "crop.png", "image-1"]


def test_a_fork_does_not_change_what_it_came_from_and_names_stay_apart(calls):
    environment = room(calls)
    fork = environment.fork()
    there = fork.step("find_city", {"name": "Bern"}).resource
    here = environment.step("find_city", {"name": "Basel"}).resource
    assert there.value != here.value
    assert list(environment.resources) == ["photo.jpg", here.value]
    assert list(fork.resources) == ["photo.jpg", there.value]
    assert fork.tools == environment.tools == TOOLS


def test_names_match_exactly_and_near_ones_are_told(calls):
    for near in ("find_citty", "city", "Find_City"):
        seen = room(calls).step(near, {"name": "Bern"})
        assert seen.code is Code.UNKNOWN_TOOL
        assert "find_city" in seen.text
    assert "Near" not in room(calls).step("zzzzzz", {}).text
    assert not calls.made


@every_case(
    ("name", "arguments", "said"),
    [
        ("find_city", {}, "needs 'name', of type text"),
        ("find_city", {"name": ""}, "needs 'name'"),
        ("find_city", {"nam": "Bern"}, "Did you mean 'name'?"),
        ("find_city", {"name": {"x": 1}}, "has to be a text, a number or the name"),
        ("find_city", {"name": ["Bern", "Basel"]}, "not several"),
        ("find_city", ["Bern"], "have to be an object"),
        ("find_city", {"name": "photo.jpg"}, '"photo.jpg" is of type image'),
        ("weather_at", {"city": "Bern"}, "has to be the name of a resource of type maps_city"),
        ("weather_at", {"city": "photo.jpg"}, "There is no such resource yet"),
        ("weather_at", {}, '("where it is")'),
        ("crop", {"image": "/etc/passwd"}, 'At hand: "photo.jpg"'),
        ("crop", {"image": "../photo.jpg"}, "is none"),
        ("join", {"images": ["photo.jpg", "other.jpg"]}, '"other.jpg" is none'),
        ("add", {"number": "seven"}, "has to be a number"),
        ("add", {"number": float("nan")}, "finite"),
        ("add", {"number": True}, "has to be a text, a number"),
        ("add", {"number": 10**400}, "finite"),
        ("add", {"number": -(10**9000)}, "finite"),
        ("add", {"number": "1" * 400}, "has to be a number"),
        ("find_city", {"name": 10**9000}, "finite"),
    ],
    anew=(calls,),
)
def test_what_does_not_fit_is_said_and_nothing_is_called(calls, name, arguments, said):
    seen = room(calls).step(name, arguments)
    assert seen.code is Code.BAD_INPUT
    assert said in seen.text
    assert seen.resource is None
    assert not calls.made


@every_case(
    ("settings", "got"),
    [
        ({"days": "5"}, {"days": 5}),
        ({"days": 5.0, "metric": "False"}, {"days": 5, "metric": False}),
        ({"days": None, "unit": "F", "note": ""}, {"unit": "F"}),
        ({"note": 7}, {"note": "7"}),
        ({"days": 1.5}, "whole number"),
        ({"metric": "perhaps"}, "true or false"),
        ({"unit": 3}, "has to be a text"),
    ],
    anew=(calls,),
)
def test_settings_are_made_what_their_defaults_are(calls, settings, got):
    environment = room(calls)
    environment.step("find_city", {"name": "Bern"})
    seen = environment.step("weather_at", {"city": "maps_city-1", **settings})
    if isinstance(got, str):
        assert seen.code is Code.BAD_INPUT
        assert got in seen.text
        return
    _, inputs = calls.made[-1]
    assert {name: inputs[name] for name in inputs if name != "city"} == got


def test_one_value_and_a_list_of_it_are_the_same(calls):
    environment = room(calls)
    environment.step("join", {"images": "photo.jpg"})
    environment.step("crop", {"image": ["photo.jpg"]})
    environment.step("add", {"number": "7"})
    assert [inputs for _, inputs in calls.made] == [
        {"images": (PHOTO,)},
        {"image": PHOTO},
        {"number": 7},
    ]


@every_case("code", [code for code in Code if code not in (0, 3, 4)], anew=(calls,))
def test_a_failure_keeps_its_code(calls, code):
    calls.answer = ToolError("It is down.", code)
    seen = room(calls).step("find_city", {"name": "Bern"})
    assert (seen.text, seen.code, seen.resource) == ("It is down.", code, None)


@every_case(
    "error", [ToolError("no", Code.DONE), ToolError(), ZeroDivisionError("x")], anew=(calls,)
)
def test_no_failure_is_taken_for_a_result(calls, error):
    calls.answer = error
    environment = room(calls)
    seen = environment.step("find_city", {"name": "Bern"})
    assert seen.code is Code.ERROR
    assert seen.text
    assert list(environment.resources) == ["photo.jpg"]


def test_stopping_goes_through(calls):
    calls.answer = Cancelled()
    with pytest.raises(Cancelled):
        room(calls).step("find_city", {"name": "Bern"})


def test_permission_is_asked_for_each_call_with_its_inputs(calls):
    environment = room(calls, permitted=lambda tool, inputs: inputs["to"] == "Ann")
    assert environment.step("send", {"to": "Ann"}).is_done
    assert environment.step("send", {"to": "Bob"}).code is Code.UNAUTHORISED
    assert calls.made == [("send", {"to": "Ann"})]


def test_what_acts_outside_is_done_once_in_all_forks(calls):
    environment = room(calls, permitted=lambda tool, inputs: True)
    assert environment.fork().step("send", {"to": "Ann"}).is_done
    seen = environment.step("send", {"to": " Ann"})
    assert seen.code is Code.BAD_INPUT
    assert "not called again" in seen.text
    assert len(calls.made) == 1


@every_case(("code", "times"), [(Code.NOT_SENT, 2), (Code.TIMED_OUT, 1)], anew=(calls,))
def test_what_acts_outside_is_tried_again_only_where_it_did_nothing(calls, code, times):
    environment = room(calls, permitted=lambda tool, inputs: True)
    calls.answer = ToolError("no", code)
    environment.step("send", {"to": "Ann"})
    environment.step("send", {"to": "Ann"})
    assert len(calls.made) == times


def test_a_code_does_not_say_that_nothing_was_done_where_nobody_knows(calls):
    environment = room(calls, permitted=lambda tool, inputs: True)
    calls.answer = ToolError("There is no such folder.", Code.NOT_FOUND)
    calls.answer.__cause__ = ConnectionError()
    environment.step("send", {"to": "Ann"})
    assert "not called again" in environment.step("send", {"to": "Ann"}).text
    assert len(calls.made) == 1


@every_case(
    "given", [175928847299117063, "175928847299117063", "175928847299117063.0"], anew=(calls,)
)
def test_whole_numbers_stay_as_they_are(calls, given):
    environment = room(calls)
    environment.step("add", {"number": given})
    environment.step("find_city", {"name": "Bern"})
    environment.step("weather_at", {"city": "maps_city-1", "days": given})
    assert calls.made[0] == ("add", {"number": 175928847299117063})
    assert calls.made[2][1]["days"] == 175928847299117063


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
_NAMES = st.sampled_from([tool.name for tool in TOOLS]) | st.text(max_size=8)
_ARGUMENTS = st.dictionaries(
    st.sampled_from(["name", "city", "image", "images", "number", "to", "days", "metric", "x"]),
    _JSON | st.sampled_from(["photo.jpg", "maps_city-1"]),
    max_size=4,
)


@given(st.lists(st.tuples(_NAMES, _ARGUMENTS | _JSON), max_size=6))
def test_whatever_is_asked_for_a_tool_gets_only_what_fits_it(steps):
    calls = Calls()
    environment = room(calls)
    for name, arguments in steps:
        seen = environment.step(name, arguments)
        assert seen.is_done == (seen.resource is not None)
        assert len(seen.text) < 2_000
    tools = {tool.name: tool for tool in TOOLS}
    for name, inputs in calls.made:
        assert {argument.name for argument in tools[name].required} <= set(inputs)
        for argument in tools[name].args:
            given = inputs.get(argument.name, ())
            for item in given if isinstance(given, tuple) else (given,):
                if isinstance(item, Resource):
                    assert item == environment.resources[item.value]
                    assert LATTICE.is_a(item.type, argument.type)
                else:
                    assert LATTICE.is_a(argument.type, "text")


def test_fingerprints_do_not_see_order_and_white_space():
    one = fingerprint("find", {"a": "New  York ", "b": [1, 2.0]})
    assert one == fingerprint("find", {"b": ["1", 2], "a": " New\u00a0York"})
    assert one == fingerprint("find", {"a": ["New York"], "b": (1, 2), "c": "", "d": None, "e": []})
    assert one != fingerprint("find", {"a": "new york", "b": [1, 2]})
    assert one != fingerprint("find", {"a": "New York", "b": [2, 1]})
    assert one != fingerprint("seek", {"a": "New York", "b": [1, 2]})
