"""What stands in the cells of a column: numbers, dates or words, decided for all at once."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...shared.written_dates import MONTH_NAMES

EMPTY = frozenset({"", "-", "–", "—", "n/a", "na", "null", "none", "nan", "#n/a", "#ref!", "?"})
_CURRENCIES = (
    r"[€$£¥₹₽₺₩₪]|(?:EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|INR|AUD|CAD|Fr\.|kr\.?|zł|Rs\.?)"
)
_NUMBER = re.compile(
    rf"(?P<open>\()?(?P<sign>[-+−])?\s*(?P<before>{_CURRENCIES})?\s*(?P<inner>[-+−])?"
    r"(?P<digits>\d[\d.,'’ \u00a0\u202f\u2009]*|[.,]\d+)(?P<power>[eE][-+]?\d{1,3})?\s*"
    rf"(?P<after>%|{_CURRENCIES}|[a-zA-Z°²³/µ]{{1,8}}(?:(?<=m)[23])?\.?)?(?P<trailing>-)?(?P<close>\))?"
)
_CLOCK = re.compile(r"(\d{1,3}):([0-5]\d(?:\.\d+(?!:))?)(?::([0-5]\d(?:\.\d+)?))?")
_ISO = re.compile(
    r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?"
    r"(?:Z|[+-]\d{2}:?\d{2})?)?"
)
_FIGURES = re.compile(
    r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?:,?[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?"
)
_MONTH_YEAR = re.compile(r"(\d{1,2})[/.](\d{4})")
_HAS_MONTH = re.compile(
    r"\b(?:jan|feb|mar|mär|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zä]*\b", re.IGNORECASE
)
_ZERO_FIRST = re.compile(r"0\d+")
#: How many of the cells must be numbers (or dates) for the column to be one of these.
_MOST_OF = 0.85
#: Of a column that is called a date, so many are enough: "tbc" may stand among them.
_MANY_OF = 0.5
_DATE_NAME = re.compile(r"\b(?:dates?|datum|dated|day|tag)\b", re.IGNORECASE)
_WEEKDAY = re.compile(
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|mo|di|mi|do|fr|sa|so)"
    r"[.,]{0,2} (?=\d)",
    re.IGNORECASE,
)
MONTHS = (
    "january february march april may june july august september october november december"
).split()
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_PARTS_IN_ORDER = [
    {name: place for place, name in enumerate(names)}
    | {name[:3]: place for place, name in enumerate(names)}
    for names in (MONTHS, WEEKDAYS)
] + [{f"q{number}": number for number in range(1, 5)}]

#: How cells say yes and no.
YES = frozenset({"yes", "y", "true", "1", "ja", "x", "✓"})
NO = frozenset({"no", "n", "false", "0", "nein", "", "-"})
#: Words in the name of a column whose numbers only tell things apart.
_NAMING = frozenset(
    "id ids nr no code zip plz postcode phone tel telephone mobile fax index sku ean isbn iban "
    "rank "
    "#".split()
)

#: Columns whose numbers may be what somebody is called by.
_CALLED = (["order"], ["invoice"], ["ticket"], ["booking"], ["receipt"], ["customer"])

Value = float | dt.datetime | None


@dataclass
class Column:
    """A column: its name, its cells as they are written, and what they mean.

    `kind` is "number", "date" or "text"; `values` has a number, a moment or nothing for each cell
    of the first two. `before` and `after` stand around its numbers, `decimals` and `decimal_mark`
    are theirs.
    `is_clock` says that they are hours written as 7:30. `is_unsure` says that whether days or
    months come first could not be told from the dates.
    """

    name: str
    cells: list[str]
    kind: str = "text"
    values: list[Value] = field(default_factory=list)
    before: str = ""
    after: str = ""
    decimals: int = 0
    decimal_mark: str = "."
    is_clock: bool = False
    has_times: bool = False
    is_unsure: bool = False

    @property
    def numbers(self) -> list[float]:
        return [value for value in self.values if isinstance(value, float)]

    @property
    def is_year(self) -> bool:
        """Whether its numbers are years, which are not added up."""
        return (
            self.kind == "number"
            and not (self.before or self.after or self.decimals)
            and all(1000 <= value <= 2200 for value in self.numbers)
            and bool(
                re.search(r"year|jahr|yr\b|season|vintage|born|built|founded", self.name, re.I)
            )
        )

    @property
    def is_whole(self) -> bool:
        """Whether its cells are written as whole numbers without unit or mark: 1000."""
        return all(cell.strip().isdecimal() for cell in self.cells if cell.strip())

    @property
    def is_label(self) -> bool:
        """Whether its numbers only name things: an id, a code, a telephone number."""
        if self.is_year:
            return True
        parts = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", self.name).lower()
        words = re.findall(r"[a-z]+|#", parts)
        if bool(words) and (not _NAMING.isdisjoint(words) or words[-1] in ("number", "nummer")):
            return True
        # Orders 1001, 1002 and so on are called by their numbers.
        return words[-1:] in _CALLED and self.kind == "number" and not self.decimals and (
            len(set(self.numbers)) == len(self.cells) > 2
            and min(self.numbers, default=0) >= 100
        )  # fmt: skip

    @property
    def is_yes_or_no(self) -> bool:
        """Whether each of its cells says yes or no."""
        if self.kind == "date" or len(self.values) > 0 and set(self.values) - {0.0, 1.0, None}:
            return False
        kinds = {cell.strip().casefold() for cell in self.cells}
        return bool(kinds & YES) and kinds <= YES | NO

    def is_empty(self, row: int) -> bool:
        return self.cells[row].strip().lower() in EMPTY

    def sort_key(self, row: int) -> tuple[int, object]:
        """What the rows are put in order by; call it for cells that are not empty."""
        if self.kind in ("number", "date"):
            value = self.values[row]
            return (0, value) if value is not None else (1, self.cells[row].casefold())
        return (0, self._word_key(self.cells[row].strip().casefold()))

    def _word_key(self, word: str) -> object:
        order = self._order
        if order is not None:
            return (order.get(word, 99), word)
        return natural(word)

    @property
    def has_calendar_order(self) -> bool:
        """Whether its words are months, days of the week or quarters."""
        return self.kind == "text" and self._order is not None

    @property
    def _order(self) -> dict[str, int] | None:
        """The calendar's order of names of months, days or quarters, where all cells are such."""
        if not hasattr(self, "_kept_order"):
            words = {cell.strip().casefold() for cell in self.cells} - EMPTY
            fitting = [order for order in _PARTS_IN_ORDER if words and words <= order.keys()]
            self._kept_order = fitting[0] if fitting else None
        return self._kept_order


