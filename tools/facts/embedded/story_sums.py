"""Sums that are told as a story, understood by the part that each number plays in it.

A story is worked out only where every number in it has such a part; one more is one too many.
"""

from __future__ import annotations

import re
from fractions import Fraction

from ...shared.sentences import listed
from . import price_sums
from .running_sums import running
from .story_parts import FIGURE, NUMBER, few, figures_in, hours_said, in_money

_ASKS = re.compile(r"\b(?:how|what|which|who|work out|calculate|find)\b")
_PEOPLE = (
    r"(?:people|persons?|of us|friends?|members?|guests?|children|kids|adults?|pupils?|students?|"
    r"players?|colleagues?|families|households|tenants?|flatmates|roommates|participants?|heads?|"
    r"neighbou?rs|employees|workers|brothers|sisters|siblings|heirs|couples|teams?|groups?|ways|"
    r"men|"
    r"women|girls|boys|parties|partners|owners|passengers|volunteers|staff|waiters|drivers)"
)


def story_sum(plain: str, money: str) -> str | None:
    """The answer to a sum told as a story, None where its numbers play no parts known here."""
    plain = re.sub(r"(?<=\d)\s*(?:percent|per cent|pct)\b", "%", plain).rstrip(" ?!.")
    plain = re.sub(r"(?<=\d)\s+%", "%", plain)
    if not re.search(r"\d", plain):
        return None
    for form in (_pace, _clock_times, _scaled, price_sums.net, price_sums.in_turn, price_sums.packs,
                 price_sums.bought, price_sums.score, _fuel, _journey, price_sums.wages,
                 price_sums.saved_up, _left_over, _area, _each, running):  # fmt: skip
        if (told := form(plain, money)) is not None:
            return told
    return None


_CLOCK = re.compile(
    r"(?<![\d:])(\d{1,3}):([0-5]\d)(?::([0-5]\d))?(?![\d:])\s*(am|pm|a\.m\.|p\.m\.)?"
)


_MILE = Fraction("1609.344")
_METRES: dict[str, int | Fraction] = {
    **dict.fromkeys(("km", "k", "kilometers", "kilometres", "kilometer", "kilometre"), 1000),
    **dict.fromkeys(("mile", "miles", "mi"), _MILE),
    "m": 1,
    "half marathon": Fraction("21097.5"),
    "marathon": 42_195,
}
_UNIT = r"(?:km|k|kilomet(?:re|er)s?|miles?|mi|m)"
_DISTANCE = re.compile(
    rf"(?<![\w.]){NUMBER} ?({_UNIT})(?![\w/])|(?<!\w)(half marathon|marathon)(?!\w)"
)


def _pace(plain: str, money: str) -> str | None:
    """How long each kilometre or mile of a run takes, and how long another distance would."""
    asks = re.search(r"\bpace\b|\b(?:per|a|each) (?:km|kilomet(?:re|er)|mile)\b", plain)
    clock = _CLOCK.findall(plain)
    runs = list(_DISTANCE.finditer(re.sub(rf"\b(?:per|a|each|every) {_UNIT}\b", " ", plain)))
    if not asks or len(clock) != 1 or not runs:
        return None
    first, second, third, _ = clock[0]
    # "52:30" of a run are minutes and seconds, "1:45:10" begins with hours.
    minutes = int(first) * 60 + int(second) if third else int(first)
    seconds = minutes * 60 + int(third or second)
    metres = _length(runs[0])
    if not metres or not seconds:
        return None
    in_miles = bool(re.search(r"\b(?:per|a|each) mile\b", plain)) or "mi" in (runs[0][2] or "")
    unit, each = ("mile", _MILE) if in_miles else ("km", 1000)
    told = f"The pace is {_run_time(seconds * each / metres)} a {unit}."
    # What follows another distance in brackets is its length.
    others = [run for run in runs[1:] if _length(run) != metres]
    if others and re.search(r"\b(?:would|could|will|if)\b", plain):
        named = next((run for run in others if run[1]), others[0])
        said = next((run[0] for run in others if run[3]), named[0])
        told += f" At this pace {said} takes {_run_time(seconds * _length(named) / metres)}."
    return told


