"""Sums, measures and dates, asked as different people type them; right values worked out by hand.

Today is Wednesday, 10 June 2026 in all of these.
"""

from __future__ import annotations

import re
import time
from datetime import date

import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.facts import reckoning
from tools.facts.reckoning import calculate, convert_units, date_calculation


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reckoning, "today", lambda: date(2026, 6, 10))


def has(answer: str, *expected: str) -> None:
    """The answer is one short sentence or two, with each figure or word standing by itself."""
    assert 0 < len(answer) <= 300 and answer.endswith("."), answer
    for one in expected:
        # Money has two decimals: 7.2 is told as 7.20.
        found = re.search(rf"(?<![\w.,]){re.escape(one)}0?(?!\w|[.,]\d)", answer)
        assert found, f"{one!r} is not in {answer!r}"


SUMS = [
    ("what's 17.5% of 240", "42"),
    ("split 86.40 between 5 people with a 15 % tip", "19.87"),
    ("3/4 + 1/8", "7/8"),
    ("12 times 34 minus 7", "401"),
    ("square root of 2", "1.41421356"),
    ("average of 3, 5 and 10", "6"),
    ("how much is 20% off 59.90", "47.92"),
    ("increase 80 by 15 %", "92"),
    ("2^10", "1,024"),
    ("compound interest 1000 at 3% for 5 years", "1,159.27"),
    ("what percentage is 30 of 120", "25"),
    ("0.1 + 0.2", "0.3"),
    ("What is two plus two?", "4"),
    ("twelve times thirty-four minus seven", "401"),
    ("How much is 1,250 divided by 8?", "156.25"),
    ("add 19% VAT to 250", "297.5"),
    ("what's 119 euros without the 19% VAT", "100"),
    ("15% tip on 48 dollars", "7.2"),
    ("how much tip do I leave on $62.50 at 18%?", "11.25"),
    ("divide a bill of €120 among 4 friends", "30"),
    ("a third of 450", "150"),
    ("half of 37", "18.5"),
    ("three quarters of 64", "48"),
    ("two thirds of 99", "66"),
    ("(3 + 4) * 5", "35"),
    ("7 x 8", "56"),
    ("7×8 − 6÷3", "54"),
    ("5 squared plus 12 squared", "169"),
    ("what is 2 to the power of 16?", "65,536"),
    ("cube root of 27", "3"),
    ("5 factorial", "120"),
    ("6!", "720"),
    ("subtract 17 from 50", "33"),
    ("multiply 12.5 by 8", "100"),
    ("sum of 4, 8, 15, 16, 23 and 42", "108"),
    ("add up 12.50, 7.25 and 3", "22.75"),
    ("median of 9, 1, 4, 7", "5.5"),
    ("30 is what percent of 120", "25"),
    ("percentage change from 80 to 92", "15"),
    ("by how many percent did it go up from 50 to 60?", "20"),
    ("12 is 15% of what?", "80"),
    ("remainder of 17 divided by 5", "2"),
    ("17 mod 5", "2"),
    ("Can you tell me what 45 minus 19.5 is, please?", "25.5"),
    ("whats 15 percent of 80", "12"),
    ("80 minus 25%", "60"),
    ("Another thing: 17.5 % of 2,340", "409.5"),
    ("four of us, 86.40 plus ten percent for the waiter, what's my part", "23.76"),
    ("1.284 euro in 6 rates, how much is one", "214"),
    ("443.20 minus 19 % vat", "372.44"),
    ("what's 15% less of 77.11", "65.54"),
    ("120.50 per person, we were 7", "17.21"),
    ("-5 + 3", "-2"),
    ("minus five plus three", "-2"),
    ("10 / 4 =", "2.5"),
    ("1/3", "0.33333333"),
    ("12,5 + 7,5", "20"),
    ("1.234,50 + 0,50", "1,235"),
    ("the difference between 1000 and 387", "613"),
    ("the product of 6, 7 and 8", "336"),
    ("2 million divided by 365", "5,479.45205"),
    ("double 47", "94"),
    ("22/7 to 3 decimal places", "3.143"),
    ("round 3.14159 to two decimals", "3.14"),
    ("if 3 pens cost 4.50, how much are 7 pens?", "10.5"),
    ("monthly payment on a loan of 200000 at 6% over 30 years", "1,199.10"),
    ("pi times 5 squared", "78.5398163"),
    ("sqrt(144) + 3", "15"),
    ("2(3+4)", "14"),
    ("100 - 3 * 20", "40"),
    ("greatest common divisor of 12 and 18", "6"),
    ("least common multiple of 4 and 6", "12"),
    ("split the bill of 90 dollars three ways", "30"),
    ("20% tip on 64.80 split 3", "25.92 each"),
    ("12% tip on 80, split 4, please", "22.40 each"),
    ("tip 10 percent on 50.50, split 5?", "11.11 each"),
    ("We are 6 people and the bill is 132. What does everyone pay with 10% tip?", "24.2"),
    ("a 25% discount on 80", "60"),
    ("take 10% off 45", "40.5"),
    ("reduce 250 by 12%", "220"),
    ("sin of 30 degrees", "0.5"),
    ("log of 1000", "3"),
    ("one and a half times 12", "18"),
    ("3.5 million plus 250 thousand", "3,750,000"),
    ("what do I get if I add 7 and 8 and multiply by 2", "30"),
    ("simple interest on 2000 at 4% for 3 years", "240"),
    ("how many times does 7 go into 100?", "14.2857143"),
    ("8 hours at 23.50 an hour", "188"),
    ("1e3 * 2", "2,000"),
    ("I need to split $235.60 among 7 people including a 20% tip", "$40.39"),
    ("what do 4 people each pay if the bill is 96 euros", "€24"),
    ("split 100 equally between me and 3 friends", "25"),
    ("a 1500 euro laptop with 12% discount", "€1,320"),
    ("how much do I save with 30% off 89?", "26.7"),
    ("my rent is 950 and goes up 4%, what's the new rent", "988"),
    ("price went from 40 to 50, what percent increase is that", "25"),
    ("how much percent of 80 is 20", "25"),
    ("what is 3 in 10 as a percentage", "30"),
    ("10000 at 4% compounded monthly for 3 years", "11,272.72"),
    ("$1,000 at 5% for 10 years", "$1,628.89"),
    ("what is 18% tip on a $50 bill split 3 ways", "$19.67"),
    ("3 tickets at 12.50 each", "37.5"),
    ("the sum of 12 and 30 divided by 6", "7"),
    ("the average of 80, 90 and 100 plus 5", "95"),
    ("average of 1+2, 3+4", "5"),
    ("divide 10 by a half", "20"),
    ("10 / 1/2", "20"),
    ("12/4/2", "1.5"),
    ("1 1/2 + 2 3/4", "4.25"),
    ("-2^2", "-4"),
    ("2^3^2", "512"),
    ("5 less than 12", "7"),
    ("30 percent less than 200", "140"),
    ("log2 of 8", "3"),
    ("25 % of 80 % of 100", "20"),
    ("what's the fourth root of 16", "2"),
    ("How much is €49.90 plus 19% VAT", "€59.38"),
    ("10% + 5%", "15"),
]


