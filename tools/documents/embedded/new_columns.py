"""A column more: reckoned of others, a running total, shares, ranks, labels by a rule, dates."""

from __future__ import annotations

import re

from controlllm.toolbox import ToolError

from .asking import Asked, Item, asked_of
from .cells import Column
from .column_names import name_and_rule
from .condition_words import C, N
from .labels import is_labelling, labels
from .measure_wishes import measures_in
from .measures import AGGREGATES, measure_of, measures
from .plain_requests import reject_leftovers
from .reading import Sheet, columns_of
from .reckoning import groups_apart, rows_by
from .roundings import Rounding, without_rounding
from .row_dates import date_cells
from .row_numbers import as_cells, in_unit, reckoned

Grid = list[list[str]]
#: What a rule makes: the usual name of the column and its cells.
Made = tuple[str, list[str]]
_RUNNING = re.compile(
    r"(?<!\w)(?:running|cumulative|cumulated|accumulated|rolling|so far|progressive)"
    r"(?: (?:total|sum|balance|count))?(?!\w)|(?<!\w)balance(?: after each\b.*)?(?!\w)"
)
_CHANGE = re.compile(
    r"(?<!\w)(?:changes?|differences?|growth|increase|decrease|delta|gain|up or down|develop\w*|"
    r"(?:how much )?(?:more|less|grew|rose|fell|changed))(?!\w).*(?<!\w)(?:before|previous|prior|"
    r"last|preceding|above|month[- ](?:on|over|to)[- ]month|year[- ](?:on|over|to)[- ]year|from "
    r"(?:one|each|row|month|day|week|year) to (?:the )?(?:next|row|month|day|week|year))(?!\w)"
    r"|(?<!\w)(?:month|year|week|day)[- ](?:on|over|to)[- ](?:month|year|week|day)(?!\w)"
)
_SHARE = re.compile(
    r"(?<!\w)(?:shares?|proportion|percentages?|percent|%|fraction|part)(?: of| in| from)?(?: the| "
    r"each)?(?: (?:total|whole|sum|all|overall))?(?!\w)"
)
_RANK = re.compile(r"(?<!\w)(?:ranks?|ranking|ranked|placing|placement|position)(?!\w)")
_NUMBERED = re.compile(
    r"(?<!\w)(?:number (?:the )?rows|row numbers?|serial numbers?|running numbers?|consecutive "
    r"numbers?|number(?:ed|ing)? (?:from|the)|line numbers?)(?!\w)|\b1 ?, ?2 ?, ?3(?!\d)"
)
_IN_FRONT = re.compile(
    r"(?<!\w)(?:in front|at the (?:front|beginning|start|left)|on the left|to the left|"
    r"as (?:the |a )?(?:very )?first column|in (?:the|a) (?:very )?first column)(?!\w)",
    re.IGNORECASE,
)
_AT_END = re.compile(
    r"(?<!\w)(?:at the (?:end|right)|on the right|as (?:the |a )?last column)(?!\w)", re.IGNORECASE
)
_ON_IT = re.compile(
    rf"(?<!\w)with (?:another |extra )?(?P<n>{N})(?: ?%| percent)? (?:vat |tax )?on "
    r"(?:it|top|that|them)(?!\w)"
)
#: "VAT 25 %" is 25 % VAT.
_TAX_OF = re.compile(
    r"\b(?P<tax>vat|tax|gst)(?: of| at)? (?P<share>\d+(?:[.,]\d+)? ?(?:%|percent\b))", re.IGNORECASE
)
_JOINED = re.compile(
    rf"{C}(?: ?(?:,|and|\+|&|plus|followed by|with|then)+ ?(?:the )?{C})+"
)  # fmt: skip
_FORMULA = re.compile(
    r"(?<!\w)(?:times|multipl\w+|divid\w+|minus|subtract\w*|less|over)(?!\w)|"
    rf"{C} ?(?:x|×|\*|/) ?(?:the )?(?:{C}|N\d)"
)
_DAYS = re.compile(
    r"\(([^(),]*\b\w+ (?:days?|weeks?|months?) (?:after|before|from)\b[^(),]*)", re.IGNORECASE
)
#: A new column leaves the others as they are.
_STAYS = re.compile(
    r"[,;.]? ?(?:but |and |please )*\b(?:leave|keep) (?:the |all )?(?:old|original|existing|other|"
    r"present|current) \w+(?: (?:in|as (?:it|they) (?:is|are)|there|too|untouched|alone|also))*"
    r"(?=\s*[.,;!]|\s*$)",
    re.IGNORECASE,
)
_LOWEST_FIRST = re.compile(
    r"(?<!\w)(?:lowest|smallest|least|fastest|cheapest|shortest|earliest|youngest|fewest)(?!\w)"
)

