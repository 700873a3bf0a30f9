"""Sums that are told as a story, understood by the part that each number plays in it.

A story is worked out only where every number in it has such a part; one more is one too many.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from controlllm.toolbox import ToolError

from . import exact

_N = r"(\d+(?:\.\d+)?)"
_NUMBER = re.compile(r"(?<![\w.:])\d+(?:\.\d+)?(?![\d:])")
_ASKS = re.compile(r"\b(?:how|what|which|who|work out|calculate|find)\b")
_PEOPLE = (
    r"(?:people|persons?|of us|friends?|members?|guests?|children|kids|adults?|pupils?|students?|"
    r"players?|colleagues?|families|households|tenants?|flatmates|roommates|participants?|heads?|"
    r"neighbou?rs|employees|workers|brothers|sisters|siblings|heirs|couples|teams?|groups?|ways|men|"
    r"women|girls|boys|parties|partners|owners|passengers|volunteers|staff|waiters|drivers)"
)
_LESS = re.compile(
    r"\b(?:reduced|off|discount|cheaper|reduction|less|falls?|fell|drops?|dropped|lower(?:ed)?|loses?|"
    r"lost|decreases?d?|down|rebate|minus|knocked|marked down|goes? down|cut)\b"
)
_MORE = re.compile(
    r"\b(?:more|dearer|raised?|raises|rises?|rose|increases?d?|up|surcharge|plus|added?|tax|vat|tip|"
    r"on top|gains?|gained|grows?|grew|interest)\b"
)


def story_sum(plain: str, money: str) -> str | None:
    """The answer to a sum told as a story, None where its numbers play no parts known here."""
    plain = re.sub(r"(?<=\d)\s*(?:percent|per cent|pct)\b", "%", plain).rstrip(" ?!.")
    plain = re.sub(r"(?<=\d)\s+%", "%", plain)
    if not re.search(r"\d", plain):
        return None
    for form in (_clock_times, _scaled, _net, _in_turn, _packs, _bought, _score, _fuel, _journey,
                 _wages, _saved_up, _left_over, _area, _each):  # fmt: skip
        if (told := form(plain, money)) is not None:
            return told
    return None


def _count(plain: str) -> int:
    return len(_NUMBER.findall(plain))


def _shown(value: Fraction, places: int | None = None) -> str:
    whole = 0 if value.denominator == 1 else places
    return exact.shown(value, whole)[0] if whole is not None else exact.shown(value)[0]


def _amount(value: Fraction, money: str) -> str:
    return f"{money}{_shown(value, 2)}"


def _few(value: Fraction) -> str:
    """A number with at most two decimals, none where they would be noughts."""
    shown = exact.shown(value, 2)[0]
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


# Times of the clock.

_CLOCK = re.compile(
    r"(?<![\d:])(\d{1,3}):([0-5]\d)(?::([0-5]\d))?(?![\d:])\s*(am|pm|a\.m\.|p\.m\.)?"
)


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
        pause = re.search(rf"{_N}[- ]*(min|minutes?|h|hours?|quarters?)\b", rest)
        off = Fraction(pause[1]) * (3600 if pause[2].startswith("h") else 60) if pause else 0
        less = f" less {_few(Fraction(pause[1]))} {pause[2]}" if pause else ""
        if _count(rest) > bool(pause):
            return None
        length -= int(off)
        return (
            f"From {found[0][0].strip()} to {found[1][0].strip()}{less} it is {_hours(length)}, or "
            f"{_few(Fraction(length, 3600))} hours."
        )
    if _count(rest):
        return None
    listed = ", ".join(match[0].strip() for match in found[:-1]) + f" and {found[-1][0].strip()}"
    if re.search(r"\b(?:average|mean|on average)\b", rest):
        return f"The average of {listed} is {_clock(Fraction(sum(times), len(times)), is_long)}."
    if re.search(r"\b(?:total|sum|altogether|add|together|in all|plus|and)\b", rest):
        return f"{listed} together are {_clock(Fraction(sum(times)), is_long)}."
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


def _hours(seconds: int) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    said = f"{hours} hour{'' if hours == 1 else 's'}"
    return f"{said} and {minutes} minutes" if minutes else said


# A recipe for other guests.

_FOR = rf"(?:for|serves|serving|feeds|makes?|yields?|enough for) (?:about |all |the )?{_N}"
_PORTION = r"(?: (?:people|persons?|guests?|servings?|portions?|of us|pieces|muffins|cookies|pancakes|\w+s))?"


def _scaled(plain: str, money: str) -> str | None:
    ends = list(re.finditer(rf"\b{_FOR}{_PORTION}\b(?! ?%)", plain))
    told = re.search(r"\b(?:recipe|ingredients?|serves|serving|dough|batter|cake|soup|sauce|needs?|takes?|"
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
        rf"(?<![\w.]){_N} ?((?:kg|g|mg|ml|cl|dl|l|oz|lbs?|cups?|tbsp|tsp|tablespoons?|teaspoons?|grams?|"
        r"kilos?|lit(?:er|re)s?|pinch(?:es)?|cloves?|cans?|tins?)\b(?: of)?)? ?"
        r"((?!and\b|how\b|what\b|for\b|is\b|do\b)[a-z]+)?",
        rest,
    )
    if not found or len(found) != _count(rest):
        return None
    factor = wanted / base
    parts = [
        " ".join(filter(None, (_few(Fraction(number) * factor), unit, thing)))
        for number, unit, thing in found
    ]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return (
        f"For {_few(wanted)} instead of {_few(base)} it is {listed} ({_few(factor)} times as much)."
    )


# Prices with tax and discounts.


def _net(plain: str, money: str) -> str | None:
    """What a price is without the tax that is in it, or how much of it is tax."""
    rate = re.search(rf"{_N}%", plain)
    amount = re.search(rf"(?<![\w.]){_N}(?![\w.]*%)", plain)
    inside = re.search(
        r"\b(?:inc(?:l(?:uding|uded|\.)?|ludes)|gross|with (?:the )?(?:tax|vat)|contains?)\b", plain
    )
    asks = re.search(r"\b(?:net|without|before|how much (?:of it |of that )?(?:is|was)?|excluding|what|"
                     r"tax share)\b", plain)  # fmt: skip
    taxed = re.search(r"\b(?:vat|tax|gst|sales tax|mwst)\b", plain)
    if not (rate and amount and inside and asks and taxed) or _count(plain) != 2:
        return None
    share, gross = Fraction(rate[1]), Fraction(amount[1])
    net = gross / (1 + share / 100)
    return (
        f"{_amount(gross, money)} without the {_few(share)} % tax in it is {_amount(net, money)}; the "
        f"tax is {_amount(gross - net, money)}."
    )


def _in_turn(plain: str, money: str) -> str | None:
    """A price changed by one percentage after the other."""
    shares = list(re.finditer(rf"(?<![\w.]){_N}%", plain))
    amounts = list(re.finditer(rf"(?<![\w.]){_N}(?![\w.]*%)", plain))
    if len(shares) < 2 or len(amounts) != 1 or _count(plain) != len(shares) + 1:
        return None
    start = Fraction(amounts[0][1])
    value, steps, edge = start, [], 0
    for number, share in enumerate(shares):
        limit = shares[number + 1].start() if number + 1 < len(shares) else len(plain)
        part, behind = plain[edge : share.start()], plain[share.end() : limit]
        is_less = _direction(part, behind)
        if is_less is None:
            is_less = steps[-1][0] == "-" if steps else None
        if is_less is None:
            return None
        value *= 1 + (-1 if is_less else 1) * Fraction(share[1]) / 100
        steps.append(f"{'-' if is_less else '+'}{_few(Fraction(share[1]))} %")
        edge = share.end()
    change = (value / start - 1) * 100 if start else Fraction(0)
    return (
        f"{_amount(start, money)} with {' and then '.join(steps)} is {_amount(value, money)}, "
        f"{'+' if change > 0 else ''}{_few(change)} % in all."
    )


def _direction(before: str, behind: str) -> bool | None:
    """Whether a percentage is taken off; None where it is not said."""
    near = behind.split(",")[0].split(" and ")[0]
    for text in (near, before.rsplit(",", 1)[-1], before):
        less, more = (
            _LESS.search(text),
            _MORE.search(re.sub(r"\bmore\b(?= off)|(?:one |once )more", "", text)),
        )
        if bool(less) != bool(more):
            return bool(less)
    return None


# Packs, purchases, scores.


def _packs(plain: str, money: str) -> str | None:
    """How many packs are needed, or full, where so many go into each."""
    asks = re.search(
        r"\bhow many (?P<pack>(?:full )?[a-z]+)\b(?! (?:cost|left|apart))", plain
    )  # fmt: skip
    if asks is None or _count(plain) != 2:
        return None
    pack = asks["pack"].removeprefix("full ")
    single = re.escape(
        pack.removesuffix("es")
        if pack.endswith(("xes", "ches", "shes"))
        else pack.removesuffix("s")
    )
    size = (
        re.search(rf"\b{re.escape(pack)} (?:of|with|for|holding|that hold|containing|à|a) {_N}", plain)
        or re.search(
            rf"{_N} (?:[a-z]+ )?(?:per|to (?:a|an|the|each)|in (?:a|an|one|each|every)|fit (?:in|into|on) "
            rf"(?:a|an|one|each)|(?:on|at) (?:a|an|one|each|every)|go in(?:to)? (?:a|an|one|each)|each|an?|for (?:each|one)) "
            rf"{single}",
            plain,
        )
        or re.search(
            rf"(?:an?|each|one|every|per|the|1) {single}(?:e?s)? (?:holds?|has|have|takes?|fits?|seats?|covers?|contains?|"
            rf"carries|is enough for|is for|can (?:hold|take|carry|seat)|lasts?|of|with) (?:up to |about )?{_N}",
            plain,
        )
        or re.search(rf"\b{single}s? (?:holds?|takes?|seats?|covers?|contains?|fits?|carry|carries) {_N}", plain)
    )  # fmt: skip
    if size is None:
        return None
    rest = f"{plain[: size.start(1)]} {plain[size.end(1) :]}"
    total = _NUMBER.search(rest)
    each = Fraction(size[1])
    if total is None or each == 0:
        return None
    whole = Fraction(total[0])
    count = math.ceil(whole / each)
    full, over = divmod(whole, each)
    if re.search(r"\bhow many full\b|\b(?:can|could) (?:i|we|you) (?:fill|make|pack)\b", plain):
        left = f", with {_few(over)} left over" if over else ""
        return f"{_few(whole)} fill {int(full):,} {pack} of {_few(each)}{left}."
    if not over:
        return f"{count:,} {pack} of {_few(each)} for {_few(whole)}, all full."
    return (
        f"{count:,} {pack} of {_few(each)} for {_few(whole)}: {int(full):,} full ones and one with "
        f"{_few(over)}."
    )


_ITEM = re.compile(
    rf"(?<![\w.]){_N} ?(?:x |times )?(?P<thing>(?!%)[a-z][a-z ]*?) (?:at|for|@|costing|à|which cost|that cost|"
    rf"of|cost(?:s|ing)?)(?: only)? {_N}(?!%|\.?\d)(?P<each> ?(?:each|apiece|per [a-z]+|an? (?:piece|kilo|kg|litre|liter|"
    r"pound|box|head|bag|bottle|dozen|pack|night|hour|day|metre|meter|person|[a-z]+)|/ ?[a-z]+))?"
)


def _bought(plain: str, money: str) -> str | None:
    """What several things cost together, and the change from a note."""
    found = list(_ITEM.finditer(plain))
    if not found or not re.search(r"\b(?:how much|what|total|altogether|change|cost|pay)\b", plain):
        return None
    if not any(match["each"] for match in found):
        return None
    rest = _ITEM.sub(" ; ", plain)
    # "And a tart for 4.20": a price by itself.
    single = re.findall(
        rf"\b(?:a|an|the|one|plus|1) (?:[a-z]+ ){{1,3}}?(?:for|at|of|costing|costs?) {_N}(?![%\d])",
        rest,
    )
    rest = re.sub(
        rf"\b(?:a|an|the|one|plus|1) (?:[a-z]+ ){{1,3}}?(?:for|at|of|costing|costs?) {_N}(?![%\d])",
        " ; ",
        rest,
    )
    total = sum((Fraction(match[1]) * Fraction(match[3]) for match in found), Fraction(0))
    total += sum(map(Fraction, single))
    terms = [
        f"{_few(Fraction(match[1]))} × {_amount(Fraction(match[3]), money)}" for match in found
    ]
    terms += [_amount(Fraction(one), money) for one in single]
    note = re.search(
        rf"\b(?:pay|paid|paying|with|from|out of|hand|give|gave|note|have)\b(?: \w+){{0,4}}? {_N}(?!%)",
        rest,
    )
    off = re.search(rf"{_N}%", rest)
    if off and _count(rest) == 1 and _direction(rest[: off.start()], rest[off.end() :]) is not None:
        is_less = _direction(rest[: off.start()], rest[off.end() :])
        end = total * (1 + (-1 if is_less else 1) * Fraction(off[1]) / 100)
        sign = "-" if is_less else "+"
        return f"{' + '.join(terms)} is {_amount(total, money)}; with {sign}{off[1]} % {_amount(end, money)}."
    if note and _count(rest) == 1:
        change = Fraction(note[1]) - total
        word = "the change is" if change >= 0 else "short of it by"
        return (
            f"{' + '.join(terms)} is {_amount(total, money)}; from {_amount(Fraction(note[1]), money)} "
            f"{word} {_amount(abs(change), money)}."
        )
    if _count(rest):
        return None
    return f"{' + '.join(terms)} is {_amount(total, money)}."


def _score(plain: str, money: str) -> str | None:
    """So many out of so many in per cent."""
    if (
        not re.search(r"%|\bpercent(?:age)?\b|\bper cent\b|\bshare\b|\bproportion\b", plain)
        or _count(plain) != 2
    ):
        return None
    found = re.search(
        rf"{_N} (?:\w+ ){{0,3}}?(?:out of|of|from) (?:a total of |the |my |our |all |a possible )*{_N}",
        plain,
    )
    other = re.search(rf"\bof (?:the |our |my |all )*{_N} (?:\w+ )*?(?:only )?{_N}\b", plain)
    pair = (found[1], found[2]) if found else (other[2], other[1]) if other else None
    if pair is None or "%" in re.findall(r"\d ?(%)", plain):
        return None
    part, whole = map(Fraction, pair)
    if whole == 0:
        raise ToolError("Nothing is a share of 0; give me a whole above it.")
    value, rounded = exact.shown(part * 100 / whole, 2)
    value = value.rstrip("0").rstrip(".") if "." in value else value
    return f"{_few(part)} of {_few(whole)} is {'about ' if rounded else ''}{value} %."


# Ways, hours, savings.


def _fuel(plain: str, money: str) -> str | None:
    """What a way needs at so much per 100 km, and what that costs."""
    use = re.search(
        rf"{_N} ?(?P<unit>l|lit(?:re|er)s?|kwh) ?(?:per|/|on|every|for|for every) ?100 ?(?:km|kilomet(?:re|er)s?)",
        plain,
    )
    if use is None:
        return None
    rest = f"{plain[: use.start()]} {plain[use.end() :]}"
    way = re.search(rf"{_N} ?(?:km|kilomet(?:re|er)s?)\b", rest)
    if way is None:
        return None
    other = f"{rest[: way.start()]} {rest[way.end() :]}"
    price = re.search(rf"(?<![\w.]){_N}", other)
    if _count(other) > 1:
        return None
    needed = Fraction(use[1]) * Fraction(way[1]) / 100
    unit = use["unit"] if use["unit"] == "kwh" else "litres"
    cost = f", which cost {_amount(needed * Fraction(price[1]), money)}" if price else ""
    return f"For {_few(Fraction(way[1]))} km it needs {_few(needed)} {unit}{cost}."


def _journey(plain: str, money: str) -> str | None:
    """The time, the way or the speed, where the two others are told."""
    speed = re.search(
        rf"{_N} ?(?P<unit>km/h|kmh|kph|mph|(?:km|kilomet(?:re|er)s?|miles?) (?:an|per|/) ?hour)",
        plain,
    )
    rest = f"{plain[: speed.start()]} {plain[speed.end() :]}" if speed else plain
    way = re.search(rf"{_N} ?(?P<unit>km|kilomet(?:re|er)s?|miles?)\b", rest)
    hours = re.search(rf"{_N} ?(?:hours?|hrs?|h)\b", rest)
    minutes = re.search(rf"{_N} ?(?:minutes?|mins?|min)\b", rest)
    spent = Fraction(hours[1]) if hours else Fraction(0)
    spent += Fraction(minutes[1]) / 60 if minutes else 0
    if _count(plain) != sum(map(bool, (speed, way, hours, minutes))):
        return None
    if speed and way and not spent and Fraction(speed[1]):
        time = Fraction(way[1]) / Fraction(speed[1])
        return f"{_few(Fraction(way[1]))} {way['unit']} at {speed[0]} take {_hours(round(time * 3600))}."
    if speed and spent and not way:
        unit = "miles" if speed["unit"][0] == "m" else "km"
        return (
            f"In {_few(spent)} hours at {speed[0]} it is {_few(Fraction(speed[1]) * spent)} {unit}."
        )
    if (
        way
        and spent
        and not speed
        and re.search(r"\b(?:speed|fast|average|km/h|mph|an hour|per hour)\b", plain)
    ):
        unit = "mph" if way["unit"].startswith("mile") else "km/h"
        return f"{_few(Fraction(way[1]))} {way['unit']} in {_few(spent)} hours is {_few(Fraction(way[1]) / spent)} {unit}."
    return None


_PER = {"hour": "hours?|hrs?|h", "day": "days?", "week": "weeks?", "month": "months?", "night": "nights?",
        "year": "years?", "kilo": "kilos?|kg", "kg": "kilos?|kg", "litre": "lit(?:re|er)s?|l", "km": "km",
        "metre": "met(?:re|er)s?|m", "piece": "pieces?", "lesson": "lessons?", "person": "persons?|people",
        "page": "pages?"}  # fmt: skip


def _wages(plain: str, money: str) -> str | None:
    """So many hours, nights or months at so much each."""
    rate = re.search(
        rf"{_N} ?(?:\w+ )?(?:an?|per|each|every|/) ?(?P<unit>{'|'.join(_PER)})\b", plain
    )
    if rate is None or _count(plain) not in (2, 3):
        return None
    rest = f"{plain[: rate.start()]} {plain[rate.end() :]}"
    share = re.search(rf"{_N}%", rest)
    is_less = _direction(rest[: share.start()], rest[share.end() :]) if share else None
    if _count(plain) == 3 and is_less is None:
        return None
    many = re.search(rf"{_N} (?:{_PER[rate['unit']]})\b", rest)
    if (
        many is None
        and rate["unit"] in ("week", "day", "month")
        and re.search(r"\bhow (?:long|many)\b", plain)
    ):
        return None  # So much a week until a goal is another sum.
    if many is None:
        return None
    each, count = Fraction(rate[1]), Fraction(many[1])
    whole = each * count
    told = f"{_few(count)} {rate['unit']}s × {_amount(each, money)} is {_amount(whole, money)}"
    if share is None:
        return f"{told}."
    end = whole * (1 + (-1 if is_less else 1) * Fraction(share[1]) / 100)
    return f"{told}; {'less' if is_less else 'with'} {share[1]} % it is {_amount(end, money)}."


def _saved_up(plain: str, money: str) -> str | None:
    """How long it takes to save, or use, so much at so much a week."""
    rate = re.search(
        rf"{_N} ?(?:\w+ ){{0,2}}?(?:an?|per|each|every|/) ?(?P<unit>day|week|month|year)\b", plain
    )
    if rate is None or _count(plain) not in (2, 3):
        return None
    if not re.search(r"\bhow (?:long|many (?:days|weeks|months|years))\b|\bwhen\b", plain):
        return None
    rest = f"{plain[: rate.start()]} {plain[rate.end() :]}"
    goal = _NUMBER.search(rest)
    each = Fraction(rate[1])
    had = re.search(rf"\b(?:already|have|has|got|saved)\b(?: \w+){{0,2}} {_N}", rest)
    if _count(rest) == 2:
        if had is None:
            return None
        other = [one for one in _NUMBER.findall(rest) if one != had[1]]
        total = Fraction(other[0]) - Fraction(had[1]) if other else Fraction(0)
    elif goal is None:
        return None
    else:
        total = Fraction(goal[0])
    if each <= 0 or total <= 0:
        return None
    count = math.ceil(total / each)
    unit = f"{rate['unit']}{'' if count == 1 else 's'}"
    return f"At {_amount(each, money)} a {rate['unit']} it takes {count:,} {unit} for {_amount(total, money)}."


def _left_over(plain: str, money: str) -> str | None:
    """What is left of an amount after others were taken from it."""
    if not re.search(r"\b(?:left|remain(?:s|ing|der)?|still have|change)\b", plain) or "%" in plain:
        return None
    numbers = [Fraction(one) for one in _NUMBER.findall(plain)]
    spent = re.search(
        r"\b(?:spen[dt]|paid|pay|gave|give|bought|buy|costs?|took|take|used|ate|lost|sold|goes)\b",
        plain,
    )
    first = re.search(
        rf"\b(?:had|have|has|with|start\w*|budget|of|from|got|there (?:are|were))\b(?: \w+)* ?{_N}",
        plain,
    )
    if len(numbers) < 2 or not spent or not first or first.start() > spent.start():
        return None
    if re.search(r"\b(?:each|times|per|every|an? (?:day|week|month|hour))\b", plain):
        return None
    gone = sum(numbers[1:], Fraction(0))
    terms = " − ".join(_amount(one, money) for one in numbers)
    return f"{terms} leaves {_amount(numbers[0] - gone, money)}."


def _area(plain: str, money: str) -> str | None:
    """The area of something so long and so wide, its length round about, or its room."""
    found = re.search(
        rf"{_N} ?(?P<unit>m|met(?:re|er)s?|cm|centimet(?:re|er)s?|ft|feet|in|inch(?:es)?)?(?: long| wide)? ?(?:by|x|\*|times|and) "
        rf"{_N} ?(?P<unit2>m|met(?:re|er)s?|cm|centimet(?:re|er)s?|ft|feet|in|inch(?:es)?)?\b", plain)  # fmt: skip
    if found is None or _count(plain) != 2:
        return None
    unit = found["unit2"] or found["unit"] or ""
    one, two = Fraction(found[1]), Fraction(found[3])
    if re.search(r"\b(?:fence|perimeter|around|round it|edge|border|skirting|outline)\b", plain):
        return f"Around {_few(one)} by {_few(two)} it is {_few(2 * (one + two))} {unit}.".replace(
            " .", "."
        )
    if re.search(r"\b(?:area|square|big|large|floor|carpet|surface|tiles?|lawn|paint)\b", plain):
        said = f"square {unit}" if unit else "in the square"
        return f"{_few(one)} by {_few(two)} is {_few(one * two)} {said}."
    return None


def _each(plain: str, money: str) -> str | None:
    """What each of so many gets or pays of an amount."""
    if _count(plain) != 2 or "%" in plain:
        return None
    if not re.search(r"\b(?:each|everyone|everybody|every one|per (?:person|head|member|child|family)|apiece|"
                     r"one of us|share[ds]?|split|divided?)\b", plain):  # fmt: skip
        return None
    many = re.search(
        rf"(?<![\w.]){_N} (?:of (?:us|them|you)|(?:\w+ )?{_PEOPLE})\b", plain
    ) or re.search(rf"\b(?:we are|we're|there are|among|amongst|between) {_N}\b", plain)
    if many is None or "." in many[1] or Fraction(many[1]) == 0:
        return None
    rest = f"{plain[: many.start(1)]} {plain[many.end(1) :]}"
    amount = _NUMBER.search(rest)
    if amount is None or re.search(
        rf"{re.escape(amount[0])} (?:\w+ )?(?:each|apiece|per (?:person|head))", rest
    ):
        return None
    whole, count = Fraction(amount[0]), Fraction(many[1])
    if money:
        return f"{_amount(whole, money)} split between {_few(count)} is {_amount(whole / count, money)} each."
    return f"{_few(whole)} split between {_few(count)} is {_few(whole / count)} each."
