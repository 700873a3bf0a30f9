"""What bills, letters, notes and reports are asked, answered from their fields: the total, the day
to pay by, whom to ring, what came in, went out and was left."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal

from ...shared.function_words import COMMON_WORDS, FUNCTION_WORDS, stem
from ...shared.sentences import split_sentences
from ...shared.tables import patterns_beside
from ...shared.written_dates import dates_in
from . import bills, contacts, paper_terms
from .bills import Bill

_ASKED = patterns_beside(__file__.replace("paper_answers", "paper_questions"))
_CLOCK = re.compile(
    r"(?<![\d.:])\d{1,2}:[0-5]\d(?: ?[ap]\.?m\b)?(?!\d)|\b\d{1,2} ?[ap]m\b", re.IGNORECASE
)
_WITHIN = re.compile(
    r"\b(?:(?:with)?in|after|net|due in|payable in)\s+(?P<count>\d+)\s+(?P<unit>day|week)s?\b",
    re.IGNORECASE,
)
_DUE_ON = re.compile(
    r"\b(?:due|payable|pay|paid|payment|settle|transfer|remit)\b[^.\n]{0,40}?\b(?:by|on|until|before|"
    r"than|date:?)\s",
    re.IGNORECASE,
)
_PAYING = re.compile(r"\b(?:pay\w*|paid|due|settle\w*|transfer\w*|net|remit\w*)\b", re.IGNORECASE)
_STREET = re.compile(
    r"\b\d+[a-z]? (?:[A-Z][\w'’-]+ ){1,3}(?:Street|St|Road|Rd|Lane|Avenue|Ave|Square|Way|Place|"
    r"Drive|Close)\b|"
    r"\b[A-Z][\w-]*(?:straße|strasse|str\.|weg|platz|gasse) \d+\b"
)
_NAME = r"[A-Z][a-zà-ÿ'’-]+(?: (?:[A-Z]\.|(?:von|van|de|da) )?[A-Z][a-zà-ÿ'’-]+)+"
_SUM = re.compile(
    r"(?:(?P<sign>[€$£]|EUR|USD|GBP) ?)?"
    r"(?P<number>\d{1,3}(?:[,.]\d{3})+(?:[.,]\d{2})?|\d+(?:[.,]\d{2})?)"
    r"(?: ?(?P<unit>euros?|dollars?|pounds?|francs?|EUR|USD|GBP|CHF|[€$£]))?"
)
_CAME_IN = re.compile(
    r"\b(?:income|revenues?|takings|earned|received|took in|came in|brought in)\b", re.IGNORECASE
)
_WENT_OUT = re.compile(
    r"\b(?:spent|spend|expenses|expenditure|outgoings|costs? (?:were|was)|paid out)\b",
    re.IGNORECASE,
)
_OF_WHICH = re.compile(
    r"(?P<all>\d[\d,.]*\d|\d)(?P<noun>(?: [a-z]+){1,3}), of (?:which|these|whom) "
    r"(?P<part>\d[\d,.]*\d|\d)"
    r"(?: (?:euros?|dollars?|pounds?))?(?: have| are| were| has| had)?(?: been)? (?P<done>[a-z]+)"
)
#: What is left of a number may be what a text tells of it.
_FREE = re.compile(r"free|available|vacant|empty|left|open|unsold|unspent|unused")
_SIGNED = re.compile(
    rf"\b(?:regards|sincerely|faithfully|yours|wishes|greetings|love)\b[,.!]?\s*\n+\s*(?P<name>{_NAME}|"
    r"[A-Z][a-z]+)[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_PRESENT = re.compile(
    r"^\W*(?:present|attendees|participants|in attendance)\s*:\s*(.+)$",
    re.IGNORECASE | re.MULTILINE,
)
#: Words of questions that say nothing of what a paper holds.
_PLAIN = frozenset(
    stem(word)
    for word in (
        "bill invoice receipt paper letter report note text document total sum amount money euros "
        "euro dollars year last pay paid owe cost price much date day time right correct please "
        "tell altogether whole people must need latest which weekday bought purchase buy many "
        "number phone ring call contact email mail address person want spend spent spending "
        "income take took bring came come left over remain still free available back got get full "
        "grand final customer shop store cafe restaurant company firm"
    ).split()
)
_NEXT_QUESTION = re.compile(
    r"[?;,.]?\s+(?:and|also|plus)\s+(?=(?:(?:also|then|from|to|by|on|until|till|at|for|of) )?"
    r"(?:who|whom|what['’]?s?|when|where|which|how|is|are|does|whose|"
    r"(?:am|can|may|must|do|should) (?:i|we))\b)|"
    r",\s+(?=(?:which|what|when|who|how)\b)|\?\s+"
)
#: Which day of the week it is stands with every day that is told.
_WEEKDAY = re.compile(r"(?:which|what) (?:week ?)?day (?:is|was|of the week)\b", re.IGNORECASE)


def parts_of(question: str) -> list[str]:
    """The questions that a question is made of."""
    found = [part.strip() for part in _NEXT_QUESTION.split(question.strip(" ?")) if part]
    said = [part for part in found if re.search(r"\w", part)]
    return [part for part in said if not _WEEKDAY.match(part)] or said


def answered(text: str, question: str) -> str | None:
    """The answer to a question that papers are often asked; None where it is another, or where
    the text does not hold it."""
    small = " ".join(question.lower().replace("’", "'").split())
    bill = bills.bill_in(text)
    if terms := paper_terms.answered(text, small, bill is not None):
        return terms
    asking: tuple[tuple[str, Callable[[], str | None]], ...] = (
        ("check", lambda: bills.checked(bill) if bill else None),
        ("due", lambda: _due(text, bill)),
        ("phone", lambda: _contact(text, question)),
        ("email", lambda: _contact(text, question)),
        ("left", lambda: _left(text, small)),
        ("income", lambda: _income(text, small)),
        ("present", lambda: _present(text)),
        ("sender", lambda: _signed(text)),
    )
    for name, ask in asking:
        if _ASKED[name].search(small) and (answer := ask()):
            return answer
    if not bill:
        return _spent(text, small) if _ASKED["spent"].search(small) else None
    return _of_bill(text, small, bill)


def _of_bill(text: str, small: str, bill: Bill) -> str | None:
    item = _item(small, bill)
    if item and _ASKED["price"].search(small):
        one = item.price or (item.amount / item.count if item.count else None)
        if one is not None and _ASKED["unit"].search(small) and item.count != 1:
            whole = bill.money(item.amount)
            return f"{bill.money(one)} each: {item.count:g} {item.name} cost {whole}."
        many = f"{item.count:g} × " if item.count else ""
        return f"{bill.money(item.amount)}, for {many}{item.name}."
    if _unknown(small, text):
        return None
    if _ASKED["sender"].search(small) and (sender := _sender(text)):
        return f"{sender}."
    if _ASKED["subtotal"].search(small):
        before = bill.subtotal
        return f"Before taxes it is {bill.money(before)}." if before is not None else None
    if _ASKED["total"].search(small):
        return f"The total is {bill.money(bill.total)}."
    clock = _CLOCK.search(text)
    if _ASKED["clock"].search(small) and clock:
        return f"At {clock[0]}."
    if _ASKED["street"].search(small) and (street := _STREET.search(text)):
        return f"{street[0]}."
    found = next(iter(dates_in(text)), None)
    if _ASKED["date"].search(small) and found:
        return f"The date is {_day(found.day)} (“{found.said}”)."
    return None


def _item(small: str, bill: Bill) -> bills.Item | None:
    """The line of a bill that a question names; None where it names none or several."""
    asked = _stems(small) - _PLAIN
    named = [item for item in bill.items if asked & _stems(item.name)]
    return named[0] if len(named) == 1 else None


def _unknown(small: str, text: str) -> set[str]:
    """The words of a question that neither the text nor every paper has."""
    return _stems(small) - _PLAIN - _stems(text)


def _stems(text: str) -> set[str]:
    return {
        stem(word)
        for word in re.findall(r"[^\W\d_]+", text.lower())
        if word not in FUNCTION_WORDS and word not in COMMON_WORDS and len(word) > 2
    }


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}, a {day:%A}"


def _due(text: str, bill: Bill | None) -> str | None:
    """The last day to pay: as it is written, or so many days after the paper's date."""
    dates = dates_in(text)
    for match in _DUE_ON.finditer(text):
        for written in dates:
            if match.end() - 2 <= written.start <= match.end() + 12:
                return f"{_day(written.day)} (“{written.said}”)."
    within = next(
        (found for line in split_sentences(text) if _PAYING.search(line)
         and (found := _WITHIN.search(line))), None)  # fmt: skip
    if not within:
        return None
    days = int(within["count"]) * (7 if within["unit"].lower() == "week" else 1)
    if not dates or not bill:
        said = " ".join(within[0].split())
        return f"“{said}”; the text does not say from which day that counts."
    start = dates[0].day
    return (
        f"{_day(start + timedelta(days))}: that is {days} days after {start.day} {start:%B %Y} "
        f"(“{' '.join(within[0].split())}”)."
    )


