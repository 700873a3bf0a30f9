"""Rows of a table added up, averaged or counted for each kind, as plain words say."""

from __future__ import annotations

import re
from dataclasses import replace

from controlllm.toolbox import ToolError

from .asking import Asked, asked_of
from .conditions import conditions_in
from .exclusions import as_without, reject_unread_exclusions
from .group_wishes import Group, groups_in
from .measure_wishes import Measure, measures_in, pieces_in
from .measures import MONEY_OR_TIME, NAMES, is_added, measure_of, measures
from .order_wishes import direction_in, extreme_in
from .plain_requests import counted_thing, reject_leftovers
from .reading import Sheet, columns_of
from .reckoning import grouped, plain, reckon
from .worth import with_worth

Grid = list[list[str]]


def group(sheet: Sheet, prompt: str) -> Grid:
    """A row for each group, with what is reckoned of it.

    Raises ToolError where it is not said by what to group.
    """
    sheet, prompt = with_worth(sheet, prompt)
    asked = asked_of(sheet, prompt)
    as_without(asked)
    counted = counted_thing(asked.line)
    # "Each address once, with how often it is there" is a group by address.
    asked.line = re.sub(r"(?<!\w)(?:(?:only|just) )?once(?!\w)", " ", asked.line)
    groups, wanted, rows = grouped_wish(asked)
    reject_unread_exclusions(asked)
    direction = direction_in(asked)
    extreme = extreme_in(asked) if direction is None else None
    reject_leftovers(asked, counted)
    _reject_single_kind(asked, groups, rows)
    shares = [measure for measure in wanted if measure.way == "share"]
    wanted = [replace(one, way="sum") if one in shares else one for one in wanted]
    found: list[tuple[tuple[str, ...], list[str], list[float | None]]] = []
    for names, members in grouped(groups, rows):
        values = [reckon(measure, members).value for measure in wanted]
        cells = [plain(*both) for both in zip(wanted, values, strict=True)]
        found.append((names, cells, values))
    if direction is not None or extreme is not None:
        is_down = direction if direction is not None else bool(extreme and extreme.is_most)
        found.sort(key=lambda one: one[2][0] if one[2][0] is not None else float("-inf"),
                   reverse=is_down)  # fmt: skip
    if extreme is not None and extreme.count > 1:
        found = found[: extreme.count]
    header = [
        *(one.part.capitalize() or one.column.name for one in groups),
        *(title_of(measure) for measure in wanted),
    ]
    table = [header, *([*names, *cells] for names, cells, _ in found)]
    return _with_shares(table, [values[0] for _, _, values in found]) if shares else table


_WHOLE = re.compile(
    r"\W*(?:the |what'?s |what is |give me |i need )*(?:total|sum|average|mean|median)\b", re.I
)


def in_all(sheet: Sheet, prompt: str) -> Grid | None:
    """One row with a total or an average of all that is meant; None where the words begin with no
    such: "average points without the blue team"."""
    if not _WHOLE.match(prompt):
        return None
    sheet, prompt = with_worth(sheet, prompt)
    asked = asked_of(sheet, prompt)
    as_without(asked)
    conditions = conditions_in(asked)
    reject_unread_exclusions(asked)
    found = [one for one in measures_in(asked) if one.column is not None]
    reject_leftovers(asked)
    if not found:
        return None
    rows = conditions.rows(sheet.count)
    return [
        [title_of(one) for one in found],
        [plain(one, reckon(one, rows).value) for one in found],
    ]


def _with_shares(table: Grid, values: list[float | None]) -> Grid:
    """A table of totals with what share of all of them each is."""
    whole = sum(value or 0.0 for value in values)
    cells = [f"{(value or 0.0) * 100 / whole:.1f} %" if whole else "" for value in values]
    return [
        [*row, cell] for row, cell in zip(table, ["Share", *cells], strict=True)
    ]  # fmt: skip


_RULES_OUT = re.compile(
    r"\b(?:without|leav\w+|left|except|exclud\w+|not|no|but|skip\w*|ignor\w+|omit\w*|drop\w*|remov\w+|"
    r"minus|apart|other|isn't|don't)\b"
)


def _reject_single_kind(asked: Asked, groups: list[Group], rows: list[int]) -> None:
    """Raise ToolError where of all kinds that are told apart only one is picked, and nothing says
    that it alone is meant: whoever wants sums per category hardly means those of one."""
    words = asked.text.lower()
    if _RULES_OUT.search(words):
        return  # It is what the words leave.
    for group in groups:
        kinds = {group.column.cells[row].strip() for row in rows}
        if group.column.kind != "text" or len(kinds) != 1:
            continue
        kind = next(iter(kinds))
        if not re.search(
            rf"\b(?:only|just|for|in|of|from|to|is|are|with|on|at)(?: the| all| our)?(?: \w+)? "
            rf"{re.escape(kind.lower().removesuffix('s'))}", words):  # fmt: skip
            raise ToolError(
                f"Only “{kind}” of “{group.column.name}” would be left. Say “without {kind}” or "
                f"“only {kind}”."
            )


def grouped_wish(asked: Asked) -> tuple[list[Group], list[Measure], list[int]]:
    """What to group by, what to reckon and which rows, taken out of the line."""
    sheet = asked.sheet
    groups = groups_in(asked)
    pieces = pieces_in(asked)
    conditions = conditions_in(asked)
    found = measures_in(asked, default="sum", pieces=pieces)
    if not groups:
        groups = _implied_groups(asked)
    if not found or all(
        one.column is None and one.way not in ("count", "distinct") for one in found
    ):
        way = found[0].way if found else "sum"
        taken = {id(one.column) for one in groups}
        numbers = [one for one in measures(sheet) if id(one) not in taken]
        if way in ("sum", "mean") and MONEY_OR_TIME.search(asked.text.lower()):
            numbers = [measure_of(asked, "is meant")]
        elif way == "sum":
            numbers = [one for one in numbers if is_added(one)]
        found = [Measure(way, one) for one in numbers] or [Measure("count")]
    found = [measure for measure in found if measure.column is not None or measure.way == "count"]
    if not found:
        raise ToolError(
            f"It is not clear what shall be reckoned. The columns are {columns_of(sheet)}; name "
            f"one."
        )
    return groups, found, conditions.rows(sheet.count)


def _implied_groups(asked: Asked) -> list[Group]:
    """ "Totals of the customers": the named column that has no numbers."""
    for column in asked.named(asked.line):
        if column.kind == "text":
            return [Group(column)]
        if column.kind == "date":
            return [Group(column, "day")]
    raise ToolError(
        "It is not clear by what the table shall be added up. Say it as in “total amount per "
        "city”. "
        f"The columns are {columns_of(asked.sheet)}."
    )


def title_of(measure: Measure) -> str:
    """What a column of reckoned numbers is called."""
    if measure.column is None:
        return "Count"
    if measure.way == "distinct":
        return f"Different values of {measure.column.name}"
    unit = (measure.column.before or measure.column.after).strip()
    shown = f" ({unit})" if unit and unit not in measure.column.name else ""
    return f"{NAMES[measure.way].capitalize()} of {measure.column.name}{shown}"
