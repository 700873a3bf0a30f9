"""Questions that compare rows with each other: how often, doubles, from one to another."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .answer_words import where_said
from .asking import Asked, Item, asked_of
from .cells import Column
from .condition_words import C, N
from .conditions import conditions_in
from .measures import is_measure, measure_of, measures, written
from .plain_requests import IGNORED, reject_leftovers
from .reading import Sheet

_TIMES = rf"(?:once|twice|{N} times|a single time|one time)"
_OFTEN = re.compile(
    r"(?<!\w)(?P<way>more (?:often )?than|at least|exactly|only|just|no more than)? "
    rf"?(?P<times>{_TIMES})"
    r"(?P<more> or more)?(?!\w)"
)
_MANY = re.compile(
    rf"(?<!\w)(?P<way>more than|at least|exactly|only|just|no more than) (?P<times>one|an?|{N}) "
    r"(?P<more>)(?:[a-z]+|C\d+)(?!\w)"
)
_DOUBLES = re.compile(
    r"(?<!\w)(?:duplicates?|duplicated|doubles?|double (?:entries|rows)|repeated|repeats|"
    r"repeat)(?!\w)"
)
_GROWN = re.compile(
    r"(?<!\w)(?:grow|grew|grown|rise|rose|risen|fall|fell|fallen|drop|dropped|increase[ds]?|gain|"
    r"gained|lose|lost|decrease[ds]?|change[ds]?|difference|differ|more|less|higher|lower|"
    r"develop\w*|"
    r"go up|gone up|went up|go down|went down)(?!\w)"
)
_FROM_TO = re.compile(
    r"(?<!\w)(?:from|between|in|on|for)? ?(?P<one>[VD]\d+) (?:to|and|until|than(?: in| on)?|"
    r"(?:compared "
    r")?with|compared to|against|vs\.?|till) (?P<two>[VD]\d+)(?!\w)"
)
_HELD = re.compile(r" (?:than|compared|against|with|vs)\b")
_SEVERAL = re.compile(
    r"\?\s+(?=\S)|;\s+|[,.]?\s+and (?:also )?(?=(?:how (?:many|much)|what|who|which|when|"
    r"where)\b)|,\s+"
    r"(?=(?:how (?:many|much)|what|who|which|when)\b)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\b(?:how|what|who|whose|which|when|where|\d+)\b", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:their|those|them|these|it|its|that|they)\b", re.IGNORECASE)


def several_questions(question: str, sheet: Sheet | None = None) -> list[str]:
    """The questions of a text, each by itself; one where a later one speaks of an earlier."""
    found = [one.strip() for one in _SEVERAL.split(question) if one and one.strip(" .?!")]
    # "All in all, how much went to rent" is one question.
    found = [one for one in found if _ASKS.search(one) or not _says_nothing(one)]
    if len(found) == 2 and re.search(r"\bof (?:them|those|these)\b", found[1], re.IGNORECASE):
        # "How many are under 16, and how many of them survived": the second asks of those only.
        of_whom = re.sub(
            r"\bhow (?:many|much)(?P<who> [a-z]+)?",
            # "How many women" says of whom, and "how many orders" only what the rows are.
            lambda said: said["who"] or " " if _is_named(sheet, said["who"]) else " ",
            found[0],
            flags=re.IGNORECASE,
        )
        return [found[0], f"{found[1].rstrip(' ?.!')} {of_whom}"]
    if any(_BEFORE.search(one) for one in found[1:]) or any(len(one.split()) < 2 for one in found):
        return [question]
    return found


def _is_named(sheet: Sheet | None, word: str | None) -> bool:
    """Whether a word is a value that stands in the table."""
    if sheet is None or not word:
        return False
    return any(item.cells for item in asked_of(sheet, word.strip()).items.values())


def _says_nothing(words: str) -> bool:
    return IGNORED.issuperset(re.findall(r"[a-z']+", words.lower()))


_IN = (
    r"(?:take|took|taken|come|came|comes|get|got|bring|brought|coming) in|income|takings|received|"
    r"earn(?:ed)?|receipts|deposits|deposited"
)
_LEFT = re.compile(
    r"(?<!\w)(?:what|how much) (?:remains?|(?:is|was) left|(?:is|was) remaining|(?:is|was) over)"
    r"(?: over)?(?: (?:at|in) the end)?(?!\w)"
)
_OUT = (
    r"(?:go|goes|went|gone|paid|pay|going) out|spen[dt]|expenses?|outgoings|expenditure|withdrawn|"
    r"withdrawals|paid|costs"
)


def both_ways(sheet: Sheet, question: str) -> list[str]:
    """ "Our income and our expenses" as two questions, where both stand in one column."""
    found = [re.search(rf"\b(?:{words})\b", question, re.IGNORECASE) for words in (_IN, _OUT)]
    if not all(found) or _flowing(sheet) is None:
        return [question]
    return [
        re.sub(
            rf"(?:,? and )?(?:\bour |\bthe |\bmy )*\b(?:{words})\b",
            " ",
            question,
            flags=re.IGNORECASE,
        ).replace("What", "How much")
        for words in (_OUT, _IN)
    ]


def _flowing(sheet: Sheet) -> Column | None:
    """The only column with amounts below zero, where it has such above as well."""
    columns = [column for column in measures(sheet) if min(column.numbers, default=0) < 0]
    return columns[0] if len(columns) == 1 and max(columns[0].numbers) > 0 else None


def with_flow(asked: Asked) -> None:
    """Of amounts above and below zero, what was taken in are those above and what went out those
    below: said in the line as such."""
    column = _flowing(asked.sheet)
    if column is None:
        return
    if not re.search(r"(?<!\w)(?:how much|what|totals?|sum)(?!\w)", asked.line):
        return
    if re.search(r"(?<!\w)(?:most|least|highest|lowest|largest|smallest|biggest|each|per|by)(?!\w)",
                 asked.line):  # fmt: skip
        return
    # "What remains in the end" is what both come to.
    asked.line = _LEFT.sub(" total ", asked.line)
    mark = "C998"
    asked.items[mark] = Item(column.name, column=column)
    for pattern, word in ((_IN, "positive"), (_OUT, "negative")):
        asked.line = re.sub(
            rf"(?<!\w)(?:{pattern})(?!\w)", f" total {word} {mark} ", asked.line, count=1
        )


def doubles(asked: Asked, rows: Sequence[int]) -> str | None:
    """How many rows, or values of the named column, are there more than once."""
    if not _DOUBLES.search(asked.line):
        return None
    asked.line = _DOUBLES.sub(" ", asked.line)
    named = [asked.column(mark) for mark in re.findall(C, asked.line)]
    columns = [column for column in named if column is not None] or list(asked.sheet.columns)
    found: dict[tuple[str, ...], int] = {}
    for row in rows:
        key = tuple(" ".join(column.cells[row].split()).casefold() for column in columns)
        found[key] = found.get(key, 0) + 1
    several = {key: count for key, count in found.items() if count > 1}
    what = f"of {' and '.join(column.name for column in columns)}" if named else "rows"
    if not several:
        return f"There are no duplicates {what if named else 'among the rows'}."
    extra = sum(several.values()) - len(several)
    listed = "; ".join(
        f"{', '.join(key)} ({count} times)" for key, count in list(several.items())[:20]
    )
    return (
        f"There {'is 1 duplicate' if extra == 1 else f'are {extra:,} duplicates'}: "
        f"{len(several):,} different {'values' if named else 'rows'} stand there more than "
        f"once: {listed}."
    )


def frequency_in(asked: Asked) -> tuple[str, int] | None:
    """How often something shall be there, taken out of the line: "only once"."""
    found = _OFTEN.search(asked.line)
    if not found and not measures(asked.sheet):
        # Where nothing is reckoned with, a number of things is one of rows.
        found = _MANY.search(asked.line)
    if not found or not re.search(r"(?<!\w)(?:who|which|what|whose)(?!\w)", asked.line):
        return None
    word = re.search(N, found["times"])
    number = round(asked.items[word[0]].number) if word else 2 if "twice" in found["times"] else 1
    way = "at least" if found["more"] else found["way"] or ""
    asked.take(found, " ")
    return way, number


def by_frequency(
    asked: Asked, wanted: tuple[str, int], who: Column | None, rows: Sequence[int]
) -> str | None:
    """Who is there once, twice or more often than that."""
    way, number = wanted
    named = [column for mark in re.findall(C, asked.line) if (column := asked.column(mark))]
    column = next((one for one in named if one.kind == "text" and one is not who), None) or who
    if who is not None and re.search(r"(?<!\w)(?:which|what) C", asked.line):
        column = who
    if column is None:
        return None
    counts: dict[str, int] = {}
    for row in rows:
        if cell := column.cells[row].strip():
            counts[cell] = counts.get(cell, 0) + 1
    fits = {
        "more": lambda count: count > number, "at l": lambda count: count >= number,
        "no m": lambda count: count <= number,
    }.get(way[:4], lambda count: count == number)  # fmt: skip
    names = [f"{name} ({count})" if way[:4] in ("more", "at l") else name
             for name, count in counts.items() if fits(count)]  # fmt: skip
    times = {1: "once", 2: "twice"}.get(number, f"{number} times")
    said = f"{way} {times}".strip()
    if not names:
        return f"No {column.name} is there {said}."
    return (
        f"{', '.join(names)}: {len(names):,} of {len(counts):,} different values of "
        f"{column.name} {'is' if len(names) == 1 else 'are'} there {said}."
    )


def difference(asked: Asked) -> str | None:
    """By how much a number is another in one row, or time, than in the other."""
    found = _FROM_TO.search(asked.line)
    if not found:
        return None
    line = f"{asked.line[: found.start()]} ; {asked.line[found.end() :]}"
    is_held = _HELD.search(found[0])
    if not is_held and not _GROWN.search(line):
        return None
    ends = [asked.items[found[name]] for name in ("one", "two")]
    named = list(filter(is_measure, asked.named(asked.line)))
    column = named[0] if named else measure_of(asked, "is meant")
    # What else is said picks rows: "how much more for gifts in March than in May".
    asked.line = _GROWN.sub(" ", line)
    conditions = conditions_in(asked)
    meant = set(conditions.rows(asked.sheet.count))
    totals = []
    for end in ends:
        numbers = [value for row in _rows_of(asked.sheet, end)
                   if row in meant and isinstance(value := column.values[row], float)]  # fmt: skip
        if not numbers and not conditions:
            return None
        totals.append(sum(numbers))
    reject_leftovers(asked)
    where = where_said(conditions)
    if is_held:
        return _held(column, ends, totals, where)
    before, after = totals
    asked.line = ""
    change = after - before
    share = f", {'+' if change > 0 else ''}{change * 100 / before:.1f} %" if before else ""
    word = "rose" if change > 0 else "fell" if change < 0 else "did not change"
    by = f" by {written(abs(change), column)}" if change else ""
    return (
        f"{column.name}{where} {word}{by} from {ends[0].said} ({written(before, column)}) to "
        f"{ends[1].said} ({written(after, column)}){share}."
    )


def _held(column: Column, ends: Sequence[Item], totals: Sequence[float], where: str) -> str:
    """The first held against the second: "how much more in March than in February"."""
    one, two = totals
    # Of what was spent there is more where the amounts are further below zero.
    sign = -1 if max(totals) <= 0 else 1
    apart = sign * (one - two)
    share = f", {apart * 100 / abs(two):+.1f} %" if two else ""
    word = "more" if apart > 0 else "less"
    said = f"{written(abs(apart), column)} {word} in" if apart else "the same in"
    return (
        f"{column.name}{where} is {said} {ends[0].said} ({written(one, column)}) "
        f"{'than' if apart else 'and'} in {ends[1].said} ({written(two, column)}){share}."
    )


def _rows_of(sheet: Sheet, item: Item) -> list[int]:
    """The rows that have a value, or lie in a time."""
    if item.period is not None:
        dates = next((column for column in sheet.columns if column.kind == "date"), None)
        if dates is None:
            return []
        from .row_tests import in_periods

        return [row for row in range(sheet.count) if in_periods(dates, [item.period])(row)]
    place, cells = next(iter(item.cells.items()))
    column = sheet.columns[place]
    return [row for row in range(sheet.count) if column.cells[row].strip().casefold() in cells]
