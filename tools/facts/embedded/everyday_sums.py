"""Sums of every day that are told as a little story: a shared bill, a tip, interest, a discount."""

from __future__ import annotations

import re
from fractions import Fraction

from controlllm.toolbox import ToolError

from . import exact, share_sums

#: Words by which a story has another figure in it, or reckons on with one.
_RECKONS = re.compile(
    r"(?<!\w)(?:times|plus|minus|divided|multiplied|half|halves|double|doubled|twice|third|quarter|"
    r"dozen|couple|except|without me|not paying|more than|less than|squared|root|a discount|"
    r"already paid|pays? (?:nothing|half))(?!\w)"
)
_N = r"(\d+(?:\.\d+)?)"
_PEOPLE = (
    rf"\b(?:between|among|amongst|by|with|for|into|in)? ?(?:the )?{_N} (?:people|"
    rf"persons?|friends?|ways?|of us|guests?|"
    r"adults?|kids|children|colleagues|parts?|heads?|roommates|flatmates|players|diners|rates|instal?lments)\b",
    rf"\b(?:between|among|amongst|we are|we're|we were|there (?:are|were)) {_N}\b(?! ?%)",
)
#: A percentage beside these is none for the waiter.
_IS_NO_TIP = re.compile(r"\b(?:discount|off|rebate|reduced|reduction|cheaper|vat|tax)\b")
_TIP = (
    rf"{_N} ?% (?:tip|gratuity|service(?: charge)?)\b",
    rf"\btip(?: of)? (?:at )?{_N} ?%",
    rf"{_N} ?%",
)
_AMOUNT = (rf"(?<![\w.]){_N}(?![\w.]* ?%)",)
_RATE = (rf"{_N} ?%(?: (?:interest|per year|a year|per annum|yearly|annual(?:ly)?|p\.a\.?))*",)
_YEARS = (rf"{_N} (?:years?|yrs?)\b",)
_OFTEN = {"monthly": 12, "every month": 12, "quarterly": 4, "daily": 365, "weekly": 52}


def everyday_sum(plain: str, money: str) -> str | None:
    """The answer to a sum told as a story, None where it is told as no such one."""
    if len(re.findall(r"\d", plain)) == 0:
        return None
    plain = re.sub(r"(?<=\d)\s*(?:percent|per cent|pct)\b", "%", plain).rstrip(" ?!.")
    plain = re.sub(r"\b(?:a|1) (?=%)", "1", plain)
    for form in (
        share_sums.weighted,
        share_sums.fee,
        share_sums.gross,
        _shared,
        share_sums.split,
        _tip,
        _changed,
        _net_of_tax,
        _loan,
        _interest,
        _share_of,
        _change,
        _base,
        _rule,
    ):
        found = form(plain, money)
        if found is not None:
            return found
    return None


def _slots(plain: str, *slots: tuple[str, ...], needed: int = 99) -> list[Fraction] | None:
    """The figure of each slot, found in turn and cut out; None unless no figure is left, nor a
    word that says what else is to be reckoned with one.

    A slot that is missing is -1; those before `needed` must be there.
    """
    values: list[Fraction] = []
    for place, ways in enumerate(slots):
        found = next(filter(None, (re.search(way, plain) for way in ways)), None)
        if found is None:
            if place < needed:
                return None
            values.append(Fraction(-1))
            continue
        values.append(Fraction(found[1]))
        plain = f"{plain[: found.start()]} {plain[found.end() :]}"
    return None if re.search(r"\d", plain) or _RECKONS.search(plain) else values


def _amount(value: Fraction, money: str) -> str:
    places = 0 if value.denominator == 1 else 2
    return f"{money}{exact.shown(value, places)[0]}"


def _percent(value: Fraction) -> str:
    return f"{exact.shown(value)[0]} %"


