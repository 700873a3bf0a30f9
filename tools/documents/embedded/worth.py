"""What each row comes to where a table has a price and a quantity, and no column of their "
"product."""

from __future__ import annotations

import re
from dataclasses import replace

from .asking import asked_of
from .cells import Column
from .measures import QUANTITY, is_measure, measures
from .reading import Sheet
from .row_numbers import as_cells
from .words import parts

_PRICE = frozenset("price cost preis kosten rate fee".split())
_QUANTITY = QUANTITY | frozenset("stock count sold amount pcs night hour day kwh".split())
#: Columns that already say what a row comes to.
_WHOLE = frozenset(
    "worth value total revenue turnover sum income taking earning betrag umsatz subtotal "
    "gross net sale".split()
)
#: Words for money that has come in or gone out, where no column is called so.
_MONEY = re.compile(
    r"\b(?:stock value|inventory value|value of (?:the |our |my )?(?:whole |entire |total )?"
    r"(?:stock|inventory|goods|everything)|"
    r"(?:total )?(?:revenues?|turnover|takings|income|earnings|proceeds|sales(?: value| figures)?)|"
    r"(?:turn|turned|turns) over|worth|"
    r"(?:sell|sold|sells)(?: \w+){0,2}? for|money(?: (?:came|come|comes) in)?|cash|"
    r"(?:take|took|taken|takes|bring|brings|brought|get|got)(?: \w+){0,2}? in|"
    r"(?:earn|earned|earns|gross|grossed|spends|pays|owe[sd]?)|"
    r"(?<=we )(?:make|made|take|took)|(?<=i )(?:make|made)|spen[dt]|spending)\b",
    re.IGNORECASE,
)
_BEST = re.compile(
    r"\b(?:best|worst|strongest|weakest|better|biggest|top|poorest|most successful|most important|"
    r"smallest)\b",
    re.IGNORECASE,
)
_COUNTS = re.compile(
    r"\b(?:how many|number of|count|items?|pieces?|common|popular|best[- ]?sell\w*|often)\b", re.I
)


def with_worth(sheet: Sheet, words: str) -> tuple[Sheet, str]:
    """The table with a column of price times quantity, and the words with its name in them, where
    money is asked for and no column has it."""
    made = _product(sheet)
    if made is None:
        return sheet, words
    asked = asked_of(sheet, words)
    named = [item.column for item in asked.items.values() if item.column is not None]
    money = _MONEY.search(words)
    if money is None and (not _BEST.search(words) or _COUNTS.search(words)):
        return sheet, words
    said = set(re.findall(r"[a-z]+", words.lower()))
    spoken = [one for one in named if one.kind == "number" and set(parts(one.name)) & said]
    if spoken or (money is None and any(map(is_measure, named))):
        # The price itself, or how many, is what is asked for.
        return sheet, words
    whole = Sheet([*sheet.columns, made], sheet.name, [], sheet.separator)
    name = f' "{made.name}" '
    if money is None:
        return whole, f"{words.rstrip(' ?!.')} by total{name}"
    total = "" if re.search(r"\b(?:total|average|mean|sum)\b", words, re.IGNORECASE) else " total"
    first = f"{words[: money.start()]}{total}{name}"
    return whole, first + _MONEY.sub(" ", words[money.end() :])


def _product(sheet: Sheet) -> Column | None:
    """Price times quantity, where there is one column of each and none of what they make."""
    numbers = measures(sheet)
    prices = [column for column in numbers if _PRICE & set(parts(column.name))]
    amounts = [
        column for column in numbers
        if _QUANTITY & set(parts(column.name)) and column not in prices
    ]  # fmt: skip
    wholes = [
        column for column in numbers
        if _WHOLE & set(parts(column.name)) and column not in prices and column not in amounts
    ]  # fmt: skip
    if wholes or len(prices) != 1 or len(amounts) != 1:
        return None
    price, amount = prices[0], amounts[0]
    values = [
        one * two if isinstance(one, float) and isinstance(two, float) else None
        for one, two in zip(price.values, amount.values, strict=True)
    ]
    return replace(
        price, name=f"{amount.name} × {price.name}", cells=as_cells(values, [price]),
        values=list(values), decimals=max(price.decimals, amount.decimals, 2),
    )  # fmt: skip