def _length(run: re.Match[str]) -> Fraction:
    """A distance in metres."""
    return Fraction(run[1] or 1) * _METRES[run[3] or run[2]]


def _run_time(seconds: Fraction) -> str:
    hours, rest = divmod(round(seconds), 3600)
    minutes = f"{rest // 60:02}" if hours else str(rest // 60)
    return f"{f'{hours}:' if hours else ''}{minutes}:{rest % 60:02}"


def _clock_times(plain: str, money: str) -> str | None:
    found = list(_CLOCK.finditer(plain))
    rest = _CLOCK.sub(" ", plain)
    if len(found) < 2:
        return None
    is_long = any(match[3] for match in found)
    times = [_seconds(match) for match in found]
    between = re.search(
        r"\b(?:from|between|start\w*|begin\w*|began|left|leaves?|open\w*|arriv\w*)\b", rest
    )
    if len(times) == 2 and between and not re.search(r"\b(?:average|mean|sum|total of)\b", rest):
        length = (times[1] - times[0]) % (24 * 3600)
        pause = re.search(rf"{NUMBER}[- ]*(min|minutes?|h|hours?|quarters?)\b", rest)
        off = Fraction(pause[1]) * (3600 if pause[2].startswith("h") else 60) if pause else 0
        less = f" less {few(Fraction(pause[1]))} {pause[2]}" if pause else ""
        if figures_in(rest) > bool(pause):
            return None
        length -= int(off)
        return (
            f"From {found[0][0].strip()} to {found[1][0].strip()}{less} it is "
            f"{hours_said(length)}, or "
            f"{few(Fraction(length, 3600))} hours."
        )
    if figures_in(rest):
        return None
    times_said = listed([match[0].strip() for match in found])
    if re.search(r"\b(?:average|mean|on average)\b", rest):
        return (
            f"The average of {times_said} is {_clock(Fraction(sum(times), len(times)), is_long)}."
        )
    if re.search(r"\b(?:total|sum|altogether|add|together|in all|plus|and)\b", rest):
        return f"{times_said} together are {_clock(Fraction(sum(times)), is_long)}."
    return None


def _seconds(found: re.Match[str]) -> int:
    first, second, third, half = found.groups()
    hours = int(first)
    if half and half[0] == "p" and hours < 12:
        hours += 12
    elif half and half[0] == "a" and hours == 12:
        hours = 0

    return hours * 3600 + int(second) * 60 + int(third or 0)


def _clock(seconds: Fraction, is_long: bool) -> str:
    whole = round(seconds) if is_long else round(seconds / 60) * 60
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}" + (f":{rest % 60:02}" if is_long else "")


_FOR = rf"(?:for|serves|serving|feeds|makes?|yields?|enough for) (?:about |all |the )?{NUMBER}"
_PORTION = (
    r"(?: (?:people|persons?|guests?|servings?|portions?|of us|pieces|muffins|cookies|"
    r"pancakes|\w+s))?"
)


