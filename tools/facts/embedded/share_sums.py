"""Sums of shares told as a story: marks that count differently, a commission with tax on it, a bill
that is changed by percentages and then split."""

from __future__ import annotations

import re
from fractions import Fraction

from .price_sums import changed_in_turn
from .story_parts import FIGURE, NUMBER, few, figures_in, in_money

_AMOUNT = re.compile(rf"(?<![\w.]){NUMBER}(?![\w.]*%)")
_SHARE = re.compile(rf"(?<![\w.]){NUMBER}%")
_COUNTS = re.compile(
    r"\b(?:counts?|counting|weigh(?:s|t|ts|ted|ting)?|worth|make up|makes up|average|marks?|"
    r"grades?|"
    r"scores?|points)\b"
)
_TARGET = re.compile(
    rf"\b(?:to (?:get|reach|have|end up (?:with|at|on)|pass with|make|finish (?:with|on))|reach|"
    rf"for|"
    rf"end up (?:with|at|on)|want|aim(?:ing)? for|average of|overall(?: of)?) (?:to |at least |"
    rf"an? |"
    rf"overall |average |of |mark |grade )*{NUMBER}(?![\w.]*%)(?: average| mean| mark)?(?: "
    rf"(?:overall|in total|in all|altogether))?"
)
_FEE = re.compile(
    r"\b(?:commissions?|fees?|brokerage|broker|agency|agents?|agent's|royalt(?:y|ies)|provision|"
    r"takes|charges?|my (?:cut|share)|their (?:cut|share)|courtage|get|gets|earn|earns)\b"
)
_TAX = r"(?:vat|tax|gst|sales tax|mwst|service tax)"
_TAKEN_OFF = re.compile(r"\b(?:discount|off|rebate|reduced|cheaper|less|minus)\b")
_PEOPLE = re.compile(
    rf"\b(?:split |divided? |shared? )?(?:between|among|amongst|by|with|for|into|in)? ?(?:the |"
    rf"all )?"
    rf"{NUMBER} (?:of us|of them|people|persons?|friends?|ways?|guests?|adults?|kids|colleagues|"
    r"flatmates|roommates|players|diners|heads?)\b|"
    rf"\b(?:between|among|amongst|we are|we're|we were|(?:dinner|lunch|meal|breakfast|drinks|table|"
    rf"party|taxi|cab|tickets) for) {NUMBER}\b(?!%)|"
    rf"\bsplit {NUMBER}(?=$|[.,;?!](?!\d))"
)


def weighted(plain: str, money: str) -> str | None:
    """The mean of marks of which each counts so many per cent, or what the last has to be."""
    plain = re.sub(
        rf"\b(\d+) (?:modules|exams|tests|papers|parts|essays)\b[a-z ]* {NUMBER}% each\b",
        lambda found: "count " + " and ".join([f"{found[2]}%"] * min(int(found[1]), 20)),
        plain,
    )
    plain = re.sub(
        r"\b(\d+) (?:modules|exams|tests|marks|grades|subjects|papers|parts)\b", " ", plain
    )
    plain = _each_with_its_sign(plain)
    shares = [Fraction(one) for one in _SHARE.findall(plain)]
    if len(shares) < 2 or not _COUNTS.search(plain):
        return None
    marks = [Fraction(one) for one in _AMOUNT.findall(plain)]
    if figures_in(plain) != len(shares) + len(marks):
        return None
    if len(marks) == len(shares):
        told = _target(plain, marks, shares)
        return told or _mean(marks, shares)
    return None


def _each_with_its_sign(plain: str) -> str:
    """ "Weighted with 50, 25 and 25%" is 50%, 25% and 25%; "65 and 70 count 25% each" is 25% for
    each of both."""
    listed = re.search(
        rf"\b(?:weigh\w*|count\w*|worth|weights?)\b[a-z :]*(?P<list>{NUMBER}(?:(?:, (?:and )?| "
        rf"and )"
        rf"\d+(?:\.\d+)?)+)%", plain
    )  # fmt: skip
    if listed:
        shares = re.sub(r"(\d)(?=,| and|$)", r"\1%", listed["list"])
        plain = f"{plain[: listed.start('list')]}{shares}{plain[listed.end('list') + 1 :]}"
        plain = plain.replace("%%", "%")
    each = re.search(rf"{NUMBER}% each\b", plain)
    if each:
        many = len(_AMOUNT.findall(plain[: each.start()]))
        shares = " and ".join([f"{each[1]}%"] * max(many, 1))
        plain = f"{plain[: each.start()]}{shares}{plain[each.end() :]}"
    return plain