@every_case("asked, expected", SUMS)
def test_sums(asked: str, expected: str) -> None:
    has(calculate(asked), expected)


def test_a_sum_says_how_it_was_understood() -> None:
    assert calculate("whats 17.5 percent of 240?") == "17.5 % of 240 is 42."
    assert calculate("twelve times thirty-four minus seven") == "12 × 34 − 7 is 401."
    assert "8 hours" not in calculate("(1 + 2) times 3") and "(1 + 2) × 3" in calculate(
        "(1+2) times 3"
    )


@every_case(
    "asked",
    [
        "What's the weather in Paris?", "", "   ", "?!", "hello", "make the picture 20% brighter",
        "the capital of France plus 3", "how many people live in 3 houses", "42", "plus", "3 +",
        "import os", "__import__('os').system('ls')", "((((((3", "average of",
        "square root of minus 4", "5 / 0", "1000000 factorial", "9^9^9^9^9", "x + 3", "3 ** ** 2",
        "0 ^ -1", "log of 0", "5 miles in km", "tan of 90 degrees", "+".join("1" * 3000),
        "if 2 workers take 6 hours, how many hours do 3 take",
        "(" * 500 + "1" + ")" * 500, "split 20 between 0 people", "what percentage is 3 of 0",
    ],
)  # fmt: skip
def test_no_sum(asked: str) -> None:
    started = time.monotonic()
    with pytest.raises(ToolError) as error:
        calculate(asked)
    assert str(error.value).endswith(".") and time.monotonic() - started < 2