def _shared(plain: str, money: str) -> str | None:
    if not re.search(
        r"\b(?:split|divide|share|shared|each|everyone|everybody|per person|apiece|we are|we're|"
        r"we were|my (?:part|share)|rates|instal?lments)\b",
        plain,
    ):
        return None
    if "%" in plain and _IS_NO_TIP.search(plain):
        return None
    # Whoever shares with three friends pays as well.
    plain = re.sub(
        r"\b(?:me and (?:my )?|myself and (?:my )?|with (?:my )?)(\d{1,4}) "
        r"(?=friends|others|people|colleagues)",
        lambda match: f"between {int(match[1]) + 1} ",
        plain,
    )
    # "Plus 10 % tip" is a tip of 10 %.
    plain = re.sub(
        rf"\b(?:plus|and|with) (?:a )?(?={_N} ?%(?: (?:tip|gratuity|service|for the)|$))",
        " ",
        plain,
    )
    plain = re.sub(r"\bothers\b", "people", plain).replace("between between", "between")
    plain = re.sub(r"\bhow much is 1\b(?: of them)?", " ", plain)
    found = _slots(plain, _PEOPLE, _AMOUNT, _TIP, needed=2)
    if found is None:
        return None
    people, amount, tip = found
    if people < 1 or people.denominator != 1:
        raise ToolError("A bill can be split between one or more people; tell me how many.")
    if tip < 0:
        each = amount / people
        return f"{_amount(amount, money)} split between {people} is {_amount(each, money)} each."
    total = amount * (1 + tip / 100)
    return (
        f"{_amount(amount, money)} with a tip of {_percent(tip)} is {_amount(total, money)}; "
        f"split between {people} that is {_amount(total / people, money)} each."
    )


def _tip(plain: str, money: str) -> str | None:
    if not re.search(r"\b(?:tip|gratuity)\b", plain):
        return None
    found = _slots(plain, _TIP, _AMOUNT, needed=2)
    if found is None:
        return None
    tip, amount = found
    extra = amount * tip / 100
    return (
        f"A tip of {_percent(tip)} on {_amount(amount, money)} is {_amount(extra, money)}, "
        f"{_amount(amount + extra, money)} in total."
    )


def _changed(plain: str, money: str) -> str | None:
    """A price with something off it or on it, whatever it is the price of."""
    less = re.search(
        r"\b(?:discount|off|reduced|reduction|cheaper|on sale|save|saved)\b|% less\b(?! than)",
        plain,
    )
    more = re.search(
        r"\b(?:goes up|went up|go up|rises?|raise|more expensive|surcharge)\b|% more\b(?! than)",
        plain,
    )
    shares = re.findall(rf"{_N} ?%", plain)
    others = re.findall(rf"(?<![\w.]){_N}(?![\w.]* ?%)", plain)
    told = len(shares) == len(others) == 1 and bool(less) != bool(more)
    if not told or re.search(r"[+*/^(]|\b(?:plus|times|minus|divided|of what)\b", plain):
        return None
    share, whole = Fraction(shares[0]), Fraction(others[0])
    if more:
        raised = _amount(whole * (1 + share / 100), money)
        return f"{_amount(whole, money)} and {_percent(share)} more is {raised}."
    if not re.search(r"\b(?:save|saved|saving)\b", plain):
        lower = _amount(whole * (1 - share / 100), money)
        return f"{_amount(whole, money)} less {_percent(share)} is {lower}."
    saved = _amount(whole * share / 100, money)
    return f"{_percent(share)} of {_amount(whole, money)} is {saved} saved."


def _net_of_tax(plain: str, money: str) -> str | None:
    out = r"\b(?:without|net|before|excluding|excl|ex|minus|less|remove|take out)\b"
    if not re.search(r"\b(?:vat|tax|taxes|gst)\b", plain) or not re.search(out, plain):
        return None
    told = re.sub(r"\b(?:remove|take|minus|less)\b", "", plain)
    found = _slots(told, (rf"{_N} ?%",), _AMOUNT, needed=2)
    if found is None:
        return None
    rate, gross = found
    net = gross / (1 + rate / 100)
    return (
        f"{_amount(gross, money)} without the {_percent(rate)} tax in it is {_amount(net, money)}; "
        f"the tax is {_amount(gross - net, money)}."
    )


