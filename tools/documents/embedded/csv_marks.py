"""What stands between the columns of a CSV file and in its numbers, as words want it: "semicolons
between the columns", "a decimal point instead of the comma"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from controlllm.resources import Filed

from .asking import asked_of
from .cells import Column
from .reading import Sheet
from .writing import MEDIA_TYPES, as_csv

_SIGNS = {"comma": ",", "semicolon": ";", "tab": "\t", "point": ".", "dot": ".", "stop": "."}
_BETWEEN = r"(?P<sign>comma|semi-?colon|tab)(?:ulator)?s?"
_COLUMNS = r"(?:columns?|fields?|cells?|values)"
#: What parts the columns, the surest first.
_SEPARATORS = tuple(
    re.compile(pattern.replace("SIGN", _BETWEEN), re.IGNORECASE)
    for pattern in (
        rf"\bSIGN (?:in )?between (?:the |all )?{_COLUMNS}\b",
        rf"\b{_COLUMNS} (?:(?:should|shall|must|to) be |are )?(?:separated|parted|split|divided) "
        r"(?:by|with) (?:an? )?SIGN\b",
        r"\b(?:separated|delimited) (?:by|with) (?:an? )?SIGN\b",
        r"\bSIGN[- ](?:separated|delimited)\b",
        r"\bSIGN as (?:the |an? )?(?:column )?(?:separator|delimiter)\b",
        r"\b(?:separator|delimiter)(?: (?:is|should be|must be|to be))?:? (?:an? |the )?SIGN\b",
    )
)
_MARK = r"(?:decimal )?(?P<sign>point|dot|full stop|comma)s?"
_NUMBERS = r"(?:numbers|figures|amounts|prices|values|decimals|sums|costs)"
_DECIMALS = tuple(
    re.compile(pattern.replace("MARK", _MARK), re.IGNORECASE)
    for pattern in (
        r"\bMARK (?:in (?:the |all )?[\w ]{1,20} )?(?:instead of|rather than|and not|not|in place "
        r"of) (?:an? |the )?(?:decimal )?(?:points?|dots?|commas?)\b",
        r"\b(?:points?|dots?|commas?) (?:in (?:the |all )?[\w ]{1,20} )?(?:by|with|to|into) "
        r"(?:an? |the )?MARK\b",
        rf"\bMARK (?:in|for) (?:the |all |my )?{_NUMBERS}\b",
        r"\bdecimal (?P<sign>point|dot|comma)s?\b",
        r"\bMARK as (?:the |an? )?decimal\b",
    )
)


@dataclass(frozen=True)
class Marks:
    """What stands between columns, and what before the decimals; "" where nothing is said."""

    separator: str = ""
    decimal: str = ""


_OTHER_WISH = re.compile(
    r"\b(?:rename|move|drop|remove|delete|take out|round|fill|swap|sort|order)\b", re.IGNORECASE
)


def marks_in(words: str) -> Marks:
    """The marks that words want, none where they want the columns changed as well."""
    if _OTHER_WISH.search(words):
        return Marks()
    return Marks(_first(_SEPARATORS, words), _first(_DECIMALS, words))


def _first(patterns: Sequence[re.Pattern[str]], words: str) -> str:
    found = next((found for pattern in patterns if (found := pattern.search(words))), None)
    return _SIGNS[found["sign"].lower().replace("-", "").split()[-1]] if found else ""


def with_marks(sheet: Sheet, marks: Marks, words: str) -> str:
    """The table as a CSV file has it with these marks; its numbers without signs between their
    thousands where another mark stands before the decimals."""
    asked = asked_of(sheet, words)
    numbers = [one for one in sheet.columns if one.kind == "number" and not one.is_clock]
    named = [column for column in asked.named(asked.line) if column in numbers]
    changed = [column in (named or numbers) and bool(marks.decimal) for column in sheet.columns]
    rows = [sheet.row(place) for place in range(sheet.count)]
    rows += [sheet.total] if sheet.total else []
    written = [
        [
            _written(cell, column, marks.decimal) if is_changed else cell
            for cell, column, is_changed in zip(row, sheet.columns, changed, strict=True)
        ]
        for row in rows
    ]
    # Where commas stand in the numbers, what reads them expects none between the columns.
    usual = ";" if marks.decimal == "," else ","
    kept = sheet.separator if sheet.separator in (";", "\t") and not marks.decimal else usual
    separator = marks.separator or kept
    text = as_csv([sheet.header, *written], separator)
    return Filed(text.encode(), MEDIA_TYPES["tsv"]) if separator == "\t" else text  # type: ignore[return-value]


_FIGURE = re.compile(r"\d(?:[\d.,'’\u00a0\u202f ]*\d)?")


def _written(cell: str, column: Column, mark: str) -> str:
    """A cell of a column of numbers with another mark before its decimals."""

    def other(found: re.Match[str]) -> str:
        whole, dot, decimals = found[0].rpartition(column.decimal_mark)
        if not dot:
            whole, decimals = decimals, ""
        return re.sub(r"\D", "", whole) + (mark + decimals if dot else "")

    return _FIGURE.sub(other, cell)
