"""A bill, receipt or invoice read out of its text: what was bought, the total, and whether the sums
are right. Sums are worked on as whole cents, so that nothing is rounded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

#: Cents are no start of an amount: 42.00 147.00 are two.
_NUMBER = (
    r"(?<!\d)(?<!\d[.,])"
    r"(?:-?\d{1,3}(?:[ .,'’]\d{3})+(?:[.,]\d{1,2})?|-?\d+(?:[.,]\d{1,2})?)"
)
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
    r"\b(?:grand total|total(?: amount| sum| price)?(?: due| to pay|payable)?|sum|"
    r"amount (?:due|payable|to pay)|balance due|to pay|summe|gesamt\w*|(?:rechnungs|end)?betrag|"
    r"endsumme|zu zahlen)\b(?:,? in[ck]l\w*\.?(?: of)? [^\W\d_]+)?(?:\s*\([^)]*\))?[\s:=.…]*"
    rf"{_money('amount')}(?![\d.,]*\d)",
    re.IGNORECASE,
)
#: What the lines above come to: neither a line of its own nor what is to be paid.
_SUBTOTAL = re.compile(
    r"\bsub[- ]?total\b|\bzwischensumme\b|\bsous-total\b|"
    r"\bnet[- ](?:total|amount|sum|price|value)\b|"
    r"\bnetto\w*|^(?:total )?(?:net|goods)(?: total)?$|"
    r"^(?:total|amount|sum|price)\b.*\b(?:before|excl\w*|without|ex)\b",
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
    rf"(?: ?[^\W\d_]{{1,8}}\.?)? ?{_TIMES} ?{_money('price_')}(?: ?(?:/|per) ?\w+| each)?$",
    re.IGNORECASE,
)
_TAX = re.compile(r"\b(?:vat|tax|mwst|ust|gst|mehrwertsteuer|tva)\b", re.IGNORECASE)
_NO_ITEM = re.compile(
    r"\b(?:cash|change|card|visa|mastercard|paid|given|tendered|date|tel|phone|invoice|no|nr|number|"
    r"iban|bic|account|page|till|street|road|lane|due|id|order)\b",
    re.IGNORECASE,
)
#: What is taken off, also where no minus stands before it.
_LESS = re.compile(
    r"\bdiscount\b|\brabatt\b|\bskonto\b|\bnachlass\b|\bvoucher\b|\bcoupon\b|\bgutschein\b|"
    r"^(?:less|minus)\b|\b(?:already|deposit|advance) paid\b|\bpaid on account\b|\banzahlung\b",
    re.IGNORECASE,
)
#: "Chair 2 45.00" with what stands before the amount of a table's row.
_IN_COLUMNS = re.compile(
    rf"^(?P<name>.*?[^\W\d_].*?) (?P<count>\d+(?:[.,]\d+)?)[ =]+"
    rf"(?P<price>(?:{_SIGN} ?)?\d+[.,]\d\d)$"
)
_PERCENT = re.compile(r"(?P<rate>\d+(?:[.,]\d+)?) ?%")
_HAS_AMOUNT = re.compile(r"\d[.,]\d\d(?![\d.,]*\d)")
#: A space that parts thousands or columns.
_SPACED = re.compile(r"(?<=\d) (?=\d{3}[.,]\d\d\b)")
_CENT = Decimal("0.01")
_LONGEST = 250
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
        return self.count is None and bool(_TAX.search(self.name))


@dataclass(frozen=True)
class Subtotal:
    """What the lines so far come to, as a bill says it, and how many lines stand before it."""

    name: str
    amount: Decimal
    behind: int


@dataclass(frozen=True)
class Bill:
    """What a bill says: its lines, what they come to on the way, the total, the currency as it is
    written there, and the lines with an amount that could not be read."""

    items: tuple[Item, ...]
    total: Decimal
    subtotals: tuple[Subtotal, ...]
    currency: str
    unread: tuple[str, ...] = ()

    @property
    def subtotal(self) -> Decimal | None:
        """What the lines come to before taxes, where the bill says so."""
        return self.subtotals[0].amount if self.subtotals else None

    def money(self, amount: Decimal) -> str:
        """An amount with the bill's currency."""
        said = f"{amount:,.2f}"
        if not self.currency:
            return said
        return f"{self.currency}{said}" if len(self.currency) == 1 else f"{self.currency} {said}"