def _loan(plain: str, money: str) -> str | None:
    if not re.search(r"\b(?:loan|mortgage|borrow|repay)", plain):
        return None
    if not re.search(r"\b(?:payments?|instal|install|repay|pay|monthly|month)", plain):
        return None
    found = _slots(re.sub(r"\b(?:a|per|each) month\b", "", plain), _RATE, _YEARS, _AMOUNT, needed=3)
    if found is None:
        return None
    rate, years, amount = found
    months, monthly = _in_reach(years) * 12, rate / 1200
    grown = exact.power(1 + monthly, months)
    payment = amount * monthly * grown / (grown - 1) if monthly else amount / months
    return (
        f"A loan of {_amount(amount, money)} at {_percent(rate)} over "
        f"{_count(years, 'year')} costs "
        f"{money}{exact.shown(payment, 2)[0]} a month, "
        f"{money}{exact.shown(payment * months, 0)[0]} "
        "in all."
    )


def _interest(plain: str, money: str) -> str | None:
    if not re.search(
        r"\b(?:interest|compound(?:ed|ing)?|p\.?a|invest(?:ed)?|saved|savings|"
        r"(?:for|over|after) \d+ years?)\b",
        plain,
    ):
        return None
    times = next((count for word, count in _OFTEN.items() if word in plain), 1)
    rest = re.sub("|".join(_OFTEN), "", plain)
    found = _slots(rest, _RATE, _YEARS, _AMOUNT, needed=3)
    if found is None:
        return None
    rate, years, amount = found
    said = f"{_amount(amount, money)} at {_percent(rate)}"
    if re.search(r"\bsimple\b", plain):
        gain = amount * rate / 100 * _in_reach(years)
        return (
            f"{said} simple interest over {_count(years, 'year')} brings {_amount(gain, money)}, "
            f"{_amount(amount + gain, money)} in total."
        )
    end = amount * exact.power(1 + rate / 100 / times, _in_reach(years) * times)
    often = {1: "", 365: " paid daily", 12: " paid monthly", 4: " paid quarterly"}.get(
        times, " paid weekly"
    )
    return (
        f"{said} compound interest{often} is {money}{exact.shown(end, 2)[0]} after "
        f"{_count(years, 'year')}, of which {money}{exact.shown(end - amount, 2)[0]} is interest."
    )


def _in_reach(years: Fraction) -> Fraction:
    if not 0 < years <= 100:
        raise ToolError("I work out interest for up to 100 years; give me a shorter time.")
    return years


def _count(value: Fraction, unit: str) -> str:
    return f"{exact.shown(value)[0]} {unit}{'' if value == 1 else 's'}"


_PER = r"(?:%|percent|percentage|per cent|percents)"
_SHARES = (
    rf"(?:what|which|how many) {_PER}(?: share)? (?:is|are|would be|makes?) {_N} "
    rf"(?:out )?(?:of|from|in) {_N}$",
    rf"(?:what|which|how many|how much) {_PER} of (?P<whole>\d+(?:\.\d+)?) (?:is|are|makes?) {_N}$",
    rf"{_N} (?:is|are|as) (?:what|which|how many|a|how much) {_PER} (?:out )?(?:of|from) {_N}$",
    rf"{_N} (?:out )?(?:of|from|in|/) {_N} (?:in|as|to|is what|expressed as) (?:a |an )?{_PER}$",
    rf"(?:a |the )?{_PER} (?:of )?{_N} (?:is )?(?:out of|of|from|in) {_N}$",
)


