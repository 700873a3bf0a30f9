"""E-mail addresses, phone numbers, links, sums of money, dates and the numbers of accounts and
cards in a text, each once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from .amounts_and_dates import amounts_and_dates

_EMAIL = re.compile(
    r"(?<![\w.+-])[\w+-]{1,64}(?:[.'][\w+-]{1,64}){0,8}@"
    r"(?:[^\W_](?:[\w-]{0,62}[^\W_])?\.){1,8}[^\W\d_]{2,24}(?!\w)"
)
_ENDINGS = (
    "com|org|net|info|edu|gov|io|app|dev|ai|eu|de|at|ch|uk|fr|es|it|nl|be|pl|se|no|"
    "dk|fi|us|ca|au|nz|ie|pt|cz|"
    "jp|cn|in|br|mx|ru|tv|me|shop|online|blog|cloud"
)
_LINK = re.compile(
    rf"(?i)(?:https?://|ftp://|www\.)[^\s<>\"“”]{{1,2000}}|"
    rf"(?<![\w@.-])(?:[a-z0-9][a-z0-9-]{{0,62}}\.){{1,8}}(?:{_ENDINGS})(?![\w@-])(?!\.\w)"
    r"(?::\d+)?(?:/[^\s<>\"“”]{0,2000})?"
)
_CANDIDATE = re.compile(
    r"(?<![\w.,/:@#$€£+-])(?:\+ ?|00)?\(?\d"
    r"(?:(?:[-–/.]|[ \u00a0]?[()][ \u00a0]?[-/]?|[ \u00a0](?:[-–/] )?)?\d){5,24}(?![\w@%]|[.,:]\d)"
)
_CALLED = re.compile(
    r"(?i)\b(?:tel|phone|mobile|cell|call|fax|ring|text|whatsapp|handy|mob|ph|"
    r"number)\b[\w .:]{0,12}$"
)
_NO_PHONE = re.compile(
    r"(?i)\b(?:isbn|iban|order|invoice|account|customer|card|ref|vat|id|no|nr)\b[\w .:#°-]{0,8}$"
)
_DATE = re.compile(
    r"\d{1,4}([./-])\d{1,2}\1\d{2,4}(?: \d{1,2})?|\d{4} ?[-–/] ?\d{4}|\d{1,2}\.\d{4}"
)
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:([ .\u00a0])\d{3})(?:\1\d{3})*")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b")
#: A number of figures in any grouping; 309.60 and 14/11/2026 are none.
_GROUP = r"(?:[*•xX]{2,}|[A-Z*•]{0,4}\d[A-Z\d*•]*)(?!\w|[.,/]\d)"
_GROUPS = rf"{_GROUP}(?:(?: {{1,3}}|[-–]| [-–/] ){_GROUP})*"
_AFTER_LABEL = re.compile(
    r"\b(?:sort[ -]?code|a/c|acc(?:oun)?t|konto(?:nummer|[- ]?nr)?|kto|blz|bankleitzahl|"
    r"routing|aba|transit|bsb|iban|bic|swift|clabe|rib|compte|conto|cuenta|"
    r"(?:credit|debit|bank)?[- ]?card|visa|mastercard|amex|kreditkarte)"
    r"(?:[ /-]{0,2}(?:n[or°]|num(?:mer|ber)?s?|code|bic|swift|details?|ending|in|is|card)(?!\w)"
    r"\.?)*(?:[\s:.,#=|()–-]{0,8}|(?P<words>[^\d\n]{1,40}?))"
    r"(?P<value>(?-i:[A-Z]{2} ?\d{2}(?: ?[A-Z\d]{1,4}){3,9}\b|[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?\b|"
    rf"{_GROUPS}))",
    re.IGNORECASE,
)
#: The next one of a column, beneath the value of a label.
_BENEATH = re.compile(rf"[ \t]*\r?\n[ \t]*(?P<value>{_GROUPS})[ \t]*(?=\r?\n|\Z)", re.IGNORECASE)
_CARD = re.compile(r"(?<![\d-])\d{4}(?:[ -]?\d{2,6}){2,4}(?![\d-])")
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")


def _once(found: Iterable[str], key: Callable[[str], str] = str) -> list[str]:
    kept: dict[str, str] = {}
    for one in found:
        kept.setdefault(key(one), one)
    return list(kept.values())


def emails(text: str) -> list[str]:
    """The e-mail addresses, whatever the case of their letters."""
    return _once((match[0] for match in _EMAIL.finditer(text)), str.lower)


def links(text: str) -> list[str]:
    """The addresses of web pages, also those without https before them."""
    without_mail = _EMAIL.sub(lambda match: " " * len(match[0]), text)
    found = (_trimmed(match[0]) for match in _LINK.finditer(without_mail))
    return _once((one for one in found if "." in one), lambda one: one.lower().rstrip("/"))


def _trimmed(link: str) -> str:
    """A link without the marks of the sentence around it."""
    while link:
        last = link[-1]
        closes = {")": "(", "]": "[", "}": "{"}.get(last)
        if last in ".,;:!?'’*_|" or (closes and link.count(last) > link.count(closes)):
            link = link[:-1]
        else:
            break
    return link


def phones(text: str) -> list[str]:
    """The phone numbers; dates, sums, card and order numbers are none."""
    text = _LINK.sub(lambda match: " " * len(match[0]), _EMAIL.sub(" ", text))
    found = []
    for match in _CANDIDATE.finditer(text):
        number = match[0].strip(" .-–/")
        number = number[1:] if number.startswith("(") and ")" not in number else number
        if _is_phone(number, text[max(match.start() - 24, 0) : match.start()]):
            found.append(number)
    return _once(found, lambda one: re.sub(r"\D", "", one))


def accounts(text: str) -> list[str]:
    """The numbers of bank accounts, banks and cards: IBANs and cards by their form, and whatever
    stands beside a label such as sort code, account no., BIC or Kontonummer."""
    found = [match[0] for match in _IBAN.finditer(text)]
    place = 0
    while match := _AFTER_LABEL.search(text, place):
        value = match["value"]
        digits = len(re.findall(r"\d", value))
        is_bic = not match["words"] and re.fullmatch(r"[A-Z]{6}[A-Z\d]{2,5}", value)
        # Far from its label a number has to be a long one, and no date.
        is_number = digits >= 6 and not _DATE.fullmatch(value) if match["words"] else digits >= 4
        if is_bic or is_number:
            found.append(value)
            end = match.end()
            while beneath := _BENEATH.match(text, end):
                found += [beneath["value"]] if re.search(r"(?:\D*\d){4}", beneath[0]) else []
                end = beneath.end()
        # A label may be followed by the next one: "IBAN / BIC".
        place = match.start() + 1
    found += [match[0] for match in _CARD.finditer(text) if _is_card(match[0])]
    return _once(found, lambda one: re.sub(r"\W", "", one))


def _is_card(number: str) -> bool:
    """Whether the last figure of a number is the check figure of a card's."""
    digits = [int(figure) for figure in reversed(re.sub(r"\D", "", number))]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]
    return 13 <= len(digits) <= 19 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _is_phone(number: str, before: str) -> bool:
    digits = re.sub(r"\D", "", number)
    if not 7 <= len(digits) <= 15 or number.count("(") != number.count(")"):
        return False
    if _DATE.fullmatch(number) or _ADDRESS.fullmatch(number) or _NO_PHONE.search(before):
        return False
    if number.startswith(("+", "00", "(")) or _CALLED.search(before):
        return True
    if _GROUPED.fullmatch(number):
        return False
    if number.isdigit():
        return len(digits) >= 9 and (digits[0] == "0" or len(digits) == 10)
    # 0171 123 4567, 555-123-4567, 555-1234, 06 12 34 56 78
    parts = re.split(r"[^\d]+", number)
    ends = len(parts[-1]) >= 3 or (digits[0] == "0" and len(parts) >= 3)
    usual = digits[0] == "0" or [len(part) for part in parts] in ([3, 3, 4], [3, 4], [1, 3, 3, 4])
    return ends and usual


def _is_of_a_number(text: str, start: int, end: int) -> bool:
    """Whether four figures alone stand within a longer row of them, such as a card's number."""
    if not text[start:end].isdigit():
        return False
    near = text[max(start - 2, 0) : start], text[end : end + 2]
    return bool(re.match(r"\d[ -]$", near[0]) or re.match(r"[ -]\d", near[1]))


def _of_kind(kind: str) -> Callable[[str], list[str]]:
    def find(text: str) -> list[str]:
        found = (
            item
            for item in amounts_and_dates(text)
            if item.kind == kind and not _is_of_a_number(text, item.start, item.end)
        )
        return _once(" ".join(text[item.start : item.end].split()) for item in found)

    return find


FINDERS: dict[str, Callable[[str], list[str]]] = {
    "emails": emails,
    "phones": phones,
    "links": links,
    "amounts": _of_kind("money"),
    "dates": _of_kind("date"),
}
