"""The router, the keeper and the answer together, over a small town of services."""

from __future__ import annotations

import json

from controlllm.core.state import MOST_REASON
from controlllm.toolbox import Code
from tests.agents.embedded.conftest import Town, act, environment_of
from tests.every_case import every_case


def test_parts_are_answered_one_after_the_other(router, keeper):
    asked = "What will the weather be like in Lisbon tomorrow, and how much is 250 euros in yen?"
    steps, _, end = act(router, keeper, environment_of(Town()), asked)
    assert [(item.decision.tool, dict(item.decision.arguments)) for item in steps] == [
        ("forecast", {"city": "Lisbon", "date": "2026-05-15"}),
        ("convert_money", {"amount": 250, "from_currency": "EUR", "to_currency": "JPY"}),
    ]
    assert "high: 23" in end.arguments["answer"]
    assert "40125" in end.arguments["answer"]


def test_what_a_tool_takes_is_made_first(router, keeper):
    steps, _, end = act(router, keeper, environment_of(Town()), "In which time zone is Oslo?")
    assert [item.decision.tool for item in steps] == ["find_city", "city_time_zone"]
    assert "CET" in end.arguments["answer"]


def test_an_identifier_comes_out_of_what_was_found(router, keeper):
    asked = "How many of the cheapest kettle are in stock?"
    steps, _, end = act(router, keeper, environment_of(Town()), asked)
    assert [item.decision.tool for item in steps] == ["search_products", "product_stock"]
    assert steps[-1].decision.arguments == {"product_id": "p-9"}
    assert end.arguments["result"] == "number-1"


def test_an_address_is_looked_up_before_a_letter_is_sent(router, keeper):
    asked = "Send Ana Sousa an e-mail with the subject 'Dinner' saying that I will be late."
    steps, _, _ = act(router, keeper, environment_of(Town()), asked)
    assert [item.decision.tool for item in steps] == ["find_person", "send_mail"]
    assert steps[0].decision.arguments == {"name": "Ana Sousa"}
    assert steps[1].decision.arguments == {
        "to": "ana@town.example",
        "subject": "Dinner",
        "body": "I will be late",
    }


@every_case(
    "code", [Code.TIMED_OUT, Code.NOT_FOUND, Code.UNAUTHORISED, Code.RATE_LIMITED, Code.ERROR]
)
def test_where_a_tool_fails_another_way_is_taken(router, keeper, code):
    environment = environment_of(Town({"forecast": code}))
    asked = "What will the weather be like in Lisbon tomorrow?"
    steps, state, end = act(router, keeper, environment, asked)
    assert [item.decision.tool for item in steps] == ["forecast", "find_city", "daily_weather"]
    assert steps[-1].decision.arguments == {"city_id": "cty_1", "day": "2026-05-15"}
    assert state.failures[0].tool == "forecast"
    assert "high: 23" in end.arguments["answer"]


@every_case(
    "other",
    [
        '{"daily": []}',
        '{"error": "upstream broke"}',
        json.dumps({"city": "Porto", "date": "2026-05-15", "high": 31}),
        json.dumps({"daily": {"city": "Lisbon", "date": "2026-05-25", "high": 31}}),
    ],
    ids=["nothing", "an error", "another city", "another day"],
)
def test_what_does_not_answer_is_a_failure(router, keeper, other):
    environment = environment_of(Town(instead={"forecast": other}))
    asked = "What will the weather be like in Lisbon tomorrow?"
    _, state, end = act(router, keeper, environment, asked)
    assert state.failures[0].tool == "forecast"
    assert state.failures[0].kind in ("irrelevant", "error")
    assert "23" in end.arguments["answer"]
    assert "31" not in end.arguments["answer"]


def test_what_was_not_found_is_said(router, keeper):
    asked = "What will the weather be like in Lisbon tomorrow, and how much is 250 euros in yen?"
    _, _, end = act(
        router, keeper, environment_of(Town({"convert_money": Code.NOT_SUBSCRIBED})), asked
    )
    assert "high: 23" in end.arguments["answer"]
    missing = "I could not find out or do this: how much is 250 euros in yen"
    assert missing in end.arguments["answer"]


def test_it_gives_up_where_nothing_is_found(router, keeper):
    faults = dict.fromkeys(("forecast", "daily_weather", "find_city"), Code.NOT_SENT)
    asked = "What will the weather be like in Lisbon tomorrow?"
    _, _, end = act(router, keeper, environment_of(Town(faults)), asked)
    assert "give_up" in end.arguments


def test_a_part_of_many_words_is_known_again(router, keeper):
    asked = (
        "What will the weather be like in Lisbon tomorrow"
        + ", from early in the morning to late in the evening" * 15
    )
    steps, state, end = act(router, keeper, environment_of(Town()), f"{asked}?")
    assert max(len(item.subtask) for item in state.results) == MOST_REASON
    made = [(item.decision.thought, str(item.decision.arguments)) for item in steps]
    assert len(made) == len(set(made))
    assert "high: 23" in end.arguments["answer"]
