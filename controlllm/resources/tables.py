"""How a table is written, and what its columns are called: read at its beginning, without its rows
being understood."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

#: How many names of columns are known, and how much of each, in characters.
MOST_NAMES, MOST_OF_NAME = 20, 30
_SEPARATORS = ",;\t|"
#: How much of a text tells how it is written, in characters.
_BEGINNING = 20_000
_RULE = re.compile(r"[\s|:-]*-[\s|:-]*")
#: What stands in rows and names no column: figures, days, addresses.
_FIGURE = re.compile(r"[-+(€$£]?\s*\d[\d.,:/' -]*\s*[%€$£)]?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_ADDRESS = re.compile(r"\S+@\S+|https?://\S+")


def table_details(text: str) -> dict[str, Any]:
    """How many rows and columns a table has, of a spreadsheet its first sheet, and what its first
    columns are called; nothing of these names where the first row looks like the others."""
    rows = _rows(text)
    if not rows:
        return {}
    rows = rows[header_row(rows) :]
    # Without the column behind a trailing separator.
    width = max(
        (place for row in rows for place, cell in enumerate(row, 1) if cell.strip()), default=0
    )
    first, others = rows[0][:width], rows[1:]
    if not others or not _names_columns(first, others[:40]):
        return {"rows": len(rows), "columns": width}
    names = [" ".join(name.split())[:MOST_OF_NAME] for name in first[:MOST_NAMES]]
    return {"rows": len(others), "columns": width, "header": names}


def separator_of(sample: str) -> str:
    """What parts most lines into the same number of cells; "" where nothing does."""
    best, chosen = (0.0, 0), ""
    for separator in _SEPARATORS:
        if separator not in sample:
            continue
        try:
            rows = [row for row in csv.reader(io.StringIO(sample), delimiter=separator) if any(row)]
        except csv.Error:
            continue
        widths = Counter(len(row) for row in rows if len(row) > 1)
        if widths:
            width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
            if (rank := (round(count / len(rows), 1), width)) > best:
                best, chosen = rank, separator
    return chosen


def header_row(rows: Sequence[Sequence[str]]) -> int:
    """Where the table begins, below a title and notes: with the first row that is as full as the
    others."""
    filled = [sum(bool(cell.strip()) for cell in row) for row in rows[:200]]
    usual = sorted(filled)[len(filled) // 2]
    for place, count in enumerate(filled[:20]):
        if count >= max(usual * 0.6, min(2, usual)):
            return place
    return 0


def _rows(text: str) -> list[list[str]]:
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    if text.lstrip().startswith(("[", "{")):
        return []
    if text.lstrip().startswith(("## ", "|")):
        return _rows_of_sheet(text)
    declared = re.match(r"sep=(.)\n", text)
    text = text[declared.end() :] if declared else text
    lines = text[:_BEGINNING].split("\n")
    sample = "\n".join(lines[:-1] if len(text) > _BEGINNING and len(lines) > 1 else lines)
    separator = declared[1] if declared else separator_of(sample)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=separator or ","))
    except csv.Error:
        return []
    return [row for row in rows if any(cell.strip() for cell in row)]


def _rows_of_sheet(text: str) -> list[list[str]]:
    """The rows of the first sheet of a spreadsheet that has any, as its text has them."""
    rows: list[list[str]] = []
    for line in text.split("\n"):
        if line.startswith("|"):
            if not _RULE.fullmatch(line):
                rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
        elif line.strip() and rows:
            break
    return rows


def _names_columns(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Whether a first row names columns, rather than being one like the others."""
    if sum(bool(cell.strip()) for cell in first) < max(len(first) / 2, 1):
        return False
    for place, cell in enumerate(map(str.strip, first)):
        below = [row[place].strip() for row in others if place < len(row)]
        if _ADDRESS.search(cell) or (cell and cell in below):
            return False
        if _FIGURE.fullmatch(cell) and not _YEAR.fullmatch(cell):
            return False
    return True
