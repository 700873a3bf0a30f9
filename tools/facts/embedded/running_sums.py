"""Sums that are told as one thing after the other: what was bought, what comes on top, what is
taken off in per cent or money, and between how many it is split.

Such a story is worked out only where each of its numbers has a part in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from .price_sums import ANOTHER, ITEM
from .story_parts import FIGURE, NUMBER, few, in_money, is_taken_off

_CUT = re.compile(
    r"\s*[,;:](?!\d)\s*|\.(?!\d)\s*|\b(?:and then|and|then|but)\b|(?=\b(?:plus|minus|less)\b)"
)
_WHO = (
    r"(?:of us|of them|people|persons?|friends|ways|adults|guests|colleagues|flatmates|couples|"
    r"families)"
)
_OF_US = re.compile(
    rf"\b(?:(?:split |shared? |divided? )?(?:between|among|amongst|by)|we are|we're) "
    rf"(?:the |all )?{NUMBER} ?{_WHO}?(?![\d.%])|"
    # "A pizza for 40" is for money.
    rf"\b(?:for|there are) (?:the |all )?{NUMBER} ?{_WHO}(?![\d.%])"
)
_EACH = re.compile(r"\b(?:each|every ?one|every ?body|apiece|per (?:person|head)|a head|split)\b")
#: Who pays less than the others, or nothing, is reckoned otherwise.
_OTHERS = re.compile(r"\b(?:others?|rest of us|except|without (?:me|him|her|them))\b")
#: Until when something is paid is no part of what is paid.
_IN_TIME = re.compile(
    rf"\b(?:if|when|for|by) (?:(?:it|it's|it is|we|i|you|they|he|she) )?(?:am |are |is )?"
    rf"(?:pa(?:y|ys|id|ying)|transfer\w*|settl\w*)\b[^,;%]*?\b(?:within|in|before|after) "
    rf"(?:the (?:first|next) )?{NUMBER} (?:days?|weeks?|months?)"
)
_LESS = re.compile(
    r"\b(?:off|minus|less|discount|rebate|voucher|coupon|gift card|reduced|cheaper|already "
    r"(?:paid|gave|given)|refund(?:ed)?|credit|trade-in|cashback|deduct(?:ed)?|knocked?)\b"
)
_MORE = re.compile(
    r"\b(?:plus|extra|on top|added?|shipping|delivery|postage|fees?|surcharge|charges?|handling|"
    r"packing|packaging|insurance|tip|more|as well|too|cleaning|set-?up|installation|printing|"
    r"installing|delivering|cost|costs)\b"
)
#: "First 20 % off", where numbers in words are figures by now, and "30 at 9.80".
_ORDER = re.compile(r"\b\d+(?:st|nd|rd|th)\b")
_BARE_ITEM = re.compile(rf"(?<![\w.]){NUMBER} ?(?=(?:at|@|x) {NUMBER}(?![%\d]))")
#: "20 minutes" and "3 courses" are no money.
_THINGS = re.compile(
    r" ?(?!(?:plus|less|minus|was|is|as|this|euros|dollars|pounds|francs|bucks|cents|fees|costs|"
    r"charges|taxes|pieces|bonus)\b)[a-z]{2,}s\b"
)
#: "Take 40 off the 200", whose start is said last.
_TAKEN_FROM = re.compile(
    rf"\b(?:take|taking|took|deduct|deducting|subtract|subtracting|knock|knocking) (?:the )?"
    rf"(\d+(?:\.\d+)?%?) (?:off|from|away from|out of)(?: of)? (?:the |my |our )*{NUMBER}(?![\d.%])"
)
#: What was said before is a part of the sum, and is not known here.
_THAT_FROM = re.compile(
    r"\b(?:take|taking|deduct|subtract|knock|add|adding|put)(?:ing)? (?:that|it|this|them) "
    r"(?:off|from|away|out|to|on)\b"
)
#: "Pay the rest in 12 equal parts", "spread over 6 months".
_PARTS = re.compile(
    rf"\b(?:in|into|over|by) {NUMBER} (?:(?:equal|even|monthly|weekly|yearly|identical|same) )*"
    r"(?:parts|instal+ments|payments|pieces|rates|portions|shares)\b|"
    rf"\b(?:pa(?:y|ys|id|ying)|spread|split|divided?)\b[^,;%\d]*? (?:in|into|over|by) "
    rf"{NUMBER} (?:equal )?(?:months|weeks|years|quarters)\b"
)
_ONE_PART = re.compile(
    r"\b(?:one|1|a|every|per|single|each) (?:[a-z]+ )?(?:part|instal+ment|payment|piece|rate|"
    r"portion|share|month|week|year|quarter)\b|\beach\b|\bmonthly\b|\bweekly\b"
)
_BASE = re.compile(r"% of\b(?! (?:it|that|this|the (?:total|whole|bill|price|sum)))")


@dataclass
class _Account:
    """What it has come to so far, and how that was told; `goes_down` is which way the last
    percentage went, None before there was one."""

    money: str
    value: Fraction | None = None
    told: list[str] = field(default_factory=list)
    goes_down: bool | None = None

    def add(self, amount: Fraction, said: str, is_less: bool = False) -> None:
        """An amount that comes on top of what there is, or is taken off; the first is the start."""
        begins = self.value is None
        self.value = (self.value or Fraction(0)) + (-amount if is_less else amount)
        shown = in_money(self.value, self.money)
        if begins:
            self.told.append(said if said == shown else f"{said} is {shown}")
        else:
            self.told.append(f"{'less' if is_less else 'plus'} {said} is {shown}")

    def change(self, share: Fraction, is_less: bool) -> None:
        """So many per cent on top of what there is, or off."""
        assert self.value is not None
        self.goes_down = is_less
        self.add(self.value * share / 100, f"{few(share)} %", is_less)


def running(plain: str, money: str) -> str | None:
    """The answer to such a story, None where a number plays no part that is known here."""
    plain = _BARE_ITEM.sub(r"\1 pieces ", _ORDER.sub(" ", _IN_TIME.sub(" ", plain)))
    if _BASE.search(plain) or _OTHERS.search(plain) or _THAT_FROM.search(plain):
        return None
    plain = _TAKEN_FROM.sub(r"\2 minus \1", plain)
    people: Fraction | None = None
    found = _OF_US.search(plain)
    if found and _EACH.search(f"{plain[: found.start()]} ; {plain[found.end() :]}"):
        people = Fraction(found[1] or found[2])
        plain = f"{plain[: found.start()]} {plain[found.end() :]}"
    parts = _PARTS.search(plain) if people is None else None
    if parts and _ONE_PART.search(_PARTS.sub(" ; ", plain)):
        people = Fraction(parts[1] or parts[2])
        plain = _ONE_PART.sub(" ", f"{plain[: parts.start()]} {plain[parts.end() :]}")
    account = _Account(money)
    bought = [match for match in ITEM.finditer(plain) if match["each"] or " at " in match[0]]
    for number, match in reversed(list(enumerate(bought))):
        plain = f"{plain[: match.start()]} item_{'i' * (number + 1)} {plain[match.end() :]}"
    if people is None and _EACH.search(plain):
        return None  # it is not said among how many
    for clause in _CUT.split(plain):
        items = [bought[len(mark) - 1] for mark in re.findall(r"item_(i+)\b", clause)]
        if len(items) == 1 and not FIGURE.search(clause):
            many, each = Fraction(items[0][1]), Fraction(items[0][3])
            account.add(many * each, f"{few(many)} × {in_money(each, money)}")
        elif items or not _take(account, clause):
            return None
    steps = len(account.told) - (not bought)
    if account.value is None or steps + (people is not None) + bool(parts) < 2:
        return None
    if people is not None:
        if people < 1 or people.denominator != 1:
            return None
        share = in_money(account.value / people, money)
        account.told.append(f"split between {people} that is {share} each")
    return f"{', '.join(account.told)}."


def _take(account: _Account, clause: str) -> bool:
    """Take the only number of a part of the story into account; False where it is not said what
    becomes of it, or there are two."""
    figures = list(FIGURE.finditer(clause))
    if len(figures) != 1:
        return not figures
    before, behind = clause[: figures[0].start()], clause[figures[0].end() :]
    amount = Fraction(figures[0][0])
    if _THINGS.match(behind):
        return False
    if not behind.startswith("%"):
        less, more = _LESS.search(clause), _MORE.search(clause)
        if account.value is not None and bool(less) == bool(more):
            return False
        is_less = account.value is not None and bool(less)
        account.add(amount, in_money(amount, account.money), is_less)
        return True
    is_less_share = is_taken_off(before, behind[1:])
    if is_less_share is None and ANOTHER.fullmatch(before):
        is_less_share = account.goes_down
    if is_less_share is None or account.value is None:
        return False
    account.change(amount, is_less_share)
    return True
