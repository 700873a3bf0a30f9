"""What is asked of a table: its columns, its values, numbers and times found in plain words.

The words become one line in which a capital letter with a number stands for what was found: C3 for
a column, V1 for values, N2 for a number, D1 for a time, Q1 for quoted words. What is understood of
it is taken out of the line, so that at its end there is what was not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .cells import Column
from .condition_words import C
from .periods import Period, periods_in
from .reading import Sheet
from .short_words import in_full
from .words import NOT_ALIVE, SEXES, alike, parts, root, stem

_TOKEN = re.compile(
    r"\"[^\"\n]*\"|“[^”\n]*”|«[^»]*»|(?<!\w)'[^'\n]+'(?!\w)|(?<!\w)‘[^’\n]+’(?!\w)"
    r"|[€$£] ?\d[\d,.]*[km]?\b|\d(?:[\d,.]*\d)? ?[%€$£]|\d[\d,.]*(?:k|m|bn)?(?![\w-])"
    r"|[^\W_]+(?:[-_&'’.@/+][^\W_]+)*|[<>=!≤≥≠]+|[,;:?!()]"
)
_QUOTES = "\"“”«»'‘’"
_FILE = re.compile(r"(?<![\w.])[\w()-]*[A-Za-z_(][\w()-]*\.(?:csv|tsv|xlsx?|json|md|txt|ods|pdf)\b")
_NUMBERS = {
    word: float(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": 30.0, "forty": 40.0, "fifty": 50.0, "hundred": 100.0, "thousand": 1000.0,
     "million": 1e6, "dozen": 12.0}  # fmt: skip
_LONGEST_VALUE = 8
_MOST_KINDS = 50_000
#: Words that are no value by themselves, even where some cell holds just that.
FUNCTION_WORDS = frozenset(
    "a an the and or not no yes is are was were be in on at of for from by to with without "
    "per each every all any only how many much what which who when where than more less most "
    "least over under above below between top total sum average mean count number first last "
    "highest lowest show keep sort draw me my i we it its this that these those there their "
    "our as up down new date day month year other true false none us he she him her them they "
    "let get go one two do does did have has had can will would you your if so".split()
)
#: Those of them that are names of columns wherever they stand.
_ALSO_NAMES = frozenset("date year month day total number count".split())


@dataclass
class Item:
    """Something found in the words."""

    said: str
    column: Column | None = None
    #: For values: the columns that have them, each with the cells that are meant, in small letters.
    cells: dict[int, set[str]] = field(default_factory=dict)
    number: float = 0.0
    period: Period | None = None
    #: Where only a word of the cells was said.
    is_part: bool = False


@dataclass
class Asked:
    """A request to a table; `line` is what is left of it to be understood."""

    sheet: Sheet
    text: str
    line: str = ""
    items: dict[str, Item] = field(default_factory=dict)

    def column(self, mark: str | None) -> Column | None:
        return self.items[mark].column if mark else None

    def named(self, line: str) -> list[Column]:
        """The columns whose marks stand in a line, one after the other."""
        found = map(self.column, re.findall(C, line))
        return [column for column in found if column is not None]

    def take(self, found: re.Match[str], left: str = " ; ") -> None:
        """Take what was understood out of the line."""
        self.line = self.line[: found.start()] + left + self.line[found.end() :]


def asked_of(sheet: Sheet, text: str) -> Asked:
    """The words with what they name of the table."""
    asked = Asked(sheet, text)
    finder = _Finder(sheet)
    has_income = any("income" in parts(column.name) for column in sheet.columns)
    full = in_full(text.replace("\n", " "), has_income)
    plain = _FILE.sub(lambda found: " " * len(found[0]), full)
    has_dates = any(column.kind == "date" for column in sheet.columns)
    times = list(periods_in(plain)) if has_dates else []
    words = []
    for token in _tokens(plain, times):
        if isinstance(token, Period):
            mark = f"D{len(asked.items)}"
            asked.items[mark] = Item(token.said, period=token)
            words.append(mark)
        else:
            words.append(token)
    asked.line = " ".join(_marked(words, finder, asked))
    _name_amounts(asked)
    return asked


#: What the amounts of a table are of: "the sum of all donations", "a histogram of the gift sizes".
_OF_AMOUNTS = re.compile(
    r"(?<!\w)(?:sum|total|average|mean|median|histogram|distribution)(?: of)?(?: (?:all|the|our|my|"
    r"every))* (?P<what>[a-z]{4,}s|[a-z]{4,}(?= sizes?(?!\w)))(?: sizes?)?(?!\w)"
)
_AMOUNTS = frozenset("amount sum total value betrag summe".split())


def _name_amounts(asked: Asked) -> None:
    """Write the only column of numbers for the word that tells what its amounts are, where the
    column itself does not: of a table with an "Amount" alone, the donations."""
    from .plain_requests import IGNORED

    numbers = [one for one in asked.sheet.columns if one.kind == "number" and not one.is_label]
    found = _OF_AMOUNTS.search(asked.line)
    if found is None or len(numbers) != 1 or found["what"] in IGNORED:
        return
    if _AMOUNTS.issuperset(parts(re.sub(r"[(\[].*", "", numbers[0].name))):
        mark = _new(asked, "C", Item(found["what"], column=numbers[0]))
        asked.line = f"{asked.line[: found.start('what')]}{mark}{asked.line[found.end() :]}"


def _tokens(text: str, times: list[tuple[int, int, Period]]) -> Iterator[str | Period]:
    place = 0
    for start, end, period in [*times, (len(text), len(text), None)]:
        if place and period is not None and re.fullmatch(r"\s*[-–—]\s*", text[place:start]):
            yield "to"
        yield from (found[0] for found in _TOKEN.finditer(text[place:start]))
        if period is not None:
            yield period
        place = end


def _marked(words: list[str], finder: _Finder, asked: Asked) -> Iterator[str]:
    """The words with a mark for each of those that mean something, in small letters."""
    place = 0
    while place < len(words):
        word = words[place]
        if word in asked.items:
            yield word
            place += 1
            continue
        if word[0] in _QUOTES and len(word) > 2:
            yield _new(asked, *finder.quoted(word.strip(_QUOTES)))
            place += 1
            continue
        opposite = finder.opposite(word)
        if opposite is not None:
            yield f"not {_new(asked, 'C', opposite)}"
            place += 1
            continue
        count, kind, item = finder.longest(words, place, asked.items.keys())
        if item is not None:
            yield _new(asked, kind, item)
            place += count
            continue
        number, count = _number(words, place)
        if number is not None:
            yield _new(asked, "N", Item(" ".join(words[place : place + count]), number=number))
            place += count
            continue
        yield word.lower().replace("’", "'")
        place += 1


def _new(asked: Asked, kind: str, item: Item) -> str:
    mark = f"{kind}{len(asked.items)}"
    asked.items[mark] = item
    return mark


def _number(words: list[str], place: int) -> tuple[float | None, int]:
    """A number in figures or words at a place, and of how many words it consists."""
    word = words[place].lower()
    found = re.fullmatch(r"([€$£]?) ?(\d[\d,.]*)(k|m|bn)?( ?[%€$£])?", word)
    if found:
        digits = found[2].rstrip(".,")
        if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d+|\d+,\d{1,2}", digits):
            digits = digits.replace(".", "").replace(",", ".")
        try:
            value = float(digits.replace(",", ""))
        except ValueError:
            return None, 1
        value *= {"k": 1e3, "m": 1e6, "bn": 1e9}.get(found[3] or "", 1)
        following = words[place + 1].lower() if place + 1 < len(words) else ""
        scale = {"thousand": 1e3, "million": 1e6, "billion": 1e9}.get(following)
        return (value * scale, 2) if scale else (value, 1)
    if word in _NUMBERS and word != "one":
        following = words[place + 1].lower() if place + 1 < len(words) else ""
        if following in ("hundred", "thousand", "million", "dozen") and word != following:
            return _NUMBERS[word] * _NUMBERS[following], 2
        return _NUMBERS[word], 1
    return None, 1


class _Finder:
    """Finds columns and values of a table in words."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._names: dict[tuple[str, ...], tuple[Column, int]] = {}
        self._values: dict[tuple[str, ...], dict[int, set[str]]] = {}
        self._words: dict[str, dict[int, set[str]]] = {}
        self._written: set[str] = set()
        self._add_names()
        for place, column in enumerate(sheet.columns):
            if column.kind == "text":
                self._add_values(place, column)

    def _add_names(self) -> None:
        """Headers, what they are called without units, their words, and words that mean the same;
        what is nearer to a header goes before what is farther from it."""
        for column in self._sheet.columns:
            self._name(tuple(parts(column.name)), column, 0)
            bare = re.sub(r"\s*[(\[].*", "", column.name)
            self._name(tuple(parts(bare)), column, 1)
            if tuple(parts(column.name)) == ("last", "name"):
                self._name(("surname",), column, 1)
                self._name(("family", "name"), column, 1)
        owners: dict[str, list[Column]] = {}
        for column in self._sheet.columns:
            for word in set(parts(re.sub(r"[(\[].*", "", column.name))):
                owners.setdefault(word, []).append(column)
                if word == "survived":
                    owners.setdefault("survivor", []).append(column)
        for word, columns in owners.items():
            if len(columns) == 1 and word not in FUNCTION_WORDS - {"date", "number", "count"}:
                self._name((word,), columns[0], 2)
        for word, columns in owners.items():
            for other in sorted(alike(word)):
                if len(columns) == 1 and other not in FUNCTION_WORDS - {"date"}:
                    self._name((other,), columns[0], 3)

    def _name(self, key: tuple[str, ...], column: Column, rank: int) -> None:
        if key and key not in self._names:
            self._names[key] = (column, rank)

    def _add_values(self, place: int, column: Column) -> None:
        kinds = {cell.strip().casefold() for cell in column.cells}
        self._written.update(cell.strip() for cell in column.cells if len(cell) < 8)
        if len(kinds) > _MOST_KINDS:
            return
        self._add_other_names(place, column, kinds)
        for cell in kinds:
            if not cell or len(cell) > 80:
                continue
            key = tuple(parts(cell))
            if not key:
                continue
            if len(key) <= _LONGEST_VALUE:
                self._values.setdefault(key, {}).setdefault(place, set()).add(cell)
            for word in key if len(key) > 1 else ():
                self._words.setdefault(word, {}).setdefault(place, set()).add(cell)

    def _add_other_names(self, place: int, column: Column, kinds: set[str]) -> None:
        """What else values are called: "women" where cells say female, "Jan" for January."""
        for names, cells in SEXES.items():
            if kinds <= {"female", "male", "f", "m", "w", "", "other", "unknown"}:
                for name in names.split():
                    if found := kinds & cells:
                        self._values.setdefault((stem(name),), {}).setdefault(place, set()).update(
                            found
                        )
        for cell in kinds if column.has_calendar_order else ():
            if len(cell) > 3 and cell[:3] not in kinds:
                self._values.setdefault((cell[:3],), {}).setdefault(place, set()).add(cell)

    def longest(self, words: list[str], place: int, marks: object) -> tuple[int, str, Item | None]:
        """The longest name of a column, or value, that begins at a place."""
        for count in range(min(_LONGEST_VALUE, len(words) - place), 0, -1):
            some = words[place : place + count]
            if any(word in marks or not word[0].isalnum() for word in some):  # type: ignore[operator]
                continue
            key = tuple(part for word in some for part in parts(word))
            said = " ".join(some)
            named = self._names.get(key)
            cells = self._values.get(key)
            is_plain = count == 1 and said.lower() in FUNCTION_WORDS
            if named and named[1] < 2 and (not is_plain or self._is_name(words, place)):
                return count, "C", Item(said, column=named[0])
            if cells and (not is_plain or self._is_value(words, place)):
                return count, "V", Item(said, cells=cells)
            if named and (not is_plain or said.lower() in _ALSO_NAMES):
                return count, "C", Item(said, column=named[0])
        word = words[place]
        acted = self._acted(word) or self._akin_name(word)
        is_akin = acted is not None and (acted[0].kind != "text" or self._akin_name(word) is acted)
        if acted is not None and is_akin and stem(word) not in self._words:
            return 1, "C", Item(word, column=acted[0])
        if word[0].isalpha() and word.lower() not in FUNCTION_WORDS and len(word) > 2:
            cells = self._words.get(stem(word))
            # "Smith" of "John Smith"; in small letters it may be any word, but for "how many buns".
            is_name = word[0].isupper() and place > 0
            if cells and (is_name or len(word) > 4 or words[max(place - 1, 0)].lower() == "many"):
                from .plain_requests import IGNORED

                if is_name or word.lower() not in IGNORED:
                    return 1, "V", Item(word, cells=cells, is_part=True)
            if cells := self._akin(word):
                return 1, "V", Item(word, cells=cells)
        return 1, "", None

    def _akin_name(self, word: str) -> tuple[Column, int] | None:
        """The column of the same root: "borrowed" where there is a "Borrower"."""
        if (short := self._shortened(word)) is not None:
            return short
        base = root(word)
        if len(base) < 5 or word.lower().endswith("s") or base == word.lower():
            return None
        for key, found in self._names.items():
            if len(key) == 1 and found[1] < 3 and root(key[0]) == base:
                return found
        return None

    def _shortened(self, word: str) -> tuple[Column, int] | None:
        """The only column whose name has a letter before the word: "class" where there is a
        "Pclass"."""
        key = stem(word)
        found = [
            named for name, named in self._names.items()
            if len(name) == 1 and len(key) > 4 and name[0][1:] == key and named[1] < 3
        ]  # fmt: skip
        return found[0] if len(found) == 1 else None

    def _akin(self, word: str) -> dict[int, set[str]]:
        """The values that a word of the same root means: "donated" where there is "Donation"."""
        from .plain_requests import IGNORED

        base = root(word)
        if len(base) < 5 or word.lower() in IGNORED or stem(word) == base:
            return {}
        if not hasattr(self, "_roots"):
            self._roots: dict[str, dict[int, set[str]]] = {}
            for key, cells in self._values.items():
                if len(key) == 1 and key[0].isalpha():
                    self._roots.setdefault(root(key[0]), {}).update(cells)
        return self._roots.get(base, {})

    def _is_name(self, words: list[str], place: int) -> bool:
        """Whether a small word such as "a" or "from" stands where the name of a column does."""
        if words[place].lower() in _ALSO_NAMES:
            return True
        before = words[place - 1].lower() if place else ""
        return before in ("column", "by") or not any(
            word[0].isalnum() for word in words[place + 1 :]
        )

    def _is_value(self, words: list[str], place: int) -> bool:
        """Whether a small word such as "IT" or "US" stands as in the cells, or where values do."""
        word, before = words[place], words[place - 1].lower() if place else ""
        if word != word.lower():
            return word in self._written and (place > 0 or word.isupper())
        if word in ("yes", "no"):
            return before in ("said", "says", "say", "answered", "ticked", "replied", "voted")
        return word == "it" and before in ("in", "from", "for", "is", "=")

    def _acted(self, word: str) -> tuple[Column, int] | None:
        """The column that is named by what was done: "started" where there is a "Start date"."""
        found = re.fullmatch(r"([a-z]{3,}?)(?:p?ped|ned|ed|d|ning|ing)", word.lower())
        names = (found[1], f"{found[1]}e") if found else ()
        return next((self._names[(name,)] for name in names if (name,) in self._names), None)

    def opposite(self, word: str) -> Item | None:
        """The column of which a word says that it is not so: "unpaid" where there is "Paid"."""
        if word.lower() in NOT_ALIVE and (stem(word),) not in self._values:
            for column in self._sheet.columns:
                if {"survived", "survivor", "alive", "survive"} & set(parts(column.name)):
                    return Item(word, column=column) if column.is_yes_or_no else None
        found = re.fullmatch(r"(?:un|non-?|not-)([a-z]{3,})", word.lower())
        named = self._names.get((stem(found[1]),)) if found else None
        if named is None or (stem(word),) in self._values or named[1] > 2:
            return None
        return Item(word, column=named[0]) if named[0].is_yes_or_no else None

    def quoted(self, words: str) -> tuple[str, Item]:
        """A column or values that stand in quotation marks, else the words themselves."""
        key = tuple(parts(words))
        cells = self._values.get(key)
        if cells:
            return "V", Item(words, cells=cells)
        if key in self._names and self._names[key][1] < 2:
            return "C", Item(words, column=self._names[key][0])
        return "Q", Item(words)