def _scaled(plain: str, money: str) -> str | None:
    ends = list(re.finditer(rf"\b{_FOR}{_PORTION}\b(?! ?%)", plain))
    told = re.search(r"\b(?:recipe|ingredients?|serves|serving|dough|batter|cake|soup|sauce|"
                     r"needs?|takes?|"
                     r"cook|bake|portions?|calls for|uses?)\b", plain)  # fmt: skip
    if len(ends) != 2 or not told or not _ASKS.search(plain):
        return None
    base, wanted = (Fraction(end[1]) for end in ends)
    before_question = re.search(r"\bhow much\b|\bhow many\b|\bwhat\b", plain)
    if (
        before_question
        and ends[0].start() > before_question.start()
        and ends[1].start() > ends[0].start()
    ):
        # "How much for 7 if the recipe for 4 ..." asks first.
        base, wanted = wanted, base
    if base == 0:
        return None
    rest = plain
    for end in reversed(ends):
        rest = f"{rest[: end.start()]} ; {rest[end.end() :]}"
    found = re.findall(
        rf"(?<![\w.]){NUMBER} ?((?:kg|g|mg|ml|cl|dl|l|oz|lbs?|cups?|tbsp|tsp|tablespoons?|"
        r"teaspoons?|grams?|"
        r"kilos?|lit(?:er|re)s?|pinch(?:es)?|cloves?|cans?|tins?)\b(?: of)?)? ?"
        r"((?!and\b|how\b|what\b|for\b|is\b|do\b)[a-z]+)?",
        rest,
    )
    if not found or len(found) != figures_in(rest):
        return None
    factor = wanted / base
    parts = listed(
        [
            " ".join(filter(None, (few(Fraction(number) * factor), unit, thing)))
            for number, unit, thing in found
        ]
    )
    return f"For {few(wanted)} instead of {few(base)} it is {parts} ({few(factor)} times as much)."


def _fuel(plain: str, money: str) -> str | None:
    """What a way needs at so much per 100 km, and what that costs."""
    use = re.search(
        rf"{NUMBER} ?(?P<unit>l|lit(?:re|er)s?|kwh) ?(?:per|/|on|every|for|for every) ?100 ?(?:km|"
        r"kilomet(?:re|er)s?)",
        plain,
    )
    if use is None:
        return None
    rest = f"{plain[: use.start()]} {plain[use.end() :]}"
    way = re.search(rf"{NUMBER} ?(?:km|kilomet(?:re|er)s?)\b", rest)
    if way is None:
        return None
    other = f"{rest[: way.start()]} {rest[way.end() :]}"
    price = re.search(rf"(?<![\w.]){NUMBER}", other)
    if figures_in(other) > 1:
        return None
    needed = Fraction(use[1]) * Fraction(way[1]) / 100
    unit = use["unit"] if use["unit"] == "kwh" else "litres"
    cost = f", which cost {in_money(needed * Fraction(price[1]), money)}" if price else ""
    return f"For {few(Fraction(way[1]))} km it needs {few(needed)} {unit}{cost}."


def _journey(plain: str, money: str) -> str | None:
    """The time, the way or the speed, where the two others are told."""
    speed = re.search(
        rf"{NUMBER} ?(?P<unit>km/h|kmh|kph|mph|(?:km|kilomet(?:re|er)s?|miles?) (?:an|per|/) "
        r"?hour)",
        plain,
    )
    rest = f"{plain[: speed.start()]} {plain[speed.end() :]}" if speed else plain
    way = re.search(rf"{NUMBER} ?(?P<unit>km|kilomet(?:re|er)s?|miles?)\b", rest)
    hours = re.search(rf"{NUMBER} ?(?:hours?|hrs?|h)\b", rest)
    minutes = re.search(rf"{NUMBER} ?(?:minutes?|mins?|min)\b", rest)
    spent = Fraction(hours[1]) if hours else Fraction(0)
    spent += Fraction(minutes[1]) / 60 if minutes else 0
    if figures_in(plain) != sum(map(bool, (speed, way, hours, minutes))):
        return None
    if speed and way and not spent and Fraction(speed[1]):
        time = Fraction(way[1]) / Fraction(speed[1])
        return (
            f"{few(Fraction(way[1]))} {way['unit']} at {speed[0]} take "
            f"{hours_said(round(time * 3600))}."
        )
    if speed and spent and not way:
        unit = "miles" if speed["unit"][0] == "m" else "km"
        return (
            f"In {few(spent)} hours at {speed[0]} it is {few(Fraction(speed[1]) * spent)} {unit}."
        )
    if (
        way
        and spent
        and not speed
        and re.search(r"\b(?:speed|fast|average|km/h|mph|an hour|per hour)\b", plain)
    ):
        unit = "mph" if way["unit"].startswith("mile") else "km/h"
        return (
            f"{few(Fraction(way[1]))} {way['unit']} in {few(spent)} hours is "
            f"{few(Fraction(way[1]) / spent)} {unit}."
        )
    return None


