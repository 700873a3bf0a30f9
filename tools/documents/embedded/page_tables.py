"""The tables on the pages of a PDF, found by where their words stand and by what is ruled.

Columns are told by the gaps that go down through all lines of a table, rows by its lines; where
rules are drawn, by these. A table goes on, over the edge of a page too, as long as the lines below
fit into its columns.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from controlllm.toolbox import Context, ToolError

from . import page_words, pdf_files
from .placed_words import Grid, Line, PlacedPage, Word, placed

#: Words that are so much of their height apart may stand in two columns.
_GAP = 0.6
#: A table ends where the next line is so many times further than its lines are from each other.
_FURTHER = 2.3
#: What stands above a table is its header where it is nearer than this.
_ABOVE = 1.7
#: A line that is nearer than this, in heights of its letters, may go on with the one above.
_NEAR = 1.6
#: Cells that are longer on the whole are columns of a text and no table.
_LONG = 32
_CURRENCY = re.compile(r"[€$£¥₹]|EUR|USD|GBP|CHF|[A-Z]{3}")
_FIGURE = re.compile(r"[-+–(€$£]*\d")
Row = list[str]


@dataclass(frozen=True)
class FoundTable:
    """The rows of a table, all equally long, the header first, and the pages that it is on,
    counted from 1."""

    rows: list[Row]
    pages: tuple[int, ...]
    is_ruled: bool = False

    @property
    def name(self) -> str:
        """Where it stands: "Page 2", "Pages 2-4"."""
        first, last = self.pages[0], self.pages[-1]
        return f"Page {first}" if first == last else f"Pages {first}-{last}"


@dataclass
class _Block:
    """Lines that are a table, each with its page, and the heights of the rules on its pages."""

    lines: list[tuple[int, Line]]
    rules: dict[int, list[float]]

    @property
    def pages(self) -> tuple[int, ...]:
        return tuple(sorted({page for page, _ in self.lines}))


def read(found: Any, pages: str, context: Context) -> list[FoundTable]:
    """The tables on some pages of a PDF, such as "2-5", or on all; those of scans are read by
    sight.

    Raises ToolError where there is none.
    """
    wanted = pdf_files.places(pages or "all", len(found))
    scans = left_out = 0

    def placed_pages() -> Iterator[tuple[int, PlacedPage]]:
        nonlocal scans, left_out
        for done, number in enumerate(wanted):
            context.progress(done / len(wanted), f"Page {number + 1}")
            page = found[number]
            is_scan = not page_words.has_words(page) and page_words.has_picture(page)
            scans += is_scan
            left_out += is_scan and scans > page_words.MOST_READ_BY_LOOKS
            yield number + 1, placed(page, is_scan and scans <= page_words.MOST_READ_BY_LOOKS)
            page.close()

    tables = tables_of(placed_pages())
    if left_out:
        context.remark(
            f"{page_words.MOST_READ_BY_LOOKS} scanned pages were read, and {left_out} were not. "
            "Name these pages in a request of their own."
        )
    if not tables:
        on = "on these pages" if pages else "in this PDF"
        raise ToolError(
            f"There is no table {on}: nothing stands below each other in columns. Take its text "
            "instead, or name the pages on which the table is."
        )
    return tables


@dataclass(frozen=True)
class _Pages:
    """The rows of a table on each of its pages."""

    rows: list[list[Row]]
    pages: tuple[int, ...]
    is_ruled: bool = False


def tables_of(pages: Iterable[tuple[int, PlacedPage]]) -> list[FoundTable]:
    """The tables of pages that come with their numbers, in their order; one that goes on over
    several pages is one, its header taken once."""
    ruled: list[_Pages] = []
    blocks: list[_Block] = []
    for number, page in pages:
        free = [[word for word in line if not any(grid.holds(word) for grid in page.grids)]
                for line in page.lines]  # fmt: skip
        rules = [height for height, _, _ in page.rules]
        for block in _blocks(number, [line for line in free if line], rules):
            last = next((one for one in blocks[::-1] if _goes_on(one, block)), None)
            if last:
                last.lines += block.lines
                last.rules |= block.rules
            else:
                blocks.append(block)
        for rows in filter(None, (_of_grid(grid, page.lines) for grid in page.grids)):
            above = ruled[-1] if ruled else None
            if above and above.pages[-1] == number - 1 and len(above.rows[0][0]) == len(rows[0]):
                ruled[-1] = _Pages([*above.rows, rows], (*above.pages, number), True)
            else:
                ruled.append(_Pages([rows], (number,), True))
    found = [*ruled, *(_Pages(_rows(block), block.pages) for block in blocks)]
    tidy = [FoundTable(_tidy(one.rows), one.pages, one.is_ruled) for one in found]
    return sorted(filter(_is_table, tidy), key=lambda table: table.pages)


def _is_table(table: FoundTable) -> bool:
    if len(table.rows) < 2 or len(table.rows[0]) < 2:
        return False
    if table.is_ruled:
        return True
    cells = [len(cell) for row in table.rows for cell in row if cell]
    if len(table.rows[0]) > 2:
        return True
    # Two columns may be those of a text, or an address beside a date.
    amounts = max(sum(bool(_FIGURE.match(cell)) for cell in column)
                  for column in zip(*table.rows, strict=True))  # fmt: skip
    is_list = len(table.rows) > 4 or (len(table.rows) > 2 and amounts >= len(table.rows) - 1)
    return is_list and median(cells) <= _LONG


def _pieces(line: Line) -> list[Line]:
    """A line taken apart where its words stand further from each other than in a sentence."""
    pieces: list[Line] = []
    for word in line:
        last = pieces[-1][-1] if pieces else None
        if last and word.left - last.right <= _GAP * max(last.height, word.height):
            pieces[-1].append(word)
        else:
            pieces.append([word])
    return pieces


def _blocks(page: int, lines: Sequence[Line], rules: Sequence[float]) -> list[_Block]:
    """The lines of a page that may be tables."""
    blocks: list[_Block] = []
    waiting: list[Line] = []
    is_open = False
    for line in lines:
        added = [(page, line)]
        is_near = is_open and _is_near(blocks[-1], (waiting or [blocks[-1].lines[-1][1]])[-1], line)
        if is_open and not is_near:
            _end(blocks[-1], waiting, page)
            is_open = False
        if len(_pieces(line)) == 1:
            waiting.append(line)
            continue
        if is_open and _fits(blocks[-1], added):
            blocks[-1].lines += [(page, one) for one in waiting] + added
        else:
            if is_open:
                _end(blocks[-1], waiting, page)
            blocks.append(_Block(added, {page: list(rules)}))
        waiting, is_open = [], True
    if is_open:
        _end(blocks[-1], waiting, page)
    return _joined(blocks)


def _joined(blocks: Sequence[_Block]) -> list[_Block]:
    """Blocks one below the other as one where they have the same columns: the names above may
    stand closer to each other than what they are of."""
    joined: list[_Block] = []
    for block in reversed(blocks):
        if joined:
            below = joined[-1]
            step = below.lines[0][1][0].middle[1] - block.lines[-1][1][0].middle[1]
            if step < _ABOVE * _step(below) and _fits(block, below.lines):
                block.lines += below.lines
                joined.pop()
        joined.append(block)
    return joined[::-1]


def _end(block: _Block, waiting: Sequence[Line], page: int) -> None:
    """What stands right below the last row goes on with it."""
    for line in waiting:
        last = block.lines[-1][1][0]
        is_close = line[0].middle[1] - last.middle[1] < _NEAR * last.height
        if not is_close or not _fits(block, [(page, line)]):
            return
        block.lines.append((page, line))


def _step(block: _Block) -> float:
    """How far its lines are from each other, or may be where there is only one."""
    steps = [after[0].middle[1] - before[0].middle[1]
             for (one, before), (two, after) in pairwise(block.lines) if one == two]  # fmt: skip
    return median(steps) if steps else 1.3 * block.lines[0][1][0].height


def _is_near(block: _Block, last: Line, line: Line) -> bool:
    return line[0].middle[1] - last[0].middle[1] < _FURTHER * _step(block)


def _fits(block: _Block, added: Sequence[tuple[int, Line]]) -> bool:
    """Whether lines stand in the columns of a block, or the block in theirs."""
    most = max(len(_gaps(block.lines)) + 1, len(_gaps(added)) + 1)
    return len(_gaps([*block.lines, *added])) + 1 == most > 1


def _goes_on(block: _Block, after: _Block) -> bool:
    """Whether a block is the next page of a table, and not the head or foot of pages."""
    is_next = block.pages[-1] == after.pages[0] - 1
    is_short = min(len(block.lines), len(after.lines)) < 3
    return is_next and _fits(block, after.lines) and not (is_short and len(_gaps(after.lines)) < 2)


def _gaps(lines: Sequence[tuple[int, Line]]) -> list[float]:
    """Where one column ends and the next begins: in the middle of the gaps through all lines."""
    several = [line for _, line in lines if len(_pieces(line)) > 1]
    if not several:
        return []
    height = median(word.height for line in several for word in line)
    edges = sorted(
        edge for line in several for word in line for edge in ((word.left, 1), (word.right, -1))
    )
    gaps, depth, start = [], 0, None
    for place, step in edges:
        before, depth = depth, depth + step
        if before > 0 == depth:
            start = place
        elif before == 0 < depth and start is not None:
            if place - start > 0.15 * height:
                gaps.append((start + place) / 2)
            start = None
    return _real(gaps, [piece for line in several for piece in _pieces(line)])


def _real(gaps: list[float], pieces: Sequence[Line]) -> list[float]:
    """The gaps that part columns and not only the words of a sentence: more stands on either side
    of them than goes over them."""
    while gaps:
        sides = [(piece[0].left, piece[-1].right) for piece in pieces]
        whole = [
            sum(above < left and right < below for left, right in sides)
            for above, below in pairwise([-math.inf, *gaps, math.inf])
        ]
        over = [sum(left < gap < right for left, right in sides) for gap in gaps]
        wrong = [(count - min(beside), place)
                 for place, (count, beside) in enumerate(zip(over, pairwise(whole), strict=True))
                 if count and count >= min(beside)]  # fmt: skip
        if not wrong:
            break
        del gaps[max(wrong)[1]]
    return gaps


def _cells(line: Sequence[Word], gaps: Sequence[float]) -> Row:
    """The words of a line by columns; what stands in one piece stays in one cell."""
    cells = [""] * (len(gaps) + 1)
    is_whole = len(_pieces(list(line))) == 1
    for word in line:
        place = sum(gap < (line[0].left if is_whole else word.middle[0]) for gap in gaps)
        cells[place] = f"{cells[place]} {word.text}".strip()
    return cells


def _rows(block: _Block) -> list[list[Row]]:
    gaps = _gaps(block.lines)
    found = []
    for page in block.pages:
        lines = [line for one, line in block.lines if one == page]
        top, bottom = lines[0][0].top, lines[-1][0].bottom
        rules = [rule for rule in block.rules[page] if top < rule < bottom]
        bands = [
            [line for line in lines if above < line[0].middle[1] < below]
            for above, below in pairwise([top - 1, *rules, bottom + 1])
        ]
        found.append(
            [row for band in filter(None, bands) for row in _of_band(band, gaps, bool(rules))]
        )
    return found


def _of_grid(grid: Grid, lines: Sequence[Line]) -> list[Row]:
    rows: list[Row] = []
    for above, below in pairwise(grid.rows):
        band = [[word for word in line if grid.holds(word) and above < word.middle[1] < below]
                for line in lines]  # fmt: skip
        if band := [line for line in band if line]:
            rows += _of_band(band, grid.columns[1:-1], True)
    return rows


def _of_band(lines: Sequence[Line], gaps: Sequence[float], is_ruled: bool) -> list[Row]:
    """The rows between two rules: one whose cells have several lines, or several."""
    cells = [_cells(line, gaps) for line in lines]
    starts = sum(bool(row[0]) for row in cells)
    if is_ruled and starts < 2 and not _has_amounts(cells):
        return [[" ".join(filter(None, column)) for column in zip(*cells, strict=True)]]
    rows: list[Row] = []
    for place, row in enumerate(cells):
        if rows and _is_rest(row, rows[-1]) and _is_close(lines[place - 1], lines[place]):
            rows[-1] = [f"{one} {two}".strip() for one, two in zip(rows[-1], row, strict=True)]
        else:
            rows.append(row)
    return rows


def _has_amounts(cells: Sequence[Row]) -> bool:
    """Whether amounts stand below each other in a column."""
    columns = zip(*cells, strict=True)
    return any(sum(bool(_FIGURE.match(cell)) for cell in column) > 1 for column in columns)


def _is_rest(row: Row, above: Row) -> bool:
    """Whether a line holds only what goes on from the cells above, and no amounts of its own."""
    filled = [place for place, cell in enumerate(row) if cell]
    return not row[0] and len(filled) <= max(1, len(row) // 2) and all(
        above[place] and not _FIGURE.match(row[place]) for place in filled
    )  # fmt: skip


def _is_close(above: Line, below: Line) -> bool:
    return below[0].middle[1] - above[0].middle[1] < _NEAR * below[0].height


def _tidy(pages: Sequence[Sequence[Row]]) -> list[Row]:
    """The rows of all pages from the header on, without empty columns, the header once, and a
    currency in a column of its own with its amounts."""
    rows = [row for row in pages[0] if any(row)]
    if not rows:
        return []
    filled = [sum(map(bool, row)) for row in rows]
    usual = sorted(filled)[len(filled) // 2]
    start = next((place for place, count in enumerate(filled) if count >= max(2, usual * 0.6)), 0)
    header, body = rows[start], rows[start + 1 :]
    for page in pages[1:]:
        # What stands above the header on a later page is the head of the page.
        begins = page.index(header) + 1 if header in page[:3] else 0
        body += page[begins:]
    body = [row for row in body if any(row) and row != header]
    columns = [list(column) for column in zip(header, *body, strict=True)]
    columns = [column for column in columns if any(column)]
    place = 0
    while place + 1 < len(columns):
        name, *cells = columns[place]
        is_one = not (name and columns[place + 1][0])
        if is_one and any(cells) and all(not cell or _CURRENCY.fullmatch(cell) for cell in cells):
            pairs = zip(columns[place], columns[place + 1], strict=True)
            columns[place : place + 2] = [[f"{one} {two}".strip() for one, two in pairs]]
        place += 1
    return [list(row) for row in zip(*columns, strict=True)]
