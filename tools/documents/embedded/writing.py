"""Tables written in a format: CSV, tabs, Excel, JSON, Markdown."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
from collections.abc import Sequence
from typing import Any

from .cells import Column
from .measures import is_measure
from .reading import Sheet

MEDIA_TYPES = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "markdown": "text/markdown",
}
_WIDEST, _NARROWEST = 60, 9
_NO_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def as_csv(rows: Sequence[Sequence[str]], separator: str = ",") -> str:
    """Rows as text with a separator between the cells."""
    target = io.StringIO()
    csv.writer(target, delimiter=separator, lineterminator="\n").writerows(rows)
    return target.getvalue()


def grid(sheet: Sheet, has_total: bool = True) -> list[list[str]]:
    """All of a sheet, with or without its row of totals."""
    rows = [sheet.header, *(sheet.row(place) for place in range(sheet.count))]
    return rows + ([sheet.total] if sheet.total and has_total else [])


def written(sheets: Sequence[Sheet], format_name: str) -> bytes:
    """The file of one or more sheets; only Excel, JSON and Markdown hold several."""
    if format_name == "xlsx":
        return _as_excel(sheets)
    if format_name == "json":
        return _as_json(sheets).encode()
    if format_name == "markdown":
        return _as_markdown(sheets).encode()
    rows = grid(sheets[0])
    if format_name == "tsv":
        plain = [[" ".join(cell.split()) for cell in row] for row in rows]
        return "".join("\t".join(row) + "\n" for row in plain).encode()
    # Excel knows by the mark that letters beyond English are UTF-8.
    text = as_csv(rows)
    return text.encode() if text.isascii() else text.encode("utf-8-sig")


def _as_json(sheets: Sequence[Sheet]) -> str:
    tables = [
        [
            {column.name: _plain_value(column, place) for column in sheet.columns}
            for place in range(sheet.count)
        ]
        for sheet in sheets
    ]
    if len(sheets) == 1:
        return json.dumps(tables[0], ensure_ascii=False, indent=2) + "\n"
    named = {
        sheet.name or f"Sheet {n}": rows
        for n, (sheet, rows) in enumerate(zip(sheets, tables, strict=True), 1)
    }
    return json.dumps(named, ensure_ascii=False, indent=2) + "\n"


def _plain_value(column: Column, place: int) -> Any:
    """A cell as JSON has it: numbers as numbers, days as 2024-03-01, nothing as null."""
    if not column.cells[place].strip():
        return None
    value = column.values[place] if column.values else None
    if isinstance(value, float) and not column.is_clock and not (column.before or column.after):
        return int(value) if value.is_integer() and not column.decimals else value
    if isinstance(value, dt.datetime):
        return value.isoformat() if column.has_times else value.date().isoformat()
    return column.cells[place]


def _as_markdown(sheets: Sequence[Sheet]) -> str:
    blocks = []
    for sheet in sheets:
        rows = [
            [cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in grid(sheet)
        ]
        widths = [min(max(len(row[place]) for row in rows), 40) for place in range(len(rows[0]))]
        widths = [max(width, 3) for width in widths]
        is_right = [is_measure(column) for column in sheet.columns]
        rule = [
            f"{'-' * (width - 1)}{':' if right else '-'}"
            for width, right in zip(widths, is_right, strict=True)
        ]
        lines = []
        for number, row in enumerate(rows):
            cells = [
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(row, widths, is_right, strict=True)
            ]
            lines.append(f"| {' | '.join(cells)} |")
            if number == 0:
                lines.append(f"| {' | '.join(rule)} |")
        heading = f"## {sheet.name}\n\n" if sheet.name and len(sheets) > 1 else ""
        blocks.append(heading + "\n".join(lines) + "\n")
    return "\n".join(blocks)


def _as_excel(sheets: Sequence[Sheet]) -> bytes:
    """A workbook with real numbers and dates, the header bold and held in place."""
    import openpyxl
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = openpyxl.Workbook(write_only=True)
    taken: set[str] = set()
    for number, sheet in enumerate(sheets, 1):
        page = book.create_sheet(
            _page_name(sheet.name or ("Table" if len(sheets) == 1 else f"Table {number}"), taken)
        )
        page.freeze_panes = "A2"
        for place, column in enumerate(sheet.columns, 1):
            longest = max(map(len, (column.name, *column.cells[:500])))
            width = min(max(longest + 2, _NARROWEST), _WIDEST)
            page.column_dimensions[get_column_letter(place)].width = width
        last = get_column_letter(len(sheet.columns))
        page.auto_filter.ref = f"A1:{last}{sheet.count + 1}"
        header = []
        for name in sheet.header:
            cell = WriteOnlyCell(page)
            _as_words(cell, name)
            cell.font = Font(bold=True)
            header.append(cell)
        page.append(header)
        formats = [_format(column) for column in sheet.columns]
        for place in range(sheet.count):
            row = []
            for column, shown in zip(sheet.columns, formats, strict=True):
                cell = WriteOnlyCell(page)
                value = _excel_value(column, place)
                if isinstance(value, str):
                    _as_words(cell, value)
                elif value is not None:
                    cell.value = value
                    cell.number_format = shown
                row.append(cell)
            page.append(row)
        if sheet.total:
            page.append(_total(page, sheet, formats))
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def _as_words(cell: Any, words: str) -> None:
    """Words stay words: what begins with "=" is no formula in a table of somebody's."""
    cell.value = _NO_CONTROLS.sub("", words)[:32_767]
    cell.data_type = "s"