def test_large_results_are_told_shortly() -> None:
    has(calculate("2^64"), "18,446,744,073,709,551,616")
    answer = calculate("2^5000")
    assert "10^1,505" in answer or "10^1505" in answer
    assert len(answer) < 120


MEASURES = [
    ("5 miles in km", "8.047 km"),
    ("how many cups are 250 ml", "1.057"),
    ("100 F to celsius", "37.8 °C"),
    ("6'2\" in cm", "187.96 cm"),
    ("3 stone 4 in kg", "20.87 kg"),
    ("10 square metres in square feet", "107.6"),
    ("30 mpg to l/100km", "7.84"),
    ("2 hours in seconds", "7,200 seconds"),
    ("500 MB in GB", "0.5 GB"),
    ("gas mark 4 in celsius", "180 °C"),
    ("convert 70 kg to pounds", "154.3"),
    ("How many ounces is half a pound?", "8"),
    ("what is 37 degrees celsius in fahrenheit?", "98.6 °F"),
    ("180 cm in feet and inches", "5 ft 10.9 in"),
    ("5 ft 11 in cm", "180.34 cm"),
    ("5'11 to cm", "180.34 cm"),
    ("how tall is 1.75 m in feet", "5 ft 8.9 in"),
    ("60 mph to km/h", "96.56 km/h"),
    ("100 kmh in mph", "62.14 mph"),
    ("350 degrees fahrenheit in C", "176.7 °C"),
    ("-40 C in F", "-40 °F"),
    ("1 gallon to litres", "3.785"),
    ("1 imperial gallon in liters", "4.546"),
    ("2 tablespoons in ml", "29.57 ml"),
    ("how many teaspoons in a tablespoon", "3"),
    ("how many feet are in a mile", "5,280"),
    ("one and a half cups in ml", "354.9 ml"),
    ("1 1/2 inches in mm", "38.1 mm"),
    ("3/4 inch to mm", "19.05 mm"),
    ("3 acres in hectares", "1.214"),
    ("1 hectare in m2", "10,000"),
    ("90 minutes in hours", "1.5 hours"),
    ("2 lb 3 oz in grams", "992.2 g"),
    ("1 terabyte in gigabytes", "1,000 GB"),
    ("1 GiB in MB", "1,074"),
    ("32 psi to bar", "2.206 bar"),
    ("500 kcal in kJ", "2,092 kJ"),
    ("150 hp in kW", "111.9 kW"),
    ("10 knots in km/h", "18.52 km/h"),
    ("1 light year in km", "9.461 × 10^12 km"),
    ("how many days are 3 weeks", "21 days"),
    ("10,000 steps in km", None),
    ("a marathon in miles", None),
    ("how heavy is 12 stone in kilos?", "76.2 kg"),
    ("8 oz to g", "226.8 g"),
    ("12 fl oz in ml", "354.9 ml"),
    ("how many meters is 100 yards?", "91.44 m"),
    ("1,5 km in m", "1,500 m"),
    ("2.5kg in lbs", "5.512"),
    ("5 min/km in min per mile", "8:03"),
    ("98.6F", "37 °C"),
    ("what's 20 miles in metric?", "32.19 km"),
    ("0 kelvin in celsius", "-273.15 °C"),
    ("5000 sq ft to sq m", "464.5"),
    ("3 cubic metres in litres", "3,000"),
    ("180 degrees in radians", "3.142"),
    ("a cup of flour in grams", "125 g"),
    ("100 g of sugar in cups", "0.5"),
    ("200 C in gas mark", "6"),
    ("7 litres per 100 km in mpg", "33.6"),
    ("km to miles: 42.195", "26.22"),
    ("how many km are 26.2 miles", "42.16 km"),
    ("1 year in days", "365.25 days"),
    ("3 pints in litres", "1.42"),
    ("500 grams to pounds and ounces", "1 lb 1.6 oz"),
    ("80 kg in stone", "12 st 8.4 lb"),
    ("100 metres to feet", "328.1"),
    ("two dozen inches in cm", "60.96 cm"),
    ("I weigh 165 pounds, how much is that in kg?", "74.84 kg"),
    ("how many in is 5 ft", "60 inches"),
    ("60 in in feet", "5 feet"),
    ("10 in to cm", "25.4 cm"),
    ("1 mile = ? km", "1.609 km"),
    ("100 Mbit/s in MB/s", "12.5 MB/s"),
    ("100 MB/s in Mbit/s", "800 Mbit/s"),
    ("what's 5'11\" in metric", "180.34 cm"),
    ("10 litres in gallons (UK)", "2.2 British gallons"),
    ("from 5 km to miles", "3.107 miles"),
    ("convert from kg to lbs 80", "176.4 pounds"),
    ("minus 10 celsius in fahrenheit", "14 °F"),
    ("10 km/h in min/km", "6:00 min/km"),
    ("8:30 min/mile in min/km", "5:17 min/km"),
    ("9 st 7 lb in kg", "60.33 kg"),
    ("1h 30min in minutes", "90 minutes"),
    ("one and three quarter inches in mm", "44.45 mm"),
    ("100 degrees to fahrenheit", "212 °F"),
    ("50 g of flour in tablespoons", "6.4 tablespoons"),
    ("a 12x8 room in m2", None),
    ("how long is a marathon in km", None),
]