def natural(word: str) -> tuple[tuple[int, int, str], ...]:
    """An order in which "item 10" comes after "item 9"."""
    return tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part)
        for part in re.split(r"(\d{1,15})", word) if part
    )  # fmt: skip


def typed(columns: Sequence[tuple[str, list[str]]], separator: str = ",") -> list[Column]:
    """The columns with what their cells mean."""
    found = [Column(name, cells) for name, cells in columns]
    marks = [_decimal_mark(column.cells) for column in found]
    sure = Counter(mark for mark in marks if mark in (".", ","))
    usual = "," if sure[","] > sure["."] else "." if sure["."] else "," if separator == ";" else ""
    is_european = usual == ","
    for column, mark in zip(found, marks, strict=True):
        if _as_numbers(column, mark, usual) or _as_clock(column):
            continue
        _as_dates(column, is_european or _is_day_first_by_money(columns))
    return found


def _is_day_first_by_money(columns: Sequence[tuple[str, list[str]]]) -> bool:
    """Where amounts are in euros or pounds, days come before months."""
    some = " ".join(" ".join([name, *cells[:50]]) for name, cells in columns)
    return ("€" in some or "£" in some) and "$" not in some


def _some(cells: Sequence[str]) -> dict[str, int]:
    """Each cell that is not empty, with how often it is there."""
    counted = Counter(cells)
    return {cell: count for cell, count in counted.items() if cell.strip().lower() not in EMPTY}


