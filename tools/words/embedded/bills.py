"""A bill, receipt or invoice read out of its text: what was bought, the total, and whether the sums
are right. Sums are worked on as whole cents, so that nothing is rounded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

_NUMBER = r"-?\d{1,3}(?:[ .,'’]\d{3})+(?:[.,]\d{1,2})?|-?\d+(?:[.,]\d{1,2})?"
_SIGN = r"(?:EUR|USD|GBP|CHF|euros?|dollars?|pounds?|francs?|[€$£])"


def _money(name: str) -> str:
    """A pattern of an amount, in a group of a name, with its currency before or behind."""
    return rf"(?:{_SIGN} ?)?(?P<{name}>{_NUMBER})(?: ?{_SIGN})?"


#: "Delivery 35.00", and "120 chairs x 1.20 = 144.00" with what stands before the amount.
_ENDS_IN_MONEY = re.compile(
    rf"^(?P<name>.*?[^\W\d_].*?)[\s:=.…]*{_money('amount')}\s*[A-Z*]?$", re.IGNORECASE
)
#: "Total 439.00 euros, due within 14 days".
_TOTAL = re.compile(
    r"\b(?P<sub>(?:sub|net)[- ]?)?(?:grand total|total(?: amount| sum| price)?(?: due| to pay|"
    r"payable)?|sum|amount (?:due|payable|to pay)|balance due|to pay|summe|gesamt\w*|betrag|"
    rf"zu zahlen)\b(?:\s*\([^)]*\))?[\s:=.…]*{_money('amount')}(?![\d.,]*\d)",
    re.IGNORECASE,
)
_TIMES = r"(?:x|×|\*|@|à)"
_COUNTED_FIRST = re.compile(
    rf"^(?P<count>\d+(?:[.,]\d+)?) ?{_TIMES} (?P<name>[^\d=]*?[^\W\d_][^=]*?)"
    rf"(?: ?{_TIMES}? ?{_money('price')})? ?=?$",
    re.IGNORECASE,
)
_PRICED = re.compile(
    rf"^(?P<count>\d+(?:[.,]\d+)?) (?P<name>\D*?[^\W\d_]\D*?) ?(?:{_TIMES}|at) ?"
    rf"{_money('price')}(?: each| apiece)?$|"
    rf"^(?P<name_>\D*?[^\W\d_].*?)[ :,]+(?P<count_>\d+(?:[.,]\d+)?)"
    rf" ?{_TIMES} ?{_money('price_')}$",
    re.IGNORECASE,
)
_TAX = re.compile(r"\b(?:vat|tax|mwst|ust|gst|mehrwertsteuer|tva)\b", re.IGNORECASE)
_NO_ITEM = re.compile(
    r"\b(?:cash|change|card|visa|mastercard|paid|given|tendered|date|tel|phone|invoice|no|nr|number|"
    r"iban|bic|account|page|table|till|street|road|lane|due|id|order)\b",
    re.IGNORECASE,
)
_CURRENCY = re.compile(rf"{_SIGN}\b|[€$£]", re.IGNORECASE)


@dataclass(frozen=True)
class Item:
    """One line of a bill: what it is for, how many, the price of one where that is said, and what
    they cost together."""

    name: str
    amount: Decimal
    count: Decimal | None = None
    price: Decimal | None = None

    @property
    def is_tax(self) -> bool:
        """Whether it is a tax."""
        return bool(_TAX.search(self.name))


@dataclass(frozen=True)
class Bill:
    """What a bill says: its lines, what they come to before taxes where that is said, the total,
    and the currency as it is written there."""

    items: tuple[Item, ...]
    total: Decimal
    subtotal: Decimal | None
    currency: str

    def money(self, amount: Decimal) -> str:
        """An amount with the bill's currency."""
        said = f"{amount:,.2f}"
        if not self.currency:
            return said
        return f"{self.currency}{said}" if len(self.currency) == 1 else f"{self.currency} {said}"


def bill_in(text: str) -> Bill | None:
    """The bill that a text is; None where it names no total."""
    totals: list[tuple[bool, Decimal, str]] = []
    items: list[Item] = []
    for raw in text.splitlines():
        line = " ".join(raw.replace("|", " ").split())
        total = _TOTAL.search(line)
        if total:
            totals.append((bool(total["sub"]), number_in(total["amount"]), total[0]))
        elif (item := _item(line)) is not None and not _is_paid(totals):
            items.append(item)
    whole = [entry for entry in totals if not entry[0]]
    if not whole:
        return None
    sub = next((amount for is_sub, amount, _ in totals if is_sub), None)
    sign = _CURRENCY.search(whole[-1][2]) or _CURRENCY.search(text)
    said = sign[0] if sign else ""
    currency = {"eur": "EUR", "euro": "EUR", "euros": "EUR"}.get(said.lower(), said)
    return Bill(tuple(items), whole[-1][1], sub, currency)


