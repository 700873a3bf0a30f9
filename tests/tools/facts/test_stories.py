"""Sums, measures and dates told as the little stories that people tell; right results by hand.

Today is Wednesday, 10 June 2026 in all of these.
"""

from __future__ import annotations

import re
from datetime import date

import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.facts import reckoning

STORIES = [
    (
        "calculate",
        "The hall is 300, we are 12 people. There is a 10% discount for clubs. How much does each "
        "pay?",
        ["22.50"],
    ),
    ("calculate", "The bill is 120 plus 20% VAT, we are 4. What does everyone pay?", ["36 each"]),
    ("calculate", "Split 86.40 between 5 people with a 15 % tip.", ["19.87"]),
    (
        "calculate",
        "We ordered 40 shirts at 12.50 each, plus 30 for printing, minus 5% discount, then 2.5% "
        "off for early payment. What is the bill?",
        ["490.91"],
    ),
    (
        "calculate",
        "The bike is 640. First 20 % off, then another 5 % off, and 15 shipping on top. How much?",
        ["501.40"],
    ),
    (
        "calculate",
        "Invoice of 2,480.00 euros net, 19% VAT on top, then 2.5% off if paid within 10 days. What "
        "do I transfer?",
        ["€2,877.42"],
    ),
    (
        "calculate",
        "I have 3 chairs at 80 each and get 10% off and then 2.5% off for cash. What is the total?",
        ["210.60"],
    ),
    (
        "calculate",
        "2 kilos of apples at 2.90 a kilo and 3 melons at 1.80 each, with a 5 euro voucher off. "
        "What did I pay?",
        ["less €5 is €6.20"],
    ),
    (
        "calculate",
        "5 tickets at 38 each plus 4.50 booking fee, shared by 5 friends, how much does each pay?",
        ["38.90"],
    ),
    (
        "calculate",
        "I deduct 300 from 1500 and pay the rest over 6 months, how much is that a month?",
        ["200 each"],
    ),
    (
        "calculate",
        "2000 euros plus 10% fee, spread over 24 months, how much per month?",
        ["€91.67 each"],
    ),
    ("calculate", "900 minus 150, then in three equal parts, what is one part?", ["250 each"]),
    (
        "calculate",
        "Take 20% off 100 and split it in 4 instalments, how much is one instalment?",
        ["20 each"],
    ),
    ("calculate", "Shirts: 30 at 9.80, less 5%, plus 19% vat. What does it come to?", ["332.37"]),
    (
        "calculate",
        "The hall costs 1,380 euros a year and we are 23 members, how much does each have to pay?",
        ["60"],
    ),
    ("calculate", "Five of us share 92.50 in tips. What does each get?", ["18.50"]),
    ("calculate", "A pupil got 34 out of 40 points. What is that in percent?", ["85"]),
    ("calculate", "I sell it for 119 including 19 % VAT, what is the net price?", ["100"]),
    (
        "calculate",
        "A jacket for 80 is reduced by 20 % and at the till another 10 % comes off. What do I pay?",
        ["57.60"],
    ),
    ("calculate", "How many boxes of 12 do I need for 250 jars?", ["21"]),
    (
        "calculate",
        "The recipe for 4 needs 300 g flour and 2 eggs. How much for 7 people?",
        ["525", "3.5"],
    ),
    ("calculate", "What is the average of 1:20, 1:35 and 1:41 minutes?", ["1:32"]),
    (
        "calculate",
        "A recipe serves 6 and takes 450 g rice, 1.5 l stock and 3 onions. What do I need for 10?",
        ["750", "2.5", "5"],
    ),
    (
        "calculate",
        "The plumber charges 48 euros an hour and worked 3.5 hours, plus 19 % VAT. What is the "
        "bill?",
        ["199.92"],
    ),
    (
        "calculate",
        "I buy 3 kg of apples at 2.40 a kilo and 2 melons at 1.90 each and pay with a 20 euro "
        "note. How much change?",
        ["€9"],
    ),
    (
        "calculate",
        "We worked from 8:15 to 17:05 with a 45 minute break. How long is that?",
        ["8 hours and 5 minutes"],
    ),
    ("calculate", "I save 85 euros a month. How many months until I have 1,200?", ["15"]),
    ("convert_units", "The flat has 62 square metres; how many square feet is that?", ["667.4"]),
    ("convert_units", "The oven should be at 350 °F, what gas mark is that?", ["4"]),
    ("convert_units", "2 1/2 cups of sugar in grams", ["500"]),
    ("convert_units", "My granny weighs 9 stone 7, how much is that in kilograms?", ["60.33"]),
    (
        "convert_units",
        "My car does 40 miles per gallon. What's that in litres per 100 km?",
        ["5.88"],
    ),
    ("convert_units", "I walked 8,000 paces of 75 cm. How many kilometres?", ["6"]),
    ("convert_units", "Convert 180 °C to fahrenheit and 250 g to ounces.", ["356", "8.818"]),
    (
        "convert_units",
        "My trousers are 34 inches in the waist, what would that be in cm?",
        ["86.36"],
    ),
    (
        "convert_units",
        "The recipe says 3/4 cup of butter and 200 °C. How many grams is the butter?",
        ["170.25"],
    ),
    (
        "date_calculation",
        "The tenant gave notice today with three months to the end of the month. When does the "
        "contract end?",
        ["30 September 2026"],
    ),
    ("date_calculation", "When is the third Friday of May 2027?", ["21 May 2027"]),
    ("date_calculation", "What date is in 6 weeks?", ["22 July 2026"]),
    (
        "date_calculation",
        "Grandma was born on 12 August 1941; how old is she and how many days until her next "
        "birthday?",
        ["84", "63"],
    ),
    ("date_calculation", "How many working days are there from 1 July to 31 July 2026?", ["23"]),
    (
        "date_calculation",
        "Our wedding was on 14 June 2014. Which weekday was that and how many years have we "
        "been married?",
        ["Saturday", "11"],
    ),
    ("date_calculation", "I have to pay within 30 days of 18 May 2026. By when?", ["17 June 2026"]),
]


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reckoning, "today", lambda: date(2026, 6, 10))