def bill_in(text: str) -> Bill | None:
    """The bill that a text is; None where it names no total."""
    bill = _read(text)
    if bill and not _way(bill) and _SPACED.search(text):
        # "Hire 10 100.00" is ten at 100.00, and not 10,100.00, where the total says so.
        apart = _read(_SPACED.sub(" = ", text))
        return apart if apart and _way(apart) else bill
    return bill


def _read(text: str) -> Bill | None:
    items: list[Item] = []
    subtotals: list[Subtotal] = []
    unread: list[str] = []
    kept: tuple[list[Item], list[Subtotal], list[str]] | None = None
    total, said = Decimal(), ""
    for raw in text.splitlines():
        line = " ".join(raw.replace("|", " ").split())
        # A longer one is a paragraph, and no line of a bill.
        ends = _ENDS_IN_MONEY.match(line) if len(line) <= _LONGEST else None
        found = _TOTAL.search(line)
        name = ends["name"].rstrip(" -–−=:.…") if ends else ""
        if ends and _SUBTOTAL.search(name) and (items or "oods" not in name):
            subtotals.append(Subtotal(name, number_in(ends["amount"]), len(items)))
        elif found and not _TAX.search(line[: found.start()]):
            amount = number_in(found["amount"])
            if kept and (amount == total or len(items) == len(kept[0]) and unread != kept[2]):
                # What follows a payment is what is left to pay, and not what the lines come to.
                continue
            if kept and len(items) > len(kept[0]):
                # Taxes and a second total follow: the first one was on the way.
                subtotals.append(Subtotal("total", total, len(kept[0])))
            total, said = amount, found[0]
            kept = list(items), list(subtotals), list(unread)
        elif ends and (item := _item(line)) is not None:
            items.append(item)
        elif _HAS_AMOUNT.search(line) or (items and ends):
            unread.append(line)
    if kept is None:
        return None
    sign = _CURRENCY.search(said) or _CURRENCY.search(text)
    said = sign[0] if sign else ""
    currency = {"eur": "EUR", "euro": "EUR", "euros": "EUR"}.get(said.lower(), said)
    return _with_unnamed_subtotals(
        Bill(tuple(kept[0]), total, tuple(kept[1]), currency, tuple(kept[2]))
    )


def _with_unnamed_subtotals(bill: Bill) -> Bill:
    """The bill with each line that is the sum of two or more before it, and without which the
    total is right, as a subtotal whatever it is called."""
    if _way(bill):
        return bill
    for place, item in enumerate(bill.items):
        before, after = bill.items[:place], bill.items[place + 1 :]
        if place < 2 or item.count is not None or _sum(before) != item.amount:
            continue
        found = Subtotal(item.name, item.amount, place)
        moved = (replace(one, behind=one.behind - (one.behind > place)) for one in bill.subtotals)
        without = replace(bill, items=(*before, *after), subtotals=(*moved, found))
        if _way(without):
            return without
    return bill


def number_in(written: str) -> Decimal:
    """An amount as it is written: 1,850.00, 1.850,00, 13,90 or 12."""
    plain = re.sub(r"[ '’]", "", written)
    cents = re.search(r"[.,](\d{1,2})$", plain)
    whole = plain[: cents.start()] if cents else plain
    return Decimal(re.sub(r"[.,]", "", whole) + (f".{cents[1]}" if cents else ""))