def _sender(text: str) -> str | None:
    """Who wrote a bill: its first line that is no title, date or amount."""
    for raw in text.splitlines()[:6]:
        line = raw.strip()
        is_title = re.match(r"(?i)(?:invoice|bill|receipt|rechnung|date|no\b|nr\b|#|tax)", line)
        if line and not is_title and re.search(r"[^\W\d_]{2}", line) and not dates_in(line):
            return line
    return None


def _contact(text: str, question: str) -> str | None:
    """Whom to ring or write to: the name, number and address of one place of the text, where there
    is one only, or where the question names it."""
    lines = re.split(r"(?<=[.!?])\s+(?=[A-Z])|\n{2,}|\n(?=[A-Z])", text)
    wants_mail = bool(_ASKED["email"].search(question.lower()))
    wants_phone = not wants_mail
    held = []
    for line in lines:
        phones, mails = contacts.phones(line), contacts.emails(line)
        if (phones and wants_phone) or (mails and wants_mail):
            held.append((line, phones, mails))
    asked = _stems(question) - _PLAIN
    named = [entry for entry in held if asked & _stems(entry[0])]
    # Who is not named anywhere is not the one whose number stands there.
    persons = re.findall(r"\b[A-Z][a-zà-ÿ]+\b", question[1:])
    if not held or (persons and not named) or (len(held) > 1 and len(named) != 1):
        return None
    line, phones, mails = (named or held)[0]
    if wants_mail and len(mails) > 1:
        mails = [mail for mail in mails if asked & _stems(re.sub(r"[._@-]", " ", mail))]
        if len(mails) != 1:
            return None
    names = re.findall(_NAME, line)
    told = [names[0]] if len(names) == 1 else []
    told += [f"phone {number}" for number in phones if wants_phone or told] + list(mails)
    return f"{', '.join(told)}." if told else None