def _is_paid(totals: list[tuple[bool, Decimal, str]]) -> bool:
    """Whether the total has been named, so that what follows is how it was paid."""
    return any(not is_sub for is_sub, _, _ in totals)


def number_in(written: str) -> Decimal:
    """An amount as it is written: 1,850.00, 1.850,00, 13,90 or 12."""
    plain = re.sub(r"[ '’]", "", written)
    cents = re.search(r"[.,](\d{1,2})$", plain)
    whole = plain[: cents.start()] if cents else plain
    return Decimal(re.sub(r"[.,]", "", whole) + (f".{cents[1]}" if cents else ""))


def _item(line: str) -> Item | None:
    found = _ENDS_IN_MONEY.match(line)
    if not found or _NO_ITEM.search(found["name"]) and not _TAX.search(found["name"]):
        return None
    # An amount has cents or a currency; 12 Harbour Street 4 has neither.
    if not re.search(r"[.,]\d\d$", found["amount"]) and not _CURRENCY.search(line):
        return None
    before, amount = found["name"].rstrip(" =:.…"), number_in(found["amount"])
    priced = _PRICED.match(before)
    if priced:
        name = priced["name"] or priced["name_"]
        count, price = priced["count"] or priced["count_"], priced["price"] or priced["price_"]
        return Item(name.strip(), amount, number_in(count), number_in(price))
    counted = _COUNTED_FIRST.match(before)
    if counted:
        price = number_in(counted["price"]) if counted["price"] else None
        return Item(counted["name"].strip(), amount, number_in(counted["count"]), price)
    return Item(before, amount)


def checked(bill: Bill) -> str:
    """Whether the sums of a bill are right, in sentences: each line that says how many at what
    price, and the total."""
    told, wrong = [], False
    for item in bill.items:
        if item.count is None or item.price is None:
            continue
        comes_to = item.count * item.price
        sum_ = f"{item.name}: {item.count:g} × {item.price:,.2f} = {comes_to:,.2f}"
        if comes_to == item.amount:
            told.append(f"{sum_}, right.")
        else:
            wrong = True
            told.append(f"{sum_}, but the bill says {item.amount:,.2f}: wrong.")
    if not bill.items:
        return (
            f"The total is {bill.money(bill.total)}, but I find no single amounts in the text that "
            "it could be added up from."
        )
    goods = sum((item.amount for item in bill.items if not item.is_tax), Decimal())
    if bill.subtotal is not None and goods != bill.subtotal:
        wrong = True
        told.append(
            f"The lines come to {bill.money(goods)}, but the bill says before taxes "
            f"{bill.money(bill.subtotal)}."
        )
    way = _way(bill)
    if way is None:
        wrong = True
        parts = [item for item in bill.items if not item.is_tax] or list(bill.items)
        summed = sum((item.amount for item in parts), Decimal())
        told.append(
            f"{_added(parts)} = {bill.money(summed)}, but the total says {bill.money(bill.total)}: "
            f"the difference is {bill.money(abs(bill.total - summed))}."
        )
    else:
        told.append(f"{way} = {bill.money(bill.total)}, which is the total that the bill says.")
    right = f"Yes, it adds up: the total {bill.money(bill.total)} is right."
    first = "As far as I can read its lines, it does not add up." if wrong else right
    return "\n".join([first, *told])


def _way(bill: Bill) -> str | None:
    """How the total comes out of the lines; None where it does not."""
    goods = [item for item in bill.items if not item.is_tax]
    for parts in (list(bill.items), goods):
        if parts and sum((item.amount for item in parts), Decimal()) == bill.total:
            return _added(parts)
    # "2 x Cappuccino 3.80" may name the price of one.
    if goods and sum((item.amount * (item.count or 1) for item in goods), Decimal()) == bill.total:
        return " + ".join(
            f"{item.count:g} × {item.amount:,.2f}" if item.count else f"{item.amount:,.2f}"
            for item in goods
        )
    return None


def _added(items: list[Item]) -> str:
    said = " + ".join(f"{item.amount:,.2f}" for item in items)
    return said.replace("+ -", "− ")
