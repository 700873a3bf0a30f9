"""Tables as they come: CSV, semicolons, tabs, Markdown, JSON, the sheets of a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from controlllm.resources.tables import header_row, separator_of
from controlllm.toolbox import ToolError

from ...shared.sentences import listed
from .cells import EMPTY, Column, date_of, typed

MOST_ROWS, MOST_COLUMNS = 200_000, 500
_RULE = re.compile(r"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?|\|(?:\s*:?-+:?\s*\|)+")
_NUMERIC = re.compile(r"[-+(€$£]?\s*\d[\d.,' ]*\s*[%€$£)]?")
_MIDNIGHT = re.compile(r"(?<=^\d{4}-\d\d-\d\d)[ T]00:00:00$")
_YEAR = re.compile(r"(?:19|20)\d{2}")
_TOTALS = frozenset(
    {"total", "totals", "sum", "grand total", "overall total", "subtotal", "all"}
    | {"summe", "gesamt", "gesamtsumme", "insgesamt"}
)


@dataclass
class Sheet:
    """A table: its columns, all equally long, and the name of the sheet where it has one.

    `total` is its last row, where that only adds up the others; it is no row of the columns.
    """

    columns: list[Column]
    name: str = ""
    total: list[str] = field(default_factory=list)
    separator: str = ","

    @property
    def header(self) -> list[str]:
        return [column.name for column in self.columns]

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.columns[0].cells)

    def row(self, place: int) -> list[str]:
        return [column.cells[place] for column in self.columns]

    def of_rows(self, kept: Sequence[int], columns: Sequence[Column] | None = None) -> Sheet:
        """Some rows, and columns, as they were read among all: by itself 1,234 might be more."""
        chosen = [
            replace(
                column,
                cells=[column.cells[row] for row in kept],
                values=[column.values[row] for row in kept] if column.values else [],
            )
            for column in (self.columns if columns is None else columns)
        ]
        return Sheet(chosen, self.name, separator=self.separator)

    def column(self, name: str) -> Column:
        return next(column for column in self.columns if column.name == name)


def sheets_in(text: str) -> list[Sheet]:
    """The tables in a text, the columns with what their cells mean.

    Raises ToolError where there is none.
    """
    found = [_sheet(name, rows, separator) for name, rows, separator in grids_in(text)]
    found = [sheet for sheet in found if sheet.columns and sheet.count]
    if not found:
        raise ToolError(
            "There is no table in this: no rows with columns that are parted by commas, "
            "semicolons, tabs or bars. Add a CSV or Excel file."
        )
    return found


def grids_in(text: str) -> list[tuple[str, list[list[str]], str]]:
    """The tables in a text as plain rows, each with the name of its sheet and its separator."""
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    if text.lstrip()[:1] in ("[", "{") and (rows := _from_json(text)):
        return [("", rows, ",")]
    if re.search(r"^\s*\|.*\|\s*$", text, re.MULTILINE) or _has_rule(text):
        found = list(_piped(text))
        if found:
            return found
    rows, separator = _separated(text)
    return [("", rows, separator)] if rows else []


def _has_rule(text: str) -> bool:
    return any("|" in line and _RULE.fullmatch(line.strip()) for line in text.split("\n")[:200])


def _piped(text: str) -> Iterable[tuple[str, list[list[str]], str]]:
    """Tables whose cells are parted by bars, below the headings of their sheets."""
    name, rows = "", []  # type: tuple[str, list[list[str]]]
    for line in text.split("\n"):
        heading = re.match(r"#{1,6}\s+(.+)", line)
        is_row = line.count("|") >= 2 or ("|" in line and bool(rows))
        if is_row and not heading:
            if not _RULE.fullmatch(line.strip()):
                rows.append(_cells_of(line))
            continue
        if rows and (heading or line.strip()):
            if len(rows) > 1 or len(rows[0]) > 1:
                yield name, _square(rows), "|"
            rows = []
        name = heading[1].strip() if heading else name
    if rows:
        yield name, _square(rows), "|"


def _cells_of(line: str) -> list[str]:
    line = line.strip()
    line = line[1:] if line.startswith("|") else line
    line = line[:-1] if line.endswith("|") and not line.endswith("\\|") else line
    cells = re.split(r"(?<!\\)\|", line)
    return [cell.strip().replace("\\|", "|").strip("*") for cell in cells]


def _from_json(text: str) -> list[list[str]]:
    """A list of objects, or of lists; of an object the first list in it."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if isinstance(value, dict):
        value = next((item for item in value.values() if isinstance(item, list)), [value])
    if not isinstance(value, list) or not value:
        return []
    if all(isinstance(item, dict) for item in value):
        names = list(dict.fromkeys(str(name) for item in value for name in item))
        return [names, *([_said(item.get(name)) for name in names] for item in value)]
    if all(isinstance(item, list) for item in value):
        return _square([[_said(cell) for cell in item] for item in value])
    return []


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


