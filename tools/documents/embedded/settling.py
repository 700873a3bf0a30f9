"""Who has to give how much to whom, so that those who paid for all are even."""

from __future__ import annotations

import re
from fractions import Fraction

from controlllm.toolbox import ToolError

from .asking import Asked, asked_of
from .cells import Column
from .measures import measure_of, written
from .reading import Sheet

_PAYS = r"(?:owes?|gives?|pays?|transfers?|sends?|returns?)"
_HAS_TO = r"(?:(?:still |now )?(?:has|have|needs?|ought) to |must |should |does |do )?"
_SETTLES = re.compile(
    rf"\bwho {_HAS_TO}(?:still |now )?{_PAYS}\b[^.?]*\b(?:whom?|to each other|one another)\b|"
    rf"\bwho {_PAYS} who(?:m|ever)?\b|\bsettl(?:e|ed|ing) (?:up|it|this|that|the (?:bill|costs|"
    r"expenses))\b|\bso that (?:it|we|everybody|everyone|all)(?: is| are|'re)? (?:all )?"
    r"(?:even|quits|square)\b",
    re.IGNORECASE,
)
_MANY = re.compile(r"\b(?:we are|we're|there are|among|between|of us) (?:the )?(N\d+)(?!\w)")
_PAYERS = re.compile(r"who|paid by|payer|payed|name|person|flatmate|friend|member", re.IGNORECASE)


def asks_to_settle(question: str) -> bool:
    """Whether it is asked who has to give how much to whom."""
    return bool(_SETTLES.search(question))


def settled(sheet: Sheet, question: str) -> str:
    """What each of those who paid owes, to whom, where all share everything alike.

    Raises ToolError where it is not told in the table who paid what.
    """
    asked = asked_of(sheet, question)
    people, amount = _people(sheet), measure_of(Asked(sheet, ""), "was paid")
    paid: dict[str, Fraction] = {}
    names: dict[str, str] = {}
    for row in range(sheet.count):
        name, value = people.cells[row].strip(), amount.values[row]
        if not name or not isinstance(value, float):
            continue
        key = name.casefold()
        names.setdefault(key, name)
        paid[key] = paid.get(key, Fraction(0)) + Fraction(str(value))
    many = _MANY.search(asked.line)
    count = round(asked.items[many[1]].number) if many else len(paid)
    if count != len(paid) or count < 2:
        raise ToolError(
            f"There are {len(paid)} names in the column “{people.name}”: "
            f"{', '.join(names.values())}. Write a row with 0 for each who paid nothing and shares."
        )
    total = sum(paid.values(), Fraction(0))
    share = total / count

    def said(value: Fraction) -> str:
        return written(float(value), amount, "sum")

    lines = [f"- {names[one]} gives {names[other]} {said(value)}"
             for one, other, value in _payments(paid, share)]  # fmt: skip
    each = ", ".join(f"{names[key]} {said(value)}" for key, value in paid.items())
    return (
        f"The total of {amount.name} is {said(total)}, which is {said(share)} for each of {count}. "
        f"Paid were: {each}.\n" + ("\n".join(lines) or "All are even.")
    )


def _people(sheet: Sheet) -> Column:
    """The column of those who paid: the one that is called so, else the one whose names come again
    most often."""
    texts = [column for column in sheet.columns if column.kind == "text"]
    called = [column for column in texts if _PAYERS.search(column.name)]
    found = sorted(
        called or texts, key=lambda column: len({cell.strip().casefold() for cell in column.cells})
    )
    if not found:
        raise ToolError("There is no column in this table that says who paid.")
    return found[0]


def _payments(paid: dict[str, Fraction], share: Fraction) -> list[tuple[str, str, Fraction]]:
    """Who gives whom how much, those who are most apart first."""
    open_ = {key: value - share for key, value in paid.items()}
    found: list[tuple[str, str, Fraction]] = []
    while True:
        low, high = min(open_, key=open_.__getitem__), max(open_, key=open_.__getitem__)
        value = min(-open_[low], open_[high])
        if value < Fraction(1, 200):
            return found
        found.append((low, high, value))
        open_[low] += value
        open_[high] -= value
