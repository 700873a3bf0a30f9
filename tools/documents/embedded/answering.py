"""Questions about a table answered in a sentence, with the rows that the answer rests on."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from controlllm.toolbox import ToolError

from .answer_words import basis_said, measured, row_said, rows_said, unsure_said, where_said
from .asking import Asked, asked_of
from .cells import Column
from .choices import either, held_against, is_per_period, per_period
from .condition_words import C
from .conditions import conditions_in
from .exclusions import as_without, reject_unread_exclusions
from .extremes import extreme_said
from .group_wishes import Group, groups_in
from .measure_wishes import Measure, measures_in, pieces_in
from .measures import NAMES, cell, is_added, measure_of, measures, written
from .order_wishes import extreme_in
from .plain_requests import counted_thing, reject_leftovers
from .reading import Sheet, columns_of
from .reckoning import grouped, in_words, reckon, shown
from .row_questions import (
    both_ways,
    by_frequency,
    difference,
    doubles,
    frequency_in,
    several_questions,
    with_flow,
)
from .row_tests import Conditions
from .settling import asks_to_settle, settled
from .total_rows import without_total_row
from .worth import with_worth

_MOST_LISTED = 30
#: "Which team comes last" is about places, not dates.
_PLACED = re.compile(
    r"\b(?:comes?|came|finish(?:es|ed)?|ends? up|is|are|was|were|in) (?:the )?(?:(?P<place>last|"
    r"first)|(?P<nth>second|third|fourth|fifth|2nd|3rd|4th|5th))(?: place| one)?(?=\W*$)",
    re.IGNORECASE,
)
#: "Which team has more points": of all there are.
_HAS_MORE = re.compile(
    r"\b(?P<who>(?:which|who)\b[^?.]*?\b(?:has|have|had|got|scored|sold|earned|made)) "
    r"(?P<way>more|fewer|less)\b(?![^?.]*\bthan\b)",
    re.IGNORECASE,
)
_PLACES = {"last": "has the lowest", "first": "has the highest"}
_ORDINALS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5}
#: "Where did most of the money go" asks for kinds.
_WHERE_TO = re.compile(
    r"(?<!\w)where (?:did|does|do|has|is) .*(?<!\w)(?:go|going|gone|spend|spent)(?!\w)"
)
_OF_TOTAL = re.compile(
    r"\b(?:total|sum|money|revenue|turnover|sales|income|costs?|expenses|spend\w*|spent|pays?|"
    r"earn\w*|brought|bring|(?:go(?:es)?|going|went) (?:in)?(?:to|on|for))\b",
    re.IGNORECASE,
)
_APART = re.compile(
    r"(?<!\w)(?:difference|gap|distance|spread) between (?:the )?(?:highest|largest|biggest|"
    r"greatest|most|maximum|max|longest|oldest) and (?:the )?(?:lowest|smallest|least|minimum|min|"
    r"shortest|youngest)(?!\w)"
)

#: "Which is the largest, and by how much is it more than the smallest" asks two things.
_MORE_THAN_LEAST = re.compile(
    r"[,;]? (?:and )?(?:by )?how much (?:is (?:it|that) )?(?:more|higher|larger|bigger|greater|"
    r"above|"
    r"ahead)(?: is it)? (?:than |of )?the (?:smallest|lowest|least|last|worst)(?: (?:one|number|"
    r"value))?"
    r"\W*$",
    re.IGNORECASE,
)

#: What another step did to the table, which the table does not tell.
_YOU_TOOK_OUT = re.compile(
    r"\b(?:(?:did|have) you|you(?: have|'ve|’ve)?) (?:just )?(?:(?:threw|thrown|throw|took|taken|"
    r"take|kicked|kick|left|leave|sorted|filtered|cut) out|remov\w*|delet\w*|dropp?(?:ed)?|"
    r"discard\w*|got rid)\b",
    re.IGNORECASE,
)


def answer(sheet: Sheet, question: str) -> str:
    """The answer to a question.

    Raises ToolError where it is about something that the table has not.
    """
    if _YOU_TOOK_OUT.search(question):
        raise ToolError(
            "What was taken out stands no longer in this table, which has "
            f"{rows_said(sheet.count)}. It is told beside the table that it was taken out of."
        )
    if asks_to_settle(question):
        return settled(sheet, question)
    question, asks_row = without_total_row(question)
    if asks_row and not question:
        return _totals(sheet)
    question = _PLACED.sub(_as_extreme, question)
    question = _HAS_MORE.sub(
        lambda found: f"{found['who']} the {'most' if found['way'].lower() == 'more' else 'least'}",
        question,
    )
    beyond = _MORE_THAN_LEAST.search(question)
    if beyond and (first := question[: beyond.start()].strip(" ,;")):
        column = measured(asked_of(sheet, first), Measure("spread")).column
        return f"{answer(sheet, first)}\n{answer(sheet, f'range of {column.name}')}"  # type: ignore[union-attr]
    parts = [one for part in several_questions(question, sheet) for one in both_ways(sheet, part)]
    if len(parts) > 1:
        try:
            return "\n".join(answer(sheet, part) for part in parts)
        except ToolError:
            pass  # One of them needs what the others say.
    sheet, question = with_worth(sheet, question)
    asked = asked_of(sheet, question)
    as_without(asked)
    with_flow(asked)
    # "How many employees are there": the word for what the rows are.
    counted = counted_thing(asked.line)
    if (apart := difference(asked)) is not None:
        return apart
    often = frequency_in(asked)
    if (told := either(asked)) is not None:
        return told
    base = _share_of(asked)
    against = held_against(asked)
    groups = groups_in(asked)
    pieces = pieces_in(asked)
    conditions = conditions_in(asked)
    rows = conditions.rows(sheet.count)
    groups = groups or ([against] if against else [])
    who = _entity(asked)
    if (
        told := doubles(asked, rows) or (by_frequency(asked, often, who, rows) if often else None)
    ) is not None:
        return told
    asked.line = _APART.sub(" range of ", asked.line)
    reject_unread_exclusions(asked)
    extreme = extreme_in(asked)
    found = measures_in(asked, pieces=pieces)
    reject_leftovers(asked, counted)
    if not rows and not any(measure.way in ("count", "share") for measure in found):
        whole = rows_said(sheet.count)
        return f"There are no rows for which {conditions.said}; the table has {whole}."
    if found and found[0].way == "share":
        return _share_among(base, conditions, rows, sheet) or _share(
            asked, conditions, rows, found[0]
        )
    if any(measure.way == "share" for measure in found):
        raise ToolError(
            "This asks for a number and for a share at once. Ask for the share by itself, such as "
            "“What share of the orders is from Berlin?”."
        )
    if groups and is_per_period(question, found):
        return per_period(asked, groups[0], found[0], rows, conditions)
    if extreme is not None:
        if who is not None and not who.is_label:
            extreme = replace(extreme, who=who)
        return extreme_said(asked, extreme, found, groups, rows, conditions)
    if groups:
        return _by_groups(asked, groups, found, rows, conditions)
    if found:
        return " ".join(_one(asked, measure, rows, conditions) for measure in found)
    return _looked_up(asked, rows, conditions)


def _totals(sheet: Sheet) -> str:
    """The totals that were wished below the table, in words: an answer changes no table."""
    last = [column for column in measures(sheet) if is_added(column)][-1:]
    if not last:
        raise ToolError("There is no column of numbers in this table whose total says anything.")
    total = written(math.fsum(last[0].numbers), last[0], "sum")
    return (
        f"The total of {last[0].name} is {total}. To have it in the table, ask to add a row of "
        "totals to it."
    )


def _as_extreme(found: re.Match[str]) -> str:
    """Who has the most or the least for who is first or last; the best so many for who is one of
    those behind."""
    if place := found["place"]:
        return _PLACES[place.lower()]
    said = found["nth"].lower()
    return f"are the top {_ORDINALS.get(said) or said[0]}"


def _entity(asked: Asked) -> Column | None:
    """What is asked for: the column behind "which", or the one of names behind "who"."""
    found = re.search(rf"(?<!\w)(?:which|what|whose) (?:\w+ )?({C})", asked.line)
    if found:
        return asked.column(found[1])
    if _WHERE_TO.search(asked.line):
        kinds = [
            column for column in asked.sheet.columns
            if column.kind == "text" and len({cell.casefold() for cell in column.cells})
            < 0.7 * len(column.cells)
        ]  # fmt: skip
        return next(iter(kinds), None)
    if re.search(r"(?<!\w)who(?!\w)", asked.line):
        texts = [column for column in asked.sheet.columns if column.kind == "text"]
        named = [column for column in texts if re.search(
            r"name|employee|tenant|visitor|guest|pupil|teacher|person|customer|client|student|"
            r"member|seller|player|who|rep\b|author",
            column.name, re.IGNORECASE)]  # fmt: skip
        return next(iter(named or texts), None)
    return None


def _one(asked: Asked, measure: Measure, rows: Sequence[int], conditions: Conditions) -> str:
    """A total, an average, a count and so on over the rows."""
    if measure.way == "count":
        if not conditions:
            return f"There are {rows_said(len(rows))} in the table."
        total = asked.sheet.count
        verb = "is" if len(rows) == 1 else "are"
        return (
            f"There {verb} {rows_said(len(rows))}{where_said(conditions)}, of {total:,} in the "
            f"table." + unsure_said([one.column for one in conditions.all])
        )
    if measure.way == "distinct":
        if measure.column is None:
            raise ToolError(
                "It is not clear of which column the different values shall be counted. The "
                f"columns are {columns_of(asked.sheet)}."
            )
        count = reckon(measure, rows).value or 0
        different = "different value" if count == 1 else "different values"
        return (
            f"The column {measure.column.name} has {count:,.0f} {different}, "
            f"{basis_said(len(rows), conditions)}."
        )
    measure = measured(asked, measure)
    assert measure.column is not None
    found = reckon(measure, rows)
    if found.value is None:
        return f"No row{where_said(conditions)} has a number in the column {measure.column.name}."
    return (
        f"The {NAMES[measure.way]} of {measure.column.name} is {shown(measure, found.value)}, "
        f"{basis_said(found.rows, conditions, found.left_out)}."
        + unsure_said([one.column for one in conditions.all])
    )


def _share(asked: Asked, conditions: Conditions, rows: Sequence[int], measure: Measure) -> str:
    """How much of all rows, or of the total of a column, meets the conditions."""
    sheet = asked.sheet
    if not conditions:
        raise ToolError(
            "It is not clear of what the share is asked. Say a value or a condition, such as “What "
            "share is from Berlin?”."
        )
    column = measure.column
    if column is None and _OF_TOTAL.search(asked.text):
        # "What share of the total did Maier pay" is one of the money, not of the rows.
        column = measure_of(asked, "is meant")
    if column is not None and is_added(column):
        part = reckon(Measure("sum", column), rows).value or 0.0
        whole = reckon(Measure("sum", column), range(sheet.count)).value or 0.0
        if not whole:
            raise ToolError(f"The column {column.name} adds up to nothing, so there is no share.")
        return (
            f"{_percent(part / whole)} of {column.name}, {written(part, column, 'sum')} of "
            f"{written(whole, column, 'sum')}, is where {conditions.said} ({len(rows):,} of "
            f"{rows_said(sheet.count)})."
        )
    share = len(rows) / sheet.count
    return (
        f"{_percent(share)} of the rows, {len(rows):,} of {sheet.count:,}, "
        f"are{where_said(conditions)}."
    )


def _share_of(asked: Asked) -> Column | None:
    """The column of whose values one is what a share is asked of: "what share of the women"."""
    found = re.search(
        r"(?<!\w)(?:share|percentage|percent|proportion|fraction|part|%) of (?:(?:the|all|our) )*"
        r"(?P<v>V\d+)(?!\w)", asked.line)  # fmt: skip
    item = asked.items[found["v"]] if found else None
    return asked.sheet.columns[min(item.cells)] if item else None


def _share_among(
    base: Column | None, conditions: Conditions, rows: Sequence[int], sheet: Sheet
) -> str | None:
    """What share of those meant meets the other condition: of the women those that survived."""
    if base is None or len(conditions.ways) != 1 or len(conditions.all) < 2:
        return None
    rest = [one for one in conditions.all if one.column is not base]
    if not rest or len(rest) == len(conditions.all):
        return None
    # "Of the women in third class those that survived": what is so or not is the share.
    other = next((one for one in rest if one.column and one.column.is_yes_or_no), rest[-1])
    first = [one for one in conditions.all if one is not other]
    meant = [row for row in range(sheet.count) if all(one.holds(row) for one in first)]
    if not meant:
        return None
    return (
        f"{_percent(len(rows) / len(meant))} of the rows where "
        f"{' and '.join(one.said for one in first)}, {len(rows):,} of "
        f"{len(meant):,}, are where {other.said}."
    )


def _percent(share: float) -> str:
    return f"{share * 100:.1f}".rstrip("0").rstrip(".") + " %"


def _by_groups(
    asked: Asked, groups: Sequence[Group], found: Sequence[Measure], rows: Sequence[int],
    conditions: Conditions,
) -> str:  # fmt: skip
    """A number for each group, one on a line."""
    wanted = found[0] if found else Measure("sum" if measures(asked.sheet) else "count")
    measure = measured(asked, wanted)
    lines = []
    for names, members in grouped(groups, rows):
        value = reckon(measure, members)
        name = ", ".join(in_words(*both) for both in zip(names, groups, strict=True))
        lines.append(f"- {name}: {shown(measure, value.value)}")
    left = len(lines) - _MOST_LISTED
    if left > 0:
        lines = [*lines[:_MOST_LISTED], f"- and {left:,} more"]
    what = (
        f"{NAMES[measure.way].capitalize()} of {measure.column.name if measure.column else 'rows'}"
    )
    by = " and ".join(group.name for group in groups)
    columns = [*(group.column for group in groups), *(one.column for one in conditions.all)]
    return (
        f"{what} by {by}, {basis_said(len(rows), conditions)}:\n"
        + "\n".join(lines)
        + unsure_said(columns)
    )


def _looked_up(asked: Asked, rows: Sequence[int], conditions: Conditions) -> str:
    """The cells of the named columns in the rows that are meant."""
    named: list[Column] = []
    for column in asked.named(asked.line):
        if column not in named:
            named.append(column)
    is_when = re.search(r"(?<!\w)when(?!\w)", asked.text.lower())
    if is_when and not any(one.kind == "date" for one in named):
        named = [column for column in asked.sheet.columns if column.kind == "date"][:1]
    who = _entity(asked)
    if who is not None and who not in named:
        named.insert(0, who)
    if not conditions:
        if not named:
            raise ToolError(
                "I do not understand what is asked of the table. Ask for a total, an average, a "
                "count, the largest or smallest, or for what a row says. Its columns are "
                f"{columns_of(asked.sheet)}."
            )
        return _kinds(named[0], rows)
    if len(rows) == 1:
        if named:
            said = " and ".join(f"{one.name} is {cell(one, rows[0]) or 'empty'}" for one in named)
            return f"{said}, in the 1 row{where_said(conditions)}."
        said = row_said(asked.sheet, rows[0], None, asked.sheet.columns[0])
        return f"The row{where_said(conditions)}: {said}."
    lines = [
        "- " + (", ".join(cell(one, row) or "(empty)" for one in named) if named
                else row_said(asked.sheet, row, None, asked.sheet.columns[0]))
        for row in rows[:_MOST_LISTED]
    ]  # fmt: skip
    if len(rows) > _MOST_LISTED:
        lines.append(f"- and {len(rows) - _MOST_LISTED:,} more")
    what = ", ".join(one.name for one in named) or "The rows"
    return f"{what}{where_said(conditions)}, {rows_said(len(rows))}:\n" + "\n".join(lines)


def _kinds(column: Column, rows: Sequence[int]) -> str:
    """What a column holds."""
    if column.kind == "number":
        return (
            f"The column {column.name} has {rows_said(len(rows))}, from "
            f"{written(min(column.numbers), column)} to {written(max(column.numbers), column)}. "
            f"Ask for "
            "its total, its average, or the highest."
        )
    kinds = list(dict.fromkeys(cell(column, row) for row in rows if not column.is_empty(row)))
    some = ", ".join(kinds[:_MOST_LISTED]) + (" and others" if len(kinds) > _MOST_LISTED else "")
    return (
        f"The column {column.name} has {len(kinds):,} different values in {rows_said(len(rows))}: "
        f"{some}."
    )