def _item(line: str) -> Item | None:
    found = _ENDS_IN_MONEY.match(line)
    if not found:
        return None
    is_less = _LESS.search(found["name"])
    if _NO_ITEM.search(found["name"]) and not _TAX.search(found["name"]) and not is_less:
        return None
    # An amount has cents or a currency; 12 Harbour Street 4 has neither.
    if not _is_money(found["amount"]) and not _CURRENCY.search(line):
        return None
    before, amount = found["name"].rstrip(" =:.…"), number_in(found["amount"])
    if is_less:
        return Item(before.rstrip(" -–−"), -abs(amount))
    priced = _PRICED.match(before)
    if priced:
        name = priced["name"] or priced["name_"]
        count = number_in(priced["count"] or priced["count_"])
        said = priced["price"] or priced["price_"]
        # A frame of 20 x 30 has no price of 30.
        if (
            _is_money(said)
            or "=" in line
            or _CURRENCY.search(before)
            or _is_near(count * number_in(said), amount)
        ):
            return Item(name.strip(), amount, count, number_in(said))
    counted = _COUNTED_FIRST.match(before)
    if counted:
        price = number_in(counted["price"]) if counted["price"] else None
        return Item(counted["name"].strip(), amount, number_in(counted["count"]), price)
    row = _IN_COLUMNS.match(before)
    if row:
        count, price = number_in(row["count"]), number_in(re.sub(r"[^\d.,]", "", row["price"]))
        if _is_near(count * price, amount):
            return Item(row["name"], amount, count, price)
    return Item(before, amount)


def _is_money(written: str) -> bool:
    return bool(re.search(r"[.,]\d\d$", written))


def _is_near(reckoned: Decimal, said: Decimal) -> bool:
    """Whether two sums are the same but for the rounding to a cent."""
    return abs(reckoned - said) < _CENT


def _sum(items: Sequence[Item]) -> Decimal:
    return sum((item.amount for item in items), Decimal())


def checked(bill: Bill) -> str:
    """Whether the sums of a bill are right, in sentences: each line that says how many at what
    price, what the lines come to on the way, taxes, and the total.

    A bill is called wrong only where every line with an amount could be read, and no single line
    read otherwise would make it right.
    """
    if not bill.items and not bill.subtotals:
        return (
            f"The total is {bill.money(bill.total)}, but I find no single amounts in the text that "
            "it could be added up from."
        )
    told, wrong = [], False
    for item in bill.items:
        if item.count is None or item.price is None:
            continue
        comes_to = item.count * item.price
        sum_ = f"{item.name}: {item.count:g} × {item.price:,.2f} = {comes_to:,.2f}"
        if _is_near(comes_to, item.amount):
            told.append(f"{sum_}, right.")
        else:
            wrong = True
            told.append(f"{sum_}, but the bill says {item.amount:,.2f}: wrong.")
    amiss = False
    for sub in bill.subtotals:
        way = _way_to(sub, bill)
        if sub.behind and way is None:
            amiss = True
            goods = _sum([item for item in bill.items[: sub.behind] if not item.is_tax])
            told.append(
                f"The lines come to {bill.money(goods)}, but the bill says {sub.name} "
                f"{bill.money(sub.amount)}."
            )
        elif way:
            told.append(f"{way} = {bill.money(sub.amount)} ({sub.name}), right.")
    shares, odd = _shares_told(bill)
    told += shares
    way = _way(bill)
    if way is None:
        amiss = True
        parts = [Item(one.name, one.amount) for one in bill.subtotals if not one.behind]
        parts += bill.items
        if _sum(parts) > bill.total:
            # Taxes may be within the total.
            parts = [item for item in parts if not item.is_tax] or parts
        summed = _sum(parts)
        said = f"{_added(parts)} = {bill.money(summed)}"
        told.append(
            f"{said if len(parts) > 1 else f'The one line that I read is {bill.money(summed)}'}, "
            f"but the total says {bill.money(bill.total)}: "
            f"the difference is {bill.money(abs(bill.total - summed))}."
        )
    else:
        told.append(f"{way} = {bill.money(bill.total)}, which is the total that the bill says.")
    told += odd
    doubt = _doubt(bill) if amiss else ""
    if doubt and not wrong:
        read = "; ".join(f"{item.name} {item.amount:,.2f}" for item in bill.items)
        first = "I cannot say whether it adds up, so please look at it yourself."
        return "\n".join([first, *told, doubt, f"I read: {read}."])
    right = f"Yes, it adds up: the total {bill.money(bill.total)} is right."
    first = "As far as I can read its lines, it does not add up." if wrong or amiss else right
    return "\n".join([first, *told, *([doubt] if doubt else [])])


