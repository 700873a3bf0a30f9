"""What an observation does to a state."""

from __future__ import annotations

import json
from dataclasses import replace

from controlllm.agents.embedded.facts import read
from controlllm.agents.embedded.parts import purpose_of, thought_for
from controlllm.agents.environment import Observation
from controlllm.agents.roles import Decision, Taken, Task
from controlllm.core.state import State
from controlllm.resources import Resource
from controlllm.toolbox import Code
from tests.agents.embedded.conftest import TOOLS
from tests.every_case import every_case

ASKED = "What will the weather be like in Lisbon tomorrow"
FORECAST = next(tool for tool in TOOLS if tool.name == "forecast")


def taken(text, code=Code.DONE, tool=FORECAST, resource=None, **arguments):
    given = arguments or {"city": "Lisbon", "date": "2026-05-15"}
    decision = Decision(thought_for(ASKED, tool, True), tool.name, given)
    return Taken(decision, Observation(text, code, resource))


def kept(keeper, *steps):
    state = State()
    for number, step in enumerate(steps, 1):
        state, _ = keeper.updated(Task(ASKED), state, step, number)
    return state


def test_a_thought_says_what_a_call_is_for():
    assert purpose_of(thought_for(ASKED, FORECAST, True)) == (ASKED, "answers")
    assert purpose_of(thought_for(ASKED, FORECAST, False)) == (ASKED, "leads to")
    assert purpose_of(thought_for(ASKED, TOOLS[-1], True)) == (ASKED, "does")
    assert purpose_of("I will look it up.") == ("", "")


def test_a_result_says_what_it_is_for_and_quotes_what_it_rests_on(keeper):
    text = json.dumps({"daily": {"city": "Lisbon", "high": 23}})
    (result,) = kept(keeper, taken(text)).results
    assert (result.subtask, result.tool, result.answers) == (ASKED, "forecast", True)
    assert "daily.high = 23" in result.finding
    assert result.source == text
    (named,) = kept(keeper, taken(text, resource=Resource("text", "text-1"))).results
    assert named.source == "text-1"


@every_case(
    ("code", "kind"),
    [
        (Code.UNKNOWN_TOOL, "bad input"),
        (Code.NOT_SENT, "unavailable"),
        (Code.NOTHING_MARKED, "error"),
    ],
)
def test_codes_are_kinds_of_failure(keeper, code, kind):
    (failure,) = kept(keeper, taken("It went wrong.", code)).failures
    assert (failure.kind, failure.reason) == (kind, "It went wrong.")


def test_a_failure_that_names_a_value_is_about_the_input(keeper):
    (failure,) = kept(keeper, taken("There is no city called Lisbon.", Code.NOT_FOUND)).failures
    assert failure.kind == "bad input"


@every_case("text", ["-9999", "", '{"hits": []}', '{"status": "ok", "count": 0}'])
def test_nothing_is_no_answer(keeper, text):
    (failure,) = kept(keeper, taken(text)).failures
    assert failure.kind == "irrelevant"


def test_an_answer_about_another_thing_than_was_handed_over(keeper):
    city = Resource("town_city", "town_city-1")
    found = taken('{"id": "c1", "name": "Lisbon"}', resource=city, name="Lisbon")
    other = taken('{"location": "Porto", "high": 31}', city="town_city-1")
    state = kept(keeper, found, other)
    assert "Porto" in state.failures[0].reason


def test_noise_leaves_what_matters(keeper):
    noise = "session cookie " * 70_000
    day = {"date": "2026-05-15", "temperature_high": 23}
    days = [{"date": f"2026-06-{number:02}", "temperature_high": 5} for number in range(1, 29)]
    text = json.dumps({"debug": noise, "city": "Lisbon", "days": [*days, day], "related": noise})
    (result,) = kept(keeper, taken(text)).results
    assert {fact.path for fact in read(result.finding)[:2]} == {
        "days[28].date",
        "days[28].temperature_high",
    }
    assert "days[0]" not in result.finding
    assert len(result.finding) <= 600


def test_another_source_corrects_an_earlier_result(keeper):
    first = taken('{"city": "Lisbon", "high": 31, "low": 12}')
    again = taken('{"city": "Lisbon", "high": 23}', tool=TOOLS[3])
    state = kept(keeper, first, again)
    assert [{fact.path: fact.value for fact in read(item.finding)} for item in state.results] == [
        {"city": "Lisbon", "low": 12},
        {"city": "Lisbon", "high": 23},
    ]
    assert [item.step for item in state.results] == [1, 2]


def test_words_of_two_tools_do_not_contradict_each_other(keeper):
    said = kept(keeper, taken("It rains."), taken("It is mild.", tool=TOOLS[3]))
    assert [read(item.finding)[0].value for item in said.results] == ["It rains.", "It is mild."]
    assert all(item.answers for item in said.results)


def test_what_is_contradicted_as_a_whole_answers_nothing_and_stays_known(keeper):
    told = kept(keeper, taken("31"), taken("23", tool=TOOLS[3]))
    assert [(item.answers, read(item.finding)[0].value) for item in told.results] == [
        (False, 31),
        (True, 23),
    ]


def test_what_a_result_was_made_from_is_not_taken_out_for_it(keeper):
    first = taken('{"city": "Lisbon", "high": 31}', resource=Resource("text", "text-1"))
    again = taken('{"city": "Lisbon", "high": 23}', tool=TOOLS[3])
    again = replace(again, decision=replace(again.decision, arguments={"city_id": ["text-1"]}))
    state = kept(keeper, first, again)
    assert [item.step for item in state.results] == [1, 2]
    assert {fact.path: fact.value for fact in read(state.results[0].finding)}["high"] == 31