def _decimal_mark(cells: Sequence[str]) -> str:
    """The decimal mark that the cells leave no doubt of, "" where they do; "?" where a single mark
    with three digits behind it may be either."""
    doubtful = ""
    votes: Counter[str] = Counter()
    for cell in _some(cells):
        found = _NUMBER.fullmatch(cell.strip())
        if not found:
            continue
        digits = found["digits"]
        points, commas = digits.count("."), digits.count(",")
        if points and commas:
            votes["." if digits.rfind(".") > digits.rfind(",") else ","] += 1
        elif points > 1 or commas > 1:
            votes["," if points > 1 else "."] += 1
        elif points or commas:
            mark = "." if points else ","
            whole, _, rest = digits.partition(mark)
            if len(rest.strip()) != 3 or not 1 <= len(whole) <= 3 or whole.startswith("0"):
                votes[mark] += 1
            else:
                doubtful = "?"
    if votes:
        return votes.most_common(1)[0][0]
    return doubtful


def _as_numbers(column: Column, mark: str, usual: str) -> bool:
    """Make it a column of numbers where it is one."""
    some = _some(column.cells)
    if not some:
        return False
    decimal = mark
    if mark == "?":
        # "1,234" is a thousand and more; "1.234" is so only where the others have decimal commas.
        decimal = usual or "."
    decimal = decimal or "."
    read: dict[str, float] = {}
    units: Counter[tuple[str, str]] = Counter()
    decimals = 0
    for cell in some:
        if _ZERO_FIRST.fullmatch(cell.strip()):
            return False  # A code such as 01234 and no amount.
        found = _NUMBER.fullmatch(cell.strip())
        value = _value(found, decimal) if found else None
        if found is None or value is None:
            continue
        read[cell] = value
        units[(found["before"] or "", found["after"] or "")] += some[cell]
        decimals = max(decimals, _decimals(found, decimal))
    total = sum(some.values())
    known = sum(some[cell] for cell in read)
    if known < _MOST_OF * total or not known:
        return False
    words = {after for _, after in units if re.fullmatch(r"[a-zA-Z]{1,8}[23]?\.?", after)}
    if len({unit for unit in units if unit != ("", "")}) > 1 and words:
        return False  # "5 kg" and "3 lb" cannot be reckoned with as they stand.
    (column.before, column.after), _ = max(units.items(), key=lambda unit: (any(unit[0]), unit[1]))
    column.kind, column.decimals, column.decimal_mark = "number", min(decimals, 6), decimal
    column.values = [read.get(cell) for cell in column.cells]
    return True


def _decimals(found: re.Match[str], decimal: str) -> int:
    rest = found["digits"].strip().rpartition(decimal)
    count = len(rest[2].strip()) if rest[1] else 0
    if count > 6:
        # 0.30000000000000004 is what a spreadsheet makes of 0.3.
        shortened = f"{float(f'0.{rest[2].strip()}'):.6f}".rstrip("0")
        count = len(shortened) - 2
    return count


def _value(found: re.Match[str], decimal: str) -> float | None:
    digits = re.sub(r"['’ \u00a0\u202f\u2009]", "", found["digits"])
    thousands = "," if decimal == "." else "."
    if not re.fullmatch(rf"\d*(?:[{thousands}]\d{{3}})*(?:[{decimal}]\d*)?|"
                        rf"\d{{1,3}}(?:[{thousands}]\d{{2,3}})+"
                        rf"(?:[{decimal}]\d*)?", digits):  # fmt: skip
        return None
    try:
        value = float(digits.replace(thousands, "").replace(decimal, ".") + (found["power"] or ""))
    except ValueError:
        return None
    is_negative = any(
        (
            (found["sign"] or found["inner"] or "") in ("-", "−"),
            bool(found["trailing"]),
            bool(found["open"] and found["close"]),
        )
    )
    return -value if is_negative and value else value


