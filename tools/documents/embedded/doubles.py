"""Who or what stands in a table twice: rows that are the same, or tell of the same one."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass

from controlllm.toolbox import ToolError

from .asking import asked_of
from .cells import Column
from .joining import value_of
from .reading import Sheet, columns_of
from .words import parts

Grid = list[list[str]]
_SAID = re.compile(
    r"\b(?:duplicat\w*|dupes?|dups?|doubles?|doubled|doublets?|twice|two times|2 times|2x|"
    r"more than once|(?:only|just|each|everybody|everyone|nobody|name|person)(?: \w+){0,3} once|"
    r"repeat(?:ed|s)?|repetitions?|de-?dup\w*|redundant|same (?:person|name|one|"
    r"entry|member|customer|email|address)(?: \w+)? (?:again|twice)|"
    r"same (?:[\w-]+ ){1,3}(?:=|is|are|means?|counts? as) (?:(?:always|still|also) )?(?:the )?"
    r"same)\b",
    re.IGNORECASE,
)
#: By what two rows are one: "the same email", "an identical phone number".
_SAME_IN = re.compile(
    r"\b(?:same|identical) (?!person|people|one|entry|row|line|thing|member|customer|guest|contact)"
    r"(?P<what>[\w-]+(?: (?:(?:and|or) )?(?!is\b|are\b|means?\b)[\w-]+){0,3})",
    re.IGNORECASE,
)
#: What names somebody or something for good, so that two rows with the same are the same one.
_STRONG = frozenset("email e-mail mail phone telephone mobile tel iban isbn sku passport".split())
_NAME = frozenset(
    "name title product item article member customer client person employee student pupil guest "
    "player artist author book song company supplier contact firm".split()
)
_DOUBLE_FORMULA = re.compile(r"\bdouble (?:the )?(?:price|amount|number|value|of)\b", re.IGNORECASE)
_KEEPS = r"\b(?:keep|leave|stay\w*|remain\w*)\b"
_GOES = r"\b(?:delete|remove|drop|take|cut|kick|throw|get rid of)\b"
#: Words between a verb and what it is about, with no other wish among them.
_UP_TO = r"(?:(?!\b(?:and|but|then|keep|leave|delete|remove)\b)[^.;,])*"
_EARLIER = r"\b(?:first|earli\w+|old\w*|original|upper|top)\b"
_LATER = r"\b(?:second|later|latest|last|new\w*|lower|other|most recent)\b"
_LAST_GOES = re.compile(rf"{_KEEPS}{_UP_TO}{_EARLIER}|{_GOES}{_UP_TO}{_LATER}", re.IGNORECASE)
_FIRST_GOES = re.compile(rf"{_KEEPS}{_UP_TO}{_LATER}|{_GOES}{_UP_TO}{_EARLIER}", re.IGNORECASE)
_KEEPS_ONE = re.compile(
    rf"{_KEEPS} (?:(?:always|only|just|then) )*(?:the )?(?:first|last|newest|latest|oldest|"
    r"earliest|original|top|upper|lower)\b",
    re.IGNORECASE,
)
_BY_DATE = re.compile(r"\b(?:earli|latest|later|old|new|recent)", re.IGNORECASE)


@dataclass(frozen=True)
class Single:
    """A table in which each one stands once, and what is to be said of the rows that went."""

    rows: Grid
    told: tuple[str, ...]


def speaks_of_doubles(words: str) -> bool:
    """Whether words are about what stands in a table twice."""
    return bool(_SAID.search(words)) and not _DOUBLE_FORMULA.search(words)


def keeps_one(words: str) -> bool:
    """Whether words say which one of several stays, so that the others go."""
    return bool(_KEEPS_ONE.search(words))


def without_doubles(sheet: Sheet, words: str) -> Single:
    """The table without rows that are there already, of each the first one kept or the one that
    the words say.

    Rows are the same where all their cells are; where there are none such, where the column is
    that names whom they tell of. Raises ToolError where nothing is there twice, or it is not
    clear whether two rows tell of the same one.
    """
    asked = asked_of(sheet, words)
    named = [item.column for item in asked.items.values() if item.column is not None]
    values = [item for item in asked.items.values() if item.cells]
    keys: list[Column] = list(sheet.columns)
    groups = _same(sheet, keys)
    if said := _same_in(sheet, words):
        # What people call the same goes before what is the same throughout.
        keys, groups = said, _same(sheet, said)
    elif not groups:
        # "The double entry for Ann Lee" says by what it is one.
        named += [sheet.columns[place] for item in values[:1] for place in list(item.cells)[:1]]
        for keys in _naming(sheet, named):
            groups = _same(sheet, keys)
            if groups:
                break
    if values:
        about = [
            group for group in groups
            if any(sheet.columns[place].cells[group[0]].strip().casefold() in cells
                   for item in values for place, cells in item.cells.items())
        ]  # fmt: skip
        groups = about or groups
    if not groups:
        raise ToolError(
            "Nothing stands in this table twice: no two rows are the same, or have the same in a "
            f"column that names them. Its columns are {columns_of(sheet)}; name the one to go by."
        )
    return _taken_out(sheet, groups, keys, words)


def _same(sheet: Sheet, columns: Sequence[Column]) -> list[list[int]]:
    """The rows that have the same in some columns, two or more of each."""
    found: dict[tuple[str, ...], list[int]] = {}
    for row in range(sheet.count):
        key = tuple(value_of(column.cells[row]) for column in columns)
        if any(key):
            found.setdefault(key, []).append(row)
    return [rows for rows in found.values() if len(rows) > 1]


def _same_in(sheet: Sheet, words: str) -> list[Column]:
    """The columns by which rows are the same, where words say so: "the same email"."""
    for found in _SAME_IN.finditer(words):
        asked = asked_of(sheet, found["what"])
        if columns := asked.named(asked.line):
            return columns
    return []


def _naming(sheet: Sheet, named: Sequence[Column]) -> list[list[Column]]:
    """The columns by which rows tell of the same one, the surest first.

    A name alone is enough where nothing surer, such as an address, tells two of them apart.
    """
    said = [column for column in named if column.kind != "number" or column.is_label]
    if said:
        return [said]
    usable = [column for column in sheet.columns if _is_naming(column)]
    strong = [column for column in usable if _STRONG & set(parts(column.name))]
    names = [column for column in usable if _NAME & set(parts(column.name))]
    names = [column for column in names if column not in strong]
    if not names:
        return [[column] for column in strong]
    # First and last name are one name.
    both = [column for column in names if "name" in parts(column.name)] or names[:1]
    return [[*both, *strong], *([column] for column in strong), *([both] if not strong else [])]


def _is_naming(column: Column) -> bool:
    """Whether most cells of a column are different."""
    filled = [value_of(cell) for cell in column.cells if cell.strip()]
    return column.kind == "text" and bool(filled) and len(set(filled)) >= 0.6 * len(filled)


def _taken_out(
    sheet: Sheet, groups: Sequence[Sequence[int]], keys: Sequence[Column], words: str
) -> Single:
    dates = [column for column in sheet.columns if column.kind == "date"]
    says_last_goes, says_first_goes = _LAST_GOES.search(words), _FIRST_GOES.search(words)
    keeps_last = bool(says_first_goes) and not says_last_goes
    is_by_date = (says_last_goes or says_first_goes) and _BY_DATE.search(words)
    gone: set[int] = set()
    told = []
    for group in groups:
        order = list(group)
        if is_by_date and len(dates) == 1:
            order.sort(key=lambda row: dates[0].values[row] or dt.datetime.max)
        kept = order[-1] if keeps_last else order[0]
        for row in group:
            if row != kept:
                gone.add(row)
                told.append(_told(sheet, row, kept))
    if len(told) > 10:
        told = [*told[:10], f"And {len(told) - 10:,} more rows are taken out."]
    if len(gone) > 1:
        told.insert(0, f"{len(gone):,} rows are taken out, {sheet.count - len(gone):,} are left.")
    if len(keys) < len(sheet.columns):
        names = " and ".join(f"“{column.name}”" for column in keys)
        told.append(f"Rows with the same {names} were taken for the same one.")
    rows = [sheet.header, *(sheet.row(row) for row in range(sheet.count) if row not in gone)]
    return Single(rows + ([sheet.total] if sheet.total else []), tuple(told))


def _told(sheet: Sheet, row: int, kept: int) -> str:
    """Which row went, and in what it differs from the one that stays."""
    first = next((cell.strip() for cell in sheet.row(row) if cell.strip()), "")
    others = [
        f"{column.name} {column.cells[row].strip() or 'empty'} instead of "
        f"{column.cells[kept].strip() or 'empty'}"
        for column in sheet.columns
        if value_of(column.cells[row]) != value_of(column.cells[kept])
    ]
    beside = f"with {', '.join(others[:5])}" if others else "which stood there twice"
    return f"Taken out: {first}, {beside}."