def _mean(marks: list[Fraction], shares: list[Fraction]) -> str | None:
    whole = sum(shares)
    if not whole:
        return None
    mean = (
        sum((mark * share for mark, share in zip(marks, shares, strict=True)), Fraction(0)) / whole
    )
    terms = " + ".join(
        f"{few(mark)} × {few(share)} %" for mark, share in zip(marks, shares, strict=True)
    )
    if whole == 100:
        return f"{terms} is {few(mean)}."
    return (
        f"The weights add up to {few(whole)} % and not to 100; over these the average is "
        f"{few(mean)} "
        f"({terms}, divided by {few(whole)} %)."
    )


def _target(plain: str, marks: list[Fraction], shares: list[Fraction]) -> str | None:
    """What the last mark has to be, where one less is known and one is wished for in all."""
    found = _TARGET.search(plain)
    asks = re.search(r"\b(?:need|have to|must|required?|should|would)\b", plain)
    if found is None or not asks or sum(shares) != 100 or not shares[-1]:
        return None
    wanted = Fraction(found[1])
    known = marks[:-1] if _AMOUNT.findall(plain)[-1] == found[1] else marks[1:]
    so_far = (
        sum((one * two for one, two in zip(known, shares[:-1], strict=True)), Fraction(0)) / 100
    )
    needed = (wanted - so_far) * 100 / shares[-1]
    return (
        f"So far it is {few(so_far)}; to get {few(wanted)} in all the last one, which counts "
        f"{few(shares[-1])} %, has to be {few(needed)}."
    )


def fee(plain: str, money: str) -> str | None:
    """A share of an amount with tax on the share: a commission of 1.8 % plus 20 % VAT."""
    shares, amounts = list(_SHARE.finditer(plain)), _AMOUNT.findall(plain)
    simple = re.search(rf"{NUMBER}% (?:of|on|from) (?:the |a )?{NUMBER}(?!%)", plain)
    if (
        simple
        and figures_in(plain) == 2
        and _FEE.search(plain)
        and not re.search(rf"\b{_TAX}\b", plain)
    ):
        part, whole = Fraction(simple[1]), Fraction(simple[2])
        return (
            f"{few(part)} % of {in_money(whole, money)} is {in_money(whole * part / 100, money)}."
        )
    if len(shares) != 2 or len(amounts) != 1 or figures_in(plain) != 3:
        return None
    if not _FEE.search(plain) or _TAKEN_OFF.search(plain):
        return None
    if not re.search(rf"\b{_TAX}\b", plain[shares[0].end() :]):
        return None
    whole, part, tax = Fraction(amounts[0]), Fraction(shares[0][1]), Fraction(shares[1][1])
    share = whole * part / 100
    extra = share * tax / 100
    return (
        f"{few(part)} % of {in_money(whole, money)} is {in_money(share, money)}; with {few(tax)} % "
        f"tax on it, {in_money(extra, money)}, it is {in_money(share + extra, money)}."
    )


def gross(plain: str, money: str) -> str | None:
    """A net amount with the tax that comes on top."""
    net = re.search(r"\b(?:net|before (?:vat|tax)|ex(?:cl(?:uding)?)?\.? (?:vat|tax))\b", plain)
    if not net or not re.search(rf"\b{_TAX}\b.*\b(?:on top|added|on it)\b|\bplus\b|\badd\b", plain):
        return None
    told = changed_in_turn(plain, least=1)
    if told is None:
        return None
    start, value, steps = told
    return f"{in_money(start, money)} with {' and then '.join(steps)} is {in_money(value, money)}."


def split(plain: str, money: str) -> str | None:
    """A bill changed by percentages, a tip, tax or discount, and split between some."""
    found = list(_PEOPLE.finditer(plain))
    asks = re.search(
        r"\b(?:each|per person|per head|apiece|everyone|everybody|split|share)\b", plain
    )
    if len(found) != 1 or not asks or not _SHARE.search(plain):
        return None
    count = Fraction(next(filter(None, found[0].groups())))
    rest = f"{plain[: found[0].start()]} {plain[found[0].end() :]}"
    told = changed_in_turn(rest, least=1)
    if (
        told is None
        or count < 1
        or count.denominator != 1
        or FIGURE.search(_no_shares(rest)) is None
    ):
        return None
    start, value, steps = told
    return (
        f"{in_money(start, money)} with {' and then '.join(steps)} is {in_money(value, money)}; "
        f"split between {count} that is {in_money(value / count, money)} each."
    )


def _no_shares(plain: str) -> str:
    return _SHARE.sub(" ", plain)