def _doubt(bill: Bill) -> str:
    """Why a sum that does not come out may be the reading's fault; empty where nothing says so."""
    if bill.unread:
        lines = ", ".join(f"“{line}”" for line in bill.unread[:6])
        return f"I could not tell what these lines are: {lines}."
    for place, item in enumerate(bill.items):
        others = (*bill.items[:place], *bill.items[place + 1 :])
        if _way(bill) is None and _way(replace(bill, items=others, subtotals=())):
            return (
                f"Without the line “{item.name} {item.amount:,.2f}” it would be right: either it "
                "is no line to be added, or it was left out of the total."
            )
    if any(abs(item.amount) > abs(bill.total) for item in bill.items):
        return "A line is more than the total, so I may have read one of them wrongly."
    return ""


def _way_to(sub: Subtotal, bill: Bill) -> str | None:
    """How a subtotal comes out of the lines before it, all or those since the last one."""
    earlier = max((one.behind for one in bill.subtotals if one.behind < sub.behind), default=0)
    for first in (0, earlier):
        lines = bill.items[first : sub.behind]
        for parts in (list(lines), [item for item in lines if not item.is_tax]):
            if parts and _sum(parts) == sub.amount:
                return _added(parts)
    return None


def _shares_told(bill: Bill) -> tuple[list[str], list[str]]:
    """Of each tax or discount with its rate, whether it is that part of what stands before it:
    those that are, and those that are not or are a part of something else."""
    right, odd = [], []
    for place, item in enumerate(bill.items):
        rate = _PERCENT.search(item.name)
        if not rate or not (item.is_tax or item.amount < 0):
            continue
        part, amount = number_in(rate["rate"]) / 100, abs(item.amount)
        before = _sum([one for one in bill.items[:place] if not one.is_tax])
        subtotals = [one.amount for one in bill.subtotals if one.behind <= place]
        bases = [*reversed(subtotals), before, bill.total - item.amount]
        fitting = [base for base in bases if abs(base * part - amount) <= _CENT]
        if fitting:
            right.append(f"{rate[0]} of {fitting[0]:,.2f} = {amount:,.2f}, right.")
        else:
            odd.append(
                f"Look at “{item.name} {item.amount:,.2f}”: {rate[0]} of {bases[0]:,.2f} would be "
                f"{bases[0] * part:,.2f}, but it may be meant of a part of it."
            )
    return right, odd


def _way(bill: Bill) -> str | None:
    """How the total comes out of the lines; None where it does not."""
    goods = [item for item in bill.items if not item.is_tax]
    for parts in (list(bill.items), goods):
        if parts and _sum(parts) == bill.total:
            return _added(parts)
    # "2 x Cappuccino 3.80" may name the price of one.
    if goods and sum((item.amount * (item.count or 1) for item in goods), Decimal()) == bill.total:
        return " + ".join(
            f"{item.count:g} × {item.amount:,.2f}" if item.count else f"{item.amount:,.2f}"
            for item in goods
        )
    # Where no lines are told but only what they come to.
    for sub in (one for one in bill.subtotals if not one.behind):
        parts = [Item(sub.name, sub.amount), *bill.items]
        if _sum(parts) == bill.total:
            return _added(parts)
    return None


def _added(items: Sequence[Item]) -> str:
    said = " + ".join(f"{item.amount:,.2f}" for item in items)
    return said.replace("+ -", "− ")
