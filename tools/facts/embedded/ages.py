"""How old somebody is who was born on a day, and when they will be so old."""

from __future__ import annotations

import re
from datetime import date

from controlllm.toolbox import ToolError

from .stretches import Question, counted, in_years, said, weekday_said

_ASKS = re.compile(
    r"\bhow old\b|\bage\b|\bturns?\b|\bturned\b|\bdays old\b|\bborn\b|\bweeks old\b|\bmonths old\b"
)
_TURNS = re.compile(
    r"\b(?:turns?|turned|becomes?|reach(?:es)?|be|get) (?P<age>\d{1,3})\b(?! (?:on|"
    r"january|february))"
)

_BIRTHDAY = re.compile(r"\b(?P<age>\d{1,3})(?:st|nd|rd|th) birthday\b")


def answer(asked: Question) -> str | None:
    """What a question about an age asks; None where it is none."""
    if not _ASKS.search(asked.plain) or re.search(
        r"\bweek ?day\b|\bday of the week\b", asked.plain
    ):
        return None
    year = re.search(
        r"\b(?:born|birth year|from)\b(?: in)?(?: the year)? (\d{4})\b(?![-/.])", asked.plain
    )
    if year and not any(day.start <= year.start(1) < day.end for day in asked.days):
        return _of_year(int(year[1]), asked)
    if not asked.days:
        raise ToolError("I need to know when the person was born; write it like born 5 Feb 1990.")
    _birth_first(asked)
    birth = asked.days[0].before(asked.today)
    if asked.days[0].year is None and "born" in asked.plain and len(asked.days) == 1:
        raise ToolError("I need the year as well; write it like born 5 Feb 1990.")
    if birth > asked.today:
        raise ToolError(f"{said(birth)} is in the future; give me a day of birth that was.")
    if re.search(r"\b(?:next|coming|until|till|to) (?:(?:her|his|my|their|the) )?(?:next "
                 r")?birthday\b",
                 asked.plain):  # fmt: skip
        return _next_birthday(birth, asked)
    if turns := _TURNS.search(asked.plain) or _BIRTHDAY.search(asked.plain):
        return _turning(birth, int(turns["age"]), asked)
    return _old(birth, asked)


def _birth_first(asked: Question) -> None:
    """The day that follows "born" first, whatever is named before it."""
    born = re.search(r"\b(?:born|birthday|birth)\b", asked.plain)
    behind = [day for day in asked.days if born and day.start >= born.end()]
    if behind:
        asked.days.remove(behind[0])
        asked.days.insert(0, behind[0])


def _of_year(year: int, asked: Question) -> str:
    if year > asked.today.year:
        raise ToolError(f"{year} is in the future; give me a year of birth that was.")
    later = re.search(r"\b(?:in|by|at the end of) (\d{4})\b", asked.plain.split("born")[0])
    on = asked.days[0].after(asked.today) if asked.days else None
    now = int(later[1]) if later else on.year if on else asked.today.year
    age = now - year
    when = f"in {now}" if later or on else "now"
    if age <= 0:
        return f"Somebody born in {year} is not yet 1 year old {when}."
    return f"Somebody born in {year} is {age - 1} or {age} years old {when}."


def _next_birthday(birth: date, asked: Question) -> str:
    from dateutil.relativedelta import relativedelta

    age = relativedelta(asked.today, birth).years
    day = birth + relativedelta(years=age)
    if day < asked.today:
        age, day = age + 1, birth + relativedelta(years=age + 1)
    ahead = (day - asked.today).days
    if not ahead:
        return f"The birthday is today: {age} years."
    return f"The next birthday, to turn {age}, is {weekday_said(day)}, in {counted(ahead, 'day')}."


def _old(birth: date, asked: Question) -> str:
    from dateutil.relativedelta import relativedelta

    day, future = asked.today, False
    if len(asked.days) > 1:
        day = asked.days[1].after(birth)
        future = True
    elif later := re.search(r"\b(?:will|would)\b.*\bin (\d{4})\b", asked.plain):
        age = int(later[1]) - birth.year
        return f"Somebody born on {said(birth)} turns {age} in {later[1]}."
    if day < birth:
        raise ToolError("That day is before the birth; give me a later one.")
    when = f"on {said(day)}" if future else "today"
    if unit := re.search(r"\b(days|weeks|months)\b", asked.plain):
        days = (day - birth).days
        gone = relativedelta(day, birth)
        figures = {"days": days, "weeks": days // 7, "months": gone.years * 12 + gone.months}
        age_said = f"{figures[unit[1]]:,} {unit[1]}"
        return f"Somebody born on {said(birth)} is {age_said} old {when}."
    years = relativedelta(day, birth).years
    if years < 3:
        return f"Somebody born on {said(birth)} is {in_years(birth, day)} old {when}."
    return f"Somebody born on {said(birth)} is {counted(years, 'year')} old {when}."


def _turning(birth: date, age: int, asked: Question) -> str:
    from dateutil.relativedelta import relativedelta

    try:
        day = birth + relativedelta(years=age)
    except ValueError as error:
        raise ToolError("That is after the year 9999; ask for a smaller age.") from error
    verb = "turned" if day < asked.today else "turns"
    ahead = (day - asked.today).days
    away = f", in {counted(ahead, 'day')}" if ahead > 0 else ""
    return f"Somebody born on {said(birth)} {verb} {age} on {weekday_said(day)}{away}."
