"""A row of totals below a table, as it is asked for beside something else."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from controlllm.toolbox import ToolError

from .cells import Column
from .measures import is_added, measures
from .reading import Sheet
from .row_numbers import as_cells

Grid = list[list[str]]
_TOTAL = r"(?:(?:grand|overall|column|over-all) )?(?:totals?|sums?)"
_PLACE = (
    r"(?:(?:right |all the way )?(?:at|on|in|to|down) (?:the )?(?:very )?(?:bottom|foot|last "
    r"(?:row|line)|"
    r"final row)(?: of (?:it|that|(?:the |this )?(?:column|table|list|file|sheet|page)))?|"
    r"underneath(?: (?:it|them|that))?|(?:below|beneath|under)(?: (?:it|them|that|everything|"
    r"(?:the )?(?:table|list|column)))?(?![\w ]*\d))"
)
_VERB = (
    r"(?:(?:please|then|also|put|add|write|show|give|have|include|insert|place|make|append|me|us|"
    r"i'd like|i want|i need|with|and|plus) )*"
)
_OF = (
    r"(?: (?:of|for|over) (?:it|them|that|everything|all(?: of it| of that| that| this| those)?|"
    r"(?:all )?(?:the |that |this |"
    r"our )?"
    r"[\w-]+(?: columns?)?(?: and (?:the )?[\w-]+(?: columns?)?)?))?"
)
_LEAD = rf"[,;.]?(?:^|(?<=\s)|\s+){_VERB}"
_ARTICLE = r"(?:(?:a|an|the|its|their|one|row (?:of|with)|line (?:of|with)) )*"
_WISHES = (
    rf"{_LEAD}{_ARTICLE}{_TOTAL}(?: row| line)?{_OF} {_PLACE}",
    rf"{_LEAD}{_PLACE},? {_VERB}{_ARTICLE}{_TOTAL}(?: row| line)?{_OF}",
    rf"{_LEAD}{_ARTICLE}(?:{_TOTAL} (?:row|line)|(?:row|line) (?:of|with|for) (?:the |a "
    rf")?{_TOTAL}){_OF}"
    r"(?: (?:at|on) (?:the )?end)?",
)
_WISH = re.compile("|".join(rf"(?:{one})(?!\w)" for one in _WISHES), re.IGNORECASE)
#: What is left of a request that asks for nothing else.
_NOTHING = re.compile(
    r"(?:please|pls|and|also|then|to|the|this|my|our|it|for|of|in|file|table|sheet|list|excel|"
    r"spreadsheet|can|could|you|i|'d|like|would|want|need|a|an|just|thanks|add|put|show|\W)*",
    re.IGNORECASE,
)


def without_total_row(prompt: str) -> tuple[str, bool]:
    """The words without the wish for a row of totals, and whether they have it.

    "" where nothing else is wished.
    """
    rest, count = _WISH.subn(" ", prompt)
    rest = re.sub(r"\W*\b(?:and|with|plus|then|also)\W*$", "", " ".join(rest.split()))
    return ("" if _NOTHING.fullmatch(rest) else rest) if count else prompt, bool(count)


def with_total_row(sheet: Sheet, before: Sequence[str] = ()) -> Grid:
    """All of a table with a row that adds up its numbers at the end: of the columns that are not
    among the names `before`, where there are such.

    Raises ToolError where it has no numbers that can be added up.
    """
    columns = [column for column in measures(sheet) if is_added(column)]
    new = [column for column in columns if column.name not in before]
    summed = new if before and new else columns
    if not summed:
        raise ToolError("There is no column of numbers in this table whose total says anything.")
    row = [_total(column) if column in summed else "" for column in sheet.columns]
    free = next((place for place, cell in enumerate(row) if not cell), None)
    if free is None:
        # A row of totals is told from others by its first cell.
        raise ToolError("Each column of this table has numbers, so a row cannot be called “Total”.")
    first = 0 if not row[0] else free
    row[first] = "Total"
    return [sheet.header, *(sheet.row(place) for place in range(sheet.count)), row]


def _total(column: Column) -> str:
    return as_cells([math.fsum(column.numbers)], [column])[0]