def _share_of(plain: str, money: str) -> str | None:
    for way in _SHARES:
        found = re.search(rf"(?:^|\b){way}", plain)
        if found is None:
            continue
        named = found.groupdict().get("whole")
        figures = [one for one in found.groups() if one is not None]
        part, whole = (figures[1], figures[0]) if named else (figures[0], figures[1])
        if Fraction(whole) == 0:
            raise ToolError("Nothing is a share of 0; give me a whole above it.")
        value, rounded = exact.shown(Fraction(part) * 100 / Fraction(whole))
        about = "about " if rounded else ""
        shown = [
            _amount(Fraction(one), money) if money else exact.shown(Fraction(one))[0]
            for one in (part, whole)
        ]
        return f"{shown[0]} is {about}{value} % of {shown[1]}."
    return None


def _change(plain: str, money: str) -> str | None:
    told = re.search(rf"{_PER}", plain) and re.search(
        r"\b(?:change|changed|increase|decrease|difference|growth|drop|rise|rose|"
        r"went|go|goes|fell|grew|up|down|more|less)\b",
        plain,
    )
    found = re.search(rf"\b(?:from|between) {_N} (?:to|and) {_N}(?![\d%])(?!.*\d)", plain)
    if not told or found is None:
        return None
    before, after = Fraction(found[1]), Fraction(found[2])
    if before == 0:
        raise ToolError("From 0 no change in per cent can be told; give me another start.")
    change = (after - before) * 100 / before
    value, rounded = exact.shown(abs(change))
    way = "an increase" if change >= 0 else "a decrease"
    about = "about " if rounded else ""
    return f"From {_amount(before, money)} to {_amount(after, money)} is {way} of {about}{value} %."


def _base(plain: str, money: str) -> str | None:
    of_what = r"of (?:what|which)(?: number| amount| sum)?$"
    found = re.search(rf"{_N} (?:is|are) {_N} ?% {of_what}", plain)
    if found is None:
        other = re.search(
            rf"{_N} ?% of (?:what|which)(?: number| amount)? (?:is|are|gives|makes) {_N}$", plain
        )
        figures = (other[2], other[1]) if other else None
    else:
        figures = (found[1], found[2])
    if figures is None:
        return None
    part, share = map(Fraction, figures)
    if share == 0:
        raise ToolError("0 % of anything is 0; give me a share above it.")
    value, rounded = exact.shown(part * 100 / share)
    about = "about " if rounded else ""
    return f"{_amount(part, money)} is {_percent(share)} of {about}{money}{value}."


_THING = r"[a-z]+(?: [a-z]+)?"
_RULE = re.compile(
    rf"^if {_N} (?P<thing>{_THING}?) (?P<verb>costs?|weighs?|makes?|is|are) {_N}"
    rf"(?: [a-z]+)?,? (?:then )?(?:how much|how many|what)(?: [a-z]+)?? "
    rf"(?:(?:do|does|would|will|is|are) )?{_N}(?: (?P=thing))?(?: \w+){{0,2}}$"
)
_EACH = re.compile(
    rf"{_N} (?P<thing>[a-z]+?)s? (?:at|for|@|times) {_N} ?(?:an?|per|each|every|/) "
    rf"?(?:(?P=thing)|one)?s?$"
)


def _rule(plain: str, money: str) -> str | None:
    """What so many cost where others cost so much; hours at a price an hour."""
    if found := _RULE.search(plain):
        many, price, other = (Fraction(found[group]) for group in (1, 4, 5))
        if many == 0:
            raise ToolError("Nothing follows from 0 of them; give me the price of one or more.")
        value, rounded = exact.shown(price * other / many)
        about = "about " if rounded else ""
        value = _amount(price * other / many, money) if found["verb"].startswith("cost") else value
        thing = found["thing"]
        return f"{exact.shown(other)[0]} {thing} {found['verb']} {about}{value}."
    if found := _EACH.search(plain):
        many, price = Fraction(found[1]), Fraction(found[3])
        shown = exact.shown(many)[0], _amount(price, money)
        return f"{shown[0]} × {shown[1]} is {_amount(many * price, money)}."
    return None