def _left_over(plain: str, money: str) -> str | None:
    """What is left of an amount after others were taken from it."""
    if not re.search(r"\b(?:left|remain(?:s|ing|der)?|still have|change)\b", plain) or "%" in plain:
        return None
    numbers = [Fraction(one) for one in FIGURE.findall(plain)]
    spent = re.search(
        r"\b(?:spen[dt]|paid|pay|gave|give|bought|buy|costs?|took|take|used|ate|lost|sold|goes)\b",
        plain,
    )
    first = re.search(
        r"\b(?:had|have|has|with|start\w*|budget|of|from|got|there (?:are|were))\b(?: \w+)* "
        rf"?{NUMBER}",
        plain,
    )
    if len(numbers) < 2 or not spent or not first or first.start() > spent.start():
        return None
    if re.search(r"\b(?:each|times|per|every|an? (?:day|week|month|hour))\b", plain):
        return None
    gone = sum(numbers[1:], Fraction(0))
    terms = " − ".join(in_money(one, money) for one in numbers)
    return f"{terms} leaves {in_money(numbers[0] - gone, money)}."


def _area(plain: str, money: str) -> str | None:
    """The area of something so long and so wide, its length round about, or its room."""
    found = re.search(
        rf"{NUMBER} ?(?P<unit>m|met(?:re|er)s?|cm|centimet(?:re|er)s?|ft|feet|in|inch(?:es)?)?(?: "
        r"long| wide)? ?(?:by|x|\*|times|and) "
        rf"{NUMBER} ?(?P<unit2>m|met(?:re|er)s?|cm|centimet(?:re|er)s?|ft|feet|in|"
        r"inch(?:es)?)?\b", plain)  # fmt: skip
    if found is None or figures_in(plain) != 2:
        return None
    unit = found["unit2"] or found["unit"] or ""
    one, two = Fraction(found[1]), Fraction(found[3])
    if re.search(r"\b(?:fence|perimeter|around|round it|edge|border|skirting|outline)\b", plain):
        return f"Around {few(one)} by {few(two)} it is {few(2 * (one + two))} {unit}.".replace(
            " .", "."
        )
    if re.search(r"\b(?:area|square|big|large|floor|carpet|surface|tiles?|lawn|paint)\b", plain):
        said = f"square {unit}" if unit else "in the square"
        return f"{few(one)} by {few(two)} is {few(one * two)} {said}."
    return None


def _each(plain: str, money: str) -> str | None:
    """What each of so many gets or pays of an amount."""
    if figures_in(plain) != 2 or "%" in plain:
        return None
    if not re.search(r"\b(?:each|everyone|everybody|every one|per (?:person|head|member|child|"
                     r"family)|apiece|"
                     r"one of us|share[ds]?|split|divided?)\b", plain):  # fmt: skip
        return None
    many = re.search(
        rf"(?<![\w.]){NUMBER} (?:of (?:us|them|you)|(?:\w+ )?{_PEOPLE})\b", plain
    ) or re.search(rf"\b(?:we are|we're|there are|among|amongst|between) {NUMBER}\b", plain)
    if many is None or "." in many[1] or Fraction(many[1]) == 0:
        return None
    rest = f"{plain[: many.start(1)]} {plain[many.end(1) :]}"
    amount = FIGURE.search(rest)
    if amount is None or re.search(
        rf"{re.escape(amount[0])} (?:\w+ )?(?:each|apiece|per (?:person|head))", rest
    ):
        return None
    whole, count = Fraction(amount[0]), Fraction(many[1])
    if money:
        return (
            f"{in_money(whole, money)} split between {few(count)} is "
            f"{in_money(whole / count, money)} each."
        )
    return f"{few(whole)} split between {few(count)} is {few(whole / count)} each."
