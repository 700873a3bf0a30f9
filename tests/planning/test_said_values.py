"""Values as people write them."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from controlllm.planning.said_values import day_told, kind_of_name, mentions_in
from tests.every_case import every_case

THURSDAY = date(2026, 5, 14)


def values(text, kind):
    return [item.value for item in mentions_in(text, THURSDAY) if item.kind == kind]


@every_case(
    ("text", "day"),
    [
        ("on 2026-06-01", "2026-06-01"),
        ("on 20 May", "2026-05-20"),
        ("on May 22nd", "2026-05-22"),
        ("the 3rd of January", "2027-01-03"),
        ("tomorrow", "2026-05-15"),
        ("tomorow evening", "2026-05-15"),
        ("the day after tomorrow", "2026-05-16"),
        ("next Tuesday", "2026-05-19"),
        ("in 2 weeks", "2026-05-28"),
        ("on the 20th", "2026-05-20"),
        ("on the 3rd", "2026-06-03"),
    ],
)
def test_days(text, day):
    assert values(text, "date") == [day]


@every_case(
    ("text", "time"),
    [
        ("at 7:30 pm", "19:30"),
        ("at 8pm", "20:00"),
        ("at 12 am", "00:00"),
        ("at 14.15", "14:15"),
        ("ten o'clock", "10:00"),
        ("at 3 in the afternoon", "15:00"),
        ("at noon", "12:00"),
    ],
)
def test_times(text, time):
    assert values(text, "time") == [time]


@every_case(
    ("text", "numbers", "currencies"),
    [
        ("250 euros in Japanese yen", [250], ["EUR", "JPY"]),
        ("Convert $1,250.50 to GBP", [1250.5], ["USD", "GBP"]),
        ("twenty-five people", [25], []),
        ("Who won the real match?", [], []),
        ("120 won", [120], ["KRW"]),
    ],
)
def test_numbers_and_money(text, numbers, currencies):
    assert values(text, "number") == numbers
    assert values(text, "currency") == currencies


@every_case(
    ("text", "names"),
    [
        ("Compare Lisbon and Porto", ["Lisbon", "Porto"]),
        ("Thinking of the Osteria Brunella here", ["Osteria Brunella"]),
        ("Tell Mum I'll be late", ["Mum"]),
        ("What is Ana Sousa's number?", ["Ana Sousa"]),
        ("a room in berlin", ["Berlin"]),
        ("Lisbon is nice", ["Lisbon"]),
        ("Running is nice", []),
    ],
)
def test_names(text, names):
    assert values(text, "name") == names


def test_addresses_codes_and_quotations():
    text = "Mail ana@x.org about ORD-1234: 'I am late', see https://x.org/a."
    assert values(text, "email") == ["ana@x.org"]
    assert values(text, "code") == ["ORD-1234"]
    assert values(text, "quoted") == ["I am late"]
    assert values(text, "address") == ["https://x.org/a"]


def test_a_request_says_which_day_it_is():
    assert day_told("Today is Monday, 1 June 2026. And tomorrow?", THURSDAY) == date(2026, 6, 1)
    assert day_told("How is the weather today?", THURSDAY) == THURSDAY


def test_names_of_places_and_people_are_told_apart():
    assert [kind_of_name(name) for name in ("Lisbon", "Anna Schmidt", "Brunella")] == [
        "place",
        "person",
        "",
    ]


@given(st.text(max_size=200))
def test_what_is_mentioned_stands_in_the_text(text):
    for item in mentions_in(text, THURSDAY):
        assert item.said == text[item.start : item.end]
        assert item.said