_HIGHEST_FIRST = re.compile(r"(?<!\w)(?:highest|largest|most|longest|slowest|latest)(?!\w)")
#: Both of the two columns of numbers that a table has: "the difference of the two".
_OF_BOTH = re.compile(
    r"(?<!\w)(?P<what>difference|sum|total|average|mean|product) (?:of|between) (?:(?:the |these )?"
    r"N\d+|both|them)(?: (?:columns?|numbers?|marks?|values?|tests?))?(?!\w)"
)


def with_new_column(sheet: Sheet, prompt: str) -> Grid:
    """The table with a column more at its end, or in front where that is said.

    Raises ToolError where it is not said, or not understood, what shall stand in it.
    """
    is_in_front = bool(_IN_FRONT.search(prompt))
    prompt = _TAX_OF.sub(r"\g<share> \g<tax>", _STAYS.sub(" ", prompt))
    name, rule = name_and_rule(_IN_FRONT.sub(" ", _AT_END.sub(" ", prompt)))
    if not rule and name:
        # "Add a running total column": the name is the rule.
        rule = name
    if days := _DAYS.search(rule):
        # "The date when it is due (30 days after its date, days come first)".
        rule = days[1]
    if is_labelling(rule):
        usual, cells = "Group", labels(sheet, rule)
    else:
        usual, cells = _made(sheet, rule)
    taken = {column.name.casefold() for column in sheet.columns}
    title, number = name or usual, 2
    while title.casefold() in taken:
        title, number = f"{name or usual} {number}", number + 1
    rows = [sheet.header, *(sheet.row(row) for row in range(sheet.count))]
    columns = [title, *cells]
    if sheet.total:
        rows, columns = [*rows, list(sheet.total)], [*columns, ""]
    return [
        [cell, *row] if is_in_front else [*row, cell]
        for row, cell in zip(rows, columns, strict=True)
    ]


def _signs_in_words(sheet: Sheet, rule: str) -> str:
    """A rule with its signs as words: "units * price" is units times price."""
    names = " ".join(sheet.header)
    for sign, word in (("[*×·✕]", "times"), ("[÷/]", "divided by"), (r"\+", "plus")):
        if not re.search(sign, names):
            rule = re.sub(rf"(?<=[\w)\"”])\s*{sign}\s*(?=[\w(\"“])", f" {word} ", rule)
    return re.sub(r"(?<=[\w)\"”]) [-−–] (?=[\w(\"“])", " minus ", rule)


def _made(sheet: Sheet, rule: str) -> Made:
    rule, rounding = without_rounding(rule)
    asked = asked_of(sheet, _signs_in_words(sheet, rule))
    _with_times(asked)
    _name_both(asked)
    _with_more_on_it(asked)
    inside = re.search(r"\(([^()]*)\)", asked.line)
    if inside and _FORMULA.search(inside[1]) and not _FORMULA.search(_outside(asked.line, inside)):
        # "What each line brought in (units times price)": the brackets say it exactly.
        asked.line = inside[1].strip()

    def reckon(asked: Asked) -> Made | None:
        return _reckoned(asked, rounding)

    def share(asked: Asked) -> Made | None:
        return _share(asked, rounding)

    for way in (_running, _change, _rank, _numbered, _converted, _dated, _across, _joined,
                reckon, share):  # fmt: skip
        if way is reckon and _is_share(asked):
            continue
        if way is _across and _is_formula(asked):
            # "Units times price, with the sum" is no sum of both.
            continue
        if rounding is not None and way not in (reckon, share):
            # Only what is reckoned can be rounded.
            continue
        if (made := way(asked)) is not None:
            return made
    raise ToolError(
        "It is not clear what shall stand in the new column. Say it as in “Total: price times "
        f"amount”. The columns are {columns_of(sheet)}."
    )


def _with_times(asked: Asked) -> None:
    """Write "times" between two columns as such, which names the hours of a table elsewhere."""
    for mark, item in asked.items.items():
        if item.said.lower() == "times" and item.column is not None:
            asked.line = re.sub(rf"(?<=\d ){mark}(?= (?:the )?[CN]\d)", "times", asked.line)


def _with_more_on_it(asked: Asked) -> None:
    """Write what each number is "with 19 percent on it" as what it is and so much of it."""
    found = _ON_IT.search(asked.line)
    if found is not None and len(columns := _named(asked)) < 2:
        column = columns[0] if columns else measure_of(asked, "is meant")
        asked.items["C996"] = Item(column.name, column=column)
        has_sign = "%" in asked.items[found["n"]].said
        asked.line = f"C996 plus {found['n']}{'' if has_sign else ' %'}"


