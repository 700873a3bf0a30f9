"""How much time lies between two days, and which day comes so long after another."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta

from controlllm.toolbox import ToolError

from ...shared.sentences import listed
from .day_phrases import _WEEKDAYS, FIRST_YEAR, Day

_UNIT = (
    r"(?P<unit>(?:working|business|work|week) ?-?days?|workdays?|days?|weeks?|"
    r"fortnights?|months?|quarters?|years?|decades?|nights?|sleeps?)"
)
_AMOUNT = rf"(?P<count>\d{{1,9}}) (?:whole |full |calendar )?{_UNIT}"
_AMOUNTS = re.compile(
    rf"{_AMOUNT.replace('?P<count>', '?:').replace('?P<unit>', '?:')}(?:(?:,| and|, "
    rf"and)? {_AMOUNT.replace('?P<count>', '?:').replace('?P<unit>', '?:')})*"
)
_WORKING = re.compile(r"\b(?:work(?:ing)?|business) ?-?days?\b|\bweekdays\b")
_UNTIL = re.compile(
    r"^in how many\b|\b(?:until|untill|till|til|before|to go|left|away|up to|to)\b|"
    r"\bhow (?:far|long|soon)\b|\bcountdown\b|\bthere (?:are )?to\b"
)
_SINCE = re.compile(r"\b(?:since|ago|passed|gone|has it been|elapsed)\b")
_ASKED = re.compile(
    r"\bhow (?:many|long|far|soon)\b|\b(?:days?|weeks?|months?|years?|sleeps?|"
    r"nights?|time|number|countdown) (?:until|till|til|to|since|between|from|"
    r"before|left|passed|elapsed|of)\b|\bcountdown\b|\bdifference\b|\bcount\b"
)
#: What is due, or ends, so long after the only day that is named.
_DUE = re.compile(
    r"\b(?:due|pay(?:able|ment)?|paid|net|deadline|expires?|expiry|runs? out|valid|good for|"
    r"return(?:ed)?|"
    r"warranty|guarantee|ends?|over|lasts?|grace|term|period|trial|give back|back by|ready)\b"
)
_FINER = re.compile(r"\b(?:hours?|minutes?|seconds?|weekends?)\b")


@dataclass
class Question:
    """A question in small letters with the days that it names, and what day it is."""

    plain: str
    days: list[Day]
    today: date


def counts_working_days(plain: str) -> bool:
    """Whether a question is about working days."""
    return bool(_WORKING.search(plain))


def said(day: date) -> str:
    """A day as people write it."""
    return f"{day.day} {day:%B} {day.year}"


def weekday_said(day: date) -> str:
    """A day with its weekday, where the calendar of today was in use."""
    return f"{day:%A} {said(day)}" if day.year >= FIRST_YEAR else said(day)


def to_the_end(asked: Question) -> str | None:
    """The end of the month or year in which so much time is over: three months' notice to the end
    of a month."""
    found = re.search(
        rf"\b{_AMOUNT}'?(?: \w+){{0,3}}? (?:to|at|by|until|till) the end of (?:the|a|that|each|"
        r"every)? ?"
        r"(?P<end>month|quarter|year)\b",
        asked.plain,
    )
    if found is None or not re.search(r"\b(?:notice|when|what|which|contract|date)\b", asked.plain):
        return None
    others = [day for day in asked.days if day.end <= found.start() or day.start >= found.end()]
    start = others[0].after(asked.today) if others else asked.today
    day = _moved(start, int(found["count"]), found["unit"])
    month = {"month": day.month, "quarter": (day.month + 2) // 3 * 3, "year": 12}[found["end"]]
    last = date(day.year, month, calendar.monthrange(day.year, month)[1])
    return (
        f"{found['count']} {found['unit']} after {said(start)}, to the end of the "
        f"{found['end']}, is "
        f"{weekday_said(last)}."
    )


def arithmetic(asked: Question) -> str | None:
    """The day so long after or before another: "90 days after 1 June", "in 6 weeks"."""
    found = next(
        (one for one in _AMOUNTS.finditer(asked.plain) if not _is_a_date(one, asked)), None
    )
    if found is None or re.search(r"\bhow (?:many|long)\b", asked.plain[: found.start()]):
        return None
    before, after = asked.plain[: found.start()].rstrip(), asked.plain[found.end() :].lstrip()
    start, sign = _start_and_sign(asked, found, before, after)
    if sign == 0:
        return None
    amounts = [(match["count"], match["unit"]) for match in re.finditer(_AMOUNT, found[0])]
    day = start
    for count, unit in amounts:
        day = _moved(day, sign * int(count), unit)
    words = f"{found[0]} {'after' if sign > 0 else 'before'} {said(start)}"
    verb = "was" if day < asked.today else "is"
    holidays = ", public holidays not taken out" if _WORKING.search(found[0]) else ""
    return f"{words} {verb} {weekday_said(day)}{holidays}."


def _is_a_date(found: re.Match[str], asked: Question) -> bool:
    return any(day.start < found.end() and found.start() < day.end for day in asked.days)


def _start_and_sign(
    asked: Question, found: re.Match[str], before: str, after: str
) -> tuple[date, int]:
    """From which day, and 1 to go on from it, -1 to go back, 0 where neither is said."""
    behind = [day for day in asked.days if day.start >= found.end()]
    ahead = [day for day in asked.days if day.end <= found.start()]
    if (
        re.match(
            r"(?:later |forward )?(?:after|from|following|past|since|counting from|starting)\b",
            after,
        )
        and behind
    ):
        return behind[0].after(asked.today), 1
    if re.search(r"\bwithin$", before) and re.match(r"of\b", after) and behind:
        return behind[0].after(asked.today), 1
    if re.match(r"(?:before|prior to|ahead of|earlier than|until)\b", after) and behind:
        return behind[0].after(asked.today), -1
    if re.match(r"ago\b|back\b|earlier$", after):
        return (ahead[-1].after(asked.today) if ahead else asked.today), -1
    if re.search(r"(?:\+|\bplus|\badd|\band)$", before) and ahead:
        return ahead[-1].after(asked.today), 1
    if re.search(r"(?:-|−|\bminus|\bless)$", before) and ahead:
        return ahead[-1].after(asked.today), -1
    if re.search(r"\badd(?:ing)?$", before) and re.match(r"to\b", after) and behind:
        return behind[0].after(asked.today), 1
    if re.search(r"\b(?:subtract|take)(?:ing)?$", before) and re.match(r"from\b", after) and behind:
        return behind[0].after(asked.today), -1
    if re.match(r"later\b", after):
        return (ahead[-1].after(asked.today) if ahead else asked.today), 1
    if re.search(r"\b(?:in|within|after)$", before) and not behind:
        return (ahead[-1].after(asked.today) if ahead else asked.today), 1
    if len(asked.days) == 1 and _DUE.search(asked.plain):
        return asked.days[0].after(asked.today), 1
    return asked.today, 0


def _moved(day: date, count: int, unit: str) -> date:
    from dateutil.relativedelta import relativedelta

    try:
        if _WORKING.search(unit):
            return _working_days_on(day, count)
        if unit.startswith(("day", "night", "sleep")):
            return day + timedelta(count)
        if unit.startswith(("week", "fortnight")):
            return day + timedelta(count * (14 if unit.startswith("fort") else 7))
        months = {"m": 1, "q": 3, "y": 12, "d": 120}[unit[0]]
        return day + relativedelta(months=count * months)
    except (OverflowError, ValueError) as error:
        raise ToolError("That is outside of the years 1 to 9999; ask for a nearer day.") from error


def _working_days_on(day: date, count: int) -> date:
    if abs(count) > 100_000:
        raise OverflowError
    weeks, rest = divmod(abs(count), 5)
    step = timedelta(1 if count > 0 else -1)
    # A count that begins on a weekend begins before it.
    while day.weekday() > 4 and count:
        day -= step
    day += step * 7 * weeks
    while rest:
        day += step
        rest -= day.weekday() < 5
    return day


def between(asked: Question) -> str | None:
    """The time between two days that the question names."""
    single = re.search(r"\b(?:between|from)\b", asked.plain) and len(asked.days) == 1
    if single and _ASKED.search(asked.plain) and re.search(r"\bbetween\b", asked.plain):
        raise ToolError("I need two dates for this; write both, such as 3 March and 9 May 2025.")
    years = re.search(r"\b(?:between|from) (\d{4}) (?:and|to|until) (\d{4})$", asked.plain)
    if years and not asked.days and re.search(r"\b(?:years|how long)\b", asked.plain):
        many = counted(abs(int(years[2]) - int(years[1])), "year")
        return f"From {years[1]} to {years[2]} it is {many}."
    if len(asked.days) != 2 or not (_ASKED.search(asked.plain) or "between" in asked.plain):
        return None
    _refuse_finer(asked)
    start_day, end_day = _pair(asked.days[0], asked.days[1], asked.today)
    if end_day < start_day and asked.days[1].words in _WEEKDAYS:
        end_day += timedelta(7)
    first, last = sorted((start_day, end_day))
    start, end = said(first), said(last)
    if _WORKING.search(asked.plain):
        count = working_days(first, last)
        return (
            f"From {start} to {end} there {_are(count, 'working day')}, both days counted, "
            "public holidays not taken out."
        )
    length = _length(asked.plain, first, last)
    return f"From {start} to {end} it is {length}."


def _pair(one: Day, two: Day, today: date) -> tuple[date, date]:
    if one.year is None and two.year is not None:
        last = two.of(two.year)
        return one.before(last), last
    first = one.after(today)
    return first, two.after(first)


def until(asked: Question) -> str | None:
    """The time from today to a day, or since one."""
    year = re.search(r"\b(?:until|till|til|to|since|before) (?:the year )?(\d{4})$", asked.plain)
    if year and not asked.days:
        asked.days.append(Day(0, 0, lambda one: date(one, 1, 1), int(year[1]), year[1]))
    if len(asked.days) != 1 or not _ASKED.search(asked.plain):
        return None
    since, ahead = _SINCE.search(asked.plain), _UNTIL.search(asked.plain)
    if not since and not ahead:
        return None
    _refuse_finer(asked)
    day = asked.days[0].before(asked.today) if since else asked.days[0].after(asked.today)
    name = asked.days[0].name.replace(f"{day:%A}", "").strip(" ").replace("Next", "")
    told = f"{name}, {weekday_said(day)}," if name else weekday_said(day)
    if day == asked.today:
        return f"{told} is today."
    first, last = sorted((day, asked.today))
    if _WORKING.search(asked.plain):
        count = working_days(first + timedelta(1), last)
        goal = (
            f"until {weekday_said(day)}, counted from tomorrow"
            if day > asked.today
            else (f"since {weekday_said(day)}, counted from the day after it")
        )
        return f"There {_are(count, 'working day')} {goal}, public holidays not taken out."
    length = _length(asked.plain, first, last)
    if day > asked.today:
        return f"{told} is in {length}."
    return f"{told} was {length} ago."


def _refuse_finer(asked: Question) -> None:
    if found := _FINER.search(asked.plain):
        raise ToolError(
            f"I reckon with whole days here, not with {found[0]}; ask for days or weeks."
        )


def working_days(first: date, last: date) -> int:
    """The Mondays to Fridays from one day to another, both counted."""
    total = (last - first).days + 1
    if total <= 0:
        return 0
    weeks, rest = divmod(total, 7)
    return weeks * 5 + sum((first + timedelta(one)).weekday() < 5 for one in range(rest))


def _are(count: int, unit: str) -> str:
    return f"{'is' if count == 1 else 'are'} {counted(count, unit)}"


def counted(count: int, unit: str) -> str:
    """A number with what it counts."""
    return f"{count:,} {unit}{'' if count == 1 else 's'}"


def _length(plain: str, first: date, last: date) -> str:
    days = (last - first).days
    unit = re.search(r"\b(day|night|sleep|week|fortnight|month|year|decade)s?\b", plain)
    asked = unit[1] if unit else ""
    if asked in ("night", "sleep", "day"):
        text = counted(days, asked)
        return f"{text}, or {_weeks(days)}" if asked == "day" and days >= 14 else text
    if asked == "week":
        return _weeks(days)
    spelt = in_years(first, last, years=asked != "month")
    return f"{spelt}, or {counted(days, 'day')}" if spelt != counted(days, "day") else spelt


def _weeks(days: int) -> str:
    weeks, rest = divmod(days, 7)
    if not weeks:
        return counted(rest, "day")
    return counted(weeks, "week") + (f" and {counted(rest, 'day')}" if rest else "")


def in_years(first: date, last: date, years: bool = True) -> str:
    """The time between two days in years, months and days."""
    from dateutil.relativedelta import relativedelta

    gone = relativedelta(last, first)
    months = gone.months if years else gone.months + 12 * gone.years
    parts = [counted(gone.years, "year")] if years and gone.years else []
    parts += [counted(months, "month")] if months else []
    parts += [counted(gone.days, "day")] if gone.days or not parts else []
    return listed(parts)
