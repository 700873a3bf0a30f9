"""Tables changed as words say, whichever tool of tables the words came to, and handed over in the
form that they came in."""

from __future__ import annotations

import re
from collections.abc import Callable

from controlllm.toolbox import Context, ToolError

from .asking import asked_of
from .changing import Grid, filter_rows, is_name_only, of_sheet, rows_picked, sheet_named, sort
from .condition_words import C, N
from .conditions import conditions_in
from .doubles import keeps_one, speaks_of_doubles, without_doubles
from .exclusions import as_without
from .forms import in_its_form
from .group_wishes import groups_in
from .grouping import group, in_all
from .joining import clean
from .order_wishes import TOP, order_in
from .reading import Sheet, grids_in, sheets_in
from .total_rows import with_total_row, without_total_row
from .writing import as_csv, grid

Work = Callable[[Sheet, str], Grid]
_TAKES_OUT = re.compile(
    r"\b(?:remov\w*|delet\w*|drop\w*|take|taken|taking|kick|throw|toss|bin|erase|cut|get rid|rid|"
    r"out|"
    r"clean\w*|tidy|de-?dup\w*|once|only one|just one|fix|merge|purge|strip|away|discard|weed)\b",
    re.IGNORECASE,
)
_PICKS = re.compile(
    rf"{_TAKES_OUT.pattern}|\b(?:without|except|only|just|keep|no|not|leave|leaving)\b",
    re.IGNORECASE,
)
_ADDS_UP = re.compile(
    r"\b(?:totals?|sums?|add(?:ed)? up|averages?|mean|median|count|how (?:much|many)|sales|revenue|"
    r"turnover|takings|income|spend\w*|spent|expenses|costs?|earn\w*|number of|group\w*|"
    r"summar\w*)\b",
    re.IGNORECASE,
)
_SORTS = re.compile(r"\b(?:sort|order|rank|arrange)", re.IGNORECASE)
_BEST = re.compile(
    rf"(?<!\w)(?:(?:top|best|bottom|worst) {N}(?: [a-z]+)? (?P<c>{C})|"
    rf"{N} (?:top|best|worst)(?:[ -][a-z]+)? (?P<c2>{C}))"
)
_PICKS_ROWS = re.compile(
    r"\b(?:rows?|lines?|entries|records?|filter|sort\w*|where|whose|who|top|list)\b", re.IGNORECASE
)

#: What says the form of a file and no rows of it.
_FORM = re.compile(
    r"(?<!\w)(?:(?:as|to|into|in|is|an?|the|one|new|own|separate|extra|proper|plain|and|then|it) )*"
    r"(?:\.?(?:csv|tsv|xlsx?|excel|json|markdown|md)|(?:comma|tab)[- ]separated|spreadsheets?|"
    r"workbook)(?: (?:file|table|sheet|format|document|version|list|form))*(?: (?:of|with|from))?"
    r"(?!\w)",
    re.IGNORECASE,
)
_SAVES = re.compile(
    r"(?<!\w)(?:export|save|convert|download|turn|store|transform|change|hand|send|nothing else|"
    r"no others?|else)(?:ed|ing)?(?!\w)",
    re.IGNORECASE,
)
#: The table itself is meant, and a name beside it is for whom it is.
_ALL = re.compile(
    r"(?<!\w)(?:this|it|all|whole|entire|the (?:table|list|file|data|sheet|spreadsheet))(?!\w)",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"(?<!\w)(?:only|just|nothing (?:else|but)|except|without|not|leave out)(?!\w)", re.IGNORECASE
)


def rows_meant(text: str, prompt: str, context: Context | None) -> list[Sheet]:
    """The tables with only the rows, or columns, that words for another form of them name; all of
    them where they name none, which is told where only some were wanted."""
    sheets = sheets_in(text)
    words = " ".join(_SAVES.sub(" ", _FORM.sub(" ", prompt)).split())
    is_only = bool(_ONLY.search(prompt))
    if not words or (_ALL.search(words) and not is_only):
        return sheets

    def work(sheet: Sheet, said: str) -> list[Sheet]:
        asked = asked_of(sheet, said)
        as_without(asked)
        if not (conditions_in(asked) or order_in(asked) or TOP.search(asked.line) or is_only):
            return sheets
        return [rows_picked(sheet, said)]

    try:
        return of_sheet(text, words, work)
    except ToolError as error:
        # What stands in the words beside the form is done by another step, or was before.
        if context is not None and re.search(r"(?<!\w)only(?!\w)", prompt, re.IGNORECASE):
            context.remark(f"All rows are in it. {error}")
        return sheets