def _as_clock(column: Column) -> bool:
    """Make it a column of hours where its cells are like 7:30."""
    some = _some(column.cells)
    found = {cell: _CLOCK.fullmatch(cell.strip()) for cell in some}
    known = sum(some[cell] for cell, match in found.items() if match)
    if not known or known < _MOST_OF * sum(some.values()):
        return False
    # Beside 1:02:11, 45:30 are minutes and seconds.
    shorter = 60 if any(match and match[3] for match in found.values()) else 1
    hours = {
        cell: int(match[1]) + float(match[2]) / 60 + float(match[3]) / 3600
        if match[3]
        else (int(match[1]) + float(match[2]) / 60) / shorter
        for cell, match in found.items() if match
    }  # fmt: skip
    column.kind, column.is_clock, column.decimals = "number", True, 2
    column.values = [hours.get(cell) for cell in column.cells]
    return True


def _as_dates(column: Column, is_day_first: bool) -> None:
    """Make it a column of dates where it is one."""
    some = _some(column.cells)
    bare = (_WEEKDAY.sub("", cell.strip(), count=1) for cell in some)
    figures = [match for cell in bare if (match := _FIGURES.fullmatch(cell))]
    day_first = is_day_first
    if figures:
        first = max(int(match[1]) for match in figures)
        second = max(int(match[3]) for match in figures)
        if first > 12 >= second:
            day_first = True
        elif second > 12 >= first:
            day_first = False
        elif figures[0][2] in ".-":
            day_first = True
        else:
            column.is_unsure = first <= 12 and second <= 12 and first != second
            day_first = _by_order(column.cells, is_day_first)
    read = {cell: date for cell in some if (date := date_of(cell, day_first)) is not None}
    known = sum(some[cell] for cell in read)
    share = _MANY_OF if _DATE_NAME.search(column.name.replace("_", " ")) else _MOST_OF
    if not known or known < share * sum(some.values()):
        column.is_unsure = False
        return
    column.kind = "date"
    column.values = [read.get(cell) for cell in column.cells]
    column.has_times = any(date.hour or date.minute for date in read.values())


def _by_order(cells: Sequence[str], usual: bool) -> bool:
    """Whether days come first: where the dates follow each other only when read so."""
    in_order = []
    for day_first in (True, False):
        dates = [date for cell in cells if (date := date_of(cell, day_first))]
        in_order.append(len(dates) > 2 and (dates == sorted(dates) or dates == sorted(dates)[::-1]))
    return usual if in_order[0] == in_order[1] else in_order[0]


def date_of(text: str, day_first: bool = False) -> dt.datetime | None:
    """The moment that a cell names, or None where it names none."""
    text = _WEEKDAY.sub("", text.strip(), count=1)
    try:
        if found := _ISO.fullmatch(text):
            year, month, day, hour, minute, second = found.groups()
            return dt.datetime(int(year), int(month), int(day or 1), int(hour or 0),
                               int(minute or 0), int(second or 0))  # fmt: skip
        if found := _FIGURES.fullmatch(text):
            first, _, second, year, hour, minute, seconds = found.groups()
            full = int(year) + (0 if len(year) == 4 else 2000 if int(year) < 70 else 1900)
            day, month = (first, second) if day_first else (second, first)
            if int(month) > 12:
                day, month = month, day
            return dt.datetime(full, int(month), int(day), int(hour or 0), int(minute or 0),
                               int(seconds or 0))  # fmt: skip
        if found := _MONTH_YEAR.fullmatch(text):
            return dt.datetime(int(found[2]), int(found[1]), 1)
        if len(text) <= 40 and _HAS_MONTH.search(text) and re.search(r"\d", text):
            return _written_out(text)
    except (ValueError, OverflowError):
        pass
    return None


def _english(word: re.Match[str]) -> str:
    month = MONTH_NAMES.get(word[0])
    return MONTHS[month - 1][:3] if month else word[0]


def _written_out(text: str) -> dt.datetime | None:
    from dateutil import parser

    # Names in other languages, as they stand in full: "Octavia 2021" is no month.
    plain = re.sub(r"[^\W\d_]{3,}", _english, text.lower())
    if not re.search(r"\d{4}|'\d\d|\d{1,2}\W+[a-z]+\W+\d{2}\b|[a-z]-\d\d", plain):
        return None
    default = dt.datetime(2000, 1, 1)
    found = parser.parse(plain, default=default, dayfirst=True)
    return found.replace(tzinfo=None)
