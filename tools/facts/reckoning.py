"""Tools that reckon with figures, measures and dates. All of it is worked out here."""

from __future__ import annotations

from datetime import date

from controlllm.resources import Text
from controlllm.toolbox import tool


def today() -> date:
    """The day that dates are reckoned from."""
    return date.today()


@tool(
    domain="natural-language-processing",
    examples=[
        "What's 17.5% of 240?",
        "Split 86.40 between 5 people with a 15 % tip.",
        "3/4 + 1/8",
        "twelve times thirty-four minus seven",
        "How much is 20% off 59.90?",
        "What is the average of 3, 5 and 10?",
        "What does 1000 at 3 % grow to in five years with compound interest?",
        "What percentage is 30 of 120?",
    ],
)
def calculate(question: Text, text: Text | None = None) -> Text:
    """Work out a sum: plus, minus, times, divided, powers, roots, percentages, splitting a bill,
    tips, averages.

    Args:
        question: the sum, such as 12 * 34 - 7 or 15 % of 80
        text: an earlier answer that it is about
    """
    from .embedded import earlier_answers

    return earlier_answers.sum_of(question, text or "")


@tool(
    domain="natural-language-processing",
    examples=[
        "5 miles in km",
        "How many cups are 250 ml?",
        "What is 100 F in celsius?",
        "I am 6'2\" tall; how many centimetres is that?",
        "Convert 3 stone 4 to kilos.",
        "30 mpg in litres per 100 km",
        "How many square feet are 10 square metres?",
        "How much is a cup of flour in grams?",
    ],
    packages=("pint",),
)
def convert_units(question: Text, text: Text | None = None) -> Text:
    """Convert a measure into another unit: length, weight, temperature, area, volume, speed, time,
    data, kitchen measures.

    Args:
        question: the measure and the unit that it is wanted in, such as 5 miles in km
        text: an earlier answer that it is about
    """
    from .embedded import earlier_answers

    return earlier_answers.measure_of(question, text or "")


@tool(
    domain="natural-language-processing",
    examples=[
        "How many days until Christmas?",
        "What weekday was 14 July 1789?",
        "Days between 3 March 2024 and 9 May 2025",
        "What date is 90 days after 1 June 2026?",
        "How old is someone born on 5 February 1990?",
        "How many working days are there until 1 July?",
        "Is 2028 a leap year?",
        "When is Easter next year?",
    ],
)
def date_calculation(question: Text, text: Text | None = None) -> Text:
    """Reckon with dates: days between two, the date in or before so many days, the weekday of a
    date, somebody's age, how long until a day.

    Args:
        question: the question with its dates, such as how many days until 24 December
        text: an earlier answer that it is about
    """


@date_calculation.implementation("embedded", deterministic=False)
def _date_calculation(question: str, text: str | None = None) -> str:
    from .embedded import earlier_answers

    return earlier_answers.date_of(question, text or "", today())
