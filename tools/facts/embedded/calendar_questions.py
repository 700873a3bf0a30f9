"""Questions that a calendar answers: how long until a day, the day after so many, ages, weeks."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta

from controlllm.toolbox import ToolError

from ...shared.sentences import listed
from . import ages, stretches
from .day_phrases import _MONTH, _MONTHS, _WEEKDAY, _WEEKDAYS, FIRST_YEAR, Day, days_in
from .numbers import in_figures
from .stretches import Question, said, weekday_said

_LONGEST = 500
#: Where a second question begins.
_NEXT = re.compile(
    r"[?.]\s+(?=how|what|when|which|by when|on what)|[,;]?\s+and (?:also )?(?=(?:how|what|when|"
    r"which|on (?:what|which))\b)|;\s+(?=how|what|when)"
)
_ASKS = re.compile(r"\b(?:how|what|which|when)\b")
_AGO_OR_ON = re.compile(r"\b\d+ (?:\w+ )?(?:days?|weeks?|months?|years?|workdays?)\b")
_WORKDAYS = re.compile(
    r"[,.;?(]?\s*\b(?:we work |i work |only |just )*(?:from )?monday (?:to|through|till|until|-) "
    r"friday\b(?: we work| i work| only)?\)?|[,.;(]?\s*\b(?:both|including both|with both|first "
    r"and last) "
    r"(?:days?|dates?|ends)?(?: are| being)? ?(?:counted|included|inclusive|count)?\b\)?"
)
_WHICH_DAY = re.compile(
    r"(?:on )?(?:what|which) (?:week ?day|day(?: of the week)?)(?: (?:is|was|will) (?:it|that|"
    r"this)(?: be)?)?"
)
#: A day that was named before: "until then".
_THEN = re.compile(
    r"\b(until|till|til|up to)$|\b(until|till|til|to|before|from|since|after|and|between|by|up "
    r"to) (?:then|that (?:day|date|one|"
    r"time)|this (?:day|date)|the (?:same )?(?:day|date))\b(?! of| after| before)"
)
_STRETCH = re.compile(r"\b(?:from|between)\b.*\b(?:to|until|till|til|and)\b")
_NO_DATE = (
    "I find no question about a date in this; ask something like how many days until "
    "24 December, or what date is 90 days after 1 June 2026."
)


def answer(text: str, today: date) -> str:
    """The sentence that answers a question about dates; raises ToolError where it is none."""
    if len(text) > _LONGEST:
        raise ToolError(
            "That is too long for a question about dates. Give me the words that matter."
        )
    plain = _plain(text)
    assumed = re.match(r"(?:if|assuming|suppose|say) (?:that )?today (?:is|was|were) ", plain)
    if assumed and (named := days_in(plain, today)) and named[0].start < assumed.end() + 12:
        today, plain = named[0].after(today), plain[named[0].end :]
    if stretches.counts_working_days(plain):
        # "We work Monday to Friday, both days counted" is how working days are counted.
        plain = _WORKDAYS.sub(" ", plain)
    parts = [part for part in _NEXT.split(plain) if part.strip()]
    if len(parts) > 1 and not _ASKS.search(parts[0]) and _AGO_OR_ON.search(parts[0]):
        # "Due 21 days after 10 June. On what day is that?"
        try:
            return _answered(plain, today)
        except ToolError:
            pass
    if len(parts) > 1 and _AGO_OR_ON.search(parts[0]) and all(map(_WHICH_DAY.fullmatch, parts[1:])):
        # The day that is reckoned is told with its weekday.
        return _answered(parts[0], today)
    if len(parts) > 1:
        try:
            return "\n".join(_answered(part, today) for part in _each_dated(parts, today))
        except ToolError:
            pass  # They are one question after all.
    return _answered(plain, today)


def _each_dated(parts: list[str], today: date) -> list[str]:
    """The questions, each with the day that the one before it names where it names none."""
    found: list[str] = []
    named = ""
    for part in parts:
        if named:
            part = _THEN.sub(rf"\1\2 {named.removeprefix('born on ')}", part)
        days = days_in(part, today)
        if days:
            born = "born on " if re.search(r"\bborn\b", part) else ""
            # Of a stretch, what is asked next is asked of its end.
            told = days[-1] if len(days) == 2 and _STRETCH.search(part) else days[0]
            named = born + part[told.start : told.end]
            if found or re.search(r"\b(?:how|what|which|when)\b", part):
                found.append(part)
        elif not re.search(r"\b(?:how|what|which|when)\b", part):
            continue
        else:
            is_length = re.search(r"\bhow (?:long|many (?:days|weeks|months|years))\b", part)
            since = "since " if is_length and named[:4] != "born" else ""
            found.append(f"{part} {since}{named}".strip() if named else part)
    return found


def _answered(plain: str, today: date) -> str:
    unknown = _THEN.search(plain)
    if unknown and len(days_in(plain, today)) < 2:
        raise ToolError(
            f"It is not clear which day “{unknown[0]}” is. Name both days in one sentence, such as "
            "from 12 March 2026 to 25 April 2026."
        )
    asked = Question(plain, days_in(plain, today), today)
    for way in _WAYS:
        if (found := way(asked)) is not None:
            notes = list(dict.fromkeys(day.note for day in asked.days if day.note))
            return f"{found[:-1]} ({'; '.join(notes)})." if notes else found
    raise ToolError(_NO_DATE)


def _plain(text: str) -> str:
    text = " ".join(text.lower().replace("’", "'").replace("–", "-").split())
    text = re.sub(
        r"\b(mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)\b\.?(?! ?\d{4})", _long_weekday, text
    )
    text = re.sub(
        r"\b(?:a|an|one) (?=(?:day|week|month|year|fortnight|decade|couple)\b)", "1 ", text
    )
    # "Between 5 and 10 June 2026" is from one day of that month to another.
    text = re.sub(
        r"\b(\d{1,2})(?:st|nd|rd|th)? (and|to|until|till|-) "
        rf"(?=(\d{{1,2}})(?:st|nd|rd|th)? ({_MONTH})\b( \d{{4}})?)",
        r"\1 \4\5 \2 ",
        text,
    )
    text = re.sub(r"\b(?:1|a) couple(?: of)?\b", "2", text)
    return " ".join(in_figures(text, 0.0).rstrip(" ?!.").split())


def _long_weekday(match: re.Match[str]) -> str:
    name = next((day for day in _WEEKDAYS if day.startswith(match[1][:3])), match[0])
    # "Sun" and "sat" are words as well, "fri" and "wed" hardly.
    return match[0] if match[1] in ("sun", "sat", "mon") else name


def _leap_year(asked: Question) -> str | None:
    if not re.search(r"\bleap ?years?\b", asked.plain):
        return None
    year = re.search(r"(?<![\d.])(\d{1,4})(?![\d.])", asked.plain)
    if year and int(year[1]) > 0:
        leap = calendar.isleap(int(year[1]))
        word, article = ("Yes", "a") if leap else ("No", "no")
        return f"{word}, {year[1]} is {article} leap year: it has {366 if leap else 365} days."
    if re.search(r"\bdays (?:in|does|has|are)\b", asked.plain):
        return "A leap year has 366 days."
    if re.search(r"\b(?:next|coming|when)\b", asked.plain):
        found = next(one for one in range(asked.today.year + 1, 10_000) if calendar.isleap(one))
        return f"The next leap year is {found}."
    if re.search(r"\blast|previous\b", asked.plain):
        found = next(one for one in range(asked.today.year - 1, 0, -1) if calendar.isleap(one))
        return f"The last leap year was {found}."
    found = asked.today.year
    return f"{found} is {'a' if calendar.isleap(found) else 'no'} leap year."


def _length_of_month(asked: Question) -> str | None:
    plain, now = asked.plain, asked.today
    asks = re.search(
        r"\b(?:how many|number of|how long|the)?\b ?(?:days|weeks|long) ?(?:in|are|has|does|is)?\b",
        plain,
    )
    if (
        asked.days
        or not asks
        or not re.search(r"\bhow (?:many|long)\b|\bnumber of\b|\bdays in\b", plain)
    ):
        return None
    weeks = re.search(r"\bweeks\b", plain)
    working = re.search(r"\b(?:work(?:ing)?|business) ?days\b|\bweekdays\b", plain)
    plain = re.sub(r"\b(?:this|the current) month\b", f"{now:%B} {now.year}".lower(), plain)
    plain = re.sub(r"\b(?:this|the current) year\b", str(now.year), plain)
    if found := re.search(
        rf"\b({_MONTH})\b(?: (?:of |in )?(\d{{4}}))?$|\b({_MONTH})\b (\d{{4}})", plain
    ):
        month, year = found[1] or found[3], int(found[2] or found[4] or now.year)
        number = _MONTHS.index(month[:3])
        days = calendar.monthrange(_known(year), number)[1]
        if working:
            return _working_days_within(date(year, number, 1), date(year, number, days))
        if weeks:
            return None
        return f"{calendar.month_name[number]} {year} has {days} days."
    found = re.search(r"\b(?:(?:does|in|has|have|is|are)(?: the year)? )(\d{4})\b", plain)
    if found is None:
        return None
    year = _known(int(found[1]))
    if working:
        return _working_days_within(date(year, 1, 1), date(year, 12, 31))
    if weeks:
        return f"{year} has {date(year, 12, 28).isocalendar().week} calendar weeks."
    return f"{year} has {366 if calendar.isleap(year) else 365} days."


def _working_days_within(first: date, last: date) -> str:
    count = stretches.working_days(first, last)
    when = f"{first:%B} {first.year}" if first.month == last.month else str(first.year)
    return f"{when} has {count} working days, Monday to Friday, public holidays not taken out."


def _known(year: int) -> int:
    if not 1 <= year <= 9999:
        raise ToolError("I know the years from 1 to 9999; give me one of these.")
    return year


def _weekdays_in_month(asked: Question) -> str | None:
    found = re.search(
        rf"\bhow many ({_WEEKDAY})s .*?\b(?:in|of|does|has)\b ?(?:({_MONTH})\b)? "
        rf"?(?:of )?(\d{{4}})?",
        asked.plain,
    )
    if found is None or not (found[2] or found[3]):
        return None
    year, weekday = _known(int(found[3] or asked.today.year)), _WEEKDAYS.index(found[1])
    months = [_MONTHS.index(found[2][:3])] if found[2] else list(range(1, 13))
    count = sum(
        date(year, month, day).weekday() == weekday
        for month in months
        for day in range(1, calendar.monthrange(year, month)[1] + 1)
    )
    where = f"{calendar.month_name[months[0]]} {year}" if found[2] else str(year)
    return f"There are {count} {found[1].title()}s in {where}."


def _days_of_week(asked: Question) -> str | None:
    found = re.search(
        r"\bweek (?:number |no\.? )?(\d{1,2})\b(?:,? (?:of |in )?(?:the year )?(\d{4}))?",
        asked.plain,
    )
    if found is None:
        return None
    year = _known(int(found[2] or asked.today.year))
    try:
        first = date.fromisocalendar(year, int(found[1]), 1)
    except ValueError as error:
        raise ToolError(
            f"{year} has no week {found[1]}; give me one from 1 to 52 or 53."
        ) from error
    last = first + timedelta(6)
    return (
        f"Week {int(found[1])} of {year} goes from {weekday_said(first)} to {weekday_said(last)}."
    )


def _week_number(asked: Question) -> str | None:
    if not re.search(
        r"\b(?:what|which) (?:calendar |iso )?week\b(?! ?days?)|\bweek ?(?:number|"
        r"no)\b|\bcalendar week\b|\bcw\b",
        asked.plain,
    ):
        return None
    if not asked.days and re.search(r"\d", asked.plain):
        return None
    day = asked.days[0].after(asked.today) if asked.days else asked.today
    iso = day.isocalendar()
    other = f" of {iso.year}" if iso.year != day.year else ""
    return f"{weekday_said(day)} is in calendar week {iso.week}{other}."


def _day_of_year(asked: Question) -> str | None:
    if not re.search(r"\bday (?:number )?(?:of|in) the year\b|\bday number\b", asked.plain):
        return None
    day = asked.days[0].after(asked.today) if asked.days else asked.today
    length = 366 if calendar.isleap(day.year) else 365
    return f"{said(day)} is day {day.timetuple().tm_yday} of the {length} of {day.year}."


def _days_left(asked: Question) -> str | None:
    found = re.search(
        r"\b(days|weeks|working days)\b.*\b(?:left|remain\w*|to go)\b.*\b(year|month)\b",
        asked.plain,
    )
    if found is None or asked.days:
        return None
    now = asked.today
    end = date(now.year, 12, 31)
    if found[2] == "month":
        end = now.replace(day=calendar.monthrange(now.year, now.month)[1])
    asked.days.append(Day(0, 0, lambda year: end, end.year, "the end"))
    return stretches.until(asked)


def _yes_or_no(asked: Question) -> str | None:
    found = re.search(
        rf"^(?:is|was|will|does|did|were)\b.*\b(?:an? |on an? |the |on the |at the "
        rf")?({_WEEKDAY}|weekend|weekday|work(?:ing)? ?day)$",
        asked.plain,
    )
    days = [day for day in asked.days if found and day.end <= found.start(1)]
    if found is None or not days:
        return None
    day = _told_day(asked, days[0])
    fits = {"weekend": day.weekday() > 4}.get(found[1], day.weekday() < 5)
    if found[1].endswith("day") and found[1] in _WEEKDAYS:
        fits = day.weekday() == _WEEKDAYS.index(found[1])
    verb = "was" if day < asked.today else "is"
    return f"{'Yes' if fits else 'No'}, {said(day)} {verb} a {_weekday(day)}."


def _told_day(asked: Question, day: Day) -> date:
    past = re.search(r"\b(?:was|were|did|fell)\b", asked.plain)
    return day.before(asked.today) if past else day.after(asked.today)


def _weekday(day: date) -> str:
    if day.year < FIRST_YEAR:
        raise ToolError(f"Weekdays I can tell from {FIRST_YEAR} on; give me a later date.")
    return f"{day:%A}"


def _which_weekday(asked: Question) -> str | None:
    asks = re.search(
        r"\bweek ?day\b|\bday of (?:the )?week\b|\b(?:what|which) day\b(?! of the "
        r"(?:year|month))|\bwhat's the day\b",
        asked.plain,
    )
    if not asks or len(asked.days) != 1:
        return None
    day = _told_day(asked, asked.days[0])
    verb = "was" if day < asked.today else "is"
    return f"{said(day)} {verb} a {_weekday(day)}."


def _which_weekdays(asked: Question) -> str | None:
    """The weekdays of several days, and the time between two where that is asked for as well."""
    asks = re.search(
        r"\b(?:what|which|on what|on which) (?:week ?days?|days? of (?:the )?week|days?)\b",
        asked.plain,
    )
    if not asks or len(asked.days) < 2 or "how many week" in asked.plain:
        return None
    told = []
    for named in asked.days:
        day = _told_day(asked, named)
        told.append(f"{said(day)} {'was' if day < asked.today else 'is'} a {_weekday(day)}")
    whole = f"{listed(told)}."
    rest = stretches.between(asked) if re.search(r"\bhow (?:many|long)\b", asked.plain) else None
    return f"{whole} {rest}" if rest else whole


def _when(asked: Question) -> str | None:
    asks = re.search(r"\bwhen\b|\bdate\b|\bwhat(?: day)? is\b|^next\b|\bwhich day\b", asked.plain)
    alone = len(asked.days) == 1 and asked.days[0].words == asked.plain and asked.days[0].name
    if not (asks or alone) or len(asked.days) != 1:
        return None
    # "When was the battle of 14 July 1789" asks for more than a calendar.
    rest = asked.plain[: asked.days[0].start] + asked.plain[asked.days[0].end :]
    if re.sub(rf"\b(?:{_ASKING})\b|['?,]", "", rest).strip():
        return None
    named = asked.days[0]
    day = _told_day(asked, named)
    verb = "was" if day < asked.today else "is"
    if not named.name:
        return f"{said(day)} {verb} a {_weekday(day)}."
    return f"{named.name} {verb} on {weekday_said(day)}."


_ASKING = (
    r"when|what|which|what's|whats|date|is|was|the|of|on|day|does|fall|falls|will|"
    r"be|it|s|in|please|tell|me|"
    r"exactly|did|celebrated|tell|can|you|for"
)

_WAYS: tuple[Callable[[Question], str | None], ...] = (
    _which_weekdays,
    _leap_year, _weekdays_in_month, ages.answer, stretches.to_the_end, stretches.arithmetic,
    _days_of_week, _day_of_year,
    _week_number, _days_left, stretches.between, stretches.until, _length_of_month, _yes_or_no,
    _which_weekday, _when,
)  # fmt: skip
