"""What an answer says, in people's spellings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.world.saying import (
    gives_up,
    numbers_in,
    says,
    spellings_of_date,
    spellings_of_time,
)
from benchmarks.world.tasks import Fact
from tests.every_case import every_case


@every_case(
    ("text", "number"),
    [
        ("it costs 1,081.08 euros", 1081.08),
        ("it costs 1.081,08 euros", 1081.08),
        ("it costs 1 081.08 euros", 1081.08),
        ("182,000 yen", 182000),
        ("182'000 yen", 182000),
        ("23°C", 23),
        ("€142", 142),
        ("142.00", 142),
        ("0,14 pounds", 0.14),
        ("-39 degrees", -39),
        ("−39 degrees", -39),
        ("rate 4.49028", 4.49028),
        ("six points", 6),
        ("a 90% chance", 90),
    ],
)
def test_numbers_are_found_as_people_write_them(text, number):
    assert number in numbers_in(text)


@every_case(
    ("text", "number"),
    [
        ("scr_7039", 7039),
        ("LO395", 395),
        ("1230", 123),
        ("1,081.08", 8),
        ("123.45", 45),
        ("someone", 1),
    ],
)
def test_parts_of_names_and_of_other_numbers_are_none(text, number):
    assert number not in numbers_in(text)


@given(st.integers(-(10**9), 10**9))
def test_every_whole_number_is_found_with_and_without_groups(number):
    assert number in numbers_in(f"it is {number}, they say")
    assert number in numbers_in(f"it is {number:,} they say")


@given(st.floats(-1e6, 1e6).map(lambda value: round(value, 2)))
def test_every_amount_is_found_with_and_without_groups(amount):
    assert amount in numbers_in(f"it is {amount:.2f} in all")
    assert amount in numbers_in(f"it is {amount:,.2f} in all")


@every_case("said", ["19:30", "7:30 pm", "7.30pm", "half past seven", "19h30", "19.30"])
def test_a_time_is_one_in_any_spelling(said):
    assert says(f"It begins at {said}.", Fact("begins", time="19:30"))


@every_case("said", ["9:30", "19:3", "119:30", "19:300", "half past eight", "7:30 am"])
def test_another_time_is_not(said):
    assert not says(f"It begins at {said}.", Fact("begins", time="19:30"))


def test_full_hours_are_said_in_words():
    assert {"15:00", "3 pm", "3pm", "three o'clock"} <= set(spellings_of_time("15:00"))


@every_case(
    "said", ["4 June", "June 4", "the 4th of June", "2026-06-04", "4.6.2026", "Jun 4", "4. June"]
)
def test_a_date_is_one_in_any_spelling(said):
    assert says(f"The day is {said}.", Fact("day", date="2026-06-04"))


@every_case("said", ["14 June", "4 July", "2026-06-14", "June 24"])
def test_another_date_is_not(said):
    assert not says(f"The day is {said}.", Fact("day", date="2026-06-04"))


def test_days_have_their_endings():
    assert "1st june" in spellings_of_date("2026-06-01")
    assert "11th june" in spellings_of_date("2026-06-11")
    assert "22nd june" in spellings_of_date("2026-06-22")


def test_names_are_whole_words_without_regard_to_case_and_accents():
    fact = Fact("cheese", any=("gruyère",))
    assert says("Take GRUYERE instead.", fact)
    assert not says("Take gruyerette instead.", fact)
    assert says("It is closed on Tuesdays.", Fact("closed", any=("Tuesday",)))


def test_tolerance_is_kept_to():
    fact = Fact("price", numbers=(62.99,), tolerance=0.1)
    assert says("about 63 dollars, to be exact 63.08", fact)
    assert says("62.9", fact)
    assert not says("63.2", fact)


def test_what_contradicts_a_fact_undoes_it():
    fact = Fact("breakfast", any=("breakfast",), not_said=("not included",))
    assert says("Breakfast is included.", fact)
    assert not says("Breakfast is not included.", fact)


def test_what_has_to_be_reckoned_is_not_said_by_quoting():
    fact = Fact("gap", numbers=(6,), reckoned=True)
    assert not says('{"rank": 6, "points": [64, 58]}', fact)
    assert says('They are 6 points behind: {"points": [64, 58]}', fact)
    assert says('{"rank": 6}', Fact("rank", numbers=(6,)))


def test_all_parts_of_a_fact_are_needed():
    fact = Fact("flight", numbers=(40,), any=("C23",))
    assert says("40 minutes late, gate C23", fact)
    assert not says("40 minutes late", fact)
    assert not says("gate C23", fact)


@every_case(
    "answer",
    [
        "Sorry, I cannot order a taxi.",
        "I could not find a rate.",
        "I couldn’t find it",
        "None of the services knows about concerts.",
        "There is no API for this.",
        "I don't know.",
        "Kontora has it not in stock",
    ],
)
def test_giving_up_is_recognised(answer):
    assert gives_up(answer)


@every_case("answer", ["", "It is 23 °C in Lisbon.", "Your taxi comes at six."])
def test_saying_nothing_or_something_else_is_no_giving_up(answer):
    assert not gives_up(answer)