@every_case("asked, expected", MEASURES)
def test_measures(asked: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(ToolError):
            convert_units(asked)
        return
    has(convert_units(asked), expected)


@every_case(
    "story, expected",
    [
        ("Our oven in Bern only knows Fahrenheit. The cake wants 180 degrees Celsius.", "356 °F"),
        ("My dad thinks in stone. I weigh 71 kilos.", "11.18 stone"),
        ("He talks in miles, and it is 12 km to the lake", "7.456 miles"),
        ("The sign says 55 mph, my car shows km/h only", "88.51 km/h"),
        ("The fence is 3 metres, the shop has 20", None),
        ("She says 5 km, he says miles or yards", None),
        ("how many blorgs are 5 km", None),
    ],
)
def test_a_measure_and_a_unit_in_a_story(story: str, expected: str | None) -> None:
    test_measures.__wrapped__(story, expected)


def test_a_conversion_is_one_sentence() -> None:
    assert convert_units("2 hours in seconds") == "2 hours is 7,200 seconds."
    assert convert_units("how many inches are 2.54 cm?") == "2.54 cm is 1 inch."
    assert convert_units("5 miles in km") == "5 miles is about 8.047 km."


@every_case(
    "asked, said",
    [
        ("100 dollars in euros", "rate"), ("50 EUR to USD", "rate"), ("£20 in yen", "rate"),
        ("5 miles in kg", "kg"), ("hello", "measure"), ("", "measure"), ("convert it", "measure"),
        ("5 flurbs in km", "flurbs"), ("-500 C in F", "cold"), ("5 km in blorps", "blorps"),
        ("make the picture blue", "measure"), ("gas mark 40 in celsius", "gas mark"),
        ("what time is 5pm EST in CET", "measure"), ("9" * 5000 + " km in m", ""),
        ("a cup of gravel in grams", "gravel"),
    ],
)  # fmt: skip
def test_no_conversion(asked: str, said: str) -> None:
    with pytest.raises(ToolError) as error:
        convert_units(asked)
    assert said in str(error.value) and str(error.value).endswith(".")


DATES = [
    ("how many days until Christmas", "198"),
    ("what weekday was 14 July 1789", "Tuesday"),
    ("days between 3 March 2024 and 9 May 2025", "432"),
    ("what date is 90 days after 1 June 2026", "30 August 2026"),
    ("how old is someone born 5 Feb 1990", "36"),
    ("how many weeks until 1 September", "11 weeks and 6 days"),
    ("how many working days until 1 July 2026", "15"),
    ("is 2028 a leap year", "Yes"),
    ("is 1900 a leap year?", "No"),
    ("what week number is 3 March 2026", "10"),
    ("When is Easter 2027?", "28 March 2027"),
    ("how many days until new year", "205"),
    ("days till Halloween", "143"),
    ("what day of the week is Christmas Eve this year", "Thursday"),
    ("what's the date in 6 weeks", "22 July 2026"),
    ("45 days from today", "25 July 2026"),
    ("what was the date 100 days ago", "2 March 2026"),
    ("what is 3 weeks before 24 December 2026", "3 December 2026"),
    ("how old am I if I was born on March 15, 1985?", "41"),
    ("age of a person born 1990-12-24", "35"),
    ("On which weekday does July 4th 2030 fall?", "Thursday"),
    ("how long is it until my birthday on 12 August", "63"),
    ("how many days have passed since 1 January 2000", "9,657"),
    ("how long ago was 20 July 1969", "56 years"),
    ("working days between 1 June 2026 and 30 June 2026", "22"),
    ("weeks between 2026-01-01 and 2026-12-31", "52"),
    ("how many days are there in February 2028", "29"),
    ("how many days does 2027 have", "365"),
    ("what week is it", "24"),
    ("which day of the year is it today", "161"),
    ("how many days are left this year", "204"),
    ("when is thanksgiving 2026", "26 November 2026"),
    ("what date is the first Monday of September 2026", "7 September 2026"),
    ("when is the last Friday in October", "30 October 2026"),
    ("next leap year?", "2028"),
    ("what date is next Friday", "19 June 2026"),
    ("the date 2 months after 31 December 2025", "28 February 2026"),
    ("18 months from now", "10 December 2027"),
    ("how many months between 15 January 2026 and 15 October 2026", "9"),
    ("How many days between 03/04/2025 and 05/04/2025?", "2"),
    ("what weekday is 25.12.2026", "Friday"),
    ("was 11 September 2001 a Tuesday", "Yes"),
    ("is 1 May 2027 on a weekend", "Yes"),
    ("10 working days after 3 March 2026", "17 March 2026"),
    ("tomorrow plus 10 days", "21 June 2026"),
    ("how old will someone born on 2 May 2010 be on 1 January 2030", "19"),
    ("when does someone born 12 Nov 2008 turn 18", "12 November 2026"),
    ("how many hours until tomorrow", None),
    ("what day was it yesterday", "Tuesday"),
    ("the day after tomorrow is which date", "12 June 2026"),
    ("how many sundays are in august 2026", "5"),
    ("which dates are in week 32 of 2026", "3 August 2026"),
    ("what is the date a week from Monday", "22 June 2026"),
    ("how many days old am I, born 1 January 2000", "9,657"),
    ("1 June 2026 + 90 days", "30 August 2026"),
    ("count the days from the third of March 2024 to the ninth of May 2025", "432"),
    ("how many weekends until 1 August 2026", None),
    ("how many days until Good Friday 2027", "289"),
    ("if today is 28 Feb 2027, what's the date in two days", "2 March 2027"),
    ("how long until 10 June 2027", "365"),
    ("how old is somebody born in 1990", "35 or 36"),
    ("next Friday the 13th", "13 November 2026"),
    ("what is the date of Mother's day in the US 2026", "10 May 2026"),
    ("days until 31/12", "204"),
    ("how many nights from 3 July to 17 July", "14"),
    ("in which week is easter 2026", "14"),
    ("How many days is it from last Christmas till today?", "167"),
    ("what day is 2026-06-15", "Monday"),
    ("what day of the week was I born if I was born on 3 March 1985", "Sunday"),
    ("number of working days in June 2026", "22"),
    ("age on 1 Sep 2026 of a child born 2 Oct 2020", "5"),
    ("How old will I be in 2040 if I was born 3 May 1990?", "50"),
    ("how many days until my 40th birthday if I was born 3 May 1990", "1,423"),
    ("days between Monday and Friday", "4"),
    ("how many days between 5 and 10 June 2026", "5"),
    ("from 20 December to 5 January how many days", "16"),
    ("how many days in a leap year", "366"),
    ("how many weeks has 2026", "53"),
    ("how many years between 1945 and 2026", "81"),
    ("In how many days is 1 July?", "21"),
    ("second Tuesday of November 2026", "10 November 2026"),
    ("when is Pentecost next year", "16 May 2027"),
    ("a year and a day after 1 June 2026", "2 June 2027"),
    ("two weeks before Christmas", "11 December 2026"),
    ("12 March 2026 minus 30 days", "10 February 2026"),
    ("add 45 days to 12 March 2026", "26 April 2026"),
    ("when is 100 working days from 1 June 2026", "19 October 2026"),
    ("how many days until 5 June", "360"),
    ("what was the date last Friday", "5 June 2026"),
    ("how many days since the moon landing", None),
    ("when is Ramadan 2027", None),
    ("what is the 100th day of 2026", None),
    ("when was the battle of 14 July 1789", None),
]


@every_case("asked, expected", DATES)
def test_dates(asked: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(ToolError):
            date_calculation(asked)
        return
    has(date_calculation(asked), expected)


def test_an_ambiguous_date_is_told_as_read() -> None:
    answer = date_calculation("what weekday was 03/04/2025")
    has(answer, "Thursday", "3 April 2025")
    assert "03/04/2025" in answer
    assert "03/" not in date_calculation("what weekday was 25/04/2025")


def test_the_real_today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert reckoning.today() == date.today()
    has(date_calculation("how many days until tomorrow"), "1")


@every_case(
    "asked, said",
    [
        ("", "date"), ("hello", "date"), ("what weekday was 31 February 2025", "no such"),
        ("how many days until it rains", "date"), ("how old is he", "born"),
        ("days between 3 March 2024", "two"), ("what is 5 + 3", "date"),
        ("what date is 99999999 days after 1 June 2026", "9999"),
        ("how old is someone born 5 Feb 2090", "future"), ("30.2.2026 weekday", "no such"),
        ("what happened on 4 July 1776", "date"), ("what week number is 45/45/2020", "no such"),
    ],
)  # fmt: skip
def test_no_date(asked: str, said: str) -> None:
    with pytest.raises(ToolError) as error:
        date_calculation(asked)
    assert said in str(error.value) and str(error.value).endswith(".")


@every_case(
    ("words", "expected"),
    [
        ("my marks are 72, 65, 81 and 58 and they count 20%, 30%, 10% and 40%. what do I end up "
         "with?", "65.2"),
        ("grades 1.7, 2.3 and 3.0 are weighted with 50, 25 and 25 percent. The final grade?",
         "2.18"),
        ("two exams count 30% each and the project 40%. I got 60, 70 and 85. total?", "73"),
        ("72, 65 and 81 count 20%, 30%, 10% and the last exam 40%. what do I need in it to get 70 "
         "overall?", "70"),
        ("house went for 347,500, my commission's 1.8% plus 20% vat on top. what do i bill?",
         "7,506"),
        ("the estate agent wants 2.38% of 410,000, how much is that", "9,758"),
        ("1,840 net, 20% vat on top, then 2.5% off for paying early. whats the bill?", "2,152.80"),
        ("pizza was 84.60 between 6 of us plus 10% tip, what does each pay", "15.51"),
        ("bill is 120, 10% discount, then 12.5% service, split 4 ways", "30.38"),
        ("we were 7 at dinner, bill 312.40, 12.5% service on top. per head?", "50.21"),
    ],
)  # fmt: skip
def test_shares_of_shares(words: str, expected: str):
    has(calculate(words), expected)


@every_case(
    ("words", "expected"),
    [
        ("what weekday is 25 april 2026 and how many days from 12 march 2026 til then",
         ["Saturday", "44 days"]),
        # What a planner leaves of "til then".
        ("what weekday is 25 april 2026 and how many days from 12 march 2026 til", ["44 days"]),
        ("How many days is it from 12 march 2026 to 25 april 2026 and what weekday is then?",
         ["44 days", "25 April 2026 was a Saturday"]),
        ("invoice from 9 March 2026, 30 days net - when's it due", ["Wednesday 8 April 2026"]),
        ("The books are due 21 days after 10 June 2026. On what day is that?",
         ["Wednesday 1 July 2026"]),
        ("How many working days are from 9 March 2026 to 2 April 2026, both days counted? Monday "
         "to Friday we work", ["19 working days"]),
    ],
)  # fmt: skip
def test_then_is_the_day_that_was_named(words: str, expected: list[str]):
    answer = date_calculation(words)
    for one in expected:
        assert one in answer, answer


def test_a_day_that_was_not_named_is_not_today():
    with pytest.raises(ToolError, match="not clear which day"):
        date_calculation("How many days from 1 March 2026 until that day?")


@every_case(
    ("question", "said"),
    [
        ("Does 85 + 40 + 320 plus 19% VAT really come to 529.55?", "Yes: 85 + 40 + 320 + 19 % is"),
        ("is 3 x 4 really 13?", "No: 3 × 4 is 12. That is 1 less."),
        ("does 12 + 5 add up to 18", "That is 1 less"),
        ("do £3.20 + £4.10 come to £7.50?", "No: 3.2 + 4.1 is £7.30. That is £0.20 less."),
        ("is it true that 12*12=144?", "Yes: 12 × 12 is 144."),
        ("does 10/3 make 3.33", "Yes"),
    ],
)
def test_what_a_sum_is_said_to_come_to(question: str, said: str) -> None:
    assert said in calculate(question)


@every_case(
    "tool, asked, text, expected",
    [
        (calculate, "less 15 percent", "3 × 14.9 + 2 × 8.5 + 22 is 83.7.", "71.145"),
        (calculate, "and add 20 to it", "A tip of 10 % on 86.4 is 8.64, 95.04 in total.", "115.04"),
        (calculate, "per person, we were 7", "Soup 21.50\nTotal € 119.00\n12.03.2026", "17"),
        (calculate, "now minus 19 % vat", "The total of net is 119 (12 rows).", "100"),
        (calculate, "what are 5 % of 200?", "Rent 1,240.00", "10"),
        (calculate, "work that out", "12 + 13 * 2", "38"),
        (
            calculate,
            "if I take that off the 2450 and pay the rest in 12 equal parts, how much is one part?",
            "18 % of 2,450 is 441.",
            "167.42",
        ),
        (calculate, "take it off 100, paid over 4 weeks, how much a week", "It is 20.", "20 each"),
        (calculate, "divided into 12 parts, how much is one part?", "The total is 240 €.", "20"),
        (convert_units, "in miles?", "Those were 43.2 km together.", "26.84"),
        (convert_units, "Fahrenheit please", "The highest is 31.4 °C on 12 July.", "88.52"),
        (convert_units, "62 miles in km", "Hotel 129.00\nTaxi 12.00", "99.78"),
        (convert_units, "cups into grams", "2 cups flour\n1 cup sugar\n3 eggs", "200"),
        (date_calculation, "is that a weekday", "It is Saturday 13 February 2027.", "Saturday"),
        (date_calculation, "how many days in between", "Sent 12 March 2026, due 2 April", "21"),
        (date_calculation, "14 days after 22 September", "Invoice 3", "6 October 2026"),
    ],
)
def test_what_is_asked_of_an_earlier_answer(tool, asked: str, text: str, expected: str) -> None:
    found = tool(asked, text)
    assert re.search(rf"(?<![\w.,]){re.escape(expected)}0?(?!\w|[.,]\d)", found), found


def test_the_words_of_another_subject_answer_nothing() -> None:
    with pytest.raises(ToolError, match="no sum"):
        calculate("less 15 percent", "The meeting went well.")
