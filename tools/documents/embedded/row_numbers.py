"""Numbers reckoned of each row: a sum told in words, a measure in another unit, and their cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from controlllm.toolbox import ToolError
from controlllm.toolbox.rooms import tool_module

from .asking import Asked, Item
from .cells import Column
from .plain_requests import IGNORED
from .reading import unknown_column
from .roundings import PLACES, Rounding

#: Stands for a column while words are made signs; the figures are unlikely to be said.
_MARK = 70_000_001
_OPERATORS = frozenset(
    "add plus minus less times divided multiplied multiply divide subtract difference product per "
    "over double twice half third quarter of off by from to and increase raise reduce decrease "
    "lower increased reduced discount between with without net excluding including take away "
    "average mean sum total up down more on top a ratio".split()
)


_VERBS = {"divides": "divide", "multiplies": "multiply", "subtracts": "subtract", "adds": "add",
          "dividing": "divide", "multiplying": "multiply", "subtracting": "subtract"}  # fmt: skip


def reckoned(asked: Asked, rounding: Rounding | None) -> tuple[str, list[str]] | None:
    """The sum that the line says, worked out for each row, and rounded; None where it says none.

    Raises ToolError where something in it is not understood.
    """
    sums = tool_module("facts.embedded.sums")
    grammar = tool_module("facts.embedded.sum_grammar")

    columns: list[Column] = []
    words, shown = [], []
    for word in re.findall(r"[CN]\d+|\w[\w'%-]*|[-+*/×÷%()]", _with_signs(asked)):
        token = _VERBS.get(word, word)
        column = asked.column(token) if re.fullmatch(r"C\d+", token) else None
        if column is not None:
            if column.kind != "number":
                raise ToolError(f"The column “{column.name}” has no numbers to reckon with.")
            if column not in columns:
                columns.append(column)
            words.append(str(_MARK + columns.index(column)))
            shown.append(column.name)
        elif re.fullmatch(r"N\d+", token):
            item = asked.items[token]
            sign = "%" if re.search(r"%|percent|per cent", item.said) else ""
            words.append(f"{item.number:.10g}{sign}")
            shown.append(item.said)
        elif token in _OPERATORS or not token[0].isalpha() or token in ("vat", "tax"):
            words.append(token)
            shown.append(token)
        elif token not in IGNORED and token.removesuffix("s") not in IGNORED:
            raise unknown_column(asked.sheet, token)
    if not columns:
        return None
    plain = " ".join(words).replace(" %", "%")
    # "0.31 per kWh" is so much for each of them, while "points per game" is a quotient.
    mark = str(_MARK)[:4]
    plain = re.sub(rf"(?<![\d.])((?!{mark})[\d.]+) per (?={mark})", r"\1 * ", plain)
    plain = re.sub(rf"(?<=\d) per (?={mark})", " / ", plain)
    plain = re.sub(r"^(?:(?:the|of|and|to|by|with|from|on|a|per) )+|(?: (?:and|to|by|of|with|"
                   r"from|on|per|a))+$", "", plain)  # fmt: skip
    signs = sums.in_signs(plain)
    values: list[float | None] = []
    try:
        for row in range(asked.sheet.count):
            values.append(_worked(signs, columns, row, grammar.work_out))
    except grammar.NotASum:
        return None
    title = " ".join(shown)
    title = re.sub(r"(?<=\w) (?:\*|times|multiplied by) (?=\w)", " × ", title)
    title = re.sub(r"(?: (?:and|with|of|per|to|by|a|from|on))+$", "", title)
    like = _with_unit(signs, columns)
    if rounding is not None:
        values = [rounding.of(value) for value in values]
        like = [replace(like[0], decimals=rounding.decimals(like[0].decimals))]
    return title[:1].upper() + title[1:60], as_cells(values, like)


def _with_signs(asked: Asked) -> str:
    line = re.sub(r"(N\d+) (?:percent|per cent|pct)(?!\w)", r"\1 %", asked.line)
    for mark, item in asked.items.items():
        if mark[0] == "N" and item.said.endswith(","):
            line = re.sub(rf"{mark}(?!\d)", f"{mark} ,", line)
    # "Add price plus 19 % as Gross" adds a column and nothing more to the price.
    line = re.sub(
        r"^ ?add (?=(?:the )?C\d+ (?:plus|minus|times|less|multiplied|divided)\b)", "", line
    )
    line = re.sub(
        r"(?<!\w)(?:multiplied|multiply) (?=[CN]\d+ (?:with|by|and|times))", "multiply ", line
    )
    line = re.sub(r"([CN]\d+) and (?:the )?([CN]\d+) multiplied", r"\1 * \2", line)
    line = re.sub(r"([CN]\d+) (?:multiplied (?:by|with)|x|×) (?:the )?([CN]\d+)", r"\1 * \2", line)
    line = re.sub(
        r"(?<!\w)ratio (?:of|between) (?:the )?(C\d+) (?:to|and) (?:the )?(C\d+)", r"\1 / \2", line
    )
    line = re.sub(
        r"(?:,? )?(?<!\w)(?:for|in|of|per) (?:each|every|all) (?:of the )?(?:row|line|C\d+)s?$",
        "",
        line,
    )
    # "Price minus 4, times units": what stands before the comma is one number.
    line = re.sub(
        r"^(.*[CN]\d+(?: %)?) ?, (?:and |then |all )*(times|multiplied by|divided by) (?=(?:the "
        r")?[CN]\d)",
        r"( \1 ) \2 ", line,
    )  # fmt: skip
    net = re.search(
        r"(C\d+) (?:without|excluding|net of|before|ex) (?:the )?(N\d+)(?: %)? (?:vat|tax|gst)",
        line,
    )
    if net:
        # A price without the 20 % tax in it is 1 / 1.2 of it.
        whole = 1 + asked.items[net[2]].number / 100
        asked.items["N997"] = Item(f"{whole:g}", number=whole)
        line = f"{line[: net.start()]} {net[1]} / N997 {line[net.end() :]}"
    # "Price 5 % more" and "5 % dearer than the price" are the price and 5 % of it.
    more = r"(?:more(?: expensive)?|dearer|higher|extra|on top)"
    less = r"(?:less(?: expensive)?|cheaper|lower)"
    for said, sign in ((more, "plus"), (less, "minus")):
        line = re.sub(rf"(C\d+) (N\d+(?: %)?) {said}(?!\w)", rf"\1 {sign} \2", line)
        line = re.sub(
            rf"(N\d+(?: %)?) {said} (?:than )?(?:the )?(?:old |usual )?(C\d+)",
            rf"\2 {sign} \1",
            line,
        )
    little = r"(?<!\w)(?:the|all|each|every|its|their|this|of each|our) (?=[CN]\d)"
    return re.sub(little, "", line)


def _value(values: Sequence[object], row: int) -> float | None:
    value = values[row]
    return value if isinstance(value, float) else None


def _worked(signs: str, columns: Sequence[Column], row: int, work_out: object) -> float | None:
    """The sum of one row. In what only adds and takes away an empty cell is nothing."""
    known = [_value(column.values, row) for column in columns]
    if all(value is None for value in known):
        return None
    only_adds = len(columns) > 1 and not re.search(r"[*/%^]|of", signs)
    if None in known and not only_adds:
        return None
    written = signs
    for place, value in enumerate(known):
        number = format(Decimal(repr(value or 0.0)), "f")
        written = written.replace(str(_MARK + place), f"({number})" if number[0] == "-" else number)
    try:
        return float(work_out(written).value)  # type: ignore[operator]
    except ToolError as error:
        if "zero" in str(error):
            return None
        raise


def _with_unit(signs: str, columns: Sequence[Column]) -> list[Column]:
    """The columns whose unit the result has: none of them where one is divided by its like."""
    units = {(column.before, column.after) for column in columns} - {("", "")}
    if len(units) == 1 and not (
        "/" in signs and all((column.before or column.after) for column in columns)
    ):
        # First the column that gives the unit.
        return sorted(columns, key=lambda column: not (column.before or column.after))
    return [Column("", [], decimals=max(column.decimals for column in columns),
                   decimal_mark=columns[0].decimal_mark)]  # fmt: skip


def as_cells(
    values: Sequence[float | None], columns: Sequence[Column], after: str = ""
) -> list[str]:
    """Numbers written as those of the columns are: with their unit, mark and decimals, and with
    two decimals where these would not be enough."""
    first = columns[0] if columns else Column("", [], after=after)
    known = [value for value in values if value is not None]
    decimals = max((column.decimals for column in columns), default=0)
    if any(abs(value - round(value, decimals)) > 1e-9 for value in known):
        decimals = max(decimals, 2)
    if not columns and all(abs(value - round(value, 1)) < 1e-9 for value in known):
        decimals = min(decimals, 1)
    return ["" if value is None else _cell(value, decimals, first) for value in values]


def _cell(value: float, decimals: int, column: Column) -> str:
    if column.is_clock:
        minutes = round(abs(value) * 60)
        return f"{'-' if value < 0 else ''}{minutes // 60}:{minutes % 60:02}"
    # Halves are rounded up as people do, after what binary numbers add is gone.
    exact = Decimal(f"{value:.9f}").quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    digits = f"{abs(exact):f}".replace(".", column.decimal_mark)
    sign = "-" if exact < 0 else ""
    before = column.before + (" " if column.before[-1:].isalpha() else "")
    after = f" {column.after}" if column.after and column.after not in "°" else column.after
    return f"{sign}{before}{digits}{after}"


def in_unit(column: Column, target: str, words: str) -> list[float | None] | None:
    """The numbers of a column in another unit; None where no unit is named.

    Raises ToolError where it is not known in which unit they are.
    """
    measures = tool_module("facts.embedded.measures")
    unit_named, converted = measures.unit_named, measures.converted
    wanted = unit_named(target)
    if wanted is None:
        return None
    said = re.search(r"\bfrom ([a-z°²³/ ]+?) (?:in)?to\b", words.lower())
    inside = re.search(r"[(\[]([^)\]]+)[)\]]", column.name)
    parts = [said[1] if said else "", column.after, inside[1] if inside else "",
             column.name.split("_")[-1].split(" ")[-1]]  # fmt: skip
    source = next((unit for part in parts if part and (unit := unit_named(part.lower()))), None)
    if source is None and "degree" in wanted.name:
        other = "fahrenheit" if "Celsius" in wanted.name else "celsius"
        source = unit_named(other)
    if source is None:
        raise ToolError(
            f"It is not said in which unit “{column.name}” is. Say it as in “from kg to pounds”."
        )
    return [
        float(converted(Fraction(repr(value)), source, wanted)) if value is not None else None
        for value in (_value(column.values, row) for row in range(len(column.cells)))
    ]


def rounded(column: Column, cells: Sequence[str], to: str) -> list[str]:
    """The cells of a column of numbers rounded as is said: "2 decimals", "the nearest 5",
    "whole numbers". What is no number stays. Raises ToolError for a column of something else."""
    if column.kind != "number":
        raise ToolError(f"The column “{column.name}” has no numbers to round.")
    number = re.search(r"\d+|one|two|three|no", to)
    places = 0
    if number and not re.search(r"whole|integer|full", to):
        places = PLACES[number[0]] if number[0] in PLACES else int(number[0])
    step = re.search(r"(?:nearest|next) (\d+)", to)
    rounding = Rounding(Decimal(step[1]) if step else Decimal(1).scaleb(-places), "")
    shape = replace(column, decimals=0 if step else places)
    made = list(cells)
    for row, value in enumerate(column.values):
        if isinstance(value, float):
            made[row] = as_cells([rounding.of(value)], [shape])[0]
    return made
