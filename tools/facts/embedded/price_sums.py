"""Stories of prices: tax, discounts in turn, packs, purchases, wages, savings."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from controlllm.toolbox import ToolError

from . import exact
from .story_parts import FIGURE, NUMBER, few, figures_in, in_money, is_taken_off


def net(plain: str, money: str) -> str | None:
    """What a price is without the tax that is in it, or how much of it is tax."""
    rate = re.search(rf"{NUMBER}%", plain)
    amount = re.search(rf"(?<![\w.]){NUMBER}(?![\w.]*%)", plain)
    inside = re.search(
        r"\b(?:inc(?:l(?:uding|uded|\.)?|ludes)|gross|with (?:the )?(?:tax|vat)|contains?)\b", plain
    )
    inside = inside or re.search(r"\b(?:vat|tax|gst) (?:(?:is|are|was) (?:there )?)?in\b", plain)
    asks = re.search(r"\b(?:net|without|before|how much (?:of it |of that )?(?:is|was)?|"
                     r"excluding|what|"
                     r"tax share)\b", plain)  # fmt: skip
    taxed = re.search(r"\b(?:vat|tax|gst|sales tax|mwst)\b", plain)
    if not (rate and amount and inside and asks and taxed) or figures_in(plain) != 2:
        return None
    share, gross = Fraction(rate[1]), Fraction(amount[1])
    net = gross / (1 + share / 100)
    return (
        f"{in_money(gross, money)} without the {few(share)} % tax in it is {in_money(net, money)}"
        "; the "
        f"tax is {in_money(gross - net, money)}."
    )


#: "10 % off and then another 5 %" goes the same way again.
ANOTHER = re.compile(
    r"(?:another|a|further|additional|extra|again|then|and|by|of|the|in|on|next|second|year|month|"
    r"week|day|after|later|that|it|once|more|finally|also|for|\W)*"
)


def in_turn(plain: str, money: str) -> str | None:
    """A price changed by one percentage after the other."""
    told = changed_in_turn(plain, least=2)
    if told is None:
        return None
    start, value, steps = told
    change = (value / start - 1) * 100 if start else Fraction(0)
    return (
        f"{in_money(start, money)} with {' and then '.join(steps)} is {in_money(value, money)}, "
        f"{'+' if change > 0 else ''}{few(change)} % in all."
    )


def changed_in_turn(plain: str, least: int) -> tuple[Fraction, Fraction, list[str]] | None:
    """The only amount, what it is after its percentages in turn, at least so many, and the steps;
    None where a number plays another part, or it is not said which way one goes."""
    shares = list(re.finditer(rf"(?<![\w.]){NUMBER}%", plain))
    amounts = list(re.finditer(rf"(?<![\w.]){NUMBER}(?![\w.]*%)", plain))
    if len(shares) < least or len(amounts) != 1 or figures_in(plain) != len(shares) + 1:
        return None
    start = Fraction(amounts[0][1])
    value, edge = start, 0
    steps: list[str] = []
    for number, share in enumerate(shares):
        limit = shares[number + 1].start() if number + 1 < len(shares) else len(plain)
        part, behind = plain[edge : share.start()], plain[share.end() : limit]
        if steps:
            # What stands right behind a percentage belongs to it, not to the next.
            part = re.split(r",|;|\.|\b(?:and|then)\b|(?=\b(?:plus|minus)\b)", part, maxsplit=1)[-1]
        is_less = is_taken_off(part, behind)
        if is_less is None and steps and ANOTHER.fullmatch(part):
            is_less = steps[-1][0] == "-"
        if is_less is None:
            return None
        value *= 1 + (-1 if is_less else 1) * Fraction(share[1]) / 100
        steps.append(f"{'-' if is_less else '+'}{few(Fraction(share[1]))} %")
        edge = share.end()
    return start, value, steps


def packs(plain: str, money: str) -> str | None:
    """How many packs are needed, or full, where so many go into each."""
    asks = re.search(
        r"\bhow many (?P<pack>(?:full )?[a-z]+)\b(?! (?:cost|left|apart))", plain
    )  # fmt: skip
    if asks is None or figures_in(plain) != 2:
        return None
    pack = asks["pack"].removeprefix("full ")
    single = re.escape(
        pack.removesuffix("es")
        if pack.endswith(("xes", "ches", "shes"))
        else pack.removesuffix("s")
    )
    size = (
        re.search(rf"\b{re.escape(pack)} (?:of|with|for|holding|that hold|containing|à|a) "
                  rf"{NUMBER}", plain)
        or re.search(
            rf"{NUMBER} (?:[a-z]+ )?(?:per|to (?:a|an|the|each)|in (?:a|an|one|each|every)|fit "
            r"(?:in|into|on) "
            r"(?:a|an|one|each)|(?:on|at) (?:a|an|one|each|every)|go in(?:to)? (?:a|an|one|"
            r"each)|each|an?|for (?:each|one)) "
            rf"{single}",
            plain,
        )
        or re.search(
            rf"(?:an?|each|one|every|per|the|1) {single}(?:e?s)? (?:holds?|has|have|takes?|"
            r"fits?|seats?|covers?|contains?|"
            r"carries|is enough for|is for|can (?:hold|take|carry|seat)|lasts?|of|with) (?:up "
            rf"to |about )?{NUMBER}",
            plain,
        )
        or re.search(rf"\b{single}s? (?:holds?|takes?|seats?|covers?|contains?|fits?|carry|"
                     rf"carries) {NUMBER}", plain)
    )  # fmt: skip
    if size is None:
        return None
    rest = f"{plain[: size.start(1)]} {plain[size.end(1) :]}"
    total = FIGURE.search(rest)
    each = Fraction(size[1])
    if total is None or each == 0:
        return None
    whole = Fraction(total[0])
    count = math.ceil(whole / each)
    full, over = divmod(whole, each)
    if re.search(r"\bhow many full\b|\b(?:can|could) (?:i|we|you) (?:fill|make|pack)\b", plain):
        left = f", with {few(over)} left over" if over else ""
        return f"{few(whole)} fill {int(full):,} {pack} of {few(each)}{left}."
    if not over:
        return f"{count:,} {pack} of {few(each)} for {few(whole)}, all full."
    return (
        f"{count:,} {pack} of {few(each)} for {few(whole)}: {int(full):,} full ones and one with "
        f"{few(over)}."
    )


ITEM = re.compile(
    rf"(?<![\w.]){NUMBER} ?(?:x |times )?(?P<thing>(?!%)[a-z][a-z ]*?) (?:at|for|@|costing|à|which "
    r"cost|that cost|"
    rf"of|cost(?:s|ing)?)(?: only)? {NUMBER}(?!%|\.?\d)(?P<each> ?(?:each|apiece|per [a-z]+|an? "
    r"(?:piece|kilo|kg|litre|liter|"
    r"pound|box|head|bag|bottle|dozen|pack|night|hour|day|metre|meter|person|[a-z]+)|/ ?[a-z]+))?"
)


def bought(plain: str, money: str) -> str | None:
    """What several things cost together, and the change from a note."""
    found = list(ITEM.finditer(plain))
    if not found or not re.search(r"\b(?:how much|what|total|altogether|change|cost|pay)\b", plain):
        return None
    if not any(match["each"] for match in found):
        return None
    rest = ITEM.sub(" ; ", plain)
    # "And a tart for 4.20": a price by itself.
    single = re.findall(
        rf"\b(?:a|an|the|one|plus|1) (?:[a-z]+ ){{1,3}}?(?:for|at|of|costing|costs?) "
        rf"{NUMBER}(?![%\d])",
        rest,
    )
    rest = re.sub(
        rf"\b(?:a|an|the|one|plus|1) (?:[a-z]+ ){{1,3}}?(?:for|at|of|costing|costs?) "
        rf"{NUMBER}(?![%\d])",
        " ; ",
        rest,
    )
    total = sum((Fraction(match[1]) * Fraction(match[3]) for match in found), Fraction(0))
    total += sum(map(Fraction, single))
    terms = [
        f"{few(Fraction(match[1]))} × {in_money(Fraction(match[3]), money)}" for match in found
    ]
    terms += [in_money(Fraction(one), money) for one in single]
    note = re.search(
        rf"\b(?:pay|paid|paying|with|from|out of|hand|give|gave|note|have)\b(?: \w+){{0,4}}? "
        rf"{NUMBER}(?!%)(?! (?:\w+ )?(?:voucher|coupon|off|discount|rebate))",
        rest,
    )
    off = re.search(rf"{NUMBER}%", rest)
    if (
        off
        and figures_in(rest) == 1
        and is_taken_off(rest[: off.start()], rest[off.end() :]) is not None
    ):
        is_less = is_taken_off(rest[: off.start()], rest[off.end() :])
        end = total * (1 + (-1 if is_less else 1) * Fraction(off[1]) / 100)
        sign = "-" if is_less else "+"
        return (
            f"{' + '.join(terms)} is {in_money(total, money)}; with {sign}{off[1]} % "
            f"{in_money(end, money)}."
        )
    if note and figures_in(rest) == 1:
        change = Fraction(note[1]) - total
        word = "the change is" if change >= 0 else "short of it by"
        return (
            f"{' + '.join(terms)} is {in_money(total, money)}; from "
            f"{in_money(Fraction(note[1]), money)} "
            f"{word} {in_money(abs(change), money)}."
        )
    if figures_in(rest):
        return None
    return f"{' + '.join(terms)} is {in_money(total, money)}."


def score(plain: str, money: str) -> str | None:
    """So many out of so many in per cent."""
    if (
        not re.search(r"%|\bpercent(?:age)?\b|\bper cent\b|\bshare\b|\bproportion\b", plain)
        or figures_in(plain) != 2
    ):
        return None
    found = re.search(
        rf"{NUMBER} (?:\w+ ){{0,3}}?(?:out of|of|from) (?:a total of |the |my |our |all |a "
        r"possible "
        rf")*{NUMBER}",
        plain,
    )
    other = re.search(
        rf"\bof (?:the |our |my |all )*{NUMBER} (?:\w+ )*?(?:only )?{NUMBER}\b", plain
    )
    pair = (found[1], found[2]) if found else (other[2], other[1]) if other else None
    if pair is None or "%" in re.findall(r"\d ?(%)", plain):
        return None
    part, whole = map(Fraction, pair)
    if whole == 0:
        raise ToolError("Nothing is a share of 0; give me a whole above it.")
    value, rounded = exact.shown(part * 100 / whole, 2)
    value = value.rstrip("0").rstrip(".") if "." in value else value
    return f"{few(part)} of {few(whole)} is {'about ' if rounded else ''}{value} %."


_PER = {"hour": "hours?|hrs?|h", "day": "days?", "week": "weeks?", "month": "months?",
        "night": "nights?",
        "year": "years?",
        "kilo": "kilos?|kg", "kg": "kilos?|kg", "litre": "lit(?:re|er)s?|l", "km": "km",
        "metre": "met(?:re|er)s?|m", "piece": "pieces?", "lesson": "lessons?",
        "person": "persons?|people",
        "page": "pages?"}  # fmt: skip


def wages(plain: str, money: str) -> str | None:
    """So many hours, nights or months at so much each."""
    rate = re.search(
        rf"{NUMBER} ?(?:\w+ )?(?:an?|per|each|every|/) ?(?P<unit>{'|'.join(_PER)})\b", plain
    )
    if rate is None or figures_in(plain) not in (2, 3):
        return None
    rest = f"{plain[: rate.start()]} {plain[rate.end() :]}"
    share = re.search(rf"{NUMBER}%", rest)
    is_less = is_taken_off(rest[: share.start()], rest[share.end() :]) if share else None
    if figures_in(plain) == 3 and is_less is None:
        return None
    many = re.search(rf"{NUMBER} (?:{_PER[rate['unit']]})\b", rest)
    if (
        many is None
        and rate["unit"] in ("week", "day", "month")
        and re.search(r"\bhow (?:long|many)\b", plain)
    ):
        return None  # So much a week until a goal is another sum.
    if many is None:
        return None
    each, count = Fraction(rate[1]), Fraction(many[1])
    whole = each * count
    told = f"{few(count)} {rate['unit']}s × {in_money(each, money)} is {in_money(whole, money)}"
    if share is None:
        return f"{told}."
    end = whole * (1 + (-1 if is_less else 1) * Fraction(share[1]) / 100)
    return f"{told}; {'less' if is_less else 'with'} {share[1]} % it is {in_money(end, money)}."


def saved_up(plain: str, money: str) -> str | None:
    """How long it takes to save, or use, so much at so much a week."""
    rate = re.search(
        rf"{NUMBER} ?(?:\w+ ){{0,2}}?(?:an?|per|each|every|/) ?(?P<unit>day|week|month|year)\b",
        plain,
    )
    if rate is None or figures_in(plain) not in (2, 3):
        return None
    if not re.search(r"\bhow (?:long|many (?:days|weeks|months|years))\b|\bwhen\b", plain):
        return None
    rest = f"{plain[: rate.start()]} {plain[rate.end() :]}"
    goal = FIGURE.search(rest)
    each = Fraction(rate[1])
    had = re.search(rf"\b(?:already|have|has|got|saved)\b(?: \w+){{0,2}} {NUMBER}", rest)
    if figures_in(rest) == 2:
        if had is None:
            return None
        other = [one for one in FIGURE.findall(rest) if one != had[1]]
        total = Fraction(other[0]) - Fraction(had[1]) if other else Fraction(0)
    elif goal is None:
        return None
    else:
        total = Fraction(goal[0])
    if each <= 0 or total <= 0:
        return None
    count = math.ceil(total / each)
    unit = f"{rate['unit']}{'' if count == 1 else 's'}"
    return (
        f"At {in_money(each, money)} a {rate['unit']} it takes {count:,} {unit} for "
        f"{in_money(total, money)}."
    )