def _name_both(asked: Asked) -> None:
    """Write the names of the two columns of numbers for "the two", what came later first where
    their difference is wished."""
    found = _OF_BOTH.search(asked.line)
    both = measures(asked.sheet)
    if found is None or len(both) != 2 or _named(asked):
        return
    asked.items |= {f"C{990 + place}": Item(one.name, column=one) for place, one in enumerate(both)}
    if found["what"] == "difference":
        asked.take(found, " C991 minus C990 ")
    else:
        sign = {"product": "C990 times C991"}.get(
            found["what"], f"{found['what']} of C990 and C991"
        )
        asked.take(found, f" {sign} ")


def _outside(line: str, inside: re.Match[str]) -> str:
    return f"{line[: inside.start()]} {line[inside.end() :]}"


def _is_share(asked: Asked) -> bool:
    """ "10 % of the price" is reckoned, "percent of the total" a share."""
    return bool(_SHARE.search(asked.line)) and not re.search(r"N\d", asked.line)


def _is_formula(asked: Asked) -> bool:
    """Whether columns are reckoned with each other by signs or words for them."""
    return bool(_FORMULA.search(asked.line))


def _named(asked: Asked, kind: str = "number") -> list[Column]:
    found: list[Column] = []
    for column in asked.named(asked.line):
        if column.kind == kind and column not in found:
            found.append(column)
    return found


def _one(asked: Asked) -> Column:
    """The column of numbers that is meant."""
    return next(iter(_named(asked)), None) or measure_of(asked, "is meant")


def _understood(asked: Asked, column: Column, *patterns: re.Pattern[str]) -> None:
    """Raise ToolError for a word that may name a column which is not there.

    Where the column is named, or there is only one, other words tell of nothing that is needed.
    """
    for pattern in patterns:
        asked.line = pattern.sub(" ", asked.line)
    of_what = re.search(r"(?<!\w)(?:of|for) (?:the )?([a-z]\w+)", asked.line)
    is_named = any(item.column is column for item in asked.items.values())
    is_known = is_named or len(measures(asked.sheet)) == 1
    if is_known and not of_what:
        return
    asked.line = of_what[1] if is_known and of_what else asked.line
    reject_leftovers(asked)


def _running(asked: Asked) -> Made | None:
    if not _RUNNING.search(asked.line) or _NUMBERED.search(asked.line):
        return None
    groups = groups_apart(asked)
    column = _one(asked)
    _understood(asked, column, _RUNNING)
    values: list[float | None] = [None] * asked.sheet.count
    for rows in rows_by(groups, asked.sheet.count):
        total = 0.0
        for row in rows:
            value = column.values[row]
            total += value if isinstance(value, float) else 0.0
            values[row] = total
    return f"Running total of {column.name}", as_cells(values, [column])


def _change(asked: Asked) -> Made | None:
    if not _CHANGE.search(asked.line):
        return None
    groups = groups_apart(asked)
    column = _one(asked)
    is_share = bool(re.search(r"%|percent", asked.line))
    _understood(asked, column, _CHANGE, re.compile(r"%|(?<!\w)(?:row|month|day|week|year)(?!\w)"))
    values: list[float | None] = [None] * asked.sheet.count
    for rows in rows_by(groups, asked.sheet.count):
        for before, row in zip(rows, rows[1:], strict=False):
            old, new = column.values[before], column.values[row]
            if isinstance(old, float) and isinstance(new, float):
                if is_share:
                    values[row] = (new - old) * 100 / abs(old) if old else None
                else:
                    values[row] = new - old
    title = f"Change in {column.name}{' (%)' if is_share else ''}"
    return title, as_cells(values, [] if is_share else [column], "%" if is_share else "")


def _share(asked: Asked, rounding: Rounding | None) -> Made | None:
    if not _SHARE.search(asked.line):
        return None
    groups = groups_apart(asked)
    column = _one(asked)
    _understood(asked, column, _SHARE, re.compile(r"(?<!\w)(?:within|month|day|week|year)(?!\w)"))
    values: list[float | None] = [None] * asked.sheet.count
    for rows in rows_by(groups, asked.sheet.count):
        numbers = {row: value for row in rows if isinstance(value := column.values[row], float)}
        whole = sum(numbers.values())
        for row, value in numbers.items():
            values[row] = value * 100 / whole if whole else None
    if rounding is not None:
        values = [rounding.of(value) for value in values]
    return f"Share of {column.name}", as_cells(values, [], "%")


