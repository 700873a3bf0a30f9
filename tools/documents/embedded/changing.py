"""Tables sorted, filtered, grouped, joined and tidied as plain words say."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from controlllm.toolbox import ToolError

from .asides import without_asides, without_chatter, without_heading, without_its_name
from .asking import Asked, asked_of
from .cells import Column
from .condition_words import LESS, MORE, C
from .conditions import conditions_in
from .exclusions import as_without
from .grouping import group
from .measures import measure_of, tells_age, tells_time
from .order_wishes import (
    Extreme,
    about_in,
    direction_in,
    extreme_in,
    order_in,
    orders_in,
    tells_when,
)
from .plain_requests import IGNORED, reject_leftovers
from .reading import Sheet, columns_of, sheets_in, unknown_column
from .row_tests import Conditions
from .words import parts
from .worth import with_worth

_REMOVE = re.compile(
    r"(?<!\w)(?:remove|delete|drop|exclude|leave out|get rid of|take out|omit|hide|throw (?:out|"
    r"away)|"
    r"strip|filter out|discard|cut(?: out)?|without|kick out|erase|take away|bin|scrap|ditch|toss|"
    r"(?:leave|take|throw|kick|cut|get)(?= [^;]*(?<!\w)(?:out|off|away)(?!\w)))(?!\w)"
)
_ASKS = re.compile(r"\W*(?:who|when|why|how|what)\b", re.IGNORECASE)
_SORTED_BY = re.compile(rf"(?<!\w)(?:by|per) (?:the |their |its )*{C}")
_ROWS = re.compile(
    r"(?<!\w)(?P<way>first|last|top|bottom) (?P<n>N\d+) (?:rows?|lines?|entries|records)(?!\w)"
)
_ALL_BUT = re.compile(
    r"(?<!\w)(?:everything|everybody|everyone|anything|all)(?: (?:the )?(?:rows?|lines?|entries))? "
    r"but(?!\w)"
)
#: "Only the people in the list who owe something", "only sites deeper than 10 m" are whole rows.
_WHICH_ONES = re.compile(
    r"\b(?:only|just) (?:the |those )?(?!(?:the|those|names?)\b)\w+ (?!of )(?:(?:\w+ ){0,4}?(?:who|"
    rf"whose|that|which|with|having)|(?:{MORE}|{LESS}))\b",
    re.IGNORECASE,
)
Grid = list[list[str]]
Found = TypeVar("Found")


def of_sheet(text: str, prompt: str, work: Callable[[Sheet, str], Found]) -> Found:
    """The work done on the sheet that is meant, as the words say without its name: the one that is
    named, else the first with which it can be done. Where it cannot be done as all was said, it is
    done as was said without what stands beside the wish."""
    if prompt.count("\n") > 5 and prompt.count(",") > 20:
        # A table comes for words where a plan found no words for it.
        raise ToolError("It is not said what shall be done with the table. Say it in plain words.")
    sheets = sheets_in(text)
    named = [sheet for sheet in sheets if sheet.name and len(sheets) > 1 and re.search(
        rf"(?<!\w){re.escape(sheet.name)}(?!\w)", prompt, re.IGNORECASE)]  # fmt: skip
    first: ToolError | None = None
    for sheet in named[:1] or sheets:
        words, reason = without_name(sheet, prompt), None
        words = without_its_name(sheet, words)
        wordings = (words, without_asides(sheet, words), without_chatter(sheet, words))
        for said in dict.fromkeys((*wordings, *(without_heading(sheet, one) for one in wordings))):
            try:
                return work(sheet, said)
            except ToolError as error:
                # The last reason is about the wish itself.
                reason = error
        first = first or reason
    assert first is not None
    raise first


def sheet_named(text: str, prompt: str) -> Sheet | None:
    """The sheet of several whose name stands in the words."""
    sheets = sheets_in(text)
    for sheet in sheets if len(sheets) > 1 else ():
        if sheet.name and re.search(rf"(?<!\w){re.escape(sheet.name)}(?!\w)", prompt, re.I):
            return sheet
    return None


def without_name(sheet: Sheet, prompt: str) -> str:
    """The words without the name of the sheet, which would be taken for a value."""
    if not sheet.name:
        return prompt
    return re.sub(rf"(?<!\w)(?:(?:in|on|of|from) )?(?:the )?(?:sheet "
                  rf")?[\"“]?{re.escape(sheet.name)}[\"”]?(?: sheet)?(?!\w)",
                  " ", prompt, flags=re.IGNORECASE)  # fmt: skip


def rows_of(sheet: Sheet, kept: Sequence[int], columns: Sequence[Column] | None = None) -> Grid:
    """The header and some rows."""
    chosen = sheet.columns if columns is None else columns
    return [
        [column.name for column in chosen],
        *([column.cells[row] for column in chosen] for row in kept),
    ]


def in_order(column: Column, rows: Sequence[int], is_down: bool) -> list[int]:
    """Rows by the cells of a column; empty ones come last whichever way, and before them those
    that are no number or date among such."""
    filled = [row for row in rows if not column.is_empty(row)]
    unread = [row for row in filled if column.values and column.values[row] is None]
    read = [row for row in filled if not column.values or column.values[row] is not None]
    empty = [row for row in rows if column.is_empty(row)]
    return sorted(read, key=column.sort_key, reverse=is_down) + unread + empty


def sort(sheet: Sheet, prompt: str) -> Grid:
    """All rows in the order that is asked for.

    Raises ToolError where no column of the table is named.
    """
    # "Order it by city" names no column "Order".
    prompt = re.sub(
        r"^(\W*(?:(?:please|can|could|would|you)\W+)*)order\b", r"\1sort", prompt, flags=re.I
    )
    richer, words = with_worth(sheet, prompt)
    if richer is not sheet:
        return _by_worth(sheet, richer, words)
    asked = asked_of(sheet, prompt)
    by = re.search(r"(?<!\w)by (?:the |their |its |our )*(?P<what>[a-z][a-z-]+)", asked.line)
    orders = orders_in(asked)
    if orders and by and by["what"] not in _KNOWN_ORDERS:
        raise unknown_column(sheet, by["what"])
    about = about_in(asked)
    down = direction_in(asked)
    if about is not None and all(column.kind == "text" for column, _ in orders):
        # "The dearest items first" go by their price, and "by customer, newest first" by both.
        before = orders if tells_when(about) and _SORTED_BY.search(asked.line) else []
        orders = [*((column, None) for column, _ in before), (about, down)]
    if not orders:
        orders = [(_implied(asked), down)]
    # The fastest has the shortest time, and the highest speed.
    quick = re.search(r"\b(?:(?P<fast>fast|quick)|slow)est\b", prompt, re.IGNORECASE)
    by_age = re.search(
        r"\b(?:(?P<old>old)|young)est(?: \w+)* (?:first|(?:on|at) (?:the )?top)", prompt, re.I
    )
    rows = list(range(sheet.count))
    for column, is_down in reversed(orders):
        way = is_down if is_down is not None else bool(down) and len(orders) == 1
        if by_age and (column.kind == "date" or tells_age(column)):
            # Who is older was born earlier.
            way = bool(by_age["old"]) == (column.kind != "date")
        if quick and tells_time(column):
            way = not quick["fast"]
        rows = in_order(column, rows, way)
    return rows_of(sheet, rows) + ([sheet.total] if sheet.total else [])


def _by_worth(sheet: Sheet, richer: Sheet, words: str) -> Grid:
    """Rows in the order of price times quantity; of kinds that are ranked, their totals."""
    asked = asked_of(richer, words)
    if any(column.kind == "text" for column in asked.named(asked.line)):
        is_up = direction_in(asked) is False
        return group(richer, f"{words}, {'lowest' if is_up else 'highest'} first")
    rows = sort(richer, words)
    return [row[: len(sheet.columns)] for row in rows]


#: What rows are put in order by that is no column.
_KNOWN_ORDERS = IGNORED | frozenset(
    "alphabet alphabetical age size length name last date time how descending ascending".split()
)


def _implied(asked: Asked) -> Column:
    """The column to sort by where none is named: of dates, of names, of the only numbers."""
    sheet, text = asked.sheet, asked.text.lower()
    extreme = extreme_in(asked)
    if extreme is not None and extreme.column is not None:
        return extreme.column
    if re.search(r"alphabet|a-z|z-a|a to z|z to a", text):
        texts = [column for column in sheet.columns if column.kind == "text"]
        return (texts or sheet.columns)[0]
    if re.search(r"newest|latest|oldest|earliest|chronolog|recent", text):
        for column in sheet.columns:
            if column.kind == "date" or column.is_year:
                return column
    if re.search(r"highest|largest|biggest|lowest|smallest|most|least|best|worst", text):
        return measure_of(asked, "it shall be sorted by")
    raise ToolError(
        "It is not clear by which column the table shall be sorted. Its columns are "
        f"{columns_of(sheet)}; name one of them."
    )


def filter_rows(sheet: Sheet, prompt: str) -> Grid:
    """What `rows_picked` picks, as cells."""
    found = rows_picked(sheet, prompt)
    return rows_of(found, range(found.count))


def rows_picked(sheet: Sheet, prompt: str) -> Sheet:
    """The rows that meet the conditions, in the order and as many as are asked for, or some
    columns.

    Raises ToolError where no condition is said, or nothing would be left.
    """
    try:
        return _filtered(sheet, prompt)
    except ToolError:
        # "Which flats are empty? Those without a tenant": the last sentence says it exactly.
        sentences = [one for one in re.split(r"(?<=[?!.])\s+", prompt) if len(one.split()) > 1]
        if len(sentences) < 2:
            raise
        return _filtered(sheet, sentences[-1])


def _filtered(sheet: Sheet, prompt: str) -> Sheet:
    asked = asked_of(sheet, prompt)
    is_removed = _removes(asked)
    all_but = _ALL_BUT.search(asked.line)
    if all_but and (is_removed or _ROWS.search(asked.line)):
        # "Remove everything but the mugs" keeps them, "all but the last 2 rows" takes these out.
        asked.take(all_but, " ")
        is_removed = not is_removed
    elif not is_removed:
        # "Everything but the mugs" is all without them.
        as_without(asked)
    limit = _ROWS.search(asked.line)
    if limit:
        asked.take(limit)
    conditions = conditions_in(asked)
    kept = _kept(asked, conditions, is_removed)
    order = order_in(asked)
    for column, is_down in reversed(order):
        kept = in_order(column, kept, is_down)
    if limit:
        count = round(asked.items[limit["n"]].number)
        some = kept[:count] if limit["way"] in ("first", "top") else kept[-count:] if count else []
        kept = [row for row in kept if row not in set(some)] if is_removed else some
    columns = _columns(asked, conditions, is_removed, bool(limit) or bool(order))
    extreme = extreme_in(asked) if not limit and columns is None else None
    if extreme is not None:
        kept = _best(asked, extreme, kept, is_removed, bool(order))
    reject_leftovers(asked)
    if columns is not None and not (conditions or limit) and _ASKS.match(prompt):
        raise ToolError("This asks something of the table and picks no rows or columns of it.")
    if not (conditions or limit or extreme or order) and columns is None:
        raise ToolError(
            "It is not clear which rows or columns shall be kept. Say a condition, such as “where "
            f"the amount is over 100”. The columns are {columns_of(sheet)}."
        )
    if not kept:
        what = f"for which {conditions.said}" if conditions else "like that"
        raise ToolError(
            "No row would be left. "
            + (f"There are only rows {what}." if is_removed else f"There are no rows {what}.")
        )
    return sheet.of_rows(kept, columns)


def _best(
    asked: Asked, extreme: Extreme, kept: list[int], is_removed: bool, is_ordered: bool
) -> list[int]:
    """So many of the rows with the most or the least, or without these; of rows that are in an
    order already the first ones."""
    if is_ordered and extreme.column is None:
        return kept[extreme.count :] if is_removed else kept[: extreme.count]
    column = extreme.column if extreme.column and extreme.column.kind != "text" else None
    named = [one for one in asked.named(asked.line) if one.kind == "number"]
    column = column or (named[0] if named else measure_of(asked, "is meant"))
    some = [row for row in in_order(column, kept, extreme.is_most) if not column.is_empty(row)]
    best = set(some[: extreme.count])
    return [row for row in kept if (row in best) != is_removed]


def _removes(asked: Asked) -> bool:
    """Whether what is named is to go; taken out of the line.

    "All without a phone" is a condition.
    """
    found = _REMOVE.search(asked.line)
    if not found or found[0] == "without":
        return False
    if re.search(r"(?<!\w)(?:keep|only|just)(?!\w)", asked.line[: found.start()]):
        return False
    asked.take(found, " ")
    return True


def _kept(asked: Asked, conditions: Conditions, is_removed: bool) -> list[int]:
    count = asked.sheet.count
    if not conditions:
        return list(range(count))
    meeting = conditions.rows(count)
    if not is_removed:
        return meeting
    gone = set(meeting)
    return [row for row in range(count) if row not in gone]


def _columns(
    asked: Asked, conditions: Conditions, is_removed: bool, is_limited: bool
) -> list[Column] | None:
    """The columns that shall be kept; None for all."""
    named: list[Column] = []
    for column in asked.named(asked.line):
        if column not in named:
            named.append(column)
    if re.search(r"(?<!\w)names?(?!\w)", asked.line):
        # Of a first and a last name "the names" are both.
        both = [column for column in asked.sheet.columns if "name" in parts(column.name)]
        named = [*(column for column in both if column not in named), *named]
    if not named:
        return None
    says_columns = re.search(r"(?<!\w)(?:columns?|fields?)(?!\w)", asked.line)
    has_several = re.search(rf"{C} ?(?:,|and|, and) (?:the )?{C}", asked.line)
    has_extreme = re.search(
        r"(?<!\w)(?:highest|largest|lowest|smallest|top|bottom|most|least|cheapest|latest|newest|"
        r"oldest|earliest|biggest|best|worst)(?!\w)", asked.line)  # fmt: skip
    if (
        (conditions or is_limited or has_extreme)
        and not says_columns
        and not (has_several and not has_extreme)
        and not (
            named
            and re.search(rf"(?<!\w)(?:only|just) (?:the )?(?:names?|{C})(?: |$)", asked.line)
            and not _WHICH_ONES.search(asked.text)
        )
    ):
        return None
    without = re.search(rf"(?<!\w)(?:without|except|but not|excluding)(?: \w+)* {C}", asked.line)
    if (is_removed and not conditions) or (is_removed and says_columns) or without:
        left = [column for column in asked.sheet.columns if column not in named]
        if not left:
            raise ToolError("No column would be left. Name fewer of them to take out.")
        return left
    return named


def is_name_only(sheet: Sheet, prompt: str) -> bool:
    """Whether the words name a sheet and say nothing more about it."""
    from .plain_requests import IGNORED

    left = re.findall(r"[a-z]+", without_name(sheet, prompt).lower())
    return all(word in IGNORED for word in left)