def worked(text: str, prompt: str, usual: Work, context: Context | None = None) -> str:
    """The table with what the words want done to it, and a row of totals where that is said."""
    rest, has_total = without_total_row(prompt)

    def done(sheet: Sheet, said: str) -> tuple[Sheet, Grid]:
        rows = usual(sheet, said) if rest else grid(sheet, has_total=False)
        if has_total:
            changed = sheets_in(as_csv(rows))[0]
            rows = with_total_row(changed, sheet.header if rest else ())
        return sheet, rows

    sheet, rows = of_sheet(text, rest or prompt, done)
    others = [other.name for other in sheets_in(text) if other.name != sheet.name]
    return in_its_form(rows, sheet.separator, sheet.name, context, others)


def kept_once(text: str, prompt: str, context: Context | None) -> str | None:
    """The table without rows that stand there twice, told which went; None where the words do not
    ask for that."""
    if not (speaks_of_doubles(prompt) and (_TAKES_OUT.search(prompt) or keeps_one(prompt))):
        return None

    def work(sheet: Sheet, said: str) -> Grid:
        single = without_doubles(sheet, said)
        if context is not None:
            for sentence in single.told:
                context.remark(sentence)
        return single.rows

    return worked(text, prompt, work, context)


def filtered(text: str, prompt: str, context: Context | None) -> str:
    """The rows or columns that the words keep, or what they add up of them for each kind."""
    if (single := kept_once(text, prompt, context)) is not None:
        return single
    meant = sheet_named(text, prompt)

    def work(sheet: Sheet, said: str) -> Grid:
        if _asks_totals(sheet, said) or _ranks_kinds(sheet, said):
            return group(sheet, said)
        if (whole := in_all(sheet, said)) is not None:
            return whole
        try:
            return filter_rows(sheet, said)
        except ToolError:
            is_other = sheet is not meant and (meant is None or sheet.name != meant.name)
            if is_other or not is_name_only(sheet, prompt):
                raise
            return grid(sheet)

    return worked(text, prompt, work, context)


def in_order(text: str, prompt: str, context: Context | None) -> str:
    """The table in the order that the words want, and what they add up or leave out of it."""

    def work(sheet: Sheet, said: str) -> Grid:
        if not _SORTS.search(said) and (_asks_totals(sheet, said) or _ranks_kinds(sheet, said)):
            return group(sheet, said)
        asked = asked_of(sheet, said)
        as_without(asked)
        if conditions_in(asked):
            return filter_rows(sheet, said)
        return sort(sheet, said)

    return worked(text, prompt, work, context)


def _asks_totals(sheet: Sheet, words: str) -> bool:
    """Whether sums for each kind are wished and no rows: "sales per city, leave Leeds out"."""
    if not _ADDS_UP.search(words) or _PICKS_ROWS.search(words):
        return False
    return bool(groups_in(asked_of(sheet, words)))


def _ranks_kinds(sheet: Sheet, words: str) -> bool:
    """Whether so many kinds are wished that have several rows each: "the top 3 products"."""
    asked = asked_of(sheet, words)
    found = _BEST.search(asked.line)
    column = asked.column(found["c"] or found["c2"]) if found else None
    if column is None or column.kind != "text":
        return False
    return len({cell.strip().casefold() for cell in column.cells}) < len(column.cells)


def tidied(text: str, prompt: str, context: Context | None) -> str:
    """The table without doubles, empty rows and stray blanks; without the rows that the words
    name, where they name some."""
    if speaks_of_doubles(prompt):
        sentence = prompt if _TAKES_OUT.search(prompt) else f"remove: {prompt}"
        single = kept_once(text, sentence, context)
        if single is not None:
            return single
    elif prompt and _PICKS.search(prompt) and _names_values(text, prompt):
        return filtered(text, prompt, context)
    found = clean(text)
    if len(found) > 1:
        from .joining import as_sheets

        return as_sheets(found)
    name, rows, separator = found[0]
    if context is not None and rows == grids_in(text)[0][1]:
        context.remark(_nothing_tidied(sheets_in(text)[0]))
    return in_its_form(rows, separator if separator in ";\t" else ",", name, context)


def _nothing_tidied(sheet: Sheet) -> str:
    """What is said where a table was tidy already, with who may stand in it twice all the same."""
    nothing = "It is as it was: no two rows are the same, and none is empty."
    try:
        single = without_doubles(sheet, "")
    except ToolError:
        return nothing
    return (
        f"{nothing} Some may be about the same one; say “remove the double entries” for that: "
        f"{' '.join(one for one in single.told if one.startswith('Taken out'))}".replace(
            "Taken out: ", ""
        )
    )


def _names_values(text: str, prompt: str) -> bool:
    """Whether words name values of a table, so that certain rows are meant."""
    return any(
        item.cells or item.period for sheet in sheets_in(text)
        for item in asked_of(sheet, prompt).items.values()
    )  # fmt: skip