def _separated(text: str) -> tuple[list[list[str]], str]:
    declared = re.match(r"sep=(.)\n", text)
    if declared:
        text = text[declared.end() :]
    some = text[:20_000]
    lines = some.split("\n")
    sample = "\n".join(lines[:-1] if len(text) > len(some) and len(lines) > 1 else lines)
    separator = declared[1] if declared else separator_of(sample)
    csv.field_size_limit(10_000_000)
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=separator or ",")]
    except csv.Error:
        rows = [line.split(separator or ",") for line in text.split("\n")]
    rows = [[cell.strip() for cell in row] for row in rows]
    rows = [row for row in rows if any(row)]
    if not separator and len(rows) < 2:
        return [], ""
    return _square(rows), separator or ","


def _square(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    width = max(map(len, rows), default=0)
    if len(rows) > MOST_ROWS or width > MOST_COLUMNS:
        raise ToolError(
            f"The table has {len(rows):,} rows and {width:,} columns, and at most {MOST_ROWS:,} "
            f"rows and {MOST_COLUMNS} columns are worked on. Give me a part of it."
        )
    return [[*row, *[""] * (width - len(row))] for row in rows]


def _sheet(name: str, rows: list[list[str]], separator: str) -> Sheet:
    rows = _without_outer_blanks(rows)
    if not rows:
        return Sheet([], name)
    start = header_row(rows)
    rows = rows[start:]
    width = max((len(row) for row in rows), default=0)
    if _is_data(rows):
        names, body = [""] * width, rows
    else:
        names, body = rows[0], rows[1:]
    body = [row for row in body if any(cell.strip() for cell in row)]
    total: list[str] = []
    if len(body) > 2 and _is_total(body[-1]):
        total = body.pop()
    names = _distinct(names)
    columns = [(names[place], [row[place] for row in body]) for place in range(width)]
    if separator == "|":
        # A spreadsheet's days come with the hour of midnight.
        columns = [(title, [_MIDNIGHT.sub("", cell) for cell in cells]) for title, cells in columns]
    return Sheet(typed(columns, separator), name, total, separator if separator in ";\t" else ",")


def _without_outer_blanks(rows: list[list[str]]) -> list[list[str]]:
    """Without columns in which nothing stands at all, such as behind a trailing separator."""
    if not rows:
        return []
    used = [place for place in range(len(rows[0])) if any(row[place].strip() for row in rows)]
    return [[row[place] for place in used] for row in rows if any(cell.strip() for cell in row)]


def _is_data(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is one like the others and names no columns."""
    first, others = rows[0], rows[1:40]
    if not others:
        return False
    for place, cell in enumerate(first):
        if not _is_figure(cell) or _YEAR.fullmatch(cell.strip()):
            continue
        below = [row[place] for row in others if row[place].strip().lower() not in EMPTY]
        if below and sum(map(_is_figure, below)) >= 0.8 * len(below):
            return True
    return False


def _is_figure(cell: str) -> bool:
    cell = cell.strip()
    return bool(_NUMERIC.fullmatch(cell)) or (cell[:1].isdigit() and date_of(cell) is not None)


def _is_total(row: Sequence[str]) -> bool:
    first = next((cell.strip().strip(":").casefold() for cell in row if cell.strip()), "")
    return first in _TOTALS and sum(bool(_NUMERIC.fullmatch(cell.strip())) for cell in row) > 0


def _distinct(names: Sequence[str]) -> list[str]:
    """The names of the columns, each once and none empty."""
    found: list[str] = []
    taken: set[str] = set()
    for place, name in enumerate(names, 1):
        plain = " ".join(name.split()) or f"Column {place}"
        number, shown = 2, plain
        while shown.casefold() in taken:
            shown, number = f"{plain} {number}", number + 1
        taken.add(shown.casefold())
        found.append(shown)
    return found


def unknown_column(sheet: Sheet, words: str) -> ToolError:
    """What is said where the table has no such column or value."""
    return ToolError(
        f"There is no “{clipped(words)}” in this table. Its columns are {columns_of(sheet)}."
    )


def clipped(words: str) -> str:
    """Words of somebody, short enough to stand in a sentence."""
    return words if len(words) <= 50 else f"{words[:49].rstrip()}…"


def columns_of(sheet: Sheet) -> str:
    """The names of the columns in words, as many as a sentence holds."""
    names = sheet.header
    shown: list[str] = []
    for name in names[:30]:
        if sum(map(len, shown)) < 500:
            shown.append(f"“{clipped(name)}”")
    more = len(names) - len(shown)
    return listed([*shown, f"{more} more"] if more else shown)