def _rank(asked: Asked) -> Made | None:
    if not _RANK.search(asked.line):
        return None
    column = _one(asked) if not _named(asked, "date") else _named(asked, "date")[0]
    asked.line = re.sub(rf"(?<!\w)(?:by|for each|per|within) {C}", " ", asked.line, count=1)
    groups = groups_apart(asked)
    # Who has the shortest time is the first.
    is_low = bool(_LOWEST_FIRST.search(asked.line)) or (
        column.is_clock and not _HIGHEST_FIRST.search(asked.line)
    )
    _understood(asked, column, _RANK, _LOWEST_FIRST)
    cells = [""] * asked.sheet.count
    for rows in rows_by(groups, asked.sheet.count):
        filled = [row for row in rows if column.values[row] is not None]
        ranked = sorted((column.values[row] for row in filled), reverse=not is_low)  # type: ignore[type-var]
        for row in filled:
            cells[row] = str(ranked.index(column.values[row]) + 1)
    return f"Rank by {column.name}", cells


def _numbered(asked: Asked) -> Made | None:
    if not _NUMBERED.search(asked.line) and not _NUMBERED.search(asked.text):
        return None
    return "No.", [str(row + 1) for row in range(asked.sheet.count)]


def _converted(asked: Asked) -> Made | None:
    """A measure in another unit: the temperature in Fahrenheit."""
    named = _named(asked)
    unit = re.search(r"(?<!\w)(?:in|to|into|as) (?P<unit>[a-z°²³/ ]+)$", asked.text.lower())
    if unit is None or not (named or len(measures(asked.sheet)) == 1):
        return None
    column = _one(asked)
    values = in_unit(column, unit["unit"].strip(), asked.text)
    if values is None:
        return None
    return f"{column.name} in {unit['unit'].strip()}", as_cells(values, [])


def _dated(asked: Asked) -> Made | None:
    return date_cells(asked, _named(asked, "date"))


def _across(asked: Asked) -> Made | None:
    """The mean, the sum or the most of several columns in each row."""
    named = _named(asked)
    line = asked.line
    wanted = [one.way for one in measures_in(asked) if one.way in AGGREGATES]
    extreme = re.search(r"(?<!\w)(?:(?P<max>highest|best|largest|maximum|max)|(?P<min>lowest|worst|"
                        r"smallest|minimum|min))(?!\w)", line)  # fmt: skip
    if not wanted and extreme:
        wanted = ["max" if extreme["max"] else "min"]
    is_all = re.search(r"(?<!\w)(?:all|every|the|of the|three|two|four)(?: \w+)? (?:marks?|"
                       r"columns?|"
                       r"numbers?|values?|scores?|grades?|points|subjects?|months?)"
                       r"(?!\w)", line)  # fmt: skip
    if len(named) < 2 and (is_all or (wanted and not named)):
        named = measures(asked.sheet)
    if not wanted or len(named) < 2:
        asked.line = line
        return None
    reckon = AGGREGATES[wanted[0]]
    values: list[float | None] = []
    for row in range(asked.sheet.count):
        numbers = [value for column in named if isinstance(value := column.values[row], float)]
        values.append(reckon(numbers) if numbers else None)
    title = {"sum": "Total", "mean": "Average", "max": "Highest", "min": "Lowest"}
    return title.get(wanted[0], wanted[0].capitalize()), as_cells(values, named)


def _joined(asked: Asked) -> Made | None:
    """Words put together: the first and the last name."""
    found = _JOINED.search(asked.line)
    if not found:
        return None
    columns = [asked.column(mark) for mark in re.findall(C, found[0])]
    if not any(column is not None and column.kind == "text" for column in columns):
        return None
    by = re.search(r"(?:separated|joined|with|by) (?:by |with )?(?:an? )?(comma|dash|hyphen|slash)",
                   asked.line)  # fmt: skip
    between = {"comma": ", ", "dash": "-", "hyphen": "-", "slash": "/"}.get(
        by[1] if by else "", " "
    )
    cells = [
        between.join(cell for column in columns if column and (cell := column.cells[row].strip()))
        for row in range(asked.sheet.count)
    ]
    return " and ".join(column.name for column in columns if column), cells


def _reckoned(asked: Asked, rounding: Rounding | None) -> Made | None:
    """A sum of the numbers of each row, as it is said in figures and words."""
    columns = _named(asked)
    if not columns and re.search(r"N\d", asked.line):
        column = measure_of(asked, "is meant")
        asked.items["C999"] = Item(column.name, column=column)
        asked.line = f"{asked.line} to C999" if "add" in asked.line else f"{asked.line} C999"
    return reckoned(asked, rounding)
