"""Tables put together and tidied."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from controlllm.toolbox import ToolError

from .reading import MOST_ROWS, grids_in, sheets_in
from .words import parts
from .writing import grid

Grid = list[list[str]]


def clean(text: str) -> list[tuple[str, Grid, str]]:
    """Each sheet without empty rows and columns, stray blanks and rows that occur twice."""
    found = []
    for name, rows, separator in grids_in(text):
        tidy = [[_tidy(cell) for cell in row] for row in rows]
        used = [
            place
            for place in range(max(map(len, tidy), default=0))
            if any(row[place] for row in tidy)
        ]
        shown: dict[tuple[str, ...], None] = {}
        for row in tidy:
            cells = tuple(row[place] for place in used)
            if any(cells):
                shown.setdefault(cells)
        if shown:
            found.append((name, [list(cells) for cells in shown], separator))
    if not found:
        raise ToolError("There is no table in this. Add a CSV or Excel file.")
    return found


def _tidy(cell: str) -> str:
    visible = "".join(
        sign for sign in cell if unicodedata.category(sign) not in ("Cf", "Cc") or sign in "\n\t"
    )
    return " ".join(visible.split())


def join(tables: Sequence[str]) -> Grid:
    """All tables in one: below each other where their columns are the same, else matched.

    Raises ToolError where they have nothing in common.
    """
    sheets = [sheet for text in tables for sheet in sheets_in(text)[:1]]
    joined = grid(sheets[0], has_total=False)
    for sheet in sheets[1:]:
        other = grid(sheet, has_total=False)
        joined = _joined(joined, other)
        if len(joined) > MOST_ROWS:
            raise ToolError(
                f"Together the tables would have more than {MOST_ROWS:,} rows. Filter them first."
            )
    return joined


def folded(name: str) -> str:
    """The words of a header, by which those of two tables are held against each other."""
    return " ".join(parts(name)) or name.casefold()


def _joined(first: Grid, second: Grid) -> Grid:
    names = [folded(name) for name in first[0]]
    others = [folded(name) for name in second[0]]
    shared = [name for name in names if name in others]
    if set(names) == set(others):
        places = [others.index(name) for name in names]
        return first + [[row[place] for place in places] for row in second[1:]]
    keys = _keys(first, second, [(names.index(name), others.index(name)) for name in shared])
    if not keys and len(shared) >= 2 and len(shared) >= 0.6 * min(len(names), len(others)):
        return _below(first, second, names, others)
    if not keys:
        pairs = [(one, two) for one in range(len(names)) for two in range(len(others))]
        keys = _keys(first, second, pairs, least=0.6)[:1]
    if not keys:
        raise ToolError(
            "These tables share no column by which their rows could be matched, and their columns "
            f"differ: {', '.join(first[0][:10])} and {', '.join(second[0][:10])}. Give one "
            f"column in "
            "both the same name."
        )
    return _matched(first, second, keys)


def _keys(
    first: Grid, second: Grid, pairs: Sequence[tuple[int, int]], least: float = 0.3
) -> list[tuple[int, int]]:
    """The pairs of columns by which rows can be matched: the same values stand in both, and in one
    of them each once. All shared names that agree are keys together."""
    found = []
    for one, two in pairs:
        ours = [value_of(row[one]) for row in first[1:] if row[one].strip()]
        theirs = [value_of(row[two]) for row in second[1:] if row[two].strip()]
        both = set(ours) & set(theirs)
        if not both or len(both) < least * min(len(set(ours)), len(set(theirs))):
            continue
        is_key = len(set(ours)) == len(ours) or len(set(theirs)) == len(theirs)
        found.append((is_key, len(both), (one, two)))
    if not found:
        return []
    single = [item for item in found if item[0]]
    if single:
        return [max(single, key=lambda item: item[1])[2]]
    pairs_of_names = [item[2] for item in found]
    left = [tuple(value_of(row[one]) for one, _ in pairs_of_names) for row in first[1:]]
    right = [tuple(value_of(row[two]) for _, two in pairs_of_names) for row in second[1:]]
    if len(set(left)) == len(left) or len(set(right)) == len(right):
        return pairs_of_names
    return []


def value_of(cell: str) -> str:
    """What a cell is compared by: without capitals and stray blanks, 5.0 as 5."""
    plain_cell = " ".join(cell.split()).casefold()
    return re.sub(r"\.0+$", "", plain_cell) if re.fullmatch(r"\d+\.0+", plain_cell) else plain_cell


def _below(first: Grid, second: Grid, names: list[str], others: list[str]) -> Grid:
    """One below the other, with the columns of both."""
    new = [place for place, name in enumerate(others) if name not in names]
    header = first[0] + [second[0][place] for place in new]
    rows = [[*row, *[""] * len(new)] for row in first[1:]]
    for row in second[1:]:
        known = [row[others.index(name)] if name in others else "" for name in names]
        rows.append(known + [row[place] for place in new])
    return [header, *rows]


def _matched(first: Grid, second: Grid, keys: Sequence[tuple[int, int]]) -> Grid:
    """Rows side by side where their keys are the same; what has no partner stays as it is."""
    taken = {two for _, two in keys}
    new = [place for place in range(len(second[0])) if place not in taken]
    partners: dict[tuple[str, ...], list[int]] = {}
    for number, row in enumerate(second[1:], 1):
        partners.setdefault(tuple(value_of(row[two]) for _, two in keys), []).append(number)
    names = list(first[0])
    for place in new:
        name, number = second[0][place], 2
        while name.casefold() in {one.casefold() for one in names}:
            name, number = f"{second[0][place]} {number}", number + 1
        names.append(name)
    rows: Grid = []
    used: set[int] = set()
    for row in first[1:]:
        key = tuple(value_of(row[one]) for one, _ in keys)
        found = partners.get(key, []) if any(key) else []
        used.update(found)
        for number in found:
            rows.append([*row, *(second[number][place] for place in new)])
        if not found:
            rows.append([*row, *[""] * len(new)])
        if len(rows) > MOST_ROWS:
            break
    for number, row in enumerate(second[1:], 1):
        if number not in used:
            alone = [""] * len(first[0])
            for one, two in keys:
                alone[one] = row[two]
            rows.append([*alone, *(row[place] for place in new)])
    return [names, *rows]


def as_sheets(sheets: Sequence[tuple[str, Grid, str]]) -> str:
    """Several tables as text, each below its name, as a spreadsheet is read."""
    blocks = []
    for name, rows, _ in sheets:
        lines = ["| " + " | ".join(cell.replace("|", "/") for cell in row) + " |" for row in rows]
        lines.insert(1, "|" + " --- |" * len(rows[0]))
        blocks.append(f"## {name}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(blocks)