@every_case(("name", "words", "right"), STORIES)
def test_stories_are_worked_out(name: str, words: str, right: list[str]):
    answer = getattr(reckoning, name)(words)
    for one in right:
        assert re.search(rf"(?<![\w.,]){re.escape(one)}(?!\w|[.,]\d)", answer), answer


@pytest.mark.parametrize(
    "words",
    [
        "Tom has 3 dogs, 2 cats and 14 fish.",
        "The train with 8 coaches left at platform 5, how old is the driver?",
        "Pizza for 40 plus delivery 5 plus tip 3, how much is it each?",
        "It takes 20 minutes plus 5 minutes less 10%, how much is it?",
        "3 courses plus 20 drinks plus 15% tip, how much do we pay?",
        "We are 5 people with 3 cars and 120 euros, what does each pay?",
    ],
)
def test_a_number_without_a_part_is_no_sum(words: str):
    with pytest.raises(ToolError):
        reckoning.calculate(words)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("Tickets for 30, plus 10 fee, split between 4, how much is it each?",
         "split between 4 that is 10 each"),
        ("Dinner was 86.40 for four of us, we want to give 15% tip. What does everyone pay",
         "split between 4 that is 24.84 each"),
        ("A drill costs 249,90 € with 19% VAT in it. How much is it without the VAT and how much "
         "is the VAT?", "€249.90 without the 19 % tax in it is €210; the tax is €39.90."),
        ("ran 10k in 52:30 today :) whats my pace per km, and what would my half marathon "
         "(21.0975 km) time be if i kept this up",
         "The pace is 5:15 a km. At this pace half marathon takes 1:50:46."),
        ("I did 5 miles in 45:10, what's the pace per mile?", "The pace is 9:02 a mile."),
        ("Marathon in 3:45:00, pace per km?", "The pace is 5:20 a km."),
    ],
)  # fmt: skip
def test_stories_of_every_day(asked: str, expected: str) -> None:
    assert expected in reckoning.calculate(question=asked)


@pytest.mark.parametrize(
    "asked", ["Dinner was 86.40 for four of us and one of them pays half. What does everyone pay?"]
)
def test_a_story_with_one_more_thing_in_it_is_not_worked_out(asked: str) -> None:
    with pytest.raises(ToolError):
        reckoning.calculate(question=asked)


def test_fuel_in_other_words() -> None:
    asked = (
        "my Rover does 38 miles to the gallon (UK gallon). how many litres does it need for 100 km?"
    )
    assert reckoning.convert_units(question=asked) == "38 mpg (UK) is about 7.434 l/100 km."


def test_the_weekdays_of_two_days_and_the_time_between() -> None:
    told = reckoning.date_calculation(
        question="We met on the 14th of February 1987 and married on the 6th of May 1990. What "
        "days of the week were these, and how many days was it from the one to the other?"
    )
    assert told.startswith("14 February 1987 was a Saturday and 6 May 1990 was a Sunday.")
    assert "1,177 days" in told