def _excel_value(column: Column, place: int) -> str | float | dt.datetime | None:
    if not column.cells[place].strip():
        return None
    value = column.values[place] if column.values else None
    if value is None:
        return column.cells[place]
    if isinstance(value, float):
        if column.is_clock:
            return value / 24
        if column.after == "%":
            return value / 100
        # More digits than a spreadsheet keeps name something and are no amount.
        return column.cells[place] if abs(value) >= 1e15 else value
    return value


def _format(column: Column) -> str:
    """How a spreadsheet shows the numbers or dates of a column."""
    if column.kind == "date":
        if all(re.fullmatch(r"\d{4}-\d\d|", cell.strip()) for cell in column.cells):
            return "yyyy-mm"
        return "yyyy-mm-dd hh:mm" if column.has_times else "yyyy-mm-dd"
    if column.is_clock:
        return "[h]:mm"
    decimals = f".{'0' * column.decimals}" if column.decimals else ""
    if column.after == "%":
        return f"0{decimals}%"
    if column.before or column.after:
        before = f'"{column.before} "' if column.before else ""
        after = f'" {column.after}"' if column.after else ""
        return f"{before}#,##0{decimals}{after}"
    return f"0{decimals}" if decimals else "General"


def _total(page: Any, sheet: Sheet, formats: Sequence[str]) -> list[Any]:
    """The row of totals, its numbers as numbers where they can be read as those of the column."""
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    from .cells import typed

    row = []
    for column, shown, words in zip(sheet.columns, formats, sheet.total, strict=True):
        cell = WriteOnlyCell(page)
        again = typed([(column.name, [*column.cells[:50], words])])[0]
        value = _excel_value(again, len(again.cells) - 1) if column.kind == "number" else words
        if isinstance(value, str):
            _as_words(cell, value)
        elif value is not None:
            cell.value, cell.number_format = value, shown
        cell.font = Font(bold=True)
        row.append(cell)
    return row


def _page_name(name: str, taken: set[str]) -> str:
    """A name as a sheet may have it: without some signs, at most 31 letters, each once."""
    plain = re.sub(r"[\[\]:*?/\\]", " ", name).strip(" '")[:28] or "Table"
    number, shown = 2, plain
    while shown.casefold() in taken:
        shown, number = f"{plain} {number}", number + 1
    taken.add(shown.casefold())
    return shown