def _sums(sentence: str) -> list[tuple[Decimal, str, str]]:
    """The sums of money of a sentence: the amount, its currency, and what is said behind it."""
    found = [match for match in _SUM.finditer(sentence) if match["sign"] or match["unit"]]
    ends = [match.start() for match in found[1:]] + [len(sentence)]
    return [
        (
            bills.number_in(match["number"]),
            match["unit"] or match["sign"],
            sentence[match.end() : end],
        )
        for match, end in zip(found, ends, strict=True)
    ]


def _said(amount: Decimal, unit: str) -> str:
    figures = f"{amount:,.2f}".removesuffix(".00")
    return f"{unit}{figures}" if unit in "€$£" else f"{figures} {unit}"


def _total_of(text: str, pattern: re.Pattern[str], small: str) -> tuple[Decimal, str, str] | None:
    """What the one sentence of a kind sums up to: the amount, its currency, and how."""
    told = [line for line in split_sentences(text) if pattern.search(line) and _sums(line)]
    if len(told) != 1:
        return None
    sums = _sums(told[0])
    asked = _stems(small) - _PLAIN
    of_one = [entry for entry in sums if asked & _stems(entry[2])]
    if len(of_one) == 1 and len(sums) > 1:
        sums = of_one
    elif pattern is _WENT_OUT:
        # What follows the first sum is a part of it: "7,980 euros, most of it on the pump".
        sums = sums[:1]
    elif any(re.match(r"[^\w]*(?:of|in total|altogether)\b", entry[2]) for entry in sums):
        sums = sums[:1]
    whole = sum((entry[0] for entry in sums), Decimal())
    how = " + ".join(_said(amount, unit) for amount, unit, _ in sums)
    return whole, sums[0][1], how if len(sums) > 1 else ""


def _income(text: str, small: str) -> str | None:
    found = _total_of(text, _CAME_IN, small)
    if not found:
        return None
    whole, unit, how = found
    return f"{_said(whole, unit)}{f': {how}' if how else ''}."


def _spent(text: str, small: str) -> str | None:
    told = [line for line in split_sentences(text) if _WENT_OUT.search(line)]
    behind = {word for line in told for entry in _sums(line) for word in _stems(entry[2])}
    if behind & (_stems(small) - _PLAIN):
        # A part of it is asked for: "what did they spend on the pump".
        return None
    found = _total_of(text, _WENT_OUT, small)
    return f"{_said(found[0], found[1])}." if found else None


def _left(text: str, small: str) -> str | None:
    """What is left: of a number of which a part is gone, or of what came in after what went out."""
    asked = _stems(small)
    of_money = bool(re.search(r"\bmoney\b|\bhow much\b|\bbudget\b", small))
    for match in _OF_WHICH.finditer(" ".join(text.split())):
        is_money = bool(re.search(r"\b(?:euros?|dollars?|pounds?)\b", match["noun"]))
        if not (is_money and of_money) and not asked & _stems(match["noun"]):
            continue
        noun, done = match["noun"].strip(), stem(match["done"])
        rest = bills.number_in(match["all"]) - bills.number_in(match["part"])
        told = f"{match['all']} {noun}, of which {match['part']} are {match['done']}."
        not_so = re.search(r"\bnot (?:been |yet )?(\w+)", small)
        if not_so and stem(not_so[1]) != done:
            return None
        is_left = _FREE.fullmatch(match["done"]) or (not not_so and done in asked)
        return f"{match['part'] if is_left else f'{rest:,f}'} {noun}: {told}"
    came, went = _total_of(text, _CAME_IN, small), _total_of(text, _WENT_OUT, small)
    if not of_money or not came or not went or came[1] != went[1]:
        return None
    rest = came[0] - went[0]
    return (
        f"{_said(rest, came[1])}: {_said(came[0], came[1])} came in and {_said(went[0], went[1])} "
        "were spent."
    )


def _present(text: str) -> str | None:
    found = _PRESENT.search(text)
    return f"{found[1].strip()}." if found else None


def _signed(text: str) -> str | None:
    """Who signed a letter."""
    found = _SIGNED.search(text)
    return f"{found['name']}." if found else None
