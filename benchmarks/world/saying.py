"""What an answer says: numbers, times, dates and names in people's spellings."""

from __future__ import annotations

import datetime
import re

from benchmarks.world.apis import setting
from benchmarks.world.facts import plain
from benchmarks.world.tasks import Fact

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
).split()
_NUMBER = re.compile(
    r"(?<![\w.,])[-−]?(?:\d{1,3}(?:[ ,.'\u00a0\u202f]\d{3})+(?!\d)|\d+)(?:[.,]\d+)?"
)
_JSON = re.compile(r"[\[{].*[\]}]", re.DOTALL)
_HOUR_NAMES = dict(enumerate(_WORDS))

#: What an answer says that owns up to not having one.
_GIVES_UP = re.compile(
    r"\b(sorry|unfortunately|unable|impossible|could ?n.?t|can ?not|can.t|not able|not possible"
    r"|(do|does|did) ?n.?t (know|find|say|exist)|(do|does|did) not (know|find|say|exist)"
    r"|could not|no (tool|api|service|way|information|data|result)s?|none of the"
    r"|not (available|found|known|offered|in stock)|gave up|give up|out of stock)\b"
)


def says(answer: str, fact: Fact) -> bool:
    """Whether an answer says a fact and nothing that contradicts it."""
    text = plain(answer)
    if any(_stands(spelling, text) for spelling in fact.not_said):
        return False
    if fact.any and not any(_stands(spelling, text) for spelling in fact.any):
        return False
    if fact.time and not any(_stands(spelling, text) for spelling in spellings_of_time(fact.time)):
        return False
    if fact.date and not any(_stands(spelling, text) for spelling in spellings_of_date(fact.date)):
        return False
    if not fact.numbers:
        return True
    # What has to be reckoned is not said where the figures that lead to it are quoted.
    said = numbers_in(plain(_JSON.sub(" ", answer)) if fact.reckoned else text)
    return any(
        abs(number - wanted) <= fact.tolerance + 1e-9 for number in said for wanted in fact.numbers
    )


def gives_up(answer: str) -> bool:
    """Whether an answer says that there is none; an empty one does not say it."""
    return bool(_GIVES_UP.search(plain(answer)))


def numbers_in(text: str) -> set[float]:
    """All numbers that a text may be read to say: 1,081.08 and 1.081,08 are the same."""
    found: set[float] = set()
    for told in _NUMBER.findall(text):
        digits = re.sub(r"[ '\u00a0\u202f]", "", told.replace("−", "-"))
        for comma, point in ((",", "."), (".", ",")):
            plain_digits = digits.replace(comma, "").replace(point, ".")
            # Of 1.250 both readings are meant; 1.5 can be no one and a half thousand.
            grouped = re.fullmatch(rf"-?\d{{1,3}}(\{comma}\d{{3}})*(\{point}\d+)?|-?\d+", digits)
            if grouped or comma not in digits:
                found.update(_as_numbers(plain_digits))
    for number, word in enumerate(_WORDS):
        if re.search(rf"\b{word}\b", text):
            found.add(float(number))
    return found


def spellings_of_time(time: str) -> tuple[str, ...]:
    """19:30 as people write it."""
    hour, minute = map(int, time.split(":"))
    half, twelve = ("pm" if hour >= 12 else "am"), hour % 12 or 12
    found = [f"{hour}:{minute:02}", f"{hour:02}:{minute:02}", f"{hour}.{minute:02}"]
    found += [f"{hour}h{minute:02}", f"{hour:02}h{minute:02}"]
    for gap in ("", " "):
        for name in (half, f"{half[0]}.m."):
            found += [f"{twelve}:{minute:02}{gap}{name}", f"{twelve}.{minute:02}{gap}{name}"]
            if not minute:
                found.append(f"{twelve}{gap}{name}")
    if not minute:
        found += [f"{hour} o'clock", f"{_HOUR_NAMES[twelve]} o'clock", f"{twelve} o'clock"]
    if minute == 30:
        found += [f"half past {_HOUR_NAMES[twelve]}", f"half past {twelve}"]
    if minute == 15:
        found += [f"quarter past {_HOUR_NAMES[twelve]}", f"quarter past {twelve}"]
    return tuple(found)


def spellings_of_date(date: str) -> tuple[str, ...]:
    """A day of this world's year, or month and day alone, as people write it."""
    with_year = date if len(date) > 5 else f"{setting().today[:4]}-{date}"
    day = datetime.date.fromisoformat(with_year)
    number, ending = day.day, _ending(day.day)
    found = [with_year[5:], f"{number}.{day.month}.", f"{number:02}.{day.month:02}."]
    found += [f"{number}.{day.month}.{day.year}", f"{number:02}.{day.month:02}.{day.year}"]
    found += [f"{number}/{day.month}", f"{number:02}/{day.month:02}"]
    if len(date) > 5:
        found.append(date)
    for month in (day.strftime("%B").lower(), day.strftime("%b").lower()):
        found += [f"{number} {month}", f"{number}{ending} {month}", f"{number}{ending} of {month}"]
        found += [f"{month} {number}", f"{month} {number}{ending}", f"{number}. {month}"]
        found += [f"{month} {number:02}", f"{number:02} {month}"]
    return tuple(found)


def _stands(spelling: str, text: str) -> bool:
    found = plain(spelling)
    return bool(re.search(rf"(?<![\w]){re.escape(found)}s?(?![a-z0-9])", text))


def _ending(day: int) -> str:
    if day in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _as_numbers(digits: str) -> set[float]:
    try:
        return {float(digits)}
    except ValueError:
        return set()
