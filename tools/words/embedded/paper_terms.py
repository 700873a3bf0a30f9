"""What receipts and agreements are asked of their terms: until when things can be taken back, how
much notice is to be given, what is allowed, and what a monthly sum comes to over a longer time."""

from __future__ import annotations

import re
from datetime import timedelta

from controlllm.values.plain import UP_TO_TWELVE

from ...shared.function_words import COMMON_WORDS, FUNCTION_WORDS, stem
from ...shared.sentences import split_sentences
from ...shared.written_dates import dates_in
from . import bills

_COUNT = rf"(?:\d+|{'|'.join(UP_TO_TWELVE)})"
_RETURN_ASKED = re.compile(
    r"\b(?:when|how long|(?:last|latest|which|what) (?:day|date)|latest|deadline)\b.*"
    r"\b(?:(?:take|bring|send|give)\b.*\bback|return(?!ed\b)|exchange|refund|money back)\b"
)
_RETURNS = re.compile(
    r"\b(?:returns?|returned|exchanges?|exchanged|refunds?|refunded|taken back|brought back)\b",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    rf"\b(?:within|up to|in|for)\s+(?P<count>{_COUNT})\s+(?P<unit>day|week)s?\b", re.IGNORECASE
)
_NOTICE_ASKED = re.compile(
    r"\b(?:how (?:much|long)|what|which)\b.*\bnotice\b|\bnotice period\b|\bwhen\b.*\bgive notice\b"
)
_PERIOD = re.compile(rf"\b{_COUNT}[ -](?:calendar |full )?(?:day|week|month)s?\b", re.IGNORECASE)
_ALLOWED_ASKED = re.compile(
    r"\b(?:am|are|is) (?:i|we|it|they|there)\b.*\b(?:allowed|permitted|forbidden)\b|"
    r"\b(?:can|may|could) (?:i|we) (?:have|keep|get|bring|own|hold|use|smoke|paint|sublet)\b"
)
_PERMISSION = re.compile(
    r"\bno\b|\bnot\b|\bnever\b|\bmay\b|\bmust\b|\ballowed\b|\bpermit\w*|\bpermission\b|\bconsent\b|"
    r"\bforbidden\b|\bprohibited\b|\bwelcome\b",
    re.IGNORECASE,
)
#: What papers call by the name of its kind.
_KINDS = {
    **dict.fromkeys(
        map(stem, "cat dog kitten puppy rabbit hamster bird parrot budgie fish animal".split()),
        {stem("pet"), stem("animal")},
    ),
    **dict.fromkeys(
        map(stem, "cigarettes cigars vape pipe".split()), {stem("smoking"), stem("smoke")}
    ),
}
_OF_NO_TERM = frozenset(
    map(stem, "allowed permitted forbidden keep get use have bring own".split())
)
_YEAR_ASKED = re.compile(
    rf"\b(?:(?:whole|full|entire|per|each|every|a|one) year|yearly|annual(?:ly)?)\b|"
    rf"\b(?:for|over|in|whole|all) (?:the )?(?:whole )?(?P<count>{_COUNT}) months\b"
)
_YEARLY = re.compile(r"\b(?:(?:per|a|each|every) year|yearly|annual(?:ly)?)\b", re.IGNORECASE)
_MONTHLY = re.compile(
    r"(?P<sign>[€$£] ?)?(?P<sum>\d{1,3}(?:[,.]\d{3})+(?:[.,]\d\d)?|\d+(?:[.,]\d\d)?)"
    r"(?P<unit> ?(?:euros?|dollars?|pounds?|francs?|EUR|USD|GBP|CHF|[€$£]))?"
    r",? (?:per|a|each|every) (?:calendar )?month\b",
    re.IGNORECASE,
)


def answered(text: str, question: str, is_bill: bool) -> str | None:
    """The answer to a question, in small letters, about the terms of a paper; None where it is
    another, or where the paper does not say."""
    if is_bill and _RETURN_ASKED.search(question):
        return _last_day_back(text)
    if _NOTICE_ASKED.search(question):
        return _notice(text)
    if _ALLOWED_ASKED.search(question):
        return _allowed(text, question)
    return _over_months(text, question)


def _count(said: str) -> int:
    return UP_TO_TWELVE.get(said.lower()) or int(said)


def _last_day_back(text: str) -> str | None:
    """Until when things can be taken back: so many days after the paper's date."""
    for line in text.splitlines():
        within = _WITHIN.search(line)
        if not within or not _RETURNS.search(line):
            continue
        days = _count(within["count"]) * (7 if within["unit"].lower() == "week" else 1)
        said = " ".join(line.split())
        bought = next(iter(dates_in(text)), None)
        if bought is None:
            return f"“{said}”; the paper does not say from which day that counts."
        last = bought.day + timedelta(days)
        return (
            f"{last.day} {last:%B %Y}, a {last:%A}: that is {days} days after "
            f"{bought.day.day} {bought.day:%B %Y} (“{said}”)."
        )
    return None


def _notice(text: str) -> str | None:
    """The time of notice; where there are several, each as it stands there."""
    told = [
        (period[0], " ".join(sentence.split()))
        for sentence in split_sentences(text)
        if re.search(r"\bnotice\b", sentence, re.IGNORECASE)
        and (period := _PERIOD.search(sentence))
    ]
    if len(told) == 1:
        return f"{told[0][0].capitalize()}. The text says: “{told[0][1]}”"
    said = " ".join(f"“{sentence}”" for _, sentence in told)
    return f"The text says: {said}" if told else None


def _allowed(text: str, question: str) -> str | None:
    """What a paper says of a thing that is to be allowed, or of the kind of such things."""
    asked = _stems(question) - _OF_NO_TERM
    asked = asked.union(*(_KINDS.get(word, set()) for word in asked))
    told = [one for one in split_sentences(text) if _PERMISSION.search(one)]
    best = max(told, key=lambda one: len(asked & _stems(one)), default="")
    return f"The text says: “{' '.join(best.split())}”" if asked & _stems(best) else None


def _over_months(text: str, question: str) -> str | None:
    """What a monthly sum comes to in a year, or in as many months as are asked for."""
    span = _YEAR_ASKED.search(question)
    if not span:
        return None
    asked = _stems(question)
    about = [sentence for sentence in split_sentences(text) if asked & _stems(sentence)]
    told = [found for sentence in about for found in _MONTHLY.finditer(sentence)]
    # Where the paper itself tells of a year, nothing is to be reckoned.
    if len(told) != 1 or any(_YEARLY.search(sentence) for sentence in about):
        return None
    months = _count(span["count"]) if span["count"] else 12
    sign, unit = told[0]["sign"] or "", told[0]["unit"] or ""
    each = bills.number_in(told[0]["sum"])
    return f"{sign}{months * each:,.2f}{unit}: {months} × {sign}{each:,.2f}{unit} a month."


def _stems(text: str) -> set[str]:
    return {
        stem(word)
        for word in re.findall(r"[^\W\d_]+", text.lower())
        if word not in FUNCTION_WORDS and word not in COMMON_WORDS and len(word) > 2
    }
